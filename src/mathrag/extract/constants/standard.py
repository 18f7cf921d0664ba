"""Which standard constant a stated value is: by symbol or words, and by dimension and size."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from mathrag.compute.constants import all_constants, constant_quantity, constants_for_symbol, constants_for_words
from mathrag.extract.constants.values import Value
from mathrag.types.knowledge import Constant

TOLERANCE = 0.02
_PREPOSITIONS = (" of ", " in ", " at ", " on ", " for ", ",", " (")


def constants_named(words: str) -> tuple[Constant, ...]:
    """The constants that a phrase names, as a whole or without what qualifies it ("speed of light in a vacuum")."""
    for variant in _variants(words):
        found = constants_for_words(variant)
        if found:
            return found
    return ()


def _variants(words: str) -> Iterator[str]:
    text = words.casefold().strip()
    yield text
    first, link, second = text.partition(" of ")
    if link:
        yield f"{first} of the {second}"
        yield f"{second.removeprefix('the ')} {first}"
    for lead in ("the ", "universal ", "standard ", "ideal ", "molar ", "mean ", "local ", "newton's ", "newtonian "):
        if text.startswith(lead):
            text = text.removeprefix(lead)
            yield text
    if text.endswith(" number"):
        yield f"{text.removesuffix(' number')} constant"
    while True:
        cut = max(text.rfind(mark) for mark in _PREPOSITIONS)
        if cut <= 0:
            return
        text = text[:cut].strip()
        if " " in text:
            yield text


@cache
def telling_words() -> frozenset[str]:
    """One word of every name of a constant: the longest, which a sentence about it holds."""
    longest = (
        max(name.casefold().replace("'", " ").split(), key=len) for item in all_constants() for name in item.names
    )
    return frozenset(longest)


def standard_of(value: Value, *, name: str, words: str) -> Constant | None:
    """The standard constant with this symbol or these words whose value this is, within two per cent."""
    named = constants_named(words) if words else ()
    for item in (*named, *(constants_for_symbol(name) if name else ())):
        if agrees(value, item):
            return item
    return None


def agrees(value: Value, item: Constant) -> bool:
    """Whether value and constant have one dimension and, within two per cent, one size."""
    quantity = constant_quantity(item)
    if value.unit is not None and value.unit.dimension != item.dimension:
        return False
    if value.unit is None and not item.dimension.is_dimensionless and not _is_telling(value):
        return False
    # A value without unit is compared with the number in SI units: "k = 9 × 10⁹".
    size = quantity.si_value
    return size != 0 and abs(abs(value.si) / abs(size) - 1) <= TOLERANCE


def _is_telling(value: Value) -> bool:
    """Whether a bare number is too special to agree by chance."""
    digits = len(value.number.as_tuple().digits)
    return abs(value.number.adjusted()) >= 4 or digits >= 3
