"""The filled areas of a sheet, as a person sees them: what empty rows and columns set apart. Knows no meaning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mathrag.documents.sheets.workbook import Place2D, Sheet

_MOST_AREAS = 5_000


@dataclass(frozen=True, slots=True)
class FilledArea:
    """A rectangle with something in every row and every column; `filled` are its filled cells in order."""

    first: Place2D
    last: Place2D
    filled: tuple[Place2D, ...] = ()

    @property
    def rows(self) -> int:
        return self.last[0] - self.first[0] + 1

    @property
    def columns(self) -> int:
        return self.last[1] - self.first[1] + 1


def filled_areas(sheet: Sheet) -> list[FilledArea]:
    """The areas from top to bottom: cut at empty rows, then at empty columns, and once more at rows."""
    by_row: dict[int, list[int]] = {}
    for row, column in sheet.cells:
        by_row.setdefault(row, []).append(column)
    found: list[FilledArea] = []
    for rows in _runs(sorted(by_row)):
        groups = list(_runs(sorted({column for row in rows for column in by_row[row]})))
        group_of = {column: number for number, wide in enumerate(groups) for column in wide}
        # Every cell is looked at once, however many groups of columns there are.
        inside: list[dict[int, list[int]]] = [{} for _ in groups]
        for row in rows:
            for column in sorted(by_row[row]):
                inside[group_of[column]].setdefault(row, []).append(column)
        for wide, lines in zip(groups, inside, strict=True):
            for part in _runs(list(lines)):
                filled = tuple((row, column) for row in part for column in lines[row])
                found.append(FilledArea((part[0], wide[0]), (part[-1], wide[-1]), filled))
            if len(found) >= _MOST_AREAS:
                return found[:_MOST_AREAS]
    return found


def _runs(numbers: Sequence[int]) -> Iterator[list[int]]:
    """Numbers that follow each other, together."""
    run: list[int] = []
    for number in numbers:
        if run and number != run[-1] + 1:
            yield run
            run = []
        run.append(number)
    if run:
        yield run
