"""Rows of tables that compute something without an equals sign: `| Picks per hour | 60 · n · e |`.

Where a title says that a column holds formulas, an expression in it is the right side and the name of its row the left
one, or its symbol where the table has a column of symbols. What cannot be read is kept as a guess and computed with
nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from mathrag.compute.printers.latex import latex_text
from mathrag.compute.pythontext import read_python_text
from mathrag.documents.math_in_text.explicit_lines import formulas_in_line
from mathrag.documents.math_in_text.tokens import is_unit
from mathrag.extract.definitions.tables import Column, columns_of, header_text, with_header
from mathrag.extract.phrases import LAW_LIKE
from mathrag.extract.readings import latex_reading
from mathrag.extract.worded_targets import latex_name
from mathrag.language.quantity_names import head_of
from mathrag.language.word_classes import any_of, word_class
from mathrag.types.document import Cell, Content, Document, Math, Table, Text, plain_text
from mathrag.types.expression import Declined, Number, Symbol, symbols_of

_COMPUTING = word_class("headings.computing_columns") | word_class("headings.formula_columns")
_CAPTION = re.compile(rf"\b(?:{any_of('headings.formula_columns')}|calculations?)\b", re.IGNORECASE)
_RELATION = re.compile(
    r"[=<>≈≤≥∝→≪≫∈⊂∪∩]|\\(?:approx(?:eq)?|leq?|geq?|neq?|ll|gg|sim(?:eq)?|cong|lesssim|gtrsim|propto|equiv|to|in|notin|sub\w*|cup|cap"
    r"|[Rr]ightarrow|iff|implies|mapsto|newline|cr|varnothing|forall|exists?)(?![a-zA-Z])|\\\\|&[lg]t;"
)
_TAG = re.compile(r"<[^>]*>")
# A sign between two values, none of a word or a date.
_SIGN = re.compile(
    r"[\w)\]%²³]\s*[+*×·⋅÷^]\s*[\w(\[]|\s[-−–/]\s|[\w)]/[(\w]|√|²|³|\bsqrt\b|\b(?:divided by|times|minus|plus)\b"
)
# What only an expression has; a dash also stands between a letter and its meaning.
_ARITHMETIC = re.compile(r"[*×·⋅÷√²³^]|[\w)]\s*/\s*[(\w]")
_MOST_WORDS = 12
# Why an expression is not computed, where it is one all the same.
_STATED = frozenset(("integral", "derivative", "vector_product", "vector_sum", "limit"))
_UNIT_BEHIND = re.compile(r"(?P<expression>.+?)\s*[(\[](?P<unit>[^()\[\]]{1,20})[)\]]\s*", re.DOTALL)
_SYMBOL = re.compile(r"[^\W\d_]\w{0,12}")
_NEUTRAL = "Q_q"
_LONGEST = 200
_LONGEST_NAME = 80
_MOST_ROWS = 2_000
_MOSTLY = 0.5
_UNREAD = "the expression in this cell of a column of formulas could not be read"
_GUESS = 0.5


def with_computing_tables(document: Document) -> Document:
    """The document, each expression of a computing column as the formula that its row states."""
    if not any(isinstance(block, Table) for block in document.blocks):
        return document
    blocks = tuple(_table(block) if isinstance(block, Table) else block for block in document.blocks)
    return document if blocks == document.blocks else replace(document, blocks=blocks)


def _table(table: Table) -> Table:
    titled = with_header(table)
    if not titled.header or len(titled.rows) > _MOST_ROWS:
        return table
    columns = columns_of(titled)
    place = _computing_column(titled, columns)
    named = None if place is None else _naming_column(titled, columns, place)
    if place is None or named is None:
        return table
    unit = next((column.index for column in columns if column.role == "unit" and column.index != place), None)
    rows = tuple(_row(row, place, named, unit) for row in titled.rows)
    return table if rows == titled.rows else replace(titled, rows=rows)


def _computing_column(table: Table, columns: Sequence[Column]) -> int | None:
    """The one column whose title says that it computes; else the last one of a table whose caption says so."""
    titled = [column.index for column in columns if _bare(column.header) in _COMPUTING]
    titled = [index for index in titled if _share(table, index) > (0.0 if len(titled) == 1 else _MOSTLY)]
    if not titled and len(columns) > 1 and _CAPTION.search(plain_text(table.caption)):
        titled = [index for index in (columns[-1].index,) if _share(table, index) > _MOSTLY]
    return titled[0] if len(titled) == 1 else None


def _bare(header: str) -> str:
    return re.sub(r"[(\[].*?[)\]]", "", header).strip(" :")


def _share(table: Table, index: int) -> float:
    """How many of the filled cells compute something."""
    filled = [row[index] for row in table.rows if index < len(row) and plain_text(row[index].content).strip()]
    return sum(map(_may_compute, filled)) / len(filled) if filled else 0.0


def _may_compute(cell: Cell) -> bool:
    return any(isinstance(piece, Math) for piece in cell.content) or _SIGN.search(plain_text(cell.content)) is not None


def _naming_column(table: Table, columns: Sequence[Column], place: int) -> tuple[int, int | None] | None:
    """The column of names and that of symbols, where there is one; the symbols alone where there are no names."""
    others = [column for column in columns if column.index != place]
    symbol = next((column.index for column in others if column.role == "symbol"), None)
    names = [column.index for column in others if column.role == "name"]
    rest = [column.index for column in others if column.role == "other" and header_text(_title(table, column.index))]
    name = next(iter((*names, *rest)), None)
    if name is None:
        return None if symbol is None else (symbol, symbol)
    return name, symbol


def _title(table: Table, index: int) -> Content:
    row = table.header[-1]
    return row[index].content if index < len(row) else ()


def _row(row: tuple[Cell, ...], place: int, named: tuple[int, int | None], unit: int | None) -> tuple[Cell, ...]:
    name, symbol = named
    if place >= len(row) or name >= len(row) or any(cell.columns > 1 for cell in row):
        return row
    stated = plain_text(row[unit].content).strip() if unit is not None and unit < len(row) else ""
    left = _symbol(row[symbol].content) if symbol is not None and symbol < len(row) else ""
    left = left or _name(plain_text(row[name].content), stated)
    math = _formula(row[place], left) if left else None
    if math is None:
        return row
    return (*row[:place], replace(row[place], content=(math,)), *row[place + 1 :])


def _symbol(content: Content) -> str:
    """The symbol of a cell as LaTeX; empty where it is none."""
    filled = [piece for piece in content if not isinstance(piece, Text) or piece.text.strip()]
    if len(filled) != 1:
        return ""
    piece = filled[0]
    if isinstance(piece, Math):
        is_latex = piece.notation == "latex" and not _RELATION.search(piece.source)
        return piece.source.strip() if is_latex else ""
    text = plain_text((piece,)).strip(" `*_")
    return latex_name(text) if _SYMBOL.fullmatch(text) else ""


def _name(text: str, unit: str) -> str:
    """Words as the left side, with the unit of the row."""
    name = " ".join(text.replace("*", "").replace("`", "").split()).rstrip(":")
    if (
        not name
        or LAW_LIKE.search(head_of(name))
        or len(name) > _LONGEST_NAME
        or not re.search(r"[^\W\d_]", name)
        or re.search(r"[\\${}=<>]", name)
    ):
        return ""
    has_unit = "(" in name or not unit or not is_unit(unit)
    return latex_name(name if has_unit else f"{name} ({unit})")


def _formula(cell: Cell, left: str) -> Math | None:
    """The expression of a cell with its left side; a guess where it cannot be read, None where there is none."""
    pieces = [piece for piece in cell.content if not isinstance(piece, Text) or piece.text.strip(" .;")]
    if len(pieces) == 1 and isinstance(pieces[0], Math):
        return _of_math(pieces[0], left)
    text = plain_text(cell.content).strip().strip("`").rstrip(" .;")
    has_formulas = any(isinstance(piece, Math) for piece in pieces)
    if not text or len(text) > _LONGEST or has_formulas or _RELATION.search(text):
        return None
    right = _right_side(text)
    quote = plain_text(cell.content).strip()
    if right is not None:
        source = f"{left} = {right}"
        return Math(source, "latex", cell.place, quote) if _computes(source) else None
    if not _looks_like_expression(text):
        return None
    return Math(f"{left} = {text}", "latex", cell.place, quote, confidence=_GUESS, doubts=(_UNREAD,))


def _of_math(math: Math, left: str) -> Math | None:
    shown = _TAG.sub(" ", math.source) if math.notation == "mathml" else math.source
    if math.notation != "latex" or _RELATION.search(shown):
        return None
    made = replace(math, source=f"{left} = {math.source.strip()}")
    return made if _computes(made.source) else None


def _looks_like_expression(text: str) -> bool:
    """Whether what could not be read is an expression all the same, and no remark with a sign in it."""
    is_short = len(text.split()) <= _MOST_WORDS and re.search(r"[;:\n]", text) is None
    return is_short and _ARITHMETIC.search(text) is not None and _SIGN.search(text) is not None


def _right_side(text: str) -> str | None:
    """The expression that a text is, as LaTeX; a unit in brackets behind it is no part of it."""
    behind = _UNIT_BEHIND.fullmatch(text)
    if behind is not None and is_unit(behind["unit"]):
        text = behind["expression"]
    line = f"{_NEUTRAL} = {text}"
    found = formulas_in_line(line)
    if len(found) != 1 or (found[0].start, found[0].end) != (0, len(line)):
        return None
    if found[0].notation == "text":
        reading = read_python_text(text)
        expression = None if isinstance(reading, Declined) else reading.expression
        return None if expression is None else latex_text(expression)
    return found[0].source.partition("=")[2].strip()


def _computes(source: str) -> bool:
    """Whether the right side computes from symbols: no value, no other name for the same."""
    reading = latex_reading(source)
    if isinstance(reading, Declined):
        # What is an expression and cannot be computed keeps its reason.
        return reading.code in _STATED
    if len(reading.equations) != 1:
        return False
    right = reading.equations[0].right
    return not isinstance(right, Symbol | Number) and bool(symbols_of(right))
