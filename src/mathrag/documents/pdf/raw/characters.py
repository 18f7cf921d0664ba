"""From pdfium's text page to glyphs: places, sizes and identities. Knows no lines and no words."""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

import pypdfium2.raw as pdfium

from mathrag.documents.pdf.page_content import Box, Glyph
from mathrag.documents.pdf.raw import quick_calls
from mathrag.documents.pdf.raw.geometry import View, map_box
from mathrag.documents.pdf.raw.identities import FontIdentities
from mathrag.documents.pdf.raw.paths import intersect
from mathrag.documents.pdf.raw.printed_signs import Sign, drop_transparent, keep_running_lines
from mathrag.documents.pdf.raw.text_runs import Run, RunReader
from mathrag.documents.pdf.raw.text_style import settle_plain_style

MOST_GLYPHS = 200_000
# Spaces, line ends and hyphens are what pdfium adds of its own.
_GENERATED = frozenset((0x20, 0x0D, 0x0A, 0x02, 0x2D, 0xFFFE))
# What pdfium makes of the hyphen of a word that goes on in the next line.
_BROKEN_WORD, _HYPHEN = 0x02, 0x2D
# Math italic fonts call the straight form `phi`, which maps made of glyph names take for the curly one.
# The straight form has an ascender.
_PHIS = frozenset("φϕ")
_ASCENDER = 0.58
# No letter reaches further below the baseline, of its size; brackets and big operators do.
_DEEPEST_LETTER = 0.4
# The bullet of lists comes from a companion font that is often drawn in pixels and nameless.
_TEXT_BULLET = "\x88"
# Origins of one sign may differ in the last digits that pdfium keeps.
_SAME = 0.01
# Left, right, bottom, top of the ink, then left, top, right, bottom of the loose box.
_BOXES = struct.Struct("=4d4f")


@dataclass(frozen=True, slots=True)
class Characters:
    """The glyphs of a page in file order, and what is to be told about them."""

    glyphs: tuple[Glyph, ...]
    invisible: int
    notes: tuple[str, ...]
    # Places in `glyphs` of those printed in the colour of paper.
    pale: frozenset[int] = frozenset()
    # How far the lines that run over the sides of the page reach, to the left and to the right.
    reach: tuple[float, float] = (0.0, 0.0)


def read_characters(page: Any, view: View) -> Characters:
    """Every printed sign of a page. Signs outside the page are dropped, invisible ones kept and counted.

    A line that runs over the side of the page is kept to its end, since half a formula says something else.
    """
    text_page = pdfium.FPDFText_LoadPage(page)
    if not text_page:
        return Characters((), 0, ("the text of this page cannot be read",))
    try:
        signs, notes = _read_signs(text_page, view)
    finally:
        pdfium.FPDFText_ClosePage(text_page)
    signs, hidden = drop_transparent(signs)
    _judge_fonts(signs)
    glyphs, pale = _glyphs(signs)
    reach = (min((glyph.box[0] for glyph in glyphs), default=0.0), max((glyph.box[2] for glyph in glyphs), default=0.0))
    return Characters(
        glyphs,
        hidden + sum(sign[2].is_invisible for sign in signs),
        tuple(notes),
        pale,
        (min(0.0, reach[0]), max(view.width, reach[1])),
    )


def _judge_fonts(signs: Sequence[Sign]) -> None:
    """Tell every font what was seen of it, and let them settle what they can only know from that."""
    counts: dict[int, int] = {}
    fonts: dict[int, FontIdentities] = {}
    for run, group in groupby(signs, key=itemgetter(2)):
        identities = run.font.identities
        printed = list(group)
        fonts[id(identities)] = identities
        counts[id(identities)] = counts.get(id(identities), 0) + len(printed)
        identities.seen.update([sign[0] for sign in printed if not sign[1]])
        for claimed, is_code, _, _, y, box, _ in printed:
            if is_code:
                identities.seen_codes.add(ord(claimed[0]))
                identities.has_tall_signs = identities.has_tall_signs or box[3] - y > _DEEPEST_LETTER * run.size
    for identities in fonts.values():
        identities.judge_nameless()
    settle_plain_style([(identities, counts[place]) for place, identities in fonts.items()])


def _read_signs(text_page: Any, view: View) -> tuple[list[Sign], list[str]]:
    notes: list[str] = []
    count = pdfium.FPDFText_CountChars(text_page)
    if count > MOST_GLYPHS:
        notes.append(f"this page has {count} signs; the first {MOST_GLYPHS} were read")
        count = MOST_GLYPHS
    reader = _SignReader(text_page, view)
    signs, outside = keep_running_lines(reader.read(count), view)
    if outside:
        notes.append(f"{outside} signs outside the visible page were left out")
    return signs, notes


class _SignReader:
    """Walks the characters of one text page; holds the buffers that pdfium fills."""

    def __init__(self, text_page: Any, view: View) -> None:
        self.page = quick_calls.address_of(text_page)
        self.view = view
        self.matrix = view.matrix
        self.runs = RunReader(text_page, view)
        self._boxes = bytearray(_BOXES.size)
        self._origin = (ctypes.c_double * 2)()

    def read(self, count: int) -> list[Sign]:
        page, boxes, unpack = self.page, self._boxes, _BOXES.unpack
        unicode_of, object_of = quick_calls.unicode_of, quick_calls.text_object_of
        box_of, loose_box_of = quick_calls.box_of, quick_calls.loose_box_of
        start = ctypes.addressof((ctypes.c_char * len(boxes)).from_buffer(boxes))
        at_left, at_right, at_bottom, at_top, at_loose = (start + 8 * number for number in range(5))
        signs: list[Sign] = []
        last_object, sign_object, run, level = 0, 0, None, None
        for index in range(count):
            code = unicode_of(page, index)
            if code in _GENERATED and quick_calls.is_generated(page, index) == 1:
                continue
            if code == _BROKEN_WORD and quick_calls.is_hyphen(page, index) == 1:
                code = _HYPHEN
            item = object_of(page, index)
            if item != last_object:
                last_object, level = item, None
                run = self.runs.run_of(index, item) if item else None
            if run is None or not loose_box_of(page, index, at_loose):
                continue
            box_of(page, index, at_left, at_right, at_bottom, at_top)
            numbers = unpack(boxes)
            # The loose box reaches from the origin to the end of the advance, and further only where the ink does.
            if level is not None and numbers[4] < numbers[0]:
                x, y = numbers[4], level
            else:
                x, y = self._origin_of(index)
                level = y if run.is_level else None
            placed = self._place(x, y, numbers, run)
            if placed is None:
                continue
            x, y, box, advance = placed
            # Ligatures and characters beyond the basic plane come as several characters at one place.
            if item == sign_object and abs((last := signs[-1])[3] - x) < _SAME and last[4] == y and _is_part(last, box):
                whole = (last[5][0], last[5][1], box[2], box[3])
                signs[-1] = (_join(last[0], code), *last[1:5], whole, max(last[6], advance, box[2] - x))
            else:
                is_code = code not in run.font.mapped and self._is_code(index, code, run)
                signs.append((chr(code), is_code, run, x, y, box, advance))
                sign_object = item
        return signs

    def _is_code(self, index: int, code: int, run: Run) -> bool:
        """Whether a character is the bare code of a glyph without a map."""
        if code == 0 or quick_calls.has_map_error(self.page, index) == 1:
            return True
        # A text font that has a map for a letter has no other glyph at the code of that letter.
        if code < 0x80 and chr(code).isalnum() and run.font.name and not run.font.identities.named.is_math:
            run.font.mapped.add(code)
        return False

    def _origin_of(self, index: int) -> tuple[float, float]:
        """The origin in the file; no numbers where there is none."""
        place = ctypes.addressof(self._origin)
        if not quick_calls.origin_of(self.page, index, place, place + 8):
            return math.nan, math.nan
        x, y = self._origin[:]
        return x, y

    def _place(
        self, px: float, py: float, numbers: tuple[float, ...], run: Run
    ) -> tuple[float, float, Box, float] | None:
        """Origin, ink and advance on the page as seen; nothing for places that no page has."""
        left, right, bottom, top, loose_left, loose_top, loose_right, loose_bottom = numbers
        # Comparisons with what is not a number fail, so this refuses those too.
        if not (-1e6 < px < 1e6 and -1e6 < py < 1e6 and -1e6 < left <= right < 1e6 and -1e6 < bottom <= top < 1e6):
            return None
        advance = abs(loose_top - loose_bottom if run.is_sideways else loose_right - loose_left)
        a, b, c, d, e, f = self.matrix
        if b == 0 and a == 1 and run.clip is None:
            return px + e, f - py, (left + e, f - top, right + e, f - bottom), advance
        box = map_box(self.matrix, (left, bottom, right, top))
        x, y = a * px + c * py + e, b * px + d * py + f
        if run.clip is not None:
            box = intersect(box, run.clip) or box
            y = min(max(y, box[1]), box[3])
        return x, y, box, advance


def _join(claimed: str, code: int) -> str:
    last = ord(claimed[-1])
    if 0xD800 <= last < 0xDC00 <= code < 0xE000:
        return claimed[:-1] + chr(0x10000 + ((last - 0xD800) << 10) + (code - 0xDC00))
    return claimed + chr(code)


def _is_part(last: Sign, box: Box) -> bool:
    """Whether a character at the place of the last one is part of the same glyph: of its box, or of the rest of it."""
    left, top, right, bottom = last[5]
    if top != box[1] or bottom != box[3]:
        return False
    return (left == box[0] and right == box[2]) or abs(right - box[0]) < _SAME


def _has_ink(box: Box) -> bool:
    """Whether anything is printed; missing glyphs and spaces without a map are not."""
    left, top, right, bottom = box
    return right - left > 0.01 and bottom - top > 0.01


def _is_round(box: Box, size: float) -> bool:
    width, height = box[2] - box[0], box[3] - box[1]
    return 0.15 * size < width < 0.6 * size and abs(width - height) < 0.1 * width


def _glyphs(signs: Sequence[Sign]) -> tuple[tuple[Glyph, ...], frozenset[int]]:
    """The glyphs of the signs, and the places of pale ones; what has neither identity nor ink is left out."""
    glyphs: list[Glyph] = []
    pale: list[int] = []
    for run, group in groupby(signs, key=itemgetter(2)):
        identities, name, size, angle = run.font.identities, run.font.name, run.size, run.angle
        is_math, known = identities.is_math, identities.known
        first = len(glyphs)
        is_greek_math = is_math and identities.named.table == "OML" and angle == 0
        for claimed, is_code, _, x, y, box, advance in group:
            identity = known.get((claimed, is_code)) or identities.identify(claimed, is_code=is_code)
            text, style, evidence = identity.text, identity.style, identity.evidence
            if is_greek_math and text in _PHIS:
                text = "ϕ" if y - box[1] > _ASCENDER * size else "φ"
            if not text:
                if not _has_ink(box):
                    continue
                if not name and claimed == _TEXT_BULLET and _is_round(box, size):
                    text, evidence = "•", "shape"
            if run.is_slanted and style == "upright":
                style = "italic"
            # By position, which is faster.
            glyphs.append(
                Glyph(text, name, size, x, y, advance, box, style, identity.is_bold, is_math, evidence, angle)
            )
        if run.is_pale:
            pale.extend(range(first, len(glyphs)))
    return tuple(glyphs), frozenset(pale)
