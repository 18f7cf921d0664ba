"""Numbers written in digits: separators, exponents, powers of ten, fractions, π, concise uncertainties. No units."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from decimal import Decimal

from mathrag.compute.quantity_text.number_words import power_in_words, scale_word
from mathrag.compute.quantity_text.scan import Piece, Scan
from mathrag.compute.quantity_text.vocabulary import VULGAR_FRACTIONS

MAXIMAL_DIGITS = 60
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_BLANK = r"[ \t\u00a0\u2009\u202f]{0,2}(?:\\[,;: ])?"
_E_EXPONENT = re.compile(r"[eE]([+\-−–]?[0-9]{1,4})(?![0-9]|\.[0-9])")
_TIMES_TEN = re.compile(_BLANK + r"(?:[×xX✕⨯*·⋅]|\\times|\\cdot|times)" + _BLANK + r"10")
_EXPONENT = re.compile(
    r"(?:\^|\*\*)[ ]?(?:\{[ ]?([+\-−–]?[0-9]{1,4})[ ]?\}|\(([+\-−–]?[0-9]{1,4})\)|([+\-−–]?[0-9]{1,4}))(?![0-9])"
    r"|([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4})"
)
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
    number = Number(piece.start, piece.end, _value(digits), _significant(digits))
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


def _with_fraction_or_scale(scan: Scan, number: Number, digits: str, piece: Piece) -> Number:
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
