"""Glyph listings of small PDFs from different programs, compared with listings that a person has checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from mathrag.documents.pdf.page_content import PageContent
from mathrag.documents.pdf.raw import open_pdf

FILES = Path(__file__).parent / "files"
NAMES = sorted(path.stem for path in FILES.glob("*.pdf"))


def listing(content: PageContent) -> str:
    """One line for each glyph, rule and drawing: what it is, then where."""
    lines = [f"page {content.width:.0f} x {content.height:.0f}"]
    for glyph in content.glyphs:
        sign = glyph.text if glyph.text.isprintable() and not _combines(glyph.text) else f"U+{ord(glyph.text):04X}"
        kind = glyph.style + (" bold" if glyph.is_bold else "") + (" math" if glyph.is_math_font else "")
        left, top, right, bottom = glyph.box
        place = f"at {glyph.x:.0f} {glyph.y:.0f} ink {right - left:.1f} x {bottom - top:.1f}"
        lines.append(f"{sign or '?'}  {glyph.font} {glyph.size:.1f} {kind}, {glyph.evidence}  {place}")
    lines.extend(f"rule  {_box(rule.box)}" for rule in content.rules)
    lines.extend(
        f"drawing {drawing.text and f'U+{ord(drawing.text):04X}'}  {_box(drawing.box)}" for drawing in content.drawings
    )
    return "\n".join((*lines, *content.notes)) + "\n"


def _combines(text: str) -> bool:
    return "\u0300" <= text <= "\u036f" or "\u20d0" <= text <= "\u20ff"


def _box(box: tuple[float, float, float, float]) -> str:
    return " ".join(f"{number:.0f}" for number in box)


@pytest.mark.parametrize("name", NAMES)
def test_listing_is_as_checked(name: str) -> None:
    with open_pdf((FILES / f"{name}.pdf").read_bytes()) as document:
        found = listing(document.page(1))
    assert found == (FILES / f"{name}.listing").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_every_glyph_has_an_identity(name: str) -> None:
    with open_pdf((FILES / f"{name}.pdf").read_bytes()) as document:
        assert [glyph for glyph in document.page(1).glyphs if not glyph.text] == []
