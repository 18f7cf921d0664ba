"""Questions that need no formula: arithmetic, remainders, percentages, conversions, constants, everyday stories.

The kinds are tried in order. Strict: a text that is not wholly understood is none of them, and is left to the formulas.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from mathrag.reason.direct.arithmetic import answer_arithmetic, answer_latex
from mathrag.reason.direct.constants import answer_constant, find_constant
from mathrag.reason.direct.conversions import answer_conversion
from mathrag.reason.direct.number_theory import answer_number_theory
from mathrag.reason.direct.percentages import answer_percentage
from mathrag.reason.direct.question_text import core_of, tidy, without_ending
from mathrag.reason.direct.result import DirectFailure, DirectKind, DirectOutcome, DirectResult
from mathrag.reason.direct.stories import answer_story

__all__ = ["DirectFailure", "DirectKind", "DirectResult", "compute_directly", "find_constant"]

# A question of this kind has few words; digits and signs may be many.
_MOST_LETTERS = 240
_LETTER = re.compile(r"[^\W\d_]")
_ASSIGNMENT = re.compile(r"[^\W\d_]\w*\s?=\s?[-−+.]?[0-9]")

_RULES: tuple[Callable[[str, str], DirectOutcome], ...] = (
    lambda core, _: answer_latex(core),
    lambda core, _: answer_number_theory(core),
    lambda core, _: answer_percentage(core),
    answer_conversion,
    lambda core, _: answer_arithmetic(core),
    answer_constant,
)


def compute_directly(text: str) -> DirectResult | DirectFailure | None:
    """The value of a question that needs no formula of the library, or why it has none; None for any other question."""
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
