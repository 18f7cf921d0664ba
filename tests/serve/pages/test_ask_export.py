"""An answer taken along: every format, code that runs by itself and gives the number, a replay file that holds."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ask_makers import TWO_STEPS, ask, fields_of
from serve_makers import QUESTION, csrf_of
from starlette.testclient import TestClient

from mathrag.library.ask.outcomes import replay_file


@pytest.fixture(autouse=True)
def _without_session(client: TestClient) -> None:
    client.cookies.clear()


def exported(client: TestClient, question: str, form: str, **more: str) -> Any:
    fields = fields_of(ask(client, question, **more), form='id="exports"')
    return client.post("/ask/export", data={**fields, "format": form})


def run(code: str) -> str:
    """What a program prints that can import nothing but the standard library."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout


@pytest.mark.parametrize(
    ("form", "file", "part"),
    [
        ("latex", "answer.tex", "\\frac{1}{2}"),
        ("markdown", "answer.md", "**The kinetic energy is 9.00 J.**"),
        ("python", "answer.py", "def compute_E_k(m, v"),
        ("notebook", "answer.ipynb", '"nbformat": 4'),
        ("replay", "answer.replay.json", "Kinetic energy"),
    ],
)
def test_every_format_is_a_file(client: TestClient, form: str, file: str, part: str) -> None:
    reply = exported(client, QUESTION, form)
    assert reply.status_code == 200
    assert reply.headers["content-disposition"] == f'attachment; filename="{file}"'
    assert part in reply.text


def test_python_runs_by_itself(client: TestClient) -> None:
    source = exported(client, QUESTION, "python").text
    assert QUESTION in source
    assert "m=(2, 'kg')" in source
    assert "v=(3, 'm/s')" in source
    assert run(source) == "E_k = 9.0 J\n"


def test_python_of_several_steps_has_the_values_of_each(client: TestClient) -> None:
    source = exported(client, TWO_STEPS, "python").text
    assert "I=(2, 'A')" in source
    assert "R=(5, 'ohm')" in source
    assert run(source).splitlines()[-1] == "P = 20.0 W"


@pytest.mark.parametrize("form", ["markdown", "latex", "python", "notebook"])
def test_what_is_copied_has_its_question(client: TestClient, form: str) -> None:
    assert QUESTION in exported(client, QUESTION, form).text


def test_a_question_with_signs_stays_text_in_markdown(client: TestClient) -> None:
    fields = {"csrf": csrf_of(client.get("/").text), "format": "markdown"}
    asked = json.dumps({"question": "What is the *kinetic* <b>energy</b>\n# of it?"})
    text = client.post("/ask/export", data={**fields, "asked": asked}).text
    assert text.startswith("> What is the \\*kinetic\\* \\<b\\>energy\\</b\\> \\# of it?\n")


@pytest.mark.parametrize(
    ("question", "printed"),
    [
        (QUESTION, ["E_k = 9.0 J"]),
        (TWO_STEPS, ["V = 10 V", "P = 20 W"]),
        ("At what speed does 2 kg have a kinetic energy of 9 J?", ["v = 3.0 m/s"]),
        ("What is the kinetic energy of 2000 g at 10.8 km/h?", ["E_k = 9.0 J"]),
        ("how much work does 3 C do at 5 V?", ["W_h = 15 J"]),
    ],
)
def test_a_notebook_is_valid_and_its_code_gives_the_number(
    client: TestClient, question: str, printed: list[str]
) -> None:
    notebook = json.loads(exported(client, question, "notebook").text)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    for cell in notebook["cells"]:
        assert isinstance(cell["source"], list)
        if cell["cell_type"] == "code":
            assert (cell["outputs"], cell["execution_count"]) == ([], None)
    words = "".join("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "markdown")
    assert question in words.replace("\\", "")
    assert "<script" not in words.replace("\\<", "")
    code = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    lines = run("\n\n".join(code)).splitlines()
    assert [_rounded(line) for line in lines] == [_rounded(line) for line in printed]


def _rounded(line: str) -> tuple[str, float, str]:
    name, value, unit = line.replace("= ", "").split(" ")
    return name, round(float(value), 9), unit


def test_every_cell_of_a_chain_can_be_run_again(client: TestClient) -> None:
    notebook = json.loads(exported(client, TWO_STEPS, "notebook").text)
    first, second = ("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code")
    assert run("\n\n".join((first, second, first, second))).splitlines()[-1] == "P = 20.0 W"


def test_the_replay_file_holds(client: TestClient, tmp_path: Path) -> None:
    path = tmp_path / "answer.json"
    path.write_text(exported(client, TWO_STEPS, "replay").text, encoding="utf-8")
    assert replay_file(path).is_same


def test_set_values_are_in_what_is_taken_along(client: TestClient) -> None:
    reply = exported(client, "What is the kinetic energy of a body at 3 m/s?", "markdown", **{"pin.m": "4 kg"})
    assert "18.0 J" in reply.text


def test_an_unknown_format_is_a_problem(client: TestClient) -> None:
    fields = fields_of(ask(client, QUESTION), form='id="exports"')
    assert client.post("/ask/export", data={**fields, "format": "exe"}).status_code == 422
    assert client.post("/ask/export", data={"csrf": fields["csrf"], "format": "latex"}).status_code == 422


def test_what_was_not_answered_has_no_code(client: TestClient) -> None:
    fields = fields_of(ask(client, QUESTION), form='id="exports"')
    fields["asked"] = json.dumps({"question": "What is the kinetic energy of 2 kg?"})
    assert client.post("/ask/export", data={**fields, "format": "notebook"}).status_code == 422
