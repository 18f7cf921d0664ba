"""Equations and symbols as text for people, whatever their size and name. Writing is done where working is shown."""

from __future__ import annotations

from mathrag.answer.clean_text import clean
from mathrag.compute.printers.plaintext import plain_formula
from mathrag.compute.printers.plaintext import plain_symbol as _plain_symbol
from mathrag.types.expression import MAXIMUM_DEPTH, Equation, Expression, depth_of, size_of

# Solving can deepen a tree; beyond this nobody reads it and the stack is at risk.
_DEEPEST = MAXIMUM_DEPTH + 40
_LARGEST = 2_000


def plain_equation(equation: Equation) -> str:
    """Both sides and the sign between them: `v = √(3 R T / M)`."""
    return f"{plain_text(equation.left)} {equation.relation} {plain_text(equation.right)}"


def plain_text(expression: Expression) -> str:
    """An expression; one too deep or too long for a person is not written out."""
    if size_of(expression) > _LARGEST or depth_of(expression) > _DEEPEST:
        return "(too long to be shown)"
    return plain_formula(expression)


def plain_symbol(name: str) -> str:
    """A symbol by its name, such as `v₀` for v_0; what is no name of a symbol is shown as it is."""
    return _plain_symbol(name) if name.isascii() and name.isidentifier() else clean(name, longest=40)
