"""Two ends of a question of algebra that all tasks share: one number with what confirmed it, or why there is none."""

from __future__ import annotations

from collections.abc import Sequence

from mathrag.compute.solve.tidy import constant_of, tidied
from mathrag.reason.direct.result import PLAIN_FIGURES, DirectFailure, DirectResult, as_number, exact_text
from mathrag.types.answer import Provenance, WorkingLine
from mathrag.types.expression import Expression
from mathrag.types.quantity import Quantity


def failure(code: str, message: str) -> DirectFailure:
    """Why a question of algebra has no answer."""
    return DirectFailure(code, message, "algebra")


def numeric(
    exact: Expression | None,
    number: float | None,
    sentence: str,
    *,
    expression: str,
    checked: str,
    lines: Sequence[WorkingLine] = (),
    notes: Sequence[str] = (),
) -> DirectResult | DirectFailure:
    """A result that is one number: exactly where it is a fraction, else by its digits."""
    fraction = None if exact is None else constant_of(tidied(exact))
    value = as_number(fraction) if fraction is not None else number
    if fraction == 0:
        value = 0
    if value is None:
        return failure("too_large", f"{expression}: the number is too large to be written")
    return DirectResult(
        "algebra",
        Quantity(value),
        PLAIN_FIGURES,
        expression,
        exact=exact_text(fraction, decimals=False) if fraction is not None else "",
        text=sentence,
        working=(sentence, checked),
        provenance=(Provenance("derived", f"computed by algebra; {checked}"),),
        notes=tuple(notes),
        lines=tuple(lines),
    )
