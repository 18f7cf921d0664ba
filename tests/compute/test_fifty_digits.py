"""Results whose digits cancel in floats: computed anew with fifty digits, or refused where none is left."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.compute.evaluate import Failure, evaluate_quantity
from mathrag.compute.pythontext import read_python_text
from mathrag.compute.unknowns import evaluate_unknown
from mathrag.knowledge.units import read_canonical_unit
from mathrag.types.expression import Equation, Expression, Reading
from mathrag.types.quantity import Quantity


def tree(text: str) -> Expression:
    reading = read_python_text(text)
    assert isinstance(reading, Reading)
    assert reading.expression is not None
    return reading.expression


def quantity(text: str) -> Quantity:
    number, _, unit = text.partition(" ")
    return Quantity(float(number), read_canonical_unit(unit)) if unit else Quantity(float(number))


def computed(text: str, **values: str) -> Quantity | Failure:
    return evaluate_quantity(tree(text), {name: quantity(value) for name, value in values.items()})


# The number by hand: from a series, or from the same written so that nothing cancels.
RIGHT = [
    ("(1/sqrt(1 - v**2/c**2) - 1)*m*c**2", {"v": "4 m/s", "c": "299792458 m/s", "m": "3 kg"}, 24.0),
    ("(1/sqrt(1 - v**2/c**2) - 1)*m*c**2", {"v": "0.5 m/s", "c": "299792458 m/s", "m": "8 kg"}, 1.0),
    ("(-b + sqrt(b**2 - 4*a*c))/(2*a)", {"a": "1", "b": "4e8", "c": "2"}, -5e-9),
    ("(b - sqrt(b**2 - 4*a*c))/(2*a)", {"a": "2", "b": "1e10", "c": "3"}, 3e-10),
    ("exp(x) - 1", {"x": "1e-14"}, 1e-14),
    ("log(1 + x)", {"x": "3e-17"}, 3e-17),
    ("1 - cos(x)", {"x": "1e-7"}, 5e-15),
    ("sqrt(x + 1) - sqrt(x)", {"x": "1e14"}, 5e-8),
    ("x - sin(x)", {"x": "1e-4"}, 1.6666666658333333e-13),
    ("1/(R - h) - 1/R", {"R": "6.4e6 m", "h": "1e-3 m"}, 2.44140625e-17),
    ("a*b - c*d", {"a": "1000001", "b": "999999", "c": "1e6", "d": "1e6"}, -1.0),
    ("n1 - n2", {"n1": "1.000000000001", "n2": "1"}, 1e-12),
    ("acosh(x)", {"x": "1.00000000000005"}, math.sqrt(1e-13)),
    ("(1 + r/n)**(n*t)", {"r": "0.04", "n": "3e12", "t": "2"}, math.exp(0.08)),
    ("cosh(x)**2 - sinh(x)**2", {"x": "12"}, 1.0),
    ("(p + q)**2 - p**2 - 2*p*q", {"p": "1e9", "q": "1e-3"}, 1e-6),
    ("atan(x) - atan(y)", {"x": "1e8", "y": "9.9e7"}, 1.0101010101010101e-10),
    ("erf(x) - erf(y)", {"x": "4.001", "y": "4"}, 1.26481e-10),
    ("floor(x/y)", {"x": "0.6", "y": "0.2"}, 3.0),
    ("mod(x, y)", {"x": "0.9", "y": "0.3"}, 0.0),
]


@pytest.mark.parametrize(("text", "values", "right"), RIGHT)
def test_digits_that_floats_lose_are_there(text: str, values: dict[str, str], right: float) -> None:
    found = computed(text, **values)
    assert isinstance(found, Quantity), found
    assert found.si_value == pytest.approx(right, rel=1e-5)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("F*s*cos(a)", {"F": "40 N", "s": "3 m", "a": "90 deg"}),
        ("sin(a)", {"a": "180 deg"}),
        ("tan(a)", {"a": "540 deg"}),
        ("u - v", {"u": "54 km/h", "v": "15 m/s"}),
        ("T - U", {"T": "25 degC", "U": "298.15 K"}),
        ("p - q", {"p": "1 atm", "q": "101325 Pa"}),
        ("x - 1/3", {"x": "0.3333333333333333"}),
    ],
)
def test_what_is_zero_is_zero(text: str, values: dict[str, str]) -> None:
    found = computed(text, **values)
    assert isinstance(found, Quantity), found
    assert found.si_value == 0.0


@pytest.mark.parametrize(
    ("text", "values", "code"),
    [
        ("tan(a)", {"a": "90 deg"}, "domain"),
        ("h/tan(a)", {"h": "2 m", "a": "270 deg"}, "domain"),
        ("1/cos(a)", {"a": "90 deg"}, "division_by_zero"),
        ("L/(u - v)", {"L": "100 m", "u": "72 km/h", "v": "20 m/s"}, "division_by_zero"),
        ("1/(1/f - 1/d)", {"f": "0.05 m", "d": "5 cm"}, "division_by_zero"),
        ("m/sqrt(1 - v**2/c**2)", {"m": "1 kg", "v": "299792458 m/s", "c": "299792.458 km/s"}, "division_by_zero"),
        ("log(u - v)", {"u": "36 km/h", "v": "10 m/s"}, "domain"),
    ],
)
def test_a_pole_is_no_large_number(text: str, values: dict[str, str], code: str) -> None:
    found = evaluate_quantity(
        tree(text), {name: quantity(value) for name, value in values.items()}, lenient_logarithms=True
    )
    assert isinstance(found, Failure), found
    assert found.code == code


def test_a_result_without_digits_is_refused() -> None:
    found = computed("(x - y)*1e16", x="1.2345678901234567", y="1.2345678901234563")
    assert isinstance(found, Failure)
    assert found.code == "digits_lost"


def test_an_uncertainty_keeps_its_size_where_digits_cancel() -> None:
    found = evaluate_quantity(tree("exp(x) - 1"), {"x": Quantity(1e-12, uncertainty=2e-14)})
    assert isinstance(found, Quantity)
    assert found.uncertainty == pytest.approx(2e-14, rel=1e-6)


def test_the_small_root_of_a_quadratic_is_found() -> None:
    reading = read_python_text("a*x**2 + b*x + c = 0")
    assert isinstance(reading, Reading)
    (equation,) = reading.equations
    assert isinstance(equation, Equation)
    found = evaluate_unknown(equation, "x", {"a": Quantity(1.0), "b": Quantity(-1e9), "c": Quantity(1.0)})
    assert not isinstance(found, Failure), found
    roots = sorted(each.si_value for each in (found.value, *found.others))
    assert roots == [pytest.approx(1e-9, rel=1e-12), pytest.approx(1e9, rel=1e-12)]


@given(
    st.fractions(min_value=-1000, max_value=1000, max_denominator=997),
    st.integers(min_value=-8, max_value=8),
    st.integers(min_value=1, max_value=10**6),
)
def test_nearly_equal_numbers_differ_by_what_they_differ(base: Fraction, exponent: int, count: int) -> None:
    # Typed decimals: exact, however near they are.
    first = round(float(base), 3)
    second = float(repr(first)) + count * 10.0**exponent
    if len(repr(abs(second)).replace(".", "").strip("0")) > 15 or "e" in repr(second):
        return
    exact = Fraction(repr(second)) - Fraction(repr(first))
    found = evaluate_quantity(tree("x - y"), {"x": Quantity(second), "y": Quantity(first)})
    assert isinstance(found, Quantity)
    assert found.si_value == pytest.approx(float(exact), rel=1e-12)
