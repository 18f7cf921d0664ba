"""How relations between named values are computed where an equation does not do: intervals, tests and chances of a
first course in statistics, interest and growth by periods. A closed vocabulary of ways; knows no words.

What a way takes for granted (a sample large enough, independent trials) stands in its notes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import TypeAlias

from mathrag.compute.distributions import (
    binomial_exactly,
    chi_square_above,
    hypergeometric_exactly,
    is_countable,
    normal_below,
    normal_quantile,
    poisson_exactly,
    student_below,
    student_quantile,
)
from mathrag.knowledge.units import read_canonical_unit
from mathrag.reason.direct.listed.reading import Value
from mathrag.reason.direct.result import DirectFailure, exact_fraction, short
from mathrag.types.quantity import NO_UNIT

_FIGURES = 6
# From this size on the sample's deviation stands for that of all, as introductory books have it.
_LARGE = 30
_FEWEST_OF_A_KIND = 10
_MOST_EVENTS = 10_000
_LARGEST_RATE = 700


@dataclass(frozen=True, slots=True)
class Case:
    """The values of one question: `numbers` to compute with, by part, as the question has them in `said`, with their
    `places` among its values and the words between these in `gaps`; what the words ask for in `flags`."""

    name: str
    numbers: Mapping[str, tuple[Fraction, ...]]
    said: Mapping[str, tuple[Value, ...]]
    places: Mapping[str, tuple[int, ...]]
    flags: frozenset[str]
    gaps: tuple[str, ...]
    unit: str

    def has(self, part: str) -> bool:
        """Whether there is a value of a part."""
        return bool(self.numbers.get(part))

    def one(self, part: str) -> Fraction:
        """The single value of a part that there must be."""
        return self.numbers[part][0]

    def whole(self, part: str) -> int:
        """The same, a whole number."""
        return int(self.numbers[part][0])

    def flag(self, *among: str) -> str | None:
        """The one flag among these that is raised; empty if none is, None for several."""
        raised = self.flags.intersection(among)
        return None if len(raised) > 1 else next(iter(raised), "")


@dataclass(frozen=True, slots=True)
class Computed:
    """What a way came to: a value with the lines that show it, or `text`, a sentence that answers better than a number
    alone; `name` where the result is called otherwise than its relation."""

    value: Fraction | float | None
    shown: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    text: str = ""
    name: str = ""


Outcome: TypeAlias = Computed | DirectFailure | None


def _percent(share: Fraction) -> str:
    return f"{float(100 * share):g} %"


# Intervals and sizes of samples.


# A z that is stated for a level is it to about as many digits.
_NEAR = 0.01


def _z_of_level(level: Fraction) -> float:
    return normal_quantile(float(1 + level) / 2)


def _stated_z(case: Case) -> float | None:
    """The z that is stated or that belongs to the level; None where they do not belong together or neither is."""
    z = _z_of_level(case.one("level")) if case.has("level") else None
    if not case.has("critical"):
        return z
    stated = float(case.one("critical"))
    return stated if z is None or abs(stated - z) < _NEAR else None


def _for_level(case: Case) -> str:
    return f" for {_percent(case.one('level'))}" if case.has("level") else ""


@dataclass(frozen=True, slots=True)
class _Margin:
    """A margin of error with the line that shows it, and what was taken for granted."""

    value: float
    line: str
    note: str


def _mean_margin(case: Case) -> _Margin | None:
    """z where the deviation is that of the population or the sample is large, else Student's t; where the question does
    not say which, the other one is told as well."""
    deviation, size = float(case.one("sd")), case.whole("n")
    asked = case.flag("by_z", "by_t")
    z = _stated_z(case)
    if case.has("critical"):
        asked = "by_z" if asked in ("", "by_z") else None
    if asked is None or z is None or size < 2:
        return None
    by_t = asked == "by_t" or (not asked and size < _LARGE)
    t = student_quantile(float(1 + case.one("level")) / 2, size - 1) if case.has("level") else z
    factor = t if by_t else z
    value = factor * deviation / math.sqrt(size)
    rule = f"t* with {size - 1} degrees of freedom" if by_t else "z*"
    product = f"{factor:.5g} × {short(deviation)}/√{size} = {value:.{_FIGURES}g}"
    shown = f"{rule}{_for_level(case)} is {factor:.5g}; margin = {product}"
    other = (z if by_t else t) * deviation / math.sqrt(size)
    if asked:
        note = (
            "the values are taken to be a random sample of a normal distribution"
            if by_t
            else "the mean is taken to be normally distributed"
        )
    elif by_t:
        note = (
            f"the standard deviation is taken to be that of the sample, of normally distributed values (Student's t); "
            f"were it that of the population, z would give a margin of {other:.4g}"
        )
    else:
        note = (
            "the sample is taken to be large enough for the normal distribution (z); with Student's t the margin is "
            f"{other:.4g}"
        )
    return _Margin(value, shown, note)


def _mean_interval(case: Case) -> Outcome:
    margin = _mean_margin(case)
    return None if margin is None else _interval(case, float(case.one("mean")), margin, "mean")


def _mean_margin_alone(case: Case) -> Outcome:
    margin = _mean_margin(case)
    return None if margin is None else Computed(margin.value, (margin.line,), (margin.note,))


def _interval(case: Case, middle: float, margin: _Margin, what: str) -> Computed:
    low, high = middle - margin.value, middle + margin.value
    unit = f" {case.unit}" if case.unit else ""
    text = (
        f"The {_percent(case.one('level'))} confidence interval of the {what} is {low:.5g}{unit} to {high:.5g}{unit} "
        f"({middle:.5g} ± {margin.value:.4g}{unit})."
    )
    return Computed(None, (margin.line, f"{middle:.{_FIGURES}g} ± {margin.value:.{_FIGURES}g}"), (margin.note,), text)


def _proportion(case: Case) -> tuple[Fraction, int] | None:
    """The share of the sample, stated or counted, and the size."""
    size = case.whole("n")
    if case.has("p") == case.has("k"):
        return None
    share = case.one("p") if case.has("p") else case.one("k") / size
    return (share, size) if 0 <= share <= 1 else None


def _proportion_margin(case: Case, share: Fraction, size: int) -> _Margin | None:
    z = _stated_z(case)
    if z is None:
        return None
    value = z * math.sqrt(share * (1 - share) / size)
    root = f"{z:.5g} × √({short(share)} × {short(1 - share)} / {size})"
    line = f"margin = z* √(p (1 − p) / n) = {root} = {value:.{_FIGURES}g}"
    is_large = min(share, 1 - share) * size >= _FEWEST_OF_A_KIND
    note = "the sample is taken to be random and large enough for the normal distribution (Wald's interval)"
    few = f"; with fewer than {_FEWEST_OF_A_KIND} of one kind it is only rough"
    return _Margin(value, line, note if is_large else note + few)


def _proportion_interval(case: Case) -> Outcome:
    found = _proportion(case)
    if found is None:
        return None
    margin = _proportion_margin(case, *found)
    return None if margin is None else _interval(case, float(found[0]), margin, "proportion")


def _proportion_margin_alone(case: Case) -> Outcome:
    assumed = () if case.has("p") or case.has("k") else ("the share is taken as 1/2, for which the margin is largest",)
    found = (Fraction(1, 2), case.whole("n")) if assumed else _proportion(case)
    if found is None:
        return None
    margin = _proportion_margin(case, *found)
    if margin is None:
        return None
    share = f"{100 * margin.value:.4g} percentage points"
    return Computed(margin.value, (margin.line, f"= {share}"), (margin.note, *assumed))


def _size_for_mean(case: Case) -> Outcome:
    z = _stated_z(case)
    units = {case.said[part][0].unit.text for part in ("margin", "sd")}
    # A share of the mean is no margin in the unit of the deviation.
    if z is None or units == {"", "percent"}:
        return None
    exact = (z * float(case.one("sd")) / float(case.one("margin"))) ** 2
    quotient = f"({z:.5g} × {short(case.one('sd'))} / {short(case.one('margin'))})²"
    line = f"n = (z* σ / E)² = {quotient} = {exact:.6g}, rounded up"
    return Computed(Fraction(_rounded_up(exact)), (line,))


def _size_for_proportion(case: Case) -> Outcome:
    z, share = _stated_z(case), case.one("p") if case.has("p") else Fraction(1, 2)
    if z is None or case.has("margin") == case.has("points"):
        return None
    margin = case.one("margin") if case.has("margin") else case.one("points") / 100
    exact = z * z * float(share * (1 - share) / margin**2)
    line = (
        f"n = z*² p (1 − p) / E² = {z:.5g}² × {short(share)} × {short(1 - share)} / {short(margin)}² = "
        f"{exact:.6g}, rounded up"
    )
    assumed = () if case.has("p") else ("the share is taken as 1/2, for which the sample must be largest",)
    points = (f"{short(case.one('points'))} is taken in percentage points",) if case.has("points") else ()
    return Computed(Fraction(_rounded_up(exact)), (line,), (*assumed, *points))


def _rounded_up(number: float) -> int:
    return math.ceil(number - 1e-9 * number)


# Tests.


def _two_sample_t(case: Case) -> Outcome:
    parts = [case.numbers[part] for part in ("means", "sds", "sizes")]
    if any(len(each) != 2 for each in parts):
        return None
    (x1, x2), (s1, s2), (n1, n2) = parts
    error = math.sqrt(s1**2 / n1 + s2**2 / n2)
    line = f"({short(x1)} − {short(x2)}) / √({short(s1)}²/{n1} + {short(s2)}²/{n2})"
    return Computed(float(x1 - x2) / error, (line,), ("the variances are not taken to be equal (Welch's test)",))


def _two_proportions(case: Case) -> Outcome:
    """The z of two samples' shares, each counted or stated, with the share of both together."""
    sizes = case.numbers["sizes"]
    shares = case.numbers["shares"] or tuple(k / n for k, n in zip(case.numbers["counts"], sizes, strict=False))
    parts = "shares" if case.has("shares") else "counts"
    in_turn = sorted((*case.places[parts], *case.places["sizes"]))
    are_pairs = in_turn == [
        place for pair in zip(case.places[parts], case.places["sizes"], strict=False) for place in pair
    ]
    if len(shares) != 2 or len(sizes) != 2 or case.has("shares") == case.has("counts") or not are_pairs:
        return None
    if any(not 0 <= share <= 1 for share in shares):
        return DirectFailure("domain", "no more can count than there are", "list")
    (p1, p2), (n1, n2) = shares, sizes
    both = (p1 * n1 + p2 * n2) / (n1 + n2)
    error = math.sqrt(both * (1 - both) * (1 / n1 + 1 / n2))
    line = (
        f"p1 = {short(p1)}, p2 = {short(p2)}, p of both = {short(both)}; z = ({short(p1)} − {short(p2)}) / {error:.5g}"
    )
    return Computed(
        float(p1 - p2) / error,
        (line,),
        ("the difference is taken as the first less the second; the samples are taken to be random and large",),
    )


def _binary_entropy(case: Case) -> Outcome:
    p = case.one("p")
    value = -math.fsum(float(each) * math.log2(each) for each in (p, 1 - p) if each)
    return Computed(value, (f"−({short(p)} log₂ {short(p)} + {short(1 - p)} log₂ {short(1 - p)})",))


def _p_value(case: Case) -> Outcome:
    """From a z, a t with its degrees of freedom, or a chi-square; both sides unless one is asked for."""
    sides = case.flag("two_sided", "one_sided", "left", "right")
    if sides is None or sum(map(case.has, ("z", "t", "chi"))) != 1:
        return None
    if case.has("chi"):
        if not case.has("df") or sides not in ("", "right"):
            return None
        value = chi_square_above(float(case.one("chi")), float(case.one("df")))
        return Computed(value, (f"P(χ² > {short(case.one('chi'))}) with {case.whole('df')} degrees of freedom",))
    if case.has("t") != case.has("df"):
        return None
    score = float(case.one("t" if case.has("t") else "z"))
    letter = "T" if case.has("t") else "Z"
    lower = student_below(score, float(case.one("df"))) if case.has("t") else normal_below(score)
    outer = student_below(-abs(score), float(case.one("df"))) if case.has("t") else normal_below(-abs(score))
    if sides == "left":
        return Computed(lower, (f"P({letter} < {score:g})",))
    if sides == "right":
        upper = student_below(-score, float(case.one("df"))) if case.has("t") else normal_below(-score)
        return Computed(upper, (f"P({letter} > {score:g})",))
    if sides == "one_sided":
        return Computed(outer, (f"P({letter} > {abs(score):g})",), ("the side is taken to be that of the value",))
    note = () if sides else (f"both sides are counted; one side alone has {outer:.4g}",)
    return Computed(2 * outer, (f"2 P({letter} > {abs(score):g})",), note)


def _critical_value(case: Case) -> Outcome:
    """The bound that a level of confidence or of significance sets, on both sides unless one is asked for."""
    sides = case.flag("two_sided", "one_sided")
    kind = case.flag("by_z", "by_t")
    if sides is None or case.has("level") == case.has("alpha") or kind not in ("by_z", "by_t"):
        return None
    if (kind == "by_t") != (case.has("df") or case.has("n")) or (case.has("df") and case.has("n")):
        return None
    outside = 1 - case.one("level") if case.has("level") else case.one("alpha")
    below = 1 - (outside if sides == "one_sided" else outside / 2)
    note = () if sides else (f"both sides share the {_percent(outside)} outside",)
    if kind == "by_z":
        return Computed(normal_quantile(float(below)), (f"P(Z < z*) = {short(below)}",), note)
    free = case.whole("df") if case.has("df") else case.whole("n") - 1
    if free < 1:
        return None
    shown = f"P(T < t*) = {short(below)} with {free} degrees of freedom"
    return Computed(student_quantile(float(below), free), (shown,), note)


# The normal distribution.


def _spread(case: Case) -> tuple[float, float, str] | None:
    """Mean, deviation and what they are called: of the standard distribution where none is stated, of the mean of
    a sample where its size is."""
    if not case.has("mean") and not case.has("sd"):
        return 0.0, 1.0, ""
    if not case.has("mean") or not case.has("sd"):
        return None
    mean, deviation = float(case.one("mean")), float(case.one("sd"))
    if not case.has("n"):
        return mean, deviation, ""
    return mean, deviation / math.sqrt(case.one("n")), f"standard error = {deviation:g}/√{case.whole('n')}"


def _normal_share(case: Case) -> Outcome:
    spread, limits = _spread(case), _limits(case)
    if spread is None or limits is None:
        return None
    mean, deviation, error = spread
    low, high, said = limits
    scores = [None if each is None else (float(each) - mean) / deviation for each in (low, high)]
    below = 1.0 if scores[1] is None else normal_below(scores[1])
    if scores[0] is None:
        share = below
    elif scores[1] is None:
        share = normal_below(-scores[0])
    else:
        share = below - normal_below(scores[0])
    shown = [f"z = ({short(each)} − {mean:g}) / {deviation:.6g} = {z:.5g}"
             for each, z in zip((low, high), scores, strict=True) if each is not None and z is not None]  # fmt: skip
    lines = ((error,) if error else ()) + (tuple(shown) if case.has("mean") else ())
    note = ("the values are taken to be normally distributed",) if "normal" not in case.flags else ()
    return Computed(share, (*lines, f"{said} = {share:.{_FIGURES}g}"), note)


def _limits(case: Case) -> tuple[Fraction | None, Fraction | None, str] | None:
    """The one range that is asked for: where it begins, where it ends, and how it is written."""
    over = [part for part in ("more", "at_least") if case.has(part)]
    under = [part for part in ("fewer", "at_most") if case.has(part)]
    if case.has("between"):
        if over or under or len(case.numbers["between"]) != 2:
            return None
        low, high = case.numbers["between"]
        return (low, high, f"P({short(low)} < X < {short(high)})") if low < high else None
    if len(over) + len(under) != 1:
        return None
    if over:
        return case.one(over[0]), None, f"P(X > {short(case.one(over[0]))})"
    return None, case.one(under[0]), f"P(X < {short(case.one(under[0]))})"


def _percentile_rank(case: Case) -> Outcome:
    """The share of a normal distribution below a value or a z, in percent."""
    spread = _spread(case)
    if spread is None or case.has("z") == case.has("x") or case.has("z") == case.has("mean"):
        return None
    mean, deviation, _ = spread
    z = float(case.one("z")) if case.has("z") else (float(case.one("x")) - mean) / deviation
    share = 100 * normal_below(z)
    note = ("the values are taken to be normally distributed",) if "normal" not in case.flags else ()
    return Computed(share, (f"z = {z:.5g}; {share:.{_FIGURES}g} % of all values lie below",), note)


def _exponential_share(case: Case) -> Outcome:
    """The share of an exponential distribution, told by its mean or its rate, in the range that is asked for."""
    limits = _limits(case)
    if limits is None or case.has("mean") == case.has("rate"):
        return None
    told = case.said["mean" if case.has("mean") else "rate"][0]
    bounds = [value for bound in ("more", "at_least", "fewer", "at_most", "between") for value in case.said[bound]]
    if told.base <= 0:
        return DirectFailure("domain", "an exponential distribution has a positive mean", "list")
    if case.has("rate") and not all(_are_reciprocal(told, each) for each in bounds):
        return None
    spans = [float(each.base * told.base if case.has("rate") else each.base / told.base) for each in bounds]
    if case.has("between"):
        low, high = spans
    else:
        low, high = (spans[0], math.inf) if limits[1] is None else (0.0, spans[0])
    share = math.exp(-low) - math.exp(-high)
    shown = " − ".join(f"e^(−{each:.5g})" for each in (low, high) if each < math.inf)
    return Computed(share, (f"{shown.replace('e^(−0)', '1')} = {share:.{_FIGURES}g}",))


def _are_reciprocal(rate: Value, time: Value) -> bool:
    """Whether a rate and a time have units that cancel, or neither has one."""
    if not rate.unit.text or not time.unit.text:
        return not rate.unit.text and not time.unit.text
    return rate.unit.dimension * time.unit.dimension == NO_UNIT.dimension


def _normal_percentile(case: Case) -> Outcome:
    if case.has("percentile") == case.has("top"):
        return None
    if not case.has("mean") and "normal" not in case.flags:
        return None
    share = case.one("percentile") / 100 if case.has("percentile") else 1 - case.one("top")
    spread = _spread(case)
    if not 0 < share < 1 or spread is None:
        return None
    mean, deviation, _ = spread
    z = normal_quantile(float(share))
    shown = f"P(Z < z) = {short(share)} for z = {z:.5g}; x = {mean:g} + {z:.5g} × {deviation:g}"
    note = ("the values are taken to be normally distributed",) if "normal" not in case.flags else ()
    return Computed(mean + z * deviation, (shown,), note)


# What is counted.


@dataclass(frozen=True, slots=True)
class _Counts:
    """The numbers that are asked for: from `low` to `high`, without end where that is None; `said` as one writes it."""

    low: int
    high: int | None
    said: str

    @property
    def is_open(self) -> bool:
        """Whether there is no largest number."""
        return self.high is None


def _counts(case: Case) -> _Counts | None:
    asked = [part for part in ("exactly", "at_least", "at_most", "more", "fewer", "between") if case.has(part)]
    none = "none" in case.flags
    if len(asked) + none != 1:
        return None
    if none:
        return _Counts(0, 0, "X = 0")
    numbers = case.numbers[asked[0]]
    if any(each.denominator != 1 or each < 0 for each in numbers):
        return None
    first = int(numbers[0])
    if asked[0] == "between":
        if len(numbers) != 2 or numbers[0] >= numbers[1]:
            return None
        return _Counts(first, int(numbers[1]), f"{first} ≤ X ≤ {numbers[1]}")
    forms = {
        "exactly": _Counts(first, first, f"X = {first}"),
        "at_least": _Counts(first, None, f"X ≥ {first}"),
        "more": _Counts(first + 1, None, f"X > {first}"),
        "at_most": _Counts(0, first, f"X ≤ {first}"),
        "fewer": _Counts(0, first - 1, f"X < {first}"),
    }
    return forms[asked[0]]


def _counted(
    case: Case, counts: _Counts, most: int, exactly: Callable[[int], Fraction], rule: str, note: str
) -> Outcome:
    """The chance of a range of numbers up to `most`, by those inside or, where these are many, those outside."""
    high = most if counts.high is None else min(counts.high, most)
    if counts.low > most and counts.high == counts.low:
        return DirectFailure("domain", f"{counts.low} cannot happen in {most}", "list")
    inside = range(counts.low, high + 1)
    value = sum((exactly(each) for each in inside), Fraction(0))
    line = (
        f"P({counts.said}) = {rule}"
        if len(inside) == 1
        else f"P({counts.said}): the sum of P(X = k) = {rule} for k from {counts.low} to {high}"
    )
    notes = (note, *(("both ends of the range are counted",) if case.has("between") else ()))
    return Computed(value, (line, f"≈ {float(value):.{_FIGURES}g}"), tuple(each for each in notes if each))


def _binomial(case: Case) -> Outcome:
    counts = _counts(case)
    chance = 1 / case.one("options") if case.has("options") else case.one("p") if case.has("p") else None
    if counts is None or chance is None or not 0 <= chance <= 1:
        return None
    if case.places.get("p") and _is_share_of_all(case):
        return None
    trials = case.whole("trials")
    if not is_countable(trials):
        return DirectFailure("too_large", "so many trials are not counted out", "list")
    k = str(counts.low) if counts.low == counts.high else "k"
    rule = f"C({trials}, {k}) × {_share(chance)}^{k} × {_share(1 - chance)}^({trials} − {k})"
    note = "the trials are taken to be independent" + (", each answer guessed" if case.has("options") else "")
    return _counted(case, counts, trials, lambda each: binomial_exactly(each, trials, chance), rule, note)


def _is_share_of_all(case: Case) -> bool:
    """Whether the share is one of just these trials, which is no chance: "70 % of 10 students pass"."""
    (p,), (trials,) = case.places["p"], case.places["trials"]
    return trials == p + 1 and case.gaps[trials].split() in (["of"], ["of", "the"])


def _share(chance: Fraction) -> str:
    text = f"{float(chance):.6g}"
    return text if Fraction(text) == chance else f"({chance})"


def _die(case: Case) -> Outcome:
    """The same face of a die several times."""
    if case.has("face") and case.one("face") not in range(1, 7):
        return None
    return _binomial(case)


def _poisson(case: Case) -> Outcome:
    counts, mean = _counts(case), _expected(case)
    if counts is None or mean is None or not 0 < mean <= _LARGEST_RATE or counts.low > _MOST_EVENTS:
        return None
    outside = range(counts.low) if counts.high is None else range(counts.low, counts.high + 1)
    value = math.fsum(poisson_exactly(each, mean) for each in outside)
    value = 1 - value if counts.high is None else value
    if counts.low == counts.high:
        line = f"P({counts.said}) = {mean:g}^{counts.low} e^(−{mean:g}) / {counts.low}!"
    elif counts.high is None:
        line = f"P({counts.said}) = 1 − the sum of {mean:g}^k e^(−{mean:g}) / k! for k from 0 to {counts.low - 1}"
    else:
        line = f"P({counts.said}) = the sum of {mean:g}^k e^(−{mean:g}) / k! for k from {counts.low} to {counts.high}"
    ends = ("both ends of the range are counted",) if case.has("between") else ()
    return Computed(value, (line,), ("the events are taken to be independent, at a steady mean rate (Poisson)", *ends))


def _expected(case: Case) -> float | None:
    """The number of events that is expected: a mean, or a rate for the time that is asked about. What a mean is per
    must be spoken of again: "1.5 per page" is none of a book."""
    value, (place,) = case.said["rate"][0], case.places["rate"]
    per = re.match(r" (?:[a-z]+ )?per (?P<thing>[a-z]+) ", case.gaps[place + 1])
    words = [word for gap in case.gaps for word in gap.split()]
    if per is not None and words.count(per["thing"]) < len(("per page", "a page")):
        return None
    time = case.said["time"][0] if case.has("time") else None
    if not value.unit.text:
        return float(value.number) if time is None else None
    if time is None:
        return None
    rate = exact_fraction(value.unit.scale) * exact_fraction(time.unit.scale)
    return float(value.number * time.number * rate)


def _first_success(case: Case) -> Outcome:
    chance, trial = (1 / case.one("sides") if case.has("sides") else case.one("p")), case.whole("trial")
    if trial < 1 or not 0 < chance <= 1:
        return None
    value = (1 - chance) ** (trial - 1) * chance
    line = f"P = (1 − p)^(k − 1) p = {_share(1 - chance)}^{trial - 1} × {_share(chance)}"
    return Computed(value, (line,), ("the trials are taken to be independent",))


def _drawn(case: Case) -> Outcome:
    counts = _counts(case)
    whole, special, drawn = case.whole("whole"), case.whole("special"), case.whole("n")
    if counts is None or special > whole or drawn > whole or whole > 10**6:
        return None
    k = str(counts.low) if counts.low == counts.high else "k"
    rule = f"C({special}, {k}) × C({whole - special}, {drawn} − {k}) / C({whole}, {drawn})"
    note = "what is drawn is not put back"
    return _counted(case, counts, drawn, lambda each: hypergeometric_exactly(each, drawn, special, whole), rule, note)


# Interest and growth by periods.

_PERIODS_IN_A_YEAR = {"yearly": 1, "half_yearly": 2, "quarterly": 4, "monthly": 12, "weekly": 52, "daily": 365}

_PERIODS_OF_RATES = {f"percent/{name}": period for name, period in (("year", "yearly"), ("month", "monthly"))}


def _compounded(case: Case) -> Outcome:
    """A sum after some years at a yearly rate, paid several times a year or all the time; or the interest alone."""
    period = case.flag(*_PERIODS_IN_A_YEAR, "continuous")
    rated = _PERIODS_OF_RATES.get(case.said["rate"][0].unit.text)
    if period == "" and any("compound" in gap for gap in case.gaps):
        period = rated
    # Of 1 % a month that is paid every day there are two readings.
    if not period or rated not in (None, "yearly", period):
        return None
    start, rate, years = case.one("start"), case.one("rate"), case.one("years")
    if period == "continuous":
        growth: Fraction | float = math.exp(rate * years)
        line = f"{short(start)} × e^({short(rate)} × {short(years)})"
    else:
        often = _PERIODS_IN_A_YEAR[period]
        growth = _power(1 + rate / often, often * years)
        line = f"{short(start)} × (1 + {short(rate)}/{often})^({often} × {short(years)})"
    whole = "backwards" not in case.flags
    value = float(start) * float(growth) if whole else float(start) / float(growth)
    if not whole:
        line = line.replace(" × ", " / ", 1)
        return Computed(value, (line,), name="present value")
    if "interest" in case.flags:
        return Computed(value - float(start), (f"{line} − {short(start)}",), name="compound interest")
    return Computed(value, (line,))


def _doubled(case: Case) -> Outcome:
    """The years after which money has doubled."""
    often, rate = _PERIODS_IN_A_YEAR.get(case.flag(*_PERIODS_IN_A_YEAR) or ""), case.one("rate")
    if often is None:
        return None
    line = f"ln 2 / ({often} × ln(1 + {short(rate)}/{often}))"
    return Computed(math.log(2) / (often * math.log1p(rate / often)), (line,))


def _power(base: Fraction, exponent: Fraction) -> Fraction | float:
    if exponent.denominator == 1 and abs(exponent) <= 60:
        return Fraction(base ** int(exponent))
    return math.pow(base, exponent)


def _changing(case: Case) -> Outcome:
    """What grows or shrinks by the same percentage in every period."""
    way, period = case.flag("grows", "shrinks"), case.flag("year", "month", "week", "day", "hour", "minute")
    rate, time = case.said["rate"][0], case.said["time"][0]
    unit = rate.unit.text.partition("/")[2] or {"minute": "min", "hour": "h"}.get(period or "", period or "")
    if not way or period is None or not unit:
        return None
    wanted = read_canonical_unit(unit)
    if wanted.dimension != time.unit.dimension:
        return None
    periods = time.number * exact_fraction(time.unit.scale) / exact_fraction(wanted.scale)
    share = rate.number / 100
    base = 1 + share if way == "grows" else 1 - share
    if base < 0:
        return None
    value = case.one("start") * _power(base, periods)
    sign = "+" if way == "grows" else "−"
    return Computed(value, (f"{short(case.one('start'))} × (1 {sign} {short(share)})^{short(periods)}",))


def _multiplying(case: Case) -> Outcome:
    """What doubles, triples or halves in every period."""
    way = case.flag("doubles", "triples", "halves")
    if not way:
        return None
    factor = {"doubles": Fraction(2), "triples": Fraction(3), "halves": Fraction(1, 2)}[way]
    periods = case.one("time") / case.one("period")
    value = case.one("start") * _power(factor, periods)
    shown_factor = "(1/2)" if way == "halves" else factor
    exponent = f"{case.said['time'][0].text} / {case.said['period'][0].text}"
    shown = f"{short(case.one('start'))} × {shown_factor}^({exponent}), the exponent being {short(periods)}"
    return Computed(value, (shown,))


def _logarithm(case: Case) -> Outcome:
    base, value = case.one("base"), case.one("argument")
    if base <= 0 or base == 1 or value <= 0:
        return DirectFailure("domain", "a logarithm needs a positive base other than 1 and a positive number", "list")
    found = math.log(value) / math.log(base)
    near = Fraction(found).limit_denominator(12)
    is_exact = abs(near.numerator) <= 400 and base**near.numerator == value**near.denominator
    shown = f"{short(base)}^({near}) = {short(value)}" if is_exact else f"ln {short(value)} / ln {short(base)}"
    return Computed(near if is_exact else found, (shown,))


def _shared_work(case: Case) -> Outcome:
    """The same work with another number of workers: the known number stands right beside the known time."""
    if len(case.numbers["workers"]) != 2:
        return None
    (time_at,), workers = case.places["time"], dict(zip(case.places["workers"], case.numbers["workers"], strict=True))
    known = [place for place in workers if place == time_at - 1 and not {".", "?"} & set(case.gaps[time_at].split())]
    if len(known) != 1:
        return None
    first = workers.pop(known[0])
    (other,) = workers.values()
    time = case.one("time")
    line = f"{short(first)} × {short(time)} / {short(other)}"
    return Computed(first * time / other, (line,), ("all are taken to work alike, at the same pace",))


# Figures.


def _hypotenuse(case: Case) -> Outcome:
    if len(case.numbers["legs"]) != 2:
        return None
    one, other = case.numbers["legs"]
    return Computed(_root(one**2 + other**2), (f"√({short(one)}² + {short(other)}²)",))


def _other_leg(case: Case) -> Outcome:
    longest, leg = case.one("hypotenuse"), case.one("legs")
    if len(case.numbers["legs"]) != 1:
        return None
    if leg >= longest:
        return DirectFailure("domain", "no leg is as long as the hypotenuse", "list")
    return Computed(_root(longest**2 - leg**2), (f"√({short(longest)}² − {short(leg)}²)",))


def _root(number: Fraction) -> Fraction | float:
    root = Fraction(math.isqrt(number.numerator), math.isqrt(number.denominator))
    return root if root * root == number else math.sqrt(number)


def _trapezoid(case: Case) -> Outcome:
    if len(case.numbers["bases"]) != 2:
        return None
    one, other = case.numbers["bases"]
    height = case.one("height")
    return Computed((one + other) * height / 2, (f"({short(one)} + {short(other)}) × {short(height)} / 2",))


def _box_surface(case: Case) -> Outcome:
    if len(case.numbers["edges"]) != 3:
        return None
    one, two, three = case.numbers["edges"]
    shown = f"2 ({short(one)} × {short(two)} + {short(one)} × {short(three)} + {short(two)} × {short(three)})"
    return Computed(2 * (one * two + one * three + two * three), (shown,))


def _box_diagonal(case: Case) -> Outcome:
    sides = case.numbers["edges"]
    if len(sides) != 3:
        return None
    squares = " + ".join(f"{short(each)}²" for each in sides)
    return Computed(_root(sum((each**2 for each in sides), Fraction(0))), (f"√({squares})",))


def _box(case: Case) -> Outcome:
    sides = case.numbers["edges"]
    if len(sides) != 3:
        return None
    return Computed(math.prod(sides, start=Fraction(1)), (" × ".join(map(short, sides)),))


WAYS: Mapping[str, Callable[[Case], Outcome]] = MappingProxyType(
    {
        "mean_interval": _mean_interval,
        "mean_margin": _mean_margin_alone,
        "proportion_interval": _proportion_interval,
        "proportion_margin": _proportion_margin_alone,
        "size_for_mean": _size_for_mean,
        "size_for_proportion": _size_for_proportion,
        "two_sample_t": _two_sample_t,
        "two_proportions": _two_proportions,
        "p_value": _p_value,
        "percentile_rank": _percentile_rank,
        "exponential_share": _exponential_share,
        "binary_entropy": _binary_entropy,
        "critical_value": _critical_value,
        "normal_share": _normal_share,
        "normal_percentile": _normal_percentile,
        "binomial": _binomial,
        "die": _die,
        "poisson": _poisson,
        "first_success": _first_success,
        "drawn": _drawn,
        "compounded": _compounded,
        "doubled": _doubled,
        "changing": _changing,
        "multiplying": _multiplying,
        "logarithm": _logarithm,
        "shared_work": _shared_work,
        "hypotenuse": _hypotenuse,
        "other_leg": _other_leg,
        "trapezoid": _trapezoid,
        "box": _box,
        "box_surface": _box_surface,
        "box_diagonal": _box_diagonal,
    }
)
