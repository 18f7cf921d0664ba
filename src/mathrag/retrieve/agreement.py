"""How far two scores go together, and how well a score tells right from wrong; each with its 95 % interval.

Knows numbers only: no texts, no models, no store. Intervals of what is measured on several solutions of one problem
count the problem, not the solution, as the independent thing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy
from numpy.typing import NDArray

from mathrag.types.quality import Estimate

Numbers: TypeAlias = NDArray[numpy.float64]
_Z = 1.959963984540054
# Below so many pairs the interval of a correlation says nothing.
LEAST_PAIRS = 4


def pearson(first: Sequence[float], second: Sequence[float]) -> Estimate | None:
    """The correlation of two scores with its interval after Fisher; None where they are few or one never varies."""
    x, y = numpy.asarray(first, dtype=numpy.float64), numpy.asarray(second, dtype=numpy.float64)
    if len(x) != len(y):
        raise ValueError("two scores of the same things have the same length")
    if len(x) < LEAST_PAIRS or not (numpy.isfinite(x).all() and numpy.isfinite(y).all()):
        return None
    x, y = x - x.mean(), y - y.mean()
    # Before the division: numbers near the largest would overflow.
    largest = float(numpy.abs(x).max()), float(numpy.abs(y).max())
    if min(largest) <= 1e-12:
        return None
    x, y = x / largest[0], y / largest[1]
    value = float(numpy.clip((x @ y) / math.sqrt(float(x @ x) * float(y @ y)), -1.0, 1.0))
    if abs(value) > 1 - 1e-12:
        return Estimate(value, value, value, len(x))
    middle, half = math.atanh(value), _Z / math.sqrt(len(x) - 3) if len(x) > 3 else math.inf
    return Estimate(value, math.tanh(middle - half), math.tanh(middle + half), len(x))


def spearman(first: Sequence[float], second: Sequence[float]) -> Estimate | None:
    """The same for their ranks; equal scores share the middle of their ranks."""
    return pearson(middle_ranks(first).tolist(), middle_ranks(second).tolist())


def middle_ranks(values: Sequence[float] | Numbers) -> Numbers:
    """The rank of every value from 1 on; equal ones share the middle of theirs."""
    ordered = numpy.sort(numpy.asarray(values, dtype=numpy.float64))
    below = numpy.searchsorted(ordered, values, side="left")
    up_to = numpy.searchsorted(ordered, values, side="right")
    ranks: Numbers = (below + up_to + 1) / 2.0
    return ranks


def chance_ahead(scores: Sequence[float], is_right: Sequence[bool], groups: Sequence[str] = ()) -> Estimate | None:
    """The probability that a right thing scores higher than a wrong one, equal scores counting half.

    `groups` names what each thing belongs to, as the problem of a solution. None where there are not both.
    """
    parts = _components(scores, is_right)
    return None if parts is None else _estimate(parts, is_right, groups)


def difference(
    first: Sequence[float], second: Sequence[float], is_right: Sequence[bool], groups: Sequence[str] = ()
) -> Estimate | None:
    """By how much the first score is better at that than the second, on the same things."""
    one, other = _components(first, is_right), _components(second, is_right)
    return None if one is None or other is None else _estimate(one - other, is_right, groups, least=-1.0)


def together(estimates: Sequence[Estimate]) -> Estimate | None:
    """The mean of estimates that were measured on different data, each counting the same."""
    if not estimates:
        return None
    value = sum(one.value for one in estimates) / len(estimates)
    half = math.sqrt(sum(((one.high - one.low) / 2) ** 2 for one in estimates)) / len(estimates)
    return Estimate(value, value - half, value + half, sum(one.count for one in estimates))


def _components(scores: Sequence[float], is_right: Sequence[bool]) -> Numbers | None:
    """For every thing the share of those of the other sort that it stands on the right side of."""
    values, right = numpy.asarray(scores, dtype=numpy.float64), numpy.asarray(is_right, dtype=bool)
    if len(values) != len(right):
        raise ValueError("every score needs a label")
    if not right.any() or right.all() or not numpy.isfinite(values).all():
        return None
    made = numpy.empty(len(values))
    for sort, sign in ((right, 1.0), (~right, -1.0)):
        others = numpy.sort(values[~sort])
        below = numpy.searchsorted(others, values[sort], side="left")
        up_to = numpy.searchsorted(others, values[sort], side="right")
        share = (below + up_to) / (2.0 * len(others))
        made[sort] = share if sign > 0 else 1.0 - share
    return made


def _estimate(parts: Numbers, is_right: Sequence[bool], groups: Sequence[str], *, least: float = 0.0) -> Estimate:
    """The mean of the components with the interval of Obuchowski (1997): problems, not solutions, are drawn."""
    right = numpy.asarray(is_right, dtype=bool)
    names = list(groups) if groups else [str(place) for place in range(len(right))]
    if len(names) != len(right):
        raise ValueError("every thing needs a group")
    value = float(parts[right].mean())
    _, member = numpy.unique(numpy.asarray(names, dtype=object).astype(str), return_inverse=True)
    gaps = parts - value
    sums = {
        sort: numpy.bincount(member[chosen], weights=gaps[chosen], minlength=int(member.max()) + 1)
        for sort, chosen in (("right", right), ("wrong", ~right))
    }
    counts = {"right": int(right.sum()), "wrong": int((~right).sum())}
    scaled = sums["right"] / counts["right"] + sums["wrong"] / counts["wrong"]
    size = len(scaled)
    variance = float(scaled @ scaled) * size / (size - 1) if size > 1 else math.inf
    half = _Z * math.sqrt(variance) if math.isfinite(variance) else 2.0
    return Estimate(value, max(least, value - half), min(1.0, value + half), len(right))
