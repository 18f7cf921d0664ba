"""`evaluate quality`: labelled files read, scores measured on halves, the gate over pairs, published figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mathrag.cli.main import main
from mathrag.errors import LibraryError, UsageError
from mathrag.evaluate.quality import best_weight, read_labelled_texts, read_score_pairs
from mathrag.library.evaluate.quality import evaluate_quality

SHARED = next((folder / "shared" / "data" for folder in Path(__file__).parents if (folder / "shared").is_dir()), Path())
SETS = {
    "math_cot_100": SHARED / "best-of-n" / "math_cot_100.jsonl",
    "gsm8k": SHARED / "processbench" / "gsm8k.json",
    "math": SHARED / "processbench" / "math.json",
}
PAIRS = SHARED / "gate-scores" / "correlation_data_extracted.json"


def row(count: int) -> dict[str, Any]:
    problem = f"Ann packs {count} boxes with 8 pens each. How many pens are there?"
    right = f"There are {count} * 8 = {count * 8} pens.\n\nThe answer is {count * 8}."
    wrong = f"But wait, there might be {count} * 8 = {count * 8 + 1} pens.\n\nThe answer is {count * 8 + 1}."
    return {"question": problem, "code": [right, wrong], "score": [True, False]}


def written(folder: Path, rows: list[dict[str, Any]], name: str = "samples.jsonl") -> Path:
    file = folder / name
    file.write_text("".join(f"{json.dumps(each)}\n" for each in rows), encoding="utf-8")
    return file


def test_solutions_of_one_problem_are_read_with_their_halves(tmp_path: Path) -> None:
    texts = read_labelled_texts(written(tmp_path, [row(3), row(4), row(5), row(4)]))
    assert [one.half for one in texts] == ["even", "even", "odd", "odd", "even", "even", "odd", "odd"]
    assert texts[0].is_right
    assert not texts[1].is_right
    assert len(texts[0].steps) == 2
    again = read_labelled_texts(written(tmp_path, [row(4), row(4)]))
    assert [one.half for one in again] == ["shared", "shared", "odd", "odd"]


def test_steps_with_labels_are_read_too(tmp_path: Path) -> None:
    process = [{"id": "a", "problem": "Add.", "steps": ["3 + 4 = 7"], "label": -1},
               {"id": "b", "problem": "Add 2.", "steps": ["3 + 4 = 8"], "label": 0}]  # fmt: skip
    file = tmp_path / "process.json"
    file.write_text(json.dumps(process), encoding="utf-8")
    assert [(one.is_right, one.half) for one in read_labelled_texts(file)] == [(True, "even"), (False, "odd")]
    pair = {"idx": "p", "original_question": "Add.", "modified_question": "Add.", "original_process": ["2 + 2 = 4"],
            "modified_process": ["2 + 2 = 5"], "error_steps": [1], "classification": "x"}  # fmt: skip
    found = read_labelled_texts(written(tmp_path, [pair], "pairs.jsonl"))
    assert [one.is_right for one in found] == [False, True]


def test_the_report_has_every_score_on_every_half(tmp_path: Path) -> None:
    file = written(tmp_path, [row(count) for count in range(2, 22)])
    out = tmp_path / "out"
    report = evaluate_quality([file], out=out)
    found = report["sets"]["samples"]
    assert (found["solutions"], found["right"]) == (40, 20)
    assert found["even"]["checked"]["right_ahead"]["value"] == 1.0
    assert found["even"]["shortness"]["right_ahead"]["value"] < 1.01
    assert report["held_out"]["checked"]["is_about"] in ("correctness", "style")
    assert report["final_rank"]["scores"]["checked"]["held_out"]["chosen"]["of"] == 10
    lines = [json.loads(line) for line in (out / "scores.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 40
    assert len({line["id"] for line in lines}) == 40
    assert all("pens" not in json.dumps(line) for line in lines)
    assert (out / "tuning.svg").read_text(encoding="utf-8").startswith("<svg")


def test_results_of_another_run_are_not_overwritten(tmp_path: Path) -> None:
    file = written(tmp_path, [row(3), row(4)])
    evaluate_quality([file], tune=False, out=tmp_path / "out")
    with pytest.raises(UsageError, match="another run"):
        evaluate_quality([file], tune=False, out=tmp_path / "out")


@pytest.mark.parametrize(
    "broken",
    [
        {"question": "q", "code": ["a", "b"], "score": [True]},
        {"question": "q", "code": ["a", 3], "score": [True, False]},
        {"question": "q", "code": [], "score": []},
        {"question": "q", "code": "text", "score": [True]},
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, broken: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="line 2"):
        read_labelled_texts(written(tmp_path, [row(3), broken]))


def test_pairs_must_be_lists_of_numbers_from_0_to_1(tmp_path: Path) -> None:
    for content in ({}, {"rule_scores": [0.1], "llm_scores": [2]}, {"rule_scores": [0.1], "llm_scores": [0.1, 0.2]},
                    {"rule_scores": [True], "llm_scores": [0.1]}):  # fmt: skip
        file = tmp_path / "pairs.json"
        file.write_text(json.dumps(content), encoding="utf-8")
        with pytest.raises(UsageError):
            read_score_pairs(file)
    with pytest.raises((UsageError, LibraryError)):
        evaluate_quality([])


def test_of_equal_weights_the_one_in_the_middle_is_taken() -> None:
    curve = [
        {"weight": weight, "reciprocal_rank": rank} for weight, rank in ((0, 0.1), (0.1, 0.5), (0.2, 0.5), (0.3, 0.5))
    ]
    assert best_weight(curve) == 0.2


@pytest.mark.skipif(not PAIRS.is_file(), reason="../shared/data is not here")
def test_the_published_gate_is_reproduced(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "quality", "--pairs", str(PAIRS), "--json"]) == 0
    gate = json.loads(capsys.readouterr().out)["gate"]
    assert (gate["choice"], gate["pairs"]) == ("model", 200)
    assert gate["pearson"] == {"value": 0.1392, "low": 0.0005, "high": 0.2727}
    assert round(gate["spearman"]["value"], 3) == 0.129


@pytest.mark.skipif(not all(file.is_file() for file in SETS.values()), reason="../shared/data is not here")
@pytest.mark.corpora
def test_the_published_rule_loses_to_shortness_and_checking_wins(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "quality", *map(str, SETS.values()), "--no-tune", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    values = {
        name: tuple(round(found["all"][score]["right_ahead"]["value"], 3) for score in ("rules", "shortness"))
        for name, found in report["sets"].items()
    }
    assert values == {"math_cot_100": (0.528, 0.662), "gsm8k": (0.492, 0.614), "math": (0.383, 0.673)}
    assert report["held_out"]["rules"]["is_about"] == "style"
    assert report["held_out"]["checked"]["is_about"] == "correctness"
    assert report["held_out"]["checked"]["gain"]["low"] > 0.05
