"""Sums of lists of numbers that are written out: to infinity, of so many terms, up to the last one that is shown; and
how many terms there are up to a last one.

`sum to infinity of 9 + 6 + 4 + …` and `sum of the first 12 terms of 3, 7, 11, …`. The rule that the list follows is
that of `sequences`, and is said; it must be arithmetic or geometric.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from mathrag.compute.solve.tidy import literal
from mathrag.compute.typed_mathematics import AmbiguousMathematicsError, UnreadMathematicsError
from mathrag.language.quantities.numbers import Scan, read_words
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.algebra.outcomes import failure, numeric
from mathrag.reason.direct.algebra.questions import task_text
from mathrag.reason.direct.algebra.sequences import ListRule, list_value, rule_of, shown_number
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine

_LONGEST = 240
_FEWEST, _MOST_SHOWN, _MOST_TERMS, _MOST_POWERS = 3, 20, 100_000, 400
_DOTS = r"(?:\.\.+|…|\\[ldc]?dots)"
_NUMBER = r"[-−]? ?[0-9]+(?:\.[0-9]+)?(?:/[0-9]+)?"
_JOIN = r"(?: ?[,;] ?| ?\+ ?| ?(?=[-−]))"
_LIST = (
    rf"(?P<list>{_NUMBER}(?:{_JOIN}{_NUMBER}){{2,19}})"
    rf"(?:(?P<open>{_JOIN}?[ ,+]*{_DOTS})(?:(?: ?[,+] ?| ?)(?P<last>{_NUMBER}))?)?"
    # Dots at the end of a text count as its full stop.
    r"(?: ?[,+−-])?"
)
_KIND = (
    rf"(?:(?:the |this |an? )?(?:infinite |finite )?(?:{any_of('number_forms.list_names')}|series|progression)[ :,]*)?"
)
_COUNT = r"(?P<count>[0-9]{1,6}|[a-z]+(?:-[a-z]+)?)"
_SUM = rf"(?:{any_of('number_forms.list_sums')})"
_FORMS = (
    ("infinite", rf"{_SUM}(?: all(?: the)? terms(?: of| in)?)? to infinity(?: of| for)?[ :]*{_KIND}{_LIST}"),
    ("infinite", rf"(?:{_SUM} )?{_KIND}{_LIST}[ ,]*to infinity"),
    ("infinite", rf"infinite sum(?: of| for)?[ :]*{_KIND}{_LIST}"),
    ("count", rf"{_SUM} (?:of |for )?(?:the )?first {_COUNT} terms (?:of|in|for)[ :]*{_KIND}{_LIST}"),
    ("count", rf"{_SUM} (?:of )?{_COUNT} terms (?:of|in|for)[ :]*{_KIND}{_LIST}"),
    (
        "number",
        rf"(?:how many terms (?:are (?:there )?in|does|has|in)|number of terms (?:of|in)) {_KIND}{_LIST}(?: have)?",
    ),
    ("last", rf"(?:{_SUM} (?:of |for )?{_KIND})?{_LIST}"),
    ("infinite", rf"{_SUM} (?:of |for )?(?:the |this )?infinite (?:geometric )?(?:series|sequence)[ :]*{_LIST}"),
)
_ENDLESS = re.compile(rf"\+ ?{_DOTS}[ ?.]*$")
_PATTERNS = tuple((name, re.compile(form, re.IGNORECASE)) for name, form in _FORMS)


def answer_series_written_out(text: str) -> AlgebraOutcome:
    """A sum of a list that goes on, or how many terms it has; None for any other question."""
    if len(text) > _LONGEST or not re.search(r"[0-9][^0-9]+[0-9]+[^0-9]+[0-9]", text):
        return None
    asked = task_text(text)
    is_endless = _ENDLESS.search(text) is not None
    for name, pattern in _PATTERNS:
        found = pattern.fullmatch(asked)
        if found is not None:
            is_added = name == "last" and is_endless and "+" in found["list"] and not found["last"]
            told = _answered("infinite" if is_added else name, found)
            if told is not None:
                return told
    return None


def _answered(name: str, found: re.Match[str]) -> AlgebraOutcome:
    try:
        terms = [list_value(each) for each in _numbers(found["list"])]
        last = list_value(found["last"]) if found["last"] else None
    except (UnreadMathematicsError, AmbiguousMathematicsError, ZeroDivisionError):
        return None
    if not _FEWEST <= len(terms) <= _MOST_SHOWN or (name in ("last", "number") and (last is None or not found["open"])):
        return None
    rule = rule_of(terms)
    if rule is None or rule.term is None or len(rule.polynomial) > 2:
        return None
    if name == "infinite":
        return None if last is not None else _to_infinity(terms, rule)
    if name == "count":
        count = _count(found["count"])
        return None if count is None or last is not None else _summed(terms, rule, count)
    assert last is not None
    count = _place_of(terms, rule, last)
    if count is None:
        said = f"{_shown(terms)}, … taken as {rule.said}: {shown_number(last)} is none of its terms"
        return failure("contradiction", said)
    return _counted(terms, rule, last, count) if name == "number" else _summed(terms, rule, count)


def _numbers(written: str) -> list[str]:
    """The terms; behind a plus or a minus between two of them the sign is its own: `8 - 4 + 2`."""
    if not re.search(r"[,;]", written):
        return [each.replace(" ", "") for each in re.findall(_NUMBER, written)]
    return [] if "+" in written else [part.strip().replace(" ", "") for part in re.split(r"[,;]", written)]


def _shown(terms: Sequence[Fraction]) -> str:
    return ", ".join(map(shown_number, terms))


def _count(written: str) -> int | None:
    if written.isdecimal():
        return int(written)
    read = read_words(Scan(written), 0)
    return int(read.value) if read is not None and isinstance(read.value, int) else None


def _to_infinity(terms: Sequence[Fraction], rule: ListRule) -> AlgebraOutcome:
    head = f"{_shown(terms)}, … taken as {rule.said}"
    if not rule.ratio or abs(rule.ratio) >= 1:
        why = (
            f"the ratio {shown_number(rule.ratio)} is not between −1 and 1" if rule.ratio else "its terms do not shrink"
        )
        if not any(terms):
            return None
        return DirectStatement(f"{head}: the sum to infinity diverges, it has no value ({why}).", head)
    total = terms[0] / (1 - rule.ratio)
    line = f"S = a/(1 − r) = {shown_number(terms[0])}/(1 − ({shown_number(rule.ratio)}))"
    return _number(f"{head}: the sum to infinity is {shown_number(total)} ({line}).", total, head, (line,))


def _summed(terms: Sequence[Fraction], rule: ListRule, count: int) -> AlgebraOutcome:
    if not 1 <= count <= (_MOST_POWERS if rule.ratio else _MOST_TERMS):
        return None
    first = terms[0]
    if rule.ratio:
        total = first * (1 - rule.ratio**count) / (1 - rule.ratio)
        line = f"S = a (1 − r^n)/(1 − r); a = {shown_number(first)}, r = {shown_number(rule.ratio)}, n = {count}"
    else:
        step = terms[1] - first
        total = Fraction(count, 2) * (2 * first + (count - 1) * step)
        line = f"S = n (2 a + (n − 1) d)/2; a = {shown_number(first)}, d = {shown_number(step)}, n = {count}"
    assert count > len(terms) or total == sum(terms[:count])
    head = f"{_shown(terms)}, … taken as {rule.said}"
    return _number(f"{head}: the sum of {count} terms is {shown_number(total)} ({line}).", total, head, (line,))


def _place_of(terms: Sequence[Fraction], rule: ListRule, last: Fraction) -> int | None:
    """Which term a number is, behind those that are shown."""
    if rule.ratio:
        value, place = terms[-1], len(terms)
        for _ in range(_MOST_POWERS):
            if value == last:
                return place
            value, place = value * rule.ratio, place + 1
        return None
    step = terms[1] - terms[0]
    count = (last - terms[0]) / step + 1 if step else Fraction(0)
    return int(count) if count.denominator == 1 and len(terms) <= count <= _MOST_TERMS else None


def _counted(terms: Sequence[Fraction], rule: ListRule, last: Fraction, count: int) -> AlgebraOutcome:
    head = f"{_shown(terms)}, …, {shown_number(last)} taken as {rule.said}"
    return _number(f"{head}: it has {count} terms.", Fraction(count), head, (f"term {count} is {shown_number(last)}",))


def _number(sentence: str, value: Fraction, head: str, shown: Sequence[str]) -> AlgebraOutcome:
    lines = tuple(map(WorkingLine, shown))
    return numeric(literal(value), None, sentence, expression=head, checked="by the rule named", lines=lines)
