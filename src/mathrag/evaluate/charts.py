"""Charts as SVG text: bars with intervals, a reliability curve, a histogram. Draws figures that others have computed.

Every chart names and describes itself for those who cannot see it, and follows the reader's light or dark scheme.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

_STYLE = """
    svg { color-scheme: light dark; }
    .paper { fill: #ffffff; } text { fill: #1f2328; font: 13px system-ui, sans-serif; } .small { font-size: 11px; }
    .heading { font-weight: 600; font-size: 15px; } .axis { stroke: #57606a; stroke-width: 1; }
    .grid { stroke: #d0d7de; stroke-width: 1; } .mark { fill: #2f6fb7; } .line { stroke: #2f6fb7; stroke-width: 2; fill: none; }
    .interval { stroke: #1f2328; stroke-width: 1.5; } .ideal { stroke: #57606a; stroke-dasharray: 5 4; }
    @media (prefers-color-scheme: dark) {
      .paper { fill: #0d1117; } text { fill: #e6edf3; } .axis { stroke: #9198a1; } .grid { stroke: #30363d; }
      .mark { fill: #6cb0ff; } .line { stroke: #6cb0ff; } .interval { stroke: #e6edf3; } .ideal { stroke: #9198a1; }
    }
"""  # noqa: E501
_WIDTH = 720
# More bars than this are lines.
_MOST_BARS = 60


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
    for tenth in range(0, 11, 2):
        along, up = left + size * tenth / 10, bottom - size * tenth / 10
        parts.append(_line("axis" if not tenth else "grid", along, top, along, bottom))
        parts.append(_line("axis" if not tenth else "grid", left, up, left + size, up))
        parts.append(_text(along, bottom + 18, f"{tenth / 10:.1f}", "middle", "small"))
        parts.append(_text(left - 8, up + 4, f"{tenth * 10} %", "end", "small"))
    places = [(left + size * _clipped(point.confidence), bottom - size * _clipped(point.share)) for point in points]
    if len(places) > 1:
        parts.append(f'<polyline class="line" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in places)}"/>')
    for point, (x, y) in zip(points, places, strict=True):
        parts.append(_line("interval", x, bottom - size * _clipped(point.low), x, bottom - size * _clipped(point.high)))
        parts.append(f'<circle class="mark" cx="{x:.1f}" cy="{y:.1f}" r="5"/>')
    parts.append(_text(left + size / 2, bottom + 40, "stated confidence", "middle"))
    for row, point in enumerate(points):
        line = f"{point.confidence:.2f}: {100 * point.share:.0f} % of {point.count}"
        parts.append(_text(left + size + 30, top + 16 + 20 * row, line, "start", "small"))
    return _document(title, description, bottom + 56, parts)


def risk_coverage_chart(title: str, description: str, places: Sequence[tuple[float, float]]) -> str:
    """Precision of the numbers given over the share of the questions that are right, from the surest answers to all."""
    left, top, width, height = 70, 60, 560, 320
    bottom = top + height
    parts = []
    for tenth in range(0, 11, 2):
        along, up = left + width * tenth / 10, bottom - height * tenth / 10
        parts.append(_line("axis" if not tenth else "grid", along, top, along, bottom))
        parts.append(_line("axis" if not tenth else "grid", left, up, left + width, up))
        parts.append(_text(along, bottom + 18, f"{tenth * 10} %", "middle", "small"))
        parts.append(_text(left - 8, up + 4, f"{tenth * 10} %", "end", "small"))
    shown = [(left + width * _clipped(share), bottom - height * _clipped(precision)) for share, precision in places]
    if len(shown) > 1:
        parts.append(f'<polyline class="line" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in shown)}"/>')
    parts.extend(f'<circle class="mark" cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in shown)
    parts.append(_text(left + width / 2, bottom + 40, "questions answered rightly", "middle"))
    parts.append(_text(left, top - 14, "precision of the numbers given", "start", "small"))
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
