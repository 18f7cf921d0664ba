"""Equations with the imaginary unit and real letters that follow from exp(iu) = cos u + i sin u: Euler's formulas for
sine and cosine, powers of cos u + i sin u (De Moivre).

Sines and cosines become quotients of polynomials in tangents of half the angles; then i² = −1 is all that is used.
"""

from __future__ import annotations

from mathrag.compute.algebra.identities import Comparison
from mathrag.compute.algebra.points import IMAGINARY
from mathrag.compute.algebra.polynomials import NotPolynomialError, Terms, expression_of, terms_of
from mathrag.compute.algebra.rational_forms import rational_forms
from mathrag.compute.algebra.rewriting import over_one
from mathrag.types.expression import (
    Add,
    Call,
    Expression,
    MathConstant,
    Multiply,
    Negate,
    Number,
    Power,
    Symbol,
    add,
    call,
    map_parts,
    multiply,
    negate,
    substitute,
    subtract,
    symbols_of,
    walk,
)

# Letters that stand for whole numbers where they are powers of a number on the unit circle.
_WHOLE = frozenset("kmn")
_I = Symbol(IMAGINARY)
_BY_TURNS = "With exp(iu) = cos u + i sin u, both sides are the same (shown by algebra, with i² = −1)."
_BY_POWERS = "De Moivre's formula: exp(iu) to the power of a whole number is exp of so many times iu."


class _NoTurnError(ValueError):
    """What is not of this form."""


def shown_by_turns(statement: Comparison) -> tuple[str, tuple[str, ...]]:
    """How an equation with i and real letters is shown, in a sentence, and which letters stand for whole numbers alone;
    empty where it is not shown."""
    symbols = {*symbols_of(statement.left), *symbols_of(statement.right)}
    if statement.sign != "=" or IMAGINARY not in symbols or symbols == {IMAGINARY}:
        return "", ()
    powers: set[str] = set()
    try:
        left, right = (_turned(side, powers) for side in (statement.left, statement.right))
        if any(isinstance(side, Call) and side.function == "abs" for side in (left, right)):
            left, right = _square(left), _square(right)
        if not _are_same(left, right):
            return "", ()
    except (_NoTurnError, NotPolynomialError):
        return "", ()
    if powers:
        return f"{_BY_POWERS} {_BY_TURNS}", tuple(sorted(powers))
    return _BY_TURNS, ()


def _turned(node: Expression, powers: set[str]) -> Expression:
    """Exponentials of i times something as cosine and sine, powers of such a sum as one of a multiple angle."""
    if isinstance(node, Power) and isinstance(node.exponent, Symbol) and node.exponent.name in _WHOLE:
        angle = _angle_of(_turned(node.base, powers))
        if angle is not None and node.exponent.name not in symbols_of(angle):
            powers.add(node.exponent.name)
            return _on_circle(multiply(node.exponent, angle))
    inner = map_parts(node, lambda each: _turned(each, powers))
    if isinstance(inner, Call) and inner.function == "exp" and IMAGINARY in symbols_of(inner):
        return _on_circle(_without_i(inner.arguments[0]))
    if isinstance(inner, Call) and inner.function not in ("sin", "cos", "tan", "exp", "abs"):
        raise _NoTurnError
    return inner


def _on_circle(angle: Expression) -> Expression:
    return add(call("cos", angle), multiply(_I, call("sin", angle)))


def _angle_of(node: Expression) -> Expression | None:
    """The u of cos u + i sin u."""
    if not isinstance(node, Add) or len(node.terms) != 2:
        return None
    for cosine, other in (node.terms, node.terms[::-1]):
        if not isinstance(cosine, Call) or cosine.function != "cos":
            continue
        angle = cosine.arguments[0]
        sine = call("sin", angle)
        if other in (Multiply((_I, sine)), Multiply((sine, _I))):
            return angle
        if other in (Negate(Multiply((_I, sine))), Negate(Multiply((sine, _I)))):
            return negate(angle)
    return None


def _without_i(exponent: Expression) -> Expression:
    """An exponent without the i that stands in each of its terms."""
    named = {"pi_turn": next((node for node in walk(exponent) if isinstance(node, MathConstant)), Number(0))}
    terms = terms_of(_with_letter(exponent))
    made: Terms = {}
    for monomial, value in terms.items():
        if dict(monomial).get(IMAGINARY) != 1:
            raise _NoTurnError
        made[tuple(each for each in monomial if each[0] != IMAGINARY)] = value
    if not made:
        raise _NoTurnError
    return substitute(expression_of(made), named)


def _with_letter(node: Expression) -> Expression:
    return Symbol("pi_turn") if isinstance(node, MathConstant) else map_parts(node, _with_letter)


def _square(side: Expression) -> Expression:
    """The square of a size, or of a number that is not negative."""
    if isinstance(side, Call) and side.function == "abs":
        inner = side.arguments[0]
        return multiply(inner, substitute(inner, {IMAGINARY: negate(_I)}))
    if isinstance(side, Number) and side.value >= 0:
        return multiply(side, side)
    raise _NoTurnError


def _are_same(left: Expression, right: Expression) -> bool:
    made = rational_forms(left, right)
    if made is None:
        return False
    above, below = over_one(subtract(*made))
    return not _reduced(terms_of(above)) and bool(_reduced(terms_of(below)))


def _reduced(terms: Terms) -> Terms:
    """With i² = −1."""
    found: Terms = {}
    for monomial, value in terms.items():
        count = dict(monomial).get(IMAGINARY, 0)
        rest = tuple(each for each in monomial if each[0] != IMAGINARY)
        key = tuple(sorted((*rest, (IMAGINARY, 1)))) if count % 2 else rest
        found[key] = found.get(key, value * 0) + (-value if count % 4 in (2, 3) else value)
    return {monomial: value for monomial, value in found.items() if value}
