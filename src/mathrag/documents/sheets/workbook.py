"""A workbook as both formats give it: sheets of cells by place, names for cells, what was left out. Knows no format.

Rows and columns count from 1, as people count them; `A1` is row 1, column 1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypeAlias

Place2D: TypeAlias = tuple[int, int]

LARGEST_ROW, LARGEST_COLUMN = 1_048_576, 16_384
# Cells with something in them; a million numbers are data for a database, not a document.
MOST_CELLS = 400_000
MOST_SHEETS = 500
LONGEST_TEXT = 10_000
_ADDRESS = re.compile(r"([A-Za-z]{1,3})([1-9]\d{0,6})")
_PLAIN_SHEET = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class SheetCell:
    """What stands in a cell. `text` is what a person sees, `number` the value that formulas take, `formula` the text of
    a formula behind its equals sign, `filled_from` the cell whose formula it repeats, moved. `unit` is what its number
    format writes behind the number, `declined` why its formula is not read."""

    text: str
    number: Decimal | None = None
    formula: str = ""
    unit: str = ""
    is_percentage: bool = False
    is_error: bool = False
    declined: str = ""
    filled_from: Place2D | None = None


@dataclass(slots=True)
class Sheet:
    """One sheet. `merged` maps the first cell of a merged area to how many rows and columns it covers."""

    name: str
    cells: dict[Place2D, SheetCell] = field(default_factory=dict)
    merged: dict[Place2D, tuple[int, int]] = field(default_factory=dict)
    is_hidden: bool = False
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class NamedTable:
    """A table that has a name in its workbook: its sheet, the first and the last row of its data, its columns by name
    in lower case."""

    name: str
    sheet: str
    first_row: int
    last_row: int
    columns: Mapping[str, int]


@dataclass(slots=True)
class Workbook:
    """All sheets in order. `names` are defined names with the text of what they stand for; `tables` stand under their
    names in lower case."""

    sheets: list[Sheet] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    tables: dict[str, NamedTable] = field(default_factory=dict)
    notes: list[tuple[str, str, str]] = field(default_factory=list)
    dialect: str = "excel"

    def note(self, code: str, message: str, path: str = "") -> None:
        """Keep what was left out or looks odd, with where."""
        self.notes.append((code, message, path))


def column_letters(column: int) -> str:
    """1 is A, 27 is AA."""
    letters = ""
    while column > 0:
        column, place = divmod(column - 1, 26)
        letters = chr(65 + place) + letters
    return letters


def column_number(letters: str) -> int:
    """A is 1, AA is 27."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number


def address(row: int, column: int) -> str:
    """The address of a cell within its sheet: `B2`."""
    return f"{column_letters(column)}{row}"


def read_address(text: str) -> Place2D | None:
    """Row and column of an address such as `B2`; None where it is none or lies outside every sheet."""
    match = _ADDRESS.fullmatch(text.replace("$", ""))
    if match is None:
        return None
    row, column = int(match[2]), column_number(match[1])
    return (row, column) if row <= LARGEST_ROW and column <= LARGEST_COLUMN else None


def read_area(text: str) -> tuple[Place2D, Place2D] | None:
    """The first and the last cell of an area such as `A1:C3`, in order; None where it is none."""
    first, _, last = text.partition(":")
    start, end = read_address(first), read_address(last or first)
    if start is None or end is None:
        return None
    rows, columns = sorted((start[0], end[0])), sorted((start[1], end[1]))
    return (rows[0], columns[0]), (rows[1], columns[1])


def sheet_reference(name: str) -> str:
    """The name of a sheet as formulas write it: `Data`, `'My sheet'`."""
    return name if _PLAIN_SHEET.fullmatch(name) else "'" + name.replace("'", "''") + "'"


def cell_path(sheet: str, row: int, column: int) -> str:
    """Where a cell stands, for people: `Data!B2`."""
    return f"{sheet_reference(sheet)}!{address(row, column)}"


def area_path(sheet: str, first: Place2D, last: Place2D) -> str:
    """Where an area stands: `Data!A1:C3`."""
    return f"{sheet_reference(sheet)}!{address(*first)}:{address(*last)}"
