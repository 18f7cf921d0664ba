"""Worksheets in a library: kept, citing its formulas, written in other formats that stand on their own."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pypdfium2
import pytest
from click.testing import CliRunner

from mathrag.cli.main import cli
from mathrag.errors import LibraryError, UsageError
from mathrag.library import Library
from mathrag.library.worksheets.exports import BROWSERS, ENGINES, FORMATS, exported_worksheet, pdf_bytes
from mathrag.library.worksheets.opening import EXAMPLE, computed_alone, worksheet_file
from mathrag.store.truth.schema import CURRENT_VERSION, MIGRATIONS, migrate, schema_version

NOTE = (
    "# Kinetic energy\n\nThe kinetic energy is $E_k = \\frac{1}{2} m v^2$, where $E_k$ is the kinetic energy in J, "
    "$m$ is the mass in kg and $v$ is the speed in m/s.\n"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("sheets")
    (place / "note.md").write_text(NOTE, encoding="utf-8")
    with Library(place / "library") as library:
        library.ingest([place / "note.md"])
    return place / "library"


def test_lines_cite_formulas_and_ask(folder: Path) -> None:
    with Library(folder) as library:
        results = library.worksheet(
            "m = 2.0 ± 0.1 kg\nE = [kinetic energy](m, v=3 m/s)\n"
            "Q = ? What is the kinetic energy of a body with mass {m} and speed 3 m/s?\nv = [kinetic energy](m, E_k=Q)"
        )
        (link,) = results.lines[1].links
        assert library.formula(link.formula).label == "Kinetic energy"
        assert results.values["E"].value == pytest.approx(9.0)
        assert results.values["E"].uncertainty == pytest.approx(0.45)
        assert results.values["Q"].value == pytest.approx(9.0)
        assert results.lines[2].links == (link,)
        assert results.values["v"].value == pytest.approx(3.0)


def test_worksheets_are_kept_replaced_and_removed(tmp_path: Path) -> None:
    with Library(tmp_path) as library:
        library.save_worksheet("Beam", "a = 2 m\n")
        library.save_worksheet("  Beam ", "a = 3 m\n")
        assert [(each.name, each.text) for each in library.worksheets()] == [("Beam", "a = 3 m\n")]
        assert library.check() == []
        library.rebuild()
        assert library.saved_worksheet("Beam").text == "a = 3 m\n"
        assert library.sql("SELECT name FROM worksheets").rows == (("Beam",),)
        library.remove_worksheet("Beam")
        with pytest.raises(LibraryError, match="no worksheet called 'Beam'"):
            library.saved_worksheet("Beam")
        for name in ("", "a/b", "x" * 101, "a\x00b"):
            with pytest.raises(UsageError, match="a name of 1 to 100"):
                library.save_worksheet(name, "")
        with pytest.raises(UsageError, match="at most 500 lines"):
            library.save_worksheet("long", "x = 1\n" * 501)


def test_a_library_of_the_version_before_gets_its_table() -> None:
    import sqlite3

    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrate(connection, MIGRATIONS[: CURRENT_VERSION - 1])
    assert schema_version(connection) == CURRENT_VERSION - 1 == 12
    assert migrate(connection) == 1
    assert connection.execute("SELECT count(*) FROM worksheets").fetchone() == (0,)


def _printed(program: bytes, tmp_path: Path) -> list[str]:
    file = tmp_path / "program.py"
    file.write_bytes(program)
    done = subprocess.run([sys.executable, "-I", str(file)], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


SHEET = (
    EXAMPLE + "m = 2*m\nE = m*v^2/2 -> kJ\nT = -5 degC\nT -> K\nn = 60 ± 6 rpm\nf = n -> Hz\nz = v - v\nq = 3 m + 2 s\n"
)


def test_a_program_prints_the_numbers_of_the_sheet(tmp_path: Path) -> None:
    results = computed_alone(SHEET)
    printed = _printed(exported_worksheet(results, "python", title='Sheet """ \\ of\nlines'), tmp_path)
    definitions = [each for line in results.lines for each in line.definitions]
    assert len(printed) == len(definitions) > 10
    for line, each in zip(printed, definitions, strict=True):
        name, _, rest = line.partition(" = ")
        words = rest.split()
        assert name == (each.name or "value")
        assert float(words[0]) == pytest.approx(float(each.quantity.value), rel=1e-5, abs=1e-12)
        spread = each.shown.uncertainty
        assert ("±" in words) == (spread is not None)
        if spread is not None:
            assert float(words[2]) == pytest.approx(spread, rel=0.06, abs=1e-12)


def test_a_notebook_is_valid_and_its_program_runs(tmp_path: Path) -> None:
    made = json.loads(exported_worksheet(computed_alone(SHEET), "notebook"))
    assert (made["nbformat"], made["nbformat_minor"]) == (4, 5)
    kinds = {"markdown": {"cell_type", "id", "metadata", "source"}}
    kinds["code"] = kinds["markdown"] | {"execution_count", "outputs"}
    assert all(set(cell) == kinds[cell["cell_type"]] for cell in made["cells"])
    assert len({cell["id"] for cell in made["cells"]}) == len(made["cells"])
    assert _printed(made["cells"][-1]["source"].encode(), tmp_path)


def test_markdown_shows_calculations_errors_and_links(folder: Path) -> None:
    with Library(folder) as library:
        results = library.worksheet(
            "# Energy\nE = [kinetic energy](m=2 kg, v=3 m/s)\nx = 2 kg + 3 m\nplot y^2 for y = 0 .. 1"
        )
        text = exported_worksheet(results, "markdown").decode()
        formula = results.lines[1].links[0].formula
    assert f"[Kinetic energy](/formulas/{formula})" in text
    assert "$$ E = " in text
    assert "**Line 3: 2 \\[kg\\] and 3 \\[m\\] cannot be added" in text
    assert "data:image/svg+xml;base64," in text
    assert "```text\n# Energy\n" in text


HOSTILE = (
    '# \\input{/etc/passwd} $x$ <script>alert(1)</script>\n" \\write18{ls} & % # _ ^ ~ {\n" ``` ](javascript:1)\nx = 3'
)


def test_words_stay_words_in_every_format() -> None:
    results = computed_alone(HOSTILE)
    latex = exported_worksheet(results, "latex").decode()
    assert "\\input{" not in latex
    assert "\\write18{" not in latex
    assert latex.count("{") - latex.count("\\{") == latex.count("}") - latex.count("\\}")
    assert latex.count("\\begin{") == latex.count("\\end{")
    assert "<script" not in exported_worksheet(results, "html").decode()
    for form in FORMATS:
        if form != "pdf":
            assert exported_worksheet(results, form, title=HOSTILE)


def test_latex_of_the_example_is_well_formed() -> None:
    latex = exported_worksheet(computed_alone(EXAMPLE), "latex").decode()
    assert latex.count("\\begin{") == latex.count("\\end{")
    assert latex.count("\\[") == latex.count("\\]") > 8
    assert "\\addplot" in latex


def test_without_a_browser_or_latex_a_pdf_says_what_is_missing() -> None:
    with pytest.raises(UsageError, match="a PDF needs one of chromium"):
        pdf_bytes(computed_alone("x = 1"), title="x", find=lambda name: None if name else "")
    with pytest.raises(UsageError, match="choose markdown"):
        exported_worksheet(computed_alone("x = 1"), "word")


HAS_PRINTER = any(map(shutil.which, (*BROWSERS, *ENGINES)))


@pytest.mark.skipif(not HAS_PRINTER, reason="neither chromium nor a LaTeX engine is installed")
def test_a_pdf_shows_words_calculations_and_plots(tmp_path: Path) -> None:
    (tmp_path / "sheet.txt").write_text(EXAMPLE + '" <script>document.title = "run"</script>\n', encoding="utf-8")
    told = CliRunner().invoke(
        cli,
        ["worksheet", "export", str(tmp_path / "sheet.txt"), "--format", "pdf", "--out", str(tmp_path / "sheet.pdf")],
        standalone_mode=False,
    )
    assert told.exception is None, told.exception
    printed = pypdfium2.PdfDocument(tmp_path / "sheet.pdf")
    try:
        words = "\n".join(page.get_textpage().get_text_range() for page in printed)
    finally:
        printed.close()
    assert "A car brakes" in words
    assert "(437 ± 17) kJ" in words.replace("\u2009", " ").replace("\xa0", " ")
    assert "How sure is it?" in words
    assert "d (m)" in words
    assert "<script>" in words


def test_a_program_that_makes_no_pdf_is_named_with_what_it_said(tmp_path: Path) -> None:
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\necho 'no display here' >&2\nexit 3\n", encoding="utf-8")
    broken.chmod(0o755)
    with pytest.raises(UsageError, match="chromium made no PDF of the worksheet: no display here; write html"):
        pdf_bytes(computed_alone("x = 1"), title="x", find={"chromium": str(broken)}.get)


def test_the_commands(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    runner, here = CliRunner(), ["--library", str(folder)]

    def run(*words: str) -> str:
        done = runner.invoke(cli, ["worksheet", *words], standalone_mode=False)
        assert done.exception is None, done.exception
        return done.output

    assert "wrote car.txt" in run("new", "car.txt")
    assert Path("car.txt").read_text(encoding="utf-8") == EXAMPLE
    with pytest.raises(UsageError, match="cannot be written"):
        runner.invoke(cli, ["worksheet", "new", "car.txt"], standalone_mode=False, catch_exceptions=False)
    assert "E = m v² / 2 = 1200 kg × (27 m/s)² / 2 = (437 ± 17) kJ" in run("run", "car.txt")
    assert run("save", "car.txt", "Car", *here) == "saved Car\n"
    assert run("list", *here).startswith("Car ")
    assert run("show", "Car", *here) == EXAMPLE
    lines = [json.loads(line) for line in run("run", "Car", "--json", *here).splitlines()]
    assert lines[8]["values"]["E"]["unit"] == "kJ"
    assert "wrote car.md" in run("export", "Car", "--format", "markdown", "--out", "car.md", *here)
    assert run("remove", "Car", *here) == "removed Car\n"
    Path("bad.txt").write_text("x = 2 kg\ny = x + *\n", encoding="utf-8")
    told = runner.invoke(cli, ["worksheet", "run", "bad.txt"], standalone_mode=False)
    assert told.return_value == 1
    assert "y = x + *\n              ^\n      error: " in told.output


def test_files_that_are_no_worksheets_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "b").write_bytes(b"x" * 500_000)
    for name, words in (("a", "no text"), ("b", "too long"), ("c", "cannot be read")):
        with pytest.raises(UsageError, match=words):
            worksheet_file(tmp_path / name)
