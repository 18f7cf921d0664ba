"""Two polynomials in one letter: their greatest common divisor and least common multiple, exactly."""

from __future__ import annotations

import math
import re

from mathrag.compute.algebra.polynomials import (
    NotPolynomialError,
    Polynomial,
    common_divisor,
    divided,
    polynomial_expression,
    polynomial_of,
    times,
)
from mathrag.compute.algebra.rewriting import factored
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.typed_mathematics import AmbiguousMathematicsError, UnreadMathematicsError, read_one
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.algebra.questions import task_text
from mathrag.reason.direct.algebra.wording import plain
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import Expression, symbols_of

_LONGEST, _HIGHEST = 240, 40
_PAIR = re.compile(
    rf"(?:the )?(?:(?P<gcd>{any_of('stories.common_factor')})|(?P<lcm>{any_of('stories.common_multiple')}))"
    r"(?: of| for|:)?(?: the)?(?: polynomials)? ?(?:\( ?(?P<first>[^,]+), ?(?P<second>[^,]+)\)"
    r"|(?P<one>[^,]+?)(?:,? and |, ?)(?P<other>[^,]+?))(?: over (?:Q|ℚ|R|ℝ|the (?:rationals|reals)))?",
    re.IGNORECASE,
)


def answer_polynomial_pairs(text: str) -> AlgebraOutcome:
    """The common divisor or multiple of two polynomials; None for any other question."""
    if len(text) > _LONGEST or not re.search(r"gcd|gcf|hcf|lcm|common", text, re.IGNORECASE):
        return None
    found = _PAIR.fullmatch(task_text(text))
    if found is None:
        return None
    read = _pair(found["first"] or found["one"], found["second"] or found["other"])
    if read is None:
        return None
    bodies, name, pair = read
    shared = common_divisor(pair[0], pair[1])
    multiple = times(pair[0], divided(pair[1], shared)[0])
    wanted = _whole(shared if found["gcd"] else multiple)
    # Each divides, or is divided, without a remainder: tried before it is told.
    tried = [divided(each, wanted) if found["gcd"] else divided(wanted, each) for each in pair]
    if any(rest for _, rest in tried):
        return None
    return _told(wanted, [plain(body) for body in bodies], name, is_divisor=bool(found["gcd"]))


def _pair(one: str, other: str) -> tuple[list[Expression], str, list[Polynomial]] | None:
    """Two polynomials in one letter, none of them a number."""
    try:
        bodies = [read_one(part) for part in (one, other)]
        names = {name for body in bodies for name in symbols_of(body)}
        if len(names) != 1 or not all(map(symbols_of, bodies)):
            return None
        (name,) = names
        pair = [polynomial_of(body, name) for body in bodies]
    except (UnreadMathematicsError, AmbiguousMathematicsError, NotPolynomialError):
        return None
    return (bodies, name, pair) if all(pair) and max(map(len, pair)) <= _HIGHEST else None


def _whole(polynomial: Polynomial) -> Polynomial:
    below = math.lcm(*(value.denominator for value in polynomial))
    shared = math.gcd(*(int(value * below) for value in polynomial)) * (-1 if polynomial[-1] < 0 else 1)
    return tuple(value * below / shared for value in polynomial)


def _told(wanted: Polynomial, bodies: list[str], name: str, *, is_divisor: bool) -> DirectStatement:
    body = polynomial_expression(wanted, name)
    parts = factored(body)
    shown = plain(body)
    if not isinstance(parts, Failure) and parts.is_exact and plain(parts.expression) != shown:
        shown += f" = {plain(parts.expression)}"
    what = "greatest common divisor" if is_divisor else "least common multiple"
    how = "by Euclid's division" if is_divisor else "their product over their greatest common divisor"
    text = (
        f"The {what} of {bodies[0]} and {bodies[1]} is {shown}, up to a constant factor ({how}; divided "
        f"again, no remainder is left)."
    )
    return DirectStatement(text, f"{what} of {bodies[0]} and {bodies[1]}", (WorkingLine(shown),))
