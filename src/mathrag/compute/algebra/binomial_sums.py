"""Sums of binomial coefficients over all choices in closed form: by the binomial theorem, with polynomials in the index
by k C(n, k) = n C(n−1, k−1), and products of two by Vandermonde's identity."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from mathrag.compute.algebra.polynomials import (
    NotPolynomialError,
    Polynomial,
    Terms,
    added,
    expression_of,
    minus,
    polynomial_of,
    product_of,
    terms_of,
    times,
    trimmed,
)
from mathrag.compute.solve.tidy import literal
from mathrag.types.expression import (
    ONE,
    ZERO,
    Call,
    Divide,
    Expression,
    Multiply,
    Negate,
    Number,
    Power,
    Symbol,
    add,
    call,
    divide,
    multiply,
    number,
    power,
    substitute,
    subtract,
    symbols_of,
)

_BY_THEOREM = "the binomial theorem, Σ C(n, k) xᵏ yⁿ⁻ᵏ = (x + y)ⁿ"
_BY_ABSORBING = "the binomial theorem with k C(n, k) = n C(n − 1, k − 1)"
_BY_VANDERMONDE = (
    "Vandermonde's identity: C(a + b, r) is the coefficient of xʳ in (1 + x)ᵃ (1 + x)ᵇ, which is the sum of "
    "C(a, k) C(b, r − k)"
)


@dataclass(frozen=True, slots=True)
class ClosedSum:
    """A closed form, the smallest upper bound from which on it holds, and what it rests on."""

    form: Expression
    first: int
    why: str


def binomial_sum(body: Expression, index: str, start: int, upper: Expression) -> ClosedSum | None:
    """The sum over the index up to a letter; None where the body is no such product."""
    if not isinstance(upper, Symbol) or start not in (0, 1):
        return None
    found = None
    for way in (_by_theorem, _by_vandermonde):
        try:
            found = found or way(body, index, upper)
        except NotPolynomialError:
            continue
    if found is None or start == 0:
        return found
    left_out = substitute(body, {index: ZERO})
    return ClosedSum(subtract(found.form, left_out), max(found.first, 1), found.why)


@dataclass(slots=True)
class _Parts:
    """A product taken apart: A p(k) Xᵏ/Yᵏ Pⁿ and a number of binomial coefficients."""

    rest: Expression
    polynomial: Polynomial
    above: Terms
    below: Terms
    with_upper: Terms
    choices: int = 0


def _by_theorem(body: Expression, index: str, bound: Symbol) -> ClosedSum | None:
    upper = bound.name
    one: Terms = {(): Fraction(1)}
    parts = _Parts(ONE, (Fraction(1),), one, one, one)
    for factor, is_below in _factors(body):
        _take(parts, factor, index, upper, is_below=is_below)
    if parts.choices != 1:
        return None
    total = added(parts.above, parts.below)
    falling = _falling(parts.polynomial)
    why = _BY_THEOREM if len(falling) == 1 else _BY_ABSORBING
    if not total:
        # The sum is that of 0ⁿ⁻ʲ, which is 0 beyond the degree.
        return ClosedSum(ZERO, len(falling), why)
    base = expression_of(_over_monomial(product_of(parts.with_upper, total), parts.below))
    raised = power(base, Symbol(upper)) if base != ONE else ONE
    summands: list[Expression] = []
    for count, value in enumerate(falling):
        if not value:
            continue
        steps = [subtract(Symbol(upper), number(step)) if step else Symbol(upper) for step in range(count)]
        quotient = divide(expression_of(parts.above), expression_of(total))
        summands.append(multiply(literal(value), *steps, *([power(quotient, number(count))] if count else [])))
    front = add(*summands) if len(summands) > 1 else summands[0]
    return ClosedSum(multiply(*(each for each in (parts.rest, front, raised) if each != ONE)), 0, why)


def _factors(node: Expression) -> Iterator[tuple[Expression, bool]]:
    """The factors of a product, each with whether it stands below the bar."""
    match node:
        case Multiply(factors):
            for factor in factors:
                yield from _factors(factor)
        case Divide(numerator, denominator):
            yield from _factors(numerator)
            yield from ((factor, not is_below) for factor, is_below in _factors(denominator))
        case Negate(operand):
            yield number(-1), False
            yield from _factors(operand)
        case _:
            yield node, False


def _take(parts: _Parts, factor: Expression, index: str, upper: str, *, is_below: bool) -> None:
    names = symbols_of(factor)
    if not is_below and _is_choice(factor, index, upper):
        parts.choices += 1
    elif index not in names and not (isinstance(factor, Power) and upper in symbols_of(factor.exponent)):
        parts.rest = divide(parts.rest, factor) if is_below else multiply(parts.rest, factor)
    elif isinstance(factor, Power) and not {index, upper} & set(symbols_of(factor.base)):
        _take_power(parts, factor, index, upper, is_below=is_below)
    elif not is_below:
        parts.polynomial = times(parts.polynomial, polynomial_of(factor, index))
    else:
        raise NotPolynomialError


def _take_power(parts: _Parts, factor: Power, index: str, upper: str, *, is_below: bool) -> None:
    exponent = dict(terms_of(factor.exponent))
    shift, with_index, with_upper = (exponent.pop(key, Fraction(0)) for key in ((), ((index, 1),), ((upper, 1),)))
    counts = (shift, with_index, with_upper)
    if exponent or any(each.denominator != 1 or abs(each) > 6 for each in counts):
        raise NotPolynomialError
    sign = -1 if is_below else 1
    base = terms_of(factor.base)
    if shift:
        parts.rest = multiply(parts.rest, power(factor.base, number(sign * int(shift))))
    for _ in range(abs(int(with_index))):
        if sign * with_index > 0:
            parts.above = product_of(parts.above, base)
        else:
            parts.below = product_of(parts.below, base)
    if sign * with_upper < 0:
        raise NotPolynomialError
    for _ in range(int(abs(with_upper))):
        parts.with_upper = product_of(parts.with_upper, base)


def _is_choice(factor: Expression, index: str, upper: str) -> bool:
    if not isinstance(factor, Call) or factor.function != "comb" or factor.arguments[0] != Symbol(upper):
        return False
    chosen = terms_of(factor.arguments[1])
    other: Terms = {((upper, 1),): Fraction(1), ((index, 1),): Fraction(-1)}
    return chosen in ({((index, 1),): Fraction(1)}, other)


def _over_monomial(above: Terms, below: Terms) -> Terms:
    if len(below) != 1:
        raise NotPolynomialError
    ((monomial, value),) = below.items()
    found = product_of(above, {tuple((name, -count) for name, count in monomial): 1 / value})
    if any(count < 0 for each in found for _, count in each):
        raise NotPolynomialError
    return found


def _falling(polynomial: Polynomial) -> list[Fraction]:
    """The coefficients of k (k − 1) … (k − j + 1) in a polynomial."""
    rest, found = polynomial, []
    for step in range(len(polynomial)):
        # By Horner's rule: the value at the step, and the quotient by k − step.
        quotient: list[Fraction] = []
        value = Fraction(0)
        for coefficient in reversed(rest):
            value = value * step + coefficient
            quotient.append(value)
        found.append(value)
        rest = trimmed(tuple(reversed(quotient[:-1])))
    assert not minus(rest, ())
    return found


def _by_vandermonde(body: Expression, index: str, upper: Symbol) -> ClosedSum | None:
    """The sum of C(a, k) C(b, r − k) over k from 0 to r; the square of C(n, k) is C(n, k) C(n, n − k)."""
    pairs: list[Call] = []
    for factor, is_below in _factors(body):
        if isinstance(factor, Power) and factor.exponent == Number(2) and isinstance(factor.base, Call):
            pairs += [factor.base, factor.base]
        elif isinstance(factor, Call) and not is_below:
            pairs.append(factor)
        else:
            return None
    if len(pairs) != 2 or any(each.function != "comb" or index in symbols_of(each.arguments[0]) for each in pairs):
        return None
    plainly: Terms = {((index, 1),): Fraction(1)}
    chosen = [terms_of(each.arguments[1]) for each in pairs]
    if chosen[0] == chosen[1] == plainly and pairs[1].arguments[0] == upper:
        chosen[1] = terms_of(subtract(upper, Symbol(index)))
    whole = added(chosen[0], chosen[1])
    if plainly not in chosen or whole != terms_of(upper):
        return None
    total = expression_of(terms_of(add(pairs[0].arguments[0], pairs[1].arguments[0])))
    return ClosedSum(call("comb", total, upper), 0, _BY_VANDERMONDE)
