"""Where a real function has values and which values it takes: `domain of sqrt(x - 2)`, `range of arctan`.

Domains come from the parts that may lack a value, solved exactly. Ranges are known of the elementary functions, as the
calculator computes them, and of quadratics; each is tried at points before it is told. Any other is left alone.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from mathrag.compute.algebra.inequalities import Interval, solve_inequality
from mathrag.compute.algebra.points import value_at
from mathrag.compute.algebra.polynomials import NotPolynomialError, polynomial_of
from mathrag.compute.algebra.polynomials import value_at as polynomial_value
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.solve.tidy import literal
from mathrag.compute.typed_mathematics import UnreadMathematicsError
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.algebra.outcomes import failure
from mathrag.reason.direct.algebra.questions import function_body, task_text
from mathrag.reason.direct.algebra.wording import intervals_text, plain
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import (
    ONE,
    ZERO,
    Call,
    Divide,
    Expression,
    Number,
    Power,
    Symbol,
    negate,
    substitute,
    symbols_of,
    walk,
)

_LONGEST = 200
_ASKED = re.compile(
    rf"(?:the )?(?P<what>{any_of('algebra.domain_or_range')}) (?:of|for) (?:the )?(?:function )?"
    r"(?P<body>.+?)(?: function)?",
    re.IGNORECASE,
)
_PLACES = tuple(
    Fraction(each)
    for each in (
        "-200",
        "-50",
        "-3",
        "-2",
        "-1",
        "-1/2",
        "-1/1000",
        "0",
        "1/1000",
        "1/3",
        "1",
        "2",
        "7/2",
        "50",
        "200",
    )
)


@dataclass(frozen=True, slots=True)
class _Known:
    """Which values a function takes, in words; their ends as numbers, None where there is none."""

    range: str
    low: float | None = None
    high: float | None = None


_PI = 3.141592653589793
_KNOWN = {
    "sin": _Known("−1 ≤ y ≤ 1", -1, 1),
    "cos": _Known("−1 ≤ y ≤ 1", -1, 1),
    "tan": _Known("every real y"),
    "asin": _Known("−π/2 ≤ y ≤ π/2", -_PI / 2, _PI / 2),
    "acos": _Known("0 ≤ y ≤ π", 0, _PI),
    "atan": _Known("−π/2 < y < π/2", -_PI / 2, _PI / 2),
    "sinh": _Known("every real y"),
    "cosh": _Known("y ≥ 1", 1),
    "tanh": _Known("−1 < y < 1", -1, 1),
    "exp": _Known("y > 0", 0),
    "log": _Known("every real y"),
    "log10": _Known("every real y"),
    "sqrt": _Known("y ≥ 0", 0),
    "abs": _Known("y ≥ 0", 0),
    "floor": _Known("the whole numbers"),
    "ceil": _Known("the whole numbers"),
}


def answer_domains(text: str) -> AlgebraOutcome:
    """The domain or the range of a real function; None for any other question."""
    if len(text) > _LONGEST:
        return None
    found = _ASKED.fullmatch(task_text(text))
    if found is None:
        return None
    wants_domain = word_pairs("algebra.domain_or_range")[found["what"].lower()] == "domain"
    written = word_pairs("algebra.function_names").get(found["body"].lower().strip(), found["body"])
    try:
        statement, named = function_body(f"{written}(x)" if re.fullmatch(r"[a-z0-9]{2,8}", written) else written)
    except UnreadMathematicsError:
        return None
    body = statement.sides[0]
    names = symbols_of(body)
    if len(names) != 1 or (named and named != names[0]):
        return None
    return _domain(body, names[0]) if wants_domain else _range(body, names[0])


def _elementary(body: Expression, symbol: str) -> _Known | None:
    is_plain = isinstance(body, Call) and body.arguments == (Symbol(symbol),)
    return _KNOWN.get(body.function) if is_plain and isinstance(body, Call) else None


def _domain(body: Expression, symbol: str) -> AlgebraOutcome:
    shown = plain(body)
    if isinstance(body, Call) and body.function == "tan" and body.arguments == (Symbol(symbol),):
        said = f"{shown} has real values for every real {symbol} except π/2 + k π for whole k, where the cosine is 0."
        return DirectStatement(said, f"domain of {shown}", (WorkingLine(said),))
    kept: list[str] = []
    solved: list[tuple[Interval, ...]] = []
    for condition, text in _conditions(body, symbol):
        left, sign, right = condition
        found = solve_inequality(left, sign, right, symbol)
        if isinstance(found, Failure):
            return failure(found.code, f"the domain of {shown}: where {text} could not be solved")
        where = intervals_text(symbol, found) or "never"
        kept.append(text if where == text else f"{text}: {where}")
        solved.append(found)
    if any(_has_no_rule(node, symbol) for node in walk(body)):
        return failure("unsolved", f"the domain of {shown} is not told: one of its functions has no rule here")
    if not kept:
        return _told(f"{shown} has a real value for every real {symbol}", f"domain of {shown}", body, symbol, [])
    if len(kept) == 1:
        said = intervals_text(symbol, solved[0]) or f"no real {symbol}"
        return _told(f"{shown} has real values for {said} ({kept[0].split(':')[0]})", shown, body, symbol, solved)
    return _told(f"{shown} has real values where all of these hold: {'; '.join(kept)}", shown, body, symbol, solved)


# Functions that have a value wherever their argument has one, and those whose conditions are known.
_HARMLESS = frozenset(
    (
        "sin",
        "cos",
        "atan",
        "sinh",
        "cosh",
        "tanh",
        "exp",
        "abs",
        "floor",
        "ceil",
        "sqrt",
        "log",
        "log10",
        "asin",
        "acos",
    )
)


def _has_no_rule(node: Expression, symbol: str) -> bool:
    """A function whose gaps are not known here, or a power that is no whole one."""
    if isinstance(node, Power):
        is_whole = isinstance(node.exponent, Number) and isinstance(node.exponent.value, int)
        return symbol in symbols_of(node) and not is_whole
    return isinstance(node, Call) and node.function not in _HARMLESS


def _conditions(body: Expression, symbol: str) -> list[tuple[tuple[Expression, str, Expression], str]]:
    found: list[tuple[tuple[Expression, str, Expression], str]] = []
    for node in walk(body):
        match node:
            case Divide(_, below) if symbol in symbols_of(below) and not isinstance(below, Call):
                found.append(((below, "!=", ZERO), f"{plain(below)} ≠ 0"))
            case Divide(_, Call("sqrt", (inner,))):
                found.append(((inner, ">", ZERO), f"{plain(inner)} > 0"))
            case Divide(_, Call() as below) if symbol in symbols_of(below):
                found.append(((below, "!=", ZERO), f"{plain(below)} ≠ 0"))
            case Call("sqrt", (inner,)) if symbol in symbols_of(inner):
                found.append(((inner, ">=", ZERO), f"{plain(inner)} ≥ 0"))
            case Call("log" | "log10", (inner,)):
                found.append(((inner, ">", ZERO), f"{plain(inner)} > 0"))
            case Call("asin" | "acos", (inner,)):
                found.append(((inner, ">=", negate(ONE)), f"{plain(inner)} ≥ −1"))
                found.append(((inner, "<=", ONE), f"{plain(inner)} ≤ 1"))
    strict = {text.removesuffix(" > 0") for _, text in found if text.endswith(" > 0")}
    return [
        each for each in dict.fromkeys(found) if each[1].removesuffix(" ≥ 0") not in strict or each[1].endswith("> 0")
    ]


def _told(
    said: str, head: str, body: Expression, symbol: str, solved: Sequence[tuple[Interval, ...]]
) -> AlgebraOutcome:
    """The sentence, after it was tried: inside it has values, outside it has none."""
    tried = 0
    for place in _PLACES:
        value = value_at(substitute(body, {symbol: literal(place)}), {})
        has_value = value.is_real and not value.is_undefined
        expected = all(any(_is_within(place, each) for each in part) for part in solved)
        if expected != has_value:
            return failure("not_confirmed", f"{head}: what was found is not confirmed at {symbol} = {place}")
        tried += 1
    return DirectStatement(
        f"{said} (as a function of real numbers; tried at {tried} points).", head, (WorkingLine(said),)
    )


def _is_within(place: Fraction, interval: Interval) -> bool:
    low, high = interval.low, interval.high
    above = low is None or place > low.high or (interval.has_low and low.low <= place)
    below = high is None or place < high.low or (interval.has_high and place <= high.high)
    return above and below


def _range(body: Expression, symbol: str) -> AlgebraOutcome:
    shown = plain(body)
    known = _elementary(body, symbol)
    if known is not None:
        return _known_range(shown, body, symbol, known)
    try:
        polynomial = polynomial_of(body, symbol)
    except NotPolynomialError:
        return failure("unsolved", f"the range of {shown} is not told: only elementary functions and quadratics are")
    if len(polynomial) % 2 == 0 and len(polynomial) > 1:
        text = f"{shown} takes every real value: its degree is odd (for all real {symbol})."
        return DirectStatement(text, f"range of {shown}", (WorkingLine("odd degree"),))
    if len(polynomial) != 3:
        return failure("unsolved", f"the range of {shown} is not told: only elementary functions and quadratics are")
    _, linear, leading = polynomial
    place = -linear / (2 * leading)
    end = polynomial_value(polynomial, place)
    sign = "≥" if leading > 0 else "≤"
    text = (
        f"{shown} takes the values y {sign} {plain(literal(end))}: its vertex is at {symbol} = "
        f"{plain(literal(place))} (computed exactly; for all real numbers)."
    )
    return DirectStatement(text, f"range of {shown}", (WorkingLine(f"y {sign} {plain(literal(end))}"),))


def _known_range(shown: str, body: Expression, symbol: str, known: _Known) -> AlgebraOutcome:
    values = [value_at(substitute(body, {symbol: literal(place)}), {}) for place in _PLACES]
    numbers = [float(each.real) for each in values if each.is_real and not each.is_undefined]
    slack = 1e-9
    for number, (end, sign) in itertools.product(numbers, ((known.low, 1), (known.high, -1))):
        if end is not None and sign * (number - end) < -slack:
            return failure("not_confirmed", f"the range of {shown} could not be confirmed")
    text = (
        f"{shown} takes the values {known.range} (the function of real numbers as the calculator computes it, "
        f"principal values; all {len(numbers)} values tried lie there)."
    )
    return DirectStatement(text, f"range of {shown}", (WorkingLine(known.range),))
