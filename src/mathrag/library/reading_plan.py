"""Which task comes next when files are read, some of them page by page: an iterator of tasks that hears their outcomes.

A file is understood at once, unless it turns out to have pages: then parts of it become tasks for all processes, and
one last task understands what they read. A part that fails is tried again page by page; a page that fails alone is
left out, with the reason.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from mathrag.documents.isolation import Done, Failed, Outcome, Task
from mathrag.documents.isolation.paging import READ_PAGES, pages_task
from mathrag.errors import DocumentError
from mathrag.library.page_spool import PageSpool
from mathrag.library.worker_tasks import assembling_task

Json: TypeAlias = Any
# Large parts cost less to open, small ones keep all processes busy to the end and lose less when one fails.
_LARGEST_PART = 8
_PARTS_A_WORKER = 4
# Failures that have nothing to do with a page: the file as a whole cannot be read.
_OF_THE_FILE = frozenset(
    ("changed", "not_found", "not_a_file", "unreadable", "encrypted", "password", "no_reader", "reader_broken")
)


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
        paged.lost_seconds += outcome.seconds
        if outcome.code in _OF_THE_FILE:
            paged.failure = (outcome.code, outcome.reason)
        elif len(numbers) > 1:
            paged.parts.extendleft((number,) for number in reversed(numbers))
        else:
            paged.failed[numbers[0]] = outcome.reason
        if len(paged.failed) == paged.pages:
            first = paged.failed[min(paged.failed)]
            reason = f"none of its {paged.pages} pages could be read: {first}" if paged.pages > 1 else first
            paged.failure = (outcome.code, reason)
        elif paged.lost_seconds > paged.limit("seconds"):
            reason = f"pages that cannot be read took longer than {paged.limit('seconds'):g} s: {outcome.reason}"
            paged.failure = ("timeout", reason)

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
        if paged is None:
            return outcome
        paged.spool.close()
        return replace(outcome, task=paged.task, seconds=paged.seconds + outcome.seconds)


def _file(payload: Mapping[str, Json]) -> dict[str, Json]:
    return {name: payload[name] for name in ("path", "name", "folder", "limits", "password")}
