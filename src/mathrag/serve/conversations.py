"""Conversations on disk: `conversations.sqlite` in the library's folder, so that a link to one still leads somewhere
after a restart. Bounded: the longest unused go first. Knows turns as data; asks nothing."""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mathrag.errors import LibraryError
from mathrag.serve.side_file import SideFile

FILE_NAME = "conversations.sqlite"
IDENTIFIER = re.compile(r"c-[A-Za-z0-9_-]{22}")
# Of one server, and of one conversation.
_MOST = 1_000
_MOST_TURNS = 100
# An outcome has some kilobytes; a larger one is not kept but asked again when it is looked at.
_LONGEST_RESULT = 200_000
# Of all kept outcomes together; beyond it, the oldest conversations go.
_MOST_CHARACTERS = 100_000_000
_SCHEMA = """
CREATE TABLE IF NOT EXISTS conversations (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, title TEXT NOT NULL, used TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS conversations_by_owner ON conversations(owner, used);
CREATE TABLE IF NOT EXISTS turns (
    conversation TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE, number INTEGER NOT NULL,
    said TEXT NOT NULL, asked TEXT NOT NULL, text TEXT NOT NULL, outcome TEXT NOT NULL, generation INTEGER NOT NULL,
    time TEXT NOT NULL, result TEXT, size INTEGER NOT NULL, PRIMARY KEY (conversation, number));
"""


@dataclass(frozen=True, slots=True)
class Turn:
    """What was said, what was asked in the end, and what came of it. `result` is None where it was too large to keep;
    `generation` is the state of the library that it was answered from."""

    number: int
    said: str
    asked: Mapping[str, Any] | None
    text: str
    outcome: str
    generation: int
    time: str
    result: dict[str, Any] | None


class Conversations:
    """The conversations of a server, for any number of threads; every turn is on disk when the call returns."""

    def __init__(self, folder: Path, *, most: int = _MOST, most_turns: int = _MOST_TURNS) -> None:
        self._most, self._most_turns = most, most_turns
        path = folder / FILE_NAME
        try:
            # What people ask is their own affair: nobody else on the machine reads it.
            path.touch(mode=0o600)
            # One writer at a time and little to write: one file is enough, and it can be copied as it is.
            pragmas = ("journal_mode = TRUNCATE", "foreign_keys = ON", "secure_delete = ON")
            self._file = SideFile(path, schema=_SCHEMA, pragmas=pragmas)
        except (OSError, sqlite3.Error) as error:
            raise LibraryError(f"{path} cannot be used ({error}); move it away, a new one is made") from error

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    @staticmethod
    def new_name() -> str:
        """The name of a new conversation, kept from its first turn. Nobody guesses it: whoever has it was given it."""
        return f"c-{secrets.token_urlsafe(16)}"

    def add(self, identifier: str, said: str, result: Mapping[str, Any], *, generation: int, owner: str = "") -> Turn:
        """Keep a turn at the end of a conversation, which begins with its first."""
        kept = json.dumps({name: value for name, value in result.items() if name != "rendered"}, ensure_ascii=False)
        now, title = _now(), " ".join(said.split())[:200]
        asked = json.dumps(result.get("asked"), ensure_ascii=False)
        with self._file.writing() as connection:
            connection.execute(
                "INSERT INTO conversations VALUES (?, ?, ?, ?) ON CONFLICT(id) DO UPDATE SET used = excluded.used",
                (identifier, owner, title, now),
            )
            last = connection.execute("SELECT max(number) FROM turns WHERE conversation = ?", (identifier,)).fetchone()
            number = (last[0] or 0) + 1
            connection.execute(
                "INSERT INTO turns VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (identifier, number, said, asked, str(result["text"]), str(result["outcome"]), generation, now,
                 kept if len(kept) <= _LONGEST_RESULT else None, min(len(kept), _LONGEST_RESULT)),
            )  # fmt: skip
            connection.execute(
                "DELETE FROM turns WHERE conversation = ? AND number <= ?", (identifier, number - self._most_turns)
            )
            self._trim(connection)
        return self.turns(identifier)[-1]

    def _trim(self, connection: sqlite3.Connection) -> None:
        connection.execute(
            "DELETE FROM conversations WHERE id IN "
            "(SELECT id FROM conversations ORDER BY used DESC, rowid DESC LIMIT -1 OFFSET ?)",
            (self._most,),
        )
        while connection.execute("SELECT coalesce(sum(size), 0) FROM turns").fetchone()[0] > _MOST_CHARACTERS:
            connection.execute(
                "DELETE FROM conversations WHERE id = (SELECT id FROM conversations ORDER BY used, rowid LIMIT 1)"
            )

    def joined(self, identifier: str, *, owner: str) -> str:
        """The name under which an owner goes on with a conversation: another's is copied first, for a link that was
        shared is for reading. `LibraryError` where there is none of that name."""
        found = self._file.rows("SELECT owner, title FROM conversations WHERE id = ?", (identifier,))
        if not found:
            raise LibraryError("this conversation is not kept any more; begin a new one")
        if found[0][0] == owner:
            return identifier
        copied = self.new_name()
        with self._file.writing() as connection:
            connection.execute("INSERT INTO conversations VALUES (?, ?, ?, ?)", (copied, owner, found[0][1], _now()))
            connection.execute(
                "INSERT INTO turns SELECT ?, number, said, asked, text, outcome, generation, time, result, size "
                "FROM turns WHERE conversation = ?",
                (copied, identifier),
            )
        return copied

    def exists(self, identifier: str) -> bool:
        """Whether anything was kept under this name."""
        return bool(self._file.rows("SELECT 1 FROM conversations WHERE id = ?", (identifier,)))

    def turns(self, identifier: str) -> list[Turn]:
        """The turns of a conversation, the first one first; none where it is not known."""
        rows = self._file.rows(
            "SELECT number, said, asked, text, outcome, generation, time, result FROM turns "
            "WHERE conversation = ? ORDER BY number",
            (identifier,),
        )
        return [
            Turn(number, said, json.loads(asked), text, outcome, generation, time, json.loads(result or "null"))
            for number, said, asked, text, outcome, generation, time, result in rows
        ]

    def previous(self, identifier: str) -> Mapping[str, Any] | None:
        """What the next question of a conversation may lean on: what was asked last."""
        rows = self._file.rows(
            "SELECT asked FROM turns WHERE conversation = ? AND asked <> 'null' ORDER BY number DESC LIMIT 1",
            (identifier,),
        )
        return json.loads(rows[0][0]) if rows else None

    def listed(self, owner: str, *, most: int = 30) -> list[dict[str, Any]]:
        """The conversations of an owner, the last used first, each by its first question and its last answer."""
        rows = self._file.rows(
            "SELECT c.id, c.title, c.used, count(*), t.text, t.outcome, max(t.number) FROM conversations c "
            "JOIN turns t ON t.conversation = c.id WHERE c.owner = ? GROUP BY c.id "
            "ORDER BY c.used DESC, c.rowid DESC LIMIT ?",
            (owner, most),
        )
        names = ("id", "title", "used", "turns", "text", "outcome")
        return [dict(zip(names, row[:6], strict=True)) for row in rows]

    def forget(self, identifier: str, *, owner: str) -> None:
        """Delete a conversation of an owner."""
        with self._file.writing() as connection:
            connection.execute("DELETE FROM conversations WHERE id = ? AND owner = ?", (identifier, owner))

    def forget_all(self, owner: str) -> None:
        """Delete all conversations of an owner."""
        with self._file.writing() as connection:
            connection.execute("DELETE FROM conversations WHERE owner = ?", (owner,))


def owner_name(secret: str) -> str:
    """The owner of conversations behind a secret, as it may stand in a file: nobody gets the secret from it."""
    return hashlib.sha256(f"mathrag conversations {secret}".encode()).hexdigest()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")
