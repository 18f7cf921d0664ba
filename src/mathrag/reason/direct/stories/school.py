"""Exercises of school algebra that name their own rule: common multiples, slopes, distances, sequences."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence
from fractions import Fraction

from mathrag.language.quantities import find_quantities
from mathrag.language.quantities.numbers import ORDINAL_POWERS
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.stories.reading import Value
from mathrag.reason.direct.stories.solved import Solved, number_text
from mathrag.types.quantity import NO_UNIT

_NUMBER = r"[-−]?[0-9]+(?:\.[0-9]+)?(?:/[0-9]+)?"
_POINT = re.compile(rf"\(\s*(?P<x>{_NUMBER})\s*,\s*(?P<y>{_NUMBER})\s*\)")
_WHOLE = re.compile(r"(?<![\w./^*])[0-9]{1,12}(?![\w/^*]|[.][0-9])")
_FRACTION = re.compile(r"(?<![\w./])[0-9]{1,9}/(?P<below>[0-9]{1,9})(?![\w/])")
_LISTED = re.compile(rf"(?<![\w.,]){_NUMBER}(?:\s*,\s*{_NUMBER}){{2,}}")
_ADDED = re.compile(rf"(?<![\w.,]){_NUMBER}(?:\s*\+\s*{_NUMBER}){{2,}}")
_FIRST_TERM = re.compile(rf"\bfirst term (?:is|of|=|a_?1 ?=) ?(?P<value>{_NUMBER})(?![\w/.]*\w)", re.IGNORECASE)
_COMMON = re.compile(
    rf"\bcommon (?P<kind>difference|ratio) (?:is|of|=|d ?=|r ?=) ?(?P<value>{_NUMBER}|[a-z]+)\b", re.IGNORECASE
)
_TERMS = re.compile(r"\bfirst (?P<count>[0-9]{1,6}|[a-z]+(?:-[a-z]+)?) terms\b", re.IGNORECASE)
_NTH = re.compile(r"\b(?P<count>[0-9]{1,6})(?:st|nd|rd|th) term\b|\b(?P<word>[a-z]+(?:-[a-z]+)?) term\b", re.IGNORECASE)
_MOST_TERMS = 100_000


def solve_school(text: str) -> Solved | None:
    """The value of an exercise that names its rule and gives bare numbers."""
    plain = text.replace("−", "-").replace("–", "-")
    for solve in (_common, _between_points, _sequence):
        found = solve(plain)
        if found is not None:
            return found
    return None


def _value(text: str) -> Fraction:
    return Fraction(text.replace(" ", ""))


def _used(texts: Sequence[str]) -> list[Value]:
    return [Value(place, "num", _value(text), NO_UNIT, text, False) for place, text in enumerate(texts)]


def _asks(text: str, name: str) -> bool:
    return re.search(rf"\b(?:{any_of(name)})\b", text.lower()) is not None


def _common(text: str) -> Solved | None:
    """The least common multiple, the greatest common factor, the least common denominator."""
    multiple, factor = _asks(text, "stories.common_multiple"), _asks(text, "stories.common_factor")
    denominator = _asks(text, "stories.common_denominator")
    if multiple + factor + denominator != 1 or re.search(r"[\^=]|[0-9][a-z]|\?.*\?", text.lower()):
        return None
    if denominator:
        written = [match[0] for match in _FRACTION.finditer(text)]
        numbers = [int(each.split("/")[1]) for each in written]
    else:
        written = _WHOLE.findall(re.sub(r"\([A-Z]{2,4}\)", " ", text))
        numbers = [int(each) for each in written]
    if not 2 <= len(numbers) <= 20 or not all(numbers) or len(re.findall(r"[0-9]+(?:/[0-9]+)?", text)) != len(numbers):
        return None
    # Numbers of two units have no common measure: they belong to something else that is asked.
    if len({mention.units[0].text for mention in find_quantities(text) if mention.units}) > 1:
        return None
    found = math.gcd(*numbers) if factor else math.lcm(*numbers)
    rule = "greatest common factor" if factor else "least common multiple"
    line = f"{rule} of {', '.join(map(str, numbers))}"
    return Solved(Fraction(found), None, rule, (line,), _used(written))


def _between_points(text: str) -> Solved | None:
    """The slope of the line through two points, and their distance."""
    points = [(_value(match["x"]), _value(match["y"])) for match in _POINT.finditer(text)]
    rest = _POINT.sub(" ", text)
    slope, distance = _asks(rest, "stories.slope"), _asks(rest, "stories.distance_of_points")
    if len(points) != 2 or slope == distance or re.search(r"[0-9=]", rest) or _asks(rest, "stories.other_lines"):
        return None
    (x1, y1), (x2, y2) = points
    written = [match[0].strip("()") for match in _POINT.finditer(text)]
    used = _used([part.strip() for each in written for part in each.split(",")])
    if slope:
        if x1 == x2:
            return None
        line = f"({number_text(y2)} - ({number_text(y1)})) / ({number_text(x2)} - ({number_text(x1)}))"
        return Solved((y2 - y1) / (x2 - x1), None, "slope: m = (y2 - y1) / (x2 - x1)", (line,), used)
    square = (x2 - x1) ** 2 + (y2 - y1) ** 2
    root = (
        Fraction(math.isqrt(int(square)))
        if square.denominator == 1 and math.isqrt(int(square)) ** 2 == square
        else None
    )
    found = root if root is not None else Fraction(math.sqrt(square)).limit_denominator(10**10)
    return Solved(found, None, "distance: d = sqrt((x2 - x1)^2 + (y2 - y1)^2)", (f"sqrt({number_text(square)})",), used)


# Sequences.


def _sequence(text: str) -> Solved | None:
    """A term or a sum of an arithmetic or geometric sequence, given by its first terms or by its rule."""
    if not _asks(text, "stories.sequences"):
        return None
    given = _terms(text)
    if given is None:
        return None
    first, step, is_ratio, used = given
    if _asks(text, "stories.infinite_sum"):
        if not is_ratio or abs(step) >= 1:
            return None
        return Solved(
            first / (1 - step), None, "infinite geometric series: S = a / (1 - r)", (f"{first} / (1 - {step})",), used
        )
    count, wants_sum = _count(text)
    if count is None or not 1 <= count <= _MOST_TERMS or (is_ratio and count > 400):
        return None
    if wants_sum:
        if not is_ratio:
            found = Fraction(count, 2) * (2 * first + (count - 1) * step)
            return Solved(
                found,
                None,
                "arithmetic series: S = n (2 a + (n - 1) d) / 2",
                (f"n = {count}, a = {first}, d = {step}",),
                used,
            )
        found = first * count if step == 1 else first * (1 - step**count) / (1 - step)
        return Solved(
            found, None, "geometric series: S = a (1 - r^n) / (1 - r)", (f"n = {count}, a = {first}, r = {step}",), used
        )
    found = first * step ** (count - 1) if is_ratio else first + (count - 1) * step
    rule = "geometric sequence: a_n = a r^(n - 1)" if is_ratio else "arithmetic sequence: a_n = a + (n - 1) d"
    return Solved(found, None, rule, (f"n = {count}, a = {first}, {'r' if is_ratio else 'd'} = {step}",), used)


def _terms(text: str) -> tuple[Fraction, Fraction, bool, list[Value]] | None:
    """The first term, the step or ratio, and which of both it is."""
    first, common = _FIRST_TERM.search(text), _COMMON.search(text)
    if first is not None and common is not None:
        step = _spoken(common["value"])
        if step is None:
            return None
        return _value(first["value"]), step, common["kind"].lower() == "ratio", _used([first["value"]])
    listed = _LISTED.search(text) or _ADDED.search(text)
    if listed is None:
        return None
    written = re.findall(rf"(?:(?<=[,+ ])|^){_NUMBER}", listed[0]) or []
    terms = [_value(each) for each in re.split(r"\s*[,+]\s*", listed[0].strip())]
    steps = {second - one for one, second in itertools.pairwise(terms)}
    if len(steps) == 1 and not re.search(r"\bgeometric\b", text, re.IGNORECASE):
        return terms[0], steps.pop(), False, _used(written)
    if all(terms):
        ratios = {second / one for one, second in itertools.pairwise(terms)}
        if len(ratios) == 1 and not re.search(r"\barithmetic\b", text, re.IGNORECASE):
            return terms[0], ratios.pop(), True, _used(written)
    return None


def _count(text: str) -> tuple[int | None, bool]:
    """How many terms are summed, or which term is asked for."""
    if re.search(r"\bsum\b", text, re.IGNORECASE):
        match = _TERMS.search(text)
        if match is None:
            return None, True
        value = _spoken(match["count"])
        return (int(value) if value is not None and value.denominator == 1 else None), True
    for match in _NTH.finditer(text):
        word = (match["word"] or "").lower()
        if match["count"]:
            return int(match["count"]), False
        if word != "first" and word in ORDINAL_POWERS:
            return int(ORDINAL_POWERS[word]), False
    return None, False


def _spoken(text: str) -> Fraction | None:
    """A number in digits or in one word."""
    from mathrag.language.quantities.numbers import Scan, read_words

    if re.fullmatch(_NUMBER, text):
        return _value(text)
    found = read_words(Scan(text), 0)
    return None if found is None else Fraction(str(found.value))
