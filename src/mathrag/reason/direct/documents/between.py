"""Values of a table between its rows: "the specific heat of water at 37 °C" from rows at 20 and 40 °C, linearly.

Only where the table is one of a quantity over another: the column of keys is found by its unit and rises or falls from
row to row, the column asked for by its words, and all words of the question are accounted for. A table over two keys is
read between four cells. What lies outside a table is refused; nothing is extrapolated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from mathrag.documents.sheets.labels import Label, read_label
from mathrag.reason.direct.documents.asked import Asked
from mathrag.reason.direct.documents.cell_numbers import CellNumber, cell_number
from mathrag.reason.direct.documents.facts import Desk
from mathrag.reason.direct.documents.grids import Grid, Line
from mathrag.reason.direct.documents.laid_out import column_title, tables_below
from mathrag.reason.direct.documents.places import place_of_cell
from mathrag.reason.direct.documents.seams import Found, Looked, Source, Unclear
from mathrag.reason.direct.documents.words import keys_of
from mathrag.retrieve.document_parts import TablePart
from mathrag.types.answer import WorkingLine
from mathrag.types.quantity import Quantity
from mathrag.types.question import Given

_FEWEST_KEYS = 2
_MOST_VALUES = 2
_DIGITS_MORE = 1
_LONGEST_QUOTE = 300

_NUMBERED = re.compile(r"^\s*(?:table|tab\.)\s*[\w.]{1,8}\s*[:.–-]?\s*", re.IGNORECASE)

# A key of a table with the row or column that has it.
_Key: TypeAlias = tuple[Decimal, Line]


@dataclass(frozen=True, slots=True)
class _Scale:
    """The keys of a table along its rows or columns, in rising order, and the value asked for in their unit."""

    label: Label
    keys: tuple[_Key, ...]
    wanted: Decimal

    @property
    def unit(self) -> str:
        return _unit_shown(self.label)

    @property
    def is_inside(self) -> bool:
        return self.keys[0][0] <= self.wanted <= self.keys[-1][0]

    def neighbours(self) -> tuple[_Key, ...]:
        """The key itself, or the two around it."""
        for one, other in zip(self.keys, self.keys[1:], strict=False):
            if one[0] == self.wanted:
                return (one,)
            if one[0] < self.wanted < other[0]:
                return one, other
        return (self.keys[-1],)


@dataclass(frozen=True, slots=True)
class _Table:
    part: TablePart
    grid: Grid
    asked: Asked
    known: frozenset[str]
    document: str

    def source(self, row: Line, column: Line) -> Source:
        """A cell with its names; the quote is its row."""
        quote = " | ".join(text for text in self.grid.cells[row.place] if text.strip())[:_LONGEST_QUOTE]
        place = place_of_cell(self.part, self.grid, row, column)
        return Source(place, quote, f"row “{row.name}”, column “{column.name}”", (self.part.caption,))

    def accounts_for(self, *names: str) -> bool:
        """Whether nothing of the question is left when these names are taken away."""
        keys = self.known | {key for name in names for key in keys_of(name)}
        left = self.asked.left("documents.generic")
        return all(self.asked.words[place].key in keys for place in left)


def look_up_between(desk: Desk, givens: Sequence[Given]) -> Looked:
    """What a table of the document has at the values of the question, or between its rows."""
    values = [each for each in givens if not each.implied and each.readings and each.readings[0].unit.text]
    if not 1 <= len(values) <= _MOST_VALUES or len(values) != sum(not each.implied for each in givens):
        return None
    answers = list(_answers(desk, values))
    sure = [each for each in answers if isinstance(each, Found)]
    if len({each.core for each in sure}) > 1:
        return Unclear(f"several tables of {desk.name} answer, and not alike", ("name the table",))
    return sure[0] if sure else answers[0] if len(answers) == 1 else None


def _answers(desk: Desk, values: Sequence[Given]) -> Iterator[Found | Unclear]:
    """What each table says that has all words of the question."""
    texts = (desk.card.title, desk.card.name.rpartition(".")[0], *(each.text for each in values))
    known = frozenset(key for text in texts for key in keys_of(text))
    unknown = {desk.asked.words[place].key for place in desk.asked.left("documents.generic")} - known
    for below in tables_below(desk.parts, desk.card.id):
        if not unknown <= below.words:
            continue
        table = _Table(below.part, below.grid, desk.asked, known | below.around, desk.name)
        looked = _along_one(table, values[0]) if len(values) == 1 else _along_two(table, values)
        if looked is not None:
            yield looked


# ---- along one key


def _along_one(table: _Table, given: Given) -> Looked:
    labels = {column: label for column in table.grid.columns if (label := read_label(column_title(column))) is not None}
    asked_keys = frozenset(word.key for word in table.asked.words)
    rows = _rows_named(table, asked_keys)
    scales = _scales(table, labels, rows, given)
    beside = [*(column for column, _ in scales), *_label_columns(table)]
    meant = _columns_named({one: label for one, label in labels.items() if one not in beside}, asked_keys)
    if not meant or not scales:
        return None
    names = [labels[meant[0]].words, *(labels[column].words or labels[column].symbol for column, _ in scales)]
    names += [row.name for row in rows if _label_columns(table)]
    if not table.accounts_for(*names):
        return None
    if len(meant) > 1 or len(scales) > 1:
        several = " and ".join(
            f"“{column.name}”" for column in (meant if len(meant) > 1 else [one for one, _ in scales])
        )
        return Unclear(f"in a table of {table.document} several columns can be meant: {several}")
    return _answer_on(table, meant[0], labels[meant[0]], scales[0][1])


def _scales(
    table: _Table, labels: Mapping[Line, Label], rows: Sequence[Line], given: Given
) -> list[tuple[Line, _Scale]]:
    """The columns that can be the key, with their numbers."""
    found = []
    for column, label in labels.items():
        scale = _scale(label, [(table.grid.text(row, column), row) for row in rows], given)
        if scale is not None:
            found.append((column, scale))
    return found


def _columns_named(labels: Mapping[Line, Label], asked_keys: frozenset[str]) -> list[Line]:
    """The columns that the question names, those with the most words of it."""
    named = {column: _names(label.words) for column, label in labels.items() if label.words}
    named = {column: names for column, names in named.items() if names <= asked_keys}
    most = max((len(names) for names in named.values()), default=0)
    return [column for column, names in named.items() if len(names) == most]


def _names(words: str) -> frozenset[str]:
    return frozenset(keys_of(words))


def _label_columns(table: _Table) -> list[Line]:
    """The columns of words, which say what a row is of."""
    return [
        column
        for column in table.grid.columns
        if table.grid.rows and all(_is_words(table.grid.text(row, column)) for row in table.grid.rows)
    ]


def _is_words(text: str) -> bool:
    return bool(text) and cell_number(text) is None


def _rows_named(table: _Table, asked_keys: frozenset[str]) -> list[Line]:
    """The rows of the one thing that the question names, all of them where no column says what a row is of."""
    columns = _label_columns(table)
    if not columns:
        return list(table.grid.rows)
    texts = {table.grid.text(row, columns[0]) for row in table.grid.rows}
    named = [text for text in texts if keys_of(text) and _names(text) <= asked_keys]
    if len(named) != 1:
        return []
    return [row for row in table.grid.rows if table.grid.text(row, columns[0]) == named[0]]


def _scale(label: Label, cells: Sequence[tuple[str, Line]], given: Given) -> _Scale | None:
    """The keys of a row or column, where they have a unit of the value's kind and rise or fall throughout."""
    quantity = _in_dimension(given, label)
    if label.unit is None or quantity is None or len(cells) < _FEWEST_KEYS:
        return None
    numbers: list[_Key] = []
    for text, line in cells:
        number = cell_number(text)
        if number is None or number.unit:
            return None
        numbers.append((number.value, line))
    values = [value for value, _ in numbers]
    if sorted(set(values)) != values and sorted(set(values), reverse=True) != values:
        return None
    wanted = (quantity.si_value - label.unit.offset) / label.unit.scale
    if quantity.unit.text == label.unit.text:
        wanted = float(quantity.value)
    return _Scale(label, tuple(sorted(numbers, key=lambda key: key[0])), Decimal(f"{wanted:.12g}"))


def _in_dimension(given: Given, label: Label) -> Quantity | None:
    if label.unit is None or label.unit.dimension.is_dimensionless:
        return None
    return next((each for each in given.readings if each.dimension == label.unit.dimension), None)


def _answer_on(table: _Table, column: Line, label: Label, scale: _Scale) -> Looked:
    if not scale.is_inside:
        return _outside(table, scale)
    ends = scale.neighbours()
    numbers = [cell_number(table.grid.text(row, column)) for _, row in ends]
    if any(number is None for number in numbers):
        return Unclear(f"a cell of “{column.name}” beside {scale.wanted} {scale.unit} holds no number")
    values = [number for number in numbers if number is not None]
    sources = tuple(table.source(row, column) for _, row in ends)
    unit = label.unit_text or (label.unit.text if label.unit else values[0].unit)
    where = f"{_shown(scale.wanted)} {scale.unit}"
    if len(ends) == 1:
        said = f"The table of {table.document} has {table.grid.text(ends[0][1], column)} {unit}".rstrip()
        core = f"{values[0].value} {unit}"
        return Found(f"{said} for {label.words.lower()} at {where}.", core, sources)
    result, decimals = _linear(scale.wanted, (ends[0][0], ends[1][0]), values)
    shown = f"{result:.{decimals}f} {unit}".rstrip()
    line = (
        f"{values[0].value} + ({values[1].value} - {values[0].value}) "
        f"* ({_shown(scale.wanted)} - {ends[0][0]}) / ({ends[1][0]} - {ends[0][0]}) ≈ {shown}"
    )
    said = (
        f"{label.words[:1].upper()}{label.words[1:].lower()} at {where}: {shown}, interpolated linearly between "
        f"{values[0].value} at {ends[0][0]} {scale.unit} and {values[1].value} at {ends[1][0]} {scale.unit}."
    )
    warning = "interpolated: the table has no row for this value"
    return Found(said, shown, sources, (WorkingLine(line),), (warning,))


def _outside(table: _Table, scale: _Scale) -> Unclear:
    first, last = scale.keys[0][0], scale.keys[-1][0]
    reason = (
        f"the table of {table.document} goes from {first} to {last} {scale.unit}, and {_shown(scale.wanted)} "
        f"{scale.unit} lies outside; nothing is extrapolated"
    )
    return Unclear(reason, (f"ask for a value between {first} and {last} {scale.unit}",))


def _linear(at: Decimal, keys: tuple[Decimal, Decimal], values: Sequence[CellNumber]) -> tuple[Decimal, int]:
    share = (at - keys[0]) / (keys[1] - keys[0])
    result = values[0].value + (values[1].value - values[0].value) * share
    return result, max(number.decimals for number in values) + _DIGITS_MORE


def _shown(value: Decimal) -> str:
    return f"{value:f}".rstrip("0").rstrip(".") if "." in f"{value:f}" else f"{value:f}"


# ---- along two keys


def _along_two(table: _Table, values: Sequence[Given]) -> Looked:
    found = _two_labels(table.grid)
    quantity = read_label(_NUMBERED.sub("", table.part.caption)) or Label("")
    if found is None or not table.grid.rows:
        return None
    down, across, columns = found
    for first, second in ((values[0], values[1]), (values[1], values[0])):
        if _in_dimension(first, across) is not None and _in_dimension(second, down) is not None:
            return None
        rows = _scale(down, [(table.grid.text(row, table.grid.columns[0]), row) for row in table.grid.rows], first)
        sides = _scale(across, [(column.names[-1], column) for column in columns], second)
        if rows is None or sides is None:
            continue
        if not quantity.words or not table.accounts_for(quantity.words, down.words, across.words):
            return None
        for scale in (rows, sides):
            if not scale.is_inside:
                return _outside(table, scale)
        return _answer_among(table, quantity, rows, sides)
    return None


def _two_labels(grid: Grid) -> tuple[Label, Label, list[Line]] | None:
    """What the keys down and across a table are: from a corner such as `T (°C) \\ p (bar)`, or from two header rows."""
    columns = [column for column in grid.columns[1:] if column.names and cell_number(column.names[-1]) is not None]
    if len(columns) < _FEWEST_KEYS or len(columns) != len(grid.columns) - 1:
        return None
    first = [each for each in grid.columns[0].names if each]
    corner = first[-1] if first else ""
    if "\\" in corner:
        left, _, right = corner.partition("\\")
        labels = read_label(left), read_label(right)
    else:
        titles = {" ".join(each for each in column.names[:-1] if each) for column in columns}
        labels = read_label(corner), read_label(next(iter(titles))) if len(titles) == 1 else None
    down, across = labels
    if down is None or across is None or down.unit is None or across.unit is None or down == across:
        return None
    return down, across, columns


def _answer_among(table: _Table, quantity: Label, rows: _Scale, sides: _Scale) -> Looked:
    down, across = rows.neighbours(), sides.neighbours()
    cells = [[cell_number(table.grid.text(row, column)) for _, column in across] for _, row in down]
    numbers = [number for line in cells for number in line if number is not None]
    if len(numbers) != len(down) * len(across):
        return Unclear(f"a cell beside {rows.wanted} {rows.unit} and {sides.wanted} {sides.unit} holds no number")
    decimals = max(number.decimals for number in numbers) + (_DIGITS_MORE if len(numbers) > 1 else 0)
    lines = [[number.value for number in line if number is not None] for line in cells]
    result = _mixed([_mixed(line, across, sides.wanted) for line in lines], down, rows.wanted)
    shown = f"{result:.{decimals}f} {_unit_shown(quantity)}".rstrip()
    where = f"{_shown(rows.wanted)} {rows.unit} and {_shown(sides.wanted)} {sides.unit}"
    sources = tuple(table.source(row, column) for _, row in down for _, column in across)
    name = f"{quantity.words[:1].upper()}{quantity.words[1:].lower()}"
    if len(numbers) == 1:
        return Found(f"{name} at {where}: {shown}.", shown, sources)
    around = ", ".join(str(number.value) for number in numbers)
    said = f"{name} at {where}: {shown}, interpolated linearly between the {len(numbers)} cells around it ({around})."
    return Found(said, shown, sources, (), ("interpolated: the table has no cell for these values",))


def _unit_shown(label: Label) -> str:
    """The unit as the document writes it, else as we do; empty where there is none."""
    return label.unit_text or (label.unit.text if label.unit else "")


def _mixed(values: Sequence[Decimal], keys: Sequence[_Key], wanted: Decimal) -> Decimal:
    if len(values) == 1:
        return values[0]
    return values[0] + (values[1] - values[0]) * (wanted - keys[0][0]) / (keys[1][0] - keys[0][0])
