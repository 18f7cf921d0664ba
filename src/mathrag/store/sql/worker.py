"""What the process does that runs one query and ends: limits itself, runs it, gives rows or a reason.

Imports next to nothing, so that it starts fast and its memory is the query's own.
"""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Any

from mathrag.isolation.limits import end_after, limit_process
from mathrag.store.sql.policy import allow, limit_connection, meet_virtual_tables
from mathrag.store.truth.database import connect
from mathrag.types.json_value import Json

# What Python, SQLite and the libraries of both take before the query has done anything; most is only reserved.
_OWN_MEGABYTES = 272
# What SQLite needs beyond its time to stop by itself and say so, before the process is ended without a word.
_GRACE_SECONDS = 0.5
# SQLite does some ten million instructions a second: often enough to stop in time, too rarely to slow it down.
_INSTRUCTIONS_BETWEEN_LOOKS = 2_000
# Characters: what a page can show and a program can take in at once.
_LONGEST_ANSWER = 16_000_000
_LONGEST_VALUE = 1_000_000
# The library, its shared memory and the pipes, with room for what SQLite opens beside them.
_OPEN_FILES = 32


def run_query(question: Json) -> Json:
    """Columns and rows, or the reason why there are none; no more memory, time or files than one query needs."""
    seconds = question["seconds"]
    # One function call on one long text cannot be interrupted from inside.
    end_after(seconds + _GRACE_SECONDS)
    limit_process(
        address_megabytes=question["megabytes"] + _OWN_MEGABYTES,
        processor_seconds=int(seconds) + 2,
        open_files=_OPEN_FILES,
        processes=0,
    )
    clock = _Clock(seconds)
    refused: list[str] = []
    read: set[str] = set()
    connection = connect(Path(question["path"]), is_read_only=True)
    try:
        limit_connection(connection, question["megabytes"])
        hidden = meet_virtual_tables(connection)
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        connection.set_progress_handler(clock, _INSTRUCTIONS_BETWEEN_LOOKS)
        connection.set_authorizer(allow(refused, hidden=hidden, read=read))
        return {**_rows(connection, question), "read": sorted(read)}
    except (sqlite3.Error, sqlite3.Warning, MemoryError, OverflowError) as error:
        return {"error": _reason(error, refused, clock, question)}


class _Clock:
    """Tells SQLite to stop when the time is up."""

    def __init__(self, seconds: float) -> None:
        self.deadline = time.monotonic() + seconds
        self.is_late = False

    def __call__(self) -> int:
        self.is_late = time.monotonic() > self.deadline
        return int(self.is_late)


def _rows(connection: sqlite3.Connection, question: Json) -> Json:
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


def _reason(error: BaseException, refused: list[str], clock: _Clock, question: Json) -> str:
    seconds, megabytes = question["seconds"], question["megabytes"]
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    text = str(error)
    if clock.is_late:
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
