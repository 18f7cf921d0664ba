"""The formula of a cell as an expression: operators and the functions of arithmetic; all else is declined, and why.

What a reference stands for is asked of whoever calls. Numbers are those of the cells: units are no matter here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from mathrag.documents.sheets.formula_text import (
    Area,
    Function,
    Named,
    Node,
    Operation,
    Percent,
    Reference,
    Signed,
    Value,
)
from mathrag.errors import FormulaError
from mathrag.types.expression import (
    PI,
    Comparison,
    Expression,
    Number,
    Piecewise,
    add,
    call,
    divide,
    multiply,
    negate,
    number,
    power,
    subtract,
)

# Longer areas are data to be summed up, not the terms of a formula.
MOST_TERMS = 12
_HALF_TURN = Number(180)
_PLAIN = {
    "SQRT": "sqrt", "EXP": "exp", "LN": "log", "LOG10": "log10", "ABS": "abs", "SIN": "sin", "COS": "cos",
    "TAN": "tan", "ASIN": "asin", "ACOS": "acos", "ATAN": "atan", "SINH": "sinh", "COSH": "cosh", "TANH": "tanh",
    "ASINH": "asinh", "ACOSH": "acosh", "ATANH": "atanh",
}  # fmt: skip
_COMPARISONS = {"=": "=", "<>": "!=", "<": "<", ">": ">", "<=": "<=", ">=": ">="}
_NEW_EACH_TIME = frozenset("NOW TODAY RAND RANDBETWEEN RANDARRAY OFFSET INDIRECT CELL INFO".split())
_ROUNDED = frozenset(("ROUND", "ROUNDUP", "ROUNDDOWN"))
_LARGEST_ROUNDING = 15
_LARGEST_NUMBER = 300


class CellDeclinedError(FormulaError):
    """A formula that is understood and not read, and why."""

    def __init__(self, reason: str) -> None:
        super().__init__("declined", reason)


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """What a formula computes. `rounding` is by how much rounding at the end may change it."""

    expression: Expression
    rounding: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Cells:
    """How cells are named: one cell, a defined name; an area gives those of its cells that count."""

    one: Callable[[Reference], Expression]
    named: Callable[[Named], Expression]
    area: Callable[[Area], Sequence[Expression]]


def arithmetic_of(node: Node, cells: Cells) -> Arithmetic:
    """The expression of a formula. Raises `CellDeclinedError`."""
    rounding = None
    if isinstance(node, Function) and node.name in _ROUNDED and len(node.arguments) in (1, 2):
        # What is rounded at the very end is the quantity itself, shown with fewer digits.
        inner, digits = node.arguments[0], _whole(node.arguments[1]) if len(node.arguments) == 2 else 0
        if inner is not None and digits is not None and abs(digits) <= _LARGEST_ROUNDING:
            half = Decimal("0.5") if node.name == "ROUND" else Decimal(1)
            node, rounding = inner, half.scaleb(-digits)
    return Arithmetic(_Reader(cells).expression(node), rounding)


def _whole(node: Node | None) -> int | None:
    sign = 1
    while isinstance(node, Signed):
        sign, node = (-sign if node.sign == "-" else sign), node.operand
    if isinstance(node, Value) and isinstance(node.value, Decimal) and node.value == node.value.to_integral_value():
        return sign * int(node.value)
    return None


class _Reader:
    def __init__(self, cells: Cells) -> None:
        self._cells = cells

    def expression(self, node: Node | None) -> Expression:
        match node:
            case None:
                raise CellDeclinedError("an argument is left out")
            case Value():
                return _literal(node)
            case Reference():
                return self._cells.one(node)
            case Named():
                return self._cells.named(node)
            case Area():
                raise CellDeclinedError("it takes an area of cells where one value belongs")
            case Signed(sign, operand):
                inner = self.expression(operand)
                return negate(inner) if sign == "-" else inner
            case Percent(operand):
                return divide(self.expression(operand), Number(100))
            case Operation():
                return self._operation(node)
            case Function():
                return self._function(node)

    def _operation(self, node: Operation) -> Expression:
        if node.operator == "&":
            raise CellDeclinedError("it joins texts")
        if node.operator in _COMPARISONS:
            raise CellDeclinedError("it says whether something holds, and gives no quantity")
        left, right = self.expression(node.left), self.expression(node.right)
        match node.operator:
            case "+":
                return add(left, right)
            case "-":
                return subtract(left, right)
            case "*":
                return multiply(left, right)
            case "/":
                return divide(left, right)
        return power(left, right)

    def _function(self, node: Function) -> Expression:
        name, arguments = node.name, node.arguments
        if name in _PLAIN:
            return call(_PLAIN[name], *self._exactly(node, 1))
        match name:
            case "PI" if not arguments:
                return PI
            case "POWER":
                return power(*self._exactly(node, 2))
            case "DEGREES":
                return divide(multiply(*self._exactly(node, 1), _HALF_TURN), PI)
            case "RADIANS":
                return divide(multiply(*self._exactly(node, 1), PI), _HALF_TURN)
            case "ATAN2":
                # Sheets take the abscissa first.
                first, second = self._exactly(node, 2)
                return call("atan2", second, first)
            case "LOG":
                return self._logarithm(node)
            case "SUM" | "PRODUCT" | "AVERAGE" | "MIN" | "MAX":
                return self._collected(node)
            case "IF":
                return self._cases(node)
        if name in _NEW_EACH_TIME:
            raise CellDeclinedError(f"{name} gives another value, or another cell, each time")
        if name in _ROUNDED:
            raise CellDeclinedError(f"{name} within a formula changes its value by rounding")
        raise CellDeclinedError(f"the function {name[:40]} is not one of arithmetic")

    def _exactly(self, node: Function, count: int) -> list[Expression]:
        if len(node.arguments) != count:
            raise CellDeclinedError(f"{node.name} takes {count} value{'s'[: count - 1]}, not {len(node.arguments)}")
        return [self.expression(each) for each in node.arguments]

    def _logarithm(self, node: Function) -> Expression:
        if len(node.arguments) == 1:
            return call("log10", self.expression(node.arguments[0]))
        value, base = self._exactly(node, 2)
        if base == Number(10):
            return call("log10", value)
        return call("log2", value) if base == Number(2) else divide(call("log", value), call("log", base))

    def _collected(self, node: Function) -> Expression:
        terms: list[Expression] = []
        for each in node.arguments:
            terms.extend(self._cells.area(each) if isinstance(each, Area) else [self.expression(each)])
        if not terms:
            raise CellDeclinedError(f"{node.name} has nothing to take")
        if len(terms) > MOST_TERMS:
            raise CellDeclinedError(
                f"{node.name} takes {len(terms)} values; at most {MOST_TERMS} are read as a formula"
            )
        match node.name:
            case "SUM":
                return add(*terms)
            case "PRODUCT":
                return multiply(*terms)
            case "AVERAGE":
                return divide(add(*terms), Number(len(terms)))
        return call(node.name.lower(), *terms)

    def _cases(self, node: Function) -> Expression:
        if len(node.arguments) != 3:
            raise CellDeclinedError("IF without a value for one of its cases gives no quantity there")
        condition, value, otherwise = node.arguments
        first = (self.expression(value), self._conditions(condition))
        rest = self.expression(otherwise)
        if isinstance(rest, Piecewise):
            return Piecewise((first, *rest.branches), rest.otherwise)
        return Piecewise((first,), rest)

    def _conditions(self, node: Node | None) -> tuple[Comparison, ...]:
        if isinstance(node, Function) and node.name == "AND" and node.arguments:
            return tuple(each for part in node.arguments for each in self._conditions(part))
        if isinstance(node, Operation) and node.operator in _COMPARISONS:
            left, right = self.expression(node.left), self.expression(node.right)
            return (Comparison(_COMPARISONS[node.operator], left, right),)  # type: ignore[arg-type]
        raise CellDeclinedError("the condition of IF is no comparison of numbers")


def _literal(node: Value) -> Expression:
    if node.is_error:
        raise CellDeclinedError("it refers to a cell that is gone" if node.value == "#REF!" else "it holds an error")
    if isinstance(node.value, bool):
        raise CellDeclinedError("it takes a truth value as a number")
    if isinstance(node.value, str):
        raise CellDeclinedError("it takes a text")
    return plain_number(node.value)


def plain_number(value: Decimal) -> Expression:
    """The literal of a number; whole ones without a point."""
    if abs(value.adjusted()) > _LARGEST_NUMBER:
        raise CellDeclinedError("a number in it is too large or too small")
    if value == value.to_integral_value() and abs(value) < Decimal(10) ** 15:
        return number(int(value))
    return number(value)
