"""The file of kept replies, `replies.sqlite` in the library's folder. Keeps texts under digests; does not read them.

It holds what models said, under a digest of what they were asked: no requests, no addresses, no keys. It is no part of
the library's truth: without it everything is asked, and paid for, again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from mathrag.errors import LibraryError

FILE_NAME = "replies.sqlite"
VERSION = 1
# "mRPL" in ASCII: tells our files from other SQLite files.
_APPLICATION_ID = 0x6D52504C
_BUSY_SECONDS = 60.0
_TABLE = """CREATE TABLE IF NOT EXISTS replies (
    digest TEXT PRIMARY KEY, reply TEXT NOT NULL, checksum TEXT NOT NULL,
    model TEXT NOT NULL, role TEXT NOT NULL, size INTEGER NOT NULL, time INTEGER NOT NULL
)"""
# A reply that is whole stays, whoever comes later; a damaged one makes room.
_PUT = """INSERT INTO replies (digest, reply, checksum, model, role, size, time) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (digest) DO NOTHING"""
_COUNTS = """SELECT model, role, count(*), total(size), min(time), max(time) FROM replies
    GROUP BY model, role ORDER BY model, role"""


@dataclass(frozen=True, slots=True)
class KeptReplies:
    """How many replies of one model are kept for one role, and how long they are together in bytes."""

    model: str
    role: str
    entries: int
    size: int


@dataclass(frozen=True, slots=True)
class RepliesStatus:
    """What the file holds: its size in bytes, the times of the oldest and newest reply in seconds since 1970."""

    path: Path
    entries: int = 0
    size: int = 0
    oldest: int | None = None
    newest: int | None = None
    kept: tuple[KeptReplies, ...] = ()


class Replies:
    """The kept replies of a library. Safe to use from several threads and processes; opened when first needed."""

    def __init__(self, folder: str | Path, *, now: Callable[[], float] = time.time) -> None:
        self.folder = Path(folder)
        self.path = self.folder / FILE_NAME
        self._now = now
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._process = 0
        self._is_closed = False

    def get(self, digest: str) -> str | None:
        """The reply kept under a digest; None where there is none, or one that does not match its checksum."""
        with self._opened(create=False) as connection:
            if connection is None:
                return None
            row = connection.execute("SELECT reply, checksum FROM replies WHERE digest = ?", (digest,)).fetchone()
            if row is None:
                return None
            if isinstance(row[0], str) and row[1] == _checksum(row[0]):
                return row[0]
            connection.execute("DELETE FROM replies WHERE digest = ? AND checksum = ?", (digest, row[1]))
            return None

    def put(self, digest: str, reply: str, *, model: str, role: str) -> None:
        """Keep a reply; one that is already there stays. When this returns, it is in the file."""
        with self._opened(create=True) as connection:
            assert connection is not None
            size = len(reply.encode("utf-8", "replace"))
            connection.execute(_PUT, (digest, reply, _checksum(reply), model, role, size, int(self._now())))

    def status(self) -> RepliesStatus:
        """What is kept."""
        with self._opened(create=False) as connection:
            if connection is None:
                return RepliesStatus(self.path)
            rows = connection.execute(_COUNTS).fetchall()
            return RepliesStatus(
                self.path,
                sum(row[2] for row in rows),
                sum(path.stat().st_size for path in self._files() if path.exists()),
                min((row[4] for row in rows), default=None),
                max((row[5] for row in rows), default=None),
                tuple(KeptReplies(row[0], row[1], row[2], int(row[3])) for row in rows),
            )

    def clear(self, *, model: str | None = None, older_than_days: float | None = None) -> int:
        """Forget replies, all or those of a model or age; their number. A file that cannot be read is deleted whole."""
        try:
            return self._forget(model, older_than_days)
        except _DamagedError as error:
            if model is not None or older_than_days is not None:
                raise LibraryError(f"{error} (without --model and --older-than: it cannot be read)") from error
            self._delete()
            return 0

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._is_closed = True
            self._drop()

    def __enter__(self) -> Replies:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _forget(self, model: str | None, older_than_days: float | None) -> int:
        with self._opened(create=False) as connection:
            if connection is None:
                return 0
            before = self._now() - older_than_days * 86_400 if older_than_days is not None else None
            deleted = connection.execute(
                "DELETE FROM replies WHERE (?1 IS NULL OR model = ?1) AND (?2 IS NULL OR time < ?2)", (model, before)
            ).rowcount
            # Room on the disk is freed only when nobody else is reading; it can wait.
            with contextlib.suppress(sqlite3.OperationalError):
                connection.execute("PRAGMA busy_timeout = 1000")
                connection.execute("VACUUM")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.execute(f"PRAGMA busy_timeout = {int(_BUSY_SECONDS * 1000)}")
            return deleted

    def _delete(self) -> None:
        with self._lock:
            self._drop()
            try:
                for path in self._files():
                    path.unlink(missing_ok=True)
            except OSError as error:
                raise LibraryError(f"{path} cannot be deleted: {error.strerror}; delete it yourself") from error

    def _files(self) -> list[Path]:
        return [self.path.with_name(self.path.name + ending) for ending in ("", "-wal", "-shm")]

    @contextlib.contextmanager
    def _opened(self, *, create: bool) -> Iterator[sqlite3.Connection | None]:
        """The connection, for one thread at a time; None where there is no file and none is to be made."""
        with self._lock:
            if self._is_closed:
                raise LibraryError("the kept replies have been closed; open the library again")
            if self._connection is not None and self._process != os.getpid():
                # A connection inherited by a forked process belongs to the parent; it is left alone.
                self._connection = None
            if self._connection is None:
                self._check_writable()
            if self._connection is None and not create and not self.path.exists():
                yield None
                return
            with self._translated():
                if self._connection is None:
                    self._connection = self._connect()
                    self._process = os.getpid()
                yield self._connection

    def _check_writable(self) -> None:
        """Refuse before anything is asked: a reply that cannot be kept would be paid for again."""
        for path in (self.folder, *self._files()):
            if path.exists() and not os.access(path, os.W_OK):
                raise LibraryError(f"{path} cannot be written; change its permissions or choose another --library")

    def _connect(self) -> sqlite3.Connection:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LibraryError(
                f"the folder {self.folder} cannot be made: {error.strerror}; choose another --library"
            ) from error
        connection = sqlite3.connect(
            self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=16
        )
        try:
            connection.execute("PRAGMA trusted_schema = OFF")
            _prepare(connection, self.path)
        except BaseException:
            connection.close()
            raise
        return connection

    def _drop(self) -> None:
        if self._connection is not None and self._process == os.getpid():
            self._connection.close()
        self._connection = None

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        """Turn SQLite's errors into ours."""
        try:
            yield
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_SCHEMA) or _lacks_table(error):
                raise _DamagedError(
                    f"the kept replies in {self.path} are damaged; begin anew with "
                    f"`mathrag cache clear --library {self.folder}`"
                ) from error
            raise LibraryError(_sentence(error, code, self.path)) from error


class _DamagedError(LibraryError):
    """The file cannot be read any more."""


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Make the table in a new file; refuse a file of others or of later versions."""
    deadline = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            version, application, tables = _state(connection)
            if version == VERSION and application == _APPLICATION_ID:
                connection.execute("PRAGMA synchronous = NORMAL")
                return
            _check_ours(version, tables, path=path)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(_TABLE)
            connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
            connection.execute("COMMIT")
        except sqlite3.OperationalError as error:
            # Changing to WAL does not wait for others as everything else does.
            is_busy = getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
            if not is_busy or time.monotonic() > deadline:
                raise
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            time.sleep(0.02)


def _state(connection: sqlite3.Connection) -> tuple[int, int, int]:
    """Version, mark and number of tables, as one look: another process may be making the file at this moment."""
    connection.execute("BEGIN")
    try:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    finally:
        connection.execute("COMMIT")
    return int(version), int(application), int(tables)


def _check_ours(version: int, tables: int, *, path: Path) -> None:
    if version > VERSION:
        raise LibraryError(
            f"{path} was written by a later version of MathRAG; upgrade, or begin anew by deleting that file"
        )
    if tables and version == 0:
        raise LibraryError(f"{path} is not a file of kept replies; move it away")


def _lacks_table(error: sqlite3.Error) -> bool:
    return "no such table" in str(error) or "no such column" in str(error)


def _sentence(error: sqlite3.Error, code: int, path: Path) -> str:
    match code:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return f"another process has been writing to {path} for a minute; try again when it has finished"
        case sqlite3.SQLITE_FULL:
            return "the disk is full; replies can no longer be kept, so nothing more is asked"
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_CANTOPEN:
            return f"{path} cannot be opened or written ({error}); check the permissions of its folder"
        case _:
            return f"the kept replies in {path} cannot be used: {error}"


def _checksum(reply: str) -> str:
    return hashlib.blake2b(reply.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
