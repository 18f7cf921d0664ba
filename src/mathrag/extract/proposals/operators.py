"""Whether the words of a quote speak of the operations of an equation, where they cannot be read as a formula whole.

Weak evidence by design: it can rule an equation out, and never makes one computable.
"""

from __future__ import annotations

import re

from mathrag.extract.proposals.equations import computed_side
from mathrag.language.word_classes import word_class
from mathrag.types.expression import (
    Add,
    Call,
    Divide,
    Equation,
    Expression,
    MathConstant,
    Multiply,
    Negate,
    Number,
    Power,
    children,
    walk,
)

_OPERATIONS = (
    "divide", "multiply", "add", "subtract", "square", "cube", "root", "power", "logarithm", "exponential", "sine",
    "cosine", "tangent",
)  # fmt: skip
# Operation -> the words that speak of it.
_WORDS = {operation: word_class(f"proposals.{operation}") for operation in _OPERATIONS}
_FUNCTIONS = {
    "sqrt": "root",
    "cbrt": "root",
    "log": "logarithm",
    "log10": "logarithm",
    "log2": "logarithm",
    "exp": "exponential",
    "sin": "sine",
    "cos": "cosine",
    "tan": "tangent",
}
# A word that can only mean this one operation must be answered by it.
_TELLING = {
    "divided": "divide",
    "ratio": "divide",
    "quotient": "divide",
    "per": "divide",
    "product": "multiply",
    "sum": "add",
    "plus": "add",
    "difference": "subtract",
    "minus": "subtract",
    "squared": "square",
    "cubed": "cube",
    "root": "root",
    "logarithm": "logarithm",
    "sine": "sine",
    "cosine": "cosine",
}


def operations_of(equation: Equation) -> frozenset[str]:
    """The operations of the side that computes something."""
    found: set[str] = set()
    for node in walk(computed_side(equation)):
        match node:
            case Divide():
                found.add("divide")
            case Multiply():
                found.add("multiply")
            case Add(terms):
                found.update("subtract" if isinstance(term, Negate) else "add" for term in terms[1:])
            case Negate() if not _is_in_sum(node, equation):
                found.add("subtract")
            case Power(_, exponent):
                found.add(_power(exponent))
            case Call(function):
                found.add(_FUNCTIONS.get(function, function))
    return frozenset(found)


def _is_in_sum(node: Expression, equation: Equation) -> bool:
    return any(isinstance(each, Add) and node in children(each) for each in walk(computed_side(equation)))


def _power(exponent: Expression) -> str:
    match exponent:
        case Number(2):
            return "square"
        case Number(3):
            return "cube"
        case Divide(Number(1), Number(2)):
            return "root"
        case Negate():
            return "divide"
    return "power"


def unsupported_operation(equation: Equation, quote: str) -> str | None:
    """An operation of the equation that no word speaks of, or one that a word demands and the equation lacks."""
    words = set(re.findall(r"[a-z]+", quote.casefold()))
    operations = operations_of(equation)
    # A factor such as 2 or pi is said with the quantity: "twice the", "2 pi r".
    is_scaled = any(isinstance(node, MathConstant | Number) for node in walk(computed_side(equation)))
    for operation in sorted(operations):
        said = _WORDS.get(operation, frozenset({operation}))
        if words.isdisjoint(said) and not (operation == "multiply" and is_scaled):
            return operation
    for word, operation in _TELLING.items():
        if word in words and operation not in operations and not (operation == "divide" and "power" in operations):
            return operation
    return None
