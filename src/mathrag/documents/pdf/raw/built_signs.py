"""Join signs that fonts build of several glyphs into the one sign they are. Works on neighbours and their boxes.

`\\neq` is a slash and an equals sign, `\\longrightarrow` a minus and an arrow, an overbrace four quarter pieces, an
accent of a word a glyph beside its letter; an arrow over a vector may be drawn as a path. Tall delimiters and radicals
stay in pieces: only the reader of formulas can tell where one ends and the next begins.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from mathrag.documents.boxes import Box, height, holds, middle_x, middle_y, overlap_x, overlap_y, union, width
from mathrag.documents.pdf.page_content import Drawing, Glyph, Rule
from mathrag.documents.pdf.raw.font_encodings import (
    BRACE_DOWN_LEFT,
    BRACE_DOWN_RIGHT,
    BRACE_EXTENSION,
    BRACE_RIGHT,
    BRACE_UP_LEFT,
    BRACE_UP_RIGHT,
    HOOK_LEFT,
    HOOK_RIGHT,
    MAPS_TO_BAR,
    MARKS,
)

# Tell the pieces of stretched signs apart where their map gives every piece the name of the whole.
#
# OpenType math fonts print a tall brace as tip, stem, waist, stem, tip, and many maps call all five a brace. Pieces
# of one sign touch and stand in one column (or, for wide accents, in one row), so their places tell what they are.

# Of the whole sign: top, stem, bottom and, for braces, the waist.
_COLUMNS = {
    "(": "⎛⎜⎝", ")": "⎞⎟⎠", "[": "⎡⎢⎣", "]": "⎤⎥⎦", "⌊": "⎢⎢⎣", "⌋": "⎥⎥⎦", "⌈": "⎡⎢⎢", "⌉": "⎤⎥⎥",
    "{": "⎧⎪⎩⎨", "}": "⎫⎪⎭⎬", "√": "⏐⏐⎷",
}  # fmt: skip
_ARROW_STEMS = {"↑": "⏐", "↓": "⏐", "↕": "⏐", "⇑": "‖", "⇓": "‖", "⇕": "‖"}
# Any sign of a family to the whole sign, so that a column may hold pieces that are named and others that are not.
_WHOLES = {piece: whole for whole, pieces in _COLUMNS.items() for piece in reversed(pieces)}
_FAMILIES = {**_WHOLES, **{whole: whole for whole in _COLUMNS}, **dict(_ARROW_STEMS.items())}
_WIDE = frozenset("⏞⏟\u20d7\u20d6\u0302\u0303\u0305")


def name_stacked_pieces(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """The glyphs with columns of equal signs named piece by piece."""
    named = list(glyphs)
    end = 0
    for start in [index for index, glyph in enumerate(named) if glyph.text in _FAMILIES]:
        if start < end:
            continue
        end = start + 1
        while end < len(named) and _continues_column(named[end - 1], named[end]):
            end += 1
        if end - start > 1:
            named[start:end] = _named_column(named[start:end])
    return named


def _continues_column(above: Glyph, below: Glyph) -> bool:
    """Whether the second glyph touches the first from above or below, at the same place in its row."""
    family = _FAMILIES.get(below.text)
    is_same_type = above.size == below.size and above.font == below.font
    if family is None or family != _FAMILIES[above.text] or not is_same_type:
        return False
    near = 0.12 * above.size
    touches = min(abs(below.box[1] - above.box[3]), abs(above.box[1] - below.box[3])) < near or _overlap(above, below)
    return touches and abs(above.x - below.x) < near and abs(above.y - below.y) > 0.02 * above.size


def _overlap(first: Glyph, second: Glyph) -> bool:
    return 0 < overlap_y(first.box, second.box) < 0.6 * min(height(first.box), height(second.box))


def _named_column(column: list[Glyph]) -> list[Glyph]:
    first = column[0].text
    if first in _ARROW_STEMS:
        # The head is wider than the stem, whichever end it is at.
        widths = [width(glyph.box) for glyph in column]
        has_head = min(widths) < 0.7 * max(widths)
        return [
            glyph if has_head and across > 0.7 * max(widths) else replace(glyph, text=_ARROW_STEMS[first])
            for glyph, across in zip(column, widths, strict=True)
        ]
    whole = _FAMILIES[first]
    top, stem, bottom, *waist = tuple(_COLUMNS[whole])
    if any(glyph.text != whole for glyph in column):
        return [replace(glyph, text=stem) if glyph.text == whole else glyph for glyph in column]
    order = sorted(range(len(column)), key=lambda index: column[index].box[1])
    signs = [stem] * len(column)
    signs[order[0]], signs[order[-1]] = top, bottom
    if waist and len(column) >= 3:
        widest = max(order[1:-1], key=lambda index: width(column[index].box))
        signs[widest] = waist[0]
    return [replace(glyph, text=sign) for glyph, sign in zip(column, signs, strict=True)]


def join_spans(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """The glyphs with wide accents and braces that come in several touching pieces made one."""
    if sum(glyph.text in _WIDE for glyph in glyphs) < 2:
        return list(glyphs)
    joined: list[Glyph] = []
    for glyph in glyphs:
        if glyph.text in _WIDE and joined and _continues_row(joined[-1], glyph):
            joined[-1] = _one(joined[-1], glyph)
        else:
            joined.append(glyph)
    return joined


def _continues_row(left: Glyph, right: Glyph) -> bool:
    same_kind = left.text == right.text or {left.text, right.text} == {"\u20d6", "\u20d7"}
    if not same_kind or left.font != right.font or left.size != right.size:
        return False
    touches = overlap_x(left.box, right.box) > -0.03 * left.size
    return abs(left.y - right.y) < 0.02 * left.size and touches and left.text != "\u0305"


def _one(left: Glyph, right: Glyph) -> Glyph:
    # Stems of arrows are cut from the arrow to the left; the head decides.
    text = "\u20d7" if "\u20d7" in (left.text, right.text) else left.text
    return replace(_united(left, right, text), style=left.style)


_SLASH_OVERLAY = "\u0338"
_MACRON, _STROKE = "\u0304", "\u0335"
# Of its size: a glyph no higher is the bar alone, whatever its font calls it.
_FLAT = 0.2
# In points: what fills a brace between its pieces lies in its box, but for the thickness of a line.
_BRACE_SLACK = 0.5
_OVER = BRACE_DOWN_LEFT + BRACE_UP_RIGHT + BRACE_UP_LEFT + BRACE_DOWN_RIGHT
_UNDER = BRACE_UP_LEFT + BRACE_DOWN_RIGHT + BRACE_DOWN_LEFT + BRACE_UP_RIGHT
_BRACES = {
    _OVER: "⏞",
    _UNDER: "⏟",
    BRACE_DOWN_LEFT + BRACE_RIGHT + BRACE_UP_LEFT + BRACE_RIGHT: "⏞",
    BRACE_UP_LEFT + BRACE_RIGHT + BRACE_DOWN_LEFT + BRACE_RIGHT: "⏟",
}
# Left and right part that overlap, and the sign they make; a minus that was joined before may be joined again.
_OVERLAPPING = {
    ("−", "→"): "⟶", ("−", "⟶"): "⟶", ("-", "→"): "⟶", ("←", "−"): "⟵", ("⟵", "−"): "⟵", ("←", "→"): "⟷",
    ("⟵", "→"): "⟷", ("=", "⇒"): "⟹", ("=", "⟹"): "⟹", ("⇐", "="): "⟸", ("⟸", "="): "⟸", ("⇐", "⇒"): "⟺",
    ("−", "−"): "−", ("=", "="): "=", ("⟸", "⇒"): "⟺",
    (MAPS_TO_BAR, "→"): "↦", (MAPS_TO_BAR, "⟶"): "⟼", (MAPS_TO_BAR, "−"): MAPS_TO_BAR, (HOOK_LEFT, "→"): "↪",
    ("←", HOOK_RIGHT): "↩",
}  # fmt: skip
_RIGHT_PARTS = frozenset(right for _, right in _OVERLAPPING)
_STACKED = {
    frozenset("∼="): "≅",
    frozenset("⇀↽"): "⇌",
    frozenset("→←"): "⇄",
    frozenset("∼<"): "≲",
    frozenset("∼>"): "≳",
}
_STACKING = frozenset("∼⇀↽→←")


def assemble_signs(glyphs: Sequence[Glyph]) -> tuple[Glyph, ...]:
    """The glyphs with built-up signs joined. What is left of the private marks has no identity."""
    joined = _join_overlapping(_join_braces(join_spans(name_stacked_pieces(glyphs))))
    joined = _overlay(joined, _NEGATING, fits=_negates, join=_negated)
    joined = _overlay(joined, _STACKING, fits=_is_stacked, join=_stacked)
    joined = _overlay(joined, _BARRING, fits=_bars, join=_barred)
    return tuple(replace(glyph, text="", evidence="none") if glyph.text in MARKS else glyph for glyph in joined)


_Drawn = TypeVar("_Drawn", Rule, Drawing)


def drop_brace_fillings(drawn: Sequence[_Drawn], glyphs: Sequence[Glyph]) -> tuple[_Drawn, ...]:
    """The rules or drawings without those that fill a horizontal brace between its pieces."""
    braces = [glyph.box for glyph in glyphs if glyph.text in ("⏞", "⏟") and glyph.evidence != "shape"]
    if not braces:
        return tuple(drawn)
    return tuple(item for item in drawn if not any(holds(brace, item.box, slack=_BRACE_SLACK) for brace in braces))


def _united(first: Glyph, second: Glyph, text: str) -> Glyph:
    """Two glyphs as one upright sign: the ink of both, and the pen from the first origin to the last end."""
    box = union([first.box, second.box])
    x = min(first.x, second.x)
    advance = max(first.x + first.advance, second.x + second.advance) - x
    return replace(first, text=text, x=x, box=box, advance=advance, style="upright")


def _join_braces(glyphs: list[Glyph]) -> list[Glyph]:
    pieces = {BRACE_DOWN_LEFT, BRACE_DOWN_RIGHT, BRACE_UP_LEFT, BRACE_UP_RIGHT, BRACE_RIGHT}
    if not any(glyph.text in pieces for glyph in glyphs):
        return glyphs
    joined: list[Glyph] = []
    open_pieces: list[Glyph] = []
    for glyph in glyphs:
        if glyph.text == BRACE_EXTENSION:
            continue
        if glyph.text not in pieces:
            joined.append(glyph)
            continue
        open_pieces.append(glyph)
        sign = _BRACES.get("".join(piece.text for piece in open_pieces[-4:]))
        if sign is not None:
            whole = open_pieces[-4]
            for piece in open_pieces[-3:]:
                whole = _united(whole, piece, sign)
            joined.append(whole)
            del open_pieces[-4:]
    return [*joined, *open_pieces]


def _join_overlapping(glyphs: list[Glyph]) -> list[Glyph]:
    """Join neighbours of one row that overlap by their ink."""
    joined: list[Glyph] = []
    for glyph in glyphs:
        while joined and glyph.text in _RIGHT_PARTS:
            left = joined[-1]
            sign = _OVERLAPPING.get((left.text, glyph.text))
            if sign is None or abs(left.y - glyph.y) > 0.05 * glyph.size:
                break
            # The bar of a maps-to arrow touches the arrow; a minus must run into what follows.
            gap = glyph.box[0] - left.box[2]
            is_bar = left.text in (MAPS_TO_BAR, HOOK_LEFT) or glyph.text == HOOK_RIGHT
            # Two of a kind may be meant twice; they are one only where they run far into each other.
            most = 0.15 if is_bar else -0.1 if left.text == glyph.text else 0.04
            if gap > most * glyph.size or (left.text == glyph.text and abs(glyph.x - left.x) < 0.01):
                break
            glyph = _united(left, glyph, sign)
            joined.pop()
        joined.append(glyph)
    return joined


def _overlay(
    glyphs: list[Glyph],
    overlays: frozenset[str],
    *,
    fits: Callable[[Glyph, Glyph], bool],
    join: Callable[[Glyph, Glyph], Glyph],
) -> list[Glyph]:
    """Put every glyph that lies on another one into it. Few glyphs are overlays, so each may look at its neighbours."""
    lost: set[int] = set()
    changed: dict[int, Glyph] = {}
    for index in [index for index, glyph in enumerate(glyphs) if glyph.text in overlays]:
        for other in _nearby(index, len(glyphs)):
            if other in lost or index in lost or other in changed:
                continue
            if fits(glyphs[index], glyphs[other]):
                changed[other] = join(glyphs[other], glyphs[index])
                lost.add(index)
                break
    if not lost:
        return glyphs
    return [changed.get(index, glyph) for index, glyph in enumerate(glyphs) if index not in lost]


# pdfium orders overlapping signs as it likes, but not far from where they stand in the file.
_REACH = 40
_NEGATING = frozenset((_SLASH_OVERLAY, "/"))
_BARRING = frozenset((_MACRON, _STROKE, "ℏ"))


def _nearby(index: int, count: int) -> Sequence[int]:
    around = [place for step in range(1, _REACH) for place in (index + step, index - step)]
    return [place for place in around if 0 <= place < count]


def _middle(box: Box) -> tuple[float, float]:
    return middle_x(box), middle_y(box)


def _negates(slash: Glyph, other: Glyph) -> bool:
    if slash.text == "/":
        if other.text not in "∈∋":
            return False
    elif slash.text != _SLASH_OVERLAY or not _composed(other.text):
        return False
    x, y = _middle(slash.box)
    centre, level = _middle(other.box)
    return abs(x - centre) < 0.3 * other.size and abs(y - level) < 0.3 * other.size


def _composed(text: str) -> str:
    composed = unicodedata.normalize("NFC", text + _SLASH_OVERLAY)
    return composed if len(composed) == 1 and text != _SLASH_OVERLAY else ""


def _negated(base: Glyph, slash: Glyph) -> Glyph:
    return _united(base, slash, _composed(base.text))


def _is_stacked(upper: Glyph, lower: Glyph) -> bool:
    if upper.text not in _STACKING or frozenset((upper.text, lower.text)) not in _STACKED:
        return False
    x, y = _middle(upper.box)
    centre, level = _middle(lower.box)
    is_near = abs(y - level) < 0.5 * lower.size and abs(upper.size - lower.size) < 0.1 * lower.size
    return is_near and abs(x - centre) < 0.08 * lower.size


def _stacked(lower: Glyph, upper: Glyph) -> Glyph:
    whole = _united(lower, upper, _STACKED[frozenset((upper.text, lower.text))])
    return replace(whole, y=max(lower.y, upper.y))


def _bars(bar: Glyph, letter: Glyph) -> bool:
    """Whether a macron crosses the stem of an h: Planck's constant as plain TeX builds it."""
    if letter.text != "h" or letter.style != "italic":
        return False
    # Some fonts give the whole name to the bar alone, and print the letter besides.
    if bar.text == "ℏ" and height(bar.box) > _FLAT * bar.size:
        return False
    x, y = _middle(bar.box)
    left, top, right, _ = letter.box
    return left - 0.15 * letter.size < x < right and top + 0.02 * letter.size < y < letter.y


def _barred(letter: Glyph, bar: Glyph) -> Glyph:
    return _united(letter, bar, "ℏ")


# Join accents with the letters of words under them. Accents of formulas stay signs of their own.
#
# Classic text fonts print an accent and then its letter; read in that order, the accent would fall on the letter
# before.

# Grave, acute, circumflex, tilde, breve, diaeresis, ring, double acute, caron, cedilla, ogonek. A bar and a dot over an
# upright letter are a mean and a rate more often than a letter of a language.
_ACCENTS = frozenset("\u0300\u0301\u0302\u0303\u0306\u0308\u030a\u030b\u030c\u0327\u0328")
# Some maps of fonts give them as signs that take a place of their own.
_SPACING = {
    "`": "\u0300", "´": "\u0301", "ˆ": "\u0302", "˜": "\u0303", "˘": "\u0306", "¨": "\u0308", "˚": "\u030a",
    "˝": "\u030b", "ˇ": "\u030c", "¸": "\u0327", "˛": "\u0328",
}  # fmt: skip
_RING = "\u030a"
_DOTLESS = {"ı": "i", "ȷ": "j"}
# Accent and letter are this near in the file, which may print the letters of some words first; so are letters of one
# word; and letters of a word stand this near on the page, in sizes.
_ACCENT_REACH, _WORD_REACH, _SAME_WORD = 24, 4, 0.12


def compose_accents(glyphs: Sequence[Glyph]) -> tuple[Glyph, ...]:
    """The glyphs with every accent over a letter of a word put into that letter."""
    places = [
        place
        for place, glyph in enumerate(glyphs)
        if not glyph.is_math_font and (glyph.text in _ACCENTS or glyph.text in _SPACING)
    ]
    if not places:
        return tuple(glyphs)
    changed: dict[int, Glyph] = {}
    lost: set[int] = set()
    for place in places:
        base = _letter_of(glyphs, place)
        if base is None or base in changed:
            continue
        letter, accent = glyphs[base], glyphs[place]
        text = _accented(letter.text, accent.text)
        changed[base] = replace(letter, text=text, box=union([letter.box, accent.box]))
        lost.add(place)
    return tuple(changed.get(place, glyph) for place, glyph in enumerate(glyphs) if place not in lost)


def _accented(letter: str, accent: str) -> str:
    composed = unicodedata.normalize("NFC", _DOTLESS.get(letter, letter) + _SPACING.get(accent, accent))
    return composed if len(composed) == 1 else ""


def _letter_of(glyphs: Sequence[Glyph], place: int) -> int | None:
    """The place of the letter under an accent, if it is part of a word or a letter of its own, as the angstrom is."""
    accent = glyphs[place]
    middle = middle_x(accent.box)
    near = range(max(0, place - _ACCENT_REACH), min(len(glyphs), place + _ACCENT_REACH + 1))
    for base in sorted(near, key=lambda other: (abs(other - place), -other)):
        letter = glyphs[base]
        if not (letter.text.isalpha() and _is_alike(letter, accent) and _accented(letter.text, accent.text)):
            continue
        if letter.box[0] <= middle <= letter.box[2] and abs(letter.y - accent.y) < 0.5 * letter.size:
            is_angstrom = letter.text == "A" and _SPACING.get(accent.text, accent.text) == _RING
            return base if is_angstrom or _is_in_word(glyphs, base) else None
    return None


def _is_alike(first: Glyph, second: Glyph) -> bool:
    return first.font == second.font and abs(first.size - second.size) < 0.02 * second.size


def _is_in_word(glyphs: Sequence[Glyph], base: int) -> bool:
    letter = glyphs[base]
    for place in range(max(0, base - _WORD_REACH), min(len(glyphs), base + _WORD_REACH + 1)):
        other = glyphs[place]
        if place == base or not (other.text.isalpha() and other.text[-1].islower() and _is_alike(other, letter)):
            continue
        gap = max(other.box[0] - letter.box[2], letter.box[0] - other.box[2])
        if abs(other.y - letter.y) < 0.05 * letter.size and gap < _SAME_WORD * letter.size:
            return True
    return False


# Signs that span others: arrows and hats over letters, braces over and under terms. Judged by the ink around them.
#
# Browsers draw them as paths, and many fonts use their usual arrow for the one over a vector. Here all of them become
# glyphs at the place of what they span: accents combining, braces as they are. An arrow between two things stays one.

_WIDE_ACCENTS = {
    "→": "\u20d7", "⟶": "\u20d7", "←": "\u20d6", "⟵": "\u20d6", "↔": "\u20e1", "⟷": "\u20e1",
    "\u0302": "\u0302", "\u0303": "\u0303", "\u030c": "\u030c",
}  # fmt: skip
_LONG_ARROWS = {"→": "⟶", "←": "⟵", "↔": "⟷"}
_GLYPH_ARROWS = frozenset("→⟶←⟵↔⟷")
_DRAWN = frozenset(_WIDE_ACCENTS) | {"⏞", "⏟"}
_SPANNED_SIGNS = frozenset("∇∂")
# All of the font size of what is spanned: the nearest and the furthest that its ink may be, how far the sign may
# stand out at either end, how far a neighbour in its own row may be.
_DEEPEST, _NEAREST, _FURTHEST = 0.15, 0.32, 0.6
_FURTHEST_FROM_BRACE = 2.5
_STANDS_OUT = 0.35
_BESIDE = 0.8
# In points, to look no farther: as much as that is at the largest size of a formula.
_WIDEST_BESIDE = 30.0
_TALLEST = 0.8
# Arrows in a row stand at the height of its minus signs, more or less.
_AXIS, _LEVEL = 0.25, 0.2
# The origin of an accent lies below its ink, on the baseline of a low letter.
_RAISED = 0.5


def take_spanning_signs(
    glyphs: Sequence[Glyph], drawings: Sequence[Drawing]
) -> tuple[tuple[Glyph, ...], tuple[Drawing, ...]]:
    """The glyphs, with spanning signs among them, and the drawings that are left."""
    drawn = [drawing for drawing in drawings if drawing.text in _DRAWN]
    arrows = [glyph for glyph in glyphs if glyph.text in _GLYPH_ARROWS and glyph.is_math_font and glyph.angle == 0]
    if not drawn and not arrows:
        return tuple(glyphs), tuple(drawings)
    around = _Surroundings(glyphs)
    behind: dict[int, list[Glyph]] = {}
    taken: set[int] = set()
    for drawing in drawn:
        found = around.sign_of(drawing)
        if found is not None:
            spanned, glyph = found
            behind.setdefault(id(spanned), []).append(glyph)
            taken.add(id(drawing))
    renamed = {
        id(glyph): replace(glyph, text=_WIDE_ACCENTS[glyph.text])
        for glyph in arrows
        if around.spanned(glyph.box) is not None
    }
    placed: list[Glyph] = []
    for glyph in glyphs:
        placed.append(renamed.get(id(glyph), glyph))
        placed.extend(behind.get(id(glyph), ()))
    return tuple(placed), tuple(drawing for drawing in drawings if id(drawing) not in taken)


class _Surroundings:
    """The ink of a page by its left edge."""

    def __init__(self, glyphs: Sequence[Glyph]) -> None:
        inked = [glyph for glyph in glyphs if glyph.angle == 0 and glyph.text and not glyph.text.isspace()]
        self._glyphs = sorted(inked, key=lambda glyph: glyph.box[0])
        self._edges = [glyph.box[0] for glyph in self._glyphs]
        self._widest = max((width(glyph.box) for glyph in inked), default=0.0)

    def sign_of(self, drawing: Drawing) -> tuple[Glyph, Glyph] | None:
        """The glyph to stand for a drawing, behind the one it goes with; nothing where it goes with none."""
        middle, bottom = middle_y(drawing.box), drawing.box[3]
        if drawing.text in ("⏞", "⏟"):
            below = drawing.text == "⏞"
            spanned = self._braced(drawing.box, is_below=below)
            return (spanned, _standing(spanned, drawing.text, drawing.box, middle)) if spanned else None
        spanned = self.spanned(drawing.box)
        if spanned is not None:
            return spanned, _standing(
                spanned, _WIDE_ACCENTS[drawing.text], drawing.box, bottom + _RAISED * spanned.size
            )
        before = self._beside(drawing.box)
        if drawing.text not in _LONG_ARROWS or before is None or height(drawing.box) > _TALLEST * before.size:
            return None
        if width(drawing.box) < before.size / 2:
            return None
        arrow = _standing(before, _LONG_ARROWS[drawing.text], drawing.box, middle + _AXIS * before.size)
        return before, arrow

    def spanned(self, sign: Box) -> Glyph | None:
        """The first letter that a sign stands close over, if letters reach from its one end to the other."""
        middle = middle_x(sign)
        below = [
            glyph
            for glyph in self._between(sign[0], sign[2])
            if -_DEEPEST * glyph.size < glyph.box[1] - sign[3] < _FURTHEST * glyph.size and glyph.box[3] > sign[3]
        ]
        if not below or not any(_is_letter(glyph) for glyph in below) or self._beside(sign) is not None:
            return None
        size = max(glyph.size for glyph in below)
        if min(glyph.box[1] for glyph in below) - sign[3] > _NEAREST * size:
            return None
        left, _, right, _ = union(glyph.box for glyph in below)
        is_over = left < middle < right + _STANDS_OUT * size
        slack = _STANDS_OUT * size
        return below[0] if is_over and left <= sign[0] + slack and right >= sign[2] - slack else None

    def _braced(self, brace: Box, *, is_below: bool) -> Glyph | None:
        """A glyph of what a brace spans, the largest, if there is ink along the whole brace."""
        found: list[Glyph] = []
        for glyph in self._between(brace[0], brace[2]):
            gap = glyph.box[1] - brace[3] if is_below else brace[1] - glyph.box[3]
            if -_STANDS_OUT * glyph.size < gap < _FURTHEST_FROM_BRACE * glyph.size:
                found.append(glyph)
        if not found:
            return None
        largest = max(found, key=lambda glyph: glyph.size)
        slack = 1.5 * _STANDS_OUT * largest.size
        ink = union(glyph.box for glyph in found)
        return largest if ink[0] <= brace[0] + slack and ink[2] >= brace[2] - slack else None

    def _beside(self, sign: Box) -> Glyph | None:
        """The letter, digit or bracket before or behind a sign in its own row."""
        level = middle_y(sign)
        for glyph in self._between(sign[0] - _WIDEST_BESIDE, sign[2] + _WIDEST_BESIDE):
            left, _, right, _ = glyph.box
            is_level = abs(level - (glyph.y - _AXIS * glyph.size)) < _LEVEL * glyph.size
            if not is_level or not (glyph.text[:1].isalnum() or glyph.text in "()[]"):
                continue
            gap = max(left - sign[2], sign[0] - right)
            if -0.1 * glyph.size < gap < _BESIDE * glyph.size:
                return glyph
        return None

    def _between(self, left: float, right: float) -> list[Glyph]:
        """The glyphs whose ink lies between two edges or reaches into what is."""
        first = bisect_left(self._edges, left - self._widest)
        return [glyph for glyph in self._glyphs[first : bisect_right(self._edges, right)] if glyph.box[2] > left]


def _is_letter(glyph: Glyph) -> bool:
    return glyph.text[:1].isalpha() or glyph.text in _SPANNED_SIGNS


def _standing(spanned: Glyph, text: str, box: Box, y: float) -> Glyph:
    return replace(
        spanned,
        text=text,
        x=box[0],
        y=y,
        advance=width(box),
        box=box,
        style="upright",
        is_bold=False,
        is_math_font=True,
        evidence="shape",
    )
