"""From pdfium's text page to glyphs: places, sizes and identities. Knows no lines and no words."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, replace
from typing import Any

import pypdfium2.raw as pdfium

from mathrag.documents.pdf.page_content import Box, Glyph
from mathrag.documents.pdf.raw.fonts import FontShelf, OpenFont
from mathrag.documents.pdf.raw.geometry import (
    View,
    baseline_angle,
    is_finite,
    map_box,
    text_scale,
)

MOST_GLYPHS = 200_000
_INVISIBLE = 3
# Spaces, line ends and hyphens are what pdfium adds of its own.
_GENERATED = frozenset((0x20, 0x0D, 0x0A, 0x02, 0x2D, 0xFFFE))
# Math italic fonts call the straight form `phi`, which maps made of glyph names take for the curly one.
# The straight form has an ascender.
_PHIS = frozenset("φϕ")
_ASCENDER = 0.58
# No letter reaches further below the baseline, of its size; brackets and big operators do.
_DEEPEST_LETTER = 0.4
# The bullet of lists comes from a companion font that is often drawn in pixels and nameless.
_TEXT_BULLET = "\x88"
# Slanted by the text matrix rather than by the font: browsers make an italic this way where a font has none.
_LEAST_SLANT = 0.15


@dataclass(frozen=True, slots=True)
class _Run:
    """What all characters of one text object share."""

    font: OpenFont
    size: float
    angle: int
    is_slanted: bool
    is_invisible: bool
    # Whether it runs up or down in the coordinates of the file.
    is_sideways: bool


@dataclass(slots=True)
class _Sign:
    """A character as pdfium tells it, or several that share one glyph."""

    claimed: str
    is_code: bool
    run: _Run
    origin: tuple[float, float]
    box: Box
    advance: float


@dataclass(frozen=True, slots=True)
class Characters:
    """The glyphs of a page in file order, and what is to be told about them."""

    glyphs: tuple[Glyph, ...]
    invisible: int
    notes: tuple[str, ...]


def read_characters(page: Any, view: View) -> Characters:
    """Every printed sign of a page. Signs outside the page are dropped, invisible ones kept and counted."""
    text_page = pdfium.FPDFText_LoadPage(page)
    if not text_page:
        return Characters((), 0, ("the text of this page cannot be read",))
    try:
        signs, notes = _read_signs(text_page, view)
    finally:
        pdfium.FPDFText_ClosePage(text_page)
    for sign in signs:
        identities = sign.run.font.identities
        if sign.is_code:
            identities.seen_codes.add(ord(sign.claimed[0]))
            hangs = sign.box[3] - sign.origin[1] > _DEEPEST_LETTER * sign.run.size
            identities.has_tall_signs = identities.has_tall_signs or hangs
        else:
            identities.seen.add(sign.claimed)
    for identities in {id(sign.run.font): sign.run.font.identities for sign in signs}.values():
        identities.judge_nameless()
    glyphs = tuple(glyph for sign in signs if (glyph := _glyph(sign)).text or _has_ink(glyph))
    return Characters(glyphs, sum(sign.run.is_invisible for sign in signs), tuple(notes))


def _read_signs(text_page: Any, view: View) -> tuple[list[_Sign], list[str]]:
    notes: list[str] = []
    count = pdfium.FPDFText_CountChars(text_page)
    if count > MOST_GLYPHS:
        notes.append(f"this page has {count} signs; the first {MOST_GLYPHS} were read")
        count = MOST_GLYPHS
    reader = _SignReader(text_page, view)
    signs = reader.read(count)
    if reader.outside:
        notes.append(f"{reader.outside} signs outside the visible page were left out")
    return signs, notes


class _SignReader:
    """Walks the characters of one text page; holds the buffers that pdfium fills."""

    def __init__(self, text_page: Any, view: View) -> None:
        self.text_page = text_page
        self.view = view
        self.matrix = view.matrix
        self.fonts = FontShelf()
        self.outside = 0
        self._run: _Run | None = None
        self._object: int = 0
        self._doubles = tuple(ctypes.c_double() for _ in range(6))
        self._references = tuple(ctypes.byref(double) for double in self._doubles)
        self._loose = pdfium.FS_RECTF()
        self._loose_reference = ctypes.byref(self._loose)

    def read(self, count: int) -> list[_Sign]:
        page = self.text_page
        unicode_of, is_generated, has_error = (
            pdfium.FPDFText_GetUnicode,
            pdfium.FPDFText_IsGenerated,
            pdfium.FPDFText_HasUnicodeMapError,
        )
        width, height = self.view.width, self.view.height
        signs: list[_Sign] = []
        previous: _Sign | None = None
        previous_object = 0
        for index in range(count):
            code = unicode_of(page, index)
            if code in _GENERATED and is_generated(page, index) == 1:
                continue
            run = self._run_of(index)
            if run is None:
                continue
            placed = self._place(index, run)
            if placed is None:
                continue
            origin, box, advance = placed
            # Ligatures and characters beyond the basic plane come as several characters at one place.
            if (
                previous is not None
                and previous.origin == origin
                and previous.box == box
                and previous_object == self._object
            ):
                previous.claimed = _join(previous.claimed, code)
                continue
            if box[2] < 0 or box[3] < 0 or box[0] > width or box[1] > height:
                self.outside += 1
                continue
            is_code = code == 0 or has_error(page, index) == 1
            previous = _Sign(chr(code), is_code, run, origin, box, advance)
            previous_object = self._object
            signs.append(previous)
        return signs

    def _run_of(self, index: int) -> _Run | None:
        pointer = pdfium.FPDFText_GetTextObject(self.text_page, index)
        if not pointer:
            return None
        address = ctypes.addressof(pointer.contents)
        if address == self._object:
            return self._run
        self._object, self._run = address, None
        matrix = pdfium.FS_MATRIX()
        if not pdfium.FPDFText_GetMatrix(self.text_page, index, ctypes.byref(matrix)):
            return None
        numbers = (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)
        size = pdfium.FPDFText_GetFontSize(self.text_page, index) * text_scale(numbers)
        font = self.fonts.font_of(pointer)
        if font is None or not is_finite(*numbers, size) or size <= 0:
            return None
        slant = (numbers[0] * numbers[2] + numbers[1] * numbers[3]) / (numbers[0] ** 2 + numbers[1] ** 2 or 1.0)
        mode = pdfium.FPDFTextObj_GetTextRenderMode(pointer)
        self._run = _Run(
            font,
            size,
            baseline_angle(numbers, self.view.quarter_turns),
            slant > _LEAST_SLANT,
            mode == _INVISIBLE,
            abs(numbers[1]) > abs(numbers[0]),
        )
        return self._run

    def _place(self, index: int, run: _Run) -> tuple[tuple[float, float], Box, float] | None:
        x, y, left, right, bottom, top = self._doubles
        at_x, at_y, at_left, at_right, at_bottom, at_top = self._references
        page = self.text_page
        if not pdfium.FPDFText_GetCharOrigin(page, index, at_x, at_y):
            return None
        pdfium.FPDFText_GetCharBox(page, index, at_left, at_right, at_bottom, at_top)
        box = (left.value, bottom.value, right.value, top.value)
        a, b, c, d, e, f = self.matrix
        px, py = x.value, y.value
        origin = (a * px + c * py + e, b * px + d * py + f)
        # Comparisons with what is not a number fail, so this refuses those too.
        if not (
            -1e6 < px < 1e6 and -1e6 < py < 1e6 and -1e6 < box[0] <= box[2] < 1e6 and -1e6 < box[1] <= box[3] < 1e6
        ):
            return None
        advance = 0.0
        if pdfium.FPDFText_GetLooseCharBox(page, index, self._loose_reference):
            loose = self._loose
            advance = abs(loose.top - loose.bottom) if run.is_sideways else abs(loose.right - loose.left)
        if b == 0 and a == 1:
            return origin, (box[0] + e, f - box[3], box[2] + e, f - box[1]), advance
        return origin, map_box(self.matrix, box), advance


def _join(claimed: str, code: int) -> str:
    last = ord(claimed[-1])
    if 0xD800 <= last < 0xDC00 <= code < 0xE000:
        return claimed[:-1] + chr(0x10000 + ((last - 0xD800) << 10) + (code - 0xDC00))
    return claimed + chr(code)


def _has_ink(glyph: Glyph) -> bool:
    """Whether anything is printed; missing glyphs and spaces without a map are not."""
    left, top, right, bottom = glyph.box
    return right - left > 0.01 and bottom - top > 0.01


def _is_round(box: Box, size: float) -> bool:
    width, height = box[2] - box[0], box[3] - box[1]
    return 0.15 * size < width < 0.6 * size and abs(width - height) < 0.1 * width


def _glyph(sign: _Sign) -> Glyph:
    run = sign.run
    font = run.font
    identity = font.identities.identify(sign.claimed, is_code=sign.is_code)
    if identity.text in _PHIS and run.angle == 0 and font.identities.named.table == "OML":
        is_straight = sign.origin[1] - sign.box[1] > _ASCENDER * run.size
        identity = replace(identity, text="ϕ" if is_straight else "φ")
    if not identity.text and not font.name and sign.claimed == _TEXT_BULLET and _is_round(sign.box, run.size):
        identity = replace(identity, text="•", evidence="shape")
    style = "italic" if run.is_slanted and identity.style == "upright" else identity.style
    return Glyph(
        text=identity.text,
        font=font.name,
        size=round(run.size, 3),
        x=sign.origin[0],
        y=sign.origin[1],
        advance=sign.advance,
        box=sign.box,
        style=style,
        is_bold=identity.is_bold,
        is_math_font=font.identities.is_math,
        evidence=identity.evidence,
        angle=run.angle,
    )
