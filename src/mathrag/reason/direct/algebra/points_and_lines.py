"""Analytic geometry of the plane: how far a point is from a line, slopes and intercepts of a line that an equation
gives, where two lines meet, the figure between some corners, centre and radius of a circle; distances in space.

A line is an equation of first degree between x and y, a point is its numbers in parentheses. Strict: besides them
only the words that ask.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from mathrag.compute.algebra.polynomial_parts import powers_of
from mathrag.compute.algebra.polynomials import NotPolynomialError, square_root
from mathrag.compute.algebra.vectors import Vector
from mathrag.compute.solve.tidy import literal, tidied
from mathrag.compute.typed_mathematics import (
    AmbiguousMathematicsError,
    UnreadMathematicsError,
    read_mathematics,
)
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.algebra.outcomes import failure, numeric
from mathrag.reason.direct.algebra.questions import task_text
from mathrag.reason.direct.algebra.vectors import VECTOR, read_vector, shown_vector
from mathrag.reason.direct.algebra.wording import number_with_digits, plain
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import multiply, subtract

_LONGEST = 240
_MARK = "\ue000"
_OF_EQUATION = r"(?: (?:with|of)? ?(?:the )?equation| given by)?[ :]*"
_LINE_NAME = rf"(?:(?:the |a )?(?:straight )?(?:line|equation|graph of|graph)s?{_OF_EQUATION})?"
_POINT = rf"(?:the )?(?:points? )?(?:[A-Z] ?=? ?)?{_MARK}"
_EQUATION = r"(?P<line>[^=]+=[^=]+)"
_TWO = r"(?P<line>[^=]+=[^=]+?),? and (?:the )?(?:line )?(?P<other>[^=]+=[^=]+)"
_FAR = rf"(?:{any_of('curves.distances')})"
_MEET = rf"(?:{any_of('curves.meeting')})"


@dataclass(frozen=True, slots=True)
class _Line:
    """The line a x + b y + c = 0."""

    a: Fraction
    b: Fraction
    c: Fraction
    text: str

    def at(self, x: Fraction, y: Fraction) -> Fraction:
        return self.a * x + self.b * y + self.c


def answer_points_and_lines(text: str) -> AlgebraOutcome:
    """What is asked of points, lines and circles that are written out; None for any other question."""
    if len(text) > _LONGEST:
        return None
    asked = task_text(text)
    written = list(VECTOR.finditer(asked))
    points = [read_vector(found) for found in written if found["open"] == "("]
    if None in points or len(points) != len(written):
        return None
    words = VECTOR.sub(_MARK, asked).strip(" ,:")
    for form, pattern, answer in _QUESTIONS:
        for whole, given in ((words, points), (asked, [])):
            found = pattern.fullmatch(whole)
            if found is None or (form == "points") != bool(given):
                continue
            try:
                return answer(found, [point for point in given if point is not None])
            except (UnreadMathematicsError, AmbiguousMathematicsError, NotPolynomialError):
                continue
    return None


# Lines.


def _terms(written: str) -> tuple[dict[tuple[tuple[str, int], ...], Fraction], str] | None:
    """The terms of left side minus right side of an equation between x and y."""
    statement = read_mathematics(written.strip(" ,:"))
    if statement.signs != ("=",):
        return None
    left, right = statement.sides
    return powers_of(subtract(left, right)), f"{plain(left)} = {plain(right)}"


def _line(written: str) -> _Line | None:
    found = _terms(written)
    if found is None:
        return None
    terms, text = found
    if not set(terms) <= {(), (("x", 1),), (("y", 1),)}:
        return None
    a, b, c = (terms.get(each, Fraction(0)) for each in ((("x", 1),), (("y", 1),), ()))
    line = _Line(a, b, c, text)
    return line if line.a or line.b else None


def _shown(value: Fraction) -> str:
    return plain(literal(value))


def _distance(found: re.Match[str], points: Sequence[Vector]) -> AlgebraOutcome:
    line = _line(found["line"])
    if line is None or len(points) != 1 or len(points[0]) != 2:
        return None
    x, y = points[0]
    size, squared = abs(line.at(x, y)), line.a**2 + line.b**2
    root = square_root(squared)
    exact = tidied(multiply(literal(size / squared), root))
    number = float(size) / float(squared) ** 0.5
    head = f"the distance of {shown_vector(points[0])} from {line.text}"
    rule = f"|a x + b y + c|/√(a² + b²) = {_shown(size)}/√({_shown(squared)})"
    return numeric(
        exact,
        number,
        f"The distance of {shown_vector(points[0])} from the line {line.text} is {number_with_digits(exact, number)} "
        f"({rule}).",
        expression=head,
        checked="computed exactly",
        lines=(WorkingLine(rule),),
    )


def _slope_of(line: _Line) -> Fraction | None:
    return -line.a / line.b if line.b else None


def _slope(found: re.Match[str], _: Sequence[Vector]) -> AlgebraOutcome:
    line = _line(found["line"])
    if line is None:
        return None
    turned = (found.groupdict().get("turned") or "").lower()
    slope = _slope_of(line)
    across = "perpendicular" in turned or "normal" in turned or "right angles" in turned
    if across:
        if not line.a:
            return DirectStatement(f"A line perpendicular to {line.text} is upright and has no slope.", line.text)
        slope = Fraction(0) if slope is None else -1 / slope
    if slope is None:
        return DirectStatement(f"The line {line.text} is upright: it has no slope.", line.text)
    whose = f"a line {'perpendicular' if across else 'parallel'} to {line.text}" if turned else f"the line {line.text}"
    how = "−1 divided by the slope of the line" if across else "y = m x + c has the slope m"
    return _value(f"The slope of {whose} is {_shown(slope)} ({how}).", slope, f"slope of {whose}")


def _value(sentence: str, value: Fraction, head: str, lines: Sequence[str] = ()) -> AlgebraOutcome:
    shown = tuple(map(WorkingLine, lines))
    return numeric(literal(value), None, sentence, expression=head, checked="computed exactly", lines=shown)


def _intercept(found: re.Match[str], _: Sequence[Vector]) -> AlgebraOutcome:
    line = _line(found["line"])
    if line is None:
        return None
    axis = found["axis"].lower()
    own, point = (line.b, "(0, {})") if axis == "y" else (line.a, "({}, 0)")
    if not own:
        return DirectStatement(f"The line {line.text} has no {axis}-intercept.", line.text)
    value = -line.c / own
    where = point.format(_shown(value))
    sentence = f"The {axis}-intercept of {line.text} is {_shown(value)}: the line meets the {axis}-axis at {where}."
    return _value(sentence, value, f"{axis}-intercept of {line.text}")


def _meeting(found: re.Match[str], _: Sequence[Vector]) -> AlgebraOutcome:
    one, other = _line(found["line"]), _line(found["other"])
    if one is None or other is None:
        return None
    head = f"{one.text} and {other.text}"
    below = one.a * other.b - other.a * one.b
    if not below:
        is_same = one.a * other.c == other.a * one.c and one.b * other.c == other.b * one.c
        said = "are one and the same line" if is_same else "are parallel: they never meet"
        return DirectStatement(f"{head} {said}.", head)
    x, y = (one.b * other.c - other.b * one.c) / below, (other.a * one.c - one.a * other.c) / below
    assert not one.at(x, y)
    assert not other.at(x, y)
    where = shown_vector((x, y))
    return DirectStatement(f"{head} meet at {where} (put into both equations).", head, (WorkingLine(where),))


# Points.


def _between(_: re.Match[str], points: Sequence[Vector]) -> AlgebraOutcome:
    one, other = points
    if len(one) != len(other) or len(one) < 2:
        return None
    squared = sum(((b - a) ** 2 for a, b in zip(one, other, strict=True)), Fraction(0))
    root = square_root(squared)
    number = float(squared) ** 0.5
    pair = f"{shown_vector(one)} and {shown_vector(other)}"
    squares = " + ".join(f"({_shown(b - a)})²" for a, b in zip(one, other, strict=True))
    return numeric(
        root,
        number,
        f"The distance between {pair} is {number_with_digits(root, number)} (√({squares})).",
        expression=f"distance between {pair}",
        checked="computed exactly",
        lines=(WorkingLine(f"√({squares})"),),
    )


def _corners(found: re.Match[str], points: Sequence[Vector]) -> AlgebraOutcome:
    wanted = {"triangle": 3, "quadrilateral": 4, "pentagon": 5}
    figure = found["figure"].lower()
    if any(len(point) != 2 for point in points) or wanted.get(figure, len(points)) != len(points) or len(points) < 3:
        return None
    around = [(point[0], point[1]) for point in points]
    closed = [*around, around[0]]
    if len(points) > 3 and _crosses_itself(closed):
        return failure("undefined", "the sides cross in this order of the corners: give them around the figure")
    doubled = sum((x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairwise(closed)), Fraction(0))
    area = abs(doubled) / 2
    if not area:
        return failure("undefined", "these points lie on one line")
    shown = ", ".join(map(shown_vector, points))
    sentence = f"The area of the {figure} with the corners {shown} is {_shown(area)} (half the sum of the x y′ − x′ y)."
    return _value(sentence, area, f"area of the {figure} {shown}")


def _crosses_itself(closed: Sequence[tuple[Fraction, Fraction]]) -> bool:
    sides = list(pairwise(closed))
    return any(
        _cross(one, other) for place, one in enumerate(sides) for other in sides[place + 2 : len(sides) - (not place)]
    )


def _cross(
    one: tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]],
    other: tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]],
) -> bool:
    def side(a: tuple[Fraction, Fraction], b: tuple[Fraction, Fraction], c: tuple[Fraction, Fraction]) -> Fraction:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    return side(*one, other[0]) * side(*one, other[1]) <= 0 and side(*other, one[0]) * side(*other, one[1]) <= 0


# Circles.


def _circle(found: re.Match[str], _: Sequence[Vector]) -> AlgebraOutcome:
    made = _terms(found["line"])
    if made is None:
        return None
    terms, text = made
    squares = {(("x", 2),), (("y", 2),)}
    if not set(terms) <= {*squares, (("x", 1),), (("y", 1),), ()}:
        return None
    scale = terms.get((("x", 2),), Fraction(0))
    if not scale or terms.get((("y", 2),)) != scale:
        return None
    x, y = (-terms.get((name,), Fraction(0)) / (2 * scale) for name in (("x", 1), ("y", 1)))
    squared = x * x + y * y - terms.get((), Fraction(0)) / scale
    if squared <= 0:
        return failure("undefined", f"{text} is no circle: the square of the radius would be {_shown(squared)}")
    centre = shown_vector((x, y))
    wanted = found["part"].lower()
    form = f"centre {centre}, r² = {_shown(squared)}"
    if wanted in ("center", "centre"):
        return DirectStatement(f"The centre of the circle {text} is {centre} ({form}).", text, (WorkingLine(form),))
    factor = 2 if wanted == "diameter" else 1
    exact, number = square_root(squared * factor**2), factor * float(squared) ** 0.5
    said = f"The {wanted} of the circle {text} is {number_with_digits(exact, number)} ({form})."
    return numeric(
        exact, number, said, expression=f"{wanted} of {text}", checked="computed exactly", lines=(WorkingLine(form),)
    )


_TURNED = rf"(?:a|any|the|every) line (?P<turned>(?:that is |which is )?(?:{any_of('curves.turned')})) (?:to )?"
_SLOPE_NAME = r"(?:the )?(?:slope|gradient)"
_FIGURE = r"(?:the |a )?(?P<figure>triangle|quadrilateral|pentagon|polygon)"
_HAVING = r"(?:with|whose|having|formed by|through)"
_CORNERS = rf"(?:(?:its |the )?(?:{any_of('curves.corners')}) )?(?:are |at )?"
_INTERSECTION = r"(?:the )?(?:points? (?:of intersection|where) |intersection (?:point )?)(?:of |between )?"
_CIRCLE = (
    r"(?:the )?(?P<part>radius|cent(?:er|re)|diameter) of (?:the |a )?circle[ :]*(?:(?:with|of) (?:the )?equation )?"
)
_Answer: TypeAlias = Callable[[re.Match[str], Sequence[Vector]], AlgebraOutcome]
_FORMS: tuple[tuple[str, str, _Answer], ...] = (
    ("points", rf"{_FAR} (?:from|of|between) {_POINT} (?:to|from|and) {_LINE_NAME}{_EQUATION}", _distance),
    ("points", rf"{_FAR} (?:from|of|between) {_LINE_NAME}{_EQUATION} (?:to|from|and) {_POINT}", _distance),
    ("points", rf"how far is {_POINT} (?:away )?from {_LINE_NAME}{_EQUATION}", _distance),
    ("points", rf"{_FAR} (?:from|between) {_POINT} (?:to|and) {_POINT}", _between),
    (
        "points",
        rf"(?:the )?area of {_FIGURE} {_HAVING} {_CORNERS}{_POINT}(?:(?:, and|,| and) ?{_POINT}){{2,7}}",
        _corners,
    ),
    ("equations", rf"{_SLOPE_NAME} of {_TURNED}{_LINE_NAME}{_EQUATION}", _slope),
    ("equations", rf"{_SLOPE_NAME} of {_LINE_NAME}{_EQUATION}", _slope),
    ("equations", rf"(?:the )?(?P<axis>[xy])[- ]intercept of {_LINE_NAME}{_EQUATION}", _intercept),
    ("equations", rf"{_INTERSECTION}{_LINE_NAME}{_TWO}(?: {_MEET})?", _meeting),
    ("equations", rf"where do {_LINE_NAME}{_TWO} {_MEET}", _meeting),
    ("equations", rf"{_CIRCLE}{_EQUATION}", _circle),
)
_QUESTIONS = tuple((form, re.compile(pattern, re.IGNORECASE), answer) for form, pattern, answer in _FORMS)
