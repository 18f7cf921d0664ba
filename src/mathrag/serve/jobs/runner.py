"""Does the jobs, one after the other, in a thread of its own; the reading itself happens in another process.

Of several servers on one library only one has a runner at work: whoever holds the lock.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from mathrag.errors import DocumentError, MathragError, readable
from mathrag.library.workers.ingest_worker import ingest_apart
from mathrag.serve.jobs.store import Job, JobStore
from mathrag.serve.logs import log
from mathrag.serve.problems import ProblemError

LOCK_NAME = "jobs.lock"
_PAUSE_SECONDS = 2.0


class JobRunner:
    """The jobs of a library: written down at once, done in turn."""

    def __init__(self, folder: Path, *, workers: int | None = None, most_waiting: int = 1_000) -> None:
        self.folder = folder
        self.store = JobStore(folder)
        self.workers = workers
        self.most_waiting = most_waiting
        self._wake = threading.Event()
        self._is_closed = threading.Event()
        self._thread = threading.Thread(target=self._work, name="mathrag-jobs", daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def close(self) -> None:
        """Stop. A job in the middle is taken up again by the next server."""
        self._is_closed.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(timeout=20)
        self.store.close()

    def add(self, request: Mapping[str, Any]) -> Job:
        """A new job; it begins when those before it are done."""
        if self.store.counts()["queued"] >= self.most_waiting:
            raise ProblemError(503, "too many jobs are waiting already; try again later", headers={"Retry-After": "60"})
        job = self.store.add(request)
        self._wake.set()
        return job

    def _work(self) -> None:
        lock = self._locked()
        if lock is None:
            return
        with lock:
            again, lost = self.store.recover()
            if again or lost:
                log("jobs_recovered", resumed=again, failed=lost)
            while not self._is_closed.is_set():
                self._wake.clear()
                job = self.store.take()
                if job is None:
                    self._wake.wait(_PAUSE_SECONDS)
                    continue
                self._do(job)

    def _locked(self) -> IO[bytes] | None:
        """The lock of the one runner; waits for it. None where the server stops meanwhile."""
        file = (self.folder / LOCK_NAME).open("ab")
        try:
            import fcntl
        except ImportError:
            return file
        while not self._is_closed.is_set():
            with contextlib.suppress(OSError):
                fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
                return file
            self._is_closed.wait(0.5)
        file.close()
        return None

    def _do(self, job: Job) -> None:
        """Do one job. Whatever happens, its end is written down; only when the server stops it waits again."""

        def is_over() -> bool:
            return self._is_closed.is_set() or self.store.wants_cancel(job.id)

        try:
            report = ingest_apart(
                self.folder,
                list(job.request.get("paths", ())),
                force=bool(job.request.get("force")),
                retry=bool(job.request.get("retry")),
                workers=self.workers,
                progress=lambda file, done, total: self.store.progress(job.id, {"file": file}, done=done, total=total),
                cancelled=is_over,
            )
        except DocumentError as error:
            if self._is_closed.is_set():
                self.store.give_back(job.id)
                return
            state, reason = ("cancelled" if error.code == "cancelled" else "failed"), str(error)
            self.store.finish(job.id, state, reason=reason)  # type: ignore[arg-type]
        except (MathragError, OSError) as error:
            self.store.finish(job.id, "failed", reason=readable(str(error)))
        else:
            self.store.finish(job.id, "done", report=report)
        ended = self.store.get(job.id)
        log("job", job=job.id, state=ended.state, done=ended.done, total=ended.total, reason=ended.reason)
