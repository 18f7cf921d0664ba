"""A cut-out of a picture as a small grey PNG. Writes only; nothing from outside is decoded here."""

from __future__ import annotations

import numpy

from mathrag.documents.png_writing import encode_grey_png
from mathrag.documents.scans.ink import Pixels
from mathrag.documents.scans.nouns import Box

# Sixteen greys are plenty to see a formula by and take half the room.
_LEVELS = 16


def cut_out(bright: Pixels, box: Box, *, margin: float = 0.0) -> Pixels:
    """The part of a picture inside a box with a margin, within the picture; at least one pixel."""
    rows, columns = bright.shape
    left, top = max(0, int(box[0] - margin)), max(0, int(box[1] - margin))
    right, bottom = min(columns, int(box[2] + margin) + 1), min(rows, int(box[3] + margin) + 1)
    left, top = min(left, columns - 1), min(top, rows - 1)
    return bright[top : max(bottom, top + 1), left : max(right, left + 1)]


def grey_png(bright: Pixels) -> bytes:
    """PNG data of a grey picture, in sixteen levels."""
    height, width = bright.shape
    levels = (bright.astype(numpy.uint16) * (_LEVELS - 1) + 127) // 255
    if width % 2:
        levels = numpy.pad(levels, ((0, 0), (0, 1)))
    packed = (levels[:, 0::2] << 4 | levels[:, 1::2]).astype(numpy.uint8)
    # Each row starts with the number of its filter; none pays off at four bits.
    rows = numpy.pad(packed, ((0, 0), (1, 0)))
    return encode_grey_png(width, height, rows.tobytes())
