"""Ingestion in a process of its own, for programs that must stay quick and be able to cancel. Reads nothing itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from mathrag.errors import DocumentError
from mathrag.isolation.child_process import ChildCancelledError, ChildEndedError, ChildLateError, ChildProcess
from mathrag.types.json_value import Json

_MODULE = "mathrag.library.workers.ingest_process"
# Longer than any one document may take: whoever is silent for so long is stuck.
_SILENCE_SECONDS = 3600.0


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
    child = ChildProcess(_MODULE, {"folder": str(folder)})
    request = {"paths": list(paths), "force": force, "retry": retry, "workers": workers}
    try:
        child.send(request, deadline=time.monotonic() + 60)
        while True:
            message = child.receive(deadline=time.monotonic() + _SILENCE_SECONDS, cancelled=cancelled)
            match message:
                case {"file": file, "done": int(done), "total": int(total)}:
                    if progress is not None:
                        progress(file, done, total)
                case {"report": report}:
                    return report
                case {"failed": str(reason)}:
                    raise DocumentError("failed", reason)
    except ChildCancelledError:
        raise DocumentError("cancelled", "reading was cancelled; what had been read is in the library") from None
    except ChildLateError:
        raise DocumentError("crashed", "the process that reads said nothing for an hour and was stopped") from None
    except ChildEndedError as error:
        raise DocumentError("crashed", f"the process that reads ended in the middle: {error}") from error
    finally:
        child.stop()
