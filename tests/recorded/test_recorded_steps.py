"""Twenty recorded runs of a strong model over problems of mathematics, played again: what it solved is read and
compared, no right calculation is called false, and what is made false is never checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mathrag.compute.answers import same_answer
from mathrag.library.ask.stepped_solving import solve_in_steps
from mathrag.llm.metered import Models
from mathrag.llm.seams import ScriptedModel
from mathrag.types.solving import SolvingOptions, SteppedSolution

FOLDER = Path(__file__).parent / "steps"
RUNS: list[dict[str, Any]] = [
    json.loads(line) for line in (FOLDER / "runs.jsonl").read_text(encoding="utf-8").splitlines()
]
# Of twenty.
LEAST_CHECKED = 10


def played(run: dict[str, Any], replies: list[str]) -> SteppedSolution:
    models = Models.of(ScriptedModel(replies))
    return solve_in_steps(run["problem"], models=models, options=SolvingOptions(padding=8))


def test_the_runs_of_a_strong_model_played_again() -> None:
    checked = 0
    for run in RUNS:
        made = played(run, run["replies"])
        best = made.best
        assert best is not None
        assert same_answer(best.answer, run["answer"]) is True
        assert best.scores == ()
        assert best.end_chance is None
        assert best.false_steps == ()
        assert not any(step.replaced for step in best.steps)
        if made.standing == "checked":
            checked += 1
            assert same_answer(best.value, run["answer"]) is True
        assert played(run, run["replies"]) == made
    assert len(RUNS) == 20
    assert checked >= LEAST_CHECKED


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run["id"])
def test_another_answer_is_never_checked(run: dict[str, Any]) -> None:
    other = run["replies"][0].rpartition("ANSWER:")[0] + "ANSWER: 7919"
    made = played(run, [other, "Yes"])
    assert made.best is not None
    assert made.standing == "unverified"


def test_a_shifted_result_is_sent_back_and_stays_unverified() -> None:
    sent_back = 0
    for run in RUNS:
        before, equals, after = run["replies"][0].rpartition(" = ")
        digits = len(after) - len(after.lstrip("0123456789"))
        if not digits or played(run, run["replies"]).standing != "checked":
            continue
        wrong = f"{before}{equals}{int(after[:digits]) + 1}{after[digits:]}"
        wrong = wrong.rpartition("ANSWER:")[0] + f"ANSWER: {int(after[:digits]) + 1}"
        made = played(run, [wrong, wrong, "Yes"])
        assert made.standing != "checked", run["id"]
        sent_back += any(step.replaced for step in made.attempts[0].steps)
    assert sent_back >= 5
