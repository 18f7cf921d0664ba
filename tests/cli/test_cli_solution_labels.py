"""`mathrag import --solutions --llm` as a user meets it: what it prints, how it leaves, what it refuses."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path

import pytest

from library.label_makers import NUMBERS, OPEN, Labeller, pattern
from mathrag.cli.main import main
from mathrag.errors import ModelError
from mathrag.library import Library
from mathrag.llm.accounts import Price
from mathrag.llm.budgets import Budget
from mathrag.llm.metered import Models
from mathrag.store.truth.replies import Replies


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Labeller:
    """A model in place of the one that the settings would name."""
    made = Labeller(NUMBERS, pattern("circular"), name="tiny[bold]")

    def opened(folder: Path, *, settings: object, budget: Budget | None) -> Models:
        return Models.of(made, store=Replies(folder), budget=budget, price=Price(1.0, 2.0))

    monkeypatch.setattr("mathrag.library.ask.models.open_models", opened)
    return made


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "open.jsonl"
    made.write_text("\n".join(map(json.dumps, OPEN)), encoding="utf-8")
    return made


def run(*words: str | Path) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([str(word) for word in words])
    return code, out.getvalue(), err.getvalue()


def test_a_file_is_labelled_and_the_cost_is_told(model: Labeller, file: Path, tmp_path: Path) -> None:
    code, out, err = run("import", "--solutions", file, "--llm", "--library", tmp_path / "library")
    assert (code, err) == (0, "")
    assert "labelled by the model tiny[bold]: 3 types of problems, 2 patterns of wrong steps" in out
    assert "replies: 5 to 5 questions" in out
    assert "model: 5 calls and 0 cached replies; 500 tokens sent, 50 written;" in out
    again = run("import", "--solutions", file, "--llm", "--library", tmp_path / "library", "--json")
    (report,) = json.loads(again[1])["files"]
    assert (report["is_changed"], report["labels"]["questions"], report["labels"]["types"]) == (False, 0, 3)
    assert model.calls == 5
    assert run("check", "--library", tmp_path / "library")[0] == 0


def test_a_budget_and_an_estimate(model: Labeller, file: Path, tmp_path: Path) -> None:
    words = ("import", "--solutions", file, "--llm", "--library", tmp_path / "library")
    code, out, _ = run(*words, "--estimate")
    assert (code, model.calls) == (0, 0)
    assert "to label with tiny[bold]: 5 problems and wrong steps" in out
    assert json.loads(run(*words, "--estimate", "--json")[1])["questions"] == 5
    code, out, err = run(*words, "--max-calls", "2")
    assert (code, model.calls) == (1, 2)
    assert "stopped: " in err
    assert "left: 3 questions; run the same command again to go on from here" in err
    assert run(*words)[0] == 0
    assert model.calls == 5


def test_what_fails_is_named(model: Labeller, file: Path, tmp_path: Path) -> None:
    model._answers["problem_type"] = lambda _: ModelError("timeout", "no reply came in time")
    code, _, err = run("import", "--solutions", file, "--llm", "--library", tmp_path / "library")
    assert code == 1
    assert "no reply came in time" in err
    assert "left: 3 questions" in err
    with Library(tmp_path / "library") as library:
        assert library.sql("SELECT count(*) FROM problem_types").rows == ((0,),)


def test_words_that_go_together(file: Path, tmp_path: Path) -> None:
    place = ("--library", tmp_path / "library")
    assert run("import", file, "--llm", *place)[0] == 2
    assert run("import", "--solutions", file, "--max-calls", "3", *place)[0] == 2
    assert not (tmp_path / "library").exists()


def test_without_a_model_it_says_how_to_set_one(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mathrag.library.ask.models.open_models", lambda *_, **__: None)
    code, _, err = run("import", "--solutions", file, "--llm", "--library", tmp_path / "library")
    assert code == 2
    assert "MATHRAG_LLM_URL" in err
