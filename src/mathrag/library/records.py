"""What a library tells about a run of ingestion and about a search: plain values, quick to import, that do nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mathrag.library.ingest.model_reading.records import ModelDocument, ModelRun
from mathrag.store.truth.records import DocumentCounts
from mathrag.types.library import Conflict, Constant, Formula, Span
from mathrag.types.quality import Quality

FileState: TypeAlias = Literal["added", "replaced", "unchanged", "enriched", "failed", "skipped", "reading", "asking"]
HitKind: TypeAlias = Literal["formula", "constant", "concept", "text", "summary", "example"]
# What is searched unless something else is asked for: what documents say. Summaries are what a model says about them.
HIT_KINDS: tuple[HitKind, ...] = ("formula", "constant", "concept", "text")


@dataclass(frozen=True, slots=True)
class FileReport:
    """What became of one file. `counts` are of the whole document; None where it was not stored.

    While a file is read page by page its state is `reading`, with `pages_done` of its `pages`. `warnings` name the
    pages that could not be read. While a model is asked about it its state is `asking`, with `pages_done` of `pages`
    then counting the pieces that are asked about; `model` is what came of that. A file that had not changed and was now
    read with a model is `enriched`. `conflicts` are those that a file which was just read takes part in.
    """

    name: str
    key: str
    state: FileState
    seconds: float = 0.0
    bytes: int = 0
    code: str = ""
    reason: str = ""
    counts: DocumentCounts | None = None
    pages_done: int = 0
    pages: int = 0
    warnings: tuple[str, ...] = ()
    model: ModelDocument | None = None
    conflicts: tuple[Conflict, ...] = ()


# Called with a report, how many files are done, and how many there are; for a file in pages also after each part.
Progress: TypeAlias = Callable[[FileReport, int, int], None]


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What became of a run: one report a file, in the order of their keys, and how many files were passed over.

    `model` is what became of reading with a language model, None where none was asked.
    """

    files: tuple[FileReport, ...]
    passed_over: int = 0
    seconds: float = 0.0
    model: ModelRun | None = None

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """What the files that were read contradict, each other included."""
        return tuple(dict.fromkeys(conflict for file in self.files for conflict in file.conflicts))

    @property
    def failed(self) -> tuple[FileReport, ...]:
        """The files that could not be read."""
        return tuple(file for file in self.files if file.state == "failed")


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One entry that fits. `entry` is the formula or constant itself; for text, `text` is the passage; for a worked
    example, its problem. `quality` is what an example or a passage was ranked by beside how well it fits."""

    kind: HitKind
    id: str
    label: str
    score: float
    found_by: tuple[str, ...]
    text: str = ""
    span: Span | None = None
    entry: Formula | Constant | None = None
    quality: Quality | None = None
