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
from mathrag.reason.agent.documents.seams import NO_FRAME, QuestionFrame
from mathrag.types.answer import Refusal, Reply
from mathrag.types.document_actions import ActionFormat, ObservationFormat
from mathrag.types.json_value import Json

if TYPE_CHECKING:
    from mathrag.library.opened import OpenLibrary
    from mathrag.llm.metered import Models
    from mathrag.reason.agent.episode import EpisodeResult

__all__ = [
    "Asked",
    "MethodAnswer",
    "MethodRun",
    "cost_objects",
    "cost_table",
    "read_asked",
    "run_methods",
    "write_answers",
]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its name in the set, and what the set gives along with it."""

    id: str
    text: str
    frame: QuestionFrame = NO_FRAME


@dataclass(frozen=True, slots=True)
class MethodAnswer:
    """What a method answered; None where it was refused. `failure` is why the model could not go on, if it could not:
    then that it did not answer says nothing of the method."""

    method: str
    question: str
    answer: Json
    failure: str = ""


@dataclass(frozen=True, slots=True)
class MethodRun:
    """All answers, method by method, and what each method cost."""

    answers: tuple[MethodAnswer, ...]
    costs: tuple[MethodCost, ...]


def read_asked(file: Path) -> tuple[Asked, ...]:
    """The questions of a file: one a line, or JSON objects with `question`, a `uuid` or `id`, and `answer_format`."""
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
    form = record.get("answer_format")
    frame = QuestionFrame(form if isinstance(form, str) else "")
    return Asked(str(record.get("uuid") or record.get("id") or number), text, frame)


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
    rounds = {name: known_method(name).rounds for name in methods}
    answers: list[MethodAnswer] = []
    costs: list[QuestionCost] = []
    for name in methods:
        for each in asked:
            result = ask_by_method(library, each.text, method=name, models=models, formats=formats, frame=each.frame)
            answers.append(MethodAnswer(name, each.id, _answer(result), _failure(result, rounds[name])))
            costs.append(question_cost(name, result))
            if watch is not None:
                watch(name, len(answers) % len(asked) or len(asked), len(asked))
    return MethodRun(tuple(answers), method_costs(costs))


def _answer(result: EpisodeResult) -> Json:
    """The answer as the model gave it, before it was put into words for people."""
    if not isinstance(result.outcome, Reply) or not result.events:
        return None
    return result.events[-1].action.inputs.get("answer")


def _failure(result: EpisodeResult, rounds: int) -> str:
    """Why an episode ended before its rounds were over although nobody ended it: the model could not be asked."""
    outcome = result.outcome
    if not isinstance(outcome, Refusal) or outcome.code != "failed" or len(result.events) >= rounds:
        return ""
    return outcome.reason


def write_answers(run: MethodRun, file: Path) -> None:
    """The answers, one JSON object a line: uuid, answer and method."""
    rows = [{"uuid": each.question, "answer": each.answer, "method": each.method} for each in run.answers]
    text = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {file}: {error.strerror or error}") from error
