"""PDF bytes to a `Document`: each page read by itself, then all of them put together. The entry point of the format."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from mathrag.documents.pdf.assembly import assemble_pages
from mathrag.documents.pdf.doubtful_formulas import doubt_overlapped, keep_doubtful
from mathrag.documents.pdf.layout.page_reader import read_page_content
from mathrag.documents.pdf.layout.page_record import PageReading
from mathrag.documents.pdf.raw import OpenPdf, PdfMetadata, open_pdf
from mathrag.documents.pdf.scanned import SCAN, read_scanned, with_notes
from mathrag.documents.seams import Source
from mathrag.errors import DocumentError
from mathrag.types.document import Document, Place, ReaderNote


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
            return with_notes(read_scanned(document, content), content)
        reading = with_notes(doubt_overlapped(read_page_content(content)), content)
        return replace(reading, pictures=keep_doubtful(document, reading))
    except DocumentError as error:
        return _failed(number, str(error))
    except (ArithmeticError, LookupError, ValueError, TypeError, AssertionError, RecursionError) as error:
        # A page is a stranger's program; whatever it breaks in here must not cost the other pages.
        return _failed(number, f"page {number} could not be read ({type(error).__name__}); look at it in a PDF viewer")


def _failed(number: int, reason: str) -> PageReading:
    note = ReaderNote("page_failed", reason, Place(page=number))
    return PageReading(number, 0.0, 0.0, notes=(note,))
