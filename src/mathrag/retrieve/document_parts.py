"""The parts of the documents of a library, as whoever looks something up in them needs them: what a document is called,
its sections, tables with their cells, figures, numbered equations, references and passages. Searches nothing itself.

A table whose cells were changed since it was read is left out: no number is quoted from it.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any, TypeVar

from mathrag.store.truth.codec import place_of_columns, select_rows
from mathrag.store.truth.database import Database
from mathrag.store.truth.reader import list_documents
from mathrag.store.truth.seals import agreeing_tables
from mathrag.types.document import Place

_MOST_DOCUMENTS, _MOST_TABLES, _MOST_ROWS, _MOST_COLUMNS = 5_000, 400, 20_000, 200
_MOST_PARTS, _MOST_PASSAGES = 20_000, 5_000
_MOST_KEPT = 64
_TABLES = "WHERE document = ? AND row_count <= ? AND column_count <= ? ORDER BY position LIMIT ?"
_OF_DOCUMENT = "WHERE document = ? ORDER BY position LIMIT ?"
# Our own HTML of a table: rows, and how far each cell reaches.
_ROW = "<tr>"
_CELL = re.compile(r'<t[hd](?: colspan="(\d{1,5})")?(?: rowspan="(\d{1,5})")?>')

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class DocumentCard:
    """A document by what it is called and how it can be meant. `name` is its file; `pages` 0 where it has none."""

    id: str
    name: str
    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str = ""
    abstract: str = ""
    media_type: str = ""
    pages: int = 0


@dataclass(frozen=True, slots=True)
class SectionPart:
    """A heading with its level, from 1; level 0 is what stands before the first one."""

    level: int
    title: str
    place: Place


@dataclass(frozen=True, slots=True)
class TablePart:
    """A table as a grid. A cell that spans several places stands in each of them, so that every place can be named."""

    caption: str
    cells: tuple[tuple[str, ...], ...]
    header_rows: int
    place: Place


@dataclass(frozen=True, slots=True)
class FigurePart:
    """A picture by what is said of it."""

    caption: str
    alternative: str
    place: Place


@dataclass(frozen=True, slots=True)
class EquationPart:
    """A formula on a line of its own; `number` as the document writes it."""

    number: str
    quote: str
    place: Place


@dataclass(frozen=True, slots=True)
class ReferencePart:
    """An entry of the bibliography."""

    key: str
    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class PassagePart:
    """A piece of running text with the headings above it."""

    text: str
    headings: tuple[str, ...]
    place: Place


class LibraryDocumentParts:
    """The parts of a library's documents, read when they are asked for."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._cards: tuple[int, Sequence[DocumentCard]] | None = None
        self._kept: OrderedDict[tuple[str, Callable[..., Any]], tuple[int, Any]] = OrderedDict()
        self._lock = Lock()

    def documents(self) -> Sequence[DocumentCard]:
        """All documents, by name; kept until the library changes, for every question that is refused asks for them."""
        generation = self._database.generation
        if self._cards is None or self._cards[0] != generation:
            self._cards = (generation, self._read_cards())
        return self._cards[1]

    def _read_cards(self) -> Sequence[DocumentCard]:
        with self._database.reading() as connection:
            pages = dict(connection.execute("SELECT document, count(*) FROM pages GROUP BY document"))
            venues = dict(connection.execute("SELECT id, venue FROM documents"))
        return [
            DocumentCard(
                each.id,
                each.name,
                each.title,
                each.authors,
                each.year,
                str(venues.get(each.id) or ""),
                each.abstract,
                each.media_type,
                int(pages.get(each.id, 0)),
            )
            for each in list_documents(self._database)[:_MOST_DOCUMENTS]
        ]

    def sections(self, document: str) -> Sequence[SectionPart]:
        """The headings of a document, in order."""
        return [SectionPart(row["level"], row["title"], _place(row)) for row in self._rows("sections", document)]

    def tables(self, document: str) -> Sequence[TablePart]:
        """The tables of a document, in order, those that are as they were read."""
        with self._database.reading() as connection:
            values = (document, _MOST_ROWS, _MOST_COLUMNS, _MOST_TABLES)
            return [_table(row, cells) for row, cells in agreeing_tables(connection, _TABLES, values)]

    def figures(self, document: str) -> Sequence[FigurePart]:
        """The pictures of a document, in order."""
        return [FigurePart(row["caption"], row["alternative"], _place(row)) for row in self._rows("images", document)]

    def equations(self, document: str) -> Sequence[EquationPart]:
        """The formulas of a document that stand on lines of their own, in order."""
        return [
            EquationPart(row["number"], row["quote"], _place(row))
            for row in self._rows("equations", document)
            if row["is_display"]
        ]

    def references(self, document: str) -> Sequence[ReferencePart]:
        """The entries of a document's bibliography, in order."""
        return [ReferencePart(row["key"], row["text"], _place(row)) for row in self._rows("bibliography", document)]

    def passages(self, document: str) -> Sequence[PassagePart]:
        """The running text of a document, piece by piece, each piece once."""
        return [
            PassagePart(
                row["text"][row["repeated_characters"] :],
                tuple(each for each in row["headings"].split(" > ") if each),
                _place(row),
            )
            for row in self._rows("chunks", document, most=_MOST_PASSAGES)
        ]

    def page_texts(self, document: str) -> Sequence[tuple[int, str]]:
        """The pages of a document with their text, in order."""
        with self._database.reading() as connection:
            question = "SELECT number, text FROM pages WHERE document = ? ORDER BY number LIMIT ?"
            return [(int(number), str(text)) for number, text in connection.execute(question, (document, _MOST_PARTS))]

    def kept(self, document: str, make: Callable[[LibraryDocumentParts, str], Made]) -> Made:
        """What `make` makes of the parts of a document, made once until the library changes; the longest unused goes
        where there are many."""
        generation, key = self._database.generation, (document, make)
        with self._lock:
            found = self._kept.get(key)
            if found is not None and found[0] == generation:
                self._kept.move_to_end(key)
                made: Made = found[1]
                return made
        made = make(self, document)
        with self._lock:
            self._kept[key] = (generation, made)
            self._kept.move_to_end(key)
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return made

    def _rows(self, table: str, document: str, *, most: int = _MOST_PARTS) -> list[dict[str, Any]]:
        with self._database.reading() as connection:
            return list(select_rows(connection, table, _OF_DOCUMENT, (document, most)))


def _place(row: dict[str, Any]) -> Place:
    return place_of_columns(*(row[name] for name in ("page", "line", "end_line", "path", "file", "box")))


def _table(row: dict[str, Any], cells: Sequence[Sequence[Any]]) -> TablePart:
    laid: list[list[str]] = []
    for _, row_number, column_number, _, text in cells:
        laid.extend([] for _ in range(len(laid), row_number + 1))
        laid[row_number].extend("" for _ in range(len(laid[row_number]), column_number))
        laid[row_number].append(str(text))
    filled = with_spans(laid, str(row["html"]))
    return TablePart(str(row["caption"]), filled, int(row["header_row_count"]), _place(row))


def with_spans(grid: Sequence[Sequence[str]], html: str) -> tuple[tuple[str, ...], ...]:
    """The grid with the text of a cell that spans several places in each of them, as far as its HTML says so.

    The places are those that made the grid: cells below a tall one move aside. Where the two do not agree, what stands
    in the grid stays as it is.
    """
    filled = [list(row) for row in grid]
    # For each column, the text from above and how many more rows it reaches into.
    above: dict[int, tuple[str, int]] = {}
    for number, line in enumerate(html.split(_ROW)[1 : len(filled) + 1]):
        row = filled[number]
        below: dict[int, tuple[str, int]] = {}
        for column, (text, left) in above.items():
            if column < len(row) and not row[column]:
                row[column] = text
            if left > 1:
                below[column] = (text, left - 1)
        place = 0
        for match in _CELL.finditer(line):
            while place in above:
                place += 1
            width, height = int(match[1] or 1), int(match[2] or 1)
            text = grid[number][place] if place < len(row) else ""
            for column in range(place, min(place + width, len(row))):
                row[column] = row[column] or text
                if height > 1:
                    below[column] = (text, height - 1)
            place += width
        above = below
    return tuple(tuple(row) for row in filled)
