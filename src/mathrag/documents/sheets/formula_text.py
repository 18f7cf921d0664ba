"""The text of a cell's formula as a tree, as Excel and OpenFormula write it, and the tree as text again.

From the loosest to the tightest: comparison, `&`, sum, product, power (from the left: `2^3^2` is 64), percent, sign. A
sign binds tighter than a power: `-2^2` is 4. Whatever is not of the grammar is a `FormulaError`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias, assert_never

from mathrag.documents.sheets.workbook import LARGEST_COLUMN, LARGEST_ROW, column_letters, column_number
from mathrag.errors import ExpressionLimitError, FormulaError

Dialect: TypeAlias = Literal["excel", "open"]

LONGEST_FORMULA = 8_192
_DEEPEST = 64
# Sums nest from the left: as many parts are as deep as this half.
_MOST_TOKENS = 500


@dataclass(frozen=True, slots=True)
class Value:
    """A number, a text, a truth value or an error, as written."""

    value: Decimal | str | bool
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Reference:
    """One cell. An empty `sheet` is that of the formula; fixed parts were written with a dollar sign."""

    row: int
    column: int
    sheet: str = ""
    is_row_fixed: bool = False
    is_column_fixed: bool = False


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of cells, from its first cell to its last."""

    first: Reference
    last: Reference


@dataclass(frozen=True, slots=True)
class Named:
    """A defined name."""

    name: str


@dataclass(frozen=True, slots=True)
class Signed:
    """A sign before an operand."""

    sign: Literal["-", "+"]
    operand: Node


@dataclass(frozen=True, slots=True)
class Percent:
    """A percent sign behind an operand."""

    operand: Node


@dataclass(frozen=True, slots=True)
class Operation:
    """Two operands with an operator between them."""

    operator: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Function:
    """A function by its name in capitals; an argument that was left out is None."""

    name: str
    arguments: tuple[Node | None, ...]


Node: TypeAlias = Value | Reference | Area | Named | Signed | Percent | Operation | Function

_STRENGTH = {"=": 1, "<>": 1, "<": 1, ">": 1, "<=": 1, ">=": 1, "&": 2, "+": 3, "-": 3, "*": 4, "/": 4, "^": 5}
_PERCENT, _SIGN, _ATOM = 6, 7, 8

_SHEET = r"(?:'(?:[^']|''){1,120}'|[^\W\d][\w.]{0,100})"
_CELL = r"\$?[A-Za-z]{1,3}\$?[1-9]\d{0,6}"
_TOKEN = re.compile(
    rf"""
    (?P<space>[ \t\r\n\xa0]+)
  | (?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{{1,3}})?(?![\w.]))
  | (?P<string>"(?:[^"]|"")*")
  | (?P<error>\#(?:NULL!|DIV/0!|VALUE!|REF!|NAME\?|NUM!|N/A|SPILL!|CALC!))
  | (?P<external>'\[[^\]\n]{{1,200}}\][^!\n]{{0,120}}!|\[[^\]\n]{{1,200}}\][\w. ]{{0,120}}!|'(?:[^'\n]|'')*\[[^'\n]*'!)
  | (?P<bracketed>\[[^\[\]\n]{{1,300}}\]|\[@\[[^\[\]\n]{{1,300}}\]\]|\[\[.{{0,600}}?\]\])
  | (?P<cell>(?:{_SHEET}!)?{_CELL}(?![\w(.!]))
  | (?P<lines>(?:{_SHEET}!)?(?:\$?[A-Za-z]{{1,3}}:\$?[A-Za-z]{{1,3}}|\$?\d{{1,7}}:\$?\d{{1,7}})(?![\w(!]))
  | (?P<several>{_SHEET}:{_SHEET}!)
  | (?P<word>[^\W\d][\w.\\]{{0,254}})
  | (?P<operator><>|<=|>=|[-+*/^&=<>%:])
  | (?P<mark>[(),;{{}}!~@\#|])
    """,
    re.VERBOSE,
)
_CELL_PARTS = re.compile(r"(\$?)([A-Za-z]{1,3})(\$?)(\d+)")
_OPEN_PART = re.compile(rf"(?:\$?(?P<sheet>{_SHEET})|(?P<none>))\.(?P<cell>{_CELL})")
# What Excel writes before functions that are newer than the file format.
_NEWER = ("_XLFN.", "_XLL.", "_XLWS.", "COM.MICROSOFT.", "ORG.OPENOFFICE.", "ORG.LIBREOFFICE.")


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    position: int


# What a column of a named table stands for, by the name of the table (empty for the one around the formula) and what
# stands in brackets behind it; None where that is no cell and no column.
Columns: TypeAlias = Callable[[str, str], Reference | Area | None]


def parse_formula(text: str, *, dialect: Dialect = "excel", columns: Columns | None = None) -> Node:
    """The tree of a formula, without its equals sign. Raises `FormulaError` and nothing else."""
    if len(text) > LONGEST_FORMULA:
        raise ExpressionLimitError(f"the formula has {len(text):,} characters; at most {LONGEST_FORMULA:,} are read")
    tokens = list(_tokens(text))
    if len(tokens) > _MOST_TOKENS:
        raise ExpressionLimitError(f"the formula has more than {_MOST_TOKENS:,} parts")
    return _Parser(text, tokens, dialect, columns).whole()


def _tokens(text: str) -> Iterator[_Token]:
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise FormulaError("syntax", f"{text[position]!r} is no part of a formula", source=text, position=position)
        kind = match.lastgroup or ""
        if kind != "space":
            yield _Token(kind, match.group(), position)
        position = match.end()


class _Parser:
    """By operator strength, one token ahead. `depth` counts what is open."""

    def __init__(self, text: str, tokens: list[_Token], dialect: Dialect, columns: Columns | None) -> None:
        self._columns = columns
        self._text = text
        self._tokens = tokens
        self._at = 0
        self._separator = "," if dialect == "excel" else ";"
        self._dialect = dialect

    def whole(self) -> Node:
        node = self._expression(1, 0)
        if self._at < len(self._tokens):
            self._refuse()
        return node

    def _peek(self) -> _Token | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _refuse(self, reason: str = "") -> None:
        token = self._peek()
        if token is None:
            raise FormulaError("syntax", reason or "the formula ends too early", source=self._text)
        said = reason or _MARKS.get(token.text) or f"{token.text[:20]!r} cannot stand here"
        raise FormulaError("syntax", said, source=self._text, position=token.position)

    def _takes(self, text: str) -> bool:
        token = self._peek()
        if token is not None and token.text == text and token.kind in ("operator", "mark"):
            self._at += 1
            return True
        return False

    def _expression(self, strength: int, depth: int) -> Node:
        if depth > _DEEPEST:
            raise ExpressionLimitError(f"the formula is nested more than {_DEEPEST} deep", source=self._text)
        left = self._operand(depth)
        while True:
            token = self._peek()
            if token is None or token.kind != "operator":
                return left
            if token.text == "%":
                self._at += 1
                left = Percent(left)
                continue
            binds = _STRENGTH.get(token.text, 0)
            if binds < strength:
                return left
            self._at += 1
            # All operators group from the left, the power too.
            left = Operation(token.text, left, self._expression(binds + 1, depth + 1))

    def _operand(self, depth: int) -> Node:
        signs: list[Literal["-", "+"]] = []
        while True:
            if self._takes("-"):
                signs.append("-")
            elif self._takes("+"):
                signs.append("+")
            else:
                break
        if len(signs) > _DEEPEST:
            raise ExpressionLimitError("the formula has too many signs in a row", source=self._text)
        node = self._atom(depth + 1)
        for sign in reversed(signs):
            node = Signed(sign, node)
        return node

    def _atom(self, depth: int) -> Node:
        token = self._peek()
        if token is None:
            self._refuse()
            raise AssertionError
        self._at += 1
        match token.kind:
            case "number":
                return Value(Decimal(token.text))
            case "string":
                return Value(token.text[1:-1].replace('""', '"'))
            case "error":
                return Value(token.text, is_error=True)
            case "cell":
                return self._ranged(self._cell(token.text, token.position))
            case "bracketed" if self._dialect == "open":
                return self._open_reference(token)
            case "bracketed":
                return self._column("", token)
            case "word":
                return self._word(token, depth)
            case "mark" if token.text == "(":
                node = self._expression(1, depth)
                if not self._takes(")"):
                    self._refuse()
                return node
        self._at -= 1
        self._refuse(_REASONS.get(token.kind) or _MARKS.get(token.text, ""))
        raise AssertionError

    def _ranged(self, first: Reference) -> Node:
        """The cell, or the area where a colon and a second one follow."""
        if not self._takes(":"):
            return first
        token = self._peek()
        if token is None or token.kind != "cell":
            self._refuse("an area ends with something else than a cell")
            raise AssertionError
        self._at += 1
        return _area(first, self._cell(token.text, token.position))

    def _cell(self, text: str, position: int) -> Reference:
        sheet, mark, cell = text.rpartition("!")
        name = _unquoted(sheet) if mark else ""
        return self._reference(name, cell, position)

    def _reference(self, sheet: str, cell: str, position: int) -> Reference:
        match = _CELL_PARTS.fullmatch(cell)
        if match is None:
            raise FormulaError("syntax", f"{cell[:20]!r} is no cell", source=self._text, position=position)
        row, column = int(match[4]), column_number(match[2])
        if row > LARGEST_ROW or column > LARGEST_COLUMN:
            raise FormulaError("syntax", f"{cell} lies outside every sheet", source=self._text, position=position)
        return Reference(row, column, sheet, bool(match[3]), bool(match[1]))

    def _open_reference(self, token: _Token) -> Node:
        """`[.B2]`, `[.B2:.B9]`, `[$Data.A1]` of OpenFormula."""
        inside = token.text[1:-1]
        if "#" in inside or "://" in inside:
            reason = "it refers to another file" if "://" in inside or "'#" in inside else "it refers to no cell"
            raise FormulaError("external", reason, source=self._text, position=token.position)
        first = _OPEN_PART.match(inside)
        if first is None:
            raise FormulaError("syntax", f"{token.text[:30]} is no cell", source=self._text, position=token.position)
        start = self._reference(_unquoted(first["sheet"] or ""), first["cell"], token.position)
        if first.end() == len(inside):
            return start
        second = _OPEN_PART.fullmatch(inside, first.end() + 1) if inside[first.end()] == ":" else None
        if second is None:
            raise FormulaError("syntax", f"{token.text[:30]} is no area", source=self._text, position=token.position)
        return _area(start, self._reference(_unquoted(second["sheet"] or ""), second["cell"], token.position))

    def _column(self, table: str, token: _Token) -> Node:
        """What stands in a column of a named table: `Sales[Price]`, `[@Price]`."""
        found = None if self._columns is None else self._columns(table, token.text)
        if found is None:
            self._at -= 1
            self._refuse(_COLUMN)
            raise AssertionError
        return found

    def _word(self, token: _Token, depth: int) -> Node:
        name = token.text.upper()
        if not self._takes("("):
            following = self._peek()
            if following is not None and following.kind == "bracketed" and self._dialect == "excel":
                self._at += 1
                return self._column(token.text, following)
            if following is not None and (following.text in ("!", "[") or following.kind == "bracketed"):
                self._refuse(_COLUMN)
            return Value(name == "TRUE") if name in ("TRUE", "FALSE") else Named(token.text)
        for prefix in _NEWER:
            name = name.removeprefix(prefix)
        arguments: list[Node | None] = []
        if self._takes(")"):
            return Function(name, ())
        while True:
            following = self._peek()
            is_left_out = (
                following is not None and following.text in (self._separator, ")") and following.kind == "mark"
            )
            arguments.append(None if is_left_out else self._expression(1, depth))
            if self._takes(")"):
                return Function(name, tuple(arguments))
            if not self._takes(self._separator):
                self._refuse()


_COLUMN = "it refers to a column of a named table"
_REASONS = {
    "external": "it refers to another file",
    "lines": "it takes whole rows or columns",
    "several": "it takes cells of several sheets at once",
    "bracketed": _COLUMN,
}
_MARKS = {
    "{": "it holds an array of values",
    "@": "it picks one value of an array",
    "#": "it takes the spilled values of an array formula",
    "~": "it joins areas",
    "|": "it refers to another program",
}


def _unquoted(sheet: str) -> str:
    return sheet[1:-1].replace("''", "'") if sheet.startswith("'") else sheet


def _area(one: Reference, other: Reference) -> Area:
    """The area in order; the second cell is of the sheet of the first."""
    sheet = one.sheet
    first = Reference(
        min(one.row, other.row), min(one.column, other.column), sheet,
        one.is_row_fixed if one.row <= other.row else other.is_row_fixed,
        one.is_column_fixed if one.column <= other.column else other.is_column_fixed,
    )  # fmt: skip
    last = Reference(
        max(one.row, other.row), max(one.column, other.column), sheet,
        other.is_row_fixed if one.row <= other.row else one.is_row_fixed,
        other.is_column_fixed if one.column <= other.column else one.is_column_fixed,
    )  # fmt: skip
    return Area(first, last)


# ---- moving, as a formula that is filled down


def shifted(node: Node, rows: int, columns: int) -> Node:
    """The formula as it reads so many rows down and columns to the right; a cell outside every sheet is an error."""
    match node:
        case Reference():
            return _moved(node, rows, columns)
        case Area(first, last):
            start, end = _moved(first, rows, columns), _moved(last, rows, columns)
            if isinstance(start, Value) or isinstance(end, Value):
                return Value("#REF!", is_error=True)
            return Area(start, end)
        case Signed(sign, operand):
            return Signed(sign, shifted(operand, rows, columns))
        case Percent(operand):
            return Percent(shifted(operand, rows, columns))
        case Operation(operator, left, right):
            return Operation(operator, shifted(left, rows, columns), shifted(right, rows, columns))
        case Function(name, arguments):
            return Function(name, tuple(each and shifted(each, rows, columns) for each in arguments))
        case Value() | Named():
            return node
        case _:
            assert_never(node)


def _moved(cell: Reference, rows: int, columns: int) -> Reference | Value:
    row = cell.row if cell.is_row_fixed else cell.row + rows
    column = cell.column if cell.is_column_fixed else cell.column + columns
    if not (1 <= row <= LARGEST_ROW and 1 <= column <= LARGEST_COLUMN):
        return Value("#REF!", is_error=True)
    return Reference(row, column, cell.sheet, cell.is_row_fixed, cell.is_column_fixed)


def references_in(node: Node) -> Iterator[Reference | Area | Named]:
    """Every cell, area and name that a formula takes, from left to right."""
    match node:
        case Reference() | Area() | Named():
            yield node
        case Signed(_, operand) | Percent(operand):
            yield from references_in(operand)
        case Operation(_, left, right):
            yield from references_in(left)
            yield from references_in(right)
        case Function(_, arguments):
            for argument in arguments:
                if argument is not None:
                    yield from references_in(argument)
        case Value():
            return


# ---- printing


def formula_text(node: Node) -> str:
    """The formula as Excel writes it, without its equals sign: `parse_formula(formula_text(node)) == node`."""
    return _printed(node)[0]


def _printed(node: Node) -> tuple[str, int]:
    match node:
        case Value(value, is_error):
            return _value_text(value, is_error=is_error), _ATOM
        case Reference():
            return _cell_text(node, with_sheet=True), _ATOM
        case Area(first, last):
            return f"{_cell_text(first, with_sheet=True)}:{_cell_text(last, with_sheet=False)}", _ATOM
        case Named(name):
            return name, _ATOM
        case Signed(sign, operand):
            return sign + _fitted(operand, _SIGN), _SIGN
        case Percent(operand):
            return _fitted(operand, _PERCENT) + "%", _PERCENT
        case Operation(operator, left, right):
            strength = _STRENGTH[operator]
            return f"{_fitted(left, strength)}{operator}{_fitted(right, strength + 1)}", strength
        case Function(name, arguments):
            return f"{name}({','.join('' if each is None else _printed(each)[0] for each in arguments)})", _ATOM
        case _:
            assert_never(node)


def _value_text(value: Decimal | str | bool, *, is_error: bool) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, Decimal) or is_error:
        return str(value)
    return '"' + value.replace('"', '""') + '"'


def _fitted(node: Node, strength: int) -> str:
    text, holds = _printed(node)
    return text if holds >= strength else f"({text})"


def _cell_text(cell: Reference, *, with_sheet: bool) -> str:
    sheet = ""
    if with_sheet and cell.sheet:
        plain = re.fullmatch(r"[^\W\d][\w]{3,}_*", cell.sheet) and not re.search(r"\d", cell.sheet)
        sheet = (cell.sheet if plain else "'" + cell.sheet.replace("'", "''") + "'") + "!"
    column = ("$" if cell.is_column_fixed else "") + column_letters(cell.column)
    return f"{sheet}{column}{'$' if cell.is_row_fixed else ''}{cell.row}"
