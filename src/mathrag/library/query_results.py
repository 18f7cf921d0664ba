"""What a query gave, for files and for people: CSV that no spreadsheet runs, and the place of a mistake in SQL."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

_UNKNOWN = re.compile(r'(?:near "(?P<near>.{1,200})": syntax error|no such (?P<what>column|table): (?P<name>.{1,200}))')
_WORD = re.compile(r"\w")


def csv_bytes(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """A table as CSV (RFC 4180, UTF-8), guarded against spreadsheet formulas as the export is."""
    from mathrag.store.export.csv_files import safe_cell

    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([safe_cell(str(column)) for column in columns])
    writer.writerows([safe_cell(value) for value in row] for row in rows)
    return text.getvalue().encode("utf-8", "replace")


def sql_mistake(message: str, query: str, *, known: Iterable[str] = ()) -> str:
    """SQLite's complaint with its place in the query, where that is certain, and with a name that may be meant.

    SQLite quotes what it stumbled over; where the query has that once, its line and column can be told.
    """
    from mathrag.errors import point_at

    found = _UNKNOWN.search(message)
    if found is None:
        return message
    told, name = message, found["near"] or found["name"]
    if found["what"]:
        bare = name.rpartition(".")[2]
        meant = get_close_matches(bare.lower(), sorted(set(known)), n=1, cutoff=0.7)
        told += f"; is {meant[0]} meant?" if meant else ""
    places = _places(name, query)
    if len(places) != 1:
        return told
    line = query.count("\n", 0, places[0]) + 1
    column = places[0] - query.rfind("\n", 0, places[0])
    drawn = point_at(query, places[0])
    return f"line {line}, column {column}: {told}" + (f"\n{drawn}" if drawn else "")


def _places(name: str, query: str) -> list[int]:
    """Where a name stands as a whole word; two places are as good as many."""
    found: list[int] = []
    at = query.find(name)
    while at >= 0 and len(found) < 2:
        before, after = query[at - 1 : at], query[at + len(name) : at + len(name) + 1]
        is_inside = (_WORD.match(before) and _WORD.match(name[:1])) or (_WORD.match(after) and _WORD.match(name[-1:]))
        if not is_inside:
            found.append(at)
        at = query.find(name, at + 1)
    return found
