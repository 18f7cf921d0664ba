"""The views of a document: what is stored beside it so that its parts can be listed and searched. Plain values only.

`block` and the like are positions in `Document.blocks`; `section` is a section's ordinal, None where there is none.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from mathrag.types.document import Notation, Place

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class SectionView:
    """A heading and all that follows up to the next heading of its level or a higher one, subsections included.

    What stands before the first heading is a section of level 0 without a title. `path` ends with its own title.
    `text` is the heading and what follows up to the next heading of any level, so that no text stands in two sections.
    `page_numbers` are the pages from the first block to the last, subsections included.
    """

    ordinal: int
    level: int
    title: str
    path: tuple[str, ...]
    first_block: int
    last_block: int
    place: Place
    parent: int | None = None
    text: str = ""
    page_numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ChunkView:
    """A piece of text fit to be searched and quoted, of one section, with formulas as written.

    The first `repeated_characters` are a table's header that an earlier chunk has already. `is_oversized` marks a
    single formula or table row that is longer than a chunk may be.
    """

    ordinal: int
    text: str
    heading_path: tuple[str, ...]
    first_block: int
    last_block: int
    place: Place
    section: int | None = None
    repeated_characters: int = 0
    is_oversized: bool = False


@dataclass(frozen=True, slots=True)
class TableView:
    """A table as a grid of texts: header rows first, every row as wide as the table; a cell that spans several places
    stands in the first of them. `html` is safe to show: everything from the document is escaped in it."""

    ordinal: int
    caption: str
    rows: int
    columns: int
    header_rows: int
    cells: tuple[tuple[str, ...], ...]
    html: str
    place: Place
    block: int
    section: int | None = None


@dataclass(frozen=True, slots=True)
class ImageView:
    """A picture: what is said about it and where its file is said to be."""

    ordinal: int
    caption: str
    alternative: str
    source: str
    place: Place
    block: int
    section: int | None = None

    @property
    def box(self) -> Box | None:
        """Where it is on its page."""
        return self.place.box


@dataclass(frozen=True, slots=True)
class EquationView:
    """A formula as written; `latex` is empty when it was written otherwise."""

    ordinal: int
    source: str
    notation: Notation
    latex: str
    quote: str
    is_display: bool
    number: str
    place: Place
    block: int
    section: int | None = None

    @property
    def box(self) -> Box | None:
        """Where it is on its page."""
        return self.place.box


@dataclass(frozen=True, slots=True)
class ReferenceView:
    """An entry of the bibliography."""

    ordinal: int
    key: str
    text: str
    place: Place
    block: int
    section: int | None = None


@dataclass(frozen=True, slots=True)
class PassageView:
    """A piece of the text of one page, or of one section where there are no pages; none overlaps another.

    `tokens` counts its words and signs, see `passages.py`.
    """

    ordinal: int
    text: str
    tokens: int
    place: Place
    section: int | None = None


@dataclass(frozen=True, slots=True)
class PageView:
    """A page of a paged format, its text, and the blocks that begin on it, None where none does."""

    number: int
    width: float
    height: float
    first_block: int | None = None
    last_block: int | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Views:
    """All views of one document."""

    sections: tuple[SectionView, ...]
    chunks: tuple[ChunkView, ...]
    tables: tuple[TableView, ...]
    images: tuple[ImageView, ...]
    equations: tuple[EquationView, ...]
    references: tuple[ReferenceView, ...]
    pages: tuple[PageView, ...]
    passages: tuple[PassageView, ...] = ()

    def section_of(self, block: int) -> SectionView | None:
        """The innermost section that holds a block."""
        return section_of(self.sections, block)


def section_of(sections: tuple[SectionView, ...], block: int) -> SectionView | None:
    """The innermost section that holds a block; sections are in the order of the document."""
    position = bisect_right(sections, block, key=lambda section: section.first_block)
    return sections[position - 1] if position else None


def section_path(sections: tuple[SectionView, ...], block: int) -> tuple[str, ...]:
    """The titles above a block, from the highest to the nearest."""
    found = section_of(sections, block)
    return found.path if found is not None else ()
