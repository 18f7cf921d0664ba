"""Read and write what became of a document's reading with a model: how far it went, and what was refused and why."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from mathrag.store.codec import decode, encode, place_columns, plain_json, storable
from mathrag.store.database import Database
from mathrag.store.model_records import FailedPiece, ModelReading, RejectedProposal
from mathrag.store.places import place_of_columns
from mathrag.store.reading import (
    constant_findings_of_document,
    definitions_of_document,
    findings_of_document,
    text_relations_of_document,
)
from mathrag.types.library import Extraction

_READING = (
    "document, model, prompt, time, chunks, chunks_done, accepted, rejected, failures, calls, prompt_tokens, "
    "completion_tokens, cost, extras"
)
_REJECTED = "document, source, kind, code, reason, quote, record, model, page, line, end_line, path, file, box"


def stored_extraction(database: Database, document: str) -> Extraction:
    """What the library holds of what was found in a document; notes stay with the document."""
    with database.reading():
        return Extraction(
            document,
            tuple(findings_of_document(database, document)),
            tuple(constant_findings_of_document(database, document)),
            tuple(definitions_of_document(database, document)),
            tuple(text_relations_of_document(database, document)),
        )


def rule_extraction(database: Database, document: str) -> Extraction | None:
    """What the rules alone had found in a document that was read with a model; None where that was not kept."""
    with database.reading() as connection:
        row = connection.execute("SELECT record FROM rule_extractions WHERE document = ?", (document,)).fetchone()
    return None if row is None else decode(row[0], Extraction)


def has_rule_extraction(database: Database, document: str) -> bool:
    """Whether what the rules alone had found was kept."""
    with database.reading() as connection:
        row = connection.execute("SELECT 1 FROM rule_extractions WHERE document = ?", (document,)).fetchone()
    return row is not None


def write_reading(
    connection: sqlite3.Connection,
    reading: ModelReading,
    *,
    rules: Extraction,
    rejected: Sequence[RejectedProposal],
) -> None:
    """Put a reading and what it refused in place of what was known of the document before."""
    document = reading.document
    for table in ("model_readings", "rule_extractions", "proposals_rejected"):
        connection.execute(f"DELETE FROM {table} WHERE document = ?", (document,))  # noqa: S608 - our own names
    connection.execute(
        f"INSERT INTO model_readings ({_READING}) VALUES (?{', ?' * 13})",  # noqa: S608 - our own names
        (
            document,
            storable(reading.model),
            reading.prompt,
            reading.time,
            reading.chunks,
            reading.chunks_done,
            reading.accepted,
            reading.rejected,
            plain_json([[each.source, each.code, each.reason] for each in reading.failures]),
            reading.calls,
            reading.prompt_tokens,
            reading.completion_tokens,
            reading.cost,
            plain_json(list(reading.extras)),
        ),
    )
    connection.execute("INSERT INTO rule_extractions (document, record) VALUES (?, ?)", (document, encode(rules)))
    connection.executemany(
        f"INSERT INTO proposals_rejected (position, {_REJECTED}) VALUES (?{', ?' * 14})",  # noqa: S608 - our names
        ((position, *_rejected_row(each)) for position, each in enumerate(rejected)),
    )


def _rejected_row(one: RejectedProposal) -> tuple[object, ...]:
    words = (one.source, one.kind, one.code, one.reason or one.code, one.quote, one.record, one.model)
    return (one.document, *map(storable, words), *place_columns(one.place))


def reading_of(database: Database, document: str) -> ModelReading | None:
    """How a document was read with a model; None where it never was."""
    return next(iter(_readings(database, "WHERE document = ?", (document,))), None)


def list_readings(database: Database) -> list[ModelReading]:
    """Every reading with a model, by document."""
    return _readings(database, "ORDER BY document", ())


def _readings(database: Database, rest: str, values: Sequence[object]) -> list[ModelReading]:
    with database.reading() as connection:
        rows = connection.execute(f"SELECT {_READING} FROM model_readings {rest}", tuple(values)).fetchall()  # noqa: S608
    found = []
    for row in rows:
        columns = dict(zip(_READING.split(", "), row, strict=True))
        columns["failures"] = tuple(_failures(columns["failures"]))
        columns["extras"] = tuple(each for each in _listed(columns["extras"]) if isinstance(each, str))
        found.append(ModelReading(**columns))
    return found


def _failures(text: str) -> list[FailedPiece]:
    return [
        FailedPiece(*each)
        for each in _listed(text)
        if isinstance(each, list) and len(each) == 3 and all(isinstance(part, str) for part in each)
    ]


def _listed(text: str) -> list[object]:
    """The list that a column holds; nothing for anything else, because a library may come from somebody's file."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return found if isinstance(found, list) else []


def rejected_proposals(
    database: Database, *, document: str | None = None, source: str | None = None
) -> list[RejectedProposal]:
    """What was refused, of one document, about one chunk or picture, or all, in the order of the documents."""
    with database.reading() as connection:
        rows = connection.execute(
            f"SELECT {_REJECTED} FROM proposals_rejected WHERE (:document IS NULL OR document = :document) "  # noqa: S608
            "AND (:source IS NULL OR source = :source) ORDER BY document, position",
            {"document": document, "source": source},
        ).fetchall()
    return [
        RejectedProposal(document, source, kind, code, reason, quote, record, model, place_of_columns(*place))
        for document, source, kind, code, reason, quote, record, model, *place in rows
    ]


def count_rejected(database: Database) -> dict[str, int]:
    """How many proposals were refused, by the code of the reason, most first."""
    with database.reading() as connection:
        rows = connection.execute(
            "SELECT code, count(*) FROM proposals_rejected GROUP BY code ORDER BY count(*) DESC, code"
        ).fetchall()
    return {str(code): int(count) for code, count in rows}
