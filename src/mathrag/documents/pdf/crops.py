"""Cut-outs of what could not be read with certainty, so that eyes can. Decides by confidence alone, reads nothing."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator

from mathrag.documents.pdf.boxes import height, width
from mathrag.documents.pdf.layout.page_reading import PageReading
from mathrag.documents.pdf.page_content import Box
from mathrag.documents.pdf.raw import OpenPdf
from mathrag.documents.png_writing import encode_png
from mathrag.types.document import Block, KeptPicture, Math, Place, formulas_of

_SCALE = 2.0
_MARGIN = 2.0
_MOST_ON_PAGE = 24
_LARGEST_AREA = 120_000.0
# Base64 characters of all pictures of a document.
MOST_CHARACTERS = 12_000_000


def keep_doubtful(document: OpenPdf, page: PageReading) -> tuple[KeptPicture, ...]:
    """A picture of every formula of a page that is not sure, the least sure first."""
    doubtful = sorted(_doubtful(draft.block for draft in page.drafts), key=lambda math: math.confidence)
    boxes: list[Box] = []
    for math in doubtful:
        box = math.place.box
        if box is None or box in boxes or width(box) * height(box) > _LARGEST_AREA:
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
