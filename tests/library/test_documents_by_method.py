"""Asking a library about its documents by a method: real cells, tables, queries and calculations, a scripted model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hand_written_pdf import write_pdf
from mathrag.errors import UsageError
from mathrag.library import Library
from mathrag.library.ask.document_bench import LibraryDocuments
from mathrag.library.ask.document_session import ask_by_method
from mathrag.library.ask.models import Models
from mathrag.library.ask.outcomes import outcome_lines, outcome_object
from mathrag.llm.accounts import Price
from mathrag.llm.seams import Scripted, ScriptedModel
from mathrag.reason.agent.documents.methods import METHOD_NAMES
from mathrag.reason.agent.documents.seams import MEANING, FoundRows, QuestionFrame, SeenPage
from mathrag.reason.agent.seams import Problem
from mathrag.types.answer import MODEL_WORDS, Outcome, Refusal, Reply
from mathrag.types.episode import Event

GLAZES = """# Glazes and kilns

## Firing

Every glaze was fired in the same kiln, and the share of cracked pots was counted as its error rate.

## Results

Table 1: error rates of the glazes

| glaze | error rate |
|---|---|
| NV1 | 0.131 |
| NV2 | 0.077 |
| DD2 | 0.729 |

The glaze DD2 cracks most often.
"""
WOOL = """# Dyeing wool

Wool takes up madder best at 82 °C in a bath with alum.
"""
QUESTION = "How much higher is the error rate of DD2 than that of NV1?"
CELLS = "SELECT c.row_number, c.text, t.page, t.document FROM table_cells c JOIN tables t ON t.id = c.table_id"
ANSWER = 'GenerateAnswer(answer="the documents do not say it")'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("papers")
    (path / "glazes.md").write_text(GLAZES, encoding="utf-8")
    (path / "wool.md").write_text(WOOL, encoding="utf-8")
    with Library(path / "library") as library:
        library.ingest([path / "glazes.md", path / "wool.md"], workers=1)
    return path / "library"


@pytest.fixture
def library(folder: Path) -> Iterator[Library]:
    with Library(folder, create=False) as opened:
        yield opened


def ask(library: Library, *script: Scripted, method: str = "neusym", **options: Any) -> Outcome:
    model = ScriptedModel(script)
    with Models.of(model, price=Price(1.0, 2.0)) as models:
        outcome = library.ask_by_method(options.pop("question", QUESTION), method=method, models=models, **options)
    json.dumps(outcome_object(outcome), allow_nan=False)
    assert outcome_lines(outcome)
    return outcome


def test_a_difference_of_two_cells_has_its_source(library: Library) -> None:
    events: list[Event] = []
    outcome = ask(
        library,
        'RetrieveFromVectorstore(query="error rate of the glazes")',
        f'RetrieveFromDatabase(sql="{CELLS}")',
        'CalculateExpr(expr="0.729 - 0.131")',
        "GenerateAnswer(answer=0.598)",
        listener=events.append,
    )
    assert isinstance(outcome, Reply), outcome
    assert outcome.text == f"{MODEL_WORDS}0.598"
    assert {each.name for each in outcome.citations} == {"Glazes and kilns"}
    assert [event.observation.code for event in events] == ["found", "found", "calculated", "answered"]
    usage = outcome.usage
    assert usage is not None
    assert usage.calls == 4
    assert usage.cost is not None
    assert usage.cost > 0


def test_every_method_runs_over_a_library(library: Library) -> None:
    for method in METHOD_NAMES:
        query = 'RetrieveFromDatabase(sql="SELECT title FROM documents")'
        first = query if "symbolic" in method else 'RetrieveFromVectorstore(query="kiln")'
        script = [ANSWER] if method in METHOD_NAMES[:4] else [first, ANSWER]
        outcome = ask(library, *script, method=method)
        assert isinstance(outcome, Reply), (method, outcome)


def test_there_is_a_message_where_no_model_is_set(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MATHRAG_LLM_MODEL", raising=False)
    with pytest.raises(UsageError, match="no language model is set"):
        library.ask_by_method(QUESTION)
    with pytest.raises(UsageError, match="there is no method"):
        ask(library, method="magic")
    with pytest.raises(UsageError, match="format"):
        ask(library, ANSWER, action_format="telegraph")


def test_numbers_that_a_query_makes_up_are_not_cited(library: Library) -> None:
    outcome = ask(
        library,
        'RetrieveFromDatabase(sql="SELECT 42 AS rate FROM documents")',
        "GenerateAnswer(answer=42)",
        "GenerateAnswer(answer=42)",
    )
    assert isinstance(outcome, Refusal)
    assert "42" not in outcome.reason


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 42",
        "SELECT count(*) + 40 FROM documents",
        "SELECT value FROM meta",
        "SELECT text FROM summaries",
        "SELECT substr(text, 1, 3) FROM chunks",
        "SELECT name FROM sqlite_master",
        "WITH s AS (SELECT * FROM summaries) SELECT * FROM s",
    ],
)
def test_what_is_no_statement_of_a_document_is_no_evidence(library: Library, sql: str) -> None:
    found = LibraryDocuments(library).run_sql(sql)
    assert isinstance(found, FoundRows)
    assert not any(found.evidence)
    assert "cannot be cited" in found.note


def test_rows_of_documents_are_evidence_of_their_document(library: Library) -> None:
    bench = LibraryDocuments(library)
    found = bench.run_sql("SELECT count(*) AS n, document FROM chunks GROUP BY document")
    assert isinstance(found, FoundRows)
    assert found.note == ""
    assert all(each is not None and each.document for each in found.evidence)
    wrong = bench.run_sql("DELETE FROM documents")
    assert isinstance(wrong, Problem)
    assert wrong.code == "wrong_query"


def test_cells_are_found_by_words_and_by_meaning(library: Library) -> None:
    bench = LibraryDocuments(library)
    for collection in ("bm25", MEANING, ""):
        found = bench.search_cells("madder alum", collection=collection, table="", column="", filter_text="", limit=1)
        assert isinstance(found, FoundRows), found
        assert "alum" in str(found.rows.rows[0][0])
        assert found.evidence[0] is not None
        assert found.evidence[0].document == found.rows.rows[0][1]
    for wrong in ({"collection": "clip"}, {"table": "moon"}):
        names = {"collection": "bm25", "table": "", "column": "", "filter_text": ""} | wrong
        assert isinstance(bench.search_cells("alum", **names, limit=1), Problem)


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("0.729 - 0.131", "0.598"),
        ("2 * 3", "6"),
        ("10 / 4", "2.5"),
        ("round(2/3, 2)", "0.67"),
        ("sum([1, 2.5])", "3.5"),
    ],
)
def test_the_calculator_computes(library: Library, expression: str, result: str) -> None:
    assert LibraryDocuments(library).calculate(expression) == result


@pytest.mark.parametrize("expression", ["__import__('os')", "x + 1", "1 / 0", "", "1 = 2", "2 kg + 3 s"])
def test_the_calculator_declines(library: Library, expression: str) -> None:
    assert isinstance(LibraryDocuments(library).calculate(expression), Problem)


def test_what_methods_begin_with(library: Library) -> None:
    bench = LibraryDocuments(library)
    assert {row[1] for row in bench.abstracts("kiln").rows.rows} == {"Glazes and kilns", "Dyeing wool"}
    texts = bench.full_texts("kiln", tokens=5_000)
    assert any("kiln" in str(row[2]) for row in texts.rows.rows)
    assert bench.full_texts("kiln", tokens=4).rows.rows == ()
    around = bench.neighbourhood("cracked pots in the kiln", limit=10)
    assert isinstance(around, FoundRows)
    assert {row[1] for row in around.rows.rows} >= {"says", "has section"}
    assert "table_cells" in bench.describe_tables()
    assert "bm25" in bench.describe_cells()


def test_what_methods_begin_with_is_of_the_documents_that_are_meant(library: Library) -> None:
    wool = library.document("wool.md").id
    bench = LibraryDocuments(library, about=(wool,))
    assert [row[1] for row in bench.abstracts("kiln").rows.rows] == ["Dyeing wool"]
    assert {row[0] for row in bench.full_texts("kiln", tokens=5_000).rows.rows} == {wool}
    model = ScriptedModel([ANSWER])
    with Models.of(model) as models:
        frame = QuestionFrame(documents=(wool,))
        ask_by_method(library, "How often does a glaze crack?", method="classic", models=models, frame=frame)
    assert "alum" in model.requests[0].messages[1].text
    assert "cracked" not in model.requests[0].messages[1].text


def test_pages_that_are_not_there_are_told(library: Library) -> None:
    for document in ("glazes.md", "moon.pdf"):
        found = LibraryDocuments(library).draw(document, 1, box=None)
        assert isinstance(found, Problem)
        assert found.code == "no_page"


@pytest.mark.slow
def test_a_part_of_a_page_is_seen_with_its_words(tmp_path: Path) -> None:
    file = write_pdf(tmp_path / "loom.pdf", (("The loom needs 9.75 minutes", 72, 100), ("Breaks were rare", 72, 600)))
    with Library(tmp_path / "library") as library:
        library.ingest([file], workers=1)
        bench = LibraryDocuments(library)
        whole = bench.draw("loom.pdf", 1, box=None)
        part = bench.draw("loom.pdf", 1, box=(60.0, 80.0, 400.0, 120.0))
        nothing = bench.draw("loom.pdf", 1, box=(5000.0, 0.0, 6000.0, 10.0))
        model = ScriptedModel(
            [
                'ViewImage(paper_id="loom.pdf", page_number=1, bounding_box=[60, 80, 340, 40])',
                'GenerateAnswer(answer="9.75 minutes")',
            ]
        )
        with Models.of(model) as models:
            outcome = library.ask_by_method("How long does the loom need?", method="iterative-neural", models=models)
    assert isinstance(whole, SeenPage)
    assert isinstance(part, SeenPage)
    assert "rare" in whole.text
    assert part.text == "The loom needs 9.75 minutes"
    assert part.cut.png.startswith(b"\x89PNG")
    assert isinstance(nothing, Problem)
    assert isinstance(outcome, Reply), outcome
    assert [each.span.place.page for each in outcome.citations] == [1]
    assert model.requests[1].messages[-1].pictures


def test_any_column_is_searched_with_a_filter(library: Library) -> None:
    bench = LibraryDocuments(library)
    glazes = library.document("glazes.md").id
    found = bench.search_cells(
        "rates", collection="bm25", table="tables", column="content", filter_text=f"document == '{glazes}'", limit=3
    )
    assert isinstance(found, FoundRows), found
    assert any("0.729" in str(row[0]) for row in found.rows.rows)
    none = bench.search_cells("kiln", collection="bm25", table="", column="", filter_text="document == 'moon'", limit=3)
    assert isinstance(none, FoundRows)
    assert none.rows.rows == ()
    wrong = bench.search_cells("kiln", collection="bm25", table="", column="", filter_text="page ==", limit=3)
    assert isinstance(wrong, Problem)
    assert wrong.code == "wrong_search"
    assert "tables.caption" in bench.describe_cells()
