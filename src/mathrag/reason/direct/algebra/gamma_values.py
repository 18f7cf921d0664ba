"""The gamma function at whole and half numbers, alone or in an expression or claim: `Γ(7/2)`, `Γ(1/2)^2 = π ?`.

Its letter before a bracket is never a factor. At other places it is not computed here, and that is said.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction

from mathrag.compute.algebra.points import value_at
from mathrag.compute.solve.tidy import constant_of, literal, tidied
from mathrag.compute.typed_mathematics import AmbiguousMathematicsError, UnreadMathematicsError, read_one
from mathrag.reason.direct.algebra.answers import answer_task
from mathrag.reason.direct.algebra.outcomes import failure, numeric
from mathrag.reason.direct.algebra.questions import Claim, mathematics_alone, read_task
from mathrag.reason.direct.algebra.wording import number_with_digits, plain
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import AlgebraOutcome, DirectFailure, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import PI, Expression, Number, call, divide, multiply, power, symbols_of

_LONGEST, _LARGEST = 300, 60
_MARKS = re.compile(r"\$+|\\[()\[\]]|`|\\left|\\right|\\[,;! ]")
_GAMMA = re.compile(
    r"(?:Γ|\\Gamma\b|\b[Gg]amma) ?\( ?(?P<inside>[^()=]{1,40}|\([^()=]{1,30}\)[^()=]{0,12}) ?\)"
    r"(?: ?\^ ?\{? ?(?P<power>[2-9]) ?\}?(?![0-9/.])|(?P<raised>[²³]))?"
)
_RULE = re.compile(
    r"(?:is (?:it true that )?)?(?:G\((?P<a>[a-z]) ?\+ ?1\) ?= ?(?P=a) ?\*? ?G\((?P=a)\)|G\((?P<b>[a-z]) "
    r"?\+ ?1\) ?= ?(?P=b) ?!"
    r"|G\((?P<c>[a-z])\) ?= ?\((?P=c) ?- ?1\) ?!)",
)


def answer_gamma(text: str) -> AlgebraOutcome:
    """The value, or whether a claim about values is true; None where no gamma function stands in the question."""
    if len(text) > _LONGEST or not re.search(r"Γ ?\(|\\Gamma|[Gg]amma ?(?:\\left)? ?\(", text):
        return None
    laid = " ".join(_MARKS.sub(" ", tidy(text)).replace("−", "-").split())
    places = list(_GAMMA.finditer(laid))
    if not places:
        return None
    rule = _RULE.fullmatch(re.sub(r"(?:Γ|\\Gamma|\b[Gg]amma) ?(?=\()", "G", without_ending(laid)))
    if rule is not None:
        return _known_rule(rule)
    values: list[tuple[str, Expression]] = []
    for found in places:
        place = _place(found["inside"])
        if place is None:
            return failure(
                "unread",
                f"the gamma function is computed here at whole and half numbers only, not at {found['inside'].strip()}",
            )
        if place.denominator == 1 and place <= 0:
            return failure(
                "undefined",
                f"the gamma function has no value at {place}: it has a pole at 0 and at every negative whole number",
            )
        values.append((f"Γ({place})".replace("-", "−"), _value(place)))
    powers = [int(found["power"] or {"²": 2, "³": 3}.get(found["raised"] or "", 1)) for found in places]
    written = iter(plain_input(_raised(value, count)) for (_, value), count in zip(values, powers, strict=True))
    made = _GAMMA.sub(lambda _: next(written), laid)
    return _answered(made, laid, values)


def _raised(value: Expression, count: int) -> Expression:
    """A power of a number, or of a multiple of √π."""
    number = constant_of(value)
    if number is not None:
        return literal(number**count)
    factor = constant_of(tidied(divide(value, call("sqrt", PI))))
    assert factor is not None
    parts = [power(PI, Number(count // 2))] if count > 1 else []
    return tidied(multiply(literal(factor**count), *parts, *([call("sqrt", PI)] if count % 2 else [])))


def plain_input(value: Expression) -> str:
    """A value as it can be read again."""
    shown = plain(value)
    for written, read in (("√π", "sqrt(pi)"), ("²", "^2"), ("³", "^3"), ("π", "pi"), ("−", "-")):
        shown = shown.replace(written, read)
    return f"({shown})"


def _place(text: str) -> Fraction | None:
    try:
        number = constant_of(tidied(read_one(text)))
    except (UnreadMathematicsError, AmbiguousMathematicsError):
        return None
    return number if number is not None and number.denominator in (1, 2) and abs(number) <= _LARGEST else None


def _value(place: Fraction) -> Expression:
    """By Γ(x + 1) = x Γ(x), from Γ(1) = 1 and Γ(1/2) = √π."""
    if place.denominator == 1:
        return literal(Fraction(math.factorial(place.numerator - 1)))
    factor, at = Fraction(1), place
    while at > 1:
        at -= 1
        factor *= at
    while at < 0:
        factor /= at
        at += 1
    return tidied(multiply(literal(factor), call("sqrt", PI)))


_USED = "Γ(1) = 1, Γ(1/2) = √π and Γ(x + 1) = x Γ(x)"


def _answered(made: str, laid: str, values: list[tuple[str, Expression]]) -> AlgebraOutcome:
    shown = "; ".join(f"{name} = {plain(value)}" for name, value in dict(values).items())
    try:
        if not re.search(r"[=<>≤≥]", without_ending(made)) and " equal" not in made:
            body = read_one(mathematics_alone(made))
            if symbols_of(body):
                return None
            exact = tidied(body)
            number = float(value_at(exact, {}).real)
            head = _head(laid)
            sentence = f"{head} = {number_with_digits(exact, number)} ({_USED})."
            lines = tuple(WorkingLine(f"{name} = {plain(value)}") for name, value in dict(values).items())
            return numeric(exact, number, sentence, expression=head, checked=f"by {_USED}", lines=lines)
        asked = (
            made
            if re.match(r"\s*(?:is|does|prove|show|true|verify)\b", made, re.IGNORECASE)
            else f"is it true that {made}"
        )
        task = read_task(asked)
    except (UnreadMathematicsError, AmbiguousMathematicsError):
        return failure("unread", "what stands around the gamma function could not be read")
    if not isinstance(task, Claim):
        return failure("unread", "what stands around the gamma function could not be read")
    found = answer_task(task)
    if not isinstance(found, DirectStatement):
        return found if isinstance(found, DirectFailure) else None
    return DirectStatement(f"{found.text} Used: {shown} (by {_USED}).", found.expression, found.lines, found.notes)


def _head(laid: str) -> str:
    return re.sub(r"\\Gamma|\b[Gg]amma", "Γ", mathematics_alone(laid)).replace(" (", "(").strip(" ?.=")


def _known_rule(found: re.Match[str]) -> DirectStatement:
    letter = found["a"] or found["b"] or found["c"]
    if found["a"]:
        text = (
            f"True: Γ({letter} + 1) = {letter} Γ({letter}) wherever both sides have a value, that is for "
            f"every {letter} except 0 and the negative whole numbers. A theorem (integration by parts "
            f"in Euler's integral), told and not shown here."
        )
    elif found["b"]:
        text = (
            f"True for whole {letter} ≥ 0: Γ({letter} + 1) = {letter}!. It follows from Γ(1) = 1 and Γ(x "
            f"+ 1) = x Γ(x) by induction; for other numbers it is how {letter}! may be defined."
        )
    else:
        text = (
            f"True for whole {letter} ≥ 1: Γ({letter}) = ({letter} − 1)!. It follows from Γ(1) = 1 and "
            f"Γ(x + 1) = x Γ(x) by induction."
        )
    return DirectStatement(text, text.split(":", 1)[1].split(".")[0].strip(), (WorkingLine(text),))
