"""Finding OCR, and reading a picture the right way up. Decides nothing about what the lines mean."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn

import numpy
import numpy.typing

from mathrag.documents.scans.records import Box, ScanLine, TextRecogniser
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


# OCR by the package rapidocr, with the models that lie inside it. Downloads nothing, ever; knows no pages.
#
# Left to itself rapidocr fetches models that it misses from the network. Every model is therefore named by its file,
# and the function that fetches is taken away before anything runs.

# The recogniser works on a picture of this size at most; a printed page of 10-point type needs about 2,000.
LONGEST_SIDE = 2_300
# Lines are found on a smaller copy, which takes a third of the memory; they are read on the full one.
_FINDING_SIDE = 1_600
_MOST_LINES = 3_000
_FAILED = "OCR failed on this picture, perhaps for want of memory; scale it down, or raise the limit on memory"
_ROLES = {"Det": "_det", "Cls": "_cls", "Rec": "_rec"}


class RapidRecogniser:
    """Holds the loaded models. One thread: pages are read in parallel by several processes."""

    def __init__(self) -> None:
        import rapidocr
        from rapidocr.utils import download_file

        # By name, because the type checker knows the class only where the extra is installed.
        setattr(download_file.DownloadFile, "run", _no_download)  # noqa: B010
        folder = Path(rapidocr.__file__).parent / "models"
        models = {f"{section}.model_path": _model(folder, part) for section, part in _ROLES.items()}
        self._engine: Any = rapidocr.RapidOCR(
            params={
                "Global.log_level": "critical",
                "Global.max_side_len": LONGEST_SIDE,
                # What is hardly readable is a formula or a figure, and must be known to be there.
                "Global.text_score": 0.0,
                "Global.use_cls": False,
                "Det.limit_type": "max",
                # A picture full of noise looks like a thousand lines, each a tenth of a second.
                "Det.max_candidates": 500,
                "Det.limit_side_len": _FINDING_SIDE,
                # Lines one by one at their own width: padding short pieces to the width of long ones doubles the time.
                "Rec.rec_batch_num": 1,
                "Rec.rec_img_shape": [3, 48, 120],
                "EngineConfig.onnxruntime.intra_op_num_threads": 1,
                "EngineConfig.onnxruntime.inter_op_num_threads": 1,
                **models,
            }
        )

    def __call__(self, rgb: bytes, *, width: int, height: int) -> tuple[ScanLine, ...]:
        """Lines in pixels of the picture, in no order to rely on."""
        pixels = numpy.frombuffer(rgb, numpy.uint8).reshape(height, width, 3)
        # The models were trained on blue-green-red.
        try:
            result = self._engine(numpy.ascontiguousarray(pixels[:, :, ::-1]))
        except (KeyboardInterrupt, GeneratorExit, MemoryError):
            raise
        except BaseException as error:
            # Its errors carry whole stack traces; where memory is short it fails in any way at all.
            raise DocumentError("ocr_failed", _FAILED) from error
        boxes, texts, scores = (getattr(result, name, None) for name in ("boxes", "txts", "scores"))
        if boxes is None or texts is None or scores is None:
            return ()
        found = zip(boxes, texts, scores, strict=True)
        return tuple(_line(corners, text, score) for corners, text, score in found)[:_MOST_LINES]


def _model(folder: Path, part: str) -> str:
    """The largest model of its part in the package: newer releases may carry several."""
    models = sorted(folder.glob(f"*{part}*.onnx"), key=lambda path: (path.stat().st_size, path.name))
    if not models:
        raise DocumentError(
            "no_ocr",
            "the installed rapidocr carries no models, and none are downloaded; reinstall it: "
            "pip install --force-reinstall 'mathrag[ocr]'",
        )
    return str(models[-1])


def _no_download(*_: object, **__: object) -> NoReturn:
    raise DocumentError("no_ocr", "rapidocr asked to download a model, which is not allowed; reinstall mathrag[ocr]")


def _line(corners: Any, text: object, score: object) -> ScanLine:
    """Corners come as upper left, upper right, lower right, lower left of the line as it runs."""
    points = [(float(x), float(y)) for x, y in corners]
    (left_x, left_y), (right_x, right_y), _, (lower_x, lower_y) = points
    across, down = right_x - left_x, right_y - left_y
    tilt = down / across if abs(across) > abs(down) else 0.0
    height = math.hypot(lower_x - left_x, lower_y - left_y)
    columns, rows = [x for x, _ in points], [y for _, y in points]
    box = (min(columns), min(rows), max(columns), max(rows))
    confidence = float(score) if isinstance(score, int | float) else 0.0
    return ScanLine(str(text), box, confidence if math.isfinite(confidence) else 0.0, tilt, height)
