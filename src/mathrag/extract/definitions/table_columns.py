"""What the columns of a table hold: symbols, names, units, values, formulas. By headers, checked by the cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from mathrag.extract.definitions.lists import symbols_of_content
from mathrag.extract.definitions.meaning import names_quantity
from mathrag.extract.definitions.phrases import read_phrase
from mathrag.extract.definitions.tokens import prose_of
from mathrag.extract.unit_text import reads_as_unit, unit_of_text
from mathrag.types.document import Break, Cell, Content, Math, Place, Table, Text, plain_text

Role: TypeAlias = Literal["symbol", "name", "unit", "value", "formula", "other"]

_HEADERS: dict[Role, tuple[str, ...]] = {
    "symbol": ("symbol", "symbols", "notation", "letter", "abbreviation", "sym", "usual symbol", "abbr"),
    "unit": ("unit", "units", "si unit", "si units", "unit (si)", "units (si)", "si", "unit of measure", "measured in"),
    "value": (
        "value", "values", "numerical value", "approximate value", "approx value", "magnitude", "value (si)",
        "exact value",
        "value in si", "value and unit", "value and units", "value (si units)", "si value", "typical value", "number",
    ),
    "formula": (
        "formula", "formulas", "formulae", "equation", "equations", "expression", "relation", "relationship",
        "equation(s)",
    ),
    "name": (
        "quantity", "meaning", "description", "name", "physical quantity", "represents", "stands for", "explanation",
        "property",
        "constant", "physical meaning", "interpretation", "what it is", "what it means", "definition", "parameter",
        "quantities",
        "constants", "physical constant", "measure", "term", "details", "variable name", "represents/means", "concept",
    ),
}  # fmt: skip
# Headers that may be either; their cells decide.
_EITHER = (
    "variable",
    "variables",
    "parameter",
    "parameters",
    "quantity",
    "constant",
    "term",
    "definition",
    "coefficient",
    "var",
)
_NUMBER = re.compile(r"[-−–+~≈∼$\\a-z{}\s]{0,12}\d")
_MARKS = re.compile(r"[*_`:#\s]+")
_MOST_ROWS = 60


@dataclass(frozen=True, slots=True)
class Column:
    """A column with its role and, where the header states one, the unit of its cells."""

    index: int
    role: Role
    header: str = ""
    unit_text: str | None = None


class _Profile:
    """What share of a column's filled cells are symbols, units, words ...; each counted when asked for."""

    def __init__(self, cells: Sequence[Content]) -> None:
        self.cells = [cell for cell in cells if plain_text(cell).strip()]

    def share(self, holds: Callable[[Content], bool]) -> float:
        return sum(holds(cell) for cell in self.cells) / len(self.cells) if self.cells else 0.0

    @cached_property
    def symbols(self) -> float:
        return self.share(_is_symbol_cell)

    @cached_property
    def units(self) -> float:
        return self.share(_is_unit_cell)

    @cached_property
    def words(self) -> float:
        return self.share(_has_words)

    @cached_property
    def numbers(self) -> float:
        return self.share(lambda cell: _NUMBER.match(plain_text(cell).strip()) is not None)

    @cached_property
    def formulas(self) -> float:
        return self.share(lambda cell: any(isinstance(piece, Math) and "=" in piece.source for piece in cell))

    @cached_property
    def quantities(self) -> float:
        return self.share(_names_quantity)


def columns_of(table: Table) -> tuple[Column, ...]:
    """The columns and their roles; by cells alone where there is no header."""
    width = max((len(row) for row in (*table.header, *table.rows)), default=0)
    rows = table.rows[:_MOST_ROWS]
    headers = [_header_of(table, index) for index in range(width)]
    profiles = [_Profile([row[index].content for row in rows if index < len(row)]) for index in range(width)]
    columns = [_column(index, headers[index], profiles[index]) for index in range(width)]
    if not any(headers) or all(column.role == "other" for column in columns):
        columns = _by_cells(profiles)
    return tuple(columns)


def header_text(content: Content) -> str:
    """The words of a header in lower case, without decoration."""
    return _MARKS.sub(" ", plain_text(content)).strip().casefold()


def _header_of(table: Table, index: int) -> str:
    parts = [header_text(row[index].content) for row in table.header if index < len(row)]
    if not parts and table.rows and all(cell.is_header for cell in table.rows[0]):
        parts = [header_text(table.rows[0][index].content)] if index < len(table.rows[0]) else []
    return " ".join(part for part in parts if part)


def first_row_is_header(table: Table) -> bool:
    """Whether a table without header rows opens with words that are column titles."""
    if table.header or not table.rows:
        return False
    titles = [header_text(cell.content) for cell in table.rows[0]]
    known = {word for words in _HEADERS.values() for word in words} | set(_EITHER)
    return sum(title in known for title in titles) >= 2


def with_header(table: Table) -> Table:
    """The table with its first row as header, where that is what it is."""
    if not first_row_is_header(table):
        return table
    return Table(table.place, table.quote, (table.rows[0],), table.rows[1:], table.caption)


def _is_symbol_cell(cell: Content) -> bool:
    return len(plain_text(cell).strip()) < 40 and bool(symbols_of_content(cell, any_word=False))


def _names_quantity(cell: Content) -> bool:
    return names_quantity(read_phrase(prose_of([(0, cell, Place())]).tokens).words)


def _has_words(cell: Content) -> bool:
    text = " ".join(piece.text for piece in cell if isinstance(piece, Text))
    return any(len(word) > 2 and word.isalpha() for word in re.split(r"[\s,()/-]+", text))


def unit_cell_text(cell: Content) -> str:
    """The text of a cell as a unit reader takes it: LaTeX sources without their delimiters."""
    parts: list[str] = []
    for piece in cell:
        match piece:
            case Math():
                parts.append(
                    piece.source if piece.notation != "mathml" else re.sub(r"<[^<>]{0,300}>", " ", piece.source)
                )
            case Break():
                parts.append("\n")
            case Text():
                parts.append(piece.text)
    return "".join(parts).strip()


def _is_unit_cell(cell: Content) -> bool:
    text = unit_cell_text(cell)
    if len(text) > 60 or "=" in text:
        return False
    return text in ("-", "–", "—", "1") or reads_as_unit(text) or unit_of_text(text) is not None


def _column(index: int, header: str, profile: _Profile) -> Column:
    bare = re.sub(r"[(\[].*?[)\]]", "", header).strip()
    unit_text = None
    bracket = re.search(r"[(\[]([^()\[\]]*(?:\([^()]*\)[^()\[\]]*)?)[)\]]", header)
    if bracket and bare:
        unit_text = bracket.group(1)
    for role, words in _HEADERS.items():
        if header in words or bare in words:
            chosen: Role = role
            break
    else:
        chosen = "other"
    if bare in _EITHER or header in _EITHER:
        chosen = _either(bare, profile)
    elif chosen == "symbol" and profile.symbols < 0.4:
        chosen = "formula" if profile.formulas > 0.5 else "other"
    elif chosen == "value" and profile.numbers < 0.4:
        chosen = "other"
    elif chosen == "name" and profile.symbols > 0.8 and profile.words < 0.3:
        chosen = "symbol"
    return Column(index, chosen, header, unit_text)


def _either(header: str, profile: _Profile) -> Role:
    if profile.formulas > 0.5:
        return "formula"
    if profile.symbols > 0.6 and (profile.words < 0.4 or profile.quantities < 0.3):
        return "symbol"
    if profile.words > 0.5:
        return "name"
    return "formula" if header == "definition" else "other"


def _by_cells(profiles: Sequence[_Profile]) -> list[Column]:
    """Without a header only a clear case counts: a column of symbols beside one of names of quantities."""
    columns = [Column(index, "other") for index in range(len(profiles))]
    symbols = [index for index, profile in enumerate(profiles) if profile.symbols >= 0.7 and profile.quantities < 0.4]
    names = [index for index, profile in enumerate(profiles) if profile.quantities >= 0.5 and profile.symbols < 0.4]
    if not symbols or not names:
        return columns
    symbol = symbols[0]
    name = min(names, key=lambda index: abs(index - symbol))
    columns[symbol], columns[name] = Column(symbol, "symbol"), Column(name, "name")
    for index, profile in enumerate(profiles):
        if index in (symbol, name):
            continue
        if profile.numbers >= 0.7:
            columns[index] = Column(index, "value")
        elif profile.units >= 0.7:
            columns[index] = Column(index, "unit")
    return columns


def groups_of(columns: Sequence[Column]) -> list[dict[Role, Column]]:
    """Columns that belong together: a table may hold two lists side by side."""
    groups: list[dict[Role, Column]] = [{}]
    for column in columns:
        if column.role == "other":
            continue
        if column.role in groups[-1]:
            if column.role in ("name", "formula"):
                continue_group = _repeats(columns, column)
                if not continue_group:
                    continue
            groups.append({})
        groups[-1][column.role] = column
    return [group for group in groups if group]


def _repeats(columns: Sequence[Column], column: Column) -> bool:
    """Whether the same header comes twice, as in two lists side by side."""
    return sum(other.header == column.header for other in columns) > 1


def cell_at(row: Sequence[Cell], column: Column | None) -> Content:
    """The content of a row in a column; empty where the row is shorter."""
    return row[column.index].content if column is not None and column.index < len(row) else ()
