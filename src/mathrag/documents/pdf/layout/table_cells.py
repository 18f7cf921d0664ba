"""A table area to a table: its columns, its rows, its cells and what they say. Finds no tables.

Columns are the lanes of white that rows share, or the vertical borders. Where no borders part the rows, text of several
columns on one baseline begins one.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median

from mathrag.documents.boxes import Box, holds_middle, middle_x, middle_y, overlap_x, rounded, union, width
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
from mathrag.documents.pdf.layout.table_rows import STARTS_NUMBER, Entry, split_rows, stacked_rows
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
    borders: Sequence[Rule] = ()

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All that lies across: short ones under the titles of groups may be taken for bars."""
        return (*self.bars, *self.borders)


class TableReader:
    """Reads one table area."""

    def __init__(self, area: TableArea, ink: TableInk, context: PageContext, *, vocabulary: Collection[str]) -> None:
        self._area = area
        self._ink = ink
        self._context = context
        self._vocabulary = vocabulary
        # A table may be set smaller than the text around it.
        sizes = sorted(glyph.size for stretch in ink.stretches for glyph in stretch.glyphs)
        self._type = min(context.body_size, sizes[len(sizes) // 2] if sizes else context.body_size)
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
            for entries in self._split(part, is_single=single and not is_head, is_head=is_head):
                cells = self._cells(entries, is_header=is_head)
                (header if is_head else rows).append(cells)
        if len(header) + len(rows) < 2 or _is_mostly_empty((*header, *rows), columns=self.columns):
            return None
        box = rounded(self._area.box)
        quote = "\n".join(" | ".join(_quote(cell) for cell in row) for row in (*header, *rows))
        table = Table(Place(page=self._context.number, box=box), quote, tuple(header), tuple(rows))
        return Draft(
            "table", table, box, column=column, rows=len(rows), is_full=self._area.is_open, edges=(box[0], box[2])
        )

    def _find_separators(self) -> list[float]:
        heads = [s for part in self._area.parts[: self._area.heads] for s in self._inside(part)]
        parts = self._area.parts[self._area.heads :] or self._area.parts
        size = self._context.body_size
        rows = [row for part in parts for row in self._rows_of_part(part)]
        titles = [word for word in words_apart(heads, gap=_BLANK * size) if not _is_small(word, self._type)]
        if self._area.verticals:
            return sorted([*self._area.verticals, *columns_of_numbers(rows, self._area, titles, body_size=size)])
        found = find_separators(rows, heads, self._area.box, body_size=size)
        found = [*found, *free_columns_of_numbers(rows, self._area.box, found, titles, body_size=size)]
        return _occupied_columns(
            found,
            [word.box for row in rows for word in _closed_up(row, gap=_CELL_GAP * size)]
            + [word.box for word in titles],
        )

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

    def _split(self, part: tuple[float, float], *, is_single: bool, is_head: bool = False) -> list[list[Entry]]:
        """The rows of a part: a new one begins where several columns have text on one baseline."""
        entries = sorted(self._entries(part, is_head=is_head), key=lambda entry: entry.row.y)
        if is_single and (several := stacked_rows(entries, columns=self.columns, size=self._context.body_size)):
            return several
        if is_single or not entries or (is_head and _is_interleaved(entries, size=self._context.body_size)):
            return [entries] if entries else []
        return split_rows(entries, size=self._context.body_size)

    def _entries(self, part: tuple[float, float], *, is_head: bool = False) -> list[Entry]:
        size = self._context.body_size
        spanning: dict[tuple[int, int], list[Glyph]] = {}
        columns: dict[int, list[Glyph]] = {}
        for stretch in self._inside(part):
            words = words_apart([stretch], gap=0.45 * size)
            if is_head:
                words = [each for word in words for each in self._titles(word, part)]
            for word in words:
                first, last = self._column(word.box[0] + 1), self._column(word.box[2] - 1)
                if is_head and (under := self._group_below(word)) is not None:
                    first, last = under
                if first != last and not _is_small(word, self._type):
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

    def _group_below(self, word: Stretch) -> tuple[int, int] | None:
        """The columns of a group whose title stands over a rule that reaches over them, and not over all columns."""
        size = self._type
        for rule in self._ink.rules:
            left, top, right, _ = rule.box
            is_under = (
                -0.2 * size < top - word.y < 1.2 * size and left - size < word.box[0] and word.box[2] < right + size
            )
            is_middle = abs(middle_x(word.box) - (left + right) / 2) < 1.5 * size
            if not is_under or not is_middle or right - left > 0.95 * width(self._area.box):
                continue
            inside = {self._column(middle_x(box)) for box in self._cell_boxes if left - 1 < middle_x(box) < right + 1}
            columns = sorted(inside)
            others = [
                s.box
                for s in words_apart(self._ink.stretches, gap=_CELL_GAP * size)
                if abs(s.y - word.y) < 0.3 * size
                and left < middle_x(s.box) < right
                and not overlap_x(s.box, word.box) > 0
            ]
            if not others and len(columns) > 1 and columns == list(range(columns[0], columns[-1] + 1)):
                return columns[0], columns[-1]
        return None

    def _titles(self, word: Stretch, part: tuple[float, float]) -> list[Stretch]:
        """A row of titles that stand as near to each other as words, each over the middle of its column; what stands
        otherwise is one title, and so is what has other titles below it."""
        first, last = self._column(word.box[0] + 1), self._column(word.box[2] - 1)
        heads = self._inside(part) if first != last and word.glyphs else []
        is_over_others = any(
            s.y - word.y > 0.5 * self._type and overlap_x(s.box, word.box) > 0 and not _is_small(s, self._type)
            for s in heads
        )
        if not heads or is_over_others or self._group_below(word) is not None:
            return [word]
        groups: dict[int, list[Stretch]] = {}
        for piece in words_apart([word], gap=_BLANK * self._type):
            groups.setdefault(self._column(middle_x(piece.box)), []).append(piece)
        # Scripts and what stands before them are pieces of their own.
        level = [s for s in words_apart(heads, gap=_BLANK * self._type) if abs(s.y - word.y) < 0.5 * self._type]
        titles: list[Stretch] = []
        for column in range(first, last + 1):
            pieces = groups.get(column, [])
            whole = [s.box for s in level if self._column(middle_x(s.box)) == column]
            if not pieces or not whole or not self._is_centred(union(whole), column):
                return [word]
            titles.append(Stretch(union(s.box for s in pieces), word.y, tuple(g for s in pieces for g in s.glyphs)))
        return titles

    def _is_centred(self, title: Box, column: int) -> bool:
        """Whether a title stands over the middle, or at an edge, of what is in its column, and over no other."""
        slack = 0.4 * self._type
        if self._column(title[0] + 1) != column or self._column(title[2] - 1) != column:
            return False
        cells = [box for box in self._cell_boxes if self._column(middle_x(box)) == column]
        near = sum(
            abs(middle_x(box) - middle_x(title)) < slack
            or abs(box[0] - title[0]) < slack
            or abs(box[2] - title[2]) < slack
            for box in cells
        )
        return len(cells) > 1 and near > 0.5 * len(cells)

    @cached_property
    def _cell_boxes(self) -> list[Box]:
        """Where the cells of the body stand."""
        gap = _CELL_GAP * self._context.body_size
        parts = self._area.parts[self._area.heads :]
        return [word.box for part in parts for row in self._rows_of_part(part) for word in _closed_up(row, gap=gap)]

    def _home(self, word: Stretch, size: float) -> int:
        """The column of a word; a script goes with what it stands at."""
        if _is_small(word, self._type):
            for other in self._ink.stretches:
                is_beside = (
                    -0.5 * size < word.box[0] - other.box[2] < 0.35 * size and abs(word.y - other.y) < 0.9 * size
                )
                if is_beside and not _is_small(other, self._type):
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


def _is_mostly_empty(rows: Sequence[Sequence[Cell]], *, columns: int) -> bool:
    """Whether most columns have nothing in them, not even a title: lines of a plot, no table."""
    filled: set[int] = set()
    for row in rows:
        column = 0
        for cell in row:
            if cell.content:
                filled.update(range(column, column + cell.columns) if cell.columns < columns else (column,))
            column += cell.columns
    return columns >= _FEWEST_OF_PLOT and len(filled) < 0.5 * columns


def _is_interleaved(entries: Sequence[Entry], *, size: float) -> bool:
    """Whether titles of one and of several rows stand centred beside each other: nearer than rows of a text, none of
    them across columns."""
    heights = sorted({round(entry.row.y, 1) for entry in entries})
    steps = [below - above for above, below in itertools.pairwise(heights) if below - above > 0.25 * size]
    return any(step < _HALF_ROW * size for step in steps) and not any(entry.is_spanning for entry in entries)


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

# White of this many letters may part two cells; between words it is narrower. Baselines nearer than so many letters are
# of cells with an odd and an even number of rows beside each other.
_CELL_GAP, _HALF_ROW = 0.55, 0.8
# White of this many letters parts words.
_BLANK = 0.15
# A plot with lines at its ticks looks like so many columns at least.
_FEWEST_OF_PLOT = 5
# A title over groups of columns has more rows below it.
_FEWEST_BELOW = 3


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
    every = [word for row in rows for word in _closed_up(row, gap=gap)]
    rows = rows if head else _below_titles(rows, gap=gap)
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
        return [_clear_place(lane, every) for lane in lanes]
    return _agreed(lanes, heads, words, free=strict, levels=levels, body_size=body_size)


def _below_titles(rows: Sequence[Row], *, gap: float) -> Sequence[Row]:
    """The rows without a first one of a few titles over groups of columns: they cross the lanes between these."""
    counts = [len(_closed_up(row, gap=gap)) for row in rows]
    is_titled = len(rows) > _FEWEST_BELOW and 1 < counts[0] <= median(counts[1:]) / 2
    return rows[1:] if is_titled else rows


def _clear_place(lane: tuple[float, float], words: Sequence[Stretch]) -> float:
    """Where in a lane the columns part: in its middle, or beside it where fewer titles are cut."""
    crossing = [word.box for word in words if word.box[0] < lane[1] and word.box[2] > lane[0]]
    middle = (lane[0] + lane[1]) / 2
    places = [middle, *(edge for box in crossing for edge in (box[0] - 1, box[2] + 1) if lane[0] < edge < lane[1])]
    return min(places, key=lambda x: (sum(box[0] < x < box[2] for box in crossing), abs(x - middle)))


# In parts of the rows: so many have a number to the right of a lane that parts columns of numbers.
_NUMBERED = 0.6
_WHOLE_NUMBER = re.compile(r"[-+−–]?\d[\d,.]*%?")


def columns_of_numbers(
    rows: Sequence[Row], area: TableArea, titles: Sequence[Stretch] = (), *, body_size: float
) -> list[float]:
    """Where columns part between two vertical borders: lanes of white with a number to the right in most rows, as in
    tables whose few borders part groups of columns."""
    gap = _CELL_GAP * body_size
    found: list[float] = []
    edges = (area.box[0], *area.verticals, area.box[2])
    for left, right in itertools.pairwise(edges):
        parts = [_cut_up(row, left, right, gap=gap) for row in rows]
        parts = [part for part in parts if part]
        several = sum(len(part) > 1 for part in parts)
        if several < max(2, _NUMBERED * len(parts)):
            continue
        words = [word for part in parts for word, _ in part]
        lanes = _lanes(words, (left, area.box[1], right, area.box[3]), allowed=int(0.25 * len(parts)), gap=gap)
        for lane in lanes:
            after = [_first_after(part, lane[1]) for part in parts]
            before = [_last_before(part, lane[0]) for part in parts]
            numbers = sum(text is not None and STARTS_NUMBER.match(text) is not None for text in after)
            worded = sum(_is_word_beside_number(*pair) for pair in zip(before, after, strict=True))
            if numbers >= max(2, _NUMBERED * len(parts)) or worded == len(parts) > 2:
                found.append(_clear_place(lane, titles))
    return found


# A label or a number ends so; after a relation or an operator comes the rest of a formula.
_ENDS_CELL = re.compile(r"[\w)\]%*∗†‡§.'’\"-]$")
_FEWEST_NUMBERED = 3


def free_columns_of_numbers(
    rows: Sequence[Row], area: Box, found: Sequence[float], titles: Sequence[Stretch] = (), *, body_size: float
) -> list[float]:
    """Where columns part that no title of their own tells: white that no row crosses, with numbers below each other to
    the right and a label or a number to the left."""
    sizes = sorted(row.size for row in rows)
    if len(rows) < _FEWEST_NUMBERED:
        return []
    gap = _CELL_GAP * min(body_size, sizes[len(sizes) // 2])
    parts = [part for row in rows if (part := _cut_up(row, area[0] - 1, area[2] + 1, gap=gap))]
    words = [word for part in parts for word, _ in part]
    added: list[float] = []
    for lane in _lanes(words, area, allowed=0, gap=gap):
        if any(lane[0] - 1 < x < lane[1] + 1 for x in found):
            continue
        pairs = [(_last_before(part, lane[0]), _first_after(part, lane[1])) for part in parts]
        beside = [(before, after) for before, after in pairs if after is not None]
        numbers = [
            before is not None and _ENDS_CELL.search(before) is not None and STARTS_NUMBER.match(after) is not None
            for before, after in beside
        ]
        if len(numbers) >= _FEWEST_NUMBERED and len(numbers) > 0.5 * len(parts) and sum(numbers) > 0.8 * len(numbers):
            added.append(_clear_place(lane, titles))
    return added


def _occupied_columns(separators: Sequence[float], boxes: Sequence[Box]) -> list[float]:
    """The places where columns part, without one beside a column that nothing stands in."""
    kept: list[float] = []
    ordered = sorted(separators)
    before = float("-inf")
    for x in ordered:
        if any(before < middle_x(box) <= x for box in boxes):
            kept.append(x)
            before = x
    while kept and not any(middle_x(box) > kept[-1] for box in boxes):
        kept.pop()
    return kept


def _cut_up(row: Row, left: float, right: float, *, gap: float) -> list[tuple[Stretch, str]]:
    """The parts of a row between two borders that stand as far apart as cells do, with their text."""
    groups: list[list[Glyph]] = []
    end = 0.0
    for glyph in sorted((item.glyph for item in row.items if left < item.glyph.x < right), key=lambda each: each.x):
        if not groups or glyph.x - end > gap:
            groups.append([])
            end = end_of(glyph)
        groups[-1].append(glyph)
        end = max(end, end_of(glyph))
    return [
        (Stretch(union(glyph.box for glyph in group), row.y), "".join(glyph.text for glyph in group))
        for group in groups
    ]


def _first_after(part: Sequence[tuple[Stretch, str]], edge: float) -> str | None:
    return next((text for word, text in part if word.box[0] >= edge - 1), None)


def _last_before(part: Sequence[tuple[Stretch, str]], edge: float) -> str | None:
    return next((text for word, text in reversed(part) if word.box[2] <= edge + 1), None)


def _is_word_beside_number(before: str | None, after: str | None) -> bool:
    """Whether a lane has a number to the left and a word to the right; what is shorter than a word may be a unit."""
    is_number = before is not None and _WHOLE_NUMBER.fullmatch(before) is not None
    return is_number and after is not None and len(after) > 3 and after.isalpha()


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
    fullest = max(by_level.values(), key=len)
    boxes = [stretch.box for stretch in fullest]
    y = fullest[0].y
    for level, stretches in by_level.items():
        # Titles of two rows stand half a row above and below those of one.
        if 0.25 * body_size < abs(level - y) < _HALF_ROW * body_size:
            free = [each.box for each in stretches if all(overlap_x(each.box, box) <= 0 for box in boxes)]
            boxes.extend(free)
    return boxes


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
    chosen.extend(_untitled(lanes, ordered, body, free=free, levels=levels, body_size=body_size))
    return sorted(set(chosen))


def _untitled(
    lanes: Sequence[tuple[float, float]],
    ordered: Sequence[Box],
    body: Sequence[Stretch],
    *,
    free: Sequence[tuple[float, float]],
    levels: int,
    body_size: float,
) -> list[float]:
    """Where columns without a title part from the others: they stand out by wide white alone."""
    chosen: list[float] = []
    for lane in lanes:
        # Numbers below the first title may begin to the right of it.
        if lane[0] <= ordered[0][0] + 1 and (lane[0] + lane[1]) / 2 < middle_x(ordered[0]):
            beyond = {round(s.y) for s in body if s.box[2] <= lane[0] + 1}
        elif lane[0] > ordered[-1][2]:
            beyond = {round(s.y) for s in body if s.box[0] >= lane[1] - 1}
        else:
            continue
        is_before = lane[0] <= ordered[0][0] + 1
        # Labels of all rows with no title over them, up to where the titles begin, are a column by themselves.
        is_labels = is_before and lane in free and lane[1] < ordered[0][0] + 2 and len(beyond) == levels
        widest = (1.0 if is_labels else 1.5) * body_size
        if lane[1] - lane[0] > widest and len(beyond) > 0.6 * levels and levels > 2:
            right = min(lane[1], max(ordered[0][0], lane[0] + 1)) if is_before else lane[1]
            chosen.append((lane[0] + right) / 2)
    return chosen
