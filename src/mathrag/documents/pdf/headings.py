"""Which drafts are headings and of what level: by size, weight and numbering over the whole document."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from mathrag.documents.pdf.layout.flow import text_of
from mathrag.documents.pdf.layout.page_reading import Draft
from mathrag.types.document import Content, ListItem, Math, Paragraph, Text

_LARGER = 1.07
_LONGEST = 200
_MOST_LEVELS = 6
_NUMBER = re.compile(
    r"(?:(?:chapter|part|appendix)\s+)?(?P<number>\d{1,3}(?:\.\d{1,3}){0,4}|[A-Z](?:\.\d{1,3}){1,4})\.?\s+\S",
    re.IGNORECASE,
)
_CHAPTER = re.compile(r"(?:chapter|part)\s+\w{1,6}\b", re.IGNORECASE)
_OUTLINE = re.compile(r"(?:[IVX]{1,6}|[A-Z]|\d{1,2}(?:\.\d{1,2}){0,3})[.)]?\s+\S")
_CAPTION = re.compile(r"(?:figure|fig\.|table|tab\.|algorithm|listing|scheme)\s*[A-Z]?\d", re.IGNORECASE)
_KNOWN = re.compile(
    r"(?:abstract|summary|introduction|conclusions?|references|bibliography|acknowledge?ments?|appendix|contents|"
    r"nomenclature|table of contents|discussion|results|methods?)\s*[:.]?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Style:
    """How a heading looks; headings of one look have one level."""

    size: float
    is_bold: bool
    is_capital: bool
    is_italic: bool
    is_chapter: bool = False


def style_of(draft: Draft) -> Style:
    """How a draft looks."""
    text = text_of(draft)
    letters = [character for character in text if character.isalpha()]
    capital = bool(letters) and all(character.isupper() for character in letters) and len(letters) > 3
    is_chapter = _CHAPTER.match(text) is not None
    return Style(round(draft.size * 2) / 2, draft.is_bold or draft.is_ruled, capital, draft.is_italic, is_chapter)


def is_heading(draft: Draft, *, body_size: float) -> bool:
    """Whether a draft looks like a heading in a document whose prose has a certain size."""
    if draft.kind not in ("text", "item") or draft.rows > 3:
        return False
    block = draft.block
    assert isinstance(block, Paragraph | ListItem)
    if any(isinstance(piece, Math) and piece.is_display for piece in block.content):
        return False
    text = _words(draft)
    letters = sum(character.isalpha() for character in text)
    if letters < 3 or len(text) > _LONGEST or _CAPTION.match(text) or text.rstrip().endswith((",", ";", "=")):
        return False
    if not any(isinstance(piece, Text) and any(c.isalpha() for c in piece.text) for piece in block.content):
        return False
    is_sentence = text.rstrip().endswith(".") and len(text.split()) > 6
    if draft.size >= _LARGER * body_size:
        return not is_sentence
    if draft.size < 0.93 * body_size or is_sentence:
        return False
    if draft.is_ruled:
        return len(text) < 120
    if draft.is_bold:
        return draft.rows <= 2 and len(text) < 120 and not text.rstrip().endswith((":", "."))
    if _KNOWN.fullmatch(text.strip()):
        return draft.is_centred or style_of(draft).is_capital
    is_outline = _OUTLINE.match(text) is not None and draft.rows <= 2 and len(text) < 100
    return is_outline and (style_of(draft).is_capital or (draft.is_italic and draft.gap > 0.4 * body_size))


def _words(draft: Draft) -> str:
    marker = draft.block.marker if isinstance(draft.block, ListItem) else ""
    return f"{marker} {text_of(draft)}".strip()


def heading_content(draft: Draft) -> Content:
    """The content of a heading; a number that looked like a list marker is put back."""
    block = draft.block
    assert isinstance(block, Paragraph | ListItem)
    if isinstance(block, ListItem):
        return (Text(f"{block.marker} ", bold=draft.is_bold), *block.content)
    return block.content


def rank_styles(drafts: Sequence[Draft], *, first: int) -> dict[Style, int]:
    """The level of every look, the largest first, from the level `first` on. Numbers settle looks of equal size."""
    depths: dict[Style, list[int]] = defaultdict(list)
    styles: set[Style] = set()
    for draft in drafts:
        style = style_of(draft)
        styles.add(style)
        found = _NUMBER.match(_words(draft))
        if found:
            depths[style].append(found.group("number").count(".") + 1)
    ordered = sorted(
        styles,
        key=lambda style: (
            -style.size,
            not style.is_chapter,
            median(depths[style]) if style in depths else 1,
            not style.is_bold,
            not style.is_capital,
            style.is_italic,
        ),
    )
    levels: dict[Style, int] = {}
    level = first - 1
    before: Style | None = None
    for style in ordered:
        if before is None or not _is_same_rank(style, before, depths):
            level += 1
        levels[style] = min(level, _MOST_LEVELS)
        before = style
    return levels


def _is_same_rank(style: Style, before: Style, depths: dict[Style, list[int]]) -> bool:
    if style.is_chapter != before.is_chapter:
        return False
    if style in depths and before in depths:
        return median(depths[style]) == median(depths[before]) and abs(style.size - before.size) < 0.1 * before.size
    return abs(style.size - before.size) < 0.04 * before.size and style.is_bold == before.is_bold
