"""Random trees for property tests, built only through the small functions every reader uses."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import strategies as st

from mathrag.types.expression import (
    PI,
    Call,
    Comparison,
    Equation,
    Expression,
    Number,
    Piecewise,
    Series,
    Symbol,
    add,
    call,
    divide,
    multiply,
    negate,
    power,
)

NAMES = (
    "a",
    "b",
    "c",
    "x",
    "y",
    "m",
    "v_avg",
    "Delta_x",
    "theta",
    "lambda_",
    "T_1",
    "e",
    "gamma",
    "Q_dot",
    "conc_H_plus",
)

numbers = st.one_of(
    st.integers(0, 12),
    st.integers(0, 10**20),
    st.decimals(min_value=0, max_value=1000, places=3, allow_nan=False, allow_infinity=False),
    st.sampled_from([Decimal("6.022E+23"), Decimal("1E-7"), Decimal("0.5"), Decimal("25"), Decimal("1E+3")]),
).map(lambda value: Number(abs(value)))
symbols = st.sampled_from(NAMES).map(Symbol)
leaves = st.one_of(numbers, symbols, st.just(PI))


def _calls(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    one = st.sampled_from(("sin", "exp", "log", "log10", "sqrt", "abs", "floor", "factorial", "cbrt", "atan", "gamma"))
    two = st.sampled_from(("mod", "comb", "atan2"))
    return st.one_of(
        st.builds(call, one, inner),
        st.builds(call, two, inner, inner),
        st.builds(
            lambda name, parts: Call(name, tuple(parts)),
            st.sampled_from(("min", "max", "gcd")),
            st.lists(inner, min_size=2, max_size=3),
        ),
    )


def comparisons(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Comparison]:
    return st.builds(Comparison, st.sampled_from(("<", "<=", ">", ">=", "=", "!=")), inner, inner)


def _piecewise(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    branch = st.tuples(inner, st.lists(comparisons(inner), min_size=1, max_size=2).map(tuple))
    return st.builds(Piecewise, st.lists(branch, min_size=1, max_size=2).map(tuple), st.one_of(st.none(), inner))


def _series(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    return st.builds(Series, st.sampled_from(("sum", "product")), st.sampled_from(("k", "i")), inner, inner, inner)


def _grow(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    several = st.lists(inner, min_size=2, max_size=4)
    return st.one_of(
        several.map(lambda parts: add(*parts)),
        several.map(lambda parts: multiply(*parts)),
        st.builds(divide, inner, inner),
        st.builds(power, inner, inner),
        st.builds(negate, inner),
        _calls(inner),
        _series(inner),
        _piecewise(inner),
    )


def _grow_algebra(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    several = st.lists(inner, min_size=2, max_size=3)
    return st.one_of(
        several.map(lambda parts: add(*parts)),
        several.map(lambda parts: multiply(*parts)),
        st.builds(divide, inner, inner),
        st.builds(power, inner, st.integers(1, 3).map(Number)),
        st.builds(negate, inner),
        st.builds(call, st.sampled_from(("sqrt", "exp", "log", "abs")), inner),
    )


# Every kind of node but Measure, whose unit text needs the unit reader.
expressions: st.SearchStrategy[Expression] = st.recursive(leaves, _grow, max_leaves=14)

# Sums, products, quotients, small powers and a few functions: what most formulas are made of.
algebraic_expressions: st.SearchStrategy[Expression] = st.recursive(
    st.one_of(st.integers(1, 9).map(Number), symbols), _grow_algebra, max_leaves=10
)

equations: st.SearchStrategy[Equation] = st.builds(Equation, symbols, expressions)
