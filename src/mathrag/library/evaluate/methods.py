"""Ask a library the same questions by several methods: what each answered, and what that cost. Grades nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mathrag.errors import LibraryError, UsageError
from mathrag.evaluate.method_costs import (
    MethodCost,
    QuestionCost,
    cost_objects,
    cost_table,
    method_costs,
    question_cost,
)
from mathrag.evaluate.questions import parse_object, read_limited
from mathrag.library.ask.document_session import ask_by_method, known_method
from mathrag.types.answer import Reply
from mathrag.types.document_actions import ActionFormat, ObservationFormat
from mathrag.types.json_value import Json

if TYPE_CHECKING:
    from mathrag.library.opened import OpenLibrary
    from mathrag.llm.metered import Models
    from mathrag.reason.agent.episode import EpisodeResult

__all__ = ["MethodRun", "cost_objects", "cost_table", "read_asked", "run_methods", "write_answers"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its name in the set."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class MethodRun:
    """All answers, as (method, question, answer; None where it was refused), and what each method cost."""

    answers: tuple[tuple[str, str, Json], ...]
    costs: tuple[MethodCost, ...]


def read_asked(file: Path) -> tuple[Asked, ...]:
    """The questions of a file: one a line, or JSON objects with `question` and a `uuid` or `id`."""
    lines = read_limited(file).decode("utf-8", errors="replace").splitlines()
    found = [_asked(line.strip(), number, file.name) for number, line in enumerate(lines, 1) if line.strip()]
    if not found:
        raise LibraryError(f"{file.name} holds no question; it has one a line")
    return tuple(found)


def _asked(line: str, number: int, name: str) -> Asked:
    if not line.startswith("{"):
        return Asked(str(number), line)
    place = f"{name}, line {number}"
    record = parse_object(line, place)
    text = record.get("question")
    if not isinstance(text, str) or not text.strip():
        raise LibraryError(f"{place}: the question is missing")
    return Asked(str(record.get("uuid") or record.get("id") or number), text)


def run_methods(
    library: OpenLibrary,
    asked: Sequence[Asked],
    *,
    methods: Sequence[str],
    models: Models | None,
    formats: tuple[ActionFormat, ObservationFormat] = ("markdown", "json"),
    watch: Callable[[str, int, int], None] | None = None,
) -> MethodRun:
    """Every question by every method; `UsageError` where a method is unknown or no model is set."""
    for name in methods:
        known_method(name)
    answers: list[tuple[str, str, Json]] = []
    costs: list[QuestionCost] = []
    for name in methods:
        for each in asked:
            result = ask_by_method(library, each.text, method=name, models=models, formats=formats)
            answers.append((name, each.id, _answer(result)))
            costs.append(question_cost(name, result))
            if watch is not None:
                watch(name, len(answers) % len(asked) or len(asked), len(asked))
    return MethodRun(tuple(answers), method_costs(costs))


def _answer(result: EpisodeResult) -> Json:
    """The answer as the model gave it, before it was put into words for people."""
    if not isinstance(result.outcome, Reply) or not result.events:
        return None
    return result.events[-1].action.inputs.get("answer")


def write_answers(run: MethodRun, file: Path) -> None:
    """The answers, one JSON object a line: uuid, answer and method."""
    rows = [{"uuid": name, "answer": answer, "method": method} for method, name, answer in run.answers]
    text = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {file}: {error.strerror or error}") from error
