"""Nouns as the text of a database column and back. What the JSON looks like is decided in `types/json_codec.py`."""

from __future__ import annotations

import json
import math
from functools import lru_cache
from typing import Any, TypeVar

from mathrag.errors import LibraryError
from mathrag.types.document import Place
from mathrag.types.json_codec import from_json, to_json

Noun = TypeVar("Noun")
# Made once: `json.dumps` with options makes an encoder for every call.
_PLAIN = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def encode(value: object) -> str:
    """The JSON text of a noun; equal nouns give equal text."""
    data = to_json(value)
    text = _PLAIN.encode(data)
    # Half a surrogate pair cannot be stored as text; escaped, it survives.
    return text if _is_storable(text) else json.dumps(data, separators=(",", ":"))


def decode(text: str, kind: type[Noun]) -> Noun:
    """The noun of a column; `LibraryError` where the column holds something else."""
    return _checked(_value(text), kind)


def decode_again(text: str, kind: type[Noun]) -> Noun:
    """Like `decode`, for records likely to be asked for again soon. Nouns never change, so they can be shared."""
    return _checked(_shared_value(text), kind)


def _value(text: str) -> object:
    try:
        return from_json(json.loads(text))
    except (ValueError, TypeError, ArithmeticError, RecursionError) as error:
        raise LibraryError(f"a record of the library cannot be read ({error}); run mathrag check --rebuild") from error


# As many as fit into some hundred megabytes; a question looks at ninety formulas, and the next one at ninety others.
_shared_value = lru_cache(maxsize=8_192)(_value)


def _checked(value: object, kind: type[Noun]) -> Noun:
    if not isinstance(value, kind):
        raise LibraryError(f"a record of the library is no {kind.__name__}; run mathrag check --rebuild")
    return value


def storable(text: str) -> str:
    """Text that SQLite can keep: half surrogate pairs become the replacement character."""
    return text if _is_storable(text) else text.encode("utf-8", "replace").decode("utf-8")


def plain_json(value: Any) -> str:
    """JSON of lists and strings for a column that people query."""
    return storable(_PLAIN.encode(value))


def place_columns(place: Place) -> tuple[str | int | None, ...]:
    """The values of `page, line, end_line, path, file, box`."""
    box = None if place.box is None else plain_json(list(place.box))
    return place.page, place.line, place.end_line, storable(place.path), storable(place.file), box


def _is_storable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


# Places out of the columns that `codec.place_columns` made. Believes no box: a library may come from any file.


def place_of_columns(
    page: int | None, line: int | None, end_line: int | None, path: str, file: str, box: str | None
) -> Place:
    """The place that the columns `page, line, end_line, path, file, box` stand for."""
    return Place(line, end_line, page, box_of_text(box), path, file)


def box_of_text(text: str | None) -> tuple[float, float, float, float] | None:
    """The box of a column; None where it holds none."""
    if text is None:
        return None
    try:
        left, top, right, bottom = (float(side) for side in json.loads(text))
    except (ValueError, TypeError, RecursionError):
        return None
    box = (left, top, right, bottom)
    return box if all(map(math.isfinite, box)) else None
