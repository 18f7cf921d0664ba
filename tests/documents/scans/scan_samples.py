"""Pages for the tests of scans: drawn as grey boxes with the lines that an OCR would see in them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy

from mathrag.documents.scans import ScanLine

WIDTH, HEIGHT = 1_000, 1_300
LINE = 20


def line(text: str, left: float, top: float, *, height: float = LINE, confidence: float = 0.98) -> ScanLine:
    """A line as wide as its text would be."""
    return ScanLine(text, (left, top, left + 9.0 * len(text) * height / LINE, top + height), confidence)


def picture(
    lines: Sequence[ScanLine],
    *,
    more: Sequence[tuple[int, int, int, int]] = (),
    size: tuple[int, int] = (WIDTH, HEIGHT),
) -> bytes:
    """White paper with ink where the lines are, and in the further boxes."""
    pixels = numpy.full((size[1], size[0], 3), 255, numpy.uint8)
    for found in lines:
        left, top, right, bottom = (int(value) for value in found.box)
        # Letters leave half of their box white.
        pixels[top + 2 : bottom - 2, left + 1 : right - 1 : 2] = 20
    for left, top, right, bottom in more:
        pixels[top:bottom, left:right] = 20
    return pixels.tobytes()


class FakeRecogniser:
    """Gives the lines it was made with, whatever it is shown; counts how often."""

    def __init__(self, lines: Sequence[ScanLine]) -> None:
        self.lines = tuple(lines)
        self.calls = 0

    def __call__(self, rgb: bytes, *, width: int, height: int) -> tuple[ScanLine, ...]:
        assert len(rgb) == 3 * width * height
        self.calls += 1
        return self.lines
