"""Parameters of spreadsheets: a label in one cell, its value to the right of it, perhaps a symbol or a unit beside.

A value counts as a parameter only where it is the one number of its label and no header stands over it: the rows of a
table with several columns are for `cells`. Every word of the question must be one of the label, of its sheet or of a
title above it; where the same words name another cell too, both are named and no number is given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from mathrag.documents.sheets.labels import read_label, read_unit_cell
from mathrag.documents.sheets.reader import ODS_TYPE, XLSX_TYPE
from mathrag.documents.sheets.workbook import cell_path, read_area
from mathrag.language.word_classes import word_class
from mathrag.reason.direct.documents.asked import Asked
from mathrag.reason.direct.documents.cell_numbers import cell_number
from mathrag.reason.direct.documents.facts import Desk
from mathrag.reason.direct.documents.seams import Found, Looked, Source, Unclear
from mathrag.reason.direct.documents.words import keys_of
from mathrag.retrieve.document_parts import TablePart
from mathrag.types.document import Place

SPREADSHEETS = (XLSX_TYPE, ODS_TYPE)
_BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_WHOLE_BRACKET = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
# Currencies are no units to compute with; beside a number they say what it counts.
_CURRENCY = re.compile(
    r"(?:[€$£¥₹]|EUR|USD|GBP|CHF|JPY|CNY|SEK|NOK|DKK|ISK|PLN|CZK|HUF|INR|AUD|CAD|NZD|BRL|MXN|ZAR|KRW|SGD)"
    r"(?:\s?/\s?[^\s/]{1,12})?"
)
_LETTER = re.compile(r"[^\W\d_]")
_LONGEST_LABEL, _LONGEST_SYMBOL, _MOST_NAMED = 120, 10, 6


@dataclass(frozen=True, slots=True)
class _Parameter:
    """A value with its label; `around` are the keys of what stands over it: the name of its sheet, titles."""

    label: str
    symbol: str
    value: str
    unit: str
    source: Source
    around: frozenset[str]

    @property
    def keys(self) -> frozenset[str]:
        """The words of the label without what stands in brackets."""
        return frozenset(keys_of(_BRACKETED.sub(" ", self.label))) or frozenset(keys_of(self.label))

    @property
    def shown(self) -> str:
        """The value with its unit."""
        return f"{self.value} {self.unit}" if self.unit else self.value


def look_up_parameter(desk: Desk) -> Looked:
    """The value beside the label that a question names; None where no label of the workbook has all its words."""
    asked = desk.asked
    if desk.card.media_type not in SPREADSHEETS or asked.selectors or asked.counted():
        return None
    if asked.words and asked.words[0].lower in word_class("documents.yes_or_no"):
        return None
    left = words_left(asked)
    tables = [(table, area) for table in desk.parts.tables(desk.card.id) if (area := _area(table)) is not None]
    found = [each for table, area in tables for each in _parameters(table, *area)]
    texts = _texts(table for table, _ in tables)
    whole = [each for each in found if _is_meant(asked, left, each)]
    if whole:
        return _one(desk, whole, _other_names(whole, found, texts))
    keys = frozenset(asked.words[place].key for place in left)
    # Labels that have all words of the question and more: the answer shows them whole.
    partly = [each for each in found if keys and keys <= each.keys]
    if not partly:
        return None
    return _one(
        desk, partly, {text for text in texts if keys <= frozenset(keys_of(text))} - {each.label for each in partly}
    )


def _texts(tables: Iterable[TablePart]) -> list[str]:
    """Every text in a cell that is no number."""
    return [text for table in tables for row in table.cells for text in row if text and not _is_number(text)]


def _other_names(meant: Sequence[_Parameter], found: Sequence[_Parameter], texts: Sequence[str]) -> set[str]:
    """Texts that are no label of a parameter and have the same words: headers of columns, names of rows."""
    labels = {each.label for each in meant}
    short = {each.keys for each in meant}
    others = {text for text in texts if frozenset(keys_of(_BRACKETED.sub(" ", text))) in short} - labels
    return others | {each for each in labels if texts.count(each) > sum(one.label == each for one in found)}


def words_left(asked: Asked, covered: frozenset[int] = frozenset()) -> tuple[int, ...]:
    """The places of the words that must name a cell. More words count than where texts are looked through: "interest
    rate" is no interest, and "total loan" need not be the loan."""
    telling = word_class("documents.telling_cells")
    rest = asked.using(covered)
    named = set(rest.left("documents.around_cells", "documents.kinds"))
    return tuple(place for place in rest.open_places() if place in named or rest.words[place].lower in telling)


def _one(desk: Desk, meant: Sequence[_Parameter], others: Iterable[str]) -> Looked:
    first = meant[0]
    if len({each.shown for each in meant}) > 1:
        listed = "; ".join(f"{each.label}: {each.shown} ({each.source.place.path})" for each in meant[:_MOST_NAMED])
        return Unclear(f"several cells of {desk.name} are called so: {listed}", ("name the sheet",))
    if others:
        listed = ", ".join(f"“{each}”" for each in sorted(others)[:_MOST_NAMED])
        where = f"{first.label}: {first.shown} in {first.source.place.path}"
        return Unclear(f"other cells of {desk.name} have these words too: {listed} ({where})", ("name one of them",))
    said = f"{first.label}: {first.shown} ({first.source.place.path} of {desk.name})."
    return Found(said, first.shown, tuple(each.source for each in meant[:_MOST_NAMED]), number=first.shown)


def _is_meant(asked: Asked, left: Sequence[int], one: _Parameter) -> bool:
    """Whether the question has all words of a label, and no other but those that stand over it."""
    if one.symbol and len(left) == 1 and asked.words[left[0]].text == one.symbol:
        return True
    own = frozenset(asked.words[place].key for place in asked.open_places())
    return bool(left) and one.keys <= own and all(asked.words[place].key in one.keys | one.around for place in left)


# ---- the labels and values of a table


def _area(table: TablePart) -> tuple[str, int, int] | None:
    """The sheet, the row and the column of the first cell, where the table is an area of a sheet cell by cell."""
    sheet, _, area = table.place.path.rpartition("!")
    corners = read_area(area) if sheet and ":" in area else None
    if corners is None:
        return None
    (top, left), (bottom, right) = corners
    is_whole = len(table.cells) == bottom - top + 1 and all(len(row) == right - left + 1 for row in table.cells)
    name = sheet[1:-1].replace("''", "'") if sheet.startswith("'") else sheet
    return (name, top, left) if is_whole else None


def cell_place(table: TablePart, row: int, column: int, text: str) -> Place:
    """Where a cell of a table stands: in a spreadsheet the cell itself, where it holds this text; else the table."""
    area = _area(table)
    if area is None or row >= len(table.cells) or table.cells[row][column].strip() != text:
        return table.place
    sheet, top, left = area
    return Place(path=cell_path(sheet, top + row, left + column))


def _parameters(table: TablePart, sheet: str, top: int, left: int) -> Iterator[_Parameter]:
    around = set(keys_of(sheet))
    for number, row in enumerate(table.cells):
        filled = [text for text in row if text.strip()]
        if len(set(filled)) == 1 and cell_number(filled[0]) is None:
            around |= set(keys_of(filled[0]))
            continue
        for label, value, behind in _pairs(row):
            if _has_header(table.cells, number, value):
                continue
            between = [row[place].strip() for place in range(label + 1, value) if row[place].strip()]
            # A letter may be a symbol or a unit: with a unit behind the value it is no unit.
            symbol = between[0] if between and (behind or _unit(between[0]) is None) else ""
            place = Place(path=cell_path(sheet, top + number, left + value))
            source = Source(place, " | ".join(filled), f"cell {place.path}", (table.caption,))
            unit = _unit(row[behind]) or "" if behind else ""
            yield _Parameter(
                row[label].strip().rstrip(" :="), symbol, row[value].strip(), unit, source, frozenset(around)
            )


def _pairs(row: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """The columns of each label with its value, and of the unit behind it (0 where there is none)."""
    filled = [place for place, text in enumerate(row) if text.strip()]
    spot = 0
    while spot < len(filled):
        if not _is_label(row[filled[spot]]):
            return
        step = 1
        if spot + 2 < len(filled) and _is_short(row[filled[spot + 1]]) and _is_number(row[filled[spot + 2]]):
            step = 2
        if spot + step >= len(filled) or not _is_number(row[filled[spot + step]]):
            spot += 1
            continue
        value = filled[spot + step]
        following = filled[spot + step + 1] if spot + step + 1 < len(filled) else None
        if following is not None and _is_number(row[following]):
            return
        is_unit = following == value + 1 and _unit(row[following]) is not None
        yield filled[spot], value, following if is_unit and following is not None else 0
        spot += step + 1 + is_unit


def _unit(text: str) -> str | None:
    """The unit that a cell states, as it is written, empty for that of a plain number; None where it states none."""
    whole = _WHOLE_BRACKET.fullmatch(text.strip())
    plain = whole[1].strip() if whole else text.strip()
    if plain in ("-", "–"):
        return ""
    return plain if read_unit_cell(text) is not None or _CURRENCY.fullmatch(plain) else None


def _is_number(text: str) -> bool:
    return cell_number(text.strip()) is not None


def _is_label(text: str) -> bool:
    return len(text) <= _LONGEST_LABEL and bool(_LETTER.search(text)) and not _is_number(text)


def _is_short(text: str) -> bool:
    """Whether a text between a label and a number can be a symbol or a unit of it."""
    return len(text.strip()) <= _LONGEST_SYMBOL and not _is_number(text)


def _has_header(cells: Sequence[Sequence[str]], number: int, column: int) -> bool:
    """Whether a word over a value names its column, so that its row alone does not tell what it is.

    A first row of a label and a text ("Operator | M. Okafor") is no header where units stand behind the values below
    it and nothing over them.
    """
    for row in cells[:number]:
        text = row[column].strip()
        if not text or any(map(_is_number, row)):
            continue
        label = read_label(text)
        if (label is not None and label.is_general) or _unit(text) is not None or sum(map(bool, row)) < 2:
            continue
        if column + 1 >= len(row) or row[column + 1].strip() or not _has_units(cells, column):
            return True
    return False


def _has_units(cells: Sequence[Sequence[str]], column: int) -> bool:
    """Whether whatever stands behind the numbers of a column is their unit, and something does."""
    behind = [row[column + 1] for row in cells if _is_number(row[column]) and row[column + 1].strip()]
    return bool(behind) and all(_unit(text) is not None for text in behind)
