"""Equations in sines, cosines and tangents of one angle and its multiples, as polynomials in one of them.

Sines and cosines of multiples are written by those of the angle itself; then the cosine is √(1 − sin²) with one of two
signs, so that every solution solves a polynomial equation for the sine. Its roots give candidates for the angle, of
which those that do not solve the equation are to be taken out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from mathrag.compute.algebra.polynomials import (
    NotPolynomialError,
    Polynomial,
    Terms,
    minus,
    polynomial_expression,
    polynomial_of,
    roots_of,
    terms_of,
    times,
    trimmed,
)
from mathrag.compute.algebra.rewriting import over_one
from mathrag.compute.printers.plaintext import plain_formula
from mathrag.compute.solve.tidy import literal, tidied
from mathrag.types.expression import (
    ONE,
    TWO,
    ZERO,
    Add,
    Call,
    Divide,
    Expression,
    Multiply,
    Negate,
    Number,
    Power,
    Symbol,
    add,
    divide,
    map_parts,
    multiply,
    negate,
    substitute,
    subtract,
    symbols_of,
    walk,
)

_SINE, _COSINE, _TANGENT = "sine_alone", "cosine_alone", "tangent_alone"
_FUNCTIONS = ("sin", "cos", "tan")
_MOST_TURNS = 6


@dataclass(frozen=True, slots=True)
class AngleEquation:
    """`function(angle)` is one of the values; which angles of these solve the equation is for the caller to try."""

    angle: Expression
    function: str
    values: tuple[Expression, ...]
    way: str


def angle_equation(left: Expression, right: Expression, symbol: str) -> AngleEquation | None:
    """The values that the sine, cosine or tangent must have; None where it is no such equation."""
    difference = subtract(left, right)
    calls = {node for node in walk(difference) if isinstance(node, Call) and symbol in symbols_of(node)}
    if not calls or any(node.function not in _FUNCTIONS for node in calls) or _divides_by_tangent(difference):
        return None
    found = _common_angle({node.arguments[0] for node in calls}, symbol)
    if found is None:
        return None
    angle, counts = found
    try:
        if {node.function for node in calls} == {"tan"} and set(counts.values()) == {1}:
            return _in_one(difference, calls, angle, symbol)
        replaced = {node: _written(node.function, counts[node.arguments[0]]) for node in calls}
        above, _ = over_one(_exchanged(difference, replaced))
        if symbol in symbols_of(above):
            return None
        return _by_terms(terms_of(above), angle)
    except NotPolynomialError:
        return None


@dataclass(frozen=True, slots=True)
class Wave:
    """`along · sin(angle) + across · cos(angle) = value`."""

    angle: Expression
    along: Expression
    across: Expression
    value: Expression


def wave_equation(left: Expression, right: Expression, symbol: str) -> Wave | None:
    """A sum of multiples of one sine and one cosine, or of products of two of them, that is a number."""
    difference = subtract(left, right)
    calls = {node for node in walk(difference) if isinstance(node, Call) and symbol in symbols_of(node)}
    angles = {node.arguments[0] for node in calls}
    if len(angles) != 1 or any(node.function not in ("sin", "cos") for node in calls):
        return None
    by: dict[Call, Expression] = {node: Symbol(_SINE if node.function == "sin" else _COSINE) for node in calls}
    parts: dict[tuple[int, int], list[Expression]] = {}
    whole = _exchanged(difference, by)
    for term in whole.terms if isinstance(whole, Add) else (whole,):
        made = _counted(term)
        if made is None or symbol in symbols_of(term):
            return None
        parts.setdefault(made[0], []).append(made[1])
    totals = {counts: tidied(add(*found)) for counts, found in parts.items()}
    (angle,) = angles
    rest = negate(totals.pop((0, 0), ZERO))
    if set(totals) <= {(1, 0), (0, 1)} and totals:
        return Wave(angle, totals.get((1, 0), ZERO), totals.get((0, 1), ZERO), rest)
    if not set(totals) <= {(2, 0), (1, 1), (0, 2)} or (1, 1) not in totals:
        return None
    # sin² = (1 − cos 2a) / 2, cos² = (1 + cos 2a) / 2, sin cos = sin 2a / 2.
    squares, mixed, others = (totals.get(each, ZERO) for each in ((2, 0), (1, 1), (0, 2)))
    value = subtract(multiply(TWO, rest), add(squares, others))
    return Wave(tidied(multiply(TWO, angle)), mixed, tidied(subtract(others, squares)), tidied(value))


def _counted(term: Expression) -> tuple[tuple[int, int], Expression] | None:
    """How often sine and cosine stand in a product, and the number before them."""
    match term:
        case Negate(part):
            made = _counted(part)
            return None if made is None else (made[0], negate(made[1]))
        case Divide(above, below) if not symbols_of(below):
            made = _counted(above)
            return None if made is None else (made[0], divide(made[1], below))
        case Symbol(name) if name in (_SINE, _COSINE):
            return ((1, 0) if name == _SINE else (0, 1)), ONE
        case Power(Symbol() as base, Number(2)):
            return _counted(multiply(base, base))
        case Multiply(factors):
            counts: tuple[int, int] = (0, 0)
            number: Expression = ONE
            for factor in factors:
                made = _counted(factor)
                if made is None:
                    return None
                counts, number = (counts[0] + made[0][0], counts[1] + made[0][1]), multiply(number, made[1])
            return counts, number
    return None if symbols_of(term) else ((0, 0), term)


def _divides_by_tangent(node: Expression) -> bool:
    """Whether 1/tan stands in it: a cotangent has a value where the tangent has none."""
    quotients = [each for each in walk(node) if isinstance(each, Divide)]
    return any(
        isinstance(part, Call) and part.function == "tan" for each in quotients for part in walk(each.denominator)
    )


def _common_angle(angles: set[Expression], symbol: str) -> tuple[Expression, dict[Expression, int]] | None:
    """The angle of which all are whole multiples."""
    if len(angles) == 1:
        (only,) = angles
        return only, {only: 1}
    slopes: dict[Expression, Fraction] = {}
    for each in angles:
        try:
            line = polynomial_of(each, symbol)
        except NotPolynomialError:
            return None
        if len(line) != 2 or line[0]:
            return None
        slopes[each] = line[1]
    below = math.lcm(*(slope.denominator for slope in slopes.values()))
    step = Fraction(math.gcd(*(int(slope * below) for slope in slopes.values())), below)
    counts = {each: int(slope / step) for each, slope in slopes.items()}
    if any(abs(count) > _MOST_TURNS for count in counts.values()):
        return None
    return tidied(multiply(literal(step), Symbol(symbol))), counts


def _written(function: str, count: int) -> Expression:
    """The sine, cosine or tangent of a multiple of the angle, by its sine and cosine."""
    sine, cosine = Symbol(_SINE), Symbol(_COSINE)
    sines: list[Expression] = [ZERO, sine]
    cosines: list[Expression] = [ONE, cosine]
    for _ in range(abs(count) - 1):
        sines.append(add(multiply(sines[-1], cosine), multiply(cosines[-1], sine)))
        cosines.append(subtract(multiply(cosines[-1], cosine), multiply(sines[-2], sine)))
    turned = sines[abs(count)] if count > 0 else subtract(ZERO, sines[abs(count)])
    if function == "sin":
        return turned
    return cosines[abs(count)] if function == "cos" else divide(turned, cosines[abs(count)])


def _exchanged(node: Expression, by: dict[Call, Expression]) -> Expression:
    if isinstance(node, Call) and node in by:
        return by[node]
    return map_parts(node, lambda part: _exchanged(part, by))


def _in_one(difference: Expression, calls: set[Call], angle: Expression, symbol: str) -> AngleEquation | None:
    whole = _exchanged(difference, dict.fromkeys(calls, Symbol(_TANGENT)))
    above, _ = over_one(whole)
    return None if symbol in symbols_of(above) else _values(polynomial_of(above, _TANGENT), "tan", angle)


def _by_terms(terms: Terms, angle: Expression) -> AngleEquation | None:
    """A polynomial in sine and cosine: in one of them where the other stands in squares alone."""
    powers = [dict(monomial) for monomial in terms]
    if all(each.get(_COSINE, 0) % 2 == 0 for each in powers):
        return _values(_parts(terms, _SINE, _COSINE)[0], "sin", angle)
    if all(each.get(_SINE, 0) % 2 == 0 for each in powers):
        return _values(_parts(terms, _COSINE, _SINE)[0], "cos", angle)
    plain, beside = _parts(terms, _SINE, _COSINE)
    # (plain + cos · beside)(plain − cos · beside): every solution is a root of it.
    squared = minus(times(plain, plain), times(_ROUND, times(beside, beside)))
    return _values(squared, "sin", angle)


_ROUND: Polynomial = (Fraction(1), Fraction(0), Fraction(-1))


def _parts(terms: Terms, name: str, other: str) -> tuple[Polynomial, Polynomial]:
    """Without squares of the other one: what stands alone, and what stands beside it."""
    found: list[Polynomial] = [(), ()]
    for monomial, value in terms.items():
        counts = dict(monomial)
        part: Polynomial = trimmed([*[Fraction(0)] * counts.get(name, 0), -value])
        for _ in range(counts.get(other, 0) // 2):
            part = times(part, _ROUND)
        side = counts.get(other, 0) % 2
        found[side] = minus(found[side], part)
    return found[0], found[1]


def _values(polynomial: Polynomial, function: str, angle: Expression) -> AngleEquation | None:
    if not polynomial:
        return None
    roots = roots_of(polynomial).real if len(polynomial) > 1 else ()
    if any(root.exact is None for root in roots):
        return None
    whole = plain_formula(polynomial_expression(_whole(polynomial), "u"))
    shown = plain_formula(Call(function, (angle,)))
    values = tuple(root.exact for root in roots if root.exact is not None)
    said = " or ".join(plain_formula(each) for each in values)
    way = f"every solution has {shown} = u with {whole} = 0"
    way += f", so u is {said}" if said else ", which no real number u fulfils"
    return AngleEquation(angle, function, values, way)


def _whole(polynomial: Polynomial) -> Polynomial:
    below = math.lcm(*(value.denominator for value in polynomial))
    shared = math.gcd(*(int(value * below) for value in polynomial)) * (-1 if polynomial[-1] < 0 else 1)
    return tuple(value * below / shared for value in polynomial)


def by_one_function(body: Expression, function: str, symbol: str) -> Expression | None:
    """Sines and cosines of multiples of the symbol as a polynomial in one of them; tangents as a quotient."""
    calls = {node for node in walk(body) if isinstance(node, Call) and symbol in symbols_of(node)}
    if not calls or any(node.function not in _FUNCTIONS for node in calls):
        return None
    counts = _turns_of(calls, symbol)
    if counts is None:
        return None
    above, below = over_one(_exchanged(body, {node: _written(node.function, counts[node]) for node in calls}))
    if symbol in symbols_of(add(above, below)):
        return None
    alone = Symbol(symbol)
    if function == "tan":
        return _by_tangent(terms_of(above), terms_of(below), alone)
    name, other = (_SINE, _COSINE) if function == "sin" else (_COSINE, _SINE)
    parts = [_parts(terms_of(each), name, other) for each in (above, below)]
    if any(beside for _, beside in parts):
        return None
    top, bottom = (polynomial_expression(plain, "u") for plain, _ in parts)
    made = top if bottom == ONE else divide(top, bottom)
    return substitute(made, {"u": Call(function, (alone,))})


def _turns_of(calls: set[Call], symbol: str) -> dict[Call, int] | None:
    """Which whole multiple of the symbol each function is taken of."""
    counts: dict[Call, int] = {}
    for node in calls:
        line = polynomial_of(node.arguments[0], symbol)
        if len(line) != 2 or line[0] or line[1].denominator != 1 or abs(line[1]) > _MOST_TURNS:
            return None
        counts[node] = int(line[1])
    return counts


def _by_tangent(above: Terms, below: Terms, alone: Symbol) -> Expression | None:
    """Both parts homogeneous of one degree: divided by that power of the cosine, the tangent alone is left."""
    degrees = {sum(count for _, count in monomial) for terms in (above, below) for monomial in terms}
    if len(degrees) != 1:
        return None
    made = [polynomial_expression(_sine_powers(terms, degrees.copy().pop()), "u") for terms in (above, below)]
    return substitute(divide(made[0], made[1]), {"u": Call("tan", (alone,))})


def _sine_powers(terms: Terms, degree: int) -> Polynomial:
    found = [Fraction(0)] * (degree + 1)
    for monomial, value in terms.items():
        found[dict(monomial).get(_SINE, 0)] += value
    return trimmed(found)
