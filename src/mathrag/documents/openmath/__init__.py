"""OpenMath content dictionaries (`.ocd`) and the signatures of their symbols (`.sts`)."""

from mathrag.documents.openmath.dictionary import parse_dictionary, parse_signatures
from mathrag.documents.openmath.reader import read_dictionary, read_signatures

__all__ = [
    "parse_dictionary",
    "parse_signatures",
    "read_dictionary",
    "read_signatures",
]
