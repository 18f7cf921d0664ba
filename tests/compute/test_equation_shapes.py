"""The shape of an equation is the same under any names and most rearrangements, and different for another relation."""

from __future__ import annotations

import pytest

from mathrag.compute.pythontext import read_python_text
from mathrag.compute.shapes import Shape, shape_of, shapes_of
from mathrag.types.expression import Equation, Reading, equation_symbols, rename_equation

SAME = [
    ("d = v*t", "c = a/b"),
    ("T = 2*pi*sqrt(L/g)", "q = 4*pi**2*z/x**2"),
    ("v = sqrt(u**2 + 2*a*s)", "s = (v**2 - u**2)/(2*a)"),
    ("1/f = 1/a + 1/b", "x = y*z/(y + z)"),
    ("y = m*x + b", "k = (w - p)/h"),
    ("E = m*c**2", "2*E = 2*m*c**2"),
    ("L = 10*log10(P/Q)", "z = -10*log10(y/x)"),
]
SOLVED = [
    ("N = M*exp(-k*t)", "t = log(M/N)/k"),
    ("n*sin(a) = m*sin(b)", "b = asin(n*sin(a)/m)"),
]
DIFFERENT = [
    ("E = m*c**2", "E = m*c**2/2"),
    ("y = a + b", "y = a*b"),
    ("y = a*sin(x)", "y = a*cos(x)"),
    ("y = (a + b)*c", "y = a + b*c"),
    ("x = a - b", "x = a - b - c"),
]


def _equation(text: str) -> Equation:
    reading = read_python_text(text)
    assert isinstance(reading, Reading)
    return reading.equations[0]


def _shape(text: str) -> Shape:
    shape = shape_of(_equation(text))
    assert shape is not None
    return shape


@pytest.mark.parametrize(("first", "second"), SAME)
def test_names_and_arrangement_do_not_count(first: str, second: str) -> None:
    assert _shape(first).key == _shape(second).key


@pytest.mark.parametrize(("first", "second"), SOLVED)
def test_a_solved_form_is_one_of_the_shapes(first: str, second: str) -> None:
    assert _shape(second).key in {shape.key for shape in shapes_of(_equation(first))}


@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_other_relations_have_other_shapes(first: str, second: str) -> None:
    assert _shape(first).key != _shape(second).key


@pytest.mark.parametrize("text", [first for first, _ in (*SAME, *SOLVED, *DIFFERENT)])
def test_places_follow_their_symbols(text: str) -> None:
    equation = _equation(text)
    names = equation_symbols(equation)
    renaming = dict(zip(names, [f"z_{number}" for number in range(len(names))][::-1], strict=True))
    other = shape_of(rename_equation(equation, renaming))
    assert other is not None
    own = _shape(text)
    assert {renaming[name]: place for name, place in own.numbered.items()} == other.numbered


def test_factors_share_a_place_and_a_square_has_its_own() -> None:
    places = _shape("E = a*b*c**2").numbered
    assert places["a"] == places["b"]
    assert len({places["a"], places["c"], places["E"]}) == 3


def test_nothing_that_varies_has_no_shape() -> None:
    assert shape_of(_equation("1 = 1")) is None
