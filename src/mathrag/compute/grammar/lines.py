"""The lines of a formula: alignments, systems in braces, boxes around equations."""

from __future__ import annotations

from mathrag.compute.grammar.conditions import relation_of, without_blanks
from mathrag.compute.grammar.lexicon import OPERATOR_SIGNS
from mathrag.compute.notation import Fence, Grid, Mark, Row, Sign, Space, Words


def split_lines(row: Row) -> list[list[Mark]]:
    """The lines of a formula. A line that begins with a relation or a sign goes on from the one before."""
    items = [_as_system(mark) for mark in _opened(row)]
    if not any(isinstance(mark, Grid) and mark.kind == "lines" for mark in items):
        return [items]
    lines: list[list[Mark]] = [[]]
    for mark in items:
        if not (isinstance(mark, Grid) and mark.kind == "lines"):
            lines[-1].append(mark)
            continue
        for line in _grid_lines(mark):
            visible = without_blanks(line)
            if not visible:
                continue
            if lines[-1] and _continues(visible):
                lines[-1].extend([Space(visible[0].position), *line])
            elif without_blanks(lines[-1]):
                lines.append(line)
            else:
                lines[-1].extend(line)
    return [line for line in lines if without_blanks(line)]


def _as_system(mark: Mark) -> Mark:
    """Cases or an array whose every line is an equation are a system: several lines, not one value."""
    grid = mark.body.items[0] if isinstance(mark, Fence) and mark.opening == "{" and mark.body.items else mark
    if not isinstance(grid, Grid) or grid.kind == "lines":
        return mark
    for line in grid.lines:
        cells = [mark for cell in line for mark in cell.items]
        signs = [relation_of(item) for item in cells if relation_of(item)]
        starts = without_blanks(list(line[0].items))
        second = without_blanks(list(line[1].items)) if len(line) > 1 else []
        is_statement = any(relation_of(item) for item in starts) or (bool(second) and relation_of(second[0]) == "=")
        if signs != ["="] or not starts or not is_statement or any(isinstance(item, Words) for item in cells):
            return mark
    return Grid(
        "lines",
        tuple((Row(tuple(m for cell in line for m in cell.items), grid.position),) for line in grid.lines),
        grid.position,
    )


def _grid_lines(grid: Grid) -> list[list[Mark]]:
    """The lines of an alignment. Columns come in pairs, left and right of a relation; each pair may be a statement."""
    lines: list[list[Mark]] = []
    for cells in grid.lines:
        line: list[Mark] = []
        for index, cell in enumerate(cells):
            items = _opened(cell)
            if len(items) == 1 and isinstance(items[0], Grid) and items[0].kind == "lines":
                lines.extend(_grid_lines(items[0]))
                continue
            if index and index % 2 == 0 and without_blanks(items):
                line.append(Space(cell.position, wide=True))
            line.extend(items)
        lines.append(line)
    return lines


def _opened(row: Row) -> list[Mark]:
    """The marks of a row, with groups that hold everything opened, also parentheses around a whole equation."""
    items = list(row.items)
    while len(visible := without_blanks(items)) == 1:
        only = visible[0]
        if isinstance(only, Row):
            items = list(only.items)
        elif isinstance(only, Fence) and only.opening == "(" and any(relation_of(mark) for mark in only.body.items):
            items = list(only.body.items)
        else:
            break
    opened: list[Mark] = []
    for mark in items:
        # A box or a colour around an equation that has a remark after it.
        is_equation = isinstance(mark, Row) and any(relation_of(inner) for inner in mark.items)
        opened.extend(_opened(mark) if is_equation and isinstance(mark, Row) else (mark,))
    return opened


def _continues(line: list[Mark]) -> bool:
    first = line[0]
    if relation_of(first) is not None:
        return True
    has_relation = any(relation_of(mark) is not None for mark in line)
    return isinstance(first, Sign) and first.text in OPERATOR_SIGNS and not has_relation
