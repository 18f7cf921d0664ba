"""Results of evaluations as files: a sound run from real grades, and folders that somebody else filled."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from mathrag.evaluate.grades import Grade
from mathrag.evaluate.metrics import grade_record, measure
from mathrag.evaluate.run_files import prediction_line

SCRIPT = "<script>alert('evaluated')</script>"
ANSWER: dict[str, Any] = {
    "outcome": "answered",
    "value": 9.0,
    "unit": "J",
    "text": "The kinetic energy is 9.00 J.",
    "formulas": [
        {"id": "f-000000000000", "label": "Kinetic energy", "latex": r"E_k = \frac{1}{2} m v^2", "document": "Notes",
         "place": "line 7"}
    ],
    "bindings": {"m": {"value": 2.0, "unit": "kg", "from": 'question: "2 kg"', "description": "mass"}},
    "steps": [{"number": 1, "label": "Kinetic energy", "working": [r"E_k = \frac{1}{2} m v^2", "E_k = 9"]}],
    "candidates": ["f-000000000000", "f-000000000001"],
    "trace": [
        {"action": "RETRIEVE_MATH_KNOWLEDGE", "thought": "formulas are needed", "inputs": {"query": "energy"},
         "observation": {"succeeded": True, "code": "retrieved", "message": "2 formulas found"}, "milliseconds": 3.5},
        {"action": "CALL_TOOL", "thought": "all is known", "inputs": {},
         "observation": {"succeeded": False, "code": "failed", "message": "no value for v"}, "milliseconds": 0.5},
    ],
}  # fmt: skip


def make_grades(count: int, *, wrong: Iterable[int] = ()) -> list[Grade]:
    """Grades of so many questions; every seventh has no answer."""
    missed, made = set(wrong), []
    for number in range(count):
        kind = "refuse" if number % 7 == 6 else "compute"
        is_right = number not in missed
        verdict = "right" if is_right else "wrong" if kind == "compute" else "answered"
        made.append(
            Grade(
                f"set-d-{number:03d}-01", "unanswerable" if kind == "refuse" else "direct", kind, f"f-{number % 5}",
                "odd" if number % 2 else "even", None if kind == "refuse" else "story", verdict,  # type: ignore[arg-type]
                kind == "compute", "correct" if is_right else "wrong", stage="" if is_right else "choice",
                detail="" if is_right else f"used {SCRIPT}", expected=f"{number} J", found=f"{number} J",
                question=f"What is the energy of {number} kg? {SCRIPT}" if number == 3 else f"Question {number}?",
                confidence=0.5 + (number % 50) / 100, milliseconds=10.0 + number,
            )
        )  # fmt: skip
    return made


def write_run(folder: Path, grades: list[Grade], *, name: str = "set", answer: dict[str, Any] | None = None) -> Path:
    """A run as the command writes it."""
    folder.mkdir(parents=True)
    report = {
        "format": 1, "set": name, "planner": "rules", "half": None, "limit": None, "compared": "Right means right.",
        "notices": [f"a notice {SCRIPT}"], "library": {"documents": ["notes.md"], "formulas": 4, "executable": 3},
        "metrics": measure(grades), "questions": [grade_record(grade) for grade in grades], "language_model": None,
    }  # fmt: skip
    (folder / "report.json").write_text(json.dumps(report), encoding="utf-8")
    lines = "".join(f"{prediction_line(grade.id, answer or ANSWER)}\n" for grade in grades)
    (folder / "predictions.jsonl").write_text(lines, encoding="utf-8")
    return folder


def write_hostile_runs(home: Path, outside: Path) -> None:
    """Folders that cannot be shown, each for another reason; `outside` is a folder with a sound run in it."""
    cases: dict[str, bytes] = {
        "truncated": b'{"format": 1, "questions": [{"id": "a", ',
        "binary": bytes(range(256)) * 10,
        "deep": b'{"questions": ' + b"[" * 200_000 + b"]" * 200_000 + b"}",
        "a-list": b"[]",
        "no-questions": b'{"questions": {}}',
        "long-number": b'{"questions": [], "set": ' + b"9" * 20_000 + b"}",
    }
    for name, content in cases.items():
        (home / name).mkdir()
        (home / name / "report.json").write_bytes(content)
    for name in (
        SCRIPT.replace("/", "_"),
        "a..b 'c\"",
        "twin.json",
        "ümlaut",
        "begun",
        "empty",
        "piped",
        "linked-report",
    ):
        (home / name).mkdir()
    (home / "begun" / "run.json").write_text("{}")
    os.mkfifo(home / "piped" / "report.json")
    (home / "linked-report" / "report.json").symlink_to(outside / "report.json")
    (home / "linked").symlink_to(outside)
    (home / "a-file").write_text("nothing")
    (home / ".hidden").mkdir()
    (home / "huge").mkdir()
    with (home / "huge" / "report.json").open("wb") as file:
        file.truncate(20_000_000)
