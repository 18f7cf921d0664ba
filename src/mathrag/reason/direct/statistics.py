"""Figures of a list of bare numbers that are asked for together, or that have two customary meanings: `median and
standard deviation of 4, 8, 6`. Exact. One mean, median, mode or range alone is left to the stories, which read units.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from mathrag.compute.algebra.polynomials import square_root
from mathrag.language.enumeration import listed
from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.reason.direct.algebra.wording import number_with_digits
from mathrag.reason.direct.listed.ways import WAYS
from mathrag.reason.direct.question_text import core_of, tidy, without_ending
from mathrag.reason.direct.result import AlgebraOutcome, DirectFailure, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import Expression

_LONGEST = 1_500
_MOST = 400
_NUMBER = r"[-−]?[0-9]{1,12}(?:\.[0-9]{1,12})?"
_LIST = re.compile(
    rf"(?P<open>[\[{{(])?\s*(?P<numbers>{_NUMBER}(?:\s*(?:,|;)\s*(?:and\s+)?{_NUMBER}|\s+and\s+{_NUMBER})+)\s*[\]}})]?$"
)
# Both customary meanings of a deviation are told anyway.
_BOTH = re.compile(
    r"[ ,]*(?:\((?:both )?(?:population|sample) and (?:population|sample)\)|[ ,](?:both )?(?:population|sample) and "
    r"(?:population|sample)|,? both (?:kinds|ways|versions))$",
    re.IGNORECASE,
)
# Figures that are called as the way in which relations over lists compute them.
_EXACTLY = frozenset(("mean", "median", "range", "sum"))
# The quartiles of a list by the medians of its halves.
_QUARTERS = {
    "first quartile": "{low}",
    "third quartile": "{high}",
    "interquartile range": "{high} − {low} = {gap}",
    "quartiles": "{low} and {high}",
}
_JOINED = re.compile(r",? and (?:the )?|, ?(?:the )?|/")


def answer_statistics(text: str, *, is_last: bool = False) -> AlgebraOutcome:
    """The figures asked for of one list of numbers; None for any other question. One figure alone only where `is_last`
    says that nothing else reads it."""
    if len(text) > _LONGEST:
        return None
    core = _BOTH.sub("", core_of(without_ending(tidy(text))))
    found = _LIST.search(core)
    if found is None:
        return None
    words = core[: found.start()].strip(" :,").lower()
    names = re.fullmatch(
        rf"(?:the )?(?P<names>.+?) (?:of|for|from)(?: (?:{any_of('statistics.list_names')}))*[ :]*", f"{words} "
    )
    if names is None:
        return None
    known = word_pairs("statistics.figures")
    asked = [known.get(each.strip()) for each in _JOINED.split(names["names"])]
    if None in asked or (not is_last and len(asked) == 1 and asked[0] in word_class("statistics.left_to_stories")):
        return None
    numbers = [Fraction(each.replace("−", "-")) for each in re.findall(_NUMBER, found["numbers"])]
    if not 2 <= len(numbers) <= _MOST:
        return None
    return _told([each for each in dict.fromkeys(asked) if each is not None], numbers, words)


def _told(asked: Sequence[str], numbers: Sequence[Fraction], words: str) -> AlgebraOutcome:
    told = [_figure(each, numbers) for each in asked]
    if any(isinstance(each, DirectFailure) for each in told):
        return next(each for each in told if isinstance(each, DirectFailure))
    sentences = [each for each in told if isinstance(each, str)]
    how = "computed with floating point" if "geometric mean" in asked else "computed exactly"
    text = f"Of the {len(numbers)} values: {'; '.join(sentences)} ({how})."
    shown = ", ".join(_number(each) for each in sorted(numbers))
    lines = (WorkingLine(f"in order: {shown}"), *(WorkingLine(each) for each in sentences))
    return DirectStatement(text, words, lines, kind="story")


def _figure(name: str, numbers: Sequence[Fraction]) -> str | DirectFailure:
    if name == "mode":
        return _mode(sorted(numbers))
    if name in ("minimum", "maximum"):
        return f"{name} {_number(min(numbers) if name == 'minimum' else max(numbers))}"
    if name in _EXACTLY:
        return f"{name} {_number(_by_way(name, numbers))}"
    if name in _QUARTERS:
        return _quarter(name, sorted(numbers))
    if name in ("harmonic mean", "geometric mean"):
        return _other_mean(name, numbers)
    kind, _, figure = name.rpartition(" ")
    kinds = [kind] if kind else ["sample", "population"]
    below = {"population": f"divided by {len(numbers)}", "sample": f"divided by {len(numbers)} − 1"}
    said = [f"{_spread(_by_way(f'{each}_variance', numbers), figure)} ({each}: {below[each]})" for each in kinds]
    title = "standard deviation" if figure == "deviation" else "variance"
    return f"{title} {listed(said, 'or')}"


def _quarter(name: str, ordered: Sequence[Fraction]) -> str:
    """A quartile as the median of a half without the middle value, and with it where that is another."""
    half, odd = divmod(len(ordered), 2)
    told: list[str] = []
    for kept in (0, odd):
        halves = ordered[: half + kept], ordered[len(ordered) - half - kept :]
        low, high = (_by_way("median", each) for each in halves)
        told.append(_QUARTERS[name].format(low=_number(low), high=_number(high), gap=_number(high - low)))
    without, including = told
    other = f"; with it {including}" if including != without else ""
    shown = "medians of the lower and the upper half" + (", the middle value left out" if odd else "")
    return f"{name} {without} ({shown}{other})"


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


def _mode(ordered: Sequence[Fraction]) -> str:
    counts = Counter(ordered)
    most = max(counts.values())
    found = [value for value, number in counts.items() if number == most]
    if len(found) == len(counts):
        return "no mode: all values occur equally often"
    noun = "mode" if len(found) == 1 else "modes"
    return f"{noun} {listed([_number(each) for each in found], 'and')} ({most} times)"


def _other_mean(name: str, numbers: Sequence[Fraction]) -> str | DirectFailure:
    if any(each <= 0 for each in numbers):
        return DirectFailure("domain", f"a {name} is taken of positive numbers only", "story")
    if name == "harmonic mean":
        return f"harmonic mean {_number(_by_way('harmonic_mean', numbers))}"
    return f"geometric mean ≈ {float(WAYS['geometric_mean'].compute({'x': numbers})):.8g}"


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
