"""Whether what a planner writes depends on its values: what does is computed, what does not is a number from nowhere.

The check tries values; here algebra says what is true: quotients of polynomials with their coefficients.
"""

from __future__ import annotations

from collections import Counter
from typing import TypeAlias

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mathrag.compute.pythontext import read_python_text
from mathrag.reason.agent.quoted_values import constant_in_disguise
from mathrag.types.expression import Add, Divide, Expression, Multiply, Negate, Number, Symbol, symbols_of, walk

Polynomial: TypeAlias = Counter[tuple[str, ...]]
Quotient: TypeAlias = tuple[Polynomial, Polynomial]
NAMES = ("a", "b", "c", "d")


def product(first: Polynomial, second: Polynomial) -> Polynomial:
    found: Polynomial = Counter()
    for one, above in first.items():
        for other, below in second.items():
            found[tuple(sorted((*one, *other)))] += above * below
    return found


def total(first: Quotient, second: Quotient) -> Quotient:
    above = product(first[0], second[1])
    for term, size in product(second[0], first[1]).items():
        above[term] += size
    return above, product(first[1], second[1])


def quotient(part: Expression) -> Quotient:
    """An expression multiplied out, above and below one line."""
    one: Polynomial = Counter({(): 1})
    match part:
        case Number(value):
            return Counter({(): int(value)}), one
        case Symbol(name):
            return Counter({(name,): 1}), one
        case Negate(inner):
            above, below = quotient(inner)
            return Counter({term: -size for term, size in above.items()}), below
        case Divide(upper, lower):
            (above, first), (below, second) = quotient(upper), quotient(lower)
            return product(above, second), product(first, below)
        case Add(terms):
            whole: Quotient = (Counter(), one)
            for term in terms:
                whole = total(whole, quotient(term))
            return whole
        case Multiply(factors):
            above, below = one, one
            for factor in factors:
                upper, lower = quotient(factor)
                above, below = product(above, upper), product(below, lower)
            return above, below
    raise AssertionError(part)


def is_constant(part: Expression) -> bool:
    """Whether what stands above is a multiple of what stands below, nothing of it included."""
    above, below = ({term: size for term, size in each.items() if size} for each in quotient(part))
    assume(below)
    term = next(iter(below))
    keys = {*above, *below}
    return all(above.get(key, 0) * below[term] == above.get(term, 0) * below.get(key, 0) for key in keys)


def joined(parts: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    two = st.tuples(parts, parts)
    return st.one_of(
        two.map(Add),
        two.map(lambda pair: Add((pair[0], Negate(pair[1])))),
        two.map(Multiply),
        two.map(lambda pair: Divide(*pair)),
    )


leaves = st.one_of(
    st.sampled_from(NAMES).map(Symbol), st.sampled_from(NAMES).map(Symbol), st.integers(1, 2).map(Number)
)
expressions = st.recursive(leaves, joined, max_leaves=7)


@settings(max_examples=250, deadline=None)
@given(expressions)
def test_what_depends_on_its_values_is_told_from_what_does_not(expression: Expression) -> None:
    parts = [part for part in walk(expression) if symbols_of(part)]
    constant = [part for part in parts if is_constant(part)]
    found = constant_in_disguise(expression, zero=True)
    assert (found in constant) if constant else (found is None)


def read(text: str) -> Expression:
    reading = read_python_text(text)
    assert reading.expression is not None
    return reading.expression


@pytest.mark.parametrize(
    "text",
    "a - b; a / b; log(a/b); a**b; a*b/c; (a - b)/(c - d); a*d - b*c; sqrt(a - b); asin(a/b); acos(a - b); "
    "sqrt(1 - a**2/b**2); floor(a/b); min(a, b); max(a, 0); mod(a, b); gcd(a, b); lcm(a, b)/gcd(a, b); "
    "exp(-1000*a); log(a - b) - log(c - d); abs(a - b); atan(a - b); (a + b)/2 - c".split("; "),
)
def test_shapes_in_which_values_matter(text: str) -> None:
    assert constant_in_disguise(read(text), zero=True) is None


@pytest.mark.parametrize(
    "text",
    "a - a; a/a; 0*a; a**0; (a - b)/(a - b); a - b + b - a; sin(a)**2 + cos(a)**2; sqrt(a**2)/a; abs(a)/a; "
    "abs(a - b)/(a - b); asin(a)/asin(a); sqrt(-a)/sqrt(-a); floor(a)/floor(a); min(a, b)/min(a, b); "
    "log(a*b) - log(a) - log(b); exp(a)*exp(-a); 2*(a - b)/(b - a)".split("; "),
)
def test_shapes_in_which_no_value_matters(text: str) -> None:
    assert constant_in_disguise(read(text), zero=True) is not None
