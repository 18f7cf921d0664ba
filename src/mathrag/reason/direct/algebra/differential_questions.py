"""Differential equations that are to be solved: `solve y' = 2xy`, `y'' - 3y' + 2y = 0, y(0) = 1, y'(0) = 0`."""

from __future__ import annotations

import re

from mathrag.compute.algebra.differential_equations import (
    BEND,
    SLOPE,
    LinearSolution,
    SeparatedSolution,
    solve_differential,
)
from mathrag.compute.algebra.points import value_at
from mathrag.compute.algebra.solving import as_fraction
from mathrag.compute.calculus import derivative
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.solve.tidy import tidied
from mathrag.compute.typed_mathematics import (
    AmbiguousMathematicsError,
    UnreadMathematicsError,
    read_mathematics,
    read_one,
)
from mathrag.language.enumeration import listed
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.algebra.wording import plain
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import (
    ONE,
    ZERO,
    Expression,
    Symbol,
    add,
    divide,
    multiply,
    substitute,
    subtract,
    symbols_of,
)

_LONGEST = 240
_MARKS = re.compile(r"\$+|\\[()\[\]]|`|\\left|\\right|\\[,;! ]")
_OPENING = re.compile(rf"(?:(?:{any_of('differential.opening')})[ :,]+)+", re.IGNORECASE)
_ENDING = re.compile(rf"[ ,;.]+(?:{any_of('differential.ending')})$", re.IGNORECASE)
_SIGNS = (
    (
        re.compile(
            (
                r"\\frac ?\{ ?d ?\^ ?\{?2\}? ?y ?\} ?\{ ?d ?(?P<v>[xt]) ?\^ ?\{?2\}? ?\}|d ?(?:\^ ?\{?2\}?|²) "
                r"?y ?/ ?d ?(?P<w>[xt]) ?(?:\^ ?\{?2\}?|²)"
            )
        ),
        "Q",
    ),
    (re.compile(r"\\[dt]?frac ?\{ ?d ?y ?\} ?\{ ?d ?(?P<v>[xt]) ?\}|d ?y ?/ ?d ?(?P<w>[xt])"), "W"),
    (re.compile(r"y ?(?:''|″|′′|’’)(?: ?\( ?(?P<v>[xt]) ?\))?(?P<w>)"), "Q"),
    (re.compile(r"y ?['′’](?: ?\( ?(?P<v>[xt]) ?\))?(?P<w>)(?!['′’])"), "W"),
    (re.compile(r"y ?\( ?(?P<v>[xt]) ?\)(?P<w>)"), "y"),
)
_START = re.compile(r"y ?(?P<prime>['′’]?) ?\( ?(?P<place>-?[0-9/.π]+|pi) ?\) ?= ?(?P<value>[^=,;]{1,30})")
_SEPARATOR = re.compile(r" ?(?:[,;]| and | with | where | given(?: that)? | subject to )(?: ?and )? ?")


def answer_differential(text: str) -> AlgebraOutcome:
    """The solutions of a differential equation; None for any other question."""
    if len(text) > _LONGEST or "=" not in text or not re.search(r"y ?['′’″]|d ?\^?.{0,3} ?y ?\}? ?[/{]", text):
        return None
    asked = " ".join(_MARKS.sub(" ", tidy(text)).replace("−", "-").split())
    body = _ENDING.sub(
        "", _OPENING.sub("", without_ending(asked), count=1) if _OPENING.match(asked) else without_ending(asked)
    )
    parts = [part.strip() for part in _SEPARATOR.split(body) if part.strip()]
    starts = [found for part in parts[1:] if (found := _START.fullmatch(part)) is not None]
    if not parts or len(starts) != len(parts) - 1 or len(starts) > 2:
        return None
    try:
        read = _equation(parts[0])
        return None if read is None else _answered(*read, starts)
    except (UnreadMathematicsError, AmbiguousMathematicsError):
        return None


def _equation(written: str) -> tuple[Expression, str, str] | None:
    """The difference of both sides in the names of the solver, the variable, and the equation as it was written."""
    if re.search(r"[QW]", written):
        return None
    variables: set[str] = set()
    body = written
    for pattern, name in _SIGNS:
        variables |= {each["v"] or each["w"] or "" for each in pattern.finditer(body)}
        body = pattern.sub(f" {name} ", body)
    variables.discard("")
    if "Q" not in body and "W" not in body:
        return None
    statement = read_mathematics(body)
    if statement.signs != ("=",):
        return None
    difference = substitute(subtract(*statement.sides), {"Q": Symbol(BEND), "W": Symbol(SLOPE)})
    variables |= {"t"} & set(symbols_of(difference))
    variables |= {"x"} & set(symbols_of(difference))
    variable = variables.pop() if len(variables) == 1 else "x" if not variables else ""
    return (difference, variable, written.strip()) if variable else None


def _answered(difference: Expression, variable: str, written: str, starts: list[re.Match[str]]) -> AlgebraOutcome:
    found = solve_differential(difference, variable)
    if isinstance(found, SeparatedSolution):
        return None if starts else _separated(found, written)
    if found is None:
        return None
    if starts:
        return _started(found, variable, written, starts)
    names = ["C"] if len(found.parts) == 1 else ["C₁", "C₂"]
    whole = _sum_text(found, names)
    text = (
        f"{written}: y = {whole}, with any {'number' if len(names) == 1 else 'numbers'} {listed(names)} "
        f"(put back into the equation with numbers; "
    )
    text += (
        "these are all solutions on an interval where the coefficients are continuous, by the theory "
        "of linear equations)."
    )
    return DirectStatement(text, written, (WorkingLine(f"y = {whole}"),))


def _sum_text(found: LinearSolution, names: list[str]) -> str:
    parts = [name if part == ONE else f"{name} {_factor(part)}" for name, part in zip(names, found.parts, strict=True)]
    if found.particular != ZERO:
        parts.insert(0, plain(found.particular))
    return " + ".join(parts)


def _factor(part: Expression) -> str:
    shown = plain(part)
    return f"({shown})" if re.search(r" [+−/] ", shown) or shown.startswith("−") else shown


def _separated(found: SeparatedSolution, written: str) -> DirectStatement:
    whole = f"{plain(found.left)} = {plain(found.right)} + C"
    still = listed([f"y = {plain(each)}" for each in found.constants])
    also = f" The constant function {still} solves it too." if len(found.constants) == 1 else ""
    also = f" The constant functions {still} solve it too." if len(found.constants) > 1 else also
    text = (
        f"{written}: {whole}, with any number C (the variables are separated and both sides integrated; "
        f"each integral's derivative was compared).{also}"
    )
    return DirectStatement(text, written, (WorkingLine(whole),))


def _started(found: LinearSolution, variable: str, written: str, starts: list[re.Match[str]]) -> AlgebraOutcome:
    """The solution with the values that it has at a place."""
    if len(starts) != len(found.parts) or sum(bool(each["prime"]) for each in starts) != len(starts) - 1:
        return None
    rows: list[tuple[list[Expression], Expression]] = []
    for each in starts:
        place, value = read_one(each["place"]), read_one(each["value"])
        if symbols_of(value):
            return None
        forms = [found.particular, *found.parts]
        if each["prime"]:
            slopes = [derivative(form, variable) for form in forms]
            forms = [slope for slope in slopes if not isinstance(slope, Failure)]
        values = [tidied(substitute(form, {variable: place})) for form in forms]
        if len(values) != len(found.parts) + 1 or not all(value_at(each, {}).is_real for each in values):
            return None
        rows.append((values[1:], tidied(subtract(value, values[0]))))
    constants = _constants(rows)
    if constants is None:
        return None
    pairs = zip(constants, found.parts, strict=True)
    made = tidied(add(found.particular, *(multiply(constant, part) for constant, part in pairs)))
    conditions = ", ".join(each[0].strip() for each in starts)
    general = _sum_text(found, ["C"] if len(rows) == 1 else ["C₁", "C₂"])
    text = f"{written}, {conditions}: y = {plain(made)} (all solutions are y = {general}, "
    text += "put back into the equation with numbers; "
    text += "the given values leave this one)."
    return DirectStatement(text, written, (WorkingLine(f"y = {plain(made)}"),))


def _constants(rows: list[tuple[list[Expression], Expression]]) -> list[Expression] | None:
    if len(rows) == 1:
        ((factor,), value) = rows[0]
        return None if abs(value_at(factor, {}).real) < 1e-30 else [as_fraction(tidied(divide(value, factor)))]
    ((a, b), e), ((c, d), f) = rows
    whole = tidied(subtract(multiply(a, d), multiply(b, c)))
    if abs(value_at(whole, {}).real) < 1e-30:
        return None
    first = divide(subtract(multiply(e, d), multiply(b, f)), whole)
    second = divide(subtract(multiply(a, f), multiply(e, c)), whole)
    return [as_fraction(tidied(each)) for each in (first, second)]
