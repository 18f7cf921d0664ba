"""Proofs by cases of statements with absolute values, floors, ceilings, minima and maxima of linear expressions.

In each case every such part is linear; a case is a list of linear inequalities. What shall be shown is denied, and the
inequalities are added until they contradict each other (Fourier and Motzkin). For floors each symbol is q·m + g with a
whole m and 0 ≤ g < q: a floor is then a whole multiple of the m and one of a few whole numbers. Whatever cannot be
shown so is simply not shown.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from mathrag.compute.algebra.identities import Comparison
from mathrag.compute.algebra.polynomials import NotPolynomialError, Terms, terms_of
from mathrag.types.expression import (
    TWO,
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
    power,
    subtract,
    symbols_of,
    walk,
)

_KINDS = frozenset(("abs", "floor", "ceil", "min", "max"))
_MOST_CASES = 400
_MOST_BOUNDS = 300
_MOST_SYMBOLS = 3
_LARGEST_STEP = 12


@dataclass(frozen=True, slots=True)
class _Bound:
    """A linear form that is at least 0, or above it. The constant has the empty name."""

    form: Mapping[str, Fraction]
    is_strict: bool


@dataclass(frozen=True, slots=True)
class _Case:
    """What an expression is, multiplied out, where these bounds hold."""

    value: Terms
    bounds: tuple[_Bound, ...] = ()


class _NoCasesError(ValueError):
    """The statement is not made of linear parts, or of too many."""


def is_shown_by_cases(statement: Comparison, conditions: Sequence[Comparison]) -> bool:
    """Whether the statement is certain for all real numbers that meet the conditions."""
    sides = (statement.left, statement.right)
    parts = [node for side in sides for node in walk(side) if isinstance(node, Call)]
    if not parts or len(statement.names) > _MOST_SYMBOLS or statement.sign == "!=":
        return False
    rounded = [node for node in parts if node.function in ("floor", "ceil")]
    # Steps of 1 give the fewest cases; larger ones serve where a part of a symbol is rounded.
    steps = (1, math.lcm(*map(_denominators, rounded))) if rounded else (0,)
    for step in dict.fromkeys(each for each in steps if each <= _LARGEST_STEP):
        try:
            return _Prover(step).shows(statement, conditions)
        except (_NoCasesError, NotPolynomialError):
            continue
    return False


class _Prover:
    """`step` is 0 without floors: a symbol is itself; with them it is a whole number of steps and a rest below one."""

    def __init__(self, step: int) -> None:
        self.step = step

    def shows(self, statement: Comparison, conditions: Sequence[Comparison]) -> bool:
        given = self._given(statement, conditions)
        difference = subtract(_opened(statement.left), _opened(statement.right))
        checked = 0
        for case, more in itertools.product(self._cases(difference), given):
            checked += 1
            if checked > _MOST_CASES:
                raise _NoCasesError
            if not _holds(case.value, statement.sign, (*case.bounds, *more)):
                return False
        return checked > 0

    def _given(self, statement: Comparison, conditions: Sequence[Comparison]) -> list[tuple[_Bound, ...]]:
        """What the conditions and the rests say, in each case of them."""
        always: list[_Bound] = []
        for name in statement.names if self.step else ():
            rest = f"{name}_rest"
            always += [
                _Bound({rest: Fraction(1)}, is_strict=False),
                _Bound({rest: Fraction(-1), "": Fraction(self.step)}, is_strict=True),
            ]
        found = [tuple(always)]
        for condition in conditions:
            cases = self._condition_cases(condition)
            if cases is not None:
                found = [(*one, *other) for one in found for other in cases]
        return found

    def _condition_cases(self, condition: Comparison) -> list[tuple[_Bound, ...]] | None:
        """A condition as bounds; None where it is not linear: a statement shown without it is shown."""
        try:
            cases = list(self._cases(subtract(_opened(condition.left), _opened(condition.right))))
            found: list[tuple[_Bound, ...]] = []
            for case in cases:
                form = _linear(case.value)
                turned = {name: -value for name, value in form.items()}
                match condition.sign:
                    case ">" | ">=":
                        found.append((*case.bounds, _Bound(form, condition.sign == ">")))
                    case "<" | "<=":
                        found.append((*case.bounds, _Bound(turned, condition.sign == "<")))
                    case "=":
                        equal = (_Bound(form, is_strict=False), _Bound(turned, is_strict=False))
                        found.append((*case.bounds, *equal))
                    case _:
                        found.append((*case.bounds, _Bound(form, is_strict=True)))
                        found.append((*case.bounds, _Bound(turned, is_strict=True)))
        except (_NoCasesError, NotPolynomialError):
            return None
        return found

    def _cases(self, node: Expression) -> Iterator[_Case]:
        match node:
            case Symbol(name) if self.step:
                yield _Case(
                    {((f"{name}_steps", 1),): Fraction(self.step), ((f"{name}_rest", 1),): Fraction(1)},
                )
            case Number() | Symbol():
                yield _Case(terms_of(node))
            case Call("abs", (inner,)):
                for case in self._cases(inner):
                    yield from _either_sign(case)
            case Call("max" | "min" as which, (first, second)):
                for one, other in itertools.product(self._cases(first), self._cases(second)):
                    yield from _larger(one, other, wants_larger=which == "max")
            case Call("floor", (inner,)):
                for case in self._cases(inner):
                    yield from self._floors(case)
            case Call("ceil", (inner,)):
                yield from self._cases(Negate(call("floor", Negate(inner))))
            case Negate() | Add() | Multiply() | Power() | Divide():
                yield from self._joined(node)
            case _:
                raise _NoCasesError

    def _joined(self, node: Expression) -> Iterator[_Case]:
        """An operation on parts, in every combination of their cases."""
        parts: tuple[Expression, ...]
        match node:
            case Negate(operand):
                parts = (operand,)
            case Add(terms):
                parts = terms
            case Multiply(factors):
                parts = factors
            case Power(base, Number(int())):
                parts = (base,)
            case Divide(numerator, denominator) if not symbols_of(denominator):
                parts = (numerator,)
            case _:
                raise _NoCasesError
        for count, chosen in enumerate(itertools.product(*(self._cases(part) for part in parts))):
            if count > _MOST_CASES:
                raise _NoCasesError
            values = [_expression(case.value) for case in chosen]
            whole = _rebuilt(node, values)
            yield _Case(terms_of(whole), tuple(bound for case in chosen for bound in case.bounds))

    def _floors(self, case: _Case) -> Iterator[_Case]:
        form = _linear(case.value)
        steps = {name: value for name, value in form.items() if name.endswith("_steps")}
        if any(value.denominator != 1 for value in steps.values()):
            raise _NoCasesError
        rest = {name: value for name, value in form.items() if name not in steps}
        reach = [value * (self.step if name else 1) for name, value in rest.items()]
        low = sum(value for value, name in zip(reach, rest, strict=True) if value < 0 or not name)
        high = sum(value for value, name in zip(reach, rest, strict=True) if value > 0 or not name)
        for whole in range(math.floor(low), math.floor(high) + 1):
            at_least = {**rest, "": rest.get("", Fraction(0)) - whole}
            below = {name: -value for name, value in at_least.items()}
            below[""] = below.get("", Fraction(0)) + 1
            value: Terms = {((name, 1),): size for name, size in steps.items()}
            if whole:
                value[()] = Fraction(whole)
            bounds = (*case.bounds, _Bound(at_least, is_strict=False), _Bound(below, is_strict=True))
            yield _Case(value, bounds)


def _denominators(node: Expression) -> int:
    below = [1]
    for part in walk(node):
        if isinstance(part, Number):
            below.append(Fraction(part.value).denominator)
        if isinstance(part, Divide) and isinstance(part.denominator, Number) and part.denominator.value:
            below.append(Fraction(part.denominator.value).numerator)
    return math.lcm(*below)


def _opened(node: Expression) -> Expression:
    """Sizes of products as products of sizes, roots of squares as sizes."""
    inner = map_parts(node, _opened)
    match inner:
        case Call("sqrt", (Power(base, Number(2)),)):
            return _opened(call("abs", base))
        case Call("abs", (Multiply(factors),)):
            return multiply(*(_opened(call("abs", factor)) for factor in factors))
        case Call("abs", (Negate(operand),)):
            return _opened(call("abs", operand))
        case Call("abs", (Power(base, Number(int() as count)),)):
            return power(base, Number(count)) if count % 2 == 0 else power(_opened(call("abs", base)), Number(count))
        case Call("abs", (Call("abs", _) as size,)):
            return size
        case Call("abs", (Divide(above, below),)) if not symbols_of(below):
            return divide(_opened(call("abs", above)), _opened(call("abs", below)))
        case Power(Call("abs", (base,)), Number(2)):
            return power(base, TWO)
    return inner


def _rebuilt(node: Expression, values: Sequence[Expression]) -> Expression:
    match node:
        case Negate():
            return Negate(values[0])
        case Add():
            return add(*values)
        case Multiply():
            return multiply(*values)
        case Power(_, exponent):
            return power(values[0], exponent)
        case Divide(_, denominator):
            return divide(values[0], denominator)
    raise _NoCasesError


def _expression(terms: Terms) -> Expression:
    from mathrag.compute.algebra.polynomials import expression_of

    return expression_of(terms)


def _linear(terms: Terms) -> dict[str, Fraction]:
    """The coefficients of a linear form."""
    found: dict[str, Fraction] = {}
    for monomial, value in terms.items():
        if not monomial:
            found[""] = value
        elif len(monomial) == 1 and monomial[0][1] == 1:
            found[monomial[0][0]] = value
        else:
            raise _NoCasesError
    return found


def _either_sign(case: _Case) -> Iterator[_Case]:
    form = _linear(case.value)
    turned = {name: -value for name, value in form.items()}
    yield _Case(case.value, (*case.bounds, _Bound(form, is_strict=False)))
    opposite = {monomial: -value for monomial, value in case.value.items()}
    yield _Case(opposite, (*case.bounds, _Bound(turned, is_strict=False)))


def _larger(one: _Case, other: _Case, *, wants_larger: bool) -> Iterator[_Case]:
    bounds = (*one.bounds, *other.bounds)
    first, second = _linear(one.value), _linear(other.value)
    names = {*first, *second}
    ahead = {name: first.get(name, Fraction(0)) - second.get(name, Fraction(0)) for name in names}
    behind = {name: -value for name, value in ahead.items()}
    yield _Case(one.value if wants_larger else other.value, (*bounds, _Bound(ahead, is_strict=False)))
    yield _Case(other.value if wants_larger else one.value, (*bounds, _Bound(behind, is_strict=False)))


# Linear inequalities.


def _holds(value: Terms, sign: str, bounds: Sequence[_Bound]) -> bool:
    """Whether a difference has the sign wherever the bounds hold."""
    if sign == "=" and not value:
        return True
    if _is_contradictory(bounds):
        return True
    form = _linear(_without_zeros(value, bounds))
    turned = {name: -size for name, size in form.items()}
    match sign:
        case ">=":
            denials = [_Bound(turned, is_strict=True)]
        case ">":
            denials = [_Bound(turned, is_strict=False)]
        case "<=":
            denials = [_Bound(form, is_strict=True)]
        case "<":
            denials = [_Bound(form, is_strict=False)]
        case _:
            denials = [_Bound(form, is_strict=True), _Bound(turned, is_strict=True)]
    return all(_is_contradictory([*bounds, denial]) for denial in denials)


def _without_zeros(value: Terms, bounds: Sequence[_Bound]) -> Terms:
    """The value without its terms in symbols that two bounds leave no choice but 0."""
    alone = [next(iter(bound.form.items())) for bound in bounds if len(bound.form) == 1 and "" not in bound.form]
    signs = {(name, size > 0) for name, size in alone}
    zeros = {name for name, _ in signs if (name, True) in signs and (name, False) in signs}
    return {monomial: size for monomial, size in value.items() if zeros.isdisjoint(name for name, _ in monomial)}


def _is_contradictory(bounds: Sequence[_Bound]) -> bool:
    """Whether no numbers meet all bounds: symbols are taken out one after the other, by adding bounds."""
    left = [_Bound({name: value for name, value in bound.form.items() if value}, bound.is_strict) for bound in bounds]
    while names := {name for bound in left for name in bound.form if name}:
        name = min(names, key=lambda each: sum(each in bound.form for bound in left))
        above = [bound for bound in left if bound.form.get(name, 0) > 0]
        below = [bound for bound in left if bound.form.get(name, 0) < 0]
        left = [bound for bound in left if name not in bound.form]
        left += [_without(one, other, name) for one, other in itertools.product(above, below)]
        if len(left) > _MOST_BOUNDS:
            raise _NoCasesError
    return any(bound.form.get("", 0) < 0 or (bound.is_strict and not bound.form.get("", 0)) for bound in left)


def _without(one: _Bound, other: _Bound, name: str) -> _Bound:
    weight, factor = -other.form[name], one.form[name]
    total = {each: weight * value for each, value in one.form.items()}
    for each, value in other.form.items():
        total[each] = total.get(each, Fraction(0)) + factor * value
    kept = {each: value for each, value in total.items() if value and each != name}
    return _Bound(kept, one.is_strict or other.is_strict)
