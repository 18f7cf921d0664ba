"""What the user set holds everywhere: an answer that gives a pinned symbol another value in some step is no answer."""

from __future__ import annotations

from collections.abc import Mapping

from mathrag.types.answer import Answer, Bound, Refusal
from mathrag.types.quantity import Quantity


def broken_pin(answer: Answer, pinned: Mapping[str, Quantity]) -> Refusal | None:
    """A refusal where a step uses another value for a symbol that the user set; None where all is well.

    A symbol of another dimension is another thing under the same letter.
    """
    for step in answer.steps:
        for bound in step.bindings:
            quantity = pinned.get(bound.symbol)
            if quantity is not None and _contradicts(bound, quantity):
                return Refusal(
                    answer.question,
                    "contradiction",
                    f"{bound.symbol} was set, and the question gives another value for it ({bound.provenance.text})",
                    suggestions=("leave the value out of the question, or do not set it",),
                )
    return None


def _contradicts(bound: Bound, pinned: Quantity) -> bool:
    if bound.quantity is None or bound.provenance.origin == "pinned":
        return False
    return bound.quantity.dimension == pinned.dimension and bound.quantity.si_value != pinned.si_value
