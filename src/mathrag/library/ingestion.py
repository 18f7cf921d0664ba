"""Take files into a library: find them, understand each in a process of its own, store each in one transaction.

One bad file never stops a run. A run that is killed can be started again: what it had stored is found unchanged.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal, TypeAlias

from mathrag.documents.gathering import Found, gather
from mathrag.documents.isolation import Done, Failed, Task, WorkerLimits, WorkerPool
from mathrag.documents.reader import ReadingLimits
from mathrag.extract.merger import RuleMerger
from mathrag.library.understanding import UNDERSTAND, record_of, understanding_task
from mathrag.library.versions import lexicon_version, software_version
from mathrag.store.database import Database
from mathrag.store.embedders import Embedder
from mathrag.store.reading import count_documents, document_by_key, list_failures
from mathrag.store.records import DocumentCounts, DocumentInfo, FailedDocument, document_id
from mathrag.store.writing import clear_failure, record_failure, replace_document

FileState: TypeAlias = Literal["added", "replaced", "unchanged", "failed", "skipped"]
Progress: TypeAlias = Callable[["FileReport", int, int], None]
_BLOCK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class FileReport:
    """What became of one file. `counts` are of the whole document; None where it was not stored."""

    name: str
    key: str
    state: FileState
    seconds: float = 0.0
    bytes: int = 0
    code: str = ""
    reason: str = ""
    counts: DocumentCounts | None = None


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What became of a run: one report a file, in the order of their keys, and how many files were passed over."""

    files: tuple[FileReport, ...]
    passed_over: int = 0
    seconds: float = 0.0

    @property
    def failed(self) -> tuple[FileReport, ...]:
        """The files that could not be read."""
        return tuple(file for file in self.files if file.state == "failed")


@dataclass(slots=True)
class Ingestion:
    """One run over some files."""

    database: Database
    embedder: Embedder | None
    limits: ReadingLimits = field(default_factory=ReadingLimits)
    workers: int | None = None
    progress: Progress | None = None
    force: bool = False

    def run(self, paths: Sequence[str]) -> IngestReport:
        """Take in every file that the paths lead to."""
        started = datetime.now(UTC)
        found = gather(paths)
        quiet = sum(file.state == "quiet" for file in found)
        reports = list(self._reports([file for file in found if file.state != "quiet"]))
        reports.sort(key=lambda report: report.key)
        return IngestReport(tuple(reports), quiet, (datetime.now(UTC) - started).total_seconds())

    def _reports(self, files: Sequence[Found]) -> Iterator[FileReport]:
        waiting: list[Found] = []
        done = 0
        for file in files:
            report = self._settled_at_once(file)
            if report is None:
                waiting.append(file)
                continue
            done += 1
            yield self._told(report, done, len(files))
        if not waiting:
            return
        by_key = {file.key: file for file in waiting}
        limits = WorkerLimits.for_reading(self.limits)
        with WorkerPool([UNDERSTAND], workers=self._worker_count(len(waiting)), limits=limits) as pool:
            # The largest first: the last worker then does not sit alone with a book.
            ordered = sorted(waiting, key=lambda file: (-file.size, file.key))
            for outcome in pool.run(self._tasks(ordered)):
                done += 1
                yield self._told(self._stored(outcome, by_key[outcome.task.key]), done, len(files))

    def _worker_count(self, files: int) -> int | None:
        from mathrag.documents.isolation.pool import default_workers

        return min(files, self.workers or default_workers())

    def _tasks(self, files: Iterable[Found]) -> Iterator[Task]:
        for file in files:
            yield understanding_task(file, known_hash=self._known_hash(file), limits=self.limits)

    def _known_hash(self, file: Found) -> str:
        known = document_by_key(self.database, file.key)
        return known.hash if known is not None and not self.force and _is_read_by_us(known) else ""

    def _settled_at_once(self, file: Found) -> FileReport | None:
        """A report for a file that needs no worker: one that cannot be had, or that has not changed."""
        if file.state == "failed":
            self._fail(file, file.code, file.reason)
            return FileReport(file.name, file.key, "failed", code=file.code, reason=file.reason)
        if file.state == "skipped":
            return FileReport(file.name, file.key, "skipped", code=file.code, reason=file.reason)
        known = self._known_hash(file)
        if known and self._hash(file) == known:
            clear_failure(self.database, file.key)
            return self._report(file, "unchanged", 0.0)
        return None

    def _hash(self, file: Found) -> str:
        """Of the file alone: a project of several files is compared by its reader."""
        if file.size > self.limits.bytes:
            return ""
        digest = hashlib.sha256()
        try:
            with file.path.open("rb") as stream:
                while block := stream.read(_BLOCK):
                    digest.update(block)
        except OSError:
            return ""
        return digest.hexdigest()

    def _stored(self, outcome: Done | Failed, file: Found) -> FileReport:
        if isinstance(outcome, Failed):
            self._fail(file, outcome.code, outcome.reason)
            return FileReport(
                file.name, file.key, "failed", outcome.seconds, file.size, code=outcome.code, reason=outcome.reason
            )
        if outcome.result.get("unchanged"):
            clear_failure(self.database, file.key)
            return self._report(file, "unchanged", outcome.seconds)
        is_known = document_by_key(self.database, file.key) is not None
        record = record_of(outcome.result, file, size=file.size, modified=_modified(file))
        replace_document(self.database, record, merger=RuleMerger(), embedder=self.embedder)
        return self._report(file, "replaced" if is_known else "added", outcome.seconds)

    def _report(self, file: Found, state: FileState, seconds: float) -> FileReport:
        identifier = document_id(file.key)
        counts = count_documents(self.database).get(identifier)
        return FileReport(file.name, file.key, state, seconds, file.size, counts=counts)

    def _fail(self, file: Found, code: str, reason: str) -> None:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        known = self._hash(file) if file.path.is_file() else ""
        record_failure(self.database, FailedDocument(file.key, file.name, known, code, reason, now))

    def _told(self, report: FileReport, done: int, total: int) -> FileReport:
        if self.progress is not None:
            self.progress(report, done, total)
        return report


def paths_to_retry(database: Database) -> list[str]:
    """The files that failed before, to be tried again."""
    return [failure.key for failure in list_failures(database)]


def _is_read_by_us(info: DocumentInfo) -> bool:
    return info.software == software_version() and info.lexicon == lexicon_version()


def _modified(file: Found) -> str:
    try:
        return datetime.fromtimestamp(file.path.stat().st_mtime, UTC).isoformat(timespec="seconds")
    except OSError:
        return ""
