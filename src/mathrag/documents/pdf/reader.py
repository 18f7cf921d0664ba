"""PDF bytes to a `Document`: each page read by itself, then all of them put together. The entry point of the format.

A page goes one of two ways: its text layer is read, or, where it is a picture, it is drawn and handed to OCR. A page
that fails costs no other page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from mathrag.documents.boxes import NOWHERE
from mathrag.documents.pdf.doubtful_formulas import doubt_overlapped, keep_doubtful
from mathrag.documents.pdf.layout.page_drafts import read_page_content
from mathrag.documents.pdf.layout.page_record import Draft, PageReading
from mathrag.documents.pdf.page_content import PageContent
from mathrag.documents.pdf.raw import OpenPdf, PdfMetadata, open_pdf
from mathrag.documents.pdf.raw.pages import RECOGNISED_NOTE, UNREADABLE_NOTE
from mathrag.documents.pdf.whole_document import assemble_pages
from mathrag.documents.seams import Source
from mathrag.errors import DocumentError
from mathrag.types.document import Document, Math, Place, ReaderNote, with_formulas

# What a page is noted with that needs OCR where there is none.
SCAN = "scan"


def read_pdf(source: Source) -> Document:
    """Read a PDF. Raises `DocumentError` for what is damaged, encrypted or too large; notes pages that failed."""
    with open_pdf(source.data, password=source.password) as document:
        pages = [_read(document, number) for number in range(1, document.pages + 1)]
        return _assembled(source, pages, document.metadata)


def count_pages(source: Source) -> int:
    """How many pages a PDF has."""
    with open_pdf(source.data, password=source.password) as document:
        return document.pages


def read_pages(source: Source, numbers: Iterable[int], *, password: str = "") -> tuple[PageReading, ...]:
    """Some pages of a PDF, each read by itself; a page that fails comes back empty with a note."""
    with open_pdf(source.data, password=password or source.password) as document:
        return tuple(_read(document, number) for number in numbers)


def assemble(source: Source, pages: Sequence[PageReading], *, password: str = "") -> Document:
    """The document made of its pages. Title and authors come from the file's own data where they are sensible."""
    metadata = PdfMetadata()
    with open_pdf(source.data, password=password or source.password) as document:
        metadata = document.metadata
    return _assembled(source, sorted(pages, key=lambda page: page.number), metadata)


def _assembled(source: Source, pages: Sequence[PageReading], metadata: PdfMetadata) -> Document:
    """The document, unless each of its pages failed: then the reason of the first is that of all."""
    failures = [
        next((note for note in page.notes if note.code in (SCAN, "page_failed")), None)
        for page in pages
        if not page.drafts
    ]
    first = next((failure for failure in failures if failure is not None), None)
    if first is not None and len(failures) == len(pages) and None not in failures:
        raise DocumentError("no_ocr" if first.code == SCAN else "broken", first.message)
    return assemble_pages(source, pages, metadata=metadata)


def _read(document: OpenPdf, number: int) -> PageReading:
    try:
        content = document.page(number)
        if content.is_scan:
            return _with_notes(_read_scanned(document, content), content)
        reading = _with_notes(doubt_overlapped(read_page_content(content)), content)
        return replace(reading, pictures=keep_doubtful(document, reading))
    except DocumentError as error:
        return _failed(number, str(error))
    except (ArithmeticError, LookupError, ValueError, TypeError, AssertionError, RecursionError) as error:
        # A page is a stranger's program; whatever it breaks in here must not cost the other pages.
        return _failed(number, f"page {number} could not be read ({type(error).__name__}); look at it in a PDF viewer")


def _failed(number: int, reason: str) -> PageReading:
    note = ReaderNote("page_failed", reason, Place(page=number))
    return PageReading(number, 0.0, 0.0, notes=(note,))


# Pages of a PDF that are pictures, or whose text somebody's OCR laid over one. Recognises nothing itself.
#
# A scan is drawn, read by OCR and handed on as finished blocks. A layer of recognised text is read like any text, but
# its formulas are guesses: OCR makes `x2` of a square and drops fraction bars, and nothing on the page tells.

# The trust in such a formula: no more likely right than wrong.
_GUESS = 0.5
_DOUBT = "the text of this page was made by OCR"


def _read_scanned(document: OpenPdf, page: PageContent) -> PageReading:
    """The blocks of a scan; without OCR an empty page whose note names what to install."""
    # OCR and what it stands on are heavy, and most documents have no scans.
    from mathrag.documents.scans import read_scanned_page

    try:
        scanned = read_scanned_page(
            lambda scale: document.render(page.number, scale=scale),
            number=page.number,
            width=page.width,
            height=page.height,
        )
    except DocumentError as error:
        if error.code != "no_ocr":
            raise
        note = ReaderNote(SCAN, error.reason, Place(page=page.number))
        return PageReading(page.number, page.width, page.height, notes=(note,))
    drafts = tuple(Draft("scan", block, block.place.box or NOWHERE) for block in scanned.blocks)
    return PageReading(
        page.number, page.width, page.height, drafts=drafts, notes=scanned.notes, pictures=scanned.pictures
    )


def _with_notes(reading: PageReading, page: PageContent) -> PageReading:
    """A reading with what is to be said about its page; formulas from a layer of recognised text become guesses."""
    if not page.notes:
        return reading
    place = Place(page=page.number)
    is_recognised = RECOGNISED_NOTE in page.notes
    told = tuple(ReaderNote(_code_of(note), f"page {page.number}: {note}", place) for note in page.notes)
    drafts = reading.drafts
    if is_recognised:
        drafts = tuple(replace(draft, block=with_formulas(draft.block, _guessed)) for draft in drafts)
    return replace(reading, drafts=drafts, notes=(*reading.notes, *told))


def _code_of(note: str) -> str:
    if note == RECOGNISED_NOTE:
        return "ocr_layer"
    return "unreadable" if note.endswith(UNREADABLE_NOTE) else "page"


def _guessed(math: Math) -> Math:
    return replace(math, confidence=min(math.confidence, _GUESS), doubts=(*math.doubts, _DOUBT))
