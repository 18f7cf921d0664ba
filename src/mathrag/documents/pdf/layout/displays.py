"""Which rows are formulas on a line of their own, and the reading of a run of such rows. Joins no paragraphs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from mathrag.documents.pdf.boxes import height, holds_middle, overlap_x, overlap_y, union, width
from mathrag.documents.pdf.formulas import read_display
from mathrag.documents.pdf.layout.line_joining import join_maths
from mathrag.documents.pdf.layout.pieces import Line, PageContext, as_math, doubted
from mathrag.documents.pdf.layout.rows import Row
from mathrag.documents.pdf.page_content import Box, FormulaReading
from mathrag.types.document import Math, Text

_NUMBER = re.compile(r"[(\[]\s*[A-Z]{0,2}\.?\s?\d{1,4}(?:[.\-–:]\d{1,4}){0,3}\s?[a-z]?['′*]?\s*[)\]]")
_CONNECTING = frozenset(
    "and or if for where with when otherwise else so then thus hence such that is const constant all any in".split()
)
_TORN = "cut at its edge: another formula stands against it"
_GOES_ON = re.compile(r"\s*(?:[+\-]|\\(?:cdot|times|pm)\b)")
_RELATION = re.compile(r"[=<>≤≥≈≡∝→≠∼⇌]")


def equation_number(line: Line) -> str:
    """The label at the right end of a row, set off from the rest by white; "" where there is none."""
    items = line.row.items
    for index in range(len(items) - 1, max(0, len(items) - 14), -1):
        if items[index].gap > 1.4:
            text = "".join(item.glyph.text for item in items[index:])
            return text if _NUMBER.fullmatch(text) else ""
    return ""


def is_number(line: Line, *, right: float) -> bool:
    """Whether a row is but the number of a formula at the right edge, beside the middle of several rows."""
    text = line.quote.replace(" ", "")
    return _NUMBER.fullmatch(text) is not None and line.row.box[2] > right - 1.5 * line.row.size


def is_display(line: Line, *, left: float, right: float, follows_full_row: bool) -> bool:
    """Whether a row is a displayed formula of the column from `left` to `right`, or a part of one."""
    row = line.row
    if not any(segment.is_math for segment in line.segments) and not _is_equation_of_words(line):
        return False
    size = row.size
    indent = row.box[0] - left
    number = equation_number(line)
    words = _words_outside(line, number)
    is_set_off = indent > 0.9 * size or bool(number)
    is_tall = height(row.box) > 1.75 * size
    if not words:
        if is_set_off or is_tall:
            return not (follows_full_row and indent < 0.5 * size and not number)
        return not follows_full_row and _has_relation(line)
    if all(word in _CONNECTING for word in words):
        return (is_set_off or is_tall) and _has_relation(line) and _math_share(line) > 0.35
    is_centred = abs((row.box[0] - left) - (right - row.box[2])) < 1.5 * size and indent > 2 * size
    is_stacked = height(row.box) > 2.6 * size and indent > 1.8 * size
    if not (is_centred or number or is_stacked):
        return False
    letters = sum(len(word) for word in words)
    if _is_equation_of_words(line):
        return letters < 60
    return _has_relation(line) and _math_share(line) > (0.4 if is_tall or number else 0.55) and len(words) <= 6


def _is_equation_of_words(line: Line) -> bool:
    """`speed = distance / time` with a bar, or with a number: words stand for symbols."""
    row = line.row
    if not any(item.glyph.text == "=" and not item.is_part for item in row.items):
        return False
    has_bar = any(item.is_part for item in row.items) and bool(row.rules)
    return has_bar or bool(equation_number(line))


def _has_relation(line: Line) -> bool:
    return _RELATION.search(line.quote) is not None or height(line.row.box) > 1.75 * line.row.size


def _words_outside(line: Line, number: str) -> list[str]:
    text = " ".join(piece.text for piece in line.content if isinstance(piece, Text))
    if number:
        text = text.replace(number, " ").replace(" ".join(number), " ")
    return [word.lower() for word in re.findall(r"[^\W\d_]{2,}(?:\.[^\W\d_])?", text)]


def _math_share(line: Line) -> float:
    items = line.row.items
    maths = total = 0.0
    for segment in line.segments:
        box = union(item.glyph.box for item in items[segment.start : segment.end])
        total += width(box)
        maths += width(box) if segment.is_math else 0.0
    return maths / total if total else 0.0


def _with_torn_doubted(readings: Sequence[FormulaReading], *, body_size: float) -> list[FormulaReading]:
    """Readings side by side with less white between them than formulas have are pieces of one: no piece is sure."""
    torn: set[int] = set()
    for index, one in enumerate(readings):
        for position in range(index + 1, len(readings)):
            other = readings[position].box
            is_beside = overlap_y(one.box, other) > 0.5 * min(height(one.box), height(other))
            if is_beside and -overlap_x(one.box, other) < 0.8 * body_size:
                torn |= {index, position}
    return [doubted(reading, _TORN) if index in torn else reading for index, reading in enumerate(readings)]


def read_displays(rows: Sequence[Row], context: PageContext, *, column: Box) -> list[Math]:
    """The formulas of consecutive rows."""
    glyphs = [glyph for row in rows for glyph in row.glyphs]
    rules = [rule for row in rows for rule in row.rules]
    drawings = [drawing for row in rows for drawing in row.drawings]
    readings = read_display(glyphs, rules, drawings, body_size=context.body_size, width=width(column))
    maths: list[Math] = []
    for reading in _with_torn_doubted(readings, body_size=context.body_size):
        inside = [glyph for glyph in glyphs if holds_middle(reading.box, glyph.box, slack=0.5)]
        math = as_math(reading, inside or glyphs, context=context, is_display=True)
        if maths and not maths[-1].number and _GOES_ON.match(math.source) and not _RELATION.search(math.quote):
            # A formula too wide for its column, broken before an operator.
            maths[-1] = replace(join_maths(maths[-1], math), number=math.number)
        else:
            maths.append(math)
    return maths
