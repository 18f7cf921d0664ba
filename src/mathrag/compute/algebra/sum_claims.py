"""Whether a sum up to n is what it is said to be, for every n: shown by induction or by the binomial theorem, refuted
at the first n at which it fails, else tried exactly at the first numbers and called so."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, TypeAlias

from mathrag.compute.algebra.analysis import sum_to_symbol
from mathrag.compute.algebra.binomial_sums import ClosedSum, binomial_sum
from mathrag.compute.algebra.finite_sums import closed_sum, geometric_sum
from mathrag.compute.algebra.lettered_powers import are_equal_for_every, linear_in
from mathrag.compute.algebra.polynomials import NotPolynomialError, polynomial_of, rational_roots
from mathrag.compute.evaluate.exact import evaluate
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
    add,
    divide,
    multiply,
    number,
    substitute,
    subtract,
    symbols_of,
    walk,
)

# So many n are tried; fewer where other letters have values, too.
_TRIED, _TRIED_WITH_LETTERS, _FEWEST = 25, 8, 6
_MOST_LETTERS, _MOST_STEPS, _LARGEST_START = 3, 6, 60
_LETTER_VALUES = (*map(Fraction, (2, 3, -2, 5)), Fraction(1, 2), Fraction(-1, 3), Fraction(2, 3))

Kind: TypeAlias = Literal["induction", "theorem", "held", "refuted", "unknown"]


@dataclass(frozen=True, slots=True)
class Limit:
    """What a letter, or its size, is said to be compared with a number."""

    name: str
    sign: str
    value: Fraction
    is_size: bool = False

    def allows(self, value: Fraction) -> bool:
        """Whether the letter may have this value."""
        value = abs(value) if self.is_size else value
        return {
            "!=": value != self.value,
            "<": value < self.value,
            "<=": value <= self.value,
            ">": value > self.value,
            ">=": value >= self.value,
            "=": value == self.value,
        }[self.sign]


@dataclass(frozen=True, slots=True)
class SumClaim:
    """The sum (or product) of the body over the index, from a whole number to a n + b, and what it is said to be."""

    body: Expression
    index: str
    start: int
    upper: Expression
    symbol: str
    claimed: Expression
    is_product: bool = False
    # The smallest n that the question speaks of; None where it says nothing.
    first: int | None = None
    # What limits the other letters: `r != 1`, `|x| < 1` as (name, sign, number).
    limits: tuple[Limit, ...] = ()


@dataclass(frozen=True, slots=True)
class SumVerdict:
    """What was found, from which n on. `needed` are divisors that must not be zero; `closed` is the true sum where the
    claim is false; `point` the first place where it fails, with both sides there."""

    kind: Kind
    first: int
    tried: int = 0
    why: str = ""
    needed: tuple[Expression, ...] = ()
    point: tuple[tuple[str, Fraction], ...] = ()
    sides: tuple[Fraction, Fraction] | None = None
    closed: Expression | None = None
    # Where it fails at the first number alone: what holds from the next one on.
    later: SumVerdict | None = None


def judge_sum(claim: SumClaim) -> SumVerdict | None:
    """The verdict; None where the claim is none about whole numbers n."""
    try:
        factor, shift = linear_in(claim.upper, claim.symbol)
    except NotPolynomialError:
        return None
    if not 1 <= factor <= _MOST_STEPS or abs(claim.start) > _LARGEST_START or abs(shift) > _LARGEST_START:
        return None
    letters = {*symbols_of(claim.body), *symbols_of(claim.claimed)} - {claim.index, claim.symbol}
    if len(letters) > _MOST_LETTERS or claim.index in symbols_of(claim.claimed):
        return None
    least = -((shift - claim.start) // factor) if factor > 1 else claim.start - shift
    first = max(least, claim.first) if claim.first is not None else least
    return _judged(claim, first, sorted(letters))


def _judged(claim: SumClaim, first: int, letters: Sequence[str]) -> SumVerdict:
    tried, failed = _tried(claim, first, letters)
    if failed is not None:
        is_first = claim.first is None and failed.first == first
        later = _judged(replace(claim, first=first + 1), first + 1, letters) if is_first else None
        is_late = later is not None and later.kind in ("induction", "theorem") and later.first == first + 1
        return replace(failed, closed=_true_form(claim), later=later if is_late else None)
    if tried < _FEWEST:
        return SumVerdict("unknown", first)
    needed = _needed(claim, first)
    if needed is not None:
        if _is_inductive(claim, first):
            return SumVerdict("induction", first, tried, needed=needed)
        known = None if claim.is_product else binomial_sum(claim.body, claim.index, claim.start, claim.upper)
        if known is not None and are_equal_for_every(known.form, claim.claimed, claim.symbol) and known.first <= first:
            return SumVerdict("theorem", first, tried, known.why, needed)
    return SumVerdict("held", first, tried)


# Trying.


def _tried(claim: SumClaim, first: int, letters: Sequence[str]) -> tuple[int, SumVerdict | None]:
    """At how many n both sides were equal, and the first at which they are not."""
    held = 0
    for n in range(first, first + (_TRIED_WITH_LETTERS if letters else _TRIED)):
        is_known = False
        for point in _points(claim, letters):
            left, right = _sum_at(claim, n, point), _value(claim.claimed, {**point, claim.symbol: Fraction(n)})
            if left is None:
                return held, None
            if right is None:
                continue
            is_known = True
            if left != right:
                at = ((claim.symbol, Fraction(n)), *point.items())
                return held, SumVerdict("refuted", n, held, point=at, sides=(left, right))
        if not is_known:
            return held, None
        held += 1
    return held, None


def _points(claim: SumClaim, letters: Sequence[str]) -> Iterator[dict[str, Fraction]]:
    if not letters:
        yield {}
        return
    for shift in range(len(_LETTER_VALUES)):
        values = itertools.islice(itertools.cycle(_LETTER_VALUES), shift, None, 2)
        point = dict(zip(letters, values, strict=False))
        if all(limit.allows(point[limit.name]) for limit in claim.limits if limit.name in point):
            yield point


def _sum_at(claim: SumClaim, n: int, point: dict[str, Fraction]) -> Fraction | None:
    factor, shift = linear_in(claim.upper, claim.symbol)
    total = Fraction(1 if claim.is_product else 0)
    for place in range(claim.start, factor * n + shift + 1):
        value = _value(claim.body, {**point, claim.symbol: Fraction(n), claim.index: Fraction(place)})
        if value is None:
            return None
        total = total * value if claim.is_product else total + value
    return total


def _value(expression: Expression, point: dict[str, Fraction]) -> Fraction | None:
    found = evaluate(expression, {name: point[name] for name in symbols_of(expression)})
    return Fraction(found) if isinstance(found, int | Fraction) else None


# Induction.


def _is_inductive(claim: SumClaim, first: int) -> bool:
    """It starts right, and from one n to the next it grows by the terms that come in."""
    if claim.symbol in symbols_of(claim.body):
        return False
    n = Symbol(claim.symbol)
    factor, shift = linear_in(claim.upper, claim.symbol)
    start = [_term(claim, number(place)) for place in range(claim.start, factor * first + shift + 1)]
    if len(start) > _LARGEST_START:
        return False
    join, part = (multiply, divide) if claim.is_product else (add, subtract)
    begun = join(*start) if len(start) > 1 else start[0] if start else number(int(claim.is_product))
    at_first = substitute(claim.claimed, {claim.symbol: number(first)})
    if not are_equal_for_every(begun, at_first, claim.symbol):
        return False
    coming = [_term(claim, add(claim.upper, number(step))) for step in range(1, factor + 1)]
    grown = join(*coming) if len(coming) > 1 else coming[0]
    after = substitute(claim.claimed, {claim.symbol: add(n, ONE)})
    return are_equal_for_every(part(after, claim.claimed), grown, claim.symbol)


def _term(claim: SumClaim, place: Expression) -> Expression:
    return substitute(claim.body, {claim.index: place})


# Divisors.


def _needed(claim: SumClaim, first: int) -> tuple[Expression, ...] | None:
    """What must not be zero for both sides to have a value; None where a divisor may be zero at one of the n."""
    found: dict[Expression, None] = {}
    for side, symbol, least in ((claim.claimed, claim.symbol, first), (claim.body, claim.index, claim.start)):
        for divisor in _divisors(side, claim, first):
            conditions = _not_zero(divisor, symbol, least)
            if conditions is None:
                return None
            found.update(dict.fromkeys(conditions))
    return tuple(found)


def _divisors(side: Expression, claim: SumClaim, first: int) -> Iterator[Expression]:
    for node in walk(side):
        if isinstance(node, Divide):
            yield node.denominator
        elif isinstance(node, Power) and not _is_never_negative(node.exponent, claim, first):
            yield node.base


def _not_zero(divisor: Expression, symbol: str, least: int) -> tuple[Expression, ...] | None:
    match divisor:
        case Multiply(factors):
            parts = [_not_zero(factor, symbol, least) for factor in factors]
            return None if None in parts else tuple(each for part in parts for each in part or ())
        case Negate(operand):
            return _not_zero(operand, symbol, least)
        case Call("factorial" | "comb", _):
            return ()
        case Power(base, _):
            return _not_zero(base, symbol, least)
    names = symbols_of(divisor)
    if symbol not in names:
        value = constant_of(tidied(divisor))
        return (divisor,) if value is None else () if value else None
    try:
        roots = rational_roots(polynomial_of(divisor, symbol))
    except NotPolynomialError:
        return None
    return None if any(root.denominator == 1 and root >= least for root in roots) else ()


def _is_never_negative(exponent: Expression, claim: SumClaim, first: int) -> bool:
    """Whether an exponent is from 0 on at both ends of the sum, and so between them."""
    for end in (number(claim.start), claim.upper):
        try:
            factor, shift = linear_in(substitute(exponent, {claim.index: end}), claim.symbol)
        except NotPolynomialError:
            return False
        if factor < 0 or factor * first + shift < 0:
            return False
    return True


# The true sum.


def _true_form(claim: SumClaim) -> Expression | None:
    """The closed form of the sum, shown by induction or by the binomial theorem."""
    if claim.is_product:
        return None
    known: ClosedSum | None = binomial_sum(claim.body, claim.index, claim.start, claim.upper)
    if known is not None:
        return known.form
    body = claim.body
    if isinstance(body, Power) and isinstance(body.base, Symbol) and body.exponent == Symbol(claim.index):
        return substitute(geometric_sum(body.base, claim.start, claim.symbol), {claim.symbol: claim.upper})
    if claim.symbol in symbols_of(body) or set(symbols_of(body)) - {claim.index}:
        return None
    found = closed_form(body, claim.index, claim.start, claim.symbol)
    if found is None or claim.upper == Symbol(claim.symbol):
        return found
    return substitute(found, {claim.symbol: claim.upper})


def closed_form(body: Expression, index: str, start: int, upper: str) -> Expression | None:
    """The sum of the body up to a letter, of which it is free; None where none is known."""
    if start < 0 or upper in symbols_of(body):
        return None
    return sum_to_symbol(body, index, number(start), upper) or closed_sum(body, index, start, upper)


def shown_zero(divisor: Expression, symbol: str) -> Expression | None:
    """Where a divisor that is linear in a letter is zero."""
    try:
        below, *above = polynomial_of(divisor, symbol)
    except (NotPolynomialError, ValueError):
        return None
    return literal(-below / above[0]) if len(above) == 1 else None
