"""Probabilities of events that are called by letters: P(A or B) from P(A), P(B) and P(A and B), or with independence.

Strict: the question is its probabilities, how the events are related, and one probability that is asked for. Exact.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import AlgebraOutcome, DirectFailure, DirectResult, result_by_steps
from mathrag.types.answer import Provenance
from mathrag.types.quantity import Quantity

_LONGEST = 240
_NUMBER = r"[0-9]*\.?[0-9]+(?:/[0-9]+)?"
_EVENT = r"P ?\( ?(?P<event>[^()]{1,20}) ?\)"
_GIVEN = re.compile(rf"{_EVENT} ?(?:=|is|of) ?(?P<value>{_NUMBER})(?P<percent> ?%)?")
_ASKED = re.compile(_EVENT)
_SIGNS = ((" and ", "∩"), (" or ", "∪"), ("&", "∩"), (" given ", "|"), ("not ", "¬"), ("'", "ᶜ"))
_INDEPENDENT = re.compile(r"\bindependent\b", re.IGNORECASE)
_EXCLUSIVE = re.compile(rf"\b(?:{any_of('figures.exclusive')})\b", re.IGNORECASE)
_FORM = re.compile(r"[A-Z](?:ᶜ|[∩∪|][A-Z])?")
_FIGURES = 6
_WORD = re.compile(r"[A-Za-z]+")


def answer_event_chances(text: str) -> AlgebraOutcome:
    """The probability asked for, or why there is none; None for any other question."""
    if len(text) > _LONGEST or "P" not in text or "(" not in text:
        return None
    asked = without_ending(tidy(text))
    given = {_canonical(each["event"]): _value(each) for each in _GIVEN.finditer(asked)}
    rest = _GIVEN.sub(" ", asked)
    wanted = [_canonical(each["event"]) for each in _ASKED.finditer(rest)]
    rest = _ASKED.sub(" ", rest)
    is_independent, is_exclusive = _INDEPENDENT.search(rest) is not None, _EXCLUSIVE.search(rest) is not None
    rest = _EXCLUSIVE.sub(" ", _INDEPENDENT.sub(" ", rest))
    said = {each.lower() for each in _WORD.findall(rest)}
    if len(wanted) != 1 or not given or not said <= word_class("figures.of_events") or re.search(r"[0-9]", rest):
        return None
    if is_independent and is_exclusive:
        return None
    found = _told(given, wanted[0], is_independent=is_independent, is_exclusive=is_exclusive)
    if isinstance(found, DirectResult):
        return replace(found, provenance=(Provenance("question", tidy(text)),))
    return found


def _canonical(event: str) -> str:
    """An event with signs for its words, the letters of what holds both ways in order: "B and A" is A∩B."""
    text = event.strip()
    for words, sign in _SIGNS:
        text = text.replace(words, sign)
    text = text.replace(" ", "")
    if len(text) == 2 and text[0] == "¬":
        return f"{text[1]}ᶜ"
    is_turned = len(text) == 3 and text[1] in "∩∪" and text[2] < text[0]
    return text[::-1] if is_turned else text


def _value(found: re.Match[str]) -> Fraction:
    value = Fraction(found["value"])
    return value / 100 if found["percent"] else value


def _told(
    given: Mapping[str, Fraction], wanted: str, *, is_independent: bool, is_exclusive: bool
) -> DirectResult | DirectFailure | None:
    letters = sorted({each for event in (*given, wanted) for each in event if each.isalpha() and each.isupper()})
    if len(letters) > len("AB") or any(not _FORM.fullmatch(event) for event in (*given, wanted)):
        return None
    a, b = (*letters, "")[:2]
    known = {**given, **{each[0]: 1 - value for each, value in given.items() if each.endswith("ᶜ")}}
    both, how = _both(known, a, b, is_independent=is_independent, is_exclusive=is_exclusive)
    found = _asked(known, wanted, both)
    if found is None:
        return None
    value, line = found
    numbers = (*known.values(), value, *(() if both is None else (both,)))
    is_too_much = both is not None and any(event in known and both > known[event] for event in letters)
    if any(not 0 <= each <= 1 for each in numbers) or is_too_much:
        return DirectFailure("contradiction", "no events have these probabilities", "number_theory")
    lines = (*((how,) if how and wanted not in (a, b) else ()), line)
    shown = f"{float(value):.{_FIGURES}g}"
    number: int | float = value.numerator if value.denominator == 1 else float(value)
    name = f"P({wanted})"
    return result_by_steps(
        "number_theory", Quantity(number), name=name, said=shown, steps=lines, figures=_FIGURES, subject=name
    )


def _both(
    known: Mapping[str, Fraction], a: str, b: str, *, is_independent: bool, is_exclusive: bool
) -> tuple[Fraction | None, str]:
    """The probability that both happen, and how it is known. None as well where two ways say different things."""
    has_each = a in known and b in known
    found: list[tuple[Fraction, str]] = []
    if f"{a}∩{b}" in known:
        found.append((known[f"{a}∩{b}"], ""))
    if is_independent and has_each:
        found.append((known[a] * known[b], f"independent: P({a}∩{b}) = P({a}) P({b})"))
    if is_exclusive:
        found.append((Fraction(0), f"mutually exclusive: P({a}∩{b}) = 0"))
    if f"{a}∪{b}" in known and has_each:
        found.append((known[a] + known[b] - known[f"{a}∪{b}"], f"P({a}∩{b}) = P({a}) + P({b}) − P({a}∪{b})"))
    for one, other in ((a, b), (b, a)):
        if f"{one}|{other}" in known and other in known:
            found.append((known[f"{one}|{other}"] * known[other], f"P({a}∩{b}) = P({one}|{other}) P({other})"))
    return found[0] if len({value for value, _ in found}) == 1 else (None, "")


def _asked(known: Mapping[str, Fraction], wanted: str, both: Fraction | None) -> tuple[Fraction, str] | None:
    """The value of what is asked for with the line that shows it."""
    if wanted.endswith("ᶜ"):
        return (1 - known[wanted[0]], f"P({wanted}) = 1 − P({wanted[0]})") if wanted[0] in known else None
    if len(wanted) != len("A|B") or both is None:
        return None
    one, sign, other = tuple(wanted)
    if sign == "∩":
        return both, f"P({wanted}) = {float(both):g}"
    if sign == "|":
        return (both / known[other], f"P({wanted}) = P({one}∩{other}) / P({other})") if known.get(other) else None
    if one not in known or other not in known:
        return None
    return known[one] + known[other] - both, f"P({wanted}) = P({one}) + P({other}) − P({one}∩{other})"
