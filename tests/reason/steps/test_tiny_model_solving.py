"""A real, very small model solves two problems in every role: bounds hold, replays are identical, and no number that
was not checked is shown as an answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from babbling import small_model, weights
from mathrag.answer.stepped import stepped_lines, stepped_object
from mathrag.library.ask.stepped_solving import solve_in_steps
from mathrag.library.evaluate.math_run import most_calls
from mathrag.llm.endpoint import Endpoint
from mathrag.llm.metered import Models
from mathrag.llm.recording import RecordingModel, ReplayingModel
from mathrag.types.answer import MODEL_WORDS
from mathrag.types.solving import TEACHERS, SolvingOptions, SteppedSolution, Teacher

PROBLEMS = (
    "Lena packs 12 boxes with 4 lamps each and sells 30 lamps. How many lamps are left?",
    "What is 7 + 8?",
)
pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(weights() is None, reason="the small model is not installed; `make test` installs it"),
]


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    with small_model() as running:
        yield running


@pytest.mark.parametrize("teacher", TEACHERS)
def test_a_tiny_model_in_every_role(teacher: Teacher, endpoint: Endpoint, tmp_path: Path) -> None:
    options = SolvingOptions(teacher=teacher, attempts=2, depth=2, padding=2, tokens=60)
    for place, problem in enumerate(PROBLEMS):
        file = tmp_path / f"{place}.jsonl"
        made = solve_in_steps(problem, models=Models.of(RecordingModel(endpoint, file)), options=options)
        check(made, options)
        again = solve_in_steps(problem, models=Models.of(ReplayingModel(file)), options=options)
        assert again.attempts == made.attempts
        assert again.chosen == made.chosen


def check(made: SteppedSolution, options: SolvingOptions) -> None:
    assert made.usage is not None
    assert 2 <= made.usage.calls <= most_calls(options)
    assert 1 <= len(made.attempts) <= options.attempts
    for attempt in made.attempts:
        assert len(attempt.steps) <= options.depth
        chances = [*attempt.scores, *([] if attempt.end_chance is None else [attempt.end_chance])]
        assert all(0 <= chance <= 1 for chance in chances)
        if options.teacher == "socratic":
            assert attempt.scores == ()
        assert bool(attempt.value) == (attempt.standing == "checked")
    shown = list(stepped_lines(made))
    assert shown[0].startswith("answer of these steps, arithmetic checked: ") == (made.standing == "checked")
    if made.standing == "unverified":
        assert shown[0].startswith(f"answer unverified. {MODEL_WORDS}")
    assert (stepped_object(made)["answer"] is not None) == (made.standing == "checked")
    if made.standing == "checked":
        best = made.best
        assert best is not None
        assert any(verdict.outcome == "verified" for step in best.steps for verdict in step.verdict.claims)
