"""The process that reads documents for a server: one run of ingestion, told about as it goes. Started by nobody else.

It may be killed at any time: every document is stored whole or not at all, and a second run finds the first one's work.
"""

from __future__ import annotations

import traceback
from dataclasses import asdict

from mathrag.errors import MathragError
from mathrag.isolation.child_main import Pipes, settings
from mathrag.library.facade import Library
from mathrag.library.records import FileReport
from mathrag.types.json_value import Json


def main() -> None:
    """Take one request, do it, tell the end, leave."""
    given = settings()
    pipes = Pipes()
    request = pipes.receive()
    try:
        with Library(given["folder"], create=True) as library:

            def told(report: FileReport, done: int, total: int) -> None:
                pipes.send({"file": file_object(report), "done": done, "total": total})

            report = library.ingest(
                request["paths"],
                force=bool(request.get("force")),
                retry=bool(request.get("retry")),
                workers=request.get("workers"),
                progress=told,
            )
            ended = {
                "files": [file_object(file) for file in report.files],
                "passed_over": report.passed_over,
                "seconds": round(report.seconds, 3),
            }
        pipes.send({"report": ended})
    except MathragError as error:
        pipes.send({"failed": str(error)})
    except Exception as error:
        traceback.print_exc(limit=-8)
        pipes.send({"failed": f"reading stopped with an unexpected error ({type(error).__name__})"})


def file_object(report: FileReport) -> Json:
    """What became of a file, as data; the path on this machine is not part of it."""
    made = asdict(report)
    del made["key"]
    made["warnings"] = list(report.warnings)
    made["seconds"] = round(report.seconds, 3)
    return made


if __name__ == "__main__":
    main()
