"""A scanned page from its picture to blocks: prose as read by OCR, formulas and figures as pictures with their box.

Nothing that looks like a formula becomes one by OCR. Where a package offers to read pictures of formulas, what it says
is added as a guess that names it.
"""

from __future__ import annotations

import base64
from collections.abc import Callable

from mathrag.documents.scans.cut_outs import cut_out, grey_png
from mathrag.documents.scans.formula_pictures import FormulaProposal, propose_latex
from mathrag.documents.scans.ink import Pixels, grey
from mathrag.documents.scans.nouns import Box, ScannedPage, TextRecogniser
from mathrag.documents.scans.ordering import in_reading_order
from mathrag.documents.scans.passages import Passage, passages_of
from mathrag.documents.scans.pieces import Piece, find_pieces
from mathrag.documents.scans.recogniser import Upright, read_upright, text_recogniser
from mathrag.errors import DocumentError
from mathrag.types.document import (
    Block,
    Display,
    Heading,
    Image,
    KeptPicture,
    ListItem,
    Math,
    Paragraph,
    Place,
    ReaderNote,
    Text,
)

# Pixels along the longer side: more than OCR needs costs time, less costs letters.
_SIDE = 2_200
_LARGEST_SCALE = 6.0
_MOST_PICTURES = 300
_PICTURE_BYTES = 4_000_000
_UNSURE = 0.8


def read_scanned_page(
    render: Callable[[float], tuple[int, int, bytes]],
    *,
    number: int,
    width: float,
    height: float,
    recogniser: TextRecogniser | None = None,
) -> ScannedPage:
    """Read a page that is a picture. `render(scale)` gives its width and height in pixels and its red-green-blue bytes.

    Raises `DocumentError` with code `no_ocr` where the extra for OCR is not installed.
    """
    recognise = recogniser or text_recogniser(number)
    if not (0 < width < 1e6 and 0 < height < 1e6):
        raise DocumentError("broken", f"page {number} has no size that can be drawn")
    scale = min(_SIDE / max(width, height), _LARGEST_SCALE)
    columns, rows, rgb = render(scale)
    if columns < 4 or rows < 4:
        return ScannedPage(())
    return read_picture(rgb, columns, rows, number=number, points=width / columns, recogniser=recognise)


def read_picture(
    rgb: bytes, width: int, height: int, *, number: int, points: float, recogniser: TextRecogniser
) -> ScannedPage:
    """The same from the pixels; one of them is `points` wide on the page."""
    upright = read_upright(rgb, width, height, recogniser=recogniser)
    bright = grey(upright.pixels)
    pieces, body = find_pieces(upright.lines, bright)
    builder = _PageBuilder(upright, bright, number, points)
    for passage in passages_of(in_reading_order(pieces, body), body):
        builder.add(passage, margin=0.25 * body)
    return ScannedPage(tuple(builder.blocks), tuple(builder.pictures), builder.notes())


class _PageBuilder:
    """Collects the blocks of one page and the pictures that are kept, within what may be kept."""

    def __init__(self, upright: Upright, bright: Pixels, number: int, points: float) -> None:
        self.blocks: list[Block] = []
        self.pictures: list[KeptPicture] = []
        self._upright = upright
        self._bright = bright
        self._number = number
        self._points = points
        self._bytes = 0
        self._formulas = 0
        self._dropped = 0
        self._unsure = 0

    def add(self, passage: Passage, *, margin: float) -> None:
        if passage.is_picture:
            self._add_picture(passage.pieces[0], margin)
            return
        text = passage.text
        if not text.strip():
            return
        place = self._place([piece.box for piece in passage.pieces])
        if min(piece.confidence for piece in passage.pieces) < _UNSURE:
            self._unsure += 1
        content = (Text(text),)
        if passage.heading:
            self.blocks.append(Heading(place, text, passage.heading, content))
        elif passage.marker:
            self.blocks.append(ListItem(place, f"{passage.marker} {text}", content, marker=passage.marker))
        else:
            self.blocks.append(Paragraph(place, text, content))

    def _place(self, boxes: list[Box], margin: float = 0.0) -> Place:
        corners = [self._upright.turned_back(box) for box in boxes]
        left, top = min(box[0] for box in corners) - margin, min(box[1] for box in corners) - margin
        right, bottom = max(box[2] for box in corners) + margin, max(box[3] for box in corners) + margin
        points = self._points
        box = tuple(round(max(0.0, value) * points, 2) for value in (left, top, right, bottom))
        return Place(page=self._number, box=(box[0], box[1], box[2], box[3]))

    def _add_picture(self, piece: Piece, margin: float) -> None:
        place = self._place([piece.box], margin)
        if piece.kind == "figure":
            self.blocks.append(Image(place, "a figure in a scan", alternative=piece.text[:500]))
            return
        png = grey_png(cut_out(self._bright, piece.box, margin=margin))
        self._keep(place, png)
        self._formulas += 1
        proposal = propose_latex(png)
        seen = piece.text.strip()[:500]
        if proposal is None:
            label = f" ({piece.number})" if piece.number else ""
            words = f"a formula in a scan{label}, not read; OCR saw: {seen}" if seen else f"a formula in a scan{label}"
            self.blocks.append(Image(place, seen or "a formula in a scan", alternative=words))
        else:
            self.blocks.append(Display(place, seen or proposal.latex, self._math(proposal, place, piece)))

    def _math(self, proposal: FormulaProposal, place: Place, piece: Piece) -> Math:
        return Math(
            proposal.latex,
            "latex",
            place,
            piece.text.strip()[:500] or proposal.latex,
            is_display=True,
            number=piece.number,
            confidence=proposal.confidence,
            doubts=proposal.doubts,
        )

    def _keep(self, place: Place, png: bytes) -> None:
        if len(self.pictures) >= _MOST_PICTURES or self._bytes + len(png) > _PICTURE_BYTES:
            self._dropped += 1
            return
        self._bytes += len(png)
        self.pictures.append(KeptPicture(place, base64.b64encode(png).decode("ascii")))

    def notes(self) -> tuple[ReaderNote, ...]:
        """What a reader of the report should know about the page."""
        place = Place(page=self._number)
        told = [ReaderNote("ocr", f"page {self._number} is a picture; its text was read by OCR", place)]
        if not self.blocks:
            told.append(ReaderNote("ocr_empty", f"OCR found no text on page {self._number}", place))
        if self._formulas:
            kept = f"{self._formulas} formulas" if self._formulas > 1 else "one formula"
            told.append(ReaderNote("formula_picture", f"{kept} of page {self._number} kept as pictures", place))
        if self._dropped:
            told.append(ReaderNote("picture_dropped", f"{self._dropped} cut-outs were too many or too large", place))
        if self._unsure:
            told.append(ReaderNote("ocr_unsure", f"{self._unsure} passages were hard to read for OCR", place))
        return tuple(told)
