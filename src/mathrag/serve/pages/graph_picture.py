"""Draw the picture of a library as SVG: nodes as links with titles, lines by kind, names where there is room.

Everything from documents is escaped. Colours are classes of `graph.css`; the few attributes are for viewers without it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from urllib.parse import urlencode

from mathrag.library.views.graph import (
    EDGE_KINDS,
    NO_FIELD,
    EdgeKind,
    GraphFilter,
    GraphNode,
    GraphView,
    Point,
    cluster_radius,
)

# Drawn units for one unit of a node's size; nodes stand further apart where there are few of them.
SCALE = 40.0
# Up to so many nodes, so much further apart: a few of them have room for their names.
_SPREAD = ((12, 3.2), (40, 2.6), (150, 1.6))
COLOURS = 8
_CLUSTER_SPREAD = 1.35
_MARGIN = 1.4
# The width and height, in pixels, of a window for which names are chosen.
_WINDOW = (1000.0, 620.0)
_LETTER_PIXELS, _LETTER_WIDTH = 12.5, 0.57
# How much room a name has around it, in sizes of a letter.
_GAP = 0.7
_LONGEST_NAME = 30
# More names than this cover each other wherever they stand.
_MOST_NAMES = 250
# One element for each line would be slow to draw, one for all of them slow to redraw.
_LINES_IN_A_PATH = 24
# Beyond so many lines arrows are only specks.
_MOST_ARROWS = 1_200
_PLAIN_COLOURS = {"document": "#5c5c5c", "constant": "#a0650a", "formula": "#2f6fd0", "field": "#2f6fd0"}
KIND_NAMES = {"formula": "Formula", "constant": "Constant", "document": "Document", "field": "Field"}


def colour_of_fields(view: GraphView) -> dict[str, int]:
    """The number of the colour of each field; those with the most formulas have one of their own."""
    counts: Counter[str] = Counter()
    for node in view.nodes:
        if node.kind in ("formula", "field") and node.field:
            counts[node.field] += node.count
    ordered = sorted(counts, key=lambda name: (-counts[name], name))
    return {name: place for place, name in enumerate(ordered[:COLOURS])}


def node_link(node: GraphNode, wanted: GraphFilter, view: GraphView) -> str:
    """Where a node leads: the page of an entry, or the picture of what a cluster stands for."""
    if view.show == "entries":
        pages = {"formula": "/formulas/", "constant": "/constants/", "document": "/library/documents/"}
        return f"{pages[node.kind]}{node.id}"
    asked = {"document": wanted.document, "field": wanted.field}
    asked[node.kind] = node.id or NO_FIELD
    return f"/graph?{urlencode({name: value for name, value in asked.items() if value})}"


def node_title(node: GraphNode) -> str:
    """What a node is, in words: for who points at it, and for who cannot see it."""
    if node.kind == "field" or (node.kind == "document" and node.count > 1):
        return f"{node.label}: {node.count:,} formulas"
    more = [node.field] if node.field else []
    if node.kind == "formula" and node.status != "executable":
        more.append("not computable" if node.status == "declined" else "set aside")
    return f"{KIND_NAMES[node.kind]}: {node.label}" + (f" ({', '.join(more)})" if more else "")


def node_radius(node: GraphNode, view: GraphView) -> float:
    """In units of the layout."""
    if view.show != "entries":
        return cluster_radius(node.count)
    base = {"formula": 0.27, "constant": 0.24, "document": 0.4, "field": 0.3}[node.kind]
    return base + 0.02 * min(10.0, math.sqrt(node.degree))


def draw(view: GraphView, points: Sequence[Point], wanted: GraphFilter) -> str:
    """The picture as one `<svg>` element."""
    places = spread(points, view)
    left, top, width, height = frame(places, view)
    pixel = max(width / _WINDOW[0], height / _WINDOW[1])
    size = (
        "clusters"
        if view.show != "entries"
        else "huge"
        if len(view.nodes) > 1_500
        else "large"
        if len(view.nodes) > 150
        else "small"
    )
    letter = _LETTER_PIXELS * pixel
    names = "".join(_names(view, places, sides=(left, left + width), size=letter))
    name = f"{len(view.nodes):,} nodes and {len(view.edges):,} lines between them"
    lines, nodes = "".join(_edges(view, places)), "".join(_nodes(view, places, wanted))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="graph-picture {size}" role="group" '
        f'aria-label="Picture of the library: {name}" viewBox="{left:.0f} {top:.0f} {width:.0f} {height:.0f}" '
        'preserveAspectRatio="xMidYMid meet">'
        f'<g class="edges" fill="none" stroke="#888888" stroke-opacity="0.5" aria-hidden="true">{lines}</g>'
        f'<g class="over" aria-hidden="true"></g><g class="nodes">{nodes}</g>'
        f'<g class="names" font-family="sans-serif" text-anchor="middle" font-size="{letter:.1f}" '
        f'aria-hidden="true">{names}</g></svg>'
    )


def spread(points: Sequence[Point], view: GraphView) -> list[Point]:
    """The nodes' places in drawn units."""
    factor = next((factor for most, factor in _SPREAD if len(points) <= most), 1.0)
    if view.show != "entries":
        factor = _CLUSTER_SPREAD
    return [(x * SCALE * factor, y * SCALE * factor) for x, y in points]


def frame(places: Sequence[Point], view: GraphView) -> tuple[float, float, float, float]:
    """Left, top, width and height of what is drawn, with a margin."""
    if not places:
        return 0.0, 0.0, _WINDOW[0], _WINDOW[1]
    reach = [node_radius(node, view) * SCALE for node in view.nodes]
    left = min(x - r for (x, _), r in zip(places, reach, strict=True)) - _MARGIN * SCALE
    right = max(x + r for (x, _), r in zip(places, reach, strict=True)) + _MARGIN * SCALE
    top = min(y - r for (_, y), r in zip(places, reach, strict=True)) - SCALE
    bottom = max(y + r for (_, y), r in zip(places, reach, strict=True)) + _MARGIN * SCALE
    # Room for the last name, which is as high in pixels however much is drawn.
    bottom += 0.035 * (bottom - top)
    width, height = right - left, bottom - top
    # A few nodes are not blown up to the size of the window.
    wider, higher = max(0.0, 20 * SCALE - width), max(0.0, 12 * SCALE - height)
    return left - wider / 2, top - higher / 2, width + wider, height + higher


def _edges(view: GraphView, places: Sequence[Point]) -> Iterator[str]:
    """Some lines of a kind in each path. Thousands of elements are slow, and so is a path of thousands of lines:
    browsers work out where it crosses itself."""
    if view.show != "entries":
        for edge in view.edges:
            width, line = min(6.0, 0.6 + 0.6 * math.log2(edge.count)), _line(places[edge.source], places[edge.target])
            yield f'<path class="joined" stroke-width="{width:.1f}" d="{line}"/>'
        return
    with_arrows = len(view.edges) <= _MOST_ARROWS
    for kind, of_kind in groupby(view.edges, key=lambda edge: edge.kind):
        drawn: list[str] = []
        for edge in of_kind:
            start, end = places[edge.source], places[edge.target]
            has_arrow = with_arrows and is_directed(kind)
            arrow = _arrow(start, end, node_radius(view.nodes[edge.target], view)) if has_arrow else ""
            drawn.append(_line(start, end) + arrow)
        for first in range(0, len(drawn), _LINES_IN_A_PATH):
            yield f'<path class="edge {kind}" d="{"".join(drawn[first : first + _LINES_IN_A_PATH])}"/>'


def is_directed(kind: EdgeKind) -> bool:
    """Whether it matters which end of a line is which."""
    return kind not in ("found_in", "same_quantity")


def _line(start: Point, end: Point) -> str:
    return f"M{start[0]:.0f} {start[1]:.0f}L{end[0]:.0f} {end[1]:.0f}"


def _arrow(start: Point, end: Point, radius: float) -> str:
    """The head of an arrow, where the line meets the node."""
    length = math.dist(start, end)
    if length < 1.2 * SCALE * radius:
        return ""
    x, y = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    tip = (end[0] - x * (radius * SCALE + 2), end[1] - y * (radius * SCALE + 2))
    side = 0.13 * SCALE
    one = (tip[0] - 2 * side * x + side * y, tip[1] - 2 * side * y - side * x)
    other = (tip[0] - 2 * side * x - side * y, tip[1] - 2 * side * y + side * x)
    return f"M{one[0]:.0f} {one[1]:.0f}L{tip[0]:.0f} {tip[1]:.0f}L{other[0]:.0f} {other[1]:.0f}"


def _nodes(view: GraphView, places: Sequence[Point], wanted: GraphFilter) -> Iterator[str]:
    colours = colour_of_fields(view)
    for place, (node, (x, y)) in enumerate(zip(view.nodes, places, strict=True)):
        classes: list[str] = [node.kind]
        if node.kind in ("formula", "field"):
            classes.append(f"c{colours[node.field]}" if node.field in colours else "c-other")
        if node.kind == "formula" and node.status != "executable":
            classes.append("hollow")
        if node.is_match or node.id == view.centre:
            classes.append("match")
        yield (
            f'<a href="{escape(node_link(node, wanted, view))}" class="{" ".join(classes)}" data-node="{place}" '
            f'fill="{_PLAIN_COLOURS[node.kind]}"><title>{escape(node_title(node))}</title>'
            f"{_shape(node, (x, y), node_radius(node, view) * SCALE)}</a>"
        )


def _shape(node: GraphNode, place: Point, radius: float) -> str:
    """Documents are squares, constants are diamonds, all else is round."""
    x, y = place
    if node.kind == "document":
        side = 1.8 * radius
        corner = f'x="{x - side / 2:.1f}" y="{y - side / 2:.1f}" rx="{0.15 * side:.1f}"'
        return f'<rect {corner} width="{side:.1f}" height="{side:.1f}"/>'
    if node.kind == "constant":
        reach = 1.25 * radius
        ends = ((x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y))
        return f'<path d="M{" ".join(f"{across:.1f} {along:.1f}" for across, along in ends)}z"/>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"/>'


def _names(view: GraphView, places: Sequence[Point], *, sides: tuple[float, float], size: float) -> Iterator[str]:
    """Names below their nodes, the weightiest first, where none covers another; between the sides of the picture."""
    left, right = sides
    taken: list[tuple[float, float, float, float]] = []
    for place in by_weight(view):
        node, (x, y) = view.nodes[place], places[place]
        shown = short_name(node, view)
        half = len(shown) * size * _LETTER_WIDTH / 2
        x = min(max(x, left + half), max(left + half, right - half))
        top = y + node_radius(node, view) * SCALE + 0.15 * size
        box = (x - half - _GAP * size, top - _GAP * size / 2, x + half + _GAP * size, top + (1.15 + _GAP / 2) * size)
        if any(box[0] < b[2] and b[0] < box[2] and box[1] < b[3] and b[1] < box[3] for b in taken):
            continue
        taken.append(box)
        yield f'<text x="{x:.0f}" y="{top + 0.85 * size:.0f}">{escape(shown)}</text>'
        if len(taken) >= _MOST_NAMES:
            break


def by_weight(view: GraphView) -> Iterable[int]:
    """The places of the nodes in the list, those that people look for first at the front."""

    def weight(place: int) -> tuple[int, ...]:
        node = view.nodes[place]
        is_named_first = node.id == view.centre, node.is_match, node.kind == "document"
        return (*(-int(each) for each in is_named_first), -node.count, -node.degree, place)

    return sorted(range(len(view.nodes)), key=weight)


def short_name(node: GraphNode, view: GraphView) -> str:
    """A label short enough to stand beside others; of a cluster with its number of formulas."""
    label = node.label if len(node.label) <= _LONGEST_NAME else f"{node.label[: _LONGEST_NAME - 1].rstrip()}…"
    return label if view.show == "entries" else f"{label} · {node.count:,}"


def used_kinds(view: GraphView) -> list[EdgeKind]:
    """The kinds of lines in the picture."""
    found = {edge.kind for edge in view.edges}
    return [kind for kind in EDGE_KINDS if kind in found]
