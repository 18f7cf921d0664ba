"""Open the library's one SQLite file, safely for many processes and threads. Knows connections, not what they hold."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

from mathrag.documents.path_text import shown_path
from mathrag.errors import LibraryError
from mathrag.store.truth.schema import CURRENT_VERSION, FILE_NAME, check_version, migrate

_BUSY_SECONDS = 30.0
# How long a writer waits for its turn, over several busy timeouts, before it gives up with an error.
_PATIENCE_SECONDS = 300.0
_PAUSE_SECONDS = 0.02
_CLOSED = "this library has been closed; open it again"


class _Held:
    """A connection that closes when the thread that used it is gone."""

    __slots__ = ("__weakref__", "connection", "process", "thread")

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.process = os.getpid()
        self.thread = threading.current_thread()

    @property
    def is_ours(self) -> bool:
        """Whether no other thread can be at work with it: closed under its hands, SQLite reads freed memory."""
        return self.thread is threading.current_thread() or not self.thread.is_alive()

    def close(self) -> None:
        # A connection inherited by a forked process belongs to the parent: closing it here would drop its locks.
        if self.process == os.getpid():
            self.connection.close()

    def __del__(self) -> None:
        # Another thread that is at work with the connection lets go of it by itself, which closes it.
        if self.is_ours:
            with contextlib.suppress(sqlite3.Error):
                self.close()


class Database:
    """An open library: one connection for each thread, closed together."""

    def __init__(self, folder: Path, *, is_read_only: bool) -> None:
        self.folder = folder
        self.path = folder / FILE_NAME
        self.is_read_only = is_read_only
        self._local = threading.local()
        self._all: weakref.WeakSet[_Held] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._is_closed = False

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection of the current thread."""
        if self._is_closed:
            raise LibraryError(_CLOSED)
        held: _Held | None = getattr(self._local, "held", None)
        if held is None or held.process != os.getpid():
            with self._lock:
                if self._is_closed:
                    raise LibraryError(_CLOSED)
                held = _Held(connect(self.path, is_read_only=self.is_read_only))
                self._all.add(held)
            self._local.held = held
        return held.connection

    @property
    def generation(self) -> int:
        """A number that grows with every change; equal numbers mean equal content."""
        with translated():
            row = self.connection.execute("SELECT value FROM meta WHERE name = 'generation'").fetchone()
        return int(row[0])

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Several reads of one and the same state, whatever others write meanwhile."""
        connection = self.connection
        with translated():
            if connection.in_transaction:
                yield connection
                return
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.execute("ROLLBACK")

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction that is the only writer from its first statement; all of it happens, or nothing."""
        if self.is_read_only:
            raise LibraryError(f"the library in {self.folder} was opened for reading only")
        connection = self.connection
        with translated():
            _begin(connection)
            try:
                yield connection
                _patiently(lambda: connection.execute("COMMIT"))
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close every connection; work of other threads is interrupted, and theirs close when they let go of them."""
        with self._lock:
            self._is_closed = True
            for held in list(self._all):
                if held.is_ours:
                    held.close()
                elif held.process == os.getpid():
                    held.connection.interrupt()
            self._all.clear()
        self._local = threading.local()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_database(folder: Path, *, read_only: bool = False, create: bool = True) -> Database:
    """Open the library in a folder, making or upgrading it where needed and allowed; `LibraryError` if it cannot be."""
    path = folder / FILE_NAME
    # `Path.is_file` raises for names that are too long.
    exists = os.path.isfile(path)  # noqa: PTH113
    if not exists and (read_only or not create):
        raise LibraryError(f"there is no library in {folder}; make one with: mathrag ingest PATH --library {folder}")
    if not read_only:
        _check_folder(folder)
    database = Database(folder, is_read_only=read_only)
    try:
        with translated(str(folder)):
            _patiently(lambda: _prepare(database))
    except BaseException:
        database.close()
        raise
    return database


def _check_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = f"the folder {shown_path(folder)} cannot be made: {error.strerror}; choose another --library"
        raise LibraryError(reason) from error
    path = folder / FILE_NAME
    if not os.access(folder, os.W_OK | os.X_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise LibraryError(
            f"the library in {folder} cannot be written; change its permissions or choose another --library"
        )


def _prepare(database: Database) -> None:
    connection = database.connection
    version = check_version(connection)
    if database.is_read_only:
        if version < CURRENT_VERSION:
            raise LibraryError(
                f"this library has schema version {version} and has to be upgraded to {CURRENT_VERSION} first: "
                f"run mathrag check --library {database.folder}"
            )
        return
    if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        connection.execute("PRAGMA journal_mode = WAL")
    migrate(connection)


def connect(path: Path, *, is_read_only: bool) -> sqlite3.Connection:
    """A connection to the file, set up as the library needs it. Most callers want `open_database`."""
    if not is_read_only:
        return _configure(_open_uri(path, "rwc"), is_read_only=False)
    connection: sqlite3.Connection | None = None
    try:
        connection = _open_uri(path, "ro")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error as error:
        if connection is not None:
            connection.close()
        if not isinstance(error, sqlite3.OperationalError) or _is_busy(error) or not _is_at_rest(path):
            raise
        connection = _open_uri(path, "ro", "&immutable=1")
    return _configure(connection)


def _is_at_rest(path: Path) -> bool:
    """Whether the file is in a folder that nobody can write (a medium, an archive) and complete in itself.

    There is no room for the shared-memory file of WAL mode there, and no need of it.
    """
    waiting = path.with_name(path.name + "-wal")
    return not os.access(path.parent, os.W_OK) and not (waiting.exists() and waiting.stat().st_size)


def _open_uri(path: Path, mode: str, options: str = "") -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.resolve().as_uri()}?mode={mode}{options}",
        uri=True,
        timeout=_BUSY_SECONDS,
        isolation_level=None,
        # Each connection is used by one thread; only closing may happen from another.
        check_same_thread=False,
    )


def _configure(connection: sqlite3.Connection, *, is_read_only: bool = True) -> sqlite3.Connection:
    # Our triggers write to the word index, which SQLite allows only in a schema it trusts; reading needs no trust.
    trust = "OFF" if is_read_only else "ON"
    try:
        for pragma in (
            "foreign_keys = ON",
            "synchronous = NORMAL",
            "cache_size = -32768",
            "temp_store = MEMORY",
            f"trusted_schema = {trust}",
        ):
            connection.execute(f"PRAGMA {pragma}")
    except BaseException:
        connection.close()
        raise
    return connection


def _begin(connection: sqlite3.Connection) -> None:
    if connection.in_transaction:
        raise LibraryError("a change of the library was begun inside another one")
    _patiently(lambda: connection.execute("BEGIN IMMEDIATE"))


def _patiently(action: Callable[[], object], *, seconds: float = _PATIENCE_SECONDS) -> None:
    """Do it, again and again while other processes are in the way."""
    deadline = time.monotonic() + seconds
    pause = _PAUSE_SECONDS
    while True:
        try:
            action()
        except sqlite3.OperationalError as error:
            if not _is_busy(error) or time.monotonic() > deadline:
                raise
        else:
            return
        time.sleep(pause)
        pause = min(pause * 2, 1.0)


def _is_busy(error: sqlite3.Error) -> bool:
    # The low byte is the primary code; the rest says which kind of busy (recovery, snapshot, shared memory).
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


@contextlib.contextmanager
def translated(where: str = "") -> Iterator[None]:
    """Turn SQLite's errors into ours: the one wall they may not pass."""
    try:
        yield
    except sqlite3.Error as error:
        raise LibraryError(_sentence(error, where)) from error


def _sentence(error: sqlite3.Error, where: str) -> str:
    place = f" in {where}" if where else ""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if _is_busy(error):
        return f"another process has been writing to the library{place} for minutes; try again when it has finished"
    match code:
        case sqlite3.SQLITE_NOTADB:
            return f"library.sqlite{place} is no SQLite file; move it away or choose another --library"
        case sqlite3.SQLITE_CORRUPT:
            return f"the library{place} is damaged ({error}); restore a copy, or delete it and ingest again"
        case sqlite3.SQLITE_FULL:
            return f"the disk is full; the library{place} is as it was before"
        case sqlite3.SQLITE_IOERR:
            # Where a file beside the library cannot grow, SQLite says no more than this.
            return (
                f"the disk of the library{place} is full or fails ({error}); make room; the library is as it was before"
            )
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_CANTOPEN:
            return f"the library{place} cannot be opened or written ({error}); check the permissions of its folder"
        case _ if "fts5" in str(error) and "no such module" in str(error):
            return "this Python's SQLite was built without FTS5; use a Python whose SQLite has it"
        case _:
            return f"the library{place} cannot be used: {error}"
