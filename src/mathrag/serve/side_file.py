"""A small SQLite file beside the library, for what a server keeps of its own: one connection for any number of threads,
every change on disk when the call returns. Knows nothing of what stands in it."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any


class SideFile:
    """The open file. `pragmas` are set and `schema` is run each time it is opened."""

    def __init__(self, path: Path, *, schema: str, pragmas: Sequence[str]) -> None:
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
        for line in pragmas:
            self._connection.execute(f"PRAGMA {line}")
        self._connection.executescript(schema)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """The connection within a transaction, which is taken back where something goes wrong."""
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise

    def rows(self, question: str, values: Sequence[object] = ()) -> list[Any]:
        """All rows of a query."""
        with self._lock:
            return self._connection.execute(question, tuple(values)).fetchall()
