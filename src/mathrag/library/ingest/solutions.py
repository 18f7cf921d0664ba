"""Take a file of worked solutions into a library: read, named by content, stored as one document with its rows."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from mathrag.documents.path_text import document_key, shown_path
from mathrag.errors import LibraryError
from mathrag.extract.merger import RuleMerger
from mathrag.library.ingest.reader_choice import software_version
from mathrag.library.ingest.solution_labels import LabelEstimate, LabelRun, SolutionLabeller, carried_labels
from mathrag.sources.procedures.collection import LARGEST_FILE, BadRecord, read_collection
from mathrag.sources.procedures.rows import procedure_rows
from mathrag.store.embedders import Embedder
from mathrag.store.truth.database import Database
from mathrag.store.truth.records import DocumentInfo, DocumentRecord, ViewRows, document_id
from mathrag.store.truth.solution_labels import label_rows
from mathrag.store.truth.writer import clear_failure, is_current, replace_document
from mathrag.types.document import Place, ReaderNote
from mathrag.types.library import Extraction

# What a library calls the type of such a file; no reader of documents has it.
SOLUTIONS_TYPE = "application/vnd.mathrag.solutions"
# Raised whenever the importers give other rows for the same bytes.
_IMPORTERS = 1
# So many records that could not be read are named; the others are counted.
_MOST_NOTES = 20


@dataclass(frozen=True, slots=True)
class SolutionImport:
    """What came of importing a file of solutions; `bad` are the records that could not be read.

    `labels` is what a model said of what the records leave open; None where none was asked.
    """

    file: str
    format: str
    is_changed: bool
    problems: int
    solutions: int
    steps: int
    bad: tuple[BadRecord, ...] = ()
    labels: LabelRun | None = None


def import_solutions(
    database: Database,
    file: Path,
    *,
    embedder: Embedder,
    form: str | None = None,
    labeller: SolutionLabeller | None = None,
) -> SolutionImport:
    """Store the solutions of a file in place of what the library had of it. The same bytes again change nothing.

    With a `labeller` a model is then asked for what the records leave open, and was not asked for before.
    """
    report, info = _stored(database, file, embedder=embedder, form=form)
    if labeller is None:
        return report
    labels = labeller.run(info)
    return replace(report, labels=labels, is_changed=report.is_changed or labels.is_changed)


def estimate_labels(
    database: Database, file: Path, *, embedder: Embedder, labeller: SolutionLabeller, form: str | None = None
) -> LabelEstimate:
    """What labelling a file would take. Its records are read and kept; no model is asked."""
    return labeller.estimate(_stored(database, file, embedder=embedder, form=form)[1])


def _stored(
    database: Database, file: Path, *, embedder: Embedder, form: str | None
) -> tuple[SolutionImport, DocumentInfo]:
    """The file stored by its records alone. What models said stays for problems and steps that are still in it."""
    try:
        size, modified = file.stat().st_size, file.stat().st_mtime
        if size > LARGEST_FILE:
            raise LibraryError(f"{shown_path(file)} is larger than {LARGEST_FILE // 1024 // 1024} MB; divide it")
        content = file.read_bytes()
    except OSError as error:
        raise LibraryError(f"{shown_path(file)} cannot be read: {error.strerror or error}") from error
    read = read_collection(content, form=form)
    key = document_key(file)
    document = document_id(key)
    rows = procedure_rows(document, read.records)
    info = DocumentInfo(
        id=document,
        key=key,
        name=file.name,
        media_type=SOLUTIONS_TYPE,
        hash=hashlib.sha256(content).hexdigest(),
        bytes=len(content),
        title=f"Solutions in {file.name}",
        modified=datetime.fromtimestamp(modified, UTC).isoformat(timespec="seconds"),
        software=f"{software_version()}+solutions{_IMPORTERS}+{read.format}",
        notes=_notes(read.bad),
    )
    is_changed = not is_current(database, info)
    if is_changed:
        said = label_rows(document, carried_labels(database, document, rows))
        record = DocumentRecord(info, Extraction(document), ViewRows({**rows, "summaries": said}))
        is_changed = replace_document(database, record, merger=RuleMerger(), embedder=embedder)
        clear_failure(database, key)
    problems, solutions, steps = (len(rows[table]) for table in ("problems", "solutions", "solution_steps"))
    return SolutionImport(file.name, read.format, is_changed, problems, solutions, steps, read.bad), info


def _notes(bad: tuple[BadRecord, ...]) -> tuple[ReaderNote, ...]:
    notes = [
        ReaderNote("record_left_out", f"a record was left out: {one.reason}", Place(line=one.line))
        for one in bad[:_MOST_NOTES]
    ]
    if len(bad) > _MOST_NOTES:
        message = f"{len(bad) - _MOST_NOTES} more records were left out"
        notes.append(ReaderNote("record_left_out", message, Place(line=bad[_MOST_NOTES].line)))
    return tuple(notes)
