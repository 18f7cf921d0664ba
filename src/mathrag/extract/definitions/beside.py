"""A noun with its symbol beside it, as a record: what the rules of apposition, brackets and formulas share."""

from __future__ import annotations

from dataclasses import dataclass

from mathrag.extract.definitions.symbol_reading import SymbolSeen


@dataclass(frozen=True, slots=True)
class Apposition:
    """A symbol and the noun phrase beside it; tokens from `start` up to `end`."""

    symbol: SymbolSeen
    words: str
    unit_text: str | None
    confidence: float
    source: str
    start: int
    end: int
