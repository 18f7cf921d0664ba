"""Reading with a model as part of taking files in: after the rules have stored them, or as an estimate beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mathrag.documents.media_type import DICTIONARY_TYPES
from mathrag.library.ask.models import no_model
from mathrag.library.ingest.model_reading.records import ModelDocument
from mathrag.library.records import FileReport, IngestReport, Progress
from mathrag.llm.accounts import Estimate
from mathrag.llm.metered import Models
from mathrag.store.embedders import Embedder
from mathrag.store.truth.database import Database
from mathrag.store.truth.model_records import list_readings
from mathrag.store.truth.reader import count_documents, document_by_id, list_documents
from mathrag.store.truth.records import DocumentCounts, DocumentInfo, document_id

if TYPE_CHECKING:
    from mathrag.library.ingest.model_reading.reader import ModelReader


@dataclass(frozen=True, slots=True)
class ReadingEstimate:
    """What reading with a model would take: documents and pieces to be asked about, pairs of formulas to be compared
    (each one more call), and what is known of tokens and money."""

    documents: int
    pieces: int
    pairs: int
    estimate: Estimate
    model: str


def check_models(models: Models) -> None:
    """`UsageError` where no model is set that could read."""
    if not models.has("extract"):
        raise no_model()


def unfinished_keys(database: Database) -> dict[str, str]:
    """Keys and names of the documents whose reading with a model did not come to its end."""
    unfinished = {reading.document for reading in list_readings(database) if not reading.is_complete}
    return {info.key: info.name for info in list_documents(database) if info.id in unfinished}


def keys_for_the_rules(reader: ModelReader) -> frozenset[str]:
    """Keys of documents that the rules have to read again before a model can."""
    return frozenset(info.key for info in list_documents(reader.database) if reader.needs_rules(info.id))


def enriched(report: IngestReport, reader: ModelReader, *, progress: Progress | None = None) -> IngestReport:
    """Read the documents of a run with a model; the report with what came of it."""
    documents = _documents(reader.database, report)
    by_document = {document_id(file.key): file for file in report.files}
    done: set[str] = set()

    def told(document: str, name: str, pieces_done: int, pieces: int) -> None:
        if pieces_done == pieces:
            done.add(document)
        if progress is not None:
            file = FileReport(name, by_document[document].key, "asking", pages_done=pieces_done, pages=pieces)
            progress(file, len(done), len(documents))

    reader.progress = told
    run = reader.run(documents)
    if not run.stopped and documents:
        from mathrag.library.ingest.model_reading.same_formulas import compare_alike

        embedder: Embedder | None = reader.embedder
        if embedder is not None:
            pairs = compare_alike(
                reader.database, [info.id for info in documents], embedder=embedder.name, models=reader.models
            )
            run = replace(run, pairs=pairs, spending=reader.spent())
    counts = count_documents(reader.database)
    by_id = {one.document: one for one in run.documents}
    files = tuple(
        _with_model(file, by_id.get(document_id(file.key)), counts.get(document_id(file.key), file.counts))
        if file.counts is not None
        else file
        for file in report.files
    )
    return replace(report, files=files, model=run)


def _with_model(file: FileReport, read: ModelDocument | None, counts: DocumentCounts | None) -> FileReport:
    is_new = file.state == "unchanged" and read is not None and read.state in ("read", "partly")
    return replace(file, state="enriched" if is_new else file.state, model=read, counts=counts)


def _documents(database: Database, report: IngestReport) -> list[DocumentInfo]:
    """The documents of a run that the library has, in the order of the report; dictionaries give no formulas."""
    found = (document_by_id(database, document_id(file.key)) for file in report.files if file.counts is not None)
    return [info for info in found if info is not None and info.media_type not in DICTIONARY_TYPES]


def estimated(report: IngestReport, reader: ModelReader) -> ReadingEstimate:
    """What reading the documents of a run with a model would take. Asks nobody."""
    documents = _documents(reader.database, report)
    waiting = [info for info in documents if not reader.is_current(info.id)]
    pieces, total = 0, Estimate()
    for work in reader.works(waiting):
        pieces += len(work.questions)
        for role in dict.fromkeys(question.role for question in work.questions):
            requests = [question.request for question in work.questions if question.role == role]
            total += reader.models.estimate(role, requests)
    return ReadingEstimate(len(waiting), pieces, _pairs(reader, documents), total, reader.model)


def _pairs(reader: ModelReader, documents: Sequence[DocumentInfo]) -> int:
    """As the rules see the library; what the model adds may give a few more."""
    from mathrag.library.ingest.model_reading.same_formulas import pairs_to_compare

    if reader.embedder is None or not reader.models.has("judge"):
        return 0
    name = reader.models.chat("judge").name
    ids = [info.id for info in documents]
    return len(pairs_to_compare(reader.database, ids, embedder=reader.embedder.name, model=name))
