"""The sections of a document, from its headings. Judges levels by their order, for documents leave some out."""

from __future__ import annotations

from mathrag.documents.views.records import SectionView
from mathrag.types.document import Document, Heading, Place, plain_text

_DEEPEST = 12
_LONGEST_TITLE = 500


def make_sections(document: Document) -> tuple[SectionView, ...]:
    """Every section in reading order, each with the one it belongs to."""
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
