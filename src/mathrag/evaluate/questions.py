"""Question sets with known answers: read from `questions.jsonl`, checked, and narrowed down. Nothing is graded here."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from mathrag.errors import LibraryError, UsageError

Half: TypeAlias = Literal["odd", "even"]
# What is right: a number, an honest no, or words only.
Kind: TypeAlias = Literal["compute", "refuse", "chat"]

# Sets of a hundred thousand questions stay well below.
_LARGEST_FILE = 64 * 1024 * 1024
_MOST_QUESTIONS = 200_000
_LONGEST_QUESTION = 100_000
# A name of the set, a letter for the tier, the number of the formula, the number of the wording.
_ID = re.compile(r"(?P<set>.{1,80})-(?P<letter>[a-z])-(?P<formula>\d{1,6})-(?P<wording>\d{1,6})", re.DOTALL)
_LETTERS_OF_ONE_FORMULA = frozenset("drm")
WORDINGS = {
    1: "plain textbook",
    2: "terse, symbols",
    3: "story",
    4: "names the law",
    5: "imperative",
    6: "values first",
    7: "other units",
    8: "number words, powers of ten",
    9: "distractor",
    10: "casual",
}


@dataclass(frozen=True, slots=True)
class Truth:
    """A question and what is right for it.

    `units` are the readings of the answer's unit that count: one, unless the source leaves it open. `latex` holds every
    formula that is needed; it is empty where the set does not tell. `tolerance` is how far a right number may be from
    the answer, in its unit, where the set says so: a printed answer is rounded.
    """

    id: str
    tier: str
    question: str
    answer: float | None = None
    units: tuple[str, ...] = ("",)
    document: str | None = None
    label: str = ""
    latex: tuple[str, ...] = ()
    given: tuple[tuple[str, str], ...] = ()
    target: str | None = None
    needs: str | None = None
    tolerance: float | None = None

    @property
    def kind(self) -> Kind:
        """What is right: a number, a refusal, or words only."""
        if self.answer is not None:
            return "compute"
        return "chat" if self.tier == "chat" else "refuse"

    @property
    def cluster(self) -> str:
        """Questions of one formula fail together; this names the formula."""
        match = _ID.fullmatch(self.id)
        if match is None:
            return self.label or self.id
        letter = match["letter"]
        return f"{'f' if letter in _LETTERS_OF_ONE_FORMULA else letter}-{int(match['formula']):03d}"

    @property
    def half(self) -> Half:
        """By the number of the formula; by a fingerprint where the id has none."""
        match = _ID.fullmatch(self.id)
        number = int(match["formula"]) if match else hashlib.sha256(self.cluster.encode()).digest()[0]
        return "odd" if number % 2 else "even"

    @property
    def wording(self) -> str | None:
        """How a direct question is worded, by its last number."""
        match = _ID.fullmatch(self.id)
        return WORDINGS.get(int(match["wording"])) if match and self.tier == "direct" else None


def load_questions(file: Path) -> tuple[Truth, ...]:
    """The questions of a set, in the order of the file. Raises `LibraryError` with the line that is wrong."""
    lines = read_limited(file).decode("utf-8", "replace").split("\n")
    found: dict[str, Truth] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        truth = _read_line(line, f"{file.name}, line {number}")
        if truth.id in found:
            raise LibraryError(f"{file.name}, line {number}: the id {truth.id!r} was used before; ids must differ")
        found[truth.id] = truth
        if len(found) > _MOST_QUESTIONS:
            raise LibraryError(f"{file.name} has more than {_MOST_QUESTIONS} questions; split it")
    if not found:
        raise LibraryError(f"{file} holds no question")
    return tuple(found.values())


def read_limited(file: Path) -> bytes:
    """The bytes of a file of questions or answers; a huge or missing one is refused with a sentence."""
    try:
        if file.stat().st_size > _LARGEST_FILE:
            raise LibraryError(f"{file} is larger than {_LARGEST_FILE // 1024 // 1024} MB; split it")
        return file.read_bytes()
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror or error}") from error


def parse_object(text: str, place: str) -> dict[str, Any]:
    """One JSON object from outside; `place` is named in the complaint about anything else."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise LibraryError(f"{place}: this is no JSON object ({type(error).__name__})") from error
    if not isinstance(value, dict):
        raise LibraryError(f"{place}: this is no JSON object")
    return value


def select(truths: Sequence[Truth], *, limit: int | None = None, half: Half | None = None) -> tuple[Truth, ...]:
    """The questions on formulas of one half, and of those the first `limit`."""
    chosen = [truth for truth in truths if half is None or truth.half == half]
    return tuple(chosen if limit is None else chosen[:limit])


def _read_line(line: str, place: str) -> Truth:
    data = parse_object(line, place)
    for name in ("id", "tier", "question"):
        if not isinstance(data.get(name), str) or not data[name].strip():
            raise LibraryError(f"{place}: the field {name!r} must be a text")
    if len(data["question"]) > _LONGEST_QUESTION:
        raise LibraryError(f"{place}: the question is longer than {_LONGEST_QUESTION} characters")
    return Truth(
        id=data["id"],
        tier=data["tier"],
        question=data["question"],
        answer=_answer(data.get("answer"), place),
        units=(_text(data, "unit", place) or "",),
        document=_text(data, "document", place),
        label=_text(data, "label", place) or "",
        latex=_texts(data.get("latex"), place),
        given=_given(data.get("given"), place),
        target=_text(data, "target", place),
        needs=_text(data, "needs", place),
        tolerance=_answer(data.get("tolerance"), place),
    )


def _answer(value: object, place: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise LibraryError(f"{place}: the answer must be a number or null")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise LibraryError(f"{place}: the answer must be a finite number")
    return number


def _text(data: Mapping[str, Any], name: str, place: str) -> str | None:
    value = data.get(name)
    if value is not None and not isinstance(value, str):
        raise LibraryError(f"{place}: the field {name!r} must be a text or null")
    return value


def _texts(value: object, place: str) -> tuple[str, ...]:
    if value is None:
        return ()
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise LibraryError(f"{place}: the field 'latex' must be a text or a list of texts")
    return tuple(texts)


def _given(value: object, place: str) -> tuple[tuple[str, str], ...]:
    if value is None:
        return ()
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise LibraryError(f"{place}: the field 'given' must give a text for each symbol")
    return tuple(value.items())
