"""Take files into a library: find them, understand each in a process of its own, store each in one transaction.

One bad file never stops a run. A run that is killed can be started again: what it had stored is found unchanged.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from urllib.parse import unquote_to_bytes

from mathrag.documents.gathering import Found, gather
from mathrag.documents.isolation import Failed, Outcome, Task, WorkerLimits, WorkerPool
from mathrag.documents.isolation.pool import default_workers
from mathrag.documents.path_text import document_key
from mathrag.documents.reader import ReadingLimits
from mathrag.extract.merger import RuleMerger
from mathrag.library.nouns import FileReport, FileState, IngestReport, Progress
from mathrag.library.reader_choice import reader_used
from mathrag.library.reading_plan import ReadingPlan
from mathrag.library.versions import lexicon_version, software_version
from mathrag.library.worker_tasks import FUNCTIONS, record_of, understanding_task
from mathrag.store.database import Database
from mathrag.store.embedders import Embedder
from mathrag.store.proposals import reading_of
from mathrag.store.reading import count_documents, document_by_key, list_failures
from mathrag.store.records import DocumentInfo, FailedDocument, document_id
from mathrag.store.writing import clear_failure, record_failure, replace_document

_BLOCK = 1024 * 1024
# A document of these kinds may take in further files, which can change or appear while it stays the same.
_PROJECTS = frozenset(("text/x-tex",))
_ODD_BYTES = "bytes:"
# Notes on a document that whoever ingests it should see at once.
_READ_BEFORE = "it had been read with a language model too; what that gave is gone until it is read with --llm again"
_WORTH_TELLING = frozenset(("page_failed", "scan"))


@dataclass(slots=True)
class Ingestion:
    """One run over some files. `names` are what files were called when they failed, by their keys.

    `password` opens encrypted files; it goes to the processes that read and nowhere else. `reader` names the program
    that is to read what is no text, empty for the usual readers. `forced` are the keys of files that are read again
    though they have not changed. `is_asking` where a language model is asked afterwards.
    """

    database: Database
    embedder: Embedder | None
    limits: ReadingLimits = field(default_factory=ReadingLimits)
    workers: int | None = None
    progress: Progress | None = None
    force: bool = False
    names: dict[str, str] = field(default_factory=dict)
    password: str = field(default="", repr=False)
    reader: str = ""
    forced: frozenset[str] = frozenset()
    is_asking: bool = False

    def run(self, paths: Sequence[str]) -> IngestReport:
        """Take in every file that the paths lead to."""
        started = datetime.now(UTC)
        found = [replace(file, name=self.names.get(file.key, file.name)) for file in gather(paths)]
        self._forget_arguments(paths, found)
        # A part of a project is no file of its own, so nobody need be told.
        quiet = sum(file.state == "quiet" and file.code != "part" for file in found)
        reports = self._finally_counted(self._reports([file for file in found if file.state != "quiet"]))
        return IngestReport(tuple(reports), quiet, (datetime.now(UTC) - started).total_seconds())

    def _forget_arguments(self, paths: Sequence[str], found: Sequence[Found]) -> None:
        """A folder or pattern that once led to nothing and now leads to files has failed no longer."""
        failed = {failure.key for failure in list_failures(self.database)}
        keys = {document_key(path) for path in paths if "\0" not in path}
        for key in sorted(failed & keys - {file.key for file in found}):
            clear_failure(self.database, key)

    def _finally_counted(self, reports: Iterable[FileReport]) -> list[FileReport]:
        """With the counts at the end of the run: a later file may have given an earlier one a relation."""
        ordered = sorted(reports, key=lambda report: report.key)
        counts = count_documents(self.database)
        return [
            report if report.counts is None else replace(report, counts=counts.get(document_id(report.key)))
            for report in ordered
        ]

    def _reports(self, files: Sequence[Found]) -> Iterator[FileReport]:
        waiting: list[Found] = []
        done = 0
        failed = {failure.key for failure in list_failures(self.database)}
        for file in files:
            report = self._settled_at_once(file, has_failed=file.key in failed)
            if report is None:
                waiting.append(file)
                continue
            done += 1
            yield self._told(report, done, len(files))
        if not waiting:
            return
        for outcome, file in self._outcomes(waiting, done, len(files)):
            done += 1
            yield self._told(self._stored(outcome, file), done, len(files))

    def _outcomes(self, waiting: Sequence[Found], done: int, total: int) -> Iterator[tuple[Outcome, Found]]:
        """What became of every file, as it comes."""
        by_key = {file.key: file for file in waiting}
        workers = self.workers or default_workers()
        # The largest first: the last worker then does not sit alone with a book.
        plan = ReadingPlan(self._tasks(sorted(waiting, key=lambda file: (-file.size, file.key))), workers=workers)
        with WorkerPool(FUNCTIONS, workers=workers, limits=WorkerLimits.for_reading(self.limits)) as pool:
            try:
                for one in pool.run(plan):
                    file = by_key[one.task.key]
                    outcome = plan.settle(one)
                    if outcome is not None:
                        done += 1
                        yield outcome, file
                        continue
                    pages_done, pages = plan.progress(file.key)
                    report = FileReport(file.name, file.key, "reading", bytes=file.size)
                    self._told(replace(report, pages_done=pages_done, pages=pages), done, total)
            finally:
                plan.close()

    def _tasks(self, files: Iterable[Found]) -> Iterator[Task]:
        for file in files:
            known = self._known(file)
            yield understanding_task(
                file,
                known_hash="" if known is None else known.hash,
                limits=self.limits,
                password=self.password,
                reader=self.reader,
            )

    def _known(self, file: Found) -> DocumentInfo | None:
        """What the library has of a file, where that need not be made anew."""
        known = document_by_key(self.database, file.key)
        return known if known is not None and not self._is_forced(file) and self._is_read_so(known) else None

    def _is_forced(self, file: Found) -> bool:
        return self.force or file.key in self.forced

    def _is_read_so(self, known: DocumentInfo) -> bool:
        """Whether this program, with the reader that is asked for, would read it the same way."""
        wanted = software_version(reader_used(self.reader, known.media_type))
        return known.software == wanted and known.lexicon == lexicon_version()

    def _settled_at_once(self, file: Found, *, has_failed: bool) -> FileReport | None:
        """A report for a file that needs no worker: one that cannot be had, or that has not changed."""
        if file.state == "failed":
            self._fail(file, file.code, file.reason)
            return FileReport(file.name, file.key, "failed", code=file.code, reason=file.reason)
        if file.state == "skipped":
            return FileReport(file.name, file.key, "skipped", code=file.code, reason=file.reason)
        known = self._known(file)
        if known is None or known.media_type in _PROJECTS or self._hash(file) != known.hash:
            return None
        if has_failed:
            clear_failure(self.database, file.key)
        return self._report(file, "unchanged", 0.0)

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

    def _stored(self, outcome: Outcome, file: Found) -> FileReport:
        if isinstance(outcome, Failed):
            self._fail(file, outcome.code, outcome.reason)
            return FileReport(
                file.name, file.key, "failed", outcome.seconds, file.size, code=outcome.code, reason=outcome.reason
            )
        if outcome.result.get("unchanged"):
            clear_failure(self.database, file.key)
            return self._report(file, "unchanged", outcome.seconds)
        known = document_by_key(self.database, file.key)
        has_reading = known is not None and not self.is_asking and reading_of(self.database, known.id) is not None
        record = record_of(outcome.result, file, modified=_modified(file), reader=self.reader)
        is_changed = replace_document(
            self.database, record, merger=RuleMerger(), embedder=self.embedder, force=self._is_forced(file)
        )
        # Another process may have stored the same bytes meanwhile.
        state: FileState = "unchanged" if not is_changed else "added" if known is None else "replaced"
        warnings = tuple(note.message for note in record.info.notes if note.code in _WORTH_TELLING)
        if is_changed and has_reading:
            warnings += (_READ_BEFORE,)
        return replace(self._report(file, state, outcome.seconds), warnings=warnings)

    def _report(self, file: Found, state: FileState, seconds: float) -> FileReport:
        identifier = document_id(file.key)
        counts = count_documents(self.database, document=identifier).get(identifier)
        return FileReport(file.name, file.key, state, seconds, file.size, counts=counts)

    def _fail(self, file: Found, code: str, reason: str) -> None:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        # `Path.is_file` raises for paths that are too long or lie in a folder that may not be entered.
        known = self._hash(file) if os.path.isfile(file.path) else ""  # noqa: PTH113
        record_failure(self.database, FailedDocument(file.key, file.name, known, code, reason, now))

    def _told(self, report: FileReport, done: int, total: int) -> FileReport:
        if self.progress is not None:
            self.progress(report, done, total)
        return report


def path_of_key(key: str) -> str:
    """The path that a key was made from."""
    return os.fsdecode(unquote_to_bytes(key.removeprefix(_ODD_BYTES))) if key.startswith(_ODD_BYTES) else key


def _modified(file: Found) -> str:
    try:
        return datetime.fromtimestamp(file.path.stat().st_mtime, UTC).isoformat(timespec="seconds")
    except OSError:
        return ""
