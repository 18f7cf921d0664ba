"""Whether two trees in several symbols are the same quotient of polynomials, however nested; by multiplying out."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from mathrag.compute.algebra.polynomials import NotPolynomialError, Terms, added, multiplied_out, terms_of
from mathrag.types.expression import Add, Divide, Expression, Multiply, Negate, Number, Power

# What stands above, and what below.
_Quotient: TypeAlias = tuple[Terms, Terms]
_HIGHEST_POWER = 12


def are_one_quotient(left: Expression, right: Expression) -> bool:
    """Whether two trees are the same quotient of polynomials; False where that cannot be told."""
    try:
        (above, below), (other, under) = _quotient(left), _quotient(right)
        return multiplied_out(above, under) == multiplied_out(other, below)
    except NotPolynomialError:
        return False


def _quotient(node: Expression) -> _Quotient:
    """The tree as one quotient, above and below multiplied out, nothing cancelled; raises `NotPolynomialError`."""
    match node:
        case Negate(operand):
            above, below = _quotient(operand)
            return {monomial: -value for monomial, value in above.items()}, below
        case Add(terms):
            above, below = _quotient(terms[0])
            for term in terms[1:]:
                above, below = _added((above, below), _quotient(term))
            return above, below
        case Multiply(factors):
            above, below = _quotient(factors[0])
            for factor in factors[1:]:
                more, under = _quotient(factor)
                above, below = multiplied_out(above, more), multiplied_out(below, under)
            return above, below
        case Divide(numerator, denominator):
            above, below = _quotient(numerator)
            more, under = _quotient(denominator)
            if not more:
                raise NotPolynomialError
            return multiplied_out(above, under), multiplied_out(below, more)
        case Power(base, Number(int() as count)) if 0 < count <= _HIGHEST_POWER:
            inner = _quotient(base)
            above, below = inner
            for _ in range(count - 1):
                above, below = multiplied_out(above, inner[0]), multiplied_out(below, inner[1])
            return above, below
    return terms_of(node), {(): Fraction(1)}


def _added(one: _Quotient, other: _Quotient) -> _Quotient:
    if one[1] == other[1]:
        return added(one[0], other[0]), one[1]
    return added(multiplied_out(one[0], other[1]), multiplied_out(other[0], one[1])), multiplied_out(one[1], other[1])
