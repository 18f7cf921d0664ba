"""The views of a document: sections, chunks, passages, tables, images, equations, references, pages. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from mathrag.documents.views.chunks import BETWEEN_BLOCKS, CHUNK_CHARACTERS, block_text, make_chunks
from mathrag.documents.views.passages import make_passages
from mathrag.documents.views.records import (
    ChunkView,
    EquationView,
    ImageView,
    PageView,
    PassageView,
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
    "PassageView",
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
# Numbers of pages come from the document and may claim anything.
_MOST_PAGES = 20_000


def make_views(document: Document, *, chunk_characters: int = CHUNK_CHARACTERS) -> Views:
    """All views of a document. The same document always gives the same views."""
    texts = [block_text(block) for block in document.blocks]
    sections = _with_text(_sections(document), document, texts)
    pages = _pages(document, texts)
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
        pages=pages,
        passages=make_passages(pages, sections),
    )


def _with_text(sections: tuple[SectionView, ...], document: Document, texts: Sequence[str]) -> tuple[SectionView, ...]:
    """The sections, each with its text up to the next one and the pages it stands on."""
    ends = (*(section.first_block for section in sections[1:]), len(texts))
    return tuple(
        replace(
            section,
            text=_joined(texts[section.first_block : end]),
            page_numbers=_page_numbers(document, section.first_block, section.last_block),
        )
        for section, end in zip(sections, ends, strict=False)
    )


def _page_numbers(document: Document, first: int, last: int) -> tuple[int, ...]:
    """The pages from a block to another. Blocks stand in reading order, so the ends say it."""
    ends = [page for block in (first, last) if (page := document.blocks[block].place.page) is not None]
    return tuple(range(min(ends), min(max(ends), min(ends) + _MOST_PAGES) + 1)) if ends else ()


def _joined(texts: Iterable[str]) -> str:
    return BETWEEN_BLOCKS.join(text.strip() for text in texts if text.strip())


def _pages(document: Document, texts: Sequence[str]) -> tuple[PageView, ...]:
    on_page: dict[int, list[str]] = {}
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for number, block in enumerate(document.blocks):
        if block.place.page is not None:
            first.setdefault(block.place.page, number)
            last[block.place.page] = number
            on_page.setdefault(block.place.page, []).append(texts[number])
    return tuple(
        PageView(
            page.number,
            page.width,
            page.height,
            first.get(page.number),
            last.get(page.number),
            page.text or _joined(on_page.get(page.number, ())),
        )
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
