"""`tools/run_tests.py`: what fails decides, what passes alone is unsteady, what is known does not decide."""

from __future__ import annotations

import datetime
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

TOOL = Path(__file__).parent.parent / "tools" / "run_tests.py"
SAMPLE = """
from pathlib import Path

import pytest

SEEN = Path(__file__).with_name("seen")


def test_right():
    assert True


def test_unsteady():
    had = SEEN.exists()
    SEEN.write_text("")
    assert had, "not yet"


def test_wrong():
    assert {wrong}, "always"


@pytest.mark.slow
def test_slow():
    assert False


@pytest.mark.alone
def test_alone():
    assert True


@pytest.mark.skip(reason="not here")
def test_skipped():
    assert False
"""


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The tool over a project of one file of tests."""
    spec = importlib.util.spec_from_file_location("run_tests", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "run_tests", module)
    spec.loader.exec_module(module)
    tests = tmp_path / "tests"
    tests.mkdir()
    marks = ["slow", "alone", *module.OUTSIDE]
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\npythonpath = tests\nmarkers =\n" + "".join(f"    {mark}: a mark\n" for mark in marks)
    )
    (tests / "conftest.py").write_text('pytest_plugins = ("recording",)\n')
    (tests / "recording.py").write_text((Path(__file__).parent / "recording.py").read_text())
    (tests / "unsteady.toml").write_text("")
    for name, path in (("PROJECT", tmp_path), ("TESTS", tests), ("KNOWN", tests / "known_failures.toml"),
                       ("UNSTEADY", tests / "unsteady.toml"), ("BUDGET", tests / "budget.toml")):  # fmt: skip
        monkeypatch.setattr(module, name, path)
    return module


def _run(tool: ModuleType, monkeypatch: pytest.MonkeyPatch, *, wrong: bool) -> int:
    (tool.TESTS / "test_sample.py").write_text(SAMPLE.format(wrong=not wrong))
    monkeypatch.setattr(sys, "argv", ["run_tests.py", "unmarked", "--processes", "1"])
    code: int = tool.main()
    return code


@pytest.mark.soak
def test_what_fails_twice_decides_and_what_passes_alone_does_not(
    tool: ModuleType, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert _run(tool, monkeypatch, wrong=True) == 1
    printed = capfd.readouterr().out
    assert "FAILED: tests/test_sample.py::test_wrong - AssertionError: always" in printed
    assert "UNSTEADY: tests/test_sample.py::test_unsteady - AssertionError: not yet" in printed
    assert "3 passed, 1 failed, 1 skipped" in printed
    assert "1  Skipped: not here" in printed
    assert _run(tool, monkeypatch, wrong=False) == 0
    assert "4 passed, 0 failed, 1 skipped" in capfd.readouterr().out


@pytest.mark.soak
def test_what_chance_found_is_not_tried_again(
    tool: ModuleType, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MATHRAG_TEST_DRAWING", "random")
    assert _run(tool, monkeypatch, wrong=False) == 1
    printed = capfd.readouterr().out
    assert "FAILED: tests/test_sample.py::test_unsteady" in printed
    assert "UNSTEADY" not in printed


@pytest.mark.soak
def test_a_known_failure_does_not_decide(
    tool: ModuleType, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    today = datetime.datetime.now(tz=datetime.UTC).date()
    tool.KNOWN.write_text(
        f'[[known]]\ntest = "tests/test_sample.py::test_wrong"\nreason = "being mended"\nsince = {today}\n'
    )
    assert _run(tool, monkeypatch, wrong=True) == 0
    assert "KNOWN: tests/test_sample.py::test_wrong - being mended" in capfd.readouterr().out


@pytest.mark.soak
def test_a_file_that_cannot_be_imported_fails_the_run(
    tool: ModuleType, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tool.TESTS / "test_broken.py").write_text("import nowhere_to_be_found\n")
    assert _run(tool, monkeypatch, wrong=False) == 1
    assert "FAILED: tests/test_broken.py cannot be collected" in capfd.readouterr().out


def test_the_list_of_known_failures_is_short_and_young(tool: ModuleType) -> None:
    today = datetime.date(2030, 5, 20)
    rows = [f'[[known]]\ntest = "t{number}"\nreason = "r"\nsince = 2030-05-1{number % 10}\n' for number in range(16)]
    tool.KNOWN.write_text("".join(rows))
    known, complaints = tool.known_failures(tool.KNOWN, today)
    assert len(known) == 16
    assert len([one for one in complaints if "longer than 7 days" in one]) == 6
    assert complaints[-1].startswith("known_failures.toml: 16 tests")


def test_folders_over_their_budget_are_named_with_their_dearest_file(tool: ModuleType) -> None:
    tool.BUDGET.write_text("[seconds]\nroom = 10\nother = 10\n")
    outcomes = tool.Outcomes()
    for name, seconds in (("room/test_a.py", 3), ("room/test_b.py", 10), ("other/test_c.py", 11)):
        outcomes.take({"test": f"tests/{name}::test", "outcome": "passed", "seconds": str(seconds), "said": ""})
    assert list(tool.over_budget(outcomes)) == ["tests/room took 13 s of 10 s; most of it tests/room/test_b.py, 10 s"]


@pytest.mark.soak
def test_all_is_collected_where_only_the_project_is(tmp_path: Path) -> None:
    """Documents and question sets beside the project are not there for everybody: their tests skip."""
    root = TOOL.parents[1]
    for name in ("tests", "tools"):
        shutil.copytree(root / name, tmp_path / "project" / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("src", "docs", "pyproject.toml"):
        (tmp_path / "project" / name).symlink_to(root / name)
    files = [
        file.relative_to(root).as_posix()
        for file in sorted((root / "tests").rglob("test_*.py"))
        if "shared" in file.read_text(encoding="utf-8")
    ]
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-qq", "-p", "no:cacheprovider", *files],
        cwd=tmp_path / "project",
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout[-2000:]
