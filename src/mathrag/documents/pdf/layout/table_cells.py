"""A table area to a table: its rows, its cells and what they say. Finds no tables."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from statistics import median

from mathrag.documents.pdf.boxes import holds_middle, middle_x, middle_y, rounded, union
from mathrag.documents.pdf.layout.columns import Stretch
from mathrag.documents.pdf.layout.line_joining import is_broken, join_contents, join_maths
from mathrag.documents.pdf.layout.page_reading import Draft
from mathrag.documents.pdf.layout.pieces import Line, PageContext, read_line
from mathrag.documents.pdf.layout.rows import Row, find_rows
from mathrag.documents.pdf.layout.table_areas import TableArea, levels_of
from mathrag.documents.pdf.layout.table_columns import find_separators, words_apart
from mathrag.documents.pdf.layout.table_rows import Entry, split_rows
from mathrag.documents.pdf.page_content import Drawing, Glyph, Rule
from mathrag.types.document import Break, Cell, Content, Inline, Math, Place, Table, Text

_CONTINUES = re.compile(r"\s*(?:[=<>+]|\\(?:approx|equiv|le|leq|ge|geq|sim|simeq|propto|to|Rightarrow|ll|gg)\b)")
_SMALL = 0.8
_SMALL_PRINT = "it begins in smaller type than it goes on"
_LEADS_ON = re.compile(r"\b(?:where|with|of|at|for|if|when|is|and|or|by|from|to|in|constant)$", re.IGNORECASE)


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
        first = content[0] if content else None
        if isinstance(last, Math) and isinstance(first, Math) and _CONTINUES.match(first.source):
            result[-1] = join_maths(last, first)
            content = content[1:]
        elif result and content:
            result.append(Break())
        result.extend(content)
    return result
