"""Ask a question of a process of its own, once, and kill it when it is late. Knows no SQL and no SPARQL."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from mathrag.errors import QueryError

# Starting Python and opening the files, on a slow machine; not part of the query's own time.
_START_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Ended:
    """How the process ended, and what it had written by then."""

    code: int
    output: bytes


def ask_process(module: str, question: Mapping[str, object], *, seconds: float) -> Ended:
    """Run a module of ours with a question as JSON on its input; `QueryError` where it takes too long."""
    # -P keeps the current folder off the import path; the session of its own makes the group killable.
    process = subprocess.Popen(  # noqa: S603 - the module is named by us
        [sys.executable, "-P", "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    with process:
        try:
            output, _ = process.communicate(json.dumps(question).encode(), timeout=seconds + _START_SECONDS)
        except subprocess.TimeoutExpired as error:
            raise QueryError(_late(seconds)) from error
        finally:
            _kill(process)
    if process.returncode in (-signal.SIGXCPU, -signal.SIGALRM):
        raise QueryError(_late(seconds))
    return Ended(process.returncode, output)


def _late(seconds: float) -> str:
    return f"the query took longer than {seconds:g} s and was stopped; ask for less, or add a condition"


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
