"""From pdfium's text page to glyphs: places, sizes and identities. Knows no lines and no words.

Signs come with the font, size and direction of the text object they are printed by; then those that nobody sees are
dropped (transparent, outside the page, printed twice over themselves), fonts are judged by all that was seen of them,
and each sign is asked which one it is. A page has thousands of signs, so the inner loops are written for speed.
"""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeAlias

import pypdfium2.raw as pdfium

from mathrag.documents.boxes import Box, height, intersection, meets, width
from mathrag.documents.pdf.page_content import Glyph, Style
from mathrag.documents.pdf.raw import pdfium_calls
from mathrag.documents.pdf.raw.font_encodings import describe_font_name, plain_font_name
from mathrag.documents.pdf.raw.font_programs import glyph_names
from mathrag.documents.pdf.raw.geometry import Matrix, View, baseline_angle, is_finite, map_box, text_scale
from mathrag.documents.pdf.raw.glyph_identities import FontIdentities
from mathrag.documents.pdf.raw.paths import PathReader, is_pale, is_transparent

# A page of the smallest print has a tenth of it.
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
        self.page = pdfium_calls.address_of(text_page)
        self.view = view
        self.matrix = view.matrix
        self.runs = TextRunReader(text_page, view)
        self._boxes = bytearray(_BOXES.size)
        self._origin = (ctypes.c_double * 2)()

    def read(self, count: int) -> list[Sign]:
        page, boxes, unpack = self.page, self._boxes, _BOXES.unpack
        unicode_of, object_of = pdfium_calls.unicode_of, pdfium_calls.text_object_of
        box_of, loose_box_of = pdfium_calls.box_of, pdfium_calls.loose_box_of
        start = ctypes.addressof((ctypes.c_char * len(boxes)).from_buffer(boxes))
        at_left, at_right, at_bottom, at_top, at_loose = (start + 8 * number for number in range(5))
        signs: list[Sign] = []
        last_object, sign_object, run, level = 0, 0, None, None
        for index in range(count):
            code = unicode_of(page, index)
            if code in _GENERATED and pdfium_calls.is_generated(page, index) == 1:
                continue
            if code == _BROKEN_WORD and pdfium_calls.is_hyphen(page, index) == 1:
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

    def _is_code(self, index: int, code: int, run: TextRun) -> bool:
        """Whether a character is the bare code of a glyph without a map."""
        if code == 0 or pdfium_calls.has_map_error(self.page, index) == 1:
            return True
        # A text font that has a map for a letter has no other glyph at the code of that letter.
        if code < 0x80 and chr(code).isalnum() and run.font.name and not run.font.identities.named.is_math:
            run.font.mapped.add(code)
        return False

    def _origin_of(self, index: int) -> tuple[float, float]:
        """The origin in the file; no numbers where there is none."""
        place = ctypes.addressof(self._origin)
        if not pdfium_calls.origin_of(self.page, index, place, place + 8):
            return math.nan, math.nan
        x, y = self._origin[:]
        return x, y

    def _place(
        self, px: float, py: float, numbers: tuple[float, ...], run: TextRun
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
            box = intersection(box, run.clip) or box
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
    return width(box) > 0.01 and height(box) > 0.01


def _is_round(box: Box, size: float) -> bool:
    """Whether a sign is as wide as high and of the size that bullets have."""
    return 0.15 * size < width(box) < 0.6 * size and abs(width(box) - height(box)) < 0.1 * width(box)


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


# Drop glyphs that are printed again over themselves: false bold and shadows. Judges by sign, size and place alone.

# Of the font size: nearer than this, the same sign twice is one sign.
_NEAR = 0.08
# Cells hold a few signs each, and few signs lie near the border of one. In a crowded cell the last ones count: what is
# printed again is printed soon after.
_CELL = 24.0
_MOST_IN_CELL = 100


def drop_overprints(glyphs: Sequence[Glyph]) -> tuple[Glyph, ...]:
    """The glyphs without repetitions; the first of each stays."""
    kept: list[Glyph] = []
    cells: dict[tuple[str, int, int], list[Glyph]] = {}
    for glyph in glyphs:
        text, x, y = glyph.text, glyph.x / _CELL, glyph.y / _CELL
        column, row = int(x), int(y)
        step = _NEAR * glyph.size / _CELL
        same = cells.setdefault((text, column, row), [])
        near = same[-_MOST_IN_CELL:] if len(same) > _MOST_IN_CELL else same
        if not step < x - column < 1 - step or not step < y - row < 1 - step:
            near = [
                other
                for near_column in {int(x - step), int(x + step)}
                for near_row in {int(y - step), int(y + step)}
                for other in cells.get((text, near_column, near_row), [])[-_MOST_IN_CELL:]
            ]
        if near and any(_is_repetition(other, glyph, _NEAR * glyph.size) for other in near):
            continue
        kept.append(glyph)
        same.append(glyph)
    return tuple(kept)


def _is_repetition(first: Glyph, second: Glyph, reach: float) -> bool:
    if abs(first.x - second.x) > reach or abs(first.y - second.y) > reach:
        return False
    if not first.text or first.text.isspace() or abs(first.size - second.size) > 0.05 * first.size:
        return False
    # Narrow pieces of built-up signs may lie close to each other and all count.
    nearest = min(reach, 0.4 * max(width(second.box), 0.1), 0.4 * max(height(second.box), 0.1))
    return abs(first.x - second.x) <= nearest and abs(first.y - second.y) <= nearest


# The fonts of one page as pdfium holds them: name, flags and, where needed, the glyph names inside the font file.

# Bits of a font descriptor, and the weight from which a font counts as bold (ISO 32000-1, 9.8).
_ITALIC_FLAG, _FIXED_FLAG, _FORCE_BOLD_FLAG = 1 << 6, 1, 1 << 18
_BOLD_WEIGHT = 700
# In bytes. No font has a longer name; the largest font programs, with all Chinese signs, have 20 MB.
_LONGEST_NAME = 256
_LARGEST_PROGRAM = 30_000_000


@dataclass(frozen=True, slots=True)
class OpenFont:
    """A font in use on the page."""

    name: str
    identities: FontIdentities
    # Characters that are known to come from its map; others are asked about each time.
    mapped: set[int] = field(default_factory=set)


class FontShelf:
    """Fonts by the address pdfium keeps them at. Lives no longer than the page: addresses are used again."""

    def __init__(self) -> None:
        self._fonts: dict[int, OpenFont] = {}

    def font_of(self, text_object: int) -> OpenFont | None:
        """The font of the text object at an address."""
        address = pdfium_calls.font_of(text_object)
        if not address:
            return None
        font = self._fonts.get(address)
        if font is None:
            font = self._fonts[address] = _open_font(ctypes.cast(address, pdfium.FPDF_FONT))
        return font


def _open_font(handle: Any) -> OpenFont:
    buffer = ctypes.create_string_buffer(_LONGEST_NAME)
    length = pdfium.FPDFFont_GetBaseFontName(handle, buffer, _LONGEST_NAME)
    name = plain_font_name(buffer.value.decode("utf-8", "replace") if 0 < length <= _LONGEST_NAME else "")
    named = describe_font_name(name)
    flags = max(0, pdfium.FPDFFont_GetFlags(handle))
    is_bold, style = named.is_bold, named.style
    if not named.table and not named.is_math:
        is_bold = is_bold or bool(flags & _FORCE_BOLD_FLAG) or pdfium.FPDFFont_GetWeight(handle) >= _BOLD_WEIGHT
        style = _flagged_style(style, flags)
    return OpenFont(name, FontIdentities(named, is_bold, style, lambda: glyph_names(_program(handle))))


def _program(handle: Any) -> bytes:
    """The embedded font program; nothing for a font that is not embedded or absurdly large."""
    size = ctypes.c_size_t()
    if not pdfium.FPDFFont_GetIsEmbedded(handle) or not pdfium.FPDFFont_GetFontData(
        handle, None, 0, ctypes.byref(size)
    ):
        return b""
    if not 0 < size.value <= _LARGEST_PROGRAM:
        return b""
    buffer = (ctypes.c_uint8 * size.value)()
    pdfium.FPDFFont_GetFontData(handle, buffer, size.value, ctypes.byref(size))
    return bytes(buffer)


def _flagged_style(style: Style, flags: int) -> Style:
    if flags & _ITALIC_FLAG and style in ("upright", "sans"):
        return "italic"
    return "mono" if flags & _FIXED_FLAG and style == "upright" else style


# What all signs of one text object share: font, size, direction, slant. Looked up once for each object.

# Text rendering modes (ISO 32000-1, 9.3.6).
_STROKED, _INVISIBLE = 1, 3
# Slanted by the text matrix rather than by the font: browsers make an italic this way where a font has none.
_LEAST_SLANT = 0.15
# Taller than wide by this much, a sign is stretched, not large: browsers stretch the stem of a bar and clip it.
_LEAST_STRETCH = 4.0
# In points; larger type is a letter stretched to a drawing, of which a clip shows a part.
_LARGEST_USUAL_SIZE = 200.0
_MATRIX = struct.Struct("=6f")
_COLOUR = struct.Struct("=4I")


@dataclass(frozen=True, slots=True)
class TextRun:
    """What all characters of one text object share."""

    font: OpenFont
    size: float
    angle: int
    is_slanted: bool
    is_invisible: bool
    # Whether it runs up or down in the coordinates of the file.
    is_sideways: bool
    # Whether all its signs stand on one level baseline of the file.
    is_level: bool
    # What its clip leaves visible, on the page as seen; only looked up for signs of unusual size.
    clip: Box | None = None
    # Printed with no opacity at all, as phantoms are; or in the colour of paper.
    is_transparent: bool = False
    is_pale: bool = False


class TextRunReader:
    """Reads the text objects of one page; holds its fonts."""

    def __init__(self, text_page: Any, view: View) -> None:
        self._page = pdfium_calls.address_of(text_page)
        self._view = view
        self._fonts = FontShelf()
        self._matrix = bytearray(_MATRIX.size)
        self._matrix_place = ctypes.addressof((ctypes.c_char * _MATRIX.size).from_buffer(self._matrix))
        self._colour = bytearray(_COLOUR.size)
        start = ctypes.addressof((ctypes.c_char * _COLOUR.size).from_buffer(self._colour))
        self._colour_places = tuple(start + 4 * number for number in range(4))
        # Objects differ in little but their place, which is not part of a run.
        self._known: dict[tuple[float, ...], TextRun | None] = {}

    def run_of(self, index: int, item: int) -> TextRun | None:
        """The run of a character of the text object at this address; nothing where it makes no sense."""
        if not pdfium_calls.matrix_of(self._page, index, self._matrix_place):
            return None
        numbers = _MATRIX.unpack(self._matrix)
        given = pdfium_calls.font_size_of(self._page, index)
        font, mode = pdfium_calls.font_of(item), pdfium_calls.render_mode_of(item)
        unseen = self._unseen(item, mode)
        key = (*numbers[:4], given, font or 0, mode, *unseen)
        if key in self._known:
            return self._known[key]
        run = self._read(item, numbers, given=given, mode=mode, unseen=unseen)
        if run is None or run.clip is None:
            self._known[key] = run
        return run

    def _unseen(self, item: int, mode: int) -> tuple[bool, bool]:
        """Whether the text object is transparent, and whether it has the colour of paper."""
        colour_of = pdfium_calls.stroke_colour_of if mode == _STROKED else pdfium_calls.fill_colour_of
        if not colour_of(item, *self._colour_places):
            return False, False
        colour = _COLOUR.unpack(self._colour)
        return is_transparent(colour), is_pale(colour)

    def _read(
        self, item: int, numbers: Matrix, *, given: float, mode: int, unseen: tuple[bool, bool]
    ) -> TextRun | None:
        size = given * text_scale(numbers)
        font = self._fonts.font_of(item)
        if font is None or not is_finite(*numbers[:4], size) or size <= 0:
            return None
        a, b, c, d = numbers[:4]
        along = (a * a + b * b) ** 0.5
        clip: Box | None = None
        if size > _LEAST_STRETCH * given * along or size > _LARGEST_USUAL_SIZE:
            clip = PathReader().clip_box(ctypes.cast(item, pdfium.FPDF_PAGEOBJECT), self._view.matrix)
            size = min(size, given * along) if clip is not None and along else size
        return TextRun(
            font,
            round(size, 3),
            baseline_angle(numbers, self._view.quarter_turns),
            (a * c + b * d) / (along * along or 1.0) > _LEAST_SLANT,
            mode == _INVISIBLE,
            abs(b) > abs(a),
            b == 0 and c == 0,
            clip,
            *unseen,
        )


# Signs before their identity is known: which of them are printed at all, and which belong to the page.

# A character as pdfium tells it, or several that share one glyph: what it claims to be, whether that is a bare code,
# its run, origin, ink and advance. Plain tuples, since a page has thousands.
Sign: TypeAlias = tuple[str, bool, TextRun, float, float, Box, float]

# A line goes on where the next sign begins within this of its end, and stands no further above or below; in sizes.
_GOES_ON, _SAME_ROW = 1.0, 1.5


def drop_transparent(signs: list[Sign]) -> tuple[list[Sign], int]:
    """The signs without the transparent ones, which only take up room; all of them where most are transparent.

    Then they are a layer of recognised text. The number of transparent signs that were kept comes with them.
    """
    hidden = sum(sign[2].is_transparent for sign in signs)
    if 2 * hidden > len(signs):
        return signs, hidden
    return ([sign for sign in signs if not sign[2].is_transparent] if hidden else signs), 0


def keep_running_lines(signs: list[Sign], view: View) -> tuple[list[Sign], int]:
    """The signs on the page and those that continue a line of it over its sides, and how many others there were."""
    page = (0.0, 0.0, view.width, view.height)
    outside = {place for place, (_, _, _, _, _, box, _) in enumerate(signs) if not meets(page, box)}
    if not outside:
        return signs, 0
    outside -= _continuing(signs, range(len(signs)), outside=outside, view=view, is_rightwards=True)
    outside -= _continuing(signs, range(len(signs) - 1, -1, -1), outside=outside, view=view, is_rightwards=False)
    return [sign for place, sign in enumerate(signs) if place not in outside], len(outside)


def _continuing(
    signs: Sequence[Sign], places: Iterable[int], *, outside: set[int], view: View, is_rightwards: bool
) -> set[int]:
    """Places of the signs outside that continue the line of the sign on the page that comes before them."""
    found: set[int] = set()
    end, row, size, is_open = 0.0, 0.0, 0.0, False
    for place in places:
        _, _, run, _, y, box, _ = signs[place]
        edge, start = (box[2], box[0]) if is_rightwards else (-box[0], -box[2])
        if place not in outside:
            end, row, size, is_open = edge, y, run.size, run.angle == 0
            continue
        is_beside = box[3] >= 0 and box[1] <= view.height and run.angle == 0
        is_near = start <= end + _GOES_ON * max(size, run.size) and abs(y - row) <= _SAME_ROW * max(size, run.size)
        # No line worth keeping runs further than the page is wide.
        is_beyond = 0 < box[0] < 2 * view.width if is_rightwards else -view.width < box[0] < 0
        if is_open and is_beside and is_near and is_beyond:
            found.add(place)
            end, size = max(end, edge), max(size, run.size)
        else:
            is_open = False
    return found


# Which style is the plain one on a page: where the prose has no serifs, letters without serifs are plain letters.
#
# Slides and many handouts are set so. There a sans letter in a formula is the upright letter, not one of an alphabet
# of its own; on a page with serifs it is.


def settle_plain_style(fonts: Sequence[tuple[FontIdentities, int]]) -> None:
    """Make sans fonts upright where they print more signs than the serif ones. Math fonts stay as they are.

    Each font comes with the number of signs it prints on the page; called before the first question to any of them.
    """
    prose = [(font, count) for font, count in fonts if not font.is_math]
    sans = sum(count for font, count in prose if font.style == "sans")
    if sans > sum(count for font, count in prose if font.style == "upright"):
        for font, _ in prose:
            if font.style == "sans":
                font.style = "upright"
