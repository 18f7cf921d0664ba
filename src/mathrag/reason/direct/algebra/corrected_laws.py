"""The law that was meant: a false equation with a side that a known law has gets that law behind its counterexample."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from mathrag.compute.typed_mathematics import AmbiguousMathematicsError, UnreadMathematicsError, read_one
from mathrag.knowledge.corrections import Correction, corrections
from mathrag.reason.direct.algebra.wording import plain
from mathrag.reason.direct.result import DirectStatement
from mathrag.types.expression import Expression, Symbol, substitute, symbols_of

_PLACES = ("p_1", "p_2", "p_3", "p_4")
_LONGEST = 120


def with_correction(found: DirectStatement) -> DirectStatement:
    """A refutation with the right law behind it, where it is known; anything else as it is."""
    if not found.text.startswith("False: at ") or not found.lines or "Right is" in found.text:
        return found
    left, sign, right = found.lines[0].text.partition(" = ")
    if not sign or " = " in right or len(left) + len(right) > _LONGEST:
        return found
    for side in (left, right):
        said = _right_law(side)
        if said:
            return replace(found, text=f"{found.text} {said}")
    return found


def _right_law(side: str) -> str:
    try:
        expression = read_one(side)
    except (UnreadMathematicsError, AmbiguousMathematicsError):
        return ""
    names = symbols_of(expression)
    if not 1 <= len(names) <= len(_PLACES):
        return ""
    known = _known().get(_placed(expression, names))
    if known is None:
        return ""
    law, right, letters = known
    renamed = dict(zip(letters, names, strict=True))
    # Letter by letter at once: the letters of the law may be those of the question in another order.
    where = re.sub(r"(?<![A-Za-z])[a-z](?![A-Za-z])", lambda one: renamed.get(one[0], one[0]), law.where)
    shown = plain(substitute(right, {place: Symbol(name) for place, name in zip(_PLACES, names, strict=False)}))
    return f"Right is {plain(expression)} = {shown}{f' where {where}' if where else ''}."


def _placed(expression: Expression, names: tuple[str, ...]) -> Expression:
    return substitute(expression, {name: Symbol(place) for name, place in zip(names, _PLACES, strict=False)})


@cache
def _known() -> dict[Expression, tuple[Correction, Expression, tuple[str, ...]]]:
    """The laws under their left sides, with letters by the order in which they come first."""
    found: dict[Expression, tuple[Correction, Expression, tuple[str, ...]]] = {}
    for law in corrections():
        left, right = read_one(law.left), read_one(law.right)
        names = symbols_of(left)
        found[_placed(left, names)] = law, _placed(right, names), names
    return found
