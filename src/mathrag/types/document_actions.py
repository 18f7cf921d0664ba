"""What may be done to answer a question about documents, and what comes back: five actions, rows, cut-outs, methods.

The names and parameters of the actions are those of the published system, because recorded replies and models that know
it use them. Boxes are left, top, right, bottom in points here as everywhere; the formats convert.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

DocumentActionName: TypeAlias = Literal[
    "RetrieveFromVectorstore", "RetrieveFromDatabase", "ViewImage", "CalculateExpr", "GenerateAnswer"
]
DOCUMENT_ACTIONS: tuple[DocumentActionName, ...] = get_args(DocumentActionName)
ActionFormat: TypeAlias = Literal["markdown", "json", "xml", "yaml"]
ACTION_FORMATS: tuple[ActionFormat, ...] = get_args(ActionFormat)
ObservationFormat: TypeAlias = Literal["json", "markdown", "string", "html"]
OBSERVATION_FORMATS: tuple[ObservationFormat, ...] = get_args(ObservationFormat)

# The collection of words; every other collection is named after its embedder.
WORDS = "bm25"


@dataclass(frozen=True, slots=True)
class Cell:
    """One text of a row of a table, and where people find it: what is searched, and what a hit leads back to."""

    table: str
    column: str
    key: str
    text: str
    document: str | None = None
    page: int | None = None


@dataclass(frozen=True, slots=True)
class FoundCell:
    """A cell that a search found, with its score in that collection; higher is better."""

    cell: Cell
    score: float
    collection: str = WORDS


@dataclass(frozen=True, slots=True)
class RetrieveFromVectorstore:
    """Search the cells of one column, or of all where `table_name` or `column_name` is empty."""

    query: str
    collection_name: str = WORDS
    table_name: str = ""
    column_name: str = ""
    filter: str = ""
    limit: int = 5


@dataclass(frozen=True, slots=True)
class RetrieveFromDatabase:
    """Run one contained query over the tables of the library."""

    sql: str


@dataclass(frozen=True, slots=True)
class ViewImage:
    """Look at a page, or at what lies within a box of it. Pages count from 1; no box means the whole page."""

    paper_id: str
    page_number: int
    bounding_box: tuple[float, float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class CalculateExpr:
    """Compute an expression, by the calculator and nothing else."""

    expr: str


@dataclass(frozen=True, slots=True)
class GenerateAnswer:
    """End with this answer: a text, a number, a truth value, or lists and mappings of them."""

    answer: object


DocumentAction: TypeAlias = RetrieveFromVectorstore | RetrieveFromDatabase | ViewImage | CalculateExpr | GenerateAnswer


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows that came back. `total` counts all that were found where that is known, else those here."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    total: int | None = None


@dataclass(frozen=True, slots=True)
class PageCut:
    """What is to be seen on a page, as PNG. `box` is what was cut out, None for the whole page."""

    document: str
    page: int
    png: bytes
    box: tuple[float, float, float, float] | None = None


Start: TypeAlias = Literal["nothing", "title_and_abstract", "full_text", "chunks", "schema", "graph"]


@dataclass(frozen=True, slots=True)
class Method:
    """One way to answer a question about documents: what a model sees first, what it may do, and how often.

    `start` is what is fetched before the first call. `fixed` are parameters of an action that a method sets itself, as
    (name, value). `is_two_stage` where one retrieval is followed by one answer.
    """

    name: str
    about: str
    actions: tuple[DocumentActionName, ...]
    start: Start = "nothing"
    fixed: tuple[tuple[str, str | int], ...] = ()
    is_two_stage: bool = False
    rounds: int = 20
    window: int = 5
