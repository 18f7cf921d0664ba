"""Pages of glyphs set by hand, and the tables that are read from them."""

from __future__ import annotations

from mathrag.documents.pdf.layout.columns import Stretch
from mathrag.documents.pdf.layout.page_drafts import read_page_content
from mathrag.documents.pdf.page_content import Glyph, PageContent, Rule
from mathrag.types.document import Table, plain_text

SIZE = 10.0


def letters(text: str, *, x: float, y: float, size: float = SIZE) -> list[Glyph]:
    """Upright letters of half their size; a space is a third of it."""
    glyphs: list[Glyph] = []
    for character in text:
        if character != " ":
            glyphs.append(Glyph(character, "Font", size, x, y, size / 2, (x, y - 0.6 * size, x + size / 2, y)))
        x += size / 3 if character == " " else size / 2
    return glyphs


def stretch(text: str, *, x: float, y: float, size: float = SIZE) -> Stretch:
    glyphs = letters(text, x=x, y=y, size=size)
    return Stretch((x, y - 0.6 * size, glyphs[-1].box[2], y), y, tuple(glyphs))


def ruled(*lines: tuple[float, float, float, float]) -> tuple[Rule, ...]:
    return tuple(Rule(line) for line in lines)


def tables_of(glyphs: list[Glyph], rules: tuple[Rule, ...]) -> list[list[list[str]]]:
    """The rows of the tables of a page, each as the texts of its cells."""
    prose = [g for i in range(8) for g in letters("some words of a text that goes on below", x=50, y=500 + 14 * i)]
    reading = read_page_content(PageContent(1, 500, 700, (*glyphs, *prose), rules))
    blocks = [draft.block for draft in reading.drafts if isinstance(draft.block, Table)]
    return [[[plain_text(cell.content) for cell in row] for row in (*b.header, *b.rows)] for b in blocks]
