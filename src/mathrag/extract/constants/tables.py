"""Constants in tables: lists of constants with symbol, value and unit, and data of substances by quantity."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mathrag.extract.constants.values import FoundConstant, Value, constants_named, standard_of, value_of_content
from mathrag.extract.definitions.lists import symbols_of_content
from mathrag.extract.definitions.prose import prose_of
from mathrag.extract.definitions.symbols import plain_symbol, symbol_of_word
from mathrag.extract.definitions.tables import (
    Column,
    Role,
    cell_at,
    columns_of,
    groups_of,
    name_phrase,
    unit_cell_text,
    with_header,
)
from mathrag.extract.weights import weights
from mathrag.knowledge.kinds import kinds_for_symbol
from mathrag.language.noun_phrases import clean, read_phrase, uncapitalised
from mathrag.language.quantity_names import kind_groups, lists_symbol, names_quantity
from mathrag.language.tokens import SymbolSeen, Token, closing_place, joined
from mathrag.language.unit_text import is_upright, may_have_unit, reads_as_unit, unit_of_text
from mathrag.language.word_classes import any_of, word_class
from mathrag.types.document import Cell, Content, Place, Table, plain_text
from mathrag.types.knowledge import QuantityKind
from mathrag.types.quantity import NO_UNIT, Unit

_CELESTIAL_BODIES = word_class("grammar.celestial_bodies")

_MOST_ROWS = 2_000
_RANGE = re.compile(r"[~≈]?\d[\d.,]*\s*(?:-|–|—|to)+\s*\d[\d.,]*$")
_CONSTANT_WORDS = re.compile(rf"\b(?:{any_of('constants.table_titles')})\b", re.IGNORECASE)
_NOT_SUBSTANCES = re.compile(rf"^(?:{any_of('constants.no_substances')})\b", re.IGNORECASE)
_MEASURED = re.compile(rf"\b(?:{any_of('constants.measured')})", re.IGNORECASE)
_SHARES = weights("constants")
# Cells of a column that are looked into for a unit.
_LOOKED_INTO = 8


def constants_in_table(block: int, table: Table, *, titles: Sequence[str]) -> Iterator[FoundConstant]:
    """The constants of a table. `titles` are the headings above it."""
    table = with_header(table)
    columns = columns_of(table)
    around = " ".join((*titles[-2:], plain_text(table.caption), " ".join(column.header for column in columns)))
    found = False
    for group in groups_of(columns):
        if "value" in group and ("name" in group or "symbol" in group):
            constants = list(_of_group(block, table, group))
            if _are_constants(constants, around):
                found = True
                yield from constants
    if not found and not _MEASURED.search(around):
        yield from _of_data(block, table)


def _are_constants(constants: Sequence[FoundConstant], around: str) -> bool:
    if not constants:
        return False
    if _CONSTANT_WORDS.search(around):
        return True
    if _MEASURED.search(around):
        return False
    standard = sum(
        standard_of(one.value, name=one.symbol.name if one.symbol else "", words=one.name) is not None
        for one in constants
    )
    return standard >= _SHARES["standard_share"] * len(constants)


def _of_group(block: int, table: Table, group: dict[Role, Column]) -> Iterator[FoundConstant]:
    name, symbol = "", None
    for row in table.rows[:_MOST_ROWS]:
        written = name_phrase(cell_at(row, group.get("name"))).words if "name" in group else ""
        symbols = symbols_of_content(cell_at(row, group.get("symbol"))) if "symbol" in group else ()
        has_symbol_cell = bool(plain_text(cell_at(row, group.get("symbol"))).strip())
        if written:
            name, symbol = written, None
        if symbols or has_symbol_cell:
            symbol = symbols[0] if symbols else None
        kinds = _kinds(name)
        value = value_of_content(cell_at(row, group["value"]), kinds=kinds)
        if value is None or not (name or symbol):
            continue
        unit = _unit_of_row(row, group, kinds)
        if value.unit is None and unit is not None:
            value = Value(value.number, unit, value.uncertainty)
        if value.unit is None and not _may_be_plain(value, name, symbol):
            continue
        place = row[group["value"].index].place
        if place.page is not None and value.unit is None and _is_part_of_row(row, group):
            continue
        yield FoundConstant(symbol, name, value, block, place, _quote(row))


def _is_part_of_row(row: Sequence[Cell], group: dict[Role, Column]) -> bool:
    """Whether a printed row lacks its unit or its symbol: it may be a line of the row above or below, with half of its
    number."""
    return any(role in group and not plain_text(cell_at(row, group[role])).strip() for role in ("unit", "symbol"))


def _may_be_plain(value: Value, name: str, symbol: SymbolSeen | None) -> bool:
    """A number without unit counts where the standard constant agrees or where what it is has no dimension."""
    if standard_of(value, name=symbol.name if symbol else "", words=name) is not None:
        return True
    if constants_named(name):
        return False
    kinds = _kinds(name)
    return not kinds or any(kind.dimension.is_dimensionless for kind in kinds)


def _unit_of_row(row: Sequence[Cell], group: dict[Role, Column], kinds: Sequence[QuantityKind]) -> Unit | None:
    if "unit" in group:
        text = unit_cell_text(cell_at(row, group["unit"]))
        return unit_of_text(text, kinds=kinds) if text else None
    header = group["value"].unit_text
    return unit_of_text(header, kinds=kinds) if header and reads_as_unit(header) else None


def _kinds(name: str) -> list[QuantityKind]:
    return [kind for group in kind_groups(name) for kind in group]


def _quote(row: Sequence[Cell]) -> str:
    return " | ".join(plain_text(cell.content).strip() for cell in row)


@dataclass(frozen=True, slots=True)
class _DataColumn:
    index: int
    quantity: str
    symbol: SymbolSeen | None
    unit: Unit


def _of_data(block: int, table: Table) -> Iterator[FoundConstant]:
    """Rows of substances, columns of quantities with the unit in the header."""
    header = table.header[-1] if table.header else ()
    rows = table.rows[:_MOST_ROWS]
    if not header and rows:
        header, rows = rows[0], rows[1:]
    if len(rows) < 2 or len(header) < 2 or not _are_substances(rows):
        return
    caption = plain_text(table.caption)
    quantities = [found for index in range(1, len(header)) if (found := _data_column(header, index, rows, caption))]
    for row in rows:
        label = _label(row)
        if not label:
            continue
        for column in quantities:
            content = row[column.index].content if column.index < len(row) else ()
            value = value_of_content(content)
            if value is None:
                continue
            if value.unit is None:
                value = Value(value.number, column.unit, value.uncertainty)
            name = f"{column.quantity} of {label}" if column.quantity else label
            yield FoundConstant(column.symbol, name, value, block, row[column.index].place, _quote(row))


def _label(row: Sequence[Cell]) -> str:
    words = " ".join(plain_text(row[0].content).split()) if row else ""
    if not _is_label(words):
        return ""
    first, _, rest = words[:80].partition(" ")
    # Names of bodies and people keep their capital.
    return words[:80] if first in _CELESTIAL_BODIES else f"{uncapitalised(first)} {rest}".strip()


def _is_label(words: str) -> bool:
    return bool(re.match(r"[^\W\d_]{2}", words)) and not _NOT_SUBSTANCES.match(words)


def _are_substances(rows: Sequence[Sequence[Cell]]) -> bool:
    labels = [plain_text(row[0].content).strip() for row in rows if row]
    named = [label for label in labels if _is_label(label)]
    quantities = sum(names_quantity(label) for label in named)
    return (
        len(named) >= _SHARES["label_share"] * max(1, len(labels))
        and quantities <= _SHARES["quantity_share"] * len(named)
        and len(set(named)) >= _SHARES["different_share"] * len(named)
    )


def _data_column(
    header: Sequence[Cell], index: int, rows: Sequence[Sequence[Cell]], caption: str
) -> _DataColumn | None:
    # The header first: it is read faster than all the values under it.
    title = header_parts(header[index].content)
    if title is None:
        return None
    words, symbol, unit_text = title
    kinds = _kinds(words)
    if not kinds and symbol is None:
        return None
    values = [row[index].content for row in rows if index < len(row) and plain_text(row[index].content).strip(" -–—")]
    numbers = sum(value_of_content(content) is not None or _is_range(content) for content in values)
    if not values or numbers < _SHARES["number_share"] * len(values):
        return None
    unit_text = unit_text or _unit_row(rows, index)
    unit = unit_of_text(unit_text, kinds=kinds) if unit_text else None
    if unit is None:
        if not _may_lack_unit(values, kinds, symbol, caption):
            return None
        unit = NO_UNIT
    if kinds and unit.dimension not in {kind.dimension for kind in kinds} and unit is not NO_UNIT and not unit_text:
        return None
    return _DataColumn(index, words or _described(symbol), symbol, unit)


def _may_lack_unit(
    values: Sequence[Content], kinds: Sequence[QuantityKind], symbol: SymbolSeen | None, caption: str
) -> bool:
    """Whether a column without a unit in its header has one in its cells, or holds plain numbers."""
    for content in values[:_LOOKED_INTO]:
        value = value_of_content(content, kinds=kinds)
        if value is not None and value.unit:
            return True
    if kinds:
        return kinds[0].dimension.is_dimensionless
    return symbol is None or _plain_symbol(symbol, caption)


def _unit_row(rows: Sequence[Sequence[Cell]], index: int) -> str | None:
    """The unit in a row of units right under the header."""
    for row in rows[:2]:
        text = unit_cell_text(row[index].content) if index < len(row) else ""
        if text and not text[0].isdigit() and reads_as_unit(text):
            return text
    return None


def _is_range(content: Content) -> bool:
    return _RANGE.match(plain_text(content).strip()) is not None


def _plain_symbol(symbol: SymbolSeen, caption: str) -> bool:
    kinds = kinds_for_symbol(symbol.name, exact=True)
    return (bool(kinds) and kinds[0].dimension.is_dimensionless) or "coefficient" in caption.casefold()


def _described(symbol: SymbolSeen | None) -> str:
    kinds = kinds_for_symbol(symbol.name, exact=True) if symbol else ()
    return kinds[0].name if kinds else ""


def header_parts(content: Content) -> tuple[str, SymbolSeen | None, str | None] | None:
    """The words, the symbol and the unit of a column's header: `Density, ρ (kg/m³)`."""
    tokens = [token for token in prose_of([(0, content, Place())]).tokens if token.kind != "break"]
    if not tokens:
        return None
    symbol = next((token.symbols[0] for token in tokens if len(token.symbols) == 1), None)
    if symbol is None:
        symbol = next(
            (plain_symbol(token) for token in tokens[1:] if token.text not in ("in", "of") and token.is_italic), None
        )
    phrase = read_phrase([token for token in tokens if not token.symbols])
    words = clean(phrase.words.split())
    unit_text = phrase.unit_text
    if unit_text is not None and not may_have_unit(words, unit_text):
        # "Specific heat (c)": the bracket holds the symbol.
        plain = symbol_of_word(unit_text)
        symbol = symbol or (plain if plain is not None and lists_symbol(words, plain.name) else None)
        unit_text = None
    return words, symbol, _bracket_unit(tokens, words) or unit_text or _comma_unit(tokens)


def _comma_unit(tokens: Sequence[Token]) -> str | None:
    """The unit behind the last comma: "Specific heat, J/(kg·K)"."""
    places = [place for place, token in enumerate(tokens) if token.text == ","]
    text = joined(tokens[places[-1] + 1 :]) if places else ""
    return text if reads_as_unit(text) else None


def _bracket_unit(tokens: Sequence[Token], words: str) -> str | None:
    """The unit in the brackets of a header; "Specific heat (c) (J/kg·K)" has its symbol in one."""
    found: list[str] = []
    for place, token in enumerate(tokens):
        is_divisor = place > 0 and tokens[place - 1].text in ("/", "·", "*", "⋅")
        if token.text in ("(", "[") and not is_divisor:
            end = closing_place(tokens, place)
            text = joined(tokens[place + 1 : end]) if end is not None else ""
            if reads_as_unit(text):
                found.append(text)
        elif token.math is not None and is_upright(token.math) and reads_as_unit(token.text):
            found.append(token.text)
    fitting = [text for text in found if may_have_unit(words, text)]
    usable = fitting or [text for text in found if len(text) > 1]
    return usable[-1] if usable else None
