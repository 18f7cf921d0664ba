"""Pieces of a formula that people state as one value."""

from __future__ import annotations

from mathrag.compute.latex import read_latex
from mathrag.compute.printers.pythontext import python_text
from mathrag.reason.choosing.slots import readings_as_one
from mathrag.types.expression import Equation, Reading
from mathrag.types.library import SymbolMeaning
from mathrag.types.quantity import Dimension

PRESSURE = Dimension.of({"mass": 1, "length": -1, "time": -2})
RATE = Dimension.of({"amount": 1, "length": -3, "time": -1})


def _equation(latex: str) -> Equation:
    reading = read_latex(latex, ())
    assert isinstance(reading, Reading)
    return reading.equations[0]


def _texts(latex: str, meanings: dict[str, SymbolMeaning]) -> list[str]:
    return [python_text(equation.right) for equation, _ in readings_as_one(_equation(latex), meanings)]


def test_a_difference_of_numbered_symbols_is_one_value() -> None:
    meanings = {name: SymbolMeaning(name, "pressure", "Pa", PRESSURE, "pressure") for name in ("P_1", "P_2")}
    ((equation, more),) = readings_as_one(_equation(r"Q = k (P_1 - P_2)"), meanings)
    assert python_text(equation.right) == "k*Delta_P"
    assert more["Delta_P"].description == "pressure difference"


def test_a_difference_whose_parts_stand_elsewhere_stays() -> None:
    meanings = {name: SymbolMeaning(name, "pressure", "Pa", PRESSURE, "pressure") for name in ("P_1", "P_2")}
    assert _texts(r"Q = k (P_1 - P_2) + c P_1", meanings) == []


def test_an_opposite_in_a_denominator_is_one_value_but_a_subtracted_term_is_none() -> None:
    meanings = {"r": SymbolMeaning("r", "reaction rate", "mol/(m^3*s)", RATE)}
    assert _texts(r"V = \frac{n}{-r}", meanings) == ["n/r_consumed"]
    assert _texts(r"V = \frac{n}{a - r}", meanings) == []
