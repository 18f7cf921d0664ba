"""Folders that are watched: which of their files are new, changed or gone. Looks by `stat` alone and reads no file.

A file counts once it has stayed the same for a while, so that one that is still being written is left alone. What the
library knows decides what is gone, so a restart forgets nothing.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from mathrag.documents.input_files import gather
from mathrag.documents.path_text import shown_path
from mathrag.errors import UsageError
from mathrag.store.truth.records import DocumentInfo

SETTLE_SECONDS = 2.0
# More is no folder of documents but a disk.
MOST_FILES = 100_000
_DEEPEST = 40
Stamp = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Changes:
    """What a look found. `problem` says why nothing can be told of the folder now."""

    ready: tuple[Path, ...] = ()
    waiting: int = 0
    problem: str = ""


@dataclass(slots=True)
class WatchedFolder:
    """One folder. `look` says what is to be read; whoever reads it says so with `taken`.

    A file that could not be read is offered again when it changes, not before.
    """

    folder: Path
    settle_seconds: float = SETTLE_SECONDS
    clock: Callable[[], float] = time.monotonic
    _seen: dict[Path, tuple[Stamp, float]] = field(default_factory=dict)
    _taken: dict[Path, Stamp] = field(default_factory=dict)
    _missing: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.folder = Path(os.path.realpath(self.folder))
        if not self.folder.is_dir():
            raise UsageError(f"{shown_path(self.folder)} is no folder, so it cannot be watched")

    @property
    def has_missing(self) -> bool:
        """Whether files are away that may yet come back."""
        now = self.clock()
        return any(now - since < self.settle_seconds for since in self._missing.values())

    def look(self) -> Changes:
        """What is new or changed and has settled."""
        try:
            found = dict(_files(self.folder))
        except OSError as error:
            return Changes(problem=f"{shown_path(self.folder)} cannot be looked at: {error.strerror or error}")
        now = self.clock()
        seen = self._seen
        self._seen = {
            path: seen[path] if path in seen and seen[path][0] == stamp else (stamp, now)
            for path, stamp in found.items()
        }
        self._taken = {path: stamp for path, stamp in self._taken.items() if path in found}
        changed = [path for path, stamp in found.items() if self._taken.get(path) != stamp]
        ready = {path for path in changed if now - self._seen[path][1] >= self.settle_seconds}
        return Changes(tuple(sorted(ready)), len(changed) - len(ready))

    def taken(self, paths: Iterable[Path]) -> None:
        """These are being read as they were when last looked at."""
        for path in paths:
            if path in self._seen:
                self._taken[path] = self._seen[path][0]

    def documents_among(self, ready: Iterable[Path]) -> list[str]:
        """The documents that changed with these files: parts of a project change those that take them in."""
        changed = set(ready)
        found = gather([str(self.folder)])
        wanted = [item for item in found if item.state in ("ready", "failed") and item.path in changed]
        if any(item.code == "part" and item.path in changed for item in found):
            wanted += [item for item in found if item.is_ready and item.path.suffix.lower() == ".tex"]
        return sorted({str(item.path) for item in wanted})

    def gone(self, documents: Iterable[DocumentInfo]) -> list[DocumentInfo]:
        """The documents of the library that were read from this folder and have been away for a while.

        None where the folder is away or holds nothing at all: a disk that is not there has lost no document.
        """
        prefix = f"{self.folder.as_posix().rstrip('/')}/"
        ours = [info for info in documents if info.key.startswith(prefix)]
        now = self.clock()
        if not ours or not self._seen or not self.folder.is_dir():
            self._missing = {}
            return []
        # Programs that save a file may take it away for a moment.
        away = [info for info in ours if not os.path.lexists(info.key)]
        self._missing = {info.key: self._missing.get(info.key, now) for info in away}
        return [info for info in away if now - self._missing[info.key] >= self.settle_seconds]


def _files(folder: Path, depth: int = 0, counted: list[int] | None = None) -> Iterator[tuple[Path, Stamp]]:
    """The plain files under a folder with what tells a change of them; no link is followed, nothing hidden is seen.

    `OSError` where a part cannot be looked at: then nothing is known of what is gone.
    """
    counted = [0] if counted is None else counted
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith("."):
                continue
            try:
                about = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                # It went while we looked.
                continue
            if stat.S_ISDIR(about.st_mode) and depth < _DEEPEST:
                yield from _files(Path(entry.path), depth + 1, counted)
            elif stat.S_ISREG(about.st_mode):
                counted[0] += 1
                if counted[0] > MOST_FILES:
                    raise OSError(0, f"it holds more than {MOST_FILES:,} files")
                yield Path(entry.path), (about.st_mtime_ns, about.st_size, about.st_ino)
