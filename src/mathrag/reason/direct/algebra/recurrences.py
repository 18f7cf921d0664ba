"""Linear recurrences with constant coefficients, of order one or two, in closed form: `a_n = 5a_{n-1} - 6a_{n-2},
a_0 = 1, a_1 = 4`. Exact; the form is compared with the recurrence, term by term, before it is told."""

from __future__ import annotations

import re
from fractions import Fraction

from mathrag.compute.algebra.points import value_at
from mathrag.compute.algebra.polynomials import NotPolynomialError, square_root, terms_of
from mathrag.compute.solve.tidy import constant_of, literal, tidied
from mathrag.compute.typed_mathematics import AmbiguousMathematicsError, UnreadMathematicsError, read_one
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.algebra.wording import plain
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import (
    ONE,
    Expression,
    Number,
    Symbol,
    add,
    divide,
    multiply,
    negate,
    power,
    subtract,
    symbols_of,
)

_LONGEST, _TRIED = 240, 12
_MARKS = re.compile(r"\$+|\\[()\[\]]|`|\\[,;! ]")
_INDEX = r"(?:_ ?\{ ?n ?(?P<plus>[+-] ?[12])? ?\}|_ ?n(?P<bare>[+-][12])?|\( ?n ?(?P<round>[+-] ?[12])? ?\)|ₙ)"
_START = re.compile(
    r"(?P<name>[A-Za-z]) ?(?:_ ?\{? ?(?P<place>[0-9]) ?\}?|\( ?(?P<round>[0-9]) ?\)) ?= ?(?P<value>[^=,;]{1,20})"
)
_OPENING = re.compile(rf"(?:(?:{any_of('recurrences.opening')})[ :,]+)+", re.IGNORECASE)
_ENDING = re.compile(
    rf"[ ,;.]+(?:{any_of('recurrences.ending')})(?: (?:for|of) [A-Za-z](?:_n|_\{{n\}}|\(n\))?)?$", re.IGNORECASE
)
_SEPARATOR = re.compile(
    r" ?(?:[,;.]| and | with | where | given(?: that)? | for n ?(?:>=|≥|\\geq?) ?[0-9])(?: ?and| " r"?with)? ?"
)


def answer_recurrence(text: str) -> AlgebraOutcome:
    """The n-th term of a sequence that is given by the terms before it; None for any other question."""
    if len(text) > _LONGEST or "=" not in text or not re.search(r"n ?[-+−] ?[12]", text):
        return None
    asked = without_ending(" ".join(_MARKS.sub(" ", tidy(text)).replace("−", "-").split()))
    body = _ENDING.sub("", _OPENING.sub("", asked, count=1) if _OPENING.match(asked) else asked)
    parts = [part.strip() for part in _SEPARATOR.split(body) if part.strip()]
    rules = [part for part in parts if re.search(r"n", part)]
    starts = [found for part in parts if (found := _START.fullmatch(part)) is not None]
    if len(rules) != 1 or len(starts) + 1 != len(parts) or not 1 <= len(starts) <= 2:
        return None
    try:
        return _answered(rules[0], starts)
    except (UnreadMathematicsError, AmbiguousMathematicsError, NotPolynomialError):
        return None


def _answered(rule: str, starts: list[re.Match[str]]) -> AlgebraOutcome:
    name = starts[0]["name"]
    read = _coefficients(rule, name)
    values = {int(each["place"] or each["round"]): constant_of(tidied(read_one(each["value"]))) for each in starts}
    if read is None or {each["name"] for each in starts} != {name} or None in values.values():
        return None
    first, second, constant = read
    begin = min(values)
    known = [values.get(begin + n) for n in range(len(values))]
    order = 2 if second else 1
    if len(known) != order or None in known:
        return None
    terms = [each for each in known if each is not None]
    closed = _one(first, constant, terms[0], begin) if order == 1 else _two(first, second, constant, terms, begin)
    if closed is None or not _is_confirmed(closed, (first, second, constant), terms, begin):
        return None
    shown = f"{name}(n) = {plain(closed)}"
    how = f"compared with the terms that the rule gives, for n = {begin} to {begin + _TRIED}"
    kind = (
        "the characteristic equation gives its form"
        if order == 2
        else "an arithmetic sequence"
        if first == 1
        else "a geometric sequence, shifted"
    )
    text = f"{rule}: {shown} for whole n ≥ {begin} ({kind}; {how})."
    return DirectStatement(text, rule, (WorkingLine(shown),))


def _coefficients(rule: str, name: str) -> tuple[Fraction, Fraction, Fraction] | None:
    """What stands before the last term and the one before it, and the number added."""
    left, _, right = rule.partition("=")
    index = re.compile(rf"{name} ?{_INDEX}")
    head = index.fullmatch(left.strip())
    if head is None or "=" in right or re.search(r"[PQ]", right):
        return None
    shift = _shift(head)

    def lettered(found: re.Match[str]) -> str:
        return {1: " P ", 2: " Q "}.get(shift - _shift(found), " n ")

    terms = terms_of(read_one(index.sub(lettered, right)))
    if not set(terms) <= {(("P", 1),), (("Q", 1),), ()}:
        return None
    first, second, rest = (terms.get(key, Fraction(0)) for key in ((("P", 1),), (("Q", 1),), ()))
    return (first, second, rest) if first or second else None


def _shift(found: re.Match[str]) -> int:
    written = found["plus"] or found["bare"] or found["round"] or "0"
    return int(written.replace(" ", ""))


_N = Symbol("n")


def _later(begin: int) -> Expression:
    return _N if not begin else subtract(_N, Number(begin))


def _powered(base: Expression, begin: int) -> Expression:
    return ONE if base == ONE else power(base, _later(begin))


def _one(ratio: Fraction, constant: Fraction, first: Fraction, begin: int) -> Expression | None:
    if ratio == 1:
        return tidied(add(literal(first), multiply(literal(constant), _later(begin))))
    still = constant / (1 - ratio)
    moving = multiply(literal(first - still), _powered(literal(ratio), begin))
    moving = _powered(literal(ratio), begin) if first - still == 1 else moving
    if first == still:
        return literal(still)
    return moving if not still else add(moving, literal(still))


def _two(first: Fraction, second: Fraction, constant: Fraction, terms: list[Fraction], begin: int) -> Expression | None:
    """From the roots of r² = first · r + second."""
    under = first * first / 4 + second
    if constant or under < 0:
        return None
    middle, width = literal(first / 2), square_root(under)
    if not under:
        if not first:
            return None
        slope = terms[1] / (first / 2) - terms[0]
        inside = tidied(add(literal(terms[0]), multiply(literal(slope), _later(begin))))
        return multiply(inside, _powered(middle, begin))
    roots = [tidied(add(middle, width)), tidied(subtract(middle, width))]
    apart = subtract(roots[0], roots[1])
    before = tidied(divide(subtract(literal(terms[1]), multiply(literal(terms[0]), roots[1])), apart))
    behind = tidied(divide(subtract(multiply(literal(terms[0]), roots[0]), literal(terms[1])), apart))
    parts = []
    for factor, root in ((before, roots[0]), (behind, roots[1])):
        if constant_of(factor) == 0:
            continue
        grown = _powered(root, begin)
        is_less = bool(value_at(factor, {}).real < 0)
        size = tidied(negate(factor)) if is_less else factor
        part = grown if size == ONE else multiply(size, grown)
        parts.append(negate(part) if is_less else part)
    return add(*parts) if parts else literal(Fraction(0))


def _is_confirmed(
    closed: Expression, rule: tuple[Fraction, Fraction, Fraction], terms: list[Fraction], begin: int
) -> bool:
    values = list(terms)
    while len(values) <= _TRIED:
        before = values[-2] if len(values) > 1 else Fraction(0)
        values.append(rule[0] * values[-1] + rule[1] * before + rule[2])
    for place, wanted in enumerate(values, start=begin):
        found = value_at(closed, {"n": Fraction(place)}) if "n" in symbols_of(closed) else value_at(closed, {})
        if not found.is_real or abs(found.real - float(wanted)) > 1e-9 * (1 + abs(float(wanted))):
            return False
    return True
