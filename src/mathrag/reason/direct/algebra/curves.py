"""Curves in the plane: the slope of one given by an equation between x and y, tangents and normals at a point, the area
between two graphs."""

from __future__ import annotations

import re
from itertools import pairwise

from mathrag.compute.algebra.analysis import derivatives, integral_between
from mathrag.compute.algebra.points import value_at
from mathrag.compute.algebra.rewriting import simplified
from mathrag.compute.algebra.solving import as_fraction, solve_equation
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.solve.tidy import tidied
from mathrag.compute.typed_mathematics import (
    AmbiguousMathematicsError,
    UnreadMathematicsError,
    read_mathematics,
    read_one,
)
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.algebra.outcomes import numeric
from mathrag.reason.direct.algebra.questions import task_text
from mathrag.reason.direct.algebra.wording import number_with_digits, plain
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import (
    ONE,
    ZERO,
    Expression,
    Negate,
    Symbol,
    add,
    divide,
    multiply,
    negate,
    substitute,
    subtract,
    symbols_of,
)

_LONGEST = 300
_POINT = r"\( ?(?P<px>[^(),=]{1,30}) ?, ?(?P<py>[^(),=]{1,30}) ?\)"
_AT = (
    rf"(?:,? (?:at|in|through)(?: the)?(?: point)?(?: where)? (?:x ?= ?(?P<at>[^=,()]{{1,30}}|\([^=,()]{{1,30}}\))"
    rf"|{_POINT}))"
)
_MANNER = rf"(?:[ ,]+(?:{any_of('curves.implicit_manner')}))?"
_SLOPE = r"(?:d ?y ?/ ?d ?x|∂?y'(?:\(x\))?|y′)"
_IMPLICIT = (
    re.compile(
        rf"(?:the )?(?:derivative )?{_SLOPE}{_MANNER},? (?:{any_of('curves.given')}) (?P<body>[^=]+=[^=]+?)"
        rf"{_MANNER}{_AT}?{_MANNER}",
        re.IGNORECASE,
    ),
    re.compile(
        (
            rf"(?:{any_of('curves.given')} )?(?P<body>[^=]+=[^=]+?)[,;.:]+ ?(?:then )?(?:{any_of('curves.seek')}) "
            rf"{_SLOPE}{_MANNER}{_AT}?"
        ),
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?:{any_of('curves.differentiate')}) (?P<body>[^=]+=[^=]+?) (?:{any_of('curves.implicit_manner')})"
        r"(?: (?:with respect to|wrt|for) x)?",
        re.IGNORECASE,
    ),
)
_TANGENT = re.compile(
    rf"(?:(?:{any_of('curves.equation_of')}) )?(?:the |a )?(?P<kind>tangent|normal)(?: line)?(?: "
    rf"equation)? (?:to|of|for|on)"
    rf"(?: the)?(?: (?:{any_of('curves.curve_names')}))*[ :]+(?:[yf](?: ?\( ?x ?\))? ?= ?)?(?P<body>[^=]+?){_AT}",
    re.IGNORECASE,
)
_AREA = re.compile(
    rf"(?:the )?area (?:{any_of('curves.between')})(?: the)?(?: (?:{any_of('curves.curve_names')}))*[ :]+"
    r"(?:y ?= ?)?(?P<one>[^=]+?),? and(?: the)?(?: (?:curve|line|parabola|graph of))? (?:y ?= ?)?(?P<other>[^=]+?)"
    r"(?:,? (?:from|between|for)(?: x ?=)? ?(?P<low>[^=, ]{1,12}) (?:to|and) (?:x ?= ?)?(?P<high>[^=, ]{1,12}))?",
    re.IGNORECASE,
)


def answer_curves(text: str) -> AlgebraOutcome:
    """A slope, a tangent or an area; None for any other question."""
    if len(text) > _LONGEST or not re.search(
        r"d ?y ?/ ?d ?x|y'|y′|tangent|normal|area|implicit|\\frac ?\{ ?d ?y", text, re.IGNORECASE
    ):
        return None
    asked = task_text(re.sub(r"\\[dt]?frac ?\{ ?dy ?\} ?\{ ?dx ?\}", "dy/dx", text))
    asked = re.sub(r"^∂y/∂x", "dy/dx", asked).strip(" ,:")
    try:
        for pattern in _IMPLICIT:
            found = pattern.fullmatch(asked.replace("∂y/∂x", "dy/dx"))
            if found is not None:
                return _implicit(found)
        tangent = _TANGENT.fullmatch(asked)
        if tangent is not None:
            return _tangent(tangent)
        area = _AREA.fullmatch(asked)
        return None if area is None else _area(area)
    except (UnreadMathematicsError, AmbiguousMathematicsError):
        return None


def _slope(body: Expression, symbol: str) -> Expression | None:
    found = derivatives(body, symbol, 1)
    return None if isinstance(found, Failure) else found[-1].expression


def _short(expression: Expression) -> Expression:
    found = simplified(expression)
    return tidied(expression) if isinstance(found, Failure) else found.expression


def _place(found: re.Match[str], name: str) -> Expression | None:
    groups = found.groupdict()
    written = groups.get(name)
    if not written:
        return None
    place = read_one(written.strip("()"))
    if symbols_of(place):
        raise UnreadMathematicsError("a place is a number")
    return place


def _implicit(found: re.Match[str]) -> AlgebraOutcome:
    statement = read_mathematics(found["body"])
    if statement.signs != ("=",):
        return None
    left, right = statement.sides
    whole = subtract(left, right)
    if not {"x", "y"} <= set(symbols_of(whole)) or Symbol("y") in (left, right):
        return None
    along, across = _slope(whole, "x"), _slope(whole, "y")
    if along is None or across is None or tidied(across) == ZERO:
        return None
    slope = _short(negate(divide(along, across)))
    head = f"{plain(left)} = {plain(right)}"
    lines = [
        WorkingLine(f"∂F/∂x = {plain(along)}"),
        WorkingLine(f"∂F/∂y = {plain(across)}"),
        WorkingLine(f"dy/dx = {plain(slope)}"),
    ]
    text = (
        f"For {head}: dy/dx = {plain(slope)}, wherever {plain(across)} ≠ 0 (both sides differentiated, "
        f"with y as a function of x: "
    )
    text += "dy/dx = −(∂F/∂x)/(∂F/∂y) for F = left side − right side; the parts are confirmed by difference quotients)."
    at = (_place(found, "px"), _place(found, "py")) if "px" in found.re.groupindex else (None, None)
    if at[0] is not None and at[1] is not None:
        values = {"x": at[0], "y": at[1]}
        here, below = value_at(substitute(whole, values), {}), value_at(substitute(across, values), {})
        point = f"({plain(at[0])}, {plain(at[1])})"
        if not here.is_real or abs(here.real) > 1e-20:
            return DirectStatement(f"{text} The point {point} does not lie on the curve.", head, tuple(lines))
        if not below.is_real or abs(below.real) < 1e-20:
            return DirectStatement(f"{text} At {point} the divisor is 0, and this gives no slope.", head, tuple(lines))
        there = as_fraction(tidied(substitute(slope, values)))
        text += f" At {point} it is {plain(there)}."
    elif found.groupdict().get("at"):
        return None
    return DirectStatement(text, head, tuple(lines))


def _tangent(found: re.Match[str]) -> AlgebraOutcome:
    body = read_one(found["body"])
    if set(symbols_of(body)) != {"x"}:
        return None
    place, height = _place(found, "at") or _place(found, "px"), _place(found, "py")
    slope = _slope(body, "x")
    if place is None or slope is None:
        return None
    value, rise = (as_fraction(tidied(substitute(each, {"x": place}))) for each in (body, slope))
    if not (value_at(value, {}).is_real and value_at(rise, {}).is_real):
        return None
    point = f"({plain(place)}, {plain(value)})"
    if height is not None and abs(value_at(subtract(value, height), {}).real or 0) > 1e-20:
        text = (
            f"({plain(place)}, {plain(height)}) does not lie on y = {plain(body)}: at x = {plain(place)} "
            f"the value is {plain(value)}."
        )
        return DirectStatement(text, plain(body), ())
    is_flat = abs(value_at(rise, {}).real) < 1e-30
    steep: Expression = rise
    if found["kind"].lower() == "normal":
        if is_flat:
            return DirectStatement(
                f"The normal to y = {plain(body)} at {point} is the line x = {plain(place)}.", plain(body), ()
            )
        steep = as_fraction(tidied(negate(divide(ONE, rise))))
    line = _line(steep, as_fraction(tidied(subtract(value, multiply(steep, place)))))
    kind = found["kind"].lower()
    text = (
        f"The {kind} to y = {plain(body)} at {point} is y = {line} (the slope of the curve there is "
        f"{plain(rise)}; the derivative {plain(slope)} "
    )
    text += "is confirmed by difference quotients)."
    return DirectStatement(
        text, f"{kind} to {plain(body)}", (WorkingLine(f"y' = {plain(slope)}"), WorkingLine(f"y = {line}"))
    )


def _line(steep: Expression, rest: Expression) -> str:
    if tidied(steep) == ZERO:
        return plain(rest)
    run = multiply(steep, Symbol("x")) if steep != ONE else Symbol("x")
    if isinstance(steep, Negate) and steep.operand == ONE:
        run = negate(Symbol("x"))
    return plain(tidied(run)) if rest == ZERO else plain(add(tidied(run), rest))


def _area(found: re.Match[str]) -> AlgebraOutcome:
    one, other = read_one(found["one"]), read_one(found["other"])
    names = {*symbols_of(one), *symbols_of(other)}
    if names != {"x"}:
        return None
    crossings = solve_equation(one, other, "x", may_search=False)
    if isinstance(crossings, Failure) or not crossings.is_complete or crossings.everything:
        return None
    places = [each.exact for each in crossings.solutions if each.exact is not None and each.period is None]
    if len(places) != len(crossings.solutions):
        return None
    bounds = [_place(found, "low"), _place(found, "high")]
    if bounds[0] is not None and bounds[1] is not None:
        low, high = (float(value_at(each, {}).real) for each in bounds if each is not None)
        inner = [each for each in places if low < float(value_at(each, {}).real) < high]
        places = [bounds[0], *inner, bounds[1]]
        if low >= high:
            return None
    if not 2 <= len(places) <= 8:
        return None
    return _added(one, other, places)


def _added(one: Expression, other: Expression, places: list[Expression]) -> AlgebraOutcome:
    total: Expression = ZERO
    number = 0.0
    lines = [WorkingLine(f"the curves meet or end at x = {', '.join(map(plain, places))}")]
    for low, high in pairwise(places):
        part = integral_between(tidied(subtract(one, other)), "x", low, high)
        if isinstance(part, Failure) or part.exact is None or part.number is None:
            return None
        size = negate(part.exact) if part.number < 0 else part.exact
        lines.append(WorkingLine(f"from {plain(low)} to {plain(high)}: {plain(tidied(size))}"))
        total, number = add(total, size), number + abs(part.number)
    exact = as_fraction(tidied(total))
    if abs(float(value_at(exact, {}).real) - number) > 1e-6 * max(1.0, number):
        return None
    head = f"the area between y = {plain(one)} and y = {plain(other)}"
    ends = f"from x = {plain(places[0])} to x = {plain(places[-1])}"
    checked = (
        "the size of the difference integrated between all places where the graphs cross; each integral "
        "agrees with a numeric one"
    )
    text = f"{head[:1].upper()}{head[1:]} {ends} is {number_with_digits(exact, number)} ({checked})."
    return numeric(exact, number, text, expression=head, checked=checked, lines=lines)
