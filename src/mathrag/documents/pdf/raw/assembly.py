"""Join signs that fonts build of several glyphs into the one sign they are. Works on neighbours and their boxes.

`\\neq` is a slash and an equals sign, `\\longrightarrow` a minus and an arrow, an overbrace four quarter pieces. Tall
delimiters and radicals stay in pieces: only the reader of formulas can tell where one ends and the next begins.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from mathrag.documents.pdf.page_content import Box, Drawing, Glyph, Rule
from mathrag.documents.pdf.raw.pieces import join_spans, name_stacked_pieces
from mathrag.documents.pdf.raw.slot_tables import (
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

_SLASH_OVERLAY = "\u0338"
_MACRON, _STROKE = "\u0304", "\u0335"
_FLAT = 0.2
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
    return tuple(item for item in drawn if not any(_lies_in(item.box, brace) for brace in braces))


def _lies_in(inner: Box, outer: Box) -> bool:
    slack = 0.5
    return (
        inner[0] >= outer[0] - slack
        and inner[1] >= outer[1] - slack
        and inner[2] <= outer[2] + slack
        and inner[3] <= outer[3] + slack
    )


def _united(first: Glyph, second: Glyph, text: str) -> Glyph:
    a, b = first.box, second.box
    box = (min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]))
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
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _negates(slash: Glyph, other: Glyph) -> bool:
    if slash.text == "/":
        if other.text not in "∈∋":
            return False
    elif slash.text != _SLASH_OVERLAY or not _composed(other.text):
        return False
    x, y = _middle(slash.box)
    centre, height = _middle(other.box)
    return abs(x - centre) < 0.3 * other.size and abs(y - height) < 0.3 * other.size


def _composed(text: str) -> str:
    composed = unicodedata.normalize("NFC", text + _SLASH_OVERLAY)
    return composed if len(composed) == 1 and text != _SLASH_OVERLAY else ""


def _negated(base: Glyph, slash: Glyph) -> Glyph:
    return _united(base, slash, _composed(base.text))


def _is_stacked(upper: Glyph, lower: Glyph) -> bool:
    if upper.text not in _STACKING or frozenset((upper.text, lower.text)) not in _STACKED:
        return False
    x, y = _middle(upper.box)
    centre, height = _middle(lower.box)
    is_near = abs(y - height) < 0.5 * lower.size and abs(upper.size - lower.size) < 0.1 * lower.size
    return is_near and abs(x - centre) < 0.08 * lower.size


def _stacked(lower: Glyph, upper: Glyph) -> Glyph:
    whole = _united(lower, upper, _STACKED[frozenset((upper.text, lower.text))])
    return replace(whole, y=max(lower.y, upper.y))


def _bars(bar: Glyph, letter: Glyph) -> bool:
    """Whether a macron crosses the stem of an h: Planck's constant as plain TeX builds it."""
    if letter.text != "h" or letter.style != "italic":
        return False
    # Some fonts give the whole name to the bar alone, and print the letter besides.
    if bar.text == "ℏ" and bar.box[3] - bar.box[1] > _FLAT * bar.size:
        return False
    x, y = _middle(bar.box)
    left, top, right, _ = letter.box
    return left - 0.15 * letter.size < x < right and top + 0.02 * letter.size < y < letter.y


def _barred(letter: Glyph, bar: Glyph) -> Glyph:
    return _united(letter, bar, "ℏ")
