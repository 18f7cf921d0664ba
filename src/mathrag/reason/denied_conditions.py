"""Whether a question denies the conditions of a formula: it speaks of the very thing that the formula leaves out
("without air resistance", where something falls in air), or keeps another thing constant."""

from __future__ import annotations

import re

from mathrag.language.stems import stems
from mathrag.language.word_classes import any_of
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.question_view import QuestionView

_WITHOUT = rf"(?:{any_of('choosing.left_aside')})"
_LEFT_OUT = re.compile(rf"(?i)\b{_WITHOUT}\s+(?:the\s+|any\s+|an?\s+)?(?P<thing>[a-z]+(?:\s+[a-z]+)?)")
_CONSTANT = re.compile(rf"(?i)\b(?:{any_of('choosing.kept')})\s+(?P<thing>[a-z]+)")
_ASIDE = re.compile(rf"(?i)\b{_WITHOUT}\b|less\b|free\b")
# So many characters before a word it would be said that the thing is left aside, and behind it that it is negligible.
_BEFORE, _BEHIND = 28, 24


def denies_a_condition(best: Plan, view: QuestionView) -> bool:
    """Whether the question has what a formula of the plan holds without."""
    text = view.question.text
    for part in best.steps():
        for validity in part.step.candidate.formula.conditions:
            if _keeps_another_constant(validity.text, text):
                return True
            for found in _LEFT_OUT.finditer(validity.text):
                if any(_is_spoken_of(word, text) for word in stems(found["thing"])):
                    return True
    return False


def _keeps_another_constant(condition: str, text: str) -> bool:
    """Whether the formula keeps one thing constant and the question another: volume, where the pressure stays."""
    own = {stem for found in _CONSTANT.finditer(condition) for stem in stems(found["thing"])}
    said = {stem for found in _CONSTANT.finditer(text) for stem in stems(found["thing"])}
    return bool(own) and bool(said) and own.isdisjoint(said)


def _is_spoken_of(word: str, text: str) -> bool:
    """Whether the question has the word and does not leave the thing aside itself."""
    for found in re.finditer(r"[A-Za-z]+", text):
        if stems(found[0]) == (word,):
            around = text[max(0, found.start() - _BEFORE) : found.end() + _BEHIND]
            if _ASIDE.search(around) is None:
                return True
    return False
