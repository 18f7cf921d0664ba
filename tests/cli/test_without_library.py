"""`mathrag ask` and `chat` of somebody who has no documents yet."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from mathrag.cli.main import main


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder without a library in it."""
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.delenv("MATHRAG_LIBRARY", raising=False)
    monkeypatch.setenv("MATHRAG_HANDBOOK", "yes")
    return tmp_path


def test_built_in_knowledge_answers_and_nothing_stays_behind(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "What is the kinetic energy of 3 kg at 4 m/s?"]) == 0
    printed = capsys.readouterr()
    assert "24.0 J" in printed.out
    assert "built-in knowledge: Kinetic energy" in printed.out
    assert "no documents yet" in printed.err
    assert not list(place.iterdir())


def test_a_conversation_needs_no_documents(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("15% tip on $48\n"))
    assert main(["chat"]) == 0
    assert "7.20 USD" in capsys.readouterr().out
    assert not list(place.iterdir())


@pytest.mark.parametrize(
    "options", [["--only-documents"], ["--library", "nowhere"], ["--replay", "steps.json"]], ids=lambda each: each[0]
)
def test_who_wants_documents_is_told_that_there_are_none(
    options: list[str], place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place)
    assert main(["ask", "What is the kinetic energy of 3 kg at 4 m/s?", *options]) == 1
    printed = capsys.readouterr()
    assert "there is no library in" in printed.err
    assert not printed.out


def test_a_library_that_the_settings_name_must_be_there(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MATHRAG_LIBRARY", str(place / "mine"))
    assert main(["ask", "What is the kinetic energy of 3 kg at 4 m/s?"]) == 1
    assert "there is no library in" in capsys.readouterr().err
