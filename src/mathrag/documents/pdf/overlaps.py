"""Formulas that a doubtful neighbour reaches into: what it took, they may lack, so that they are doubtful too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from mathrag.documents.pdf.boxes import overlap_x, overlap_y
from mathrag.documents.pdf.layout.page_reading import Draft, PageReading
from mathrag.types.document import Block, Math, formulas_of, with_formulas

DOUBT = "a neighbour that could not be read with certainty reaches into it"
_DOUBTFUL = 0.6
# How far boxes of rows set close together may overlap, as a share of the lower one's height.
_CLOSE = 0.2


def doubt_overlapped(page: PageReading) -> PageReading:
    """The page with less trust in formulas whose box a doubtful formula overlaps."""
    doubtful = [math for math in _formulas(page.drafts) if not math.is_certain and math.place.box is not None]
    if not doubtful:
        return page
    drafts = tuple(replace(draft, block=_doubted(draft.block, doubtful)) for draft in page.drafts)
    return replace(page, drafts=drafts)


def _formulas(drafts: Sequence[Draft]) -> Iterator[Math]:
    for draft in drafts:
        yield from formulas_of(draft.block)


def _doubted(block: Block, doubtful: Sequence[Math]) -> Block:
    def changed(math: Math) -> Math:
        if not math.is_certain or not any(_overlap(math, other) for other in doubtful):
            return math
        return replace(math, confidence=min(math.confidence, _DOUBTFUL), doubts=(*math.doubts, DOUBT))

    return with_formulas(block, changed)


def _overlap(one: Math, other: Math) -> bool:
    if one.place.box is None or other.place.box is None:
        return False
    first, second = one.place.box, other.place.box
    lower = min(first[3] - first[1], second[3] - second[1])
    return overlap_x(first, second) > 0 and overlap_y(first, second) > _CLOSE * lower
