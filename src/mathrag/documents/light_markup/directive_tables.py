"""Tables that directives of reStructuredText carry, `csv-table` and `list-table`, as rows of cells with their lines."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

_OPTION = re.compile(r"\s*:([\w-]+):(?:\s+(.*))?$")
_CELL = re.compile(r"\s*(?:\*\s+)?-(?:\s+|$)")
_ROW = re.compile(r"\s*\*\s+-(?:\s|$)")
# What an option may say in place of a sign.
_SIGNS = {"tab": "\t", "space": " "}
_MOST_HEADER_ROWS = 20


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell: its text, and the lines that it stands on, from the first up to the one after the last."""

    text: str
    first: int
    after: int


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row, and whether it is one of headers."""

    cells: tuple[TableCell, ...]
    is_header: bool


def options_of(lines: Sequence[str], first: int, after: int) -> tuple[dict[str, tuple[int, str]], int]:
    """The options below the line of a directive, each with its line and value, and the line after them all.

    A value may go on in lines that are indented further than the name of its option.
    """
    options: dict[str, tuple[int, str]] = {}
    line = first
    while line < after and (found := _OPTION.match(lines[line])):
        indent = _indent(lines[line])
        value = [found.group(2) or ""]
        start = line
        line += 1
        while line < after and lines[line].strip() and _indent(lines[line]) > indent:
            value.append(lines[line].strip())
            line += 1
        options[found.group(1).lower()] = start, "\n".join(value)
    return options, line


def csv_rows(
    lines: Sequence[str], first: int, after: int, *, options: Mapping[str, tuple[int, str]]
) -> Iterator[TableRow]:
    """The rows of a `csv-table`: those of its option `header`, and those of its body. Raises `csv.Error`."""
    if "header" in options:
        at, text = options["header"]
        for row in _values(text.split("\n"), options):
            yield _row(row, at, is_header=True)
    headers = _count_of_headers(options)
    bodies = [line.strip() for line in lines[first:after]]
    for number, row in enumerate(_values(bodies, options)):
        yield _row(row, first, is_header=number < headers)


def list_rows(
    lines: Sequence[str], first: int, after: int, *, options: Mapping[str, tuple[int, str]]
) -> list[TableRow]:
    """The rows of a `list-table`: a list of lists, each inner item a cell."""
    starts = [line for line in range(first, after) if _ROW.match(lines[line])]
    if not starts:
        return []
    edge = _indent(lines[starts[0]])
    starts = [line for line in starts if _indent(lines[line]) == edge]
    headers = _count_of_headers(options)
    rows: list[TableRow] = []
    for start, stop in zip(starts, [*starts[1:], after], strict=True):
        dash = lines[start].index("-", edge + 1)
        cells = [start, *(line for line in range(start + 1, stop) if _is_cell(lines[line], dash))]
        parts = [
            TableCell(_list_cell_text(lines[begin:end]), begin, end)
            for begin, end in zip(cells, [*cells[1:], stop], strict=True)
        ]
        rows.append(TableRow(tuple(parts), is_header=len(rows) < headers))
    return rows


def without_marker(line: str) -> str:
    """A line of a list with its marks blanked out, so that the rest keeps its column."""
    found = _CELL.match(line)
    return " " * found.end() + line[found.end() :] if found else line


def _is_cell(line: str, dash: int) -> bool:
    return _indent(line) == dash and _CELL.match(line) is not None


def _list_cell_text(lines: Sequence[str]) -> str:
    first, *rest = lines
    return "\n".join(part.strip() for part in (without_marker(first), *rest)).strip()


def _values(lines: Sequence[str], options: Mapping[str, tuple[int, str]]) -> Iterator[tuple[int, int, list[str]]]:
    """The values of each row with the first of its lines and the one after its last."""
    escaped = _sign(options, "escape", "")
    reader = csv.reader(
        [f"{line}\n" for line in lines],
        delimiter=_sign(options, "delim", ","),
        quotechar=_sign(options, "quote", '"'),
        escapechar=escaped or None,
        doublequote=not escaped,
        skipinitialspace="keepspace" not in options,
    )
    start = 0
    for values in reader:
        if values:
            yield start, reader.line_num, values
        start = reader.line_num


def _row(row: tuple[int, int, list[str]], at: int, *, is_header: bool) -> TableRow:
    first, after, values = row
    return TableRow(tuple(TableCell(value.strip(), at + first, at + after) for value in values), is_header)


def _sign(options: Mapping[str, tuple[int, str]], name: str, usual: str) -> str:
    given = options.get(name, (0, ""))[1].strip()
    sign = _SIGNS.get(given.lower(), given)
    return sign if len(sign) == 1 else usual


def _count_of_headers(options: Mapping[str, tuple[int, str]]) -> int:
    given = options.get("header-rows", (0, "0"))[1].strip()
    return min(int(given), _MOST_HEADER_ROWS) if given.isdecimal() and len(given) < 4 else 0


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip()) if line.strip() else 1_000_000
