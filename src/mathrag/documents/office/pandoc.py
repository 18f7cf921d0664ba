"""Pandoc as a program of its own: found, run on bytes without file or network access, stopped in time. Knows no format.

Pandoc sees only archives that were taken apart and put together again here, never the file as it came.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from mathrag.documents.reader import ReadingLimits
from mathrag.errors import DocumentError

INSTALL = "install it with `pip install 'mathrag[office]'`, or with the system's packages (`apt install pandoc`)"
_MEGABYTES = 768
_SECONDS = 120.0
_LARGEST_ANSWER = 256 * 1024 * 1024
_LARGEST_COMPLAINT = 2_000


@cache
def pandoc_path() -> str:
    """Where pandoc is: the one inside the package pypandoc first, then the system's; empty where there is none."""
    # Looked up without importing: the package is of use only for the program inside it.
    package = importlib.util.find_spec("pypandoc")
    for folder in (package.submodule_search_locations or ()) if package is not None else ():
        for name in ("pandoc", "pandoc.exe"):
            bundled = Path(folder) / "files" / name
            if bundled.is_file():
                return str(bundled)
    return shutil.which("pandoc") or ""


def read_with_pandoc(data: bytes, *, form: str, limits: ReadingLimits) -> dict[str, Any]:
    """Pandoc's tree of a document. Raises `DocumentError` where it is missing, fails, or takes too long."""
    path = pandoc_path()
    if not path:
        raise DocumentError("no_pandoc", f"reading {form} files needs the program pandoc, which is not here; {INSTALL}")
    answer = _run(path, data, form=form, limits=limits)
    try:
        tree = json.loads(answer)
    except RecursionError as error:
        raise DocumentError("too_large", "the document is nested too deeply; simplify its structure") from error
    except ValueError as error:
        raise DocumentError("broken", "pandoc gave an answer that cannot be read; update pandoc") from error
    if not isinstance(tree, dict) or not isinstance(tree.get("blocks"), list):
        raise DocumentError("broken", "pandoc gave an answer of an unknown shape; update pandoc")
    return tree


def _run(path: str, data: bytes, *, form: str, limits: ReadingLimits) -> bytes:
    megabytes = max(128, min(_MEGABYTES, limits.megabytes // 2))
    seconds = max(1.0, min(_SECONDS, limits.seconds / 2))
    command = [path, "--from", form, "--to", "json", "--sandbox", "+RTS", f"-M{megabytes}m", "-RTS"]
    # Files without a name instead of pipes: neither side waits for the other, and nothing is left behind.
    with (
        tempfile.TemporaryFile() as question,
        tempfile.TemporaryFile() as answer,
        tempfile.TemporaryFile() as complaint,
        tempfile.TemporaryDirectory() as folder,
    ):
        question.write(data)
        question.seek(0)
        try:
            process = subprocess.Popen(  # noqa: S603 - a fixed command; the document is its input only
                command, stdin=question, stdout=answer, stderr=complaint, cwd=folder,
                env={"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "HOME": folder, "TMPDIR": folder},
            )  # fmt: skip
        except OSError as error:
            raise DocumentError("no_pandoc", f"pandoc at {path} cannot be started ({error}); {INSTALL}") from error
        with process:
            _limit(process.pid, seconds)
            try:
                status = process.wait(timeout=seconds)
            except subprocess.TimeoutExpired as error:
                raise DocumentError(
                    "timeout", f"pandoc did not finish within {seconds:g} s; split the document"
                ) from error
            finally:
                process.kill()
        complaint.seek(0)
        words = complaint.read(_LARGEST_COMPLAINT).decode("utf-8", "replace")
        if status:
            raise _failure(status, words, megabytes)
        if answer.seek(0, 2) > _LARGEST_ANSWER:
            raise DocumentError("too_large", "the document is too large once it is read; split it")
        answer.seek(0)
        return answer.read()


def _limit(pid: int, seconds: float) -> None:
    """Caps that hold even if this process dies first; where the system has none, the time limit must do."""
    try:
        import resource

        prlimit = resource.prlimit
    except (ImportError, AttributeError):
        return
    for kind, value in ((resource.RLIMIT_CPU, int(seconds) + 5), (resource.RLIMIT_FSIZE, _LARGEST_ANSWER + 1)):
        try:
            prlimit(pid, kind, (value, value))
        except (OSError, ValueError):
            continue


def _failure(status: int, words: str, megabytes: int) -> DocumentError:
    first = " ".join(words.split())[:200]
    if "heap" in words.lower() or status == 251:
        return DocumentError("too_large", f"pandoc needs more than {megabytes} MB for this document; split it")
    if "--sandbox" in words:
        return DocumentError("no_pandoc", f"this pandoc is older than 2.15; {INSTALL}")
    return DocumentError("broken", f"pandoc cannot read this document: {first or f'status {status}'}; save it again")
