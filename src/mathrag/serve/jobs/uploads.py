"""Files that clients send: received into a folder of their own, looked at, then moved to `uploads/` under a safe name.

There they stay while the library knows them as documents, so that their pages can be shown. Reads none of them.
"""

from __future__ import annotations

import contextlib
import filecmp
import os
import secrets
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from mathrag.errors import DocumentError
from mathrag.library.files import UPLOADS, check_readable, safe_name
from mathrag.serve.options import Limits
from mathrag.serve.problems import ProblemError

_INCOMING = ".incoming"
_BLOCK = 1 << 20
# So many files of one name are no accident.
_MOST_NAMESAKES = 1_000


@dataclass(frozen=True, slots=True)
class Sent:
    """One file of a request: the name the client gives it, and its bytes."""

    name: str
    stream: BinaryIO


@dataclass(frozen=True, slots=True)
class Kept:
    """One file as it is kept."""

    name: str
    path: Path
    bytes: int


def uploads_folder(library: Path) -> Path:
    """Where the files are kept."""
    return library / UPLOADS


def clear_unfinished(library: Path) -> None:
    """Remove what a server that stopped had received half."""
    shutil.rmtree(uploads_folder(library) / _INCOMING, ignore_errors=True)


def keep(library: Path, files: Sequence[Sent], *, limits: Limits, replace: bool = False) -> list[Kept]:
    """Keep all files of a request, or none of them: the first that is too large or of no use ends it.

    A file of the name of another one is kept beside it (`notes-2.md`), unless `replace`; equal files are one.
    """
    if not files:
        raise ProblemError(422, "there is no file in the request; send files in the field `files`", code="no_file")
    if len(files) > limits.upload_files:
        raise ProblemError(413, f"a request may have {limits.upload_files} files; send several requests")
    folder = uploads_folder(library)
    incoming = folder / _INCOMING / secrets.token_hex(8)
    incoming.mkdir(parents=True)
    try:
        received = [_received(incoming / str(number), file, limits) for number, file in enumerate(files)]
        return [_moved(path, folder, name, replace=replace) for path, name in received]
    finally:
        shutil.rmtree(incoming, ignore_errors=True)


def _received(path: Path, file: Sent, limits: Limits) -> tuple[Path, str]:
    name, size = safe_name(file.name), 0
    with path.open("xb") as target:
        while block := file.stream.read(_BLOCK):
            size += len(block)
            if size > limits.upload_file_bytes:
                raise ProblemError(413, f"{name} is larger than {limits.upload_file_bytes:,} bytes", code="too_large")
            target.write(block)
        target.flush()
        os.fsync(target.fileno())
    try:
        check_readable(path, name)
    except DocumentError as error:
        raise ProblemError(415, str(error), code="media_type") from error
    return path, name


def _moved(path: Path, folder: Path, name: str, *, replace: bool) -> Kept:
    """Under its name, or the next free one. The file appears whole: it is linked or moved, never written there."""
    stem, dot, suffix = name.rpartition(".")
    stem, ending = (stem, f".{suffix}") if dot else (name, "")
    for number in range(1, _MOST_NAMESAKES):
        target = folder / (name if number == 1 else f"{stem}-{number}{ending}")
        if replace or (target.is_file() and not target.is_symlink() and filecmp.cmp(path, target, shallow=False)):
            size = path.stat().st_size
            path.replace(target)
            return Kept(target.name, target, size)
        with contextlib.suppress(FileExistsError):
            # Claimed first, so that two requests at once do not take the same name.
            os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            size = path.stat().st_size
            path.replace(target)
            return Kept(target.name, target, size)
    raise ProblemError(409, f"there are too many files called {name} already; send it under another name")


def is_upload(library: Path, key: str) -> bool:
    """Whether a document's file is one that a client sent."""
    with contextlib.suppress(OSError, ValueError):
        return Path(key).resolve().parent == uploads_folder(library).resolve()
    return False
