"""Take files into a library: find them, understand each in a process of its own, store each in one transaction.

One bad file never stops a run. A run that is killed can be started again: what it had stored is found unchanged.
`ReadingRun` is a run as its caller asks for it: first the rules, then a language model where one is given. `Ingestion`
is what the rules do, `ReadingPlan` what the processes do next. The reading itself happens elsewhere.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from mathrag.documents.input_files import Found, gather, has_wildcards
from mathrag.documents.isolated import READ_PAGES, pages_task
from mathrag.documents.path_text import document_key
from mathrag.documents.seams import ReadingLimits
from mathrag.errors import DocumentError
from mathrag.extract.merger import RuleMerger
from mathrag.isolation.pool import WorkerPool, default_workers
from mathrag.isolation.tasks import Done, Failed, Outcome, Task
from mathrag.library.ingest.new_conflicts import conflicts_of
from mathrag.library.ingest.reader_choice import (
    checked_reader,
    lexicon_version,
    reader_used,
    reading_settings,
    software_version,
)
from mathrag.library.records import FileReport, FileState, IngestReport, Progress
from mathrag.library.workers.document_tasks import FUNCTIONS, assembling_task, record_of, understanding_task
from mathrag.store.embedders import Embedder
from mathrag.store.truth.database import Database
from mathrag.store.truth.model_records import reading_of
from mathrag.store.truth.reader import count_documents, document_by_key, list_failures
from mathrag.store.truth.records import DocumentInfo, FailedDocument, document_id
from mathrag.store.truth.times import time_now
from mathrag.store.truth.writer import clear_failure, is_unaltered, record_failure, replace_document
from mathrag.types.document import ReaderNote
from mathrag.types.json_value import Json

if TYPE_CHECKING:
    from mathrag.library.ingest.model_reading.reader import ModelReader
    from mathrag.library.ingest.model_reading.run import ReadingEstimate
    from mathrag.llm.metered import Models


@dataclass(slots=True)
class ReadingRun:
    """What is wanted: see `Library.ingest`."""

    database: Database
    embedder: Embedder | None
    retry: bool = False
    force: bool = False
    workers: int | None = None
    progress: Progress | None = None
    password: str | None = None
    reader: str | None = None
    models: Models | None = None
    summaries: bool = False

    def run(self, paths: Sequence[str | Path]) -> IngestReport:
        """Read the files, then ask the model about those that are in the library."""
        if self.models is None:
            return self._by_rules(paths)
        from mathrag.library.ingest.model_reading.run import enriched

        model_reader = self._model_reader()
        return enriched(self._by_rules(paths, model_reader), model_reader, progress=self.progress)

    def estimate(self, paths: Sequence[str | Path]) -> ReadingEstimate:
        """Read the files by the rules and say what asking a model about them would take."""
        from mathrag.library.ingest.model_reading.run import estimated

        model_reader = self._model_reader()
        return estimated(self._by_rules(paths, model_reader), model_reader)

    def _model_reader(self) -> ModelReader:
        from mathrag.library.ingest.model_reading.reader import ModelReader
        from mathrag.library.ingest.model_reading.run import check_models

        assert self.models is not None
        check_models(self.models)
        return ModelReader(self.database, self.embedder, self.models, with_summaries=self.summaries)

    def _by_rules(self, paths: Sequence[str | Path], model_reader: ModelReader | None = None) -> IngestReport:
        chosen = checked_reader(self.reader)
        limits, known_password = reading_settings(chosen)
        names = {failure.key: failure.name for failure in (list_failures(self.database) if self.retry else [])}
        forced: frozenset[str] = frozenset()
        if model_reader is not None:
            from mathrag.library.ingest.model_reading.run import keys_for_the_rules, unfinished_keys

            forced = keys_for_the_rules(model_reader)
            if self.retry:
                names = {**unfinished_keys(self.database), **names}
        ingestion = Ingestion(
            self.database,
            self.embedder,
            limits,
            workers=self.workers,
            progress=self.progress,
            force=self.force,
            names=names,
            password=known_password if self.password is None else self.password,
            reader=chosen,
            forced=forced,
            is_asking=model_reader is not None,
        )
        return ingestion.run([*map(str, paths), *map(path_of_key, names)])


# Files are read piece by piece, so that a large one needs no memory of its size.
_BLOCK = 1024 * 1024
# A document of these kinds may take in further files, which can change or appear while it stays the same.
_PROJECTS = frozenset(("text/x-tex",))
_ODD_BYTES = "bytes:"
# Notes on a document that whoever ingests it should see at once.
_READ_BEFORE = "it had been read with a language model too; what that gave is gone until it is read with --llm again"
_WORTH_TELLING = frozenset(("page_failed", "scan", "unreadable", "outlines"))
# Those that a book may have on every page: the first few are told, `mathrag show` has all of them.
_ON_MANY_PAGES = frozenset(("unreadable", "outlines"))
_MOST_TOLD = 5


def warnings_of(notes: Sequence[ReaderNote]) -> tuple[str, ...]:
    """What of the notes on a document is told at once."""
    told = [note.message for note in notes if note.code in _WORTH_TELLING and note.code not in _ON_MANY_PAGES]
    repeated = [note.message for note in notes if note.code in _ON_MANY_PAGES]
    if len(repeated) > _MOST_TOLD:
        rest = len(repeated) - _MOST_TOLD
        repeated[_MOST_TOLD:] = [f"and {rest} more of these; `mathrag show` with the name of the document lists them"]
    return (*told, *repeated)


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
        """With counts and conflicts as they are in the end: a later file may have given an earlier one a relation."""
        ordered = sorted(reports, key=lambda report: report.key)
        counts = count_documents(self.database)
        fresh = [document_id(report.key) for report in ordered if report.state in ("added", "replaced")]
        conflicts = conflicts_of(self.database, fresh)
        return [
            report
            if report.counts is None
            else replace(report, counts=counts.get(identifier), conflicts=conflicts.get(identifier, ()))
            for report in ordered
            for identifier in (document_id(report.key),)
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
        with WorkerPool(FUNCTIONS, workers=workers, limits=self.limits.worker_limits(), keeps_spares=True) as pool:
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
        """What the library has of a file, where that need not be made anew: not where its rows were changed since."""
        known = document_by_key(self.database, file.key)
        if known is None or self._is_forced(file) or not self._is_read_so(known):
            return None
        return known if is_unaltered(self.database, known.id) else None

    def _is_forced(self, file: Found) -> bool:
        return self.force or file.key in self.forced

    def _is_read_so(self, known: DocumentInfo) -> bool:
        """Whether this program, with the reader that is asked for, would read it the same way."""
        wanted = software_version(reader_used(self.reader, known.media_type), known.media_type)
        return known.software == wanted and known.lexicon == lexicon_version()

    def _settled_at_once(self, file: Found, *, has_failed: bool) -> FileReport | None:
        """A report for a file that needs no worker: one that cannot be had, or that has not changed."""
        if file.state == "failed":
            # A path that leads nowhere was mistyped: nothing of the library has failed. Patterns may come to match.
            is_mistyped = file.code == "not_found" and file.key not in self.names and not has_wildcards(file.key)
            if not is_mistyped:
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
        warnings = warnings_of(record.info.notes)
        if is_changed and has_reading:
            warnings += (_READ_BEFORE,)
        return replace(self._report(file, state, outcome.seconds), warnings=warnings)

    def _report(self, file: Found, state: FileState, seconds: float) -> FileReport:
        identifier = document_id(file.key)
        counts = count_documents(self.database, document=identifier).get(identifier)
        return FileReport(file.name, file.key, state, seconds, file.size, counts=counts)

    def _fail(self, file: Found, code: str, reason: str) -> None:
        now = time_now()
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


# Which task comes next when files are read, some of them page by page: an iterator of tasks that hears their
# outcomes.
#
# A file is understood at once, unless it turns out to have pages: then parts of it become tasks for all processes,
# and one last task understands what they read. A part that fails is tried again page by page; a page that fails alone
# is left out, with the reason.

# Packed pages of one document; a page of dense text takes some ten thousand bytes.
_LARGEST_SPOOL = 160 * 1024 * 1024
# Large parts cost less to open, small ones keep all processes busy to the end and lose less when one fails.
_LARGEST_PART = 8
# So many for each process, so that the last ones end at about the same time.
_PARTS_A_WORKER = 4
# Failures for want of time: of the process, or noticed by a reader itself.
_LATE = frozenset(("timeout", "processor_time", "too_slow"))
# Failures that have nothing to do with a page: the file as a whole cannot be read.
_OF_THE_FILE = frozenset(
    ("changed", "not_found", "not_a_file", "unreadable", "encrypted", "password", "no_reader", "reader_broken")
)


class PageSpool:
    """Pages that were read and wait for the rest of their document: packed, on disk without a name, so that no kill
    leaves them. Written as they come, given back in the order of the pages."""

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        self._places: dict[int, tuple[int, int]] = {}
        self._size = 0

    def __len__(self) -> int:
        return len(self._places)

    def add(self, number: int, page: str) -> None:
        """Keep a page; `DocumentError` where the document grows beyond all measure or the disk is full."""
        data = page.encode("ascii")
        if self._size + len(data) > _LARGEST_SPOOL:
            raise DocumentError("too_large", f"its pages hold more than {_LARGEST_SPOOL:,} bytes; split the file")
        try:
            if self._file is None:
                # Has no name in any folder from the start: the system frees it whatever becomes of this process.
                self._file = tempfile.TemporaryFile(prefix="mathrag-")  # noqa: SIM115 - closed by close()
            self._file.seek(self._size)
            self._file.write(data)
        except OSError as error:
            raise DocumentError("disk", f"pages cannot be kept on disk: {error.strerror or error}") from error
        self._places[number] = (self._size, len(data))
        self._size += len(data)

    def pages(self) -> list[str]:
        """Every page, in the order of the pages."""
        if self._file is None:
            return []
        found = []
        for number in sorted(self._places):
            start, length = self._places[number]
            self._file.seek(start)
            found.append(self._file.read(length).decode("ascii"))
        return found

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            self._file.close()
            self._file = None
        self._places.clear()


@dataclass(slots=True)
class _PagedFile:
    """A file that is being read page by page."""

    task: Task
    pages: int
    file_hash: str
    seconds: float
    parts: deque[tuple[int, ...]]
    spool: PageSpool = field(default_factory=PageSpool)
    failed: dict[int, str] = field(default_factory=dict)
    lost_seconds: float = 0.0
    failure: tuple[str, str] | None = None
    open_parts: int = 0
    is_assembling: bool = False

    @property
    def pages_done(self) -> int:
        return len(self.spool) + len(self.failed)

    def limit(self, name: str) -> float:
        return float(self.task.payload["limits"][name])


class ReadingPlan:
    """Iterate over it for tasks (None: wait for an outcome) and tell it every outcome."""

    def __init__(self, first: Iterator[Task], *, workers: int) -> None:
        self._first = first
        self._workers = workers
        self._paged: dict[str, _PagedFile] = {}
        self._open = 0

    def __iter__(self) -> Iterator[Task | None]:
        while True:
            task = self._next()
            if task is None and not self._open:
                return
            self._open += task is not None
            yield task

    def close(self) -> None:
        """Let go of everything that waits."""
        while self._paged:
            self._paged.popitem()[1].spool.close()

    def progress(self, key: str) -> tuple[int, int]:
        """How many pages of a file are done, and how many it has."""
        paged = self._paged.get(key)
        return (0, 0) if paged is None else (paged.pages_done, paged.pages)

    def settle(self, outcome: Outcome) -> Outcome | None:
        """Take note of an outcome; what became of a whole file, or None while there is more to do for it."""
        self._open -= 1
        key = outcome.task.key
        if outcome.task.function == READ_PAGES:
            self._take_pages(self._paged[key], outcome)
            return self._given_up(key)
        if isinstance(outcome, Done) and "pages" in outcome.result:
            self._paged[key] = self._divided(outcome)
            return None
        return self._finished(key, outcome)

    def _next(self) -> Task | None:
        """Files that are under way come before new ones, so that few wait half read."""
        for paged in self._paged.values():
            if paged.parts and paged.failure is None:
                paged.open_parts += 1
                numbers = paged.parts.popleft()
                return pages_task(paged.task.key, _file(paged.task.payload), numbers, file_hash=paged.file_hash)
            if not paged.open_parts and not paged.is_assembling:
                paged.is_assembling = True
                return assembling_task(paged.task, paged.spool.pages(), paged.failed, file_hash=paged.file_hash)
        return next(self._first, None)

    def _divided(self, outcome: Done) -> _PagedFile:
        pages = int(outcome.result["pages"])
        size = max(1, min(_LARGEST_PART, pages // (self._workers * _PARTS_A_WORKER)))
        numbers = range(1, pages + 1)
        parts = deque(tuple(numbers[start : start + size]) for start in range(0, pages, size))
        return _PagedFile(outcome.task, pages, outcome.result["hash"], outcome.seconds, parts)

    def _take_pages(self, paged: _PagedFile, outcome: Outcome) -> None:
        paged.open_parts -= 1
        paged.seconds += outcome.seconds
        numbers: list[int] = outcome.task.payload["numbers"]
        if isinstance(outcome, Done):
            try:
                for number, page in zip(numbers, outcome.result, strict=True):
                    paged.spool.add(number, page)
            except DocumentError as error:
                paged.failure = (error.code, error.reason)
            return
        # What was late took its time and no more, however long it waited for a processor.
        paged.lost_seconds += min(outcome.seconds, outcome.task.seconds or outcome.seconds)
        if outcome.code in _OF_THE_FILE:
            paged.failure = (outcome.code, outcome.reason)
        elif len(numbers) > 1:
            paged.parts.extendleft((number,) for number in reversed(numbers))
        else:
            paged.failed[numbers[0]] = _with_remedy(outcome, "MATHRAG_READING_PAGE_SECONDS")
        if len(paged.failed) == paged.pages:
            first = paged.failed[min(paged.failed)]
            reason = f"none of its {paged.pages} pages could be read: {first}" if paged.pages > 1 else first
            paged.failure = (outcome.code, reason)
        elif paged.lost_seconds > paged.limit("seconds"):
            lost = f"pages that cannot be read took longer than {paged.limit('seconds'):g} s: {outcome.reason}"
            paged.failure = ("timeout", f"{lost}; {_longer('MATHRAG_READING_SECONDS')}")

    def _given_up(self, key: str) -> Outcome | None:
        """The failure of a file of which nothing is under way any more."""
        paged = self._paged[key]
        if paged.failure is None or paged.open_parts:
            return None
        self._paged.pop(key).spool.close()
        code, reason = paged.failure
        return Failed(paged.task, code, reason, "", paged.seconds)

    def _finished(self, key: str, outcome: Outcome) -> Outcome:
        paged = self._paged.pop(key, None)
        if isinstance(outcome, Failed):
            outcome = replace(outcome, reason=_with_remedy(outcome, "MATHRAG_READING_SECONDS"))
        if paged is None:
            return outcome
        paged.spool.close()
        return replace(outcome, task=paged.task, seconds=paged.seconds + outcome.seconds)


def _with_remedy(failed: Failed, setting: str) -> str:
    """The reason, and where that is want of time, the setting that gives more of it."""
    return f"{failed.reason}; {_longer(setting)}" if failed.code in _LATE else failed.reason


def _longer(setting: str) -> str:
    return f"raise {setting} to give it longer"


def _file(payload: Mapping[str, Json]) -> dict[str, Json]:
    return {name: payload[name] for name in ("path", "name", "folder", "limits", "password")}
