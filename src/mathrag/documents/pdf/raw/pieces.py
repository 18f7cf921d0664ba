"""Tell the pieces of stretched signs apart where their map gives every piece the name of the whole.

OpenType math fonts print a tall brace as tip, stem, waist, stem, tip, and many maps call all five a brace. Pieces of
one sign touch and stand in one column (or, for wide accents, in one row), so their places tell what they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mathrag.documents.pdf.page_content import Glyph

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
    if family is None or family != _FAMILIES[above.text] or above.size != below.size or above.font != below.font:
        return False
    near = 0.12 * above.size
    touches = min(abs(below.box[1] - above.box[3]), abs(above.box[1] - below.box[3])) < near or _overlap(above, below)
    return touches and abs(above.x - below.x) < near and abs(above.y - below.y) > 0.02 * above.size


def _overlap(first: Glyph, second: Glyph) -> bool:
    shared = min(first.box[3], second.box[3]) - max(first.box[1], second.box[1])
    return 0 < shared < 0.6 * min(first.box[3] - first.box[1], second.box[3] - second.box[1])


def _named_column(column: list[Glyph]) -> list[Glyph]:
    first = column[0].text
    if first in _ARROW_STEMS:
        # The head is wider than the stem, whichever end it is at.
        widths = [glyph.box[2] - glyph.box[0] for glyph in column]
        return [
            glyph
            if width > 0.7 * max(widths) and min(widths) < 0.7 * max(widths)
            else replace(glyph, text=_ARROW_STEMS[first])
            for glyph, width in zip(column, widths, strict=True)
        ]
    whole = _FAMILIES[first]
    top, stem, bottom, *waist = tuple(_COLUMNS[whole])
    if any(glyph.text != whole for glyph in column):
        return [replace(glyph, text=stem) if glyph.text == whole else glyph for glyph in column]
    order = sorted(range(len(column)), key=lambda index: column[index].box[1])
    signs = [stem] * len(column)
    signs[order[0]], signs[order[-1]] = top, bottom
    if waist and len(column) >= 3:
        widest = max(order[1:-1], key=lambda index: column[index].box[2] - column[index].box[0])
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
    shared = min(left.box[2], right.box[2]) - max(left.box[0], right.box[0])
    return abs(left.y - right.y) < 0.02 * left.size and shared > -0.03 * left.size and left.text != "\u0305"


def _one(left: Glyph, right: Glyph) -> Glyph:
    box = (
        min(left.box[0], right.box[0]),
        min(left.box[1], right.box[1]),
        max(left.box[2], right.box[2]),
        max(left.box[3], right.box[3]),
    )
    # Stems of arrows are cut from the arrow to the left; the head decides.
    text = "\u20d7" if "\u20d7" in (left.text, right.text) else left.text
    x = min(left.x, right.x)
    advance = max(left.x + left.advance, right.x + right.advance) - x
    return replace(left, text=text, x=x, box=box, advance=advance)
