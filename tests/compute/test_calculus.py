"""Derivatives against differences, integrals against sums, and what is refused; hostile functions end in time."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mathrag.compute.calculus import (
    definite_integral,
    derivative,
    is_maximum,
    is_minimum,
    quadrature,
    stationary,
)
from mathrag.compute.evaluate import Failure, compile_expression, evaluate_quantity
from mathrag.compute.latex import read_latex
from mathrag.compute.printers.pythontext import python_text
from mathrag.compute.pythontext import read_python_text
from mathrag.compute.solve import solve
from mathrag.compute.unknowns import evaluate_unknown
from mathrag.knowledge.units import read_canonical_unit
from mathrag.types.expression import (
    FUNCTIONS,
    ONE,
    ZERO,
    Call,
    Expression,
    Number,
    Reading,
    Series,
    Symbol,
    add,
    call,
    multiply,
    power,
    symbols_of,
)
from mathrag.types.quantity import Quantity
from strategies import algebraic_expressions


def expression(text: str) -> Expression:
    reading = read_python_text(text)
    assert isinstance(reading, Reading), reading
    assert reading.expression is not None
    return reading.expression


def derived(text: str, symbol: str) -> str:
    found = derivative(expression(text), symbol)
    assert not isinstance(found, Failure), found
    return python_text(found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5", "0"),
        ("a*b", "0"),
        ("x", "1"),
        ("x**2", "2*x"),
        ("v*x - g*x**2/2", "v - g*x"),
        ("a*x**3 + b*x + c", "3*a*x**2 + b"),
        ("1/x", "-1/x**2"),
        ("k/x**2", "-2*k/x**3"),
        ("sqrt(x)", "1/(2*sqrt(x))"),
        ("A*sin(w*x)", "A*w*cos(w*x)"),
        ("A*exp(-k*x)", "-A*k*exp(-k*x)"),
        ("log(x)", "1/x"),
        ("x**n", "n*x**(n - 1)"),
        ("x**1.5", "3*x**(1/2)/2"),
        ("2**x", "2**x*log(2)"),
        ("abs(x)", "x/abs(x)"),
        ("sum(x**k for k in range(1, 4))", "sum(k*x**(k - 1) for k in range(1, 4))"),
        ("x**2 if x > 0 else x", "(2*x if x > 0 else 1)"),
    ],
)
def test_derivatives_look_as_people_write_them(text: str, expected: str) -> None:
    assert derived(text, "x") == expected


def _slope(function: Expression, x: float, others: dict[str, float]) -> tuple[float, float] | None:
    """The slope by differences, and how far it may be off; None where it cannot be told."""
    names = ("x", *others)
    compiled = compile_expression(function, names)
    slopes = []
    for width in (1e-3 * x, 1e-4 * x):
        values = [compiled(x + step * width, *others.values()) for step in (-2, -1, 1, 2)]
        numbers = [each for each in values if not isinstance(each, Failure)]
        if len(numbers) < 4:
            return None
        slopes.append((numbers[0] - 8 * numbers[1] + 8 * numbers[2] - numbers[3]) / (12 * width))
        noise = 1e-14 * max(map(abs, numbers)) / width
    return slopes[1], 20 * abs(slopes[0] - slopes[1]) + 1e-6 * abs(slopes[1]) + 100 * noise


def _check_derivative(function: Expression, seed: int = 1) -> int:
    found = derivative(function, "x")
    if isinstance(found, Failure):
        return 0
    assert "x" in symbols_of(function) or found == ZERO
    others = [name for name in symbols_of(function) if name != "x"]
    chance = random.Random(seed)
    compared = 0
    for _ in range(12):
        x, *values = (10 ** chance.uniform(-0.5, 0.3) for _ in ("x", *others))
        point = dict(zip(others, values, strict=True))
        expected = _slope(function, x, point)
        value = compile_expression(found, ("x", *others))(x, *values)
        if expected is None or isinstance(value, Failure) or not math.isfinite(expected[1]):
            continue
        if expected[1] < 1e-2 * abs(expected[0]):
            assert abs(value - expected[0]) <= expected[1], (python_text(function), python_text(found), x, point)
            compared += 1
    return compared


@pytest.mark.parametrize("function", sorted(name for name, arity in FUNCTIONS.items() if arity == 1))
def test_functions_have_their_derivative_or_none(function: str) -> None:
    inner = expression("x/4 + 1.3") if function == "acosh" else expression("x/4")
    found = derivative(call(function, inner), "x")
    if function in ("floor", "ceil", "factorial", "gamma", "lgamma"):
        assert isinstance(found, Failure)
        assert found.code == "not_differentiable"
    else:
        assert _check_derivative(call(function, inner)) >= 3


@pytest.mark.parametrize(
    "text",
    [
        "atan2(x, a)", "atan2(x**2, a*x)", "max(x, 1)", "min(x**2, a)", "x**x", "(a + x)**(b*x)", "log10(x)/x",
        "sin(x)**2*cos(x)", "exp(-x**2/(2*s**2))/(s*sqrt(2*pi))", "x/(x**2 + a**2)**1.5", "cbrt(x)*tanh(x)",
    ],
)  # fmt: skip
def test_derivatives_agree_with_differences(text: str) -> None:
    assert _check_derivative(expression(text)) >= 3


@given(algebraic_expressions)
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_derivatives_of_random_formulas_agree_with_differences(function: Expression) -> None:
    _check_derivative(function)


@pytest.mark.parametrize(
    "text", ["comb(x, 2)", "mod(x, 2)", "prod(x + k for k in range(1, 4))", "sum(k for k in range(1, x))"]
)
def test_what_changes_in_jumps_has_no_derivative(text: str) -> None:
    found = derivative(expression(text), "x")
    assert isinstance(found, Failure)
    assert found.code == "not_differentiable"


# Stationary points.


def test_the_steepest_throw_is_the_farthest() -> None:
    reach = expression("v**2*sin(2*theta)/g")
    asked = stationary(reach, "theta")
    assert not isinstance(asked, Failure)
    solved = solve(asked, "theta", use_sympy=False)
    assert not isinstance(solved, Failure)
    angle = compile_expression(solved.default.expression, ("v", "g"))(20.0, 9.81)
    assert angle == pytest.approx(math.pi / 4)
    assert is_maximum(reach, "theta", {"v": 20.0, "g": 9.81, "theta": math.pi / 4}) is True
    assert is_minimum(reach, "theta", {"v": 20.0, "g": 9.81, "theta": math.pi / 4}) is False
    assert is_maximum(reach, "theta", {"v": 20.0, "g": 9.81, "theta": 0.7}) is False


def test_stationary_points_are_solved_with_units() -> None:
    asked = stationary(expression("2*pi*r**2 + 2*V/r"), "r")
    assert not isinstance(asked, Failure)
    found = evaluate_unknown(asked, "r", {"V": Quantity(330.0, read_canonical_unit("cm^3"))})
    assert not isinstance(found, Failure), found
    assert found.value.value == pytest.approx((330e-6 / (2 * math.pi)) ** (1 / 3))
    assert found.value.dimension == read_canonical_unit("m").dimension


def test_largest_smallest_and_level() -> None:
    can = expression("2*pi*r**2 + 2*V/r")
    smallest = (1.0 / (2 * math.pi)) ** (1 / 3)
    assert is_minimum(can, "r", {"V": 1.0, "r": smallest}) is True
    assert is_maximum(can, "r", {"V": 1.0, "r": smallest}) is False
    # Level, but neither.
    assert is_minimum(expression("x**3"), "x", {"x": 0.0}) is False
    assert is_maximum(expression("x**3"), "x", {"x": 0.0}) is False
    assert is_minimum(expression("x**4"), "x", {"x": 0.0}) is True
    assert isinstance(is_maximum(expression("x**2"), "x", {}), Failure)
    assert isinstance(is_maximum(expression("sqrt(x)"), "x", {"x": 0.0}), Failure)


@pytest.mark.parametrize("text", ["3*x + a", "a*b", "floor(x)"])
def test_what_has_no_stationary_point_is_refused(text: str) -> None:
    assert isinstance(stationary(expression(text), "x"), Failure)


# Integrals.


def integral(text: str, lower: str, upper: str, **options: bool) -> Expression | Failure:
    return definite_integral(expression(text), "x", expression(lower), expression(upper), **options)


@pytest.mark.parametrize(
    ("text", "lower", "upper", "expected"),
    [
        ("x", "0", "b", "b**2/2"),
        ("k*x", "0", "d", "k*d**2/2"),
        ("c", "a", "b", "c*(b - a)"),
        ("3*x**2 + 2*x", "0", "b", "b**2*(b + 1)"),
        ("(1 + x**2)**2", "0", "1", "28/15"),
        ("1/x", "a", "b", "log(b/a)"),
        ("sin(x)", "0", "pi", "cos(0) - cos(pi)"),
        ("G*M*m/x**2", "r", "R", "G*M*m*(1/r - 1/R)"),
    ],
)
def test_integrals_by_rule(text: str, lower: str, upper: str, expected: str) -> None:
    found = integral(text, lower, upper, use_sympy=False)
    assert not isinstance(found, Failure), found
    assert python_text(found) == expected


@pytest.mark.parametrize(
    ("text", "lower", "upper", "values"),
    [
        ("exp(-k*x)", "0", "t", {"k": 0.3, "t": 4.0}),
        ("A*cos(w*x + phi)", "t_1", "t_2", {"A": 2.0, "w": 3.0, "phi": 0.2, "t_1": 0.5, "t_2": 2.0}),
        ("(a + b*x)**2", "0", "c", {"a": 1.0, "b": 2.0, "c": 3.0}),
        ("sqrt(a + x)", "0", "b", {"a": 1.0, "b": 2.0}),
        ("1/(x**2 + a**2)", "0", "b", {"a": 1.0, "b": 2.0}),
        ("sin(w*x)**2", "0", "T", {"w": 1.0, "T": 2.0}),
        ("a/x + b*x**3 - c", "1", "d", {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0}),
        ("1/sqrt(x)", "0", "a", {"a": 2.0}),
        ("log(x)", "1", "a", {"a": 2.0}),
        ("2**x", "0", "a", {"a": 2.0}),
    ],
)
def test_integrals_agree_with_sums(text: str, lower: str, upper: str, values: dict[str, float]) -> None:
    found = integral(text, lower, upper, use_sympy=False)
    assert not isinstance(found, Failure), found
    names = tuple(values)
    start, end = (compile_expression(expression(side), names)(*values.values()) for side in (lower, upper))
    assert isinstance(start, float)
    assert isinstance(end, float)
    function = compile_expression(expression(text), ("x", *names))
    # The middle of many strips, after a substitution that takes the edges of a root apart.
    steps = 20_000
    total = 0.0
    for step in range(steps):
        u = (step + 0.5) / steps
        value = function(start + (end - start) * u * u, *values.values())
        assert isinstance(value, float)
        total += value * 2 * u * (end - start) / steps
    assert compile_expression(found, names)(*values.values()) == pytest.approx(total, rel=1e-5)


@pytest.mark.parametrize(
    ("text", "lower", "upper"),
    [
        ("x*exp(-k*x)", "0", "a"),
        ("x*sin(w*x)", "0", "a"),
        ("sqrt(R**2 - x**2)", "0", "R"),
        ("x/(x**2 + a**2)**(3/2)", "0", "b"),
        ("exp(-x**2)", "0", "a"),
        ("x*log(x)", "0", "a"),
    ],
)
def test_integrals_that_take_more(text: str, lower: str, upper: str) -> None:
    found = integral(text, lower, upper)
    assert not isinstance(found, Failure), found
    names = [name for name in ("k", "w", "a", "b", "R") if name in text + upper]
    values = [0.7 + 0.4 * place for place, _ in enumerate(names)]
    ends = [compile_expression(expression(side), names)(*values) for side in (lower, upper)]
    assert all(isinstance(end, float) for end in ends)
    function = compile_expression(expression(text), ("x", *names))
    checked = quadrature(lambda x: function(x, *values), float(str(ends[0])), float(str(ends[1])), pieces=2000)
    assert checked is not None
    assert compile_expression(found, names)(*values) == pytest.approx(checked[0], rel=1e-6)


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"W = \int_0^b 2^x dx", 2**3 / math.log(2) - 1 / math.log(2)),
        (r"W = \int_0^b x^2 dx", 9.0),
        (r"W = \int_0^b \frac{1}{x^2} dx", None),
        (r"W = \int_0^b \frac{1}{x^2 + 1} dx", math.atan(3)),
        (r"W = \int_0^b \frac{1}{\sqrt{x}} dx", 2 * math.sqrt(3)),
    ],
)
def test_written_integrals_start_where_they_say(latex: str, expected: float | None) -> None:
    reading = read_latex(latex, ())
    assert isinstance(reading, Reading), reading
    value = compile_expression(reading.equations[0].right, ("b",))(3.0)
    if expected is None:
        assert isinstance(value, Failure)
    else:
        assert value == pytest.approx(expected)


@given(
    st.lists(st.integers(-9, 9), min_size=1, max_size=6),
    st.fractions(-5, 5, max_denominator=7),
    st.fractions(-5, 5, max_denominator=7),
)
@settings(max_examples=60, deadline=None)
def test_random_polynomials(coefficients: list[int], low: object, high: object) -> None:
    lower, upper = f"({low})", f"({high})"
    text = " + ".join(f"({each})*x**{degree}" for degree, each in enumerate(coefficients) if degree)
    found = integral(f"({coefficients[0]}) + {text}" if text else f"({coefficients[0]})", lower, upper, use_sympy=False)
    assert not isinstance(found, Failure), found
    a, b = float(str(eval_fraction(low))), float(str(eval_fraction(high)))
    expected = sum(each * (b ** (n + 1) - a ** (n + 1)) / (n + 1) for n, each in enumerate(coefficients))
    value = compile_expression(found, ())()
    assert value == pytest.approx(expected, rel=1e-9, abs=1e-7)


def eval_fraction(text: object) -> float:
    above, _, below = str(text).partition("/")
    return int(above) / int(below or "1")


@pytest.mark.parametrize(
    ("text", "lower", "upper"),
    [
        ("1/x", "-1", "2"),
        ("1/x**2", "-1", "1"),
        ("1/x**2", "-1", "2.3"),
        ("1/(x - 0.3)**2", "0", "1"),
        ("tan(x)", "0", "3"),
        ("1/x", "0", "1"),
        ("sqrt(x)", "-1", "1"),
    ],
)
def test_a_pole_between_the_bounds_is_refused(text: str, lower: str, upper: str) -> None:
    found = integral(text, lower, upper)
    assert isinstance(found, Failure)
    assert found.code == "pole"


def test_a_pole_that_may_lie_inside_needs_the_values() -> None:
    function, lower, upper = expression("1/(x - c)**2"), expression("a"), expression("b")
    assert isinstance(definite_integral(function, "x", lower, upper, use_sympy=False), Failure)
    outside = {"a": 1.0, "b": 2.0, "c": 0.5}
    found = definite_integral(function, "x", lower, upper, values=outside, use_sympy=False)
    assert not isinstance(found, Failure), found
    assert compile_expression(found, list(outside))(*outside.values()) == pytest.approx(1 / 0.5 - 1 / 1.5)
    inside = definite_integral(function, "x", lower, upper, values={"a": 1.0, "b": 2.0, "c": 1.5}, use_sympy=False)
    assert isinstance(inside, Failure)
    assert inside.code == "pole"


def test_the_variable_may_also_be_the_bound() -> None:
    found = definite_integral(expression("a*t"), "t", ZERO, Symbol("t"))
    assert not isinstance(found, Failure)
    assert python_text(found) == "a*t**2/2"
    assert definite_integral(expression("a*t"), "t", ONE, ONE) == ZERO


def test_many_turns_of_a_wave_are_confirmed_at_the_values_asked_for() -> None:
    values = {"w": 2 * math.pi * 50, "T": 1.013}
    found = definite_integral(expression("sin(w*t)**2"), "t", ZERO, Symbol("T"), values=values, use_sympy=False)
    assert not isinstance(found, Failure), found


def test_units_work_out() -> None:
    given = {
        "k": Quantity(200.0, read_canonical_unit("N/m")),
        "b": Quantity(0.1, read_canonical_unit("m")),
        "F": Quantity(1.0, read_canonical_unit("N")),
    }
    found = definite_integral(expression("k*x + F + quantity(2, 'N')"), "x", ZERO, Symbol("b"))
    assert not isinstance(found, Failure), found
    result = evaluate_quantity(found, given)
    assert not isinstance(result, Failure), result
    assert result.value == pytest.approx(200 * 0.01 / 2 + 3 * 0.1)
    assert result.dimension == read_canonical_unit("J").dimension


@pytest.mark.parametrize("text", ["exp(sin(x))*x", "x**x", "floor(x*a)", "factorial(x)"])
def test_what_has_no_closed_form_is_refused(text: str) -> None:
    assert isinstance(integral(text, "1", "2"), Failure)


def _nested(levels: int, function: str = "sin") -> Expression:
    node: Expression = Symbol("x")
    for _ in range(levels):
        node = Call(function, (add(node, ONE),))
    return node


@pytest.mark.parametrize(
    "function",
    [
        _nested(50),
        _nested(300),
        multiply(*(add(Symbol("x"), Number(each)) for each in range(1, 60))),
        power(add(*(power(Symbol("x"), Number(each)) for each in range(1, 30))), Number(64)),
        add(*(Symbol("x") for _ in range(5000))),
        Series("sum", "k", ONE, Number(10**9), power(Symbol("x"), Symbol("k"))),
        power(Symbol("x"), Number(10**40)),
    ],
    ids=["nested", "too deep", "product", "high power", "long", "endless series", "huge power"],
)
def test_hostile_functions_end_in_time(function: Expression) -> None:
    derivative(function, "x")
    definite_integral(function, "x", ZERO, Symbol("b"), use_sympy=False)


def test_the_numeric_integral_is_exact_for_polynomials() -> None:
    found = quadrature(lambda x: x**22, 0.0, 1.0, pieces=50)
    assert found is not None
    assert found[0] == pytest.approx(1 / 23, rel=1e-12)
