"""Formulas of cells with the names of headers and labels, checked against the values that the file holds.

A formula of a sheet holds for the numbers of its cells; `quantities` makes it one of quantities. What does not give the
value that the file holds, or does not read back as it was meant, is kept as uncertain.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Literal

from mathrag.compute.evaluate import Failure, evaluate
from mathrag.compute.latex import read_latex
from mathrag.compute.printers.latex import latex_with_names, symbol_latex
from mathrag.documents.sheets.arithmetic import MOST_TERMS, Arithmetic, CellDeclinedError, Cells, arithmetic_of
from mathrag.documents.sheets.formula_text import (
    Area,
    Columns,
    Dialect,
    Named,
    Node,
    Reference,
    formula_text,
    parse_formula,
    references_in,
    shifted,
)
from mathrag.documents.sheets.labels import Label, Labeller
from mathrag.documents.sheets.quantities import form_of_quantities, trials
from mathrag.documents.sheets.workbook import NamedTable, Place2D, Sheet, SheetCell, Workbook, cell_path
from mathrag.errors import FormulaError
from mathrag.types.expression import (
    Call,
    Declined,
    Equation,
    Expression,
    Symbol,
    symbols_of,
    walk,
)
from mathrag.types.quantity import NO_UNIT

Orientation = Literal["columns", "rows"]

# So many cells with the same formula are checked; the first are as good as any.
_CHECKED = 25
_MOST_FORMULAS = 20_000
# The column of a named table in the row of the formula, and a whole one; a quote stands before signs of the grammar.
_NAME = r"(?P<column>(?:[^\[\]'#@:,]|'['\[\]#@])+)"
_OF_ROW = re.compile(rf"\[(?:@\s*\[?|\[#This Row\]\s*,\s*\[){_NAME}\]{{1,2}}", re.IGNORECASE)
_OF_TABLE = re.compile(rf"\[{_NAME}\]")
_ESCAPED = re.compile(r"'(['\[\]#@])")
# Cached values have 15 to 17 digits; a sheet computes in floats.
_NEAR = 1e-7


@dataclass(frozen=True, slots=True)
class Used:
    """A cell that a formula takes, under its name. `is_fixed` marks a parameter: the same cell for every row."""

    name: str
    label: Label
    reference: Reference
    is_fixed: bool = False


@dataclass(frozen=True, slots=True)
class SheetFormula:
    """One formula, for all cells that it was filled into. `doubt` says why it must not be computed with, `declined` why
    it was not read at all."""

    sheet: str
    cells: tuple[Place2D, ...]
    text: str
    latex: str = ""
    target: Label | None = None
    used: tuple[Used, ...] = ()
    doubt: str = ""
    declined: str = ""
    is_checked: bool = False

    @property
    def path(self) -> str:
        """Where it stands: its first cell."""
        return cell_path(self.sheet, *self.cells[0])


@dataclass(slots=True)
class _Group:
    """Cells with the same formula, relative to themselves, in one column."""

    node: Node | None
    text: str
    cells: list[Place2D] = field(default_factory=list)
    declined: str = ""


class FormulaBook:
    """Reads the formulas of one workbook."""

    def __init__(self, workbook: Workbook) -> None:
        self._workbook = workbook
        self._dialect: Dialect = "open" if workbook.dialect == "open" else "excel"
        self._sheets = {sheet.name: sheet for sheet in workbook.sheets}
        self._labellers = {sheet.name: Labeller(sheet) for sheet in workbook.sheets}
        self._names = {name.casefold(): self._defined(text) for name, text in workbook.names.items()}

    def _defined(self, text: str) -> Node | None:
        try:
            return parse_formula(text.removeprefix("="), dialect=self._dialect)
        except FormulaError:
            return None

    def labeller(self, sheet: str) -> Labeller:
        """What names the cells of a sheet."""
        return self._labellers[sheet]

    def read(self, sheet: Sheet) -> Iterator[SheetFormula]:
        """The formulas of a sheet from top to bottom, each once."""
        seen: dict[str, SheetFormula] = {}
        for group in _groups(sheet, self._dialect, self._columns_at):
            formula = self._formula(sheet, group)
            key = formula.latex if formula.latex and not formula.doubt else ""
            if key and key in seen:
                continue
            if key:
                seen[key] = formula
            yield formula

    def _formula(self, sheet: Sheet, group: _Group) -> SheetFormula:
        place = group.cells[0]
        made = SheetFormula(sheet.name, tuple(group.cells), group.text)
        if group.node is None:
            return _declined(made, group.declined)
        try:
            reading = _Reading(self, sheet, place, group.node)
            return reading.formula(made, group.cells)
        except CellDeclinedError as declined:
            return _declined(made, declined.reason)
        except (FormulaError, RecursionError, ValueError) as error:
            return _declined(made, str(error)[:200] or "it is too large")

    def cell(self, sheet: str, reference: Reference) -> SheetCell | None:
        """The cell that a formula of a sheet refers to."""
        found = self._sheets.get(reference.sheet or sheet)
        if found is None:
            raise CellDeclinedError(f"there is no sheet {reference.sheet[:60]} in the file")
        return found.cells.get((reference.row, reference.column))

    def _columns_at(self, sheet: str, place: Place2D) -> Columns:
        """What columns of named tables are for a formula in a cell."""

        def column(name: str, inside: str) -> Reference | Area | None:
            match = _OF_ROW.fullmatch(inside) or _OF_TABLE.fullmatch(inside)
            table = self._workbook.tables.get(name.casefold()) if name else self._table_around(sheet, place)
            if match is None or table is None:
                return None
            at = table.columns.get(_ESCAPED.sub(r"\1", match["column"]).strip().casefold())
            where = "" if table.sheet == sheet else table.sheet
            if at is None:
                return None
            if match.re is _OF_ROW:
                is_inside = table.sheet == sheet and table.first_row <= place[0] <= table.last_row
                return Reference(place[0], at, is_column_fixed=True) if is_inside else None
            first, last = (Reference(row, at, where, True, True) for row in (table.first_row, table.last_row))
            return Area(first, replace(last, sheet="") if where else last)

        return column

    def _table_around(self, sheet: str, place: Place2D) -> NamedTable | None:
        for table in self._workbook.tables.values():
            is_beside = min(table.columns.values()) <= place[1] <= max(table.columns.values())
            if table.sheet == sheet and table.first_row <= place[0] <= table.last_row and is_beside:
                return table
        return None

    def defined(self, name: str) -> Node | None:
        """What a defined name stands for; None where nothing reads it."""
        return self._names.get(name.casefold())


def _declined(made: SheetFormula, reason: str) -> SheetFormula:
    return SheetFormula(made.sheet, made.cells, made.text, declined=reason)


def _groups(sheet: Sheet, dialect: Dialect, columns: Callable[[str, Place2D], Columns]) -> list[_Group]:
    """The formulas of a sheet, those that were filled down as one."""
    found: dict[tuple[int, str], _Group] = {}
    of_cell: dict[Place2D, _Group] = {}
    for place in sorted(cell for cell, content in sheet.cells.items() if content.formula):
        cell = sheet.cells[place]
        source = cell.filled_from
        if source is not None and source[1] == place[1] and source in of_cell:
            of_cell[source].cells.append(place)
            continue
        if len(of_cell) >= _MOST_FORMULAS:
            break
        group = _parsed(cell, place, dialect, columns(sheet.name, cell.filled_from or place))
        key = (place[1], _relative(group.node, place) if group.node is not None else f"{group.declined} {_shape(cell)}")
        group = found.setdefault(key, group)
        group.cells.append(place)
        of_cell[place] = group
    return list(found.values())


def _shape(cell: SheetCell) -> str:
    """A formula without its numbers, so that what is declined in a hundred rows is one."""
    return "".join(sign for sign in cell.formula if not sign.isdigit())[:200]


def _parsed(cell: SheetCell, place: Place2D, dialect: Dialect, columns: Columns) -> _Group:
    if cell.declined:
        return _Group(None, cell.formula, declined=cell.declined)
    try:
        node = parse_formula(cell.formula, dialect=dialect, columns=columns)
        if cell.filled_from is not None:
            node = shifted(node, place[0] - cell.filled_from[0], place[1] - cell.filled_from[1])
    except FormulaError as error:
        return _Group(None, cell.formula, declined=error.reason)
    return _Group(node, formula_text(node) if cell.filled_from else cell.formula)


def _relative(node: Node, place: Place2D) -> str:
    """The formula as it would stand in a cell in the middle of a sheet: the same for all that were filled down."""
    return formula_text(shifted(node, 500_000 - place[0], 8_000 - place[1]))


@dataclass(slots=True)
class _Reading:
    """One formula on its way: what its cells are called, and that no two of them are called the same."""

    book: FormulaBook
    sheet: Sheet
    place: Place2D
    node: Node
    used: dict[str, Used] = field(default_factory=dict)
    orientation: Orientation = "columns"

    def formula(self, made: SheetFormula, cells: Sequence[Place2D]) -> SheetFormula:
        if isinstance(self.node, Reference | Named):
            raise CellDeclinedError("it only repeats another cell")
        self.orientation = self._oriented()
        target = self._label(Reference(self.place[0], self.place[1]))
        if not target.name:
            raise CellDeclinedError(f"{cell_path(self.sheet.name, *self.place)} is called nothing that can be a name")
        read = arithmetic_of(self.node, Cells(self._one, self._named, self._area))
        if not self.used:
            raise CellDeclinedError("it takes no cell that has a name")
        if target.name in self.used:
            raise CellDeclinedError(f"it takes another cell that is called {_called(target)}, as it is itself")
        expression = read.expression
        units = {each.name: each.label.unit or NO_UNIT for each in self.used.values()}
        units[target.name] = target.unit or NO_UNIT
        right = form_of_quantities(expression, units, units[target.name])
        bare = _direct_arguments(right or expression)
        if right is None and any(units[name].text for name in bare):
            raise CellDeclinedError("a function takes a cell with a unit as a bare number")
        equation = Equation(Symbol(target.name), right or expression)
        labels = {target.name: target, **{each.name: each.label for each in self.used.values()}}
        names = {name: _latex_name(label, with_unit=name not in bare) for name, label in labels.items()}
        latex = latex_with_names(equation, names)
        doubt = self._misread(read, cells) or _unreadable(latex, equation)
        return SheetFormula(
            made.sheet, made.cells, made.text, latex, target, tuple(self.used.values()), doubt,
            is_checked=any(self._cached(cell) is not None for cell in cells[:_CHECKED]),
        )  # fmt: skip

    def _oriented(self) -> Orientation:
        """Whether headers above or labels on the left name the cells, by where the formula reaches."""
        in_row = in_column = 0
        for each in references_in(self.node):
            if isinstance(each, Reference) and not each.sheet and not (each.is_row_fixed and each.is_column_fixed):
                in_row += each.row == self.place[0]
                in_column += each.column == self.place[1]
            elif isinstance(each, Area) and not each.first.sheet:
                in_row += each.first.row == each.last.row == self.place[0]
                in_column += each.first.column == each.last.column == self.place[1]
        if bool(in_row) != bool(in_column):
            return "columns" if in_row else "rows"
        labels = self.book.labeller(self.sheet.name)
        header, label = labels.above(self.place), labels.left(self.place)
        if header is None or label is None:
            return "columns" if header is not None else "rows"
        return "columns" if header.says > label.says else "rows"

    def _label(self, reference: Reference, *, is_fixed: bool = False) -> Label:
        """What a cell is called; a fixed one by its own label first."""
        sheet = reference.sheet or self.sheet.name
        place = (reference.row, reference.column)
        self.book.cell(self.sheet.name, reference)
        labels = self.book.labeller(sheet)
        is_elsewhere = sheet != self.sheet.name
        above, left = labels.above(place), labels.left(place)
        if not is_fixed and not is_elsewhere and place[0] != self.place[0] and self.orientation == "columns":
            # The header above belongs to every row; only its own label tells this one apart.
            above = None
            if left is None:
                raise CellDeclinedError("it takes values of another row")
        if is_fixed or is_elsewhere:
            best = max((each for each in (left, above) if each is not None), key=lambda one: one.says, default=None)
        elif self.orientation == "columns":
            best = above if above is not None and not above.is_general else left or above
        else:
            best = left if left is not None else above
        if best is None or not best.name:
            raise CellDeclinedError(f"{cell_path(sheet, *place)} has neither a header nor a label that can be a name")
        return best

    def _one(self, reference: Reference) -> Expression:
        cell = self.book.cell(self.sheet.name, reference)
        path = cell_path(reference.sheet or self.sheet.name, reference.row, reference.column)
        if cell is not None and cell.is_error:
            raise CellDeclinedError(f"{path} holds the error {cell.text}")
        if cell is not None and cell.number is None and cell.text.strip():
            raise CellDeclinedError(f"{path} holds a text or a date")
        is_fixed = reference.is_row_fixed and (reference.is_column_fixed or self.orientation == "columns")
        return self._use(reference, self._label(reference, is_fixed=is_fixed), is_fixed=is_fixed)

    def _use(self, reference: Reference, label: Label, *, is_fixed: bool) -> Expression:
        known = self.used.get(label.name)
        if known is not None and _spot(known.reference, self.sheet.name) != _spot(reference, self.sheet.name):
            raise CellDeclinedError(f"it takes two cells that are called {_called(label)}")
        self.used[label.name] = Used(label.name, label, reference, is_fixed)
        return Symbol(label.name)

    def _named(self, named: Named) -> Expression:
        stands_for = self.book.defined(named.name)
        if not isinstance(stands_for, Reference):
            what = "an area" if isinstance(stands_for, Area) else "no single cell"
            raise CellDeclinedError(f"the name {named.name[:60]} stands for {what}")
        cell = self.book.cell(self.sheet.name, stands_for)
        if cell is None or cell.number is None:
            raise CellDeclinedError(f"the name {named.name[:60]} stands for a cell without a number")
        label = _label_of_name(named.name, self._label_or_none(stands_for))
        if not label.name:
            raise CellDeclinedError(f"the name {named.name[:60]} can be no symbol")
        return self._use(stands_for, label, is_fixed=True)

    def _label_or_none(self, reference: Reference) -> Label | None:
        try:
            return self._label(reference, is_fixed=True)
        except CellDeclinedError:
            return None

    def _area(self, area: Area) -> list[Expression]:
        rows, columns = area.last.row - area.first.row + 1, area.last.column - area.first.column + 1
        if rows * columns > MOST_TERMS:
            raise CellDeclinedError(f"it takes an area of {rows * columns:,} cells; at most {MOST_TERMS} are terms")
        found = []
        for row in range(area.first.row, area.last.row + 1):
            for column in range(area.first.column, area.last.column + 1):
                fixed = area.first.is_row_fixed, area.first.is_column_fixed
                reference = Reference(row, column, area.first.sheet, *fixed)
                cell = self.book.cell(self.sheet.name, reference)
                # Texts and empty cells do not count in an area.
                if cell is not None and (cell.number is not None or cell.is_error):
                    found.append(self._one(reference))
        return found

    # ---- the values in the file

    def _cached(self, place: Place2D) -> Decimal | None:
        cell = self.sheet.cells.get(place)
        return None if cell is None else cell.number

    def _misread(self, read: Arithmetic, cells: Sequence[Place2D]) -> str:
        """That the formula does not give what the file says it gives; empty where it does, or nothing is said."""
        for place in cells[:_CHECKED]:
            cached = self._cached(place)
            values = self._values(place)
            if cached is None or values is None:
                continue
            computed = evaluate(read.expression, values)
            if isinstance(computed, Failure):
                return f"the file gives {cached} for {cell_path(self.sheet.name, *place)}, the formula as read none"
            allowed = _NEAR * max(abs(float(cached)), abs(float(computed))) + float(read.rounding or 0) * 1.001
            if abs(float(computed) - float(cached)) > max(allowed, 1e-12):
                where = cell_path(self.sheet.name, *place)
                return f"the file gives {float(cached):.10g} for {where}, the formula as read {float(computed):.10g}"
        return ""

    def _values(self, place: Place2D) -> dict[str, float] | None:
        rows, columns = place[0] - self.place[0], place[1] - self.place[1]
        values: dict[str, float] = {}
        for used in self.used.values():
            moved = used.reference if used.is_fixed else shifted(used.reference, rows, columns)
            if not isinstance(moved, Reference):
                return None
            cell = self.book.cell(self.sheet.name, moved)
            if cell is not None and cell.number is None:
                return None
            # An empty cell counts as zero.
            values[used.name] = 0.0 if cell is None or cell.number is None else float(cell.number)
        return values


def _spot(reference: Reference, own: str) -> tuple[str, int, int]:
    return (reference.sheet or own, reference.row, reference.column)


def _called(label: Label) -> str:
    return f"“{label.words or label.symbol}”"


def _label_of_name(name: str, beside: Label | None) -> Label:
    """A defined name: itself the symbol or the words, its unit that of the cell it stands for."""
    unit, unit_text = (beside.unit, beside.unit_text) if beside is not None else (None, "")
    words = " ".join(name.replace(".", " ").replace("_", " ").split())
    is_word = len(words.replace(" ", "")) > 3 and words.replace(" ", "").isalpha() and words.upper() != words
    plain = Label(words if is_word else "", "" if is_word else name.replace(".", "_").rstrip("_"), unit, unit_text)
    if not is_word and beside is not None and beside.words:
        return Label(beside.words, plain.symbol, unit, unit_text)
    return plain


def _direct_arguments(expression: Expression) -> set[str]:
    """The symbols that stand alone in a function, where words in brackets cannot be read."""
    return {
        part.name
        for node in walk(expression)
        if isinstance(node, Call)
        for part in node.arguments
        if isinstance(part, Symbol)
    }


def _latex_name(label: Label, *, with_unit: bool) -> str:
    """A label in a formula: words with their unit, or the symbol."""
    if not label.words:
        return symbol_latex(label.name)
    unit = label.unit.text.replace("%", r"\%") if label.unit is not None and with_unit else ""
    return rf"\text{{{label.words} ({unit})}}" if unit else rf"\text{{{label.words}}}"


def _unreadable(latex: str, equation: Equation) -> str:
    """That what was written does not read back as what was meant; empty where it does."""
    reading = read_latex(latex)
    if isinstance(reading, Declined):
        return f"it could not be written as a formula: {reading.reason}"
    if len(reading.equations) != 1:
        return "it could not be written as one formula"
    back = reading.equations[0]
    for side, other in ((equation.left, back.left), (equation.right, back.right)):
        if set(symbols_of(side)) != set(symbols_of(other)):
            return "it could not be written so that its names read back"
        if not _same_values(side, other):
            return "it could not be written so that it reads back the same"
    return ""


def _same_values(one: Expression, other: Expression) -> bool:
    for values in trials(symbols_of(one)):
        first, second = evaluate(one, values), evaluate(other, values)
        if isinstance(first, Failure) or isinstance(second, Failure):
            if type(first) is not type(second):
                return False
            continue
        if not math.isclose(float(first), float(second), rel_tol=1e-9):
            return False
    return True
