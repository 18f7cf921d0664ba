"""Solve equations, systems and inequalities among the real numbers, and say whether that is all of the solutions.

Every solution is put back into what was asked before it is handed out; what turned up on the way and does not solve it
is named too. Quotients of polynomials, roots and absolute values of them, an unknown that stands once, and polynomials
in one power, logarithm or sine are solved wholly; for the rest a search says where it looked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from mathrag.compute.algebra.angle_equations import Wave, angle_equation, wave_equation
from mathrag.compute.algebra.points import value_at
from mathrag.compute.algebra.polynomials import (
    NotPolynomialError,
    Polynomial,
    Quotient,
    Root,
    expression_of,
    minus,
    polynomial_of,
    quotient_of,
    roots_of,
    square_root,
    terms_of,
    times,
    trimmed,
)
from mathrag.compute.algebra.polynomials import value_at as polynomial_value
from mathrag.compute.algebra.substitution import Substituted, by_exponentials, by_logarithms
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.printers.plaintext import plain_comparison, plain_formula
from mathrag.compute.solve import solve, solve_numeric
from mathrag.compute.solve.tidy import constant_of, literal, tidied
from mathrag.types.expression import (
    ONE,
    PI,
    TEN,
    TWO,
    ZERO,
    Add,
    Call,
    Divide,
    Equation,
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
    substitute,
    subtract,
    symbols_of,
    walk,
)

# How far a search by numbers looks to both sides.
SEARCHED = 100.0


@dataclass(frozen=True, slots=True)
class Found:
    """One real solution. `exact` is None where it is known by its digits alone; `period` is added any whole number of
    times where the solutions go on for ever."""

    exact: Expression | None
    number: float | None = None
    multiplicity: int = 1
    period: Expression | None = None


@dataclass(frozen=True, slots=True)
class Solved:
    """The solutions for a symbol. `is_complete`: there are no other real ones, and that is certain. `everything`: every
    number solves it, except what `excluded` names. `extraneous` turned up while solving and does not solve it."""

    symbol: str
    solutions: tuple[Found, ...]
    is_complete: bool
    method: Literal["polynomial", "cases", "undoing", "substitution", "rearranging", "search"]
    everything: bool = False
    extraneous: tuple[Expression, ...] = ()
    excluded: tuple[Expression, ...] = ()
    complex_pairs: tuple[tuple[Fraction, Expression], ...] = ()
    further_complex: int = 0
    conditions: tuple[str, ...] = ()
    # How the equation was turned into one whose solutions are all known, in words.
    way: str = ""


def solve_equation(left: Expression, right: Expression, symbol: str, *, may_search: bool = True) -> Solved | Failure:
    """All that can be found about the real values of the symbol for which both sides are equal.

    Without `may_search`, only what can be solved wholly is.
    """
    others = {*symbols_of(left), *symbols_of(right)} - {symbol}
    if others:
        return _rearranged(left, right, symbol)
    for way in (_rational, _radical, _absolute, _undone, _substituted, _turning):
        found = way(left, right, symbol)
        if found is not None:
            return found
    return _searched(left, right, symbol) if may_search else Failure("unsolved", "it is not solved wholly")


# Quotients of polynomials: wholly.


def _rational(left: Expression, right: Expression, symbol: str) -> Solved | None:
    try:
        whole = quotient_of(subtract(left, right), symbol)
    except NotPolynomialError:
        return None
    return _roots_but(whole, symbol, left, right)


def _roots_but(whole: Quotient, symbol: str, left: Expression, right: Expression) -> Solved | None:
    excluded = _excluded(whole)
    if not whole.above:
        return Solved(symbol, (), True, "polynomial", everything=True, excluded=excluded)
    roots = roots_of(whole.above)
    kept: list[Found] = []
    extraneous: list[Expression] = []
    for root in roots.real:
        if any(_is_root(polynomial, root) for polynomial in whole.forbidden):
            if root.exact is not None:
                extraneous.append(root.exact)
            continue
        if not _solves(left, right, symbol, root):
            return None
        kept.append(Found(root.exact, root.value, root.multiplicity))
    return Solved(
        symbol,
        tuple(kept),
        True,
        "polynomial",
        extraneous=tuple(extraneous),
        excluded=excluded,
        complex_pairs=roots.complex_pairs if not whole.forbidden else (),
        further_complex=roots.uncounted_complex if not whole.forbidden else 0,
    )


def _excluded(whole: Quotient) -> tuple[Expression, ...]:
    found = (root.exact for polynomial in whole.forbidden for root in roots_of(polynomial).real if root.exact)
    return tuple(dict.fromkeys(found))


def _is_root(polynomial: Polynomial, root: Root) -> bool:
    """Whether it is also a root of another polynomial: exactly for fractions, by a change of sign else."""
    if root.low == root.high:
        return not polynomial_value(polynomial, root.low)
    ends = polynomial_value(polynomial, root.low), polynomial_value(polynomial, root.high)
    return ends[0] * ends[1] <= 0


def _solves(left: Expression, right: Expression, symbol: str, root: Root) -> bool:
    """Whether a root solves the equation as it was asked: with many digits where it is exact."""
    if root.exact is not None:
        return is_solution(left, right, symbol, root.exact)
    ends = [value_at(subtract(left, right), {symbol: place}) for place in (root.low, root.high)]
    if not all(end.is_real for end in ends):
        return False
    return root.low == root.high or bool(ends[0].real * ends[1].real <= 0) or bool(abs(ends[0].real) < 1e-20)


def is_solution(left: Expression, right: Expression, symbol: str, value: Expression) -> bool:
    """Whether both sides agree, with many digits and among the real numbers, when the value is put in."""
    sides = [value_at(substitute(side, {symbol: value}), {}) for side in (left, right)]
    if not (sides[0].is_real and sides[1].is_real):
        return False
    assert sides[0].digits is not None
    assert sides[1].digits is not None
    near = sides[0].digits.is_near(sides[1].digits)
    if near is not False:
        return near is True
    # Of a difference of near equals nothing is left but noise, and zero on the other side has no size to compare with.
    size = max(
        (abs(value_at(substitute(node, {symbol: value}), {}).real) for node in _summands((left, right), symbol, value)),
        default=1,
    )
    return bool(abs(sides[0].real - sides[1].real) <= 1e-40 * max(size, 1))


def _summands(sides: Iterable[Expression], symbol: str, value: Expression) -> list[Expression]:
    found = [term for side in sides for term in (side.terms if isinstance(side, Add) else (side,))]
    return [term for term in found if value_at(substitute(term, {symbol: value}), {}).is_real]


# One root or one absolute value of polynomials: squared or taken apart, and what does not fit named.


def _radical(left: Expression, right: Expression, symbol: str) -> Solved | None:
    return _by_cases(left, right, symbol, "sqrt", lambda inside, rest: [minus(inside, times(rest, rest))])


def _absolute(left: Expression, right: Expression, symbol: str) -> Solved | None:
    return _by_cases(
        left,
        right,
        symbol,
        "abs",
        lambda inside, rest: [minus(inside, rest), minus(inside, trimmed([-each for each in rest]))],
    )


def _by_cases(
    left: Expression,
    right: Expression,
    symbol: str,
    function: str,
    cases: Callable[[Polynomial, Polynomial], list[Polynomial]],
) -> Solved | None:
    """Of `a √P + Q = R`: the roots of the polynomials that follow from it, put back one by one."""
    difference = subtract(left, right)
    calls = {node for node in walk(difference) if isinstance(node, Call) and symbol in symbols_of(node)}
    if len(calls) != 1 or next(iter(calls)).function != function:
        return None
    part = next(iter(calls))
    try:
        terms = terms_of(substitute_part(difference, part, Symbol("part_alone")))
        inside = polynomial_of(part.arguments[0], symbol)
        factor = terms.pop((("part_alone", 1),))
        rest = polynomial_of(expression_of(terms), symbol)
    except (NotPolynomialError, KeyError):
        return None
    rest = tuple(-value / factor for value in rest)
    kept: dict[Expression | float, Found] = {}
    extraneous: dict[Expression, None] = {}
    for case in cases(inside, rest):
        if not case:
            return None
        for root in roots_of(case).real:
            if not _solves(left, right, symbol, root):
                if root.exact is None:
                    # By its digits alone it cannot be told from one that only nearly solves it.
                    return None
                extraneous[root.exact] = None
            else:
                kept[root.exact or root.value] = Found(root.exact, root.value)
    ordered = tuple(sorted(kept.values(), key=lambda found: found.number or 0.0))
    return Solved(symbol, ordered, True, "cases", extraneous=tuple(each for each in extraneous if each not in kept))


def substitute_part(node: Expression, part: Expression, by: Expression) -> Expression:
    """The tree with one part of it replaced, wherever it stands."""
    return by if node == part else map_parts(node, lambda inner: substitute_part(inner, part, by))


# An unknown that stands once: operation by operation, each with all of its branches.


@dataclass(frozen=True, slots=True)
class _Branch:
    value: Expression
    period: Expression | None = None


_Steps: TypeAlias = list[tuple[Expression, _Branch]]


def _undone(left: Expression, right: Expression, symbol: str) -> Solved | None:
    if symbol in symbols_of(right):
        left, right = right, left
    if symbol in symbols_of(right) or sum(node == Symbol(symbol) for node in walk(left)) != 1:
        return None
    ends = _followed([(left, _Branch(right))], symbol)
    return None if ends is None else _gathered(left, right, symbol, ends)


def _followed(starts: _Steps, symbol: str) -> list[_Branch] | None:
    """What the unknown itself must be, where it is known what parts with it must be."""
    pending = list(starts)
    ends: list[_Branch] = []
    while pending:
        node, branch = pending.pop()
        if node == Symbol(symbol):
            ends.append(branch)
            continue
        steps = _inverse_step(node, branch, symbol)
        if steps is None:
            return None
        pending.extend(steps)
    return ends


def _gathered(left: Expression, right: Expression, symbol: str, ends: Sequence[_Branch]) -> Solved | None:
    kept: dict[str, Found] = {}
    extraneous: list[Expression] = []
    for branch in ends:
        exact = tidied(branch.value)
        value = value_at(exact, {})
        if value.is_undefined:
            continue
        if not value.is_real:
            return None
        if not is_solution(left, right, symbol, exact):
            if branch.period is not None:
                return None
            extraneous.append(exact)
            continue
        number = float(value.real)
        if branch.period is not None and any(_is_shifted(each, number, branch.period) for each in kept.values()):
            continue
        kept.setdefault(f"{number:.12g}", Found(as_fraction(exact), number, period=branch.period))
    found = tuple(sorted(kept.values(), key=lambda each: each.number or 0.0))
    return Solved(symbol, found, True, "undoing", extraneous=tuple(extraneous))


def _is_shifted(found: Found, number: float, period: Expression) -> bool:
    """Whether a solution is another one some periods further on."""
    size = float(value_at(period, {}).real)
    turns = ((found.number or 0.0) - number) / size
    return found.period == period and abs(turns - round(turns)) < 1e-9


def as_fraction(exact: Expression) -> Expression:
    """A short fraction where the number is one to the last of many digits: ln(8) / ln(2) is 3."""
    value = value_at(exact, {})
    if value.digits is None or not value.is_real or constant_of(exact) is not None:
        return exact
    short = Fraction(float(value.real)).limit_denominator(1_000)
    found = value_at(literal(short), {})
    return literal(short) if found.digits is not None and value.digits.is_near(found.digits) else exact


def _inverse_step(node: Expression, branch: _Branch, symbol: str) -> _Steps | None:
    """What must hold of the part that has the unknown; an empty list where nothing can, None where no rule is known."""
    match node:
        case Negate(part):
            return [(part, _Branch(negate(branch.value), branch.period))]
        case Add(terms):
            part = next(term for term in terms if symbol in symbols_of(term))
            rest = [term for term in terms if term is not part]
            return [(part, _Branch(subtract(branch.value, add(*rest)), branch.period))]
        case Multiply(factors):
            part = next(factor for factor in factors if symbol in symbols_of(factor))
            return _over(part, branch, multiply(*(each for each in factors if each is not part)))
        case Divide(above, below) if symbol in symbols_of(above):
            return _over(above, branch, divide(ONE, below))
    # Beyond a sum or a factor, solutions that go on for ever are not followed.
    return None if branch.period is not None else _inverse_function(node, branch.value, symbol)


def _over(part: Expression, branch: _Branch, factor: Expression) -> _Steps | None:
    if _sign_of(factor) in (0, None):
        return None
    period = None if branch.period is None else tidied(divide(branch.period, factor))
    return [(part, _Branch(divide(branch.value, factor), period))]


def _inverse_function(node: Expression, value: Expression, symbol: str) -> _Steps | None:
    match node:
        case Divide(_, Call("tan", _)) if _sign_of(value) == 0:
            # A cotangent is 0 where the tangent has no value.
            return None
        case Divide(above, below):
            return [] if _sign_of(value) == 0 else [(below, _Branch(divide(above, value)))]
        case Power(base, exponent) if symbol in symbols_of(base):
            return _undone_power(base, exponent, value)
        case Power(base, exponent):
            return _undone_exponential(base, exponent, value)
        case Call(function, (inner,)):
            return _undone_call(function, inner, value)
    return None


def _sign_of(value: Expression) -> int | None:
    found = value_at(value, {})
    if not found.is_real:
        return None
    assert found.digits is not None
    size = abs(found.real)
    if size <= 10 * found.digits.error:
        return 0
    return 1 if found.real > 0 else -1


def _undone_power(base: Expression, exponent: Expression, value: Expression) -> _Steps | None:
    count, sign = constant_of(exponent), _sign_of(value)
    if count is None or sign is None or count == 0:
        return None
    if sign == 0:
        return [(base, _Branch(ZERO))] if count > 0 else []
    if count.denominator != 1:
        # Such powers are taken of numbers that are not negative.
        return [(base, _Branch(power(value, literal(1 / count))))] if sign > 0 else []
    if count < 0:
        value, count = divide(ONE, value), -count
    if count == 1:
        return [(base, _Branch(value))]
    if count % 2:
        root = power(value if sign > 0 else negate(value), literal(1 / count))
        return [(base, _Branch(root if sign > 0 else negate(root)))]
    root = _even_root(value, count)
    return [] if sign < 0 else [(base, _Branch(root)), (base, _Branch(negate(root)))]


def _even_root(value: Expression, count: Fraction) -> Expression:
    exact = constant_of(tidied(value))
    if isinstance(value, Call) and value.function == "exp":
        return call("exp", tidied(divide(value.arguments[0], literal(count))))
    if count != 2:
        return power(value, literal(1 / count))
    return call("sqrt", value) if exact is None or exact < 0 else square_root(exact)


def _undone_exponential(base: Expression, exponent: Expression, value: Expression) -> _Steps | None:
    if _sign_of(base) != 1 or _sign_of(subtract(base, ONE)) == 0:
        return None
    if _sign_of(value) != 1:
        return []
    return [(exponent, _Branch(divide(call("log", value), call("log", base))))]


_INVERSES: dict[str, Callable[[Expression], Expression]] = {
    "exp": lambda value: call("log", value),
    "log": lambda value: call("exp", value),
    "log10": lambda value: power(TEN, value),
    "log2": lambda value: power(TWO, value),
    "sqrt": lambda value: power(value, TWO),
    "cbrt": lambda value: power(value, Number(3)),
    "sinh": lambda value: call("asinh", value),
    "tanh": lambda value: call("atanh", value),
    "asinh": lambda value: call("sinh", value),
    "asin": lambda value: call("sin", value),
    "acos": lambda value: call("cos", value),
    "atan": lambda value: call("tan", value),
}
_FULL_TURN = multiply(TWO, PI)


def _undone_call(function: str, inner: Expression, value: Expression) -> _Steps | None:
    sign = _sign_of(value)
    if sign is None:
        return None
    if function == "abs":
        return [] if sign < 0 else [(inner, _Branch(each)) for each in ((value, negate(value)) if sign else (ZERO,))]
    if (function == "exp" and sign <= 0) or (function == "sqrt" and sign < 0):
        return []
    if function in ("sin", "cos"):
        return _undone_turn(function, inner, value)
    if function == "tan":
        return [(inner, _Branch(_angle("atan", value), PI))]
    return [(inner, _Branch(_INVERSES[function](value)))] if function in _INVERSES else None


def _undone_turn(function: str, inner: Expression, value: Expression) -> _Steps | None:
    beyond = _sign_of(subtract(call("abs", value), ONE))
    if beyond is None:
        return None
    if beyond > 0:
        return []
    angle = _angle("asin" if function == "sin" else "acos", value)
    other = subtract(PI, angle) if function == "sin" else negate(angle)
    return [(inner, _Branch(each, _FULL_TURN)) for each in (tidied(angle), tidied(other))]


def _angle(function: str, value: Expression) -> Expression:
    """The angle, as a part of pi where it is a twelfth of it."""
    exact = value_at(call(function, value), {})
    if exact.is_real:
        part = exact.real / math.pi * 12
        near = round(float(part))
        candidate = tidied(multiply(literal(Fraction(near, 12)), PI))
        found = value_at(candidate, {})
        if found.digits is not None and exact.digits is not None and exact.digits.is_near(found.digits):
            return candidate
        if near == 0 and abs(exact.real) < 1e-40:
            return ZERO
    return call(function, value)


# A power, a logarithm or a sine with a letter of its own.


def _substituted(left: Expression, right: Expression, symbol: str) -> Solved | None:
    found = by_exponentials(left, right, symbol) or by_logarithms(left, right, symbol)
    return None if found is None else _put_back(left, right, symbol, found)


def _put_back(left: Expression, right: Expression, symbol: str, found: Substituted) -> Solved | None:
    kept: list[Found] = []
    for each in found.exact:
        exact = as_fraction(tidied(each))
        value = value_at(exact, {})
        if not value.is_real or not is_solution(left, right, symbol, exact):
            return None
        kept.append(Found(exact, float(value.real)))
    for number in found.numbers:
        if not _changes_sign(left, right, symbol, number):
            return None
        kept.append(Found(None, number))
    ordered = tuple(sorted(kept, key=lambda each: each.number or 0.0))
    return Solved(symbol, ordered, True, "substitution", extraneous=found.outside, way=found.way)


def _turning(left: Expression, right: Expression, symbol: str) -> Solved | None:
    """Sines, cosines and tangents of one angle: all angles with the values that follow from it, put back."""
    found = angle_equation(left, right, symbol)
    starts: _Steps = []
    way = "" if found is None else found.way
    for value in () if found is None else found.values:
        steps = _undone_call(found.function, found.angle, value) if found is not None else None
        if steps is None:
            return None
        starts.extend(steps)
    if found is None:
        wave = wave_equation(left, right, symbol)
        steps = None if wave is None else _wave_angles(wave)
        if wave is None or steps is None:
            return None
        starts, way = steps, "the sum of a multiple of the sine and one of the cosine is one sine of a shifted angle"
    ends = _followed(starts, symbol)
    if ends is None:
        return None
    solving = [
        _Branch(exact, branch.period)
        for branch in ends
        if is_solution(left, right, symbol, exact := tidied(branch.value))
    ]
    gathered = _gathered(left, right, symbol, solving)
    if gathered is None:
        return None
    shorter = _with_half_period(left, right, symbol, gathered.solutions)
    return Solved(symbol, shorter, True, "substitution", way=way)


def _wave_angles(wave: Wave) -> _Steps | None:
    """a sin t + b cos t = c is sin(t + f) = c / r with r = √(a² + b²), sin f = b / r and cos f = a / r."""
    size = call("sqrt", tidied(add(power(wave.along, TWO), power(wave.across, TWO))))
    if _sign_of(size) != 1:
        return None
    side, beyond = _sign_of(wave.across), _sign_of(wave.along)
    if side is None or beyond is None:
        return None
    if not beyond:
        shift: Expression = divide(PI, Number(2 * side))
    else:
        shift = _angle("atan", tidied(divide(wave.across, wave.along)))
        shift = shift if beyond > 0 else add(shift, PI)
    steps = _undone_turn("sin", wave.angle, tidied(divide(wave.value, size)))
    if steps is None:
        return None
    return [(node, _Branch(tidied(subtract(branch.value, shift)), branch.period)) for node, branch in steps]


def _with_half_period(left: Expression, right: Expression, symbol: str, found: tuple[Found, ...]) -> tuple[Found, ...]:
    """0 and π with the period 2π are 0 with the period π."""
    period = found[0].period if found else None
    if period is None or any(each.period != period or each.exact is None for each in found):
        return found
    size, half = float(value_at(period, {}).real), tidied(divide(period, TWO))
    shifted = [tidied(add(each.exact, half)) for each in found if each.exact is not None]
    if len(found) % 2 or not all(is_solution(left, right, symbol, each) for each in shifted):
        return found
    first: list[Found] = []
    for each in sorted(found, key=lambda one: (abs(one.number or 0.0), -(one.number or 0.0))):
        turns = [((each.number or 0.0) - (one.number or 0.0)) / size * 2 for one in first]
        if all(abs(turn - round(turn)) > 1e-9 for turn in turns):
            first.append(Found(each.exact, each.number, period=half))
    return tuple(sorted(first, key=lambda one: one.number or 0.0)) if len(first) * 2 == len(found) else found


# What is left: a form by rearranging where there are other symbols, numbers found by searching else.


def _rearranged(left: Expression, right: Expression, symbol: str) -> Solved | Failure:
    found = solve(Equation(left, right), symbol)
    if isinstance(found, Failure):
        return found
    conditions: dict[str, None] = {}
    for solution in found.solutions:
        conditions.update(dict.fromkeys(plain_comparison(each) for each in solution.conditions))
        for node in walk(solution.expression):
            if isinstance(node, Divide) and symbols_of(node.denominator):
                conditions[f"{plain_formula(node.denominator)} ≠ 0"] = None
    return Solved(
        symbol,
        tuple(Found(solution.expression) for solution in found.solutions),
        False,
        "rearranging",
        conditions=tuple(conditions),
    )


def _searched(left: Expression, right: Expression, symbol: str) -> Solved | Failure:
    equation = Equation(left, right)
    exact = solve(equation, symbol, seconds=4.0)
    found: list[Found] = []
    if not isinstance(exact, Failure):
        for solution in exact.solutions:
            value = value_at(solution.expression, {})
            if value.is_real and is_solution(left, right, symbol, solution.expression):
                found.append(Found(solution.expression, float(value.real)))
    numbers = solve_numeric(equation, symbol, {}, bracket=(-SEARCHED, SEARCHED))
    if not isinstance(numbers, Failure):
        for number in numbers:
            if not any(
                each.number is not None and math.isclose(each.number, number, rel_tol=1e-7, abs_tol=1e-9)
                for each in found
            ) and _changes_sign(left, right, symbol, number):
                whole = literal(Fraction(number).limit_denominator(1_000))
                is_whole = is_solution(left, right, symbol, whole)
                found.append(
                    Found(whole if is_whole else None, float(value_at(whole, {}).real) if is_whole else number)
                )
    if not found:
        return Failure("unsolved", "no solution was found, which does not say that there is none")
    ordered = tuple(sorted(found, key=lambda each: each.number or 0.0))
    return Solved(symbol, ordered, False, "search")


def _changes_sign(left: Expression, right: Expression, symbol: str, number: float) -> bool:
    """Whether the difference of both sides changes its sign within the last digits of a number."""
    width = Fraction(max(abs(number), 1e-6)).limit_denominator(10**15) / 10**9
    place = Fraction(number)
    ends = [value_at(subtract(left, right), {symbol: place + shift}) for shift in (-width, width)]
    return all(end.is_real for end in ends) and bool(ends[0].real * ends[1].real < 0)
