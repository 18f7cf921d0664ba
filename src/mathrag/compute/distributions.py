"""Probabilities and quantiles of the distributions of a first course in statistics: normal, Student's t, chi-square,
binomial, Poisson, hypergeometric. Numbers only; what is counted is exact where the chances are fractions."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from statistics import NormalDist

_STANDARD = NormalDist()
_NEAR_ZERO = 1e-300
_MOST_STEPS, _CLOSE = 3000, 1e-15
# Beyond this many trials the exact fraction of a binomial has too many digits to be worth it.
_MOST_TRIALS = 2000


def normal_below(z: float) -> float:
    """The probability that a standard normal variable lies below `z`."""
    return math.erfc(-z / math.sqrt(2)) / 2


def normal_quantile(share: float) -> float:
    """The z below which a share of the standard normal distribution lies, for 0 < share < 1."""
    return _STANDARD.inv_cdf(share)


def student_below(t: float, free: float) -> float:
    """The probability that Student's t with `free` degrees of freedom lies below `t`."""
    tail = _beta_share(free / 2, 0.5, free / (free + t * t)) / 2
    return 1 - tail if t > 0 else tail


def student_quantile(share: float, free: float) -> float:
    """The t below which a share of Student's distribution lies, for 0 < share < 1."""
    if share < 0.5:
        return -student_quantile(1 - share, free)
    return _crossing(lambda t: student_below(t, free) - share)


def chi_square_above(value: float, free: float) -> float:
    """The probability that chi-square with `free` degrees of freedom lies above a value."""
    return 1 - _gamma_share(free / 2, value / 2)


def binomial_exactly(count: int, trials: int, chance: Fraction) -> Fraction:
    """The probability of so many successes in independent trials."""
    if not 0 <= count <= trials:
        return Fraction(0)
    return math.comb(trials, count) * chance**count * (1 - chance) ** (trials - count)


def is_countable(trials: int) -> bool:
    """Whether so many trials are counted out exactly."""
    return 0 <= trials <= _MOST_TRIALS


def poisson_exactly(count: int, mean: float) -> float:
    """The probability of so many events where `mean` are expected."""
    return math.exp(count * math.log(mean) - mean - math.lgamma(count + 1)) if mean > 0 else float(count == 0)


def hypergeometric_exactly(count: int, drawn: int, special: int, whole: int) -> Fraction:
    """The probability of so many special things among those drawn, none put back."""
    if not max(0, drawn + special - whole) <= count <= min(drawn, special):
        return Fraction(0)
    return Fraction(math.comb(special, count) * math.comb(whole - special, drawn - count), math.comb(whole, drawn))


def _crossing(height: Callable[[float], float]) -> float:
    """Where a rising function from 0 on crosses zero."""
    low, high = 0.0, 1.0
    while height(high) < 0 and high < 1e12:
        low, high = high, 2 * high
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if height(middle) < 0 else (low, middle)
    return (low + high) / 2


def _beta_share(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x > (a + 1) / (a + b + 2):
        return 1 - front * _beta_fraction(b, a, 1 - x) / b
    return front * _beta_fraction(a, b, x) / a


def _beta_fraction(a: float, b: float, x: float) -> float:
    below, above = 1.0, _away_from_zero(1 - (a + b) * x / (a + 1))
    found = above = 1 / above
    for step in range(1, _MOST_STEPS):
        even = step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step))
        odd = -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1))
        for part in (even, odd):
            above = 1 / _away_from_zero(1 + part * above)
            below = _away_from_zero(1 + part / below)
            found *= above * below
        if abs(above * below - 1) < _CLOSE:
            break
    return found


def _away_from_zero(number: float) -> float:
    return number if abs(number) > _NEAR_ZERO else _NEAR_ZERO


def _gamma_share(a: float, x: float) -> float:
    """The regularised lower incomplete gamma function: a series for small x, a continued fraction for large."""
    if x <= 0:
        return 0.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        for step in range(1, _MOST_STEPS):
            term *= x / (a + step)
            total += term
            if term < total * _CLOSE:
                break
        return front * total
    below, above = x + 1 - a, 1 / (x + 1 - a)
    ratio, found = 1 / _NEAR_ZERO, above
    for step in range(1, _MOST_STEPS):
        part = -step * (step - a)
        below += 2
        above = 1 / _away_from_zero(part * above + below)
        ratio = _away_from_zero(below + part / ratio)
        found *= above * ratio
        if abs(above * ratio - 1) < _CLOSE:
            break
    return 1 - front * found
