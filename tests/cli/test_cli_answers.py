"""`mathrag ask`, `chat`, `replay`, `export-tool` as a user meets them; what is answered is given, not computed."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from mathrag.cli.main import main
from mathrag.library import Library
from mathrag.types.answer import Outcome
from mathrag.types.episode import Action, Event, Observation
from outcome_samples import CHAT, HOSTILE, MISSING, RMS_SPEED, UNSURE

EVENT = Event(
    1,
    Action("RETRIEVE_MATH_KNOWLEDGE", {"query": "rms speed\x1b[2J"}, "formulas are needed"),
    Observation(
        True,
        "retrieved",
        "2 formulas found",
        {
            "candidates": [
                {"formula_id": "formula-a11ce0", "label": "Root mean square speed", "score": 1.5},
                {"formula_id": "formula-9e9d00", "label": "Period\x1b[31m", "score": 0.25},
            ],
            "suggestion": {"steps": [{"formula_id": "formula-a11ce0", "target": "v_rms"}]},
        },
    ),
    1.25,
)


class Asked:
    """Stands in for the answering: gives the outcomes in order and remembers how it was called."""

    def __init__(self, *outcomes: Outcome) -> None:
        self.outcomes = list(outcomes)
        self.calls: list[tuple[str, dict[str, Any]]] = []

    def __call__(
        self,
        _library: Library,
        text: str,
        *,
        planner: str | None = None,
        pinned: Mapping[str, str] | None = None,
        formula: str | None = None,
        unit: str | None = None,
        listener: Callable[[Event], None] | None = None,
        models: object = None,  # noqa: ARG002 - part of what is called
        only_documents: bool | None = None,  # noqa: ARG002 - part of what is called
        assume: bool | None = None,  # noqa: ARG002 - part of what is called
    ) -> Outcome:
        self.calls.append((text, {"planner": planner, "pinned": pinned, "formula": formula, "unit": unit}))
        if listener is not None:
            listener(EVENT)
        return self.outcomes.pop(0)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    with Library(tmp_path / "library"):
        return str(tmp_path / "library")


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Asked]:
    def given(*outcomes: Outcome) -> Asked:
        asked = Asked(*outcomes)
        # As a function, so that the library is passed to it.
        monkeypatch.setattr(Library, "ask", lambda *args, **options: asked(*args, **options), raising=False)
        return asked

    return given


def _run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def _type(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8"))


def test_an_answer_is_a_card_and_the_exit_code_is_zero(
    answers: Callable[..., Asked], folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = answers(RMS_SPEED)
    code, out, err = _run(
        capsys, "ask", " rms speed? ", "--set", "M=28 g/mol", "--set", "T=300K", "--unit", "m/s", "--library", folder
    )
    assert (code, err) == (0, "")
    assert out.startswith("The root mean square speed is 517 m/s.\n")
    assert "\x1b" not in out
    assert asked.calls == [
        (
            "rms speed?",
            {"planner": "rules", "pinned": {"M": "28 g/mol", "T": "300K"}, "formula": None, "unit": "m/s"},
        )
    ]


@pytest.mark.parametrize(("outcome", "code"), [(RMS_SPEED, 0), (CHAT, 0), (MISSING, 1), (UNSURE, 1)])
def test_the_exit_code_tells_a_refusal(
    outcome: Outcome, code: int, answers: Callable[..., Asked], folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    answers(outcome)
    assert _run(capsys, "ask", "x", "--json", "--library", folder)[0] == code


def test_json_is_one_line_of_the_public_object(
    answers: Callable[..., Asked], folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    answers(HOSTILE, HOSTILE)
    for option in (["--json"], ["--format", "json"]):
        code, out, err = _run(capsys, "ask", "x", *option, "--library", folder)
        assert (code, err, out.count("\n")) == (0, "", 1)
        assert out.rstrip("\n").isprintable()
        assert json.loads(out)["outcome"] == "answered"


def test_other_formats(answers: Callable[..., Asked], folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    answers(RMS_SPEED, RMS_SPEED)
    assert "$$v_{" in _run(capsys, "ask", "x", "--format", "markdown", "--library", folder)[1]
    assert "\\begin{tabular}" in _run(capsys, "ask", "x", "--format", "latex", "--library", folder)[1]


def test_the_trace_and_the_reasons_go_to_standard_error(
    answers: Callable[..., Asked], folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    answers(RMS_SPEED)
    code, out, err = _run(capsys, "ask", "x", "--trace", "--explain", "--json", "--library", folder)
    assert code == 0
    assert [event["action"] for event in json.loads(out)["trace"]] == ["RETRIEVE_MATH_KNOWLEDGE"]
    assert err.splitlines() == [
        "1. RETRIEVE_MATH_KNOWLEDGE  formulas are needed",
        '   with {"query": "rms speed\\u001b[2J"}',
        "   → retrieved: 2 formulas found (1.2 ms)",
        "* 1. Root mean square speed  formula-a11ce0, score 1.5",
        "  2. Period�[31m  formula-9e9d00, score 0.25",
        "step 1: Root mean square speed for v_rms",
    ]


def test_the_question_may_come_from_standard_input(
    answers: Callable[..., Asked], folder: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = answers(RMS_SPEED)
    _type(monkeypatch, "rms speed\nat 300 K?\n")
    assert _run(capsys, "ask", "-", "--library", folder)[0] == 0
    assert asked.calls[0][0] == "rms speed\nat 300 K?"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["   "], "there is no question"),
        (["x" * 1_000_000], "has 1,000,000 characters and may have 20,000"),
        (["x", "--set", "m"], "pins no value"),
        (["x", "--set", "m=1", "--set", "m=2"], "m is pinned twice"),
        (["x", "--json", "--format", "latex"], "contradict each other"),
        (["x", "--planner", "oracle"], "is not"),
        ([], "Missing argument"),
    ],
)
def test_wrong_calls_get_one_clear_line(
    arguments: list[str],
    sentence: str,
    answers: Callable[..., Asked],
    folder: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    answers(RMS_SPEED)
    code, out, err = _run(capsys, "ask", *arguments, "--library", folder)
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


def test_a_megabyte_on_standard_input_is_refused(
    answers: Callable[..., Asked], folder: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers(RMS_SPEED)
    _type(monkeypatch, "1 kg " * 250_000)
    code, out, err = _run(capsys, "ask", "-", "--library", folder)
    assert (code, out) == (2, "")
    assert "ask one thing at a time" in err


def test_a_chat_leans_on_the_last_answer(
    answers: Callable[..., Asked], folder: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = answers(RMS_SPEED, RMS_SPEED, RMS_SPEED, CHAT)
    lines = ["rms speed?", "", "and for 400 K?", "what about helium?", "and in km/h?", "why", "hello", "quit", "never"]
    _type(monkeypatch, "\n".join(lines))
    code, out, err = _run(capsys, "chat", "--library", folder)
    assert (code, err) == (0, "")
    assert [text for text, _ in asked.calls] == [
        "rms speed?",
        "What is the rms speed of nitrogen (M = 28.0 g/mol) at 400 K?",
        RMS_SPEED.question,
        "hello",
    ]
    assert asked.calls[1][1]["formula"] == "formula-a11ce0"
    assert asked.calls[2][1]["unit"] == "km/h"
    assert "Only values can be changed in a follow-up" in out
    # The working is shown when asked for, not before.
    assert out.count("Working") == 1
    assert not any(line.startswith(">") for line in out.splitlines())


def test_a_chat_takes_the_missing_value_and_keeps_it(
    answers: Callable[..., Asked], folder: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = answers(MISSING, UNSURE, RMS_SPEED)
    _type(monkeypatch, "How fast?\nT is 300 K\nyes\n")
    code, out, _ = _run(capsys, "chat", "--library", folder)
    assert code == 0
    assert "T = NUMBER K" in out
    assert "mathrag ask" not in out
    assert asked.calls[1] == (
        MISSING.question,
        {"planner": "rules", "pinned": {"T": "300 K"}, "formula": None, "unit": None},
    )
    assert asked.calls[2][1]["pinned"] == {"T": "300 K"}
    assert asked.calls[2][1]["formula"] == "formula-a11ce0"


def test_a_line_that_cannot_be_asked_does_not_end_a_chat(
    answers: Callable[..., Asked], folder: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers(CHAT)
    _type(monkeypatch, f"{'x' * 30_000}\nhello\n")
    code, out, _ = _run(capsys, "chat", "--json", "--library", folder)
    outcomes = [json.loads(line)["outcome"] for line in out.splitlines()]
    assert (code, outcomes) == (0, ["error", "chat"])


def test_a_record_is_written_and_computed_again(
    answers: Callable[..., Asked], folder: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    answers(CHAT)
    record = tmp_path / "answer.json"
    assert _run(capsys, "ask", "hello", "--replay", str(record), "--library", folder)[0] == 0
    assert json.loads(record.read_text())["trace"][0]["action"] == "RETRIEVE_MATH_KNOWLEDGE"
    code, out, _ = _run(capsys, "replay", str(record))
    assert (code, out.splitlines()[0]) == (0, "hello")
    code, out, _ = _run(capsys, "replay", str(record), "--json", "--library", folder)
    assert (code, json.loads(out)["same"]) == (0, True)


@pytest.mark.parametrize("content", [None, b"{", b"[]", b"\xff\xfe\x00", b'{"mathrag_replay": 1}'])
def test_what_is_no_record_is_said_to_be_none(
    content: bytes | None, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / "answer.json").write_bytes(content)
    code, out, err = _run(capsys, "replay", str(tmp_path / "answer.json"))
    assert code in (1, 2)
    assert out == ""
    assert err.count("\n") == 1


@pytest.mark.slow
def test_a_tool_is_written_for_the_symbol_asked(
    tmp_path: Path, folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    notes = tmp_path / "notes.md"
    notes.write_text(
        "# Speed\n\n$$v = \\frac{s}{t}$$\n\nwhere $v$ is the speed in m/s, $s$ the distance in m, $t$ the time in s.\n"
    )
    with Library(folder) as library:
        library.ingest([notes], workers=1)
        (formula,) = library.formulas()
    code, out, _ = _run(capsys, "export-tool", formula.id, "--library", folder)
    assert (code, "notes.md, line 3" in out) == (0, True)
    made = tmp_path / "time.py"
    code, out, _ = _run(capsys, "export-tool", formula.id, "--solve-for", "t", "--out", str(made), "--library", folder)
    assert (code, out) == (0, f"wrote {made}\n")
    assert "def " in made.read_text(encoding="utf-8")
    code, _, err = _run(capsys, "export-tool", formula.id, "--solve-for", "q", "--library", folder)
    assert (code, "no symbol 'q'" in err) == (2, True)


def test_a_tool_needs_a_formula_that_is_there(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = _run(capsys, "export-tool", "no such thing", "--library", folder)
    assert (code, out) == (1, "")
    assert "no such thing" in err
