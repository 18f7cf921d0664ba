"""Expressions of numbers alone that only typed mathematics can read: `log_3(81)`, `10!/(7!3!)`, `arcsin(0.5) in
degrees`.

A logarithm without a base is left to those who say which one they take.
"""

from __future__ import annotations

import math
import re

from mathrag.compute.algebra.points import value_at
from mathrag.compute.evaluate.exact import evaluate
from mathrag.compute.typed_mathematics import AmbiguousMathematicsError, UnreadMathematicsError, read_mathematics
from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.word_classes import word_pairs
from mathrag.reason.direct.algebra.outcomes import numeric
from mathrag.reason.direct.algebra.questions import mathematics_alone
from mathrag.reason.direct.algebra.wording import number_with_digits, plain
from mathrag.reason.direct.result import WHOLE_FIGURES, AlgebraOutcome, as_number, result_by_steps, with_unit
from mathrag.types.expression import Call, Expression, number, symbols_of, walk
from mathrag.types.quantity import Quantity

_LONGEST = 160
_ANGLE = re.compile(r"(?P<body>.+?),? in (?P<unit>degrees|radians)", re.IGNORECASE)
_INVERSES = {name: sign for name, sign in word_pairs("algebra.function_names").items() if sign.startswith("arc")}
_INVERSE = re.compile(rf"(?P<name>{'|'.join(_INVERSES)}) (?:of )?(?P<number>[-−]?[0-9.]+)", re.IGNORECASE)
_ANGLES = frozenset(("asin", "acos", "atan"))
# Arithmetic reads all other functions, and says where they can be read in two ways.
_READ_HERE = frozenset(("log", "log2", "log10", "factorial"))
# What stands right behind a divisor may belong to it or not.
_OPEN_DIVISION = re.compile(r"/ ?(?:[0-9.]++!?|[a-z]+_?[0-9]*\([^()]*\)|\([^()]*\)!?) ?(?=[A-Za-z(0-9])")
# Digits may be lost in floats, not so many in numbers of fifty digits.
_WHOLE = 1e-30


def answer_typed_value(text: str) -> AlgebraOutcome:
    """The value of an expression of numbers; None for any other question."""
    if len(text) > _LONGEST or not any(sign.isdigit() for sign in text):
        return None
    asked = mathematics_alone(text)
    angle = _ANGLE.fullmatch(asked)
    body = asked if angle is None else angle["body"]
    if _OPEN_DIVISION.search(body):
        return None
    try:
        statement = read_mathematics(_INVERSE.sub(_as_call, body))
    except (UnreadMathematicsError, AmbiguousMathematicsError):
        return None
    expression = statement.sides[0]
    calls = [node for node in walk(expression) if isinstance(node, Call)]
    if statement.signs or statement.has_bare_log or symbols_of(expression) or not calls:
        return None
    if angle is not None:
        is_angle = isinstance(expression, Call) and expression.function in _ANGLES
        return _angle(expression, angle["unit"].lower()) if is_angle else None
    return _value(expression) if all(node.function in _READ_HERE for node in calls) else None


def _as_call(found: re.Match[str]) -> str:
    return f"{_INVERSES[found['name'].lower()]}({found['number']})"


def _value(expression: Expression) -> AlgebraOutcome:
    exactly = evaluate(expression, {})
    found = value_at(expression, {})
    if not found.is_real:
        return None
    nearest = round(found.real)
    exact: Expression | None = None
    if isinstance(exactly, int):
        exact = number(exactly)
    elif abs(found.real - nearest) < _WHOLE:
        exact = number(int(nearest))
    digits = float(found.real)
    head = plain(expression)
    sentence = f"{head} = {number_with_digits(exact, digits)}.".replace("= ≈", "≈")
    return numeric(exact, digits, sentence, expression=head, checked="computed with fifty digits")


def _angle(expression: Expression, unit: str) -> AlgebraOutcome:
    found = value_at(expression, {})
    if not found.is_real:
        return None
    radians = float(found.real)
    value = float(f"{math.degrees(radians):.12g}") if unit == "degrees" else radians
    size = as_number(int(value) if value.is_integer() else value)
    assert size is not None
    of = read_canonical_unit("deg" if unit == "degrees" else "rad")
    said = with_unit(size, of, WHOLE_FIGURES)
    name = plain(expression)
    return result_by_steps(
        "algebra", Quantity(size, of), name=name, said=said, steps=(name,), figures=WHOLE_FIGURES, subject=name
    )
