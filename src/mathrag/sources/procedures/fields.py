"""The fields of a foreign record, each checked when it is taken: texts of a bounded length, lists of bounded size.

Also where a subject stands among the branches of knowledge, and a written solution cut into its steps.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from mathrag.types.solution import Problem

LONGEST_TEXT = 20_000
MOST_STEPS = 500
MOST_ALTERNATIVES = 20
_HIGHEST_LEVEL = 100


class RecordError(ValueError):
    """A record that is not what its format says; the sentence says why."""


def text_field(record: Mapping[str, Any], name: str, *, default: str | None = None) -> str:
    """A text. Where it is missing the `default`, or an error where there is none."""
    value = record.get(name)
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise RecordError(f"its {name} is no text")
    return checked_text(value, name, may_be_empty=default is not None)


def checked_text(value: object, name: str, *, may_be_empty: bool = False) -> str:
    """A text of bearable length, without what no text holds."""
    if not isinstance(value, str):
        raise RecordError(f"its {name} is no text")
    if len(value) > LONGEST_TEXT:
        raise RecordError(f"its {name} is longer than {LONGEST_TEXT} characters")
    cleaned = value.replace("\0", "").strip()
    if not cleaned and not may_be_empty:
        raise RecordError(f"its {name} is empty")
    return cleaned


def list_field(record: Mapping[str, Any], name: str, *, most: int = MOST_STEPS) -> Sequence[Any]:
    """A list of bearable size."""
    value = record.get(name)
    if not isinstance(value, list):
        raise RecordError(f"its {name} is no list")
    if len(value) > most:
        raise RecordError(f"its {name} has more than {most} entries")
    return value


def step_texts(record: Mapping[str, Any], name: str) -> list[str]:
    """The steps of a solution, one at least. Empty ones are kept: labels go by their numbers."""
    found = [checked_text(value, name, may_be_empty=True) for value in list_field(record, name)]
    if not any(found):
        raise RecordError(f"its {name} is empty")
    return found


def level_of(value: object) -> int | None:
    """How hard a problem is: a number, or a text that ends in one ("Level 3")."""
    if isinstance(value, str):
        last = value.split()[-1] if value.split() else ""
        value = int(last) if last.isascii() and last.isdigit() and len(last) < 4 else None
    is_level = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _HIGHEST_LEVEL
    return value if is_level and isinstance(value, int) else None


@cache
def _subjects() -> Mapping[str, Mapping[str, str]]:
    source = resources.files("mathrag.sources.procedures").joinpath("data", "subjects.toml").read_text("utf-8")
    return tomllib.loads(source)


def problem_of_subject(text: str, subject: str, *, level: int | None = None, answer: str = "") -> Problem:
    """A problem under its subject, which is its type, with the branch and the subfield that the subject stands in."""
    name = " ".join(subject.split())
    known = _subjects().get(name.casefold())
    if known is None:
        return Problem(text, type=name, level=level, answer=answer)
    return Problem(
        text, branch=known["branch"], subfield=known["subfield"], type=known["name"], level=level, answer=answer
    )


def steps_of_text(text: str) -> list[str]:
    """A solution written as running text, cut after each sentence and paragraph that ends outside a formula.

    Drawings (`[asy]`) are no steps and are left out.
    """
    steps: list[str] = []
    for paragraph in _without_drawings(text).split("\n\n"):
        steps.extend(_sentences(" ".join(paragraph.split())))
    if len(steps) > MOST_STEPS:
        raise RecordError(f"its solution has more than {MOST_STEPS} steps")
    return steps


def _without_drawings(text: str) -> str:
    kept: list[str] = []
    rest = text
    while True:
        before, opening, after = rest.partition("[asy]")
        kept.append(before)
        if not opening:
            return "\n\n".join(kept)
        _, closing, rest = after.partition("[/asy]")
        if not closing:
            return "\n\n".join(kept)


def _sentences(paragraph: str) -> list[str]:
    """Cut at a full stop, outside of formulas, before a word with a capital letter or a formula.

    A full stop may stand just inside of the dollar that ends a formula.
    """
    found: list[str] = []
    start, is_math, place = 0, False, 0
    while place < len(paragraph):
        sign = paragraph[place]
        if sign == "\\":
            place += 2
            continue
        if sign == "$":
            is_math = not is_math
        is_end = not is_math and (sign in ".!?" or (sign == "$" and paragraph[place - 1 : place] == "."))
        following = paragraph[place + 1 : place + 3]
        if is_end and following[:1] == " " and (following[1:].isupper() or following[1:] in ("$", "\\")):
            found.append(paragraph[start : place + 1].strip())
            start = place + 1
        place += 1
    found.append(paragraph[start:].strip())
    return [sentence for sentence in found if sentence]
