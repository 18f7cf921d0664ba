"""A folder full of bad files beside three good documents: the run ends, each file has an outcome, nothing is lost."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from library_makers import DOCUMENTS, dump, exact_rows, files_in, write

from hostile_files import bombs, broken, markup, notebooks, pages, places, projects
from hostile_files.make import missing_for
from hostile_files.recipe import CANARY, BadFile, Recipe
from mathrag.documents.input_files import gather
from mathrag.documents.path_text import document_key
from mathrag.documents.seams import ReadingLimits
from mathrag.library import FileReport, Library
from mathrag.library.ingest.ingestion import Ingestion
from mathrag.store.truth.records import document_id
from mathrag.store.truth.schema import FILE_NAME

KINDS = (broken, bombs, markup, pages, projects, notebooks, places)
GOOD = {name: DOCUMENTS[name] for name in ("mechanics.md", "energy.html", "waves.md")}
# A few of each kind for every day; small ones, for these tests ask what becomes of them, not how long they take.
A_FEW, LARGEST = 8, 400_000
SECONDS = 8.0


@pytest.fixture
def own_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder that is gone after the test: some of the files are large."""
    yield tmp_path
    shutil.rmtree(tmp_path, ignore_errors=True)


def _write_bad(folder: Path, recipes: Sequence[Recipe], *, largest: int | None) -> list[BadFile]:
    made = []
    for recipe in recipes:
        if recipe.is_slow or missing_for(recipe, folder.parent):
            continue
        bad = recipe.made_in(folder / recipe.id)
        if largest is not None and sum(os.lstat(path).st_size for path in (folder / recipe.id).rglob("*")) > largest:
            shutil.rmtree(folder / recipe.id)
            continue
        made.append(bad)
    return made


@pytest.mark.slow
def test_a_few_of_every_kind(own_folder: Path) -> None:
    root = own_folder / "root"
    bad: list[BadFile] = []
    for kind in KINDS:
        # Spread over the kind, whose neighbours are alike.
        step = max(1, len(kind.RECIPES) // A_FEW)
        bad.extend(_write_bad(root, kind.RECIPES[::step], largest=LARGEST))
    assert len(bad) >= 40
    _expect_no_harm(own_folder, root, bad)


@pytest.mark.soak
def test_all_of_them(own_folder: Path) -> None:
    root = own_folder / "root"
    bad = _write_bad(root, [recipe for kind in KINDS for recipe in kind.RECIPES], largest=None)
    assert len(bad) >= 300
    _expect_no_harm(own_folder, root, bad)


def _expect_no_harm(folder: Path, root: Path, bad: Sequence[BadFile]) -> None:
    write(root / "good", GOOD)
    before = files_in(root)
    # What a search passes over is also tried by name.
    named = [str(one.path) for one in bad if one.expectation == "skipped" or not os.path.lexists(_plain(one.path))]
    searched = _folders(root)
    with Library(folder / "library") as library:
        limits = ReadingLimits(seconds=SECONDS, megabytes=1024)
        report = Ingestion(library.database, library.embedder, limits=limits).run([*searched, *named])
        reports = {file.key: file for file in report.files}
        assert files_in(root) == before
        _expect_outcomes(searched, named, dict(reports))
        recorded, failed = {failure.key for failure in library.failures()}, {file.key for file in report.failed}
        assert recorded <= failed
        # A path that leads nowhere is told; there is nothing that the library failed to read.
        assert not [key for key in failed - recorded if os.path.exists(key)]  # noqa: PTH110 - names that are too long raise in pathlib
        _expect_nothing_leaked(folder / "library", bad)
        good = {document_key(root / "good" / name) for name in GOOD}
        assert {reports[key].state for key in good} == {"added"}
        # Without the others, the library is that of the good documents alone.
        for info in library.documents():
            if info.key not in good:
                library.remove(info.id)
        for failure in library.failures():
            library.forget_failure(failure.key)
        assert library.check() == []
    with Library(folder / "only") as library:
        library.ingest([root / "good"])
    assert _without_names(folder / "library") == _without_names(folder / "only")


def _folders(root: Path) -> list[str]:
    """Each on its own: what lies beside a project is then outside, and nobody's business."""
    return [str(place / "project" if (place / "project").is_dir() else place) for place in sorted(root.iterdir())]


def _plain(path: Path) -> str:
    return str(path).replace("\0", "?")


def _without_names(library: Path) -> dict[str, list[tuple[object, ...]]]:
    return dump(library, without=("documents",))


def _expect_outcomes(searched: Sequence[str], named: Sequence[str], reports: dict[str, FileReport]) -> None:
    for found in gather(searched):
        if found.state == "quiet":
            continue
        report = reports.pop(found.key)
        assert report.state in ("added", "failed", "skipped"), report
        if report.state == "added":
            assert report.counts is not None
        else:
            assert _is_a_sentence(report.reason), report
            assert report.code
    for path in named:
        if "\0" not in path:
            reports.pop(document_key(path), None)
    # What remains was named with a character that no name can have.
    assert all(report.state == "failed" and _is_a_sentence(report.reason) for report in reports.values())


def _is_a_sentence(message: str) -> bool:
    return 10 <= len(message) <= 400 and message.isprintable() and " " in message and "Traceback" not in message


def _expect_nothing_leaked(library: Path, bad: Sequence[BadFile]) -> None:
    stored = "\n".join(str(value) for rows in exact_rows(library).values() for row in rows for value in row)
    assert CANARY not in stored
    assert len(stored) < 500_000_000
    assert not [one for one in bad for word in one.forbids if word in _texts_of(library, one)]
    assert not Path("owned").exists()


def _texts_of(library: Path, bad: BadFile) -> str:
    """What the library keeps of one document."""
    if not os.path.lexists(_plain(bad.path)):
        return ""
    document = document_id(document_key(bad.path))
    with contextlib.closing(sqlite3.connect(library / FILE_NAME)) as connection:
        tables = ("chunks", "findings", "definitions", "equations", "bibliography")
        rows = (connection.execute(f"SELECT * FROM {table} WHERE document = ?", (document,)) for table in tables)
        return "\n".join(str(value) for found in rows for row in found for value in row)
