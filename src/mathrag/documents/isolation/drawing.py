"""Drawing a page with boxes as a task for a worker process. Knows pixels and rectangles, nothing of what they mean."""

from __future__ import annotations

import base64
from collections.abc import Sequence

from mathrag.documents.gathering import Found
from mathrag.documents.isolation.paging import check_hash, file_payload, opened
from mathrag.documents.isolation.tasks import Json
from mathrag.documents.media_names import described
from mathrag.documents.png_writing import encode_png
from mathrag.documents.reader import ReadingLimits
from mathrag.errors import DocumentError

DRAW = "mathrag.documents.isolation.drawing:draw_page"
_PDF = "application/pdf"
_MOST_BOXES = 20_000


def drawing_payload(found: Found, limits: ReadingLimits, *, password: str = "") -> dict[str, Json]:
    """What a worker needs to open the file; the caller adds `hash`, `number`, `scale` and `boxes`."""
    return file_payload(found, limits, password=password)


def draw_page(payload: Json) -> Json:
    """Runs in the worker: the page as PNG in base64. A box is left, top, right, bottom in points, then its colour."""
    source, media_type = opened(payload)
    check_hash(source, payload["hash"])
    if media_type != _PDF:
        raise DocumentError("no_pages", f"this is {described(media_type)}, and only pages of a PDF can be drawn")
    from mathrag.documents.pdf.raw import open_pdf

    scale = float(payload["scale"])
    with open_pdf(source.data, password=source.password) as document:
        width, height, pixels = document.render(int(payload["number"]), scale=scale)
    drawn = bytearray(pixels)
    for left, top, right, bottom, *colour in payload["boxes"][:_MOST_BOXES]:
        box = tuple(round(side * scale) for side in (left, top, right, bottom))
        draw_box(drawn, (width, height), box, bytes(colour))
    return base64.b64encode(encode_png(width, height, bytes(drawn))).decode("ascii")


def draw_box(pixels: bytearray, size: tuple[int, int], box: Sequence[int], colour: bytes) -> None:
    """Draw the outline of a box, one pixel wide and just inside it, into rows of RGB; what lies outside is cut off."""
    width, height = size
    left, top, right, bottom = (
        min(max(side, 0), limit - 1) for side, limit in zip(box, (width, height, width, height), strict=True)
    )
    if left > right or top > bottom:
        return
    row = colour * (right - left + 1)
    for y in (top, bottom):
        start = 3 * (y * width + left)
        pixels[start : start + len(row)] = row
    for y in range(top, bottom + 1):
        for x in (left, right):
            start = 3 * (y * width + x)
            pixels[start : start + 3] = colour
