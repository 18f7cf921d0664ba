"""Several real processes on one library, and processes killed in the middle of their work."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from store_makers import MERGER, dump
from store_process import ingest, record

from mathrag.store.embedders.hashing import HashingEmbedder
from mathrag.store.truth.consistency import check_consistency
from mathrag.store.truth.database import open_database
from mathrag.store.truth.writer import replace_document

EMBEDDER = HashingEmbedder()


def start(folder: Path, job: str, number: int) -> subprocess.Popen[str]:
    script = str(Path(__file__).with_name("store_process.py"))
    command = [sys.executable, "-W", "error", script, str(folder), job, str(number)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.soak
def test_writers_and_readers_at_once_end_in_the_library_of_one_after_the_other(tmp_path: Path) -> None:
    shared, alone = tmp_path / "shared", tmp_path / "alone"
    # All start at once on a folder that does not exist yet; the writers overlap in half of their documents.
    processes = [start(shared, "ingest", number) for number in (0, 6, 12)]
    processes += [start(shared, "read", number) for number in range(2)]
    for process in processes:
        _, errors = process.communicate(timeout=120)
        assert (process.returncode, errors) == (0, "")
    for number in (0, 6, 12):
        ingest(alone, number)
    with open_database(shared) as one, open_database(alone) as other:
        assert dump(one) == dump(other)
        assert check_consistency(one, merger=MERGER, embedder=EMBEDDER) == []


@pytest.mark.slow
def test_killed_at_any_moment_nothing_is_half_done(tmp_path: Path) -> None:
    editions = []
    for edition in range(7):
        with open_database(tmp_path / f"edition {edition}") as database:
            for each in (record(3), record(1, edition=edition)):
                replace_document(database, each, merger=MERGER, embedder=EMBEDDER)
            editions.append(dump(database))
    folder = tmp_path / "killed"
    with open_database(folder) as database:
        replace_document(database, record(3), merger=MERGER, embedder=EMBEDDER)
        replace_document(database, record(1), merger=MERGER, embedder=EMBEDDER)
    chance = random.Random(7)
    for _ in range(12):
        process = start(folder, "rewrite", 0)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(chance.uniform(0, 0.12))
        process.kill()
        process.communicate()
        with open_database(folder) as database:
            assert dump(database) in editions
            assert check_consistency(database, merger=MERGER, embedder=EMBEDDER) == []


@pytest.mark.slow
def test_killed_while_it_is_made_the_library_can_be_made(tmp_path: Path) -> None:
    chance = random.Random(3)
    for number in range(6):
        folder = tmp_path / str(number)
        process = start(folder, "ingest", 0)
        time.sleep(chance.uniform(0.15, 0.5))
        process.kill()
        process.communicate()
        ingest(folder, 0, count=2)
        with open_database(folder) as database:
            assert check_consistency(database, merger=MERGER, embedder=EMBEDDER) == []
