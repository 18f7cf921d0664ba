"""`evaluate steps` over small invented files of both formats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mathrag.cli.main import cli
from mathrag.errors import UsageError
from mathrag.evaluate.steps import measure_steps, read_labelled_solutions

_PROCESS = [
    {"id": "a", "problem": "Add.", "steps": ["3 + 4 = 7", "7 * 2 = 15"], "label": 1},
    {"id": "b", "problem": "Add.", "steps": ["3 + 4 = 8", "8 * 2 = 16"], "label": 1},
    {"id": "c", "problem": "Add.", "steps": ["Let us think.", "7 * 2 = 15"], "label": 0},
    {"id": "d", "problem": "Add.", "steps": ["Let us think."], "label": 0},
    {"id": "e", "problem": "Add.", "steps": ["3 + 4 = 7"], "label": -1},
    {"id": "f", "problem": "Add.", "steps": ["3 + 4 = 9"], "label": -1},
]
_PAIRS: list[dict[str, Any]] = [
    {"idx": "p", "original_question": "Add.", "modified_question": "Add.", "original_process": ["2 + 2 = 4"],
     "modified_process": ["2 + 2 = 5"], "error_steps": [1], "classification": "confidence"},
    {"idx": "q", "original_question": "Add.", "modified_question": "Add.", "original_process": ["2 + 2 = 4"],
     "modified_process": ["2 + 2 = 5", "Fine."], "error_steps": [2], "classification": "circular"},
]  # fmt: skip


def _file(folder: Path, records: list[dict[str, Any]], *, lines: bool = False) -> Path:
    file = folder / ("records.jsonl" if lines else "records.json")
    text = "\n".join(json.dumps(each) for each in records) if lines else json.dumps(records)
    file.write_text(text, encoding="utf-8")
    return file


def test_first_errors_are_located_and_right_solutions_counted(tmp_path: Path) -> None:
    report: Any = measure_steps(read_labelled_solutions(_file(tmp_path, _PROCESS)))
    part = report["processbench"]
    assert (part["wrong"], part["right"]) == (4, 2)
    assert (part["located"]["count"], part["located"]["of"]) == (1, 4)
    assert (part["flagged_too_early"], part["flagged_too_late"]) == (1, 1)
    assert (part["right_flagged"]["count"], part["right_flagged"]["of"]) == (1, 2)
    assert (part["flagged_that_are_wrong"]["count"], part["flagged_that_are_wrong"]["of"]) == (3, 4)
    assert part["coverage"]["claims"] == part["coverage"]["verified"] + part["coverage"]["refuted"] == 7
    assert part["located"]["low"] < part["located"]["share"] < part["located"]["high"]


def test_wrong_steps_are_counted_by_class_and_originals_once(tmp_path: Path) -> None:
    report: Any = measure_steps(read_labelled_solutions(_file(tmp_path, _PAIRS, lines=True)))
    inside = report["prmbench"]["flagged_inside_wrong_steps"]
    assert (inside["confidence"]["count"], inside["confidence"]["of"]) == (1, 1)
    assert (inside["circular"]["count"], inside["circular"]["of"]) == (0, 1)
    assert (report["prmbench"]["originals_flagged"]["count"], report["prmbench"]["originals_flagged"]["of"]) == (0, 1)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", "[1]", '[{"steps": []}]', '[{"steps": ["a"], "label": 1}]', '[{"steps": "a", "label": -1}]',
     '[{"steps": ["a"], "label": true}]', '{"modified_process": ["a"], "error_steps": [0]}',
     '{"modified_process": [1], "error_steps": []}', "[" * 100_000],
)  # fmt: skip
def test_files_that_are_no_solutions_are_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "records.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError):
        read_labelled_solutions(file)


def test_missing_and_undecodable_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_labelled_solutions(tmp_path / "nothing.json")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="UTF-8"):
        read_labelled_solutions(tmp_path / "bytes.json")


def test_the_command_prints_and_writes_the_report(tmp_path: Path) -> None:
    file = _file(tmp_path, _PROCESS)
    printed = CliRunner().invoke(cli, ["evaluate", "steps", str(file), "--out", str(tmp_path / "out")])
    assert printed.exit_code == 0, printed.output
    assert "first error located: 1 of 4" in printed.output
    written = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    as_json = CliRunner().invoke(cli, ["evaluate", "steps", str(file), "--json"])
    assert json.loads(as_json.output) == {"file": str(file), **written[str(file)]}


def test_halves_are_by_place(tmp_path: Path) -> None:
    file = _file(tmp_path, _PROCESS)
    odd = CliRunner().invoke(cli, ["evaluate", "steps", str(file), "--half", "odd", "--json"])
    assert json.loads(odd.output)["solutions"] == 3
    assert json.loads(odd.output)["processbench"]["wrong"] == 2


def test_the_command_prints_classes_of_errors(tmp_path: Path) -> None:
    printed = CliRunner().invoke(cli, ["evaluate", "steps", str(_file(tmp_path, _PAIRS))])
    assert "flagged inside the wrong steps, confidence: 1 of 1" in printed.output
