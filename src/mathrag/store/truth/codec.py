"""Nouns as rows and columns of the database, and back. What the JSON looks like is decided in `types/json_codec.py`.

A column is named after the field of the noun that it holds, so a row follows from the noun and the table's columns
(`schema.table_columns`); only what is called or counted otherwise is said where the row is made.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

from mathrag.errors import LibraryError
from mathrag.store.truth.schema import table_columns
from mathrag.types.document import Place
from mathrag.types.json_codec import from_json, to_json
from mathrag.types.quantity import Dimension

Noun = TypeVar("Noun")
Value: TypeAlias = str | int | float | None
Row: TypeAlias = Mapping[str, Value]
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


def place_columns(place: Place) -> dict[str, Value]:
    """The columns that say where something stands."""
    return {
        "page": place.page,
        "line": place.line,
        "end_line": place.end_line,
        "path": storable(place.path),
        "file": storable(place.file),
        "box": None if place.box is None else plain_json(list(place.box)),
    }


def row_of(table: str, noun: object, **others: object) -> tuple[Value, ...]:
    """A noun as a row of a table: each column one of `others`, or a field of the noun, of its span or of its place.

    The column `record` is the whole noun.
    """
    span = getattr(noun, "span", None) or noun
    if hasattr(span, "place"):
        others = place_columns(span.place) | others
    row: list[Value] = []
    for column in table_columns()[table]:
        if column in others:
            row.append(_column_value(others[column]))
        elif hasattr(noun, column):
            row.append(_column_value(getattr(noun, column)))
        else:
            row.append(encode(noun) if column == "record" else _column_value(getattr(span, column)))
    return tuple(row)


def _column_value(value: object) -> Value:
    match value:
        case str():
            return storable(value)
        case None | int() | float():
            return value
        case Decimal() | Dimension():
            return str(value)
        case tuple() | list():
            return plain_json(value)
        case _:
            raise TypeError(f"a column cannot hold a {type(value).__name__}")


def insert_rows(
    connection: sqlite3.Connection, table: str, rows: Iterable[Sequence[object]], *, verb: str = "INSERT"
) -> None:
    """Put rows, as `row_of` makes them, into a table."""
    connection.executemany(f"{verb} INTO {table} {values_of(table)}", rows)


def values_of(table: str) -> str:
    """The columns of a table and a mark for the value of each, as an `INSERT` wants them."""
    columns = table_columns()[table]
    return f"({', '.join(columns)}) VALUES (?{', ?' * (len(columns) - 1)})"


def select_rows(
    connection: sqlite3.Connection, table: str, rest: str, values: Sequence[object] | Mapping[str, object] = ()
) -> list[dict[str, Any]]:
    """Rows of a table by column, chosen and ordered by the `rest` of the question."""
    columns = table_columns()[table]
    found = connection.execute(f"SELECT {', '.join(columns)} FROM {table} {rest}", values)  # noqa: S608 - our own names
    return [dict(zip(columns, row, strict=True)) for row in found]


def _is_storable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def place_of_row(row: Mapping[str, Any]) -> Place:
    """The place that a row says."""
    return place_of_columns(*(row[column] for column in ("page", "line", "end_line", "path", "file", "box")))


def place_of_columns(
    page: int | None, line: int | None, end_line: int | None, path: str, file: str, box: str | None
) -> Place:
    """The place that the columns of `place_columns` stand for. Believes no box: a library may come from any file."""
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


def listed(text: str) -> list[Any]:
    """The list that a column holds; nothing for anything else, because a library may come from somebody's file."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return found if isinstance(found, list) else []
