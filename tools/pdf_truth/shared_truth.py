"""Real documents that exist both as a source and as PDF; the source, read by its own reader, is the truth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from mathrag.documents.registry import read_path
from mathrag.types.document import Document
from pdf_truth.formula_lists import ROOT

DOCUMENTS = ROOT.parent / "shared" / "documents"
SHEETS = DOCUMENTS / "equation-sheets"
_PAIRS = (
    ("phys121", "Sheets (Latin Modern)", "pdf/phys121.pdf", "phys/phys121.md"),
    ("phys122", "Sheets (Latin Modern)", "pdf/phys122.pdf", "phys/phys122.md"),
    ("phys123", "Sheets (Latin Modern)", "pdf/phys123.pdf", "phys/phys123.md"),
    ("chem145", "Sheets (Latin Modern)", "pdf/chem145.pdf", "chem/chem145.md"),
    ("chem455-published", "Sheets as published", "pdf-as-published/chem455.pdf", "chem/chem455.md"),
    ("cheme325-published", "Sheets as published", "pdf-as-published/cheme325.pdf", "cheme/cheme325.md"),
    ("cheme457-published", "Sheets as published", "pdf-as-published/cheme457.pdf", "cheme/cheme457.md"),
)


def shared_pairs() -> Iterator[tuple[str, str, Path, Callable[[], Document]]]:
    """Name, family, PDF and a function that reads the source of everything that is there."""
    for name, family, pdf, source in _PAIRS:
        if (SHEETS / pdf).exists() and (SHEETS / source).exists():
            yield name, family, SHEETS / pdf, partial(read_path, SHEETS / source)
    book = DOCUMENTS / "ap-physics-tex"
    printed = book / "derived_pdf" / "ap_physics_formula_sheet.pdf"
    if printed.exists() and (book / "main.tex").exists():
        yield "ap-physics", "Book (Computer Modern)", printed, lambda: read_path(book / "main.tex")
