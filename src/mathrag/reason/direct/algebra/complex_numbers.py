"""Arithmetic with the imaginary unit: `(2 + i)(3 - i)`, `(1 + 2i)/(1 - i)`; and size, direction and polar form of one
number. Exact, and only where i is all that stands in it."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from mathrag.compute.algebra.complex_values import ComplexValue, complex_value
from mathrag.compute.algebra.points import value_at
from mathrag.compute.algebra.polynomials import square_root
from mathrag.compute.solve.tidy import constant_of, literal, tidied
from mathrag.compute.typed_mathematics import UnreadMathematicsError, read_one
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.algebra.outcomes import failure, numeric
from mathrag.reason.direct.algebra.questions import mathematics_alone
from mathrag.reason.direct.algebra.wording import number_with_digits, plain
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import (
    ONE,
    TWO,
    ZERO,
    Add,
    Call,
    Divide,
    Expression,
    Power,
    Symbol,
    add,
    power,
    substitute,
    symbols_of,
    walk,
)

_LONGEST = 300
_REMARK = re.compile(rf"[ ,;]*\(?(?:where |with |and )?(?:{any_of('algebra.imaginary_unit')})\)?", re.IGNORECASE)


_ASKED = {
    "polar": any_of("algebra.polar_form"),
    "size": any_of("algebra.complex_size"),
    "direction": any_of("algebra.complex_direction"),
    "part": any_of("algebra.complex_parts"),
}
_AS_SUM = re.compile(
    rf"(?:(?:{any_of('algebra.write')}) )(?P<body>.+?),? (?:in|as|into)(?: the)? (?:{any_of('algebra.standard_form')})",
    re.IGNORECASE,
)
_WORDS = re.compile(rf"(?<![A-Za-z])(?:{any_of('algebra.complex_words')})(?![A-Za-z])", re.IGNORECASE)
# Directions of numbers whose parts are simple, in parts of pi, by the square of the tangent.
_ANGLES = {Fraction(0): (0, 1), Fraction(1, 3): (1, 6), Fraction(1): (1, 4), Fraction(3): (1, 3)}


def answer_complex(text: str) -> AlgebraOutcome:
    """The value of an expression in i, or its size, direction, polar form or one of its parts; None for any other
    question."""
    if len(text) > _LONGEST or "i" not in text:
        return None
    return _computed(text) or _described(text)


def _computed(text: str) -> DirectStatement | None:
    as_sum = _AS_SUM.fullmatch(without_ending(tidy(text)))
    asked = _REMARK.sub(" ", mathematics_alone(_REMARK.sub(" ", text if as_sum is None else as_sum["body"])))
    try:
        expression = read_one(asked.strip(" =?,;"))
    except UnreadMathematicsError:
        return None
    # A number beside the letter alone may be a name.
    is_sum = any(isinstance(node, Add | Power | Divide) for node in walk(expression))
    value = complex_value(expression) if is_sum else None
    if value is None:
        return None
    head = plain(expression)
    made = f"{head} = {value}"
    return DirectStatement(
        f"{made} (exactly, with i² = −1).", head, (WorkingLine(made),), ("i is taken as the imaginary unit",)
    )


def _described(text: str) -> AlgebraOutcome:
    """Size, direction, polar form, conjugate and parts of one number a + bi."""
    asked = without_ending(tidy(_REMARK.sub(" ", text)))
    bars = re.fullmatch(r"(?:what is )?\|(?P<body>[^|]+)\|", asked, re.IGNORECASE)
    if bars is not None:
        return _sized(bars["body"], "size", "")
    found = [
        (name, match)
        for name, words in _ASKED.items()
        if (match := re.search(rf"(?<![A-Za-z])(?:{words})(?![A-Za-z])", asked, re.IGNORECASE))
    ]
    if len(found) != 1:
        return None
    name, match = found[0]
    rest = mathematics_alone(f"{asked[: match.start()]} {asked[match.end() :]}")
    said = match.group().lower()
    return _sized(" ".join(_WORDS.sub(" ", rest).split()).strip(" ,:?"), name, said)


def _sized(written: str, name: str, said: str) -> AlgebraOutcome:
    try:
        expression = read_one(written)
    except UnreadMathematicsError:
        return None
    value = complex_value(expression)
    if value is None:
        return _sized_with_roots(expression, name)
    head = plain(expression)
    squared = value.real**2 + value.imaginary**2
    size = square_root(squared)
    notes = ("i is taken as the imaginary unit",)
    if name == "part":
        part = word_pairs("algebra.complex_parts")[said]
        if part == "conjugate":
            made = ComplexValue(value.real, -value.imaginary)
            return DirectStatement(
                f"The complex conjugate of {head} is {made}.", head, (WorkingLine(f"{made}"),), notes
            )
        number = value.real if part == "real" else value.imaginary
        sentence = f"The {part} part of {head} is {number}.".replace("-", "−")
        return numeric(literal(number), float(number), sentence, expression=head, checked="exactly", notes=notes)
    if name == "size":
        lines = (WorkingLine(f"√({value.real}² + {value.imaginary}²) = √{squared}".replace("-", "−")),)
        sentence = f"|{head}| = {number_with_digits(size, math.sqrt(squared))} (√(a² + b²))."
        return numeric(
            size,
            math.sqrt(squared),
            sentence,
            expression=f"|{head}|",
            checked="computed exactly",
            lines=lines,
            notes=notes,
        )
    if not squared:
        return failure("undefined", "0 has no direction, so it has no argument and no polar form")
    radians = math.atan2(value.imaginary, value.real)
    direction = _direction(value)
    shown = f"{direction} ≈ {radians:.7g}" if direction else f"≈ {radians:.7g}"
    degrees = f"{math.degrees(radians):.7g}°".replace("-", "−")
    if name == "direction":
        sentence = f"The argument of {head} is {shown} radians ({degrees}), the principal value between −π and π."
        return DirectStatement(sentence.replace("-", "−"), head, (WorkingLine(f"arg = {shown}"),), notes)
    angle = direction or f"{radians:.7g}".replace("-", "−")
    length = plain(size)
    equals = "=" if direction else "≈"
    turn = f"−i {angle[1:]}" if angle.startswith("−") else f"i {angle}"
    text = (
        f"{head} {equals} {length} · (cos({angle}) + i sin({angle})) {equals} {length} · e^({turn}), with "
        f"angle {degrees}."
    )
    return DirectStatement(
        text, head, (WorkingLine(f"size √{squared} = {length}"), WorkingLine(f"angle {shown}".replace("-", "−"))), notes
    )


def _sized_with_roots(expression: Expression, name: str) -> AlgebraOutcome:
    """Size, direction and polar form of a + bi whose parts are square roots of fractions, with a simple direction."""
    parts = _parts(expression)
    if parts is None or name == "part":
        return None
    squares = [constant_of(tidied(power(part, TWO))) for part in parts]
    numbers = [value_at(part, {}) for part in parts]
    if squares[0] is None or squares[1] is None or not all(each.is_real for each in numbers):
        return None
    real, imaginary = (float(each.real) for each in numbers)
    simple = (1, 2) if not squares[0] else _ANGLES.get(squares[1] / squares[0])
    if simple is None or not squares[0] + squares[1]:
        return None
    size, direction = plain(square_root(squares[0] + squares[1])), _turned(simple, real, imaginary)
    head, notes = plain(expression), ("i is taken as the imaginary unit",)
    degrees = f"{math.degrees(math.atan2(imaginary, real)):.7g}°".replace("-", "−")
    if name == "size":
        text = f"|{head}| = {size} (√(a² + b²))."
    elif name == "direction":
        text = f"The argument of {head} is {direction} ({degrees}), the principal value between −π and π."
    else:
        turn = f"−i {direction[1:]}" if direction.startswith("−") else f"i {direction}"
        text = f"{head} = {size} · (cos({direction}) + i sin({direction})) = {size} · e^({turn}), with angle {degrees}."
    return DirectStatement(text, head, (WorkingLine(f"size {size}, angle {direction}"),), notes)


def _parts(expression: Expression) -> tuple[Expression, Expression] | None:
    """Real and imaginary part of a sum whose terms have i once or not at all."""
    real: list[Expression] = []
    imaginary: list[Expression] = []
    for term in expression.terms if isinstance(expression, Add) else (expression,):
        count = sum(node == Symbol("i") for node in walk(term))
        if count > 1 or set(symbols_of(term)) - {"i"}:
            return None
        (imaginary if count else real).append(tidied(substitute(term, {"i": ONE})))
        if count and tidied(substitute(term, {"i": ZERO})) != ZERO:
            return None
        if count and any(isinstance(node, Power | Call) and "i" in symbols_of(node) for node in walk(term)):
            return None
        if count and any(isinstance(node, Divide) and "i" in symbols_of(node.denominator) for node in walk(term)):
            return None
    return tidied(add(ZERO, *real)), tidied(add(ZERO, *imaginary))


def _direction(value: ComplexValue) -> str:
    """The principal angle as a part of π, where it is a simple one; empty where not."""
    if not value.real:
        return _turned((1, 2), 0.0, float(value.imaginary))
    simple = _ANGLES.get((value.imaginary / value.real) ** 2)
    return "" if simple is None else _turned(simple, float(value.real), float(value.imaginary))


def _turned(simple: tuple[int, int], real: float, imaginary: float) -> str:
    above, below = simple
    if real < 0:
        above = below - above
    sign = "−" if imaginary < 0 else ""
    if not above:
        return "0"
    return f"{sign}{'' if above == 1 else above}π{'' if below == 1 else f'/{below}'}"
