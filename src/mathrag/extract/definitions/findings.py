"""What the rules hand over: a symbol with its words, before scope, kind and unit are settled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from mathrag.extract.definitions.symbol_reading import SymbolSeen
from mathrag.types.document import Place

# How far a definition holds: from the formula it explains to the end of the section, over its section, everywhere.
Reach: TypeAlias = Literal["formula", "onwards", "section", "document"]


@dataclass(frozen=True, slots=True)
class Found:
    """One definition as a rule found it. `block` is the index of the block it stands in."""

    symbol: SymbolSeen
    description: str
    source: str
    confidence: float
    block: int
    place: Place
    quote: str
    unit_text: str | None = None
    reach: Reach = "onwards"
