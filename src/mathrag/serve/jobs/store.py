"""Jobs on disk: `jobs.sqlite` in the library's folder. Knows states and events; runs nothing.

queued ──> running ──> done | failed | cancelled
   ^          │
   └──────────┘  the server stopped: the job is taken up again (told to stop, this attempt is not counted)
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TypeAlias

from mathrag.serve.side_file import SideFile
from mathrag.types.json_value import Json

JobState: TypeAlias = Literal["queued", "running", "done", "failed", "cancelled"]
STATES: tuple[JobState, ...] = ("queued", "running", "done", "failed", "cancelled")
FILE_NAME = "jobs.sqlite"
# A job that ends the server each time must not do so for ever.
MOST_ATTEMPTS = 3
# The last ones of a job; a folder of ten thousand files has more than anybody reads.
_MOST_EVENTS = 5_000
_SCHEMA = """
CREATE TABLE IF NOT EXISTS jobs (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, state TEXT NOT NULL, request TEXT NOT NULL,
    created TEXT NOT NULL, started TEXT, finished TEXT, attempts INTEGER NOT NULL DEFAULT 0, done INTEGER NOT NULL
    DEFAULT 0, total INTEGER NOT NULL DEFAULT 0, report TEXT, reason TEXT NOT NULL DEFAULT '', is_cancelled INTEGER
    NOT NULL DEFAULT 0);
CREATE INDEX IF NOT EXISTS jobs_by_state ON jobs(state, number);
CREATE TABLE IF NOT EXISTS job_events (
    number INTEGER PRIMARY KEY AUTOINCREMENT, job TEXT NOT NULL, time TEXT NOT NULL, event TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS job_events_by_job ON job_events(job, number);
"""
_COLUMNS = "id, state, request, created, started, finished, attempts, done, total, report, reason, is_cancelled"


@dataclass(frozen=True, slots=True)
class Job:
    """One job. `request` says what to read (`paths`, `names`, `force`, `retry`); `report` what came of it."""

    id: str
    state: JobState
    request: Mapping[str, Any]
    created: str
    started: str | None
    finished: str | None
    attempts: int
    done: int
    total: int
    report: Json | None
    reason: str
    is_cancelled: bool

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen."""
        return self.state in ("done", "failed", "cancelled")


class JobStore:
    """The jobs of a library, for any number of threads; every change is on disk when the call returns."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE_NAME
        self._file = SideFile(self.path, schema=_SCHEMA, pragmas=("journal_mode = WAL", "synchronous = FULL"))

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def add(self, request: Mapping[str, Any]) -> Job:
        """Write down a new job."""
        identifier = f"j-{secrets.token_hex(8)}"
        with self._file.writing() as connection:
            connection.execute(
                "INSERT INTO jobs (id, state, request, created) VALUES (?, 'queued', ?, ?)",
                (identifier, json.dumps(request), _now()),
            )
            _add_event(connection, identifier, {"state": "queued"})
        return self.get(identifier)

    def get(self, identifier: str) -> Job:
        """One job; `KeyError` where there is none of this id."""
        rows = self._file.rows(f"SELECT {_COLUMNS} FROM jobs WHERE id = ?", (identifier,))  # noqa: S608 - our own names
        if not rows:
            raise KeyError(identifier)
        return _job(rows[0])

    def listed(self, *, state: JobState | None = None, limit: int = 50, offset: int = 0) -> tuple[list[Job], int]:
        """Jobs, the newest first, and how many there are."""
        within, values = ("WHERE state = ?", [state]) if state is not None else ("", [])
        rows = self._file.rows(
            f"SELECT {_COLUMNS} FROM jobs {within} ORDER BY number DESC LIMIT ? OFFSET ?",  # noqa: S608 - our own names
            [*values, limit, offset],
        )
        total = self._file.rows(f"SELECT count(*) FROM jobs {within}", values)  # noqa: S608 - our own names
        return [_job(row) for row in rows], int(total[0][0])

    def counts(self) -> dict[str, int]:
        """How many jobs there are of each state."""
        found = dict(self._file.rows("SELECT state, count(*) FROM jobs GROUP BY state"))
        return {state: int(found.get(state, 0)) for state in STATES}

    def take(self) -> Job | None:
        """The oldest job that waits, now running; None where none waits."""
        with self._file.writing() as connection:
            row = connection.execute("SELECT id FROM jobs WHERE state = 'queued' ORDER BY number LIMIT 1").fetchone()
            if row is None:
                return None
            connection.execute(
                "UPDATE jobs SET state = 'running', started = ?, attempts = attempts + 1 WHERE id = ?", (_now(), row[0])
            )
            _add_event(connection, row[0], {"state": "running"})
        return self.get(row[0])

    def recover(self) -> tuple[list[str], list[str]]:
        """After a stop in the middle: jobs that were running wait again, or have failed if that happened too often."""
        again, lost = [], []
        with self._file.writing() as connection:
            rows = connection.execute("SELECT id, attempts, is_cancelled FROM jobs WHERE state = 'running'").fetchall()
            for identifier, attempts, is_cancelled in rows:
                if is_cancelled:
                    _finish(connection, identifier, "cancelled", "it was cancelled", None)
                elif attempts >= MOST_ATTEMPTS:
                    reason = f"the server stopped {attempts} times while doing this; start it again by hand"
                    _finish(connection, identifier, "failed", reason, None)
                    lost.append(identifier)
                else:
                    connection.execute("UPDATE jobs SET state = 'queued' WHERE id = ?", (identifier,))
                    _add_event(connection, identifier, {"state": "queued", "reason": "the server was restarted"})
                    again.append(identifier)
        return again, lost

    def give_back(self, identifier: str) -> None:
        """Let a running job wait again as if it had not been taken: the server was told to stop."""
        with self._file.writing() as connection:
            row = connection.execute("SELECT state, is_cancelled FROM jobs WHERE id = ?", (identifier,)).fetchone()
            if row is None or row[0] != "running":
                return
            if row[1]:
                _finish(connection, identifier, "cancelled", "it was cancelled", None)
                return
            connection.execute("UPDATE jobs SET state = 'queued', attempts = attempts - 1 WHERE id = ?", (identifier,))
            _add_event(connection, identifier, {"state": "queued", "reason": "the server was stopped"})

    def progress(self, identifier: str, event: Mapping[str, Any], *, done: int, total: int) -> None:
        """Write down how far a job is."""
        with self._file.writing() as connection:
            connection.execute("UPDATE jobs SET done = ?, total = ? WHERE id = ?", (done, total, identifier))
            _add_event(connection, identifier, {**event, "done": done, "total": total})

    def finish(self, identifier: str, state: JobState, *, reason: str = "", report: Json | None = None) -> None:
        """Write down how a job ended."""
        with self._file.writing() as connection:
            _finish(connection, identifier, state, reason, report)

    def cancel(self, identifier: str) -> Job:
        """Wish for the end of a job: one that waits ends at once, one that runs as soon as its runner looks."""
        with self._file.writing() as connection:
            row = connection.execute("SELECT state FROM jobs WHERE id = ?", (identifier,)).fetchone()
            if row is None:
                raise KeyError(identifier)
            if row[0] == "queued":
                _finish(connection, identifier, "cancelled", "it was cancelled before it began", None)
            elif row[0] == "running":
                connection.execute("UPDATE jobs SET is_cancelled = 1 WHERE id = ?", (identifier,))
        return self.get(identifier)

    def clear(self, identifier: str | None = None) -> None:
        """Forget jobs that have ended: one, or all of them. What they read stays."""
        chosen = "state IN ('done', 'failed', 'cancelled') AND (:id IS NULL OR id = :id)"
        with self._file.writing() as connection:
            connection.execute(
                f"DELETE FROM job_events WHERE job IN (SELECT id FROM jobs WHERE {chosen})",  # noqa: S608 - our own
                {"id": identifier},
            )
            connection.execute(f"DELETE FROM jobs WHERE {chosen}", {"id": identifier})  # noqa: S608 - our own

    def wants_cancel(self, identifier: str) -> bool:
        """Whether the end of a running job is wished for."""
        rows = self._file.rows("SELECT is_cancelled FROM jobs WHERE id = ?", (identifier,))
        return bool(rows and rows[0][0])

    def events(self, identifier: str, *, after: int = 0, limit: int = 500) -> list[tuple[int, Json]]:
        """What happened to a job since the event of a number, each with its number."""
        rows = self._file.rows(
            "SELECT number, event FROM job_events WHERE job = ? AND number > ? ORDER BY number LIMIT ?",
            (identifier, after, limit),
        )
        return [(number, json.loads(event)) for number, event in rows]


def _add_event(connection: sqlite3.Connection, identifier: str, event: Mapping[str, Any]) -> None:
    connection.execute(
        "INSERT INTO job_events (job, time, event) VALUES (?, ?, ?)", (identifier, _now(), json.dumps(event))
    )
    connection.execute(
        "DELETE FROM job_events WHERE job = :job AND number <= (SELECT number FROM job_events WHERE job = :job "
        "ORDER BY number DESC LIMIT 1 OFFSET :most)",
        {"job": identifier, "most": _MOST_EVENTS},
    )


def _finish(connection: sqlite3.Connection, identifier: str, state: str, reason: str, report: Json | None) -> None:
    connection.execute(
        "UPDATE jobs SET state = ?, finished = ?, reason = ?, report = ? WHERE id = ?",
        (state, _now(), reason, None if report is None else json.dumps(report), identifier),
    )
    _add_event(connection, identifier, {"state": state, "reason": reason})


def _job(row: Sequence[Any]) -> Job:
    identifier, state, request, created, started, finished, attempts, done, total, report, reason, is_cancelled = row
    return Job(
        identifier, state, json.loads(request), created, started, finished, attempts, done, total,
        None if report is None else json.loads(report), reason, bool(is_cancelled),
    )  # fmt: skip


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
