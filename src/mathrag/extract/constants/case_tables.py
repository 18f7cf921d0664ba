"""Tables that state values: lists of parameters, and tables whose rows are cases (a material, a class, a zone) with a
column for each symbol or quantity. Which symbol of which formula a column is, is asked in `attached.py`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mathrag.extract.constants.statements import Stated, Subject, case_words, subjects_before
from mathrag.extract.constants.tables import header_parts
from mathrag.extract.constants.values import Value, value_of_content
from mathrag.extract.definitions.lists import symbols_of_content
from mathrag.extract.definitions.outline import Section
from mathrag.extract.definitions.prose import prose_of
from mathrag.extract.definitions.symbols import symbol_of_word
from mathrag.extract.definitions.tables import Column, Role, cell_at, columns_of, groups_of, name_phrase, unit_cell_text
from mathrag.extract.definitions.tables import with_header as headed
from mathrag.language.unit_text import reads_as_unit, unit_of_text
from mathrag.language.word_classes import any_of, word_class
from mathrag.types.document import Cell, Content, Place, Table, Text, plain_text
from mathrag.types.quantity import Unit

_MEASURED = re.compile(rf"\b(?:{any_of('constants.measured')})", re.IGNORECASE)
_SUMS = word_class("constants.no_substances")
_VAGUE = word_class("constants.vague_cases")
_MOST_ROWS, _MOST_COLUMNS, _LONGEST_LABEL = 400, 20, 60
# So short a name needs the title of its column: zone A, type II.
_SHORT = 2
# The share of the filled cells of a column that are numbers.
_MOSTLY = 0.6
_BRACKET = re.compile(r"[(\[]([^()\[\]]{1,40})[)\]]\s*$")
_NO_UNITS = ("-", "–", "—", "1", "/")
_BARE_NUMBER = re.compile(r"[-+−]?\d[\d.,]*")


@dataclass(frozen=True, slots=True)
class _Header:
    words: str
    symbols: tuple[str, ...]
    unit: Unit | None
    # Whether it has a unit that nobody knows, so that its numbers are of nothing.
    is_unknown: bool = False


def stated_in_table(block: int, table: Table, section: Section, lead: Sequence[Subject]) -> Iterator[Stated]:
    """What a table states. `lead` is what the paragraph before it announces values of."""
    table = headed(table)
    around = " ".join((*section.headings[-1:], plain_text(table.caption)))
    if _MEASURED.search(around) or len(table.rows) > _MOST_ROWS:
        return
    columns = columns_of(table)
    groups = [group for group in groups_of(columns) if "value" in group and ("name" in group or "symbol" in group)]
    if groups:
        for group in groups:
            yield from _parameters(block, table, section, group)
    elif len(columns) <= _MOST_COLUMNS:
        yield from _cases(block, table, section, lead)


def _parameters(block: int, table: Table, section: Section, group: dict[Role, Column]) -> Iterator[Stated]:
    """The rows of a list of symbols or names with their values."""
    for row in table.rows:
        name = name_phrase(cell_at(row, group.get("name"))).words if "name" in group else ""
        symbols = symbols_of_content(cell_at(row, group.get("symbol"))) if "symbol" in group else ()
        value = value_of_content(cell_at(row, group["value"]))
        if value is None or len(symbols) > 1 or not (symbols or name):
            continue
        if value.unit is None:
            text = unit_cell_text(cell_at(row, group["unit"])) if "unit" in group else group["value"].unit_text or ""
            unit = unit_of_text(text) if text and reads_as_unit(text) else None
            value = Value(value.number, unit, value.uncertainty)
        subject = Subject(tuple(symbol.name for symbol in symbols), name)
        yield Stated(subject, value, (), block, table.place, _quote(row), section)


@dataclass(frozen=True, slots=True)
class _Layout:
    """Which columns of a table name its cases and which have their values."""

    header: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    titles: dict[int, _Header]
    labels: list[int]
    numeric: list[int]

    @property
    def are_columns_cases(self) -> bool:
        """Whether the titles over several columns of numbers are no symbols and have no units."""
        return len(self.numeric) > 1 and not any(
            self.titles[index].symbols or self.titles[index].unit for index in self.numeric
        )


def _layout(table: Table) -> _Layout | None:
    header, rows = table.header[-1] if table.header else (), table.rows
    if not header and rows:
        header, rows = rows[0], rows[1:]
    if len(rows) < 2 or len(header) < 2:
        return None
    numeric = [index for index in range(len(header)) if _is_numeric(rows, index)]
    labels = [index for index in range(len(header)) if index not in numeric and _are_labels(rows, index)]
    if numeric[:1] == [0]:
        # Numbers that stand first are what the others are looked up by.
        labels, numeric = [0], numeric[1:]
    if labels[:1] != [0] or not numeric:
        return None
    titles = {index: _header(header[index].content) for index in range(len(header))}
    return _Layout(header, rows, titles, [index for index in labels if index < numeric[0]], numeric)


def _cases(block: int, table: Table, section: Section, lead: Sequence[Subject]) -> Iterator[Stated]:
    """Rows that are cases, in the columns of the symbols; or rows and columns that are, under what is announced."""
    layout = _layout(table)
    if layout is None:
        return
    announced = (*subjects_before(_with_colon(table.caption)), *lead)
    for row in layout.rows:
        cases = _row_cases(row, layout)
        for index in layout.numeric if cases else ():
            title = layout.titles[index]
            value = _value(row, index, title)
            if value is None:
                continue
            further: tuple[str, ...] = ()
            subjects: Sequence[Subject] = (Subject(title.symbols, title.words),)
            if layout.are_columns_cases:
                subjects, further = announced, (plain_text(layout.header[index].content).strip(),)
            elif len(layout.numeric) == 1 and not title.symbols:
                subjects = (*subjects, *announced)
            for subject in subjects:
                yield Stated(subject, value, (*cases, *further), block, row[index].place, _quote(row), section)


def _with_colon(caption: Content) -> Content:
    text = plain_text(caption).strip()
    return (*caption, Text(":")) if text else ()


def _header(content: Content) -> _Header:
    parts = header_parts(content)
    words, symbol, unit_text = parts if parts is not None else ("", None, None)
    names: tuple[str, ...] = () if symbol is None else (symbol.name,)
    if symbol is None:
        tokens = prose_of([(0, content, Place())]).tokens
        first = next((place for place, token in enumerate(tokens) if token.text in ("(", "[")), len(tokens))
        seen = [symbol_of_word(token.text) for token in tokens[:first] if token.kind == "word"]
        names = tuple(one.name for one in seen if one is not None and one.name != unit_text)
    unit = unit_of_text(unit_text) if unit_text else None
    bracket = _BRACKET.search(plain_text(content))
    is_unknown = unit is None and bracket is not None and bracket[1].strip() not in (*_NO_UNITS, *names)
    return _Header(words, names, unit, is_unknown)


def _is_numeric(rows: Sequence[Sequence[Cell]], index: int) -> bool:
    cells = [row[index].content for row in rows if index < len(row)]
    filled = [cell for cell in cells if plain_text(cell).strip(" -–—")]
    return len(filled) > 0 and sum(_opens_with_number(cell) for cell in filled) >= _MOSTLY * len(filled)


def _opens_with_number(cell: Content) -> bool:
    text = plain_text(cell).strip()
    return value_of_content(cell) is not None and (_BARE_NUMBER.match(text) is not None or text[:1] in "$~≈")


def _are_labels(rows: Sequence[Sequence[Cell]], index: int) -> bool:
    texts = [plain_text(row[index].content).strip() for row in rows if index < len(row)]
    are_names = sum(any(map(str.isalpha, text)) or not index for text in texts if text) >= _MOSTLY * len(texts)
    return are_names and all(len(text) <= _LONGEST_LABEL for text in texts)


def _row_cases(row: Sequence[Cell], layout: _Layout) -> tuple[str, ...]:
    """What a row is called; numbers and letters together with the title that says what they are: class 2, 10 °C."""
    found: list[str] = []
    for index in layout.labels:
        text = " ".join(plain_text(row[index].content).split()) if index < len(row) else ""
        if not text or text.casefold().split()[0] in _SUMS:
            return ()
        is_number, unit = _BARE_NUMBER.fullmatch(text) is not None, layout.titles[index].unit
        if is_number and unit is not None and unit.text:
            text = f"{text} {unit.text}"
        elif is_number or len(text) <= _SHORT or text.casefold() in _VAGUE:
            text = f"{case_words(prose_of([(0, layout.header[index].content, Place())]).tokens)} {text}".strip()
        found.append(text[:_LONGEST_LABEL])
    return tuple(found)


def _value(row: Sequence[Cell], index: int, title: _Header) -> Value | None:
    value = value_of_content(row[index].content) if index < len(row) and not title.is_unknown else None
    if value is not None and value.unit is None and title.unit is not None:
        return Value(value.number, title.unit, value.uncertainty)
    return value


def _quote(row: Sequence[Cell]) -> str:
    return " | ".join(plain_text(cell.content).strip() for cell in row)
