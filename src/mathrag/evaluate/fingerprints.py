"""Fingerprints of what a run depends on: files, texts, the program itself. They tell whether a run may go on."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable
from functools import cache
from importlib import resources
from pathlib import Path

from mathrag.errors import LibraryError

_LENGTH = 24
_PROGRAM_FILES = (".py", ".json", ".toml")
# An answer depends on neither of these rooms, and making a library only on those.
_APART = frozenset(("cli", "serve", "evaluate"))
_READING = frozenset(("types", "compute", "documents", "extract", "store"))


def text_fingerprint(text: str) -> str:
    """A fingerprint of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_LENGTH]


def files_fingerprint(paths: Iterable[Path]) -> str:
    """A fingerprint of files and of all that folders hold, by name and content, in any order."""
    files: list[tuple[str, Path]] = []
    for path in paths:
        inside = [file for file in path.rglob("*") if file.is_file()] if path.is_dir() else [path]
        files += [(file.relative_to(path).as_posix() if path.is_dir() else file.name, file) for file in inside]
    return _fingerprint(files)


@cache
def program_fingerprint() -> str:
    """A fingerprint of all of the program that an answer can depend on; measuring and printing are left out."""
    return _rooms_fingerprint(lambda room: room not in _APART)


@cache
def reading_fingerprint() -> str:
    """A fingerprint of that part of the program that makes a library from documents."""
    return _rooms_fingerprint(lambda room: room in _READING)


def _rooms_fingerprint(is_wanted: Callable[[str], bool]) -> str:
    root = Path(str(resources.files("mathrag")))
    files = [path for path in root.rglob("*") if path.suffix in _PROGRAM_FILES]
    named = [(path.relative_to(root).as_posix(), path) for path in files]
    return _fingerprint([(name, path) for name, path in named if is_wanted(name.split("/")[0])])


def _fingerprint(files: Iterable[tuple[str, Path]]) -> str:
    digest = hashlib.sha256()
    for name, path in sorted(files):
        digest.update(os.fsencode(name) + b"\0")
        try:
            with path.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
        except OSError as error:
            raise LibraryError(f"{path} cannot be read: {error.strerror or error}") from error
    return digest.hexdigest()[:_LENGTH]
