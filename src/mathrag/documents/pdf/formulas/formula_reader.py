"""A region of a page as LaTeX: the two doors of the formula reader. Never raises on any geometry.

Trust is 1 only where every glyph is known, every line and drawing has a meaning and no decision was near its threshold.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from mathrag.documents.boxes import NOWHERE, Box, middle_y, union
from mathrag.documents.pdf.formulas import thresholds
from mathrag.documents.pdf.formulas.display import DisplayPart, RegionRow, split_display, trimmed
from mathrag.documents.pdf.formulas.doubts import doubt_brackets, doubt_line
from mathrag.documents.pdf.formulas.formula_items import FormulaItem, Ledger, box_of, ink_of, split_rows
from mathrag.documents.pdf.formulas.line_layout import RegionReader
from mathrag.documents.pdf.page_content import Drawing, FormulaReading, Glyph, Rule

# In points: beyond any page, but within what can be squared and added.
_FARTHEST = 1e6
Marks: TypeAlias = tuple[list[Glyph], list[Rule], list[Drawing]]


def read_inline(
    glyphs: Sequence[Glyph], rules: Sequence[Rule] = (), drawings: Sequence[Drawing] = (), *, body_size: float
) -> FormulaReading:
    """A formula inside a line of text."""
    marks = _usable(glyphs, rules, drawings)
    refusal = _refusal(*marks)
    if refusal is not None:
        return refusal
    reader = RegionReader()
    items = reader.items(*marks, size=body_size)
    _check_ink(reader.ledger, ink_of(items), marks)
    rows = split_rows(items)
    texts = []
    for row in rows:
        level = reader.line(row)
        nodes = trimmed(level.nodes)
        doubt_line(nodes, size=level.size, ledger=reader.ledger)
        texts.append(reader.latex(nodes, level.size))
        doubt_brackets(texts[-1], reader.ledger)
    if len(rows) > 1:
        reader.ledger.doubt("several lines where one was expected", 0.4)
    return _reading(" ".join(texts), box_of(items), reader.ledger)


def read_display(
    glyphs: Sequence[Glyph],
    rules: Sequence[Rule] = (),
    drawings: Sequence[Drawing] = (),
    *,
    body_size: float,
) -> tuple[FormulaReading, ...]:
    """The formulas of a display region, each with its number and its condition."""
    marks = _usable(glyphs, rules, drawings)
    refusal = _refusal(*marks)
    if refusal is not None:
        return () if not any(marks) else (refusal,)
    reader = RegionReader()
    items = reader.items(*marks, size=body_size)
    _check_ink(reader.ledger, ink_of(items), marks)
    rows = split_rows(items)
    apart = _read_apart(rows, marks, body_size) if len(rows) > 1 and reader.ledger.doubts else None
    parts = split_display(apart or [RegionRow(row, reader) for row in rows])
    return tuple(_part_reading(part) for part in parts)


def _read_apart(rows: list[list[FormulaItem]], marks: Marks, body_size: float) -> list[RegionRow] | None:
    """Each line read again by itself, so that what is uncertain in one line casts no doubt on the others.

    None where the lines cannot be told apart by their boxes; they then share their doubts.
    """
    boxes = [box_of(row) for row in rows]
    shares: list[Marks] = [([], [], []) for _ in rows]
    for glyph in marks[0]:
        if (number := _row_of(glyph.box, boxes)) is None:
            return None
        shares[number][0].append(glyph)
    for rule in marks[1]:
        if (number := _row_of(rule.box, boxes)) is None:
            return None
        shares[number][1].append(rule)
    for drawing in marks[2]:
        if (number := _row_of(drawing.box, boxes)) is None:
            return None
        shares[number][2].append(drawing)
    apart: list[RegionRow] = []
    for share in shares:
        reader = RegionReader()
        items = reader.items(*share, size=body_size)
        _check_ink(reader.ledger, ink_of(items), share)
        if len(split_rows(items)) != 1:
            return None
        apart.append(RegionRow(items, reader))
    return apart


def _row_of(box: Box, rows: list[Box]) -> int | None:
    """The one row that a box stands in."""
    middle = middle_y(box)
    inside = [number for number, row in enumerate(rows) if row[1] - 0.01 <= middle <= row[3] + 0.01]
    return inside[0] if len(inside) == 1 else None


def _part_reading(part: DisplayPart) -> FormulaReading:
    return replace(_reading(part.latex, part.box, part.ledger), number=part.number, condition=part.condition)


def _reading(latex: str, box: Box, ledger: Ledger) -> FormulaReading:
    return FormulaReading(
        latex=latex,
        box=box,
        confidence=ledger.confidence,
        unknown=ledger.unknown,
        doubts=tuple(ledger.doubts),
    )


def _usable(glyphs: Sequence[Glyph], rules: Sequence[Rule], drawings: Sequence[Drawing]) -> Marks:
    """What can be printed at all: no blanks, no boxes beyond any page."""
    return (
        [glyph for glyph in glyphs if not glyph.text.isspace() and _is_sane((*glyph.box, glyph.x, glyph.y))],
        [rule for rule in rules if _is_sane(rule.box)],
        [drawing for drawing in drawings if _is_sane(drawing.box)],
    )


def _is_sane(numbers: Sequence[float]) -> bool:
    return all(math.isfinite(number) and abs(number) < _FARTHEST for number in numbers)


def _refusal(glyphs: list[Glyph], rules: list[Rule], drawings: list[Drawing]) -> FormulaReading | None:
    boxes = [each.box for each in glyphs] + [each.box for each in rules] + [each.box for each in drawings]
    unknown = sum(not glyph.text for glyph in glyphs)
    if not boxes:
        return FormulaReading("", NOWHERE, 0.0, doubts=("nothing is printed here",))
    if len(glyphs) > thresholds.MOST_GLYPHS or len(rules) + len(drawings) > thresholds.MOST_RULES:
        return FormulaReading("", union(boxes), 0.0, unknown, ("too much ink for one formula",))
    return None


def _check_ink(ledger: Ledger, used: int, marks: Marks) -> None:
    """Every mark of the region must stand in exactly one place of the result."""
    printed = sum(len(each) for each in marks)
    if used + ledger.ink != printed:
        ledger.doubt("not every sign of the region was used once", 0.6)
