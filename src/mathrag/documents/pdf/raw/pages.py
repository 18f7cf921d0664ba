"""Open a PDF held in memory and hand out its pages as content, and as pixels. Runs no script and follows no link.

A page is judged as a whole too: whether it is a scan, has a layer of recognised text, or text drawn as outlines.
"""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from types import TracebackType
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from mathrag.documents.boxes import Box
from mathrag.documents.pdf.page_content import Glyph, PageContent
from mathrag.documents.pdf.raw.built_signs import (
    assemble_signs,
    compose_accents,
    drop_brace_fillings,
    take_spanning_signs,
)
from mathrag.documents.pdf.raw.drawings import Shapes, read_shapes
from mathrag.documents.pdf.raw.geometry import View, is_finite
from mathrag.documents.pdf.raw.page_glyphs import Characters, drop_overprints, read_characters
from mathrag.documents.pdf.raw.paths import drop_pale
from mathrag.errors import DocumentError

# The largest handbooks have 3,000.
MOST_PAGES = 5_000
# A page of A4 at 600 dots an inch has 35 million; three bytes each.
_MOST_PIXELS = 40_000_000
# In points: PDF itself allows up to 14,400 (ISO 32000-1, annex C).
_SMALLEST_SIDE, _LARGEST_SIDE = 1.0, 20_000.0
_YEAR = re.compile(r"D?:?\s*((?:19|20)\d\d)")
_AUTHOR_BREAK = re.compile(r"\s*(?:;|,|\band\b|&|\n)\s*")
_PASSWORD_CODES = (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY)


@dataclass(frozen=True, slots=True)
class PdfMetadata:
    """What the file says about itself; empty where it says nothing. `year` is that of its creation."""

    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None


class OpenPdf:
    """A PDF open for reading. Use it in a `with` statement; pages are closed as soon as they are read."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self.pages: int = len(document)
        self.metadata = _metadata(document)

    def __enter__(self) -> OpenPdf:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Free everything pdfium holds. Closing twice does no harm."""
        if self._document is not None:
            self._document.close()
            self._document = None

    def page(self, number: int) -> PageContent:
        """The content of a page, counted from 1."""
        page = self._load(number)
        try:
            view = _view(page, number)
            characters = read_characters(page.raw, view)
            shapes = read_shapes(page.raw, view, reach=characters.reach)
        finally:
            page.close()
        seen = drop_pale(characters.glyphs, characters.pale, shapes.grounds)
        glyphs = compose_accents(assemble_signs(drop_overprints(seen)))
        glyphs, drawings = take_spanning_signs(glyphs, shapes.drawings)
        is_scan, notes = judge_page(view, glyphs, characters, shapes)
        return PageContent(
            number=number,
            width=view.width,
            height=view.height,
            glyphs=glyphs,
            rules=drop_brace_fillings(shapes.rules, glyphs),
            drawings=drop_brace_fillings(drawings, glyphs),
            pictures=shapes.pictures,
            is_scan=is_scan,
            notes=(*characters.notes, *shapes.notes, *notes, *(() if is_scan else unreadable_notes(glyphs))),
        )

    def render(self, number: int, *, scale: float, box: Box | None = None) -> tuple[int, int, bytes]:
        """A page, or its part inside a box, as pixels: width, height and rows of RGB. `scale` is pixels per point."""
        page = self._load(number)
        try:
            view = _view(page, number)
            crop = _crop(view, box)
            width, height = view.width - crop[0] - crop[2], view.height - crop[1] - crop[3]
            if scale <= 0 or width * height * scale * scale > _MOST_PIXELS:
                raise DocumentError(
                    "too_large",
                    f"page {number} at {scale:g} pixels a point is too large a picture; use a smaller scale",
                )
            bitmap = page.render(scale=scale, crop=crop, rev_byteorder=True, prefer_bgrx=False)
            try:
                return bitmap.width, bitmap.height, _rgb(bitmap)
            finally:
                bitmap.close()
        except pypdfium2.PdfiumError as error:
            raise DocumentError("broken", f"page {number} cannot be drawn; look at it in a PDF viewer") from error
        finally:
            page.close()

    def _load(self, number: int) -> Any:
        if self._document is None:
            raise DocumentError("closed", "this PDF was closed; open it again")
        if not 1 <= number <= self.pages:
            raise DocumentError("no_such_page", f"there is no page {number}; the PDF has pages 1 to {self.pages}")
        try:
            return self._document[number - 1]
        except pypdfium2.PdfiumError as error:
            raise DocumentError(
                "broken", f"page {number} is damaged; repair the file, for example by printing it to a new PDF"
            ) from error


def open_pdf(data: bytes, *, password: str = "") -> OpenPdf:
    """Open a PDF. An encrypted one needs its password; a damaged or huge one is refused with the reason."""
    try:
        document = pypdfium2.PdfDocument(data, password=password or None)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) in _PASSWORD_CODES:
            reason = (
                "the password does not open this PDF; give the right one with --password"
                if password
                else "this PDF is encrypted; give its password with --password"
            )
            raise DocumentError("encrypted", reason) from error
        raise DocumentError("broken", "this is not a PDF that can be read; it is damaged or of another type") from error
    pages = len(document)
    if 0 < pages <= MOST_PAGES:
        return OpenPdf(document)
    document.close()
    if pages > MOST_PAGES:
        raise DocumentError("too_large", f"this PDF has {pages} pages; split it into parts of at most {MOST_PAGES}")
    raise DocumentError("broken", "this PDF has no pages; it is damaged")


def _view(page: Any, number: int) -> View:
    box = pdfium.FS_RECTF()
    if not pdfium.FPDF_GetPageBoundingBox(page.raw, ctypes.byref(box)):
        raise DocumentError("broken", f"page {number} has no size")
    view = View(
        min(box.left, box.right),
        min(box.bottom, box.top),
        max(box.left, box.right),
        max(box.bottom, box.top),
        pdfium.FPDFPage_GetRotation(page.raw) % 4,
    )
    sides = (view.width, view.height)
    if not is_finite(*sides, view.left, view.bottom) or min(sides) < _SMALLEST_SIDE or max(sides) > _LARGEST_SIDE:
        raise DocumentError(
            "too_large", f"page {number} measures {view.width:g} by {view.height:g} points; no page does"
        )
    return view


def _crop(view: View, box: Box | None) -> tuple[float, float, float, float]:
    if box is None:
        return (0.0, 0.0, 0.0, 0.0)
    left, top = max(0.0, min(box[0], view.width - 1)), max(0.0, min(box[1], view.height - 1))
    right, bottom = min(view.width, max(box[2], left + 1)), min(view.height, max(box[3], top + 1))
    return (left, view.height - bottom, view.width - right, top)


def _rgb(bitmap: Any) -> bytes:
    rows = bytes(bitmap.buffer)
    width = bitmap.width * 3
    if bitmap.stride == width:
        return rows[: width * bitmap.height]
    return b"".join(rows[row * bitmap.stride : row * bitmap.stride + width] for row in range(bitmap.height))


def _metadata(document: Any) -> PdfMetadata:
    try:
        facts = document.get_metadata_dict(skip_empty=True)
    except (pypdfium2.PdfiumError, UnicodeError):
        return PdfMetadata()
    title = _clean(facts.get("Title", ""))
    authors = tuple(name for name in _AUTHOR_BREAK.split(_clean(facts.get("Author", ""))) if name)
    year = _YEAR.match(facts.get("CreationDate", ""))
    return PdfMetadata(title, authors[:50], int(year[1]) if year else None)


def _clean(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text[:1_000]).split())


# Judge a page as a whole: whether it is a scan, has a layer of recognised text, or text drawn as outlines.

# A page with fewer signs has no text: a page number, the stamp of a scanner.
_FEW_GLYPHS = 20
# A scan may leave margins, a figure leaves room for text.
_MOST_OF_PAGE = 0.5
# So many shapes without any text are letters drawn as outlines.
_MANY_DRAWINGS = 150
OUTLINES_NOTE = "text drawn as outlines"
RECOGNISED_NOTE = "the text is an invisible layer of recognised characters over a picture"


def judge_page(
    view: View, glyphs: Sequence[Glyph], characters: Characters, shapes: Shapes
) -> tuple[bool, tuple[str, ...]]:
    """Whether the page is a scan without usable text, and what is to be said about its text."""
    # No more than a few are counted: a page of text has thousands.
    usable = sum(1 for _ in islice((glyph for glyph in glyphs if glyph.text.strip()), _FEW_GLYPHS))
    notes: list[str] = []
    if characters.invisible > 0.5 * max(1, len(characters.glyphs)) and usable >= _FEW_GLYPHS:
        notes.append(RECOGNISED_NOTE)
    pictures = [picture.box for picture in shapes.pictures]
    is_scan = usable < _FEW_GLYPHS and bool(pictures) and _covered_share(pictures, view) >= _MOST_OF_PAGE
    if usable < _FEW_GLYPHS and not is_scan and len(shapes.drawings) >= _MANY_DRAWINGS:
        notes.append(OUTLINES_NOTE)
        is_scan = True
    return is_scan, tuple(notes)


# Fewer signs without identity are ornaments; and a page tells of its worst fonts only.
_FEW_UNREADABLE = 3
_MOST_FONTS = 3
UNREADABLE_NOTE = "cannot be read as characters; formulas there may be missing"


def unreadable_notes(glyphs: Sequence[Glyph]) -> tuple[str, ...]:
    """How many signs of which font have no identity, so that nobody takes a page for empty that is not."""
    counts = Counter(glyph.font for glyph in glyphs if not glyph.text)
    return tuple(
        f"{count} signs of {f'the font {font}' if font else 'a font without a name'} {UNREADABLE_NOTE}"
        for font, count in counts.most_common(_MOST_FONTS)
        if count >= _FEW_UNREADABLE
    )


def _covered_share(boxes: Sequence[Box], view: View, *, cells: int = 24) -> float:
    """The share of the page that lies under boxes; counted on a coarse grid so that overlaps count once."""
    covered = 0
    for row in range(cells):
        y = (row + 0.5) * view.height / cells
        spans = [box for box in boxes if box[1] <= y <= box[3]]
        covered += sum(
            any(box[0] <= (column + 0.5) * view.width / cells <= box[2] for box in spans) for column in range(cells)
        )
    return covered / (cells * cells)
