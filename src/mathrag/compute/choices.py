"""What somebody who knows more than the notation chose where a formula can be read in two ways. Data only."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Choices:
    """How ambiguous places are to be read; what is not listed is read as usual.

    `names` and `products` are letters side by side (`CL`, `mv`); `values` and `factors` are calls (`U(r_0)`), as the
    value of a function or as a product; `units` are letters after a number or a symbol that spell a unit (`MPa`).
    """

    names: frozenset[str] = frozenset()
    products: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    factors: frozenset[str] = frozenset()
    units: frozenset[str] = frozenset()


NO_CHOICES = Choices()
