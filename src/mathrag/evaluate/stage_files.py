"""The files of a run in stages: one line for every item that is done, so that a run that was killed at any moment goes
on with the next one; and the folder, which belongs to one run and to one process at a time.

A line counts when its end is there. What a kill left half written is cut off before anything is added.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import IO, Any

from mathrag.errors import LibraryError, UsageError
from mathrag.evaluate.run_files import RUN_FILE, prediction_line, read_predictions, write_whole
from mathrag.types.json_value import Json

_LOCK_FILE = ".lock"
_BLOCK = 1 << 16


class StageLog:
    """What is done of one stage, by the names of its items. May be added to from several threads."""

    def __init__(self, file: Path) -> None:
        self._lock = Lock()
        try:
            # A folder of results may come from anywhere: what is a link there leads elsewhere.
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
            self._file = os.open(file, flags, 0o644)
            _cut_half_line(self._file)
            self.done: dict[str, Json] = read_predictions(file)
        except OSError as error:
            raise LibraryError(f"{file} cannot be written: {error.strerror or error}") from error

    def __enter__(self) -> StageLog:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._file)

    def add(self, name: str, line: Mapping[str, Any]) -> None:
        """Write down that an item is done, and what came of it. A later line of the same name counts instead."""
        data = (prediction_line(name, line) + "\n").encode("utf-8")
        with self._lock:
            while data:
                data = data[os.write(self._file, data) :]
            self.done[name] = {"id": name, **line}


def _cut_half_line(file: int) -> None:
    """Shorten a file to its last whole line."""
    end = size = os.fstat(file).st_size
    while end:
        start = max(0, end - _BLOCK)
        place = os.pread(file, end - start, start).rfind(b"\n")
        if place >= 0:
            end = start + place + 1
            break
        end = start
    if end < size:
        os.ftruncate(file, end)


@contextmanager
def run_folder(folder: Path, about: Mapping[str, Json], *, fingerprint: str) -> Iterator[None]:
    """Hold a folder for one run: made where it is not there, gone on with where it holds the same run.

    `UsageError` where it holds another run, or where another process works on it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / _LOCK_FILE).open("ab")
    except OSError as error:
        raise LibraryError(f"{folder} cannot be written: {error.strerror or error}") from error
    with lock:
        _take(lock, folder)
        file = folder / RUN_FILE
        kept = _kept(file)
        if kept is None:
            write_whole(file, json.dumps({"fingerprint": fingerprint, **about}, ensure_ascii=False, indent=1) + "\n")
        elif kept != fingerprint:
            raise UsageError(
                f"{folder} holds another run (other problems, options, models or program); name another folder with "
                "--out, or remove this one"
            )
        yield


def _take(lock: IO[bytes], folder: Path) -> None:
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(lock.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise UsageError(f"another process works on the run in {folder}; wait, or name another folder") from error


def _kept(file: Path) -> str | None:
    """The fingerprint of the run that a folder holds; empty where its file is no such thing."""
    try:
        value = json.loads(file.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError):
        return ""
    found = value.get("fingerprint") if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""
