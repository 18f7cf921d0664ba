"""Join accents with the letters of words under them. Accents of formulas stay signs of their own.

Classic text fonts print an accent and then its letter; read in that order, the accent would fall on the letter before.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from mathrag.documents.pdf.page_content import Glyph

# Grave, acute, circumflex, tilde, breve, diaeresis, ring, double acute, caron, cedilla, ogonek. A bar and a dot over an
# upright letter are a mean and a rate more often than a letter of a language.
_ACCENTS = frozenset("\u0300\u0301\u0302\u0303\u0306\u0308\u030a\u030b\u030c\u0327\u0328")
_RING = "\u030a"
_DOTLESS = {"ı": "i", "ȷ": "j"}
# Accent and letter, and letters of one word, are this near in the file; and letters of a word this near on the page, in
# sizes.
_REACH, _SAME_WORD = 4, 0.12


def compose_accents(glyphs: Sequence[Glyph]) -> tuple[Glyph, ...]:
    """The glyphs with every accent over a letter of a word put into that letter."""
    places = [place for place, glyph in enumerate(glyphs) if glyph.text in _ACCENTS and not glyph.is_math_font]
    if not places:
        return tuple(glyphs)
    changed: dict[int, Glyph] = {}
    lost: set[int] = set()
    for place in places:
        base = _letter_of(glyphs, place)
        if base is None or base in changed:
            continue
        letter, accent = glyphs[base], glyphs[place]
        box = (
            min(letter.box[0], accent.box[0]),
            min(letter.box[1], accent.box[1]),
            max(letter.box[2], accent.box[2]),
            max(letter.box[3], accent.box[3]),
        )
        changed[base] = replace(letter, text=_composed(letter.text, accent.text), box=box)
        lost.add(place)
    return tuple(changed.get(place, glyph) for place, glyph in enumerate(glyphs) if place not in lost)


def _composed(letter: str, accent: str) -> str:
    composed = unicodedata.normalize("NFC", _DOTLESS.get(letter, letter) + accent)
    return composed if len(composed) == 1 else ""


def _letter_of(glyphs: Sequence[Glyph], place: int) -> int | None:
    """The place of the letter under an accent, if it is part of a word or a letter of its own, as the angstrom is."""
    accent = glyphs[place]
    middle = (accent.box[0] + accent.box[2]) / 2
    near = range(max(0, place - _REACH), min(len(glyphs), place + _REACH + 1))
    for base in sorted(near, key=lambda other: (abs(other - place), -other)):
        letter = glyphs[base]
        if not (letter.text.isalpha() and _is_alike(letter, accent) and _composed(letter.text, accent.text)):
            continue
        if letter.box[0] <= middle <= letter.box[2] and abs(letter.y - accent.y) < 0.5 * letter.size:
            is_angstrom = letter.text == "A" and accent.text == _RING
            return base if is_angstrom or _is_in_word(glyphs, base) else None
    return None


def _is_alike(first: Glyph, second: Glyph) -> bool:
    return first.font == second.font and abs(first.size - second.size) < 0.02 * second.size


def _is_in_word(glyphs: Sequence[Glyph], base: int) -> bool:
    letter = glyphs[base]
    for place in range(max(0, base - _REACH), min(len(glyphs), base + _REACH + 1)):
        other = glyphs[place]
        if place == base or not (other.text.isalpha() and other.text[-1].islower() and _is_alike(other, letter)):
            continue
        gap = max(other.box[0] - letter.box[2], letter.box[0] - other.box[2])
        if abs(other.y - letter.y) < 0.05 * letter.size and gap < _SAME_WORD * letter.size:
            return True
    return False
