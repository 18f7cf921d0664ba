"""Ordinary differential equations for y as a function of one variable: linear of the first order, separable, and linear
of the second order with constant coefficients. A solution is put back by numbers before it is handed out."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from mathrag.compute.algebra.analysis import antiderivative
from mathrag.compute.algebra.identities import Comparison, is_exactly_equal
from mathrag.compute.algebra.points import value_at
from mathrag.compute.algebra.polynomials import square_root
from mathrag.compute.algebra.rewriting import simplified
from mathrag.compute.algebra.solving import Solved, solve_equation
from mathrag.compute.calculus import derivative
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.solve.tidy import constant_of, literal, tidied
from mathrag.types.expression import (
    ONE,
    ZERO,
    Call,
    Expression,
    Multiply,
    Symbol,
    add,
    call,
    divide,
    multiply,
    negate,
    substitute,
    subtract,
    symbols_of,
    walk,
)

# How the function and its derivatives are called in the trees of this module.
FUNCTION, SLOPE, BEND = "y", "y_prime", "y_bend"
_PLACES = tuple(Fraction(n, 7) for n in (3, 5, 8, 11, 16, 20, -4, -9))
_FEWEST = 4


@dataclass(frozen=True, slots=True)
class LinearSolution:
    """`particular + Σ constant · part`: all solutions where the coefficients are continuous."""

    particular: Expression
    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class SeparatedSolution:
    """`left(y) = right(x) + C`, and numbers y that solve it by standing still."""

    left: Expression
    right: Expression
    constants: tuple[Expression, ...]


def solve_differential(difference: Expression, variable: str) -> LinearSolution | SeparatedSolution | None:
    """The solutions of `difference = 0`; None where it is of none of the kinds known here, or was not confirmed."""
    slopes = [_slope_in(difference, name) for name in (BEND, SLOPE, FUNCTION)]
    if any(each is None for each in slopes):
        return None
    bend, slope, function = (tidied(each) for each in slopes if each is not None)
    unknowns = {FUNCTION, SLOPE, BEND}
    rest = tidied(substitute(difference, dict.fromkeys(unknowns, ZERO)))
    is_linear = not any(unknowns & set(symbols_of(each)) for each in (bend, slope, function))
    if set(symbols_of(difference)) - unknowns - {variable}:
        return None
    found: LinearSolution | None = None
    if bend != ZERO:
        found = _second_order(bend, slope, function, rest, variable) if is_linear else None
    elif slope != ZERO and is_linear:
        found = _first_order(slope, function, rest, variable)
    elif slope != ZERO and SLOPE not in symbols_of(slope):
        return _separated(difference, slope, variable)
    return found if found is not None and _is_confirmed(found, difference, variable) else None


def _slope_in(node: Expression, name: str) -> Expression | None:
    found = derivative(node, name)
    return None if isinstance(found, Failure) else found


def _short(node: Expression) -> Expression:
    found = simplified(node)
    return tidied(node) if isinstance(found, Failure) else found.expression


def _first_order(slope: Expression, function: Expression, rest: Expression, variable: str) -> LinearSolution | None:
    """y' + p y = q, by the factor exp(∫ p)."""
    p, q = _short(divide(function, slope)), _short(negate(divide(rest, slope)))
    whole = _integral(p, variable)
    if whole is None:
        return None
    factor = _exponential(whole)
    inside = ZERO if q == ZERO else _integral(_short(multiply(q, factor)), variable)
    if inside is None:
        return None
    part = _exponential(tidied(negate(whole)))
    return LinearSolution(ZERO if inside == ZERO else _short(multiply(inside, part)), (part,))


def _exponential(node: Expression) -> Expression:
    """e to the power of it; of a multiple of a logarithm, a power. Sizes in logarithms fall into the constant."""
    made = _without_sizes(node)
    return ONE if made == ZERO else _short(call("exp", made))


def _without_sizes(node: Expression) -> Expression:
    for each in walk(node):
        if isinstance(each, Call) and each.function == "log":
            inner = each.arguments[0]
            if isinstance(inner, Call) and inner.function == "abs":
                return _replaced(node, inner, inner.arguments[0])
    return node


def _replaced(node: Expression, part: Expression, by: Expression) -> Expression:
    from mathrag.compute.algebra.solving import substitute_part

    return substitute_part(node, part, by)


def _integral(node: Expression, variable: str) -> Expression | None:
    if node == ZERO:
        return ZERO
    found = antiderivative(node, variable)
    return None if isinstance(found, Failure) else found.expression


def _second_order(
    bend: Expression, slope: Expression, function: Expression, rest: Expression, variable: str
) -> LinearSolution | None:
    a, b, c = (constant_of(each) for each in (bend, slope, function))
    if a is None or b is None or c is None or not a:
        return None
    letter = Symbol(variable)
    middle, under = -b / (2 * a), (b * b - 4 * a * c) / (4 * a * a)
    width = square_root(abs(under))
    if under > 0:
        rates = [tidied(add(literal(middle), width)), tidied(subtract(literal(middle), width))]
        parts = tuple(_rising(rate, letter) for rate in rates)
    elif under == 0:
        once = _rising(literal(middle), letter)
        parts = (once, letter if once == ONE else multiply(letter, once))
    else:
        angle = tidied(multiply(width, letter))
        before = _rising(literal(middle), letter)
        turns = (call("cos", angle), call("sin", angle))
        parts = tuple(each if before == ONE else multiply(before, each) for each in turns)
    particular = _particular((a, b, c), tidied(negate(rest)), letter)
    return None if particular is None else LinearSolution(particular, parts)


def _rising(rate: Expression, letter: Expression) -> Expression:
    if constant_of(rate) == 0:
        return ONE
    return call("exp", tidied(multiply(rate, letter)))


def _particular(numbers: tuple[Fraction, Fraction, Fraction], wanted: Expression, letter: Symbol) -> Expression | None:
    """One solution for a number, or a multiple of an exponential, on the other side."""
    a, b, c = numbers
    if wanted == ZERO:
        return ZERO
    number = constant_of(wanted)
    if number is not None:
        return literal(number / c) if c else tidied(multiply(literal(number / b), letter)) if b else None
    factors = list(wanted.factors) if isinstance(wanted, Multiply) else [wanted]
    rising = [each for each in factors if isinstance(each, Call) and each.function == "exp"]
    scale = constant_of(tidied(multiply(ONE, *(each for each in factors if each not in rising))))
    if len(rising) != 1 or scale is None:
        return None
    rate = constant_of(tidied(divide(rising[0].arguments[0], letter)))
    if rate is None:
        return None
    value, once = a * rate * rate + b * rate + c, 2 * a * rate + b
    if value:
        return tidied(multiply(literal(scale / value), rising[0]))
    if once:
        return tidied(multiply(literal(scale / once), letter, rising[0]))
    return tidied(multiply(literal(scale / (2 * a)), letter, letter, rising[0]))


def _separated(difference: Expression, slope: Expression, variable: str) -> SeparatedSolution | None:
    """y' = f(x) g(y)."""
    whole = _short(negate(divide(substitute(difference, {SLOPE: ZERO}), slope)))
    for across in (1, 2):
        for along in (1, 2):
            here = {variable: literal(Fraction(across)), FUNCTION: literal(Fraction(along))}
            value = constant_of(tidied(substitute(whole, here)))
            if not value:
                continue
            f = tidied(substitute(whole, {FUNCTION: here[FUNCTION]}))
            g = tidied(divide(substitute(whole, {variable: here[variable]}), literal(value)))
            if not is_exactly_equal(Comparison(whole, "=", multiply(f, g))):
                return None
            return _both_integrated(f, g, variable)
    return None


def _both_integrated(f: Expression, g: Expression, variable: str) -> SeparatedSolution | None:
    left, right = _integral(_short(divide(ONE, g)), FUNCTION), _integral(f, variable)
    still = solve_equation(g, ZERO, FUNCTION, may_search=False) if FUNCTION in symbols_of(g) else None
    if left is None or right is None or (isinstance(still, Solved) and not still.is_complete):
        return None
    constants = tuple(each.exact for each in still.solutions if each.exact) if isinstance(still, Solved) else ()
    return SeparatedSolution(tidied(left), tidied(right), constants)


def _is_confirmed(found: LinearSolution, difference: Expression, variable: str) -> bool:
    """Put back with numbers for the constants, at many places."""
    numbers = (Fraction(3, 2), Fraction(-4, 5))
    made = add(found.particular, *(multiply(literal(n), part) for n, part in zip(numbers, found.parts, strict=False)))
    first = _slope_in(made, variable)
    second = None if first is None else _slope_in(first, variable)
    if first is None or second is None:
        return False
    whole = substitute(difference, {FUNCTION: made, SLOPE: first, BEND: second})
    held = 0
    for place in _PLACES:
        value = value_at(whole, {variable: place})
        size = value_at(made, {variable: place})
        if not value.is_real or not size.is_real:
            continue
        if abs(value.real) > 1e-25 * (1 + abs(size.real)):
            return False
        held += 1
    return held >= _FEWEST
