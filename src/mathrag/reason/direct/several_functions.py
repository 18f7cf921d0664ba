"""Several functions of whole numbers at once, or one at several numbers: `gcd and lcm of 36 and 60`, `factor 1001 and
compute φ(1001)`, `Möbius function at 30 and at 12`. Each part is a question of its own and answered as such; where one
is not understood, none is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.number_functions import answer_number_functions
from mathrag.reason.direct.number_theory import answer_number_theory
from mathrag.reason.direct.question_text import core_of, tidy, without_ending
from mathrag.reason.direct.result import AlgebraOutcome, DirectResult, DirectStatement
from mathrag.types.answer import WorkingLine

_LONGEST = 200
_MOST_PARTS = 8
_NUMBER = r"[0-9]{1,18}"
_LIST = rf"{_NUMBER}(?:(?:, ?(?:and )?| and (?:at )?|, at ){_NUMBER})*"


@cache
def _name() -> str:
    return rf"(?:{any_of('several.functions')}|{any_of('direct.number_functions')})"


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    and_ = r"(?:,? (?:and|plus|as well as)(?: also)?(?: the)? |, ?(?:the )?|/ ?| & )"
    one, several = _name(), any_of("direct.number_functions")
    together = rf"(?P<names>{one}(?:{and_}{one}){{1,5}})(?: functions?)?(?: of| for| at|:)? ?\(?(?P<of>{_LIST})\)?"
    behind = (
        rf"(?P<first>{one})(?: of| for)? ?\(?(?P<numbers>{_LIST})\)?,? (?:and|plus|as well as|also)(?: also)?"
        rf"(?: the| their| its)? (?P<second>{one})(?: too| as well| also)?(?: of (?:them|these|it|the same numbers))?"
    )
    places = rf"(?P<one>{several})(?: function)?(?: (?:of|for|at|evaluated at))? (?P<places>{_LIST})"
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in (together, behind, places))


def answer_several(text: str) -> AlgebraOutcome:
    """The values of several functions, or of one at several numbers; None for any other question."""
    if len(text) > _LONGEST or not any(map(str.isdigit, text)):
        return None
    core = core_of(without_ending(tidy(text)))
    for parts in _readings(core):
        if not 2 <= len(parts) <= _MOST_PARTS:
            continue
        found = [_value(part) for part in parts]
        if all(found):
            said = "; ".join(each for each in found if each)
            lines = tuple(WorkingLine(each) for each in found if each)
            return DirectStatement(f"{said} (computed exactly).", core, lines, kind="number_theory")
    return None


def _readings(core: str) -> Iterator[list[str]]:
    """The questions that a text puts at once, one way after another."""
    several, twice, places = _forms()
    found = several.fullmatch(core)
    if found is not None:
        names = re.split(r"(?:,? (?:and|plus|as well as)(?: also)?(?: the)? |, ?(?:the )?|/ ?| & )", found["names"])
        yield [one for name in names for one in _questions(name, found["of"])]
    found = twice.fullmatch(core)
    if found is not None:
        yield [one for name in (found["first"], found["second"]) for one in _questions(name, found["numbers"])]
    found = places.fullmatch(core)
    if found is not None:
        yield [f"{found['one']}({number})" for number in re.findall(_NUMBER, found["places"])]
    yield [core_of(part) for part in _clauses(core)]
    calls = re.split(r",? and (?:the )?|, ?(?![0-9])", core)
    yield (
        calls if all(re.fullmatch(rf"{_name()} ?\({_NUMBER}(?:, ?{_NUMBER})*\)", part, re.I) for part in calls) else []
    )


_ASKED = re.compile(
    r",? (?:and|then)(?: also)? (?=(?:compute|calculate|find|give|factor|determine|list|is|evaluate)\b)|; ?|\? "
)
_IF_NOT = re.compile(
    r"(?P<one>.+?)(?:\?|,|;)? (?:and )?if not,? (?:then )?(?:please )?factor(?:i[sz]e)? it", re.IGNORECASE
)


def _clauses(core: str) -> list[str]:
    """The clauses of a text that puts one question behind the other; "if not factor it" is answered by the factors."""
    return [part for part in _ASKED.split(core) if part.strip()]


def _questions(name: str, numbers: str) -> list[str]:
    """One question for a function of all the numbers, or one for each of them."""
    name = re.sub(r"\A(?:the|also) ", "", name.strip(), flags=re.IGNORECASE)
    if name.lower() in word_class("several.common"):
        return [f"{name} of {' and '.join(re.findall(_NUMBER, numbers))}".replace(" and ", ", ")]
    return [f"{name} of {number}" for number in re.findall(_NUMBER, numbers)]


def _value(question: str) -> str:
    found = answer_number_functions(question) or answer_number_theory(question)
    if isinstance(found, DirectResult):
        return f"{found.expression} = {found.exact}".replace("-", "−")
    return found.text.rstrip(".") if isinstance(found, DirectStatement) else ""


def answer_or_factor(text: str) -> AlgebraOutcome:
    """`is 2047 prime? if not factor it`: the answer has the factors anyway."""
    found = _IF_NOT.fullmatch(without_ending(tidy(text))) if len(text) <= _LONGEST else None
    if found is None:
        return None
    asked = core_of(without_ending(found["one"]))
    return answer_number_functions(asked) or answer_number_theory(asked)
