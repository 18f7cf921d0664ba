"""The gradient of a function of several variables, in letters or at a point: `gradient of x^2 y + z^3 at (1, 2, 0)`."""

from __future__ import annotations

import re

from mathrag.compute.algebra.analysis import derivatives
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.printers.plaintext import plain_symbol
from mathrag.compute.solve.tidy import tidied
from mathrag.compute.typed_mathematics import AmbiguousMathematicsError, UnreadMathematicsError, read_one
from mathrag.reason.direct.algebra.questions import task_text
from mathrag.reason.direct.algebra.wording import plain
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import Expression, substitute, symbols_of

_LONGEST, _FEWEST, _MOST = 200, 2, 4
_GRADIENT = re.compile(
    r"(?:gradient(?: vector)? of|grad(?:ient)?|∇|\\nabla) ?(?:the )?(?:(?:scalar )?(?:function|field) )?"
    r"(?:[A-Za-zφ] ?\( ?(?P<names>[A-Za-z](?: ?, ?[A-Za-z]){1,3}) ?\) ?= ?|[fgφ] ?= ?)?(?P<body>[^=]+?)"
    r"(?:,? (?:at|in)(?: the point)? \(? ?(?P<place>[^()=]{1,60}?) ?\)?)?",
    re.IGNORECASE,
)


def answer_gradient(text: str) -> AlgebraOutcome:
    """The vector of partial derivatives; None for any other question."""
    found = _GRADIENT.fullmatch(task_text(text)) if len(text) <= _LONGEST else None
    if found is None:
        return None
    try:
        body = read_one(found["body"])
        place = [read_one(each) for each in found["place"].split(",")] if found["place"] else []
    except (UnreadMathematicsError, AmbiguousMathematicsError):
        return None
    names = tuple(re.split(r" ?, ?", found["names"])) if found["names"] else tuple(sorted(symbols_of(body)))
    is_whole = set(symbols_of(body)) <= set(names) and _FEWEST <= len(names) <= _MOST
    if not is_whole or (place and (len(place) != len(names) or any(map(symbols_of, place)))):
        return None
    return _told(body, names, place)


def _told(body: Expression, names: tuple[str, ...], place: list[Expression]) -> AlgebraOutcome:
    parts = []
    for name in names:
        found = derivatives(body, name, 1)
        if isinstance(found, Failure):
            return None
        parts.append(found[-1].expression)
    shown = f"({', '.join(map(plain, parts))})"
    letters = ", ".join(map(plain_symbol, names))
    head = f"The gradient of {plain(body)} with respect to {letters}"
    lines = [WorkingLine(f"∂/∂{plain_symbol(name)}: {plain(part)}") for name, part in zip(names, parts, strict=True)]
    text = f"{head} is {shown} (each part confirmed by difference quotients)."
    if place:
        values = dict(zip(names, place, strict=True))
        at = f"({', '.join(map(plain, place))})"
        there = f"({', '.join(plain(tidied(substitute(part, values))) for part in parts)})"
        text = f"{head} is {shown}, and at {at} it is {there} (each part confirmed by difference quotients)."
        lines.append(WorkingLine(f"at {at}: {there}"))
    return DirectStatement(text, f"gradient of {plain(body)}", tuple(lines))
