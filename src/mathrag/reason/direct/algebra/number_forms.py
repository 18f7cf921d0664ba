"""Numbers that are written out: without a root in the denominator, which of them is greater, and in order."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from mathrag.compute.algebra.points import shown_number, value_at
from mathrag.compute.algebra.surds import NotSurdError, surd_expression, surd_of
from mathrag.compute.evaluate.exact import evaluate
from mathrag.compute.typed_mathematics import AmbiguousMathematicsError, UnreadMathematicsError, read_one
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.algebra.outcomes import failure
from mathrag.reason.direct.algebra.questions import task_text
from mathrag.reason.direct.algebra.wording import latex as latex_of
from mathrag.reason.direct.algebra.wording import line, plain
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import Call, Expression, symbols_of, walk

_LONGEST = 200
_MOST_COMPARED = 8
_NEARLY = 1e-35
_RATIONALISE = (
    re.compile(rf"(?:{any_of('number_forms.rationalise')})[ :,]* ?(?P<body>.+)", re.IGNORECASE),
    re.compile(
        rf"(?:write |express |give |put )?(?P<body>.+?),? (?:{any_of('number_forms.rationalised')})", re.IGNORECASE
    ),
)
_WORD = rf"(?P<word>{any_of('number_forms.compared')})"
_TWO = r"(?P<one>[^,]+?),? (?:or|and|vs\.?|versus|than) (?P<other>[^,]+?)"
_COMPARED = (
    re.compile(
        rf"(?:which|what)(?: one| number| fraction| value| of these| of the two| of them)*(?: is| 's| are)?"
        rf"(?: the)? {_WORD}(?: one| number| fraction| value| of)?[ ,:]+(?:between )?{_TWO}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"{_TWO}[ ,:;.-]+(?:which|what)(?: one| number| fraction| of these| of the two)*(?: is| 's)?(?: the)? {_WORD}"
        r"(?: one| number| fraction)?",
        re.IGNORECASE,
    ),
    re.compile(rf"is (?P<first>[^,]+?) {_WORD} than (?P<second>[^,]+)", re.IGNORECASE),
    re.compile(rf"is (?P<one>[^,]+?) or (?P<other>[^,]+?) (?:the )?{_WORD}(?: one| number| fraction)?", re.IGNORECASE),
    re.compile(rf"compare(?: the (?:numbers|fractions))? {_TWO}", re.IGNORECASE),
)
_ORDERED = re.compile(
    rf"(?:{any_of('number_forms.order')})(?: the)?(?: numbers| fractions| following)*[ :,]*(?P<list>.+?)"
    rf"(?:,? (?:{any_of('number_forms.direction')}))?",
    re.IGNORECASE,
)
_DIRECTION = re.compile(rf"\b(?:{any_of('number_forms.direction')})\b", re.IGNORECASE)


def answer_number_forms(text: str) -> AlgebraOutcome:
    """A number without roots below the bar, or which of some is greater; None for any other question."""
    if len(text) > _LONGEST:
        return None
    whole = without_ending(tidy(text))
    asked = task_text(text)
    try:
        return _rationalised(asked) or _compared(whole) or _compared(asked) or _in_order(asked)
    except (AmbiguousMathematicsError, UnreadMathematicsError):
        return None


# Roots below the bar.


def _rationalised(asked: str) -> AlgebraOutcome:
    found = next((match for pattern in _RATIONALISE if (match := pattern.fullmatch(asked))), None)
    if found is None:
        return None
    body = read_one(re.sub(r"\A(?:of|in|for) ", "", found["body"].strip(" :,")))
    if not any(isinstance(node, Call) for node in walk(body)):
        return None
    try:
        form = surd_expression(surd_of(body))
    except NotSurdError:
        return failure(
            "unsolved", f"{plain(body)}: only sums of square roots of numbers are taken out of a denominator"
        )
    values = [value_at(each, {}) for each in (body, form)]
    if not all(value.is_real for value in values) or abs(values[0].real - values[1].real) > _NEARLY * 10:
        return None
    head = plain(body)
    checked = "multiplied above and below by what takes the roots out; both forms agree with many digits"
    text = f"{head} = {plain(form)} ≈ {shown_number(float(values[1].real))} ({checked})."
    return DirectStatement(text, head, (line(head, latex_of(body), form),))


# Which is greater.


@dataclass(frozen=True, slots=True)
class _Compared:
    expression: Expression
    exact: Fraction | None

    @property
    def shown(self) -> str:
        return plain(self.expression)


def _read(written: str) -> _Compared:
    written = re.sub(r"([0-9]+(?:\.[0-9]+)?) ?%", r"(\1/100)", written)
    body = read_one(
        re.sub(r"\A(?:the |between |number )+", "", written.strip(" ,:;?()")) if "(" not in written else written
    )
    if symbols_of(body):
        raise UnreadMathematicsError("a number is wanted")
    value = evaluate(body, {})
    return _Compared(body, Fraction(value) if isinstance(value, int | Fraction) else None)


def _compared(asked: str) -> AlgebraOutcome:
    for pattern in _COMPARED:
        found = pattern.fullmatch(asked)
        if found is None:
            continue
        groups = found.groupdict()
        pair = (groups.get("one") or groups.get("first"), groups.get("other") or groups.get("second"))
        try:
            one, other = (_read(each or "") for each in pair)
        except (UnreadMathematicsError, AmbiguousMathematicsError):
            continue
        sign = _sign(one, other)
        word = (groups.get("word") or "").lower()
        if sign is None:
            return failure("unsolved", f"{one.shown} and {other.shown} could not be told apart by many digits")
        return _told(one, other, sign, word, is_question=bool(groups.get("first")))
    return None


def _sign(one: _Compared, other: _Compared) -> int | None:
    """1, 0 or −1 as the first is greater, equal or less; None where that is not known."""
    if one.exact is not None and other.exact is not None:
        return (one.exact > other.exact) - (one.exact < other.exact)
    try:
        first, second = (dict(surd_of(each.expression)) for each in (one, other))
        if first == second:
            return 0
    except NotSurdError:
        pass
    values = [value_at(each.expression, {}) for each in (one, other)]
    if not all(value.is_real for value in values):
        return None
    distance, size = values[0].real - values[1].real, max(abs(values[0].real), abs(values[1].real), 1)
    if abs(distance) <= _NEARLY * size:
        return None
    return 1 if distance > 0 else -1


def _told(one: _Compared, other: _Compared, sign: int, word: str, *, is_question: bool) -> DirectStatement:
    mark = {1: ">", 0: "=", -1: "<"}[sign]
    relation = f"{one.shown} {mark} {other.shown}"
    wants_less = word_pairs("number_forms.compared").get(word) == "less"
    how = _how(one, other, mark)
    if is_question:
        is_so = sign < 0 if wants_less else sign > 0
        text = f"{'Yes' if is_so else 'No'}: {relation} ({how})."
    elif not sign:
        text = f"Neither: {relation} ({how})."
    else:
        chosen = one if (sign < 0) == wants_less else other
        text = f"{chosen.shown} is {word or 'greater'}: {relation} ({how})."
    return DirectStatement(text, relation, (WorkingLine(relation), WorkingLine(how)))


def _how(one: _Compared, other: _Compared, mark: str) -> str:
    if one.exact is not None and other.exact is not None:
        if one.exact.denominator == other.exact.denominator == 1:
            return "computed exactly"
        common = one.exact.denominator * other.exact.denominator
        common //= math.gcd(one.exact.denominator, other.exact.denominator)
        tops = [f"{each.exact * common}/{common}".replace("-", "−") for each in (one, other) if each.exact is not None]
        return f"over one denominator: {tops[0]} {mark} {tops[1]}"
    if mark == "=":
        return "both have the same exact form"
    digits = [shown_number(float(value_at(each.expression, {}).real), 12) for each in (one, other)]
    return f"computed with many digits: {digits[0]}… {mark} {digits[1]}…"


def _in_order(asked: str) -> AlgebraOutcome:
    found = _ORDERED.fullmatch(asked)
    if found is None:
        return None
    parts = [
        part for part in re.split(r",? and |, ?|; ?", _DIRECTION.sub("", found["list"]).strip(" ,:")) if part.strip()
    ]
    if not 2 <= len(parts) <= _MOST_COMPARED:
        return None
    known = [_read(part) for part in parts]
    ordered = sorted(known, key=lambda each: float(value_at(each.expression, {}).real))
    signs = [_sign(first, second) for first, second in pairwise(ordered)]
    if any(sign is None or sign > 0 for sign in signs):
        return None
    chain = _chain(ordered, signs, is_down=_is_down(asked))
    how = "compared exactly" if all(each.exact is not None for each in known) else "compared with many digits"
    return DirectStatement(f"{chain} ({how}).", chain, (WorkingLine(chain),))


def _is_down(asked: str) -> bool:
    said = _DIRECTION.search(asked)
    return said is not None and word_pairs("number_forms.direction")[said.group().lower()] == "down"


def _chain(ordered: Sequence[_Compared], signs: Sequence[int | None], *, is_down: bool) -> str:
    marks = ["=" if sign == 0 else "<" for sign in signs]
    if is_down:
        ordered, marks = ordered[::-1], ["=" if mark == "=" else ">" for mark in marks[::-1]]
    return ordered[0].shown + "".join(f" {mark} {each.shown}" for mark, each in zip(marks, ordered[1:], strict=True))
