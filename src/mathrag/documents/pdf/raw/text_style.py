"""Which style is the plain one on a page: where the prose has no serifs, letters without serifs are plain letters.

Slides and many handouts are set so. There a sans letter in a formula is the upright letter, not one of an alphabet of its
own; on a page with serifs it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mathrag.documents.pdf.page_content import Glyph


def plain_letters(glyphs: Sequence[Glyph]) -> tuple[Glyph, ...]:
    """The glyphs, with sans letters upright if most of the prose is sans. Letters of math fonts stay as they are."""
    sans = sum(glyph.style == "sans" and not glyph.is_math_font for glyph in glyphs)
    if not sans:
        return tuple(glyphs)
    upright = sum(glyph.style == "upright" and not glyph.is_math_font and glyph.text.isalpha() for glyph in glyphs)
    if sans <= upright:
        return tuple(glyphs)
    return tuple(
        replace(glyph, style="upright") if glyph.style == "sans" and not glyph.is_math_font else glyph
        for glyph in glyphs
    )
