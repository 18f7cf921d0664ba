"""OCR by the package rapidocr, with the models that lie inside it. Downloads nothing, ever; knows no pages.

Left to itself rapidocr fetches models that it misses from the network. Every model is therefore named by its file,
and the function that fetches is taken away before anything runs.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NoReturn

import numpy

from mathrag.documents.scans.nouns import ScanLine
from mathrag.errors import DocumentError

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
