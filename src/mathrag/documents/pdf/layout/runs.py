"""Glyphs to runs, neighbours on one baseline, and which runs belong to one piece of a row.

Pieces hold what stands off the baseline too: scripts, parts of fractions, limits, accents, what tall signs embrace.
Only neighbourhood is judged, never meaning: what the pieces say is left to the reader of formulas. Distances are in
parts of the size of the type beside them, and wider than in `formulas.thresholds`: what is joined here in vain is only
read with its row, what is missed is lost to its formula.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from mathrag.documents.boxes import Box, height, middle_x, middle_y, overlap_x, overlap_y, union, width
from mathrag.documents.pdf.page_content import Drawing, Glyph, Rule

# Glyphs to runs: neighbours on one baseline, and signs and bars that stand for themselves. Joins no runs into rows.

RunKind: TypeAlias = Literal["text", "tall", "bar", "drawing", "accent"]
BIG_OPERATORS = frozenset("∑∏∐∫∬∭∮∯∰⋃⋂⋁⋀⨁⨂⨀⨄⨆")
# The axis of a formula, on which bars and tall signs are centred, above its baseline in parts of the size.
AXIS = 0.25
# In sizes: a bracket of plain type is lower, so what is higher was stretched and says nothing about its baseline.
_TALL = 1.35
# White inside a run, as between words; columns and cells stand farther apart.
_WIDEST_GAP = 1.0
# What rounding leaves between the baselines of one row; the smallest shift of a script is larger.
_SAME_BASELINE = 0.07


@dataclass(slots=True, eq=False)
class Run:
    """Neighbours on one baseline. `y` is the baseline they stand on, or would stand on; `is_part` marks what is above,
    below or beside another run of its row: scripts, parts of fractions, limits, accents."""

    kind: RunKind
    glyphs: list[Glyph]
    y: float
    size: float
    box: Box
    rules: list[Rule] = field(default_factory=list)
    drawings: list[Drawing] = field(default_factory=list)
    is_part: bool = False
    ends: list[float] = field(default_factory=list)

    def end_before(self, x: float) -> float | None:
        """Where the last glyph ends that starts before `x`."""
        index = bisect_right(self.ends, x)
        return self.ends[index - 1] if index else None

    @property
    def is_big_operator(self) -> bool:
        return bool(self.glyphs) and self.glyphs[0].text in BIG_OPERATORS


def make_runs(
    glyphs: Iterable[Glyph], *, rules: Iterable[Rule] = (), drawings: Iterable[Drawing] = (), body_size: float
) -> list[Run]:
    """Every glyph and rule in exactly one run."""
    rules = list(rules)
    runs: list[Run] = []
    plain: list[Glyph] = []
    for glyph in glyphs:
        if glyph.text and unicodedata.combining(glyph.text[0]):
            runs.append(_single("accent", glyph, glyph.y))
        elif has_own_baseline(glyph):
            plain.append(glyph)
        else:
            runs.append(_single("tall", glyph, middle_y(glyph.box) + AXIS * body_size))
    bars = [rule for rule in rules if rule.is_horizontal]
    for group in _by_baseline(plain):
        runs.extend(_split(group, edges=_edges_near(group[0], bars)))
    for rule in rules:
        y = middle_y(rule.box) + AXIS * body_size
        runs.append(Run("bar", [], y, body_size, rule.box, rules=[rule]))
    for drawing in drawings:
        y = middle_y(drawing.box) + AXIS * body_size
        runs.append(Run("drawing", [], y, body_size, drawing.box, drawings=[drawing]))
    return runs


def has_own_baseline(glyph: Glyph) -> bool:
    """Whether a glyph stands on its baseline as letters do. Signs of extension fonts hang from it or tower over it."""
    if glyph.text in BIG_OPERATORS or "\u239b" <= glyph.text[:1] <= "\u23b7" or glyph.text == "√":
        return False
    size = max(glyph.size, 0.1)
    if height(glyph.box) > _TALL * size:
        return False
    return abs(middle_y(glyph.box) - (glyph.y - AXIS * size)) <= 0.5 * size


def _single(kind: RunKind, glyph: Glyph, y: float) -> Run:
    return Run(kind, [glyph], y, glyph.size, glyph.box, ends=[glyph.box[2]])


def _by_baseline(glyphs: list[Glyph]) -> list[list[Glyph]]:
    groups: list[list[Glyph]] = []
    start = float("-inf")
    for glyph in sorted(glyphs, key=lambda item: item.y):
        if glyph.y - start > _SAME_BASELINE * max(glyph.size, 4.0):
            groups.append([])
            start = glyph.y
        groups[-1].append(glyph)
    return groups


def _edges_near(glyph: Glyph, bars: Sequence[Rule]) -> list[float]:
    """The ends of the bars a baseline runs past: neighbours under two bars are two denominators, not one."""
    reach = 1.6 * glyph.size
    return sorted(x for bar in bars if abs(bar.box[1] - glyph.y) < reach for x in (bar.box[0], bar.box[2]))


def _split(group: list[Glyph], *, edges: Sequence[float]) -> list[Run]:
    group.sort(key=lambda item: item.x)
    parts: list[list[Glyph]] = []
    for glyph in group:
        before = parts[-1][-1] if parts else None
        if before is None or not _goes_on(before, glyph) or (edges and _is_parted(before, glyph, edges)):
            parts.append([])
        parts[-1].append(glyph)
    return [_text_run(part) for part in parts]


def _goes_on(before: Glyph, glyph: Glyph) -> bool:
    """Whether a glyph continues the run of the one before it: near enough, and neither its script nor its base."""
    is_near = glyph.x - end_of(before) <= _WIDEST_GAP * max(glyph.size, before.size)
    return is_near and 0.85 < glyph.size / max(before.size, 0.1) < 1.18


def _is_parted(before: Glyph, glyph: Glyph, edges: Sequence[float]) -> bool:
    end = before.box[2]
    if glyph.box[0] - end < 0.03 * glyph.size:
        return False
    index = bisect_left(edges, end - 0.12 * glyph.size)
    return index < len(edges) and edges[index] <= glyph.box[0] + 0.12 * glyph.size


def _text_run(glyphs: Sequence[Glyph]) -> Run:
    first = glyphs[0]
    box = union(glyph.box for glyph in glyphs)
    ends: list[float] = []
    furthest = float("-inf")
    for glyph in glyphs:
        furthest = max(furthest, end_of(glyph))
        ends.append(furthest)
    return Run("text", list(glyphs), first.y, max(glyph.size for glyph in glyphs), box, ends=ends)


def end_of(glyph: Glyph) -> float:
    """Where a glyph ends: the pen after it, or its ink where that reaches further."""
    return max(glyph.x + glyph.advance, glyph.box[2])


# A script is printed smaller than what it belongs to; this much at most.
_SCRIPT_SIZE = 0.88
# Runs that are looked at for one: five rows full of formulas have half of it.
_MOST_NEAR = 300
_RELATIONS = frozenset("=≡≈<>≤≥≠∝")
# Scripts of scripts are at most this large; TeX prints no smaller ones.
_SMALLEST = 0.62


class Groups:
    """Runs joined into groups, by number, with the box around each group."""

    def __init__(self, boxes: Sequence[Box]) -> None:
        self._parents = list(range(len(boxes)))
        self._boxes = list(boxes)

    def find(self, index: int) -> int:
        while self._parents[index] != index:
            self._parents[index] = self._parents[self._parents[index]]
            index = self._parents[index]
        return index

    def join(self, one: int, other: int) -> None:
        first, second = self.find(one), self.find(other)
        if first != second:
            self._parents[first] = second
            self._boxes[second] = union((self._boxes[first], self._boxes[second]))

    def box(self, index: int) -> Box:
        """The box around the group of a run."""
        return self._boxes[self.find(index)]


class Attachment:
    """The runs of a region, sorted by baseline, and how they hang together."""

    def __init__(self, runs: Sequence[Run], *, body_size: float) -> None:
        self._body = body_size
        self.runs = sorted(runs, key=lambda run: run.y)
        self.groups = Groups([run.box for run in self.runs])
        self._baselines = [run.y for run in self.runs]
        self._largest = max((run.size for run in self.runs if run.kind == "text"), default=body_size)
        self._attach_limits()
        self._root_bars: set[int] = set()
        self._attach_root_bars()
        self._attach_bars()
        self._attach_script_fractions()
        self._attach_tall()
        self._attach_scripts()
        self._attach_accents()

    def _between(self, top: float, bottom: float) -> Iterator[tuple[int, Run]]:
        """The runs whose baselines lie between two heights; on a crowded page those nearest to the middle alone."""
        start, end = bisect_left(self._baselines, top), bisect_right(self._baselines, bottom)
        if end - start > _MOST_NEAR:
            middle = bisect_left(self._baselines, (top + bottom) / 2, start, end)
            start, end = max(start, middle - _MOST_NEAR // 2), min(end, middle + _MOST_NEAR // 2)
        for index in range(start, end):
            yield index, self.runs[index]

    def _join(self, child: int, parent: int, *, is_part: bool) -> None:
        self.groups.join(child, parent)
        if is_part:
            self.runs[child].is_part = True

    def _attach_bars(self) -> None:
        bars = [(index, run) for index, run in enumerate(self.runs) if run.kind == "bar"]
        # Short bars first: those of inner fractions are no longer than those of outer ones.
        for index, bar in sorted(bars, key=lambda item: width(item[1].box)):
            if index in self._root_bars:
                continue
            above, below = self._sides_of_bar(index)
            if above and below and self._is_in_row(above, bar):
                above = []
            if above and below:
                for child in (*above, *below):
                    self._mark_parts(child)
                for child in (*above, *below):
                    self._join(child, index, is_part=True)
            elif above or below:
                # An overline, an underline or the top of a root: it goes where its content goes.
                for child in (*above, *below):
                    if _white_between(bar.box, self.runs[child].box) < 0.45 * bar.size:
                        self._join(index, child, is_part=False)
                        bar.is_part = True

    def _sides_of_bar(self, index: int) -> tuple[list[int], list[int]]:
        """What stands above and below a bar. Both parts have one size of type: a smaller one lacks a base."""
        above = self._beside_bar(index, is_above=True)
        below = self._beside_bar(index, is_above=False)
        if not above or not below:
            return above, below
        upper, lower = (max(self.runs[each].size for each in side) for side in (above, below))
        if upper < _SCRIPT_SIZE * lower:
            return self._with_bases(index, above, is_above=True), below
        if lower < _SCRIPT_SIZE * upper:
            return above, self._with_bases(index, below, is_above=False)
        bases = self._with_bases(index, above, is_above=True), self._with_bases(index, below, is_above=False)
        return bases if len(bases[0]) > len(above) and len(bases[1]) > len(below) else (above, below)

    def _is_in_row(self, above: Sequence[int], bar: Run) -> bool:
        """Whether what stands above a bar is a piece of a row that goes on beside it: the bar is over what is below.

        Only relations tell: two fractions side by side have numerators on one baseline too.
        """
        row = self.runs[above[0]]
        if len(above) > 1 or row.kind != "text":
            return False
        level = self._between(row.y - 0.05 * row.size, row.y + 0.05 * row.size)
        others = [other for index, other in level if index != above[0] and other.kind == "text"]
        return any(
            other.glyphs[0].text in _RELATIONS
            and 0 < other.box[0] - row.box[2] < 0.5 * row.size
            and other.box[0] > bar.box[2] - 0.1 * row.size
            for other in others
        )

    def _attach_script_fractions(self) -> None:
        """A fraction in an exponent goes with what stands beside it there, on its axis, or with the base itself."""
        for index, bar in enumerate(self.runs):
            if bar.kind != "bar" or index in self._root_bars or bar.is_part:
                continue
            box = self.groups.box(index)
            if height(box) <= height(bar.box) or height(box) > 2.2 * self._body:
                continue
            members = [run for i, run in self._near(box) if self.groups.find(i) == self.groups.find(index)]
            largest = max((run.size for run in members if run.kind == "text"), default=self._body)
            if largest > _SCRIPT_SIZE * self._body:
                continue
            beside = [
                (i, run)
                for i, run in self._near(box)
                if run.kind == "text" and self.groups.find(i) != self.groups.find(index) and self._is_beside(run, bar)
            ]
            if any(run.size > _SCRIPT_SIZE * self._body and self._is_on_axis(run, bar) for _, run in beside):
                continue
            for other_index, other in beside:
                is_script = other.size < _SCRIPT_SIZE * self._body and self._is_on_axis(other, bar)
                if is_script or _holds_fraction(other, bar.box, box):
                    self._join(index, other_index, is_part=True)

    def _is_beside(self, run: Run, bar: Run) -> bool:
        return -0.1 * self._body < -overlap_x(run.box, bar.box) < 0.3 * self._body

    def _is_on_axis(self, run: Run, bar: Run) -> bool:
        return abs(middle_y(bar.box) - (run.y - AXIS * run.size)) < 0.1 * self._body

    def _near(self, box: Box) -> Iterator[tuple[int, Run]]:
        return self._between(box[1] - 0.5 * self._body, box[3] + 1.5 * self._body)

    def _mark_parts(self, child: int) -> None:
        """Everything that hangs together with a part of a fraction is a part too."""
        root = self.groups.find(child)
        box = self.groups.box(child)
        size = self.runs[child].size
        for index, run in self._between(box[1] - 2 * size, box[3] + 2 * size):
            if self.groups.find(index) == root:
                run.is_part = True

    def _beside_bar(self, bar: int, *, is_above: bool) -> list[int]:
        """What stands directly above or below a bar and no wider than it."""
        left, top, right, bottom = self.runs[bar].box
        size = self.runs[bar].size
        best: list[tuple[float, int]] = []
        for index, run in self._between(top - 3 * size, bottom + 3 * size):
            if index == bar or (not width(run.box) and not height(run.box)):
                continue
            slack = 0.25 * run.size
            if run.box[0] < left - slack or run.box[2] > right + slack:
                continue
            gap = top - run.box[3] if is_above else run.box[1] - bottom
            is_beyond = run.y <= top + 0.15 * run.size if is_above else run.y >= bottom + 0.2 * run.size
            if run.kind == "bar":
                is_beyond = gap > 0
            if is_beyond and -0.25 * run.size <= gap <= 2.2 * run.size:
                best.append((gap, index))
        return self._on_one_level(best)

    def _on_one_level(self, candidates: list[tuple[float, int]]) -> list[int]:
        """What is nearest to a bar and what stands beside that; not what belongs to a row further away."""
        candidates.sort()
        if not candidates or candidates[0][0] > 0.85 * self.runs[candidates[0][1]].size:
            return []
        taken = [candidates[0][1]]
        band = self.groups.box(taken[0])
        for _, index in candidates[1:]:
            box = self.runs[index].box
            is_level = overlap_y(band, box) > 0.2 * max(min(height(box), height(band)), 0.1)
            if is_level or self.groups.find(index) == self.groups.find(taken[0]):
                taken.append(index)
                band = union((band, self.groups.box(index)))
        return taken

    def _with_bases(self, bar: int, scripts: list[int], *, is_above: bool) -> list[int]:
        """What stands beside a bar with the bases of scripts that stand nearer to it than they do, clear of them."""
        found = list(scripts)
        for script in scripts:
            run = self.runs[script]
            base = self._script_parent(script, run) if run.kind == "text" else None
            if base is None or base in found or self.runs[base].kind != "text":
                continue
            box = self.runs[base].box
            is_beyond = box[3] <= self.runs[bar].box[1] if is_above else box[1] >= self.runs[bar].box[3]
            if is_beyond and self._is_inside_bar(base, bar) and _white_between(run.box, box) < 0.25 * run.size:
                found.append(base)
        if found != scripts:
            level = union(self.runs[index].box for index in found)
            for index, other in self._between(level[1], level[3] + self._body):
                is_level = other.kind == "text" and overlap_y(level, other.box) > 0.5 * height(other.box)
                if is_level and index not in found and self._is_inside_bar(index, bar):
                    found.append(index)
        return found

    def _is_inside_bar(self, index: int, bar: int) -> bool:
        run, (left, _, right, _) = self.runs[index], self.runs[bar].box
        return run.box[0] >= left - 0.25 * run.size and run.box[2] <= right + 0.25 * run.size

    def _attach_tall(self) -> None:
        for index, run in enumerate(self.runs):
            if run.kind == "text" or run.kind == "accent" or run.kind == "bar":
                continue
            top, bottom = run.box[1], run.box[3]
            is_stacking = bottom - top > 2.0 * run.size and not _is_root(run) and not run.is_big_operator
            for other_index, other in self._between(top + 0.15 * run.size, bottom + 0.1 * run.size):
                if other_index == index:
                    continue
                if run.is_big_operator and abs(other.y - run.y) > 0.6 * run.size:
                    # The next row of prose may reach into the white below a sum.
                    continue
                near = -overlap_x(run.box, other.box) < (12.0 if is_stacking else 0.6) * run.size
                if near and overlap_y(run.box, other.box) > 0:
                    is_off_axis = abs(other.y - run.y) > 0.3 * run.size
                    self._join(other_index, index, is_part=is_off_axis or other.is_part)
            self._attach_touching(index, run)

    def _attach_touching(self, index: int, run: Run) -> None:
        """Pieces of one tall sign, one above the other."""
        if not _is_piece(run):
            return
        for other_index, other in self._between(run.box[1] - run.size, run.box[3] + 2 * run.size):
            is_in_line = other_index != index and _is_piece(other) and overlap_x(run.box, other.box) > 0
            if is_in_line and -overlap_y(run.box, other.box) < 0.12 * run.size:
                self._join(other_index, index, is_part=other.is_part)

    def _attach_root_bars(self) -> None:
        """The bar over a root goes with its sign and with what it covers, never with what stands above it."""
        for index, run in enumerate(self.runs):
            if not _is_root(run):
                continue
            size = run.size
            for bar_index, bar in self._between(run.box[1] - size, run.box[1] + 1.5 * size):
                if bar.kind != "bar" or abs(bar.box[1] - run.box[1]) > 0.2 * size:
                    continue
                if -0.3 * size < bar.box[0] - run.box[2] < 0.2 * size:
                    self._root_bars.add(bar_index)
                    self._join(bar_index, index, is_part=True)
                    self._attach_covered(bar_index, bottom=run.box[3])

    def _attach_covered(self, bar: int, *, bottom: float) -> None:
        left, top, right, _ = self.runs[bar].box
        for index, run in self._between(top, bottom + 0.5 * self.runs[bar].size):
            if index != bar and left - 1 <= run.box[0] and run.box[2] <= right + 1 and top - 1 <= run.box[1] <= bottom:
                self._join(index, bar, is_part=run.is_part)

    def _attach_limits(self) -> None:
        """Every limit goes to the one operator it is nearest to."""
        best: dict[int, tuple[float, int]] = {}
        for index, operator in enumerate(self.runs):
            if not operator.is_big_operator:
                continue
            reach = 1.4 * operator.size
            for other_index, other in self._between(operator.box[1] - reach, operator.box[3] + reach):
                distance = self._limit_distance(operator, other_index, other)
                if distance is not None and distance < best.get(other_index, (1e9, 0))[0]:
                    best[other_index] = (distance, index)
        for other_index, (_, index) in best.items():
            self._join(other_index, index, is_part=True)

    def _limit_distance(self, operator: Run, index: int, run: Run) -> float | None:
        """How far a run is from an operator whose limit it may be."""
        _, top, right, bottom = operator.box
        size = operator.size
        if run.kind != "text" or run.size > _SCRIPT_SIZE * size or self._is_prose(run, operator):
            return None
        is_beside = overlap_y(operator.box, run.box) > 0.15 * height(run.box)
        # An integral leans: its lower limit stands under the overhang of its upper end.
        is_under_overhang = run.y > bottom - 0.35 * height(operator.box) and run.box[0] > middle_x(operator.box) - 1.0
        reach = 0.6 if is_under_overhang else 0.3
        if is_beside and -reach * size < run.box[0] - right < 0.4 * size:
            # Above or below is the surer sign: what is beside one operator may be the limit of another.
            return abs(run.box[0] - right) + 0.15 * size
        gap = max(top - run.box[3], run.box[1] - bottom)
        is_over = overlap_x(operator.box, run.box) > 0.5 * min(width(operator.box), width(run.box))
        if is_over and -0.1 * size < gap < 0.75 * size and not self._is_at_letter(index, run):
            return None if self._is_in_fraction_of_row(run, operator) else max(gap, 0.0)
        return None

    def _is_in_fraction_of_row(self, run: Run, operator: Run) -> bool:
        """Whether a run stands at a bar on the axis of larger type beside it, in a fraction without the operator."""
        reach = 1.2 * run.size
        for _, bar in self._between(run.box[1] - reach, run.box[3] + reach):
            is_at_bar = bar.kind == "bar" and _white_between(bar.box, run.box) < 0.6 * run.size
            if not is_at_bar or overlap_x(bar.box, run.box) < 0.8 * width(run.box):
                continue
            if overlap_x(bar.box, operator.box) > 0.95 * width(operator.box):
                continue
            for _, other in self._between(bar.box[1] - 0.5 * self._body, bar.box[3] + self._body):
                is_larger = other.kind == "text" and run.size < _SCRIPT_SIZE * other.size
                if is_larger and self._is_on_axis(other, bar) and -overlap_x(other.box, bar.box) < 0.5 * self._body:
                    return True
        return False

    def _is_at_letter(self, index: int, run: Run) -> bool:
        """Whether a run is the script of a letter beside it, not a limit that only happens to stand near."""
        parent = self._script_parent(index, run)
        if parent is None or self.runs[parent].kind != "text":
            return False
        end = self.runs[parent].end_before(run.box[0] + 0.3 * run.size)
        size = self.runs[parent].size
        return end is not None and -0.4 * size < run.box[0] - end < 0.12 * size

    def _attach_scripts(self) -> None:
        bases: dict[int, int] = {}
        loose: list[int] = []
        for index, run in enumerate(self.runs):
            if run.kind != "text" or run.is_part:
                continue
            parent = self._script_parent(index, run)
            if parent is not None:
                self._join(index, parent, is_part=True)
                bases[index] = parent
            elif run.size < _SCRIPT_SIZE * self._largest:
                loose.append(index)
        for index in loose:
            script = self._script_before(index, bases)
            if script is not None:
                self._join(index, script, is_part=True)

    def _script_before(self, index: int, bases: Mapping[int, int]) -> int | None:
        """The script of the same base that a script stands behind: some programs set them one after the other."""
        run = self.runs[index]
        for other_index, other in self._between(run.y - 2 * run.size, run.y + 2 * run.size):
            base = self.runs[bases[other_index]] if other_index in bases else None
            if base is None or not 0.85 < run.size / max(other.size, 0.1) < 1.18:
                continue
            is_behind = -0.3 * run.size < run.box[0] - other.box[2] < 0.35 * run.size
            if is_behind and -0.95 * base.size < run.y - base.y < 0.5 * base.size:
                return other_index
        return None

    def _script_parent(self, index: int, run: Run) -> int | None:
        best: tuple[float, int] | None = None
        reach = 1.6 * run.size / 0.5
        for other_index, other in self._between(run.y - reach, run.y + reach):
            if other_index == index:
                continue
            cost = None if self._is_prose(run, other) else _script_cost(run, other)
            if cost is None and self._may_be_third_level(run):
                cost = _third_level_cost(run, other)
            if cost is not None and (best is None or cost < best[0]):
                best = (cost, other_index)
        return best[1] if best else None

    def _may_be_third_level(self, run: Run) -> bool:
        return run.size < _SMALLEST * self._body or (len(run.glyphs) <= 2 and run.size < 0.8 * self._largest)

    def _is_prose(self, run: Run, base: Run) -> bool:
        """Whether a run is as large as the text: no script then, even where formulas are set larger than the text."""
        return run.size > 0.95 * self._body and base.size < 1.3 * self._body

    def _attach_accents(self) -> None:
        for index, run in enumerate(self.runs):
            if run.kind != "accent":
                continue
            best: tuple[float, int] | None = None
            for other_index, other in self._between(run.y - 0.5 * run.size, run.y + 1.3 * run.size):
                if other.kind == "text" and overlap_x(run.box, other.box) > 0.2 * width(run.box):
                    distance = abs(other.y - run.y)
                    if best is None or distance < best[0]:
                        best = (distance, other_index)
            if best is not None:
                self._join(index, best[1], is_part=True)


def _is_root(run: Run) -> bool:
    return any(glyph.text == "√" for glyph in run.glyphs[:1]) or any(drawing.text == "√" for drawing in run.drawings)


def _is_piece(run: Run) -> bool:
    if run.kind != "tall" or not run.glyphs:
        return False
    text = run.glyphs[0].text
    return "\u239b" <= text[:1] <= "\u23b7" or text in ("|", "‖", "∣", "∥")


def _white_between(one: Box, other: Box) -> float:
    return -overlap_y(one, other)


def _script_cost(run: Run, base: Run) -> float | None:
    """How far a run is from being a script of another; None where it is none."""
    if base.kind == "accent" or base.kind == "drawing" or run.size > _SCRIPT_SIZE * base.size:
        return None
    size = base.size
    if base.kind == "text":
        shift = run.y - base.y
        if not -0.95 * size < shift < 0.5 * size or abs(shift) < 0.05 * size:
            return _underset_cost(run, base)
        end = base.end_before(run.box[0] + 0.3 * size)
        if end is not None and -0.45 * size < run.box[0] - end < 0.35 * size:
            return abs(run.box[0] - end) + 0.3 * abs(shift)
        if 0 <= base.box[0] - run.box[2] < 0.15 * size:
            return size + base.box[0] - run.box[2]
        return None
    # Beside a tall sign or the bar of a root or fraction: at its right end.
    gap = run.box[0] - base.box[2]
    if -0.3 * size < gap < 0.35 * size and overlap_y(run.box, base.box) > -0.4 * size and base.kind == "tall":
        return abs(gap) + 0.2 * size
    return None


def _holds_fraction(base: Run, bar: Box, fraction: Box) -> bool:
    """Whether a small fraction is the exponent or the index of a base to the left of it."""
    if base.box[2] > bar[0] + 1:
        return False
    height_over = base.y - middle_y(bar)
    is_exponent = 0.35 * base.size < height_over < 1.2 * base.size and fraction[3] < base.y + 0.05 * base.size
    return is_exponent or -0.6 * base.size < height_over < 0.1 * base.size


def _third_level_cost(run: Run, base: Run) -> float | None:
    """The script of a script may be no smaller than that, only lower or higher: the last index of `x_{k_{i_j}}`."""
    if base.kind != "text" or abs(run.size - base.size) > 0.1 * base.size:
        return None
    end = base.end_before(run.box[0] + 0.3 * base.size)
    is_shifted = 0.1 * base.size < abs(run.y - base.y) < 0.5 * base.size
    if end is None or not is_shifted or not -0.3 * base.size < run.box[0] - end < 0.15 * base.size:
        return None
    return abs(run.box[0] - end) + 0.3 * abs(run.y - base.y)


def _underset_cost(run: Run, base: Run) -> float | None:
    """Below a named operator such as lim or max."""
    size = base.size
    if not 0.5 * size <= run.y - base.y < 1.3 * size or run.box[1] - base.y > 0.5 * size:
        return None
    middle = middle_x(run.box)
    near = [glyph for glyph in base.glyphs if abs(middle_x(glyph.box) - middle) < 0.9 * size]
    name = "".join(glyph.text for glyph in near)
    if any(operator in name for operator in ("lim", "max", "min", "sup", "inf", "li", "im", "ma", "ax", "in")):
        return 2 * size
    return None
