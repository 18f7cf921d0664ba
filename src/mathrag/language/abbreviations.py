"""Capitals that stand for words: whether ECF can be short for "extracellular fluid". Knows letters, no meanings."""

from __future__ import annotations

_LONGEST = 6


def abbreviates(short: str, long: str) -> bool:
    """Whether capitals stand for words: both begin with the same letter, and the others come in the same order."""
    if not (1 < len(short) <= _LONGEST and short.isalpha() and short.isupper()) or len(long) < 2 * len(short):
        return False
    rest = iter(long.casefold())
    return short[0].casefold() == long[0].casefold() and all(letter in rest for letter in short.casefold())
