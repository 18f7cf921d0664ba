"""Glyphs to runs: neighbours on one baseline, and signs and bars that stand for themselves. Joins no runs into rows."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from mathrag.documents.pdf.boxes import height, middle_y, union
from mathrag.documents.pdf.page_content import Box, Drawing, Glyph, Rule

RunKind: TypeAlias = Literal["text", "tall", "bar", "drawing", "accent"]
BIG_OPERATORS = frozenset("∑∏∐∫∬∭∮∯∰⋃⋂⋁⋀⨁⨂⨀⨄⨆")
# The axis of a formula, on which bars and tall signs are centred, above its baseline in parts of the size.
AXIS = 0.25
_TALL = 1.35
_WIDEST_GAP = 1.0
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
        if (
            before is None
            or glyph.x - end_of(before) > _WIDEST_GAP * max(glyph.size, before.size)
            or not 0.85 < glyph.size / max(before.size, 0.1) < 1.18
            or (edges and _is_parted(before, glyph, edges))
        ):
            parts.append([])
        parts[-1].append(glyph)
    return [_text_run(part) for part in parts]


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
