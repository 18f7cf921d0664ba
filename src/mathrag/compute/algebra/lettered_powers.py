"""Powers with a whole number n in their exponents, and factorials, as letters: r^(n+2) is r² times a letter for rⁿ.

Two sides are equal for every n where they are one quotient of polynomials in these letters.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from mathrag.compute.algebra.polynomials import Monomial, NotPolynomialError, Terms, terms_of
from mathrag.compute.algebra.rewriting import over_one
from mathrag.compute.algebra.whole_functions import written_out
from mathrag.compute.solve.tidy import constant_of, literal, tidied
from mathrag.types.expression import (
    ONE,
    Call,
    Divide,
    Expression,
    Multiply,
    Negate,
    Power,
    Symbol,
    divide,
    map_parts,
    multiply,
    number,
    power,
    subtract,
    symbols_of,
)

_LARGEST_BASE, _LARGEST_EXPONENT = 100_000, 40
_MINUS = "minus_one_to"


def are_equal_for_every(left: Expression, right: Expression, symbol: str) -> bool:
    """Whether both are equal for all whole numbers n and all values of the other letters at which both exist."""
    try:
        above, below = over_one(subtract(lettered(left, symbol), lettered(right, symbol)))
        return bool(_known(terms_of(below))) and not _known(terms_of(above))
    except NotPolynomialError:
        return False


def _known(terms: Terms) -> Terms:
    """With (−1)ⁿ times itself as 1."""
    found: dict[Monomial, Fraction] = {}
    for monomial, value in terms.items():
        key = tuple((name, count % 2 if name == _MINUS else count) for name, count in monomial)
        key = tuple((name, count) for name, count in key if count)
        found[key] = found.get(key, Fraction(0)) + value
    return {monomial: value for monomial, value in found.items() if value}


def lettered(node: Expression, symbol: str) -> Expression:
    """The expression with letters for powers and factorials; raises `NotPolynomialError` where that is not possible."""
    if isinstance(node, Power) and symbol in symbols_of(node.exponent):
        if symbol in symbols_of(node.base):
            raise NotPolynomialError
        factor, shift = linear_in(node.exponent, symbol)
        return _raised(node.base, factor, shift)
    if isinstance(node, Call):
        return written_out(node)
    if isinstance(node, Power) and (count := constant_of(tidied(node.exponent))) is not None:
        if count.denominator != 1:
            raise NotPolynomialError
        return _whole_power(lettered(node.base, symbol), int(count))
    return map_parts(node, lambda part: lettered(part, symbol))


def linear_in(expression: Expression, symbol: str) -> tuple[int, int]:
    """The whole numbers a and b of a n + b; raises `NotPolynomialError` for any other expression."""
    terms = dict(terms_of(expression))
    shift, factor = terms.pop((), Fraction(0)), terms.pop(((symbol, 1),), Fraction(0))
    if terms or shift.denominator != 1 or factor.denominator != 1 or max(abs(shift), abs(factor)) > _LARGEST_EXPONENT:
        raise NotPolynomialError
    return int(factor), int(shift)


def _raised(base: Expression, factor: int, shift: int) -> Expression:
    match base:
        case Multiply(factors):
            return multiply(*(_raised(each, factor, shift) for each in factors))
        case Divide(numerator, denominator):
            return divide(_raised(numerator, factor, shift), _raised(denominator, factor, shift))
        case Negate(operand):
            return multiply(_negative(factor, shift), _raised(operand, factor, shift))
    fraction = constant_of(tidied(base))
    if fraction is not None:
        return _number_raised(fraction, factor, shift)
    name = base.name if isinstance(base, Symbol) else str(sorted(terms_of(base).items())).encode().hex()
    return multiply(_whole_power(Symbol(f"power_of_{name}"), factor), _whole_power(base, shift))


def _number_raised(base: Fraction, factor: int, shift: int) -> Expression:
    if not base or max(abs(base.numerator), base.denominator) > _LARGEST_BASE:
        raise NotPolynomialError
    found: list[Expression] = [literal(abs(base) ** shift)]
    if base < 0:
        found.append(_negative(factor, shift))
    for whole, sign in ((abs(base.numerator), 1), (base.denominator, -1)):
        for prime, count in _primes(whole):
            found.append(_whole_power(Symbol(f"power_of_{prime}"), sign * factor * count))
    return multiply(*found) if len(found) > 1 else found[0]


def _negative(factor: int, shift: int) -> Expression:
    sign = number(-1 if shift % 2 else 1)
    return multiply(sign, Symbol(_MINUS)) if factor % 2 else sign


def _whole_power(base: Expression, count: int) -> Expression:
    if not count:
        return ONE
    size = base if abs(count) == 1 else power(base, number(abs(count)))
    return size if count > 0 else divide(ONE, size)


def _primes(whole: int) -> Iterable[tuple[int, int]]:
    prime = 2
    while whole > 1:
        if prime * prime > whole:
            prime = whole
        count = 0
        while whole % prime == 0:
            whole, count = whole // prime, count + 1
        if count:
            yield prime, count
        prime += 1
