"""Search formulas by their signature: the dimensions and symbols of what a question gives and asks.

A question that gives a mass, a speed and a radius and asks for a force fits few formulas, whatever words it uses.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from mathrag.store.signatures import SignatureRow

# What fits counts one each; what would be missing, and a symbol typed by its own letter, count a part of that.
_MISSING = 0.6
_SYMBOL = 0.5
_ASKED = 1.0


@dataclass(frozen=True, slots=True)
class Signature:
    """What a question offers: for each value the dimensions it can have, the dimensions asked for, symbols typed."""

    givens: tuple[frozenset[str], ...]
    asked: frozenset[str] = frozenset()
    symbols: frozenset[str] = frozenset()


class SignatureIndex:
    """The formulas of a library by dimension and by symbol."""

    def __init__(self, rows: Sequence[SignatureRow]) -> None:
        self._by_dimension: dict[str, dict[str, int]] = {}
        self._by_symbol: dict[str, list[str]] = {}
        self._variables: Counter[str] = Counter()
        for row in rows:
            self._by_symbol.setdefault(row.name, []).append(row.formula)
            if row.is_constant:
                continue
            self._variables[row.formula] += 1
            if row.dimension is not None:
                counts = self._by_dimension.setdefault(row.dimension, {})
                counts[row.formula] = counts.get(row.formula, 0) + 1

    @property
    def symbols(self) -> Collection[str]:
        """Every symbol name of the library."""
        return self._by_symbol.keys()

    def __len__(self) -> int:
        return len(self._variables)

    def search(self, signature: Signature, *, limit: int = 40) -> list[str]:
        """Ids of the formulas that fit best, best first; ties by id."""
        matched = self._matched(signature)
        scores = dict.fromkeys(self._with_any(signature.asked), _ASKED)
        for formula, count in matched.items():
            lacking = max(0, self._variables[formula] - 1 - count)
            scores[formula] = scores.get(formula, 0.0) + count - _MISSING * lacking
        for symbol in signature.symbols:
            for formula in self._by_symbol.get(symbol, ()):
                scores[formula] = scores.get(formula, 0.0) + _SYMBOL
        return heapq.nsmallest(limit, scores, key=lambda formula: (-scores[formula], formula))

    def _matched(self, signature: Signature) -> Counter[str]:
        """How many of the values find a place in each formula, two values of one dimension needing two places."""
        wanted: Counter[str] = Counter(dimension for dimensions in signature.givens for dimension in dimensions)
        matched: Counter[str] = Counter()
        for dimension, count in wanted.items():
            for formula, places in self._by_dimension.get(dimension, {}).items():
                matched[formula] += min(count, places)
        return matched

    def _with_any(self, dimensions: Collection[str]) -> set[str]:
        return {formula for dimension in dimensions for formula in self._by_dimension.get(dimension, ())}
