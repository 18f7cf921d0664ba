"""The views of a document: sections, chunks, tables, images, equations, references and pages. Pure functions of it."""

from __future__ import annotations

from mathrag.documents.views.chunks import CHUNK_CHARACTERS, make_chunks
from mathrag.documents.views.records import (
    ChunkView,
    EquationView,
    ImageView,
    PageView,
    ReferenceView,
    SectionView,
    TableView,
    Views,
    section_of,
    section_path,
)
from mathrag.documents.views.sections import make_sections
from mathrag.documents.views.tables import make_table_view
from mathrag.types.document import Document, Image, Reference, Table, formulas_of, plain_text

__all__ = [
    "CHUNK_CHARACTERS",
    "ChunkView",
    "EquationView",
    "ImageView",
    "PageView",
    "ReferenceView",
    "SectionView",
    "TableView",
    "Views",
    "make_views",
    "section_of",
    "section_path",
]


def make_views(document: Document, *, chunk_characters: int = CHUNK_CHARACTERS) -> Views:
    """All views of a document. The same document always gives the same views."""
    sections = make_sections(document)
    tables: list[TableView] = []
    images: list[ImageView] = []
    equations: list[EquationView] = []
    references: list[ReferenceView] = []
    for number, block in enumerate(document.blocks):
        found = section_of(sections, number)
        section = found.ordinal if found is not None else None
        match block:
            case Table():
                tables.append(make_table_view(block, ordinal=len(tables), block=number, section=section))
            case Image():
                caption = plain_text(block.caption)
                images.append(
                    ImageView(len(images), caption, block.alternative, block.source, block.place, number, section)
                )
            case Reference():
                references.append(ReferenceView(len(references), block.key, block.text, block.place, number, section))
            case _:
                pass
        for math in formulas_of(block):
            latex = math.source if math.notation == "latex" else ""
            equations.append(
                EquationView(
                    len(equations), math.source, math.notation, latex, math.quote, math.is_display, math.number,
                    math.place, number, section,
                )
            )  # fmt: skip
    return Views(
        sections=sections,
        chunks=make_chunks(document, sections, characters=chunk_characters),
        tables=tuple(tables),
        images=tuple(images),
        equations=tuple(equations),
        references=tuple(references),
        pages=_pages(document),
    )


def _pages(document: Document) -> tuple[PageView, ...]:
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for number, block in enumerate(document.blocks):
        if block.place.page is not None:
            first.setdefault(block.place.page, number)
            last[block.place.page] = number
    return tuple(
        PageView(page.number, page.width, page.height, first.get(page.number), last.get(page.number))
        for page in document.pages
    )
