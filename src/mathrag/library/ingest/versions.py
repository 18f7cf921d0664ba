"""Which software and which data read a document: when either changes, the same bytes are read anew."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources

from mathrag import __version__

# Raised whenever the rules give other findings for the same bytes.
RULES = 1


def software_version(reader: str = "") -> str:
    """The program's version and that of its rules, and the reader that was asked for by name."""
    return f"{__version__}+rules{RULES}{'+' if reader else ''}{reader}"


@cache
def lexicon_version() -> str:
    """A fingerprint of the data files that give symbols their standard meanings."""
    digest = hashlib.sha256()
    for file in sorted(resources.files("mathrag.knowledge").joinpath("data").iterdir(), key=lambda file: file.name):
        if file.name.endswith(".json"):
            digest.update(file.name.encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
