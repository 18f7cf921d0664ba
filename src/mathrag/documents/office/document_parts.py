"""An office document taken apart, on its way through pandoc to a `Document`. Knows no single format.

The reader of a format fills `Parts`: cleaned members, formulas behind marks, notes. Pandoc reads the words, marks give
the formulas back, the reader of pages makes the blocks. Also here: what documents say about themselves (title, authors,
year), and blocks made anew with other places or formulas (`Rewriting`), which readers of books and foreign output use.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from mathrag.documents.arrangement import arrange
from mathrag.documents.html.blocks import BlockReader
from mathrag.documents.html.delimiters import count_dollar_formulas
from mathrag.documents.html.tree import Node
from mathrag.documents.office.archive import Archive, local_name, parse_part
from mathrag.documents.office.pandoc import FormulaMarks, TreeBuilder, read_with_pandoc
from mathrag.documents.seams import ReadingLimits, Source
from mathrag.errors import DocumentError
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
    Place,
    ReaderNote,
    Table,
    plain_text,
)

# Blocks made anew: places without lines where a format has none, formulas in another notation. Reads nothing.


def _same(math: Math) -> Math:
    return math


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What becomes of every place and every formula of a block."""

    place: Callable[[Place], Place]
    formula: Callable[[Math], Math] = _same

    def blocks(self, blocks: Iterable[Block]) -> list[Block]:
        """The blocks rewritten."""
        return [self._block(block) for block in blocks]

    def _block(self, block: Block) -> Block:
        place = self.place(block.place)
        match block:
            case Heading() | Paragraph():
                return replace(block, place=place, content=self._content(block.content))
            case ListItem():
                content, term = self._content(block.content), self._content(block.term)
                return replace(block, place=place, content=content, term=term)
            case Table():
                header, rows = (tuple(self._row(row) for row in part) for part in (block.header, block.rows))
                return replace(block, place=place, header=header, rows=rows, caption=self._content(block.caption))
            case Display():
                return replace(block, place=place, math=self._math(block.math))
            case Image():
                return replace(block, place=place, caption=self._content(block.caption))
            case _:
                return replace(block, place=place)

    def _row(self, row: tuple[Cell, ...]) -> tuple[Cell, ...]:
        return tuple(replace(cell, place=self.place(cell.place), content=self._content(cell.content)) for cell in row)

    def _content(self, content: Content) -> Content:
        return tuple(self._math(piece) if isinstance(piece, Math) else piece for piece in content)

    def _math(self, math: Math) -> Math:
        return self.formula(replace(math, place=self.place(math.place)))


def without_lines(place: Place) -> Place:
    """A place that names the element alone."""
    return replace(place, line=None, end_line=None)


# What office documents say about themselves: title, authors, year. From pandoc's tree and the files' properties.

_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
# Characters of a title or a name, and names of a paper of a large collaboration that are of use.
_LONGEST = 1_000
_MOST_AUTHORS = 100


@dataclass(frozen=True, slots=True)
class Properties:
    """Empty where the document is silent."""

    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    abstract: str = ""


def tree_properties(tree: dict[str, Any]) -> Properties:
    """What pandoc found in the text by its styles (`Title`, `Author`, `Date`, `Abstract`)."""
    meta = tree.get("meta", {})
    if not isinstance(meta, dict):
        return Properties()
    authors = meta.get("author", {})
    listed = authors.get("c", []) if isinstance(authors, dict) and authors.get("t") == "MetaList" else [authors]
    names = tuple(name for name in (_words(each) for each in listed[:_MOST_AUTHORS]) if name)
    return Properties(
        _words(meta.get("title")), names, _year(_words(meta.get("date"))), _words(meta.get("abstract"), longest=20_000)
    )


def _words(value: Any, *, longest: int = _LONGEST) -> str:
    """All text inside a value of pandoc's tree."""
    parts: list[str] = []
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, list):
            pending.extend(reversed(item))
        elif isinstance(item, dict):
            kind = item.get("t")
            if kind in ("Str", "MetaString"):
                parts.append(str(item.get("c", "")))
            elif kind in ("Space", "SoftBreak", "LineBreak"):
                parts.append(" ")
            else:
                pending.append(item.get("c"))
    return " ".join("".join(parts).split())[:longest]


def stated_properties(archive: Archive, part: str, limits: ReadingLimits) -> Properties:
    """Dublin Core of a part such as `docProps/core.xml` or `meta.xml`; nothing where the part is missing or broken."""
    if part not in archive:
        return Properties()
    try:
        root = parse_part(archive.read(part), name=part, limits=limits)
    except DocumentError as error:
        if error.code in ("too_large", "unsafe"):
            raise
        return Properties()
    values: dict[str, list[str]] = {}
    for element in root.iter():
        text = " ".join((element.text or "").split())[:_LONGEST]
        if text:
            values.setdefault(local_name(element), []).append(text)
    dates = [*values.get("created", ()), *values.get("creation-date", ()), *values.get("date", ())]
    authors = values.get("initial-creator") or values.get("creator") or []
    names = [name.strip() for each in authors[:_MOST_AUTHORS] for name in each.split(";")]
    return Properties(
        next(iter(values.get("title", ())), ""),
        tuple(dict.fromkeys(name for name in names if name)),
        next((year for year in map(_year, dates) if year), None),
    )


def _year(text: str) -> int | None:
    found = _YEAR.search(text[:100])
    return int(found.group(1)) if found else None


def combined(first: Properties, second: Properties) -> Properties:
    """The first's answers, the second's where it has none."""
    return Properties(
        first.title or second.title,
        first.authors or second.authors,
        first.year or second.year,
        first.abstract or second.abstract,
    )


# Pandoc fills up short rows of a table: one wide row among many short ones would make a square of empty cells.
_WIDEST = 500
_FILLED = 40
_FILLED_ALWAYS = 1_000


def columns_read(width: int, *, rows: int, cells: int) -> int:
    """How many columns are read of a table that has so many, by its rows and by the cells that there are."""
    return max(1, min(width, _WIDEST, (_FILLED * cells + _FILLED_ALWAYS) // max(rows, 1)))


# Two dollar signs may be prices; from so many formulas on, an author types LaTeX between them.
_ENOUGH_DOLLARS = 3


@dataclass(slots=True)
class Parts:
    """A document on its way to pandoc: cleaned parts by name, formulas behind marks, notes on what was found."""

    marks: FormulaMarks
    members: dict[str, bytes] = field(default_factory=dict)
    properties: Properties = field(default_factory=Properties)
    notes: list[ReaderNote] = field(default_factory=list)

    def note(self, code: str, message: str, place: Place | None = None) -> None:
        self.notes.append(ReaderNote(code, message, place or Place()))


def packed(members: dict[str, bytes]) -> bytes:
    """An archive of these members, the one called `mimetype` first and uncompressed, as the formats want it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        for name, data in sorted(members.items(), key=lambda member: member[0] != "mimetype"):
            kind = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            file.writestr(zipfile.ZipInfo(name), data, kind)
    return buffer.getvalue()


def document_through_pandoc(source: Source, parts: Parts, *, form: str, media_type: str) -> Document:
    """The document: pandoc is run on the parts, the formulas go back to their places."""
    tree = read_with_pandoc(packed(parts.members), form=form, limits=source.limits)
    return document_of_tree(source, parts, tree, media_type=media_type)


def document_of_tree(source: Source, parts: Parts, tree: dict[str, Any], *, media_type: str) -> Document:
    """The document of a tree that pandoc gave."""
    try:
        body = TreeBuilder(parts.marks).build(tree["blocks"])
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise DocumentError("broken", "pandoc gave a tree of an unknown shape; update pandoc") from error
    blocks = _blocks(body, source)
    properties = combined(tree_properties(tree), parts.properties)
    if not blocks and not properties.title:
        raise DocumentError("empty", f"{source.name} holds no text; there is nothing to read")
    first = next((block.quote for block in blocks if isinstance(block, Heading) and block.level == 1), "")
    return Document(
        source=source.name,
        media_type=media_type,
        hash=source.hash,
        blocks=tuple(blocks),
        title=properties.title or first,
        authors=properties.authors,
        year=properties.year,
        abstract=properties.abstract,
        notes=tuple(parts.notes),
    )


def _blocks(body: Node, source: Source) -> list[Block]:
    text = body.text()
    with_dollars = "$" in text and count_dollar_formulas(text) >= _ENOUGH_DOLLARS
    found = BlockReader(source.limits, with_dollars=with_dollars).read(body)
    return Rewriting(without_lines).blocks(arrange(_without_copied_captions(found)))


def _without_copied_captions(blocks: list[Block]) -> list[Block]:
    """Some versions of pandoc give the caption of a table twice, the first time as a paragraph before it."""
    following: list[Block | None] = [*blocks[1:], None][: len(blocks)]
    return [
        block
        for block, after in zip(blocks, following, strict=True)
        if not (isinstance(block, Paragraph) and isinstance(after, Table) and _is_caption(block.quote, after))
    ]


def _is_caption(text: str, table: Table) -> bool:
    return bool(table.caption) and plain_text(table.caption) == text
