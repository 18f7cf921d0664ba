"""Acidity of one acid or base in water at 25 °C: strong ones with the ions of water where these count, weak ones by the
exact quadratic."""

from __future__ import annotations

import math

# The ion product of water at 25 °C in mol²/L².
WATER = 1e-14
PKW = 14.0
# Above this, what water adds changes no digit that a pH is given with.
FEWEST_WITHOUT_WATER = 1e-5


def ions_of_strong(concentration: float) -> float:
    """The concentration of the ion that a strong acid or base gives off, with what water adds, in mol/L."""
    if concentration >= FEWEST_WITHOUT_WATER:
        return concentration
    return (concentration + math.sqrt(concentration**2 + 4 * WATER)) / 2


def ions_of_weak(concentration: float, constant: float) -> float:
    """The concentration x of the ion of a weak acid or base: x² / (c − x) = K, without what water adds, in mol/L."""
    # The same as (−K + √(K² + 4 K c)) / 2, without the difference of near numbers.
    return 2 * concentration / (1 + math.sqrt(1 + 4 * concentration / constant))
