"""Numbers in digits and in words: separators, exponents, powers of ten, fractions, π, uncertainties. No units."""

from __future__ import annotations

import bisect
import math
import re
from dataclasses import dataclass, replace
from decimal import Decimal

from mathrag.language.tokens import Token, tokens_of
from mathrag.language.word_classes import word_list


def _numbered(name: str, start: int = 0, step: int = 1) -> dict[str, int]:
    return {word: start + step * place for place, word in enumerate(word_list(name))}


ONES = _numbered("numbers.ones")
TENS = _numbered("numbers.tens", 20, 10)
SCALES = {"thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
GROUPS = {"dozen": 12, "hundred": 100, **SCALES}
ORDINAL_POWERS = _numbered("numbers.ordinals", 1) | {
    "fifteenth": 15,
    "sixteenth": 16,
    "eighteenth": 18,
    "nineteenth": 19,
    "twentieth": 20,
}
_SINGULAR_FRACTIONS = {
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "eighth": 8,
    "tenth": 10,
    "hundredth": 100,
    "thousandth": 1000,
}
FRACTIONS = {"half": 2, "halves": 2} | {
    form: below for word, below in _SINGULAR_FRACTIONS.items() for form in (word, word + "s")
}
VULGAR_FRACTIONS = {
    "½": (1, 2),
    "⅓": (1, 3),
    "⅔": (2, 3),
    "¼": (1, 4),
    "¾": (3, 4),
    "⅕": (1, 5),
    "⅖": (2, 5),
    "⅗": (3, 5),
    "⅘": (4, 5),
    "⅙": (1, 6),
    "⅚": (5, 6),
    "⅛": (1, 8),
    "⅜": (3, 8),
    "⅝": (5, 8),
    "⅞": (7, 8),
    "⅒": (1, 10),
}

# Words a number in words, a fraction or an ordinal can begin with.
NUMBER_STARTS = frozenset((*ONES, *TENS, *ORDINAL_POWERS, "a", "an", "half", "pi", "π"))


class Scan:
    """The tokens of one text, with look-ups by index and by place."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pieces = list(tokens_of(text, grain="plain"))
        self._starts = [piece.start for piece in self.pieces]

    def index_at(self, place: int) -> int:
        """The first piece that starts at or after a place."""
        return bisect.bisect_left(self._starts, place)

    def piece(self, index: int) -> Token | None:
        """The piece with this index, if there is one."""
        return self.pieces[index] if 0 <= index < len(self.pieces) else None

    def word(self, index: int) -> str:
        """The word with this index in small letters; empty when it is no word."""
        piece = self.piece(index)
        return piece.lower if piece is not None and piece.kind == "word" else ""

    def is_mark(self, index: int, marks: str) -> bool:
        """Whether the piece is one of these marks."""
        piece = self.piece(index)
        return piece is not None and piece.kind == "mark" and piece.text in marks


# Numbers written in words: `twenty-five`, `one hundred and five`, `two thirds`, `six times ten to the minus nine`.

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


_THOUSANDS = re.compile(r"k(?P<tail>[0-9]{1,3})?(?![^\W_])")


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


MAXIMAL_DIGITS = 60
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_BLANK = r"[ \t\u00a0\u2009\u202f]{0,2}(?:\\[,;: ])?"
_E_EXPONENT = re.compile(r"[eE]([+\-−–]?[0-9]{1,4})(?![0-9]|\.[0-9])")
_TIMES_TEN = re.compile(_BLANK + r"(?:[×xX✕⨯*·⋅]|\\times|\\cdot|times)" + _BLANK + r"10")
_EXPONENT = re.compile(
    r"[ ]?(?:\^|\*\*)[ ]?(?:\{[ ]?([+\-−–]?[0-9]{1,4})[ ]?\}|\(([+\-−–]?[0-9]{1,4})\)|([+\-−–]?[0-9]{1,4}))(?![0-9])"
    r"|([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4})"
)
# A decimal point set apart, as formulas lose it in copying. No sentence ends with a blank before its point.
_SPACED_POINT = re.compile(r"[ \u00a0\u2009\u202f]\.[ \u00a0\u2009\u202f]([0-9]{1,12})(?![0-9])")
_LOST_CARET = re.compile(r"[\-−–]([0-9]{1,2})(?![0-9]|\.[0-9])")
_CONCISE = re.compile(r"\(([0-9]{1,2})\)")
_FRACTION = re.compile(r"[/⁄]([1-9][0-9]{0,3})(?![0-9.,]?[0-9]|/)")
_MIXED = re.compile(r"[ \u00a0-]([1-9][0-9]?)[/⁄]([1-9][0-9]{0,2})(?![0-9]|/)")
_PI = re.compile(r"[ ]?(?:π|pi|\\pi)(?!\w)")
_OVER = re.compile(r"[ ]?/[ ]?([1-9][0-9]{0,3})(?![0-9]|\.[0-9])")


@dataclass(frozen=True, slots=True)
class Number:
    """A number read from text: where it stands, what it is, and how precisely it was written."""

    start: int
    end: int
    value: int | float
    significant_figures: int | None = None
    uncertainty: float | None = None
    in_words: bool = False
    fraction_words: bool = False
    note: str = ""


def read_numeral(scan: Scan, index: int) -> Number:
    """The number that begins with this piece of digits. A sign before it is the caller's business."""
    piece = scan.pieces[index]
    text = scan.text
    digits = re.sub(r"[,\u00a0\u2009\u202f]", "", piece.text)
    if len(digits) > MAXIMAL_DIGITS:
        return Number(piece.start, piece.end, 0, note=f"a number of more than {MAXIMAL_DIGITS} digits is not read")
    end = piece.end
    if "." not in digits and (spaced := _SPACED_POINT.match(text, end)) is not None:
        digits, end = f"{digits}.{spaced.group(1)}", spaced.end()
    number = Number(piece.start, end, _value(digits), _significant(digits))
    concise = _CONCISE.match(text, number.end)
    if concise and "." in digits:
        step = 10.0 ** -len(digits.partition(".")[2])
        number = replace(number, end=concise.end(), uncertainty=int(concise.group(1)) * step)
    if digits == "10" and (found := _power_of_ten(text, piece.end)) is not None:
        return _scaled(scan, replace(number, value=1, significant_figures=None), *found)
    exponent = _E_EXPONENT.match(text, number.end)
    if exponent:
        return _scaled(scan, number, int(_ascii(exponent.group(1))), exponent.end())
    times = _TIMES_TEN.match(text, number.end)
    if times and (found := _power_of_ten(text, times.end(), lost_caret=True)) is not None:
        return _scaled(scan, number, *found)
    spoken = power_in_words(scan, scan.index_at(number.end))
    if spoken is not None:
        return _scaled(scan, number, *spoken)
    return _with_fraction_or_scale(scan, number, digits, piece)


def _power_of_ten(text: str, place: int, *, lost_caret: bool = False) -> tuple[int, int] | None:
    """The exponent after a 10 and where it ends. `x 10-4`, its caret lost in copying, needs the times sign."""
    match = _EXPONENT.match(text, place) or (_LOST_CARET.match(text, place) if lost_caret else None)
    if match is None:
        return None
    written = next(group for group in match.groups() if group is not None)
    if match.re is _LOST_CARET:
        written = "-" + written
    return int(_ascii(written)), match.end()


def _ascii(exponent: str) -> str:
    return exponent.translate(_SUPERSCRIPTS).replace("−", "-").replace("–", "-")


def _value(digits: str) -> int | float:
    return float(digits) if "." in digits else int(digits)


def _significant(digits: str) -> int | None:
    """Digits that count; trailing zeros of a whole number do not, for want of knowing."""
    bare = digits.replace(".", "").lstrip("0")
    if "." not in digits:
        bare = bare.rstrip("0")
    return len(bare) or None


def times_ten_to(value: int | float, exponent: int) -> float:
    """A value times a power of ten, in one rounding; small and large floats print with an exponent of their own."""
    digits = Decimal(value) if isinstance(value, int) else Decimal(repr(value))
    return float(digits.scaleb(exponent))


def _scaled(scan: Scan, number: Number, exponent: int, end: int) -> Number:
    """The number times a power of ten, in one rounding."""
    if abs(exponent) > 308:
        return replace(number, end=end, note="the power of ten is larger than any number can hold")
    value = times_ten_to(number.value, exponent)
    if not math.isfinite(value) or (value == 0.0 and number.value):
        return replace(number, end=end, note="the number is larger or smaller than any number can hold")
    spread = number.uncertainty
    written = scan.text[number.start : number.end]
    return replace(
        number,
        end=end,
        value=value,
        uncertainty=None if spread is None else times_ten_to(spread, exponent),
        significant_figures=_significant_of(written) if number.significant_figures else None,
    )


def _significant_of(text: str) -> int | None:
    """In scientific notation every digit written counts."""
    return len(re.sub(r"[^0-9]", "", text.partition("(")[0]).lstrip("0")) or None


def _with_fraction_or_scale(scan: Scan, number: Number, digits: str, piece: Token) -> Number:
    text = scan.text
    if digits.isdecimal() and number.uncertainty is None:
        mixed = _MIXED.match(text, number.end)
        if mixed and int(mixed.group(1)) < int(mixed.group(2)):
            part = int(mixed.group(1)) / int(mixed.group(2))
            return Number(number.start, mixed.end(), number.value + part)
        fraction = _FRACTION.match(text, number.end)
        if fraction and text[piece.start - 1 : piece.start] != "/":
            return Number(number.start, fraction.end(), int(digits) / int(fraction.group(1)))
        vulgar = text[number.end : number.end + 1]
        if vulgar in VULGAR_FRACTIONS and vulgar:
            above, below = VULGAR_FRACTIONS[vulgar]
            return Number(number.start, number.end + 1, number.value + above / below)
    circle = _PI.match(text, number.end)
    if circle:
        return pi_multiple(scan, number.start, circle.end(), number.value)
    thousands = _THOUSANDS.match(text, number.end)
    if thousands:
        # `250k`, and `4k7` as parts of circuits are marked.
        tail = thousands["tail"] or ""
        value = round(number.value * 1000 + int(tail or 0) * 10 ** (3 - len(tail)), 6)
        return replace(number, end=thousands.end(), value=int(value) if float(value).is_integer() else value)
    scale = scale_word(scan, scan.index_at(number.end), number.end)
    if scale is not None:
        factor, end = scale
        value = number.value * factor
        return replace(number, end=end, value=round(value) if float(value).is_integer() else value)
    return number


def pi_multiple(scan: Scan, start: int, end: int, factor: int | float) -> Number:
    """`2π`, `3π/4`, `4π × 10^-7`, from where the π ends."""
    value = factor * math.pi
    over = _OVER.match(scan.text, end)
    if over:
        value, end = value / int(over.group(1)), over.end()
    times = _TIMES_TEN.match(scan.text, end)
    if times and (found := _power_of_ten(scan.text, times.end())) is not None and abs(found[0]) <= 300:
        value, end = value * 10.0 ** found[0], found[1]
    return Number(start, end, value)
