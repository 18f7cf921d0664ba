"""What the store keeps of what language models said, beside findings: plain values, no SQL, no model."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeAlias, TypeVar

from mathrag.store.truth.codec import decode, insert_rows, listed, place_of_row, row_of, select_rows
from mathrag.store.truth.database import Database
from mathrag.store.truth.reader import (
    constant_findings_of_document,
    definitions_of_document,
    findings_of_document,
    text_relations_of_document,
)
from mathrag.types.document import Place
from mathrag.types.library import Extraction

SummaryKind: TypeAlias = Literal["document", "page", "section", "table", "image"]
SUMMARY_KINDS: tuple[SummaryKind, ...] = ("document", "page", "section", "table", "image")
# The code of a piece that was not asked about, because the run ended before.
LEFT = "left"
Judgement: TypeAlias = Literal["same", "different", "unknown"]
Noun = TypeVar("Noun")


@dataclass(frozen=True, slots=True)
class FailedPiece:
    """A piece of a document for which no reply could be had or used: its id, a stable code and a sentence."""

    source: str
    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class ModelReading:
    """That a document was read with a model, and how far. `prompt` is the version of what the model is asked.

    Tokens and money are those of the run that finished it; replies that were kept from before cost nothing. `extras`
    names what was asked for beside the records of the chunks, such as `summaries`.
    """

    document: str
    model: str
    prompt: str
    time: str
    chunks: int
    chunks_done: int
    accepted: int = 0
    rejected: int = 0
    failures: tuple[FailedPiece, ...] = ()
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    extras: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether every chunk has its reply."""
        return self.chunks_done >= self.chunks and not self.failures


@dataclass(frozen=True, slots=True)
class RejectedProposal:
    """What a model proposed and a check refused. `source` is the id of the chunk or picture it was asked about.

    `record` is what it said, as JSON text; `quote` the words it pointed at.
    """

    document: str
    source: str
    kind: str
    code: str
    reason: str
    quote: str
    record: str
    model: str
    place: Place = field(default_factory=Place)


@dataclass(frozen=True, slots=True)
class Summary:
    """What a model says a part of a document is about. Never evidence for anything."""

    document: str
    kind: SummaryKind
    source: str
    text: str
    model: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was said about two formulas that read alike. `proof` says how arithmetic shows it, empty where it cannot."""

    first: str
    second: str
    verdict: Judgement
    proof: str
    similarity: float
    model: str
    time: str


# Read and write what became of a document's reading with a model: how far it went, and what was refused and why.


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
    failures = [[each.source, each.code, each.reason] for each in reading.failures]
    insert_rows(connection, "model_readings", [row_of("model_readings", reading, failures=failures)])
    insert_rows(connection, "rule_extractions", [row_of("rule_extractions", rules)])
    insert_rows(
        connection,
        "proposals_rejected",
        (
            row_of("proposals_rejected", each, position=position, reason=each.reason or each.code)
            for position, each in enumerate(rejected)
        ),
    )


def reading_of(database: Database, document: str) -> ModelReading | None:
    """How a document was read with a model; None where it never was."""
    return next(iter(_readings(database, "WHERE document = ?", (document,))), None)


def list_readings(database: Database) -> list[ModelReading]:
    """Every reading with a model, by document."""
    return _readings(database, "ORDER BY document", ())


def _readings(database: Database, rest: str, values: Sequence[object]) -> list[ModelReading]:
    with database.reading() as connection:
        found = select_rows(connection, "model_readings", rest, values)
    for columns in found:
        columns["failures"] = tuple(_failures(columns["failures"]))
        columns["extras"] = tuple(each for each in listed(columns["extras"]) if isinstance(each, str))
    return [ModelReading(**columns) for columns in found]


def _failures(text: str) -> list[FailedPiece]:
    return [
        FailedPiece(*each)
        for each in listed(text)
        if isinstance(each, list) and len(each) == 3 and all(isinstance(part, str) for part in each)
    ]


def _of_fields(kind: type[Noun], row: dict[str, Any], **others: object) -> Noun:
    """The noun whose fields are columns of a row; the number of the row is none of them."""
    known = row | others
    return kind(**{each.name: known[each.name] for each in fields(kind)})  # type: ignore[arg-type]


def rejected_proposals(
    database: Database, *, document: str | None = None, source: str | None = None
) -> list[RejectedProposal]:
    """What was refused, of one document, about one chunk or picture, or all, in the order of the documents."""
    with database.reading() as connection:
        rows = select_rows(
            connection,
            "proposals_rejected",
            "WHERE (:document IS NULL OR document = :document) AND (:source IS NULL OR source = :source) "
            "ORDER BY document, position",
            {"document": document, "source": source},
        )
    return [_of_fields(RejectedProposal, row, place=place_of_row(row)) for row in rows]


def count_rejected(database: Database) -> dict[str, int]:
    """How many proposals were refused, by the code of the reason, most first."""
    with database.reading() as connection:
        rows = connection.execute(
            "SELECT code, count(*) FROM proposals_rejected GROUP BY code ORDER BY count(*) DESC, code"
        ).fetchall()
    return {str(code): int(count) for code, count in rows}


# Read and write the summaries that a model made of parts of documents. Words about words: no input to anything.


def write_summaries(connection: sqlite3.Connection, document: str, summaries: Sequence[Summary]) -> None:
    """Put these in place of the summaries that the document had."""
    connection.execute("DELETE FROM summaries WHERE document = ?", (document,))
    insert_rows(
        connection,
        "summaries",
        (row_of("summaries", each, document=document, position=position) for position, each in enumerate(summaries)),
    )


def summaries_of_document(database: Database, document: str | None = None) -> list[Summary]:
    """The summaries of a document (or of all) and its parts, in its order; what is of no known kind is left out."""
    with database.reading() as connection:
        rows = select_rows(
            connection,
            "summaries",
            "WHERE :document IS NULL OR document = :document ORDER BY document, position",
            {"document": document},
        )
    return [_of_fields(Summary, row) for row in rows if row["kind"] in SUMMARY_KINDS]


# Read and write what was said about pairs of formulas that read alike. Merges nothing: a verdict is a remark.


def write_verdicts(database: Database, verdicts: Sequence[Verdict]) -> int:
    """Keep verdicts about formulas that are still there; a newer one replaces an older. Gives how many were kept."""
    kept = 0
    with database.writing() as connection:
        for one in verdicts:
            ids = connection.execute("SELECT count(*) FROM formulas WHERE id IN (?, ?)", (one.first, one.second))
            # Another process may have removed a formula since the model was asked.
            if ids.fetchone()[0] == 2 and one.first < one.second:
                insert_rows(connection, "verdicts", [row_of("verdicts", one)], verb="INSERT OR REPLACE")
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
        rows = select_rows(
            connection,
            "verdicts",
            "WHERE :formula IS NULL OR first = :formula OR second = :formula ORDER BY first, second",
            {"formula": formula},
        )
    return [Verdict(**row) for row in rows]
