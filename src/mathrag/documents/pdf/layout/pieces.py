"""Rows of a page to text and formulas, and rows to paragraphs: spaces from gaps, ligatures taken apart, accents put on
their letters, words and formulas that are broken at row ends joined.

Which glyphs of a row are a formula is decided in `math_in_text`; here its glyphs become tokens, bars make fractions
and close neighbours are joined.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial

from mathrag.documents.boxes import overlap_x, rounded, union
from mathrag.documents.math_in_text.finder import find_formulas
from mathrag.documents.math_in_text.glyph_rows import GLYPH_ROWS, WORD_GAP, GlyphToken, glyph_roles, is_next_statement
from mathrag.documents.math_in_text.tokens import FoundFormula, Role
from mathrag.documents.pdf.formulas import read_inline
from mathrag.documents.pdf.formulas.doubts import CUT_IN_ROW
from mathrag.documents.pdf.layout.rows import Item, Row, place_items
from mathrag.documents.pdf.layout.runs import BIG_OPERATORS, end_of
from mathrag.documents.pdf.page_content import FormulaReading, Glyph
from mathrag.types.document import Break, Content, Inline, Math, Place, Text

# A row cut into words and formulas: its glyphs as tokens, and what only their places tell.


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a row: items from `start` up to `end`, words or a formula."""

    start: int
    end: int
    is_math: bool


def split_row(row: Row) -> tuple[Segment, ...]:
    """The words and formulas of a row from left to right; every item is in one segment."""
    tokens = _tokens_of(row.items)
    found = find_formulas(tokens, replace(GLYPH_ROWS, roles=partial(_roles_under_bars, row)))
    segments: list[Segment] = []
    position = 0
    for start, end in _merged(found, row.items, tokens):
        if start > position:
            segments.append(Segment(position, start, is_math=False))
        segments.append(Segment(start, end, is_math=True))
        position = end
    if position < len(row.items):
        segments.append(Segment(position, len(row.items), is_math=False))
    return tuple(segments)


def _tokens_of(items: Sequence[Item]) -> list[GlyphToken]:
    return [
        GlyphToken(
            "big operator" if item.glyph.text in BIG_OPERATORS else "glyph", item.glyph.text, index, index + 1,
            item.gap, item.glyph.style == "italic", item.glyph.is_bold, item.is_part, item.glyph.style,
            item.glyph.is_math_font, item.is_part and _hangs_on_last(items, index),
        )
        for index, item in enumerate(items)
    ]  # fmt: skip


def _hangs_on_last(items: Sequence[Item], index: int) -> bool:
    """Whether a part stands at what is before it rather than over what follows, as accents do."""
    part = items[index].glyph
    if part.text and unicodedata.combining(part.text[0]):
        base = next((item.glyph for item in items[index + 1 : index + 4] if not item.is_part), None)
        if base is None or index == 0:
            return base is None
        return overlap_x(part.box, items[index - 1].glyph.box) > overlap_x(part.box, base.box)
    return items[index].gap < WORD_GAP


def _roles_under_bars(row: Row, tokens: Sequence[GlyphToken]) -> list[Role]:
    """The roles; what stands above or below a bar with something on the other side is part of a fraction."""
    roles = glyph_roles(tokens)
    for rule in row.rules:
        left, top, right, bottom = rule.box
        inside = [
            i for i, item in enumerate(row.items) if left - 1 <= item.glyph.box[0] and item.glyph.box[2] <= right + 1
        ]
        above = [i for i in inside if row.items[i].glyph.y <= top + 0.1 * row.size and row.items[i].is_part]
        below = [
            i for i in inside if row.items[i].glyph.box[1] >= bottom - 0.3 * row.size and row.items[i].glyph.y > bottom
        ]
        is_root = any(item.glyph.text == "√" and abs(item.glyph.box[2] - left) < 0.3 * row.size for item in row.items)
        if (above and below) or is_root or any(roles[i] == "symbol" for i in below):
            for index in (*above, *below):
                roles[index] = "symbol"
    return roles


def _merged(
    found: Sequence[FoundFormula], items: Sequence[Item], tokens: Sequence[GlyphToken]
) -> list[tuple[int, int]]:
    """Neighbouring formulas with nothing but a little white between them are one."""
    result: list[tuple[int, int]] = []
    for start, end in ((each.start, each.stop) for each in found):
        if result and start < result[-1][1]:
            result[-1] = (result[-1][0], max(end, result[-1][1]))
            continue
        is_close = bool(result) and result[-1][1] == start and items[start - 1].glyph.text not in (",", ";")
        if is_close and not is_next_statement(tokens, start):
            white = items[start].glyph.x - end_of(items[start - 1].glyph)
            if white < 0.7 * items[start].glyph.size:
                result[-1] = (result[-1][0], end)
                continue
        result.append((start, end))
    return result


# The segments of a row as text and formulas.

# White from this part of the size on is a space; TeX prints none, and squeezes them to about 0.2.
_SPACE = 0.13
# How sure a reading can be that lacks what stands beside it.
_CUT = 0.6
_OFF_PAGE = "cut at its edge: the text runs out of the page there"
_LEFT_OVER = "small signs stand against it that were read with nothing"
_TOUCHING = 0.1
_STATING = frozenset("=<>≤≥≈≡∝")
_SIGNS = frozenset("_^=+−×·⋅/<>≤≥√∑∫∏")
_SUPERSCRIPTS = str.maketrans("0123456789+-−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")
_SUBSCRIPTS = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_SPACING_ACCENTS = dict(
    zip("´`¨ˆ˜¯˘˙ˇ˚¸˝", "\u0301\u0300\u0308\u0302\u0303\u0304\u0306\u0307\u030c\u030a\u0327\u030b", strict=True)
)


@dataclass(frozen=True, slots=True)
class Line:
    """A row with its segments and what they say. `prose` counts the letters that stand in no formula."""

    row: Row
    segments: tuple[Segment, ...]
    content: Content
    quote: str
    prose: int


@dataclass(frozen=True, slots=True)
class PageContext:
    """What every part of a page needs to know: its number and the usual size of its letters.

    `cut_at` is the width of a page whose text runs out of it, 0 where all of it is on the page.
    """

    number: int
    body_size: float
    cut_at: float = 0.0


def read_line(row: Row, context: PageContext) -> Line:
    """The words and formulas of a row."""
    segments = split_row(row)
    pieces: list[Inline] = []
    prose = 0
    for segment in segments:
        items = row.items[segment.start : segment.end]
        is_spaced = segment.start > 0 and row.items[segment.start].gap > _SPACE
        if segment.is_math:
            if is_spaced:
                _add_space(pieces)
            pieces.append(_formula(row, segment, context))
        else:
            if is_spaced:
                _add_space(pieces)
            pieces.extend(_texts(row.items, segment, row=row))
            prose += sum(1 for item in items if item.glyph.text[:1].isalpha() and not item.is_part)
    return Line(row, segments, _joined(pieces), quote_of(row.items), prose)


def _add_space(pieces: list[Inline]) -> None:
    if pieces and isinstance(pieces[-1], Text):
        if not pieces[-1].text.endswith(" "):
            last = pieces[-1]
            pieces[-1] = Text(last.text + " ", last.bold, last.italic)
    elif pieces:
        pieces.append(Text(" "))


def _formula(row: Row, segment: Segment, context: PageContext) -> Math:
    glyphs = [item.glyph for item in row.items[segment.start : segment.end]]
    box = union(glyph.box for glyph in glyphs)
    rules = [rule for rule in row.rules if overlap_x(rule.box, box) > 0]
    drawings = [drawing for drawing in row.drawings if overlap_x(drawing.box, box) > 0]
    reading = read_inline(glyphs, rules, drawings, body_size=row.size or context.body_size)
    if _is_cut(row, segment):
        reading = doubted(reading, CUT_IN_ROW)
    if any(overlap_x(stray, box) > -0.2 * row.size for stray in row.strays):
        reading = doubted(reading, _LEFT_OVER)
    return as_math(reading, glyphs, context=context, is_display=False)


def _is_cut(row: Row, segment: Segment) -> bool:
    """Whether a formula ends where no white is and no punctuation: something of it was taken for words."""
    items = row.items[segment.start : segment.end]
    if not any(item.glyph.text in _STATING for item in items):
        return False
    before = row.items[segment.start - 1].glyph.text if segment.start else ""
    after = row.items[segment.end] if segment.end < len(row.items) else None
    touches_before = bool(before) and items[0].gap < _TOUCHING and (before.isalnum() or before in _SIGNS)
    if after is None or after.gap >= _TOUCHING:
        return touches_before
    return touches_before or after.glyph.text.isalnum() or after.glyph.text in _SIGNS | {"(", "["}


def as_math(reading: FormulaReading, glyphs: Sequence[Glyph], *, context: PageContext, is_display: bool) -> Math:
    """A reading of a formula as a piece of a document."""
    slack = 1.5 * context.body_size
    if context.cut_at and (reading.box[0] < slack or reading.box[2] > context.cut_at - slack):
        reading = doubted(reading, _OFF_PAGE)
    return Math(
        source=reading.latex,
        notation="latex",
        place=Place(page=context.number, box=rounded(reading.box)),
        # The bare characters of a formula ("K = 21mv2") tell people nothing, or the wrong thing.
        quote=f"${reading.latex}$" if reading.latex else quote_of(place_items((glyph, False) for glyph in glyphs)),
        is_display=is_display,
        number=reading.number,
        confidence=round(reading.confidence, 3),
        doubts=reading.doubts,
    )


def doubted(reading: FormulaReading, doubt: str) -> FormulaReading:
    """A reading that nobody should compute with, and why."""
    return replace(reading, confidence=min(reading.confidence, _CUT), doubts=(*reading.doubts, doubt))


def quote_of(items: Sequence[Item]) -> str:
    """The characters of a row as the file gives them, with spaces where there is white."""
    parts: list[str] = []
    for index, item in enumerate(items):
        if index and items[index].gap > _SPACE:
            parts.append(" ")
        parts.append(item.glyph.text or "\ufffd")
    return "".join(parts)


def _texts(items: Sequence[Item], segment: Segment, *, row: Row) -> list[Text]:
    """The words of a segment, one text for each style."""
    texts: list[Text] = []
    index = segment.start
    while index < segment.end:
        glyph = items[index].glyph
        character, step = _character(items, index, end=segment.end, baseline=row.y)
        space = " " if index > segment.start and items[index].gap > _SPACE else ""
        bold, italic = glyph.is_bold, glyph.style == "italic"
        if texts and character and (not character[0].isalpha() or (texts[-1].bold, texts[-1].italic) == (bold, italic)):
            # Punctuation between two words of a style has no style of its own.
            bold, italic = texts[-1].bold, texts[-1].italic
        if texts and (texts[-1].bold, texts[-1].italic) == (bold, italic):
            texts[-1] = Text(texts[-1].text + space + character, bold, italic)
        else:
            if space and texts:
                texts[-1] = Text(texts[-1].text + space, texts[-1].bold, texts[-1].italic)
            texts.append(Text(character, bold, italic))
        index += step
    return texts


def _character(items: Sequence[Item], index: int, *, end: int, baseline: float) -> tuple[str, int]:
    """What an item reads as, and how many items that takes."""
    item = items[index]
    text = plain_character(item.glyph)
    if text in _SPACING_ACCENTS or (text and unicodedata.combining(text[0])):
        accent = _SPACING_ACCENTS.get(text, text)
        if index + 1 < end and overlap_x(item.glyph.box, items[index + 1].glyph.box) > 0:
            letter = plain_character(items[index + 1].glyph).replace("ı", "i").replace("ȷ", "j")
            return unicodedata.normalize("NFC", letter + accent), 2
        return text, 1
    if index + 1 < end and text.isalpha():
        following = items[index + 1].glyph
        mark = _SPACING_ACCENTS.get(following.text, following.text)
        if mark and unicodedata.combining(mark[0]) and overlap_x(item.glyph.box, following.box) > 0:
            return unicodedata.normalize("NFC", text.replace("ı", "i") + mark), 2
    if item.is_part and text and item.glyph.size < 0.9 * _base_size(items, index):
        is_raised = item.glyph.y < baseline
        table = _SUPERSCRIPTS if is_raised else _SUBSCRIPTS
        changed = text.translate(table)
        is_first = index == 0 or not items[index - 1].is_part
        return (changed if changed != text else ("^" if is_raised else "_") + text if is_first else text), 1
    return text, 1


def _base_size(items: Sequence[Item], index: int) -> float:
    for back in range(index - 1, -1, -1):
        if not items[back].is_part:
            return items[back].glyph.size
    return 1e9


def plain_character(glyph: Glyph) -> str:
    """The text of a glyph with ligatures taken apart and invisible characters gone."""
    text = glyph.text
    if text.isascii():
        return text if text.isprintable() else ""
    if any("\ufb00" <= character <= "\ufb06" for character in text):
        text = unicodedata.normalize("NFKC", text)
    return "".join(character for character in text if character.isprintable() and character != "\u00ad") or (
        "-" if "\u00ad" in text else ""
    )


def _joined(pieces: Sequence[Inline]) -> Content:
    """Neighbouring texts of one style as one."""
    result: list[Inline] = []
    for piece in pieces:
        last = result[-1] if result else None
        if (
            isinstance(piece, Text)
            and isinstance(last, Text)
            and (last.bold, last.italic) == (piece.bold, piece.italic)
        ):
            result[-1] = Text(last.text + piece.text, last.bold, last.italic)
        elif not isinstance(piece, Text) or piece.text:
            result.append(piece)
    return tuple(result)


# Contents of rows to the content of a paragraph: words broken at row ends joined, formulas broken there too.

_BROKEN_WORD = re.compile(r"([^\W\d_]+)[-‐]$")
_WORD_START = re.compile(r"[^\W\d_]+")
_OPEN_END = re.compile(
    r"(?:[=+\-<>*/]|\\(?:cdot|times|pm|mp|le|leq|ge|geq|approx|equiv|sim|propto|to|rightarrow|ne|neq|in|div|simeq|cong|ll|gg))"
    r"\s*$"
)


def join_contents(parts: Sequence[Content], *, vocabulary: Collection[str] = ()) -> Content:
    """The contents of consecutive rows as one."""
    result: list[Inline] = []
    for content in parts:
        for position, piece in enumerate(content):
            if position == 0 and result:
                _append_row_start(result, piece, vocabulary=vocabulary)
            else:
                _append(result, piece)
    return tuple(result)


def _append_row_start(result: list[Inline], piece: Inline, *, vocabulary: Collection[str]) -> None:
    last = result[-1]
    if isinstance(last, Math) and isinstance(piece, Math) and is_broken(last, piece):
        result[-1] = join_maths(last, piece)
        return
    if isinstance(last, Text) and isinstance(piece, Text):
        broken = _BROKEN_WORD.search(last.text)
        following = _WORD_START.match(piece.text)
        if broken and following:
            keeps = _keeps_hyphen(broken.group(1), following.group(), vocabulary=vocabulary)
            text = last.text if keeps else last.text[:-1]
            result[-1] = replace(last, text=text)
            _append(result, replace(piece, bold=last.bold, italic=last.italic) if len(piece.text) < 2 else piece)
            return
        if last.text.endswith(("-", "–", "—", "/")) and not last.text.endswith((" -", " –")):
            _append(result, piece)
            return
    if not (isinstance(last, Text) and last.text.endswith(" ")) and not isinstance(last, Break):
        _append(result, Text(" ", *_style(last)))
    _append(result, piece)


def is_broken(one: Math, other: Math) -> bool:
    """Whether a formula goes on in the next row: TeX breaks after a relation or operator, others before it."""
    if one.is_display or other.is_display:
        return False
    return ends_open(one) or _OPEN_END.match(other.source[:1]) is not None


def ends_open(math: Math) -> bool:
    """Whether a formula ends with a relation or an operator, so that more must follow."""
    return _OPEN_END.search(math.source) is not None


def _style(piece: Inline) -> tuple[bool, bool]:
    return (piece.bold, piece.italic) if isinstance(piece, Text) else (False, False)


def _keeps_hyphen(before: str, after: str, *, vocabulary: Collection[str]) -> bool:
    """Whether a hyphen at a row's end is one of the word's own."""
    if not after[0].islower():
        return True
    if (before + after).lower() in vocabulary:
        return False
    return f"{before}-{after}".lower() in vocabulary


def join_maths(one: Math, other: Math) -> Math:
    """Two parts of a formula that stands in two rows as one."""
    boxes = [place.box for place in (one.place, other.place) if place.box]
    return replace(
        one,
        source=f"{one.source} {other.source}",
        quote=f"{one.quote} {other.quote}",
        place=replace(one.place, box=rounded(union(boxes)) if boxes else None),
        confidence=min(one.confidence, other.confidence),
        doubts=(*one.doubts, *other.doubts),
    )


def _append(result: list[Inline], piece: Inline) -> None:
    last = result[-1] if result else None
    if isinstance(piece, Text) and isinstance(last, Text) and (last.bold, last.italic) == (piece.bold, piece.italic):
        result[-1] = replace(last, text=last.text + piece.text)
    else:
        result.append(piece)
