"""Charts as SVG text: bars with intervals, curves, a histogram, heat maps. Draws figures that others have computed.

Every chart names and describes itself for those who cannot see it, and follows the reader's light or dark scheme.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

_STYLE = """
    svg { color-scheme: light dark; }
    .paper { fill: #ffffff; } text { fill: #1f2328; font: 13px system-ui, sans-serif; } .small { font-size: 11px; }
    .heading { font-weight: 600; font-size: 15px; } .axis { stroke: #57606a; stroke-width: 1; }
    .grid { stroke: #d0d7de; stroke-width: 1; } .mark { fill: #2f6fb7; } .line { stroke: #2f6fb7; stroke-width: 2; fill: none; }
    .interval { stroke: #1f2328; stroke-width: 1.5; } .ideal { stroke: #57606a; stroke-dasharray: 5 4; }
    .second { stroke: #b45309; stroke-width: 2; fill: none; stroke-dasharray: 7 3; } .loss { fill: #b45309; }
    @media (prefers-color-scheme: dark) {
      .paper { fill: #0d1117; } text { fill: #e6edf3; } .axis { stroke: #9198a1; } .grid { stroke: #30363d; }
      .mark { fill: #6cb0ff; } .line { stroke: #6cb0ff; } .interval { stroke: #e6edf3; } .ideal { stroke: #9198a1; }
      .second { stroke: #f0a35e; } .loss { fill: #f0a35e; }
    }
"""  # noqa: E501
_WIDTH = 720
# More bars than this are lines.
_MOST_BARS = 60
_MOST_COLUMNS = 12


@dataclass(frozen=True, slots=True)
class Bar:
    """A share between 0 and 1 with its interval; `text` stands at its end."""

    label: str
    share: float
    low: float | None = None
    high: float | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Point:
    """A place on the reliability curve: stated confidence, share that was right, its interval, how many."""

    confidence: float
    share: float
    low: float
    high: float
    count: int


@dataclass(frozen=True, slots=True)
class Cell:
    """A field of a heat map: a value between -1 and 1, which is its colour, and what is written in it."""

    value: float
    text: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Curve:
    """Places of one line, each a pair of values between 0 and 1; where one is not known the line breaks off."""

    label: str
    places: tuple[tuple[float, float | None], ...]


def bar_chart(title: str, description: str, bars: Sequence[Bar]) -> str:
    """Horizontal bars from 0 to 100 %, with intervals as whiskers."""
    left, right, top, step = 190, 130, 64, 30
    shown = bars[:_MOST_BARS]
    bottom = top + step * len(shown)
    scale = _WIDTH - left - right
    parts = []
    for tenth in range(0, 11, 2):
        x = left + scale * tenth / 10
        parts.append(_line("grid" if tenth else "axis", x, top - 8, x, bottom))
        parts.append(_text(x, top - 14, f"{tenth * 10} %", "middle", "small"))
    for row, bar in enumerate(shown):
        y = top + step * row + 4
        parts.append(_text(left - 10, y + 15, _cut(bar.label), "end"))
        parts.append(_rectangle(left, y + 2, scale * _clipped(bar.share), step - 12))
        if bar.low is not None and bar.high is not None:
            low, high, middle = left + scale * _clipped(bar.low), left + scale * _clipped(bar.high), y + step / 2 - 4
            parts.append(_line("interval", low, middle, high, middle))
            parts.extend(_line("interval", x, middle - 4, x, middle + 4) for x in (low, high))
        parts.append(_text(_WIDTH - right + 14, y + 15, bar.text, "start", "small"))
    return _document(title, description, bottom + 16, parts)


def reliability_chart(title: str, description: str, points: Sequence[Point]) -> str:
    """Share that was right over stated confidence; the dashed diagonal is perfect calibration."""
    left, top, size = 70, 60, 380
    bottom = top + size
    parts = [_line("ideal", left, bottom, left + size, top)]
    parts.extend(_shares_grid(left, top, size, size))
    places = [(left + size * _clipped(point.confidence), bottom - size * _clipped(point.share)) for point in points]
    if len(places) > 1:
        parts.append(_polyline("line", places))
    for point, (x, y) in zip(points, places, strict=True):
        parts.append(_line("interval", x, bottom - size * _clipped(point.low), x, bottom - size * _clipped(point.high)))
        parts.append(f'<circle class="mark" cx="{x:.1f}" cy="{y:.1f}" r="5"/>')
    parts.append(_text(left + size / 2, bottom + 40, "stated confidence", "middle"))
    for row, point in enumerate(points):
        line = f"{point.confidence:.2f}: {100 * point.share:.0f} % of {point.count}"
        parts.append(_text(left + size + 30, top + 16 + 20 * row, line, "start", "small"))
    return _document(title, description, bottom + 56, parts)


def _shares_grid(left: int, top: int, width: int, height: int, *, in_percent: bool = False) -> Iterator[str]:
    """Lines and numbers of two axes from 0 to 1: shares in percent upwards; along numbers, or percent as well."""
    bottom = top + height
    for tenth in range(0, 11, 2):
        along, up = left + width * tenth / 10, bottom - height * tenth / 10
        yield _line("axis" if not tenth else "grid", along, top, along, bottom)
        yield _line("axis" if not tenth else "grid", left, up, left + width, up)
        yield _text(along, bottom + 18, f"{tenth * 10} %" if in_percent else f"{tenth / 10:.1f}", "middle", "small")
        yield _text(left - 8, up + 4, f"{tenth * 10} %", "end", "small")


def _polyline(kind: str, places: Sequence[tuple[float, float]]) -> str:
    return f'<polyline class="{kind}" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in places)}"/>'


def risk_coverage_chart(title: str, description: str, places: Sequence[tuple[float, float]]) -> str:
    """Precision of the numbers given over the share of the questions that are right, from the surest answers to all."""
    left, top, width, height = 70, 60, 560, 320
    bottom = top + height
    parts = list(_shares_grid(left, top, width, height, in_percent=True))
    shown = [(left + width * _clipped(share), bottom - height * _clipped(precision)) for share, precision in places]
    if len(shown) > 1:
        parts.append(_polyline("line", shown))
    parts.extend(f'<circle class="mark" cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in shown)
    parts.append(_text(left + width / 2, bottom + 40, "questions answered rightly", "middle"))
    parts.append(_text(left, top - 14, "precision of the numbers given", "start", "small"))
    return _document(title, description, bottom + 56, parts)


def tuning_chart(title: str, description: str, curves: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """Shares over a weight from 0 to 1, a curve a name; each is named at its end."""
    left, top, width, height = 70, 60, 420, 320
    bottom = top + height
    parts = list(_shares_grid(left, top, width, height))
    ends: list[float] = []
    for name, curve in list(curves.items())[:_MOST_BARS]:
        places = [(left + width * _clipped(weight), bottom - height * _clipped(share)) for weight, share in curve]
        parts.append(_polyline("line", places))
        if places:
            # Names of curves that end at the same height stand below each other.
            y = places[-1][1]
            while any(abs(y - other) < 14 for other in ends):
                y += 14
            ends.append(y)
            parts.append(_text(left + width + 8, y + 4, _cut(name), "start", "small"))
    parts.append(_text(left + width / 2, bottom + 40, "weight of quality", "middle"))
    return _document(title, description, bottom + 56, parts)


def histogram(title: str, description: str, values: Sequence[float], *, unit: str = "ms") -> str:
    """How often which value occurs, in bins that grow by a constant factor."""
    left, right, top, height = 60, 30, 60, 220
    bottom = top + height
    edges = _edges(values)
    counts = [0] * (len(edges) - 1)
    for value in values:
        counts[min(len(counts) - 1, max(0, _place(value, edges)))] += 1
    highest = max([*counts, 1])
    width = (_WIDTH - left - right) / len(counts)
    parts = [_line("axis", left, bottom, _WIDTH - right, bottom)]
    for part in range(1, 5):
        y = bottom - height * part / 4
        parts.append(_line("grid", left, y, _WIDTH - right, y))
        parts.append(_text(left - 8, y + 4, f"{highest * part / 4:g}", "end", "small"))
    for number, count in enumerate(counts):
        tall = height * count / highest
        parts.append(_rectangle(left + width * number + 1, bottom - tall, width - 2, tall))
    every = max(1, len(edges) // 8)
    parts.extend(
        _text(left + width * number, bottom + 18, _brief(edges[number]), "middle", "small")
        for number in range(0, len(edges), every)
    )
    parts.append(_text((left + _WIDTH - right) / 2, bottom + 40, unit, "middle"))
    return _document(title, description, bottom + 56, parts)


def curves_chart(title: str, description: str, curves: Sequence[Curve], *, along: str) -> str:
    """Shares over a threshold; at most two lines, told apart by colour and dashes."""
    left, top, width, height = 70, 76, 560, 320
    bottom = top + height
    parts = list(_shares_grid(left, top, width, height))
    for number, (curve, kind) in enumerate(zip(curves, ("line", "second"), strict=False)):
        shown = [(left + width * _clipped(x), bottom - height * _clipped(y)) for x, y in curve.places if y is not None]
        if len(shown) > 1:
            parts.append(_polyline(kind, shown))
        mark = "mark" if kind == "line" else "loss"
        parts.extend(f'<circle class="{mark}" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>' for x, y in shown)
        start = left + 280 * number
        parts.append(_line(kind, start, top - 22, start + 30, top - 22))
        parts.append(_text(start + 38, top - 18, curve.label, "start", "small"))
    parts.append(_text(left + width / 2, bottom + 40, along, "middle"))
    return _document(title, description, bottom + 56, parts)


def heat_map(
    title: str,
    description: str,
    cells: Mapping[tuple[str, str], Cell],
    *,
    rows: Sequence[str],
    columns: Sequence[str],
) -> str:
    """A field for each row and column, deeper in colour the further its value is from 0; losses have another colour.

    What has no value stays empty. Every value is also written, so that nothing is told by colour alone.
    """
    left, right, top, step = 190, 20, 84, 46
    across = columns[:_MOST_COLUMNS]
    width = (_WIDTH - left - right) / max(1, len(across))
    shown = rows[:_MOST_BARS]
    parts = [
        _text(left + width * (place + 0.5), top - 12, _cut(name), "middle", "small")
        for place, name in enumerate(across)
    ]
    for row, name in enumerate(shown):
        y = top + step * row
        parts.append(_text(left - 10, y + step / 2 + 4, _cut(name), "end"))
        for place, column in enumerate(across):
            x = left + width * place
            parts.append(f'<rect class="paper" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{step}"/>')
            cell = cells.get((name, column))
            if cell is not None:
                parts.append(_field(x, y, width, step, cell.value))
                parts.append(_text(x + width / 2, y + step / 2 - 1, cell.text, "middle"))
                parts.append(_text(x + width / 2, y + step / 2 + 15, cell.detail, "middle", "small"))
            parts.append(_line("grid", x, y, x + width, y))
    return _document(title, description, top + step * len(shown) + 16, parts)


def _field(x: float, y: float, width: float, height: float, value: float) -> str:
    # Never so deep that the words on it cannot be read, in the light scheme or the dark one.
    depth = 0.55 * min(1.0, abs(value))
    kind = "mark" if value >= 0 else "loss"
    return (
        f'<rect class="{kind}" fill-opacity="{depth:.2f}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
        f'height="{height:.1f}"/>'
    )


def embedded(chart: str, name: str) -> str:
    """A chart for a page whose own sheet styles it: without a style of its own, and with names no other chart has."""
    head, _, rest = chart.partition("  <style>")
    _, _, body = rest.partition("</style>\n")
    for used in ("title", "description"):
        head = head.replace(f'id="{used}"', f'id="{name}-{used}"', 1)
    head = head.replace('"title description"', f'"{name}-title {name}-description"', 1)
    return head.replace("<svg ", '<svg class="chart" ', 1) + body


def _brief(value: float) -> str:
    return f"{value:.0f}" if 100 <= value < 1e6 else f"{value:.3g}"


def _edges(values: Sequence[float]) -> list[float]:
    smallest = max(0.01, min(values, default=1.0))
    largest = max(smallest * 1.5, max(values, default=1.0))
    count = 24
    factor = (largest / smallest) ** (1 / count)
    return [smallest * factor**number for number in range(count + 1)]


def _place(value: float, edges: Sequence[float]) -> int:
    factor = edges[1] / edges[0]
    return int(math.log(max(value, edges[0]) / edges[0]) / math.log(factor) + 1e-9)


def _document(title: str, description: str, height: float, parts: Sequence[str]) -> str:
    body = "\n  ".join(parts)
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height:.0f}" width="{_WIDTH}" \
height="{height:.0f}" role="img" aria-labelledby="title description">
  <title id="title">{escape(title)}</title>
  <desc id="description">{escape(description)}</desc>
  <style>{_STYLE}  </style>
  <rect class="paper" width="100%" height="100%"/>
  {_text(16, 26, title, "start", "heading")}
  {body}
</svg>
"""


def _text(x: float, y: float, text: str, anchor: str, kind: str = "") -> str:
    chosen = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{chosen}>{escape(text)}</text>'


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _rectangle(x: float, y: float, width: float, height: float) -> str:
    return f'<rect class="mark" x="{x:.1f}" y="{y:.1f}" width="{max(0.0, width):.1f}" height="{height:.1f}"/>'


def _clipped(value: float) -> float:
    return min(1.0, max(0.0, value))


def _cut(text: str) -> str:
    return text if len(text) <= 26 else f"{text[:25]}…"
