"""Reactions that end in an equilibrium: the quotient of products and reactants, and how far a reaction goes until it is
the constant. Pure solids and liquids are left out by whoever asks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from mathrag.compute.solve.numeric import brent

# Powers of e between which the share of the reaction is looked for that has taken place.
_FARTHEST = 650.0


@dataclass(frozen=True, slots=True)
class Counted:
    """A species in the quotient: its coefficient, negative for reactants, and how much of it is there at first."""

    coefficient: Fraction
    initial: Fraction


def log_quotient(powers: Sequence[tuple[Fraction, float]]) -> float:
    """The natural logarithm of the product of values to powers."""
    return sum(float(power) * math.log(value) for power, value in powers)


@dataclass(frozen=True, slots=True)
class Settled:
    """An equilibrium: how far the reaction went, and how much there is of every species then."""

    extent: float
    values: tuple[float, ...]


def settle(species: Sequence[Counted], constant: float) -> Settled | None:
    """The one equilibrium that keeps every amount positive: the quotient rises all the way from the end where a product
    is used up to the end where a reactant is. None where nothing can react."""
    products = [each for each in species if each.coefficient > 0]
    reactants = [each for each in species if each.coefficient < 0]
    if not products or constant <= 0:
        return None
    low = max(-each.initial / each.coefficient for each in products)
    high = min((each.initial / -each.coefficient for each in reactants), default=None)
    if high is not None and high <= low:
        return None

    def values_at(power: float) -> list[float]:
        """Near either end only the distance from it is exact."""
        if high is None:
            above, below = math.exp(power), 0.0
        else:
            width = float(high - low)
            above, below = width / (1 + math.exp(-power)), width / (1 + math.exp(power))
        return [
            float(each.initial + each.coefficient * low) + float(each.coefficient) * above
            if each.coefficient > 0 or high is None
            else float(each.initial + each.coefficient * high) - float(each.coefficient) * below
            for each in species
        ]

    def distance(power: float) -> float:
        powers = zip((each.coefficient for each in species), values_at(power), strict=True)
        return log_quotient(list(powers)) - math.log(constant)

    power = brent(distance, -_FARTHEST, _FARTHEST)
    if power is None:
        return None
    values = values_at(power)
    first = products[0]
    return Settled(
        (values[species.index(first)] - float(first.initial)) / float(first.coefficient),
        tuple(values),
    )
