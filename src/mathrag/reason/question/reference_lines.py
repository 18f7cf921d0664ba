"""From which line an angle is counted, by the words around it: from a surface or from what stands upright on it, from
the horizontal or from the vertical, from an axis, from a body. Reads the question; what a formula counts from, and
whether that is the same, is for others to say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Literal, TypeAlias, get_args

from mathrag.language.cues import cue
from mathrag.language.word_classes import any_of
from mathrag.types.question import Given

# Lines that words name; `body` is a thing with a flat side, `normal` an angle that has its line in its name.
Line: TypeAlias = Literal["upright", "axis", "flat", "level", "vertical"]
Reference: TypeAlias = Literal["upright", "axis", "flat", "level", "vertical", "body", "normal"]

# Small words and one or two others between a preposition and the line that it leads to.
_LED = r"\s+(?:(?:the|its|this|that|an?|being|at)\s+){0,2}(?:[a-z-]{2,20}\s+){0,2}?"
_PREPOSITIONS = r"(?:with|to|from|against|above|below|off|of|and)"
_MAKES = (
    r"(?:makes?|made|making|forms?|forming|is|are|was|were|being|lies|stands)"
    r"(?:\s+(?:inclined|tilted|turned|rotated|lying))?(?:\s+(?:an\s+angle\s+of|at\s+an\s+angle\s+of|at|by|of)){0,2}"
)
# So many characters behind a value it is told from what it is measured, before it, and its own name right before it.
_BEHIND, _BEFORE, _NAME = 60, 120, 30
_SENTENCE_END = re.compile(r"[.?!;](?:\s|$)")


def references(given: Given, text: str, givens: Sequence[Given]) -> frozenset[Reference]:
    """What the words beside a value say that it is counted from."""
    before, behind = _around(given, text, givens)
    found: set[Reference] = {
        line for line in get_args(Line) if _behind(line).search(behind) or _before(line).search(before)
    }
    if _body().search(behind):
        found.add("body")
    if cue("angle_from_normal").search(before[-_NAME:]):
        found.add("normal")
    return frozenset(found)


def asked_lines(text: str) -> frozenset[Line]:
    """The lines from which an angle is asked for."""
    return frozenset(line for line in get_args(Line) if _asked(line).search(text))


def _around(given: Given, text: str, givens: Sequence[Given]) -> tuple[str, str]:
    """The words of a sentence right before and right behind a value, as far as the next values."""
    others = [each for each in givens if each.end > each.start]
    start = max([each.end for each in others if each.end <= given.start] or [0])
    end = min([each.start for each in others if each.start >= given.end] or [len(text)])
    before = _SENTENCE_END.split(text[max(start, given.start - _BEFORE) : given.start])[-1]
    behind = _SENTENCE_END.split(text[given.end : min(end, given.end + _BEHIND)])[0]
    return before, behind


@cache
def _names(line: Line) -> str:
    """How a line is called, as the inside of a regular expression."""
    flat = any_of("choosing.flat_lines")
    return {
        "upright": rf"(?:{any_of('choosing.upright_lines')})(?!\s+(?:force|component|{flat}))",
        "axis": rf"(?:{any_of('choosing.axes')})",
        "flat": rf"(?:{flat})",
        "level": r"(?:horizontal|horizon|ground|floor)",
        "vertical": r"(?:vertical|straight up|straight down|upright|plumb)(?!\s+(?:plane|wall|surface|face))",
    }[line]


@cache
def _behind(line: Line) -> re.Pattern[str]:
    """ "30° to the …"."""
    return re.compile(rf"(?i)\b{_PREPOSITIONS}{_LED}{_names(line)}\b")


@cache
def _before(line: Line) -> re.Pattern[str]:
    """ "The … makes 30°", "the angle between the … and the field is 30°"."""
    return re.compile(
        rf"(?i)\b{_names(line)}\b(?:\s+[a-z-]{{2,20}}){{0,4}}?\s+{_MAKES}\s*$"
        rf"|\bangle\s+between\b[^.?!;]{{0,60}}\b{_names(line)}\b[^.?!;]{{0,40}}$"
    )


@cache
def _asked(line: Line) -> re.Pattern[str]:
    """ "What angle to the …", "what angle does it make with the …"."""
    led = rf"{_PREPOSITIONS}{_LED}{_names(line)}\b"
    return re.compile(
        rf"(?i)\bangle(?:\s+of\s+[a-z]{{3,20}})?(?:\s+(?:measured|counted|taken))?\s+{led}"
        rf"|\bangle\b[^,.?!;]{{0,50}}\b(?:make|makes|form|forms|have|has|enclose|encloses)\s+{led}"
    )


@cache
def _body() -> re.Pattern[str]:
    return re.compile(rf"(?i)\b(?:with|to|against|above){_LED}(?:{any_of('choosing.flat_bodies')})\b(?!['’])")
