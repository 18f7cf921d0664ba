"""Read and write what was said about pairs of formulas that read alike. Merges nothing: a verdict is a remark."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from mathrag.store.codec import storable
from mathrag.store.database import Database
from mathrag.store.model_records import Verdict

_COLUMNS = "first, second, verdict, proof, similarity, model, time"


def write_verdicts(database: Database, verdicts: Sequence[Verdict]) -> int:
    """Keep verdicts about formulas that are still there; a newer one replaces an older. Gives how many were kept."""
    kept = 0
    with database.writing() as connection:
        for one in verdicts:
            ids = connection.execute("SELECT count(*) FROM formulas WHERE id IN (?, ?)", (one.first, one.second))
            # Another process may have removed a formula since the model was asked.
            if ids.fetchone()[0] == 2 and one.first < one.second:
                connection.execute(
                    f"INSERT OR REPLACE INTO verdicts ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
                    (
                        one.first,
                        one.second,
                        one.verdict,
                        storable(one.proof),
                        one.similarity,
                        storable(one.model),
                        one.time,
                    ),
                )
                kept += 1
    return kept


def drop_verdicts(connection: sqlite3.Connection, formulas: Iterable[str]) -> None:
    """Forget what was said about formulas that are gone."""
    connection.executemany(
        "DELETE FROM verdicts WHERE first = ? OR second = ?", ((identifier, identifier) for identifier in formulas)
    )


def list_verdicts(database: Database, *, formula: str | None = None) -> list[Verdict]:
    """Every verdict, or those about one formula."""
    with database.reading() as connection:
        rows = connection.execute(
            f"SELECT {_COLUMNS} FROM verdicts WHERE :formula IS NULL OR first = :formula OR second = :formula "  # noqa: S608
            "ORDER BY first, second",
            {"formula": formula},
        ).fetchall()
    return [Verdict(*row) for row in rows]
