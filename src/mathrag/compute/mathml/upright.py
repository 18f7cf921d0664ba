"""Upright words that converters write letter by letter, joined again while the spaces between words are still there.

`\\mathrm{mol^{-1}}` comes as three `<mi mathvariant="normal">`, the last one carrying the script; LaTeX has one name.
"""

from __future__ import annotations

from mathrag.compute.notation import Accent, Fence, Grid, Mark, Name, Root, Row, Script, Stack


def join_upright(row: Row) -> Row:
    """The same row, at every depth, with upright letters that stand side by side joined into names."""
    joined: list[Mark] = []
    for item in row.items:
        mark = _inside(_opened(item))
        base = mark.base if isinstance(mark, Script) else mark
        before = joined[-1] if joined else None
        follows = isinstance(before, Name) and before.style == "upright" and before.text.isalpha()
        is_letter = isinstance(base, Name) and base.style == "upright" and len(base.text) == 1
        if follows and is_letter and isinstance(before, Name) and isinstance(base, Name):
            name = Name(before.text + base.text, before.position, "upright")
            joined[-1] = Script(name, mark.sub, mark.sup, name.position) if isinstance(mark, Script) else name
        else:
            joined.append(mark)
    return Row(tuple(joined), row.position)


def _opened(mark: Mark) -> Mark:
    """The letter inside a group that holds nothing else."""
    only = mark.items[0] if isinstance(mark, Row) and len(mark.items) == 1 else None
    return only if isinstance(only, Name | Script) else mark


def _inside(mark: Mark) -> Mark:
    match mark:
        case Row():
            return join_upright(mark)
        case Fence(opening, closing, body, position):
            return Fence(opening, closing, join_upright(body), position)
        case Script(base, sub, sup, position, limits):
            below = None if sub is None else join_upright(sub)
            above = None if sup is None else join_upright(sup)
            return Script(_inside(base), below, above, position, limits)
        case Accent(accent, body, position):
            return Accent(accent, join_upright(body), position)
        case Stack(above_row, below_row, position, bar):
            return Stack(join_upright(above_row), join_upright(below_row), position, bar)
        case Root(body, degree, position):
            return Root(join_upright(body), None if degree is None else join_upright(degree), position)
        case Grid(kind, lines, position):
            return Grid(kind, tuple(tuple(join_upright(cell) for cell in line) for line in lines), position)
        case _:
            return mark
