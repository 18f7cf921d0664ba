"""What the drawn things of a page are: figures, formulas in outlines, bullets, bars of formulas, borders of tables.

Decodes no picture and reads no word; shapes are told by their size beside the usual size of the type, and by what
stands around them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from mathrag.documents.boxes import Box, area, height, holds_middle, meets, middle_x, middle_y, overlap_x, union, width
from mathrag.documents.pdf.layout.columns import Stretch
from mathrag.documents.pdf.layout.runs import AXIS
from mathrag.documents.pdf.page_content import Drawing, Glyph, PageContent, Rule

# More shapes than this are not looked at one by one: maps and plots of measured points.
_MOST_SHAPES = 3_000
# A figure has more strokes than a sign, a frame or a line under a heading.
_FEWEST_PARTS = 4
# In points: no border of a table is thicker.
_CORNER = 1.5


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure: its box, and the words printed inside it."""

    box: Box
    words: str


def find_figures(
    page: PageContent, rules: Sequence[Rule], stretches: Sequence[Stretch], *, body_size: float
) -> list[Figure]:
    """Raster pictures, and drawings that hang together and are no background of text."""
    boxes = [picture.box for picture in page.pictures if min(width(picture.box), height(picture.box)) > 1.5 * body_size]
    whole = page.width * page.height
    shapes = [drawing.box for drawing in page.drawings if not drawing.text]
    borders = [rule.box for rule in page.rules]
    large = [box for box in shapes if area(box) < 0.7 * whole and not _is_of_grid(box, borders, stretches)]
    lines = [rule.box for rule in rules]
    for cluster in clusters([*large, *lines], gap=0.9 * body_size):
        box = union(cluster)
        if height(box) < 3.5 * body_size or width(box) < 3.5 * body_size or len(cluster) < _FEWEST_PARTS:
            continue
        if sum(1 for part in cluster if part in large) < _FEWEST_PARTS or _is_background(
            box, stretches, body_size=body_size
        ):
            continue
        if _are_letters(cluster, body_size=body_size):
            continue
        boxes.append(box)
    merged = [union(cluster) for cluster in clusters(boxes, gap=0.5 * body_size)]
    return [Figure(box, _words(box, stretches)) for box in merged if area(box) < 0.95 * whole]


def _is_of_grid(box: Box, lines: Sequence[Box], stretches: Sequence[Stretch]) -> bool:
    """Whether a shape is the ground of a cell with words between two borders, or the dot where two borders meet."""
    if max(width(box), height(box)) < _CORNER:
        meeting = [line for line in lines if meets(line, box, slack=0.5)]
        return len({width(line) > height(line) for line in meeting}) == 2
    beside = [line for line in lines if width(line) > height(line) and overlap_x(line, box) > 0.9 * width(box)]
    is_below = any(abs(line[3] - box[1]) < _CORNER for line in beside)
    is_between = is_below and any(abs(line[1] - box[3]) < _CORNER for line in beside)
    return is_between and any(holds_middle(box, stretch.box) for stretch in stretches)


def clusters(boxes: Sequence[Box], *, gap: float) -> list[list[Box]]:
    """Boxes that touch, or nearly so, by group."""
    groups: list[tuple[Box, list[Box]]] = []
    for box in sorted(boxes, key=lambda box: box[1])[:_MOST_SHAPES]:
        touching = [group for group in groups if meets(group[0], box, slack=gap)]
        if not touching:
            groups.append((box, [box]))
            continue
        members = [box, *(member for group in touching for member in group[1])]
        outline = union((box, *(group[0] for group in touching)))
        kept = {id(group) for group in touching}
        groups = [group for group in groups if id(group) not in kept]
        groups.append((outline, members))
    return [members for _, members in groups]


def _is_background(box: Box, stretches: Sequence[Stretch], *, body_size: float) -> bool:
    """Whether rows of prose stand on a drawing: a coloured box, a frame around text."""
    rows = [s for s in stretches if holds_middle(box, s.box)]
    long = [s for s in rows if width(s.box) > 0.55 * width(box) and len(s.glyphs) > 25]
    letters = sum(len(s.glyphs) for s in rows)
    room = area(box) / (body_size * body_size)
    return len(long) >= 2 or letters > 0.8 * room


def _are_letters(cluster: Iterable[Box], *, body_size: float) -> bool:
    """Whether shapes are of the size of letters: text drawn as outlines."""
    sizes = sorted(max(width(box), height(box)) for box in cluster)
    return sizes[int(0.9 * (len(sizes) - 1))] < 2.2 * body_size


def _words(box: Box, stretches: Sequence[Stretch]) -> str:
    inside = sorted((s for s in stretches if holds_middle(box, s.box)), key=lambda s: (round(s.y), s.box[0]))
    return " ".join("".join(glyph.text for glyph in s.glyphs) for s in inside)[:1_000]


def drawn_formulas(
    page: PageContent,
    bars: Sequence[Rule],
    figures: Sequence[Figure],
    *,
    stretches: Sequence[Stretch],
    body_size: float,
) -> tuple[list[Stretch], list[Rule]]:
    """Signs drawn as outlines, one glyph without identity a formula; and the bars that belong to no such formula."""
    borders = [rule.box for rule in page.rules]
    filled = [drawing.box for drawing in page.drawings if drawing.is_filled and not drawing.text]
    nameless = [box for box in filled if not _is_of_grid(box, borders, stretches)]
    letters = [box for box in nameless if 0.1 * body_size < max(width(box), height(box)) < 5 * body_size]
    shapes = [box for box in letters if not any(holds_middle(figure.box, box) for figure in figures)]
    if not 1 < len(shapes) <= _MOST_SHAPES:
        return [], list(bars)
    free = list(bars)
    found: list[Stretch] = []
    for cluster in clusters(_with_bars(shapes, bars), gap=0.55 * body_size):
        parts = [box for box in cluster if box in shapes]
        if len(parts) < 2:
            continue
        box = union(cluster)
        free = [bar for bar in free if not holds_middle(box, bar.box)]
        y = middle_y(box) + AXIS * body_size
        glyph = Glyph("", "", body_size, box[0], y, width(box), box, is_math_font=True, evidence="none")
        found.append(Stretch(box, y, (glyph,)))
    return found, free


def _with_bars(shapes: Sequence[Box], bars: Sequence[Rule]) -> list[Box]:
    """The shapes, and the bars that stand among them."""
    near = [
        bar.box
        for bar in bars
        if any(overlap_x(bar.box, box) > 0 and abs(middle_y(box) - bar.box[1]) < 12 for box in shapes)
    ]
    return [*shapes, *near]


# Bullets of lists that are drawn as dots, not printed as signs: they become glyphs like any other bullet.


def drawn_bullets(drawings: Sequence[Drawing], stretches: Sequence[Stretch], *, body_size: float) -> list[Stretch]:
    """A bullet for every dot that stands before a row of text."""
    found: list[Stretch] = []
    for drawing in drawings:
        if drawing.text or not _is_dot(drawing, body_size):
            continue
        row = _row_after(drawing, stretches, body_size)
        if row is None:
            continue
        left, _, right, _ = drawing.box
        size = row.glyphs[0].size
        glyph = Glyph("•", "", size, left, row.y, right - left, drawing.box, evidence="shape")
        found.append(Stretch(drawing.box, row.y, (glyph,)))
    return found


def _is_dot(drawing: Drawing, body_size: float) -> bool:
    across, down = width(drawing.box), height(drawing.box)
    return 0.12 * body_size < across < 0.65 * body_size and abs(across - down) < 0.15 * body_size


def _row_after(drawing: Drawing, stretches: Sequence[Stretch], body_size: float) -> Stretch | None:
    y = middle_y(drawing.box)
    for stretch in stretches:
        is_beside = bool(stretch.glyphs) and stretch.box[1] - 1 < y < stretch.box[3] + 1
        if is_beside and 0 < stretch.box[0] - drawing.box[2] < 1.8 * body_size:
            return stretch
    return None


# Which drawn rules belong to formulas (bars, overlines) and which part the page: borders, lines under heads.

# Narrower than this many letters, a rule is always taken for a bar.
_NARROW = 6.0
# How far from its bar, in parts of the usual size, something inside a fraction may begin.
_TALL = 1.6


def merge_collinear(rules: Sequence[Rule]) -> list[Rule]:
    """Borders drawn cell by cell as the lines they look like."""
    merged: list[Box] = []
    for rule in sorted((r for r in rules if r.is_horizontal), key=lambda r: (round(r.box[1]), r.box[0])):
        left, top, right, bottom = rule.box
        if merged:
            last = merged[-1]
            if abs(last[1] - top) < 0.6 and abs(last[3] - bottom) < 0.8 and left - last[2] < 1.0:
                merged[-1] = (last[0], min(last[1], top), max(last[2], right), max(last[3], bottom))
                continue
        merged.append(rule.box)
    return [Rule(box) for box in merged]


def part_rules(
    rules: Sequence[Rule], stretches: Sequence[Stretch], *, body_size: float
) -> tuple[list[Rule], list[Rule], list[Rule]]:
    """Bars of formulas, horizontal borders, vertical borders. Lines under words are none of them."""
    rules = _without_underlines(rules, stretches)
    upright = [rule for rule in rules if not rule.is_horizontal]
    tall = [rule.box for rule in upright if height(rule.box) > 2 * body_size]
    bars = [rule for rule in rules if rule.is_horizontal and width(rule.box) <= _NARROW * body_size]
    borders: list[Rule] = []
    ordered = sorted(stretches, key=lambda stretch: stretch.box[1])
    wide = merge_collinear([r for r in rules if r.is_horizontal and width(r.box) > 0.8 * body_size])
    wide = [rule for rule in wide if width(rule.box) > _NARROW * body_size]
    ends = Counter((round(rule.box[0] / 2), round(rule.box[2] / 2)) for rule in wide)
    for rule in wide:
        # Three rules with the same ends are the borders of a table, however full its rows are.
        is_border = ends[(round(rule.box[0] / 2), round(rule.box[2] / 2))] >= 3
        is_border = is_border or any(_is_crossed(rule.box, line, body_size=body_size) for line in tall)
        is_bar = not is_border and _is_bar(rule.box, ordered, body_size=body_size)
        (bars if is_bar else borders).append(rule)
    verticals = [rule for rule in upright if rule.box[3] - rule.box[1] > 0.8 * body_size]
    bars.extend(rule for rule in upright if rule.box[3] - rule.box[1] <= 0.8 * body_size)
    return bars, borders, verticals


def _is_crossed(rule: Box, line: Box, *, body_size: float) -> bool:
    """Whether a vertical line crosses a rule and goes on a row above and below it, as none does in a fraction."""
    is_across = rule[0] + 0.5 * body_size < middle_x(line) < rule[2] - 0.5 * body_size
    return is_across and line[1] < rule[1] - 0.8 * body_size and rule[3] + 0.8 * body_size < line[3]


# In sizes: a line under words lies no deeper below their baseline; the white from there to the next row.
_UNDERLINE_DEPTH = 0.28
_ROW_WHITE = 0.5


def _without_underlines(rules: Sequence[Rule], stretches: Sequence[Stretch]) -> list[Rule]:
    """The rules without those that underline words: links, emphasis, titles."""
    lying = [rule for rule in rules if rule.is_horizontal]
    if not lying:
        return list(rules)
    underlines = {
        id(rule)
        for stretch in stretches
        if len(stretch.glyphs) > 1
        for rule in lying
        if 0 <= rule.box[1] - stretch.y < _UNDERLINE_DEPTH * stretch.glyphs[0].size
        and overlap_x(rule.box, stretch.box) > 0.9 * width(rule.box)
        and (_goes_on_beside(rule, stretch, lying) or _is_under_title(rule.box, stretch, stretches))
        and not _is_over_something(rule.box, stretch, stretches)
    }
    return [rule for rule in rules if id(rule) not in underlines]


def _is_over_something(rule: Box, above: Stretch, stretches: Sequence[Stretch]) -> bool:
    """Whether a line lies closer to what is below it than to the words above: an overline, the bar of a root."""
    size = above.glyphs[0].size
    for stretch in stretches:
        if stretch is above or stretch.box[3] < rule[1]:
            continue
        if _is_root_at(rule, stretch, body_size=size):
            return True
        is_below = stretch.y > rule[3] and overlap_x(stretch.box, rule) > 0.3 * min(width(rule), width(stretch.box))
        if is_below and stretch.box[1] - rule[3] < rule[1] - above.y:
            return True
    return False


def _goes_on_beside(rule: Rule, stretch: Stretch, lying: Sequence[Rule]) -> bool:
    """Whether what stands on a line goes on beside it on the same baseline, as no part of a fraction does."""
    left, top, right, _ = rule.box
    size = stretch.glyphs[0].size
    level = [other.box for other in lying if abs(other.box[1] - top) < 0.1 * size]
    free = [
        glyph.box
        for glyph in stretch.glyphs
        if not any(box[0] - 0.2 * size < middle_x(glyph.box) < box[2] + 0.2 * size for box in level)
    ]
    inside = [glyph for glyph in stretch.glyphs if left - 0.2 * size < middle_x(glyph.box) < right + 0.2 * size]
    is_beside = any(-0.1 * size < max(left - box[2], box[0] - right) < 0.7 * size for box in free)
    return is_beside and bool(inside) and not any(glyph.is_math_font for glyph in inside)


def _is_under_title(rule: Box, stretch: Stretch, stretches: Sequence[Stretch]) -> bool:
    """Whether a line lies under several letters of plain words from end to end, with white below it."""
    size = stretch.glyphs[0].size
    if any(glyph.is_math_font for glyph in stretch.glyphs) or width(rule) < 0.9 * width(stretch.box):
        return False
    if sum(glyph.text.isalpha() for glyph in stretch.glyphs) < max(4, 0.6 * len(stretch.glyphs)):
        return False
    below = [s for s in stretches if s.glyphs and s.y > rule[3] and overlap_x(s.box, rule) > 0]
    return all(s.box[1] - rule[3] > _ROW_WHITE * min(size, s.glyphs[0].size) for s in below)


def _is_bar(bar: Box, stretches: Sequence[Stretch], *, body_size: float) -> bool:
    """Whether what stands on one side fills a rule from end to end, close to it, and nothing reaches beyond it."""
    if any(_is_root_at(bar, stretch, body_size=body_size) for stretch in stretches):
        return True
    sides: tuple[list[Box], list[Box]] = ([], [])
    for stretch in stretches:
        box = stretch.box
        if box[1] > bar[3] + 1.2 * body_size or box[3] < bar[1] - 1.2 * body_size or overlap_x(bar, box) <= 0:
            continue
        above, below = bar[1] - box[3], box[1] - bar[3]
        gap = max(above, below)
        if gap > 0.7 * body_size:
            continue
        if box[0] < bar[0] - 0.5 * body_size or box[2] > bar[2] + 0.5 * body_size:
            if gap > -0.2 * body_size:
                return False
            continue
        sides[0 if above > below else 1].append(box)
    if max(sum(width(box) for box in side) for side in sides) >= 0.72 * width(bar):
        return True
    # The parts of a fraction of fractions leave white, but stand close together and in the middle.
    return _has_centred_sides(bar, sides, body_size=body_size) or _has_centred_sides(
        bar, _tall_sides(bar, stretches, body_size=body_size), body_size=body_size
    )


def _has_centred_sides(bar: Box, sides: Sequence[Sequence[Box]], *, body_size: float) -> bool:
    return all(_is_centred(bar, side, body_size=body_size) for side in sides) and any(
        width(union(side)) > 0.8 * width(bar) for side in sides
    )


def _tall_sides(bar: Box, stretches: Sequence[Stretch], *, body_size: float) -> tuple[list[Box], list[Box]]:
    """What stands above and below a rule as far as a fraction inside a fraction reaches, up to the next row of text."""
    found: list[tuple[float, int, Box]] = []
    limits = [_TALL * body_size] * 2
    for stretch in stretches:
        box = stretch.box
        side = 0 if box[1] + box[3] < bar[1] + bar[3] else 1
        gap = bar[1] - box[3] if side == 0 else box[1] - bar[3]
        if overlap_x(bar, box) <= 0 or gap > limits[side]:
            continue
        if box[0] < bar[0] - 0.5 * body_size or box[2] > bar[2] + 0.5 * body_size:
            limits[side] = gap
        found.append((gap, side, box))
    sides: tuple[list[Box], list[Box]] = ([], [])
    for side in (0, 1):
        inside = [(gap, box) for gap, which, box in found if which == side and gap < limits[side]]
        if inside and min(inside)[0] < 0.7 * body_size:
            sides[side].extend(box for _, box in inside)
    return sides


def _is_centred(bar: Box, side: Sequence[Box], *, body_size: float) -> bool:
    if not side:
        return False
    ordered = sorted(side)
    ends = accumulate((box[2] for box in ordered), max)
    gaps = [box[0] - end for end, box in zip(ends, ordered[1:], strict=False)]
    return abs(middle_x(union(side)) - middle_x(bar)) < 0.06 * width(bar) and max(gaps, default=0.0) < 2.4 * body_size


def _is_root_at(bar: Box, stretch: Stretch, *, body_size: float) -> bool:
    """Whether the sign of a root stands at the left end of a rule."""
    if len(stretch.glyphs) != 1 or stretch.glyphs[0].text != "√":
        return False
    box = stretch.box
    return abs(box[2] - bar[0]) < 0.3 * body_size and abs(box[1] - bar[1]) < 0.3 * body_size
