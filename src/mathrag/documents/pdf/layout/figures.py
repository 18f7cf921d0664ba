"""Pictures and drawn figures of a page, and formulas that are drawn as outlines. Decodes no picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mathrag.documents.pdf.boxes import height, holds_middle, meets, middle_y, overlap_x, union, width
from mathrag.documents.pdf.layout.columns import Stretch
from mathrag.documents.pdf.layout.runs import AXIS
from mathrag.documents.pdf.page_content import Box, Drawing, Glyph, PageContent, Rule

# More shapes than this are not looked at one by one: maps and plots of measured points.
_MOST_SHAPES = 3_000
_FEWEST_PARTS = 4


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
    large = [box for box in shapes if width(box) * height(box) < 0.7 * whole]
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
    return [Figure(box, _words(box, stretches)) for box in merged if width(box) * height(box) < 0.95 * whole]


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
    area = width(box) * height(box) / (body_size * body_size)
    return len(long) >= 2 or letters > 0.8 * area


def _are_letters(cluster: Iterable[Box], *, body_size: float) -> bool:
    """Whether shapes are of the size of letters: text drawn as outlines."""
    sizes = sorted(max(width(box), height(box)) for box in cluster)
    return sizes[int(0.9 * (len(sizes) - 1))] < 2.2 * body_size


def _words(box: Box, stretches: Sequence[Stretch]) -> str:
    inside = sorted((s for s in stretches if holds_middle(box, s.box)), key=lambda s: (round(s.y), s.box[0]))
    return " ".join("".join(glyph.text for glyph in s.glyphs) for s in inside)[:1_000]


def drawn_formulas(
    drawings: Sequence[Drawing], bars: Sequence[Rule], figures: Sequence[Figure], *, body_size: float
) -> tuple[list[Stretch], list[Rule]]:
    """Signs drawn as outlines, one glyph without identity a formula; and the bars that belong to no such formula."""
    shapes = [
        drawing.box
        for drawing in drawings
        if drawing.is_filled
        and not drawing.text
        and 0.1 * body_size < max(width(drawing.box), height(drawing.box)) < 5 * body_size
        and not any(holds_middle(figure.box, drawing.box) for figure in figures)
    ]
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
