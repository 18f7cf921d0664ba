"""The file of predictions: one JSON object a line, appended as they come, so that a stopped run can go on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, TypeAlias

from mathrag.errors import LibraryError

Json: TypeAlias = Any
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
