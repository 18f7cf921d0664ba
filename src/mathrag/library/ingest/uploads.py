"""Files that strangers send: a name that is only a name, and whether there is a reader for them. Reads none."""

from __future__ import annotations

import unicodedata
from pathlib import Path

from mathrag.documents.media_type import advice_for, described, detect_media_type
from mathrag.documents.registry import readable_media_types
from mathrag.errors import DocumentError

_LONGEST_NAME = 120
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
    if media_type not in readable_media_types():
        reason = f"{name} is {described(media_type)}, which is not read; {advice_for(media_type)}"
        raise DocumentError("media_type", reason)
    return media_type
