"""Watches a folder while a library is served: what settles there becomes a job, as if it had been uploaded. Reads
nothing itself."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

from mathrag.errors import MathragError
from mathrag.library import Library
from mathrag.library.watching import SETTLE_SECONDS, WatchedFolder
from mathrag.serve.jobs.runner import JobRunner
from mathrag.serve.logs import log
from mathrag.serve.problems import ProblemError

_PAUSE_SECONDS = 1.0


class Watcher:
    """A thread that looks at one folder once a second."""

    def __init__(
        self, library: Library, jobs: JobRunner, folder: Path, *, remove: bool, settle_seconds: float = SETTLE_SECONDS
    ) -> None:
        self.watched = WatchedFolder(folder, settle_seconds)
        self.library = library
        self.jobs = jobs
        self.remove = remove
        self._told: set[str] = set()
        self._is_closed = threading.Event()
        self._thread = threading.Thread(target=self._work, name="mathrag-watch", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop looking."""
        self._is_closed.set()
        self._thread.join(timeout=20)

    def _work(self) -> None:
        while not self._is_closed.wait(_PAUSE_SECONDS):
            try:
                self._look()
            except (MathragError, ProblemError, OSError, sqlite3.Error) as error:
                # A full queue, a library that is being written: the next look finds the same files again.
                self._tell("watch_problem", str(error))

    def _look(self) -> None:
        changes = self.watched.look()
        if changes.problem:
            self._tell("watch_problem", changes.problem)
            return
        if changes.ready:
            paths = self.watched.documents_among(changes.ready)
            if paths:
                job = self.jobs.add({"paths": paths, "names": [Path(path).name for path in paths]})
                log("watch", folder=str(self.watched.folder), files=len(paths), job=job.id)
            self.watched.taken(changes.ready)
        for info in self.watched.gone(self.library.documents()):
            if self.remove:
                self.library.remove(info.id)
                log("watch_removed", document=info.name)
            else:
                self._tell("watch_gone", info.name)

    def _tell(self, event: str, text: str) -> None:
        """Say a thing once."""
        if (line := f"{event} {text}") not in self._told and len(self._told) < 10_000:
            self._told.add(line)
            log(event, said=text)
