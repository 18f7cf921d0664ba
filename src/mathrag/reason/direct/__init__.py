"""Questions that need no formula: arithmetic, remainders, percentages, conversions, constants, pure mathematics,
chemistry, everyday stories.

The kinds are tried in order. Strict: a text that is not wholly understood is none of them, and is left to the formulas.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from mathrag.knowledge.units import names_left_open, reading_notes, readings_in_words
from mathrag.language.quantities import find_quantities
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.algebra import answer_algebra
from mathrag.reason.direct.arithmetic import answer_arithmetic, answer_latex
from mathrag.reason.direct.cancelling_units import answer_by_units
from mathrag.reason.direct.chances import answer_chances
from mathrag.reason.direct.chemistry import answer_chemistry
from mathrag.reason.direct.constants import answer_constant, find_constant
from mathrag.reason.direct.conversions import answer_conversion
from mathrag.reason.direct.counting import answer_counting
from mathrag.reason.direct.counting_maps import answer_counting_maps
from mathrag.reason.direct.data_pairs import answer_data_pairs
from mathrag.reason.direct.event_chances import answer_event_chances
from mathrag.reason.direct.frames import unframed
from mathrag.reason.direct.labelled import answer_labelled
from mathrag.reason.direct.levels import answer_levels
from mathrag.reason.direct.listed import answer_listed
from mathrag.reason.direct.named_numbers import answer_named_numbers
from mathrag.reason.direct.number_bases import answer_bases
from mathrag.reason.direct.number_functions import answer_number_functions
from mathrag.reason.direct.number_law_claims import answer_number_law
from mathrag.reason.direct.number_theory import answer_number_theory
from mathrag.reason.direct.open_conversions import answer_open_conversion
from mathrag.reason.direct.percentages import answer_percentage
from mathrag.reason.direct.pressure_pairs import answer_pressure_pair
from mathrag.reason.direct.question_text import core_of, tidy, without_ending
from mathrag.reason.direct.result import (
    AlgebraOutcome,
    DirectFailure,
    DirectKind,
    DirectResult,
    DirectStatement,
)
from mathrag.reason.direct.several_functions import answer_or_factor, answer_several
from mathrag.reason.direct.spoken_claims import answer_framed_claim, answer_spoken_claims
from mathrag.reason.direct.statistics import answer_statistics
from mathrag.reason.direct.stories import answer_story
from mathrag.reason.direct.undefined import answer_undefined, convention_note, without_domain

__all__ = ["DirectFailure", "DirectKind", "DirectResult", "DirectStatement", "compute_directly", "find_constant"]

# A question of this kind has few words; digits and signs may be many.
_MOST_LETTERS = 240
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]+")
_UNIT = re.compile(r"[^\W\d]\w*")
_ASSIGNMENT = re.compile(r"[^\W\d_]\w*\s?=\s?[-−+.]?[0-9]")

_ROOT = re.compile(r"√|∛|sqrt|root", re.IGNORECASE)
_SIMPLIFY = re.compile(rf"\b(?:{any_of('algebra.simplify')})\b", re.IGNORECASE)
_WHY = re.compile(r"(?i)\s*why\s+(?=(?:is|are|do|does|can|must)\b)")

_LARGE = word_pairs("direct.large_numbers")

# What frames may be taken off for: pure mathematics. Stories, constants and conversions stay as they were written.
_PURE: frozenset[DirectKind] = frozenset(("arithmetic", "modular", "percentage", "number_theory", "algebra"))

_RULES: tuple[Callable[[str, str], AlgebraOutcome], ...] = (
    lambda core, _: answer_latex(core),
    lambda core, _: answer_number_theory(core),
    lambda core, _: answer_levels(core),
    lambda core, _: answer_percentage(core),
    answer_conversion,
    lambda core, _: answer_arithmetic(core),
    answer_constant,
)


def compute_directly(text: str) -> AlgebraOutcome:
    """The value of a question that needs no formula of the library, or why it has none; None for any other question."""
    substances = answer_chemistry(text)
    if substances is not None:
        return _with_readings(substances, text) if isinstance(substances, DirectResult) else substances
    found = _computed(text) or _premise(text)
    is_pure = isinstance(found, DirectStatement | DirectResult) and found.kind in _PURE
    if not is_pure:
        # Before a story is looked for: what is told of people is not computed with.
        found = _without_frame(text) or found or _told(text)
    return _with_readings(found, text) if isinstance(found, DirectResult) and found.kind != "algebra" else found


def _without_frame(text: str) -> AlgebraOutcome:
    """What a question comes to without the courtesies and stories around it, where it is pure mathematics."""
    plain = unframed(text)
    found = _plainly(plain) if plain != text else None
    is_answer = isinstance(found, DirectResult | DirectStatement) and found.kind in _PURE
    return found if is_answer else None


# One question is asked several times over, by those who look things up and by those who compute.
@lru_cache(maxsize=16)
def _plainly(plain: str) -> AlgebraOutcome:
    return _computed(plain) or _premise(plain)


def _premise(text: str) -> AlgebraOutcome:
    """What is to be said of the claim of "why is 1 a prime number": whether it is true, with what shows it."""
    why = _WHY.match(text)
    found = _computed(text[why.end() :]) if why is not None else None
    is_verdict = isinstance(found, DirectStatement) or (isinstance(found, DirectResult) and bool(found.text))
    return found if is_verdict else None


def _computed(text: str) -> AlgebraOutcome:
    """Arithmetic and its kin first; what they leave is pure mathematics."""
    tidied = tidy(text)
    whole = without_ending(tidied)
    core = core_of(whole)
    if not core:
        return None
    undefined = answer_undefined(core)
    if undefined is not None:
        return undefined
    whole, core = without_domain(whole), without_domain(core)
    exactly = _exactly(text)
    if exactly is not None:
        return exactly
    found = _by_rules(core, whole)
    if isinstance(found, DirectStatement):
        return found
    if isinstance(found, DirectResult):
        shorter = _with_shorter_roots(found, text)
        if shorter is not None:
            return shorter
        convention = convention_note(core)
        return replace(found, notes=(*found.notes, convention)) if convention else found
    return answer_algebra(text) or answer_framed_claim(text) or found


def _told(text: str) -> AlgebraOutcome:
    """What a relation between named or listed values, a story or units that cancel come to; the last that is tried."""
    tidied = tidy(text)
    if not core_of(without_ending(tidied)):
        return None
    return (
        answer_labelled(tidied)
        or answer_listed(tidied)
        or answer_story(tidied)
        or answer_by_units(tidied)
        or answer_statistics(text, is_last=True)
        or answer_pressure_pair(tidied)
        or answer_open_conversion(tidied)
    )


_EXACT: tuple[Callable[[str], AlgebraOutcome], ...] = (
    answer_bases,
    answer_counting,
    answer_chances,
    answer_event_chances,
    answer_data_pairs,
    answer_statistics,
    answer_number_functions,
    answer_counting_maps,
    answer_named_numbers,
    answer_several,
    answer_or_factor,
    answer_spoken_claims,
    answer_number_law,
)


def _exactly(text: str) -> AlgebraOutcome:
    """What is counted or told exactly, in the order in which the readers are tried."""
    for answer in _EXACT:
        found = answer(text)
        if found is not None:
            return found
    return None


def _with_shorter_roots(found: DirectResult, text: str) -> DirectResult | None:
    """The result with its exact form, where roots are to be simplified: √72 is 6 √2, and its decimals come behind."""
    if found.kind != "arithmetic" or found.exact or _ROOT.search(text) is None or _SIMPLIFY.search(text) is None:
        return None
    stated = answer_algebra(text)
    if not isinstance(stated, DirectStatement) or not stated.lines or " = " not in stated.lines[0].text:
        return None
    said = f"{stated.lines[0].text} ≈ {found.quantity.value:.{found.significant_figures}g}."
    return replace(found, text=said, lines=stated.lines)


def _by_rules(core: str, whole: str) -> AlgebraOutcome:
    if len(_LETTER.findall(core)) > _MOST_LETTERS or _ASSIGNMENT.search(whole):
        return None
    failure: DirectFailure | None = None
    for answer in _RULES:
        found = answer(core, whole)
        if isinstance(found, DirectResult | DirectStatement):
            return found
        failure = failure or found
    return failure


def _with_readings(found: DirectResult, text: str) -> DirectResult | DirectFailure:
    """The result with what was taken for names that leave their unit open. Where the words around a name ask for
    another unit than the one computed with, and the number depends on it, there is none."""
    names = names_left_open(text)
    words = {word.lower() for word in _WORD.findall(text)}
    large = tuple(f"a {word.rstrip('s')} is taken as {_LARGE[word]}" for word in _LARGE if word in words)
    if not names:
        return replace(found, notes=(*dict.fromkeys((*found.notes, *large)),)) if large else found
    taken = f"{found.expression} {found.quantity.unit.text}"
    if found.kind in ("story", "list"):
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
