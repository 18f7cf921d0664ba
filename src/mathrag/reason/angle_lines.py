"""From which line an angle is measured: a surface, or what stands upright on it. The two add up to a right angle, so
that a value stated from one must not stand in a formula that counts from the other."""

from __future__ import annotations

import re

from mathrag.language.word_classes import any_of
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.question_view import QuestionView

_UPRIGHT = re.compile(rf"(?i)\b(?:{any_of('choosing.upright_lines')})\b")
_FLAT = re.compile(
    r"(?i)\b(?:with|to|from|against|above|off)\s+(?:the\s+|its\s+|an?\s+)?(?:[a-z-]{2,20}\s+)?"
    rf"(?:{any_of('choosing.flat_lines')})\b"
)
# So many characters behind an angle its line is named: "60 degrees with the plane of the loop".
_BEHIND = 48
_ANGLE = "1"


def is_from_another_line(best: Plan, view: QuestionView) -> bool:
    """Whether an angle that the question states from a surface stands in a slot that counts from the normal."""
    text = view.question.text
    for part in best.steps():
        for slot, value in part.step.pairs:
            place = part.step.candidate.slots[slot]
            if place.dimension != _ANGLE or not _UPRIGHT.search(place.meaning.description):
                continue
            given = view.values[value].given
            behind = text[given.end : given.end + _BEHIND]
            if not given.implied and _FLAT.search(behind) and not _UPRIGHT.search(behind):
                return True
    return False
