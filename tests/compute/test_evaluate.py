"""Evaluation: compiled floats, exact numbers within caps, quantities with units and uncertainties, failures."""

from __future__ import annotations

import math
import threading
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings

from mathrag.compute.evaluate import Failure, compile_expression, evaluate, evaluate_quantity
from mathrag.compute.evaluate.failure import EvaluationStoppedError
from mathrag.compute.evaluate.floats import CarefulEvaluator
from mathrag.compute.pythontext import read_python_text
from mathrag.knowledge.units import read_unit
from mathrag.types.expression import Expression, Reading, Symbol, add, multiply, negate, symbols_of
from mathrag.types.quantity import Dimension, Quantity
from strategies import algebraic_expressions, expressions


def tree(text: str) -> Expression:
    reading = read_python_text(text)
    assert isinstance(reading, Reading), reading
    assert reading.expression is not None
    return reading.expression


def quantity(value: float, unit: str = "", uncertainty: float | None = None) -> Quantity:
    return Quantity(value, read_unit(unit), uncertainty) if unit else Quantity(value, uncertainty=uncertainty)


# -- compiled


@pytest.mark.parametrize(
    ("text", "order", "values", "expected"),
    [
        ("0.5*m*v**2", "m v", (2.0, 3.0), 9.0),
        ("G*M*m/r**2", "G M m r", (2.0, 3.0, 4.0, 2.0), 6.0),
        ("-a*b/c", "a b c", (2.0, 3.0, 4.0), -1.5),
        ("a - b - c", "a b c", (10.0, 3.0, 4.0), 3.0),
        ("a + b - 1 + 2*c", "a b c", (1.0, 2.0, 3.0), 8.0),
        ("49*x/49", "x", (1.0,), 1.0),
        ("x/49", "x", (49.0,), 1.0),
        ("a/(b/c)", "a b c", (8.0, 4.0, 2.0), 4.0),
        ("x**0.5 + x**-1", "x", (4.0,), 2.25),
        ("a*b*c*d*f*g", "a b c d f g", (1.0, 2.0, 3.0, 4.0, 5.0, 6.0), 720.0),
        ("a*sin(b)*cos(c)*d*exp(f)", "a b c d f", (2.0, math.pi / 2, 0.0, 3.0, 0.0), 6.0),
        ("sum(k**2 for k in range(1, n + 1))", "n", (4.0,), 30.0),
        ("sum(sum(i*k for i in range(1, 3)) for k in range(1, n + 1))", "n", (2.0,), 9.0),
        ("prod(k for k in range(1, n + 1))", "n", (5.0,), 120.0),
        ("(a if x > 1 else b)", "a b x", (1.0, 2.0, 0.0), 2.0),
        ("max(a, b, 3) + min(a, b)", "a b", (1.0, 2.0), 4.0),
        ("comb(n, 2) + factorial(3) + gcd(n, 4)", "n", (6.0,), 23.0),
        ("7**n % 13", "n", (222.0,), 12.0),
        ("factorial(n)/factorial(n - 2)", "n", (200.0,), 39800.0),
        ("x - x", "x", (3.0,), 0.0),
        ("floor(x) + ceil(x)", "x", (2.5,), 5.0),
        ("atan2(y, x)", "y x", (1.0, 1.0), math.pi / 4),
    ],
)
def test_compiled_values(text: str, order: str, values: tuple[float, ...], expected: float) -> None:
    function = compile_expression(tree(text), order.split())
    result = function(*values)
    assert isinstance(result, float), result
    assert result == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize(
    ("text", "values", "code", "words"),
    [
        ("m/(a - b)", {"m": 1.0, "a": 2.0, "b": 2.0}, "division_by_zero", "division by zero in m/(a - b)"),
        ("1/x**2", {"x": 0.0}, "division_by_zero", "division by zero"),
        ("x**-1", {"x": 0.0}, "division_by_zero", "x**(-1)"),
        ("sqrt(x)", {"x": -1.0}, "domain", "sqrt(x)"),
        ("abs(x**0.5)", {"x": -4.0}, "complex", "x**0.5"),
        ("log(x)", {"x": 0.0}, "domain", "log(x)"),
        ("asin(x)", {"x": 2.0}, "domain", "asin(x)"),
        ("exp(x)", {"x": 1e3}, "overflow", "exp(x)"),
        ("x*x", {"x": 1e200}, "overflow", "x*x"),
        ("1/(x*x)", {"x": 1e200}, "overflow", "x*x"),
        ("x*x", {"x": 1e-200}, "underflow", "x*x"),
        ("factorial(x)", {"x": 2.5}, "not_whole", "whole numbers"),
        ("factorial(x)", {"x": 1e9}, "too_large", "too large"),
        ("(1 if x > 0 else nan)", {"x": -1.0}, "undefined", "no case"),
        ("sum(k for k in range(1, x))", {"x": 1e9}, "too_large", "too large"),
        ("x + 1", {"x": math.nan}, "bad_value", "not a finite number"),
        ("x + 1", {"x": math.inf}, "bad_value", "not a finite number"),
        ("x + 1", {"x": "2"}, "bad_value", "not a finite number"),
        ("x + 1", {"x": 2j}, "bad_value", "not a finite number"),
        ("x % y", {"x": 1.0, "y": 0.0}, "division_by_zero", "x % y"),
    ],
)
def test_compiled_failures_are_values(text: str, values: dict[str, float], code: str, words: str) -> None:
    result = compile_expression(tree(text), list(values))(*values.values())
    assert isinstance(result, Failure), result
    assert result.code == code, result
    assert words in result.message


def test_missing_and_surplus_values() -> None:
    missing = compile_expression(tree("a*b"), ["a"])(1.0)
    assert missing == Failure("missing_value", "no value is given for b")
    function = compile_expression(tree("a*b"), ["a", "b"])
    for values in ((1.0,), (1.0, 2.0, 3.0)):
        result = function(*values)
        assert isinstance(result, Failure)
        assert result.code == "missing_value"


def test_long_and_deep_trees() -> None:
    names = [f"x{index}" for index in range(3_000)]
    total = compile_expression(add(*map(Symbol, names)), names)
    assert total(*[1.0] * 3_000) == 3_000.0
    product = compile_expression(multiply(*map(Symbol, names)), names)
    assert product(*[1.0] * 3_000) == 1.0
    deep: Expression = Symbol("x")
    for _ in range(5_000):
        deep = negate(deep)
    result = compile_expression(deep, ["x"])(1.0)
    assert isinstance(result, Failure)
    assert result.code == "too_large"
    assert isinstance(evaluate(deep, {"x": 1}), Failure)
    assert isinstance(evaluate_quantity(deep, {"x": quantity(1.0)}), Failure)


def test_compiled_functions_are_safe_in_threads() -> None:
    function = compile_expression(tree("sum(k*x for k in range(1, n + 1))"), ["x", "n"])
    wrong: list[object] = []

    def work(x: float) -> None:
        wrong.extend(x for _ in range(200) if function(x, 10.0) != 55.0 * x)

    threads = [threading.Thread(target=work, args=(float(index),)) for index in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@settings(max_examples=300, deadline=None)
@given(expressions)
def test_compiled_agrees_with_the_careful_evaluator(expression: Expression) -> None:
    values = {name: 0.75 + index / 3 for index, name in enumerate(symbols_of(expression))}
    fast = compile_expression(expression, list(values))(*values.values())
    try:
        slow = CarefulEvaluator(values).value(expression)
    except EvaluationStoppedError:
        return
    if isinstance(fast, Failure):
        pytest.fail(f"{fast} but {slow}")
    assert fast == pytest.approx(slow, rel=1e-6, abs=1e-12 + 1e-9 * abs(slow))


# -- exact


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1/3 + 1/6", Fraction(1, 2)),
        ("0.1 + 0.2", Fraction(3, 10)),
        ("2**-3", Fraction(1, 8)),
        ("7**222 % 13", 12),
        ("3**(10**6) % 7", 4),
        ("(3**7 + 5)*4 % 11", 1),
        ("-7 % 3", 2),
        ("comb(100, 50)", math.comb(100, 50)),
        ("perm(20, 3)", 6840),
        ("factorial(25)", math.factorial(25)),
        ("factorial(2000)/factorial(1998)", 3998000),
        ("gcd(12, 18) + lcm(4, 6)", 18),
        ("floor(7/2) + ceil(7/2)", 7),
        ("sqrt(9/4)", Fraction(3, 2)),
        ("log10(1000)", 3),
        ("log2(1/8)", -3),
        ("abs(-3) + max(1, 2, 5/2)", Fraction(11, 2)),
        ("sum(1/k for k in range(1, 5))", Fraction(25, 12)),
        ("10**400 % 7", pow(10, 400, 7)),
        ("1e3 % 7", 6),
        ("exp(0) + sin(0)", 1),
    ],
)
def test_exact_values(text: str, expected: int | Fraction) -> None:
    result = evaluate(tree(text), {})
    assert result == expected
    assert type(result) is type(expected)


def test_exact_values_take_every_kind_of_number() -> None:
    assert evaluate(tree("a + b + c"), {"a": 1, "b": Fraction(1, 2), "c": Decimal("0.25")}) == Fraction(7, 4)
    assert evaluate(tree("a + b"), {"a": 1, "b": 0.5}) == 1.5
    assert evaluate(tree("sqrt(a)"), {"a": 2}) == pytest.approx(math.sqrt(2))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("9**9**9**9", "too_large"),
        ("factorial(10**8)", "too_large"),
        ("2**(10**9)", "too_large"),
        ("10**5000", "too_large"),
        ("(10**4000)*(10**4000)", "too_large"),
        ("factorial(factorial(factorial(5)))", "too_large"),
        ("comb(10**9, 5*10**8)", "too_large"),
        ("3**-1 % 7", "not_whole"),
        ("1/0", "division_by_zero"),
        ("5 % 0", "division_by_zero"),
        ("(-8)**(1/3)", "complex"),
        ("sqrt(-4)", "domain"),
        ("factorial(-1)", "domain"),
        ("gcd(1.5, 2)", "not_whole"),
        ("sum(k for k in range(1, 10**9))", "too_large"),
        ("sum(sum(1 for i in range(1, 10**4)) for k in range(1, 10**4))", "too_large"),
    ],
)
def test_exact_failures_come_quickly(text: str, code: str) -> None:
    result = evaluate(tree(text), {})
    assert isinstance(result, Failure), result
    assert result.code == code, result


def test_work_is_bounded() -> None:
    result = evaluate(tree("sum(1/(3**k + k) for k in range(1, 3000))"), {})
    assert isinstance(result, Failure | float)


@settings(max_examples=200, deadline=None)
@given(algebraic_expressions)
def test_exact_agrees_with_floats(expression: Expression) -> None:
    names = symbols_of(expression)
    exact = evaluate(expression, {name: Fraction(3 + index, 2) for index, name in enumerate(names)})
    rough = compile_expression(expression, names)(*[(3 + index) / 2 for index in range(len(names))])
    if isinstance(exact, Failure) or isinstance(rough, Failure) or abs(rough) < 1e-6:
        return
    assert float(exact) == pytest.approx(rough, rel=1e-6)


# -- quantities


def test_quantities_are_computed_in_si() -> None:
    energy = evaluate_quantity(tree("0.5*m*v**2"), {"m": quantity(1200.0, "kg"), "v": quantity(36.0, "km/h")})
    assert isinstance(energy, Quantity)
    assert energy.value == pytest.approx(60_000.0)
    assert energy.dimension == Dimension.of({"mass": 1, "length": 2, "time": -2})
    assert energy.unit.scale == 1.0


def test_unlike_terms_are_named() -> None:
    result = evaluate_quantity(
        tree("a + b*t"), {"a": quantity(1, "m"), "b": quantity(2, "m/s"), "t": quantity(3, "kg")}
    )
    assert isinstance(result, Failure)
    assert result.code == "dimension"
    assert "a [m]" in result.message
    assert "b*t [m*kg/s]" in result.message


def test_temperatures() -> None:
    result = evaluate_quantity(
        tree("n*R*T"), {"n": quantity(1, "mol"), "R": quantity(8.314, "J/(mol*K)"), "T": quantity(25.0, "degC")}
    )
    assert isinstance(result, Quantity)
    assert result.value == pytest.approx(8.314 * 298.15)
    heat = evaluate_quantity(
        tree("m*c*Delta_T"),
        {"m": quantity(2.0, "kg"), "c": quantity(4186.0, "J/(kg*K)"), "Delta_T": quantity(10.0, "degC")},
    )
    assert isinstance(heat, Quantity)
    assert heat.value == pytest.approx(83_720.0)


def test_functions_need_plain_numbers_and_take_angles() -> None:
    sine = evaluate_quantity(tree("sin(theta)"), {"theta": quantity(30.0, "deg")})
    assert isinstance(sine, Quantity)
    assert sine.value == pytest.approx(0.5)
    wrong = evaluate_quantity(tree("exp(t)"), {"t": quantity(1.0, "s")})
    assert isinstance(wrong, Failure)
    assert "exp needs a plain number" in wrong.message
    values = {"c": quantity(0.01, "mol/L")}
    assert isinstance(evaluate_quantity(tree("log10(c)"), values), Failure)
    lenient = evaluate_quantity(tree("log10(c)"), values, lenient_logarithms=True)
    assert isinstance(lenient, Quantity)
    assert lenient.value == pytest.approx(1.0)


def test_powers_of_quantities() -> None:
    root = evaluate_quantity(tree("sqrt(A)"), {"A": quantity(9.0, "m^2")})
    assert isinstance(root, Quantity)
    assert root.dimension == Dimension.of({"length": 1})
    ratio = {"P_1": quantity(1.0, "atm"), "V_1": quantity(2.0, "L"), "V_2": quantity(1.0, "L"), "n": quantity(1.4)}
    pressure = evaluate_quantity(tree("P_1*V_1**n/V_2**n"), ratio)
    assert isinstance(pressure, Quantity)
    assert pressure.value == pytest.approx(101325 * 2**1.4)
    assert pressure.dimension == Dimension.of({"mass": 1, "length": -1, "time": -2})
    wrong = evaluate_quantity(tree("2**t"), {"t": quantity(1.0, "s")})
    assert isinstance(wrong, Failure)
    assert "exponent" in wrong.message


def test_zero_fits_every_dimension() -> None:
    result = evaluate_quantity(tree("max(x, 0) + 0"), {"x": quantity(-2.0, "m")})
    assert isinstance(result, Quantity)
    assert result.value == 0.0


def test_measures_inside_formulas() -> None:
    result = evaluate_quantity(
        tree('n*quantity(8.314, "J/(mol*K)")*T/V'),
        {"n": quantity(2, "mol"), "T": quantity(300, "K"), "V": quantity(10, "L")},
    )
    assert isinstance(result, Quantity)
    assert result.value == pytest.approx(2 * 8.314 * 300 / 0.01)


def test_whole_numbers_stay_exact() -> None:
    result = evaluate_quantity(tree("a**n % m"), {"a": quantity(7), "n": quantity(222), "m": quantity(13)})
    assert result == Quantity(12)


def test_uncertainties_propagate() -> None:
    result = evaluate_quantity(tree("m/V"), {"m": quantity(10.0, "g", 0.1), "V": quantity(5.0, "mL", 0.2)})
    assert isinstance(result, Quantity)
    assert result.uncertainty == pytest.approx(2000 * math.hypot(0.01, 0.04))
    squared = evaluate_quantity(tree("x*x"), {"x": quantity(3.0, "m", 0.1)})
    assert isinstance(squared, Quantity)
    assert squared.uncertainty == pytest.approx(0.6)
    same = evaluate_quantity(tree("x - x"), {"x": quantity(3.0, "m", 0.1)})
    assert isinstance(same, Quantity)
    assert same.uncertainty == 0.0
    exact = evaluate_quantity(tree("x*2"), {"x": quantity(3.0, "m")})
    assert isinstance(exact, Quantity)
    assert exact.uncertainty is None
    rounded = evaluate_quantity(tree("floor(x)"), {"x": quantity(3.4, "", 0.1)})
    assert isinstance(rounded, Failure)
    at_zero = evaluate_quantity(tree("sqrt(x)"), {"x": quantity(0.0, "m", 0.1)})
    assert isinstance(at_zero, Failure)
    assert at_zero.code == "uncertainty"


@settings(max_examples=150, deadline=None)
@given(algebraic_expressions)
def test_uncertainty_agrees_with_differences(expression: Expression) -> None:
    names = symbols_of(expression)
    if not names:
        return
    point = {name: 0.7 + index / 4 for index, name in enumerate(names)}
    chosen = names[0]
    values = {name: quantity(value, "", 1.0 if name == chosen else None) for name, value in point.items()}
    carried = evaluate_quantity(expression, values)
    function = compile_expression(expression, names)
    if isinstance(carried, Failure) or carried.uncertainty is None:
        return
    slopes = []
    for step in (1e-4, 1e-5):
        up, down = (function(*{**point, chosen: point[chosen] + shift}.values()) for shift in (step, -step))
        if isinstance(up, Failure) or isinstance(down, Failure):
            return
        slopes.append((up - down) / (2 * step))
    # Where two step sizes disagree the difference is no judge.
    if math.isclose(slopes[0], slopes[1], rel_tol=1e-4):
        assert carried.uncertainty == pytest.approx(abs(slopes[1]), rel=1e-2, abs=1e-4 * (1 + abs(carried.value)))


def test_failures_of_quantities() -> None:
    assert evaluate_quantity(tree("a*b"), {"a": quantity(1.0)}) == Failure("missing_value", "no value is given for b")
    zero = evaluate_quantity(tree("a/b"), {"a": quantity(1.0, "m"), "b": quantity(0.0, "s")})
    assert isinstance(zero, Failure)
    assert zero.code == "division_by_zero"


def test_dimension_of_a_sum() -> None:
    result = evaluate_quantity(tree("sum(k*x for k in range(1, n + 1))"), {"x": quantity(2.0, "m"), "n": quantity(3)})
    assert isinstance(result, Quantity)
    assert (result.value, result.dimension) == (12.0, Dimension.of({"length": 1}))
