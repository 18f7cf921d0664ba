"""Runs a foreign program on a private copy of a document and gives back the JSON files it wrote. Knows no format."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from mathrag.documents.seams import Source
from mathrag.errors import DocumentError
from mathrag.isolation.launcher import ProgramLateError, run_program

# These programs write JSON with pictures inside; a book of a thousand pages has a tenth of it.
_LARGEST_OUTPUT = 512 * 1024 * 1024
# Some write a file for each page, or for each picture.
_MOST_FILES = 50_000


@dataclass(frozen=True, slots=True)
class ForeignProgram:
    """A program by its name for people, its command, and how to get it.

    In `arguments`, `{file}` and `{folder}` stand for the copy of the document and the folder for the output.
    """

    name: str
    command: str
    package: str
    arguments: tuple[str, ...]

    def absence(self) -> DocumentError:
        """What to say where the program is not installed."""
        return DocumentError(
            "no_reader_package",
            f"the reader {self.name} needs the program {self.command}, which is not installed; "
            f"install it with `pip install {self.package}`",
        )


def program_path(program: ForeignProgram) -> str:
    """Where the program is: beside this Python first, then anywhere the system finds it; empty if nowhere."""
    beside = Path(sys.executable).parent / program.command
    return str(beside) if beside.is_file() else shutil.which(program.command) or ""


def program_output(program: ForeignProgram, source: Source, endings: Sequence[str]) -> dict[str, Any]:
    """The JSON that the program wrote about a document, by the endings asked for. The first ending must be there."""
    path = program_path(program)
    if not path:
        raise program.absence()
    with tempfile.TemporaryDirectory(prefix="mathrag-") as scratch:
        folder = Path(scratch) / "output"
        folder.mkdir()
        # The program chooses by the ending; the rest of the name is ours, so that no name of a document is an option.
        copy = Path(scratch) / f"document{_ending(source.name)}"
        copy.write_bytes(source.data)
        command = [argument.format(file=copy, folder=folder) for argument in program.arguments]
        _run([path, *command], program, seconds=source.limits.seconds, scratch=Path(scratch))
        return _collected(folder, program, endings)


def _ending(name: str) -> str:
    ending = PurePosixPath(name.replace("\\", "/")).suffix.lower()
    return ending if ending[1:].isalnum() and len(ending) <= 8 else ".pdf"


def _run(command: Sequence[str], program: ForeignProgram, *, seconds: float, scratch: Path) -> None:
    try:
        end = run_program(command, folder=scratch, seconds=seconds)
    except OSError as error:
        raise DocumentError("reader_broken", f"{program.name} cannot be started: {error}") from error
    except ProgramLateError as error:
        reason = f"{program.name} did not finish within {seconds:g} s; raise the limit or split the file"
        raise DocumentError("timeout", reason) from error
    if end.status:
        last = end.complaint.strip().splitlines()[-1:]
        said = f": {last[0].strip()}" if last else ""
        raise DocumentError("reader_broken", f"{program.name} failed with status {end.status}{said}")


def _collected(folder: Path, program: ForeignProgram, endings: Sequence[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for count, path in enumerate(sorted(folder.rglob("*.json"))):
        ending = next((ending for ending in endings if path.name.endswith(ending)), None)
        if count >= _MOST_FILES or ending is None or ending in found or path.is_symlink():
            continue
        if path.stat().st_size > _LARGEST_OUTPUT:
            raise DocumentError("too_large", f"{program.name} wrote more than can be taken over; split the document")
        try:
            found[ending] = json.loads(path.read_bytes())
        except (ValueError, RecursionError) as error:
            raise unknown_shape(program, f"{path.name} is no JSON") from error
    if endings[0] not in found:
        raise unknown_shape(program, f"it wrote no file that ends in {endings[0]}")
    return found


def unknown_shape(program: ForeignProgram, detail: str) -> DocumentError:
    """What to say where the output is not what the program is known to write."""
    return DocumentError(
        "reader_broken", f"the output of {program.name} has an unknown shape: {detail}; install its newest version"
    )
