"""Cells of the tables of documents, found by words: those of the row, of the column's header, of the caption.

For whoever looks a number up on purpose and will say where it comes from: unlike `property_tables`, a column need not
measure a known kind of quantity. A number has the unit that stands beside it or in the header of its column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import Any

from mathrag.errors import UnitError
from mathrag.language.quantities import find_quantities
from mathrag.language.stems import stem
from mathrag.language.unit_text import unit_of_text
from mathrag.language.word_classes import word_class
from mathrag.retrieve.property_tables import BRACKET, SIGNS, rows_of
from mathrag.store.truth.database import Database
from mathrag.store.truth.seals import agreeing_tables
from mathrag.types.document import Place
from mathrag.types.library import Span
from mathrag.types.quantity import NO_UNIT, Quantity

_MOST_TABLES, _MOST_ROWS, _MOST_COLUMNS = 2_000, 600, 20
_LONGEST_CELL, _LONGEST_QUERY, _MOST_FOUND = 200, 300, 8
_TABLES = "WHERE column_count BETWEEN 2 AND ? AND row_count BETWEEN 1 AND ? ORDER BY id LIMIT ?"
_TAKEN = itemgetter("document", "caption", "line", "end_line", "page", "path", "file")
_WORD = re.compile(r"[^\W\d_]+|\d+")
_NUMBER = re.compile(
    r"\s*([-+]?\d[\d ,]{0,15}(?:\.\d[\d ]{0,15})?)\s*(?:[×x·⋅*]\s*10\s*\^?\s*\(?\s*([-+]?\s*\d{1,3})\s*\)?)?\s*"
)
_POWER = re.compile(r"^[×x*]?\s*10\s*\^?\s*\(?\s*([-+]?\s*\d{1,3})\s*\)?\s*")
_WORDED = re.compile(r"[^\W\d_]{2}")
_STOP_WORDS = word_class("questions.stop_words")
# What a query says is first sought in the row, which names the thing; header and caption name the property.
_LEAST_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class FoundCell:
    """A number of a table with the words around it; `share` is how many of the words asked for stand there."""

    row: str
    column: str
    caption: str
    quantity: Quantity
    span: Span
    share: float

    @property
    def name(self) -> str:
        """What the number is, in the words of the table."""
        return ": ".join(part for part in (self.caption, self.row, self.column) if part)


def cells_called(database: Database, words: str, *, limit: int = _MOST_FOUND) -> list[FoundCell]:
    """The numbers whose row, header and caption have the most of the words, best first."""
    asked = _stems(words[:_LONGEST_QUERY])
    if not asked:
        return []
    found: list[FoundCell] = []
    # A table that was changed since it was read gives no number.
    with database.reading() as connection:
        for table, cells in agreeing_tables(connection, _TABLES, (_MOST_COLUMNS, _MOST_ROWS, _MOST_TABLES)):
            found.extend(_of_table(table, cells, asked))
    # A caption holds for all columns; the header says which.
    found.sort(key=lambda one: (-one.share, -len(_stems(one.column) & asked), one.name))
    best = found[0].share if found else 0.0
    return [one for one in found if one.share >= max(_LEAST_SHARE, 0.8 * best)][:limit]


@lru_cache(maxsize=20_000)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in _WORD.findall(text.casefold()) if word not in _STOP_WORDS)


def _of_table(table: Mapping[str, Any], cells: Sequence[Sequence[Any]], asked: frozenset[str]) -> Iterator[FoundCell]:
    document, caption, line, end_line, page, path, file = _TAKEN(table)
    listed = rows_of(cells)
    first = next((place for place, row in enumerate(listed) if _has_numbers(row)), None)
    if first is None:
        return
    title = str(caption or "").translate(SIGNS)[:_LONGEST_CELL]
    headers = _headers(listed[:first])
    around = _stems(title)
    place = Place(line=line, end_line=end_line, page=page, path=path or "", file=file or "")
    for cells_of_row in _filled(listed[first:]):
        for column, text in cells_of_row.items():
            label, header = _label(cells_of_row, column, headers), headers.get(column, "")
            in_row = _stems(label) & asked
            if not in_row:
                continue
            shared = in_row | ((around | _stems(header)) & asked)
            quantity = _quantity(text, header or title)
            # The row says of what, header or caption says what; a row alone would be any number of it.
            if quantity is not None and (len(shared) > len(in_row) or shared == asked):
                span = Span(str(document), place, " | ".join(cells_of_row.values())[:_LONGEST_CELL], (title,))
                yield FoundCell(label, header, title, quantity, span, len(shared) / len(asked))


def _filled(rows: Sequence[Mapping[int, str]]) -> Iterator[dict[int, str]]:
    """The rows, each with the names before its first own cell that the row above has: they span several rows."""
    above: Mapping[int, str] = {}
    for row in rows:
        filled = dict(row)
        for column in sorted(above):
            if filled.get(column):
                break
            if _is_name(above[column]):
                filled[column] = above[column]
        above = filled
        yield dict(sorted(filled.items()))


def _has_numbers(row: Mapping[int, str]) -> bool:
    return any(_number(text) is not None for text in row.values())


def _headers(rows: Sequence[Mapping[int, str]]) -> dict[int, str]:
    columns = {column for row in rows for column in row}
    return {column: " ".join(row[column] for row in rows if row.get(column))[:_LONGEST_CELL] for column in columns}


def _label(row: Mapping[int, str], column: int, headers: Mapping[int, str]) -> str:
    """What names a number of a row: the words and whole numbers of its other cells. Where lists stand side by side, the
    headers begin anew, and only the list of the number counts."""
    start = column
    seen = {_plain(headers.get(column, ""))}
    while start - 1 in row and _plain(headers.get(start - 1, "")) not in seen - {""}:
        start -= 1
        seen.add(_plain(headers.get(start, "")))
    before = [row[place] for place in range(start, column) if _is_name(row[place])]
    after = [text for place, text in sorted(row.items()) if place > column and _is_name(text)]
    # A name stands before its numbers; only a table that begins with them has it behind.
    return " ".join(before if any(_WORDED.search(text) for text in before) else (*before, *after))[:_LONGEST_CELL]


def _is_name(text: str) -> bool:
    return bool(text) and (_number(text) is None or text.isdigit())


def _plain(header: str) -> str:
    return re.sub(r"[^\w]+", "", BRACKET.sub("", header)).casefold()


def _number(text: str) -> float | None:
    match = _NUMBER.fullmatch(text) if len(text) < 60 else None
    if match is None:
        return None
    try:
        digits = match[1].replace(" ", "").replace(",", "")
        return float(f"{digits}e{(match[2] or '0').replace(' ', '')}")
    except (ValueError, OverflowError):
        return None


def _quantity(text: str, header: str) -> Quantity | None:
    value = _number(text)
    if value is None:
        return _with_own_unit(text)
    for bracket in reversed(BRACKET.findall(header)):
        power = _POWER.match(bracket.strip())
        unit = unit_of_text(bracket.strip()[power.end() :] if power else bracket)
        if unit is not None and unit is not NO_UNIT:
            return Quantity(value * 10.0 ** int(power[1].replace(" ", "")) if power else value, unit)
    # "Power in watts"; what follows "in" is no unit where it is a thing: "change in temperature".
    unit = unit_of_text(header.rpartition(" in ")[2]) if " in " in header else None
    return Quantity(value) if unit is None else Quantity(value, unit)


def _with_own_unit(text: str) -> Quantity | None:
    """A cell such as "5.27 y": one number with its unit, perhaps with a word behind it."""
    try:
        mentions = [each for each in find_quantities(text[:_LONGEST_CELL]) if each.kind in ("quantity", "number")]
    except UnitError:
        return None
    if len(mentions) != 1 or mentions[0].start > 2 or not mentions[0].units:
        return None
    return Quantity(mentions[0].value, mentions[0].units[0])
