"""How relations over lists are computed: a closed vocabulary of sums, means and spreads over exact numbers. Knows
no units and no words; each way also says how its terms are written."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import TypeAlias

Result: TypeAlias = Fraction | float
Columns: TypeAlias = Mapping[str, Sequence[Fraction]]

_ONE, _ZERO = Fraction(1), Fraction(0)
# Beyond this a power of a fraction is only many digits.
_LARGEST_EXACT_POWER = 200


@dataclass(frozen=True, slots=True)
class Way:
    """A way to compute from the columns of a relation (`x`, `y`, `t`, `rate`); `term` shows one element, `joint` stands
    between them, `whole` shows all. `power` says which power of the unit of `x` the result has; `is_number`: it is a
    plain number, whatever unit the elements have; `is_rate`: it is in their unit by that of their partners."""

    compute: Callable[[Columns], Result]
    term: str
    joint: str = " + "
    whole: str = "{terms}"
    power: int = 1
    is_number: bool = False
    is_rate: bool = False


def _total(numbers: Sequence[Fraction]) -> Fraction:
    return sum(numbers, _ZERO)


def _root(number: Fraction) -> Result:
    above, below = math.isqrt(max(0, number.numerator)), math.isqrt(number.denominator)
    root = Fraction(above, below)
    return root if root * root == number else math.sqrt(number)


def _mean(numbers: Sequence[Fraction]) -> Fraction:
    return _total(numbers) / len(numbers)


def _products(columns: Columns, power: int = 1) -> Fraction:
    return _total([x * y**power for x, y in zip(columns["x"], columns["y"], strict=True)])


def _weighted_mean(columns: Columns) -> Fraction:
    return _products(columns) / _total(columns["y"])


def _mean_by_reciprocals(columns: Columns) -> Fraction:
    parts = [y / x for x, y in zip(columns["x"], columns["y"], strict=True)]
    return _total(columns["y"]) / _total(parts)


def _squares_around(numbers: Sequence[Fraction]) -> Fraction:
    mean = _mean(numbers)
    return _total([(each - mean) ** 2 for each in numbers])


def _geometric_mean(columns: Columns) -> Result:
    numbers = columns["x"]
    if len(numbers) == 2:
        return _root(numbers[0] * numbers[1])
    return math.exp(math.fsum(math.log(each) for each in numbers) / len(numbers))


def _scatter(columns: Columns) -> Fraction:
    mean = _products(columns)
    return _total([y * (x - mean) ** 2 for x, y in zip(columns["x"], columns["y"], strict=True)])


def _discounted(columns: Columns) -> Result:
    growth = 1 + columns["rate"][0]
    whole: Result = _ZERO
    for amount, time in zip(columns["x"], columns["t"], strict=True):
        if time.denominator == 1 and abs(time) <= _LARGEST_EXACT_POWER:
            whole += amount / growth ** int(time)
        else:
            whole = float(whole) + float(amount) / float(growth) ** float(time)
    return whole


def _chi_square(columns: Columns) -> Fraction:
    return _total([(x - y) ** 2 / y for x, y in zip(columns["x"], columns["y"], strict=True)])


def _entropy(columns: Columns) -> Result:
    return -math.fsum(float(each) * math.log2(each) for each in columns["x"] if each)


def _diversity(columns: Columns) -> Result:
    whole = _total(columns["x"])
    return -math.fsum(float(each / whole) * math.log(each / whole) for each in columns["x"] if each)


def _pooled_variance(columns: Columns) -> Fraction:
    free = [size - 1 for size in columns["y"]]
    return _total([size * x**2 for size, x in zip(free, columns["x"], strict=True)]) / _total(free)


def _level_sum(columns: Columns) -> Result:
    return 10 * math.log10(math.fsum(10 ** (float(each) / 10) for each in columns["x"]))


def _median(columns: Columns) -> Fraction:
    ordered = sorted(columns["x"])
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


WAYS: Mapping[str, Way] = MappingProxyType(
    {
        "sum": Way(lambda columns: _total(columns["x"]), "{x}"),
        "reciprocal_sum": Way(
            lambda columns: 1 / _total([1 / each for each in columns["x"]]), "1/({x})", whole="1/({terms})"
        ),
        "product": Way(lambda columns: math.prod(columns["x"], start=_ONE), "{x}", " × ", power=0),
        "complement_product": Way(
            lambda columns: 1 - math.prod((1 - each for each in columns["x"]), start=_ONE),
            "(1 − {x})",
            " × ",
            "1 − {terms}",
            power=0,
        ),
        "mean": Way(lambda columns: _mean(columns["x"]), "{x}", whole="({terms}) / {count}"),
        "median": Way(_median, "{x}", ", ", "the middle of {terms} in order"),
        "range": Way(
            lambda columns: max(columns["x"]) - min(columns["x"]), "{x}", ", ", "largest − smallest of {terms}"
        ),
        "weighted_mean": Way(_weighted_mean, "{y} × {x}", whole="({terms}) / ({ys})"),
        "mean_by_reciprocals": Way(_mean_by_reciprocals, "{y}/({x})", whole="({ys}) / ({terms})"),
        "sum_of_products": Way(_products, "{y} × {x}"),
        "sum_of_products_less": Way(
            lambda columns: _products(columns) - _total(columns["fee"]), "{y} × {x}", whole="{terms} − {fee}"
        ),
        "total_ratio": Way(
            lambda columns: _total(columns["x"]) / _total(columns["y"]), "{x}", whole="({terms}) / ({ys})", is_rate=True
        ),
        "sum_of_products_with_squares": Way(lambda columns: _products(columns, 2), "{x} × ({y})²"),
        "geometric_mean": Way(_geometric_mean, "{x}", " × ", "({terms})^(1/{count})"),
        "harmonic_mean": Way(
            lambda columns: len(columns["x"]) / _total([1 / each for each in columns["x"]]),
            "1/({x})",
            whole="{count} / ({terms})",
        ),
        "root_mean_square": Way(
            lambda columns: _root(_mean([each**2 for each in columns["x"]])), "({x})²", whole="√(({terms}) / {count})"
        ),
        "root_of_squares": Way(
            lambda columns: _root(_total([each**2 for each in columns["x"]])), "({x})²", whole="√({terms})"
        ),
        "sample_deviation": Way(
            lambda columns: _root(_squares_around(columns["x"]) / (len(columns["x"]) - 1)),
            "({x} − mean)²",
            whole="√(({terms}) / ({count} − 1))",
        ),
        "population_deviation": Way(
            lambda columns: _root(_squares_around(columns["x"]) / len(columns["x"])),
            "({x} − mean)²",
            whole="√(({terms}) / {count})",
        ),
        "sample_variance": Way(
            lambda columns: _squares_around(columns["x"]) / (len(columns["x"]) - 1),
            "({x} − mean)²",
            whole="({terms}) / ({count} − 1)",
            power=2,
        ),
        "population_variance": Way(
            lambda columns: _squares_around(columns["x"]) / len(columns["x"]),
            "({x} − mean)²",
            whole="({terms}) / {count}",
            power=2,
        ),
        "expected_variance": Way(_scatter, "{y} × ({x} − mean)²", power=2),
        "expected_deviation": Way(lambda columns: _root(_scatter(columns)), "{y} × ({x} − mean)²", whole="√({terms})"),
        "discounted_sum": Way(_discounted, "{x}/(1 + {rate})^{t}"),
        "chi_square": Way(_chi_square, "({x} − {y})²/{y}", power=0, is_number=True),
        "entropy": Way(_entropy, "{x} × log₂(1/{x})", power=0),
        "diversity": Way(_diversity, "p ln p of {x}", whole="−({terms})", power=0, is_number=True),
        "pooled_deviation": Way(
            lambda columns: _root(_pooled_variance(columns)),
            "({y} − 1) × ({x})²",
            whole="√(({terms}) / (({ys}) − {count}))",
        ),
        "level_sum": Way(_level_sum, "10^({x}/10)", whole="10 × log₁₀({terms})"),
    }
)
