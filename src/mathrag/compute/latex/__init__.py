"""LaTeX formulas as people write them, read into the one tree."""

from __future__ import annotations

from collections.abc import Collection

from mathrag.compute.choices import NO_CHOICES, Choices
from mathrag.compute.grammar import read_notation
from mathrag.compute.latex.layout import Layout
from mathrag.compute.latex.tokens import strip_delimiters, tokenize
from mathrag.compute.notation import Grid, Row, check_size
from mathrag.errors import FormulaError
from mathrag.types.expression import Declined, Reading


def latex_notation(source: str) -> tuple[Row, Layout]:
    """Lay the formula out; top-level line breaks make lines."""
    layout = Layout(source, tokenize(source, *strip_delimiters(source)))
    lines: list[Row] = []
    while True:
        lines.append(layout.row("\\\\"))
        if layout.peek() is None:
            break
        layout.advance()
    filled = [line for line in lines if line.items]
    if len(filled) > 1:
        return Row((Grid("lines", tuple((line,) for line in filled), 0),), 0), layout
    return (filled[0] if filled else Row((), 0)), layout


def read_latex(
    source: str, symbols: Collection[str] = (), *, terms: int | None = None, choices: Choices = NO_CHOICES
) -> Reading | Declined:
    """Read one formula. `symbols` are names known to be one symbol each (`Re`, `MW`), as names or LaTeX.

    `choices` say how places are to be read that allow two readings.

    With `terms`, sums without bounds and dots are written out with so many terms instead of declined.
    """
    try:
        row, layout = latex_notation(source)
        check_size(row)
    except FormulaError as error:
        return Declined(source, error.code, error.reason, error.position)
    except RecursionError:
        return Declined(source, "too_large", "the formula is nested too deeply", None)
    return read_notation(row, source=source, symbols=symbols, flags=layout.flags, terms=terms, choices=choices)
