"""Whole runs with a fake asker: files, grades, resumption after a kill, crashes, comparison, the commands."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import fake_asker
import pytest
from asker_paths import use_fake_askers

from mathrag.cli.main import main
from mathrag.errors import LibraryError, UsageError
from mathrag.library.evaluate.evaluation import RunOptions, compare_evaluations, evaluate_formula_qa

pytestmark = pytest.mark.usefixtures("askers")
GOLDEN = Path(__file__).parent / "data"


def _run(folder: Path, out: Path, **options: Any) -> Any:
    return evaluate_formula_qa(folder, out, asking=RunOptions(**{"ask": fake_asker.ASK, "workers": 2, **options}))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output of one whole run over the small set."""
    here = Path(__file__).parent
    out = tmp_path_factory.mktemp("evaluation") / "out"
    with pytest.MonkeyPatch.context() as patch:
        use_fake_askers(patch)
        _run(here / "data" / "small", out)
    return out


def _lines(file: Path) -> list[Any]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_the_grades_are_the_golden_ones(finished: Path) -> None:
    report = json.loads((finished / "report.json").read_text(encoding="utf-8"))
    found = [
        f"{one['id']:16} {one['verdict']:9} {one['tool']:8} {one['tool_failure'] or '-':15} {one['stage'] or '-':11} "
        f"{one['detail'] or one['note'] or '-'}"
        for one in report["questions"]
    ]
    assert found == (GOLDEN / "small-grades.txt").read_text(encoding="utf-8").splitlines()


def test_the_report_is_the_golden_one(finished: Path) -> None:
    found = (finished / "report.md").read_text(encoding="utf-8")
    assert found == (GOLDEN / "small-report.md").read_text(encoding="utf-8")


def test_predictions_come_in_the_order_of_the_questions_with_their_ids_first(finished: Path, small_set: Path) -> None:
    predictions = _lines(finished / "predictions.jsonl")
    assert [one["id"] for one in predictions] == [one["id"] for one in _lines(small_set / "questions.jsonl")]
    assert all(next(iter(one)) == "id" for one in predictions)
    assert predictions[0]["value"] == 9.0


def test_the_charts_are_well_formed_and_named(finished: Path) -> None:
    from xml.etree import ElementTree

    charts = sorted(finished.glob("*.svg"))
    assert len(charts) == 6
    report = (finished / "report.md").read_text(encoding="utf-8")
    for chart in charts:
        root = ElementTree.fromstring(chart.read_text(encoding="utf-8"))
        space = "{http://www.w3.org/2000/svg}"
        assert root.get("role") == "img"
        assert root.findtext(f"{space}title")
        assert root.findtext(f"{space}desc")
        assert "prefers-color-scheme: dark" in (root.findtext(f"{space}style") or "")
        assert f"({chart.name})" in report


def test_a_finished_run_asks_nothing_again(finished: Path, tmp_path: Path, small_set: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(finished, out)
    told: list[tuple[str, int, int]] = []
    report = _run(small_set, out, watch=lambda *what: told.append(what))
    assert told == [("asking", 14, 14)]
    assert report == json.loads((finished / "report.json").read_text(encoding="utf-8"))


def test_another_planner_starts_anew_and_says_so(finished: Path, tmp_path: Path, small_set: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(finished, out)
    told: list[tuple[str, int, int]] = []
    report = _run(small_set, out, planner="other", watch=lambda *what: told.append(what))
    assert ("asking", 0, 14) in told
    assert not [what for what in told if what[0] == "reading"], "the library is used again"
    assert any("asked anew" in notice for notice in report["notices"])


@pytest.mark.slow
def test_changed_documents_make_a_fresh_library(tmp_path: Path, small_set: Path) -> None:
    folder = tmp_path / "set"
    shutil.copytree(small_set, folder)
    out = tmp_path / "out"
    before = _run(folder, out, limit=2)
    page = folder / "documents" / "mechanics.md"
    page.write_text(page.read_text(encoding="utf-8").split("## Density")[0], encoding="utf-8")
    after = _run(folder, out, limit=2)
    assert after["library"]["formulas"] == before["library"]["formulas"] - 1


@pytest.mark.soak
def test_a_killed_run_goes_on(tmp_path: Path, small_set: Path) -> None:
    out = tmp_path / "out"
    code = (
        "from pathlib import Path\n"
        "from mathrag.library.evaluate import evaluation\n"
        "evaluation.program_fingerprint, evaluation.reading_fingerprint = lambda: 'program', lambda: 'reading'\n"
        f"evaluation.evaluate_formula_qa(Path({str(small_set)!r}), Path({str(out)!r}),"
        f" asking=evaluation.RunOptions(ask={fake_asker.ASK_SLOWLY!r}, workers=1))"
    )
    process = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
    log = out / "predictions.jsonl"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        if log.exists() and log.read_bytes().count(b"\n") >= 3:
            break
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    kept = log.read_bytes().count(b"\n")
    assert 3 <= kept < 14
    with log.open("ab") as stream:
        stream.write(b'{"id": "small-d-0')
    told: list[tuple[str, int, int]] = []
    _run(small_set, out, ask=fake_asker.ASK_SLOWLY, watch=lambda *what: told.append(what))
    assert told[0] == ("asking", kept, 14)
    assert [one["id"] for one in _lines(log)] == [one["id"] for one in _lines(small_set / "questions.jsonl")]


@pytest.mark.slow
def test_a_crash_costs_one_question_and_is_tried_again(tmp_path: Path, small_set: Path) -> None:
    out = tmp_path / "out"
    report = _run(small_set, out, ask=fake_asker.ASK_AND_CRASH)
    crashed = [one for one in report["questions"] if one["stage"] == "crash"]
    assert [one["id"] for one in crashed] == ["small-d-002-01"]
    assert crashed[0]["verdict"] == "crashed"
    told: list[tuple[str, int, int]] = []
    _run(small_set, out, ask=fake_asker.ASK_AND_CRASH, watch=lambda *what: told.append(what))
    assert told[0] == ("asking", 13, 14)


@pytest.mark.slow
def test_an_asker_that_always_fails_stops_the_run(tmp_path: Path, small_set: Path) -> None:
    with pytest.raises(LibraryError, match=r"no question can be asked: .*nobody is at home"):
        _run(small_set, tmp_path / "out", ask=fake_asker.FAIL)


@pytest.mark.slow
def test_half_and_limit_narrow_the_run(tmp_path: Path, small_set: Path) -> None:
    report = _run(small_set, tmp_path / "out", half="even", limit=3)
    assert [one["id"] for one in report["questions"]] == ["small-d-002-01", "small-d-002-10", "small-r-004-01"]


def test_a_folder_of_someone_else_is_not_removed(tmp_path: Path, small_set: Path) -> None:
    (tmp_path / "out" / "library").mkdir(parents=True)
    with pytest.raises(UsageError, match="no evaluation made it"):
        _run(small_set, tmp_path / "out")
    assert (tmp_path / "out" / "library").is_dir()


@pytest.mark.slow
def test_documents_that_the_questions_need_are_missed(tmp_path: Path, small_set: Path) -> None:
    other = tmp_path / "other.md"
    other.write_text("# Other\n\n$$F = m a$$\n", encoding="utf-8")
    asking = RunOptions(ask=fake_asker.ASK, limit=1, workers=1)
    report = evaluate_formula_qa(small_set, tmp_path / "out", documents=[other], asking=asking)
    assert report["library"]["documents"] == ["other.md"]
    assert any("mechanics.md" in notice for notice in report["notices"])


def test_comparison_tells_what_changed(finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other"
    other.mkdir()
    report = json.loads((finished / "report.json").read_text(encoding="utf-8"))
    for one in report["questions"]:
        if one["id"] in ("small-d-001-07", "small-d-006-01"):
            one.update(right=True, stage="", found="25 J")
        if one["id"] == "small-c-001-01":
            one.update(right=False, stage="choice", found="1 N")
    report["questions"].pop(0)
    (other / "report.json").write_text(json.dumps(report), encoding="utf-8")
    comparison = compare_evaluations(finished, other)
    assert [(change.id, change.is_better) for change in comparison.changes] == [
        ("small-c-001-01", False),
        ("small-d-001-07", True),
        ("small-d-006-01", True),
    ]
    total = comparison.tiers[-1]
    assert (total.tier, total.total, total.before, total.after, total.better, total.worse) == ("all", 13, 6, 7, 2, 1)
    assert total.chance == 1.0
    assert (comparison.only_first, comparison.only_second) == (1, 0)
    assert main(["evaluate", "compare", str(finished), str(other)]) == 0
    shown = capsys.readouterr().out
    assert "small-d-001-07  units: 25000 J -> right: 25 J" in shown
    assert main(["evaluate", "compare", str(finished), str(other), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["tiers"][-1]["better"] == 2


def test_comparing_what_is_no_run_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "compare", str(tmp_path), str(tmp_path)]) == 1
    assert "holds no report.json" in capsys.readouterr().err
    for text in ("[]", '{"questions": 3}', '{"questions": [{"id": 3}]}', "{"):
        (tmp_path / "report.json").write_text(text, encoding="utf-8")
        assert main(["evaluate", "compare", str(tmp_path), str(tmp_path)]) == 1


def test_a_set_without_questions_is_a_wrong_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "formula-qa", str(tmp_path), "--out", str(tmp_path / "out")]) == 2
    assert "holds no questions.jsonl" in capsys.readouterr().err
