"""Wrong versions of an equation, such as a model that half remembers it would give."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from mathrag.types.expression import (
    TWO,
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
    equation_symbols,
    substitute,
    symbols_of,
)


def mutations(equation: Equation) -> Iterator[tuple[str, Equation]]:
    """Named wrong versions; some may happen to say the same."""
    left, right = equation.left, equation.right
    yield "negated", Equation(left, Negate(right))
    yield "doubled", Equation(left, Multiply((TWO, right)))
    yield "turned over", Equation(left, Divide(Number(1), right))
    for name in symbols_of(right)[:3]:
        yield f"{name} squared", Equation(left, substitute(right, {name: Power(Symbol(name), TWO)}))
        yield f"root of {name}", Equation(left, substitute(right, {name: Call("sqrt", (Symbol(name),))}))
        yield f"one more {name}", Equation(left, Multiply((Symbol(name), right)))
        yield f"over {name}", Equation(left, Divide(right, Symbol(name)))
        yield f"plus {name}", Equation(left, Add((right, Symbol(name))))
    names = equation_symbols(equation)
    for first, second in pairwise(names):
        swapped = {first: Symbol(second), second: Symbol(first)}
        yield f"{first} and {second} swapped", Equation(substitute(left, swapped), substitute(right, swapped))
    yield from (("sign flipped", Equation(left, one)) for one in _flipped(right))


def _flipped(side: Expression) -> Iterator[Expression]:
    if isinstance(side, Add):
        first, *others = side.terms
        yield Add((first, *(one.operand if isinstance(one, Negate) else Negate(one) for one in others)))
