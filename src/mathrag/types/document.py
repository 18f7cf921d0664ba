"""A document as every reader gives it: typed blocks in reading order, each with its place. Knows no format, no meaning.

Text and formulas alternate inside a block (`Content`), so that whoever looks for "where m is the mass" sees the
formula `m` as one piece among words, whatever the format was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

Notation: TypeAlias = Literal["latex", "mathml", "text"]
# A formula that was rebuilt from what is printed counts as read from this confidence on: every sign is known and
# nothing was guessed. Below it the formula is kept for eyes only.
CERTAIN = 0.9


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands; only what the format knows is set.

    `line` counts from 1. `file` names the part of a project when it is not the document itself (an `\\input`). `path`
    is the element path in HTML or the cell in a notebook. `box` is left, top, right, bottom in points on the page.
    """

    line: int | None = None
    end_line: int | None = None
    page: int | None = None
    box: tuple[float, float, float, float] | None = None
    path: str = ""
    file: str = ""

    def __str__(self) -> str:
        """For a person: `page 3`, `line 12`, `chapters/ch05.tex line 7`."""
        parts = [self.file] if self.file else []
        if self.page is not None:
            parts.append(f"page {self.page}")
        if self.line is not None:
            parts.append(f"line {self.line}")
        if self.path and self.line is None:
            parts.append(self.path)
        return " ".join(parts)


@dataclass(frozen=True, slots=True)
class Text:
    """Words of one style. Sub- and superscripts that are not formulas come as Unicode or with `_` and `^`."""

    text: str
    bold: bool = False
    italic: bool = False


@dataclass(frozen=True, slots=True)
class Math:
    """A formula as written. `source` is what a formula reader gets; `quote` the exact text of the document (on a
    printed page, which has only signs in places, the LaTeX rebuilt from them).

    `number` is the label the document gives a displayed formula, such as `3.2`. `confidence` is below 1 where the
    source was rebuilt from what is printed and something had to be guessed; `doubts` says what, in words for people.
    """

    source: str
    notation: Notation
    place: Place
    quote: str
    is_display: bool = False
    number: str = ""
    confidence: float = 1.0
    doubts: tuple[str, ...] = ()

    @property
    def is_certain(self) -> bool:
        """Whether the source is what the document says, not a guess at it."""
        return self.confidence >= CERTAIN


@dataclass(frozen=True, slots=True)
class Break:
    """A line break that the author set: `<br>` in a table cell."""


Inline: TypeAlias = Text | Math | Break
Content: TypeAlias = tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A title of a section; level 1 is the highest."""

    place: Place
    quote: str
    level: int
    content: Content


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Prose. A displayed formula inside it is one of its pieces, so that "where ..." after it stays in reach."""

    place: Place
    quote: str
    content: Content


@dataclass(frozen=True, slots=True)
class ListItem:
    """One item of a list, `depth` from 1. Items of a definition list have a `term`."""

    place: Place
    quote: str
    content: Content
    depth: int = 1
    marker: str = ""
    term: Content = ()


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell; `columns` and `rows` tell how far it spans."""

    content: Content
    place: Place
    columns: int = 1
    rows: int = 1
    is_header: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells as written; header rows first, in `header`."""

    place: Place
    quote: str
    header: tuple[tuple[Cell, ...], ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: Content = ()


@dataclass(frozen=True, slots=True)
class Display:
    """A formula that stands on a line of its own, outside any paragraph."""

    place: Place
    quote: str
    math: Math


@dataclass(frozen=True, slots=True)
class Image:
    """A picture, never loaded: its caption, what it shows in words, and where its file is said to be."""

    place: Place
    quote: str
    caption: Content = ()
    alternative: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Code:
    """Program text; never run."""

    place: Place
    quote: str
    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """An entry of a bibliography."""

    place: Place
    quote: str
    text: str
    key: str = ""


Block: TypeAlias = Heading | Paragraph | ListItem | Table | Display | Image | Code | Reference


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a paged format: its number from 1 and its size in points.

    `text` is all that is printed on it but running heads and feet, where a reader tells; else it is empty, and what is
    known of the page are the blocks that begin there.
    """

    number: int
    width: float
    height: float
    text: str = ""


@dataclass(frozen=True, slots=True)
class KeptPicture:
    """A cut-out of a page that could not be read with certainty, kept so that eyes can: PNG data in base64."""

    place: Place
    png: str


@dataclass(frozen=True, slots=True)
class Box:
    """A part that its author set apart as what it is: an example, an exercise, a proof, a note.

    `kind` is one word of the class `parts.boxes`; `first_block` and `last_block` are both inside it.
    """

    kind: str
    first_block: int
    last_block: int


@dataclass(frozen=True, slots=True)
class ReaderNote:
    """Something a reader left out or mended, and where: never silent."""

    code: str
    message: str
    place: Place


@dataclass(frozen=True, slots=True)
class Document:
    """What was read from one source. `hash` is the SHA-256 of its bytes (of all its files, for a project).

    `venue`, `volume` and `identifier` (a DOI, or the number of a preprint) are as printed, empty where they are not.
    """

    source: str
    media_type: str
    hash: str
    blocks: tuple[Block, ...]
    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    abstract: str = ""
    pages: tuple[Page, ...] = ()
    notes: tuple[ReaderNote, ...] = ()
    files: tuple[str, ...] = ()
    pictures: tuple[KeptPicture, ...] = ()
    boxes: tuple[Box, ...] = ()
    venue: str = ""
    volume: str = ""
    identifier: str = ""

    def __post_init__(self) -> None:
        if len(self.hash) != 64:
            raise ValueError("a document's hash is 64 hexadecimal digits")


def plain_text(content: Content) -> str:
    """The words of a content with its formulas as written; breaks become new lines."""
    return "".join(_plain(piece) for piece in content)


def _plain(piece: Inline) -> str:
    match piece:
        case Text():
            return piece.text
        case Math():
            return piece.quote
        case Break():
            return "\n"


def contents_of(block: Block) -> Iterator[Content]:
    """Every content of a block, in reading order."""
    match block:
        case Heading() | Paragraph():
            yield block.content
        case ListItem():
            if block.term:
                yield block.term
            yield block.content
        case Table():
            if block.caption:
                yield block.caption
            for row in (*block.header, *block.rows):
                for cell in row:
                    yield cell.content
        case Display():
            yield (block.math,)
        case Image():
            yield block.caption
        case Code() | Reference():
            return


def formulas_of(block: Block) -> Iterator[Math]:
    """Every formula of a block, in reading order."""
    for content in contents_of(block):
        for piece in content:
            if isinstance(piece, Math):
                yield piece


def with_formulas(block: Block, change: Callable[[Math], Math]) -> Block:
    """The block with every formula changed."""

    def changed(content: Content) -> Content:
        return tuple(change(piece) if isinstance(piece, Math) else piece for piece in content)

    def rows(part: tuple[tuple[Cell, ...], ...]) -> tuple[tuple[Cell, ...], ...]:
        return tuple(tuple(replace(cell, content=changed(cell.content)) for cell in row) for row in part)

    match block:
        case Heading() | Paragraph():
            return replace(block, content=changed(block.content))
        case ListItem():
            return replace(block, content=changed(block.content), term=changed(block.term))
        case Table():
            return replace(block, header=rows(block.header), rows=rows(block.rows), caption=changed(block.caption))
        case Display():
            return replace(block, math=change(block.math))
        case Image():
            return replace(block, caption=changed(block.caption))
        case Code() | Reference():
            return block
