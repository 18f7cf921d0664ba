"""Pages that are pictures: prose by OCR where the extra is installed, formulas and figures kept as pictures."""

from __future__ import annotations

from mathrag.documents.scans.formula_pictures import (
    FormulaProposal,
    FormulaRecogniser,
    RecognisedFormula,
    propose_latex,
)
from mathrag.documents.scans.image import read_image
from mathrag.documents.scans.page import read_scanned_page
from mathrag.documents.scans.recogniser import ocr_is_installed, read_scan, text_recogniser
from mathrag.documents.scans.records import ScanLine, ScannedPage, TextRecogniser

__all__ = [
    "FormulaProposal",
    "FormulaRecogniser",
    "RecognisedFormula",
    "ScanLine",
    "ScannedPage",
    "TextRecogniser",
    "ocr_is_installed",
    "propose_latex",
    "read_image",
    "read_scan",
    "read_scanned_page",
    "text_recogniser",
]
