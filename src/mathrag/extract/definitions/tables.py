"""Definitions in tables: lists of symbols, quantity tables whose unit belongs to a formula's symbol, prose in cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mathrag.compute.quantity_text import find_quantities
from mathrag.errors import UnitError
from mathrag.extract.definitions.findings import Found, Reach
from mathrag.extract.definitions.lists import lines_of, symbols_of_content
from mathrag.extract.definitions.meaning import kind_groups, lists_symbol, names_quantity
from mathrag.extract.definitions.phrases import Phrase, clean, read_phrase
from mathrag.extract.definitions.prose_rules import found_in_prose
from mathrag.extract.definitions.symbol_reading import SymbolSeen, symbols_of, target_of
from mathrag.extract.definitions.table_columns import (
    Column,
    Role,
    cell_at,
    columns_of,
    groups_of,
    unit_cell_text,
    with_header,
)  # fmt: skip
from mathrag.extract.definitions.tokens import Token, prose_of
from mathrag.extract.unit_text import reads_as_unit, unit_of_text
from mathrag.types.document import Cell, Content, Math, Place, Table, Text, plain_text

_MOST_ROWS = 2_000
_LAWS = frozenset(
    "law laws theorem equation equations relation rule rules principle formula form definition identity "
    "conservation condition conditions model method test approximation correlation theory inequality".split()
)


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
    symbols = symbol_token.symbols() or tuple(item for item in (symbol_token.plain_symbol(),) if item)
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
