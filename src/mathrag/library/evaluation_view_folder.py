"""Where the results of evaluations are kept beside a library, and reading them with care: no link is followed.

The folder may come from anywhere, as the library may: names, sizes and kinds of files are checked before any is opened.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from mathrag.errors import LibraryError
from mathrag.evaluate.comparing import REPORT_FILE
from mathrag.evaluate.predictions import RUN_FILE

FOLDER = "evaluation"
# Kept in addresses as they are; `.json` at the end would be taken for the twin of a page.
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")
_MOST_RUNS = 2_000
_LARGEST_REPORT = 16_000_000


@dataclass(frozen=True, slots=True)
class Stamp:
    """Tells one state of a file from the next; `time` is when it was last written, in nanoseconds."""

    file: int
    time: int
    size: int


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The folder of a run. `stamp` is that of its report; `problem` says why there is none to show."""

    name: str
    stamp: Stamp | None
    time: int
    problem: str = ""


def results_folder(library: Path, questions: Path, planner: str, *, model: str = "") -> Path:
    """Where a run over a set is kept when nobody says otherwise: the same run gets the same folder, so it can go on,
    and another set of the same name, or another model, gets another."""
    source = questions.resolve()
    kept = re.sub(r"[^A-Za-z0-9._-]+", "-", source.stem).strip(".-")[:60] or "run"
    told_apart = hashlib.sha256(os.fsencode(f"{source}\n{model}")).hexdigest()[:6]
    return library / FOLDER / f"{kept}-{planner}-{told_apart}"


def is_run_name(name: str) -> bool:
    """Whether a folder of this name can have a page."""
    return _NAME.fullmatch(name) is not None and not name.lower().endswith(".json")


def run_folders(library: Path) -> list[RunFolder]:
    """The runs beside a library, newest first; those that cannot be shown with the reason. Opens no report."""
    home = library / FOLDER
    try:
        if not stat.S_ISDIR(home.lstat().st_mode):
            raise LibraryError(f"{FOLDER} in the library's folder is no folder of its own, so nothing in it is shown")
        with os.scandir(home) as entries:
            found = [_run(entry) for _, entry in zip(range(_MOST_RUNS), entries, strict=False)]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise LibraryError(f"the folder {FOLDER} cannot be read: {error.strerror or error}") from error
    return sorted((run for run in found if run is not None), key=lambda run: (-run.time, run.name))


def _run(entry: os.DirEntry[str]) -> RunFolder | None:
    if entry.name.startswith("."):
        return None
    try:
        about = entry.stat(follow_symlinks=False)
    except OSError:
        return None
    if stat.S_ISLNK(about.st_mode):
        return RunFolder(entry.name, None, about.st_mtime_ns, "this is a link to another place, which is not followed")
    if not stat.S_ISDIR(about.st_mode):
        return None
    if not is_run_name(entry.name):
        reason = "its name has signs that an address cannot hold; rename the folder to plain letters and digits"
        return RunFolder(entry.name, None, about.st_mtime_ns, reason)
    return _with_report(entry, about)


def _with_report(entry: os.DirEntry[str], about: os.stat_result) -> RunFolder:
    try:
        report = Path(entry.path, REPORT_FILE).lstat()
    except OSError:
        has_begun = os.path.lexists(Path(entry.path, RUN_FILE))
        reason = "no report yet; the run goes on when it is started again" if has_begun else "it holds no report.json"
        return RunFolder(entry.name, None, about.st_mtime_ns, reason)
    problem = _unfit(report)
    stamp = None if problem else _stamp(report)
    return RunFolder(entry.name, stamp, report.st_mtime_ns, f"{REPORT_FILE} {problem}" if problem else "")


def _unfit(about: os.stat_result) -> str:
    if stat.S_ISLNK(about.st_mode):
        return "is a link to another place, which is not followed"
    if not stat.S_ISREG(about.st_mode):
        return "is no plain file"
    if about.st_size > _LARGEST_REPORT:
        return f"is larger than {_LARGEST_REPORT // 1_000_000} MB"
    return ""


def _stamp(about: os.stat_result) -> Stamp:
    return Stamp(about.st_ino, about.st_mtime_ns, about.st_size)


def find_run(library: Path, name: str) -> RunFolder | None:
    """The run of this name, as `run_folders` gives it. The name is compared, never joined to a path unchecked."""
    if not is_run_name(name):
        return None
    return next((run for run in run_folders(library) if run.name == name), None)


def read_report(library: Path, run: str) -> bytes:
    """The bytes of the report of a run."""
    with opened(library, run, REPORT_FILE) as file:
        problem = _unfit(os.fstat(file.fileno()))
        if problem:
            raise LibraryError(f"{REPORT_FILE} of {run} {problem}")
        return file.read(_LARGEST_REPORT)


@contextlib.contextmanager
def opened(library: Path, run: str, name: str) -> Iterator[BinaryIO]:
    """A plain file of a run, for reading. Every step down is taken without following links."""
    if not is_run_name(run):
        raise LibraryError("there is no run of this name")
    folders: list[int] = []
    try:
        for part, folder in ((library / FOLDER, None), (run, 0)):
            flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
            folders.append(os.open(part, flags, dir_fd=None if folder is None else folders[folder]))
        # Without O_NONBLOCK, opening a pipe would wait for somebody to write into it.
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        found = os.open(name, flags, dir_fd=folders[-1])
        with os.fdopen(found, "rb") as file:
            if not stat.S_ISREG(os.fstat(found).st_mode):
                raise LibraryError(f"{name} of {run} is no plain file")
            yield file
    except OSError as error:
        raise LibraryError(f"{name} of {run} cannot be read: {_said(error)}") from error
    finally:
        for folder in folders:
            os.close(folder)


def _said(error: OSError) -> str:
    # What O_NOFOLLOW answers for a link to a file, and together with O_DIRECTORY for a link to a folder.
    if error.errno in (errno.ELOOP, errno.ENOTDIR):
        return "it is a link to another place, which is not followed, or no folder"
    return (error.strerror or str(error)).lower()
