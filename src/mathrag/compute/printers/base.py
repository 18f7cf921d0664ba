"""The one walk over a tree that every printer takes: which parts there are, and where parentheses must stand.

A dialect (LaTeX, MathML, Python text, plain text, code) says how each part looks. Each part is printed once, so that
the work grows with the size of a formula and not with its depth.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import assert_never

from mathrag.types.expression import (
    ZERO,
    Add,
    Call,
    Comparison,
    Divide,
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
)

# How tightly a text holds together; a part that holds less tightly than its place asks gets parentheses. Nothing holds
# as tightly as FENCED: a place that asks for it always gets them.
SUM, REMAINDER, PRODUCT, POWER, ATOM, FENCED = range(6)

# Letters that, upper right of a symbol, name a phase, a standard state or a transpose more often than a power.
_LABELS = frozenset("l v g s e L V G S E R A B o T H alpha beta gamma theta".split())

Printed = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Form:
    """How a function looks that is not written as a word: a `%` template, how it holds, what each argument must."""

    template: str
    holds: int
    arguments: tuple[int, ...] = (SUM,)


class Printer(ABC):
    """The walk. A dialect sets the signs and answers for numbers, symbols, products, quotients, powers and the rest."""

    plus, minus, negative = " + ", " - ", "-"
    separator = ", "
    # What must be no looser: the terms of a sum after the first, what a minus sign stands before.
    term, negated = PRODUCT, PRODUCT
    # How tightly a word with its arguments in parentheses holds.
    applied = ATOM
    pi = "pi"
    relations: Mapping[str, str] = {}
    forms: Mapping[str, Form] = {}

    def text(self, expression: Expression) -> str:
        """The expression where anything may stand."""
        return self.write(expression)[0]

    def fit(self, expression: Expression, wanted: int) -> str:
        """The expression where only what holds so tightly may stand bare."""
        text, holds = self.write(expression)
        return text if holds >= wanted else self.grouped(text)

    def grouped(self, text: str) -> str:
        """A text in parentheses."""
        return f"({text})"

    def write(self, expression: Expression) -> Printed:
        """The text, and how tightly it holds together."""
        match expression:
            case Number(value):
                return self.number(value)
            case Symbol(name):
                return self.symbol(name)
            case MathConstant():
                return self.pi, ATOM
            case Measure(measured, unit):
                return self.measure(measured.value, unit)
            case Add(terms):
                return self.sum(terms), SUM
            case Negate(operand):
                return self.negative + self.fit(operand, self.negated), SUM
            case Multiply(factors):
                return self.product(factors), PRODUCT
            case Divide(numerator, denominator):
                return self.quotient(numerator, denominator)
            case Power(base, exponent):
                return self.power(base, exponent)
            case Call(function, arguments):
                return self.call(function, arguments)
            case Series():
                return self.series(expression)
            case Piecewise():
                return self.piecewise(expression)
        assert_never(expression)

    def sum(self, terms: tuple[Expression, ...]) -> str:
        """Terms with signs between them; a negated one after the first is taken away."""
        parts = [self.first_term(terms[0])]
        for term in terms[1:]:
            if isinstance(term, Negate):
                parts.append(self.minus + self.fit(term.operand, self.term))
            else:
                parts.append(self.plus + self.fit(term, self.term))
        return "".join(parts)

    def first_term(self, term: Expression) -> str:
        """The term that opens a sum; its own minus sign needs no parentheses there."""
        return self.text(term) if isinstance(term, Negate) else self.fit(term, self.term)

    def call(self, function: str, arguments: tuple[Expression, ...]) -> Printed:
        """A function: in its own form, or as a word with its arguments in parentheses."""
        form = self.forms.get(function)
        if form is not None:
            fitted = tuple(self.fit(each, wanted) for each, wanted in zip(arguments, form.arguments, strict=True))
            return form.template % fitted, form.holds
        inside = self.separator.join(map(self.text, arguments))
        return self.word(function) + self.grouped(inside), self.applied

    def comparison(self, comparison: Comparison) -> str:
        """Two sides and the relation between them."""
        return self.text(comparison.left) + self.relation(comparison.relation) + self.text(comparison.right)

    def relation(self, sign: str) -> str:
        """The sign between two sides, with the blanks around it."""
        return f" {self.relations.get(sign, sign)} "

    @abstractmethod
    def number(self, value: int | Decimal) -> Printed:
        """A literal."""

    @abstractmethod
    def symbol(self, name: str) -> Printed:
        """A symbol by its name."""

    @abstractmethod
    def measure(self, value: int | Decimal, unit: str) -> Printed:
        """A literal with its unit."""

    @abstractmethod
    def product(self, factors: tuple[Expression, ...]) -> str:
        """Factors and what stands between them."""

    @abstractmethod
    def quotient(self, numerator: Expression, denominator: Expression) -> Printed:
        """A fraction."""

    @abstractmethod
    def power(self, base: Expression, exponent: Expression) -> Printed:
        """A base with its exponent."""

    def word(self, function: str) -> str:
        """The name of a function before its parentheses."""
        return function

    @abstractmethod
    def series(self, series: Series) -> Printed:
        """A sum or product over an index."""

    @abstractmethod
    def piecewise(self, piecewise: Piecewise) -> Printed:
        """A value by cases."""


def wanted_of_base(base: Expression, exponent: Expression) -> int:
    """How tightly the base of a raised exponent must hold, where one on a symbol can be taken for part of its name."""
    is_label = exponent == ZERO or (isinstance(exponent, Symbol) and exponent.name in _LABELS)
    return FENCED if isinstance(base, Symbol) and is_label else ATOM
