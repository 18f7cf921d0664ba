"""The library as a whole: take documents in, look things up, correct, query, export. The public Python API.

from mathrag import Library

with Library("my-library") as library:
    library.ingest(["notes/"])
    for hit in library.search("kinetic energy"):
        print(hit.label)
"""

from __future__ import annotations

from mathrag.library.ask.results import Amount, Computed, Curve, Solved, SolvedForm, SourcePlace
from mathrag.library.facade import Library
from mathrag.library.records import FileReport, HitKind, IngestReport, SearchHit
from mathrag.store.truth.concepts import StoredConcept
from mathrag.store.truth.records import DocumentCounts, DocumentInfo
from mathrag.types.shown import Shown, ShownAs, shows
from mathrag.worksheets.results import Results as WorksheetResults

__all__ = [
    "Amount",
    "Computed",
    "Curve",
    "DocumentCounts",
    "DocumentInfo",
    "FileReport",
    "HitKind",
    "IngestReport",
    "Library",
    "SearchHit",
    "Solved",
    "SolvedForm",
    "SourcePlace",
    "StoredConcept",
    "WorksheetResults",
]


def _written(noun: Shown, form: ShownAs) -> str | None:
    """What a notebook shows of an answer or a formula; loaded when first shown."""
    from mathrag.answer.notebook import written

    return written(noun, form)


shows(_written)
