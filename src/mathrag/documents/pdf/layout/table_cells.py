"""A table area to a table: its columns, its rows, its cells and what they say. Finds no tables.

Columns are the lanes of white that rows share, or the vertical borders. Where no borders part the rows, text of several
columns on one baseline begins one.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from statistics import median

from mathrag.documents.boxes import Box, holds_middle, middle_x, middle_y, rounded, union, width
from mathrag.documents.pdf.layout.columns import Stretch
from mathrag.documents.pdf.layout.page_record import Draft
from mathrag.documents.pdf.layout.pieces import (
    Line,
    PageContext,
    ends_open,
    is_broken,
    join_contents,
    join_maths,
    read_line,
)
from mathrag.documents.pdf.layout.rows import Row, find_rows
from mathrag.documents.pdf.layout.runs import end_of
from mathrag.documents.pdf.layout.table_areas import TableArea, levels_of
from mathrag.documents.pdf.page_content import Drawing, Glyph, Rule
from mathrag.language.word_classes import word_class
from mathrag.types.document import Break, Cell, Content, Inline, Math, Place, Table, Text

_CONTINUES = re.compile(
    r"\s*(?:[=<>+*/]|\\(?:times|cdot|approx|equiv|le|leq|ge|geq|sim|simeq|propto|to|Rightarrow|ll|gg)\b)"
)
_LONE_OPERATORS = {"*": "*", "∗": "*", "×": "\\times", "·": "\\cdot", "⋅": "\\cdot", "/": "/", "+": "+"}
# Of the size of what follows: type this small at the start of a formula belongs to something else.
_SMALL = 0.8
_SMALL_PRINT = "it begins in smaller type than it goes on"
_LEADS_ON = re.compile(rf"\b(?:{'|'.join(sorted(word_class('printed_pages.before_formulas')))})$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TableInk:
    """What is printed inside a table."""

    stretches: Sequence[Stretch]
    bars: Sequence[Rule]
    drawings: Sequence[Drawing]


class TableReader:
    """Reads one table area."""

    def __init__(self, area: TableArea, ink: TableInk, context: PageContext, *, vocabulary: Collection[str]) -> None:
        self._area = area
        self._ink = ink
        self._context = context
        self._vocabulary = vocabulary
        self._separators = self._find_separators()

    @property
    def columns(self) -> int:
        return len(self._separators) + 1

    def read(self, *, column: int) -> Draft | None:
        """The table, or None where it has but one column or one row."""
        if self.columns < 2:
            return None
        header: list[tuple[Cell, ...]] = []
        rows: list[tuple[Cell, ...]] = []
        single = self._has_one_row_a_part()
        for index, part in enumerate(self._area.parts):
            is_head = index < self._area.heads
            for entries in self._split(part, is_single=single and not is_head):
                cells = self._cells(entries, is_header=is_head)
                (header if is_head else rows).append(cells)
        if len(header) + len(rows) < 2:
            return None
        box = rounded(self._area.box)
        quote = "\n".join(" | ".join(_quote(cell) for cell in row) for row in (*header, *rows))
        table = Table(Place(page=self._context.number, box=box), quote, tuple(header), tuple(rows))
        return Draft(
            "table", table, box, column=column, rows=len(rows), is_full=self._area.is_open, edges=(box[0], box[2])
        )

    def _find_separators(self) -> list[float]:
        if self._area.verticals:
            return list(self._area.verticals)
        heads = [s for part in self._area.parts[: self._area.heads] for s in self._inside(part)]
        parts = self._area.parts[self._area.heads :] or self._area.parts
        size = self._context.body_size
        rows = [row for part in parts for row in self._rows_of_part(part)]
        return find_separators(rows, heads, self._area.box, body_size=size)

    def _rows_of_part(self, part: tuple[float, float]) -> list[Row]:
        """The rows across all columns: fractions whole, so that no column ends in the middle of a formula."""
        glyphs = [glyph for stretch in self._inside(part) for glyph in stretch.glyphs]
        return self._rows(glyphs) if glyphs else []

    def _inside(self, part: tuple[float, float]) -> list[Stretch]:
        return [s for s in self._ink.stretches if part[0] <= middle_y(s.box) <= part[1]]

    def _has_one_row_a_part(self) -> bool:
        """Whether borders part every row from the next."""
        if self._area.has_row_borders:
            return True
        parts = self._area.parts[self._area.heads :]
        if len(parts) < 3:
            return False
        size = self._context.body_size
        return median(len(levels_of(self._inside(part), body_size=size)) for part in parts) <= 2

    def _split(self, part: tuple[float, float], *, is_single: bool) -> list[list[Entry]]:
        """The rows of a part: a new one begins where several columns have text on one baseline."""
        entries = sorted(self._entries(part), key=lambda entry: entry.row.y)
        if is_single or not entries:
            return [entries] if entries else []
        return split_rows(entries, size=self._context.body_size)

    def _entries(self, part: tuple[float, float]) -> list[Entry]:
        size = self._context.body_size
        spanning: dict[tuple[int, int], list[Glyph]] = {}
        columns: dict[int, list[Glyph]] = {}
        for stretch in self._inside(part):
            for word in words_apart([stretch], gap=0.45 * size):
                first, last = self._column(word.box[0] + 1), self._column(word.box[2] - 1)
                if first != last and not _is_small(word, size):
                    spanning.setdefault((first, last + 1), []).extend(word.glyphs)
                else:
                    columns.setdefault(self._home(word, size), []).extend(word.glyphs)
        self._gather_spanning(spanning, columns)
        entries: list[Entry] = []
        for column, glyphs in columns.items():
            entries.extend(Entry(row, column, column + 1) for row in self._rows(glyphs))
        for (first, end), glyphs in spanning.items():
            entries.extend(Entry(row, first, end) for row in self._rows(glyphs))
        return entries

    def _home(self, word: Stretch, size: float) -> int:
        """The column of a word; a script goes with what it stands at."""
        if _is_small(word, size):
            for other in self._ink.stretches:
                is_beside = (
                    -0.5 * size < word.box[0] - other.box[2] < 0.35 * size and abs(word.y - other.y) < 0.9 * size
                )
                if is_beside and not _is_small(other, size):
                    return self._column(other.box[2] - 1)
        return self._column(middle_x(word.box))

    def _gather_spanning(self, spanning: dict[tuple[int, int], list[Glyph]], columns: dict[int, list[Glyph]]) -> None:
        """Words beside a spanning stretch on its baseline, closer than cells stand, are of it: they come along."""
        size = self._context.body_size
        for (first, end), glyphs in list(spanning.items()):
            left, right = first, end
            for column in range(self.columns):
                near = [g for g in columns.get(column, []) if self._is_next_to(g, glyphs, size)]
                if near:
                    columns[column] = [g for g in columns[column] if not self._is_next_to(g, glyphs, size)]
                    glyphs.extend(near)
                    left, right = min(left, column), max(right, column + 1)
            if (left, right) != (first, end):
                spanning.setdefault((left, right), []).extend(spanning.pop((first, end)))

    def _is_next_to(self, glyph: Glyph, glyphs: Sequence[Glyph], size: float) -> bool:
        same = [other for other in glyphs if abs(other.y - glyph.y) < 0.5 * size]
        if not same:
            return False
        return any(
            -0.6 * size < other.box[0] - glyph.box[2] < 0.6 * size
            or -0.6 * size < glyph.box[0] - other.box[2] < 0.6 * size
            for other in same
        ) or (min(o.box[0] for o in same) < glyph.x < max(o.box[2] for o in same))

    def _column(self, x: float) -> int:
        return sum(1 for separator in self._separators if x > separator)

    def _rows(self, glyphs: Sequence[Glyph]) -> list[Row]:
        size = self._context.body_size
        box = union(glyph.box for glyph in glyphs)
        bars = [rule for rule in self._ink.bars if holds_middle(box, rule.box, slack=0.4 * size)]
        drawings = [drawing for drawing in self._ink.drawings if holds_middle(box, drawing.box, slack=0.4 * size)]
        return find_rows(glyphs, rules=bars, drawings=drawings, body_size=size)

    def _cells(self, entries: Sequence[Entry], *, is_header: bool) -> tuple[Cell, ...]:
        if is_header and len(entries) == 1 and self._is_title(entries[0]):
            entries = [Entry(entries[0].row, 0, self.columns)]
        cells: list[Cell] = []
        column = 0
        while column < self.columns:
            inside = [entry for entry in entries if entry.first == column]
            span = max((entry.end - entry.first for entry in inside), default=1)
            inside = [entry for entry in entries if column <= entry.first < column + span]
            rows = [entry.row for entry in sorted(inside, key=lambda entry: entry.row.y)]
            if span > 1 and len(rows) > 1:
                # What spans columns may have been cut where they part.
                rows = self._rows([glyph for row in rows for glyph in row.glyphs])
            box = rounded(union(row.box for row in rows)) if rows else None
            content = cell_content(rows, self._context, vocabulary=self._vocabulary)
            cells.append(Cell(content, Place(page=self._context.number, box=box), columns=span, is_header=is_header))
            column += span
        return tuple(cells)

    def _is_title(self, entry: Entry) -> bool:
        """Whether a header row is one title in the middle over all columns."""
        return abs(middle_x(entry.row.box) - middle_x(self._area.box)) < 1.5 * self._context.body_size


def _is_small(word: Stretch, size: float) -> bool:
    return max(glyph.size for glyph in word.glyphs) < 0.8 * size


def _quote(cell: Cell) -> str:
    return " ".join(piece.quote if isinstance(piece, Math) else getattr(piece, "text", " ") for piece in cell.content)


def cell_content(rows: Sequence[Row], context: PageContext, *, vocabulary: Collection[str]) -> Content:
    """What a cell says: words joined over rows, formulas of several rows read as a whole."""
    lines = [read_line(row, context) for row in rows]
    result: list[Inline] = []
    index = 0
    while index < len(lines):
        end = index
        while end < len(lines) and _is_formula(lines[end]):
            end += 1
        if end > index:
            part: Sequence[Inline] = _formulas(lines[index:end])
        else:
            end = index + 1
            while end < len(lines) and not _is_formula(lines[end]):
                end += 1
            part = join_contents([line.content for line in lines[index:end]], vocabulary=vocabulary)
        last, first = (result[-1], part[0]) if result and part else (None, None)
        if isinstance(last, Math) and isinstance(first, Math) and is_broken(last, first):
            result[-1] = join_maths(last, first)
            part = part[1:]
        elif last is not None:
            result.append(Text(" ") if _runs_on(last) else Break())
        result.extend(part)
        index = end
    return tuple(result)


def _runs_on(piece: Inline) -> bool:
    """Whether words lead over to what stands in the next row: an open bracket, "where", "of"."""
    if not isinstance(piece, Text):
        return False
    text = piece.text.rstrip()
    return text.count("(") > text.count(")") or _LEADS_ON.search(text) is not None


def _is_formula(line: Line) -> bool:
    return any(segment.is_math for segment in line.segments) and line.prose == 0


def _formulas(lines: Sequence[Line]) -> list[Inline]:
    """The formulas of consecutive rows; a row that begins with a relation goes on with the one above it."""
    result: list[Inline] = []
    size = 0.0
    for line in lines:
        content = list(line.content)
        last = result[-1] if result else None
        if isinstance(last, Math) and size < _SMALL * line.row.size:
            # Indices of something else, lost between two rows: what goes on with them is no equation.
            result[-1] = last = replace(last, confidence=min(last.confidence, 0.6), doubts=(*last.doubts, _SMALL_PRINT))
        size = line.row.size
        if isinstance(last, Math):
            content = _with_operator(content)
        first = content[0] if content else None
        if isinstance(last, Math) and isinstance(first, Math) and (_CONTINUES.match(first.source) or ends_open(last)):
            result[-1] = join_maths(last, first)
            content = content[1:]
        elif result and content:
            result.append(Break())
        result.extend(content)
    return result


def _with_operator(content: list[Inline]) -> list[Inline]:
    """The content of a row below a formula; an operator at its start is part of what goes on with that formula."""
    sign, rest = content[:1], content[1:2]
    if not (sign and rest and isinstance(sign[0], Text) and isinstance(rest[0], Math)):
        return content
    latex = _LONE_OPERATORS.get(sign[0].text.strip())
    if latex is None:
        return content
    return [replace(rest[0], source=f"{latex} {rest[0].source}"), *content[2:]]


# The columns of a table: lanes of white that its rows share, or its vertical borders. Reads no cells.

# White of this many letters may part two cells; between words it is narrower.
_CELL_GAP = 0.55


def words_apart(stretches: Sequence[Stretch], *, gap: float) -> list[Stretch]:
    """Stretches cut wherever the white inside them is as wide as between cells."""
    result: list[Stretch] = []
    for stretch in stretches:
        groups: list[list[Glyph]] = []
        end = 0.0
        for glyph in sorted(stretch.glyphs, key=lambda item: item.x):
            if not groups or glyph.x - end > gap:
                groups.append([])
            groups[-1].append(glyph)
            end = max(end, end_of(glyph)) if len(groups[-1]) > 1 else end_of(glyph)
        result.extend(Stretch(union(glyph.box for glyph in group), stretch.y, tuple(group)) for group in groups)
    return result


def find_separators(rows: Sequence[Row], head: Sequence[Stretch], area: Box, *, body_size: float) -> list[float]:
    """Where columns part, from left to right, told from the rows of the body and the titles above them."""
    gap = _CELL_GAP * body_size
    words = [word for row in rows for word in _closed_up(row, gap=gap)]
    levels = len(rows)
    strict = _lanes(words, area, allowed=0, gap=gap)
    # Where rows that span columns leave no lane free, one that only a few of them cross will do.
    loose = _lanes(words, area, allowed=int(0.12 * levels), gap=gap)
    lanes = [lane for lane in loose if not any(lane[0] < free[1] and free[0] < lane[1] for free in strict)]
    lanes = _occupied(sorted([*strict, *lanes]), words, levels=levels, body_size=body_size)
    titles = sorted(words_apart(head, gap=gap), key=lambda stretch: stretch.box[0])
    heads = _heads_on_last_level(titles, body_size=body_size)
    if len(heads) < 2:
        return [(left + right) / 2 for left, right in lanes]
    return _agreed(lanes, heads, words, free=strict, levels=levels, body_size=body_size)


def _closed_up(row: Row, *, gap: float) -> list[Stretch]:
    """The parts of a row that stand closer together than cells do: words of a text, a formula with all its parts."""
    inked = [(item.glyph.x, end_of(item.glyph), item.glyph.box) for item in row.items]
    inked += [(rule.box[0], rule.box[2], rule.box) for rule in row.rules]
    groups: list[list[Box]] = []
    end = 0.0
    for left, right, box in sorted(inked):
        if not groups or left - end > gap:
            groups.append([])
            end = right
        groups[-1].append(box)
        end = max(end, right)
    return [Stretch(union(group), row.y) for group in groups]


def _heads_on_last_level(titles: Sequence[Stretch], *, body_size: float) -> list[Box]:
    """The titles of the columns: those of the level with the most of them; titles in several rows as one."""
    if not titles:
        return []
    by_level: dict[float, list[Stretch]] = {}
    for stretch in titles:
        key = next((y for y in by_level if abs(y - stretch.y) < 0.25 * body_size), stretch.y)
        by_level.setdefault(key, []).append(stretch)
    return [stretch.box for stretch in max(by_level.values(), key=len)]


def _lanes(words: Sequence[Stretch], area: Box, *, allowed: int, gap: float) -> list[tuple[float, float]]:
    """Stretches of white from top to bottom; `allowed` rows may cross them."""
    left = area[0]
    bins = min(20_000, int((area[2] - left) * 2) + 2)
    change = [0] * (bins + 2)
    for word in words:
        change[max(0, min(bins, int((word.box[0] - left) * 2)))] += 1
        change[max(0, min(bins, int((word.box[2] - left) * 2) + 1))] -= 1
    lanes: list[tuple[float, float]] = []
    covered, start = 0, None
    seen = False
    for index in range(bins + 1):
        covered += change[index]
        if covered <= allowed:
            start = index if start is None else start
            continue
        if start is not None and seen and (index - start) / 2 >= gap:
            lanes.append((left + start / 2, left + index / 2))
        start, seen = None, True
    return lanes


def _occupied(
    lanes: Sequence[tuple[float, float]], words: Sequence[Stretch], *, levels: int, body_size: float
) -> list[tuple[float, float]]:
    """The lanes between columns that more than a few rows have something in; beside an empty one, the wider stays.

    One row is enough for a column that stands well apart: a formula beside a text of several rows.
    """
    kept = list(lanes)
    fewest = max(1, min(2, levels - 1), 0.15 * levels)
    while kept:
        edges = [float("-inf"), *((lane[0] + lane[1]) / 2 for lane in kept), float("inf")]
        counts = [
            len({round(word.y) for word in words if left < middle_x(word.box) <= right})
            for left, right in itertools.pairwise(edges)
        ]
        emptiest = min(range(len(counts)), key=lambda index: counts[index])
        if counts[emptiest] >= fewest:
            break
        beside = [index for index in (emptiest - 1, emptiest) if 0 <= index < len(kept)]
        if counts[emptiest] and len(kept) == 1 and kept[0][1] - kept[0][0] > 2 * body_size:
            break
        kept.pop(min(beside, key=lambda index: kept[index][1] - kept[index][0]))
    return kept


def _agreed(
    lanes: Sequence[tuple[float, float]],
    heads: Sequence[Box],
    body: Sequence[Stretch],
    *,
    free: Sequence[tuple[float, float]],
    levels: int,
    body_size: float,
) -> list[float]:
    """One lane between each two titles of columns: the widest there is."""
    chosen: list[float] = []
    ordered = sorted(heads, key=lambda box: box[0])
    for one, other in itertools.pairwise(ordered):
        between = [lane for lane in lanes if lane[1] > one[2] - 1 and lane[0] < other[0] + 1]
        between = [lane for lane in between if middle_x(one) < (lane[0] + lane[1]) / 2 < middle_x(other)] or between
        if between:
            # A lane that nothing crosses is the surer one, however narrow.
            lane = max(between, key=lambda lane: (lane in free, lane[1] - lane[0]))
            # Titles may be wider than what stands below them; the line must pass between those too.
            left, right = max(lane[0], one[2]), min(lane[1], other[0])
            chosen.append((left + right) / 2 if left < right else (lane[0] + lane[1]) / 2)
        elif other[0] - one[2] > 0.8 * body_size:
            chosen.append((one[2] + other[0]) / 2)
    # Columns without a title stand out by wide white alone.
    for lane in lanes:
        if lane[1] < ordered[0][0]:
            beyond = {round(s.y) for s in body if s.box[2] <= lane[0] + 1}
        elif lane[0] > ordered[-1][2]:
            beyond = {round(s.y) for s in body if s.box[0] >= lane[1] - 1}
        else:
            continue
        if lane[1] - lane[0] > 1.5 * body_size and len(beyond) > 0.6 * levels and levels > 2:
            chosen.append((lane[0] + lane[1]) / 2)
    return sorted(set(chosen))


# Rows of text in the columns of a table to rows of the table, where no borders part them. Reads no words.
#
# Text of several columns on one baseline begins a row. Cells of several rows stand with their first row on it, or
# centred on a label that stands beside no other text.

_RELATIONS = frozenset("=≈≡≤≥<>∝∼→")
_ROW_LEADS_ON = re.compile(
    rf"(?:[,\-–]|\b(?:{'|'.join(sorted(word_class('printed_pages.unfinished_cells')))}))\s*$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of text in the columns from `first` up to `end`."""

    row: Row
    first: int
    end: int

    @property
    def is_spanning(self) -> bool:
        return self.end - self.first > 1


def split_rows(entries: Sequence[Entry], *, size: float) -> list[list[Entry]]:
    """The rows of a table without borders between them, from top to bottom."""
    levels: list[list[Entry]] = []
    for entry in sorted(entries, key=lambda entry: entry.row.y):
        if levels and entry.row.y - levels[-1][0].row.y < 0.3 * size:
            levels[-1].append(entry)
        else:
            levels.append([entry])
    held = _held_by_labels(levels, size=size)
    widest = max((width(entry.row.box) for entry in entries if entry.first == 0 and not entry.is_spanning), default=0.0)
    rows: list[list[Entry]] = []
    bottom = 0.0
    for index, level in enumerate(levels):
        top = min(entry.row.box[1] for entry in level)
        is_spanning = any(entry.is_spanning for entry in level)
        was_spanning = bool(rows) and any(entry.is_spanning for entry in rows[-1])
        starts = len(level) > 1 or top - bottom > 0.9 * size or is_spanning != was_spanning
        starts = starts or _is_new_label(rows[-1] if rows else [], level, widest=widest)
        if index in held or index - 1 in held:
            # The first row above a label begins the row; the label and the rest go on with it.
            starts = index in held and held.get(index - 1) != held[index]
        if not rows or (starts and not _goes_on(rows[-1], level, size=size, widest=widest)):
            rows.append([])
        rows[-1].extend(level)
        bottom = max(bottom, *(entry.row.box[3] for entry in level))
    return rows


def _goes_on(row: Sequence[Entry], level: Sequence[Entry], *, size: float, widest: float) -> bool:
    """Whether a level goes on with the row above it: its label is the rest of the label there."""
    label = next((entry for entry in level if entry.first == 0), None)
    before = [other for other in row if other.first == 0]
    if label is None or not before or not _is_rest(before[-1], label, size=size):
        return False
    # Beside other cells, a label is the rest of one that filled its column; short labels may well begin in lower case.
    return len(level) == 1 or width(before[-1].row.box) > 0.8 * widest > 6 * size


def _is_new_label(row: Sequence[Entry], level: Sequence[Entry], *, widest: float) -> bool:
    """Whether a label begins below one that ended short of its column's edge."""
    label = next((entry for entry in level if entry.first == 0), None)
    before = [other for other in row if other.first == 0]
    if label is None or not before:
        return False
    first = label.row.items[0].glyph
    return first.text[:1].isupper() and not first.is_math_font and width(before[-1].row.box) < 0.75 * widest


def _is_rest(before: Entry, entry: Entry, *, size: float) -> bool:
    """Whether a label goes on in the next row: in lower case, inside brackets, or after a word that cannot end it."""
    if entry.row.y - before.row.y > 1.6 * size:
        return False
    text = "".join(item.glyph.text if item.gap < 0.15 else " " + item.glyph.text for item in before.row.items)
    if text.count("(") > text.count(")") or (
        _ROW_LEADS_ON.search(text) and not before.row.items[-1].glyph.is_math_font
    ):
        return True
    first = entry.row.items[0].glyph
    return not first.is_math_font and first.text[:1].islower() and first.style != "italic"


def _held_by_labels(levels: Sequence[list[Entry]], *, size: float) -> dict[int, int]:
    """Levels that stand above a label they belong to, with the level of that label: cells centred on their row.

    A label beside no other text holds as many rows above it as below, at the same distances.
    """
    held: dict[int, int] = {}
    last: Entry | None = None
    for index, level in enumerate(levels):
        label = next((entry for entry in level if entry.first == 0 and not entry.is_spanning), None)
        if label is None:
            continue
        is_rest = last is not None and _is_rest(last, label, size=size)
        last = label
        if is_rest:
            continue
        here = {entry.first for entry in level}
        step = 1
        while (
            _is_loose(levels, index - step, here) and _is_loose(levels, index + step, here) and index - step not in held
        ):
            above, below = levels[index - step][0].row.y, levels[index + step][0].row.y
            if abs((above + below) / 2 - label.row.y) > 0.45 * size:
                break
            held[index - step] = index
            step += 1
    held.update(_held_by_chains(levels, size=size))
    return held


def _held_by_chains(levels: Sequence[list[Entry]], *, size: float) -> dict[int, int]:
    """The same for an equation that stands around a label in several rows, begun by relations after the first."""
    labels = {
        index: entry
        for index, level in enumerate(levels)
        for entry in level
        if not entry.first and not entry.is_spanning
    }
    chains: dict[int, list[tuple[int, Entry]]] = {}
    held: dict[int, int] = {}
    for index, level in enumerate(levels):
        for entry in level:
            if entry.first == 0 or entry.is_spanning:
                continue
            chain = chains.get(entry.first, [])
            is_rest = bool(chain) and entry.row.items[0].glyph.text in _RELATIONS
            if not is_rest or entry.row.box[1] - chain[-1][1].row.box[3] > 0.9 * size:
                chain = []
            chains[entry.first] = chain = [*chain, (index, entry)]
            top, bottom = chain[0][1].row.box[1], chain[-1][1].row.box[3]
            inside = [i for i, label in labels.items() if top < middle_y(label.row.box) < bottom]
            if len(chain) > 1 and len(inside) == 1 and chain[0][0] not in labels:
                above = [i for i, _ in chain if i < inside[0]]
                if all(len(levels[i]) == 1 for i in above):
                    held.update(dict.fromkeys(above, inside[0]))
    return held


def _is_loose(levels: Sequence[list[Entry]], index: int, taken: set[int]) -> bool:
    """Whether a level stands in columns that a label has nothing in."""
    if not 0 <= index < len(levels):
        return False
    return all(entry.first not in taken and not entry.is_spanning for entry in levels[index])
