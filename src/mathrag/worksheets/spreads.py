"""How sure a result is, three ways: linear propagation, the worst case within limits, and Monte Carlo.

All three follow the same definitions back to the measured values, so what shares a value varies together.
"""

from __future__ import annotations

import hashlib
import math
import random
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mathrag.compute.evaluate import Failure
from mathrag.compute.patience import Patience
from mathrag.compute.solve.systems import in_si
from mathrag.errors import EvaluationError
from mathrag.worksheets.definitions import Chain, Definition, ancestors
from mathrag.worksheets.intervals import Interval, Sloped, plus, point, sloped, times

# Of the processor.
MONTE_CARLO_SECONDS = 10.0
MOST_MEASURED = 40
_CALLS_A_LOOK = 64


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one measured value adds: its standard uncertainty and the derivative, both in SI, and its share."""

    name: str
    standard: float
    slope: float | None
    share: float


@dataclass(frozen=True, slots=True)
class Linear:
    """Linear propagation: the standard uncertainty in SI and where it comes from, the largest share first."""

    standard: float
    contributions: tuple[Contribution, ...]


@dataclass(frozen=True, slots=True)
class Worst:
    """Bounds in SI that no value within the limits leaves; `is_reached` where they are reached at corners."""

    low: float
    high: float
    is_reached: bool


@dataclass(frozen=True, slots=True)
class Sampled:
    """Monte Carlo in SI: mean, deviation, quantiles by their share, and variance shares of values varied alone."""

    samples: int
    seed: int
    mean: float
    deviation: float
    quantiles: Mapping[float, float]
    contributions: tuple[Contribution, ...]


def linear(target: Definition) -> Linear:
    """First-order propagation by the derivatives that came along."""
    roots = _measured(target)
    total = math.hypot(*(target.slopes.get(root.id, 0.0) * _standard(root) for root in roots))
    found = [
        Contribution(
            root.name,
            _standard(root),
            target.slopes.get(root.id, 0.0),
            (target.slopes.get(root.id, 0.0) * _standard(root) / total) ** 2 if total else 0.0,
        )
        for root in roots
    ]
    return Linear(total, tuple(sorted(found, key=lambda each: -each.share)))


def worst_case(target: Definition) -> Worst:
    """Bounds by interval arithmetic; where the result rises or falls throughout with a value, its ends are taken."""
    roots = _measured(target)
    box = {root.id: Interval(root.si_value - _limit(root), root.si_value + _limit(root)) for root in roots}
    whole = _bounds(target, box)
    low, high = _turned(box, whole, is_high=False), _turned(box, whole, is_high=True)
    lowest, highest = _bounds(target, low).value, _bounds(target, high).value
    is_reached = all(each.low == each.high for ends in (low, high) for each in ends.values())
    middle = _around_the_middle(target, box, whole)
    return Worst(
        max(lowest.low, whole.value.low, middle.low), min(highest.high, whole.value.high, middle.high), is_reached
    )


def _around_the_middle(target: Definition, box: Mapping[str, Interval], whole: Sloped) -> Interval:
    """The value in the middle and what the steepest slopes can add to it: narrow where terms cancel, as in x - x."""
    middles = {key: 0.5 * (each.low + each.high) for key, each in box.items()}
    total = _bounds(target, {key: point(each) for key, each in middles.items()}).value
    for key, each in box.items():
        reach = Interval(each.low - middles[key], each.high - middles[key])
        total = plus(total, times(whole.slopes.get(key, point(0.0)), reach))
    return total


def _turned(box: Mapping[str, Interval], whole: Sloped, *, is_high: bool) -> dict[str, Interval]:
    """The box with every value at the end where the result is largest (or smallest), as far as that is sure."""
    turned: dict[str, Interval] = {}
    for key, each in box.items():
        slope = whole.slopes.get(key, point(0.0))
        if slope.is_positive or slope.is_negative:
            at_high = slope.is_positive == is_high
            turned[key] = point(each.high if at_high else each.low)
        else:
            turned[key] = each
    return turned


def _bounds(target: Definition, box: Mapping[str, Interval]) -> Sloped:
    known: dict[str, Sloped] = {}
    for one in ancestors(target):
        if one.id in box:
            known[one.id] = Sloped(box[one.id], {one.id: point(1.0)})
        elif one.tree is None or not one.roots:
            known[one.id] = Sloped(point(one.si_value))
        else:
            known[one.id] = sloped(in_si(one.tree), {name: known[each.id] for name, each in one.inputs.items()})
    return known[target.id]


def monte_carlo(target: Definition, *, samples: int, seed: int, seconds: float = MONTE_CARLO_SECONDS) -> Sampled:
    """Draw the measured values, compute the result anew with each draw; the same seed gives the same numbers."""
    roots = _measured(target)
    patience = Patience(seconds)
    draws = {root.id: _drawn(root, samples, seed) for root in roots}
    values = _results(Chain(target, draws), draws, samples, patience)
    mean, deviation = statistics.fmean(values), statistics.pstdev(values)
    shares = []
    for root in roots:
        alone = values
        if len(roots) > 1:
            some = min(samples, 2_000)
            chain = Chain(target, [root.id])
            alone = _results(chain, {root.id: draws[root.id][:some]}, some, patience)
        variance = statistics.pvariance(alone)
        share = variance / deviation**2 if deviation else 0.0
        shares.append(Contribution(root.name, _standard(root), None, share))
    ordered = sorted(values)
    quantiles = {share: _quantile(ordered, share) for share in (0.025, 0.16, 0.5, 0.84, 0.975)}
    return Sampled(samples, seed, mean, deviation, quantiles, tuple(sorted(shares, key=lambda each: -each.share)))


def _results(chain: Chain, draws: Mapping[str, Sequence[float]], samples: int, patience: Patience) -> list[float]:
    values: list[float] = []
    for place in range(samples):
        if place % _CALLS_A_LOOK == 0 and patience.is_over:
            raise EvaluationError("Monte Carlo took too long; ask for fewer samples")
        found = chain({key: each[place] for key, each in draws.items()})
        if isinstance(found, Failure):
            raise EvaluationError(f"with some of the values drawn there is no result: {found.message}")
        values.append(found)
    return values


def _drawn(root: Definition, samples: int, seed: int) -> list[float]:
    digest = hashlib.sha256(f"{seed}:{root.id}".encode()).digest()
    source = random.Random(int.from_bytes(digest[:8], "big"))  # noqa: S311
    middle, limit = root.si_value, _limit(root)
    distribution = root.measured.distribution if root.measured else "normal"
    if distribution == "normal":
        return [source.gauss(middle, limit) for _ in range(samples)]
    if distribution == "uniform":
        return [source.uniform(middle - limit, middle + limit) for _ in range(samples)]
    return [source.triangular(middle - limit, middle + limit, middle) for _ in range(samples)]


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def _measured(target: Definition) -> list[Definition]:
    if target.untracked:
        names = ", ".join(target.untracked)
        raise EvaluationError(f"the uncertainty of {names} is not known here: a value was found by search or by asking")
    if not target.roots:
        raise EvaluationError(f"nothing that {target.name} is computed from has an uncertainty; write one with ±")
    if len(target.roots) > MOST_MEASURED:
        raise EvaluationError(f"{len(target.roots)} uncertain values are too many; at most {MOST_MEASURED}")
    return list(target.roots.values())


def _standard(root: Definition) -> float:
    return root.measured.standard if root.measured else 0.0


def _limit(root: Definition) -> float:
    return root.measured.limit if root.measured else 0.0
