"""Marks of trust, set in Python and by a command, outlive reading again; reading tells what a document contradicts."""

from __future__ import annotations

from pathlib import Path

import pytest
from library_makers import formula_note, mathrag, write

from mathrag.errors import LibraryError, UsageError
from mathrag.library import Library
from trust.corpora.poisoning import in_this_process

WHERE = "$E$ is the spring energy in J, $k$ is the spring constant in N/m and $x$ is the extension in m"
RIGHT = formula_note("Spring energy", r"E = \frac{1}{2} k x^2", WHERE)
WRONG = formula_note("Spring\u200b energy", "E = k x^2", WHERE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "notes", {"right.md": RIGHT, "wrong.md": WRONG})
    with Library(tmp_path / "library") as library, in_this_process():
        library.ingest([tmp_path / "notes" / "right.md"])
    return tmp_path


def test_a_mark_outlives_reading_again_and_removing(folder: Path) -> None:
    note = folder / "notes" / "right.md"
    with Library(folder / "library") as library, in_this_process():
        assert library.document("right.md").trust == ""
        assert library.trust("right.md", "untrusted").trust == "untrusted"
        library.ingest([note], force=True)
        assert library.document("right.md").trust == "untrusted"
        note.write_text(RIGHT + "\nMore words.\n", encoding="utf-8")
        library.ingest([note])
        assert library.document("right.md").trust == "untrusted"
        library.remove("right.md")
        library.ingest([note])
        assert library.document("right.md").trust == "untrusted"
        assert library.trust("right.md", None).trust == ""


def test_a_mark_is_one_of_two_and_of_a_document_that_is_there(folder: Path) -> None:
    with Library(folder / "library") as library:
        with pytest.raises(UsageError, match="trusted or untrusted"):
            library.trust("right.md", "beloved")  # type: ignore[arg-type]
        with pytest.raises(LibraryError, match="no document"):
            library.trust("nobody.md")


def test_reading_tells_what_a_document_contradicts(folder: Path) -> None:
    with Library(folder / "library") as library, in_this_process():
        report = library.ingest([folder / "notes"])
        by_name = {file.name: file for file in report.files}
        (conflict,) = by_name["notes/wrong.md"].conflicts
        assert conflict in report.conflicts
        assert "right.md line" in conflict.message
        assert "wrong.md line" in conflict.message
        assert by_name["notes/right.md"].conflicts == ()
        assert library.ingest([folder / "notes"]).conflicts == ()


def test_reading_by_command_tells_of_conflicts(folder: Path) -> None:
    with in_this_process():
        ran = mathrag("ingest", folder / "notes" / "wrong.md", "--library", folder / "library")
        again = mathrag("ingest", folder / "notes" / "wrong.md", "--force", "--json", "--library", folder / "library")
    assert ran.code == 0
    assert "conflict: Spring" in ran.out
    assert again.objects[0]["conflicts"]
    assert again.objects[-1]["conflicts"] == 1


def test_the_command_marks_and_forgets(folder: Path) -> None:
    library = ("--library", folder / "library")
    assert mathrag("trust", "right.md", *library).out == "right.md is marked as trusted\n"
    assert "trusted)" in mathrag("show", *library).out
    assert "  trust: trusted\n" in mathrag("show", "right.md", *library).out
    (marked,) = mathrag("trust", "right.md", "--untrusted", "--json", *library).objects
    assert marked["trust"] == "untrusted"
    (listed,) = mathrag("show", "--json", *library).objects
    assert (listed["trust"], listed["origin"]) == ("untrusted", "file")
    assert listed["ingested_at"] >= listed["modified"] > "2000"
    assert "neither" in mathrag("trust", "right.md", "--forget", *library).out
    assert mathrag("trust", "nobody.md", *library).code == 1
