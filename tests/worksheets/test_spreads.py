"""Uncertainty: the three methods against results known from the theory, and against each other."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.compute.evaluate import Failure
from mathrag.compute.solve.systems import in_si
from mathrag.errors import EvaluationError
from mathrag.types.expression import Expression
from mathrag.worksheets.definitions import Chain, Definition
from mathrag.worksheets.engine import Engine
from mathrag.worksheets.intervals import Interval, Sloped, point, sloped
from mathrag.worksheets.lines import Assignment
from mathrag.worksheets.reading import read_line
from mathrag.worksheets.spreads import linear, monte_carlo, worst_case


def definition(name: str, *lines: str) -> Definition:
    results = Engine().run("\n".join(lines))
    assert not results.problems, results.problems
    return next(each for line in reversed(results.lines) for each in line.definitions if each.name == name)


def test_a_difference_with_itself_is_sure() -> None:
    found = definition("d", "x = 5.0 ± 0.3 m", "y = 2*x", "d = y - x - x")
    assert (found.shown.value, found.shown.uncertainty) == (0.0, 0.0)
    worst = worst_case(found)
    assert (worst.low, worst.high) == (pytest.approx(0.0, abs=1e-12), pytest.approx(0.0, abs=1e-12))
    assert monte_carlo(found, samples=500, seed=1).deviation == pytest.approx(0.0, abs=1e-12)


def test_power_of_a_resistor() -> None:
    """Relative uncertainties: twice that of the voltage, once that of the resistance, added in squares."""
    found = definition("P", "U = 12.0 ± 0.1 V", "R = 50.0 ± 0.5 ohm", "P = U^2/R")
    relative = math.hypot(2 * 0.1 / 12, 0.5 / 50)
    assert found.shown.value == pytest.approx(2.88)
    assert found.shown.uncertainty == pytest.approx(2.88 * relative)
    budget = linear(found)
    assert [each.name for each in budget.contributions] == ["U", "R"]
    assert budget.contributions[0].share == pytest.approx((2 * 0.1 / 12) ** 2 / relative**2)
    assert budget.contributions[0].slope == pytest.approx(2 * 12 / 50)
    assert sum(each.share for each in budget.contributions) == pytest.approx(1.0)


def test_resistors_of_one_batch_and_of_several() -> None:
    """Ten resistors compared with one standard share its error in full; ten independent ones add in squares."""
    shared = definition("R", "s = 1000.00 ± 0.10 ohm", *[f"r_{k} = s" for k in range(10)],
                        f"R = {' + '.join(f'r_{k}' for k in range(10))}")  # fmt: skip
    apart = definition("R", *[f"r_{k} = 1000.00 ± 0.10 ohm" for k in range(10)],
                       f"R = {' + '.join(f'r_{k}' for k in range(10))}")  # fmt: skip
    assert shared.shown.uncertainty == pytest.approx(1.0)
    assert apart.shown.uncertainty == pytest.approx(math.sqrt(10) * 0.1)


def test_limits_of_a_rectangle_give_its_standard_uncertainty() -> None:
    uniform = definition("x", "x = 10.0 ± 0.3 V uniform")
    triangular = definition("x", "x = 10.0 ± 0.3 V triangular")
    assert uniform.standard == pytest.approx(0.3 / math.sqrt(3))
    assert triangular.standard == pytest.approx(0.3 / math.sqrt(6))
    assert monte_carlo(uniform, samples=20_000, seed=2).deviation == pytest.approx(0.3 / math.sqrt(3), rel=0.02)
    assert monte_carlo(triangular, samples=20_000, seed=2).deviation == pytest.approx(0.3 / math.sqrt(6), rel=0.02)


@pytest.mark.parametrize(
    "formula",
    ["a*b", "a/b", "a^2*sqrt(b)", "exp(a/b)", "log(a*b)", "sin(a)*b", "a + 3*b", "(a - b)/(a + b)", "a^1.7/b"],
)
def test_the_three_methods_agree_where_a_formula_is_smooth(formula: str) -> None:
    found = definition("y", "a = 1.200 ± 0.006", "b = 2.500 ± 0.010", f"y = {formula}")
    budget, sampled, worst = linear(found), monte_carlo(found, samples=20_000, seed=7), worst_case(found)
    assert sampled.mean == pytest.approx(found.si_value, abs=0.1 * budget.standard)
    assert sampled.deviation == pytest.approx(budget.standard, rel=0.03)
    assert sampled.quantiles[0.5] == pytest.approx(found.si_value, abs=0.05 * budget.standard)
    # To first order the worst case is the sum of what each value adds.
    reach = sum(abs(each.slope or 0.0) * each.standard for each in budget.contributions)
    assert worst.high - worst.low == pytest.approx(2 * reach, rel=0.02)
    shares = {each.name: each.share for each in budget.contributions}
    for each in sampled.contributions:
        assert each.share == pytest.approx(shares[each.name], abs=0.05)


def test_a_square_at_zero_is_what_linear_propagation_misses() -> None:
    found = definition("y", "x = 0.0 ± 0.1", "y = x^2")
    assert linear(found).standard == 0.0
    assert monte_carlo(found, samples=20_000, seed=1).mean == pytest.approx(0.01, rel=0.05)
    worst = worst_case(found)
    assert worst.low <= 0.0
    assert worst.high == pytest.approx(0.01)


def test_the_same_seed_gives_the_same_numbers() -> None:
    found = definition("y", "x = 2.0 ± 0.1", "y = x^2")
    assert monte_carlo(found, samples=300, seed=5) == monte_carlo(found, samples=300, seed=5)
    assert monte_carlo(found, samples=300, seed=5).mean != monte_carlo(found, samples=300, seed=6).mean


def test_what_has_no_bound_or_no_value_is_refused() -> None:
    with pytest.raises(EvaluationError, match="divisor can be zero"):
        worst_case(definition("y", "x = 0.1 ± 0.2", "y = 1/x"))
    with pytest.raises(EvaluationError, match="no result"):
        monte_carlo(definition("y", "x = 0.1 ± 0.2", "y = sqrt(x)"), samples=1000, seed=1)
    with pytest.raises(EvaluationError, match="too long"):
        monte_carlo(definition("y", "x = 3.0 ± 0.2", "y = x^2"), samples=1000, seed=1, seconds=-1.0)
    with pytest.raises(EvaluationError, match="write one with ±"):
        linear(definition("y", "y = 3 m"))


EXPRESSIONS = st.recursive(
    st.sampled_from(["a", "b", "2", "0.7"]),
    lambda inner: st.one_of(
        st.builds(lambda x, sign, y: f"(({x}) {sign} ({y}))", inner, st.sampled_from("+-*/"), inner),
        st.builds(lambda x, power: f"({x})^{power}", inner, st.sampled_from(["2", "3", "(-1)", "0.5"])),
        st.builds(lambda name, x: f"{name}({x})", st.sampled_from(["exp", "sin", "cos", "log", "atan", "abs"]), inner),
    ),
    max_leaves=7,
)


@settings(max_examples=150, deadline=None)
@given(EXPRESSIONS, st.floats(0, 1), st.floats(0, 1))
def test_the_worst_case_encloses_every_value_within_the_limits(formula: str, first: float, second: float) -> None:
    results = Engine().run(f"a = 1.3 ± 0.4\nb = 2.0 ± 0.3\ny = {formula}")
    if results.problems or not (found := results.lines[2].definitions[0]).roots:
        return
    try:
        worst = worst_case(found)
    except EvaluationError:
        return
    at = {"a": 0.9 + 0.8 * first, "b": 1.7 + 0.6 * second}
    value = Chain(found, found.roots)({key: at[root.name] for key, root in found.roots.items()})
    assert not isinstance(value, Failure)
    slack = 1e-12 * max(abs(worst.low), abs(worst.high), 1e-300)
    assert worst.low - slack <= value <= worst.high + slack


def _tree(text: str) -> Expression:
    line = read_line(f"y = {text}")
    assert isinstance(line, Assignment)
    return in_si(line.formula.tree)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [("sin(x)", 0.0, 1.0), ("cos(x)", -1.0, 1.0), ("x^2", 0.0, 16.0), ("abs(x - 2)", 0.0, 2.0), ("x^3", 0.0, 64.0)],
)
def test_ranges_with_turning_points(text: str, low: float, high: float) -> None:
    wide = Interval(0.0, 4.0) if text != "sin(x)" else Interval(0.0, 3.0)
    found = sloped(_tree(text), {"x": Sloped(wide, {"x": point(1.0)})}).value
    assert found.low == pytest.approx(low, abs=1e-9)
    assert found.high == pytest.approx(high, abs=1e-9)
