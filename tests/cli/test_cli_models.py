"""`mathrag ask` and `chat` with a language model: options, limits, what is printed where."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mathrag.cli.main import main
from mathrag.library import Library
from mathrag.library.ask.models import Models
from mathrag.llm.seams import Scripted, ScriptedModel

NOTE = r"""# Energy

**Kinetic energy**

$$E_k = \frac{1}{2} m v^2$$

where $E_k$ is the kinetic energy in J, $m$ is the mass in kg and $v$ is the speed in m/s.
"""
QUESTION = "What is the kinetic energy of a 2 kg ball at a speed of 3 m/s?"
GERMAN = "Wie groß ist die kinetische Energie von einem Ball mit der Masse 2 kg und der Geschwindigkeit 3 m/s?"
RETRIEVE = 'Thought: a formula is needed\nAction: RETRIEVE_MATH_KNOWLEDGE\nAction Input: {"query": "energy"}'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("models")
    (path / "energy.md").write_text(NOTE, encoding="utf-8")
    with Library(path / "library") as library:
        library.ingest([path / "energy.md"], workers=1)
    return str(path / "library")


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Callable[..., ScriptedModel]:
    """Sets up a model that says what it is told to, with the limits of the command."""

    def given(*script: Scripted) -> ScriptedModel:
        model = ScriptedModel(script)
        monkeypatch.setenv("MATHRAG_LLM_MODEL", "scripted")
        monkeypatch.setenv("MATHRAG_LLM_URL", "http://localhost:1/v1")

        def opened(*_: Any, budget: Any = None, **__: Any) -> Models:
            return Models.of(model, budget=budget)

        monkeypatch.setattr("mathrag.library.ask.models.open_models", opened)
        return model

    return given


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_auto_asks_nobody_where_the_rules_are_sure(
    scripted: Callable[..., ScriptedModel], folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    model = scripted("never said")
    code, out, err = run(capsys, "ask", QUESTION, "--json", "--library", folder)
    assert (code, err, model.requests) == (0, "", [])
    assert json.loads(out)["usage"] is None


def test_a_model_plans_and_the_thoughts_are_traced(
    scripted: Callable[..., ScriptedModel], folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    scripted(RETRIEVE, "nothing", "nothing")
    code, out, err = run(capsys, "ask", QUESTION, "--planner", "react", "--trace", "--json", "--library", folder)
    made = json.loads(out)
    assert code == 0
    assert made["value"] == 9
    assert made["usage"]["calls"] == 3
    assert made["trace"][0]["model"]["context_tokens"] > 0
    assert "1. RETRIEVE_MATH_KNOWLEDGE  In a language model's words: a formula is needed" in err
    assert "(unreadable reply)" in err
    assert "language model scripted: 3 calls" in err


def test_limits_reach_the_model(
    scripted: Callable[..., ScriptedModel], folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    model = scripted(RETRIEVE, RETRIEVE)
    code, out, _ = run(capsys, "ask", QUESTION, "--planner", "react", "--max-calls", "0", "--json", "--library", folder)
    made = json.loads(out)
    assert code == 0
    assert model.requests == []
    assert "answered by rules alone" in made["warnings"][0]


def test_a_record_keeps_who_planned(
    scripted: Callable[..., ScriptedModel], folder: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    scripted("What is the kinetic energy of a ball with the mass 2 kg and the speed 3 m/s?")
    record = tmp_path / "record.json"
    code, out, _ = run(capsys, "ask", GERMAN, "--replay", str(record), "--library", folder)
    assert code == 0
    assert "translated by a language model" in out
    assert json.loads(record.read_text(encoding="utf-8"))["options"]["planner"] == "auto"
    code, out, _ = run(capsys, "replay", str(record))
    assert code == 0
    assert "same: 9 J" in out


def test_react_without_a_model_is_called_wrongly(
    folder: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MATHRAG_LLM_MODEL", raising=False)
    code, _, err = run(capsys, "ask", QUESTION, "--planner", "react", "--library", folder)
    assert code == 2
    assert "MATHRAG_LLM_URL and MATHRAG_LLM_MODEL" in err


def test_a_chat_goes_on_when_the_model_does_not(
    scripted: Callable[..., ScriptedModel],
    folder: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scripted(*["nothing"] * 8)
    text = f"{QUESTION}\nand for 4 kg?\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8"))
    code, out, _ = run(capsys, "chat", "--planner", "react", "--json", "--library", folder)
    values = [json.loads(line)["value"] for line in out.splitlines()]
    assert (code, values) == (0, [9, 18])
