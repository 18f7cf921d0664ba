"""Sixty recorded runs of a strong model over exercises of a book, played again: what was right stays right, and no
wrong number gets in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mathrag.evaluate.grades import compare
from mathrag.knowledge.units import difference_of
from mathrag.library import Library
from mathrag.llm.messages import ChatReply, ToolCall
from mathrag.llm.seams import Scripted, ScriptedModel
from mathrag.reason.session import Options
from mathrag.reason.session_with_model import ask_with_model
from mathrag.types.answer import Answer, Outcome
from mathrag.types.quantity import Quantity

FOLDER = Path(__file__).parent / "exercises"
RUNS: list[dict[str, Any]] = [
    json.loads(line) for line in (FOLDER / "runs.jsonl").read_text(encoding="utf-8").splitlines()
]
# As recorded: the sign that the book gives a moved charge, and another Hubble constant than the book's.
WRONG_THEN = {"cp-145", "cp-319"}
# Of sixty, over the sheet.
LEAST_RIGHT = 41


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library(tmp_path_factory.mktemp("exercises") / "library") as made:
        made.ingest([FOLDER / "formulas.md"], workers=1)
        yield made


def played(run: dict[str, Any], library: Library) -> Outcome:
    model = ScriptedModel([_reply(each) for each in run["replies"]])
    options = Options({}, promise=0.95)
    return ask_with_model(
        run["question"], library._asker.sources, model=model, mode="react", options=options
    ).result.outcome


def _reply(reply: str | dict[str, Any]) -> Scripted:
    if isinstance(reply, str):
        return reply
    calls = enumerate(reply["tool_calls"])
    made = tuple(ToolCall(call["name"], json.dumps(call["arguments"]), f"call_{place}") for place, call in calls)
    return ChatReply("", made, finish="tool_calls")


def is_right(run: dict[str, Any], value: Quantity) -> bool:
    if compare(value, run["answer"], run["unit"], tolerance=run["tolerance"]) == "right":
        return True
    # A difference of temperatures is the same in kelvin and degrees Celsius.
    return (
        run["unit"] == "°C"
        and value.unit == difference_of(value.unit)
        and abs(value.value - run["answer"]) <= run["tolerance"]
    )


def test_the_runs_of_a_strong_model_played_again(library: Library) -> None:
    right, wrong = set(), set()
    for run in RUNS:
        outcome = played(run, library)
        if isinstance(outcome, Answer):
            (right if is_right(run, outcome.value) else wrong).add(run["id"])
    assert len(RUNS) == 60
    assert wrong <= WRONG_THEN
    assert len(right) >= LEAST_RIGHT
