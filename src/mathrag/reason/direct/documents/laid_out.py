"""The tables of a document laid out for whoever looks up cells: their grids, the heading above each, and all words by
which a question can name something in them.

A table that lacks a word of the question is passed over without a closer look: a textbook has hundreds of tables, and
nearly every question is about none of them. Made once a document, and kept until the library changes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from mathrag.documents.sheets.labels import read_label
from mathrag.reason.direct.documents.grids import Grid, Line, grids_of
from mathrag.reason.direct.documents.names import names_of
from mathrag.reason.direct.documents.numbered import Captioned, Numbered, numbered_tables
from mathrag.reason.direct.documents.seams import DocumentParts
from mathrag.reason.direct.documents.words import keys_of, term_keys
from mathrag.retrieve.document_parts import TablePart
from mathrag.types.document import Place

_MOST_TABLES = 200


@dataclass(frozen=True, slots=True)
class LaidGrid:
    """A table or a part of one. `words` are those of its names of rows and columns, its caption and its corner."""

    grid: Grid
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class LaidTables:
    """The tables of a document by their numbers, and the grids of those whose cells were read and are surely theirs."""

    numbered: Numbered
    sure: tuple[tuple[Captioned, tuple[LaidGrid, ...]], ...]


@dataclass(frozen=True, slots=True)
class TableBelow:
    """A table whose rows do not run together, and the words of its caption and of the heading above it. `words` are
    these and those of its rows and columns."""

    part: TablePart
    grid: Grid
    around: frozenset[str]
    words: frozenset[str]


def laid_tables(parts: DocumentParts, document: str) -> LaidTables:
    """The tables of a document, numbered and not."""
    return parts.kept(document, _laid_tables)


def tables_below(parts: DocumentParts, document: str) -> tuple[TableBelow, ...]:
    """The tables of a document with their headings, as they were read one by one."""
    return parts.kept(document, _tables_below)


def _laid_tables(parts: DocumentParts, document: str) -> LaidTables:
    listed = parts.kept(document, numbered_tables)
    sure = []
    for each in (*listed.by_number.values(), *listed.bare):
        if each.table is not None and not listed.is_doubtful(each):
            grids = tuple(LaidGrid(grid, _words(grid, each.caption)) for grid in grids_of(each.table))
            sure.append((each, grids))
    return LaidTables(listed, tuple(sure))


def _words(grid: Grid, caption: str) -> frozenset[str]:
    named = {key for name in names_of(grid) for key in (*name.keys, *name.short)}
    return frozenset(named.union(term_keys(caption), term_keys(grid.corner)))


def _tables_below(parts: DocumentParts, document: str) -> tuple[TableBelow, ...]:
    headings = [(at, each.title) for each in parts.sections(document) if (at := _line(each.place)) is not None]
    # Those of the same line in the order of the document: the last one stands nearest.
    headings.sort(key=lambda heading: heading[0])
    lines = [line for line, _ in headings]
    below = []
    for part in list(parts.tables(document))[:_MOST_TABLES]:
        grid = grids_of(part)[0]
        if grid.is_torn:
            continue
        at = _line(part.place)
        place = bisect_right(lines, at) if at is not None else 0
        is_below = at is not None and place > 0 and lines[place - 1][0] == at[0]
        above = headings[place - 1][1] if is_below else ""
        around = frozenset((*keys_of(part.caption), *keys_of(above)))
        inside = {key for text in _texts(grid) for key in keys_of(text)}
        below.append(TableBelow(part, grid, around, around | inside))
    return tuple(below)


def _line(place: Place) -> tuple[str, int] | None:
    """The file within a document and the line there."""
    return None if place.line is None else (place.file or "", place.line)


def _texts(grid: Grid) -> Iterator[str]:
    for column in grid.columns:
        yield from column.names
        label = read_label(column_title(column))
        if label is not None:
            yield label.words
            yield label.symbol
    for row in grid.rows:
        yield row.name


def column_title(column: Line) -> str:
    """The names of a column in one, each once."""
    return " ".join(dict.fromkeys(each for each in column.names if each))
