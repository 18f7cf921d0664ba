"""Whether two expressions are the same, and a key under which the same ones meet.

Fractions are compared exactly. What has roots, pi or symbols is computed with many digits, symbols at fixed points of
both signs: two expressions are the same where they agree at every point at which both are real. `i` is the imaginary
unit and `e` Euler's number, as in answers of mathematics.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from mathrag.compute.canonical import Polynomial, vanishing_terms, without_shared_factor
from mathrag.compute.evaluate import evaluate
from mathrag.compute.evaluate.complex_digits import Digits, many_digits
from mathrag.types.expression import (
    Add,
    Divide,
    Equation,
    Expression,
    Multiply,
    Negate,
    Number,
    Power,
    Symbol,
    equation_symbols,
    symbols_of,
    walk,
)

_POINTS = 8
_LEAST_AGREEING = 3
_MOST_SYMBOLS = 12
_NO_VALUE = "-"
_IMAGINARY, _EULER = "i", "e"
# A decimal with fewer digits than this says too little to be the rounding of anything.
_LEAST_DIGITS = 2
# One with so many is what a computer prints of a number that has no end.
_PRINTED_DIGITS = 12


def same_expression(first: Expression, second: Expression, *, places: int | None = None) -> bool | None:
    """Whether two expressions have one value for all values of their symbols; None where that cannot be told.

    With `places`, numbers that differ by no more than half a unit of that decimal place are the same. Without, a
    decimal that is a fair rounding of the other number is neither the same nor different: whether rounding was allowed
    is not known here.
    """
    if first == second:
        return True
    names = sorted({*symbols_of(first), *symbols_of(second)})
    if {*names} <= {_IMAGINARY, _EULER}:
        return _same_numbers(first, second, places)
    if set(symbols_of(first)) != set(symbols_of(second)) and "infinity" in names:
        return False
    if is_rational(first) and is_rational(second):
        terms = vanishing_terms(Equation(first, second))
        if not terms:
            return True
        agreed = _same_at_points(first, second, names)
        # Coefficients too long to be told apart by digits; only the imaginary unit makes powers vanish.
        return None if agreed and _IMAGINARY not in names else agreed
    return _same_at_points(first, second, names)


def exact_value(expression: Expression) -> Fraction | None:
    """The value of an expression without symbols, where it is a whole number or a fraction."""
    if symbols_of(expression):
        return None
    value = evaluate(expression, {})
    return Fraction(value) if isinstance(value, int | Fraction) else None


def _same_numbers(first: Expression, second: Expression, places: int | None) -> bool | None:
    exact = exact_value(first), exact_value(second)
    if exact[0] is not None and exact[1] is not None:
        if exact[0] == exact[1]:
            return True
        if places is not None:
            return abs(exact[0] - exact[1]) * 2 <= Fraction(1, 10**places)
        return _if_rounded(first, second, abs(exact[0]) - abs(exact[1])) if (exact[0] > 0) == (exact[1] > 0) else False
    point = {name: _coordinate(name, 0) for name in (_IMAGINARY, _EULER)}
    values = many_digits(first, point), many_digits(second, point)
    if values[0] is None or values[1] is None:
        return None
    if values[0].is_near(values[1]) is not False:
        return values[0].is_near(values[1])
    if not (values[0].is_real and values[1].is_real):
        # Without the imaginary unit there is a root of a negative number, and which one is meant cannot be told.
        return False if _IMAGINARY in (*symbols_of(first), *symbols_of(second)) else None
    one, other = values[0].value.real, values[1].value.real
    if places is not None:
        return bool(abs(one - other) * 2 <= 10.0**-places)
    return _if_rounded(first, second, Fraction(float(abs(one) - abs(other)))) if (one > 0) == (other > 0) else False


def _if_rounded(first: Expression, second: Expression, excess: Fraction) -> bool | None:
    """What to say of a decimal that is another number, no decimal itself, rounded or cut off after its last digit.

    With many digits it is that number as a computer prints it; with few it cannot be told whether rounding was allowed.
    `excess` is by how much the first is larger, in size.
    """
    decimals = [_decimal(first), _decimal(second)]
    if (decimals[0] is None) == (decimals[1] is None):
        return False
    decimal = decimals[0] if decimals[0] is not None else decimals[1]
    other = exact_value(second if decimals[0] is not None else first)
    if decimal is None or (other is not None and other.denominator == 1):
        return False
    _, digits, exponent = decimal.normalize().as_tuple()
    if len(digits) < _LEAST_DIGITS or not isinstance(exponent, int):
        return False
    step = Fraction(10) ** exponent
    above = excess if decimals[0] is not None else -excess
    if not (abs(above) * 2 <= step or -step < above < 0):
        return False
    return True if len(digits) >= _PRINTED_DIGITS else None


def _decimal(expression: Expression) -> Decimal | None:
    inner = expression.operand if isinstance(expression, Negate) else expression
    return inner.value if isinstance(inner, Number) and isinstance(inner.value, Decimal) else None


def is_rational(expression: Expression) -> bool:
    """Whether it is made of numbers, symbols, the four operations and whole powers alone."""
    return all(
        isinstance(node, Number | Symbol | Add | Multiply | Divide | Negate)
        or (isinstance(node, Power) and isinstance(node.exponent, Number) and isinstance(node.exponent.value, int))
        for node in walk(expression)
    )


def _same_at_points(first: Expression, second: Expression, names: Sequence[str]) -> bool | None:
    if len(names) > _MOST_SYMBOLS:
        return None
    agreeing = 0
    for place in range(_POINTS):
        point = {name: _coordinate(name, place) for name in names}
        one, other = many_digits(first, point), many_digits(second, point)
        if one is None or other is None:
            continue
        near = one.is_near(other)
        if near is False and (_IMAGINARY in names or (one.is_real and other.is_real)):
            return False
        agreeing += near is True
    return True if agreeing >= _LEAST_AGREEING else None


@lru_cache(maxsize=4096)
def _coordinate(name: str, place: int) -> Fraction | complex | str:
    """The value of a symbol at one of the points: positive at the first half, of either sign at the others."""
    if name in (_IMAGINARY, _EULER):
        return 1j if name == _IMAGINARY else _EULER
    chance = random.Random(f"{name} {place}")  # noqa: S311 - not a secret; the same every time
    value = Fraction(chance.randrange(20, 400), 89)
    return -value if place >= _POINTS // 2 and chance.random() < 0.7 else value


def expression_key(expression: Expression) -> str | None:
    """A text that is one for expressions that are the same; None where there is no value to make it from."""
    exact = exact_value(expression)
    if exact is not None:
        return str(exact)
    names = sorted(symbols_of(expression))
    if {*names} <= {_IMAGINARY, _EULER}:
        value = many_digits(expression, {name: _coordinate(name, 0) for name in names})
        return None if value is None else f"~{value.text()}"
    if len(names) > _MOST_SYMBOLS:
        return None
    found = [many_digits(expression, {name: _coordinate(name, place) for name in names}) for place in range(_POINTS)]
    marks = [_mark(value, is_complex=_IMAGINARY in names) for value in found]
    if sum(mark != _NO_VALUE for mark in marks) < _LEAST_AGREEING:
        return None
    return f"f({','.join(names)}) {hashlib.sha256(' '.join(marks).encode()).hexdigest()[:20]}"


def _mark(value: Digits | None, *, is_complex: bool) -> str:
    return value.text() if value is not None and (value.is_real or is_complex) else _NO_VALUE


def same_statement(first: Equation, second: Equation) -> bool | None:
    """Whether two equations hold for the same values; None where that cannot be told.

    Sides may be exchanged and multiplied by a number. Multiplying by a symbol adds solutions, so x = 1 is not x² = x;
    only a denominator may be cleared.
    """
    if set(equation_symbols(first)) != set(equation_symbols(second)):
        return False
    if not all(is_rational(side) for each in (first, second) for side in (each.left, each.right)):
        return True if _are_proportional(_difference(first), _difference(second)) else None
    terms = [vanishing_terms(each) for each in (first, second)]
    if not terms[0] or not terms[1]:
        return None
    if _scaled(terms[0]) == _scaled(terms[1]):
        return True
    has_denominator = any(exponent < 0 for each in terms for monomial in each for _, exponent in monomial)
    if has_denominator and _scaled(without_shared_factor(terms[0])) == _scaled(without_shared_factor(terms[1])):
        return True
    return None if has_denominator else False


def _difference(equation: Equation) -> Expression:
    return Add((equation.left, Negate(equation.right)))


def _are_proportional(first: Expression, second: Expression) -> bool:
    """Whether one is a number times the other, seen at the points where both have a value that is not zero."""
    names = sorted({*symbols_of(first), *symbols_of(second)})
    if len(names) > _MOST_SYMBOLS:
        return False
    quotient = Divide(first, second)
    found = [many_digits(quotient, {name: _coordinate(name, place) for name in names}) for place in range(_POINTS)]
    known = [value for value in found if value is not None and value.is_real]
    return len(known) >= _LEAST_AGREEING and all(known[0].is_near(value) for value in known[1:])


def statement_key(equation: Equation) -> str | None:
    """A text that is one for equations that differ by sides and constant factors."""
    if not (is_rational(equation.left) and is_rational(equation.right)):
        return None
    terms = vanishing_terms(equation)
    rows = sorted((str(monomial), str(value)) for monomial, value in _scaled(terms).items())
    return " + ".join(f"{value}*{monomial}" for monomial, value in rows) if rows else None


def _scaled(terms: Polynomial) -> Polynomial:
    """Divided by the coefficient of the first term in the order of the alphabet."""
    if not terms:
        return terms
    leading = terms[min(terms, key=str)]
    return {monomial: value / leading for monomial, value in terms.items()}
