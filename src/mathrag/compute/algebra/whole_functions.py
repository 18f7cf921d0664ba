"""Equations between functions of whole numbers that follow from what these functions are: binomial coefficients written
with factorials, factorials with the one below them, the least common multiple with the greatest common divisor.

Both sides then are quotients of polynomials in the letters, factorials and divisors, and are compared as such.
"""

from __future__ import annotations

import math
from fractions import Fraction

from mathrag.compute.algebra.identities import Comparison, Numbers
from mathrag.compute.algebra.polynomials import NotPolynomialError, Terms, expression_of, terms_of
from mathrag.compute.algebra.rewriting import over_one
from mathrag.types.expression import (
    ONE,
    Call,
    Expression,
    Symbol,
    add,
    divide,
    map_parts,
    multiply,
    number,
    subtract,
    walk,
)

_FUNCTIONS = frozenset(("factorial", "comb", "perm", "gcd", "lcm"))
# So far from the argument of one factorial may that of another lie; and so large may a factorial in digits be.
_FARTHEST, _LARGEST = 12, 60
_BY_FACTORIALS = (
    "Written with factorials, both sides are the same wherever these exist (shown by algebra); small whole numbers "
    "were also tried."
)
_BY_ORDER = "The greatest common divisor of two numbers does not depend on their order; the rest is algebra."
_BY_DIVISORS = "With lcm(a, b) = a b / gcd(a, b), both sides are the same (shown by algebra)."


def shown_by_definitions(statement: Comparison, positive: frozenset[str], numbers: Numbers) -> str:
    """How an equation follows from the definitions, in a sentence; empty where it does not. `positive` are the letters
    that stand for positive numbers; without them no sign is known of those that may have either."""
    sides = (statement.left, statement.right)
    used = {node.function for side in sides for node in walk(side) if isinstance(node, Call)}
    if statement.sign != "=" or not used or not used <= _FUNCTIONS:
        return ""
    if "lcm" in used and numbers == "integers" and not positive.issuperset(statement.names):
        return ""
    try:
        left, right = over_one(written_out(statement.left)), over_one(written_out(statement.right))
        if terms_of(multiply(left[0], right[1])) != terms_of(multiply(right[0], left[1])):
            return ""
    except NotPolynomialError:
        return ""
    if used == {"gcd"}:
        return _BY_ORDER
    return _BY_DIVISORS if used <= {"gcd", "lcm"} else _BY_FACTORIALS


def written_out(node: Expression) -> Expression:
    """Binomial coefficients by factorials, factorials by one below them; raises `NotPolynomialError` for others."""
    inner = map_parts(node, written_out)
    if not isinstance(inner, Call):
        return inner
    match inner.function, inner.arguments:
        case "factorial", (total,):
            return _factorial(total)
        case "comb", (total, chosen):
            return divide(_factorial(total), multiply(_factorial(chosen), _factorial(subtract(total, chosen))))
        case "perm", (total, chosen):
            return divide(_factorial(total), _factorial(subtract(total, chosen)))
        case "gcd", (one, other):
            return _divisor(one, other)
        case "lcm", (one, other):
            return divide(multiply(one, other), _divisor(one, other))
    raise NotPolynomialError


def _divisor(one: Expression, other: Expression) -> Expression:
    """A letter for the greatest common divisor, whichever of the two comes first."""
    return _letter("gcd", str(sorted(str(sorted(terms_of(each).items())) for each in (one, other))))


def _letter(function: str, argument: str) -> Symbol:
    return Symbol(f"{function}_{argument.encode().hex()}")


def _factorial(argument: Expression) -> Expression:
    """The factorial of a sum as that of its letters alone, times or divided by what lies between."""
    terms = terms_of(argument)
    shift = terms.pop((), Fraction(0))
    if shift.denominator != 1 or (abs(shift) > _FARTHEST and terms) or shift > _LARGEST or (shift < 0 and not terms):
        raise NotPolynomialError
    if not terms:
        return number(math.factorial(int(shift)))
    return _shifted(terms, int(shift))


def _shifted(terms: Terms, shift: int) -> Expression:
    base, letters = _letter("factorial", str(sorted(terms.items()))), expression_of(terms)
    steps = range(1, shift + 1) if shift > 0 else range(shift + 1, 1)
    between = [add(letters, number(step)) if step else letters for step in steps] if shift else []
    product = multiply(*between) if len(between) > 1 else between[0] if between else ONE
    return multiply(base, product) if shift >= 0 else divide(base, product)
