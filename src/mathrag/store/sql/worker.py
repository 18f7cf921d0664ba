"""The process that runs one query and ends: reads a JSON question, writes a JSON answer. Started by `contained_sql.py`.

Imports next to nothing, so that it starts fast and its memory is the query's own.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mathrag.store.sql.policy import allow, limit_connection, meet_virtual_tables
from mathrag.store.truth.database import connect

# What Python, SQLite and the libraries of both take before the query has done anything.
_OWN_MEGABYTES = 192
_GRACE_SECONDS = 0.5
_INSTRUCTIONS_BETWEEN_LOOKS = 2_000
_LONGEST_ANSWER = 16_000_000
_LONGEST_VALUE = 1_000_000


class _LateError(Exception):
    """The time is up."""


def main() -> None:
    """Answer the question on standard input."""
    question = json.loads(sys.stdin.buffer.read())
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    limit_process(question["megabytes"], question["seconds"])
    answer = run(question)
    answers.write(json.dumps(answer))
    answers.close()


def limit_process(megabytes: int, seconds: float) -> None:
    """No more memory, processor time or files than one query needs."""
    size = (megabytes + _OWN_MEGABYTES) * 1024 * 1024
    # One function call on one long text cannot be interrupted from inside; the default action of an alarm ends it.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds + _GRACE_SECONDS)
    for name, value in (
        ("RLIMIT_AS", size),
        ("RLIMIT_CPU", int(seconds) + 2),
        ("RLIMIT_CORE", 0),
        ("RLIMIT_NOFILE", 32),
        ("RLIMIT_NPROC", 0),
    ):
        try:
            resource.setrlimit(getattr(resource, name), (value, value))
        except (ValueError, OSError, AttributeError):
            # Some systems refuse a limit; SQLite's own limits and the kill from outside still hold.
            continue


def run(question: dict[str, Any]) -> dict[str, Any]:
    """Columns and rows, or the reason why there are none."""
    late = _Clock(question["seconds"])
    refused: list[str] = []
    connection = connect(Path(question["path"]), is_read_only=True)
    try:
        limit_connection(connection, question["megabytes"])
        hidden = meet_virtual_tables(connection)
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        connection.set_progress_handler(late, _INSTRUCTIONS_BETWEEN_LOOKS)
        connection.set_authorizer(allow(refused, hidden=hidden))
        return _rows(connection, question)
    except (sqlite3.Error, sqlite3.Warning, MemoryError, OverflowError) as error:
        return {"error": _reason(error, refused, late, question)}
    finally:
        # The connection ends with the process; closing it would run more of SQLite on the memory that just ran out.
        sys.stdout.flush()


class _Clock:
    """Tells SQLite to stop when the time is up."""

    def __init__(self, seconds: float) -> None:
        self.deadline = time.monotonic() + seconds
        self.is_late = False

    def __call__(self) -> int:
        self.is_late = time.monotonic() > self.deadline
        return int(self.is_late)


def _rows(connection: sqlite3.Connection, question: dict[str, Any]) -> dict[str, Any]:
    cursor = connection.execute(question["query"], tuple(question["parameters"]))
    if cursor.description is None:
        return {"error": "there is nothing to run: write one SELECT"}
    columns = [column[0] for column in cursor.description]
    rows: list[list[Any]] = []
    length = 0
    truncated = False
    for row in cursor:
        length += sum(_size(value) for value in row) + 2 * len(row)
        if len(rows) == question["max_rows"] or length > _LONGEST_ANSWER:
            truncated = True
            break
        rows.append([_shown(value) for value in row])
        truncated = truncated or any(isinstance(value, str) and len(value) > _LONGEST_VALUE for value in row)
    return {"columns": columns, "rows": rows, "truncated": truncated}


def _size(value: object) -> int:
    return min(len(value), _LONGEST_VALUE) if isinstance(value, str) else 8


def _shown(value: object) -> object:
    if isinstance(value, bytes):
        return f"<{len(value)} bytes>"
    return value[:_LONGEST_VALUE] if isinstance(value, str) else value


def _reason(error: BaseException, refused: list[str], late: Callable[[], int], question: dict[str, Any]) -> str:
    assert isinstance(late, _Clock)
    seconds, megabytes = question["seconds"], question["megabytes"]
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    text = str(error)
    if late.is_late:
        return f"the query took longer than {seconds:g} s and was stopped; ask for less, or add a condition"
    if isinstance(error, MemoryError) or code == sqlite3.SQLITE_NOMEM:
        return f"the query needs more than {megabytes} MB of memory; ask for less, or add a condition"
    if code == sqlite3.SQLITE_TOOBIG or "too big" in text:
        return "the query makes text longer than it may; ask for less"
    # Some refusals come back as other errors, such as a virtual table that could not be set up.
    if refused:
        return f"this is not allowed here: {refused[0]}; queries may only read the tables of the library"
    if "one statement at a time" in text:
        return "only one statement can be run at a time"
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
        return "queries may only read the library"
    return f"the query is wrong: {text}"


if __name__ == "__main__":
    main()
