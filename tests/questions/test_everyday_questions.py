"""Word problems of everyday life, asked for real: most are answered rightly, none wrongly, and none without ground."""

from __future__ import annotations

import json
from pathlib import Path

from mathrag.evaluate.grades import compare
from mathrag.reason.direct import DirectResult, compute_directly

FOLDER = Path(__file__).parent / "everyday"
QUESTIONS = [json.loads(line) for line in (FOLDER / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
# What was reached, less a little for changes that help elsewhere.
FLOOR = 0.9


def test_most_are_right_and_none_is_wrong() -> None:
    verdicts: dict[str, str] = {}
    for question in QUESTIONS:
        found = compute_directly(question["question"])
        if question["answer"] is not None and isinstance(found, DirectResult):
            verdicts[question["id"]] = compare(found.quantity, question["answer"], question["unit"])
    asked = sum(question["answer"] is not None for question in QUESTIONS)
    assert {name: verdict for name, verdict in verdicts.items() if verdict != "right"} == {}
    assert len(verdicts) >= FLOOR * asked


def test_what_lacks_a_value_gets_no_number() -> None:
    lacking = [question for question in QUESTIONS if question["answer"] is None]
    assert [each["id"] for each in lacking if isinstance(compute_directly(each["question"]), DirectResult)] == []
