"""Search formulas by their signature: the dimensions and symbols of what a question gives and asks.

A question that gives a mass, a speed and a radius and asks for a force fits few formulas, whatever words it uses.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mathrag.store.signatures import SignatureRow

# What fits counts one each; what would be missing, and a symbol typed by its own letter, count a part of that.
_MISSING = 0.6
_SYMBOL = 0.5
_ASKED = 1.0
# A formula that fits only under another reading of its symbols comes after those that fit as they are read.
_OTHERWISE = 0.3

_Reading: TypeAlias = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Signature:
    """What a question offers: for each value the dimensions it can have, the dimensions asked for, symbols typed."""

    givens: tuple[frozenset[str], ...]
    asked: frozenset[str] = frozenset()
    symbols: frozenset[str] = frozenset()


class SignatureIndex:
    """The formulas of a library by dimension and by symbol."""

    def __init__(self, rows: Sequence[SignatureRow]) -> None:
        self._by_dimension: dict[str, dict[_Reading, int]] = {}
        self._by_symbol: dict[str, list[str]] = {}
        self._variables: Counter[_Reading] = Counter()
        for row in rows:
            reading = (row.formula, row.reading)
            if not row.reading:
                self._by_symbol.setdefault(row.name, []).append(row.formula)
            if row.is_constant:
                continue
            self._variables[reading] += 1
            if row.dimension is not None:
                counts = self._by_dimension.setdefault(row.dimension, {})
                counts[reading] = counts.get(reading, 0) + 1
        self._size = sum(not reading for _, reading in self._variables)

    @property
    def symbols(self) -> Collection[str]:
        """Every symbol name of the library."""
        return self._by_symbol.keys()

    def __len__(self) -> int:
        return self._size

    def search(self, signature: Signature, *, limit: int = 40) -> list[str]:
        """Ids of the formulas that fit best, best first; ties by id."""
        fits = dict.fromkeys(self._with_any(signature.asked), _ASKED)
        for reading, count in self._matched(signature).items():
            lacking = max(0, self._variables[reading] - 1 - count)
            fits[reading] = fits.get(reading, 0.0) + count - _MISSING * lacking
        scores: dict[str, float] = {}
        for (formula, number), fit in fits.items():
            fit -= _OTHERWISE if number else 0.0
            if fit > scores.get(formula, -math.inf):
                scores[formula] = fit
        for symbol in signature.symbols:
            for formula in self._by_symbol.get(symbol, ()):
                scores[formula] = scores.get(formula, 0.0) + _SYMBOL
        return heapq.nsmallest(limit, scores, key=lambda formula: (-scores[formula], formula))

    def _matched(self, signature: Signature) -> Counter[_Reading]:
        """How many of the values find a place in each formula, two values of one dimension needing two places."""
        wanted: Counter[str] = Counter(dimension for dimensions in signature.givens for dimension in dimensions)
        matched: Counter[_Reading] = Counter()
        for dimension, count in wanted.items():
            for reading, places in self._by_dimension.get(dimension, {}).items():
                matched[reading] += min(count, places)
        return matched

    def _with_any(self, dimensions: Collection[str]) -> set[_Reading]:
        return {reading for dimension in dimensions for reading in self._by_dimension.get(dimension, ())}
