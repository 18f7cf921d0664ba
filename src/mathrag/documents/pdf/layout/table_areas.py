"""Where tables stand. Reads no cells.

Ruled tables are ladders of horizontal borders of one width; a ladder may hold several tables, and they are cut apart.
Tables without borders are consecutive rows whose cells stand below each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mathrag.documents.boxes import Box, middle_x, middle_y, overlap_x, overlap_y, union
from mathrag.documents.boxes import area as box_area
from mathrag.documents.pdf.layout.columns import Stretch
from mathrag.documents.pdf.layout.rows import Row
from mathrag.documents.pdf.page_content import Glyph, Rule

_CAPTION = re.compile(r"(?:Table|Tab\.|Figure|Fig\.|Algorithm|Listing)\s*[A-Z]?\d", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TableArea:
    """A table on the page. `parts` are the stretches between its borders, from top to bottom; the first `heads` of them
    are its header. `is_open`: no border closes it, so it may go on on the next page. `has_row_borders`: borders part
    its rows, not only its header from its body."""

    box: Box
    parts: tuple[tuple[float, float], ...]
    heads: int
    is_open: bool
    verticals: tuple[float, ...] = ()
    has_row_borders: bool = False


@dataclass(frozen=True, slots=True)
class _Level:
    """What stands on one baseline inside a part."""

    y: float
    stretches: tuple[Stretch, ...]

    @property
    def box(self) -> Box:
        return union(stretch.box for stretch in self.stretches)

    @property
    def size(self) -> float:
        """The size of its words; 0 where it has none. Formulas may be set larger than the words beside them."""
        letters = (
            g for stretch in self.stretches for g in stretch.glyphs if g.text[:1].isalpha() and not g.is_math_font
        )
        return max((glyph.size for glyph in letters), default=0.0)

    @property
    def text(self) -> str:
        return "".join(glyph.text for stretch in self.stretches for glyph in stretch.glyphs)

    @property
    def is_bold(self) -> bool:
        letters = [g for stretch in self.stretches for g in stretch.glyphs if g.text[:1].isalpha()]
        return bool(letters) and sum(g.is_bold for g in letters) > 0.8 * len(letters)


def levels_of(stretches: Sequence[Stretch], *, body_size: float) -> list[_Level]:
    """The stretches by baseline; scripts and parts of fractions count to the nearest one of full size. A table may be
    set smaller than the text around it."""
    sizes = [max(glyph.size for glyph in s.glyphs) if s.glyphs else 0.0 for s in stretches]
    full = 0.8 * min(body_size, max(sizes, default=body_size))
    main = [s for s, size in zip(stretches, sizes, strict=True) if size > full] or list(stretches)
    groups: list[list[Stretch]] = []
    for stretch in sorted(main, key=lambda item: item.y):
        if groups and stretch.y - groups[-1][0].y < 0.25 * body_size:
            groups[-1].append(stretch)
        else:
            groups.append([stretch])
    return [_Level(group[0].y, tuple(sorted(group, key=lambda s: s.box[0]))) for group in groups]


def find_table_areas(
    borders: Sequence[Rule], verticals: Sequence[Rule], stretches: Sequence[Stretch], *, body_size: float
) -> list[TableArea]:
    """The ruled tables of a page, from top to bottom."""
    areas: list[TableArea] = []
    floor = max((stretch.box[3] for stretch in stretches), default=0.0) + 1.0
    for rules in _ladders(borders):
        ladder = _Ladder(rules, borders, stretches, body_size=body_size, floor=floor)
        areas.extend(ladder.tables())
        areas.extend(ladder.crossed(verticals))
    found: list[TableArea] = []
    for area in sorted(areas, key=lambda area: -box_area(area.box)):
        if not any(_share(area.box, other.box) for other in found):
            found.append(_with_verticals(_with_partial_head(area, borders, stretches, body_size=body_size), verticals))
    return sorted(found, key=lambda area: area.box[1])


def _share(one: Box, other: Box) -> bool:
    """Whether two tables overlap by more than the thickness of a border."""
    return overlap_x(one, other) > 1 and overlap_y(one, other) > 1


# In parts of the width of a table: a border below its header that leaves the first column free is this wide.
_PARTIAL = 0.5
# In the end of a cell that holds a number and nothing else.
_ONLY_NUMBER = re.compile(r"[-+−–]?[\d.,]+%?")


def _with_partial_head(
    area: TableArea, borders: Sequence[Rule], stretches: Sequence[Stretch], *, body_size: float
) -> TableArea:
    """The table with its header as far as a border below it that begins after the first column; no number stands
    above one."""
    left, _, right, _ = area.box
    if area.heads >= len(area.parts):
        return area
    top, bottom = area.parts[area.heads]
    partial = sorted(
        rule.box[1]
        for rule in borders
        if top + body_size / 2 < rule.box[1] < bottom - body_size
        and left + body_size < rule.box[0]
        and abs(rule.box[2] - right) < 2.5
        and rule.box[2] - rule.box[0] > _PARTIAL * (right - left)
    )
    if not partial:
        return area
    edge = partial[0]
    inside = [s for s in stretches if left - 1 < s.box[0] and s.box[2] < right + 1 and top < middle_y(s.box) < edge]
    levels = levels_of(inside, body_size=body_size)
    if not levels or len(levels) > 3 or any(_has_number(level, body_size) for level in levels):
        return area
    parts = (*area.parts[: area.heads], (top, edge), (edge, bottom), *area.parts[area.heads + 1 :])
    return replace(area, parts=parts, heads=area.heads + 1)


def _has_number(level: _Level, body_size: float) -> bool:
    """Whether a number stands by itself on a baseline."""
    words = "".join(
        f"{'  ' if place and glyph.x - before.box[2] > 0.55 * body_size else ''}{glyph.text}"
        for stretch in level.stretches
        for place, (before, glyph) in enumerate(zip((stretch.glyphs[0], *stretch.glyphs), stretch.glyphs, strict=False))
    )
    return any(_ONLY_NUMBER.fullmatch(word.strip()) for word in words.split("  "))


def _with_verticals(area: TableArea, verticals: Sequence[Rule]) -> TableArea:
    left, top, right, bottom = area.box
    inside: list[float] = []
    for rule in sorted(verticals, key=lambda rule: rule.box[0]):
        x = middle_x(rule.box)
        covers = min(bottom, rule.box[3]) - max(top, rule.box[1])
        if left + 2 < x < right - 2 and covers > 4 and (not inside or x - inside[-1] > 3):
            inside.append(x)
    return replace(area, verticals=tuple(inside))


def _ladders(borders: Sequence[Rule]) -> list[list[Rule]]:
    """Borders with the same ends, from top to bottom."""
    ladders: list[list[Rule]] = []
    for rule in sorted(borders, key=lambda rule: rule.box[1]):
        for ladder in ladders:
            if abs(ladder[0].box[0] - rule.box[0]) < 2.5 and abs(ladder[0].box[2] - rule.box[2]) < 2.5:
                ladder.append(rule)
                break
        else:
            ladders.append([rule])
    return ladders


# Prose side by side has so many rows in each column at least, of so many signs; a row of notes has so many.
_PROSE_ROWS, _LONG_ROW, _LONG_NOTE = 6, 30, 40
# A header has so many rows at most; a table whose vertical borders reach over its rungs has so many rungs.
_MOST_HEADS, _MOST_CROSSED, _MOST_CROSSING = 4, 40, 500


class _Ladder:
    """One ladder of borders and what stands between its rungs."""

    def __init__(
        self,
        rules: list[Rule],
        borders: Sequence[Rule],
        stretches: Sequence[Stretch],
        *,
        body_size: float,
        floor: float,
    ) -> None:
        self._body = body_size
        self._left = min(rule.box[0] for rule in rules)
        self._right = max(rule.box[2] for rule in rules)
        slack = 0.6 * body_size
        self._inside = [s for s in stretches if s.box[0] > self._left - slack and s.box[2] < self._right + slack]
        # What stands in the column beside is no text between the rungs.
        self._outside = [
            s
            for s in stretches
            if (s.box[0] <= self._left - slack or s.box[2] >= self._right + slack)
            and s.box[2] > self._left - slack
            and s.box[0] < self._right + slack
        ]
        self._rules = _without_doubles(rules)
        self._others = sorted(
            rule.box[1]
            for rule in borders
            if rule not in rules and rule.box[0] < self._right and rule.box[2] > self._left
        )
        self._floor = floor
        between = self._levels(self._rules[0].box[1], self._rules[-1].box[3])
        sizes = sorted(level.size for level in between if level.size)
        self._usual_size = sizes[len(sizes) // 2] if sizes else body_size
        counts = sorted(
            len(self._levels(self._edges(i)[1], self._edges(i + 1)[0])) for i in range(len(self._rules) - 1)
        )
        has_titles = any(self._is_title(index) for index in range(len(self._rules) - 1))
        self._has_row_borders = len(counts) >= 4 and counts[int(0.8 * (len(counts) - 1))] <= 4 and not has_titles

    def tables(self) -> list[TableArea]:
        """The tables of the ladder: from text to text between its rungs."""
        areas: list[TableArea] = []
        start = 0
        for index in range(len(self._rules)):
            is_last = index == len(self._rules) - 1
            if is_last or self._is_break(index, is_first=index == start):
                areas.extend(self._tables_between(start, index))
                start = index + 1
        return areas

    def _tables_between(self, start: int, end: int) -> list[TableArea]:
        thick = [rule.box[3] - rule.box[1] for rule in self._rules[start : end + 1]]
        if len(thick) >= 2 and max(thick) > 1.3 * max(min(thick), 0.05) and self._heavy_first(thick):
            # Thin borders may differ among themselves; those that open and close a table are as thick as the thickest.
            edge = (min(thick) + max(thick)) / 2
            return self._booktabs(start, end, {start + i for i, value in enumerate(thick) if value > edge})
        return self._uniform(start, end)

    def crossed(self, verticals: Sequence[Rule]) -> list[TableArea]:
        """The tables whose rungs are crossed by vertical borders that go on above the first or below the last of them:
        they say how far up and down a table reaches."""
        spans: list[tuple[float, float, list[float]]] = []
        inside = [rule.box for rule in verticals if self._left + 2 < middle_x(rule.box) < self._right - 2]
        for box in sorted(inside, key=lambda box: box[1])[:_MOST_CROSSING]:
            if spans and box[1] < spans[-1][1] + 1:
                top, bottom, places = spans[-1]
                spans[-1] = (top, max(bottom, box[3]), [*places, middle_x(box)])
            else:
                spans.append((box[1], box[3], [middle_x(box)]))
        found = [self._crossed_area(top, bottom, places) for top, bottom, places in spans]
        return [area for area in found if area is not None]

    def _crossed_area(self, top: float, bottom: float, places: Sequence[float]) -> TableArea | None:
        """The table between the ends of vertical borders, where they reach over its rungs and it is one: in plots few
        rows have something on both sides of a line."""
        white = 0.6 * self._body
        rungs = [rung.box for rung in self._rules if top - 1 < rung.box[1] and rung.box[3] < bottom + 1]
        if not rungs or len(rungs) > _MOST_CROSSED:
            return None
        is_above, is_below = top < rungs[0][1] - white, rungs[-1][3] + white < bottom
        if not (is_above or is_below) or any(top < s.y < bottom for s in self._outside):
            return None
        edges = [min(top, rungs[0][1]), *(y for rung in rungs for y in (rung[1], rung[3])), max(bottom, rungs[-1][3])]
        parts = [part for part in zip(edges[::2], edges[1::2], strict=True) if self._levels(*part)]
        levels = [level for part in parts for level in self._levels(*part)]
        if len(parts) < 2 or self._is_prose(levels) or any(_CAPTION.match(level.text) for level in levels):
            return None
        parted = [level for level in levels if any(level.box[0] < x < level.box[2] for x in places)]
        if len(parted) < 2 or len(parted) < 0.6 * len(levels) or not _are_clear(levels, places):
            return None
        has_head = is_above and len(self._levels(*parts[0])) <= _MOST_HEADS
        return TableArea((self._left, edges[0], self._right, edges[-1]), tuple(parts), int(has_head), False)

    def _heavy_first(self, thick: list[float]) -> bool:
        """Whether thick borders open and close tables and thin ones stand inside."""
        thin = sum(1 for value in thick if value <= 1.15 * min(thick))
        has_closing = len(thick) - thin >= 2 or len(thick) <= 3
        return thin >= 0.2 * len(thick) and has_closing and thick[0] > 1.15 * min(thick)

    def _levels(self, top: float, bottom: float) -> list[_Level]:
        slack = 0.2 * self._body
        inside = [stretch for stretch in self._inside if top - slack < middle_y(stretch.box) < bottom + slack]
        return levels_of(inside, body_size=self._body)

    def _edges(self, index: int) -> tuple[float, float]:
        return self._rules[index].box[1], self._rules[index].box[3]

    def _booktabs(self, start: int, stop: int, heavy: set[int]) -> list[TableArea]:
        areas: list[TableArea] = []
        index = start
        while index <= stop:
            if index not in heavy:
                index += 1
                continue
            end = index + 1
            while end <= stop and end not in heavy:
                end += 1
            is_closed = end <= stop
            if end == index + 1 and (not is_closed or not self._is_tabular(index, end)):
                index += 1
                continue
            area = self._area(index, min(end, stop), heads=1 if end > index + 1 else 0, is_open=not is_closed)
            if area:
                areas.append(area)
            index = end + 1 if is_closed else end
        return areas

    def _is_break(self, index: int, *, is_first: bool) -> bool:
        """Whether no row of a table stands between a border and the next: a caption, as some journals set it between
        borders, running text, or what is said below a table."""
        levels = self._levels(self._edges(index)[1], self._edges(index + 1)[0])
        if not levels:
            return False
        is_caption = len(levels) <= _MOST_HEADS and _CAPTION.match(levels[0].text) is not None
        return is_caption or self._is_prose(levels) or (not is_first and self._is_notes(levels))

    def _is_prose(self, levels: Sequence[_Level]) -> bool:
        """Whether rows are columns of running text side by side: many long rows that end at one edge in each half."""
        rows = [s for level in levels for s in level.stretches]
        middle = (self._left + self._right) / 2
        halves = [s for s in rows if s.box[2] < middle + 1], [s for s in rows if s.box[0] > middle - 1]
        if sum(map(len, halves)) < 0.8 * len(rows):
            return False
        return all(self._is_justified(half) for half in halves)

    def _is_justified(self, rows: Sequence[Stretch]) -> bool:
        long = [s for s in rows if len(s.glyphs) >= _LONG_ROW]
        if len(long) < _PROSE_ROWS or len(long) < 0.6 * len(rows):
            return False
        edge = max(s.box[2] for s in long)
        return sum(edge - s.box[2] < self._body for s in long) >= 0.6 * len(long)

    def _is_notes(self, levels: Sequence[_Level]) -> bool:
        """Whether rows are what is said below a table: they run over its whole width as prose does."""
        room = 0.75 * (self._right - self._left)
        first, *rest = levels
        letters = sum(character.isalpha() for character in first.text)
        is_long = len(first.text) >= _LONG_NOTE and letters > 0.7 * len(first.text)
        if len(first.stretches) > 1 or not is_long or first.box[2] - first.box[0] < room:
            return False
        # A justified row may have wide white between its words; the last one says which sign means what.
        is_single = all(len(level.stretches) == 1 or len(level.text) >= _LONG_NOTE for level in rest[:-1])
        return is_single and all(level.box[0] < first.box[0] + 2 * self._body for level in rest)

    def _is_tabular(self, start: int, end: int) -> bool:
        levels = self._levels(self._edges(start)[1], self._edges(end)[0])
        return sum(1 for level in levels if len(level.stretches) > 1) >= max(1, len(levels) // 2) and len(levels) > 1

    def _area(self, start: int, end: int, *, heads: int, is_open: bool, top: float | None = None) -> TableArea | None:
        """The table from one border to another, with what follows where no border closes it."""
        parts = [(self._edges(i)[1], self._edges(i + 1)[0]) for i in range(start, end)]
        if top is not None:
            parts.insert(0, (top, self._edges(start)[0]))
        bottom = self._edges(end)[1]
        if is_open:
            last = self._edges(end)[1]
            bottom = self._open_bottom(last)
            if bottom > last:
                parts.append((last, bottom))
        parts = [part for part in parts if self._levels(*part)]
        if not parts:
            return None
        first = top if top is not None else self._edges(start)[0]
        return TableArea((self._left, first, self._right, bottom), tuple(parts), min(heads, len(parts)), is_open)

    def _open_bottom(self, top: float) -> float:
        """How far down rows go on below the last border."""
        limit = min(
            [y for y in self._others if y > top + 1]
            + [r.box[1] for r in self._rules if r.box[1] > top + 1]
            + [self._floor]
        )
        outside = min((s.box[1] for s in self._outside if s.box[1] > top), default=limit)
        bottom = top
        usual = 0.0
        levels = self._levels(top, min(limit, outside))
        for level in levels:
            white = level.box[1] - bottom
            is_foot = level is levels[-1] and white > 0.9 * self._body and _is_page_number(level)
            # Below the border of a running head there is more white than between a header and its table.
            if white > (2.4 if bottom > top else 1.7) * self._body or (bottom > top and is_foot):
                break
            if usual and level.size > 1.15 * usual:
                break
            usual = usual or level.size
            bottom = max(bottom, level.box[3])
        lowest = [s.box[3] for s in self._inside if top < s.y < bottom + 0.9 * self._body and s.box[3] < limit]
        return max([bottom, *lowest]) + 0.5 if bottom > top else top

    def _uniform(self, start: int, end: int) -> list[TableArea]:
        areas: list[TableArea] = []
        for index in range(start, end + 1):
            is_last = index == end
            kind = "end" if is_last else self._kind(index, is_first=index == start)
            if kind == "rows":
                continue
            areas.extend(self._finish(start, index))
            start = index if kind == "title" else index + 1
        return areas

    def _finish(self, start: int, end: int) -> list[TableArea]:
        head = self._head_above(start)
        is_title_only = end == start + 1 and self._is_title(start)
        if end == start and head is None:
            return []
        is_open = is_title_only or (end == start and head is not None)
        heads = 1 if head is not None or is_title_only or self._looks_like_head(start, end) else 0
        area = self._area(start, end, heads=heads, is_open=is_open, top=head)
        if area is None or not self._is_table(area, has_title=is_title_only):
            return []
        bodies = area.parts[area.heads :]
        # Several tables may have rungs of one width; a single part of several rows has no borders between them.
        is_parted = len(bodies) > 1 or not bodies or len(self._levels(*bodies[0])) <= 2
        return [replace(area, has_row_borders=self._has_row_borders and is_parted)]

    def _kind(self, index: int, *, is_first: bool) -> str:
        top, bottom = self._edges(index)[1], self._edges(index + 1)[0]
        levels = self._levels(top, bottom)
        if not levels or any(top < s.y < bottom for s in self._outside):
            return "end"
        if not is_first and self._is_title(index):
            return "title"
        if self._is_foreign(levels, is_first=is_first):
            return "end"
        return "rows"

    def _is_title(self, index: int) -> bool:
        """One short row in the middle between two borders, over a table of several columns."""
        levels = self._levels(self._edges(index)[1], self._edges(index + 1)[0])
        if len(levels) != 1 or len(levels[0].stretches) != 1:
            return False
        return abs(middle_x(levels[0].box) - (self._left + self._right) / 2) < self._body

    def _is_foreign(self, levels: list[_Level], *, is_first: bool) -> bool:
        """Headings, captions or prose between two tables of the same width."""
        for level in levels:
            if level.size > 1.12 * self._usual_size or _CAPTION.match(level.text):
                return True
        bold = [level.is_bold for level in levels]
        return not is_first and bold[-1] and len(levels[-1].stretches) > 1 and (len(levels) == 1 or not bold[0])

    def _head_above(self, start: int) -> float | None:
        """The top of a header row above the first border."""
        edge = self._edges(start)[0]
        levels = self._levels(edge - 3.2 * self._body, edge)
        if not levels or any(edge - 3 * self._body < s.y < edge for s in self._outside):
            return None
        last = levels[-1]
        if edge - last.y > 2.2 * self._body or len(last.stretches) < 2 or _CAPTION.match(last.text):
            return None
        below = (
            self._levels(edge, self._edges(start + 1)[0])
            if start + 1 < len(self._rules)
            else self._levels(edge, edge + 3 * self._body)
        )
        if not below or not (last.is_bold or (not below[0].is_bold and len(below[0].stretches) == len(last.stretches))):
            return None
        top = last.box[1]
        for level in reversed(levels[:-1]):
            is_close = top - level.box[3] < 0.8 * self._body and level.size < 1.1 * last.size
            if level.is_bold and last.is_bold and is_close:
                top = level.box[1]
        return top - 0.5

    def _looks_like_head(self, start: int, end: int) -> bool:
        if end - start < 2:
            return False
        first = self._levels(self._edges(start)[1], self._edges(start + 1)[0])
        rest = [
            level for i in range(start + 1, end) for level in self._levels(self._edges(i)[1], self._edges(i + 1)[0])
        ]
        if all(level.is_bold for level in first) and not all(level.is_bold for level in rest):
            return True
        thick = [rule.box[3] - rule.box[1] for rule in self._rules[start : end + 1]]
        if len(thick) == 3 and thick[1] > 1.3 * max(thick[0], thick[2]) and len(first) <= _MOST_HEADS < len(rest):
            # The border below the header alone is thick.
            return True
        if len(thick) == 3 and self._is_titled(first, rest):
            return True
        has_digits = any(c.isdigit() or c == "=" for level in first for c in level.text)
        numbers = sum(any(c.isdigit() or c == "=" for c in level.text) for level in rest)
        has_one_long_body = end - start == 2
        return not has_digits and len(first) <= 2 and (numbers >= 0.5 * len(rest) or has_one_long_body)

    def _is_titled(self, first: Sequence[_Level], rest: Sequence[_Level]) -> bool:
        """Whether words stand between the first two of three borders and rows with numbers below: words of titles may
        have digits in them."""
        size = min(self._body, self._usual_size)
        if len(first) > _MOST_HEADS or len(rest) <= len(first) or any(_has_number(level, size) for level in first):
            return False
        is_several = max(len(level.stretches) for level in first) > 1
        is_worded = all(any(c.isalpha() for g in s.glyphs for c in g.text) for level in first for s in level.stretches)
        numbered = sum(
            any(c.isdigit() for s in level.stretches[1:] for g in s.glyphs for c in g.text) for level in rest
        )
        return is_several and is_worded and numbered >= 0.7 * len(rest)

    def _is_table(self, area: TableArea, *, has_title: bool) -> bool:
        levels = [level for part in area.parts for level in self._levels(*part)]
        several = sum(1 for level in levels if len(level.stretches) > 1)
        if sum(1 for level in levels if "....." in level.text) > 0.3 * len(levels):
            # Lines of contents, below the border of a running head.
            return False
        if has_title:
            return several >= 1
        if len(area.parts) == 2 and area.is_open:
            return len(levels) >= 3 and several >= 0.5 * len(levels)
        return len(levels) >= 2 and several >= 2 and several >= 0.25 * len(levels)


def _are_clear(levels: Sequence[_Level], places: Sequence[float]) -> bool:
    """Whether words stand beside vertical borders, not across them."""
    words = [word for level in levels for s in level.stretches for word in _words_of(s)]
    across = sum(any(left + 1 < x < right - 1 for x in places) for left, right in words)
    return across <= 0.1 * len(words)


def _words_of(stretch: Stretch) -> Iterator[tuple[float, float]]:
    """Where the words of a stretch begin and end."""
    start = end = None
    for glyph in stretch.glyphs:
        if start is None or end is None or glyph.box[0] - end > 0.15 * glyph.size:
            if start is not None and end is not None:
                yield start, end
            start = glyph.box[0]
        end = glyph.box[2]
    if start is not None and end is not None:
        yield start, end


def _is_page_number(level: _Level) -> bool:
    return len(level.stretches) == 1 and level.text.strip("-–·⋅ ").isdigit() and len(level.text) < 8


def _without_doubles(rules: list[Rule]) -> list[Rule]:
    """Two borders drawn close together as one."""
    kept: list[Rule] = []
    for rule in rules:
        if kept and rule.box[1] - kept[-1].box[3] < 3.5:
            continue
        kept.append(rule)
    return kept


# Tables without borders: consecutive rows whose cells stand below each other. Reads no cells.

# White of this many letters inside a row parts cells; between words it is never so wide.
_CELL_GAP = 0.95
_FEWEST_ROWS = 3
_MARKER = re.compile(r"[•●○◦▪■–—*·-]|\(?[0-9a-zA-Z]{1,3}[.)]|\[\d{1,3}\]|\[[A-Za-z+]{2,6}\d{2,4}\]")
_NUMBER = re.compile(r"\(\s*[A-Z]?\d{1,3}(?:[.\-–]\d{1,3}){0,2}[a-z]?\s*\)")


@dataclass(frozen=True, slots=True)
class UnruledTable:
    """A table from row `start` up to row `end` of its region."""

    start: int
    end: int
    area: TableArea


@dataclass(frozen=True, slots=True)
class _Cell:
    box: Box
    text: str
    is_bold: bool
    words: int


def find_unruled(rows: Sequence[Row], *, body_size: float) -> list[UnruledTable]:
    """The tables among the rows of a region."""
    cells = [_cells(row) for row in rows]
    found: list[UnruledTable] = []
    start = 0
    while start < len(rows):
        end = start
        lefts: list[float] = []
        while end < len(rows) and (end == start or _is_next(rows[end - 1], rows[end], body_size)):
            if len(cells[end]) > 1:
                lefts.extend(cell.box[0] for cell in cells[end][1:])
            elif not _is_rest(cells[end][0], lefts, body_size):
                break
            end += 1
        several = [row for row in cells[start:end] if len(row) > 1]
        if len(several) >= _FEWEST_ROWS and _is_table(several, body_size=body_size):
            found.append(UnruledTable(start, end, _area(rows[start:end], cells[start:end])))
        start = max(end, start + 1)
    return found


def _is_rest(cell: _Cell, lefts: Sequence[float], body_size: float) -> bool:
    """Whether a row with one cell goes on with a cell of a later column: it stands at that column's edge."""
    return sum(abs(cell.box[0] - left) < 0.3 * body_size for left in lefts) >= 1


def _cells(row: Row) -> list[_Cell]:
    return [_cell(glyphs) for glyphs in _groups(row)]


def _groups(row: Row) -> Iterator[list[Glyph]]:
    group: list[Glyph] = []
    for item in row.items:
        if group and item.gap > _CELL_GAP and not item.is_part:
            yield group
            group = []
        group.append(item.glyph)
    if group:
        yield group


def _cell(glyphs: Sequence[Glyph]) -> _Cell:
    letters = [glyph for glyph in glyphs if glyph.text[:1].isalpha() and not glyph.is_math_font]
    return _Cell(
        union(glyph.box for glyph in glyphs),
        "".join(glyph.text for glyph in glyphs),
        bool(letters) and all(glyph.is_bold for glyph in letters),
        len(letters),
    )


def _is_next(above: Row, below: Row, body_size: float) -> bool:
    return below.box[1] - above.box[3] < 1.3 * body_size and abs(above.size - below.size) < 0.12 * body_size


def _is_table(rows: Sequence[Sequence[_Cell]], *, body_size: float) -> bool:
    """Whether cells stand below each other in as many columns in most rows, and are not items, contents or formulas."""
    counts = [len(row) for row in rows]
    usual = max(set(counts), key=counts.count)
    regular = [row for row in rows if len(row) == usual]
    if len(regular) < max(_FEWEST_ROWS, 0.7 * len(rows)) or _is_other_listing(rows, regular):
        return False
    return all(_is_aligned([row[column].box for row in regular], body_size) for column in range(usual))


def _is_other_listing(rows: Sequence[Sequence[_Cell]], regular: Sequence[Sequence[_Cell]]) -> bool:
    """Whether rows that look like a table are lines of contents, items of a list or lines of one display."""
    if any("....." in cell.text for row in rows for cell in row):
        return True
    is_list = len(regular[0]) == 2 and all(_MARKER.fullmatch(row[0].text) for row in regular)
    if is_list or any(_NUMBER.fullmatch(row[-1].text) for row in rows):
        return True
    # Rows of nothing but formulas are lines of one display.
    return sum(any(cell.words >= 2 for cell in row) for row in regular) < 0.6 * len(regular)


def _is_aligned(boxes: Sequence[Box], body_size: float) -> bool:
    """Whether boxes share their left edges, their right edges or their middles."""
    edges = ([box[0] for box in boxes], [box[2] for box in boxes], [middle_x(box) for box in boxes])
    for values in edges:
        usual = sorted(values)[len(values) // 2]
        if sum(abs(value - usual) < 0.35 * body_size for value in values) >= 0.8 * len(values):
            return True
    return False


def _area(rows: Sequence[Row], cells: Sequence[Sequence[_Cell]]) -> TableArea:
    box = union(row.box for row in rows)
    box = (box[0] - 1.0, box[1] - 0.5, box[2] + 1.0, box[3] + 0.5)
    edge = (rows[0].box[3] + rows[1].box[1]) / 2
    if _is_head(cells):
        return TableArea(box, ((box[1], edge), (edge, box[3])), 1, False)
    return TableArea(box, ((box[1], box[3]),), 0, False)


def _is_head(cells: Sequence[Sequence[_Cell]]) -> bool:
    """Whether the first row names the columns: in bold, or in words where the others have numbers and signs."""
    first, rest = cells[0], cells[1:]
    if all(cell.is_bold for cell in first) and not all(cell.is_bold for row in rest for cell in row):
        return True
    if any(cell.words < 2 or any(c.isdigit() or c == "=" for c in cell.text) for cell in first):
        return False
    others = [cell for row in rest for cell in row]
    return sum(cell.words < 2 or any(c.isdigit() for c in cell.text) for cell in others) > 0.2 * len(others)
