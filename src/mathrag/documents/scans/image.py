"""Pictures as documents: PNG, JPEG and TIFF files that show pages of text. Decoding is limited; OCR does the rest.

The size stands in the first bytes of a picture and is looked at before anything is decoded: a file of a few kilobytes
can announce gigabytes.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mathrag.documents.scans.page import read_picture
from mathrag.documents.scans.recogniser import no_ocr, ocr_is_installed, text_recogniser
from mathrag.documents.scans.records import ScannedPage
from mathrag.documents.seams import Source
from mathrag.errors import DocumentError
from mathrag.types.document import Block, Document, KeptPicture, Page, Place, ReaderNote

_FORMATS = {b"\x89PNG": ("PNG", "image/png"), b"\xff\xd8\xff": ("JPEG", "image/jpeg")}
_TIFF = (b"II*\x00", b"MM\x00*")
_MOST_PIXELS = 60_000_000
_MOST_PAGES = 200
_SIDE = 2_200
# Screens show 96 dots to the inch; scanners say what they did.
_USUAL_DOTS, _FEWEST_DOTS, _MOST_DOTS = 96.0, 50.0, 2_400.0


@dataclass(frozen=True, slots=True)
class _Picture:
    rgb: bytes
    width: int
    height: int
    points: float


def read_image(source: Source) -> Document:
    """Read a picture of text. Raises `DocumentError`: `no_ocr` without the extra, `too_large`, or `broken`."""
    name, media_type = _format_of(source.data)
    if not ocr_is_installed():
        raise no_ocr()
    recogniser = text_recogniser()
    blocks: list[Block] = []
    pictures: list[KeptPicture] = []
    notes: list[ReaderNote] = []
    pages: list[Page] = []
    for number, picture in enumerate(_decoded(source.data, name), start=1):
        if number > _MOST_PAGES:
            notes.append(ReaderNote("too_large", f"only the first {_MOST_PAGES} pages were read", Place(page=number)))
            break
        scanned: ScannedPage = read_picture(
            picture.rgb, picture.width, picture.height, number=number, points=picture.points, recogniser=recogniser
        )
        blocks += scanned.blocks
        pictures += scanned.pictures
        notes += scanned.notes
        pages.append(Page(number, round(picture.width * picture.points, 2), round(picture.height * picture.points, 2)))
        if len(blocks) > source.limits.blocks:
            raise DocumentError("too_large", f"the picture has more than {source.limits.blocks:,} pieces; split it")
    return Document(
        source=source.name,
        media_type=media_type,
        hash=source.hash,
        blocks=tuple(blocks),
        pages=tuple(pages),
        notes=tuple(notes),
        pictures=tuple(pictures),
    )


def _format_of(data: bytes) -> tuple[str, str]:
    for magic, found in _FORMATS.items():
        if data.startswith(magic):
            return found
    if data.startswith(_TIFF):
        return ("TIFF", "image/tiff")
    raise DocumentError("broken", "this is no PNG, JPEG or TIFF picture, whatever its name says")


def _decoded(data: bytes, name: str) -> Iterator[_Picture]:
    """The pictures in a file (TIFF can hold several), each small enough for OCR."""
    from PIL import Image

    failures = (OSError, ValueError, SyntaxError, EOFError, ArithmeticError, KeyError, TypeError, AttributeError)
    with warnings.catch_warnings():
        # Its own limit warns first and fails later; ours stands before any decoding.
        warnings.simplefilter("ignore")
        try:
            with Image.open(io.BytesIO(data), formats=(name,)) as opened:
                for index in range(min(getattr(opened, "n_frames", 1), _MOST_PAGES + 1)):
                    if index:
                        opened.seek(index)
                    yield _frame(opened)
        except DocumentError:
            raise
        except (*failures, Image.DecompressionBombError) as error:
            raise DocumentError("broken", f"the picture is damaged: {type(error).__name__}: {error}") from error


def _frame(opened: Any) -> _Picture:
    from PIL import Image

    width, height = opened.size
    if width * height > _MOST_PIXELS:
        raise DocumentError(
            "too_large",
            f"the picture has {width:,} by {height:,} pixels; at most {_MOST_PIXELS:,} in all are read; scale it down",
        )
    points = 72.0 / _dots(opened.info.get("dpi"))
    # JPEG can be decoded at a half, a quarter or an eighth right away.
    opened.draft("RGB", (_SIDE, _SIDE))
    paper = _on_paper(opened)
    if max(paper.size) > _SIDE:
        paper.thumbnail((_SIDE, _SIDE), Image.Resampling.LANCZOS)
    if min(paper.size) < 1:
        raise DocumentError("broken", "the picture has no pixels")
    return _Picture(paper.tobytes(), paper.width, paper.height, points * width / paper.width)


def _on_paper(opened: Any) -> Any:
    """The picture on white: text on a transparent ground would be black on black."""
    from PIL import Image

    if opened.mode in ("RGBA", "LA", "PA") or "transparency" in opened.info:
        above = opened.convert("RGBA")
        paper = Image.new("RGB", above.size, "white")
        paper.paste(above, mask=above.getchannel("A"))
        return paper
    if opened.mode.startswith("I;16") or opened.mode in ("I", "F"):
        # Sixteen bits to a pixel; `convert` would cut them off at 255.
        return opened.convert("F").point(lambda value: value / 257.0).convert("L").convert("RGB")
    return opened.convert("RGB")


def _dots(told: object) -> float:
    """Dots to the inch as the file says, where that is credible."""
    dots = told[0] if isinstance(told, tuple) and told else 0
    try:
        found = float(dots)
    except (TypeError, ValueError, ZeroDivisionError):
        return _USUAL_DOTS
    return found if _FEWEST_DOTS <= found <= _MOST_DOTS else _USUAL_DOTS
