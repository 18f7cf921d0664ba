"""Claims about limits: `lim(x → 0) sin x / x = 1?`. The limit is found as for any question and compared."""

from __future__ import annotations

import re

from mathrag.compute.algebra.analysis import INFINITY
from mathrag.compute.algebra.points import value_at
from mathrag.compute.typed_mathematics import AmbiguousMathematicsError, UnreadMathematicsError, read_one
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.algebra.answers import answer_task
from mathrag.reason.direct.algebra.limited_claims import framed_claim
from mathrag.reason.direct.algebra.questions import TakeLimit, read_task
from mathrag.reason.direct.algebra.wording import plain
from mathrag.reason.direct.result import AlgebraOutcome, DirectFailure, DirectResult, DirectStatement
from mathrag.types.expression import Expression, Negate, symbols_of

_LONGEST = 240
_SAID = re.compile(rf" (?:{any_of('stated_sums.said_to_be')}) ", re.IGNORECASE)
_NEARLY, _PLAINLY = 1e-9, 1e-6


def answer_limit_claim(text: str) -> AlgebraOutcome:
    """Whether a limit is what it is said to be; None for any other question."""
    if len(text) > _LONGEST or not re.search(r"\blim", text, re.IGNORECASE):
        return None
    framed = framed_claim(text)
    if framed is None or framed.limits:
        return None
    for cut in (framed.body.rpartition("="), _SAID.split(framed.body, maxsplit=1)):
        left, right = cut[0].rstrip(" =!<>"), cut[-1]
        if not left or not right or left == right:
            continue
        try:
            task, claimed = read_task(left), read_one(right)
        except (UnreadMathematicsError, AmbiguousMathematicsError):
            continue
        if isinstance(task, TakeLimit) and (not symbols_of(claimed) or claimed in (INFINITY, Negate(INFINITY))):
            return _judged(task, claimed)
    return None


def _judged(task: TakeLimit, claimed: Expression) -> AlgebraOutcome:
    found = answer_task(task)
    said = plain(claimed)
    if isinstance(found, DirectFailure) or found is None:
        return found
    if isinstance(found, DirectStatement):
        if " does not exist" in found.text:
            return DirectStatement(f"False: {found.text}", found.expression, found.lines, found.notes)
        if " = ∞" not in found.text and " = −∞" not in found.text:
            return None
        is_so = (" = −∞" in found.text) == (claimed == Negate(INFINITY)) and claimed in (INFINITY, Negate(INFINITY))
        opening = "True" if is_so else f"False, it is not {said}"
        return DirectStatement(f"{opening}: {found.text}", found.expression, found.lines, found.notes)
    assert isinstance(found, DirectResult)
    if claimed in (INFINITY, Negate(INFINITY)):
        return DirectStatement(f"False, it is not {said}: {found.text}", found.expression, found.lines, found.notes)
    wanted = value_at(claimed, {})
    if not wanted.is_real:
        return None
    distance, size = abs(float(wanted.real) - float(found.quantity.value)), max(1.0, abs(float(wanted.real)))
    if _NEARLY * size < distance < _PLAINLY * size:
        return None
    opening = "True" if distance <= _NEARLY * size else f"False, it is not {said}"
    text = f"{opening}: {found.text} No proof is given."
    return DirectStatement(text, found.expression, found.lines, found.notes)
