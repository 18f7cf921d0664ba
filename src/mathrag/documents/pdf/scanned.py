"""Pages of a PDF that are pictures, or whose text somebody's OCR laid over one. Recognises nothing itself.

A scan is drawn, read by OCR and handed on as finished blocks. A layer of recognised text is read like any text, but its
formulas are guesses: OCR makes `x2` of a square and drops fraction bars, and nothing on the page tells.
"""

from __future__ import annotations

from dataclasses import replace

from mathrag.documents.pdf.layout.page_record import Draft, PageReading
from mathrag.documents.pdf.page_content import PageContent
from mathrag.documents.pdf.raw import OpenPdf
from mathrag.documents.pdf.raw.pages import RECOGNISED_NOTE
from mathrag.errors import DocumentError
from mathrag.types.document import Block, Place, ReaderNote
from mathrag.types.json_codec import from_json, to_json
from mathrag.types.json_value import Json

# What a page is noted with that needs OCR where there is none.
SCAN = "scan"
_GUESS = 0.5
_DOUBT = "the text of this page was made by OCR"


def read_scanned(document: OpenPdf, page: PageContent) -> PageReading:
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
    drafts = tuple(Draft("scan", block, block.place.box or (0.0, 0.0, 0.0, 0.0)) for block in scanned.blocks)
    return PageReading(
        page.number, page.width, page.height, drafts=drafts, notes=scanned.notes, pictures=scanned.pictures
    )


def with_notes(reading: PageReading, page: PageContent) -> PageReading:
    """A reading with what is to be said about its page; formulas from a layer of recognised text become guesses."""
    if not page.notes:
        return reading
    place = Place(page=page.number)
    is_recognised = RECOGNISED_NOTE in page.notes
    told = tuple(
        ReaderNote("ocr_layer" if note == RECOGNISED_NOTE else "page", f"page {page.number}: {note}", place)
        for note in page.notes
    )
    drafts = reading.drafts
    if is_recognised:
        drafts = tuple(replace(draft, block=_doubted(draft.block)) for draft in drafts)
    return replace(reading, drafts=drafts, notes=(*reading.notes, *told))


def _doubted(block: Block) -> Block:
    """The block with every formula in it, in cells and captions too, no more than a guess."""
    made: Block = from_json(_with_doubt(to_json(block)))
    return made


def _with_doubt(value: Json) -> Json:
    if isinstance(value, list):
        return [_with_doubt(item) for item in value]
    if not isinstance(value, dict):
        return value
    walked = {key: _with_doubt(item) for key, item in value.items()}
    if walked.get("$") == "Math":
        walked["confidence"] = min(walked.get("confidence", 1.0), _GUESS)
        walked["doubts"] = [*walked.get("doubts", ()), _DOUBT]
    return walked
