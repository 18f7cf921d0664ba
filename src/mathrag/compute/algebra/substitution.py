"""Equations that become polynomial ones when a power, a logarithm or a sine is given a letter of its own.

`9^x − 4·3^x + 3 = 0` is u² − 4 u + 3 = 0 with u = 3^x, and every positive root u belongs to one x. Sums of logarithms
are one product; sines and cosines of one angle are a polynomial in the sine, whose two angles are put back. What is
handed out here is all there is: each step keeps every solution, and what does not fit is taken out again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from mathrag.compute.algebra.points import value_at
from mathrag.compute.algebra.polynomials import (
    NotPolynomialError,
    Polynomial,
    Root,
    minus,
    polynomial_expression,
    polynomial_of,
    quotient_of,
    roots_of,
    times,
)
from mathrag.compute.algebra.polynomials import value_at as polynomial_value
from mathrag.compute.printers.plaintext import plain_formula
from mathrag.compute.solve.tidy import constant_of, literal, tidied
from mathrag.types.expression import (
    ONE,
    TEN,
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
    call,
    divide,
    map_parts,
    multiply,
    negate,
    power,
    subtract,
    symbols_of,
    walk,
)

_NAME = "u"
_LARGEST_POWER = 30
_LARGEST_BASE = 10**6


@dataclass(frozen=True, slots=True)
class Substituted:
    """Candidates for the unknown, each all there is of its branch, and how the equation was turned.

    `numbers` are those known by their digits alone. `outside` are candidates at which a part of the equation has no
    value.
    """

    exact: tuple[Expression, ...]
    way: str
    numbers: tuple[float, ...] = ()
    outside: tuple[Expression, ...] = ()


# Powers with the unknown above.


@dataclass(frozen=True, slots=True)
class _Exponential:
    """`base^(slope x + rest)`; base 0 stands for Euler's number."""

    base: Fraction
    slope: Fraction
    rest: Fraction


def by_exponentials(left: Expression, right: Expression, symbol: str) -> Substituted | None:
    """All real solutions where the unknown stands in exponents alone."""
    difference = subtract(left, right)
    nodes = {node: _exponential(node, symbol) for node in _top_exponentials(difference, symbol)}
    if not nodes or any(each is None for each in nodes.values()):
        return None
    found = {node: each for node, each in nodes.items() if each is not None}
    return _one_base(difference, found, symbol) or _two_powers(left, right, symbol)


def _top_exponentials(node: Expression, symbol: str) -> list[Expression]:
    """The powers with the unknown above; what has the unknown elsewhere comes too, and is none."""
    if symbol not in symbols_of(node):
        return []
    match node:
        case Add(parts) | Multiply(parts):
            return [each for part in parts for each in _top_exponentials(part, symbol)]
        case Negate(part):
            return _top_exponentials(part, symbol)
        case Divide(above, below):
            return [*_top_exponentials(above, symbol), *_top_exponentials(below, symbol)]
        case Power(base, Number()) if symbol in symbols_of(base):
            return _top_exponentials(base, symbol)
    return [node]


def _exponential(node: Expression, symbol: str) -> _Exponential | None:
    match node:
        case Call("exp", (exponent,)):
            base: Fraction | None = Fraction(0)
        case Power(below, exponent):
            base = None if symbols_of(below) else constant_of(tidied(below))
            if base is None or base <= 0 or base == 1 or max(base.numerator, base.denominator) > _LARGEST_BASE:
                return None
        case _:
            return None
    line = _line(exponent, symbol)
    return None if line is None or not line[0] or base is None else _Exponential(base, *line)


def _line(node: Expression, symbol: str) -> tuple[Fraction, Fraction] | None:
    """Slope and rest of `a x + b`."""
    try:
        found = polynomial_of(node, symbol)
    except NotPolynomialError:
        return None
    if len(found) > 2:
        return None
    return (found[1] if len(found) == 2 else Fraction(0)), (found[0] if found else Fraction(0))


def _one_base(difference: Expression, found: dict[Expression, _Exponential], symbol: str) -> Substituted | None:
    """All powers are whole powers of one of them, or of a root of it."""
    common = _common_base({each.base for each in found.values()})
    if common is None:
        return None
    base, counts = common
    slopes = {node: each.slope * counts[each.base] for node, each in found.items()}
    below = math.lcm(*(each.denominator for each in slopes.values()))
    step = Fraction(math.gcd(*(int(each * below) for each in slopes.values())), below)
    replaced: dict[Expression, Expression] = {}
    for node, each in found.items():
        factor = _rational_power(base, each.rest * counts[each.base])
        count = slopes[node] / step
        if factor is None or abs(count) > _LARGEST_POWER:
            return None
        whole = power(Symbol(_NAME), Number(abs(int(count))))
        replaced[node] = multiply(literal(factor), whole) if count > 0 else divide(literal(factor), whole)
    return _from_positive(_exchanged(difference, replaced), base, step, symbol)


def _exchanged(node: Expression, by: dict[Expression, Expression]) -> Expression:
    return by[node] if node in by else map_parts(node, lambda part: _exchanged(part, by))


def _common_base(bases: set[Fraction]) -> tuple[Fraction, dict[Fraction, int]] | None:
    """A number of which all bases are whole powers, and which ones."""
    if bases == {Fraction(0)}:
        return Fraction(0), {Fraction(0): 1}
    if Fraction(0) in bases:
        return None
    least = min((each if each > 1 else 1 / each for each in bases), key=lambda each: (each.numerator, each))
    for count in range(_LARGEST_POWER, 0, -1):
        root = _root_of(least, count)
        if root is None:
            continue
        counts = {each: _count_of(each, root) for each in bases}
        if all(counts.values()):
            return root, {each: found for each, found in counts.items() if found is not None}
        return None
    return None


def _root_of(value: Fraction, count: int) -> Fraction | None:
    parts = [round(part ** (1 / count)) for part in (value.numerator, value.denominator)]
    found = Fraction(*parts)
    return found if found**count == value and found != 1 else None


def _count_of(value: Fraction, base: Fraction) -> int | None:
    """`value = base^count`."""
    count = round(math.log(value) / math.log(base))
    return count if 0 < abs(count) <= _LARGEST_POWER and base**count == value else None


def _rational_power(base: Fraction, exponent: Fraction) -> Fraction | None:
    if not exponent:
        return Fraction(1)
    if not base or exponent.denominator != 1 or abs(exponent) > _LARGEST_POWER:
        return None
    return base**exponent.numerator


def _from_positive(whole: Expression, base: Fraction, step: Fraction, symbol: str) -> Substituted | None:
    """The roots above 0 of what is left, each as the power that it stands for."""
    try:
        quotient = quotient_of(whole, _NAME)
    except NotPolynomialError:
        return None
    if len(quotient.above) < 2:
        return None
    exact: list[Expression] = []
    numbers: list[float] = []
    roots = [root for root in roots_of(quotient.above).real if not _is_forbidden(root, quotient.forbidden)]
    size = ONE if not base else call("log", literal(base))
    for root in roots:
        if root.low < 0 < root.high:
            return None
        if root.high <= 0:
            continue
        if root.exact is None:
            shown = math.log(root.value) / (float(step) * (math.log(base) if base else 1.0))
            numbers.append(shown)
        elif root.exact == ONE:
            exact.append(ZERO)
        else:
            exact.append(tidied(divide(call("log", root.exact), multiply(literal(step), size))))
    letter = Symbol(symbol)
    exponent = tidied(multiply(literal(step), letter))
    shown_power = plain_formula(call("exp", exponent) if not base else power(literal(base), exponent))
    polynomial = plain_formula(polynomial_expression(_scaled(quotient.above), _NAME))
    values = _values_said(roots)
    way = f"with {_NAME} = {shown_power}, which is positive, it is {polynomial} = 0, {values}; "
    way += f"each positive {_NAME} belongs to one {plain_formula(letter)}"
    return Substituted(tuple(exact), way, tuple(numbers))


def _scaled(polynomial: Polynomial) -> Polynomial:
    """With whole coefficients without a common divisor, the first of them positive; without a factor u."""
    start = next(place for place, value in enumerate(polynomial) if value)
    rest = polynomial[start:]
    below = math.lcm(*(value.denominator for value in rest))
    shared = math.gcd(*(int(value * below) for value in rest))
    sign = -1 if rest[-1] < 0 else 1
    return tuple(value * below / shared * sign for value in rest)


def _values_said(roots: Sequence[Root], name: str = _NAME) -> str:
    shown = [
        f"{name} = {plain_formula(root.exact)}" if root.exact is not None else f"{name} ≈ {root.value:.8g}"
        for root in roots
        if root.exact != ZERO
    ]
    if not shown:
        return "which has no real root but 0" if roots else "which has no real root"
    return f"so {' or '.join(shown)}".replace("-", "−")


def _is_forbidden(root: Root, forbidden: Sequence[Polynomial]) -> bool:
    return any(not polynomial_value(each, root.low) for each in forbidden if root.low == root.high)


def _two_powers(left: Expression, right: Expression, symbol: str) -> Substituted | None:
    """A product of powers on each side: their logarithms are a linear equation."""
    terms = left.terms if isinstance(left, Add) and constant_of(tidied(right)) == 0 else ()
    if len(terms) == 2:
        left, right = terms[0], negate(terms[1])
    if isinstance(left, Negate) and isinstance(right, Negate):
        left, right = left.operand, right.operand
    if isinstance(left, Negate) and isinstance(right, Multiply | Power | Call):
        return None
    lines = [_logarithm(side, symbol) for side in (left, right)]
    if lines[0] is None or lines[1] is None:
        return None
    slope = tidied(subtract(lines[0][0], lines[1][0]))
    size = value_at(slope, {})
    if not size.is_real or size.digits is None or abs(size.real) <= 1000 * size.digits.error:
        return None
    exact = tidied(divide(tidied(subtract(lines[1][1], lines[0][1])), slope))
    return Substituted((exact,), "both sides are positive, and their logarithms are a linear equation")


def _logarithm(node: Expression, symbol: str) -> tuple[Expression, Expression] | None:
    """Slope and rest of the logarithm of a product of powers and positive numbers."""
    if symbol not in symbols_of(node):
        number = value_at(node, {})
        return (ZERO, call("log", node)) if number.is_real and number.real > 0 else None
    match node:
        case Multiply(factors):
            parts = [_logarithm(factor, symbol) for factor in factors]
            if any(part is None for part in parts):
                return None
            return add(*(part[0] for part in parts if part)), add(*(part[1] for part in parts if part))
        case Divide(above, below):
            first, second = _logarithm(above, symbol), _logarithm(below, symbol)
            if first is None or second is None:
                return None
            return subtract(first[0], second[0]), subtract(first[1], second[1])
    found = _exponential(node, symbol)
    if found is None:
        return None
    size = ONE if not found.base else call("log", literal(found.base))
    return tidied(multiply(literal(found.slope), size)), tidied(multiply(literal(found.rest), size))


# Logarithms of polynomials.

_BASES = {"log": ZERO, "log2": TWO, "log10": TEN}


def by_logarithms(left: Expression, right: Expression, symbol: str) -> Substituted | None:
    """All real solutions where the unknown stands in logarithms alone: one logarithm in a polynomial, or a sum."""
    difference = subtract(left, right)
    calls = {node for node in walk(difference) if isinstance(node, Call) and symbol in symbols_of(node)}
    if not calls or any(node.function not in _BASES for node in calls):
        return None
    return _one_logarithm(difference, calls, symbol) or _sum_of_logarithms(difference, symbol)


def _one_logarithm(difference: Expression, calls: set[Call], symbol: str) -> Substituted | None:
    """A polynomial in ln x, as in (ln x)² − 3 ln x + 2."""
    if len(calls) != 1:
        return None
    part = next(iter(calls))
    if part.arguments[0] != Symbol(symbol):
        return None
    whole = _exchanged(difference, {part: Symbol(_NAME)})
    if symbol in symbols_of(whole):
        return None
    try:
        quotient = quotient_of(whole, _NAME)
    except NotPolynomialError:
        return None
    if len(quotient.above) < 2:
        return None
    roots = [root for root in roots_of(quotient.above).real if not _is_forbidden(root, quotient.forbidden)]
    if any(root.exact is None for root in roots):
        return None
    base = _BASES[part.function]
    exact = [
        call("exp", root.exact) if base == ZERO else power(base, root.exact) for root in roots if root.exact is not None
    ]
    polynomial = plain_formula(polynomial_expression(_scaled(quotient.above), _NAME))
    way = f"with {_NAME} = {plain_formula(part)} it is {polynomial} = 0, {_values_said(roots)}; "
    way += f"each {_NAME} belongs to one {plain_formula(Symbol(symbol))}"
    return Substituted(tuple(tidied(each) for each in exact), way)


def _sum_of_logarithms(difference: Expression, symbol: str) -> Substituted | None:
    terms: list[tuple[Fraction, Expression]] = []
    rest: list[Expression] = []
    bases: set[Expression] = set()
    for term in _terms(difference):
        if symbol not in symbols_of(term):
            rest.append(term)
            continue
        made = _logarithmic_term(term)
        if made is None:
            return None
        terms.append(made[:2])
        bases.add(made[2])
    if len(bases) != 1 or not terms:
        return None
    return _one_product(terms, add(*rest) if rest else ZERO, next(iter(bases)), symbol)


def _terms(node: Expression) -> list[Expression]:
    """The terms of a sum, also of sums that are taken away in it."""
    if isinstance(node, Add):
        return [each for term in node.terms for each in _terms(term)]
    if isinstance(node, Negate) and isinstance(node.operand, Add | Negate):
        return [negate(each) if not isinstance(each, Negate) else each.operand for each in _terms(node.operand)]
    return [node]


def _logarithmic_term(term: Expression) -> tuple[Fraction, Expression, Expression] | None:
    """`factor · log_base(inside)`."""
    match term:
        case Negate(part):
            made = _logarithmic_term(part)
            return None if made is None else (-made[0], made[1], made[2])
        case Multiply((first, second)) if (factor := constant_of(tidied(first))) is not None:
            made = _logarithmic_term(second)
            return None if made is None else (made[0] * factor, made[1], made[2])
        case Divide(part, below) if (factor := constant_of(tidied(below))) is not None and factor:
            made = _logarithmic_term(part)
            return None if made is None else (made[0] / factor, made[1], made[2])
        case Divide(Call("log", (inside,)), Call("log", (base,))) if not symbols_of(base):
            return Fraction(1), inside, base
        case Call(function, (inside,)) if function in _BASES:
            return Fraction(1), inside, _BASES[function]
    return None


def _one_product(
    terms: Sequence[tuple[Fraction, Expression]], rest: Expression, base: Expression, symbol: str
) -> Substituted | None:
    """Σ c log(P) + rest = 0 says that the P are positive and that the product of their powers is a number."""
    below = math.lcm(*(count.denominator for count, _ in terms))
    sides: list[Polynomial] = [(Fraction(1),), (Fraction(1),)]
    inside: list[Polynomial] = []
    try:
        for count, part in terms:
            inside.append(polynomial_of(part, symbol))
            if abs(count * below) > 6:
                return None
            for _ in range(abs(int(count * below))):
                side = 0 if count > 0 else 1
                sides[side] = times(sides[side], inside[-1])
    except NotPolynomialError:
        return None
    exponent = tidied(multiply(literal(Fraction(-below)), rest))
    factor = call("exp", exponent) if base == ZERO else power(base, exponent)
    number = _as_rational(factor)
    if number is not None:
        whole = minus(sides[0], tuple(value * number for value in sides[1]))
        if len(whole) < 2:
            return None
        candidates = [(root.exact, root.value) for root in roots_of(whole).real]
        shown = plain_formula(polynomial_expression(_scaled_whole(whole), symbol))
    else:
        made = _quadratic_in(sides, tidied(factor), symbol)
        if made is None:
            return None
        candidates, shown = made
    return _where_positive(candidates, inside, f"as one logarithm, it is {shown} = 0")


def _scaled_whole(polynomial: Polynomial) -> Polynomial:
    below = math.lcm(*(value.denominator for value in polynomial))
    shared = math.gcd(*(int(value * below) for value in polynomial))
    return tuple(value * below / shared * (-1 if polynomial[-1] < 0 else 1) for value in polynomial)


def _as_rational(node: Expression) -> Fraction | None:
    """The fraction that a number is to the last of many digits."""
    value = value_at(node, {})
    if value.digits is None or not value.is_real or not 1e-12 < abs(value.real) < 1e12:
        return None
    short = Fraction(float(value.real)).limit_denominator(1_000_000)
    found = value_at(literal(short), {})
    return short if found.digits is not None and value.digits.is_near(found.digits) else None


def _quadratic_in(
    sides: Sequence[Polynomial], factor: Expression, symbol: str
) -> tuple[list[tuple[Expression | None, float]], str] | None:
    """The real roots of a linear or quadratic equation one of whose numbers is no fraction."""
    size = max(len(side) for side in sides)
    if not 2 <= size <= 3:
        return None
    padded = [[*side, *[Fraction(0)] * (size - len(side))] for side in sides]
    numbers = [
        literal(one) if not other else tidied(subtract(literal(one), multiply(literal(other), factor)))
        for one, other in zip(*padded, strict=True)
    ]
    if size == 2:
        roots = [tidied(divide(negate(numbers[0]), numbers[1]))]
    else:
        under = subtract(power(numbers[1], TWO), multiply(Number(4), numbers[2], numbers[0]))
        twice = multiply(TWO, numbers[2])
        spread = call("sqrt", tidied(under))
        minus_middle = negate(numbers[1])
        roots = [
            tidied(divide(subtract(minus_middle, spread), twice)),
            tidied(divide(add(minus_middle, spread), twice)),
        ]
        known = value_at(under, {})
        if not known.is_real or known.digits is None or abs(known.real) <= 1000 * known.digits.error:
            return None
        roots = [] if known.real < 0 else roots
    values = [value_at(root, {}) for root in roots]
    if not all(value.is_real for value in values):
        return None
    letter = Symbol(symbol)
    parts = [multiply(number, power(letter, Number(n))) if n else number for n, number in enumerate(numbers)]
    shown = plain_formula(tidied(add(*reversed(parts))))
    return [(root, float(value.real)) for root, value in zip(roots, values, strict=True)], shown


def _where_positive(
    candidates: Sequence[tuple[Expression | None, float]], inside: Sequence[Polynomial], way: str
) -> Substituted | None:
    kept: list[Expression] = []
    numbers: list[float] = []
    outside: list[Expression] = []
    for exact, number in candidates:
        place = Fraction(number)
        signs = []
        for each in inside:
            if exact is None:
                value, size = polynomial_value(each, place), abs(number) + 1.0
                if abs(value) < Fraction(1e-6 * size):
                    return None
                signs.append(value > 0)
            else:
                found = value_at(_put_in(each, exact), {})
                if found.digits is None or not found.is_real:
                    return None
                signs.append(found.real > 1000 * found.digits.error)
        if all(signs):
            if exact is None:
                numbers.append(number)
            else:
                kept.append(exact)
        elif exact is not None:
            outside.append(exact)
    way += "; a logarithm is taken of positive numbers alone"
    return Substituted(tuple(kept), way, tuple(numbers), tuple(outside))


def _put_in(polynomial: Polynomial, value: Expression) -> Expression:
    total: Expression = ZERO
    for number in reversed(polynomial):
        total = add(multiply(total, value), literal(number))
    return tidied(total)
