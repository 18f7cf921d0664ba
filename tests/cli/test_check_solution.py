"""`mathrag check-solution`: marks, exit codes, JSON, standard input, files and pages; with and without a library."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from hand_written_pdf import lines_down_a_page, write_pdf
from mathrag.cli.main import main
from mathrag.library import Library

RIGHT = """Problem: A shop has 12 boxes of 8 pens.

Solution:
1. There are 12 * 8 = 96 pens.
2. Half of them: 96 / 2 = 48.

Answer: 48
"""
WRONG = RIGHT.replace("96 / 2 = 48", "96 / 2 = 46")


@pytest.fixture(autouse=True)
def _without_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MATHRAG_LIBRARY", str(tmp_path / "none"))


def _run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["check-solution", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def _written(folder: Path, text: str, name: str = "homework.md") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_false_calculation_is_marked_with_the_right_value(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = _run(capsys, _written(tmp_path, WRONG))
    assert code == 1
    assert out.startswith("Step 2 holds a false calculation: 96 / 2 = 46, and the right value is 48.")
    assert "1 ✓ adds up   There are 12 * 8 = 96 pens." in out
    assert "2 ✗ false     Half of them: 96 / 2 = 46." in out
    assert max(map(len, out.splitlines())) <= 80


def test_none_found_is_not_called_correct(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = _run(capsys, _written(tmp_path, RIGHT))
    assert code == 0
    assert out.startswith("No false calculation found in 3 steps; 2 of them hold calculations that are\nright.")
    assert "Final answer (as calculated):" in out
    assert "is not the same as correct" in " ".join(out.split())


def test_json_has_all_that_was_found(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = _run(capsys, _written(tmp_path, WRONG), "--json")
    found = json.loads(out)
    assert code == 1
    assert found["first_error"] == 2
    assert [step["outcome"] for step in found["steps"]][:2] == ["verified", "refuted"]
    assert [step["line"] for step in found["steps"]] == [4, 5, 7]
    assert found["steps"][1]["claims"][0]["right"] == "48"
    assert found["problem"] == "A shop has 12 boxes of 8 pens."
    assert found["similar"] == []


def test_standard_input_is_text(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def given(data: bytes) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))

    given(b"3 + 4 = 8")
    assert _run(capsys, "-")[0] == 1
    given(b"%PDF-1.4 ...")
    code, _, error = _run(capsys, "-")
    assert (code, "give the file by its name" in error) == (2, True)
    given(b"x" * 900_000)
    assert _run(capsys, "-")[0] == 2
    given(b"  ")
    code, _, error = _run(capsys, "-")
    assert (code, "nothing to check" in error) == (1, True)
    given(b"3 + 4 = 7")
    assert _run(capsys, "-", "--page", "2")[0] == 2


@pytest.mark.slow
def test_a_page_of_a_pdf_is_read_in_a_process_of_its_own(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = write_pdf(
        tmp_path / "exam.pdf",
        lines_down_a_page("Problem: 12 boxes of 8 pens.", "Solution:", "There are 12 * 8 = 96 pens."),
        lines_down_a_page("Half of them: 96 / 2 = 46."),
    )
    assert _run(capsys, str(path), "--page", "1")[0] == 0
    code, out, _ = _run(capsys, str(path), "--json")
    found = json.loads(out)
    assert code == 1
    assert found["steps"][found["first_error"] - 1]["text"] == "Half of them: $96/2=46$."


@pytest.mark.slow
def test_what_cannot_be_read_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, error = _run(capsys, str(tmp_path / "missing.md"))
    assert (code, "there is no file" in error) == (2, True)
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    code, out, error = _run(capsys, str(tmp_path / "broken.pdf"))
    assert (code, out, error.startswith("mathrag: ")) == (1, "", True)
    (tmp_path / "folder").mkdir()
    assert _run(capsys, str(tmp_path / "folder"))[0] == 1
    code, _, error = _run(capsys, _written(tmp_path, RIGHT), "--library", str(tmp_path / "no-library"))
    assert (code, "there is no library" in error) == (2, True)


@pytest.mark.slow
def test_a_library_is_used_where_there_is_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with Library(tmp_path / "library", create=True) as library:
        assert library.check_solution(WRONG).first_error == 1
        assert library.check_solution(file=_written(tmp_path, RIGHT)).first_error is None
        with pytest.raises(Exception, match="a text or as a file"):
            library.check_solution()
    assert _run(capsys, _written(tmp_path, WRONG), "--library", str(tmp_path / "library"))[0] == 1


def test_similar_solved_problems_are_cited(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record = {
        "question": "A farm has 14 rows of 9 trees and a third of them are cut. How many trees are left?",
        "answer": "There are 14 * 9 = <<14*9=126>>126 trees.\nLeft are 126 / 3 * 2 = <<126/3*2=84>>84.\n#### 84",
    }
    (tmp_path / "farm.jsonl").write_text(json.dumps(record))
    with Library(tmp_path / "library", create=True) as library:
        library.import_solutions(tmp_path / "farm.jsonl")
    text = "Problem: An orchard has 12 rows of 8 trees and a third are cut. How many are left?\n\nSolution: 12 * 8 = 96"
    _, out, _ = _run(capsys, _written(tmp_path, text), "--library", str(tmp_path / "library"), "--json")
    (similar,) = json.loads(out)["similar"]
    assert similar["problem"] == record["question"]
    assert "farm.jsonl" in similar["source"]
    assert 0 < similar["similarity"] <= 1


def test_control_characters_do_not_reach_a_terminal(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = _written(tmp_path, "So 3 + 4 = 8. \x1b[31m\x07\n\nAnd \u202e done")
    code, out, _ = _run(capsys, path)
    assert code == 1
    assert not {"\x1b", "\x07", "\u202e"} & set(out)
