"""Whether two ways to write a symbol are one: `K_b` and `Kb`, `Q95` and `Q_{95}`, `aβ` and `a_beta`. Knows no slots."""

from __future__ import annotations

from mathrag.language.typed_symbols import SQUARED
from mathrag.types.symbol_names import SymbolParts

# In longer symbols the letter O is no zero.
_LONGEST_SYMBOL = 3


def is_same_symbol(one: SymbolParts, other: SymbolParts) -> bool:
    """Whether the signs are the same, however they are divided. Where `other` is a square, `R2` means it too."""
    if one == other or undivided(one) == undivided(other):
        return True
    is_square = SQUARED in other.subscripts
    return is_square and undivided(one) == undivided(other).replace(SQUARED, "2")


def is_of_other_power(given: SymbolParts | None, own: SymbolParts) -> bool:
    """Whether one is the square of a symbol and the other is not: R² is no R."""
    if given is None or (SQUARED in given.subscripts) == (SQUARED in own.subscripts):
        return False
    return not is_same_symbol(given, own)


def extras(parts: SymbolParts) -> str:
    """Subscripts and marks, however they are divided; an arrow over a vector says nothing here."""
    pieces = (*parts.subscripts, *(mark for mark in parts.marks if mark != "vec"))
    # Some write the letter O where others write a zero.
    return "".join(pieces).casefold().replace("_", "").replace("o", "0")


def undivided(parts: SymbolParts) -> str:
    """The whole symbol without divisions: `pKa` is `pK_a`, `do` is `d_o`, `QRUN` is `Q_RUN`; only the first letter
    keeps its size."""
    letter = parts.letter[:1] + parts.letter[1:].casefold()
    whole = f"{parts.prefix} {letter}"
    return whole.replace("o", "0") + extras(parts) if len(letter) <= _LONGEST_SYMBOL else whole + extras(parts)
