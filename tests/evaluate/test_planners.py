"""Evaluation with a language model behind a real connection: resumable, within a budget, with cost and calls told."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from model_server import ModelServer, model_server

from mathrag.cli.main import main
from mathrag.errors import LibraryError, ModelError, UsageError
from mathrag.library.ask.models import Allowance
from mathrag.library.evaluate.evaluation import RunOptions, evaluate_formula_qa

LIMIT = 4


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    with model_server() as made:
        monkeypatch.setenv("MATHRAG_LLM_URL", made.url)
        monkeypatch.setenv("MATHRAG_LLM_MODEL", "obedient")
        monkeypatch.setenv("MATHRAG_LLM_RETRIES", "0")
        monkeypatch.setenv("MATHRAG_LLM_PRICE_INPUT", "1")
        monkeypatch.setenv("MATHRAG_LLM_PRICE_OUTPUT", "10")
        yield made


@pytest.fixture(autouse=True)
def steady_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """An edit of the program during a test changes nothing."""
    monkeypatch.setattr("mathrag.library.evaluate.evaluation.program_fingerprint", lambda: "program")
    monkeypatch.setattr("mathrag.library.evaluate.evaluation.reading_fingerprint", lambda: "reading")


def _run(folder: Path, out: Path, planner: str = "react", **options: Any) -> Any:
    asking = RunOptions(planner, limit=LIMIT, workers=2, **options)
    return evaluate_formula_qa(folder, out, asking=asking)


@pytest.mark.soak
def test_a_run_with_a_model_tells_calls_and_cost_and_repeats_for_free(
    small_set: Path, tmp_path: Path, server: ModelServer
) -> None:
    out = tmp_path / "out"
    report = _run(small_set, out)
    figures = report["language_model"]
    assert figures["model"] == "obedient"
    assert figures["questions_with_model"] == figures["questions"] == LIMIT
    assert figures["spent"]["calls"] == server.calls > LIMIT
    assert figures["spent"]["prompt_tokens"] == 100 * server.calls
    assert figures["spent"]["cost"] == pytest.approx(server.calls * (100 * 1 + 10 * 10) / 1e6)
    assert figures["context_mean"] == 100
    text = (out / "report.md").read_text(encoding="utf-8")
    assert f"| calls | {server.calls} (0 failed) |" in text
    assert "| model | obedient |" in text
    predictions = [json.loads(line) for line in (out / "predictions.jsonl").read_text(encoding="utf-8").splitlines()]
    assert any(one["outcome"] == "answered" for one in predictions)
    assert (out / "replies.sqlite").is_file()

    calls = server.calls
    again = _run(small_set, out)
    assert server.calls == calls
    assert again["language_model"]["spent"] == figures["spent"]

    (out / "predictions.jsonl").unlink()
    anew = _run(small_set, out)
    again_asked = [json.loads(line) for line in (out / "predictions.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [one["failure"] for one in again_asked if one.get("failure")] == []
    assert server.calls == calls, "kept replies cost nothing"
    assert anew["language_model"]["spent"]["calls"] == calls
    assert anew["language_model"]["spent"]["cached"] >= calls
    assert [one["found"] for one in anew["questions"]] == [one["found"] for one in report["questions"]]


@pytest.mark.soak
def test_a_budget_stops_the_run_cleanly_and_the_next_goes_on(
    small_set: Path, tmp_path: Path, server: ModelServer
) -> None:
    out = tmp_path / "out"
    report = _run(small_set, out, maximal_calls=6)
    assert server.calls == 6
    left = report["language_model"]["stopped_by_budget"]
    assert 0 < left < LIMIT
    assert len(report["questions"]) == LIMIT - left
    assert any("left unasked" in notice for notice in report["notices"])
    whole = _run(small_set, out)
    assert whole["language_model"]["stopped_by_budget"] == 0
    assert len(whole["questions"]) == LIMIT
    assert whole["language_model"]["spent"]["calls"] == server.calls
    fresh = tmp_path / "fresh"
    other = _run(small_set, fresh)
    assert [one["found"] for one in other["questions"]] == [one["found"] for one in whole["questions"]]
    assert server.calls == 2 * whole["language_model"]["spent"]["calls"]


@pytest.mark.soak
def test_money_is_a_hard_limit_for_all_processes_together(small_set: Path, tmp_path: Path, server: ModelServer) -> None:
    report = _run(small_set, tmp_path / "out", maximal_cost=0.02)
    spent = report["language_model"]["spent"]
    assert spent["cost"] <= 0.02
    assert spent["calls"] == server.calls


@pytest.mark.soak
def test_the_rules_need_no_model_and_auto_asks_it_seldom(small_set: Path, tmp_path: Path, server: ModelServer) -> None:
    assert _run(small_set, tmp_path / "rules", planner="rules")["language_model"] is None
    assert server.calls == 0
    figures = _run(small_set, tmp_path / "auto", planner="auto")["language_model"]
    assert figures["questions_with_model"] < LIMIT
    assert figures["share_with_model"] == figures["questions_with_model"] / LIMIT


@pytest.mark.soak
def test_a_model_that_cannot_be_asked_is_no_answer(small_set: Path, tmp_path: Path, server: ModelServer) -> None:
    server.dies_after = 0
    out = tmp_path / "out"
    with pytest.raises(LibraryError, match="no question can be asked"):
        _run(small_set, out)
    server.dies_after = None
    report = _run(small_set, out)
    assert not [one for one in report["questions"] if one["stage"] == "crash"]
    assert report["language_model"]["spent"]["failed"] >= 1


def test_without_a_model_the_planner_that_needs_one_says_so(
    small_set: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MATHRAG_LLM_URL", raising=False)
    with pytest.raises((ModelError, UsageError), match="MATHRAG_LLM_URL"):
        _run(small_set, tmp_path / "out")


@pytest.mark.soak
def test_the_command_prints_the_figures_and_says_when_it_stopped_early(
    small_set: Path, tmp_path: Path, server: ModelServer, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    command = ["evaluate", "formula-qa", str(small_set), "--out", str(out), "--planner", "react", "--limit", "2"]
    assert main([*command, "--workers", "1", "--max-calls", "1"]) == 1
    assert "left unasked" in capsys.readouterr().err
    shutil.copytree(out, tmp_path / "copy")
    assert main([*command, "--workers", "1"]) == 0
    assert f"{server.calls} calls" in capsys.readouterr().out


def test_shares_never_exceed_what_may_be_spent() -> None:
    allowance = Allowance(cost=1.0, calls=50, workers=3)
    shares = [allowance.take(name) for name in "abc"]
    assert sum(calls or 0 for _, calls in shares) <= 50
    assert sum(cost or 0 for cost, _ in shares) <= 1.0
    assert allowance.take("d") == (pytest.approx(0.0), 0)
    for name in "abcd":
        allowance.settle(name, cost=0.1, calls=1)
    assert allowance.has_more
    allowance.narrow()
    assert allowance.take("e") == (pytest.approx(0.6), 46)
    allowance.settle("e", cost=None, calls=46)
    assert not allowance.has_more
