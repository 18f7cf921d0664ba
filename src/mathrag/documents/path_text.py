"""Paths as text: short and printable for people, unique and storable as keys. Looks at no file's content."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote_from_bytes

_LONGEST_IN_SENTENCE = 120
_LONGEST_NAME = 400


def shown_path(path: str | os.PathLike[str]) -> str:
    """A path for a sentence: printable, and its end only where it is long, for that tells files apart."""
    return _printable_end(os.fspath(path), _LONGEST_IN_SENTENCE)


def shown_name(path: str | os.PathLike[str]) -> str:
    """A path as the name of a document: printable and complete but for absurd ones, of which the end remains."""
    return _printable_end(os.fspath(path), _LONGEST_NAME)


def _printable_end(text: str, longest: int) -> str:
    shown = "".join(
        character if character.isprintable() else f"\\u{ord(character):04x}" for character in text[-2 * longest :]
    )
    return shown if len(shown) <= longest and len(text) <= longest else f"…{shown[-longest:]}"


def document_key(path: str | os.PathLike[str]) -> str:
    """How a file is known across runs: its real absolute path with `/`, or its bytes in `%` form when no Unicode."""
    return key_of_real_path(Path(os.path.realpath(path)))


def key_of_real_path(real: Path) -> str:
    """The key of a path that is absolute and without links already."""
    text = real.as_posix()
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        # Begins with no slash, so it never meets the key of another file.
        return f"bytes:{quote_from_bytes(os.fsencode(real), safe='/')}"
    return text
