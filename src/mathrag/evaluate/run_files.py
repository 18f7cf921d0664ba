"""The files of a run: predictions, one JSON object a line, appended as they come, so that a stopped run can go on; and
fingerprints of what it depends on, which tell whether it may."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from mathrag.errors import LibraryError
from mathrag.types.json_value import Json

PREDICTIONS_FILE = "predictions.jsonl"
RUN_FILE = "run.json"


def prediction_line(identifier: str, prediction: Mapping[str, Any]) -> str:
    """A prediction as it is written, the id of the question first."""
    made = {"id": identifier, **{name: value for name, value in prediction.items() if name != "id"}}
    text = json.dumps(made, ensure_ascii=False, allow_nan=False)
    is_encodable = not any("\ud800" <= character <= "\udfff" for character in text)
    return text if is_encodable else json.dumps(made, allow_nan=False)


def read_predictions(file: Path) -> dict[str, Json]:
    """The predictions in a file by the ids of their questions. What a stopped run left half written is passed over."""
    found: dict[str, Json] = {}
    try:
        lines = file.read_bytes().split(b"\n")
    except FileNotFoundError:
        return found
    except OSError as error:
        raise LibraryError(f"{file} cannot be read: {error.strerror or error}") from error
    for line in lines:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and isinstance(value.get("id"), str):
            found[value["id"]] = value
    return found


def write_predictions(file: Path, predictions: Mapping[str, Json], order: Sequence[str]) -> None:
    """Replace the file by those of `order`, in that order, at once."""
    lines = (prediction_line(name, predictions[name]) for name in order if name in predictions)
    write_whole(file, "".join(f"{line}\n" for line in lines))


def write_whole(file: Path, text: str) -> None:
    """Write a file so that no reader ever sees half of it."""
    temporary = file.with_name(f".{file.name}.part")
    try:
        temporary.write_text(text, encoding="utf-8", newline="\n")
        temporary.replace(file)
    except OSError as error:
        raise LibraryError(f"{file} cannot be written: {error.strerror or error}") from error
    finally:
        temporary.unlink(missing_ok=True)


class PredictionLog:
    """Appends predictions to a file; each line is on its way to the disk before the next question is asked."""

    def __init__(self, file: Path) -> None:
        self._stream: IO[str] = file.open("a", encoding="utf-8", newline="\n")

    def __enter__(self) -> PredictionLog:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stream.close()

    def add(self, identifier: str, prediction: Mapping[str, Any]) -> None:
        """Append one."""
        self._stream.write(prediction_line(identifier, prediction) + "\n")
        self._stream.flush()


# Of a digest, enough that no two are alike by chance.
_LENGTH = 24
_PROGRAM_FILES = (".py", ".json", ".toml")
# An answer depends on neither of these rooms, and making a library only on those.
_APART = frozenset(("cli", "serve", "evaluate"))
_READING = frozenset(("types", "knowledge", "language", "compute", "documents", "extract", "store"))


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
