"""The dimensional check against a golden table, and its sentences."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mathrag.compute.dimensions import check_dimensions
from mathrag.compute.evaluate import Failure, evaluate_quantity
from mathrag.compute.pythontext import read_python_text
from mathrag.knowledge.units import read_unit
from mathrag.types.expression import Equation, Expression, Reading, Symbol, add, negate, symbols_of
from mathrag.types.quantity import BASE_DIMENSIONS, DIMENSIONLESS, Dimension, Quantity, Unit
from strategies import algebraic_expressions

GOLDEN = tomllib.loads((Path(__file__).parent.parent / "golden" / "dimensions.toml").read_text(encoding="utf-8"))[
    "check"
]

# The unit reader finds two meanings in the letter alone; here it is always the coulomb per mole.
_KNOWN = {"C/mol": Dimension.of({"current": 1, "time": 1, "amount": -1}), "USD": Dimension.of({"currency": 1})}


def equation(text: str) -> Equation:
    reading = read_python_text(text)
    assert isinstance(reading, Reading), reading
    return reading.equations[0]


def dimension(unit: str) -> Dimension:
    return _KNOWN.get(unit) or read_unit(unit).dimension


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: f"{row['equation']} {row['status']}")
def test_golden_checks(row: dict[str, Any]) -> None:
    known = {name: dimension(unit) for name, unit in row["units"].items()}
    report = check_dimensions(equation(row["equation"]), known)
    assert report.status == row["status"], report
    for name, unit in row.get("infer", {}).items():
        assert report.dimensions[name] == dimension(unit), name
    if "undetermined" in row:
        assert list(report.undetermined) == row["undetermined"]
    assert [each.term for each in report.disagreements] == row.get("blame", [])
    assert bool(report.notes) == (row["status"] == "unknown")


def test_sentences_name_the_term_and_both_dimensions() -> None:
    known = {"v": dimension("m/s"), "u": dimension("m/s"), "a": dimension("m/s^2"), "t": dimension("kg")}
    (found,) = check_dimensions(equation("v = u + a*t"), known).disagreements
    assert found.message == "in the equation the term a*t has the dimension m*kg/s^2, expected m/s"
    assert (str(found.found), str(found.expected)) == ("m*kg/s^2", "m/s")


def test_deep_formulas_are_not_checked() -> None:
    deep: Expression = Symbol("x")
    for _ in range(5_000):
        deep = negate(deep)
    assert check_dimensions(Equation(Symbol("y"), deep), {}).status == "unknown"


@settings(max_examples=150, deadline=None)
@given(algebraic_expressions)
def test_check_agrees_with_evaluation(tree: Expression) -> None:
    """Whatever evaluates with units in every step also passes the check, with the same dimension."""
    names = symbols_of(tree)
    length = Dimension.of({"length": 1})
    units = {name: Unit("m", length) if index % 2 else Unit("", DIMENSIONLESS) for index, name in enumerate(names)}
    result = evaluate_quantity(tree, {name: Quantity(0.5 + index / 3, units[name]) for index, name in enumerate(names)})
    report = check_dimensions(Equation(Symbol("result"), tree), {name: unit.dimension for name, unit in units.items()})
    if isinstance(result, Failure):
        assert result.code != "dimension" or report.status == "inconsistent"
    elif report.status == "consistent":
        assert report.dimensions["result"] == result.dimension


_DIMENSIONS = st.tuples(*[st.integers(-3, 3)] * len(BASE_DIMENSIONS)).map(
    lambda exponents: Dimension(tuple(Fraction(exponent) for exponent in exponents))
)


@given(_DIMENSIONS, st.integers(2, 6))
def test_the_terms_of_a_sum_share_one_dimension(dimension: Dimension, count: int) -> None:
    names = [f"a_{index}" for index in range(count)]
    total = Equation(Symbol("y"), add(*map(Symbol, names)))
    report = check_dimensions(total, {names[0]: dimension})
    assert report.status == "consistent"
    assert {*report.dimensions.values()} == {dimension}


@given(_DIMENSIONS, _DIMENSIONS, st.integers(3, 6))
def test_a_term_of_another_dimension_is_named(dimension: Dimension, other: Dimension, count: int) -> None:
    assume(dimension != other)
    names = [f"a_{index}" for index in range(count)]
    known = {**dict.fromkeys([*names, "y"], dimension), names[-1]: other}
    report = check_dimensions(Equation(Symbol("y"), add(*map(Symbol, names))), known)
    assert report.status == "inconsistent"
    assert [each.term for each in report.disagreements] == [names[-1]]
