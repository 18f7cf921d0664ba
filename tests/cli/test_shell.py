"""The command line as people expect it: near names are suggested, tables fit the screen, runs tell what they do, and
no run overwrites another."""

from __future__ import annotations

import io
import json
import shutil
import sys
from pathlib import Path

import pytest

from llm.faulty_server import FaultyServer
from mathrag.cli.main import COMMANDS, GROUPS, main
from mathrag.library import Library
from mathrag.library.views.evaluations import fresh_results_folder

SMALL_SET = Path(__file__).parents[1] / "evaluate" / "data" / "small"
NOTE = "# Motion\n\nThe kinetic energy is $E_k = \\frac{1}{2} m v^2$, where $m$ is the mass and $v$ the speed.\n"


def _run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    code = main([str(one) for one in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("aks", "x"), "did you mean ask?"),
        (("ingets",), "did you mean ingest?"),
        (("formula", "evl", "x"), "did you mean eval?"),
        (("evaluate", "formula_qa"), "did you mean formula-qa"),
        (("convert", "60 mph"), "did you mean mathrag quantity convert?"),
        (("evaluate", "formula"), "did you mean mathrag formula?"),
        (("ask", "--librry", "x", "y"), "did you mean --library?"),
        (("formula", "eval", "--unti", "m", "x"), "did you mean --unit?"),
        (("--debg", "ask"), "did you mean --debug?"),
    ],
)
def test_a_name_that_is_nearly_right_gets_the_right_one(
    words: tuple[str, ...], meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = _run(capsys, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert meant in err
    assert "See mathrag" in err


def test_every_command_is_found_by_its_name_with_two_letters_swapped(capsys: pytest.CaptureFixture[str]) -> None:
    for group, commands in (("", COMMANDS), *GROUPS.items()):
        for name in commands:
            if len(name) > 3:
                wrong = name[0] + name[2] + name[1] + name[3:]
                code, _, err = _run(capsys, *([group] if group else []), wrong)
                assert code == 2
                assert name in err or wrong == name


def test_what_resembles_nothing_gets_no_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(capsys, "qqqq") == (2, "", "mathrag: there is no command qqqq; see mathrag --help\n")


# Paths that lead nowhere.


@pytest.mark.parametrize(
    "words",
    [
        ("replay",), ("import",), ("check-solution",), ("ingest",), ("evaluate", "votes"), ("evaluate", "m3sciqa"),
        ("evaluate", "problems"), ("evaluate", "formula-reasoning"), ("evaluate", "retrieval"), ("evaluate", "quality"),
        ("evaluate", "math"), ("evaluate", "methods"),
    ],
)  # fmt: skip
def test_a_mistyped_file_is_named_with_the_nearest(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "answers.json").write_text("{}")
    code, out, err = _run(capsys, *words, tmp_path / "anwsers.json")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"there is no file or folder {tmp_path / 'anwsers.json'}; did you mean answers.json?" in err


def test_a_mistyped_folder_within_a_path_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "results" / "before").mkdir(parents=True)
    code, _, err = _run(capsys, "evaluate", "compare", tmp_path / "resluts" / "before", tmp_path)
    assert code == 2
    assert f"(the folder {tmp_path} has no resluts); did you mean results?" in err


@pytest.mark.slow
def test_a_mistyped_path_is_no_failure_of_the_library(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.md").write_text(NOTE)
    library = tmp_path / "my-library"
    code, _, err = _run(capsys, "ingest", tmp_path / "nots.md", "--library", library)
    assert code == 2
    assert "did you mean notes.md?" in err
    # No library is made for a typing error.
    assert not library.exists()
    code, _, err = _run(capsys, "ingest", tmp_path / "nots.md", tmp_path / "notes.md", "--library", library)
    assert code == 1
    assert err.count("there is no file or folder") == 1
    assert "did you mean notes.md?" in err
    with Library(library) as opened:
        assert not opened.failures()
        assert len(opened.documents()) == 1
    assert _run(capsys, "status", "--library", library)[0] == 0


def test_a_mistyped_library_is_named_with_the_nearest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Library(tmp_path / "my-library"):
        pass
    code, _, err = _run(capsys, "status", "--library", tmp_path / "my-libary")
    assert code == 1
    assert "did you mean my-library? Make one with" in err


# Tables on a screen of 80 columns.


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with formulas, constants, concepts, conflicts and long names."""
    folder = tmp_path_factory.mktemp("screen")
    long_name = f"{'a-very-long-name-' * 4}notes.md"
    (folder / long_name).write_text(f"{NOTE}\nThe speed of light is $c = 299792458$ m/s.\n")
    (folder / "other.md").write_text("# Other\n\nThe speed of light is $c = 299792000$ m/s.\n")
    with Library(folder / "my-library") as library:
        report = library.ingest([folder / long_name, folder / "other.md", Library.openmath_folder() / "arith1.ocd"])
        assert not report.failed
    return folder / "my-library"


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("status",),
        ("concepts",),
        ("concepts", "arith1"),
        ("concepts", "--checks"),
        ("search", "kinetic energy of a moving body"),
        ("search", "sum", "--kind", "concept"),
        ("cache",),
        ("sql", "SELECT * FROM formulas"),
        ("sql", "SELECT label, latex, id FROM formulas"),
        ("sql", "SELECT text FROM chunks"),
        ("sparql", "SELECT ?s ?p ?o WHERE { ?s ?p ?o } LIMIT 20"),
        ("doctor",),
        ("config", "show"),
    ],
    ids=" ".join,
)
def test_lists_fit_a_screen_of_80_columns(
    words: tuple[str, ...], library: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(library.parent)
    where = () if words[0] == "config" else ("--library", "my-library")
    code, out, err = _run(capsys, *words, *where)
    assert (code, err) == (0, "")
    assert out.strip()
    assert [line for line in out.splitlines() if len(line) > 80] == []


@pytest.mark.soak
@pytest.mark.parametrize("columns", ["80", "60"])
def test_the_table_of_reading_fits_the_screen(
    columns: str, library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.chdir(library.parent)
    code, out, err = _run(capsys, "ingest", *sorted(Path().glob("*.md")), "--library", tmp_path / "other")
    assert (code, err) == (0, "")
    lines = [line for line in out.splitlines() if not line.startswith("conflict: ")]
    assert max(map(len, lines)) <= int(columns)
    assert "  1 formulas, 1 executable, 1 constants" in lines
    # With room it is a table.
    monkeypatch.setenv("COLUMNS", "160")
    _, out, _ = _run(capsys, "ingest", *sorted(Path().glob("*.md")), "--library", tmp_path / "other", "--force")
    assert out.startswith("file ")


@pytest.mark.soak
def test_tables_of_evaluations_fit_the_screen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    for out in ("before", "after"):
        code, printed, _ = _run(
            capsys, "evaluate", "formula-qa", SMALL_SET, "--limit", "4", "--workers", "1", "--out", out
        )
        assert code == 0
        assert max(map(len, printed.splitlines())) <= 80
    code, printed, _ = _run(capsys, "evaluate", "compare", "before", "after")
    assert code == 0
    assert max(map(len, printed.splitlines())) <= 80
    shutil.copytree(SMALL_SET.parent / "papers", tmp_path / "papers")
    (tmp_path / "samples.jsonl").write_text(
        json.dumps({"id": "half", "gt": "1/2", "pred": ["2", "0.5"], "pred_score": [[0.9], [0.2]]}) + "\n"
    )
    code, printed, _ = _run(capsys, "evaluate", "votes", "samples.jsonl")
    assert code == 0
    assert max(map(len, printed.splitlines())) <= 80


# Progress.


@pytest.mark.slow
def test_reading_tells_the_names_of_files_where_that_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes.md").write_text(NOTE)
    _, _, err = _run(capsys, "ingest", tmp_path / "notes.md", "--library", tmp_path / "library", "--progress")
    assert err == "1 of 1: added: notes.md\n"
    _, _, err = _run(capsys, "ingest", tmp_path / "notes.md", "--library", tmp_path / "library")
    assert err == ""


def test_asking_a_model_is_told_before_it_answers(
    library: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    question = ("ask", "Wie warm ist es?", "--planner", "react", "--library", library)
    with FaultyServer() as server:
        monkeypatch.setenv("MATHRAG_LLM_URL", server.url)
        monkeypatch.setenv("MATHRAG_LLM_MODEL", "small-one")
        monkeypatch.setenv("MATHRAG_LLM_RETRIES", "0")
        _, _, err = _run(capsys, *question, "--progress")
        assert "asking the language model small-one, call 1: it works out the next step…\n" in err
        _, _, err = _run(capsys, *question)
        assert "asking the language model" not in err
    _, _, err = _run(capsys, "ask", "2 + 2", "--planner", "rules", "--progress", "--library", library)
    assert err == ""


class _Terminal(io.StringIO):
    """What is written as if to a screen, of any length, for the bar draws itself ten times a second."""

    def isatty(self) -> bool:
        return True


def test_on_a_terminal_progress_shows_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "notes.md").write_text(NOTE)
    # Not in the environment itself: for another one, what reads documents is loaded anew.
    monkeypatch.setattr("rich.console.Console._environ", {"TERM": "xterm", "COLUMNS": "80"})
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert main(["ingest", str(tmp_path / "notes.md"), "--library", str(tmp_path / "library")]) == 0
    assert "notes.md" in terminal.getvalue()


# Results of evaluations.


@pytest.mark.soak
def test_no_run_overwrites_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ("evaluate", "formula-qa", SMALL_SET, "--limit", "2", "--workers", "1", "--library", tmp_path)
    folders = []
    for _ in range(2):
        code, out, _ = _run(capsys, *command, "--json")
        assert code == 0
        folders.append(Path(json.loads(out)["folder"]))
    assert folders[1].name == f"{folders[0].name}-2"
    assert all((folder / "report.json").is_file() for folder in folders)
    _, out, _ = _run(capsys, *command)
    assert out.splitlines()[-1] == f"report: {folders[0]}-3/report.md"


@pytest.mark.parametrize(
    ("report", "number"),
    [
        (None, 1),
        ({"metrics": {}}, 2),
        ({"language_model": {"stopped_by_budget": True}}, 1),
        ({"stopped": "2 problems are left"}, 1),
        ({"stopped": ""}, 2),
        ([], 2),
    ],
)
def test_a_run_goes_on_only_where_it_was_stopped(report: object, number: int, tmp_path: Path) -> None:
    first = tmp_path / "set-rules-0"
    first.mkdir()
    if report is not None:
        (first / "report.json").write_text(json.dumps(report))
    assert fresh_results_folder(first).name == ("set-rules-0" if number == 1 else "set-rules-0-2")


def test_a_report_that_cannot_be_read_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "report.json").write_text("{")
    assert fresh_results_folder(tmp_path / "run").name == "run-2"
