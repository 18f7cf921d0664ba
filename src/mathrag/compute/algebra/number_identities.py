"""Equations between numbers without letters, shown exactly: sines and cosines of parts of π, square roots and roots
within roots, powers of i and exp(iπ q), sums of arctangents, arcsines and arccosines.

Both sides agree in sixty digits before anything is asked here. That is used for signs alone: which of two opposite
roots is meant, and that an angle which is a multiple of π is 0.
"""

from __future__ import annotations

import math
from fractions import Fraction

from mathrag.compute.algebra.identities import Comparison, try_statement
from mathrag.compute.algebra.polynomials import NotPolynomialError, terms_of
from mathrag.compute.algebra.roots_of_unity import (
    ONE,
    NoSumError,
    Sum,
    as_rational,
    conjugate,
    cosine,
    inverse,
    is_zero,
    plus,
    rational,
    sine,
    square_root,
    times,
    turn,
)
from mathrag.compute.solve.tidy import literal, tidied
from mathrag.types.expression import (
    Add,
    Call,
    Divide,
    Expression,
    MathConstant,
    Multiply,
    Negate,
    Number,
    Power,
    Symbol,
    divide,
    map_parts,
    multiply,
    subtract,
    symbols_of,
    walk,
)

_HIGHEST_POWER = 64
_SMALLEST_PART, _NEAR = 24, 1e-9
_MOST_TURNS = 40
_PI = "pi_"
_INVERSES = frozenset(("atan", "asin", "acos"))
_BY_ROOTS = (
    "Written as sums of roots of unity (exp(iπ q) with fractions q), both sides are the same number (shown by algebra)."
)
_BY_SQUARES = (
    "The squares of the root and of what it is said to be are the same number (shown by algebra), and the signs agree."
)
_BY_ANGLES = (
    "The product of the complex numbers with these angles is real (shown by algebra), so the angles add up to a "
    "multiple of π; by their size it is this one."
)

# A number with one root within a root: a + b s.
_WithRoot = tuple[Sum, Sum]


def shown_as_numbers(statement: Comparison) -> str:
    """How an equation between numbers that agree in many digits is shown, in a sentence; empty where it is not."""
    names = {*symbols_of(statement.left), *symbols_of(statement.right)} - {"i"}
    if statement.sign != "=" or names:
        return ""
    difference = subtract(statement.left, statement.right)
    functions = {node.function for node in walk(difference) if isinstance(node, Call)}
    try:
        if functions & _INVERSES:
            return _BY_ANGLES if _is_no_angle(difference) else ""
        return _Numbers().shows(difference)
    except (NoSumError, NotPolynomialError, OverflowError, ZeroDivisionError):
        return ""


def as_part_of_pi(node: Expression, number: float) -> Expression | None:
    """A number made of inverse functions of angles as a fraction of π, where that is shown; `number` is its value."""
    if symbols_of(node) or not any(isinstance(each, Call) and each.function in _INVERSES for each in walk(node)):
        return None
    part = Fraction(number / math.pi).limit_denominator(_SMALLEST_PART)
    if not part or abs(float(part) * math.pi - number) > _NEAR:
        return None
    found = divide(multiply(literal(Fraction(part.numerator)), MathConstant("pi")), literal(Fraction(part.denominator)))
    neat = tidied(found)
    statement = Comparison(node, "=", neat)
    is_near = try_statement(statement).verdict in ("held", "by_algebra")
    return neat if is_near and shown_as_numbers(statement) else None


class _Numbers:
    """Numbers of one statement. `inside` is what stands under the one root that is no sum of roots of unity itself."""

    def __init__(self) -> None:
        self.inside: Sum | None = None

    def shows(self, difference: Expression) -> str:
        plain, rooted = self.of(difference)
        if is_zero(rooted):
            return _BY_ROOTS if is_zero(plain) else ""
        assert self.inside is not None
        left, right = times(plain, plain), times(times(rooted, rooted), self.inside)
        return _BY_SQUARES if is_zero(plus(left, times(rational(Fraction(-1)), right))) else ""

    def of(self, node: Expression) -> _WithRoot:
        match node:
            case Number(value):
                return rational(Fraction(value)), {}
            case Symbol("i"):
                return turn(Fraction(1, 2)), {}
            case Negate(operand):
                return self._times((rational(Fraction(-1)), {}), self.of(operand))
            case Add(terms):
                total: _WithRoot = ({}, {})
                for term in terms:
                    made = self.of(term)
                    total = plus(total[0], made[0]), plus(total[1], made[1])
                return total
            case Multiply(factors):
                product: _WithRoot = (ONE, {})
                for factor in factors:
                    product = self._times(product, self.of(factor))
                return product
            case Divide(above, below):
                return self._times(self.of(above), self._inverse(self.of(below)))
            case Power(base, exponent):
                return self._power(base, exponent)
            case Call(function, (argument,)):
                return self._called(function, argument)
        raise NoSumError

    def _times(self, one: _WithRoot, other: _WithRoot) -> _WithRoot:
        plain = times(one[0], other[0])
        if one[1] and other[1]:
            assert self.inside is not None
            plain = plus(plain, times(times(one[1], other[1]), self.inside))
        return plain, plus(times(one[0], other[1]), times(one[1], other[0]))

    def _inverse(self, number: _WithRoot) -> _WithRoot:
        plain, rooted = number
        if is_zero(rooted):
            return inverse(plain), {}
        opposite: _WithRoot = plain, times(rational(Fraction(-1)), rooted)
        size, _ = self._times(number, opposite)
        return self._times(opposite, (inverse(size), {}))

    def _power(self, base: Expression, exponent: Expression) -> _WithRoot:
        count = _fraction(exponent)
        if count is not None and count.denominator == 2 and abs(count.numerator) <= _HIGHEST_POWER:
            root = self._root(base)
            return self._repeated(root, count.numerator)
        if count is None or count.denominator != 1 or abs(count) > _HIGHEST_POWER:
            raise NoSumError
        return self._repeated(self.of(base), int(count))

    def _repeated(self, number: _WithRoot, count: int) -> _WithRoot:
        number = self._inverse(number) if count < 0 else number
        made: _WithRoot = (ONE, {})
        for _ in range(abs(count)):
            made = self._times(made, number)
        return made

    def _called(self, function: str, argument: Expression) -> _WithRoot:
        match function:
            case "sqrt":
                return self._root(argument)
            case "exp":
                return turn(_part_of_pi(argument, (("i", 1), (_PI, 1)))), {}
            case "sin":
                return sine(_part_of_pi(argument, ((_PI, 1),))), {}
            case "cos":
                return cosine(_part_of_pi(argument, ((_PI, 1),))), {}
            case "tan":
                part = _part_of_pi(argument, ((_PI, 1),))
                return times(sine(part), inverse(cosine(part))), {}
            case "abs":
                plain, rooted = self.of(argument)
                size = as_rational(times(plain, conjugate(plain)))
                if size is None or not is_zero(rooted):
                    raise NoSumError
                return square_root(size), {}
        raise NoSumError

    def _root(self, radicand: Expression) -> _WithRoot:
        plain, rooted = self.of(radicand)
        if not is_zero(rooted):
            raise NoSumError
        value = as_rational(plain)
        if value is not None:
            return square_root(value), {}
        taken_apart = _taken_apart(radicand)
        if taken_apart is not None:
            return taken_apart, {}
        difference = None if self.inside is None else plus(plain, times(rational(Fraction(-1)), self.inside))
        if difference is not None and not is_zero(difference):
            raise NoSumError
        self.inside = plain
        return {}, ONE


def _taken_apart(node: Expression) -> Sum | None:
    """√(p + q √r) as √a ± √b, where p² − q² r is the square of a fraction."""
    inner = {each.arguments[0] for each in walk(node) if isinstance(each, Call)}
    if len(inner) != 1 or not all(isinstance(each, Number) for each in inner):
        return None
    (radicand,) = inner
    assert isinstance(radicand, Number)
    try:
        terms = terms_of(_by_one_letter(node))
    except NotPolynomialError:
        return None
    if not set(terms) <= {(), (("root_", 1),)}:
        return None
    first, second = terms.get((), Fraction(0)), terms.get((("root_", 1),), Fraction(0))
    size = first * first - second * second * Fraction(radicand.value)
    root = _exact_root(size) if size >= 0 else None
    if root is None or first <= 0:
        return None
    sign = Fraction(1 if second > 0 else -1)
    return plus(square_root((first + root) / 2), times(rational(sign), square_root((first - root) / 2)))


def _by_one_letter(node: Expression) -> Expression:
    """The square roots in an expression by one symbol; there is but one radicand."""
    if isinstance(node, Call) and node.function == "sqrt":
        return Symbol("root_")
    return map_parts(node, _by_one_letter)


def _exact_root(value: Fraction) -> Fraction | None:
    above, below = math.isqrt(value.numerator), math.isqrt(value.denominator)
    is_square = above * above == value.numerator and below * below == value.denominator
    return Fraction(above, below) if is_square else None


def _fraction(node: Expression) -> Fraction | None:
    try:
        terms = terms_of(node)
    except NotPolynomialError:
        return None
    return terms.get((), Fraction(0)) if set(terms) <= {()} else None


def _part_of_pi(node: Expression, unit: tuple[tuple[str, int], ...]) -> Fraction:
    terms = terms_of(_with_letter(node))
    if not set(terms) <= {unit}:
        raise NoSumError
    return terms.get(unit, Fraction(0))


def _with_letter(node: Expression) -> Expression:
    return Symbol(_PI) if isinstance(node, MathConstant) else map_parts(node, _with_letter)


# Angles.


def _is_no_angle(difference: Expression) -> bool:
    """Whether a sum of inverse functions and parts of π is a multiple of π."""
    angles: dict[str, Call] = {}

    def named(node: Expression) -> Expression:
        if isinstance(node, MathConstant):
            return Symbol(_PI)
        if isinstance(node, Call):
            if node.function not in _INVERSES:
                raise NoSumError
            name = f"angle_{len(angles)}"
            angles[name] = node
            return Symbol(name)
        return map_parts(node, named)

    terms = terms_of(named(difference))
    scale = math.lcm(1, *(value.denominator for value in terms.values()))
    product, turns = ONE, 0
    for monomial, value in terms.items():
        if len(monomial) != 1 or monomial[0][1] != 1:
            return False
        name, count = monomial[0][0], value * scale
        if name == _PI:
            product = times(product, turn(Fraction(count)))
            continue
        turns += abs(int(count))
        if turns > _MOST_TURNS:
            return False
        direction = _direction(angles[name])
        for _ in range(abs(int(count))):
            product = times(product, direction if count > 0 else conjugate(direction))
    return is_zero(plus(product, times(rational(Fraction(-1)), conjugate(product))))


def _direction(angle: Call) -> Sum:
    """A complex number whose angle is the value of an inverse function."""
    value, rooted = _Numbers().of(angle.arguments[0])
    if rooted:
        raise NoSumError
    turned = times(turn(Fraction(1, 2)), value)
    if angle.function == "atan":
        return plus(ONE, turned)
    rest = as_rational(plus(ONE, times(rational(Fraction(-1)), times(value, value))))
    if rest is None or rest < 0:
        raise NoSumError
    other = square_root(rest)
    return plus(other, turned) if angle.function == "asin" else plus(value, times(turn(Fraction(1, 2)), other))
