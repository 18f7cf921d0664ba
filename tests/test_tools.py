"""The tools: each can be loaded and tells how it is called, and those that fit the confidence really fit."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import pytest

from mathrag.reason.choosing.confidence import read_model

TOOLS = Path(__file__).resolve().parents[1] / "tools"
FILES = [*sorted(TOOLS.glob("*.py")), *sorted((TOOLS / "pdf_truth").glob("[a-z]*.py"))]
Load = Callable[[Path], ModuleType]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Load:
    """Loads a tool as if it were run, and forgets it: some have the names of folders of tests."""
    # Behind the tests, whose folders they use.
    monkeypatch.setattr(sys, "path", [*sys.path, str(TOOLS)])
    # Some set these for themselves.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        monkeypatch.setenv(name, "1")

    def loaded(file: Path) -> ModuleType:
        spec = importlib.util.spec_from_file_location(f"tool_{file.stem}", file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, module.__name__, module)
        spec.loader.exec_module(module)
        return module

    return loaded


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(TOOLS).as_posix())
def test_a_tool_loads_and_says_how_it_is_called(
    file: Path, load: Load, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = load(file)
    if "ArgumentParser(" in file.read_text(encoding="utf-8"):
        monkeypatch.setattr(sys, "argv", [str(file), "--help"])
        with pytest.raises(SystemExit) as ended:
            module.main()
        assert ended.value.code == 0
        assert "usage:" in capsys.readouterr().out


def test_what_is_fuzzed_is_counted_in_code_that_is_there(load: Load) -> None:
    fuzz = load(TOOLS / "fuzz.py")
    for target in fuzz._FOLDERS:
        reached, lines = fuzz.Coverage().share(target)
        assert (reached, lines > 200) == (0, True)


DOCUMENT = r"""# Sledges

The pull on a sledge is $P = k m$ where $P$ is the pull in newtons, $k$ is the drag in N/kg and $m$ is the mass in
kilograms.

The glide time of a sledge is $t = \frac{d}{v}$ where $t$ is the glide time in seconds, $d$ is the distance in metres
and $v$ is the speed in m/s.
"""
QUESTIONS = (
    ("What is the pull on a sledge with a drag of 3 N/kg and a mass of 20 kg?", 60, "N"),
    ("What is the glide time of a sledge over a distance of 90 m at a speed of 6 m/s?", 15, "s"),
    ("What is the pull on a sledge with a drag of 2 N/kg and a mass of 50 kg?", 77, "N"),
    ("What is the glide time of a sledge over a distance of 40 m at a speed of 8 m/s?", 5, "s"),
    ("What is 3 km in m?", 3000, "m"),
    ("What is the price of a sledge of 20 kg?", None, ""),
)


def _question_set(folder: Path) -> None:
    (folder / "documents").mkdir(parents=True)
    (folder / "documents" / "sledges.md").write_text(DOCUMENT, encoding="utf-8")
    # Odd numbers: the half that is fitted on.
    records = [
        {"id": f"sledge-{2 * place + 1}", "question": text, "answer": answer, "unit": unit, "tier": "direct"}
        for place, (text, answer, unit) in enumerate(QUESTIONS)
    ]
    lines = (json.dumps({**record, "latex": "P = k m"}) + "\n" for record in records)
    (folder / "questions.jsonl").write_text("".join(lines), encoding="utf-8")


def test_the_confidence_is_fitted_on_questions_with_known_answers(
    load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tool = load(TOOLS / "fit_choosing.py")
    _question_set(tmp_path / "sets" / "winter")
    # Two groups: each is examined with what the other was fitted on.
    sources = [tool.Source(name, name, "winter", "winter") for name in ("morning", "evening")]
    monkeypatch.setattr(tool, "SOURCES", sources)
    monkeypatch.setattr(tool, "ProcessPoolExecutor", ThreadPoolExecutor)
    for name in ("CONFIDENCE", "WEIGHTS"):
        copy = tmp_path / getattr(tool, name).name
        copy.write_bytes(getattr(tool, name).read_bytes())
        monkeypatch.setattr(tool, name, copy)
    old = tool.CONFIDENCE.read_text(encoding="utf-8")
    documents = f"winter={tmp_path / 'sets' / 'winter' / 'documents'}"
    places = ("--sets", tmp_path / "sets", "--work", tmp_path / "work", "--documents", documents)
    arguments = [*map(str, places), "--processes", "1", "--weights", "--write"]
    monkeypatch.setattr(sys, "argv", ["fit_choosing.py", *arguments])
    tool.main()
    # Four of the five numbers are right: one printed answer is not what the formula gives.
    assert "asked morning: 6 questions, 4 right" in capsys.readouterr().out
    samples = tool.read_samples(tmp_path / "work" / "samples" / "morning.jsonl")
    assert [one.way for one in samples[:5]] == ["plan"] * 4 + ["direct"]
    new = tool.CONFIDENCE.read_text(encoding="utf-8")
    assert new != old
    assert read_model(new).collection != read_model(old).collection
    assert read_model(new).book == read_model(old).book


def test_how_often_the_right_formula_is_found(
    load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tool = load(TOOLS / "finding_rates.py")
    _question_set(tmp_path / "winter")
    arguments = ["finding_rates.py", "--work", str(tmp_path / "work"), str(tmp_path / "winter")]
    monkeypatch.setattr(sys, "argv", arguments)
    tool.main()
    assert "| chosen |" in capsys.readouterr().out
