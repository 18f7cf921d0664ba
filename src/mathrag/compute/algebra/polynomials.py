"""Polynomials with fractions as coefficients: taken from trees, multiplied out, divided, their real roots counted.

Exact throughout: what is said of the roots of a polynomial here is certain.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from mathrag.compute.solve.tidy import literal
from mathrag.types.expression import (
    ONE,
    ZERO,
    Add,
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
    negate,
    power,
)

# Powers of symbols, sorted by name; and a sum of such monomials.
Monomial: TypeAlias = tuple[tuple[str, int], ...]
Terms: TypeAlias = dict[Monomial, Fraction]
# Coefficients of one unknown, the constant first; no zero at the end.
Polynomial: TypeAlias = tuple[Fraction, ...]

_MOST_TERMS = 300
_HIGHEST_POWER = 60
_MOST_BITS = 3_000


class NotPolynomialError(ArithmeticError):
    """The tree is no polynomial with fractions as coefficients, or too large a one."""


# Several symbols.


def terms_of(node: Expression, times: Callable[[Terms, Terms], Terms] | None = None) -> Terms:
    """The tree multiplied out; raises `NotPolynomialError`. `times` multiplies, within bounds of its own."""
    times = times or multiplied_out
    match node:
        case Number(value):
            return {(): Fraction(value)} if value else {}
        case Symbol(name):
            return {((name, 1),): Fraction(1)}
        case Negate(operand):
            return {monomial: -value for monomial, value in terms_of(operand, times).items()}
        case Add(terms):
            total: Terms = {}
            for term in terms:
                total = added(total, terms_of(term, times))
            return total
        case Multiply(factors):
            product: Terms = {(): Fraction(1)}
            for factor in factors:
                product = times(product, terms_of(factor, times))
            return product
        case Divide(numerator, denominator):
            below = terms_of(denominator, times)
            if list(below) != [()]:
                raise NotPolynomialError
            return {monomial: value / below[()] for monomial, value in terms_of(numerator, times).items()}
        case Power(base, Number(int() as count)) if count <= _HIGHEST_POWER:
            inner, product = terms_of(base, times), {(): Fraction(1)}
            for _ in range(count):
                product = times(product, inner)
            return product
    raise NotPolynomialError


def added(first: Terms, second: Terms) -> Terms:
    """The sum of two."""
    total = dict(first)
    for monomial, value in second.items():
        total[monomial] = total.get(monomial, Fraction(0)) + value
        if not total[monomial]:
            del total[monomial]
    return total


def difference_of(first: Terms, second: Terms) -> Terms:
    """The one without the other."""
    return added(first, {monomial: -value for monomial, value in second.items()})


def letter_terms(name: str) -> Terms:
    """A letter alone."""
    return {((name, 1),): Fraction(1)}


def monomial_product(one: Monomial, other: Monomial) -> Monomial:
    """The powers of both together; none of 0."""
    powers = dict(one)
    for name, count in other:
        powers[name] = powers.get(name, 0) + count
    return tuple(sorted((name, count) for name, count in powers.items() if count))


def product_of(first: Terms, second: Terms) -> Terms:
    """The product of two, of any length, also where powers are negative."""
    total: Terms = {}
    for one, value in first.items():
        for other, factor in second.items():
            key = monomial_product(one, other)
            total[key] = total.get(key, Fraction(0)) + value * factor
    return {monomial: value for monomial, value in total.items() if value}


def multiplied_out(first: Terms, second: Terms) -> Terms:
    """The product of two; raises `NotPolynomialError` where it grows too long."""
    if len(first) * len(second) > 20 * _MOST_TERMS:
        raise NotPolynomialError
    found = product_of(first, second)
    if len(found) > _MOST_TERMS or any(
        value.numerator.bit_length() + value.denominator.bit_length() > _MOST_BITS for value in found.values()
    ):
        raise NotPolynomialError
    return found


def expression_of(terms: Mapping[Monomial, Fraction]) -> Expression:
    """A sum of monomials as people order it: higher powers first, then by name."""

    def rank(monomial: Monomial) -> tuple[object, ...]:
        return (-sum(count for _, count in monomial), [(name, -count) for name, count in monomial])

    parts = [_term(monomial, terms[monomial]) for monomial in sorted(terms, key=rank)]
    if len(parts) == 2 and isinstance(parts[0], Negate) and not isinstance(parts[1], Negate):
        # 1 - x², not -x² + 1.
        parts.reverse()
    return add(*parts) if parts else ZERO


def _term(monomial: Monomial, value: Fraction) -> Expression:
    factors = [Symbol(name) if count == 1 else power(Symbol(name), Number(count)) for name, count in monomial]
    size = abs(value)
    if size.denominator == 1:
        numbers = [Number(size.numerator)] if size != 1 or not factors else []
        part = multiply(*numbers, *factors)
    else:
        above = [Number(size.numerator)] if size.numerator != 1 or not factors else []
        part = divide(multiply(*above, *factors) if above or factors else ONE, Number(size.denominator))
    return negate(part) if value < 0 else part


# One unknown.


def polynomial_of(node: Expression, symbol: str) -> Polynomial:
    """The coefficients in the symbol; raises `NotPolynomialError` where another symbol or function stands in it."""
    terms = terms_of(node)
    degree = 0
    for monomial in terms:
        if any(name != symbol for name, _ in monomial):
            raise NotPolynomialError
        degree = max(degree, sum(count for _, count in monomial))
    found = [Fraction(0)] * (degree + 1)
    for monomial, value in terms.items():
        found[sum(count for _, count in monomial)] = value
    return trimmed(found)


def polynomial_expression(polynomial: Polynomial, symbol: str) -> Expression:
    """The polynomial as a tree."""
    return expression_of({((symbol, n),) if n else (): value for n, value in enumerate(polynomial) if value})


def trimmed(coefficients: Sequence[Fraction]) -> Polynomial:
    """Without zeros in front of the highest power."""
    end = len(coefficients)
    while end and not coefficients[end - 1]:
        end -= 1
    return tuple(coefficients[:end])


def times(first: Polynomial, second: Polynomial) -> Polynomial:
    """The product."""
    if not first or not second:
        return ()
    found = [Fraction(0)] * (len(first) + len(second) - 1)
    if len(found) > _HIGHEST_POWER + 1:
        raise NotPolynomialError
    for place, value in enumerate(first):
        for other, factor in enumerate(second):
            found[place + other] += value * factor
    return trimmed(found)


def minus(first: Polynomial, second: Polynomial) -> Polynomial:
    """The difference."""
    size = max(len(first), len(second))
    padded = [[*each, *[Fraction(0)] * (size - len(each))] for each in (first, second)]
    return trimmed([one - other for one, other in zip(*padded, strict=True)])


def divided(first: Polynomial, second: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Quotient and remainder."""
    rest, quotient = list(first), [Fraction(0)] * max(0, len(first) - len(second) + 1)
    while len(rest) >= len(second):
        factor = rest[-1] / second[-1]
        shift = len(rest) - len(second)
        quotient[shift] = factor
        for place, value in enumerate(second):
            rest[shift + place] -= factor * value
        rest = list(trimmed(rest[:-1]))
        if not rest:
            break
    return trimmed(quotient), trimmed(rest)


def common_divisor(first: Polynomial, second: Polynomial) -> Polynomial:
    """The greatest common divisor, with 1 in front of the highest power."""
    while second:
        first, second = second, divided(first, second)[1]
    return tuple(value / first[-1] for value in first) if first else ()


def derived(polynomial: Polynomial) -> Polynomial:
    """The derivative."""
    return trimmed([n * value for n, value in enumerate(polynomial)][1:])


def value_at(polynomial: Polynomial, place: Fraction) -> Fraction:
    """The value at a place."""
    total = Fraction(0)
    for value in reversed(polynomial):
        total = total * place + value
    return total


# Quotients of polynomials.


@dataclass(frozen=True, slots=True)
class Quotient:
    """A numerator over a denominator; `forbidden` are all the divisors on the way, whose roots have no value."""

    above: Polynomial
    below: Polynomial
    forbidden: tuple[Polynomial, ...] = ()


_ONE: Polynomial = (Fraction(1),)


def quotient_of(node: Expression, symbol: str) -> Quotient:
    """A tree made of the four operations and whole powers; raises `NotPolynomialError`, also where it divides by 0."""
    match node:
        case Number() | Symbol():
            return Quotient(polynomial_of(node, symbol), _ONE)
        case Negate(operand):
            inner = quotient_of(operand, symbol)
            return Quotient(tuple(-value for value in inner.above), inner.below, inner.forbidden)
        case Add(terms):
            total = Quotient((), _ONE)
            for term in terms:
                total = _added(total, quotient_of(term, symbol))
            return total
        case Multiply(factors):
            product = Quotient(_ONE, _ONE)
            for factor in factors:
                product = _multiplied(product, quotient_of(factor, symbol))
            return product
        case Divide(numerator, denominator):
            return _multiplied(quotient_of(numerator, symbol), _inverse(quotient_of(denominator, symbol)))
        case Power(base, exponent):
            return _powered(quotient_of(base, symbol), exponent)
    raise NotPolynomialError


def _added(first: Quotient, second: Quotient) -> Quotient:
    shared = common_divisor(first.below, second.below)
    left, right = divided(second.below, shared)[0], divided(first.below, shared)[0]
    above = minus(times(first.above, left), tuple(-value for value in times(second.above, right)))
    return Quotient(above, times(first.below, left), (*first.forbidden, *second.forbidden))


def _multiplied(first: Quotient, second: Quotient) -> Quotient:
    return Quotient(
        times(first.above, second.above), times(first.below, second.below), (*first.forbidden, *second.forbidden)
    )


def _inverse(value: Quotient) -> Quotient:
    if not value.above:
        raise NotPolynomialError
    return Quotient(value.below, value.above, (*value.forbidden, value.above))


def _powered(base: Quotient, exponent: Expression) -> Quotient:
    inner = exponent.operand if isinstance(exponent, Negate) else exponent
    if not (isinstance(inner, Number) and isinstance(inner.value, int) and inner.value <= _HIGHEST_POWER):
        raise NotPolynomialError
    if isinstance(exponent, Negate):
        base = _inverse(base)
    found = Quotient(_ONE, _ONE, base.forbidden)
    for _ in range(inner.value):
        found = Quotient(times(found.above, base.above), times(found.below, base.below), base.forbidden)
    return found


# Roots.

_DIVISOR_LIMIT = 200_000
_BISECTIONS = 120


@dataclass(frozen=True, slots=True)
class Root:
    """A real root: exact as a tree where it has a short form, else only by an interval around it."""

    low: Fraction
    high: Fraction
    exact: Expression | None = None
    multiplicity: int = 1

    @property
    def value(self) -> float:
        """The root as a float."""
        return float((self.low + self.high) / 2)


@dataclass(frozen=True, slots=True)
class Roots:
    """All roots of a polynomial: the real ones in order, the others where they have a short form, or their count."""

    real: tuple[Root, ...]
    complex_pairs: tuple[tuple[Fraction, Expression], ...] = ()
    uncounted_complex: int = 0


def roots_of(polynomial: Polynomial) -> Roots:
    """All roots of a polynomial that is not zero."""
    real: list[Root] = []
    pairs: list[tuple[Fraction, Expression]] = []
    others = 0
    rest = polynomial
    for value in rational_roots(polynomial):
        count = 0
        linear = (-value, Fraction(1))
        while True:
            quotient, left = divided(rest, linear)
            if left:
                break
            rest, count = quotient, count + 1
        real.append(Root(value, value, literal(value), count))
    for part, count in square_free_parts(rest):
        exact = _closed_forms(part)
        if exact is not None:
            real.extend(replace(root, multiplicity=count) for root in exact.real)
            pairs.extend(exact.complex_pairs)
            continue
        isolated = _isolated(part)
        real.extend(Root(low, high, None, count) for low, high in isolated)
        others += (len(part) - 1 - len(isolated)) * count
    return Roots(tuple(sorted(real, key=lambda root: root.low)), tuple(pairs), others)


def rational_roots(polynomial: Polynomial) -> list[Fraction]:
    """The roots that are fractions, each once. Coefficients too large to be taken apart have none here."""
    found = [Fraction(0)] if polynomial and not polynomial[0] else []
    rest = polynomial[next((place for place, value in enumerate(polynomial) if value), 0) :]
    if len(rest) < 2:
        return found
    if len(rest) == 2:
        return [*found, -rest[0] / rest[1]]
    scale = math.lcm(*(value.denominator for value in rest))
    first, last = abs(int(rest[0] * scale)), abs(int(rest[-1] * scale))
    if max(first, last) > _DIVISOR_LIMIT**2:
        return found
    tried = {
        sign * Fraction(above, below) for above in _divisors(first) for below in _divisors(last) for sign in (1, -1)
    }
    return found + sorted(each for each in tried if not value_at(rest, each))


def _divisors(number: int) -> list[int]:
    small = [each for each in range(1, min(math.isqrt(number), 20_000) + 1) if number % each == 0]
    return [*small, *(number // each for each in small)]


def square_free_parts(polynomial: Polynomial) -> list[tuple[Polynomial, int]]:
    """The parts whose roots have multiplicity 1, 2, …, by Yun's rule; those without roots left out."""
    found: list[tuple[Polynomial, int]] = []
    if len(polynomial) < 2:
        return found
    shared = common_divisor(polynomial, derived(polynomial))
    rest, slope = divided(polynomial, shared)[0], divided(derived(polynomial), shared)[0]
    count = 1
    while len(rest) > 1:
        slope = minus(slope, derived(rest))
        part = common_divisor(rest, slope) if slope else tuple(value / rest[-1] for value in rest)
        if len(part) > 1:
            found.append((part, count))
        rest, slope = divided(rest, part)[0], divided(slope, part)[0] if slope else ()
        count += 1
    return found


def _closed_forms(part: Polynomial) -> Roots | None:
    """The roots with square roots in them, of degree two, or of degree four in the square alone."""
    if len(part) == 3:
        return _quadratic(part)
    if len(part) != 5 or part[1] or part[3]:
        return None
    squares = rational_roots((part[0], part[2], part[4]))
    if len(squares) != 2:
        return None
    halves = [_quadratic((-square, Fraction(0), Fraction(1))) for square in squares]
    return Roots(
        tuple(root for half in halves for root in half.real),
        tuple(pair for half in halves for pair in half.complex_pairs),
    )


def _quadratic(part: Polynomial) -> Roots:
    """Both roots; of a pair that is not real, the real part and the size of the other."""
    constant, linear, leading = part
    middle, under = -linear / (2 * leading), (linear * linear - 4 * leading * constant) / (4 * leading * leading)
    spread = square_root(abs(under))
    if under < 0:
        return Roots((), ((middle, spread),))
    width = _root_bounds(under)
    ends = []
    for sign in (-1, 1):
        bounds = sorted((middle + sign * width[0], middle + sign * width[1]))
        ends.append(Root(bounds[0], bounds[1], _shifted(middle, spread, sign)))
    return Roots(tuple(ends))


def _shifted(middle: Fraction, spread: Expression, sign: int) -> Expression:
    """`3 ± √2`, over one line where both have a denominator."""
    if not middle:
        return negate(spread) if sign < 0 else spread
    if isinstance(spread, Divide) and isinstance(spread.denominator, Number) and middle.denominator > 1:
        below = Fraction(spread.denominator.value)
        if (middle * below).denominator == 1:
            above = add(literal(middle * below), negate(spread.numerator) if sign < 0 else spread.numerator)
            return divide(above, spread.denominator)
    return add(literal(middle), negate(spread) if sign < 0 else spread)


def square_root(value: Fraction) -> Expression:
    """The root of a fraction that is not negative, squares taken out: `3 √2 / 2`."""
    if not value:
        return ZERO
    inside, outside = value.numerator * value.denominator, 1
    for divisor in range(2, 1_000):
        while inside % (divisor * divisor) == 0:
            inside, outside = inside // (divisor * divisor), outside * divisor
    whole = math.isqrt(inside)
    if whole * whole == inside:
        inside, outside = 1, outside * whole
    factor = Fraction(outside, value.denominator)
    if inside == 1:
        return literal(factor)
    above = [Number(factor.numerator)] if factor.numerator != 1 else []
    found = multiply(*above, call("sqrt", Number(inside)))
    return found if factor.denominator == 1 else divide(found, Number(factor.denominator))


def _root_bounds(value: Fraction) -> tuple[Fraction, Fraction]:
    scale = 10**40
    low = math.isqrt(value.numerator * scale * scale // value.denominator)
    return Fraction(low, scale), Fraction(low + 1, scale)


# Real roots between bounds, counted by Sturm's sequence and closed in by halving.


def _isolated(part: Polynomial) -> list[tuple[Fraction, Fraction]]:
    """A short interval around each real root of a polynomial without multiple roots."""
    sequence = [part, derived(part)]
    while len(sequence[-1]) > 1:
        rest = divided(sequence[-2], sequence[-1])[1]
        if not rest:
            break
        sequence.append(tuple(-value / abs(rest[-1]) for value in rest))
    bound = 1 + max(abs(value / part[-1]) for value in part[:-1])
    pending = [(-Fraction(math.ceil(bound)), Fraction(math.ceil(bound)))]
    found: list[tuple[Fraction, Fraction]] = []
    while pending:
        low, high = pending.pop()
        count = _changes(sequence, low) - _changes(sequence, high)
        if count == 1:
            found.append(_closed_in(part, low, high))
        elif count > 1:
            middle = (low + high) / 2
            pending.extend(((low, middle), (middle, high)))
    return sorted(found)


def _changes(sequence: Sequence[Polynomial], place: Fraction) -> int:
    signs = [value > 0 for each in sequence if (value := value_at(each, place))]
    return sum(first != second for first, second in itertools.pairwise(signs))


def _closed_in(part: Polynomial, low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    if not value_at(part, high):
        return high, high
    is_rising = value_at(part, high) > 0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        value = value_at(part, middle)
        if not value:
            return middle, middle
        if (value > 0) == is_rising:
            high = middle
        else:
            low = middle
    return low, high
