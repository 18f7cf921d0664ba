"""Check that every number of an equation stands in the text it was read from. Judges numbers only, not what they mean.

A number that the text does not hold was made up on the way, by a reader or by whoever proposed the formula, and would
be computed with as if the author had written it.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from mathrag.types.expression import Equation, Expression, Measure, Number, walk

# Written by leaving it out: a factor, an exponent, the size of a unit vector, the one unit a quantity is divided by.
_IMPLIED = Fraction(1)
_LONGEST_TEXT = 20_000
_LONGEST_NUMBER = 60
_LARGEST_EXPONENT = 400
# A tag of mark-up; in LaTeX what stands between `x < 10` and `n > 50` is none.
_TAG = re.compile(r"</?[A-Za-z][\w:-]{0,40}(?:\s[^<>\\&]{0,2000})?/?>")
# Digits may be grouped by commas and thin blanks (`1{,}000`, `1\,000`), and a comma may be a decimal point.
_GROUPING = re.compile(r"(?<=\d)(?:\{,\}|\\[,;:! ]|[   ’']|\{\\,\})(?=\d)")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*|\.\d+")
# In LaTeX one digit after these is an argument of its own: `\frac12`, `x^23`.
_ARGUMENT = re.compile(r"(?:\\[A-Za-z]+|[\^_}])\s*(\d{2,})")
_WITH_EXPONENT = re.compile(r"\d\s*[eE]\s*[+\-−]?\d")
_PLAIN = re.compile(r"\d+(?:\.\d*)?|\.\d+")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_GROUPED_BY_DOTS = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?")
# A zero or a small o above a number, in place of a degree sign.
_TYPED_DEGREE = re.compile(r"\d\s*\^\s*\{?\s*[0oO](?![0-9A-Za-z])|\d\s+[oO0](?![0-9A-Za-z.])")
_SCRIPTS = ("⁰¹²³⁴⁵⁶⁷⁸⁹", "₀₁₂₃₄₅₆₇₈₉")
_SCRIPT = re.compile("|".join(f"[{digits}]+" for digits in _SCRIPTS))
_PLAIN_DIGITS = str.maketrans("".join(_SCRIPTS), "0123456789" * len(_SCRIPTS))
_WORD = re.compile(r"[^\W\d_]+")
_WORDS: dict[str, tuple[Fraction, ...]] = {
    word: (Fraction(value),)
    for value, words in enumerate(
        (
            "zero",
            "one",
            "two twice double doubled square squared",
            "three thrice triple cube cubed",
            "four quadruple",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        )
    )
    for word in words.split()
}
_WORDS |= {
    "half": (Fraction(1, 2), Fraction(2)),
    "halves": (Fraction(1, 2), Fraction(2)),
    "third": (Fraction(1, 3), Fraction(3)),
    "thirds": (Fraction(1, 3), Fraction(3)),
    "quarter": (Fraction(1, 4), Fraction(4)),
    "quarters": (Fraction(1, 4), Fraction(4)),
    "fourth": (Fraction(1, 4), Fraction(4)),
    "hundred": (Fraction(100),),
    "thousand": (Fraction(1000),),
    "million": (Fraction(10**6),),
    "percent": (Fraction(100), Fraction(1, 100)),
    "deg": (Fraction(180),),
    "degree": (Fraction(180),),
    "degrees": (Fraction(180),),
    "circ": (Fraction(180),),
}
# Signs that stand for a number.
_SIGNS: dict[str, tuple[Fraction, ...]] = {
    "%": (Fraction(100), Fraction(1, 100)),
    "‰": (Fraction(1000), Fraction(1, 1000)),
    "°": (Fraction(180),),
    "∘": (Fraction(180),),
    "º": (Fraction(180),),
    "˚": (Fraction(180),),
}


@dataclass(frozen=True, slots=True)
class WrittenNumbers:
    """What a text holds: numbers without their signs, and the exponents of the powers of ten that it may write."""

    values: frozenset[Fraction]
    exponents: frozenset[int]

    def hold(self, size: Fraction) -> bool:
        """Whether a number is among them, as it is, as a fraction of two, or as digits and a power of ten."""
        if size == _IMPLIED or size in self.values:
            return True
        if size.denominator != 1 and self._holds(size.numerator) and self._holds(size.denominator):
            return True
        return any(
            size * factor in self.values or size * factor == _IMPLIED
            for exponent in self.exponents
            for factor in (Fraction(10**exponent), Fraction(1, 10**exponent))
        )

    def _holds(self, number: int) -> bool:
        return number == _IMPLIED or number in self.values


def foreign_number(equation: Equation, text: str, *, terms: int = 0) -> str | None:
    """A number of the equation that the text does not hold; None where it holds them all.

    `terms` is how many terms an open sum was written out with: whole numbers up to it count the terms.
    """
    for value in _numbers(equation):
        if isinstance(value, Decimal) and abs(value.adjusted()) > _LARGEST_EXPONENT:
            return str(value)
        size = Fraction(value)
        is_count = size.denominator == 1 and 0 < size <= terms
        if size != _IMPLIED and not is_count and not written_numbers(text[:_LONGEST_TEXT]).hold(size):
            return str(value)
    return None


def _numbers(equation: Equation) -> Iterator[int | Decimal]:
    sides: tuple[Expression, ...] = (equation.left, equation.right)
    for side in sides:
        for node in walk(side):
            match node:
                case Number(value):
                    yield value
                case Measure(number):
                    yield number.value


@lru_cache(maxsize=1024)
def written_numbers(text: str) -> WrittenNumbers:
    """The numbers that a text holds: in digits, scripts, fractions, words and signs."""
    found: set[Fraction] = set()
    plain = _SCRIPT.sub(lambda match: f" {match.group().translate(_PLAIN_DIGITS)} ", html.unescape(_TAG.sub(" ", text)))
    plain = "".join(map(_spaced, plain))
    for sign, values in _SIGNS.items():
        if sign in text or sign in plain:
            found.update(values)
    if _TYPED_DEGREE.search(plain):
        found.update(_SIGNS["°"])
    for word in _WORD.findall(plain.casefold()):
        found.update(_WORDS.get(word, ()))
    for written in (plain, _GROUPING.sub("", plain)):
        for match in _NUMBER.finditer(written):
            found.update(_readings(match.group()))
        for match in _ARGUMENT.finditer(written):
            digits = match.group(1)[:_LONGEST_NUMBER]
            found.update(Fraction(part) for part in (digits[0], digits[1], digits[1:], digits[2:]) if part)
    has_powers = 10 in found or _WITH_EXPONENT.search(plain) is not None
    small = (int(each) for each in found if each.denominator == 1 and 0 < each <= _LARGEST_EXPONENT)
    return WrittenNumbers(frozenset(found), frozenset(small if has_powers else ()))


def _spaced(character: str) -> str:
    """A character as plain ones; a fraction that is one character stands by itself."""
    if character.isascii():
        return character
    plain = unicodedata.normalize("NFKC", character).replace("⁄", "/")
    return f" {plain} " if plain != character and any(map(str.isdecimal, plain)) else plain


def _readings(written: str) -> Iterator[Fraction]:
    """A run of digits, dots and commas, read every way that people write numbers."""
    if len(written) > _LONGEST_NUMBER:
        return
    digits = "".join(str(unicodedata.decimal(each)) if each.isdecimal() else each for each in written)
    candidates = {digits, digits.replace(",", "."), *digits.split(",")}
    if _GROUPED.fullmatch(digits):
        candidates.add(digits.replace(",", ""))
    if _GROUPED_BY_DOTS.fullmatch(digits):
        candidates.add(digits.replace(".", "").replace(",", "."))
    for candidate in candidates:
        if _PLAIN.fullmatch(candidate):
            yield Fraction(candidate)
