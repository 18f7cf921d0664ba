"""Worksheets that people saved, by name: their text and when it was changed. Reads no line of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mathrag.errors import LibraryError, UsageError
from mathrag.store.truth.codec import storable
from mathrag.store.truth.database import Database
from mathrag.store.truth.times import time_now

MOST_WORKSHEETS = 10_000
LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class SavedWorksheet:
    """A worksheet of the library; times are ISO 8601."""

    name: str
    text: str
    created: str
    changed: str


def sound_name(name: str) -> str:
    """The name as it is kept: one line that can be printed, without slashes."""
    kept = " ".join(name.split())
    if not kept or len(kept) > LONGEST_NAME or not kept.isprintable() or set(kept) & set("/\\"):
        raise UsageError(f"a worksheet has a name of 1 to {LONGEST_NAME} characters, without slashes")
    return kept


def save_worksheet(database: Database, name: str, text: str) -> SavedWorksheet:
    """Keep a worksheet; one of the same name is replaced."""
    kept, now = sound_name(name), time_now()
    with database.writing() as connection:
        (count,) = connection.execute("SELECT count(*) FROM worksheets WHERE name <> ?", (kept,)).fetchone()
        if count >= MOST_WORKSHEETS:
            raise LibraryError(f"a library keeps at most {MOST_WORKSHEETS:,} worksheets; remove some")
        connection.execute(
            "INSERT INTO worksheets (name, text, created, changed) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (name) DO UPDATE SET text = excluded.text, changed = excluded.changed",
            (kept, storable(text), now, now),
        )
    return load_worksheet(database, kept)


def keep_worksheets(database: Database, worksheets: Sequence[SavedWorksheet]) -> int:
    """Keep worksheets of another library with their times; one whose name is taken here is left out. How many came."""
    with database.writing() as connection:
        known = {str(name) for (name,) in connection.execute("SELECT name FROM worksheets")}
        new = [each for each in worksheets if each.name not in known][: MOST_WORKSHEETS - len(known)]
        connection.executemany(
            "INSERT INTO worksheets (name, text, created, changed) VALUES (?, ?, ?, ?)",
            [(each.name, storable(each.text), each.created, each.changed) for each in new],
        )
    return len(new)


def load_worksheet(database: Database, name: str) -> SavedWorksheet:
    """The worksheet of this name."""
    with database.reading() as connection:
        row = connection.execute(
            "SELECT name, text, created, changed FROM worksheets WHERE name = ?", (sound_name(name),)
        ).fetchone()
    if row is None:
        raise LibraryError(f"the library has no worksheet called {sound_name(name)!r}; see `mathrag worksheet list`")
    return SavedWorksheet(*map(str, row))


def list_worksheets(database: Database) -> tuple[SavedWorksheet, ...]:
    """All worksheets, the one that was changed last first."""
    with database.reading() as connection:
        rows = connection.execute(
            "SELECT name, text, created, changed FROM worksheets ORDER BY changed DESC, name"
        ).fetchall()
    return tuple(SavedWorksheet(*map(str, row)) for row in rows)


def remove_worksheet(database: Database, name: str) -> None:
    """Take a worksheet out."""
    load_worksheet(database, name)
    with database.writing() as connection:
        connection.execute("DELETE FROM worksheets WHERE name = ?", (sound_name(name),))
