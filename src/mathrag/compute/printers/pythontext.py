"""Write a tree as Python text that means the same under Python's own rules. Prints only; nothing is ever run.

Powers are `**`, functions carry the names of Python's `math`, and what the reader of Python text makes of the result
is the tree that was printed.
"""

from __future__ import annotations

from decimal import Decimal

from mathrag.compute.printers.base import ATOM, FENCED, POWER, PRODUCT, REMAINDER, Form, Printed, Printer
from mathrag.errors import ExpressionLimitError
from mathrag.types.expression import (
    MAXIMUM_DEPTH,
    ONE,
    Add,
    Comparison,
    Divide,
    Equation,
    Expression,
    Negate,
    Number,
    Piecewise,
    Series,
    Symbol,
    depth_of,
)

# Solving can deepen a tree beyond what a reader accepts; beyond this even Python's stack is at risk.
_PRINTABLE_DEPTH = MAXIMUM_DEPTH + 40

_RELATIONS = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "=": "==", "!=": "!="}


def python_text(expression: Expression, *, units: bool = False) -> str:
    """The expression as Python text; with `units`, a measure keeps its unit as `quantity(8.314, "J/(mol*K)")`."""
    if depth_of(expression) > _PRINTABLE_DEPTH:
        raise ExpressionLimitError("the formula is nested too deeply to be written out")
    return _PythonPrinter(units).text(expression)


def python_equation(equation: Equation, *, units: bool = False) -> str:
    """Both sides with their relation, then the conditions that are comparisons."""
    printer = _PythonPrinter(units)
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
    return _PythonPrinter(units=False).comparison(comparison)


def number_text(value: int | Decimal) -> str:
    """The digits of a literal. Through Decimal, because Python refuses to write very long integers directly."""
    return format(Decimal(value), "f") if isinstance(value, int) else str(value)


class _PythonPrinter(Printer):
    term = REMAINDER
    relations = _RELATIONS
    forms = {"mod": Form("%s %% %s", REMAINDER, (PRODUCT, POWER))}  # noqa: RUF012

    def __init__(self, units: bool) -> None:
        self.units = units

    def number(self, value: int | Decimal) -> Printed:
        return number_text(value), ATOM

    def symbol(self, name: str) -> Printed:
        return name, ATOM

    def measure(self, value: int | Decimal, unit: str) -> Printed:
        text = number_text(value)
        return (f'quantity({text}, "{unit}")' if self.units else text), ATOM

    def product(self, factors: tuple[Expression, ...]) -> str:
        # Only the first factor may be a bare quotient: a/b*c is (a/b)*c, but a*b/c is not a*(b/c).
        first = PRODUCT if isinstance(factors[0], Divide) else POWER
        return "*".join((self.fit(factors[0], first), *(self.fit(factor, POWER) for factor in factors[1:])))

    def quotient(self, numerator: Expression, denominator: Expression) -> Printed:
        return f"{self.fit(numerator, PRODUCT)}/{self.fit(denominator, POWER)}", PRODUCT

    def power(self, base: Expression, exponent: Expression) -> Printed:
        # Bare e before ** means exp, so the symbol e is set apart.
        return f"{self.fit(base, FENCED if base == Symbol('e') else ATOM)}**{self.fit(exponent, ATOM)}", POWER

    def series(self, series: Series) -> Printed:
        function = "sum" if series.operation == "sum" else "prod"
        bounds = f"{self.text(series.lower)}, {self._stop(series.upper)}"
        return f"{function}({self.text(series.body)} for {series.index} in range({bounds}))", ATOM

    def _stop(self, upper: Expression) -> str:
        """Python's range ends before its second bound."""
        if isinstance(upper, Number) and isinstance(upper.value, int):
            return number_text(upper.value + 1)
        if isinstance(upper, Add) and upper.terms[-1] == Negate(ONE):
            rest = upper.terms[:-1]
            if len(rest) == 1 and not isinstance(rest[0], Number | Add):
                return self.text(rest[0])
        return self.sum((*upper.terms, ONE) if isinstance(upper, Add) else (upper, ONE))

    def piecewise(self, piecewise: Piecewise) -> Printed:
        parts = []
        for value, comparisons in piecewise.branches:
            test = " and ".join(map(self.comparison, comparisons)) or "True"
            parts.append(f"{self.text(value)} if {test} else ")
        last = "nan" if piecewise.otherwise is None else self.text(piecewise.otherwise)
        return f"({''.join(parts)}{last})", ATOM
