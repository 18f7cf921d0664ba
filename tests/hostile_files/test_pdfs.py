"""Every bad PDF and picture read in a worker process, as an ingestion does: a reason or a document, in time, in bounds.

A reader may crash on them: the process is there to be lost. The run may not, and must say what happened.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from hostile_files import pdf_pages, pdfs, pictures
from hostile_files.cases import cases
from hostile_files.recipe import CANARY, BadFile, Recipe
from mathrag.documents.input_files import Found
from mathrag.documents.isolated import READ, document_of, reading_task
from mathrag.documents.path_text import document_key
from mathrag.documents.registry import readable_media_types
from mathrag.documents.seams import ReadingLimits
from mathrag.isolation.pool import WorkerPool
from mathrag.isolation.tasks import Done, Outcome, WorkerLimits
from mathrag.types.document import Document, contents_of, plain_text

RECIPES = (*pdfs.RECIPES, *pdf_pages.RECIPES, *pictures.RECIPES)
# A worker is lost with code `crashed` and its like; that is no answer of a reader, and only bombs may end so.
LOST = ("timeout", "processor_time", "memory", "killed", "crashed")
SECONDS, MEGABYTES = 30.0, 1_200
_ANSWER_MEGABYTES = 64


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    limits = WorkerLimits(seconds=SECONDS, megabytes=MEGABYTES, answer_megabytes=_ANSWER_MEGABYTES)
    with WorkerPool([READ], workers=1, limits=limits) as pool:
        yield pool


@pytest.fixture
def own_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder that is gone after the test: some of the files are large."""
    yield tmp_path
    shutil.rmtree(tmp_path, ignore_errors=True)


@pytest.mark.slow
@pytest.mark.parametrize("recipe", cases(RECIPES))
def test_a_bad_file_costs_no_more_than_itself(recipe: Recipe, own_folder: Path, pool: WorkerPool) -> None:
    _needs_reader(recipe)
    bad = recipe.made_in(own_folder / "folder")
    before = sorted(own_folder.rglob("*"))
    outcome = _read(bad, pool)
    if isinstance(outcome, Done):
        _expect_document(bad, document_of(outcome.result))
    else:
        assert bad.expectation != "read", outcome
        assert outcome.code not in ("reader_broken",), outcome
        assert recipe.is_slow or outcome.code not in LOST, outcome
        assert not bad.code or outcome.code == bad.code, outcome
        assert 10 <= len(outcome.reason) <= 400, outcome
        assert outcome.reason.isprintable(), outcome
        assert "Traceback" not in outcome.reason
        assert not [word for word in (CANARY, *bad.forbids) if word in outcome.reason]
    assert sorted(own_folder.rglob("*")) == before, "files appeared or vanished"
    assert not Path("owned").exists()


@pytest.mark.soak
def test_the_run_goes_on_after_the_worst(own_folder: Path) -> None:
    """Bombs between sound documents: each sound one is read, whatever became of its neighbours."""
    _needs_reader(pdfs.RECIPES[0])
    chosen = [recipe for recipe in RECIPES if not recipe.is_slow and recipe.id.startswith("pdf-")][::9]
    bad = [recipe.made_in(own_folder / recipe.id) for recipe in chosen]
    sound = own_folder / "sound.md"
    sound.write_text("# Energy\n\nThe energy is $E = m c^2$.\n", encoding="utf-8")
    paths = [path for one in bad for path in (one.path, sound)]
    with WorkerPool([READ], workers=2, limits=WorkerLimits(seconds=SECONDS, megabytes=MEGABYTES)) as pool:
        tasks = [reading_task(_found(path), _limits()) for path in paths]
        outcomes = list(pool.run(tasks))
    assert len(outcomes) == len(paths)
    read = [outcome for outcome in outcomes if outcome.task.key == document_key(sound)]
    assert all(isinstance(outcome, Done) for outcome in read)


def _needs_reader(recipe: Recipe) -> None:
    wanted = "image/png" if recipe.id.startswith("picture-") else "application/pdf"
    if wanted not in readable_media_types():
        pytest.skip(f"this installation of mathrag does not offer its reader for {wanted} yet; install it again")


def _limits() -> ReadingLimits:
    return ReadingLimits(seconds=SECONDS, megabytes=MEGABYTES)


def _found(path: Path) -> Found:
    return Found(path, document_key(path), path.name, path.parent, path.stat().st_size)


def _read(bad: BadFile, pool: WorkerPool) -> Outcome:
    return pool.run_one(reading_task(_found(bad.path), _limits()))


def _expect_document(bad: BadFile, document: Document) -> None:
    assert bad.expectation != "reason", f"{bad.what}: was read"
    text = "\n".join(
        [document.title, *(plain_text(content) for block in document.blocks for content in contents_of(block))]
    )
    assert not [word for word in (CANARY, *bad.forbids) if word in text]
    assert not [word for word in bad.keeps if word not in text], text[:500]
    assert all(10 <= len(note.message) <= 400 and note.message.isprintable() for note in document.notes)
    assert all(block.place.page is not None or document.media_type != "application/pdf" for block in document.blocks)
