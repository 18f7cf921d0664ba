"""Cut-outs of what could not be read with certainty, so that eyes can. Decides by confidence alone, reads nothing."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from mathrag.documents.boxes import Box, area, height, overlap_x, overlap_y
from mathrag.documents.pdf.layout.page_record import Draft, PageReading
from mathrag.documents.pdf.raw import OpenPdf
from mathrag.documents.png import encode_png
from mathrag.types.document import Block, KeptPicture, Math, Place, formulas_of, with_formulas

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


# Doubts about a formula that says it lacks its other end: what else stands beside it may settle them.
#
# Named here because those who put the pieces of a formula together ask for them by name.

SCRIPT_ON_NOTHING = "a script on nothing before a relation"
HOLE = "a hole beside an operator or a relation"
BRACKET_ALONE = "a bracket without its partner"
CUT_IN_ROW = "cut at its edge: something stands against it that is no word"
# Doubts about the arrangement of signs that are all there and known. Whoever reads a picture of the formula can settle
# them; not those about where it ends or what belongs to it, because the picture is cut out along the same line.
SETTLED_BY_SIGHT = frozenset(
    (
        "a fraction whose parts are not centred on its bar",
        "a fraction with type of two sizes above and below its bar",
        "a line much longer than what stands above and below it",
        "a line that is neither fraction bar nor overline",
        "a root sign without a line over what it covers",
        "a script whose level is unclear",
        "a short line taken for a minus sign",
        "a sign that stands on no clear line",
        "a sign with limits and scripts",
        "an accent between two letters",
    )
)
OPEN_ENDS = frozenset((SCRIPT_ON_NOTHING, HOLE, BRACKET_ALONE, CUT_IN_ROW))


# Formulas that a doubtful neighbour reaches into: what it took, they may lack, so that they are doubtful too.

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
    lower = min(height(first), height(second))
    return overlap_x(first, second) > 0 and overlap_y(first, second) > _CLOSE * lower
