"""Find every formula of a document together with what stands around it. Reads no formula and judges no words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from mathrag.extract.parts import heading_paths, parts_of
from mathrag.language.parts import PartKind
from mathrag.types.document import (
    Block,
    Cell,
    Content,
    Display,
    Document,
    Heading,
    Image,
    ListItem,
    Math,
    Paragraph,
    Table,
    Text,
    contents_of,
    plain_text,
)
from mathrag.types.library import Span

_REACH = 40
_WIDEST = 60


@dataclass(frozen=True, slots=True)
class Row:
    """The row of a table in which a formula stands: its cells, the titles of the columns, and the formula's column."""

    cells: tuple[Cell, ...]
    titles: tuple[str, ...]
    column: int
    index: int
    table: Table


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One formula and its surroundings. `before` and `after` are the pieces of its own content around it; `part` is
    what it stands in: a worked example, a summary, or nothing of the kind."""

    math: Math
    block: int
    headings: tuple[str, ...]
    before: Content
    after: Content
    row: Row | None = None
    item: ListItem | None = None
    lead: tuple[Block, ...] = field(default=())
    follow: tuple[Block, ...] = field(default=())
    part: PartKind = ""

    def span(self, document_id: str) -> Span:
        """The place of the formula, for people to look it up."""
        return Span(document_id, self.math.place, self.math.quote, self.headings)


def find_occurrences(document: Document) -> Iterator[Occurrence]:
    """Every formula in reading order."""
    paths = heading_paths(document)
    parts = parts_of(document)
    for index, block in enumerate(document.blocks):
        headings = paths[index]
        if isinstance(block, Table):
            yield from _in_table(block, index, headings, parts[index])
            continue
        lead, follow = _lead(document, index), _follow(document, index)
        item = block if isinstance(block, ListItem) else None
        for content in contents_of(block):
            for position, piece in enumerate(content):
                if isinstance(piece, Math):
                    # As far as anyone looks: a paragraph of a thousand formulas must not be read a thousand times.
                    before = content[max(0, position - _REACH) : position]
                    after = content[position + 1 : position + 1 + _REACH]
                    yield Occurrence(piece, index, headings, before, after, None, item, lead, follow, parts[index])


def _lead(document: Document, index: int) -> tuple[Block, ...]:
    """The blocks that introduce this one: back over displayed formulas and list items to prose, at most a few."""
    found: list[Block] = []
    for other in range(index - 1, max(-1, index - 8), -1):
        block = document.blocks[other]
        if isinstance(block, Image):
            continue
        if isinstance(block, Heading | Table):
            break
        found.append(block)
        if isinstance(block, Paragraph) and not isinstance(document.blocks[index], ListItem):
            break
    return tuple(found)


def _follow(document: Document, index: int) -> tuple[Block, ...]:
    """The blocks right after it, as far as they may still speak of it."""
    found: list[Block] = []
    for block in document.blocks[index + 1 : index + 4]:
        if isinstance(block, Heading | Table):
            break
        found.append(block)
        if not isinstance(block, Display):
            break
    return tuple(found)


def _in_table(table: Table, index: int, headings: tuple[str, ...], part: PartKind) -> Iterator[Occurrence]:
    titles = _titles(table)
    for row_index, row in enumerate((*table.header, *table.rows)):
        column = 0
        for cell in row:
            for position, piece in enumerate(cell.content):
                if isinstance(piece, Math):
                    # A row wider than any table for people says nothing about one cell, and takes long to look through.
                    cells = row if len(row) <= _WIDEST else ()
                    place = Row(cells, titles, column, row_index - len(table.header), table)
                    before = cell.content[max(0, position - _REACH) : position]
                    after = cell.content[position + 1 : position + 1 + _REACH]
                    yield Occurrence(piece, index, headings, before, after, row=place, part=part)
            column += cell.columns


def _titles(table: Table) -> tuple[str, ...]:
    """The title of every column, spanning ones repeated."""
    if not table.header:
        return ()
    titles: list[str] = []
    for cell in table.header[-1]:
        titles.extend([plain_text(cell.content).strip()] * cell.columns)
    return tuple(titles)


def bold_lead(content: Content) -> str:
    """The bold words that open a content, such as "Ohm's law:"; empty if it opens otherwise."""
    words: list[str] = []
    for piece in content:
        if isinstance(piece, Text):
            if piece.bold:
                words.append(piece.text)
                continue
            if not piece.text.strip():
                continue
        elif isinstance(piece, Math) and words:
            break
        break
    return "".join(words).strip()
