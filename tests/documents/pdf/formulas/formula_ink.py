"""Small pages drawn by hand for the tests: glyphs on a baseline, rules, whole formulas in a few words."""

from __future__ import annotations

from mathrag.documents.pdf.page_content import Glyph, Rule, Style

EM = 10.0


def sign(
    text: str,
    x: float,
    y: float = 100.0,
    *,
    size: float = EM,
    style: Style = "italic",
    width: float = 0.5,
    top: float = 0.7,
    bottom: float = 0.0,
) -> Glyph:
    """A glyph whose ink reaches `top` above and `bottom` below its baseline, in ems of its size."""
    advance = width * size
    box = (x, y - top * size, x + advance, y + bottom * size)
    return Glyph(text, "Test", size, x, y, advance, box, style=style, is_math_font=style == "italic")


def bar(left: float, right: float, y: float, *, thick: float = 0.4) -> Rule:
    """A lying line."""
    return Rule((left, y - thick / 2, right, y + thick / 2))
