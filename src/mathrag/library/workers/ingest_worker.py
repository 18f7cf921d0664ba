"""Ingestion in a process of its own, for programs that must stay quick and be able to cancel. Both ends are here.

The process may be killed at any time: every document is stored whole or not at all, and a second run finds the first
one's work.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from mathrag.errors import DocumentError
from mathrag.isolation.frames import strict_json
from mathrag.isolation.spares import SPARES
from mathrag.isolation.tasks import Done, Failed, Listener, ServiceName, Task, WorkerLimits
from mathrag.isolation.worker import Worker
from mathrag.isolation.worker_main import Service
from mathrag.settings import passed_on
from mathrag.types.json_value import Json

if TYPE_CHECKING:
    from mathrag.library.records import FileReport
    from mathrag.types.library import Conflict

_SERVICE = "mathrag.library.workers.ingest_worker:ingest_service"
_LIMITS = WorkerLimits(
    # Longer than any one document may take: whoever is silent for so long is stuck.
    seconds=3600.0,
    counts_silence=True,
    start_seconds=60.0,
    # The documents are read in further processes, which have limits of their own.
    megabytes=None,
    processor_seconds=math.inf,
    answer_megabytes=64,
)


def ingest_apart(
    folder: Path,
    paths: Sequence[str],
    *,
    force: bool = False,
    retry: bool = False,
    workers: int | None = None,
    progress: Callable[[Json, int, int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Json:
    """Read files into the library in a folder; the report as data.

    `progress` is told of each file, how many are done and how many there are. Cancelled, the process is killed: what it
    had stored stays. `DocumentError` says why there is no report; its code is `cancelled`, `crashed` or `failed`.
    """

    def listen(event: Json) -> None:
        if progress is not None:
            progress(event["file"], event["done"], event["total"])

    request = {"folder": str(folder), "paths": list(paths), "force": force, "retry": retry, "workers": workers}
    kind = (_SERVICE, passed_on()[1])
    # With it wait the processes that it reads documents with.
    worker = SPARES.take(kind) or Worker(ServiceName(_SERVICE, None), _LIMITS)
    try:
        outcome = worker.ask(Task("", "ingest", request), listener=listen, cancelled=cancelled)
        if isinstance(outcome, Done):
            return outcome.result
        raise _error(outcome, worker)
    finally:
        if worker.task is None and worker.is_usable:
            SPARES.put(kind, worker)
        else:
            worker.stop()


def _error(failed: Failed, worker: Worker) -> DocumentError:
    if failed.code == "cancelled":
        return DocumentError("cancelled", "reading was cancelled; what had been read is in the library")
    if failed.is_refusal:
        return DocumentError("failed", failed.reason)
    if failed.error_classes:
        return DocumentError("failed", f"reading stopped with an unexpected error ({failed.error_classes[0]})")
    if failed.code == "timeout":
        return DocumentError("crashed", "the process that reads said nothing for an hour and was stopped")
    return DocumentError("crashed", f"the process that reads ended in the middle: {worker.last_words()}")


# ---- inside the process


def preload() -> None:
    """Load what every run needs."""
    from mathrag.library.ingest import ingestion

    assert ingestion


def ingest_service(_: Json) -> Service:
    """What the process offers: a run of ingestion, told about as it goes."""

    def ingest(request: Json, tell: Listener) -> Json:
        from mathrag.library.facade import Library

        def told(report: FileReport, done: int, total: int) -> None:
            tell(strict_json({"file": file_object(report), "done": done, "total": total}))

        with Library(request["folder"], create=True) as library:
            report = library.ingest(
                request["paths"],
                force=bool(request["force"]),
                retry=bool(request["retry"]),
                workers=request["workers"],
                progress=told,
            )
        return strict_json(
            {
                "files": [file_object(file) for file in report.files],
                "passed_over": report.passed_over,
                "seconds": round(report.seconds, 3),
                "conflicts": [conflict_object(each) for each in report.conflicts],
            }
        )

    return Service({"ingest": ingest})


def conflict_object(conflict: Conflict) -> Json:
    """A conflict as data: what it is about and a sentence that names the documents."""
    return {
        "kind": conflict.kind,
        "subject": conflict.subject,
        "entries": list(conflict.entries),
        "message": conflict.message,
    }


def file_object(report: FileReport) -> Json:
    """What became of a file, as data; the path on this machine is not part of it."""
    made = asdict(report)
    del made["key"]
    made["conflicts"] = [conflict_object(each) for each in report.conflicts]
    made["warnings"] = list(report.warnings)
    made["seconds"] = round(report.seconds, 3)
    return made
