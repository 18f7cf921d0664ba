"""Which style is the plain one on a page: where the prose has no serifs, letters without serifs are plain letters.

Slides and many handouts are set so. There a sans letter in a formula is the upright letter, not one of an alphabet of
its own; on a page with serifs it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from mathrag.documents.pdf.raw.identities import FontIdentities


def settle_plain_style(fonts: Sequence[tuple[FontIdentities, int]]) -> None:
    """Make sans fonts upright where they print more signs than the serif ones. Math fonts stay as they are.

    Each font comes with the number of signs it prints on the page; called before the first question to any of them.
    """
    prose = [(font, count) for font, count in fonts if not font.is_math]
    sans = sum(count for font, count in prose if font.style == "sans")
    if sans > sum(count for font, count in prose if font.style == "upright"):
        for font, _ in prose:
            if font.style == "sans":
                font.style = "upright"
