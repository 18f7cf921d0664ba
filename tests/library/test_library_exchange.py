"""Libraries that leave and come back: Turtle exactly, other formats so that other programs can read them."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import zipfile
from pathlib import Path

import pytest
from library_makers import dump, exact_rows, formula_note, mathrag, write

from mathrag.library import Library
from turtle_files import without_digests

FORMATS = ("turtle", "jsonld", "csv", "latex", "markdown")


@pytest.fixture(scope="module")
def rich(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with corrections, worksheets and a file that failed twice."""
    folder = tmp_path_factory.mktemp("rich")
    shutil.copytree(made, folder / "library")
    (folder / "bad.md").write_bytes(b"\x00\x01\xff\xfe" * 100)
    with Library(folder / "library") as library:
        library.ingest([folder / "bad.md"])
        library.ingest([], retry=True)
        changes = [("label", "Impetus"), ("symbol.p.unit", "N s")]
        library.edit("Momentum", changes, author="Ada", note="odd “quotes” \\ \n")
        library.edit("Work", [("status", "quarantined")], author="Émilie")
        library.save_worksheet(
            "Braking: 2 % “dry”", '# Car\n" \\ <b> \u200b =SUM(A1)\nv = 27.0 ± 0.5 m/s\n\nE = v^2\r\n'
        )
        library.save_worksheet("=empty", "")
    return folder / "library"


@pytest.fixture(scope="module")
def exported(rich: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That library in every format."""
    folder = tmp_path_factory.mktemp("exported")
    for form in FORMATS:
        ran = mathrag("export", "--format", form, "--out", folder / form, "--library", rich)
        assert (ran.code, ran.out) == (0, f"wrote {folder / form}\n"), ran.err
    return folder


def test_turtle_comes_back_exactly(rich: Path, exported: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    ran = mathrag("import", exported / "turtle", "--library", again, "--json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.objects == [
        {
            "documents": 4,
            "documents_changed": 4,
            "corrections_added": 3,
            "worksheets_added": 2,
            "worksheets_not_replaced": 0,
            "foreign_statements_ignored": 0,
            "digests_compared": len(re.findall("mathrag:digest ", (exported / "turtle").read_text())),
        }
    ]
    assert dump(again) == dump(rich)
    assert mathrag("export", "--format", "turtle", "--library", again).out == (exported / "turtle").read_text()
    with Library(again) as library, Library(rich) as original:
        assert library.check() == []
        assert library.failures() == original.failures()
        assert library.worksheets() == original.worksheets()
        assert len(library.worksheets()) == 2
        assert [correction for _, correction in library.corrections()] == [one for _, one in original.corrections()]
        assert [info.ingested_at for info in library.documents()] == [one.ingested_at for one in original.documents()]
    # The same again changes nothing.
    before = exact_rows(again)
    assert mathrag("import", exported / "turtle", "--library", again, "--json").objects[0]["documents_changed"] == 0
    assert exact_rows(again) == before


def test_imported_documents_are_not_read_again(exported: Path, documents: Path, tmp_path: Path) -> None:
    with Library(tmp_path / "library") as library:
        library.import_turtle(exported / "turtle")
        report = library.ingest([documents / "mechanics.md", documents / "waves.md"])
        assert [file.state for file in report.files] == ["unchanged", "unchanged"]


def test_an_import_joins_what_is_there(exported: Path, tmp_path: Path) -> None:
    notes = write(tmp_path / "notes", {"more.md": formula_note("Force", "F = m a", "$m$ is the mass in kg")})
    with Library(tmp_path / "library") as library:
        library.ingest([notes])
        library.import_turtle(exported / "turtle")
        assert len(library.documents()) == 5
        assert len(library.formula("Newton's second law").spans) == 2
        assert library.check() == []


def test_a_worksheet_that_is_here_is_not_replaced(exported: Path, tmp_path: Path) -> None:
    with Library(tmp_path / "library") as library:
        library.save_worksheet("=empty", "x = 1\n")
        report = library.import_turtle(exported / "turtle")
        assert (report["worksheets_added"], report["worksheets_not_replaced"]) == (1, 1)
        assert library.saved_worksheet("=empty").text == "x = 1\n"
        again = library.import_turtle(exported / "turtle")
        assert (again["worksheets_added"], again["worksheets_not_replaced"]) == (0, 1)
        assert library.check() == []


def test_saving_a_worksheet_leaves_the_graph_as_it_is(tmp_path: Path) -> None:
    with Library(tmp_path / "library") as library:
        library.save_worksheet("First", "x = 1\n")
        assert library.sparql("SELECT ?w { ?w a mathrag:Worksheet }").rows == ()
        library.save_worksheet("Second", "x = 2\n")
        assert library.check() == []


def test_turtle_without_records_is_no_library(tmp_path: Path) -> None:
    (tmp_path / "other.ttl").write_text("<http://example.org/a> <http://example.org/b> 'c' .")
    ran = mathrag("import", tmp_path / "other.ttl", "--library", tmp_path / "library")
    assert ran.code == 1
    assert "holds no library" in ran.err


def test_a_file_without_digests_is_imported_and_that_is_said(exported: Path, tmp_path: Path) -> None:
    plain = without_digests((exported / "turtle").read_text())
    assert "digest" not in plain
    assert "seal" not in plain
    (tmp_path / "plain.ttl").write_text(plain)
    ran = mathrag("import", tmp_path / "plain.ttl", "--library", tmp_path / "library")
    assert ran.code == 0
    assert "has no digests" in ran.err


def _changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("truncated", "not valid Turtle"),
        ("binary", "not valid Turtle|cannot be read"),
        ("empty", "holds no library"),
        ("deep", "not valid Turtle|cannot be read|holds no library"),
        ("document", "records are wrong"),
        ("unit of a correction", "a correction is wrong: the unit 'blorps' cannot be read"),
        ("field of a correction", "a correction is wrong|name is not the one"),
        ("huge number", "records are wrong"),
        ("long worksheet", "the worksheet 'Braking.*' is wrong: a worksheet has at most 500 lines"),
    ],
)
def test_bad_turtle_is_refused_and_changes_nothing(
    exported: Path, copied: Path, tmp_path: Path, what: str, words: str
) -> None:
    text = without_digests((exported / "turtle").read_text())
    bad = {
        "truncated": lambda: text[: len(text) * 2 // 3],
        "binary": lambda: "\x00\x01\x02" * 1000,
        "empty": lambda: "",
        "deep": lambda: "<urn:mathrag:a> <urn:b> " + "[ <urn:c> " * 5000,
        "document": lambda: _changed(text, '\\"hash\\":\\"', '\\"hash\\":\\"zz'),
        "unit of a correction": lambda: _changed(text, '\\"value\\":\\"N*s\\"', '\\"value\\":\\"blorps\\"'),
        "field of a correction": lambda: _changed(text, "symbol.p.unit", "symbol.p.colour"),
        "huge number": lambda: _changed(text, '\\"$decimal\\":\\"', '\\"$decimal\\":\\"1E999999999'),
        "long worksheet": lambda: _changed(text, '\\"text\\":\\"# Car', '\\"text\\":\\"' + "\\\\n" * 501 + "# Car"),
    }[what]()
    file = tmp_path / "bad.ttl"
    file.write_text(bad)
    before = exact_rows(copied)
    ran = mathrag("import", file, "--library", copied)
    assert (ran.code, ran.out) == (1, "")
    assert re.search(words, ran.err), ran.err
    assert ran.err.startswith("mathrag: ")
    assert ran.err.count("\n") == 1
    assert exact_rows(copied) == before


def test_a_file_that_is_not_there_is_a_wrong_call(tmp_path: Path) -> None:
    ran = mathrag("import", tmp_path / "none.ttl", "--library", tmp_path / "library")
    assert ran.code == 2
    assert "there is no file or folder" in ran.err


def test_json_ld_is_json_with_a_context(rich: Path, exported: Path) -> None:
    data = json.loads((exported / "jsonld").read_text())
    assert set(data) == {"@context", "@graph"}
    names = {str(node["@id"]).rpartition(":")[2] for node in data["@graph"]}
    with Library(rich) as library:
        assert {one.id for one in library.formulas()} <= names
        assert {one.id for one in library.constants()} <= names
        assert {one.id for one in library.documents()} <= names
    sheet = next(node for node in data["@graph"] if str(node.get("rdfs:label")).startswith("Braking"))
    assert sheet["@type"] == "mathrag:Worksheet"
    assert sheet["text"].startswith("# Car\n")


def test_csv_is_a_zip_of_tables(rich: Path, exported: Path) -> None:
    with zipfile.ZipFile(exported / "csv") as archive:
        assert archive.testzip() is None
        tables = {
            name: list(csv.DictReader(io.TextIOWrapper(archive.open(name), encoding="utf-8-sig")))
            for name in archive.namelist()
            if name.endswith(".csv")
        }
    with Library(rich) as library:
        totals = library.totals()
    for name in ("documents", "formulas", "constants", "relations"):
        assert len(tables[f"{name}.csv"]) == totals[name], name
    assert {"id", "label", "latex", "status", "target"} <= set(tables["formulas.csv"][0])
    assert {"symbol", "name", "value", "unit"} <= set(tables["constants.csv"][0])
    assert {"formula", "name", "description", "unit"} <= set(tables["symbols.csv"][0])
    assert {"kind", "source", "target", "evidence"} <= set(tables["relations.csv"][0])
    assert {"document", "line", "quote"} <= set(tables["places.csv"][0])
    sheets = [(row["name"], row["text"][:5]) for row in tables["worksheets.csv"]]
    assert sheets == [("'=empty", ""), ("Braking: 2 % “dry”", "# Car")]
    assert {row["label"] for row in tables["formulas.csv"]} >= {"Impetus", "Kinetic energy"}


def test_latex_has_balanced_braces_and_environments(exported: Path) -> None:
    text = (exported / "latex").read_text()
    bare = text.replace("\\\\", "").replace("\\{", "").replace("\\}", "")
    depth = 0
    for character in bare:
        depth += (character == "{") - (character == "}")
        assert depth >= 0
    assert depth == 0
    assert text.count("\\begin{") == text.count("\\end{")
    assert text.startswith("\\documentclass") or "\\documentclass" in text[:500]


@pytest.mark.slow
@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_what_people_read_can_be_read_back(rich: Path, exported: Path, tmp_path: Path, form: str) -> None:
    file = tmp_path / {"markdown": "library.md", "latex": "library.tex"}[form]
    shutil.copy(exported / form, file)
    with Library(rich) as library:
        expected = {one.form for one in library.formulas() if one.status == "executable"}
    with Library(tmp_path / "again") as library:
        library.ingest([file])
        assert {one.form for one in library.formulas() if one.status == "executable"} >= expected
        assert library.find_formulas("Kinetic energy")


def test_an_export_replaces_a_file_only_when_it_is_whole(rich: Path, tmp_path: Path) -> None:
    ran = mathrag("export", "--format", "turtle", "--out", tmp_path / "none" / "library.ttl", "--library", rich)
    assert (ran.code, ran.out) == (1, "")
    assert "cannot be written" in ran.err
    assert list(tmp_path.iterdir()) == []
    wrong = mathrag("export", "--format", "docx", "--library", rich)
    assert wrong.code == 2
