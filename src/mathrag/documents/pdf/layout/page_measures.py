"""What is usual on a page: the size of its prose and how letters are spread over sizes. Judges no single row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from mathrag.documents.pdf.page_content import Glyph

DEFAULT_SIZE = 10.0


def letter_sizes(glyphs: Iterable[Glyph]) -> Counter[int]:
    """How many letters each size (in tenths of a point) has, letters of formula fonts left out."""
    sizes: Counter[int] = Counter()
    for glyph in glyphs:
        if not glyph.is_math_font and glyph.text.isalpha():
            sizes[round(glyph.size * 10)] += 1
    return sizes


def usual_size(sizes: Counter[int], *, glyphs: Iterable[Glyph] = ()) -> float:
    """The size most letters have; that of any glyph where there are no letters."""
    if not sizes:
        sizes = Counter(round(glyph.size * 10) for glyph in glyphs)
    if not sizes:
        return DEFAULT_SIZE
    # Sizes that differ by rounding alone (9.9 and 10.0) count together.
    best = max(sizes, key=lambda size: (sum(sizes[size + step] for step in (-1, 0, 1)), sizes[size]))
    return max(best / 10, 1.0)
