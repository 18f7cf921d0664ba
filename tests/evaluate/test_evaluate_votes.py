"""`evaluate votes`: files read, votes counted, labels that are wrong named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mathrag.cli.main import main
from mathrag.errors import LibraryError, UsageError
from mathrag.evaluate.votes import load_sampled, measure_votes
from mathrag.library.evaluate.votes import evaluate_votes

SHARED = next((folder / "shared" / "data" for folder in Path(__file__).parents if (folder / "shared").is_dir()), Path())
BEST_OF_N = SHARED / "best-of-n" / "math_cot_100.jsonl"


def written(folder: Path, *rows: dict[str, Any]) -> Path:
    file = folder / "samples.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    return file


ROWS: tuple[dict[str, Any], ...] = (
    {"id": "halves", "gt": "1/2", "pred": ["2", "0.5", "\\frac{1}{2}"], "pred_score": [[0.9], [0.2], [None]]},
    {"id": "money", "gt": "\\$1,200", "pred": ["1200", "1300", None], "pred_score": [0.5, 0.4, None]},
    {"id": "lost", "gt": "x^2", "pred": ["x", "y", "x"]},
)


def test_votes_are_counted(tmp_path: Path) -> None:
    report = evaluate_votes(written(tmp_path, *ROWS))
    right = {row["vote"]: row["right"] for row in report["votes"]}
    assert (report["problems"], report["solutions"]) == (3, 9)
    assert right["first"] == 1
    assert right["majority"] == 2
    assert right["best score"] == 1
    assert right["any"] == 2
    assert {row["vote"]: row["by_majority"] for row in report["votes"]}["best score"] == 1
    assert report["contradicted_labels"] == []


def test_a_label_that_comparing_contradicts_is_named_and_kept(tmp_path: Path) -> None:
    row = {"id": "seven", "gt": "7", "pred": ["7.0", "8"], "score": [False, False]}
    report = measure_votes(load_sampled(written(tmp_path, row)))
    assert report["contradicted_labels"] == [{"id": "seven", "gold": "7", "answer": "7.0"}]
    assert {each["right"] for each in report["votes"]} == {0}


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ({"gt": "7"}, "list of"),
        ({"gt": "7", "pred": []}, "list of"),
        ({"gt": "7", "pred": [7]}, "text or null"),
        ({"pred": ["7"]}, "right answer"),
        ({"pred": ["7"], "score": [1]}, "right answer"),
        ({"gt": "7", "pred": ["7"], "pred_score": [1, 2]}, "an entry for each"),
        ({"gt": "7", "pred": ["7"], "pred_score": ["high"]}, "number or null"),
        ({"gt": "7", "pred": ["7"], "pred_score": [[True]]}, "number or null"),
        ({"gt": "7", "pred": ["7"] * 1001}, "1 to 1000"),
    ],
)
def test_a_bad_row_is_refused_with_its_line(tmp_path: Path, row: dict[str, Any], complaint: str) -> None:
    with pytest.raises(LibraryError, match=rf"line 2: .*{complaint}"):
        load_sampled(written(tmp_path, ROWS[0], row))


def test_an_empty_or_missing_file_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n\n", encoding="utf-8")
    with pytest.raises(LibraryError, match="holds no problem"):
        load_sampled(empty)
    with pytest.raises(UsageError, match="cannot be read"):
        load_sampled(tmp_path / "none.jsonl")
    broken = tmp_path / "broken.jsonl"
    broken.write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(LibraryError, match="no JSON object"):
        load_sampled(broken)


def test_the_command_prints_a_table_or_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, *ROWS, {"id": "seven", "gt": "7", "pred": ["7.0"], "score": [False]})
    assert main(["evaluate", "votes", str(file)]) == 0
    printed = capsys.readouterr().out
    assert "majority" in printed
    assert "the label of seven" in printed
    assert main(["evaluate", "votes", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["problems"] == 4


@pytest.mark.skipif(not BEST_OF_N.is_file(), reason="../shared/data/best-of-n is not here")
def test_votes_on_a_published_set() -> None:
    report = evaluate_votes(BEST_OF_N)
    rows = {row["vote"]: row for row in report["votes"]}
    right = {name: rows[name]["right"] for name in ("first", "majority", "best score", "sum of scores", "any")}
    assert right == {"first": 90, "majority": 93, "best score": 94, "sum of scores": 94, "any": 96}
    assert rows["majority"]["ties"] == 4
    assert (report["mean"], report["attempts"]) == (91.0, 1.26)
    assert [label["gold"] for label in report["contradicted_labels"]] == ["10{,}000"]
