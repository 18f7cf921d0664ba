"""Figures of a list of points: the line of best fit through them, their correlation, the middle of two. Exact.

Strict: the points, as `(1, 2), (3, 4)` or as two lists of x and y, and words that ask for one figure.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from mathrag.knowledge.spelling import normal_words
from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.reason.direct.open_words import change_nothing, denies, is_asked, known_before
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import (
    PLAIN_FIGURES,
    WHOLE_FIGURES,
    AlgebraOutcome,
    DirectFailure,
    DirectResult,
    DirectStatement,
    result_by_steps,
    short,
)
from mathrag.types.answer import Provenance, WorkingLine
from mathrag.types.quantity import Quantity

_LONGEST, _MOST = 1_000, 200
_PARTS_OF_NAMES = frozenset(" ".join(word_pairs("figures.of_pairs")).split())
# A slope or an intercept alone is that of no line.
_OF_A_LINE = frozenset(("slope", "intercept"))
_NUMBER = r"[-−]?[0-9]{1,12}(?:\.[0-9]{1,12})?"
_POINT = re.compile(rf"\( ?(?P<x>{_NUMBER}) ?[,;] ?(?P<y>{_NUMBER}) ?\)")
# Three digits behind a comma alone may belong to the number before it.
_ROW = rf"{_NUMBER}(?:(?:, and |, | and |; ?|,(?![0-9]{{3}}(?![0-9]))){_NUMBER}){{2,}}"
_COLUMNS = re.compile(
    rf"\bx(?:[- ]values)?(?: (?:are|of))? ?[:=]? ?[\[({{]?(?P<x>{_ROW})[\])}}]?,?;?\.?(?: and)? (?:[a-z]+ )?"
    rf"y(?:[- ]values)?(?: (?:are|of))? ?[:=]? ?[\[({{]?(?P<y>{_ROW})[\])}}]?"
)
_MARK = re.compile(r"[.?!;:](?= )")
_WORD = re.compile(r"[^ .,;:?!()–—-]+")
# Of a fit these say nothing new: it is that of y on x anyway.
_LETTERS = re.compile(r"\b(?:(?:between|of) x and y|y (?:on|against|vs\.?) x|x[- ]?y(?= (?:data|points|pairs)))\b")
# What is meant where several of these are named: the slope of the least-squares line through some points.
_MEANT = {
    frozenset(("line", "through")): "line",
    frozenset(("line", "slope")): "slope",
    frozenset(("line", "slope", "through")): "slope",
    frozenset(("line", "intercept")): "intercept",
    frozenset(("line", "intercept", "through")): "intercept",
    frozenset(("line", "slope", "intercept")): "line",
}


def answer_data_pairs(text: str) -> AlgebraOutcome:
    """The figure that is asked for of the points; None for any other question."""
    if len(text) > _LONGEST:
        return None
    asked = without_ending(tidy(text)).lower()
    points, rest = _points(asked)
    if not 2 <= len(points) <= _MOST:
        return None
    figure = _figure(_LETTERS.sub(" ", rest), _MARK.sub(r" \g<0> ", f"{tidy(text).lower()} "))
    if not figure:
        return None
    if figure in ("midpoint", "through"):
        if len(points) != len(("one", "other")):
            return None
        return _midpoint(points) if figure == "midpoint" else _through(points)
    found = _of_a_fit(figure, points)
    if isinstance(found, DirectResult):
        return replace(found, provenance=(Provenance("question", tidy(text)),))
    return found


def _figure(rest: str, sentences: str) -> str:
    """The one figure that is asked for in what is said beside the points; empty where more is said."""
    names = re.compile(rf"\b(?:{any_of('figures.of_pairs')})(?![a-z])")
    said = frozenset(word_pairs("figures.of_pairs")[each[0]] for each in names.finditer(rest))
    left = set(map(normal_words, _WORD.findall(names.sub(" ", rest)))) - word_class("figures.around_pairs")
    if said <= _OF_A_LINE or not change_nothing(left) or denies(rest):
        return ""
    if not is_asked(names, sentences) or not known_before(names, _PARTS_OF_NAMES, (rest,), rest):
        return ""
    return next(iter(said)) if len(said) == 1 else _MEANT.get(said, "")


def _points(asked: str) -> tuple[list[tuple[Fraction, Fraction]], str]:
    columns = _COLUMNS.search(asked)
    if columns is not None:
        xs, ys = ([_value(each) for each in re.findall(_NUMBER, columns[part])] for part in ("x", "y"))
        rest = asked[: columns.start()] + " " + asked[columns.end() :]
        return (list(zip(xs, ys, strict=True)) if len(xs) == len(ys) else []), rest
    found = [(_value(each["x"]), _value(each["y"])) for each in _POINT.finditer(asked)]
    return found, _POINT.sub(" ", asked)


def _value(text: str) -> Fraction:
    return Fraction(text.replace("−", "-"))


def _midpoint(points: Sequence[tuple[Fraction, Fraction]]) -> DirectStatement:
    (x1, y1), (x2, y2) = points
    line = f"((({short(x1)}) + ({short(x2)}))/2, (({short(y1)}) + ({short(y2)}))/2)"
    text = f"The midpoint is ({short((x1 + x2) / 2)}, {short((y1 + y2) / 2)})."
    return DirectStatement(text, "midpoint", (WorkingLine(line),), kind="story")


def _through(points: Sequence[tuple[Fraction, Fraction]]) -> DirectStatement | None:
    (x1, y1), (x2, y2) = points
    if (x1, y1) == (x2, y2):
        return None
    if x1 == x2:
        return DirectStatement(f"The line is x = {short(x1)}: it is upright.", "line", kind="story")
    slope = (y2 - y1) / (x2 - x1)
    start = y1 - slope * x1
    lines = (
        f"slope = ({short(y2)} − ({short(y1)})) / ({short(x2)} − ({short(x1)})) = {short(slope)}",
        f"intercept = {short(y1)} − ({short(slope)}) × ({short(x1)}) = {short(start)}",
    )
    return DirectStatement(f"The line is {_line(slope, start)}.", "line", tuple(map(WorkingLine, lines)), kind="story")


def _line(slope: Fraction, start: Fraction) -> str:
    turned = {Fraction(1): "x", Fraction(-1): "−x"}.get(slope, f"{short(slope)} x")
    if not slope:
        return f"y = {short(start)}"
    return f"y = {turned}" + (f" {'−' if start < 0 else '+'} {short(abs(start))}" if start else "")


def _of_a_fit(figure: str, points: Sequence[tuple[Fraction, Fraction]]) -> AlgebraOutcome:
    count = len(points)
    x_mean, y_mean = (sum((each[axis] for each in points), Fraction(0)) / count for axis in (0, 1))
    sxx = sum(((x - x_mean) ** 2 for x, _ in points), Fraction(0))
    syy = sum(((y - y_mean) ** 2 for _, y in points), Fraction(0))
    sxy = sum(((x - x_mean) * (y - y_mean) for x, y in points), Fraction(0))
    sums = f"means {short(x_mean)} and {short(y_mean)}; Sxx = {short(sxx)}, Syy = {short(syy)}, Sxy = {short(sxy)}"
    if figure in ("r", "r²"):
        if not sxx or not syy:
            return DirectFailure("domain", "values that are all equal have no correlation", "story")
        square = sxy**2 / (sxx * syy)
        value: Fraction | float = square if figure == "r²" else math.copysign(math.sqrt(square), sxy)
        rule = "r = Sxy / √(Sxx Syy)" if figure == "r" else "r² = Sxy² / (Sxx Syy)"
        return _number(
            "correlation coefficient" if figure == "r" else "coefficient of determination", value, (sums, rule)
        )
    if not sxx:
        return DirectFailure("domain", "points with one x alone have no regression line", "story")
    slope = sxy / sxx
    start = y_mean - slope * x_mean
    rules = (sums, f"slope = Sxy / Sxx = {short(slope)}", f"intercept = mean of y − slope × mean of x = {short(start)}")
    if figure == "line":
        text = f"The regression line (least squares) is {_line(slope, start)}."
        return DirectStatement(text, "regression line", tuple(map(WorkingLine, rules)), kind="story")
    value = slope if figure == "slope" else start
    return _number(f"{figure} of the regression line", value, rules[: 2 if figure == "slope" else 3])


def _number(name: str, value: Fraction | float, lines: Sequence[str]) -> DirectResult:
    is_whole = isinstance(value, Fraction) and value.denominator == 1
    number: int | float = int(value) if is_whole else float(value)
    figures = PLAIN_FIGURES if is_whole else WHOLE_FIGURES
    return result_by_steps("list", Quantity(number), name=name, said=short(value), steps=lines, figures=figures)
