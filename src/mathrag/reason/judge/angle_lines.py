"""From which line an angle is counted: from a surface or from what stands upright on it, from the horizontal or from
the vertical, between two directions or from the one at right angles to them. Tells where a question counts otherwise
than a formula does, which says it by the description of its symbol."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from mathrag.language.word_classes import any_of
from mathrag.reason.choosing.slots import Slot
from mathrag.types.question import Given, Question

# What a formula counts an angle from: what stands upright on a surface, the horizontal, one of two directions.
_Line: TypeAlias = Literal["upright", "flat", "between"]

_ANGLE = "1"
_UPRIGHT = rf"(?:{any_of('choosing.upright_lines')})(?!\s+(?:force|component|{any_of('choosing.flat_lines')}))"
_FLAT = rf"(?:{any_of('choosing.flat_lines')})"
_LEVEL = r"(?:horizontal|horizon|ground|floor)"
_FROM_NORMAL = re.compile(rf"(?i)\b(?:{any_of('choosing.angles_from_the_normal')})\b")
_FROM_HORIZONTAL = re.compile(rf"(?i)\b(?:{any_of('choosing.angles_from_the_horizontal')})\b")
_MOVES_UPRIGHT = re.compile(rf"(?i)\b(?:{any_of('choosing.moves_upright')})\b")
_SOME_ANGLE = re.compile(r"(?i)\bangle\b")
# Small words and one or two others between a preposition and the line that it leads to.
_LED = r"\s+(?:(?:the|its|this|that|an?|being|at)\s+){0,2}(?:[a-z-]{2,20}\s+){0,2}?"
_PREPOSITIONS = r"(?:with|to|from|against|above|below|off|of|and)"
_MAKES = (
    r"(?:makes?|made|making|forms?|forming|is|are|was|were|being|lies|stands)"
    r"(?:\s+(?:inclined|tilted|turned|rotated|lying))?(?:\s+(?:an\s+angle\s+of|at\s+an\s+angle\s+of|at|by|of)){0,2}"
)
# So many characters behind a value it is told from what it is measured.
_BEHIND, _BEFORE = 60, 120
_SENTENCE_END = re.compile(r"[.?!;](?:\s|$)")
_BODY = re.compile(rf"(?i)\b(?:with|to|against|above){_LED}(?:{any_of('choosing.flat_bodies')})\b(?!['’])")


def _named(lines: str) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """How these lines are named behind an angle ("30° to the …"), before it ("the … makes 30°", "the angle between the
    … and the field is 30°"), and where an angle is asked for."""
    return (
        re.compile(rf"(?i)\b{_PREPOSITIONS}{_LED}{lines}\b"),
        re.compile(
            rf"(?i)\b{lines}\b(?:\s+[a-z-]{{2,20}}){{0,4}}?\s+{_MAKES}\s*$"
            rf"|\bangle\s+between\b[^.?!;]{{0,60}}\b{lines}\b[^.?!;]{{0,40}}$"
        ),
        re.compile(
            rf"(?i)\bangle(?:\s+of\s+[a-z]{{3,20}})?(?:\s+(?:measured|counted|taken))?\s+{_PREPOSITIONS}{_LED}{lines}\b"
            rf"|\bangle\b[^,.?!;]{{0,50}}\b(?:make|makes|form|forms|have|has|enclose|encloses)\s+{_PREPOSITIONS}{_LED}{lines}\b"
        ),
    )


_UPRIGHT_NAMED = _named(_UPRIGHT)
_AXIS_NAMED = _named(rf"(?:{any_of('choosing.axes')})")
_FLAT_NAMED = _named(_FLAT)
_LEVEL_NAMED = _named(_LEVEL)
_VERTICAL_NAMED = _named(r"(?:vertical|straight up|straight down|upright|plumb)(?!\s+(?:plane|wall|surface|face))")


def is_from_another_line(slot: Slot, given: Given, question: Question) -> bool:
    """Whether a stated angle is counted from another line than a slot counts from."""
    line = _line_of(slot)
    if line is None:
        return False
    before, behind = _around(given, question)

    def names(lines: tuple[re.Pattern[str], ...]) -> bool:
        return lines[0].search(behind) is not None or lines[1].search(before) is not None

    if line == "upright":
        if names(_UPRIGHT_NAMED) or names(_AXIS_NAMED):
            return False
        is_named_so = _FROM_NORMAL.search(before[-30:]) is not None
        return names(_FLAT_NAMED) or (not is_named_so and _BODY.search(behind) is not None)
    if line == "flat":
        return names(_UPRIGHT_NAMED)
    # Between two directions: which of them is upright, if any, what moves tells.
    is_upright = _MOVES_UPRIGHT.search(question.text) is not None
    if names(_VERTICAL_NAMED):
        return not is_upright
    return names(_UPRIGHT_NAMED) or (is_upright and names(_LEVEL_NAMED))


def is_asked_from_another_line(slot: Slot, text: str) -> bool:
    """Whether an angle is asked for from another line than a slot counts from."""
    line = _line_of(slot)
    if line is None:
        return False
    if line == "upright":
        is_upright = _UPRIGHT_NAMED[2].search(text) is not None or _AXIS_NAMED[2].search(text) is not None
        return _FLAT_NAMED[2].search(text) is not None and not is_upright
    return _UPRIGHT_NAMED[2].search(text) is not None and (line == "flat" or not _MOVES_UPRIGHT.search(text))


def _line_of(slot: Slot) -> _Line | None:
    described = slot.meaning.description
    if slot.dimension != _ANGLE or slot.is_constant:
        return None
    is_angle = _SOME_ANGLE.search(described) is not None or (slot.kind is not None and slot.kind.unit == "rad")
    if not is_angle:
        return None
    if _FROM_NORMAL.search(described):
        return "upright"
    if _FROM_HORIZONTAL.search(described):
        return "flat"
    return "between" if re.search(r"(?i)\bbetween\b", described) else None


def _around(given: Given, question: Question) -> tuple[str, str]:
    """The words of a sentence right before and right behind a value, as far as the next values."""
    text = question.text
    others = [each for each in question.givens if each.end > each.start]
    start = max([each.end for each in others if each.end <= given.start] or [0])
    end = min([each.start for each in others if each.start >= given.end] or [len(text)])
    before = _SENTENCE_END.split(text[max(start, given.start - _BEFORE) : given.start])[-1]
    behind = _SENTENCE_END.split(text[given.end : min(end, given.end + _BEHIND)])[0]
    return before, behind
