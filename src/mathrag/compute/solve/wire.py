"""Trees as JSON lists, for the pipe to the worker process. Only these shapes are read back."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any, assert_never

from mathrag.errors import FormulaError
from mathrag.types.expression import (
    PI,
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

_RELATIONS = frozenset(("<", "<=", ">", ">=", "=", "!="))


def to_wire(node: Expression) -> list[Any]:
    """A tree as nested lists of strings."""
    match node:
        case Number(value):
            return ["number", format(Decimal(value), "f") if isinstance(value, int) else str(value)]
        case Symbol(name):
            return ["symbol", name]
        case MathConstant():
            return ["pi"]
        case Measure(number, unit):
            return ["measure", to_wire(number), unit]
        case Add(parts):
            return ["add", *map(to_wire, parts)]
        case Multiply(parts):
            return ["multiply", *map(to_wire, parts)]
        case Divide(first, second):
            return ["divide", to_wire(first), to_wire(second)]
        case Negate(operand):
            return ["negate", to_wire(operand)]
        case Power(first, second):
            return ["power", to_wire(first), to_wire(second)]
        case Call(function, parts):
            return ["call", function, *map(to_wire, parts)]
        case Series(operation, index, lower, upper, body):
            return ["series", operation, index, to_wire(lower), to_wire(upper), to_wire(body)]
        case Piecewise(branches, otherwise):
            rows = [[to_wire(value), [_comparison(each) for each in tests]] for value, tests in branches]
            return ["piecewise", rows, None if otherwise is None else to_wire(otherwise)]
    assert_never(node)


def _comparison(comparison: Comparison) -> list[Any]:
    return [comparison.relation, to_wire(comparison.left), to_wire(comparison.right)]


def from_wire(data: Any) -> Expression:
    """The tree of nested lists; raises FormulaError on any other shape."""
    try:
        return _read(data)
    except (ValueError, TypeError, IndexError, InvalidOperation, RecursionError) as error:
        raise FormulaError("bad_wire", "the worker process sent something that is not a formula") from error


def _read(data: Any) -> Expression:
    match data:
        case ["number", str(text)] if len(text) < 6_000:
            value = Decimal(text)
            return Number(int(value) if text.isdigit() else value)
        case ["symbol", str(name)]:
            return Symbol(name)
        case ["pi"]:
            return PI
        case ["measure", number, str(unit)]:
            inner = _read(number)
            if isinstance(inner, Number):
                return Measure(inner, unit)
        case ["add", *parts] if len(parts) > 1:
            return Add(tuple(map(_read, parts)))
        case ["multiply", *parts] if len(parts) > 1:
            return Multiply(tuple(map(_read, parts)))
        case ["divide", first, second]:
            return Divide(_read(first), _read(second))
        case ["negate", operand]:
            return Negate(_read(operand))
        case ["power", first, second]:
            return Power(_read(first), _read(second))
        case ["call", str(function), *parts]:
            return Call(function, tuple(map(_read, parts)))
        case ["series", ("sum" | "product") as operation, str(index), lower, upper, body]:
            return Series("sum" if operation == "sum" else "product", index, _read(lower), _read(upper), _read(body))
        case ["piecewise", list(rows), otherwise]:
            branches = tuple((_read(value), tuple(map(_read_comparison, tests))) for value, tests in rows)
            return Piecewise(branches, None if otherwise is None else _read(otherwise))
    raise ValueError("not a tree")


def _read_comparison(data: Any) -> Comparison:
    relation, left, right = data
    if relation not in _RELATIONS:
        raise ValueError("not a relation")
    return Comparison(relation, _read(left), _read(right))
