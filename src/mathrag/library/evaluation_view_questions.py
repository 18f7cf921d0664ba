"""The questions of a run: narrowed down, and one with all that was kept of its answer. Reads; grades nothing."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from mathrag.errors import LibraryError
from mathrag.evaluate.predictions import PREDICTIONS_FILE
from mathrag.library.evaluation_view_folder import opened
from mathrag.library.evaluation_view_values import (
    Object,
    count_of,
    list_of,
    number_of,
    object_of,
    text_of,
    texts_of,
)

FACETS = ("verdict", "tier", "stage", "kind")
_LONGEST_LINE = 4_000_000
_LARGEST_FILE = 256_000_000
_MOST_TRACED = 100


@dataclass(frozen=True, slots=True)
class QuestionFilter:
    """Which questions: those with these words, and of this verdict, tier, stage and kind where given."""

    words: str = ""
    verdict: str = ""
    tier: str = ""
    stage: str = ""
    kind: str = ""


def filtered(questions: Sequence[Object], wanted: QuestionFilter, *, without: str = "") -> list[Object]:
    """The questions that fit, in the order of the report; `without` leaves one part of the filter out."""
    chosen = {name: getattr(wanted, name) for name in FACETS if name != without and getattr(wanted, name)}
    words = wanted.words.casefold().split()
    return [
        one
        for one in questions
        if all(one[name] == value for name, value in chosen.items()) and _has(one, words)
    ]  # fmt: skip


def _has(question: Object, words: Sequence[str]) -> bool:
    if not words:
        return True
    text = f"{question['id']} {question['question']} {question['detail']} {question['note']}".casefold()
    return all(word in text for word in words)


def facet_counts(questions: Sequence[Object], wanted: QuestionFilter) -> dict[str, list[tuple[str, int]]]:
    """For each facet, its values among the questions that fit the rest of the filter, most frequent first."""
    found = {}
    for name in FACETS:
        counts = Counter(one[name] for one in filtered(questions, wanted, without=name) if one[name])
        found[name] = sorted(counts.items(), key=lambda each: (-each[1], each[0]))[:50]
    return found


def find_prediction(library: Path, run: str, identifier: str) -> Object | None:
    """What was answered to a question, as kept; None where nothing was. The last line counts, as when a run goes on."""
    wanted = {json.dumps(identifier, ensure_ascii=is_plain) for is_plain in (True, False)}
    # The id comes first in a line, so only lines that begin with it are worth reading.
    heads = tuple(f'{{"id":{space}{text}'.encode("utf-8", "replace") for text in wanted for space in ("", " "))
    found: Object | None = None
    with opened(library, run, PREDICTIONS_FILE) as file:
        left = _LARGEST_FILE
        while left > 0:
            line = file.readline(_LONGEST_LINE)
            if not line:
                return found
            left -= len(line)
            if not line.endswith(b"\n") and len(line) == _LONGEST_LINE:
                left -= _skip_rest(file)
            elif line.startswith(heads):
                found = _prediction(line, identifier) or found
    raise LibraryError(f"{PREDICTIONS_FILE} is larger than {_LARGEST_FILE // 1_000_000} MB")


def _skip_rest(file: BinaryIO) -> int:
    """Pass over what is left of a line that is too long to be an answer."""
    passed = 0
    while piece := file.readline(_LONGEST_LINE):
        passed += len(piece)
        if piece.endswith(b"\n") or passed > _LARGEST_FILE:
            break
    return passed


def _prediction(line: bytes, identifier: str) -> Object | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or value.get("id") != identifier:
        return None
    reason, failure = object_of(value.get("reason")), object_of(value.get("failure"))
    return {
        "outcome": text_of(value.get("outcome"), longest=40),
        "text": text_of(value.get("text")),
        "value": number_of(value.get("value")),
        "unit": text_of(value.get("unit"), longest=100),
        "reason": text_of(reason.get("text")) or text_of(failure.get("reason")),
        "warnings": texts_of(value.get("warnings"), most=20),
        "assumptions": texts_of(value.get("assumptions"), most=20),
        "explanation": text_of(value.get("explanation"), longest=4_000),
        "missing": _missing(value.get("missing")),
        "formulas": [_formula(each) for each in list_of(value.get("formulas"), most=20)],
        "nearest": [_formula(each) for each in list_of(value.get("nearest"), most=10)],
        "bindings": _bindings(object_of(value.get("bindings"))),
        "steps": [_step(object_of(each)) for each in list_of(value.get("steps"), most=20)],
        "candidates": len(list_of(value.get("candidates"), most=100_000)),
        "trace": [_event(object_of(each)) for each in list_of(value.get("trace"), most=_MOST_TRACED)],
    }


def _missing(value: object) -> list[str]:
    found = []
    for each in list_of(value, most=20):
        given = object_of(each)
        found.append(text_of(given.get("words"), longest=200) or text_of(given.get("symbol"), longest=80))
    return [words for words in found if words]


def _formula(value: object) -> Object:
    given = object_of(value)
    return {name: text_of(given.get(name), longest=1_000) for name in ("id", "label", "latex", "document", "place")}


def _bindings(given: Mapping[str, Any]) -> list[Object]:
    found = []
    for name, value in list(given.items())[:60]:
        bound = object_of(value)
        found.append(
            {
                "symbol": text_of(name, longest=80),
                "value": number_of(bound.get("value")),
                "unit": text_of(bound.get("unit"), longest=100),
                "description": text_of(bound.get("description"), longest=300),
                "from": text_of(bound.get("from"), longest=500),
            }
        )
    return found


def _step(given: Mapping[str, Any]) -> Object:
    return {
        "number": count_of(given.get("number")),
        "formula": text_of(given.get("formula"), longest=100),
        "label": text_of(given.get("label"), longest=300),
        "working": texts_of(given.get("working"), most=20, longest=4_000),
        "warnings": texts_of(given.get("warnings"), most=20),
    }


def _event(given: Mapping[str, Any]) -> Object:
    seen = object_of(given.get("observation"))
    return {
        "action": text_of(given.get("action"), longest=80),
        "thought": text_of(given.get("thought"), longest=2_000),
        "inputs": _inputs(given.get("inputs")),
        "succeeded": seen.get("succeeded") is True,
        "message": text_of(seen.get("message"), longest=4_000),
        "milliseconds": number_of(given.get("milliseconds")),
    }


def _inputs(value: object) -> str:
    """What an action was given, as JSON text."""
    if not isinstance(value, dict) or not value:
        return ""
    try:
        return text_of(json.dumps(value, ensure_ascii=False), longest=4_000)
    except (ValueError, RecursionError):
        return ""
