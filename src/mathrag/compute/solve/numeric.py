"""Real roots by scanning for changes of sign and closing in with Brent's method. Every root is checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mathrag.compute.evaluate.compiled import Work, compile_expression
from mathrag.compute.evaluate.failure import Failure, shown
from mathrag.types.expression import Equation, equation_symbols, size_of

MAXIMUM_ROOTS = 64
_SMALLEST_DECADE, _LARGEST_DECADE = -26, 26
_POINTS_A_DECADE = 24
_TOLERANCE = 1e-9
# Nodes evaluated in one search, each call counting for some more: a second or two. Counted rather than timed, so that
# the same roots are found on every machine.
STEPS, _STEPS_A_CALL = 12_000_000, 10
# Edges of where an equation has values, how often each is halved, and how near to it is looked.
_MOST_EDGES, _HALVINGS, _DIGITS_NEAR = 16, 52, 13
_SAMPLES, _FEWEST, _ROUNDING, _NEARLY_ALL = 200, 20, 1e-13, 0.97


@dataclass(frozen=True, slots=True)
class _Residual:
    """Left minus right as a function of one number; not a number where either side has no value."""

    sides: Callable[[float], tuple[float, float] | None]

    def __call__(self, x: float) -> float:
        pair = self.sides(x)
        return math.nan if pair is None else pair[0] - pair[1]

    def vanishes(self, x: float, scale: float) -> bool:
        """Whether x is a root, as far as rounding lets one tell."""
        pair = self.sides(x)
        if pair is None:
            return False
        difference = abs(pair[0] - pair[1])
        return difference <= _TOLERANCE * max(abs(pair[0]), abs(pair[1])) or difference <= 1e-10 * scale


def solve_numeric(
    equation: Equation,
    symbol: str,
    values: Mapping[str, float],
    *,
    bracket: tuple[float, float] | None = None,
    steps: int = STEPS,
    work: Work | None = None,
) -> tuple[float, ...] | Failure:
    """All real roots found for `symbol`, in rising order, with the other symbols at `values`.

    Without a bracket the search covers magnitudes from 1e-26 to 1e26 of both signs, and zero. When there are more than
    64 roots (periodic functions), those nearest to zero are given. A search of more than `steps` nodes evaluated
    is given up (`too_large`); what several searches share is in `work`.
    """
    names = [name for name in equation_symbols(equation) if name != symbol]
    missing = [name for name in names if name not in values]
    if missing:
        return Failure("missing_value", f"no value is given for {', '.join(missing)}")
    if symbol not in equation_symbols(equation):
        return Failure("no_solution", f"{symbol} does not occur in the equation")
    if bracket is not None and not (
        math.isfinite(bracket[0]) and math.isfinite(bracket[1]) and bracket[0] < bracket[1]
    ):
        return Failure("bad_value", "a bracket is two finite numbers, the smaller first")
    try:
        known = {name: float(values[name]) for name in names}
    except (OverflowError, TypeError, ValueError):
        return Failure("bad_value", "a given value is not a finite number")
    residual = _residual(equation, symbol, known, steps, work or Work())
    try:
        roots = _roots(residual, _grid(bracket))
    except _TooManyStepsError:
        return Failure("too_large", f"the search for {symbol} was given up after {steps:,} steps")
    if not roots:
        place = "in the bracket" if bracket else "between -1e26 and 1e26"
        sides = f"{shown(equation.left)} = {shown(equation.right)}"
        return Failure("no_solution", f"no real value of {symbol} {place} satisfies {sides}")
    if len(roots) > MAXIMUM_ROOTS:
        roots = sorted(roots, key=abs)[:MAXIMUM_ROOTS]
    return tuple(sorted(roots))


class _TooManyStepsError(Exception):
    """A search takes more steps than it may."""


def _residual(equation: Equation, symbol: str, values: Mapping[str, float], steps: int, work: Work) -> _Residual:
    order = [symbol, *values]
    left, right = (
        compile_expression(side, order, work=work, is_quiet=True) for side in (equation.left, equation.right)
    )
    others = tuple(values.values())
    each = size_of(equation.left) + size_of(equation.right) + _STEPS_A_CALL

    def sides(x: float) -> tuple[float, float] | None:
        work.nodes += each
        if work.nodes > steps:
            raise _TooManyStepsError
        first, second = left(x, *others), right(x, *others)
        if isinstance(first, Failure) or isinstance(second, Failure):
            return None
        return first, second

    return _Residual(sides)


def _grid(bracket: tuple[float, float] | None) -> list[float]:
    if bracket is not None:
        low, high = bracket
        return [low + (high - low) * step / 400 for step in range(401)]
    count = (_LARGEST_DECADE - _SMALLEST_DECADE) * _POINTS_A_DECADE
    # The odd factor keeps grid points off round numbers, where poles like to be.
    positive = [1.0123 * 10 ** (_SMALLEST_DECADE + step / _POINTS_A_DECADE) for step in range(count + 1)]
    return [*(-x for x in reversed(positive)), 0.0, *positive]


def _roots(residual: _Residual, grid: Sequence[float]) -> list[float]:
    found: list[float] = []
    if _cancels(residual, grid):
        # Whatever the unknown is, the equation holds or does not: no value is the one asked for.
        return found
    points = _with_edges(residual, {x: residual(x) for x in grid})
    grid, heights = list(points), list(points.values())
    for index, (x, height) in enumerate(zip(grid, heights, strict=True)):
        if height == 0.0:
            _keep(found, x)
        elif index + 1 < len(grid) and height * heights[index + 1] < 0.0:
            _close_in(residual, (x, grid[index + 1]), found)
        if 0 < index < len(grid) - 1 and _dips(heights[index - 1 : index + 2]):
            _touch(residual, (grid[index - 1], x, grid[index + 1]), found)
        if len(found) > 40 * MAXIMUM_ROOTS:
            break
    return found


def _with_edges(residual: _Residual, heights: dict[float, float]) -> dict[float, float]:
    """The heights of the grid and of points that close in on the edges of where the sides have a value: towards one of
    them a side may grow beyond all bounds, and cross the other behind the last point (a speed near that of light)."""
    grid, has_value = list(heights), [not math.isnan(height) for height in heights.values()]
    added: list[float] = []
    for index in [place for place in range(len(grid) - 1) if has_value[place] != has_value[place + 1]][:_MOST_EDGES]:
        inside, outside = grid[index], grid[index + 1]
        if not has_value[index]:
            inside, outside = outside, inside
        first = inside
        for _ in range(_HALVINGS):
            middle = 0.5 * (inside + outside)
            if math.isnan(residual(middle)):
                outside = middle
            else:
                inside = middle
        added += [inside, *(inside + (first - inside) * 10.0**-digits for digits in range(1, _DIGITS_NEAR))]
    return dict(sorted({**heights, **{x: residual(x) for x in added}}.items())) if added else heights


def _cancels(residual: _Residual, grid: Sequence[float]) -> bool:
    """Whether the difference of the sides is the same, up to rounding, wherever they have a value."""
    pairs = [pair for x in grid[:: max(1, len(grid) // _SAMPLES)] if (pair := residual.sides(x)) is not None]
    if len(pairs) < _FEWEST:
        return False
    middle = sorted(left - right for left, right in pairs)[len(pairs) // 2]
    same = sum(
        abs(left - right - middle) <= _ROUNDING * max(abs(left), abs(right), abs(middle)) for left, right in pairs
    )
    return same >= _NEARLY_ALL * len(pairs)


def _dips(heights: Sequence[float]) -> bool:
    """A valley towards zero without a change of sign: a double root, or two close ones."""
    before, here, after = heights
    same = (before > 0 and here > 0 and after > 0) or (before < 0 and here < 0 and after < 0)
    return (
        same
        and abs(here) <= abs(before)
        and abs(here) <= abs(after)
        and (abs(before) != abs(here) or abs(after) != abs(here))
    )


def _close_in(residual: _Residual, interval: tuple[float, float], found: list[float]) -> None:
    low, high = interval
    scale = max(abs(residual(low)), abs(residual(high)))
    root = brent(residual, low, high)
    if root is not None and residual.vanishes(root, scale):
        _keep(found, root)


def _touch(residual: _Residual, points: tuple[float, float, float], found: list[float]) -> None:
    """Look for the bottom of a valley by golden section; it is a root, or lies between two."""
    low, middle, high = points
    sign = 1.0 if residual(middle) > 0 else -1.0
    scale = max(abs(residual(low)), abs(residual(high)))
    ratio = (math.sqrt(5.0) - 1.0) / 2.0
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    for _ in range(120):
        height_left, height_right = sign * residual(left), sign * residual(right)
        if math.isnan(height_left) or math.isnan(height_right):
            return
        for x, height in ((left, height_left), (right, height_right)):
            if height < 0.0:
                _close_in(residual, (points[0], x), found)
                _close_in(residual, (x, points[2]), found)
                return
        if height_left < height_right:
            high, right = right, left
            left = high - ratio * (high - low)
        else:
            low, left = left, right
            right = low + ratio * (high - low)
    bottom = 0.5 * (low + high)
    if abs(residual(bottom)) <= 1e-13 * scale and residual.vanishes(bottom, scale):
        _keep(found, bottom)


def _keep(found: list[float], root: float) -> None:
    if not any(math.isclose(root, other, rel_tol=1e-9, abs_tol=0.0) or root == other for other in found):
        found.append(root)


def brent(function: Callable[[float], float], low: float, high: float) -> float | None:
    """A point where a function changes sign between two others, by Brent's method; None if it has no value there."""
    a, b = low, high
    height_a, height_b = function(a), function(b)
    if not height_a * height_b < 0.0:
        return None
    c, height_c = a, height_a
    step = previous = b - a
    for _ in range(200):
        if abs(height_c) < abs(height_b):
            a, b, c = b, c, b
            height_a, height_b, height_c = height_b, height_c, height_b
        tolerance = 2.0 * math.ulp(b)
        half = 0.5 * (c - b)
        if abs(half) <= tolerance or height_b == 0.0:
            return b
        if abs(previous) >= tolerance and abs(height_a) > abs(height_b):
            wanted = _interpolated((a, b, c), (height_a, height_b, height_c), half)
            if 2.0 * abs(wanted) < min(3.0 * abs(half) - tolerance, abs(previous)):
                previous, step = step, wanted
            else:
                step = previous = half
        else:
            step = previous = half
        a, height_a = b, height_b
        b += step if abs(step) > tolerance else math.copysign(tolerance, half)
        height_b = function(b)
        if math.isnan(height_b):
            return None
        if (height_b > 0) == (height_c > 0):
            c, height_c = a, height_a
            step = previous = b - a
    return b


def _interpolated(points: tuple[float, float, float], heights: tuple[float, float, float], half: float) -> float:
    """The step of inverse quadratic interpolation, or of the secant while only two points are distinct."""
    (a, b, c), (height_a, height_b, height_c) = points, heights
    s = height_b / height_a
    if a == c:
        p, q = 2.0 * half * s, 1.0 - s
    else:
        r, t = height_b / height_c, height_a / height_c
        p = s * (2.0 * half * t * (t - r) - (b - a) * (r - 1.0))
        q = (t - 1.0) * (r - 1.0) * (s - 1.0)
    return -p / q if p > 0 else p / -q if q else math.inf
