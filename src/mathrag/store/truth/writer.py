"""Change the library: one document, one correction, one transaction each. All that is derived follows inside it.

So a process that is killed leaves the library as it was before, and whoever reads sees either state, never a mixture.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import replace

from mathrag.errors import LibraryError
from mathrag.store.embedders import Embedder
from mathrag.store.index.vectors import constant_encodable, embed_texts, formula_encodable, write_vectors
from mathrag.store.index.words import (
    WORDS_VERSION,
    chunk_words,
    concept_words,
    constant_words,
    formula_words,
    index_rows,
)
from mathrag.store.truth.cells import write_document_cells, write_entry_cells
from mathrag.store.truth.codec import row_of, storable, values_of
from mathrag.store.truth.database import Database
from mathrag.store.truth.document_rows import (
    delete_document_rows,
    encodable_views,
    extraction_rows,
    insert_document_rows,
    replace_extraction_rows,
)
from mathrag.store.truth.merge import Changes, Merger, remerge
from mathrag.store.truth.model_records import (
    ModelReading,
    RejectedProposal,
    Summary,
    drop_verdicts,
    write_reading,
    write_summaries,
)
from mathrag.store.truth.problem_types import has_problems, retype
from mathrag.store.truth.records import DocumentInfo, DocumentRecord, FailedDocument
from mathrag.store.truth.relations import rerelate, text_relation_ends
from mathrag.store.truth.seals import Origin, document_agrees, seal_document, seal_loose, unseal_document
from mathrag.store.truth.solution_labels import SolutionLabel, write_labels
from mathrag.store.truth.times import time_now
from mathrag.types.library import Correction, Extraction, Finding


def is_current(database: Database, info: DocumentInfo) -> bool:
    """Whether the library holds these very bytes under this key, read by the same software with the same lexicon.

    Not where a row of the document was changed since: reading it again mends that.
    """
    with database.reading() as connection:
        return _is_current(connection, info)


def is_unaltered(database: Database, document: str) -> bool:
    """Whether every row of a document is what it was when it was stored."""
    with database.reading() as connection:
        return document_agrees(connection, document)


def replace_document(
    database: Database,
    record: DocumentRecord,
    *,
    merger: Merger,
    embedder: Embedder | None = None,
    force: bool = False,
    origin: Origin = "read",
) -> bool:
    """Store what was read from a document in place of what the library had of it; False where nothing changed.

    The same bytes read by the same software are left alone, unless `force` says otherwise.
    """
    if not force and is_current(database, record.info) and not _has_failed(database, record.info.key):
        return False
    document = record.info.id
    encodables = list(encodable_views(record.views)) if embedder is not None else []
    # Embedding may take long; other writers need not wait for it.
    ready = {} if embedder is None else embed_texts(embedder, (each.text for each in encodables))
    with database.writing() as connection:
        connection.execute("DELETE FROM failures WHERE key = ?", (storable(record.info.key),))
        if not force and _is_current(connection, record.info):
            return False
        forms, symbols = _touched(connection, document)
        ends = text_relation_ends(connection, document)
        had_problems = has_problems(connection, document)
        _remove_same_key(connection, record.info)
        delete_document_rows(connection, document)
        insert_document_rows(connection, _stamped(record))
        seal_document(connection, document, origin=origin)
        forms.update(storable(each.form) for each in record.extraction.findings)
        symbols.update(each.symbol for each in record.extraction.constants)
        _index_views(connection, record)
        if embedder is not None:
            write_vectors(connection, encodables, embedder, ready=ready)
        if had_problems or has_problems(connection, document):
            retype(connection)
        known = {} if record.rows is None else _by_record(record.rows["findings"], record.extraction.findings)
        changes = remerge(connection, merger, forms=forms, symbols=symbols, known=known)
        ends |= text_relation_ends(connection, document)
        _follow(connection, changes, merger=merger, embedder=embedder, also=ends)
    return True


def _index_views(connection: sqlite3.Connection, record: DocumentRecord) -> None:
    """The words of a document's chunks and concepts, and the cells of all its texts."""
    index_rows(
        connection,
        "chunks",
        ((str(row["id"]), chunk_words(str(row["headings"]), str(row["text"]))) for row in record.views.of("chunks")),
    )
    index_rows(
        connection,
        "concepts",
        (
            (str(row["id"]), concept_words(str(row["symbol"]), str(row["description"])))
            for row in record.views.of("concepts")
        ),
    )
    write_document_cells(connection, record.info.id)


def remove_document(database: Database, document: str, *, merger: Merger, embedder: Embedder | None = None) -> bool:
    """Take a document and all that only it supported out of the library; False where it was not there."""
    with database.writing() as connection:
        if connection.execute("SELECT 1 FROM documents WHERE id = ?", (document,)).fetchone() is None:
            return False
        forms, symbols = _touched(connection, document)
        ends = text_relation_ends(connection, document)
        had_problems = has_problems(connection, document)
        delete_document_rows(connection, document)
        unseal_document(connection, document)
        if had_problems:
            retype(connection)
        changes = remerge(connection, merger, forms=forms, symbols=symbols)
        _follow(connection, changes, merger=merger, embedder=embedder, also=ends)
    return True


def replace_extraction(
    database: Database,
    extraction: Extraction,
    *,
    info: DocumentInfo,
    reading: ModelReading,
    rules: Extraction,
    rejected: Sequence[RejectedProposal] = (),
    summaries: Sequence[Summary] | None = None,
    merger: Merger,
    embedder: Embedder | None = None,
) -> bool:
    """Store what a document says after a model was asked, in place of what was found in it before; its text stays.

    `rules` is what the rules alone had found; `summaries` None leaves those there are. False where the document was
    replaced or removed since it was read as `info`: nothing is stored then.
    """
    document = info.id
    rows = extraction_rows(extraction)
    with database.writing() as connection:
        if not _is_current(connection, info):
            return False
        forms, symbols = _touched(connection, document)
        ends = text_relation_ends(connection, document)
        replace_extraction_rows(connection, document, rows)
        write_reading(connection, reading, rules=rules, rejected=rejected)
        if summaries is not None:
            write_summaries(connection, document, summaries)
            write_document_cells(connection, document, ("summaries",))
        seal_document(connection, document)
        forms.update(storable(each.form) for each in extraction.findings)
        symbols.update(each.symbol for each in extraction.constants)
        known = _by_record(rows["findings"], extraction.findings)
        changes = remerge(connection, merger, forms=forms, symbols=symbols, known=known)
        ends |= text_relation_ends(connection, document)
        _follow(connection, changes, merger=merger, embedder=embedder, also=ends)
    return True


def replace_labels(
    database: Database, info: DocumentInfo, labels: Sequence[SolutionLabel], rejected: Sequence[RejectedProposal] = ()
) -> bool:
    """Store what a model said of imported solutions in place of what was said before; the types follow.

    False where the document was replaced or removed since it was stored as `info`: nothing is stored then.
    """
    with database.writing() as connection:
        if not _is_current(connection, info):
            return False
        write_labels(connection, info.id, labels, rejected)
        seal_document(connection, info.id)
        retype(connection)
        bump_generation(connection)
    return True


def add_correction(
    database: Database, correction: Correction, *, merger: Merger, embedder: Embedder | None = None
) -> int:
    """Keep what a person said about a formula and apply it; gives the number of the correction."""
    with database.writing() as connection:
        cursor = connection.execute(
            f"INSERT INTO corrections {values_of('corrections')}", row_of("corrections", correction)
        )
        number = cursor.lastrowid
        assert number is not None
        seal_loose(connection, "corrections", number)
        _correct(connection, correction.form, merger=merger, embedder=embedder)
    return number


def remove_correction(database: Database, number: int, *, merger: Merger, embedder: Embedder | None = None) -> None:
    """Take a correction back, by its number."""
    with database.writing() as connection:
        row = connection.execute("SELECT form FROM corrections WHERE id = ?", (number,)).fetchone()
        if row is None:
            raise LibraryError(f"there is no correction with the number {number}")
        connection.execute("DELETE FROM corrections WHERE id = ?", (number,))
        seal_loose(connection, "corrections", number)
        _correct(connection, row[0], merger=merger, embedder=embedder)


def record_failure(database: Database, failure: FailedDocument) -> None:
    """Note that a document could not be read; trying again counts the attempts."""
    with database.writing() as connection:
        connection.execute(
            f"INSERT INTO failures {values_of('failures')} ON CONFLICT (key) DO UPDATE SET name = excluded.name, "
            "hash = excluded.hash, code = excluded.code, reason = excluded.reason, time = excluded.time, "
            "attempts = attempts + 1",
            row_of("failures", failure, time=failure.time or time_now(), attempts=1),
        )
        bump_generation(connection)


def clear_failure(database: Database, key: str) -> bool:
    """Forget a failure; False where there was none."""
    with database.writing() as connection:
        cursor = connection.execute("DELETE FROM failures WHERE key = ?", (storable(key),))
        if cursor.rowcount:
            bump_generation(connection)
        return bool(cursor.rowcount)


def follow_changes(connection: sqlite3.Connection, changes: Changes, *, embedder: Embedder | None) -> None:
    """Bring words and vectors in line with changed formulas and constants."""
    index_rows(connection, "formulas", ((each.id, formula_words(each)) for each in changes.formulas.values()))
    index_rows(connection, "constants", ((each.id, constant_words(each)) for each in changes.constants.values()))
    write_entry_cells(connection, "formulas", changes.formulas)
    write_entry_cells(connection, "constants", changes.constants)
    if embedder is not None:
        entries = [formula_encodable(each) for each in changes.formulas.values()]
        entries += [constant_encodable(each) for each in changes.constants.values()]
        write_vectors(connection, entries, embedder)


def _follow(
    connection: sqlite3.Connection,
    changes: Changes,
    *,
    merger: Merger,
    embedder: Embedder | None,
    also: Iterable[str] = (),
) -> None:
    rerelate(connection, merger, changes, also=set(also))
    drop_verdicts(connection, changes.removed_formulas)
    follow_changes(connection, changes, embedder=embedder)
    bump_generation(connection)


def _correct(connection: sqlite3.Connection, form: str, *, merger: Merger, embedder: Embedder | None) -> None:
    changes = remerge(connection, merger, forms=[storable(form)], symbols=[])
    _follow(connection, changes, merger=merger, embedder=embedder)


def bump_generation(connection: sqlite3.Connection) -> None:
    """Say that the library changed."""
    connection.execute("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE name = 'generation'")
    connection.execute("INSERT OR IGNORE INTO meta (name, value) VALUES ('words_version', ?)", (WORDS_VERSION,))


def _by_record(rows: Sequence[Sequence[object]], findings: Sequence[Finding]) -> dict[str, Finding]:
    """Findings by what the database holds of them, so that merging need not read them again."""
    return {str(row[-1]): finding for row, finding in zip(rows, findings, strict=True)}


def _touched(connection: sqlite3.Connection, document: str) -> tuple[set[str], set[str]]:
    forms = connection.execute("SELECT DISTINCT form FROM findings WHERE document = ?", (document,))
    symbols = connection.execute("SELECT DISTINCT symbol FROM constant_findings WHERE document = ?", (document,))
    return {form for (form,) in forms}, {symbol for (symbol,) in symbols}


def _is_current(connection: sqlite3.Connection, info: DocumentInfo) -> bool:
    row = connection.execute(
        "SELECT hash, software, lexicon FROM documents WHERE id = ? AND key = ?", (info.id, storable(info.key))
    ).fetchone()
    is_same = row is not None and row == (info.hash, info.software, info.lexicon)
    return is_same and document_agrees(connection, info.id)


def _has_failed(database: Database, key: str) -> bool:
    with database.reading() as connection:
        return connection.execute("SELECT 1 FROM failures WHERE key = ?", (storable(key),)).fetchone() is not None


def _remove_same_key(connection: sqlite3.Connection, info: DocumentInfo) -> None:
    row = connection.execute(
        "SELECT id FROM documents WHERE key = ? AND id <> ?", (storable(info.key), info.id)
    ).fetchone()
    if row is not None:
        raise LibraryError(f"the library already has a document {info.key!r} under another id; remove it first")


def _stamped(record: DocumentRecord) -> DocumentRecord:
    if record.info.ingested_at:
        return record
    return replace(record, info=replace(record.info, ingested_at=time_now()))
