"""Whether a summary may be kept: short plain words, no number that the summarised text does not hold. Judges no sense.

A number in a summary would be read as if the document gave it. So every one, in digits or as a word, must stand there.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from fractions import Fraction

from mathrag.extract.number_check import written_numbers

LONGEST_SUMMARY = 700
_SHORTEST_SUMMARY = 12
_LONGEST_SOURCE = 20_000
_LONGEST_NUMBER = 40
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*|\.\d+")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_PLAIN = re.compile(r"\d+(?:\.\d+)?|\.\d+")
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_PLAIN_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_POWER = re.compile(
    r"(?:(\d{1,40}(?:[.,]\d{1,40})?)\s?(?:×|·|\*|x|\\times|\\cdot)\s?)?10\s?\^\s?\{?([-−+]?\d{1,2})\}?"
    r"|(\d{1,40}(?:[.,]\d{1,40})?)[eE]([-−+]?\d{1,2})(?!\d)"
)
_WORD = re.compile(r"[^\W\d_]+")


def summary_problem(summary: str, source: str) -> tuple[str, str] | None:
    """A code and a sentence why a summary may not be kept; None where it may."""
    line = " ".join(summary.split())
    if len(line) < _SHORTEST_SUMMARY:
        return "empty", "the summary says nothing"
    if len(line) > LONGEST_SUMMARY:
        return "too_long", f"the summary has {len(line)} characters, and at most {LONGEST_SUMMARY} are kept"
    if not line.isprintable():
        return "unprintable", "the summary holds characters that cannot be shown"
    number = foreign_number_in(line, source)
    if number is not None:
        return "number_not_in_source", f"the number {number} does not stand in the text that was summarised"
    return None


def foreign_number_in(summary: str, source: str) -> str | None:
    """A number of a summary, as written there, that the source does not hold; None where it holds them all."""
    source = source[:_LONGEST_SOURCE]
    known = written_numbers(source)
    # By themselves: `10^5` in the text may be said as 100000, but 1200 and an exponent do not make 12.
    values = known.values | frozenset(_powers(_plain(source)))
    plain = _plain(summary)
    for written, value in _numbers(plain):
        if value is None or value not in values:
            return written
    for match in _WORD.finditer(plain):
        word = match.group()
        values = written_numbers(word).values
        if values and not any(known.hold(value) for value in values):
            return word
    return None


def _numbers(text: str) -> Iterator[tuple[str, Fraction | None]]:
    """Every number in digits with the one way it is read; None for what is no ordinary number."""
    for match in _NUMBER.finditer(text):
        written = match.group()
        digits = "".join(str(unicodedata.decimal(each)) if each.isdecimal() else each for each in written)
        digits = digits.replace(",", "") if _GROUPED.fullmatch(digits) else digits.replace(",", ".")
        is_plain = len(digits) <= _LONGEST_NUMBER and _PLAIN.fullmatch(digits) is not None
        yield written, Fraction(digits) if is_plain else None


def _plain(text: str) -> str:
    """In plain characters; digits above the line keep their distance."""
    raised = _RAISED.sub(lambda match: f"^{match.group().translate(_PLAIN_DIGITS)}", text)
    return unicodedata.normalize("NFKC", raised)


def _powers(text: str) -> Iterator[Fraction]:
    """Numbers that a text writes with a power of ten."""
    for match in _POWER.finditer(text):
        digits, exponent = match.group(1) or match.group(3) or "1", match.group(2) or match.group(4)
        if len(digits) <= _LONGEST_NUMBER and _PLAIN.fullmatch(digits.replace(",", ".")):
            yield Fraction(digits.replace(",", ".")) * Fraction(10) ** int(exponent.replace("−", "-"))
