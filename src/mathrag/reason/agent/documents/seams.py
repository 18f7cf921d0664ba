"""What an episode about documents needs from outside: who searches, queries, draws and calculates. Plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeAlias

from mathrag.reason.agent.seams import Problem
from mathrag.types.document_actions import DocumentActionName, Method, PageCut, Rows
from mathrag.types.episode import Event
from mathrag.types.question import Question

# The collection of the library's own encoder, whichever that is; and what is found by following the graph.
MEANING = "meaning"
GRAPH = "graph"


@dataclass(frozen=True, slots=True)
class Evidence:
    """Words of a document that were seen, and where they stand: what an answer may take its numbers from.

    `worked_out` are numbers that the database came to, such as averages: they may be quoted rounded.
    """

    text: str
    document: str | None = None
    page: int | None = None
    worked_out: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundRows:
    """Rows that came back and, for each of them, what it is evidence of; None where its numbers may not be cited.

    A summary is shown and is evidence of nothing, because a model wrote it; so is what a query worked out by itself.
    `note` says so to whoever planned.
    """

    rows: Rows
    evidence: tuple[Evidence | None, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class SeenPage:
    """A picture of a page, and the words that stand there as they were read: numbers come from those alone."""

    cut: PageCut
    text: str = ""


Seen: TypeAlias = FoundRows | SeenPage | str


@dataclass(frozen=True, slots=True)
class QuestionFrame:
    """What a set of questions gives along with a question: the form in which the answer is wanted, in its own words,
    and the ids of the documents that are meant by "the paper". No number is taken from either."""

    answer_format: str = ""
    documents: tuple[str, ...] = ()


NO_FRAME = QuestionFrame()


class DocumentBench(Protocol):
    """What the actions on documents do. It knows the library; it knows no methods, no rounds and no gate."""

    def search_cells(
        self, query: str, *, collection: str, table: str, column: str, filter_text: str, limit: int
    ) -> FoundRows | Problem:
        """The cells that fit the words best, of one column or of all. `MEANING` is the library's own encoder."""
        ...

    def neighbourhood(self, query: str, *, limit: int) -> FoundRows | Problem:
        """What the graph of the library says around whatever the words name."""
        ...

    def run_sql(self, sql: str) -> FoundRows | Problem:
        """The rows of one contained query."""
        ...

    def draw(self, document: str, page: int, *, box: tuple[float, float, float, float] | None) -> SeenPage | Problem:
        """A page of a document, or what lies in a box of it (left, top, right, bottom, in points)."""
        ...

    def calculate(self, expression: str) -> str | Problem:
        """The value of an expression of numbers, by the calculator."""
        ...

    def describe_tables(self) -> str:
        """The tables that a query may read, with their columns."""
        ...

    def describe_cells(self) -> str:
        """The collections that may be searched, with their tables and columns."""
        ...

    def abstracts(self, question: str) -> FoundRows:
        """Titles and abstracts of the documents that a question is about."""
        ...

    def full_texts(self, question: str, *, tokens: int) -> FoundRows:
        """The beginning of these documents, so many tokens long."""
        ...

    def document_name(self, document: str) -> str:
        """What people call a document."""
        ...


@dataclass(frozen=True, slots=True)
class DocumentView:
    """What a planner of an episode about documents may look at. `seen` is what came back, one for each event.

    `start` is what was fetched before the first round. `tables` and `cells` say what may be queried and searched; empty
    where the method does neither. `answer_format` are words of whoever asks, `about` the documents that are meant, each
    with its name.
    """

    question: Question
    method: Method
    legal_actions: tuple[DocumentActionName, ...]
    rounds_left: int
    start: FoundRows | None = None
    events: tuple[Event, ...] = ()
    seen: tuple[Seen, ...] = ()
    tables: str = ""
    cells: str = ""
    answer_format: str = ""
    about: tuple[str, ...] = ()
