"""From the coordinates of a PDF page to those of the page as seen. Matrices and boxes only."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

from mathrag.documents.boxes import Box

# a, b, c, d, e, f as in PDF: x' = a x + c y + e, y' = b x + d y + f.
Matrix: TypeAlias = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def multiply(first: Matrix, second: Matrix) -> Matrix:
    """The matrix that applies `first` and then `second`."""
    a, b, c, d, e, f = first
    p, q, r, s, t, u = second
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


@dataclass(frozen=True, slots=True)
class View:
    """How the page is seen: its visible box in PDF coordinates and the quarter turns it is shown with."""

    left: float
    bottom: float
    right: float
    top: float
    quarter_turns: int

    @property
    def width(self) -> float:
        return self.top - self.bottom if self.quarter_turns % 2 else self.right - self.left

    @property
    def height(self) -> float:
        return self.right - self.left if self.quarter_turns % 2 else self.top - self.bottom

    @property
    def matrix(self) -> Matrix:
        """From PDF coordinates to those of the page as seen, y downwards."""
        match self.quarter_turns:
            case 1:
                return (0.0, 1.0, 1.0, 0.0, -self.bottom, -self.left)
            case 2:
                return (-1.0, 0.0, 0.0, 1.0, self.right, -self.bottom)
            case 3:
                return (0.0, -1.0, -1.0, 0.0, self.top, self.right)
            case _:
                return (1.0, 0.0, 0.0, -1.0, -self.left, self.top)


def map_box(matrix: Matrix, box: Box) -> Box:
    """The upright box around the image of a box."""
    a, b, c, d, e, f = matrix
    left, top, right, bottom = box
    if b == 0 and c == 0:
        x0, x1, y0, y1 = a * left + e, a * right + e, d * top + f, d * bottom + f
        return (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
    xs = [a * x + c * y + e for x in (left, right) for y in (top, bottom)]
    ys = [b * x + d * y + f for x in (left, right) for y in (top, bottom)]
    return (min(xs), min(ys), max(xs), max(ys))


def is_finite(*numbers: float) -> bool:
    """Whether all numbers are usable as coordinates; files may hold infinities and absurd values."""
    return all(-1e6 < number < 1e6 for number in numbers)


def baseline_angle(matrix: Matrix, quarter_turns: int) -> int:
    """The direction text runs in, in whole degrees counter-clockwise as seen; 90 runs upwards."""
    degrees = math.degrees(math.atan2(matrix[1], matrix[0])) - 90 * quarter_turns
    return round(degrees) % 360


def text_scale(matrix: Matrix) -> float:
    """How much taller than its font size text is printed; slanting does not count."""
    a, b, c, d, _, _ = matrix
    along = math.hypot(a, b)
    return abs(a * d - b * c) / along if along else math.hypot(c, d)
