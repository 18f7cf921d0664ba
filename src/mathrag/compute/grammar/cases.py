"""Expressions by cases: each line a value and the condition under which it holds."""

from __future__ import annotations

from mathrag.compute.grammar.conditions import (
    is_otherwise,
    opens_condition,
    read_comparisons,
    relation_of,
    without_blanks,
)
from mathrag.compute.grammar.context import Context
from mathrag.compute.grammar.terms import read_row
from mathrag.compute.notation import Grid, Mark, Row, Sign, Space, Words
from mathrag.types.expression import Comparison, Expression, Piecewise


def read_cases(grid: Grid, context: Context) -> Expression:
    """The branches of a case distinction."""
    branches: list[tuple[Expression, tuple[Comparison, ...]]] = []
    otherwise: Expression | None = None
    for line in grid.lines:
        value, condition = _split(line)
        value = without_blanks(value)
        if not value:
            context.decline("cases", "a case without a value", line[0].position)
        if any(relation_of(mark) == "=" for mark in value):
            context.decline("cases", "the lines after the brace are equations of their own", line[0].position)
        expression = read_row(Row(tuple(value), value[0].position), context)
        if is_otherwise(condition) or not without_blanks(condition):
            if line is not grid.lines[-1]:
                context.decline("cases", "only the last case may stand without a condition", line[0].position)
            otherwise = expression
            continue
        comparisons = read_comparisons(condition, context)
        if not comparisons:
            context.decline("cases", "the condition of this case cannot be checked by computing", condition[0].position)
        branches.append((expression, comparisons))
    if not branches:
        context.decline("cases", "no case has a condition", grid.position)
    return Piecewise(tuple(branches), otherwise)


def _split(line: tuple[Row, ...]) -> tuple[list[Mark], list[Mark]]:
    """Value and condition: by column, or at the words or the wide space between them."""
    cells = [list(cell.items) for cell in line]
    if len(cells) > 1 and without_blanks(cells[1]):
        condition: list[Mark] = list(cells[1])
        for cell in cells[2:]:
            if without_blanks(cell):
                condition.extend([Sign(",", cell[0].position), *cell])
        return cells[0], condition
    items = cells[0]
    for index, mark in enumerate(items):
        is_break = (isinstance(mark, Space) and mark.wide) or (isinstance(mark, Sign) and mark.text == ",")
        if (isinstance(mark, Words) and (opens_condition(mark) or is_otherwise([mark]))) or is_break:
            return items[:index], items[index:]
    return items, []
