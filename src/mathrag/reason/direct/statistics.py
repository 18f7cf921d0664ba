"""Figures of a list of bare numbers, one or several, whatever is told around them: `median and standard deviation of
4, 8, 6`. Exact; what has two customary meanings is told in both. Values with units have relations of their own.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from mathrag.compute.algebra.polynomials import square_root
from mathrag.language.enumeration import listed
from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.reason.direct.algebra.wording import number_with_digits
from mathrag.reason.direct.listed.reading import Worded, in_words, is_openly_asked, only_list, worded
from mathrag.reason.direct.listed.rows import any_phrase, normal_phrase
from mathrag.reason.direct.listed.ways import WAYS
from mathrag.reason.direct.question_text import tidy
from mathrag.reason.direct.result import (
    PLAIN_FIGURES,
    AlgebraOutcome,
    DirectFailure,
    DirectResult,
    DirectStatement,
    as_number,
    exact_fraction,
    exact_text,
)
from mathrag.types.answer import Provenance, WorkingLine
from mathrag.types.expression import Expression
from mathrag.types.quantity import Quantity

_LONGEST = 1_500
_MOST = 400
_LONGEST_EXACT = 12
# Figures that are called as the way in which relations over lists compute them.
_EXACTLY = frozenset(("mean", "median", "range", "sum"))
# The quartiles of a list by the medians of its halves.
_QUARTERS = {
    "first quartile": "{low}",
    "third quartile": "{high}",
    "interquartile range": "{high} − {low} = {gap}",
    "quartiles": "{low} and {high}",
}
_KINDS = ("sample", "population")
_BETWEEN = frozenset(("and", "the", "also", "then", "or", ",", ";", "/", "&", "(", ")", *_KINDS))
_FIGURE = re.compile(rf"\b(?:{any_of('statistics.figures')})s?\b", re.IGNORECASE)


def answer_statistics(text: str, *, is_last: bool = False) -> AlgebraOutcome:
    """The figures asked for of one list of numbers; None for any other question. One figure alone only where `is_last`
    says that nothing else reads it."""
    if len(text) > _LONGEST or _FIGURE.search(text) is None:
        return None
    asked = worded(in_words(tidy(text)))
    places = only_list(asked) if asked is not None else None
    if is_last and asked is not None and places is None and _is_of_unlisted(asked):
        return DirectFailure("missing", "the numbers themselves are not stated; list them", "list")
    if asked is None or places is None or asked.wanted or not 2 <= len(places) <= _MOST:
        return None
    found, names = _named(asked.gaps)
    if not found or (not is_last and len(found) == 1 and found[0] in word_class("statistics.left_to_others")):
        return None
    if any(asked.mentions[place].units for place in places) or not _are_asked(names, asked):
        return None
    numbers = [exact_fraction(asked.mentions[place].value) * asked.signs[place] for place in places]
    return _told(found, numbers, asked.text)


def _is_of_unlisted(asked: Worded) -> bool:
    """Whether a figure is asked for that needs every number, of so many that are not told: "the median of five
    numbers, their mean is 12". A deviation may follow from a variance or from squares."""
    words = frozenset(" ".join(asked.gaps).split())
    figures, _ = _named(asked.gaps)
    needed = [each for each in figures if each not in word_class("statistics.of_totals")]
    name = any_phrase(
        frozenset(each for each, figure in _figures().items() if figure not in word_class("statistics.of_totals"))
    )
    assert name is not None
    if len(needed) != 1 or "square" in words:
        return False
    for place, mention in enumerate(asked.mentions):
        ends = re.sub(r" of (?:the |these |those )?$", " ", asked.gaps[place])
        noun = asked.gaps[place + 1].split()[:1]
        is_number = mention.kind == "count" and bool(noun) and noun[0] in word_class("statistics.unlisted")
        if is_number and ends != asked.gaps[place] and any(each.end() == len(ends) - 1 for each in name.finditer(ends)):
            return True
    return False


@cache
def _figures() -> Mapping[str, str]:
    """The names of figures in the spelling of comparison, and what each means."""
    return {normal_phrase(name): figure for name, figure in word_pairs("statistics.figures").items()}


def _are_asked(names: frozenset[str], asked: Worded) -> bool:
    if any(not _BETWEEN.issuperset(words.split()) for words in _between(names, asked.gaps)):
        return False
    return is_openly_asked(names, frozenset((*_KINDS, "both")), asked)


def _between(names: frozenset[str], gaps: Sequence[str]) -> Iterator[str]:
    """The words between two figures that are named one after the other: of "the variance of the mean" there is one."""
    pattern = any_phrase(names)
    if pattern is not None:
        for gap in gaps:
            yield from pattern.split(gap)[1:-1]


def _named(gaps: Sequence[str]) -> tuple[list[str], frozenset[str]]:
    """The figures that are named, each once, and by which names; of a deviation or a variance the kind that is said."""
    pattern = any_phrase(frozenset(_figures()))
    assert pattern is not None
    names = [name for gap in gaps for name in pattern.findall(gap)]
    kinds = [kind for kind in _KINDS if any(f" {kind} " in pattern.sub(" ", gap) for gap in gaps)]
    kind = f"{kinds[0]} " if len(kinds) == 1 else ""
    figures = [_figures()[name] for name in names]
    told = [f"{kind}{each}" if each in ("variance", "deviation") else each for each in figures]
    return list(dict.fromkeys(told)), frozenset(names)


def _told(asked: Sequence[str], numbers: Sequence[Fraction], text: str) -> AlgebraOutcome:
    told = [_figure(each, numbers) for each in asked]
    figures = [each for each in told if isinstance(each, _Figure)]
    if len(figures) < len(told):
        return next(each for each in told if isinstance(each, DirectFailure))
    sentences = [each.said for each in figures]
    how = "computed with floating point" if "geometric mean" in asked else "computed exactly"
    said = f"Of the {len(numbers)} values: {'; '.join(sentences)} ({how})."
    shown = ", ".join(_number(each) for each in sorted(numbers))
    lines = (WorkingLine(f"in order: {shown}"), *(WorkingLine(each) for each in sentences))
    value = figures[0].value if len(figures) == 1 else None
    number = None if value is None else as_number(value)
    if value is None or number is None:
        return DirectStatement(said, ", ".join(asked), lines, kind="story")
    exact = exact_text(value, decimals=True) if isinstance(value, Fraction) else ""
    return DirectResult(
        "list",
        Quantity(number),
        PLAIN_FIGURES,
        asked[0],
        exact=exact if len(exact) <= _LONGEST_EXACT and "/" not in exact else "",
        text=said,
        working=tuple(each.text for each in lines),
        provenance=(Provenance("question", text),),
        lines=lines,
    )


@dataclass(frozen=True, slots=True)
class _Figure:
    """A figure in words, and its value where it is one number."""

    said: str
    value: Fraction | float | None = None


def _figure(name: str, numbers: Sequence[Fraction]) -> _Figure | DirectFailure:
    if name == "mode":
        return _mode(sorted(numbers))
    if name in ("minimum", "maximum"):
        end = min(numbers) if name == "minimum" else max(numbers)
        return _Figure(f"{name} {_number(end)}", end)
    if name in _EXACTLY:
        found = _by_way(name, numbers)
        return _Figure(f"{name} {_number(found)}", found)
    if name in _QUARTERS:
        return _quarter(name, sorted(numbers))
    if name in ("harmonic mean", "geometric mean"):
        return _other_mean(name, numbers)
    kind, _, figure = name.rpartition(" ")
    kinds = [kind] if kind else ["sample", "population"]
    below = {"population": f"divided by {len(numbers)}", "sample": f"divided by {len(numbers)} − 1"}
    found_variances = {each: _by_way(f"{each}_variance", numbers) for each in kinds}
    said = [f"{_spread(found_variances[each], figure)} ({each}: {below[each]})" for each in kinds]
    title = "standard deviation" if figure == "deviation" else "variance"
    value = found_variances.get(kind)
    if value is not None and figure == "deviation":
        return _Figure(f"{title} {said[0]}", WAYS[f"{kind}_deviation"].compute({"x": numbers}))
    return _Figure(f"{title} {listed(said, 'or')}", value)


def _quarter(name: str, ordered: Sequence[Fraction]) -> _Figure:
    """A quartile as the median of a half without the middle value, and with it where that is another."""
    half, odd = divmod(len(ordered), 2)
    told: list[str] = []
    values: list[Fraction] = []
    for kept in (0, odd):
        halves = ordered[: half + kept], ordered[len(ordered) - half - kept :]
        low, high = (_by_way("median", each) for each in halves)
        told.append(_QUARTERS[name].format(low=_number(low), high=_number(high), gap=_number(high - low)))
        values.append({"first quartile": low, "third quartile": high}.get(name, high - low))
    without, including = told
    other = f"; with it {including}" if including != without else ""
    shown = "medians of the lower and the upper half" + (", the middle value left out" if odd else "")
    is_one = name != "quartiles" and values[0] == values[1]
    return _Figure(f"{name} {without} ({shown}{other})", values[0] if is_one else None)


def _by_way(name: str, numbers: Sequence[Fraction]) -> Fraction:
    """A figure that is a fraction, as relations over lists compute it."""
    value = WAYS[name].compute({"x": numbers})
    assert isinstance(value, Fraction)
    return value


def _spread(variance: Fraction, figure: str) -> str:
    if figure == "variance":
        return _number(variance)
    root: Expression = square_root(variance)
    return number_with_digits(root, math.sqrt(variance))


def _mode(ordered: Sequence[Fraction]) -> _Figure:
    counts = Counter(ordered)
    most = max(counts.values())
    found = [value for value, number in counts.items() if number == most]
    if len(found) == len(counts):
        return _Figure("no mode: all values occur equally often")
    noun = "mode" if len(found) == 1 else "modes"
    said = f"{noun} {listed([_number(each) for each in found], 'and')} ({most} times)"
    return _Figure(said, found[0] if len(found) == 1 else None)


def _other_mean(name: str, numbers: Sequence[Fraction]) -> _Figure | DirectFailure:
    if any(each <= 0 for each in numbers):
        return DirectFailure("domain", f"a {name} is taken of positive numbers only", "story")
    if name == "harmonic mean":
        found = _by_way("harmonic_mean", numbers)
        return _Figure(f"harmonic mean {_number(found)}", found)
    value = WAYS["geometric_mean"].compute({"x": numbers})
    return _Figure(f"geometric mean ≈ {float(value):.8g}", value)


def _number(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator).replace("-", "−")
    below = value.denominator
    while below % 2 == 0:
        below //= 2
    while below % 5 == 0:
        below //= 5
    decimal = f"{value.numerator / value.denominator:.10g}"
    shown = (
        decimal if below == 1 else f"{value.numerator}/{value.denominator} ≈ {value.numerator / value.denominator:.7g}"
    )
    return shown.replace("-", "−")
