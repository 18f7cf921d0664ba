"""Search formulas by their signature: the dimensions and symbols of what a question gives and asks.

A question that gives a mass, a speed and a radius and asks for a force fits few formulas, whatever words it uses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from mathrag.store.index.signature_arrays import FitWeights, SignatureArrays
from mathrag.store.index.signatures import SignatureRow

# What fits counts one each; what would be missing, and a symbol typed by its own letter, count a part of that. What
# fits only under another reading of its symbols comes after those that fit as they are read.
_WEIGHTS = FitWeights(asked=1.0, missing=0.6, symbol=0.5, otherwise=0.3)


@dataclass(frozen=True, slots=True)
class Signature:
    """What a question offers: for each value the dimensions it can have, the dimensions asked for, symbols typed."""

    givens: tuple[frozenset[str], ...]
    asked: frozenset[str] = frozenset()
    symbols: frozenset[str] = frozenset()


class SignatureIndex:
    """The formulas of a library by dimension and by symbol."""

    def __init__(self, rows: Sequence[SignatureRow]) -> None:
        self._arrays = SignatureArrays(rows)

    @property
    def symbols(self) -> Collection[str]:
        """Every symbol name of the library."""
        return self._arrays.symbols

    def __len__(self) -> int:
        return self._arrays.size

    def search(self, signature: Signature, *, limit: int = 40) -> list[str]:
        """Ids of the formulas that fit best, best first; ties by id."""
        wanted = Counter(dimension for dimensions in signature.givens for dimension in dimensions)
        return self._arrays.best(
            wanted, asked=signature.asked, symbols=signature.symbols, weights=_WEIGHTS, limit=limit
        )
