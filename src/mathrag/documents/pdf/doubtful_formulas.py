"""What becomes of formulas of a page that could not be read with certainty: neighbours doubted, pictures kept.

A formula that a doubtful one reaches into may lack what that one took. Of every doubtful formula a cut-out of the page
is kept, so that eyes can read it. Decides by boxes and confidence alone; what there is to doubt is told by `formulas`.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from mathrag.documents.boxes import Box, area, height, overlap_x, overlap_y
from mathrag.documents.pdf.layout.page_record import Draft, PageReading
from mathrag.documents.pdf.raw import OpenPdf
from mathrag.documents.png import encode_png
from mathrag.types.document import Block, KeptPicture, Math, Place, formulas_of, with_formulas

# Pixels a point: enough to read an index of an index. Points of white around a formula.
_SCALE = 2.0
_MARGIN = 2.0
# A page with more doubtful formulas was misread as a whole.
_MOST_ON_PAGE = 24
# In square points, a quarter of a page: no formula is larger.
_LARGEST_AREA = 120_000.0
# Base64 characters of all pictures of a document.
MOST_CHARACTERS = 12_000_000


def keep_doubtful(document: OpenPdf, page: PageReading) -> tuple[KeptPicture, ...]:
    """A picture of every formula of a page that is not sure, the least sure first."""
    doubtful = sorted(_doubtful(draft.block for draft in page.drafts), key=lambda math: math.confidence)
    boxes: list[Box] = []
    for math in doubtful:
        box = math.place.box
        if box is None or box in boxes or area(box) > _LARGEST_AREA:
            continue
        boxes.append(box)
        if len(boxes) == _MOST_ON_PAGE:
            break
    if not boxes:
        return ()
    # The page is drawn once: cutting is cheap, drawing is not.
    across, down, pixels = document.render(page.number, scale=_SCALE)
    pictures: list[KeptPicture] = []
    for box in sorted(boxes, key=lambda box: (box[1], box[0])):
        png = _cut(pixels, across, down, box)
        pictures.append(KeptPicture(Place(page=page.number, box=box), base64.b64encode(png).decode("ascii")))
    return tuple(pictures)


def within_limit(pictures: Iterable[KeptPicture]) -> tuple[KeptPicture, ...]:
    """As many pictures as a document may hold, in order."""
    kept: list[KeptPicture] = []
    total = 0
    for picture in pictures:
        total += len(picture.png)
        if total > MOST_CHARACTERS:
            break
        kept.append(picture)
    return tuple(kept)


def _doubtful(blocks: Iterable[Block]) -> Iterator[Math]:
    for block in blocks:
        for math in formulas_of(block):
            if not math.is_certain:
                yield math


def _cut(pixels: bytes, across: int, down: int, box: Box) -> bytes:
    left = max(0, int((box[0] - _MARGIN) * _SCALE))
    top = max(0, int((box[1] - _MARGIN) * _SCALE))
    right = min(across, max(left + 1, int((box[2] + _MARGIN) * _SCALE) + 1))
    bottom = min(down, max(top + 1, int((box[3] + _MARGIN) * _SCALE) + 1))
    left, top = min(left, across - 1), min(top, down - 1)
    rows = [pixels[3 * (y * across + left) : 3 * (y * across + right)] for y in range(top, bottom)]
    return encode_png(right - left, bottom - top, b"".join(rows))


# Formulas that a doubtful neighbour reaches into: what it took, they may lack, so that they are doubtful too.

DOUBT = "a neighbour that could not be read with certainty reaches into it"
# The trust left in such a formula: it is likely right, but not to be used unseen.
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
    lower = min(height(first), height(second))
    return overlap_x(first, second) > 0 and overlap_y(first, second) > _CLOSE * lower
