"""Why a formula was taken, in lines: from whatever the observations hold, however strange."""

from __future__ import annotations

from typing import Any

import pytest

from mathrag.answer.trace_lines import event_lines, explanation_lines
from mathrag.types.episode import Action, Event, Observation


def _event(**data: Any) -> Event:
    return Event(1, Action("RETRIEVE_MATH_KNOWLEDGE"), Observation(True, "retrieved", "found", data), 0.5)


def test_choices_are_ranked_with_what_spoke_for_them() -> None:
    event = _event(
        candidates=[{"formula_id": "f1", "label": "Kinetic energy"}, {"formula_id": "f2", "label": "Momentum"}],
        choices=[
            {
                "steps": [{"formula_id": "f1", "target": "E_k"}],
                "score": 4.2,
                "confidence": 0.93,
                "features": {"margin": 1.5, "unused": -0.25, "nothing": 0.0},
            },
            {
                "steps": [{"formula_id": "f2", "target": "p"}, {"formula_id": "f1", "target": "E_k"}],
                "score": 1.0,
                "confidence": 0.1,
                "missing": [{"symbol": "v", "words": "speed"}],
                "unused": ["3 m/s"],
            },
        ],
        verdict={"code": "unsure", "reason": "Two fit."},
    )
    assert explanation_lines([event]) == (
        "1. Kinetic energy for E_k, score 4.2, confidence 93%",
        "   margin +1.50, unused -0.25",
        "2. Momentum for p; then Kinetic energy for E_k, score 1, confidence 10%",
        "   misses speed",
        "   leaves unused 3 m/s",
        "verdict: Two fit.",
    )


def test_the_plan_that_was_taken_is_shown_with_its_values() -> None:
    bindings = {"m": {"text": "2 kg", "from": "question"}, "v": {"text": "derived in step 1", "from": "derived"}}
    event = _event(
        candidates=[{"formula_id": "f1", "label": "Kinetic energy", "score": 4.2}],
        suggestion={
            "confidence": 0.93,
            "steps": [{"formula_id": "f1", "target": "E_k", "bindings": bindings}],
            "unused": ["5 s"],
        },
    )
    assert explanation_lines([event]) == (
        "* 1. Kinetic energy  f1, score 4.2",
        "step 1: Kinetic energy for E_k",
        "   m is 2 kg (question)",
        "   v is derived in step 1 (derived)",
        "confidence 93 %",
        "leaves unused 5 s",
    )


def test_without_a_search_that_is_said() -> None:
    assert "no formula was looked for" in explanation_lines([])[0]


@pytest.mark.parametrize(
    "data",
    [
        {"choices": 3, "candidates": "x"},
        {"choices": [1, None, {}, {"steps": "x", "features": 5, "unused": 7, "missing": [2]}]},
        {"candidates": [{}], "suggestion": [], "verdict": "x"},
        {"choices": [{"features": [["a", "b"], ["c"], 3, ["d", 1]], "score": "high"}]},
    ],
)
def test_strange_data_breaks_nothing(data: dict[str, Any]) -> None:
    assert all(line.isprintable() for line in explanation_lines([_event(**data)]))


def test_an_event_is_shown_with_its_inputs_cut() -> None:
    event = Event(
        2,
        Action("CALL\x1b_TOOL", {"parameters": {"m": "x" * 1000}, "odd": object()}, "why\nnot"),
        Observation(False, "unknown_tool", "there is none"),
        2.0,
    )
    lines = event_lines(event)
    assert lines[0] == "2. CALL�_TOOL  why not"
    assert len(lines[1]) < 220
    assert lines[2] == "   ✗ unknown_tool: there is none (2.0 ms)"
