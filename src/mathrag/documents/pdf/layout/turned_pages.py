"""Pages whose text runs upwards, downwards or upside down: turned before they are read, places turned back after.

Turns whole pages only: a few turned words beside upright text are left out, and a note says so.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from mathrag.documents.pdf.boxes import rounded
from mathrag.documents.pdf.layout.page_reading import PageReading
from mathrag.documents.pdf.page_content import Box, Glyph, PageContent
from mathrag.types.document import Place, ReaderNote
from mathrag.types.json_codec import Json, from_json, to_json

# A page is turned where this share of its signs runs in one other direction.
_MOST = 0.7
# Fewer turned signs than this are the label of an axis or a mark of the publisher.
_FEW = 60


def direction_of(page: PageContent) -> int:
    """The direction nearly all text of a page runs in: 0, 90 (upwards), 180 or 270 (downwards)."""
    angles = Counter(glyph.angle for glyph in page.glyphs if glyph.text.strip())
    if not angles:
        return 0
    angle, count = angles.most_common(1)[0]
    return angle if angle in (90, 180, 270) and count >= _MOST * angles.total() else 0


def turned_upright(page: PageContent, direction: int) -> PageContent:
    """The page with text of this direction running from left to right."""
    width, height = (page.width, page.height) if direction == 180 else (page.height, page.width)
    return replace(
        page,
        width=width,
        height=height,
        glyphs=tuple(_turned_glyph(glyph, page, direction) for glyph in page.glyphs),
        rules=tuple(replace(rule, box=_turned(rule.box, page.width, page.height, direction)) for rule in page.rules),
        drawings=tuple(replace(d, box=_turned(d.box, page.width, page.height, direction)) for d in page.drawings),
        pictures=tuple(replace(p, box=_turned(p.box, page.width, page.height, direction)) for p in page.pictures),
    )


def _turned_glyph(glyph: Glyph, page: PageContent, direction: int) -> Glyph:
    left, top, _, _ = _turned((glyph.x, glyph.y, glyph.x, glyph.y), page.width, page.height, direction)
    box = _turned(glyph.box, page.width, page.height, direction)
    return replace(glyph, x=left, y=top, box=box, angle=(glyph.angle - direction) % 360)


def _turned(box: Box, width: float, height: float, direction: int) -> Box:
    left, top, right, bottom = box
    if direction == 90:
        return (height - bottom, left, height - top, right)
    if direction == 270:
        return (top, width - right, bottom, width - left)
    return (width - right, height - bottom, width - left, height - top)


def turned_back(reading: PageReading, page: PageContent, direction: int) -> PageReading:
    """A reading of the turned page with every place where it is on the page itself."""
    turned = page.width if direction == 180 else page.height
    down = page.height if direction == 180 else page.width
    back = (360 - direction) % 360

    def walk(value: Json) -> Json:
        if isinstance(value, list):
            return [walk(item) for item in value]
        if not isinstance(value, dict):
            return value
        walked = {key: walk(item) for key, item in value.items()}
        if walked.get("$") == "Place" and walked.get("box"):
            walked["box"] = list(rounded(_turned(tuple(walked["box"]), turned, down, back)))
        return walked

    drafts = tuple(
        replace(
            draft,
            block=from_json(walk(to_json(draft.block))),
            box=rounded(_turned(draft.box, turned, down, back)),
        )
        for draft in reading.drafts
    )
    return replace(reading, width=page.width, height=page.height, drafts=drafts)


def turned_notes(page: PageContent) -> tuple[ReaderNote, ...]:
    """What to say about text that was left out because it is turned."""
    count = sum(1 for glyph in page.glyphs if glyph.angle and glyph.text.strip())
    if count < _FEW:
        return ()
    message = f"page {page.number}: {count} signs of turned text were left out"
    return (ReaderNote("turned_text", message, Place(page=page.number)),)
