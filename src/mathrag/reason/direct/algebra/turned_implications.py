"""Converse, inverse and contrapositive of an implication, in signs or in words, and which of them say the same."""

from __future__ import annotations

import re
from functools import cache

from mathrag.compute.logic import Joined, Not, Proposition, UnreadLogicError, are_same
from mathrag.compute.normal_forms import written
from mathrag.compute.signs_of_logic import plain_signs
from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.algebra.propositions import proposition_of
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import DirectStatement
from mathrag.types.answer import WorkingLine

_LONGEST = 300
_IF = re.compile(r"if (?P<given>[^,]+?)(?:, then |, | then )(?P<end>[^,]+)", re.IGNORECASE)
_COPULA = re.compile(r" (is|are|was|were|will|can)\b( not\b)?", re.IGNORECASE)
_THING = re.compile(r"(an? [a-z]+) (?=[a-z])", re.IGNORECASE)


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    names = any_of("logic.turned_implications")
    several = rf"(?P<names>(?:{names})(?:(?:, and |, | and | or |/| & )(?:the )?(?:{names}))*)"
    opening = rf"(?:(?:{any_of('logic.task_openings')})\b[ :,]*)*"
    kinds = r"(?:the )?(?:implication |statement |sentence |conditional |proposition |following )*"
    of = rf"(?: of| for)?:? {kinds}[:\"“'‘ ]*(?P<it>.+?)[\"”'’]*"
    which = r"(?:[:;,.?–—]+ |[:;,.]? and )(?:and )?(?P<which>(?:which|what|are|is) .+)"
    alike = (
        r"(?P<alike> (?:logically )?equivalent(?: to (?:it|the original|the implication|(?P<to>.+)))?|[?,:;]? which .+)"
    )
    made = (
        rf"(?P<it>if .+?)[\"”'’]*(?:[.:;,?]+|[\"”]) (?P<which>{opening}(?:its )?){several}(?: of (?:this|that|it))?",
        rf"{opening}{several}{of}(?:{which})?",
        rf"(?P<which>(?:is|are|which|does) .*?)(?:the )?{several}{of}{alike}",
        (
            rf"(?P<which>is) (?:the )?{several} (?:of an? implication )?(?:logically )?equivalent to "
            r"(?:the original|it)(?P<it>)"
        ),
    )
    return tuple(re.compile(each, re.IGNORECASE) for each in made)


def answer_turned_implications(text: str) -> DirectStatement | None:
    """The converse and its kin of an implication; None for any other question."""
    if len(text) > _LONGEST:
        return None
    asked = without_ending(tidy(plain_signs(text)))
    for pattern in _patterns():
        found = pattern.fullmatch(asked)
        if found is None:
            continue
        names = [each.lower() for each in re.findall(any_of("logic.turned_implications"), found["names"].lower())]
        wanted = list(dict.fromkeys("contrapositive" if each == "contraposition" else each for each in names))
        is_which = bool(found["which"])
        to = found.groupdict().get("to")
        if to and to.replace(" ", "") != found["it"].replace(" ", ""):
            continue
        told = _in_signs(found["it"] or "p → q", wanted, is_which) or _in_words(found["it"], wanted)
        if told is not None:
            return told
    return None


def _in_signs(text: str, wanted: list[str], is_which: bool) -> DirectStatement | None:
    try:
        made = proposition_of(text)
    except UnreadLogicError:
        return None
    if not isinstance(made, Joined) or made.operation != "implies":
        return None
    given, end = made.left, made.right
    forms: dict[str, Proposition] = {
        "converse": Joined("implies", end, given),
        "inverse": Joined("implies", _opposite(given), _opposite(end)),
        "contrapositive": Joined("implies", _opposite(end), _opposite(given)),
    }
    lines = [f"{name}: {written(forms[name])}" for name in wanted]
    same = {name: are_same(made, form) for name, form in forms.items()}
    alike = [f"the {name} {'is' if same[name] else 'is not'} equivalent to {written(made)}" for name in wanted]
    others = ""
    if {"converse", "inverse"} <= {*wanted} and are_same(forms["converse"], forms["inverse"]):
        others = "; converse and inverse are equivalent to each other"
    opening = _verdict([same[name] for name in wanted]) if is_which and len(wanted) == 1 else ""
    shown = "; ".join(lines)
    text = f"{opening}{shown[:1].upper()}{shown[1:]}. By all cases of true and false, {', '.join(alike)}{others}."
    return DirectStatement(text, written(made), tuple(map(WorkingLine, lines)))


def _verdict(held: list[bool]) -> str:
    return "Yes. " if all(held) else "No. "


def _opposite(made: Proposition) -> Proposition:
    return made.operand if isinstance(made, Not) else Not(made)


# In words.


def _in_words(text: str, wanted: list[str]) -> DirectStatement | None:
    sentence = text.strip(" .\"“”'‘’")
    found = _IF.fullmatch(sentence)
    if found is None or len(sentence.split()) < 4:
        return None
    given, end = found["given"].strip(), found["end"].strip()
    swapped_end, swapped_given = _swapped(given, end)
    forms = {
        "converse": f"If {swapped_end}, then {swapped_given}",
        "inverse": f"If {_denied(given)}, then {_denied(end)}",
        "contrapositive": f"If {_denied(swapped_end)}, then {_denied(swapped_given)}",
    }
    lines = [f"{name}: {forms[name]}." for name in wanted]
    kept = (
        "Of an implication, the contrapositive says the same as the original (all cases of true and false show it); "
        "converse and inverse do not, but they say the same as each other."
    )
    shown = " ".join(each[:1].upper() + each[1:] for each in lines)
    return DirectStatement(f"{shown} {kept}", sentence, tuple(map(WorkingLine, lines)))


def _swapped(given: str, end: str) -> tuple[str, str]:
    """Both clauses for the other order: "a number is even" and "it is whole" change their subjects."""
    thing = _THING.match(given)
    if thing is None or not re.match(r"it\b", end, re.IGNORECASE):
        return end, given
    return thing[1] + end[2:], "it" + given[len(thing[1]) :]


def _denied(clause: str) -> str:
    """The negation of a clause: "not" behind a form of to be where nothing else in it would change what that means."""
    words = {*re.findall("[a-z]+", clause.lower())}
    copulas = list(_COPULA.finditer(clause))
    if len(copulas) == 1 and copulas[0][2] and not (words - {"not"}) & word_class("logic.not_negated_by_not"):
        return clause[: copulas[0].start(2)] + clause[copulas[0].end(2) :]
    if len(copulas) != 1 or words & word_class("logic.not_negated_by_not"):
        return f"it is not the case that {clause}"
    return f"{clause[: copulas[0].end(1)]} not{clause[copulas[0].end(1) :]}"
