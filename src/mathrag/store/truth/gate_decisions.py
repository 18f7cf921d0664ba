"""Which score a corpus of the library is ranked by: kept with the library, and forgotten once the corpus changes.

Kept beside the generation, as JSON. What is read back is believed only as far as its types: a library may come from any
file.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from dataclasses import asdict, replace
from typing import Any

from mathrag.store.truth.database import Database
from mathrag.store.truth.times import time_now
from mathrag.store.truth.writer import bump_generation
from mathrag.types.quality import Corpus, Estimate, GateDecision

_NAME = "quality_gate_{corpus}"
_TABLES: dict[Corpus, str] = {"solutions": "solutions", "passages": "chunks"}
_LONGEST = 20_000
_CHOICES, _BASES = ("rules", "model", "undecided"), ("labels", "agreement", "nothing")


def corpus_fingerprint(connection: sqlite3.Connection, corpus: Corpus) -> str:
    """A digest of the documents that the corpus comes from and how they were read; empty where there are none."""
    rows = connection.execute(
        "SELECT key, hash, software FROM documents AS one WHERE EXISTS "  # noqa: S608 - our own names
        f"(SELECT 1 FROM {_TABLES[corpus]} WHERE document = one.id) ORDER BY key"
    ).fetchall()
    if not rows:
        return ""
    digest = hashlib.sha256()
    for row in rows:
        digest.update(json.dumps([str(part) for part in row]).encode("ascii") + b"\n")
    return digest.hexdigest()[:24]


def keep_decision(database: Database, corpus: Corpus, decision: GateDecision) -> GateDecision:
    """Keep what was decided, with the corpus as it now is and the time; as it is kept."""
    with database.writing() as connection:
        kept = replace(decision, fingerprint=corpus_fingerprint(connection, corpus), time=time_now())
        connection.execute(
            "INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)",
            (_NAME.format(corpus=corpus), json.dumps(asdict(kept), allow_nan=False)),
        )
        bump_generation(connection)
    return kept


def kept_decision(database: Database, corpus: Corpus) -> GateDecision | None:
    """What was decided for the corpus as it now is; None where nothing was, or the corpus is another one since."""
    with database.reading() as connection:
        row = connection.execute("SELECT value FROM meta WHERE name = ?", (_NAME.format(corpus=corpus),)).fetchone()
        if row is None:
            return None
        decision = _decision(str(row[0]))
        if decision is None or decision.fingerprint != corpus_fingerprint(connection, corpus):
            return None
        return decision


def _decision(text: str) -> GateDecision | None:
    try:
        found: Any = json.loads(text[:_LONGEST])
        if found["choice"] not in _CHOICES or found["basis"] not in _BASES:
            return None
        first, second = found["scores"]
        return GateDecision(
            found["choice"],
            found["basis"],
            str(found["reason"]),
            int(found["sample"]),
            int(found["unknown"]),
            _estimate(found["agreement"]),
            _estimate(found["rules"]),
            _estimate(found["model"]),
            (str(first), str(second)),
            str(found["fingerprint"]),
            str(found["time"]),
        )
    except (ValueError, TypeError, KeyError, RecursionError, OverflowError):
        return None


def _estimate(found: Any) -> Estimate | None:
    if found is None:
        return None
    return Estimate(float(found["value"]), float(found["low"]), float(found["high"]), int(found["count"]))
