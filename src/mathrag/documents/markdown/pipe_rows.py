"""Rows of pipe tables cut into cells. Keeps a formula whole where a bare `|` inside it would tear it apart."""

from __future__ import annotations

import re
from itertools import pairwise

from mathrag.documents.math_spans import MathFinder
from mathrag.documents.source_map import Fragment, SourceText

_PLAIN_BAR = re.compile(r"\\.|\|")
_SIGN = re.compile(r"[|\\$`]")
_DASHES = re.compile(r":?-+:?")
Span = tuple[int, int]


def is_delimiter_row(line: str) -> bool:
    """Whether a line is the row of dashes under a header: `|---|:-:|`."""
    if "|" not in line or "-" not in line:
        return False
    cells = line.strip().strip("|").split("|")
    return all(_DASHES.fullmatch(cell.strip()) for cell in cells)


def count_columns(line: str) -> int:
    """How many cells a row has, formulas kept whole."""
    return len(_cut(line, _bars(line, keep_formulas=True)))


def split_row(source: SourceText, span: Span, *, columns: int) -> list[Fragment]:
    """The cells of a row. `columns` is the width of the header: of two ways to cut, the one that fits it is meant."""
    start, end = span
    line = source.text[start:end]
    plain = _cut(line, _bars(line, keep_formulas=False))
    cells = plain
    if (len(plain) != columns or _tears(line, plain)) and ("$" in line or "\\(" in line or "`" in line):
        whole = _cut(line, _bars(line, keep_formulas=True))
        if len(whole) < len(plain):
            cells = whole
    if len(cells) > columns > 1:
        # `ln|x|` in plain text: bars that separate cells have a space beside them, these have none.
        edges = (len(line) - len(line.lstrip()), len(line.rstrip()) - 1)
        spaced = _cut(line, [bar for bar in _bars(line, keep_formulas=True) if bar in edges or _is_spaced(line, bar)])
        cells = spaced if len(spaced) == columns else cells
    return [_cell(source, start + first, start + last) for first, last in cells]


def _is_spaced(line: str, bar: int) -> bool:
    return line[bar - 1 : bar].isspace() and line[bar + 1 : bar + 2].isspace()


def _tears(line: str, cells: list[Span]) -> bool:
    return any(line.count("$", first, last) % 2 for first, last in cells)


def _bars(line: str, *, keep_formulas: bool) -> list[int]:
    """Where the pipes stand that separate cells."""
    if not keep_formulas:
        return [found.start() for found in _PLAIN_BAR.finditer(line) if found.group() == "|"]
    bars: list[int] = []
    finder = MathFinder(line)
    found = _SIGN.search(line)
    while found:
        position = found.start()
        match line[position]:
            case "|":
                bars.append(position)
                after = position + 1
            case "\\":
                span = finder.at_backslash(position)
                after = span.end if span else position + 2
            case "$":
                span = finder.at_dollar(position)
                after = span.end if span else position + 1
            case _:
                after = _after_code(line, position)
        found = _SIGN.search(line, after)
    return bars


def _after_code(line: str, start: int) -> int:
    after = start
    while line.startswith("`", after):
        after += 1
    end = line.find(line[start:after], after)
    return end + after - start if end >= 0 else after


def _cut(line: str, bars: list[int]) -> list[Span]:
    """The stretches between the bars; a bar at either end of the line only frames it."""
    edges = [-1, *bars, len(line)]
    cells = [(before + 1, after) for before, after in pairwise(edges)]
    if bars and not line[: bars[0]].strip():
        cells = cells[1:]
    if bars and len(cells) > 1 and not line[bars[-1] + 1 :].strip():
        cells = cells[:-1]
    return cells


def _cell(source: SourceText, start: int, end: int) -> Fragment:
    """A cell without the spaces around it; `\\|` is a `|` everywhere in it, as the format has it."""
    text = source.text
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    spans: list[Span] = []
    position = start
    while (escaped := text.find("\\|", position, end)) >= 0:
        spans.append((position, escaped))
        position = escaped + 1
    spans.append((position, end))
    return Fragment.of_spans(source, spans, joined_by="")
