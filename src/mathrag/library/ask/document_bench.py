"""What the actions on documents do in a library: its cells, its tables, its pages, its graph and the calculator.

Rows that a model wrote (summaries), that a query made up or that tell of the library itself come back as rows and as
evidence of nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from mathrag.errors import LibraryError, QueryError
from mathrag.library.views.pages import page_contents, page_cut
from mathrag.library.views.queries import sql_tables
from mathrag.llm.accounts import usual_tokens
from mathrag.reason.agent.documents.evidence import query_problem
from mathrag.reason.agent.documents.seams import MEANING, Evidence, FoundRows, SeenPage
from mathrag.reason.agent.seams import Problem
from mathrag.reason.direct.calculation import calculate
from mathrag.reason.direct.result import DirectFailure
from mathrag.retrieve.cells import encodable_columns
from mathrag.types.document_actions import WORDS, Cell, Rows

if TYPE_CHECKING:
    from mathrag.library.opened import OpenLibrary
    from mathrag.store.sql.query import SqlResult
    from mathrag.store.truth.records import DocumentInfo

Box = tuple[float, float, float, float]
# Documents whose beginnings are shown to methods that begin with them.
_MOST_DOCUMENTS = 5
_MOST_ROWS = 100
_QUERY_SECONDS = 5.0
# Tables about documents, which a query of a model may speak of; the others are about formulas or for the program.
_TABLES = (
    "documents", "pages", "sections", "chunks", "passages", "tables", "table_cells", "images", "equations",
    "bibliography", "summaries",
)  # fmt: skip
_STATED = frozenset(_TABLES) - {"summaries"}
_SUMMARY = "numbers in summaries cannot be cited: a model wrote them"
_NOT_STATED = "numbers of these rows cannot be cited: they are not about documents alone"
_PAGE_COLUMNS = ("page", "page_number")


class LibraryDocuments:
    """The documents of one library at hand; `about` are the ids of those that a question is known to mean."""

    def __init__(self, library: OpenLibrary, *, about: Sequence[str] = ()) -> None:
        self._library = library
        self._meant = tuple(about)

    # ---- searching and querying

    def search_cells(
        self, query: str, *, collection: str, table: str, column: str, filter_text: str, limit: int
    ) -> FoundRows | Problem:
        """The cells that fit the words best."""
        name = self._library.embedder.name if collection == MEANING else collection or WORDS
        try:
            found = self._library.search_cells(
                query, collection=name, table=table, column=column, filter=filter_text, limit=min(limit, _MOST_ROWS)
            )
        except QueryError as error:
            return Problem("wrong_search", str(error))
        columns = ("text", "document", "page", "table", "column", "key")
        cells = [each.cell for each in found]
        rows = tuple((one.text, one.document, one.page, one.table, one.column, one.key) for one in cells)
        evidence = tuple(None if _is_summary(one) else Evidence(one.text, one.document, one.page) for one in cells)
        return FoundRows(Rows(columns, rows), evidence, _SUMMARY if None in evidence else "")

    def run_sql(self, sql: str) -> FoundRows | Problem:
        """The rows of one contained query."""
        from mathrag.store.sql.query import run_sql

        try:
            result = run_sql(self._library.folder, sql, max_rows=_MOST_ROWS, seconds=_QUERY_SECONDS)
        except QueryError as error:
            return Problem("wrong_query", str(error))
        note = _against(result, sql)
        rows = Rows(result.columns, result.rows, None if result.truncated else len(result.rows))
        evidence = () if note else tuple(self._evidence(result.columns, row, sql) for row in result.rows)
        return FoundRows(rows, evidence, note)

    def _evidence(self, columns: Sequence[str], row: Sequence[object], sql: str) -> Evidence:
        """What a row states, of the document that it names, that its query names, or that is the only one."""
        values = [value for value in row if value is not None]
        named = next((value for value in values if isinstance(value, str) and value in self._documents), None)
        if named is None:
            named = next((one for one in self._documents if one in sql), None)
        if named is None and len(self._documents) == 1:
            named = next(iter(self._documents))
        pages = [value for name, value in zip(columns, row, strict=True) if name.lower() in _PAGE_COLUMNS]
        page = pages[0] if pages and isinstance(pages[0], int) else None
        worked_out = tuple(value for value in values if isinstance(value, float))
        return Evidence(" | ".join(str(value) for value in values), named, page, worked_out)

    def neighbourhood(self, query: str, *, limit: int) -> FoundRows | Problem:
        """The passages that words name, with what stands around each in its document: section, tables, pictures."""
        cells = self._library.search_cells(query, table="chunks", column="text", limit=max(1, limit // 2))
        rows: list[tuple[str, str, str, str | None, int | None]] = []
        for found in cells:
            cell = found.cell
            name = self.document_name(cell.document or "")
            section, around = self._around(cell.key)
            rows.append((section or name, "says", cell.text, cell.document, cell.page))
            if section:
                rows.append((name, "has section", section, cell.document, cell.page))
            rows += [(section or name, relation, text, cell.document, page) for relation, text, page in around]
        kept = tuple(dict.fromkeys(rows))[:limit]
        evidence = tuple(Evidence(row[2], row[3], row[4]) for row in kept)
        return FoundRows(Rows(("subject", "relation", "object", "document", "page"), kept), evidence)

    def _around(self, chunk: str) -> tuple[str, list[tuple[str, str, int | None]]]:
        with self._library.database.reading() as connection:
            row = connection.execute("SELECT section FROM chunks WHERE id = ?", (chunk,)).fetchone()
            if row is None or row[0] is None:
                return "", []
            title = connection.execute("SELECT title FROM sections WHERE id = ?", row).fetchone()
            found: list[tuple[str, str, int | None]] = []
            for table, relation in (("tables", "has table"), ("images", "has picture")):
                question = f"SELECT caption, page FROM {table} WHERE section = ? AND caption <> '' LIMIT 3"  # noqa: S608
                found += [(relation, caption, page) for caption, page in connection.execute(question, row)]
        return ("" if title is None else str(title[0])), found

    # ---- pages and calculations

    def draw(self, document: str, page: int, *, box: Box | None) -> SeenPage | Problem:
        """A page, or what lies in a box of it, with the words that were read there."""
        try:
            info = self._library.document(document)
            contents = page_contents(self._library.database, info, page)
            cut = page_cut(self._library.database, info, number=page, box=box)
        except LibraryError as error:
            return Problem("no_page", str(error))
        # What was only guessed at is there to be looked at, and states nothing.
        certain = [part for part in contents.parts if part.text and not part.is_guess]
        words = [part.text for part in certain if cut.box is None or _lies_in(part.box, cut.box)]
        return SeenPage(cut, "\n".join(words))

    def calculate(self, expression: str) -> str | Problem:
        """The value of an expression of numbers."""
        found = calculate(expression)
        return Problem(found.code, found.message) if isinstance(found, DirectFailure) else found.text

    # ---- what methods begin with

    def describe_tables(self) -> str:
        """The tables about documents, with their columns."""
        lines = []
        for table in sql_tables(self._library):
            if table.name in _TABLES:
                columns = ", ".join(column.name for column in table.columns)
                lines.append(f"{table.name} ({columns}): {table.about}; {table.rows} rows")
        return "\n".join(lines)

    def describe_cells(self) -> str:
        """The collections and columns that may be searched."""
        searched = [(table, column) for table, column in encodable_columns() if table in _TABLES and column != "box"]
        columns = ", ".join(f"{table}.{column}" for table, column in searched)
        return (
            f"collections: {WORDS} (words) or {self._library.embedder.name} (meaning)\n"
            f"tables and columns: {columns}\n"
            "filters compare document, page, table_name, column_name, key and text, such as page < 4 and "
            'document == "d-…"'
        )

    def abstracts(self, question: str) -> FoundRows:
        """Titles and abstracts of the documents that a question is about."""
        infos = self._about(question)
        rows = tuple((info.id, info.title or info.name, info.abstract) for info in infos)
        evidence = tuple(Evidence(f"{info.title}\n{info.abstract}", info.id) for info in infos)
        return FoundRows(Rows(("document", "title", "abstract"), rows), evidence)

    def full_texts(self, question: str, *, tokens: int) -> FoundRows:
        """The beginning of these documents, passage by passage, so many tokens in all."""
        rows: list[tuple[str, int | None, str]] = []
        infos = self._about(question)
        for info in infos:
            room = tokens // max(1, len(infos))
            for text, page in self._passages(info.id):
                room -= usual_tokens(text)
                if room < 0:
                    break
                rows.append((info.id, page, text))
        evidence = tuple(Evidence(text, document, page) for document, page, text in rows)
        return FoundRows(Rows(("document", "page", "text"), tuple(rows)), evidence)

    def _passages(self, document: str) -> list[tuple[str, int | None]]:
        with self._library.database.reading() as connection:
            question = "SELECT text, page FROM chunks WHERE document = ? ORDER BY position LIMIT 200"
            return [(str(text), page) for text, page in connection.execute(question, (document,))]

    def _about(self, question: str) -> list[DocumentInfo]:
        """The documents that a question is about: those that are known to be meant, else all where there are few, else
        those whose passages fit it best."""
        if self._meant:
            return [self._documents[one] for one in self._meant if one in self._documents]
        if len(self._documents) <= _MOST_DOCUMENTS:
            return list(self._documents.values())
        found = self._library.search_cells(question, table="chunks", column="text", limit=4 * _MOST_DOCUMENTS)
        named = dict.fromkeys(each.cell.document for each in found)
        return [self._documents[one] for one in named if one in self._documents][:_MOST_DOCUMENTS]

    @cached_property
    def _documents(self) -> dict[str, DocumentInfo]:
        return {info.id: info for info in self._library.documents()}

    def document_name(self, document: str) -> str:
        """What people call a document."""
        info = self._documents.get(document)
        return document if info is None else info.title or info.name


def _is_summary(cell: Cell) -> bool:
    return cell.table == "summaries" or "summary" in cell.column


def _against(result: SqlResult, sql: str) -> str:
    """Why the rows of a query are evidence of nothing; empty where they are evidence."""
    problem = query_problem(sql)
    if problem:
        return f"numbers of these rows cannot be cited: {problem}"
    tables = {name.partition(".")[0] for name in result.read}
    if "summaries" in tables or any("summary" in name for name in result.read):
        return _SUMMARY
    return "" if tables <= _STATED else _NOT_STATED


def _lies_in(inner: Box, outer: Box) -> bool:
    """Whether the middle of a box lies in another."""
    across, down = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] <= across <= outer[2] and outer[1] <= down <= outer[3]
