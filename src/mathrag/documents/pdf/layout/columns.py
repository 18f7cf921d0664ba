"""Where the columns of a page are and in which order they are read. Reads no words.

A page is cut where a gutter of white runs between runs of text; whatever crosses a gutter (a title, a wide table) parts
the page into bands. Side by side cells of a table are no columns: their rows stand on common baselines and are ragged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mathrag.documents.boxes import Box, middle_x, union, width
from mathrag.documents.pdf.page_content import Glyph

# How often a region is cut again: columns inside a band inside a column inside a page.
_DEPTH = 4
# Fewer rows beside each other are words of one row set apart, no columns.
_FEWEST_ROWS = 3
# The narrowest gutter, in parts of the usual size, and how much of the text may cross it, tried one after the other.
_GUTTER = 0.6
_EVEN_PARTS = (1 / 2, 1 / 3, 2 / 3, 1 / 4, 3 / 4)
# The share of the rows of a column that begin, or are centred, at one place.
_COMMON = 0.25
# Fewer rows stand beside each other by chance.
_MANY_ROWS = 8
_CROSSING = (0.0, 0.02, 0.05, 0.1, 0.2)
# In sizes: no cell of a table is this wide in so many of its rows, and every second row of a list of entries is short.
_WIDE_ROWS, _HALF_FULL = 20, 0.4
# Numbers of entries are no wider, in sizes; the gutter beside them is so many times as wide as the white behind them.
_LABEL_WIDTH, _WIDER = 3.0, 1.5
# In parts of the width of the page: a table or picture over all columns is wider.
_WIDE_OBJECT = 0.6
# In sizes: the number of a page is no wider, and stands this far from the rows of its text.
_FOLIO_WIDTH, _FOLIO_APART = 3.0, 1.5


@dataclass(frozen=True, slots=True)
class Stretch:
    """A run of text, or an object such as a table or picture, as the search for columns sees it."""

    box: Box
    y: float
    glyphs: tuple[Glyph, ...] = ()
    object: int | None = None


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the page that is read from top to bottom."""

    box: Box
    stretches: tuple[Stretch, ...]

    @property
    def glyphs(self) -> list[Glyph]:
        return [glyph for stretch in self.stretches for glyph in stretch.glyphs]

    @property
    def objects(self) -> list[int]:
        return [stretch.object for stretch in self.stretches if stretch.object is not None]


def find_regions(stretches: Sequence[Stretch], *, body_size: float) -> list[Region]:
    """The regions of a page in reading order; every stretch is in one."""
    ordered = sorted(stretches, key=lambda stretch: (stretch.y, stretch.box[0]))
    return _cut(ordered, body_size=body_size, depth=0)


def _cut(stretches: list[Stretch], *, body_size: float, depth: int) -> list[Region]:
    if not stretches:
        return []
    area = union(stretch.box for stretch in stretches)
    searched = stretches if depth else _without_folio(stretches, body_size=body_size)
    gutter = _find_gutter(searched, area, body_size=body_size) if depth < _DEPTH else None
    if gutter is None and not depth:
        gutter = _gutter_beside_objects(searched, area, body_size=body_size)
    if gutter is None:
        return [Region(area, tuple(stretches))]
    regions: list[Region] = []
    waiting: list[Stretch] = []
    for band, is_columns in _bands(stretches, gutter, body_size=body_size):
        if not is_columns:
            waiting.extend(band)
            continue
        if waiting:
            regions.extend(_cut(waiting, body_size=body_size, depth=_DEPTH))
            waiting = []
        left = [stretch for stretch in band if stretch.box[2] <= gutter[1]]
        right = [stretch for stretch in band if stretch.box[2] > gutter[1]]
        regions.extend(_cut(left, body_size=body_size, depth=depth + 1))
        regions.extend(_cut(right, body_size=body_size, depth=depth + 1))
    if waiting:
        regions.extend(_cut(waiting, body_size=body_size, depth=_DEPTH))
    return regions


def _gutter_beside_objects(stretches: Sequence[Stretch], area: Box, *, body_size: float) -> tuple[float, float] | None:
    """The gutter below or above tables and pictures over the whole page: these with their captions may cross it more
    often than rows are left that stand beside each other."""
    wide = [s.box for s in stretches if s.object is not None and width(s.box) > _WIDE_OBJECT * width(area)]
    if not wide:
        return None
    below = [s for s in stretches if s.object is None and s.box[1] > max(box[3] for box in wide)]
    above = [s for s in stretches if s.object is None and s.box[3] < min(box[1] for box in wide)]
    for part in (below, above):
        gutter = _find_gutter(part, area, body_size=body_size) if len(part) >= 2 * _MANY_ROWS else None
        if gutter is not None:
            return gutter
    return None


def _without_folio(stretches: list[Stretch], *, body_size: float) -> list[Stretch]:
    """The stretches without a page number alone on the last row: it stands in the middle, where the gutter is."""
    if len(stretches) < _FEWEST_ROWS:
        return stretches
    *others, last = stretches
    is_number = bool(last.glyphs) and all(glyph.text.isdecimal() for glyph in last.glyphs)
    is_apart = last.box[1] - max(stretch.box[3] for stretch in others) > _FOLIO_APART * body_size
    return others if is_number and is_apart and width(last.box) < _FOLIO_WIDTH * body_size else stretches


def _find_gutter(stretches: Sequence[Stretch], area: Box, *, body_size: float) -> tuple[float, float] | None:
    """The white lane with the most text on both sides and the least across it."""
    left, right = area[0], area[2]
    bins = int(right - left) + 1
    if bins < 12 * body_size or bins > 20_000:
        return None
    crossing = [0] * (bins + 1)
    for stretch in stretches:
        crossing[max(0, int(stretch.box[0] - left))] += 1
        crossing[min(bins, int(stretch.box[2] - left) + 1)] -= 1
    total = 0
    for index in range(bins):
        total += crossing[index]
        crossing[index] = total
    for share in _CROSSING:
        found = _widest_lanes(crossing[:bins], limit=int(share * len(stretches)), narrowest=_GUTTER * body_size)
        scored = [(_column_score(stretches, (left + i, left + j), area, body_size=body_size), i, j) for i, j in found]
        best = max(_without_labels(scored, body_size=body_size), default=(0.0, 0, 0))
        if best[0] > 0:
            return left + best[1], left + best[2]
    return None


def _without_labels(lanes: list[tuple[float, int, int]], *, body_size: float) -> list[tuple[float, int, int]]:
    """The lanes without those beside a wider one: they part the numbers of a list from its entries."""
    good = [lane for lane in lanes if lane[0] > 0]
    return [
        (score, start, end)
        for score, start, end in good
        if not any(
            b - a > _WIDER * (end - start) and max(start - b, a - end) < _LABEL_WIDTH * body_size for _, a, b in good
        )
    ]


def _widest_lanes(crossing: Sequence[int], *, limit: int, narrowest: float) -> list[tuple[int, int]]:
    """Stretches across the page, margins left out, that no more than `limit` runs cross."""
    lanes: list[tuple[int, int]] = []
    margin = int(0.12 * len(crossing))
    start: int | None = None
    for index in range(margin, len(crossing) - margin + 1):
        is_free = index < len(crossing) - margin and crossing[index] <= limit
        if is_free and start is None:
            start = index
        elif not is_free and start is not None:
            if index - start >= narrowest:
                lanes.append((start, index))
            start = None
    return lanes


def _sides(
    stretches: Sequence[Stretch], gutter: tuple[float, float]
) -> tuple[list[Stretch], list[Stretch], list[Stretch]]:
    left, right, across = [], [], []
    for stretch in stretches:
        if stretch.box[2] <= gutter[0] + 1.5:
            left.append(stretch)
        elif stretch.box[0] >= gutter[1] - 1.5:
            right.append(stretch)
        else:
            across.append(stretch)
    return left, right, across


def _column_score(stretches: Sequence[Stretch], gutter: tuple[float, float], area: Box, *, body_size: float) -> float:
    left, right, across = _sides(stretches, gutter)
    if not _are_columns(left, right, gutter, area, body_size=body_size):
        return 0.0
    return (
        min(len(_rows(left, body_size)), len(_rows(right, body_size)))
        - 2.0 * len(across)
        + (gutter[1] - gutter[0]) * 0.01
    )


def _rows(stretches: Sequence[Stretch], body_size: float) -> list[tuple[float, float, float]]:
    """Baselines with the left and right end of what stands on them."""
    rows: list[tuple[float, float, float]] = []
    for stretch in sorted(stretches, key=lambda item: item.y):
        if rows and stretch.y - rows[-1][0] < 0.3 * body_size:
            y, start, end = rows[-1]
            rows[-1] = (y, min(start, stretch.box[0]), max(end, stretch.box[2]))
        else:
            rows.append((stretch.y, stretch.box[0], stretch.box[2]))
    return rows


def _are_columns(
    left: Sequence[Stretch], right: Sequence[Stretch], gutter: tuple[float, float], area: Box, *, body_size: float
) -> bool:
    """Whether what stands on both sides of a gutter are columns of text rather than cells of a table."""
    left_rows, right_rows = _rows(left, body_size), _rows(right, body_size)
    if min(len(left_rows), len(right_rows)) < _FEWEST_ROWS:
        return False
    left_box, right_box = union(item.box for item in left), union(item.box for item in right)
    if min(width(left_box), width(right_box)) < 6 * body_size:
        return False
    fullness = [_fullness(rows, box) for rows, box in ((left_rows, left_box), (right_rows, right_box))]
    is_halved = abs(width(left_box) - width(right_box)) < 0.15 * width(area)
    is_wide = min(width(left_box), width(right_box)) > _WIDE_ROWS * body_size
    is_list = is_halved and is_wide and min(len(left_rows), len(right_rows)) >= _MANY_ROWS
    if min(fullness) > (_HALF_FULL if is_list else 0.45):
        return True
    baselines = [y for y, _, _ in right_rows]
    aligned = sum(1 for y, _, _ in left_rows if any(abs(y - other) < 0.12 * body_size for other in baselines))
    share = aligned / min(len(left_rows), len(right_rows))
    place = ((gutter[0] + gutter[1]) / 2 - area[0]) / max(width(area), 1.0)
    is_even = any(abs(place - part) < 0.035 for part in _EVEN_PARTS)
    is_even = is_even or abs(width(left_box) - width(right_box)) < 0.08 * width(area)
    if not _begins_together(right, area, body_size=body_size) and not _stand_beside(left, right, body_size=body_size):
        return False
    if max(fullness) > 0.6 and share < 0.5 and min(fullness) > 0.2:
        return True
    return is_even and share < 0.55 and min(len(left_rows), len(right_rows)) >= 5


def _fullness(rows: Sequence[tuple[float, float, float]], box: Box) -> float:
    """The share of rows that fill most of their column."""
    return sum(1 for _, start, end in rows if end - start > 0.75 * width(box)) / len(rows)


def _begins_together(right: Sequence[Stretch], area: Box, *, body_size: float) -> bool:
    """Whether rows right of a gutter share an edge, or a middle that is not that of the page.

    Displayed formulas between short rows of text share neither: each begins where its length leaves it, and they are
    centred on the page.
    """
    rows = _rows(_without_scripts(right, body_size=body_size), body_size)
    fewest = max(_FEWEST_ROWS, _COMMON * len(rows))
    if any(sum(abs(other - start) < 1.5 for _, other, _ in rows) >= fewest for _, start, _ in rows):
        return True
    middles = [(start + end) / 2 for _, start, end in rows]
    own = [middle for middle in middles if abs(middle - middle_x(area)) > 0.08 * width(area)]
    return any(sum(abs(other - middle) < 3.0 for other in own) >= fewest for middle in own)


def _without_scripts(stretches: Sequence[Stretch], *, body_size: float) -> list[Stretch]:
    return [s for s in stretches if s.object is not None or any(g.size > 0.85 * body_size for g in s.glyphs)]


def _stand_beside(left: Sequence[Stretch], right: Sequence[Stretch], *, body_size: float) -> bool:
    """Whether most rows have another one beside them; formulas displayed between rows of text have none."""
    sides = [_rows(_without_scripts(side, body_size=body_size), body_size) for side in (left, right)]
    shares = [
        sum(any(abs(y - other) < 0.6 * body_size for other, _, _ in others) for y, _, _ in rows) / max(1, len(rows))
        for rows, others in (sides, sides[::-1])
    ]
    return min(map(len, sides)) >= _MANY_ROWS and min(shares) > 0.4 and max(shares) > 0.6


def _bands(
    stretches: Sequence[Stretch], gutter: tuple[float, float], *, body_size: float
) -> list[tuple[list[Stretch], bool]]:
    """The page from top to bottom, parted by whatever crosses the gutter."""
    bands: list[tuple[list[Stretch], bool]] = []
    middle = (gutter[0] + gutter[1]) / 2
    titles = _titles(stretches, body_size=body_size)
    for stretch in stretches:
        is_across = (
            id(stretch) in titles
            or stretch.box[0] < middle < stretch.box[2]
            or (stretch.box[0] < gutter[0] - 1.5 and stretch.box[2] > gutter[1] + 1.5)
        )
        if bands and bands[-1][1] != is_across:
            bands[-1][0].append(stretch)
        else:
            bands.append(([stretch], not is_across))
    # A row beside a crossing one belongs to it: a title in pieces, a wide formula and its number.
    for index, (band, is_columns) in enumerate(bands):
        if is_columns and len(band) < 2:
            bands[index] = (band, False)
    return _without_foreign_rows(bands, body_size=body_size)


def _titles(stretches: Sequence[Stretch], *, body_size: float) -> set[int]:
    """Large rows in the middle above everything else: a title over three columns crosses no gutter."""
    area = union(stretch.box for stretch in stretches)
    found: set[int] = set()
    for y, start, end in _rows(stretches, body_size):
        row = [s for s in stretches if abs(s.y - y) < 0.3 * body_size]
        # Every piece of it is large: prose beside a list in smaller type is no title.
        size = min((max(glyph.size for glyph in s.glyphs) for s in row if s.glyphs), default=0.0)
        if size < 1.15 * body_size or abs((start + end) / 2 - middle_x(area)) > 1.5 * body_size:
            break
        found.update(id(s) for s in row)
    return found


def _without_foreign_rows(
    bands: list[tuple[list[Stretch], bool]], *, body_size: float
) -> list[tuple[list[Stretch], bool]]:
    baselines = [s.y for band, is_columns in bands if not is_columns for s in band if s.object is None]
    result: list[tuple[list[Stretch], bool]] = []
    for band, is_columns in bands:
        if not is_columns:
            result.append((band, False))
            continue
        beside: list[Stretch] = []
        rest: list[Stretch] = []
        for stretch in band:
            is_beside = any(abs(stretch.y - y) < 0.2 * body_size for y in baselines)
            (beside if is_beside else rest).append(stretch)
        for part, flag in ((beside, False), (rest, True)):
            if part:
                result.append((part, flag))
    return result


# What is usual on a page: the size of its prose and how letters are spread over sizes. Judges no single row.

# In points, for a page without letters.
DEFAULT_SIZE = 10.0


def letter_sizes(glyphs: Iterable[Glyph]) -> Counter[int]:
    """How many letters each size (in tenths of a point) has, letters of formula fonts left out."""
    sizes: Counter[int] = Counter()
    for glyph in glyphs:
        if not glyph.is_math_font and glyph.text.isalpha():
            sizes[round(glyph.size * 10)] += 1
    return sizes


def usual_size(sizes: Counter[int], *, glyphs: Iterable[Glyph] = ()) -> float:
    """The size most letters have; that of any glyph where there are no letters."""
    if not sizes:
        sizes = Counter(round(glyph.size * 10) for glyph in glyphs)
    if not sizes:
        return DEFAULT_SIZE
    # Sizes that differ by rounding alone (9.9 and 10.0) count together.
    best = max(sizes, key=lambda size: (sum(sizes[size + step] for step in (-1, 0, 1)), sizes[size]))
    return max(best / 10, 1.0)
