"""From bytes to a `Document`: readers per format behind one seam, and the views made of what they read."""

from __future__ import annotations

from mathrag.documents.input_files import Found, GatheringLimits, gather
from mathrag.documents.media_type import detect_media_type
from mathrag.documents.path_text import document_key
from mathrag.documents.registry import AvailableReader, available_readers, read_document, read_path
from mathrag.documents.seams import Reader, ReadingLimits, Source
from mathrag.documents.views import Views, make_views

__all__ = [
    "AvailableReader",
    "Found",
    "GatheringLimits",
    "Reader",
    "ReadingLimits",
    "Source",
    "Views",
    "available_readers",
    "detect_media_type",
    "document_key",
    "gather",
    "make_views",
    "read_document",
    "read_path",
]
