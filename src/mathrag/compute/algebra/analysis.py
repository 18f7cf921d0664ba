"""Derivatives, integrals, limits and sums of expressions in one symbol, each confirmed by numbers of another kind.

A derivative is held against differences, a primitive function against its derivative, a definite integral against a
numeric one, a limit against values nearby. What numbers do not confirm is not handed out.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from mathrag.compute.algebra.points import Point, Value, points, value_at
from mathrag.compute.algebra.polynomials import (
    NotPolynomialError,
    Polynomial,
    Quotient,
    common_divisor,
    divided,
    expression_of,
    polynomial_expression,
    polynomial_of,
    quotient_of,
    terms_of,
)
from mathrag.compute.algebra.polynomials import minus as poly_minus
from mathrag.compute.algebra.polynomials import times as poly_times
from mathrag.compute.algebra.polynomials import value_at as polynomial_value
from mathrag.compute.algebra.rewriting import factored, in_order, simplified
from mathrag.compute.algebra.solving import as_fraction
from mathrag.compute.calculus import definite_integral, derivative, quadrature
from mathrag.compute.evaluate import evaluate
from mathrag.compute.evaluate.compiled import compile_expression
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.solve.tidy import constant_of, tidied
from mathrag.types.expression import (
    ONE,
    Call,
    Divide,
    Expression,
    Negate,
    Power,
    Series,
    Symbol,
    add,
    call,
    divide,
    map_parts,
    multiply,
    negate,
    power,
    size_of,
    substitute,
    subtract,
    symbols_of,
    walk,
)

INFINITY = Symbol("infinity")
_SECONDS = 5.0
_FEWEST = 5
_MOST = 20
_MOST_EXCEPTIONS = 12
_CLOSE = 1e-9
_STEP = Fraction(1, 10**15)


@dataclass(frozen=True, slots=True)
class Confirmed:
    """What was found and at how many points numbers confirmed it."""

    expression: Expression
    points: int


# Derivatives.


def derivatives(expression: Expression, symbol: str, order: int) -> tuple[Confirmed, ...] | Failure:
    """The derivatives up to the order, each confirmed by differences of the one before."""
    found: list[Confirmed] = []
    before = expression
    for _ in range(order):
        slope = derivative(before, symbol)
        if isinstance(slope, Failure):
            return slope
        neat = neat_form(slope)
        agreed = _agreeing_slopes(before, neat, symbol)
        if agreed is None:
            return Failure("not_confirmed", "the derivative could not be confirmed by numbers")
        found.append(Confirmed(neat, agreed))
        before = neat
    return tuple(found)


def neat_form(expression: Expression) -> Expression:
    """A polynomial in its usual order, anything else tidied."""
    try:
        return expression_of(terms_of(expression))
    except NotPolynomialError:
        usual = tidied(in_order(tidied(expression)))
    return _lowest(usual) or usual


def _lowest(expression: Expression) -> Expression | None:
    """A quotient with quotients below its bar, in lowest terms; None where it is no such quotient of polynomials."""
    names = symbols_of(expression)
    below = [node.denominator for node in walk(expression) if isinstance(node, Divide)]
    if len(names) != 1 or not any(isinstance(node, Divide) for each in below for node in walk(each)):
        return None
    try:
        whole = quotient_of(expression, names[0])
    except NotPolynomialError:
        return None
    return _reduced(whole, names[0]) if whole.above and whole.below else None


def _reduced(whole: Quotient, name: str) -> Expression:
    """A quotient of polynomials in lowest terms, with whole numbers."""
    shared = common_divisor(whole.above, whole.below)
    above, under = divided(whole.above, shared)[0], divided(whole.below, shared)[0]
    scale = math.lcm(*(value.denominator for value in (*above, *under)))
    numbers = math.gcd(*(int(value * scale) for value in (*above, *under))) * (-1 if under[-1] < 0 else 1)
    top, bottom = (tuple(value * scale / numbers for value in each) for each in (above, under))
    shown = polynomial_expression(tuple(-value for value in top) if top[-1] < 0 else top, name)
    made = shown if len(bottom) == 1 and bottom[0] == 1 else divide(shown, polynomial_expression(bottom, name))
    return negate(made) if top[-1] < 0 else made


def _agreeing_slopes(function: Expression, slope: Expression, symbol: str) -> int | None:
    """At how many points differences of the function agree with the slope; None where one does not, or too few."""
    names = tuple(dict.fromkeys((*symbols_of(function), symbol)))
    agreed = 0
    for point in points(names):
        if agreed >= _MOST:
            break
        ends = [value_at(function, {**point, symbol: point[symbol] + step}) for step in (-_STEP, _STEP)]
        claimed = value_at(slope, point)
        if not (claimed.is_real and all(end.is_real for end in ends)) or not value_at(function, point).is_real:
            continue
        measured = (ends[1].real - ends[0].real) / (2 * float(_STEP))
        if not _is_close(measured, claimed.real, max(abs(end.real) for end in ends)):
            if value_at(function, point).is_real and _has_corner(function):
                # Beside a corner of an absolute value, differences mean nothing.
                continue
            return None
        agreed += 1
    return agreed if agreed >= _FEWEST else None


def _has_corner(function: Expression) -> bool:
    return any(
        isinstance(node, Call) and node.function in ("abs", "min", "max", "floor", "ceil") for node in walk(function)
    )


def _is_close(measured: Any, claimed: Any, size: Any) -> bool:
    return bool(abs(measured - claimed) <= _CLOSE * max(abs(claimed), size * 1e-6, 1e-9))


# Integrals.


def antiderivative(expression: Expression, symbol: str) -> Confirmed | Failure:
    """A primitive function, confirmed by its derivative; logarithms of what may be negative as those of its size."""
    # Imported here: loading the ways of SymPy is left to its process.
    from mathrag.compute.solve.sympy_process import rewrite_in_worker

    candidates = _by_rule(expression, symbol)
    if not candidates:
        found = rewrite_in_worker(expression, "integrate", symbol, seconds=_SECONDS)
        candidates = [] if isinstance(found, Failure) else list(found)
    for candidate in candidates:
        neat = neat_form(tidied(candidate))
        for form in (neat, _with_sizes(neat, symbol)):
            slope = derivative(form, symbol)
            if isinstance(slope, Failure):
                continue
            agreed = _agreeing_values(expression, slope, form, symbol)
            if agreed is not None:
                return Confirmed(form, agreed)
    return Failure("no_closed_form", "no antiderivative was found in closed form")


def _with_sizes(node: Expression, symbol: str) -> Expression:
    inner = map_parts(node, lambda part: _with_sizes(part, symbol))
    match inner:
        case Call("log", (argument,)) if symbol in symbols_of(argument) and not _is_size(argument):
            return call("log", call("abs", argument))
    return inner


def _is_size(argument: Expression) -> bool:
    return isinstance(argument, Call) and argument.function in ("abs", "exp", "sqrt")


def _by_rule(expression: Expression, symbol: str) -> list[Expression]:
    """What needs no search: a constant, a polynomial, a power of the symbol with another symbol as exponent."""
    if symbol not in symbols_of(expression):
        return [multiply(expression, Symbol(symbol))]
    try:
        polynomial = polynomial_of(expression, symbol)
        return [polynomial_expression((Fraction(0), *(each / n for n, each in enumerate(polynomial, 1))), symbol)]
    except NotPolynomialError:
        pass
    match expression:
        case Power(Symbol(name), exponent) if name == symbol and symbol not in symbols_of(exponent):
            more = add(exponent, ONE)
            return [divide(power(Symbol(symbol), more), more)]
    return []


def _agreeing_values(wanted: Expression, slope: Expression, form: Expression, symbol: str) -> int | None:
    """At how many points the derivative is what was to be integrated; also by differences of the form itself."""
    names = tuple(dict.fromkeys((*symbols_of(wanted), symbol)))
    agreed = exceptions = 0
    for point in points(names):
        if agreed >= _MOST:
            break
        asked, claimed, there = (value_at(each, point) for each in (wanted, slope, form))
        if not asked.is_real:
            continue
        if there.is_undefined or claimed.is_undefined:
            # A primitive that lacks values which the function has would be half of one; a few values of the other
            # symbols may be its exceptions.
            exceptions += 1
            if len(names) == 1 or exceptions > _MOST_EXCEPTIONS:
                return None
            continue
        if not (claimed.is_real and there.is_real):
            continue
        if not _is_close(claimed.real, asked.real, abs(asked.real)):
            return None
        agreed += 1
    if agreed < _FEWEST or _agreeing_slopes(form, wanted, symbol) is None:
        return None
    return agreed


@dataclass(frozen=True, slots=True)
class DefiniteIntegral:
    """The value of an integral: exact where a closed form was found, and by number in any case."""

    exact: Expression | None
    number: float | None


_PIECES = 2_000
_NARROWEST = 1e-12


def integral_between(
    expression: Expression, symbol: str, lower: Expression, upper: Expression
) -> DefiniteIntegral | Failure:
    """The integral between the bounds, which may be infinite: a closed form that a numeric integral confirms, or the
    numeric one alone."""
    others = {*symbols_of(expression), *symbols_of(lower), *symbols_of(upper)} - {symbol, "infinity"}
    is_endless = any(node == INFINITY for bound in (lower, upper) for node in walk(bound))
    if others:
        if is_endless:
            return Failure("no_closed_form", "an integral to infinity with other symbols is not computed here")
        closed = definite_integral(expression, symbol, lower, upper)
        return closed if isinstance(closed, Failure) else DefiniteIntegral(neat_form(closed), None)
    number = _numeric(expression, symbol, lower, upper)
    if number is None:
        return Failure(
            "not_confirmed", "the numeric integral does not settle: the integral may not exist between these bounds"
        )
    for candidate in _closed_forms(expression, symbol, lower, upper, is_endless=is_endless):
        value = value_at(candidate, {})
        if value.is_real and math.isclose(float(value.real), number, rel_tol=1e-6, abs_tol=1e-8):
            return DefiniteIntegral(_short(candidate), float(value.real))
    return DefiniteIntegral(None, number)


def _short(value: Expression) -> Expression:
    """A number written shortly: exp(0) is 1."""
    short = as_fraction(value)
    if short is not value or size_of(value) == 1:
        return short
    simple = simplified(value)
    return value if isinstance(simple, Failure) else simple.expression


def _closed_forms(
    expression: Expression, symbol: str, lower: Expression, upper: Expression, *, is_endless: bool
) -> list[Expression]:
    found: list[Expression] = []
    if not is_endless:
        closed = definite_integral(expression, symbol, lower, upper)
        found += [] if isinstance(closed, Failure) else [closed]
    primitive = antiderivative(expression, symbol) if not found else None
    if isinstance(primitive, Confirmed):
        ends = [_at_end(primitive.expression, symbol, bound) for bound in (lower, upper)]
        if ends[0] is not None and ends[1] is not None:
            found.append(tidied(subtract(ends[1], ends[0])))
    return found


def _at_end(primitive: Expression, symbol: str, bound: Expression) -> Expression | None:
    if not any(node == INFINITY for node in walk(bound)):
        return substitute(primitive, {symbol: bound})
    found = limit(primitive, symbol, bound)
    return found.value if isinstance(found, Limit) and found.value not in (INFINITY, Negate(INFINITY), None) else None


def _numeric(expression: Expression, symbol: str, lower: Expression, upper: Expression) -> float | None:
    """The integral by number; None where it does not settle, or on other pieces comes to something else."""
    ends = [_bound(each) for each in (lower, upper)]
    if ends[0] is None or ends[1] is None:
        return None
    function = compile_expression(expression, (symbol,))
    low, high = ends[0], ends[1]
    if math.isinf(low) or math.isinf(high):
        return _numeric_endless(function, low, high)
    found = [_in_pieces(function, low, high, cuts) for cuts in _CUTS]
    if any(each is None for each in found):
        return None
    totals, areas = [each[0] for each in found if each], [each[1] for each in found if each]
    # Over a pole the pieces of each cut see another part of it.
    is_one = all(
        abs(each - totals[0]) <= 1e-7 * areas[0] and math.isclose(area, areas[0], rel_tol=0.3)
        for each, area in zip(totals, areas, strict=True)
    )
    return totals[0] if is_one else None


# Where the way is cut, in parts of it: nowhere, and twice at places that mean nothing.
_CUTS: tuple[tuple[float, ...], ...] = ((0.0, 1.0), (0.0, 0.3819, 1.0), (0.0, 0.2137, 0.7391, 1.0))


def _in_pieces(function: Any, low: float, high: float, cuts: tuple[float, ...]) -> tuple[float, float] | None:
    total = area = 0.0
    for start, end in itertools.pairwise(cuts):
        edges = low + (high - low) * start, high if end == 1.0 else low + (high - low) * end
        found = quadrature(function, *edges, pieces=_PIECES) or _bent(function, *edges)
        if found is None:
            return None
        total, area = total + found[0], area + found[1]
    return total, area


def _bent(function: Any, low: float, high: float) -> tuple[float, float] | None:
    def bent(place: float) -> float | Failure:
        # The cubic step has slope 0 at both ends, which tames a root there.
        inside = low + (high - low) * place * place * (3 - 2 * place)
        if not (low < inside < high or high < inside < low):
            return Failure("not_confirmed", "the end is reached")
        value: float | Failure = function(inside)
        return value if isinstance(value, Failure) else value * (high - low) * 6 * place * (1 - place)

    return quadrature(bent, 0.0, 1.0, pieces=_PIECES)


def _numeric_endless(function: Any, low: float, high: float) -> float | None:
    if math.isinf(low) and math.isinf(high):
        halves = [_numeric_endless(function, low, 0.0), _numeric_endless(function, 0.0, high)]
        return None if halves[0] is None or halves[1] is None else halves[0] + halves[1]
    start, sign = (high, -1.0) if math.isinf(low) else (low, 1.0)

    def folded(place: float) -> float | Failure:
        gap = 1 - place
        if gap < _NARROWEST:
            # What is not settled so far out does not settle: no finite integral is read into rounding.
            return Failure("not_confirmed", "the integral does not settle")
        value: float | Failure = function(start + sign * place / gap)
        if isinstance(value, Failure):
            return 0.0 if value.code == "underflow" else value
        return value / (gap * gap)

    found = [_in_pieces(folded, 0.0, 1.0, cuts) for cuts in _CUTS]
    if found[0] is None or any(each is None or abs(each[0] - found[0][0]) > 1e-7 * found[0][1] for each in found):
        return None
    return found[0][0]


def _bound(bound: Expression) -> float | None:
    if bound in (INFINITY, Negate(INFINITY)):
        return math.inf if bound == INFINITY else -math.inf
    value = value_at(bound, {})
    return float(value.real) if value.is_real else None


# Limits.


@dataclass(frozen=True, slots=True)
class Limit:
    """The limit from below and from above; infinity as the symbol of that name. At infinity there is one side."""

    below: Expression
    above: Expression
    # The side on which alone the expression has real values.
    only: Literal[-1, 1] | None = None

    @property
    def value(self) -> Expression | None:
        """The limit where both sides agree."""
        return self.above if self.below == self.above or _same_number(self.below, self.above) else None


def _same_number(first: Expression, second: Expression) -> bool:
    values = [value_at(each, {}) for each in (first, second) if INFINITY not in tuple(walk(each))]
    if len(values) != 2 or values[0].digits is None or values[1].digits is None:
        return False
    return values[0].digits.is_near(values[1].digits) is True


def limit(expression: Expression, symbol: str, place: Expression) -> Limit | Failure:
    """The limit as the symbol approaches the place; a failure where none was found that nearby values confirm.

    Where the expression has no real values on one side of the place, the other side counts alone.
    """
    from mathrag.compute.solve.sympy_process import rewrite_in_worker

    found = rewrite_in_worker(expression, "limit", symbol, place=place, seconds=_SECONDS)
    if isinstance(found, Failure) or not found:
        return Failure("no_closed_form", "no limit was found")
    if len(found) == 1:
        sides: tuple[Literal[-1, 1], ...] = (1,) if place == INFINITY else (-1,)
    else:
        sides = tuple(side for side in _BOTH if not _is_empty(expression, symbol, place, side))
    kept = {side: found[0 if len(found) == 1 or side < 0 else 1] for side in sides}
    if not kept or not all(_is_approached(expression, symbol, place, side, value) for side, value in kept.items()):
        return Failure("not_confirmed", "values nearby do not confirm a limit")
    values = [tidied(value) for value in kept.values()]
    return Limit(values[0], values[-1], only=sides[0] if len(found) == 2 and len(sides) == 1 else None)


_BOTH: tuple[Literal[-1, 1], ...] = (-1, 1)
# How near, as powers of ten; then much nearer, for what creeps. How far out: at ease, and where exponentials still fit.
_NEAR: tuple[tuple[int, ...], ...] = ((4, 8, 12, 16), (10, 100, 1_000, 3_000))
_FAR = ((10, 10**3, 10**6, 10**12), (7, 50, 400, 1_500), (10**3, 10**30, 10**300, 10**1000))


def _is_empty(expression: Expression, symbol: str, place: Expression, side: int) -> bool:
    """Whether the expression has no real value anywhere near on that side."""
    return all(value_at(expression, point).is_undefined for point in _nearby(expression, symbol, place, side)[0])


def _is_approached(expression: Expression, symbol: str, place: Expression, side: int, wanted: Expression) -> bool:
    """Whether values nearer and nearer come close to the limit, or grow beyond any bound."""
    for nearby in _nearby(expression, symbol, place, side):
        values = [value_at(expression, point) for point in nearby]
        known = [value.real for value in values if value.is_real and _is_sharp(value)]
        if len(known) >= 3 and _comes_to(known, wanted, nearby[0]):
            return True
    return False


def _is_sharp(value: Value) -> bool:
    assert value.digits is not None
    return bool(value.digits.error <= 1e-9 * max(abs(value.real), 1))


def _comes_to(known: Sequence[Any], wanted: Expression, point: Point) -> bool:
    if wanted in (INFINITY, Negate(INFINITY)):
        sign = 1 if wanted == INFINITY else -1
        return all(sign * later > sign * earlier for earlier, later in itertools.pairwise(known)) and bool(
            sign * known[-1] > 100
        )
    target = value_at(wanted, point)
    if not target.is_real:
        return False
    gaps = [abs(each - target.real) / max(abs(target.real), 1) for each in known]
    is_falling = all(later <= earlier * 1.0001 + 1e-25 for earlier, later in itertools.pairwise(gaps))
    return bool((is_falling and gaps[-1] <= 1e-2) or max(gaps[-2:]) <= 1e-7)


def _nearby(expression: Expression, symbol: str, place: Expression, side: int) -> list[list[dict[str, Fraction]]]:
    names = sorted({*symbols_of(expression), *symbols_of(place)} - {symbol, "infinity"})
    others = {name: Fraction(13 + 7 * index, 9 + index) for index, name in enumerate(names)}
    if place in (INFINITY, Negate(INFINITY)):
        return [[{**others, symbol: Fraction(side * size)} for size in sizes] for sizes in _FAR]
    middle = value_at(place, others)
    near = _exactly(place) or (Fraction(str(middle.real)) if middle.is_real else Fraction(0))
    return [[{**others, symbol: near + side * Fraction(1, 10**step)} for step in steps] for steps in _NEAR]


def _exactly(place: Expression) -> Fraction | None:
    """The place as a fraction, where it is one."""
    return None if symbols_of(place) else constant_of(tidied(place))


# Sums.


def sum_of(body: Expression, index: str, lower: Expression, upper: Expression, *, is_product: bool) -> Any:
    """The exact value of a sum or product between whole bounds; a `Failure` else."""
    return evaluate(Series("product" if is_product else "sum", index, lower, upper, body), {})


_HIGHEST_SUMMED = 12


def sum_to_symbol(body: Expression, index: str, lower: Expression, upper: str) -> Expression | None:
    """The sum of a polynomial up to a symbol, as a product where it is one: by interpolation, which is exact here."""
    start = constant_of(tidied(lower))
    try:
        polynomial = polynomial_of(body, index)
    except NotPolynomialError:
        return None
    if start is None or start.denominator != 1 or len(polynomial) > _HIGHEST_SUMMED or not polynomial:
        return None
    # A polynomial of the degree of the body and one more goes through these values, and only one does.
    places = [start + shift for shift in range(len(polynomial) + 1)]
    totals = list(itertools.accumulate(polynomial_value(polynomial, place) for place in places))
    found: Polynomial = ()
    for place, total in zip(places, totals, strict=True):
        basis: Polynomial = (total,) if total else ()
        for other in places:
            if other != place:
                basis = poly_times(basis, (-other / (place - other), 1 / (place - other)))
        found = poly_minus(found, tuple(-value for value in basis))
    whole = polynomial_expression(found, upper)
    neat = factored(whole)
    return whole if isinstance(neat, Failure) else neat.expression
