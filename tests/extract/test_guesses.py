"""What is guessed of a symbol, and which guesses are none: the golden tables of words and of units nobody writes."""

from __future__ import annotations

import pytest

from mathrag.extract.guesses import guesses_of, without_made_up_units
from mathrag.knowledge.kinds import kind
from mathrag.knowledge.units import coherent_unit, read_canonical_unit
from mathrag.language.quantity_names import is_unlikely_head, said_dimension
from mathrag.types.expression import Divide, Equation, Multiply, Symbol
from mathrag.types.library import SymbolMeaning


@pytest.mark.parametrize(
    ("words", "unit"),
    [
        ("voltage of the spare battery", "V"),
        ("outer pressure", "Pa"),
        ("width of the hedge", "m"),
        ("milking period", "s"),
        ("kinetic energy of the sledge", "J"),
        ("loop gain of the tiller", None),
        ("mass flow rate of the spring", "kg/s"),
        ("dough flow rate", None),
        ("ripening rate", None),
        ("hive coefficient", None),
        ("sensing resistor", None),
    ],
)
def test_words_say_one_dimension_or_leave_it_open(words: str, unit: str | None) -> None:
    expected = None if unit is None else read_canonical_unit(unit).dimension
    assert said_dimension(words) == expected


def test_a_last_noun_is_no_kind_that_it_hardly_ever_names() -> None:
    assert is_unlikely_head("loop gain", kind("profit"))
    assert is_unlikely_head("ripening rate", kind("reaction_rate"))
    assert not is_unlikely_head("gain", kind("profit"))
    assert not is_unlikely_head("outer pressure", kind("pressure"))


def _meaning(name: str, unit: str | None, words: str = "", *, is_stated: bool = False) -> SymbolMeaning:
    dimension = None if unit is None else read_canonical_unit(unit).dimension
    origin = "document" if words else "assumed"
    return SymbolMeaning(name, words, unit, dimension, origin=origin, is_unit_stated=is_stated)  # type: ignore[arg-type]


_RATIO = Equation(Symbol("k"), Divide(Multiply((Symbol("T"), Symbol("R"))), Symbol("L")))


def test_what_stated_units_demand_is_no_guess() -> None:
    stated = [_meaning(name, unit, "part", is_stated=True) for name, unit in (("T", "s"), ("R", "ohm"), ("L", "H"))]
    assert guesses_of([_meaning("k", "", "hive share"), *stated], _RATIO).names == frozenset()
    wrong = guesses_of([_meaning("k", "m", "hive share"), *stated], _RATIO)
    assert wrong.names == {"k"}
    assert wrong.demanded["k"].is_dimensionless


def test_a_unit_that_no_quantity_has_is_none() -> None:
    symbols = [
        _meaning("k", None, "feed gain"),
        _meaning("T", "s", "period"),
        _meaning("R", coherent_unit(read_canonical_unit("kg*m^5*s^3").dimension).text, "burden part"),
        _meaning("L", "H", "inductance"),
    ]
    cleaned = {one.name: one.unit for one in without_made_up_units(symbols, _RATIO)}
    assert cleaned == {"k": None, "T": "s", "R": None, "L": "H"}


def test_money_is_meant_only_where_something_speaks_of_it() -> None:
    others = [_meaning("T", "s", "period"), _meaning("R", None, "burden part"), _meaning("L", "H", "inductance")]
    assert without_made_up_units([_meaning("k", "USD", "feed gain"), *others], _RATIO)[0].unit is None
    assert without_made_up_units([_meaning("k", "USD", "storage cost"), *others], _RATIO)[0].unit == "USD"
