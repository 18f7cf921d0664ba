"""Finding OCR, and reading a picture the right way up. Decides nothing about what the lines mean."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec

import numpy
import numpy.typing

from mathrag.documents.scans.nouns import Box, ScanLine, TextRecogniser
from mathrag.errors import DocumentError

INSTALL = "pip install 'mathrag[ocr]'"
# Below this, a page is tried turned: letters that stand on their heads are hardly ever recognised with confidence.
_READABLE = 0.75
_PACKAGES = ("rapidocr", "onnxruntime")


def ocr_is_installed() -> bool:
    """Whether the extra for OCR is here. Loads nothing."""
    return all(find_spec(name) is not None for name in _PACKAGES)


def no_ocr(number: int | None = None) -> DocumentError:
    """The error of a page that needs OCR where there is none."""
    what = "this picture" if number is None else f"page {number}"
    kind = "is a picture of text" if number is None else "is a scan without text"
    return DocumentError("no_ocr", f"{what} {kind}, and reading it needs OCR; install it with {INSTALL}")


def text_recogniser(number: int | None = None) -> TextRecogniser:
    """OCR, loaded once in this process. Raises `DocumentError` with code `no_ocr`, naming page `number`."""
    if not ocr_is_installed():
        raise no_ocr(number)
    return _loaded()


@cache
def _loaded() -> TextRecogniser:
    from mathrag.documents.scans.rapid import RapidRecogniser

    try:
        return RapidRecogniser()
    except ImportError as error:
        reason = f"the packages for OCR cannot be loaded ({error}); reinstall them with {INSTALL}"
        raise DocumentError("no_ocr", reason) from error


def read_scan(
    rgb: bytes, width: int, height: int, *, scale: float, recogniser: TextRecogniser | None = None
) -> tuple[ScanLine, ...]:
    """The lines of a picture, their boxes in points (`scale` pixels make a point). Also of one that lies on its side or
    on its head; the boxes are those of the picture as it came."""
    upright = read_upright(rgb, width, height, recogniser=recogniser)
    return tuple(_in_points(line, scale, upright.turned_back(line.box)) for line in upright.lines)


def read_upright(rgb: bytes, width: int, height: int, *, recogniser: TextRecogniser | None = None) -> Upright:
    """The picture turned so that its text can be read, and its lines there, in pixels."""
    if len(rgb) != 3 * width * height:
        raise ValueError("a picture has three bytes for each pixel")
    recognise = recogniser or text_recogniser()
    pixels = numpy.frombuffer(rgb, numpy.uint8).reshape(height, width, 3)
    best = Upright(pixels, 0, recognise(rgb, width=width, height=height))
    if not best.lines or _is_upright(best.lines):
        return best
    for turn in (1, 3) if _runs_downwards(best.lines) else (2,):
        turned = numpy.ascontiguousarray(numpy.rot90(pixels, turn))
        lines = recognise(turned.tobytes(), width=turned.shape[1], height=turned.shape[0])
        if not _runs_downwards(lines) and (best.turn % 2 != turn % 2 or _trust(lines) > _trust(best.lines) + 0.1):
            best = Upright(turned, turn, lines)
        if _is_upright(best.lines):
            break
    return best


@dataclass(frozen=True, slots=True)
class Upright:
    """A picture the right way up: its pixels, by how many quarters it was turned to the left, its lines in pixels."""

    pixels: numpy.typing.NDArray[numpy.uint8]
    turn: int
    lines: tuple[ScanLine, ...]

    def turned_back(self, box: Box) -> Box:
        """A box of this picture, in the picture as it came."""
        left, top, right, bottom = box
        height, width = self.pixels.shape[:2]
        match self.turn:
            case 1:
                return (height - bottom, left, height - top, right)
            case 2:
                return (width - right, height - bottom, width - left, height - top)
            case 3:
                return (top, width - right, bottom, width - left)
            case _:
                return box


def _is_upright(lines: tuple[ScanLine, ...]) -> bool:
    return _trust(lines) >= _READABLE and not _runs_downwards(lines)


def _trust(lines: tuple[ScanLine, ...]) -> float:
    """Confidence by the length of the lines: short ones are easily mistaken for anything."""
    total = sum(len(line.text) for line in lines)
    return sum(line.confidence * len(line.text) for line in lines) / total if total else 0.0


def _runs_downwards(lines: tuple[ScanLine, ...]) -> bool:
    tall = sum(
        len(line.text) for line in lines if line.box[3] - line.box[1] > 2 * (line.box[2] - line.box[0]) and line.text
    )
    return tall > 0.6 * sum(len(line.text) for line in lines)


def _in_points(line: ScanLine, scale: float, box: Box) -> ScanLine:
    left, top, right, bottom = box
    in_points = (left / scale, top / scale, right / scale, bottom / scale)
    return replace(line, box=in_points, height=(line.height or bottom - top) / scale)
