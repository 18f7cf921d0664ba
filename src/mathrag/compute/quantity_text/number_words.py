"""Numbers written in words: `twenty-five`, `one hundred and five`, `two thirds`, `six times ten to the minus nine`."""

from __future__ import annotations

from dataclasses import dataclass

from mathrag.compute.quantity_text.scan import Scan
from mathrag.compute.quantity_text.vocabulary import FRACTIONS, GROUPS, ONES, ORDINAL_POWERS, SCALES, TENS

_SCALE_WORDS = {**GROUPS, "mln": 10**6, "bn": 10**9}
_MAXIMAL_WORDS = 24


@dataclass(frozen=True, slots=True)
class WordNumber:
    """A number in words up to (not with) piece `next_index`; `is_fraction` for halves and thirds."""

    value: int | float
    next_index: int
    is_fraction: bool = False


def read_words(scan: Scan, index: int) -> WordNumber | None:
    """The longest number in words from this piece."""
    word = scan.word(index)
    if word in ("a", "an"):
        return _after_article(scan, index)
    if word == "half":
        return WordNumber(0.5, index + 1, is_fraction=True)
    whole = _cardinal(scan, index)
    if whole is None:
        return None
    value: int | float = whole.value
    index = whole.next_index
    fraction = _fraction_word(scan, index)
    if fraction:
        return WordNumber(value / fraction, index + _hyphen(scan, index) + 1, is_fraction=True)
    if scan.word(index) == "point" and scan.word(index + 1) in ONES:
        value, index = _decimals(scan, index + 1, value)
    elif scan.word(index) == "and" and scan.word(index + 1) in ("a", "one") and scan.word(index + 2) in FRACTIONS:
        return WordNumber(value + 1 / FRACTIONS[scan.word(index + 2)], index + 3)
    return WordNumber(value, index)


def _after_article(scan: Scan, index: int) -> WordNumber | None:
    word = scan.word(index + 1)
    if word in GROUPS:
        value, following = _groups(scan, index + 1, 1)
        return WordNumber(value, following)
    if word in ("half", "quarter", "third", "fifth", "tenth", "hundredth", "thousandth"):
        return WordNumber(1 / FRACTIONS[word], index + 2, is_fraction=True)
    return None


def _fraction_word(scan: Scan, index: int) -> int:
    """The denominator in `two thirds` or `three-quarters`; `second` and `quarter` alone are units or nouns."""
    place = index + _hyphen(scan, index)
    word = scan.word(place)
    if word not in FRACTIONS or word == "fourth":
        return 0
    return FRACTIONS[word]


def _hyphen(scan: Scan, index: int) -> int:
    """1 when a hyphen stands between two words without blanks."""
    piece, before, after = scan.piece(index), scan.piece(index - 1), scan.piece(index + 1)
    if piece is None or before is None or after is None or piece.text not in "-‐‑" or after.kind != "word":
        return 0
    return int(before.end == piece.start and piece.end == after.start)


def _cardinal(scan: Scan, index: int) -> WordNumber | None:
    """`one hundred and five thousand two hundred`."""
    start = index
    total = current = 0
    while index - start < _MAXIMAL_WORDS:
        place = index + (_hyphen(scan, index) if index > start else 0)
        word = scan.word(place)
        if index > start and word == "and" and current % 100 == 0 and current and _is_small(scan.word(index + 1)):
            index += 1
            continue
        value = TENS.get(word) or ONES.get(word, -1)
        if value >= 0 and _fits(current, value):
            current += value
            index = place + 1
        elif word == "hundred" and 0 < current < 100:
            current, index = current * 100, place + 1
        elif word in SCALES and current:
            total, current, index = total + current * SCALES[word], 0, place + 1
        elif word == "dozen" and current:
            current, index = current * 12, place + 1
        else:
            break
    return WordNumber(total + current, index) if index > start else None


def _is_small(word: str) -> bool:
    return word in TENS or word in ONES


def _fits(current: int, value: int) -> bool:
    """Whether a word can follow: ones after tens, either after hundreds; `two three` are two numbers."""
    if current == 0:
        return True
    last = current % 100
    if last == 0:
        return True
    return last >= 20 and last % 10 == 0 and 0 < value < 10


def _decimals(scan: Scan, index: int, whole: int | float) -> tuple[float, int]:
    digits = ""
    while scan.word(index) in ONES and ONES[scan.word(index)] < 10 and len(digits) < 12:
        digits += str(ONES[scan.word(index)])
        index += 1
    return float(f"{whole}.{digits or 0}"), index


def _groups(scan: Scan, index: int, value: int) -> tuple[int, int]:
    while scan.word(index) in GROUPS:
        value *= GROUPS[scan.word(index)]
        index += 1
    return value, index


def scale_word(scan: Scan, index: int, end: int) -> tuple[int, int] | None:
    """`million` after digits (`3.5 million`), with the place where it ends."""
    piece = scan.piece(index)
    if piece is None or piece.start - end > 1 or piece.text.lower() not in _SCALE_WORDS:
        return None
    return _SCALE_WORDS[piece.text.lower()], piece.end


def power_in_words(scan: Scan, index: int) -> tuple[int, int] | None:
    """`times ten to the minus nine`, `x 10 to the power of 5`: the exponent and where it ends."""
    if scan.word(index) not in ("times", "x") and not scan.is_mark(index, "×*"):
        return None
    return ten_to_the(scan, index + 1)


def ten_to_the(scan: Scan, index: int) -> tuple[int, int] | None:
    """`ten to the (power of) (minus) nine`: the exponent and where it ends."""
    base = scan.piece(index)
    if base is None or base.text.lower() not in ("ten", "10") or scan.word(index + 1) != "to":
        return None
    index += 2
    if scan.word(index) == "the":
        index += 1
    if scan.word(index) == "power":
        index += 1
        index += int(scan.word(index) == "of")
    sign = 1
    if scan.word(index) in ("minus", "negative") or scan.is_mark(index, "-−–"):
        sign, index = -1, index + 1
    piece = scan.piece(index)
    if piece is None:
        return None
    if piece.kind == "number" and piece.text.isdecimal() and len(piece.text) < 4:
        exponent, end = int(piece.text), piece.end
        suffix = scan.piece(index + 1)
        if suffix is not None and suffix.start == end and suffix.text in ("th", "st", "nd", "rd"):
            index, end = index + 1, suffix.end
    elif piece.text.lower() in ORDINAL_POWERS:
        exponent, end = ORDINAL_POWERS[piece.text.lower()], piece.end
    else:
        words = _cardinal(scan, index)
        if words is None or not isinstance(words.value, int) or words.value > 300:
            return None
        exponent, index = words.value, words.next_index - 1
        end = scan.pieces[index].end
    if scan.word(index + 1) == "power":
        end = scan.pieces[index + 1].end
    return sign * exponent, end
