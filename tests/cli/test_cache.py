"""`mathrag cache` shows and clears what is kept; the options of limits reach a command as one value."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from mathrag.cli.main import main
from mathrag.cli.options import ModelOptions, model_options
from mathrag.errors import UsageError
from mathrag.store.truth.replies import FILE_NAME, Replies


@pytest.fixture
def library(tmp_path: Path) -> Path:
    (tmp_path / "library.sqlite").touch()
    with Replies(tmp_path, now=lambda: 1_700_000_000.0) as replies:
        replies.put("1", "x" * 2000, model="small", role="extract")
        replies.put("2", "y", model="large", role="judge")
    return tmp_path


def _run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_status_for_people(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = _run(capsys, "cache", "--library", str(library))
    assert code == 0
    lines = out.splitlines()
    assert lines[0].startswith(f"2 replies in {library / FILE_NAME}, ")
    assert lines[1] == "  from 2023-11-14 22:13:20 UTC to 2023-11-14 22:13:20 UTC"
    assert [line.split() for line in lines[2:]] == [
        ["large", "judge", "1", "1", "B"],
        ["small", "extract", "1", "2.0", "kB"],
    ]


def test_status_as_json(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = _run(capsys, "cache", "status", "--json", "--library", str(library))
    assert code == 0
    status = json.loads(out)
    assert status["entries"] == 2
    assert status["bytes"] > 2000
    assert status["kept"][0] == {"model": "large", "role": "judge", "entries": 1, "bytes": 1}


def test_clearing(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = ("--library", str(library))
    assert _run(capsys, "cache", "clear", "--model", "nobody", *where)[1] == "cleared 0 replies\n"
    assert _run(capsys, "cache", "clear", "--model", "small", *where)[1] == "cleared 1 reply\n"
    assert json.loads(_run(capsys, "cache", "clear", "--older-than", "1", "--json", *where)[1])["cleared"] == 1
    assert _run(capsys, "cache", *where)[1] == f"no replies are kept in {library}\n"


def test_a_damaged_file_names_the_way_out_and_the_way_works(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (library / FILE_NAME).write_bytes(b"damaged " * 1000)
    code, _, err = _run(capsys, "cache", "--library", str(library))
    assert code == 1
    assert "mathrag cache clear" in err
    assert _run(capsys, "cache", "clear", "--library", str(library))[0] == 0
    assert _run(capsys, "cache", "--library", str(library))[0] == 0


def test_calling_it_wrongly(library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(capsys, "cache", "--model", "small", "--library", str(library))[0] == 2
    assert _run(capsys, "cache", "empty", "--library", str(library))[0] == 2
    code, _, err = _run(capsys, "cache", "--library", str(tmp_path / "none"))
    assert code == 1
    assert "no library" in err


@click.command()
@click.argument("word")
@model_options(estimate=True)
def _estimating(word: str, models: ModelOptions) -> None:
    budget = models.budget()
    click.echo(f"{word} {models.maximal_cost} {models.maximal_calls} {models.estimate} {budget is None}")


@click.command()
@model_options()
def _asking(models: ModelOptions) -> None:
    click.echo(str(models))


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (["w"], "w None None False True"),
        (["w", "--max-cost", "0.5"], "w 0.5 None False False"),
        (["w", "--max-calls", "0", "--estimate"], "w None 0 True False"),
    ],
)
def test_limits_reach_the_command(arguments: list[str], printed: str) -> None:
    assert CliRunner().invoke(_estimating, arguments).output.strip() == printed


def test_estimate_is_there_only_where_asked_for() -> None:
    assert "--estimate" not in CliRunner().invoke(_asking, ["--help"]).output
    assert CliRunner().invoke(_asking, ["--estimate"]).exit_code == 2
    assert CliRunner().invoke(_asking, ["--max-calls", "-1"]).exit_code == 2
    assert isinstance(CliRunner().invoke(_estimating, ["w", "--max-cost", "nan"]).exception, UsageError)
