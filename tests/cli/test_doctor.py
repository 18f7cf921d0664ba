"""`mathrag doctor` and `mathrag completion`: what is there and what is missing; Tab in a real shell."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from llm.faulty_server import FaultyServer
from mathrag.cli import doctor
from mathrag.cli.main import main
from mathrag.library import Library
from mathrag.settings import VARIABLES


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in VARIABLES.values():
        monkeypatch.delenv(variable, raising=False)


def _findings(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, dict[str, dict[str, Any]]]:
    code = main(["doctor", "--json", *map(str, arguments)])
    told = json.loads(capsys.readouterr().out)
    assert told["well"] == (code == 0)
    return code, {one["what"]: one for one in told["findings"]}


def test_a_sound_installation_is_told_to_be_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = _findings(capsys, "--library", tmp_path / "library")
    assert code == 0
    assert found["Python"]["state"] == "good"
    # What is not there yet is optional, and the command that makes it is named.
    assert found["library"]["state"] == "missing"
    assert found["library"]["remedy"].startswith("mathrag ingest --starter")
    assert found["language model"]["state"] == "missing"
    assert "GB free" in found["disk"]["details"]
    with Library(tmp_path / "library"):
        pass
    _, found = _findings(capsys, "--library", tmp_path / "library")
    assert found["library"]["details"].endswith("0 documents, 0 formulas")


def test_a_missing_package_is_named_with_what_it_is_for_and_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    monkeypatch.setitem(sys.modules, "pypandoc", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    code, found = _findings(capsys, "--library", tmp_path)
    assert code == 0
    assert found["extra ocr"]["state"] == "missing"
    assert "rapidocr" in found["extra ocr"]["details"]
    assert (found["extra ocr"]["purpose"], found["extra ocr"]["remedy"]) == (
        "scans and pictures of text",
        "pip install 'mathrag[ocr]'",
    )
    assert found["pandoc"]["remedy"] == "pip install 'mathrag[office]'"
    assert main(["doctor", "--library", str(tmp_path)]) == 0
    assert "optional part" in capsys.readouterr().out


def test_extras_are_those_of_the_package() -> None:
    import tomllib

    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    known = set(project["optional-dependencies"]) - {"dev", "manual", "office"}
    assert set(doctor._EXTRAS) == known


def test_a_broken_library_and_wrong_settings_are_bad(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Library(tmp_path):
        pass
    (tmp_path / "library.sqlite").write_bytes(b"no database" * 1000)
    code, found = _findings(capsys, "--library", tmp_path)
    assert (code, found["library"]["state"]) == (1, "bad")
    monkeypatch.setenv("MATHRAG_LLM_RETRIES", "many")
    code, found = _findings(capsys)
    assert (code, found["settings"]["state"]) == (1, "bad")
    assert "MATHRAG_LLM_RETRIES" in found["settings"]["details"]


def test_a_key_that_others_can_read_is_bad(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "config.toml"
    file.write_text('llm_key = "sk-0123456789"\n')
    file.chmod(0o644)
    monkeypatch.setenv("MATHRAG_CONFIG", str(file))
    code, found = _findings(capsys, "--library", tmp_path)
    assert (code, found["settings file"]["remedy"]) == (1, f"chmod 600 {file}")
    file.chmod(0o600)
    code, found = _findings(capsys, "--library", tmp_path)
    assert (code, found["settings file"]["state"]) == (0, "good")
    assert "sk-0123456789" not in json.dumps(found)


def test_models_are_asked_only_online(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with FaultyServer() as server:
        monkeypatch.setenv("MATHRAG_LLM_URL", server.url)
        monkeypatch.setenv("MATHRAG_LLM_MODEL", "small-one")
        code, found = _findings(capsys, "--library", tmp_path)
        assert code == 0
        assert "--online" in found["language model"]["details"]
        assert not server.requests
        code, found = _findings(capsys, "--online", "--library", tmp_path)
        assert server.requests
        assert (code, found["language model small-one"]["state"]) == (0, "good")
    code, found = _findings(capsys, "--online", "--library", tmp_path)
    assert (code, found["language model small-one"]["state"]) == (1, "bad")


# Completion.

BASH = shutil.which("bash")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_lines(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    out = capsys.readouterr().out
    assert out.startswith("# ")
    assert f"_MATHRAG_COMPLETE={shell}_complete" in out


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (["as"], ["ask"]),
        (["formula", ""], ["parse", "solve", "eval", "check"]),
        (["config", "un"], ["unset"]),
        (["ask", "--pl"], ["--planner"]),
        (["ask", "--planner", "r"], ["rules", "react"]),
        (["completion", "f"], ["fish"]),
    ],
    ids=" ".join,
)
def test_tab_offers_what_can_follow(
    typed: list[str], offered: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # What the lines for bash hand over when Tab is pressed.
    monkeypatch.setenv("_MATHRAG_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", " ".join(["mathrag", *typed]))
    monkeypatch.setenv("COMP_CWORD", str(len(typed)))
    with pytest.raises(SystemExit) as left:
        main([])
    assert left.value.code == 0
    assert capsys.readouterr().out.split() == [f"plain,{word}" for word in offered]


@pytest.mark.skipif(BASH is None, reason="there is no bash")
def test_tab_in_a_real_bash(tmp_path: Path) -> None:
    program = tmp_path / "mathrag"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m mathrag "$@"\n')
    program.chmod(0o755)
    script = (
        'eval "$(mathrag completion bash)"\n'
        "COMP_WORDS=(mathrag ask --planner r); COMP_CWORD=3\n"
        'complete -p mathrag >&2\n_mathrag_completion mathrag\nprintf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    assert BASH is not None
    result = subprocess.run(
        [BASH, "--norc", "-c", script], capture_output=True, text=True, timeout=120, check=True,
        env={**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"},
    )  # fmt: skip
    assert "_mathrag_completion mathrag" in result.stderr
    assert result.stdout.split() == ["rules", "react"]
