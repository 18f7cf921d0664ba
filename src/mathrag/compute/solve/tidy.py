"""Put expressions together neatly while solving: numbers folded, factors collected, signs pulled out.

Cosmetic only. Solutions are verified by substitution, so nothing here needs to be complete.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction

from mathrag.types.expression import (
    ONE,
    ZERO,
    Add,
    Call,
    Divide,
    Expression,
    Multiply,
    Negate,
    Number,
    Power,
    add,
    call,
    divide,
    map_parts,
    multiply,
    negate,
    power,
)

_LONGEST_FRACTION = 10_000
_LARGEST_FOLDED_POWER = 64
_MAXIMUM_DIGITS = 60


def constant_of(expression: Expression) -> Fraction | None:
    """The exact value of a short literal: a number, its opposite, a quotient of two."""
    match expression:
        case Number(value) if _is_short(value):
            return Fraction(value)
        case Negate(operand):
            inner = constant_of(operand)
            return None if inner is None else -inner
        case Divide(numerator, denominator):
            above, below = constant_of(numerator), constant_of(denominator)
            return above / below if above is not None and below else None
        case _:
            return None


def _is_short(value: int | Decimal) -> bool:
    if isinstance(value, int):
        return value.bit_length() < 4 * _MAXIMUM_DIGITS
    return abs(value.adjusted()) < _MAXIMUM_DIGITS and len(value.as_tuple().digits) < _MAXIMUM_DIGITS


def literal(value: Fraction) -> Expression:
    """A fraction written as people would: whole, a short quotient, or decimal digits."""
    if value < 0:
        return negate(literal(-value))
    if value.denominator == 1:
        return Number(value.numerator)
    if value.denominator > _LONGEST_FRACTION:
        twos = fives = 0
        rest = value.denominator
        while rest % 2 == 0:
            rest, twos = rest // 2, twos + 1
        while rest % 5 == 0:
            rest, fives = rest // 5, fives + 1
        if rest == 1:
            places = max(twos, fives)
            digits = value.numerator * 10**places // value.denominator
            return Number(Decimal((0, tuple(map(int, str(digits))), -places)))
    return divide(Number(value.numerator), Number(value.denominator))


class _Product:
    """A number times powers of parts, in order of first appearance."""

    def __init__(self) -> None:
        self.coefficient = Fraction(1)
        self.exponents: dict[Expression, int] = {}

    def take(self, part: Expression, exponent: int) -> None:
        constant = constant_of(part)
        if constant is not None and (constant or exponent > 0) and abs(exponent) <= _LARGEST_FOLDED_POWER:
            self.coefficient *= constant**exponent
            return
        match part:
            case Multiply(factors):
                for factor in factors:
                    self.take(factor, exponent)
            case Divide(numerator, denominator):
                self.take(numerator, exponent)
                self.take(denominator, -exponent)
            case Negate(operand):
                self.coefficient *= (-1) ** abs(exponent)
                self.take(operand, exponent)
            case Power(base, Number(int() as inner)) if 0 < inner * abs(exponent) <= _LARGEST_FOLDED_POWER:
                self.take(base, inner * exponent)
            case Call("sqrt", (inside,)) if exponent % 2 == 0:
                self.take(inside, exponent // 2)
            case _:
                self.exponents[part] = self.exponents.get(part, 0) + exponent
                self._reduce_root(part)

    def _reduce_root(self, part: Expression) -> None:
        """Two equal square roots that met are what is under them."""
        count = self.exponents[part]
        if isinstance(part, Call) and part.function == "sqrt" and abs(count) >= 2:
            pairs = int(count / 2)
            self.exponents[part] = count - 2 * pairs
            self.take(part.arguments[0], pairs)

    def _without_sign(self) -> bool:
        """Whether a minus sign is left once a difference has taken it: -(a - b) is b - a."""
        if self.coefficient >= 0:
            return False
        for part, count in list(self.exponents.items()):
            if not (isinstance(part, Add) and count % 2):
                continue
            if 2 * sum(isinstance(term, Negate) for term in part.terms) >= len(part.terms):
                flipped = {opposite(part) if each == part else each: n for each, n in self.exponents.items()}
                if len(flipped) == len(self.exponents):
                    self.exponents = flipped
                    return False
        return True

    def expression(self) -> Expression:
        """The product as a tree: one quotient, the number in front, a sign outside."""
        if self.coefficient == 0:
            return ZERO
        negative, size = self._without_sign(), abs(self.coefficient)
        above = [_power(part, count) for part, count in self.exponents.items() if count > 0]
        below = [_power(part, -count) for part, count in self.exponents.items() if count < 0]
        number = literal(size)
        if isinstance(number, Divide):
            if number.numerator != ONE:
                above.insert(0, number.numerator)
            below.insert(0, number.denominator)
        elif number != ONE:
            above.insert(0, number)
        result = multiply(*above) if above else ONE
        if below:
            result = divide(result, multiply(*below))
        return negate(result) if negative else result


def _power(part: Expression, count: int) -> Expression:
    return part if count == 1 else power(part, Number(count))


def times(*factors: Expression) -> Expression:
    """A product with its numbers folded and equal factors collected."""
    product = _Product()
    for factor in factors:
        product.take(factor, 1)
    return product.expression()


def over(numerator: Expression, denominator: Expression) -> Expression:
    """A quotient, likewise."""
    product = _Product()
    product.take(numerator, 1)
    product.take(denominator, -1)
    return product.expression()


def sign_parts(expression: Expression) -> tuple[bool, tuple[Expression, ...]]:
    """Whether the number in front is negative, and the parts on whose signs the sign of a product depends."""
    product = _Product()
    product.take(expression, 1)
    odd = tuple(part for part, count in product.exponents.items() if count % 2)
    return product.coefficient < 0, odd


def raised(base: Expression, exponent: int) -> Expression:
    """A whole power, taken into a product."""
    if exponent == 0:
        return ONE
    product = _Product()
    product.take(base, exponent)
    return product.expression()


def opposite(expression: Expression) -> Expression:
    """The opposite; of a sum, term by term, so that -(a - b) is b - a."""
    match expression:
        case Negate(operand):
            return operand
        case Add(terms):
            flipped = sorted((opposite(term) for term in terms), key=lambda term: isinstance(term, Negate))
            return add(*flipped)
        case Number(value) if value == 0:
            return expression
        case _:
            return negate(expression)


def plus(*terms: Expression) -> Expression:
    """A sum with its numbers folded, zeros left out, opposite terms cancelled and a positive term first."""
    # Equal up to the order of factors is equal: the first way of writing it stays.
    counted: dict[object, tuple[Expression, Fraction]] = {}
    constant = Fraction(0)
    for term in _opened(terms):
        value = constant_of(term)
        if value is not None:
            constant += value
            continue
        product = _Product()
        product.take(term, 1)
        coefficient, product.coefficient = product.coefficient, Fraction(1)
        key = frozenset((part, count) for part, count in product.exponents.items() if count)
        body, before = counted.get(key) or (product.expression(), Fraction(0))
        counted[key] = body, before + coefficient
    parts = [times(literal(count), body) for body, count in counted.values() if count]
    if constant:
        parts.append(literal(constant))
    parts.sort(key=lambda part: isinstance(part, Negate))
    return add(*parts) if parts else ZERO


def _opened(terms: Iterable[Expression]) -> Iterable[Expression]:
    for term in terms:
        match term:
            case Add(inner):
                yield from _opened(inner)
            case Negate(Add(inner)):
                yield from _opened(opposite(part) for part in inner)
            case _:
                yield term


def minus(left: Expression, right: Expression) -> Expression:
    """A difference, likewise."""
    return plus(left, opposite(right))


def root(expression: Expression, degree: int) -> Expression:
    """The positive root of a degree."""
    if degree == 2:
        value = constant_of(expression)
        if value is not None and value >= 0:
            above, below = _whole_root(value.numerator), _whole_root(value.denominator)
            if above is not None and below is not None:
                return literal(Fraction(above, below))
        return call("sqrt", expression)
    if degree == 3:
        return call("cbrt", expression)
    return power(expression, divide(ONE, Number(degree)))


def _whole_root(value: int) -> int | None:
    found = math.isqrt(value)
    return found if found * found == value else None


def tidied(expression: Expression) -> Expression:
    """The whole tree put together anew, part by part; what has no rule here keeps its shape over tidy parts."""
    match expression:
        case Add(terms):
            return plus(*map(tidied, terms))
        case Multiply(factors):
            return times(*map(tidied, factors))
        case Divide(numerator, denominator):
            below = tidied(denominator)
            return divide(tidied(numerator), below) if below == ZERO else over(tidied(numerator), below)
        case Negate(operand):
            return opposite(tidied(operand))
        case Power(base, exponent) if (count := _whole_power(exponent)) is not None:
            return _raised_again(expression, tidied(base), count)
        case Call("sqrt", (inside,)):
            return root(tidied(inside), 2)
        case _:
            return map_parts(expression, tidied)


def _whole_power(exponent: Expression) -> int | None:
    count = constant_of(exponent)
    return int(count) if count and count.denominator == 1 and abs(count) <= _LARGEST_FOLDED_POWER else None


def _raised_again(expression: Expression, base: Expression, count: int) -> Expression:
    """A whole power over a tidy base; one of zero that has no value stays as it was written."""
    return expression if base == ZERO and count < 0 else raised(base, count)


def factored(expression: Expression) -> Expression:
    """The tree with what all terms of a sum share put before the sum, so that quotients of sums can be reduced."""
    match expression:
        case Add(terms):
            return _with_shared_factor(plus(*map(factored, terms)))
        case Multiply(factors):
            return times(*map(factored, factors))
        case Divide(numerator, denominator):
            below = factored(denominator)
            return divide(factored(numerator), below) if below == ZERO else over(factored(numerator), below)
        case Negate(operand):
            return opposite(factored(operand))
        case Power(base, exponent) if (count := _whole_power(exponent)) is not None:
            return _raised_again(expression, factored(base), count)
        case _:
            return map_parts(expression, factored)


def _with_shared_factor(expression: Expression) -> Expression:
    if not isinstance(expression, Add):
        return expression
    products: list[_Product] = []
    for term in expression.terms:
        product = _Product()
        product.take(term, 1)
        products.append(product)
    if not all(product.coefficient for product in products):
        return expression
    shared = _shared_factor(products)
    if not shared.exponents and shared.coefficient == 1:
        return expression
    for product in products:
        product.coefficient /= shared.coefficient
        for part, count in shared.exponents.items():
            product.exponents[part] -= count
    return times(shared.expression(), plus(*(product.expression() for product in products)))


def _shared_factor(products: Sequence[_Product]) -> _Product:
    """What divides every one of the products: their common number, and each part as often as it stands in all."""
    numbers = [each.coefficient for each in products]
    shared = _Product()
    shared.coefficient = Fraction(
        math.gcd(*(abs(each.numerator) for each in numbers)), math.lcm(*(each.denominator for each in numbers))
    )
    if all(each < 0 for each in numbers):
        shared.coefficient = -shared.coefficient
    for part in products[0].exponents:
        counts = [each.exponents.get(part, 0) for each in products]
        common = min(counts) if min(counts) > 0 else max(counts) if max(counts) < 0 else 0
        if common:
            shared.exponents[part] = common
    return shared
