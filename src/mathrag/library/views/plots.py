"""A curve as SVG text: axes with units, a title and a description for those who cannot see it. Computes no point.

Colours come from the page's sheet by class, so that a plot is light or dark with it; without the sheet the picture
still shows, in the colour of the text around it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

_LEFT, _RIGHT, _TOP, _BOTTOM = 78, 20, 16, 56
# Width and height: of a page, and of a phone.
WIDE, NARROW = (640, 360), (380, 320)
# In pixels: room for a number with its power of ten.
_A_TICK_EACH = 85
# Beyond these, differences and powers of ten are no numbers of the machine any more.
_LARGEST, _SMALLEST = 1e300, 1e-280


@dataclass(frozen=True, slots=True)
class Axis:
    """What an axis shows: `E_k (J)`; `is_logarithmic` where it grows by factors."""

    name: str
    unit: str = ""
    is_logarithmic: bool = False

    @property
    def label(self) -> str:
        """The words at the axis."""
        return f"{self.name} ({self.unit})" if self.unit else self.name


@dataclass(frozen=True, slots=True)
class _Scale:
    """From numbers to places on the paper."""

    low: float
    high: float
    first: float
    last: float
    is_logarithmic: bool = False

    def place(self, value: float) -> float:
        low, high, at = self.low, self.high, value
        if self.is_logarithmic:
            low, high, at = math.log(low), math.log(high), math.log(max(value, self.low * 1e-6))
        return self.first + (self.last - self.first) * (at - low) / (high - low)


@dataclass(frozen=True, slots=True)
class _Paper:
    """The two scales of a picture, and how many numbers stand at each."""

    width: int
    height: int
    along: _Scale
    up: _Scale

    @property
    def right(self) -> int:
        return self.width - _RIGHT

    @property
    def bottom(self) -> int:
        return self.height - _BOTTOM


def curve_svg(
    points: Sequence[tuple[float, float | None]],
    *,
    title: str,
    horizontal: Axis,
    vertical: Axis,
    mark: tuple[float, float] | None = None,
    size: tuple[int, int] = WIDE,
) -> str:
    """The curve through points; it is broken where a point has no value. `mark` is the point of the answer."""
    width, height = size
    points = [(x, y if y is not None and abs(y) < _LARGEST else None) for x, y in points if abs(x) < _LARGEST]
    known = [(x, y) for x, y in points if y is not None]
    up = _vertical([y for _, y in known] + ([mark[1]] if mark is not None else []), height - _BOTTOM)
    paper = _Paper(width, height, _horizontal(points, horizontal, width - _RIGHT), up)
    parts = [
        _opening(paper),
        f'<title id="plot-title">{_safe(title)}</title>',
        f'<desc id="plot-desc">{_safe(_description(known, horizontal, vertical))}</desc>',
        *_grid(paper),
        *_labels(paper, horizontal, vertical),
        *(_stroke(run, paper) for run in _runs(points)),
    ]
    if mark is not None and paper.along.low <= mark[0] <= paper.along.high:
        x, y = paper.along.place(mark[0]), paper.up.place(mark[1])
        parts.append(f'<circle class="plot-mark" cx="{x:.2f}" cy="{y:.2f}" r="5" fill="currentColor"/>')
    if not known:
        parts.append(_text(width / 2, height / 2, "no value in this range", anchor="middle"))
    return "".join([*parts, "</svg>"])


def _opening(paper: _Paper) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 {paper.width} {paper.height}" role="img" '
        f'aria-labelledby="plot-title plot-desc" fill="none" stroke="currentColor" {_data(paper.along, "x")} '
        f"{_data(paper.up, 'y')}>"
    )


def ticks(low: float, high: float, *, most: int) -> list[float]:
    """Round numbers between two numbers."""
    span = high - low
    if not math.isfinite(span) or span <= 0:
        return [low]
    rough = span / max(1, most - 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next((factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough), 10 * power)
    if step == 0:
        return [low]
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [number * step for number in range(first, min(last, first + 2 * most) + 1)]


def _log_ticks(low: float, high: float, *, most: int) -> list[float]:
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    every = max(1, math.ceil((last - first) / most))
    found = [10.0**power for power in range(first, last + 1, every)]
    inside = [value for value in found if low * 0.999 <= value <= high * 1.001]
    return inside if len(inside) > 1 else [value for value in ticks(low, high, most=most) if value > 0]


def _horizontal(points: Sequence[tuple[float, float | None]], axis: Axis, right: int) -> _Scale:
    xs = [x for x, _ in points] or [0.0, 1.0]
    low, high = _widened(min(xs), max(xs))
    return _Scale(low, high, _LEFT, right, axis.is_logarithmic and low > 0)


def _vertical(ys: Sequence[float], bottom: int) -> _Scale:
    low, high = _widened(min(ys), max(ys)) if ys else (0.0, 1.0)
    if 0 < low < 0.35 * high:
        low = 0.0
    elif 0.35 * low < high < 0:
        high = 0.0
    margin = (high - low) * 0.04
    return _Scale(low if low == 0 else low - margin, high if high == 0 else high + margin, bottom, _TOP)


def _widened(low: float, high: float) -> tuple[float, float]:
    """A range with some width: what is nearly level must not be drawn as noise over the whole height."""
    if high - low > max(1e-12 * max(abs(low), abs(high)), _SMALLEST):
        return low, high
    margin = max(abs(low), abs(high)) * 0.5
    margin = margin if margin > _SMALLEST else 1.0
    return low - margin, high + margin


def _grid(paper: _Paper) -> Iterator[str]:
    along, up = paper.along, paper.up
    most = (paper.right - _LEFT) // _A_TICK_EACH
    spaced = _log_ticks if along.is_logarithmic else ticks
    for value in spaced(along.low, along.high, most=most):
        x = along.place(value)
        yield f'<path class="plot-grid" stroke-opacity="0.2" d="M{x:.1f} {_TOP}V{paper.bottom}"/>'
        yield _text(x, paper.bottom + 18, number_text(value), anchor="middle")
    for value in ticks(up.low, up.high, most=6):
        y = up.place(value)
        yield f'<path class="plot-grid" stroke-opacity="0.2" d="M{_LEFT} {y:.1f}H{paper.right}"/>'
        yield _text(_LEFT - 8, y + 4, number_text(value), anchor="end")
    yield f'<path class="plot-axis" d="M{_LEFT} {_TOP}V{paper.bottom}H{paper.right}"/>'


def _labels(paper: _Paper, horizontal: Axis, vertical: Axis) -> Iterator[str]:
    middle, centre = (_LEFT + paper.right) / 2, (_TOP + paper.bottom) / 2
    yield _text(middle, paper.height - 14, _cut(horizontal.label), anchor="middle", name="plot-label")
    turned = f' transform="rotate(-90 16 {centre})"'
    yield _text(16, centre, _cut(vertical.label), anchor="middle", name="plot-label", more=turned)


def _runs(points: Iterable[tuple[float, float | None]]) -> Iterator[list[tuple[float, float]]]:
    """Points that belong together: a gap parts them."""
    run: list[tuple[float, float]] = []
    for x, y in points:
        if y is None:
            if run:
                yield run
            run = []
        else:
            run.append((x, y))
    if run:
        yield run


def _stroke(run: Sequence[tuple[float, float]], paper: _Paper) -> str:
    places = [(paper.along.place(x), paper.up.place(y)) for x, y in run]
    if len(places) == 1:
        x, y = places[0]
        return f'<circle class="plot-line" cx="{x:.2f}" cy="{y:.2f}" r="2"/>'
    drawn = " ".join(f"{x:.2f},{y:.2f}" for x, y in places)
    return f'<polyline class="plot-line" stroke-width="2.5" stroke-linejoin="round" points="{drawn}"/>'


def _description(known: Sequence[tuple[float, float]], horizontal: Axis, vertical: Axis) -> str:
    if not known:
        return f"No value of {vertical.label} in this range of {horizontal.label}."
    (first_x, first_y), (last_x, last_y) = known[0], known[-1]
    lowest, highest = min(y for _, y in known), max(y for _, y in known)
    return (
        f"{vertical.label} against {horizontal.label}: {number_text(first_y)} at {number_text(first_x)}, "
        f"{number_text(last_y)} at {number_text(last_x)}; "
        f"lowest {number_text(lowest)}, highest {number_text(highest)}."
    )


def number_text(value: float) -> str:
    """A number at an axis, short."""
    if value == 0:
        return "0"
    size = abs(value)
    if 1e-3 <= size < 1e6:
        return f"{value:.6g}".replace("-", "−")
    digits, _, power = f"{value:.3e}".partition("e")
    digits = digits.rstrip("0").rstrip(".")
    raised = str(int(power)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{digits}×10{raised}".replace("-", "−")


def _data(scale: _Scale, name: str) -> str:
    """What a script needs to move the mark."""
    return (
        f'data-{name}-low="{scale.low!r}" data-{name}-high="{scale.high!r}" data-{name}-first="{scale.first!r}" '
        f'data-{name}-last="{scale.last!r}" data-{name}-scale="{"log" if scale.is_logarithmic else "linear"}"'
    )


def _text(x: float, y: float, text: str, *, anchor: str, name: str = "plot-tick", more: str = "") -> str:
    return (
        f'<text class="{name}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="currentColor" stroke="none" '
        f'font-size="13"{more}>{_lowered(text)}</text>'
    )


_LOWERED = re.compile(r"(\w)_(\w{1,20})")


def _lowered(text: str) -> str:
    """`E_k` with its index lowered."""
    shown = r'\1<tspan dy="3" font-size="10">\2</tspan><tspan dy="-3">&#8203;</tspan>'
    return _LOWERED.sub(shown, _safe(text))


def _cut(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"


def _safe(text: str) -> str:
    """Text of strangers in XML: escaped, and without characters that XML has not."""
    return escape("".join(sign if sign.isprintable() else " " for sign in text))
