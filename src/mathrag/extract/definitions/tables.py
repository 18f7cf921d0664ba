"""Definitions in tables: lists of symbols, quantity tables whose unit belongs to a formula's symbol, prose in cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeAlias

from mathrag.errors import UnitError
from mathrag.extract.definitions.lists import lines_of, symbols_of_content
from mathrag.extract.definitions.outline import Found, Reach
from mathrag.extract.definitions.prose import prose_of
from mathrag.extract.definitions.prose_rules import found_in_prose
from mathrag.extract.definitions.symbols import plain_symbol, symbols_of, target_of
from mathrag.language.noun_phrases import Phrase, clean, read_phrase
from mathrag.language.quantities import find_quantities
from mathrag.language.quantity_names import kind_groups, lists_symbol, names_quantity
from mathrag.language.tokens import SymbolSeen, Token
from mathrag.language.unit_text import reads_as_unit, unit_of_text
from mathrag.language.word_classes import word_class
from mathrag.types.document import Break, Cell, Content, Math, Place, Table, Text, plain_text

# What the columns of a table hold: symbols, names, units, values, formulas. By headers, checked by the cells.

Role: TypeAlias = Literal["symbol", "name", "unit", "value", "formula", "other"]

_HEADERS: dict[Role, frozenset[str]] = {
    "symbol": word_class("headings.symbol_columns"),
    "unit": word_class("headings.unit_columns"),
    "value": word_class("headings.value_columns"),
    "formula": word_class("headings.formula_columns"),
    "name": word_class("headings.name_columns"),
}
# Headers that may be either; their cells decide.
_EITHER = word_class("headings.either_columns")
_NUMBER = re.compile(r"[-−–+~≈∼$\\a-z{}\s]{0,12}\d")
_MARKS = re.compile(r"[*_`:#\s]+")
_MOST_ROWS_LOOKED_AT = 60
# One word, as programs and formulas in words write a name: `bed_height`, `tare`; with a capital it is a word of a list.
_IDENTIFIER = re.compile(r"[a-z]\w{0,40}|[A-Z]\w{0,20}_\w{1,20}")


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
    def identifiers(self) -> float:
        return self.share(lambda cell: _IDENTIFIER.fullmatch(plain_text(cell).strip()) is not None)

    @cached_property
    def quantities(self) -> float:
        return self.share(_names_quantity)


def columns_of(table: Table) -> tuple[Column, ...]:
    """The columns and their roles; by cells alone where there is no header."""
    width = max((len(row) for row in (*table.header, *table.rows)), default=0)
    rows = table.rows[:_MOST_ROWS_LOOKED_AT]
    headers = [_header_of(table, index) for index in range(width)]
    profiles = [_Profile([row[index].content for row in rows if index < len(row)]) for index in range(width)]
    columns = [_column(index, headers[index], profiles[index]) for index in range(width)]
    if not any(headers) or all(column.role == "other" for column in columns):
        return tuple(_by_cells(profiles))
    return tuple(_with_names_apart(columns, profiles))


def _with_names_apart(columns: Sequence[Column], profiles: Sequence[_Profile]) -> list[Column]:
    """Columns where names in one word stand beside descriptions: `Variable | Description` of `tare`, `drum_mass`.

    Such a name is the symbol, or the name in a program of one that has a column of its own.
    """
    if any(column.header in _HEADERS["symbol"] for column in columns if column.role == "symbol"):
        # Beside a column of symbols, "variable name" has no symbols, though `a0` looks like one.
        columns = [
            replace(column, role="other") if column.role == "symbol" and column.header in _HEADERS["name"] else column
            for column in columns
        ]
    names = [column.index for column in columns if column.role == "name"]
    short = [index for index in names if profiles[index].identifiers > 0.9]
    if len(short) != 1 or not any(profiles[index].identifiers < 0.5 for index in names):
        return list(columns)
    has_symbols = any(column.role == "symbol" for column in columns)
    role: Role = "other" if has_symbols else "symbol"
    return [replace(column, role=role) if column.index == short[0] else column for column in columns]


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


def _header_is_data(table: Table) -> bool:
    """Whether the only header row is a row like the others: a symbol, and beside it the name of a quantity."""
    if len(table.header) != 1 or len(table.header[0]) < 2:
        return False
    cells = [cell.content for cell in table.header[0]]
    titles = {header_text(cell) for cell in cells}
    if any(titles & words for words in _HEADERS.values()) or titles & _EITHER:
        return False
    symbols = [any(isinstance(piece, Math) for piece in cell) and _is_symbol_cell(cell) for cell in cells]
    return sum(symbols) == 1 and any(_names_quantity(cell) for cell in cells)


def with_header(table: Table) -> Table:
    """The table with its first row as header, where that is what it is; with its header as a row where it is none."""
    if _header_is_data(table):
        return Table(table.place, table.quote, (), (*table.header, *table.rows), table.caption)
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


_SPACED_MINUS = re.compile(r"\(\s*([−–-])\s+(?=\d)")
# A word that is set as a formula only to look like the units around it: `\text{dimensionless}`.
_WORD_AS_FORMULA = re.compile(r"\s*\\(?:text|textrm|textnormal|mathrm|rm)\s*\{\s*([A-Za-z-]{1,30})\s*\}\s*")


def unit_cell_text(cell: Content) -> str:
    """The text of a cell as a unit reader takes it: LaTeX sources without their delimiters."""
    parts: list[str] = []
    for piece in cell:
        match piece:
            case Math() if word := _WORD_AS_FORMULA.fullmatch(piece.source):
                parts.append(word.group(1))
            case Math():
                # The text without its tags would lose what stands above the line.
                parts.append(piece.source if piece.notation != "mathml" else _SPACED_MINUS.sub(r"(\1", piece.quote))
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


_MOST_ROWS = 2_000
_LAWS = word_class("definitions.laws")


def found_in_table(block: int, table: Table, *, is_nomenclature: bool) -> Iterator[Found]:
    """Every definition a table states."""
    table = with_header(table)
    columns = columns_of(table)
    groups = groups_of(columns)
    used: set[int] = set()
    for group in groups:
        if "symbol" in group and "name" in group:
            used |= {column.index for column in group.values()}
            yield from _of_symbol_group(block, table, group, is_nomenclature=is_nomenclature)
        elif "formula" in group and "name" in group:
            used |= {group["name"].index} | ({group["unit"].index} if "unit" in group else set())
            yield from _of_formula_group(block, table, group)
        elif "name" in group and ("unit" in group or "value" in group):
            yield from _of_named_group(block, table, group, is_nomenclature=is_nomenclature)
    yield from _of_prose_cells(block, table, used)


def _of_symbol_group(block: int, table: Table, group: dict[Role, Column], *, is_nomenclature: bool) -> Iterator[Found]:
    has_values = "value" in group
    if not has_values and _lists_units(table, group):
        return
    reach: Reach = "document" if is_nomenclature or has_values else "section"
    confidence = 0.85 if has_values else 1.0
    for row in table.rows[:_MOST_ROWS]:
        symbols = symbols_of_content(cell_at(row, group["symbol"]))
        phrase = name_phrase(cell_at(row, group["name"]))
        if not symbols or not phrase.words:
            continue
        unit_text = _row_unit(row, group) or phrase.unit_text
        place = row[group["symbol"].index].place
        quote = " | ".join(plain_text(cell.content).strip() for cell in row)
        source = "constants_table" if has_values else "symbol_table"
        for symbol in symbols:
            yield Found(symbol, phrase.words, source, confidence, block, place, quote, unit_text, reach)


def _lists_units(table: Table, group: dict[Role, Column]) -> bool:
    """Whether the symbols are those of units: `Length | metre | m`."""
    fitting = filled = 0
    for row in table.rows[:40]:
        symbol, name = plain_text(cell_at(row, group["symbol"])).strip(), name_phrase(cell_at(row, group["name"])).words
        filled += bool(symbol and name)
        unit = unit_of_text(symbol) if symbol and len(symbol) < 20 else None
        kinds = [kind for found in kind_groups(name) for kind in found]
        fitting += unit is not None and bool(unit.text) and any(kind.dimension == unit.dimension for kind in kinds)
    return filled >= 2 and fitting > 0.6 * filled


def _row_unit(row: Sequence[Cell], group: dict[Role, Column]) -> str | None:
    if "unit" in group:
        text = unit_cell_text(cell_at(row, group["unit"]))
        return text or None
    if "value" in group:
        return unit_of_value(unit_cell_text(cell_at(row, group["value"])))
    return group["name"].unit_text if group["name"].unit_text and reads_as_unit(group["name"].unit_text) else None


def unit_of_value(text: str) -> str | None:
    """The unit that stands with a number."""
    try:
        mentions = find_quantities(f"${text}$" if "\\" in text else text[:400])
    except UnitError:
        return None
    return next((mention.units[0].text for mention in mentions if len(mention.units) == 1), None)


def name_phrase(content: Content) -> Phrase:
    """The name in a cell; of several lines the first that names a quantity."""
    best = Phrase("")
    for line in lines_of(content)[:6]:
        tokens = prose_of([(0, line, _place())]).tokens
        # A starred line under a name says when it holds.
        if best.words and tokens and tokens[0].text in ("★", "☆", "*", "•"):
            continue
        phrase = read_phrase(_without_symbol(tokens))
        if phrase.words and names_quantity(phrase.words):
            return phrase
        best = best if best.words else phrase
    return best


def _place() -> Place:
    return Place()


def _without_symbol(tokens: Sequence[Token]) -> Sequence[Token]:
    return tokens[1:] if tokens and tokens[0].kind == "mark" and tokens[0].text in "★*•" else tokens


def _of_named_group(block: int, table: Table, group: dict[Role, Column], *, is_nomenclature: bool) -> Iterator[Found]:
    """`Mass, m | kg`: the symbol stands in the cell of the name."""
    for row in table.rows[:_MOST_ROWS]:
        content = cell_at(row, group["name"])
        named = name_with_symbol(content)
        if named is None:
            continue
        symbol, words = named
        unit_text = _row_unit(row, group)
        quote = " | ".join(plain_text(cell.content).strip() for cell in row)
        reach: Reach = "document" if is_nomenclature else "section"
        place = row[group["name"].index].place
        yield Found(symbol, words, "symbol_table", 0.95, block, place, quote, unit_text, reach)


def name_with_symbol(content: Content) -> tuple[SymbolSeen, str] | None:
    """`Mass, $m$`, `mass (m)`, `mass $m$` as a whole cell."""
    tokens = [token for token in prose_of([(0, content, _place())]).tokens if token.kind != "break"]
    if len(tokens) < 2:
        return None
    last = len(tokens) - 1
    if tokens[last].text == ")" and last >= 3 and tokens[last - 2].text == "(":
        symbol_token, words = tokens[last - 1], tokens[: last - 2]
    else:
        symbol_token = tokens[last]
        words = tokens[:last]
        while words and words[-1].text in ",:–—-=":
            words = words[:-1]
    symbols = symbol_token.symbols or tuple(item for item in (plain_symbol(symbol_token),) if item)
    if len(symbols) != 1 or not words or any(token.kind != "word" for token in words):
        return None
    text = clean([token.text for token in words])
    is_marked = symbol_token.kind == "math" or symbol_token.is_italic
    if not text or not names_quantity(text) or not (is_marked or lists_symbol(text, symbols[0].name)):
        return None
    return symbols[0], text


def _of_formula_group(block: int, table: Table, group: dict[Role, Column]) -> Iterator[Found]:
    """The row's name and unit, for the symbol its formula is written for: soft evidence."""
    for row in table.rows[:_MOST_ROWS]:
        phrase = name_phrase(cell_at(row, group["name"]))
        formulas = [piece for piece in cell_at(row, group["formula"]) if isinstance(piece, Math)]
        is_alone = not any(
            isinstance(piece, Text) and piece.text.strip(" .,;") for piece in cell_at(row, group["formula"])
        )
        if not phrase.words or not formulas:
            continue
        unit_text = _row_unit(row, group) or phrase.unit_text
        quote = " | ".join(plain_text(cell.content).strip() for cell in row)
        place = row[group["formula"].index].place
        for symbol, source, confidence in _row_symbols(
            phrase.words, formulas, has_unit=unit_text is not None, is_alone=is_alone
        ):
            yield Found(symbol, phrase.words, source, confidence, block, place, quote, unit_text, "section")


def _row_symbols(
    words: str, formulas: Sequence[Math], *, has_unit: bool, is_alone: bool
) -> Iterator[tuple[SymbolSeen, str, float]]:
    lone = symbols_of(formulas[0]) if is_alone else ()
    if len(formulas) == 1 and len(lone) == 1:
        yield lone[0], "symbol_table", 0.9
        return
    is_law = any(word in _LAWS for word in words.casefold().split())
    target = target_of(formulas[0])
    if target is None or is_law:
        return
    if has_unit:
        yield target, "unit_column", 0.55 if lists_symbol(words, target.name) else 0.45
    elif names_quantity(words):
        yield target, "row_label", 0.5 if lists_symbol(words, target.name) else 0.4


def _of_prose_cells(block: int, table: Table, used: set[int]) -> Iterator[Found]:
    for row in table.rows[:_MOST_ROWS]:
        for index, cell in enumerate(row):
            if index in used or not _is_prose(cell.content):
                continue
            prose = prose_of([(block, cell.content, cell.place)])
            yield from found_in_prose(prose)
    if table.caption:
        yield from found_in_prose(prose_of([(block, table.caption, table.place)]))


def _is_prose(content: Content) -> bool:
    has_formula = any(isinstance(piece, Math) for piece in content)
    return has_formula and sum(len(plain_text((piece,)).split()) for piece in content) >= 4
