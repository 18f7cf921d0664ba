"""Every bad file at the door of the readers: in time, with a reason or a document, and nothing touched beside it."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hostile_files.cases import cases
from hostile_files.make import RECIPES, bad_files, missing_for
from hostile_files.recipe import CANARY, BadFile, Recipe
from mathrag.documents import detect_media_type

# Seconds of processor time for one document. Generous: a document that needs more than this needs far more.
SECONDS, SLOW_SECONDS = 10.0, 45.0
# How much longer it may take on a busy machine, or while it waits for something, which no document is worth.
PATIENCE = 8
# A few words of a document may be kept more than once, never some thousand times.
GROWTH, ALLOWANCE = 60, 2_000_000
STRAYS = ("owned",)


class Reader:
    """A process that reads documents; begun again after it was killed or died."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def read(self, bad: BadFile, seconds: float) -> dict[str, Any]:
        """What came of a document; an outcome of `late` or `died` when there was no answer."""
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        path = os.fsencode(bad.path).hex()
        request = {"path": path, "keeps": bad.keeps, "forbids": [CANARY, *bad.forbids], "seconds": seconds}
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], seconds * PATIENCE)
        line = process.stdout.readline() if ready else ""
        if line:
            answer: dict[str, Any] = json.loads(line)
            return answer
        status = process.wait() if ready else None
        self.close()
        is_late = status in (None, -signal.SIGPROF)
        return {"outcome": "late" if is_late else "died", "message": f"no answer, exit status {status}"}

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, str(Path(__file__).parent / "worker.py")],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        return self._process

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    reader = Reader()
    yield reader
    reader.close()


@pytest.fixture
def own_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder that is gone after the test: some of the files are large."""
    yield tmp_path
    shutil.rmtree(tmp_path, ignore_errors=True)


@pytest.mark.slow
@pytest.mark.parametrize("recipe", cases(RECIPES))
def test_a_bad_file_does_no_harm(recipe: Recipe, own_folder: Path, reader: Reader) -> None:
    missing = missing_for(recipe, own_folder)
    if missing:
        pytest.skip(missing)
    bad = recipe.made_in(own_folder / "folder")
    before = _names_in(own_folder)
    answer = reader.read(bad, SLOW_SECONDS if bad.is_slow else SECONDS)
    _expect_outcome(bad, answer)
    touched = [event for event in answer["touched"] if not (_is_for_pandoc(bad) and _is_pandoc_work(event))]
    assert touched == [], "something outside the folder of the document was touched"
    assert answer["leaked"] == [], "words that must not be read were read"
    if answer["outcome"] == "read":
        assert answer["missing"] == [], answer
        assert answer["size"] <= GROWTH * bad.path.stat().st_size + ALLOWANCE, answer
    assert _names_in(own_folder) == before, "files appeared or vanished"
    assert not [stray for stray in STRAYS if Path(stray).exists()]


def _is_for_pandoc(bad: BadFile) -> bool:
    """Whether pandoc reads such a file, from a private folder that is gone afterwards."""
    data = bad.path.read_bytes() if bad.path.is_file() else b""
    return "officedocument" in detect_media_type(data, bad.path.name) or b"mimetypeapplication/vnd.oasis" in data[:100]


def _is_pandoc_work(event: str) -> bool:
    return event in _PANDOC or event.startswith(f"open {tempfile.gettempdir()!r}"[:-1])


_PANDOC = frozenset(
    ("subprocess.Popen", "tempfile.mkdtemp", "tempfile.mkstemp", "os.mkdir", "os.remove", "os.rmdir", "shutil.rmtree")
)


def _names_in(folder: Path) -> list[str]:
    return sorted(f"{place}/{name}" for place, folders, names in os.walk(folder) for name in (*folders, *names))


def _expect_outcome(bad: BadFile, answer: dict[str, Any]) -> None:
    outcome = answer["outcome"]
    wanted = {"reason": ("reason",), "skipped": ("reason",), "read": ("read",), "either": ("read", "reason")}
    assert outcome in wanted[bad.expectation], f"{bad.what}: {answer}"
    if outcome == "reason":
        assert not answer["unforeseen"], f"{bad.what}: {answer}"
        assert answer["code"] != "reader_broken", answer
        assert not bad.code or answer["code"] == bad.code, answer
        assert _is_a_sentence(answer["message"]), answer
    else:
        assert all(_is_a_sentence(message) for message in answer["messages"]), answer


def _is_a_sentence(message: str) -> bool:
    return 10 <= len(message) <= 400 and message.isprintable() and " " in message and "Traceback" not in message


@pytest.mark.soak
def test_a_search_through_all_of_them_passes_over_what_is_none(own_folder: Path) -> None:
    gathering = pytest.importorskip("mathrag.documents.input_files")
    folder = own_folder / "all"
    files = bad_files(folder, with_slow=False)
    found = {os.fsencode(item.path): item for item in gathering.gather([str(folder)])}
    for bad in files:
        item = found.get(os.fsencode(bad.path))
        if bad.expectation == "skipped":
            assert item is None or not item.is_ready, bad.what
            assert item is None or item.state == "quiet" or _is_a_sentence(item.reason), bad.what
        elif item is not None and not item.is_ready:
            assert _is_a_sentence(item.reason), bad.what
    assert sum(item.is_ready for item in found.values()) > 200
