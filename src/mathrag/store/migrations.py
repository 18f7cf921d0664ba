"""From one version of the schema to the next, in numbered steps, each in one transaction. Knows no data, only tables.

A released step is never changed: a library on somebody's disk may stand just before it. To change the schema, add a
step. What can be computed is better dropped and rebuilt by the step than converted.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import TypeAlias

from mathrag.errors import LibraryError
from mathrag.store.schema import APPLICATION_ID, VERSION_1, VERSION_2, VERSION_3, VERSION_4

Migration: TypeAlias = Callable[[sqlite3.Connection], None]


def _first_release(connection: sqlite3.Connection) -> None:
    for statement in VERSION_1:
        connection.execute(statement)
    connection.execute("INSERT INTO meta(name, value) VALUES ('generation', '0')")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _pages_and_pictures(connection: sqlite3.Connection) -> None:
    for statement in VERSION_2:
        connection.execute(statement)


def _language_models(connection: sqlite3.Connection) -> None:
    for statement in VERSION_3:
        connection.execute(statement)


def _large_libraries(connection: sqlite3.Connection) -> None:
    for statement in VERSION_4:
        connection.execute(statement)


# The number of a migration is its place in this list, from 1: applying it makes that version.
MIGRATIONS: tuple[Migration, ...] = (_first_release, _pages_and_pictures, _language_models, _large_libraries)
CURRENT_VERSION = len(MIGRATIONS)


def schema_version(connection: sqlite3.Connection) -> int:
    """The version of the open file; 0 for an empty one."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def migrate(connection: sqlite3.Connection, migrations: Sequence[Migration] = MIGRATIONS) -> int:
    """Apply the missing steps, one transaction each; several processes may try at once. Gives the number applied."""
    applied = 0
    while schema_version(connection) < len(migrations):
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Asked again under the lock: another process may have been faster.
            version = schema_version(connection)
            if version < len(migrations):
                migrations[version](connection)
                connection.execute(f"PRAGMA user_version = {version + 1}")
                applied += 1
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
    return applied


def check_version(connection: sqlite3.Connection, *, newest: int = CURRENT_VERSION) -> int:
    """The version of the file, or `LibraryError` where it is not ours or made by a newer program."""
    # One look at one state: another process may be making the file at this moment.
    connection.execute("BEGIN")
    try:
        tables = int(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
        version = schema_version(connection)
        application = int(connection.execute("PRAGMA application_id").fetchone()[0])
    finally:
        connection.execute("COMMIT")
    if application != APPLICATION_ID and (application or version or tables):
        raise LibraryError("library.sqlite in this folder is an SQLite file of another program; choose another folder")
    if version > newest:
        raise LibraryError(
            f"this library has schema version {version}, made by a newer MathRAG; this one knows up to {newest}: "
            "upgrade MathRAG to use it"
        )
    return version
