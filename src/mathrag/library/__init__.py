"""The library as a whole: take documents in, look things up, correct, query, export. The public Python API.

from mathrag.library import Library

with Library("my-library") as library:
    library.ingest(["notes/"])
    for hit in library.search("kinetic energy"):
        print(hit.label)
"""

from __future__ import annotations

from mathrag.library.facade import Library
from mathrag.library.nouns import FileReport, HitKind, IngestReport, SearchHit
from mathrag.store.records import DocumentCounts, DocumentInfo

__all__ = ["DocumentCounts", "DocumentInfo", "FileReport", "HitKind", "IngestReport", "Library", "SearchHit"]
