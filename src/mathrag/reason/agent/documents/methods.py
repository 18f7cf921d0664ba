"""The twelve ways to answer a question about documents, as rows: what is seen first, what may be done, how often.

They are those that the published system compares. The gate goes by the row; there is no code for any single one.
"""

from __future__ import annotations

from mathrag.reason.agent.documents.seams import GRAPH, MEANING
from mathrag.types.document_actions import DocumentActionName, Method

# Tokens of full text, and passages, that are fetched before the first call.
FULL_TEXT_TOKENS = 5_000
CHUNKS = 4

_SEARCH: DocumentActionName = "RetrieveFromVectorstore"
_QUERY: DocumentActionName = "RetrieveFromDatabase"
_ANSWER: DocumentActionName = "GenerateAnswer"
_WORK: tuple[DocumentActionName, ...] = ("CalculateExpr", "ViewImage")
_PASSAGES = (("collection_name", MEANING), ("table_name", "chunks"), ("column_name", "text"), ("limit", CHUNKS))

METHODS: tuple[Method, ...] = (
    Method("question-only", "the model alone, without any document", (_ANSWER,), rounds=1),
    Method(
        "title-abstract", "the titles and abstracts, then the answer", (_ANSWER,), start="title_and_abstract", rounds=1
    ),
    Method("full-text", "the beginning of the full text, then the answer", (_ANSWER,), start="full_text", rounds=1),
    Method(
        "classic", "the nearest passages, then the answer", (_ANSWER,), start="chunks", fixed=_PASSAGES, rounds=1
    ),
    Method(
        "iterative-classic", "search among passages, again and again", (_SEARCH, _ANSWER), fixed=_PASSAGES
    ),
    Method(
        "two-stage-neural", "one search of any column, then the answer", (_SEARCH, _ANSWER), start="schema",
        is_two_stage=True, rounds=2,
    ),
    Method(
        "iterative-neural", "searches of any column, calculations and pages", (_SEARCH, *_WORK, _ANSWER),
        start="schema",
    ),
    Method(
        "two-stage-symbolic", "one query of the database, then the answer", (_QUERY, _ANSWER), start="schema",
        is_two_stage=True, rounds=2,
    ),
    Method(
        "iterative-symbolic", "queries of the database, calculations and pages", (_QUERY, *_WORK, _ANSWER),
        start="schema",
    ),
    Method(
        "graph", "the neighbourhood of the question in the graph, once more by words, then the answer",
        (_SEARCH, _ANSWER), start="graph", fixed=(("collection_name", GRAPH),), is_two_stage=True, rounds=2,
    ),
    Method(
        "two-stage-hybrid", "one search or one query, then the answer", (_SEARCH, _QUERY, _ANSWER), start="schema",
        is_two_stage=True, rounds=2,
    ),
    Method(
        "neusym", "searches, queries, calculations and pages, as the model sees fit",
        (_SEARCH, _QUERY, *_WORK, _ANSWER), start="schema",
    ),
)  # fmt: skip
METHOD_NAMES: tuple[str, ...] = tuple(method.name for method in METHODS)


def method_called(name: str) -> Method | None:
    """The method of this name."""
    return next((method for method in METHODS if method.name == name), None)
