"""The nouns of scanned pages: a line as OCR saw it, the seam for OCR, what a page became. Recognises nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeAlias

from mathrag.types.document import Block, KeptPicture, ReaderNote

Box: TypeAlias = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class ScanLine:
    """A run of text on one line, as recognised. `box` is in points; `tilt` is how much it falls per point to the right.

    `height` is the height of the run itself, which on a tilted page is less than that of its box.
    """

    text: str
    box: Box
    confidence: float
    tilt: float = 0.0
    height: float = 0.0


class TextRecogniser(Protocol):
    """OCR: a picture of `width` by `height` pixels, three bytes each from top to bottom, to lines in pixels."""

    def __call__(self, rgb: bytes, *, width: int, height: int) -> tuple[ScanLine, ...]: ...


@dataclass(frozen=True, slots=True)
class ScannedPage:
    """What was read from the picture of a page: blocks in reading order, the cut-outs kept, and what to know."""

    blocks: tuple[Block, ...]
    pictures: tuple[KeptPicture, ...] = ()
    notes: tuple[ReaderNote, ...] = ()


def united(boxes: list[Box] | tuple[Box, ...]) -> Box:
    """The smallest box around all of them."""
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )


def overlap(one: Box, other: Box) -> float:
    """The area that two boxes share."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return across * down if across > 0 and down > 0 else 0.0


def area(box: Box) -> float:
    """The area of a box."""
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])
