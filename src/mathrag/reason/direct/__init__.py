"""Questions that need no formula: arithmetic, remainders, percentages, conversions, constants, everyday stories.

The kinds are tried in order. Strict: a text that is not wholly understood is none of them, and is left to the formulas.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from mathrag.knowledge.units import names_left_open, reading_notes, readings_in_words
from mathrag.language.quantities import find_quantities
from mathrag.language.word_classes import word_pairs
from mathrag.reason.direct.arithmetic import answer_arithmetic, answer_latex
from mathrag.reason.direct.constants import answer_constant, find_constant
from mathrag.reason.direct.conversions import answer_conversion
from mathrag.reason.direct.levels import answer_levels
from mathrag.reason.direct.number_theory import answer_number_theory
from mathrag.reason.direct.percentages import answer_percentage
from mathrag.reason.direct.question_text import core_of, tidy, without_ending
from mathrag.reason.direct.result import DirectFailure, DirectKind, DirectOutcome, DirectResult
from mathrag.reason.direct.stories import answer_story

__all__ = ["DirectFailure", "DirectKind", "DirectResult", "compute_directly", "find_constant"]

# A question of this kind has few words; digits and signs may be many.
_MOST_LETTERS = 240
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]+")
_UNIT = re.compile(r"[^\W\d]\w*")
_ASSIGNMENT = re.compile(r"[^\W\d_]\w*\s?=\s?[-−+.]?[0-9]")

_LARGE = word_pairs("direct.large_numbers")

_RULES: tuple[Callable[[str, str], DirectOutcome], ...] = (
    lambda core, _: answer_latex(core),
    lambda core, _: answer_number_theory(core),
    lambda core, _: answer_levels(core),
    lambda core, _: answer_percentage(core),
    answer_conversion,
    lambda core, _: answer_arithmetic(core),
    answer_constant,
)


def compute_directly(text: str) -> DirectResult | DirectFailure | None:
    """The value of a question that needs no formula of the library, or why it has none; None for any other question."""
    found = _computed(text)
    return _with_readings(found, text) if isinstance(found, DirectResult) else found


def _computed(text: str) -> DirectOutcome:
    tidied = tidy(text)
    whole = without_ending(tidied)
    core = core_of(whole)
    if not core:
        return None
    if len(_LETTER.findall(core)) > _MOST_LETTERS or _ASSIGNMENT.search(whole):
        return answer_story(tidied)
    failure: DirectFailure | None = None
    for answer in _RULES:
        found = answer(core, whole)
        if isinstance(found, DirectResult):
            return found
        failure = failure or found
    return failure or answer_story(tidied)


def _with_readings(found: DirectResult, text: str) -> DirectResult | DirectFailure:
    """The result with what was taken for names that leave their unit open. Where the words around a name ask for
    another unit than the one computed with, and the number depends on it, there is none."""
    names = names_left_open(text)
    words = {word.lower() for word in _WORD.findall(text)}
    large = tuple(f"a {word.rstrip('s')} is taken as {_LARGE[word]}" for word in _LARGE if word in words)
    if not names:
        return replace(found, notes=(*dict.fromkeys((*found.notes, *large)),)) if large else found
    taken = f"{found.expression} {found.quantity.unit.text}"
    if found.kind == "story":
        mentions = find_quantities(text)
        taken += " " + " ".join(mention.units[0].text for mention in mentions if mention.units)
    used = frozenset(_UNIT.findall(taken))
    for name in names:
        asked = next((each for each in name.readings if not each.where.isdisjoint(words)), None)
        is_kept = any(each.unit in _UNIT.findall(found.quantity.unit.text) for each in name.readings)
        if asked is not None and asked.unit not in used and not is_kept:
            choices = readings_in_words(name)
            return DirectFailure("ambiguous", f"{name.spoken} can mean {choices}; say which one is meant", found.kind)
    return replace(found, notes=(*dict.fromkeys((*found.notes, *large, *reading_notes(text, taken, words))),))
