"""What is looked at in a statement before it is judged: angles that may be degrees, functions not solved for."""

from __future__ import annotations

from mathrag.compute.typed_mathematics import AmbiguousMathematicsError, Statement
from mathrag.types.expression import Call, Number, Power, symbols_of, walk

# Numbers from here on, in such steps, are degrees to most people who write them behind sin.
_DEGREES = 15


def check_angles(statement: Statement) -> None:
    """Raise where the sine of a plain number may be meant in degrees."""
    for node in (node for side in statement.sides for node in walk(side)):
        if isinstance(node, Call) and node.function in ("sin", "cos", "tan") and isinstance(node.arguments[0], Number):
            number = node.arguments[0].value
            if number and number % _DEGREES == 0:
                raise AmbiguousMathematicsError(
                    f"{node.function} {number} can be meant in degrees or in radians; write {node.function}({number}°) "
                    "or a part of π"
                )


def is_order_or_call(statement: Statement) -> bool:
    """Whether a function stands in it, or an order between powers with letters in the exponent, which is not solved."""
    nodes = [node for side in statement.sides for node in walk(side)]
    is_order = statement.signs != ("=",)
    return any(
        isinstance(node, Call) or (is_order and isinstance(node, Power) and symbols_of(node.exponent)) for node in nodes
    )
