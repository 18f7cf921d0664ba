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
from mathrag.documents.views.tables import make_table_view
from mathrag.types.document import Document, Heading, Image, Place, Reference, Table, formulas_of, plain_text

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


# Deeper than anyone writes.
_DEEPEST = 12
_LONGEST_TITLE = 500


def make_views(document: Document, *, chunk_characters: int = CHUNK_CHARACTERS) -> Views:
    """All views of a document. The same document always gives the same views."""
    sections = _sections(document)
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


def _sections(document: Document) -> tuple[SectionView, ...]:
    """Every section in reading order, each with the one it belongs to.

    Levels are judged by their order, for documents leave some out.
    """
    starts = [number for number, block in enumerate(document.blocks) if isinstance(block, Heading)]
    if document.blocks and (not starts or starts[0] > 0):
        starts.insert(0, 0)
    opened = [_opened(document, start) for start in starts]
    parents: list[int | None] = []
    paths: list[tuple[str, ...]] = []
    last_blocks = [len(document.blocks) - 1] * len(starts)
    above: list[int] = []
    for ordinal, (level, title, _) in enumerate(opened):
        # The untitled start of a document has level 0 and would hold everything; it holds only what precedes titles.
        while above and (opened[above[-1]][0] >= level or opened[above[-1]][0] == 0):
            last_blocks[above.pop()] = starts[ordinal] - 1
        parent = above[-1] if above else None
        parents.append(parent)
        paths.append((*(paths[parent] if parent is not None else ()), *([title] if title else [])))
        if len(above) < _DEEPEST:
            above.append(ordinal)
        else:
            # Deeper than anyone writes: the section stands beside its parent's other children.
            last_blocks[ordinal] = (starts[ordinal + 1] if ordinal + 1 < len(starts) else len(document.blocks)) - 1
    return tuple(
        SectionView(
            ordinal, level, title, paths[ordinal], starts[ordinal], last_blocks[ordinal], place, parents[ordinal]
        )
        for ordinal, (level, title, place) in enumerate(opened)
    )


def _opened(document: Document, start: int) -> tuple[int, str, Place]:
    block = document.blocks[start]
    if not isinstance(block, Heading):
        return (0, "", block.place)
    title = " ".join(plain_text(block.content).split())
    if len(title) > _LONGEST_TITLE:
        title = f"{title[:_LONGEST_TITLE]}…"
    return (max(1, block.level), title, block.place)
