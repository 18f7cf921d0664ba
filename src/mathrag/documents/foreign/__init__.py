"""Marker, MinerU and Docling as readers: programs that others install, run on a copy, their output made into blocks."""

from mathrag.documents.foreign.docling import read_with_docling
from mathrag.documents.foreign.marker import read_with_marker
from mathrag.documents.foreign.mineru import read_with_mineru
from mathrag.documents.foreign.readers_by_name import GROUP, foreign_reader, foreign_readers

__all__ = [
    "GROUP",
    "foreign_reader",
    "foreign_readers",
    "read_with_docling",
    "read_with_marker",
    "read_with_mineru",
]
