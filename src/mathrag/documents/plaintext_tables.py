"""Tables drawn in plain text: with bars, with tabs, or with columns that line up. Takes only what is clear."""

from __future__ import annotations

import re
from itertools import pairwise

from mathrag.documents.plaintext_lines import line_content
from mathrag.documents.source_map import SourceText
from mathrag.types.document import Cell, Table

_DASHES = re.compile(r"[-=]{2,}")
_GAP = re.compile(r"\s{2,}")
_MOST_ROWS = 5_000
Span = tuple[int, int]


def find_table(source: SourceText, first: int, after: int) -> tuple[Table, int] | None:
    """The table that begins on a line, and how many lines it takes; None where there is none."""
    if after - first < 2:
        return None
    text = _line(source, first)
    if "|" not in text and "\t" not in text and "  " not in text.strip() and not text.startswith("+"):
        return None
    stop = min(after, first + _MOST_ROWS)
    return (
        _barred(source, first, stop)
        or _ruled(source, first, stop)
        or _tabbed(source, first, stop)
        or _aligned(source, first, stop)
    )


def _line(source: SourceText, line: int) -> str:
    start, end = source.line_span(line)
    return source.text[start:end]


def _barred(source: SourceText, first: int, after: int) -> tuple[Table, int] | None:
    """`| a | b |` rows with a rule below the header; rules elsewhere only frame."""
    rows: list[tuple[int, list[Span]]] = []
    header, stop = 0, first
    for line in range(first, after):
        text = _line(source, line)
        if _is_rule(text):
            if line > first and stop == line and _is_rule(_line(source, line - 1)):
                break
            header = header or len(rows)
        elif "|" in text:
            cells = _between_bars(text)
            if len(cells) < 2 or (rows and len(cells) != len(rows[0][1])) or (len(rows) > 2 and not header):
                break
            rows.append((line, cells))
        else:
            break
        stop = line + 1
    is_clear = len(rows) >= 2 and header
    return (_table(source, first, stop, rows, header=header), stop - first) if is_clear else None


def _is_rule(text: str) -> bool:
    return ("--" in text or "==" in text) and not text.strip(" \t-=+|:")


def _between_bars(text: str) -> list[Span]:
    edges = [-1, *(found.start() for found in re.finditer(r"\|", text)), len(text)]
    cells = [(before + 1, after) for before, after in pairwise(edges)]
    cells = cells[1:] if not text[: cells[0][1]].strip() else cells
    return cells[:-1] if cells and not text[cells[-1][0] :].strip() else cells


def _ruled(source: SourceText, first: int, after: int) -> tuple[Table, int] | None:
    """A header, a line of dashes with gaps that shows the columns, and rows below."""
    rule_line = first + 1
    rule = _line(source, rule_line)
    columns = [found.span() for found in _DASHES.finditer(rule)]
    if len(columns) < 2 or _DASHES.sub("", rule).strip() or after - rule_line < 2:
        return None
    starts = [start for start, _ in columns]
    rows = []
    stop = first
    for line in range(first, after):
        text = _line(source, line)
        if line == rule_line or not _DASHES.sub("", text).strip():
            stop = line + 1
            continue
        cells = _cut_at(text, starts)
        if cells is None:
            break
        rows.append((line, cells))
        stop = line + 1
    is_clear = len(rows) >= 2 and stop > rule_line
    return (_table(source, first, stop, rows, header=1), stop - first) if is_clear else None


def _cut_at(text: str, starts: list[int]) -> list[Span] | None:
    """The cells of a row by the columns of its rule; None where words run across a border."""
    if any(0 < start < len(text) and text[start - 1] not in " \t" for start in starts[1:]):
        return None
    edges = [0, *starts[1:], max(len(text), starts[-1])]
    return [(edges[at], min(edges[at + 1], len(text))) for at in range(len(edges) - 1)]


def _tabbed(source: SourceText, first: int, after: int) -> tuple[Table, int] | None:
    count = _line(source, first).strip().count("\t")
    stop = first
    while stop < after and count and _line(source, stop).rstrip().count("\t") == count:
        stop += 1
    if stop - first < 2:
        return None
    rows = []
    for line in range(first, stop):
        text = _line(source, line)
        edges = [-1, *(found.start() for found in re.finditer("\t", text)), len(text)]
        rows.append((line, [(edges[at] + 1, edges[at + 1]) for at in range(count + 1)]))
    return _table(source, first, stop, rows, header=1), stop - first


def _aligned(source: SourceText, first: int, after: int) -> tuple[Table, int] | None:
    """Three rows or more whose columns all begin at the same places."""
    columns = _columns(_line(source, first))
    if len(columns) < 2:
        return None
    starts = [start for start, _ in columns]
    rows = [(first, columns)]
    for line in range(first + 1, after):
        cells = _columns(_line(source, line))
        if [start for start, _ in cells] != starts:
            break
        rows.append((line, cells))
    if len(rows) < 3:
        return None
    stop = first + len(rows)
    return _table(source, first, stop, rows, header=1), len(rows)


def _columns(text: str) -> list[Span]:
    start = len(text) - len(text.lstrip())
    end = len(text.rstrip())
    cells: list[Span] = []
    for gap in _GAP.finditer(text, start, end):
        cells.append((start, gap.start()))
        start = gap.end()
    if end > start:
        cells.append((start, end))
    return cells


def _table(source: SourceText, first: int, stop: int, rows: list[tuple[int, list[Span]]], *, header: int) -> Table:
    made = [
        tuple(_cell(source, line, span, is_header=index < header) for span in cells)
        for index, (line, cells) in enumerate(rows)
    ]
    start, end = source.lines_quote(first, stop)
    return Table(source.place(start, end), source.text[start:end], tuple(made[:header]), tuple(made[header:]))


def _cell(source: SourceText, line: int, span: Span, *, is_header: bool) -> Cell:
    offset = source.line_span(line)[0]
    text = source.text[offset + span[0] : offset + span[1]]
    start = offset + span[0] + len(text) - len(text.lstrip())
    end = max(start, offset + span[1] - (len(text) - len(text.rstrip())))
    content = line_content(source, start, end, is_alone=False)
    return Cell(content, source.place(start, end), is_header=is_header)
