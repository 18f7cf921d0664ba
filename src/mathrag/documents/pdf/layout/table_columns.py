"""The columns of a table: lanes of white that its rows share, or its vertical borders. Reads no cells."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from mathrag.documents.pdf.boxes import middle_x, union
from mathrag.documents.pdf.layout.columns import Stretch
from mathrag.documents.pdf.layout.rows import Row
from mathrag.documents.pdf.layout.runs import end_of
from mathrag.documents.pdf.page_content import Box, Glyph

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
