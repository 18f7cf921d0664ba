"""Whole numbers in other bases: `255 in hexadecimal`, `101101 in base 2 as a decimal number`. Exact.

The reading is always told: a number without a base is decimal, and `0x`, `0b` or a word before it says another.
"""

from __future__ import annotations

import re
from fractions import Fraction

from mathrag.compute.solve.tidy import literal
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.algebra.outcomes import failure, numeric
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine

_LONGEST = 200
_MOST_DIGITS = 200
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_NAMES = any_of("bases.names")
_BASE = rf"(?:{_NAMES}|base[ -](?:[0-9]{{1,2}}|{any_of('bases.counts')}))(?: (?:{any_of('bases.nouns')}))?"
_NUMBER = (
    r"(?:(?P<prefix>0[xXbBoO])(?P<marked>[0-9A-Za-z]+)|(?P<plain>[0-9A-Za-z]*[0-9][0-9A-Za-z]*|[A-F]{1,8})"
    r"(?:_\{?(?P<low>[0-9]{1,2})\}?)?)"
)
_OPENING = (
    rf"(?:(?:{any_of('direct.greetings')}|{any_of('direct.demands')}|{any_of('bases.convert')}|what is|what's|"
    r"the)[ ,:]+)*(?:the )?"
)
_FORMS = tuple(
    re.compile(_OPENING + form, re.IGNORECASE)
    for form in (
        rf"(?:number )?{_NUMBER} from (?P<source>{_BASE}) (?:in)?to (?P<target>{_BASE})",
        rf"(?P<source>{_BASE}) (?:number )?{_NUMBER} (?:in|to|into|as|as an?) (?P<target>{_BASE})",
        (
            rf"(?:number )?{_NUMBER} (?:in )?\(?(?P<source>base[ -](?:[0-9]{{1,2}}|{any_of('bases.counts')})"
            rf")\)?,? (?:in|to|into|as|as an?) (?P<target>{_BASE})"
        ),
        rf"(?:number )?{_NUMBER} (?:\((?P<source>{_BASE})\) )?(?:in|to|into|as|as an?) (?P<target>{_BASE})",
        (
            rf"(?P<target>{_BASE}) (?:form |representation |expansion |equivalent |value )?of (?:the )?"
            rf"(?:(?P<source>{_BASE})"
            rf" )?(?:number )?{_NUMBER}"
        ),
    )
)


def answer_bases(text: str) -> AlgebraOutcome:
    """A whole number written in another base; None for any other question."""
    if len(text) > _LONGEST:
        return None
    asked = without_ending(tidy(text))
    for form in _FORMS:
        found = form.fullmatch(asked)
        if found is not None:
            return _converted(found)
    return None


def _converted(found: re.Match[str]) -> AlgebraOutcome:
    source = _base_of(found["source"]) if found["source"] else None
    target = _base_of(found["target"])
    marked = {"x": 16, "b": 2, "o": 8}.get((found["prefix"] or "  ")[1].lower())
    low = int(found["low"]) if found["low"] else None
    said = {each for each in (source, marked, low) if each is not None}
    digits = (found["marked"] or found["plain"]).upper()
    if len(said) > 1 or target is None or len(digits) > _MOST_DIGITS:
        return None
    base = said.pop() if said else 10
    if not said and base == 10 and not digits.isdecimal():
        # Letters without a base are hexadecimal only where the question says so.
        return None
    if not 2 <= base <= 36 or not 2 <= target <= 36:
        return failure("domain", "bases from 2 to 36 are written with digits and letters")
    if any(_DIGITS.index(digit) >= base for digit in digits):
        return failure("domain", f"{digits} is no number in base {base}: its digits go up to {_DIGITS[base - 1]}")
    value = int(digits, base)
    head = f"{digits} in base {base}"
    powers = WorkingLine(f"{_expanded(digits, base)} = {value}") if base != 10 and len(digits) <= 16 else None
    lines = (powers,) if powers is not None else ()
    if target == 10:
        return numeric(
            literal(Fraction(value)),
            None,
            f"{head} is {value} in base 10.",
            expression=head,
            checked="computed exactly",
            lines=lines,
        )
    written = in_base(value, target)
    if int(written, target) != value:
        return failure("not_confirmed", f"{head} could not be confirmed in base {target}")
    text = f"{head} is {written} in base {target} (read back, it is {value} again)."
    return DirectStatement(
        text, head, (*lines, WorkingLine(f"{value} = {written} (base {target})")), kind="number_theory"
    )


def in_base(value: int, base: int) -> str:
    """The digits of a whole number that is not negative."""
    found = ""
    while True:
        value, digit = divmod(value, base)
        found = _DIGITS[digit] + found
        if not value:
            return found


def _base_of(text: str) -> int | None:
    words = re.sub(rf" (?:{any_of('bases.nouns')})$", "", text.lower())
    if words in word_pairs("bases.names"):
        return int(word_pairs("bases.names")[words])
    number = re.split(r"[ -]", words)[-1]
    counted = word_pairs("bases.counts").get(number, number)
    return int(counted) if counted.isdecimal() else None


def _expanded(digits: str, base: int) -> str:
    return " + ".join(
        f"{_DIGITS.index(digit)}·{base}^{place}"
        for place, digit in zip(range(len(digits) - 1, -1, -1), digits, strict=True)
    )
