"""What a process does that asks a library: opens it once, then answers one question at a time. Grades nothing."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeAlias

from mathrag.library.facade import Library

Json: TypeAlias = Any
ASK = "mathrag.library.asking_worker:ask_question"


def ask_question(payload: Json) -> Json:
    """Ask one question; the answer as the public JSON object.

    The first question of a process is asked twice and the second answer counts: what loading a library costs is not
    part of the time that answering takes. It is told as `cold_milliseconds`.
    """
    library, is_cold = _opened(payload["library"]), _mark_warm()
    first = _answer(library, payload["question"], payload["planner"])
    if not is_cold:
        return first
    again = _answer(library, payload["question"], payload["planner"])
    return {**again, "cold_milliseconds": first.get("milliseconds")}


def _answer(library: Library, question: str, planner: str) -> Json:
    from mathrag.answer.objects import outcome_object

    asked = library.ask_in_detail(question, planner=planner)
    return {**outcome_object(asked.result.outcome), "candidates": list(asked.candidates)}


@lru_cache(maxsize=1)
def _opened(folder: str) -> Library:
    return Library(folder, create=False)


_warmed: list[bool] = []


def _mark_warm() -> bool:
    """Whether this is the first question of the process."""
    is_cold = not _warmed
    _warmed.append(True)
    del _warmed[1:]
    return is_cold
