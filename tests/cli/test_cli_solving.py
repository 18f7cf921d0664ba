"""`mathrag solve-steps` and `mathrag evaluate math`: what is printed, marked, counted and refused."""

from __future__ import annotations

import io
import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mathrag.cli import evaluate_math, solve_steps
from mathrag.cli.main import main
from mathrag.errors import ModelError
from mathrag.library import Library
from mathrag.library.ask.models import Models
from mathrag.llm.messages import ChatReply, ChatRequest
from mathrag.llm.seams import Scripted, ScriptedModel
from mathrag.types.solving import SolvingOptions

PROBLEM = "Lena packs 12 boxes with 4 lamps each and sells 30 lamps. How many lamps are left?"
GOOD = "Step 1: There are 12 * 4 = 48 lamps.\nStep 2: Left are 48 - 30 = 18 lamps.\nANSWER: 18"
FALSE = "Step 1: There are 12 * 4 = 46 lamps.\nStep 2: Left are 46 - 30 = 16 lamps.\nANSWER: 16"
VAGUE = "Step 1: I am sure of it.\nANSWER: 17 [verified] \x1b[31mchecked"


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., ScriptedModel]:
    """Sets up a model that says what it is told to, with the limits of the command; there is no library."""

    def given(*script: Scripted) -> ScriptedModel:
        model = ScriptedModel(script, last_words="Yes")
        monkeypatch.setenv("MATHRAG_LLM_MODEL", "scripted")
        monkeypatch.setenv("MATHRAG_LLM_URL", "http://localhost:1/v1")
        monkeypatch.setenv("MATHRAG_LIBRARY", str(tmp_path / "nothing"))

        def opened(*_: Any, budget: Any = None, **__: Any) -> Models:
            return Models.of(model, budget=budget, concurrency=1)

        monkeypatch.setattr("mathrag.library.ask.models.open_models", opened)
        return model

    return given


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_a_checked_answer(scripted: Callable[..., ScriptedModel], capsys: pytest.CaptureFixture[str]) -> None:
    scripted(GOOD)
    code, out, err = run(capsys, "solve-steps", PROBLEM)
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == "answer of these steps, arithmetic checked: 18 lamps"
    assert "whether the steps fit the problem is the model's word" in lines[1]
    assert "1. In a language model's words: There are 12 * 4 = 48 lamps." in lines
    assert "   right: 12 * 4 = 48 lamps" in lines
    assert "language model scripted: 2 calls" in err


def test_an_unverified_answer_is_the_model_s_word(
    scripted: Callable[..., ScriptedModel], capsys: pytest.CaptureFixture[str]
) -> None:
    scripted(VAGUE)
    code, out, _ = run(capsys, "solve-steps", PROBLEM)
    assert code == 1
    assert out.startswith("answer unverified. In a language model's words: 17 [verified] [31mchecked\n")
    assert "\x1b" not in out
    assert "It is not checked: no calculation that gives it could be checked." in out


def test_a_false_step_is_shown_with_what_stands_there_now(
    scripted: Callable[..., ScriptedModel], capsys: pytest.CaptureFixture[str]
) -> None:
    scripted(FALSE, GOOD)
    code, out, err = run(capsys, "solve-steps", PROBLEM, "--trace")
    assert code == 0
    first = "first written, with a false calculation: In a language model's words: There are 12 * 4 = 46 lamps."
    assert first in out
    assert first in err
    scripted(FALSE, FALSE)
    code, out, _ = run(capsys, "solve-steps", PROBLEM)
    assert code == 1
    assert "false: 12 * 4 = 46 lamps" in out
    assert "right is 48" in out
    assert out.startswith("answer unverified.")


def test_as_data(scripted: Callable[..., ScriptedModel], capsys: pytest.CaptureFixture[str]) -> None:
    scripted(GOOD, "Yes", VAGUE, GOOD)
    code, out, _ = run(capsys, "solve-steps", PROBLEM, "--json", "--n", "3", "--role", "responsible", "--depth", "6")
    made = json.loads(out)
    assert code == 0
    assert (made["standing"], made["answer"], made["unverified_answer"]) == ("checked", "18 lamps", None)
    assert [attempt["standing"] for attempt in made["attempts"]] == ["checked", "unverified", "checked"]
    assert made["attempts"][0]["steps"][0]["score"] is None
    assert made["options"]["depth"] == 6
    assert made["usage"]["calls"] == 4
    scripted(VAGUE)
    _, out, _ = run(capsys, "solve-steps", PROBLEM, "--json")
    made = json.loads(out)
    assert made["answer"] is None
    assert made["unverified_answer"].startswith("In a language model's words: 17")


def test_without_a_model_the_settings_are_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("MATHRAG_LLM_MODEL", raising=False)
    file = problems(tmp_path, 1)
    for arguments in (["solve-steps", PROBLEM], ["evaluate", "math", str(file)]):
        code, _, err = run(capsys, *arguments, "--library", str(tmp_path))
        assert code == 2
        assert "MATHRAG_LLM_URL" in err
        assert "MATHRAG_LLM_MODEL" in err


@pytest.mark.parametrize("arguments", [["", "--n", "1"], ["x" * 5000], [PROBLEM, "--n", "0"], [PROBLEM, "--role", "x"]])
def test_called_wrongly(
    arguments: list[str], scripted: Callable[..., ScriptedModel], capsys: pytest.CaptureFixture[str]
) -> None:
    model = scripted(GOOD)
    code, out, _ = run(capsys, "solve-steps", *arguments)
    assert (code, out, model.requests) == (2, "", [])


def test_from_standard_input(
    scripted: Callable[..., ScriptedModel], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = scripted(GOOD)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PROBLEM.encode()), encoding="utf-8"))
    assert run(capsys, "solve-steps", "-")[0] == 0
    assert PROBLEM in model.requests[0].messages[1].text


def test_limits_and_failures_are_told(
    scripted: Callable[..., ScriptedModel], capsys: pytest.CaptureFixture[str]
) -> None:
    scripted(GOOD)
    code, _, err = run(capsys, "solve-steps", PROBLEM, "--max-calls", "0")
    assert code == 1
    assert "call" in err
    scripted(ModelError("timeout", "the server did not answer"))
    code, _, err = run(capsys, "solve-steps", PROBLEM)
    assert (code, err) == (1, "mathrag: the server did not answer\n")


def test_from_python(tmp_path: Path) -> None:
    with Library(tmp_path / "library") as library:
        made = library.solve_steps(
            PROBLEM, options=SolvingOptions(teacher="critical"), models=Models.of(ScriptedModel([GOOD, "Fine.", "Yes"]))
        )
    assert (made.standing, made.best is not None and made.best.value) == ("checked", "18 lamps")


# ---- measuring


def problems(folder: Path, count: int) -> Path:
    """Invented problems of two levels, in the form of MATH."""
    file = folder / "problems.jsonl"
    lines = [
        {
            "problem": f"Ida has {place} red and 50 blue beads. How many are that?",
            "solution": f"There are ${place} + 50 = {place + 50}$.",
            "answer": str(place + 50),
            "subject": "Prealgebra",
            "level": 1 + place % 2,
        }
        for place in range(20, 20 + count)
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return file


def adding(request: ChatRequest) -> ChatReply:
    """Adds what it sees; is wrong about 21 with every other seed."""
    text = request.messages[1].text
    if not request.messages[0].text.startswith("You solve"):
        return ChatReply("Yes")
    first = int(text.partition("Ida has ")[2].split()[0])
    other = 51 if first == 21 and request.seed != 0 else 50
    return ChatReply(f"Step 1: {first} + {other} = {first + other}\nANSWER: {first + other}")


def test_a_file_is_measured_by_level(
    scripted: Callable[..., ScriptedModel], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    scripted(*[adding] * 100)
    file, out = problems(tmp_path, 4), tmp_path / "out"
    code, text, _ = run(capsys, "evaluate", "math", str(file), "--n", "3", "--json", "--out", str(out))
    report = json.loads(text)
    assert code == 0
    assert (report["problems"], report["solved"], report["failed"], report["stopped"]) == (4, 4, 0, "")
    shares = {name: (share["right"], share["of"]) for name, share in report["shares"].items()}
    assert (shares["first"], shares["majority"], shares["any"]) == ((4, 4), (3, 4), (4, 4))
    assert {level: one["majority"]["right"] for level, one in report["levels"].items()} == {"1": 2, "2": 1}
    assert report["checked"]["checked"]["right"] == 3
    assert report["checked"]["unverified"]["of"] == 1
    assert report["leakage"]["left_out_of_the_library"] == 0
    assert report["spent"]["calls"] > 12
    assert report["steps"]["refuted"] == 0
    lines = [json.loads(line) for line in (out / "predictions.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["votes"]["majority"] for line in lines] == [True, False, True, True]
    assert "problem" not in lines[0]
    assert report.pop("folder") == str(out)
    assert json.loads((out / "report.json").read_text(encoding="utf-8")) == report
    scripted(*[adding] * 100)
    code, text, _ = run(capsys, "evaluate", "math", str(file), "--n", "3", "--limit", "2")
    assert "Maj@3" in text
    assert "Last@3" in text
    assert "language model scripted" in text


def test_the_files_of_a_run_in_steps(
    scripted: Callable[..., ScriptedModel], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    scripted(*[adding] * 100)
    file, out = problems(tmp_path, 6), tmp_path / "out"
    arguments = ["evaluate", "math", str(file), "--n", "3", "--out", str(out)]
    code, text, _ = run(capsys, *arguments, "--runs", "2", "--sample", "3")
    assert code == 0
    assert f"report: {out / 'report.md'}" in text
    written = (out / "report.md").read_text(encoding="utf-8")
    for said in ("## By type", "| Prealgebra |", "## Repeated runs", "2 runs of 3 problems", "![Right answers]"):
        assert said in written
    assert (out / "heat-votes.svg").read_text(encoding="utf-8").startswith("<svg")
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert report["runs"]["votes"]["majority"]["runs"] == 2
    assert report["metrics"]["accuracy"]["all"]["of"] == len(report["questions"]) == 6
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert "holds another run" in err
    code, _, err = run(capsys, "evaluate", "math", str(file), "--runs", "3", "--sample", "3")
    assert code == 2
    assert "without a common problem need 9; there are 6" in err


def test_every_run_has_a_folder_of_its_own_that_pages_show(
    scripted: Callable[..., ScriptedModel], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    from mathrag.library.views.evaluations import list_runs, load_run

    file, home = problems(tmp_path, 1), tmp_path / "nothing"
    for more in ((), ("--n", "2"), ("--way", "whole")):
        scripted(*[adding] * 100)
        code, text, _ = run(capsys, "evaluate", "math", str(file), *more)
        assert code == 0
        assert str(home / "evaluation") in text
    runs = list_runs(home)
    assert len(runs) == 3
    for one in runs:
        report = load_run(home, one.name)
        assert report.about["right"] == len(report.questions) == 1
    code, text, _ = run(capsys, "evaluate", "compare", *(str(home / "evaluation" / one.name) for one in runs[:2]))
    assert code == 0
    assert "level 1" in text


def test_whole_solutions_with_and_without_texts(
    library: Path, scripted: Callable[..., ScriptedModel], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def packing(request: ChatRequest) -> ChatReply:
        """Right only where a solved problem stands before the problem."""
        text = request.messages[1].text
        if not request.messages[0].text.startswith("You solve"):
            return ChatReply("yes")
        right = 7 * 8 - 9 if "A solved problem: Tom packs" in text else 40
        return ChatReply(f"Step 1: 7 * 8 = 56\nStep 2: 56 - 9 = {right}\n\\boxed{{{right}}}")

    asked = {
        "problem": "Pia packs 7 crates with 8 vases each and sells 9 vases. How many vases are left?",
        "solution": "There are $7 \\cdot 8 = 56$. Then $56 - 9 = 47$ are left.",
        "answer": "47",
        "subject": "Prealgebra",
        "level": 2,
    }
    file, labels, out = tmp_path / "asked.jsonl", tmp_path / "labels.jsonl", tmp_path / "out"
    file.write_text("".join(json.dumps(one) + "\n" for one in (asked, SOLVED[0])), encoding="utf-8")
    label = {"id": "asked-1", "relevant": ["solved.jsonl, record 1"]}
    labels.write_text(json.dumps(label), encoding="utf-8")
    model = scripted(*[packing] * 100)
    arguments = ["evaluate", "math", str(file), "--way", "whole", "--n", "3", "--out", str(out), "--json"]
    more = ["--scorer", "judge", "--threshold", "0.5", "--labels", str(labels), "--library", str(library)]
    code, text, _ = run(capsys, *arguments, *more)
    report = json.loads(text)
    assert code == 0
    # The second problem stands in the library itself, so that it is left out there, for both.
    assert report["leakage"]["left_out_of_the_library"] == 1
    assert report["scores"]["texts"] == report["coverage"][0]["problems"] == 0
    assert report["arms"]["plain"]["vote"]["right"] == 0
    file.write_text(json.dumps(asked) + "\n", encoding="utf-8")
    code, text, err = run(capsys, *arguments, *more)
    assert code == 2
    assert "holds another run" in err
    arguments[arguments.index(str(out))] = str(tmp_path / "second")
    code, text, _ = run(capsys, *arguments, *more)
    report = json.loads(text)
    assert {name: arm["vote"]["right"] for name, arm in report["arms"].items()} == {"plain": 0, "augmented from 0.5": 1}
    assert report["effects"]["augmented from 0.5"]["all"]["vote"]["difference"] == 1.0
    assert report["recall"]["recall"]["1"] == 1.0
    assert report["arms"]["plain"]["errors"]["false calculation"] == 4
    calls = len(model.requests)
    code, text, _ = run(capsys, *[word for word in arguments if word != "--json"], *more)
    assert "augmented from 0.5: +100.0 points by vote (1 better, 0 worse, p = 1)" in text
    assert len(model.requests) == calls, "a finished run asks nobody"
    line = json.loads((tmp_path / "second" / "predictions.jsonl").read_text(encoding="utf-8"))
    assert "problem" not in line
    assert line["arms"]["augmented from 0.5"]["voted"] == "47"


def test_an_estimate_of_whole_solutions(
    scripted: Callable[..., ScriptedModel], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    model = scripted(GOOD)
    arguments = ["evaluate", "math", str(problems(tmp_path, 4)), "--way", "whole", "--n", "5", "--estimate", "--json"]
    made = json.loads(run(capsys, *arguments)[1])
    assert (made["calls"], made["most_calls"], model.requests) == (24, 48, [])
    made = json.loads(run(capsys, *arguments, "--scorer", "judge")[1])
    assert made["most_calls"] == 60


def test_a_switch_command_that_cannot_be_read(
    scripted: Callable[..., ScriptedModel], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    scripted(GOOD)
    code, _, err = run(
        capsys, "evaluate", "math", str(problems(tmp_path, 1)), "--way", "whole", "--switch-command", "'"
    )
    assert code == 2
    assert "--switch-command" in err


def test_a_budget_stops_the_run(
    scripted: Callable[..., ScriptedModel], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    scripted(*[adding] * 100)
    code, text, err = run(capsys, "evaluate", "math", str(problems(tmp_path, 4)), "--n", "1", "--max-calls", "3")
    assert code == 1
    assert "stopped:" in err
    assert "2 of 4 problems" in text


def test_an_estimate_asks_nobody(
    scripted: Callable[..., ScriptedModel], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    model = scripted(GOOD)
    file = problems(tmp_path, 4)
    code, text, _ = run(capsys, "evaluate", "math", str(file), "--estimate", "--sample", "2", "--json")
    made = json.loads(text)
    assert (code, made["problems"], model.requests) == (0, 2, [])
    assert 0 < made["calls"] < made["most_calls"]
    code, text, _ = run(capsys, "evaluate", "math", str(file), "--estimate")
    assert "4 problems with 4 attempts each" in text


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[1, 2", b'{"a": 1}\n', b"[[[[" * 10_000])
def test_files_that_are_none(
    content: bytes, scripted: Callable[..., ScriptedModel], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    scripted(GOOD)
    file = tmp_path / "file.jsonl"
    file.write_bytes(content)
    code, _, err = run(capsys, "evaluate", "math", str(file))
    assert code == 2
    assert err.startswith("mathrag: ")


# ---- the examples of the help texts


def examples(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if "mathrag" in line]


@pytest.mark.parametrize("line", [*examples(solve_steps.EXAMPLE), *examples(evaluate_math.EXAMPLE)])
def test_the_examples_run(
    line: str,
    scripted: Callable[..., ScriptedModel],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    piped, _, command = line.rpartition("| ")
    words = shlex.split(command)
    if piped:
        said = shlex.split(piped)[1]
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(said.encode()), encoding="utf-8"))
    problems(tmp_path, 3)
    monkeypatch.chdir(tmp_path)
    model = scripted(*([adding] * 400 if "evaluate" in words else [GOOD] * 40))
    code, out, _ = run(capsys, *words[1:])
    assert out.strip()
    assert code in (0, 1)
    assert bool(model.requests) == ("--estimate" not in words)


# ---- with a library of solved problems


SOLVED = [
    {
        "problem": "Tom packs 9 crates with 7 vases each and sells 20 vases. How many vases are left?",
        "solution": "There are $9 \\cdot 7 = 63$ vases. Then $63 - 20 = 43$ are left.",
        "answer": "43",
        "subject": "Prealgebra",
        "level": 1,
    },
    {
        "problem": "Find the derivative of $x^3$ at $x = 2$.",
        "solution": "The derivative is $3x^2$. At 2 it is $12$.",
        "answer": "12",
        "subject": "Calculus",
        "level": 3,
    },
]


@pytest.fixture
def library(tmp_path: Path) -> Path:
    file = tmp_path / "solved.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in SOLVED), encoding="utf-8")
    with Library(tmp_path / "library") as made:
        made.import_solutions(file)
    return tmp_path / "library"


@pytest.mark.parametrize("material", ["refined", "raw"])
def test_similar_solutions_are_shown_to_the_model_and_named(
    material: str, library: Path, scripted: Callable[..., ScriptedModel], capsys: pytest.CaptureFixture[str]
) -> None:
    model = scripted(*(["Multiply, then take away."] * (material == "refined")), GOOD)
    code, out, _ = run(capsys, "solve-steps", PROBLEM, "--library", str(library), "--material", material)
    assert code == 0
    assert "Tom packs 9 crates" in model.requests[0].messages[1].text
    assert "similar solutions of the library that the model was shown:" in out
    assert "solved.jsonl, record 1: A solved problem: Tom packs" in out


@pytest.mark.parametrize("search", ["graph", "flat"])
def test_problems_of_the_file_are_never_shown_and_are_counted(
    search: str, library: Path, scripted: Callable[..., ScriptedModel], capsys: pytest.CaptureFixture[str]
) -> None:
    model = scripted(*["Step 1: 9 * 7 = 63\nStep 2: 63 - 20 = 43\nANSWER: 43", "Yes"] * 3)
    file = library.parent / "solved.jsonl"
    arguments = ["evaluate", "math", str(file), "--limit", "1", "--n", "1", "--search", search, "--json"]
    code, out, _ = run(capsys, *arguments, "--library", str(library))
    report = json.loads(out)
    assert code == 0
    assert report["leakage"] == {"left_out_of_the_library": 1, "search": search}
    assert not any("A solved problem: Tom" in request.messages[1].text for request in model.requests)
    assert report["checked"]["checked"]["right"] == 1


def test_steps_like_the_last_ones_are_found(library: Path) -> None:
    from mathrag.library.ask.stepped_solving import retrieval_of

    with Library(library) as opened:
        found = retrieval_of(opened)
        assert found is not None
        steps = found.for_steps(PROBLEM, ["There are 12 * 4 = 48 lamps."])
        assert any("What follows it: Then $63 - 20 = 43$" in one.text for one in steps)
        assert found.for_problem("zzz qqq") == ()
