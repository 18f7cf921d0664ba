"""Write a tree as Python text that means the same under Python's own rules. Prints only; nothing is ever run.

Powers are `**`, functions carry the names of Python's `math`, and what the reader of Python text makes of the result
is the tree that was printed.
"""

from __future__ import annotations

from decimal import Decimal
from typing import assert_never

from mathrag.errors import ExpressionLimitError
from mathrag.types.expression import (
    MAXIMUM_DEPTH,
    ONE,
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
    depth_of,
)

# How tightly a text holds together; a part that holds less tightly than its place asks gets parentheses.
_SUM, _REMAINDER, _PRODUCT, _POWER, _ATOM = 1, 2, 3, 4, 5

# Solving can deepen a tree beyond what a reader accepts; beyond this even Python's stack is at risk.
_PRINTABLE_DEPTH = MAXIMUM_DEPTH + 40

_RELATIONS = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "=": "==", "!=": "!="}


def python_text(expression: Expression, *, units: bool = False) -> str:
    """The expression as Python text; with `units`, a measure keeps its unit as `quantity(8.314, "J/(mol*K)")`."""
    if depth_of(expression) > _PRINTABLE_DEPTH:
        raise ExpressionLimitError("the formula is nested too deeply to be written out")
    return _Printer(units).text(expression)


def python_equation(equation: Equation, *, units: bool = False) -> str:
    """Both sides with their relation, then the conditions that are comparisons."""
    printer = _Printer(units)
    parts = [
        f"{python_text(equation.left, units=units)} {equation.relation} {python_text(equation.right, units=units)}"
    ]
    parts.extend(
        " and ".join(map(printer.comparison, condition.comparisons))
        for condition in equation.conditions
        if condition.comparisons
    )
    return ", ".join(parts)


def comparison_text(comparison: Comparison) -> str:
    """A comparison as Python text: `x > 0`."""
    return _Printer(units=False).comparison(comparison)


def number_text(value: int | Decimal) -> str:
    """The digits of a literal. Through Decimal, because Python refuses to write very long integers directly."""
    return format(Decimal(value), "f") if isinstance(value, int) else str(value)


class _Printer:
    def __init__(self, units: bool) -> None:
        self.units = units

    def text(self, expression: Expression) -> str:
        return self._write(expression)[0]

    def comparison(self, comparison: Comparison) -> str:
        return (
            f"{self._fit(comparison.left, _SUM)} {_RELATIONS[comparison.relation]} {self._fit(comparison.right, _SUM)}"
        )

    def _fit(self, expression: Expression, wanted: int) -> str:
        text, holds = self._write(expression)
        return text if holds >= wanted else f"({text})"

    def _write(self, expression: Expression) -> tuple[str, int]:
        match expression:
            case Number(value):
                return number_text(value), _ATOM
            case Symbol(name) | MathConstant(name):
                return name, _ATOM
            case Measure(measured, unit):
                text = number_text(measured.value)
                return (f'quantity({text}, "{unit}")' if self.units else text), _ATOM
            case Add(terms):
                return self._sum(terms), _SUM
            case Negate(operand):
                # Written like a term: the minus sign covers a whole product, as it does in print.
                return "-" + self._fit(operand, _PRODUCT), _SUM
            case Multiply(factors):
                return "*".join(self._factor(each, index) for index, each in enumerate(factors)), _PRODUCT
            case Divide(numerator, denominator):
                return f"{self._fit(numerator, _PRODUCT)}/{self._fit(denominator, _POWER)}", _PRODUCT
            case Power(base, exponent):
                return f"{self._base(base)}**{self._fit(exponent, _ATOM)}", _POWER
            case Call("mod", (left, right)):
                return f"{self._fit(left, _PRODUCT)} % {self._fit(right, _POWER)}", _REMAINDER
            case Call(function, arguments):
                return f"{function}({', '.join(map(self.text, arguments))})", _ATOM
            case Series():
                return self._series(expression), _ATOM
            case Piecewise():
                return self._piecewise(expression), _ATOM
        assert_never(expression)

    def _sum(self, terms: tuple[Expression, ...]) -> str:
        parts = [self._first_term(terms[0])]
        for term in terms[1:]:
            if isinstance(term, Negate):
                parts.append(f" - {self._fit(term.operand, _REMAINDER)}")
            else:
                parts.append(f" + {self._fit(term, _REMAINDER)}")
        return "".join(parts)

    def _first_term(self, term: Expression) -> str:
        return self._write(term)[0] if isinstance(term, Negate) else self._fit(term, _REMAINDER)

    def _factor(self, factor: Expression, index: int) -> str:
        # Only the first factor may be a bare quotient: a/b*c is (a/b)*c, but a*b/c is not a*(b/c).
        if index == 0 and isinstance(factor, Divide):
            return self._write(factor)[0]
        return self._fit(factor, _POWER)

    def _base(self, base: Expression) -> str:
        # Bare e before ** means exp, so the symbol e is set apart.
        return "(e)" if base == Symbol("e") else self._fit(base, _ATOM)

    def _series(self, series: Series) -> str:
        function = "sum" if series.operation == "sum" else "prod"
        bounds = f"{self.text(series.lower)}, {self._stop(series.upper)}"
        return f"{function}({self.text(series.body)} for {series.index} in range({bounds}))"

    def _stop(self, upper: Expression) -> str:
        """Python's range ends before its second bound."""
        if isinstance(upper, Number) and isinstance(upper.value, int):
            return number_text(upper.value + 1)
        if isinstance(upper, Add) and upper.terms[-1] == Negate(ONE):
            rest = upper.terms[:-1]
            if len(rest) == 1 and not isinstance(rest[0], Number | Add):
                return self.text(rest[0])
        return self._sum((*upper.terms, ONE) if isinstance(upper, Add) else (upper, ONE))

    def _piecewise(self, piecewise: Piecewise) -> str:
        parts = []
        for value, comparisons in piecewise.branches:
            test = " and ".join(map(self.comparison, comparisons)) or "True"
            parts.append(f"{self.text(value)} if {test} else ")
        last = "nan" if piecewise.otherwise is None else self.text(piecewise.otherwise)
        return f"({''.join(parts)}{last})"
