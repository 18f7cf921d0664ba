"""Files that go in and out: what strangers send gets a name that is only a name and must have a reader; what is written
is written whole or not at all. Reads no document."""

from __future__ import annotations

import contextlib
import unicodedata
import uuid
from collections.abc import Iterable
from pathlib import Path

from mathrag.documents.media_type import EMPTY, advice_for, described, detect_media_type, hinted_media_type
from mathrag.documents.path_text import shown_path
from mathrag.documents.registry import readable_media_types
from mathrag.errors import DocumentError, LibraryError
from mathrag.store.truth.records import UPLOADS as UPLOADS

# In bytes. File systems allow 255; the rest is room for numbers and endings of our own.
_LONGEST_NAME = 120
# What Windows forbids in names, and the names it keeps for itself: a library may be copied there.
_FORBIDDEN = set('<>:"|?*/\\')
_RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10))}


def safe_name(name: str) -> str:
    """The last part of a name, fit for any file system: no folders, no control signs, no hidden or reserved names."""
    base = name.replace("\\", "/").rsplit("/", 1)[-1]
    plain = unicodedata.normalize("NFC", base.encode("utf-8", "replace").decode("utf-8"))
    kept = "".join("_" if character in _FORBIDDEN else character for character in plain if character.isprintable())
    kept = " ".join(kept.split()).strip(". ")
    stem, dot, suffix = kept.rpartition(".")
    if not dot:
        stem, suffix = kept, ""
    stem = stem.strip(". ") or "document"
    if stem.lower().split(".")[0] in _RESERVED:
        stem = f"_{stem}"
    ending = f".{short}" if (short := suffix[:20].strip()) else ""
    while len((stem + ending).encode()) > _LONGEST_NAME:
        stem = stem[:-1]
    return (stem.strip(". ") or "document") + ending


def check_readable(path: Path, name: str) -> str:
    """The media type of a file by what it holds; `DocumentError` where there is no reader for it."""
    data = path.read_bytes()
    media_type = detect_media_type(data, name)
    if media_type == EMPTY:
        raise DocumentError("empty", f"{name} is empty; there is nothing to read")
    hint = hinted_media_type(name)
    if media_type == "application/zip" and hint not in ("", media_type) and hint in readable_media_types():
        raise DocumentError("broken", f"{name} is damaged: it is not {described(hint)} inside; save or send it again")
    if media_type not in readable_media_types():
        reason = f"{name} is {described(media_type)}, which is not read; {advice_for(media_type)}"
        raise DocumentError("media_type", reason)
    return media_type


def write_whole(target: Path, pieces: Iterable[bytes]) -> Path:
    """Write the pieces; an existing file is replaced only when all of them are written."""
    # Not made of the name of the target, which may be as long as names may be.
    temporary = target.with_name(f".{uuid.uuid4().hex}.part")
    try:
        with temporary.open("wb") as stream:
            for piece in pieces:
                stream.write(piece)
        temporary.replace(target)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise LibraryError(f"{shown_path(target)} cannot be written: {reason}") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
    return target
