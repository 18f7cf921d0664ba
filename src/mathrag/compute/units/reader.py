"""Read unit text: the whole way from what a person typed to a `Unit`, and the choice between readings."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from mathrag.compute.units.grammar import MAXIMAL_CHARACTERS, UnitParser
from mathrag.compute.units.latex import plain_unit_text
from mathrag.compute.units.readings import RankedUnit, canonical_unit, difference_of, ranked_units
from mathrag.compute.units.tokens import tokenize
from mathrag.errors import AmbiguousUnitError, UnitError
from mathrag.types.quantity import NO_UNIT, Dimension, Unit

# What people write where a quantity has no unit.
_NO_UNIT_TEXTS = frozenset({"", "1", "-", "–", "—", "dimensionless", "none", "unitless"})


def read_unit(text: str, *, prefer: Iterable[Dimension] = (), difference: bool = False) -> Unit:
    """The unit a text names. `prefer` lists dimensions that decide between readings, in order of preference;
    `difference` asks for a temperature difference (`delta_degC`) where the text names a temperature.
    """
    ranked = _ranked_readings(text)
    unit = _choose(text, ranked, prefer)
    return difference_of(unit) if difference else unit


def unit_readings(text: str, *, rare: bool = True) -> tuple[Unit, ...]:
    """Every reading of a unit text, most usual first; without the rare ones on request."""
    return tuple(item.unit for item in _ranked_readings(text) if rare or item.rank == 0)


def is_unit_text(text: str) -> bool:
    """Whether the text reads as a unit, ambiguous or not."""
    try:
        return bool(_ranked_readings(text))
    except UnitError:
        return False


@lru_cache(maxsize=4096)
def read_canonical_unit(text: str) -> Unit:
    """The unit with this canonical text, as `Unit.text` and our data files have it: `C` is the coulomb, never °C."""
    _check_size(text)
    if text.strip() in _NO_UNIT_TEXTS:
        return NO_UNIT
    return canonical_unit(UnitParser(text, tokenize(text), canonical=True).parse_all())


def _choose(text: str, ranked: tuple[RankedUnit, ...], prefer: Iterable[Dimension]) -> Unit:
    for dimension in prefer:
        fitting = [item for item in ranked if item.unit.dimension == dimension]
        if fitting:
            best = [item.unit for item in fitting if item.rank == fitting[0].rank]
            if len(best) > 1:
                raise AmbiguousUnitError(text, tuple(unit.text for unit in best))
            return best[0]
    usual = [item.unit for item in ranked if item.rank == 0]
    if len(usual) > 1:
        raise AmbiguousUnitError(text, tuple(unit.text for unit in usual))
    return usual[0]


def _ranked_readings(text: str) -> tuple[RankedUnit, ...]:
    _check_size(text)
    return _cached_readings(text)


@lru_cache(maxsize=4096)
def _cached_readings(text: str) -> tuple[RankedUnit, ...]:
    if text.strip() in _NO_UNIT_TEXTS:
        return (RankedUnit(NO_UNIT, 0),)
    plain, places = plain_unit_text(text)
    try:
        return ranked_units(UnitParser(plain, tokenize(plain)).parse_all(), plain)
    except UnitError as error:
        place = error.position
        if place is not None:
            place = places[place] if place < len(places) else len(text)
        raise UnitError(error.reason, source=text, position=place) from None


def _check_size(text: str) -> None:
    if len(text) > MAXIMAL_CHARACTERS:
        raise UnitError(
            f"a unit of {len(text)} characters is too long; at most {MAXIMAL_CHARACTERS} are read",
            source=text[: MAXIMAL_CHARACTERS + 40],
            position=MAXIMAL_CHARACTERS,
        )
