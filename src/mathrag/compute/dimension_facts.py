"""Walk an equation and collect what its form says about dimensions: which parts must agree, which must be numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import assert_never

from mathrag.compute.evaluate import Failure, evaluate
from mathrag.compute.linear_dimensions import Form
from mathrag.compute.printers.pythontext import python_text
from mathrag.errors import UnitError
from mathrag.types.expression import (
    Add,
    Call,
    Comparison,
    Divide,
    Equation,
    Expression,
    MathConstant,
    Measure,
    Multiply,
    Negate,
    Number,
    Piecewise,
    Power,
    Series,
    Symbol,
    negate,
    symbols_of,
)
from mathrag.types.quantity import DIMENSIONLESS

_ROOTS = {"sqrt": Fraction(1, 2), "cbrt": Fraction(1, 3)}
_SAME_DIMENSION = frozenset(("abs", "floor", "ceil", "min", "max", "mod", "gcd", "lcm"))
_LOGARITHMS = frozenset(("ln", "log", "log10", "log2"))
_NUMBER = Form(DIMENSIONLESS)


@dataclass(frozen=True, slots=True)
class Member:
    """A part of the formula with its dimension as a form."""

    expression: Expression
    form: Form


@dataclass(frozen=True, slots=True)
class Group:
    """Parts that must have one dimension (`expected`, or that of the first), and where in the formula."""

    place: str
    members: tuple[Member, ...]
    expected: Form | None = None


@dataclass(frozen=True, slots=True)
class SymbolicPower:
    """A power whose exponent holds symbols; its dimension is the unknown `name` until the base is known."""

    name: str
    base: Form
    exponent: str
    text: str


@dataclass(slots=True)
class Facts:
    """Everything one equation says about its dimensions."""

    groups: list[Group] = field(default_factory=list)
    powers: list[SymbolicPower] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def collect_facts(equation: Equation) -> Facts:
    """The facts of an equation: inner parts first, the equality of all its terms last."""
    walker = _Walker()
    right = [negate(term) for term in _terms(equation.right)]
    terms = walker.without_logarithms("the equation", [*_terms(equation.left), *right])
    members = [walker.member(_positive(term)) for term in terms if not _is_zero(term)]
    if members:
        walker.facts.groups.append(Group("the equation", tuple(members)))
    return walker.facts


def _terms(side: Expression) -> Sequence[Expression]:
    return side.terms if isinstance(side, Add) else (side,)


def _positive(term: Expression) -> Expression:
    """Without the sign that only moved it to the other side."""
    return term.operand if isinstance(term, Negate) else term


def _logarithm(term: Expression) -> tuple[str, Fraction, Expression] | None:
    """A term that is a number times a logarithm: the function, the number and the argument."""
    match term:
        case Call(function, (argument,)) if function in _LOGARITHMS:
            return function, Fraction(1), argument
        case Negate(operand):
            found = _logarithm(operand)
            return None if found is None else (found[0], -found[1], found[2])
        case Multiply(factors):
            logarithms = [found for factor in factors if (found := _logarithm(factor)) is not None]
            plain = [factor for factor in factors if not symbols_of(factor) and _logarithm(factor) is None]
            values = [evaluate(factor, {}) for factor in plain]
            if len(logarithms) == 1 and len(plain) == len(factors) - 1:
                function, coefficient, argument = logarithms[0]
                for value in values:
                    if isinstance(value, Failure):
                        return None
                    coefficient *= Fraction(value).limit_denominator(10_000)
                return function, coefficient, argument
        case Divide(numerator, denominator) if not symbols_of(denominator):
            found = _logarithm(numerator)
            below = evaluate(denominator, {})
            if found is not None and not isinstance(below, Failure) and below:
                return found[0], found[1] / Fraction(below).limit_denominator(10_000), found[2]
    return None


def _is_zero(expression: Expression) -> bool:
    """A zero fits every dimension."""
    match expression:
        case Number(value):
            return value == 0
        case Negate(operand):
            return _is_zero(operand)
        case Multiply(factors):
            return any(map(_is_zero, factors))
        case _:
            return False


class _Walker:
    def __init__(self) -> None:
        self.facts = Facts()
        self.indices: list[str] = []

    def member(self, expression: Expression) -> Member:
        return Member(expression, self.form(expression))

    def form(self, node: Expression) -> Form:
        match node:
            case Number() | MathConstant():
                return _NUMBER
            case Measure():
                return self._measure(node)
            case Symbol(name):
                return _NUMBER if name in self.indices else Form(unknown={name: Fraction(1)})
            case Add(terms):
                return self._alike(f"the sum {python_text(node)}", terms)
            case Multiply(factors):
                total = _NUMBER
                for factor in factors:
                    total = total.times(self.form(factor))
                return total
            case Divide(numerator, denominator):
                return self.form(numerator).times(self.form(denominator).to(Fraction(-1)))
            case Negate(operand):
                return self.form(operand)
            case Power():
                return self._power(node)
            case Call():
                return self._call(node)
            case Series():
                return self._series(node)
            case Piecewise():
                return self._piecewise(node)
        assert_never(node)

    def _measure(self, node: Measure) -> Form:
        # Imported here: the unit tables take a while to load and most formulas carry no units.
        from mathrag.compute.units import read_canonical_unit

        try:
            return Form(read_canonical_unit(node.unit).dimension)
        except UnitError:
            self.facts.notes.append(f"the unit {node.unit!r} is not known")
            return self._fresh(node)

    def _fresh(self, node: Expression) -> Form:
        """An unknown of its own, for a part that says nothing about its dimension."""
        return Form(unknown={f"?{len(self.facts.notes)}:{python_text(node)}": Fraction(1)})

    def without_logarithms(self, place: str, terms: Sequence[Expression]) -> list[Expression]:
        """The terms of a sum that are left when its logarithms are taken together.

        ln k - ln A says only that k / A is a plain number; each alone would have to be one.
        """
        found = [_logarithm(term) for term in terms]
        functions = {one[0] for one in found if one is not None}
        if sum(one is not None for one in found) < 2 or len(functions) != 1:
            return list(terms)
        total = _NUMBER
        for one in found:
            if one is not None:
                total = total.times(self.form(one[2]).to(one[1]))
        arguments = [one[2] for one in found if one is not None]
        self.facts.groups.append(Group(f"the logarithms of {place}", (Member(arguments[0], total),), _NUMBER))
        # One number stands for them, so that the other terms of the sum must be numbers too.
        return [Number(1), *(term for term, one in zip(terms, found, strict=True) if one is None)]

    def _alike(self, place: str, parts: Sequence[Expression]) -> Form:
        parts = self.without_logarithms(place, parts) if place.startswith("the sum") else parts
        members = [self.member(part) for part in parts if not _is_zero(part)]
        if len(members) > 1:
            self.facts.groups.append(Group(place, tuple(members)))
        return members[0].form if members else _NUMBER

    def _number(self, place: str, part: Expression) -> None:
        """A part that must be a plain number."""
        member = self.member(part)
        if member.form != _NUMBER and not _is_zero(part):
            self.facts.groups.append(Group(place, (member,), _NUMBER))

    def _power(self, node: Power) -> Form:
        base = self.form(node.base)
        exponent = None if symbols_of(node.exponent) else evaluate(node.exponent, {})
        if exponent is None or isinstance(exponent, Failure):
            self._number(f"the exponent of {python_text(node)}", node.exponent)
            return _NUMBER if base == _NUMBER else self._symbolic(node, base, python_text(node.exponent))
        if isinstance(exponent, float):
            exponent = Fraction(exponent).limit_denominator(10_000)
        return base.to(Fraction(exponent))

    def _symbolic(self, node: Expression, base: Form, exponent: str) -> Form:
        text = python_text(node)
        name = f"?power:{text}"
        if all(power.name != name for power in self.facts.powers):
            self.facts.powers.append(SymbolicPower(name, base, exponent, text))
        return Form(unknown={name: Fraction(1)})

    def _call(self, node: Call) -> Form:
        function, arguments = node.function, node.arguments
        if function in _ROOTS:
            return self.form(arguments[0]).to(_ROOTS[function])
        if function in _SAME_DIMENSION:
            return self._alike(f"the arguments of {function}", arguments)
        if function == "atan2":
            self._alike("the arguments of atan2", arguments)
            return _NUMBER
        for argument in arguments:
            self._number(f"the argument of {function}", argument)
        return _NUMBER

    def _series(self, node: Series) -> Form:
        self._number("the bounds of the series", node.lower)
        self._number("the bounds of the series", node.upper)
        self.indices.append(node.index)
        body = self.form(node.body)
        self.indices.pop()
        if node.operation == "sum" or body == _NUMBER:
            return body
        return self._symbolic(node, body, f"the number of factors in {python_text(node)}")

    def _piecewise(self, node: Piecewise) -> Form:
        for _, comparisons in node.branches:
            for comparison in comparisons:
                self._comparison(comparison)
        values = [value for value, _ in node.branches]
        return self._alike("the cases", values if node.otherwise is None else [*values, node.otherwise])

    def _comparison(self, comparison: Comparison) -> None:
        self._alike("a condition", (comparison.left, comparison.right))
