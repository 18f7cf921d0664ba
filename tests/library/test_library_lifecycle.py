"""The life of documents in a library: taken in, taken in again, changed, failed, tried again, removed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from library_makers import (
    DOCUMENTS,
    GASES,
    KINETIC,
    MATHRAG,
    MECHANICS,
    WAVES,
    dump,
    exact_rows,
    formula_note,
    mathrag,
    write,
)

from mathrag.library import Library

FILE_FIELDS = (
    "file state formulas executable declined quarantined constants relations seconds code reason key definitions pages "
    "warnings conflicts"
).split()


@pytest.mark.slow
def test_a_run_tells_what_became_of_each_file(documents: Path, tmp_path: Path) -> None:
    ran = mathrag("ingest", documents, "--library", tmp_path / "library", "--json")
    assert (ran.code, ran.err) == (0, "")
    *files, total = ran.objects
    assert [file["file"] for file in files] == [
        "documents/energy.html",
        "documents/gases/gases.tex",
        "documents/mechanics.md",
        "documents/waves.md",
    ]
    for file in files:
        assert set(file) == set(FILE_FIELDS)
        assert file["state"] == "added"
        assert file["formulas"] == file["executable"] + file["declined"] + file["quarantined"]
        assert file["seconds"] > 0
        assert (file["code"], file["reason"]) == ("", "")
    waves = files[-1]
    assert (waves["formulas"], waves["executable"], waves["declined"]) == (3, 2, 1)
    assert files[0]["constants"] == 2
    assert (total["files"], total["failed"], total["unchanged"], total["passed_over"]) == (4, 0, 0, 0)
    assert total["formulas"] == sum(file["formulas"] for file in files) == 11
    # What a file is said to have is what the library has in the end, whatever came after it.
    again = mathrag("ingest", documents, "--library", tmp_path / "library", "--json").objects
    assert [{**file, "state": "", "seconds": 0} for file in again[:-1]] == [
        {**file, "state": "", "seconds": 0} for file in files
    ]


@pytest.mark.slow
def test_the_summary_is_a_table(documents: Path, copied: Path) -> None:
    ran = mathrag("ingest", documents, "--library", copied)
    assert ran.code == 0
    head, *rows = ran.out.splitlines()
    assert head.split() == "file state formulas executable declined quarantined constants relations".split()
    assert [row.split()[:2] for row in rows] == [
        ["documents/energy.html", "unchanged"],
        ["documents/gases/gases.tex", "unchanged"],
        ["documents/mechanics.md", "unchanged"],
        ["documents/waves.md", "unchanged"],
        ["total", "11"],
    ]


def test_the_same_bytes_again_change_nothing_at_all(documents: Path, copied: Path) -> None:
    before = exact_rows(copied)
    with Library(copied) as library:
        generation = library.database.generation
        report = library.ingest([documents, documents / "mechanics.md"])
        assert [file.state for file in report.files] == ["unchanged"] * 4
        assert library.database.generation == generation
    assert exact_rows(copied) == before


@pytest.mark.slow
def test_files_folders_and_patterns_lead_to_the_same_library(documents: Path, made: Path, tmp_path: Path) -> None:
    folder = tmp_path / "library"
    with Library(folder) as library:
        report = library.ingest([documents / "mechanics.md", f"{documents}/*.html", f"{documents}/**/*.tex"], workers=1)
        assert [file.name for file in report.files] == ["energy.html", "gases/gases.tex", "mechanics.md"]
        library.ingest([documents / "waves.md"])
    # A document is called as it was named; nothing else differs.
    assert dump(folder, without=("documents",)) == dump(made, without=("documents",))


@pytest.mark.soak
def test_neither_order_nor_workers_nor_hash_seeds_matter(documents: Path, made: Path, tmp_path: Path) -> None:
    folder = tmp_path / "library"
    for seed, name in enumerate(("waves.md", "mechanics.md", "gases", "energy.html")):
        target = documents / name if name == "gases" else f"{documents}/{name[0]}*{name[1:]}"
        subprocess.run(
            [*MATHRAG, "ingest", str(target), "--library", str(folder), "--workers", "1"],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            check=True,
            capture_output=True,
            timeout=120,
        )
    assert dump(folder, without=("documents",)) == dump(made, without=("documents",))


@pytest.mark.slow
def test_a_changed_file_replaces_what_it_had(tmp_path: Path) -> None:
    folder, library_folder = write(tmp_path / "notes"), tmp_path / "library"
    with Library(library_folder) as library:
        library.ingest([folder])
        assert len(library.formula("Kinetic energy").spans) == 2
        (folder / "mechanics.md").write_text(formula_note("Power", r"P = F v", "$P$ is the power in W"))
        report = library.ingest([folder])
        assert {file.name: file.state for file in report.files} == {
            "notes/energy.html": "unchanged",
            "notes/gases/gases.tex": "unchanged",
            "notes/mechanics.md": "replaced",
            "notes/waves.md": "unchanged",
        }
        assert library.find_formulas("Newton's second law") == []
        assert library.find_formulas("Momentum") == []
        (span,) = library.formula("Kinetic energy of a moving body").spans
        assert span.document == library.document("energy.html").id
        assert library.formula("Power").status == "executable"
        assert not [hit for hit in library.search("Newton's second law") if "Newton" in hit.label]
        assert library.check() == []
        (folder / "mechanics.md").write_text(MECHANICS)
        library.ingest([folder])
    fresh = tmp_path / "fresh"
    with Library(fresh) as library:
        library.ingest([folder])
    assert _without_modified(dump(library_folder)) == _without_modified(dump(fresh))


def _without_modified(dumped: dict[str, list[tuple[object, ...]]]) -> dict[str, list[tuple[object, ...]]]:
    return {table: rows for table, rows in dumped.items() if table != "documents"}


@pytest.mark.slow
def test_a_project_is_read_again_when_one_of_its_files_changes_or_appears(tmp_path: Path) -> None:
    folder = write(tmp_path / "notes", {"gases.tex": GASES})
    with Library(tmp_path / "library") as library:
        library.ingest([folder])
        assert library.find_formulas("Ideal gas law")
        assert not [one for one in library.formulas() if "k_B" in one.latex]
        write(folder, {"kinetic.tex": KINETIC})
        (report,) = library.ingest([folder]).files
        assert report.state == "replaced"
        assert [one for one in library.formulas() if "k_B" in one.latex]
        write(folder, {"kinetic.tex": KINETIC.replace(r"\frac{3}{2}", r"\frac{5}{2}")})
        (report,) = library.ingest([folder]).files
        assert report.state == "replaced"
        assert [one.latex for one in library.formulas() if "k_B" in one.latex] == [r"E_k = \frac{5}{2} k_B T"]
        (report,) = library.ingest([folder]).files
        assert report.state == "unchanged"


@pytest.mark.slow
def test_force_reads_again(documents: Path, copied: Path) -> None:
    before = dump(copied)
    ran = mathrag("ingest", documents / "waves.md", "--force", "--library", copied, "--json")
    assert ran.objects[0]["state"] == "replaced"
    # The document is now called as it was named here; what it says is the same.
    assert {**dump(copied), "documents": 0} == {**before, "documents": 0}


def test_removing_takes_only_what_nothing_else_supports(copied: Path, documents: Path) -> None:
    ran = mathrag("remove", "documents/mechanics.md", "--library", copied, "--json")
    assert (ran.code, ran.objects[0]["removed"], ran.objects[0]["documents"]) == (0, "documents/mechanics.md", 3)
    with Library(copied) as library:
        assert library.find_formulas("Momentum") == []
        (left,) = [
            one for one in library.formulas() if one.latex == r"E_k = \frac{1}{2} m v^2" or "E_{k}" in one.latex
        ][:1]
        assert len(left.spans) == 1
        assert {definition for (definition,) in library.sql("SELECT DISTINCT document FROM definitions").rows} == {
            info.id for info in library.documents()
        }
        assert library.check() == []
    assert (documents / "mechanics.md").exists()
    for name in ("documents/energy.html", "Gases", "waves.md"):
        assert mathrag("remove", name, "--library", copied).code == 0
    left = {table: rows for table, rows in dump(copied).items() if rows}
    assert left == {}


def test_a_document_is_found_by_name_path_title_or_id(
    copied: Path, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(documents.parent)
    with Library(copied) as library:
        info = library.document("documents/waves.md")
        for text in (info.id, info.id[:8], info.key, "waves.md", "Waves", "./documents/../documents/waves.md"):
            assert library.document(text) == info, text
    missing = mathrag("remove", "nothing.md", "--library", copied)
    assert (missing.code, missing.out) == (1, "")
    assert "no document 'nothing.md'" in missing.err


@pytest.mark.slow
def test_a_document_that_takes_too_long_says_which_limit_and_keeps_what_was_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = tmp_path / "power.md"
    note.write_text(formula_note("Power", "P = F v", "$P$ is the power in W"))
    with Library(tmp_path / "library") as library:
        assert not library.ingest([note], workers=1).failed
        note.write_text(formula_note("Power", "P = W / t", "$P$ is the power in W"))
        monkeypatch.setenv("MATHRAG_READING_SECONDS", "0.000001")
        (late,) = library.ingest([note], workers=1).files
        assert late.state == "failed"
        assert "took longer than 1e-06 s" in late.reason
        assert late.reason.endswith("raise MATHRAG_READING_SECONDS to give it longer")
        assert library.formula("Power").latex == "P = F v"
        monkeypatch.delenv("MATHRAG_READING_SECONDS")
        # Not a verdict on the file: it is tried again without being asked to.
        (again,) = library.ingest([note], workers=1).files
        assert (again.state, library.formula("Power").latex) == ("replaced", "P = W / t")


@pytest.mark.slow
def test_failed_files_are_listed_tried_again_and_forgotten(tmp_path: Path) -> None:
    folder = write(tmp_path / "notes", {"good.md": WAVES})
    (folder / "bad.md").write_bytes(b"\x00\x01\x02 not a text \xff\xfe" * 50)
    library = tmp_path / "library"
    ran = mathrag("ingest", folder, "--library", library, "--json")
    assert ran.code == 1
    bad, good, total = ran.objects
    assert (bad["state"], good["state"], total["failed"]) == ("failed", "added", 1)
    assert bad["code"]
    assert bad["reason"]
    listed = mathrag("status", "--library", library)
    assert listed.code == 1
    assert "failed: notes/bad.md: " in listed.out
    assert bad["reason"] in listed.out
    assert "(tried once, last on 20" in listed.out
    # Still bad: counted, still listed, under the same name.
    assert mathrag("ingest", "--retry", "--library", library).code == 1
    (failure,) = mathrag("status", "--library", library, "--json").objects[0]["failures"]
    assert (failure["file"], failure["attempts"], failure["reason"]) == ("notes/bad.md", 2, bad["reason"])
    (folder / "bad.md").write_text(formula_note("Power", "P = F v", "$P$ is the power in W"))
    ran = mathrag("ingest", "--retry", "--library", library, "--json")
    assert (ran.code, ran.objects[0]["file"], ran.objects[0]["state"]) == (0, "notes/bad.md", "added")
    assert mathrag("status", "--library", library).code == 0
    with Library(library) as opened:
        assert opened.formula("Power").status == "executable"
    # What cannot be mended can be taken off the list.
    (folder / "bad.md").write_bytes(b"\x00\x01\x02\xff\xfe" * 50)
    assert mathrag("ingest", folder, "--library", library).code == 1
    with Library(library) as opened:
        assert opened.formula("Power"), "what was read before stays until something better comes"
    assert mathrag("remove", "notes/bad.md", "--library", library).code == 0
    assert mathrag("status", "--library", library).code == 0


def test_a_file_that_has_gone_stays_a_failure_until_it_is_forgotten(tmp_path: Path) -> None:
    folder, library = tmp_path / "notes", tmp_path / "library"
    write(folder, {"bad.md": ""})
    (folder / "bad.md").write_bytes(b"\x00\x01\x02\xff\xfe" * 50)
    assert mathrag("ingest", folder, "--library", library).code == 1
    (folder / "bad.md").unlink()
    ran = mathrag("ingest", "--retry", "--library", library)
    assert ran.code == 1
    assert "there is no file or folder" in ran.err
    assert mathrag("status", "--library", library).code == 1
    assert mathrag("remove", "notes/bad.md", "--library", library).code == 0
    assert mathrag("status", "--library", library).code == 0


@pytest.mark.slow
def test_an_empty_folder_or_pattern_has_failed_only_until_it_leads_to_files(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    library = tmp_path / "library"
    assert mathrag("ingest", folder, f"{folder}/*.md", "--library", library).code == 1
    assert len(mathrag("status", "--library", library, "--json").objects[0]["failures"]) == 2
    write(folder, {"waves.md": WAVES})
    assert mathrag("ingest", "--retry", "--library", library).code == 0
    assert mathrag("status", "--library", library).code == 0


def test_calling_it_wrongly_says_how_to_call_it(tmp_path: Path) -> None:
    ran = mathrag("ingest", "--library", tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert "name the files or folders" in ran.err
    for command in ("show", "status", "conflicts", "check", ("search", "energy"), ("sql", "SELECT 1"), ("remove", "a")):
        words = (command,) if isinstance(command, str) else command
        ran = mathrag(*words, "--library", tmp_path / "none")
        assert (ran.code, ran.out) == (1, "")
        assert "there is no library in" in ran.err
        assert not (tmp_path / "none").exists()


def test_status_counts_what_there_is(made: Path) -> None:
    ran = mathrag("status", "--library", made, "--json")
    (status,) = ran.objects
    assert ran.code == 0
    assert (status["documents"], status["formulas"], status["constants"]) == (4, 10, 2)
    assert status["failures"] == []
    assert set(DOCUMENTS) > {"mechanics.md"}


def test_a_library_that_changes_stays_sound(made: Path) -> None:
    ran = mathrag("check", "--library", made)
    assert (ran.code, ran.out, ran.err) == (0, "the library is sound\n", "")


def test_rebuilding_gives_the_same_library(copied: Path) -> None:
    before = dump(copied)
    ran = mathrag("check", "--rebuild", "--library", copied, "--json")
    assert ran.code == 0
    assert (ran.objects[0]["problems"], ran.objects[0]["rebuilt"]) == ([], True)
    assert dump(copied) == before
