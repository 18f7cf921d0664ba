"""`kill -9` at any moment, then the same command: the library of an undisturbed run, and nothing left behind."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from library_makers import MATHRAG, Dump, dump, files_in, many_notes, write

from mathrag.library import Library
from mathrag.store.truth.schema import FILE_NAME

MARK = "MATHRAG_TEST_RUN"
NOTES = 6

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks for processes in /proc")


class Command:
    """`mathrag ingest` over some notes, which can be run, killed, and looked for."""

    def __init__(self, notes: Path, folder: Path) -> None:
        self.notes, self.library, self.temporary = notes, folder / "library", folder / "temporary"
        self.temporary.mkdir(parents=True)
        self.mark = uuid.uuid4().hex
        self.environment = {**os.environ, MARK: self.mark, "TMPDIR": str(self.temporary)}

    def start(self) -> subprocess.Popen[bytes]:
        """Start it as the leader of its own group, as a shell does."""
        words = [*MATHRAG, "ingest", str(self.notes), "--library", str(self.library), "--workers", "2"]
        return subprocess.Popen(
            words,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def run(self) -> float:
        """Run it undisturbed; how long it took."""
        began = time.monotonic()
        process = self.start()
        _, errors = process.communicate(timeout=300)
        assert (process.returncode, errors) == (0, b"")
        return time.monotonic() - began

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """Kill the whole group at once."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()

    def strays(self) -> list[int]:
        """Processes that this command started and that are still there, after a moment to notice that it is gone."""
        deadline = time.monotonic() + 20
        while (found := list(self._processes())) and time.monotonic() < deadline:
            time.sleep(0.05)
        return found

    def _processes(self) -> Iterator[int]:
        sign = f"{MARK}={self.mark}".encode()
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                with contextlib.suppress(OSError):
                    if sign in (entry / "environ").read_bytes():
                        yield int(entry.name)

    def stored(self) -> int:
        """How many documents the library has."""
        with contextlib.suppress(sqlite3.Error):
            uri = f"file:{self.library / FILE_NAME}?mode=ro"
            with contextlib.closing(sqlite3.connect(uri, uri=True, timeout=5)) as connection:
                return int(connection.execute("SELECT count(*) FROM documents").fetchone()[0])
        return 0


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("killed") / "notes", many_notes(NOTES))


@pytest.fixture(scope="module")
def undisturbed(notes: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Dump, float]:
    """What an undisturbed run gives, and how long it takes."""
    command = Command(notes, tmp_path_factory.mktemp("undisturbed"))
    seconds = command.run()
    return dump(command.library), seconds


def _expect_whole(command: Command, expected: Dump) -> None:
    assert command.strays() == []
    assert dump(command.library) == expected
    assert files_in(command.library) == [FILE_NAME]
    assert files_in(command.temporary) == []
    with Library(command.library) as library:
        assert library.check() == []


def _expect_sound(command: Command) -> None:
    """Killed, the library holds whole documents and nothing else. (Opening it is what the next command does.)"""
    if Library.exists(command.library):
        with Library(command.library) as library:
            assert library.check() == []
            assert all(counts.formulas == 4 for counts in library.counts().values())


@pytest.mark.slow
def test_killed_between_documents(notes: Path, undisturbed: tuple[Dump, float], tmp_path: Path) -> None:
    expected, _ = undisturbed
    command = Command(notes, tmp_path)
    for wanted in (1, NOTES // 2, NOTES - 2):
        process = command.start()
        while process.poll() is None and command.stored() < wanted:
            time.sleep(0.005)
        command.kill(process)
        assert command.strays() == []
        assert wanted <= command.stored() <= NOTES
        _expect_sound(command)
    command.run()
    _expect_whole(command, expected)


@pytest.mark.soak
def test_killed_at_any_moment(notes: Path, undisturbed: tuple[Dump, float], tmp_path: Path) -> None:
    expected, seconds = undisturbed
    chance = random.Random(11)
    trials = 10
    for trial in range(trials):
        command = Command(notes, tmp_path / str(trial))
        process = command.start()
        # One moment in each tenth of the time that an undisturbed run takes, and a little beyond.
        time.sleep((trial + chance.random()) / trials * seconds * 1.05)
        command.kill(process)
        assert command.strays() == []
        _expect_sound(command)
        command.run()
        _expect_whole(command, expected)
