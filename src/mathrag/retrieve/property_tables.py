"""Properties of substances as tables of documents list them: a row a substance, a column a quantity with its unit.

Reads the tables that are stored with a document, wherever ingestion made no constants of them: several lists side by
side, a power of ten in the header, the quantity named in the caption alone. What a column measures must be a known kind
of quantity whose dimension the unit has; a column of which that cannot be said is left alone.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from operator import itemgetter
from typing import Any

from mathrag.knowledge.kinds import kinds_for_symbol, kinds_for_words
from mathrag.language.unit_text import unit_of_text
from mathrag.store.truth.seals import agreeing_tables
from mathrag.types.document import Place
from mathrag.types.knowledge import QuantityKind
from mathrag.types.library import Span
from mathrag.types.quantity import NO_UNIT, Unit

# Larger tables are data, not properties of substances.
_MOST_TABLES, _MOST_ROWS, _MOST_COLUMNS = 2_000, 300, 12
_LONGEST_HEADER = 160
_LEAST_ROWS = 3
# The share of the filled cells of a column that are names, or numbers.
_MOSTLY = 0.6
_TABLES = "WHERE column_count BETWEEN 2 AND ? AND row_count BETWEEN ? AND ? ORDER BY id LIMIT ?"
_TAKEN = itemgetter("document", "caption", "line", "end_line", "page", "path", "file", "section")
_NUMBER = re.compile(r"(-?\d{1,12}(?:\.\d{1,12})?)(?:[×x·⋅*]10\^?\(?(-?\d{1,3})\)?)?")
_POWER = re.compile(r"^[×x*]?\s*10\s*\^?\s*\(?\s*(-?\d{1,3})\s*\)?\s*")
BRACKET = re.compile(r"\(([^()]{1,60}(?:\([^()]{1,20}\)[^()]{0,20})?)\)")
_LABEL = re.compile(r"[^\W\d_]{2}")
_CUT = re.compile(r"\s+(?:of|in|for|at|on|and)\s+", re.IGNORECASE)
SIGNS = str.maketrans({"−": "-", "–": "-", "—": "-", "º": "°", "˚": "°", "\u00a0": " "})


@dataclass(frozen=True, slots=True)
class TableEntry:
    """A number of a table: what it is of, what it measures, and where it stands. `kinds`, likeliest first."""

    label: str
    kinds: tuple[QuantityKind, ...]
    value: Decimal
    unit: Unit
    span: Span


@dataclass(frozen=True, slots=True)
class _Column:
    index: int
    label: int
    kinds: tuple[QuantityKind, ...]
    unit: Unit
    power: int


def properties_in_tables(connection: sqlite3.Connection) -> Iterator[TableEntry]:
    """Every property that a table of the library lists for a named substance."""
    # A table that was changed since it was read gives no number.
    listed = agreeing_tables(connection, _TABLES, (_MOST_COLUMNS, _LEAST_ROWS, _MOST_ROWS, _MOST_TABLES))
    for table, cells in listed:
        document, caption, line, end_line, page, path, file, section = _TAKEN(table)
        rows = rows_of(cells)
        place = Place(line=line, end_line=end_line, page=page, path=path or "", file=file or "")
        heading = caption or section or ""
        for label, column, value, quote in _entries(rows, caption.translate(SIGNS)):
            yield TableEntry(label, column.kinds, value, column.unit, Span(document, place, quote, (heading,)))


def rows_of(cells: Sequence[Sequence[Any]]) -> list[dict[int, str]]:
    """The rows of a stored table from top to bottom, each with the text of its columns."""
    rows: dict[int, dict[int, str]] = {}
    for _, row, column, _, text in cells:
        rows.setdefault(row, {})[column] = " ".join(text.translate(SIGNS).split())
    return list(rows.values())


def _entries(rows: Sequence[Mapping[int, str]], caption: str) -> Iterator[tuple[str, _Column, Decimal, str]]:
    first = next((place for place, row in enumerate(rows) if _is_data(row)), None)
    if first is None or first == 0 or len(rows) - first < _LEAST_ROWS - 1:
        return
    body = rows[first:]
    columns = list(_columns(rows[:first], body, caption))
    for place, row in enumerate(body):
        for column in columns:
            label, value = row.get(column.label, ""), _number(row.get(column.index, ""))
            if value is not None and _LABEL.match(label) and not _goes_on(body[place + 1 : place + 2], column):
                yield label, column, value.scaleb(column.power), " | ".join(row.values())


def _goes_on(following: Sequence[Mapping[int, str]], column: _Column) -> bool:
    """Whether the next row has numbers where the name would stand: the same substance under other conditions."""
    return any(_number(row.get(column.label, "")) is not None for row in following)


def _is_data(row: Mapping[int, str]) -> bool:
    """Whether a row has a name and a number beside it."""
    return any(_LABEL.match(text) for text in row.values()) and any(_number(text) is not None for text in row.values())


def _columns(header: Sequence[Mapping[int, str]], body: Sequence[Mapping[int, str]], caption: str) -> Iterator[_Column]:
    """The columns of numbers, each with the column of names on its left and what it measures."""
    width = max((max(row, default=0) for row in body), default=0) + 1
    names: int | None = None
    for index in range(width):
        filled = [row[index] for row in body if row.get(index, "").strip(" -")]
        if not filled:
            continue
        numbers = sum(_number(text) is not None for text in filled)
        if sum(bool(_LABEL.match(text)) for text in filled) >= _MOSTLY * len(filled):
            names = index
        elif names is not None and numbers >= _MOSTLY * len(filled):
            titles = [row[index][:_LONGEST_HEADER] for row in header if row.get(index)]
            measured = _measured(titles, caption[:_LONGEST_HEADER])
            if measured is not None:
                yield _Column(index, names, *measured)


def _measured(titles: Sequence[str], caption: str) -> tuple[tuple[QuantityKind, ...], Unit, int] | None:
    """The kinds, the unit and the power of ten of a column; None where its header does not say."""
    title = " ".join(titles)
    brackets = BRACKET.findall(title)
    words = BRACKET.sub(" ", title)
    if not brackets and titles and not _named(titles[-1]):
        # The unit stands alone, below the name or under a caption that has it.
        brackets, words = [titles[-1]], " ".join(titles[:-1])
    kinds = _named(words) or _by_symbol(words) or _named(caption)
    for text in reversed(brackets):
        power = _POWER.match(text.strip())
        unit = unit_of_text(text.strip()[power.end() :] if power else text, kinds=kinds)
        if unit is not None and unit is not NO_UNIT:
            fitting = tuple(kind for kind in kinds if kind.dimension == unit.dimension)
            return (fitting, unit, int(power[1]) if power else 0) if fitting else None
    plain = tuple(kind for kind in kinds if kind.dimension.is_dimensionless)
    return (plain, NO_UNIT, 0) if plain and kinds[0] in plain else None


def _by_symbol(words: str) -> tuple[QuantityKind, ...]:
    """The kinds that a letter with an index usually means, where the header is nothing else: `Lf`."""
    symbol = words.strip().replace("_", "")
    return tuple(kinds_for_symbol(f"{symbol[0]}_{symbol[1]}", exact=True)) if len(symbol) == 2 else ()


def _named(words: str) -> tuple[QuantityKind, ...]:
    """The kinds that a header or a caption names: as a whole, without its symbol, or by what stands before "of"."""
    text = " ".join(words.split())
    while text:
        for tried in (text, text.rpartition(" ")[0]):
            if tried and (found := kinds_for_words(tried)):
                return tuple(found)
        cuts = list(_CUT.finditer(text))
        text = text[: cuts[-1].start()] if cuts else ""
    return ()


def _number(text: str) -> Decimal | None:
    match = _NUMBER.fullmatch(text.replace(" ", "").replace(",", "")) if len(text) < 40 else None
    return None if match is None else Decimal(match[1]).scaleb(int(match[2] or 0))
