"""The rows of a region to drafts of blocks: paragraphs, list items, displayed formulas, code, lines of contents.

Rows are joined by what white, indents and punctuation tell. Distances are in parts of the size of a row or of the
leading of its column, the usual distance of its baselines. What a formula says is read by `formulas`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from mathrag.documents.boxes import NOWHERE, Box, height, holds_middle, overlap_x, overlap_y, rounded, union, width
from mathrag.documents.pdf.formulas import read_display
from mathrag.documents.pdf.layout.page_record import Draft
from mathrag.documents.pdf.layout.pieces import (
    Line,
    PageContext,
    as_math,
    doubted,
    join_contents,
    join_maths,
    read_line,
)
from mathrag.documents.pdf.layout.rows import Row
from mathrag.documents.pdf.page_content import FormulaReading
from mathrag.language.word_classes import word_class
from mathrag.types.document import Code, Content, Display, Inline, ListItem, Math, Paragraph, Place, Text, plain_text

_LEADERS = re.compile(r"(?:\.\s?){4,}\s*[\divxlc]{1,7}\s*$|(?:\s\.){4,}")
_GOES_ON = re.compile(rf"(?:{'|'.join(sorted(word_class('printed_pages.after_displays')))})\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?]['\"”’)\]]*\s*$")


@dataclass(slots=True)
class _Open:
    """The block that is being filled: rows of text and displayed formulas in their order."""

    lines: list[Line] = field(default_factory=list)
    contents: list[Content] = field(default_factory=list)
    quotes: list[str] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    marker: ListMarker | None = None
    gap: float = 0.0

    def add_line(self, line: Line, content: Content) -> None:
        self.lines.append(line)
        self.contents.append(content)
        self.quotes.append(line.quote)
        self.boxes.append(line.row.box)

    def add_math(self, math: Math) -> None:
        self.contents.append((math,))
        self.quotes.append(math.quote)
        self.boxes.append(math.place.box or NOWHERE)

    @property
    def ends_with_math(self) -> bool:
        return bool(self.contents) and any(isinstance(p, Math) and p.is_display for p in self.contents[-1][-1:])


@dataclass(frozen=True, slots=True)
class Column:
    """Edges and habits of the column that is being read."""

    box: Box
    leading: float
    is_justified: bool
    indents: bool
    number: int


class Flow:
    """Reads the rows of one region from top to bottom into drafts."""

    def __init__(
        self, rows: Sequence[Row], context: PageContext, *, column: Column, vocabulary: Collection[str]
    ) -> None:
        self._context = context
        self._column = column
        self._vocabulary = vocabulary
        self._open: _Open | None = None
        self._last: Row | None = None
        self._lines = [read_line(row, context) for row in rows]
        self.drafts: list[Draft] = []

    def read(self) -> list[Draft]:
        """The drafts, from top to bottom."""
        index = 0
        while index < len(self._lines):
            end = self._display_end(index)
            if end > index:
                self._take_display(index, end)
            else:
                self._take_line(self._lines[index])
                end = index + 1
            self._last = self._lines[end - 1].row
            index = end
        self._close()
        return self.drafts

    def _display_end(self, index: int) -> int:
        """The end of the run of displayed rows that starts here."""
        end = index
        while end < len(self._lines):
            line = self._lines[end]
            before = self._lines[end - 1] if end else None
            is_close = before is not None and self._gap(before.row, line.row) < 1.3 * self._column.leading
            is_open = before is not None and self._is_full(before) and not self._ends(before)
            follows = end == index and is_close and is_open
            if end > index and is_number(line, right=self._column.box[2]):
                end += 1
                continue
            if not is_display(line, left=self._left_edge(line), right=self._column.box[2], follows_full_row=follows):
                break
            if line.row.items[0].glyph.text in _BULLETS and self._begins_item(line):
                break
            # Rows of one display stand closer together than two displays, which have white of their own.
            if end > index and self._gap(self._lines[end - 1].row, line.row) > 2.6 * self._column.leading:
                break
            end += 1
        return end

    def _begins_item(self, line: Line) -> bool:
        return find_marker(line, self._context, left=self._column.box[0]) is not None

    def _left_edge(self, line: Line) -> float:
        """Where text begins in the column; inside a list item, where that begins."""
        marker = self._open.marker if self._open is not None else None
        if marker is not None and line.row.box[0] > marker.text_left - 0.5 * line.row.size:
            return marker.text_left
        return self._column.box[0]

    def _gap(self, above: Row, below: Row) -> float:
        """The distance between two rows: that of their baselines, less where tall parts need it."""
        white = below.box[1] - above.box[3]
        return min(below.y - above.y, max(white, 0.0) + 0.95 * max(below.size, above.size))

    def _is_full(self, line: Line) -> bool:
        return line.row.box[2] > self._column.box[2] - 0.12 * width(self._column.box)

    def _ends(self, line: Line) -> bool:
        return _SENTENCE_END.search(line.quote) is not None and not self._is_full(line)

    def _take_display(self, start: int, end: int) -> None:
        rows = [line.row for line in self._lines[start:end]]
        maths = read_displays(rows, self._context)
        if not maths:
            for line in self._lines[start:end]:
                self._take_line(line)
            return
        if self._open is not None and not self._leads_in(rows[0]):
            self._close()
        if self._open is None:
            self._start(rows[0])
        assert self._open is not None
        for math in maths:
            self._open.add_math(math)

    def _leads_in(self, row: Row) -> bool:
        """Whether the open block goes on with a displayed formula."""
        opened = self._open
        assert opened is not None
        if not opened.lines:
            return False
        if self._last is not None and self._gap(self._last, row) > 2.8 * self._column.leading:
            return False
        last = opened.lines[-1]
        if last.row.size > 1.12 * self._context.body_size or (_is_bold(last) and len(opened.lines) == 1):
            return False
        return self._column.indents or not _SENTENCE_END.search(opened.quotes[-1])

    def _take_line(self, line: Line) -> None:
        marker = find_marker(line, self._context, left=self._column.box[0])
        if self._is_code(line):
            self._take_code(line)
            return
        if _LEADERS.search(line.quote):
            self._close()
            self._start(line.row)
            assert self._open is not None
            self._open.add_line(line, line.content)
            self._close(kind="contents")
            return
        if self._open is None or marker or self._is_new(line):
            self._close()
            self._start(line.row)
            assert self._open is not None
            self._open.marker = marker
        assert self._open is not None
        self._open.add_line(line, self._item_content(line, marker) if marker else line.content)

    def _item_content(self, line: Line, marker: ListMarker) -> Content:
        """What follows a marker; a formula that is all of an item is read as a whole, like any on a line of its own."""
        if marker.text not in _BULLETS:
            return marker.content
        row = _row_from(line.row, marker.items)
        if not any(isinstance(piece, Math) for piece in marker.content) or any(
            isinstance(piece, Text) and piece.text.strip() for piece in marker.content
        ):
            return marker.content
        maths = [replace(math, is_display=False) for math in read_displays([row], self._context)]
        pieces: list[Inline] = []
        for math in maths:
            pieces.extend((Text(" "), math) if pieces else (math,))
        return tuple(pieces) or marker.content

    def _start(self, row: Row) -> None:
        gap = row.box[1] - self._last.box[3] if self._last else row.box[1] - self._column.box[1]
        self._open = _Open(gap=gap)

    def _is_new(self, line: Line) -> bool:
        """Whether a row of text begins a block of its own."""
        opened, column = self._open, self._column
        assert opened is not None
        row, last = line.row, self._last
        size = max(row.size, 1.0)
        indent = row.box[0] - column.box[0]
        if opened.ends_with_math:
            starts_on = bool(_GOES_ON.match(line.quote)) or line.quote[:1].islower() or line.quote[:1] in ",.;"
            if starts_on or not opened.lines:
                return not starts_on
            return not column.indents or indent > 0.7 * size
        before = opened.lines[-1]
        if last is None or _changes_look(before, line) or abs(row.size - before.row.size) > 0.08 * size:
            return True
        if self._gap(last, row) > 1.35 * max(column.leading, 0.0) + 0.1 * size:
            return True
        if opened.marker is not None and len(opened.lines) == 1 and self._is_run_out_heading(before, line):
            return True
        if opened.marker is not None:
            return row.box[0] < opened.marker.text_left - 1.2 * size and not self._is_full(before)
        first = opened.lines[0].row.box[0] - column.box[0]
        usual = before.row.box[0] - column.box[0] if len(opened.lines) > 1 else min(first, indent)
        if indent > usual + 0.7 * size and not _is_centred(row, column.box) and len(opened.lines) > 1:
            return True
        if indent > first + 0.7 * size and len(opened.lines) == 1 and not _is_centred(row, column.box):
            # A hanging indent keeps to its block, unless the row above ends short of the edge.
            return not self._is_full(before) and _SENTENCE_END.search(before.quote) is not None
        is_short = before.row.box[2] < column.box[2] - 0.15 * width(column.box)
        return column.is_justified and is_short and not line.quote[:1].islower() and not _is_centred(row, column.box)

    def _is_run_out_heading(self, before: Line, line: Line) -> bool:
        """Whether a row with a number, short and in italics, is a heading over a row that is not."""
        return not self._is_full(before) and _is_italic(before) and not _is_italic(line)

    def _is_code(self, line: Line) -> bool:
        signs = [item.glyph for item in line.row.items if item.glyph.text.strip()]
        letters = [glyph for glyph in signs if glyph.text.isalpha()]
        is_mono = all(g.style == "mono" for g in letters) and sum(g.style == "mono" for g in signs) > 0.5 * len(signs)
        return len(signs) > 2 and is_mono

    def _take_code(self, line: Line) -> None:
        indent = max(0, round((line.row.box[0] - self._column.box[0]) / max(0.5 * line.row.size, 1.0)))
        text = " " * min(indent, 80) + _code_text(line.row)
        last = self.drafts[-1] if self.drafts and self._open is None else None
        is_close = self._last is not None and self._gap(self._last, line.row) < 2.5 * line.row.size
        if is_close and last is not None and isinstance(last.block, Code):
            box = rounded(union((last.box, line.row.box)))
            place = Place(page=self._context.number, box=box)
            block = Code(place, last.block.quote + "\n" + line.quote, last.block.text + "\n" + text)
            self.drafts[-1] = Draft("code", block, box, last.size, last.rows + 1, self._column.number, is_mono=True)
            return
        self._close()
        box = rounded(line.row.box)
        block = Code(Place(page=self._context.number, box=box), line.quote, text)
        self.drafts.append(Draft("code", block, box, line.row.size, 1, self._column.number, is_mono=True))

    def _close(self, *, kind: str = "") -> None:
        opened, self._open = self._open, None
        if opened is None or not opened.contents:
            return
        if not opened.lines:
            for content in opened.contents:
                self._add_display(content, gap=opened.gap)
            return
        draft = self._draft(opened, is_contents=kind == "contents")
        if draft.block.quote.strip("\ufffd\n "):
            self.drafts.append(draft)

    def _add_display(self, content: Content, *, gap: float) -> None:
        for math in content:
            if isinstance(math, Math):
                box = math.place.box or self._column.box
                self.drafts.append(
                    Draft("display", Display(math.place, math.quote, math), box, column=self._column.number, gap=gap)
                )

    def _draft(self, opened: _Open, *, is_contents: bool) -> Draft:
        column = self._column
        box = rounded(union(opened.boxes))
        place = Place(page=self._context.number, box=box)
        content = _stripped(join_contents(opened.contents, vocabulary=self._vocabulary))
        quote = "\n".join(opened.quotes)
        first, last = opened.lines[0], opened.lines[-1]
        block: Paragraph | ListItem
        if opened.marker:
            block = ListItem(place, quote, content, marker=opened.marker.text)
        else:
            block = Paragraph(place, quote, content)
        rest = [line.row.box[0] - column.box[0] for line in opened.lines[1:]]
        return Draft(
            kind="contents" if is_contents else "item" if opened.marker else "text",
            block=block,
            box=box,
            size=_usual([line.row.size for line in opened.lines]),
            rows=len(opened.lines),
            column=column.number,
            indent=round(first.row.box[0] - column.box[0], 2),
            hang=round(min(rest), 2) if rest else round(first.row.box[0] - column.box[0], 2),
            gap=round(opened.gap, 2),
            is_bold=all(_is_all_bold(line) for line in opened.lines),
            is_italic=all(_is_italic(line) for line in opened.lines),
            is_centred=all(_is_centred(line.row, column.box) for line in opened.lines),
            is_full=not opened.ends_with_math and last.row.box[2] > column.box[2] - 1.5 * last.row.size,
            is_spread=len(opened.lines) == 1 and any(item.gap > 3.0 for item in first.row.items),
            edges=(round(column.box[0], 2), round(column.box[2], 2)),
            starts=tuple(round(line.row.box[0], 1) for line in opened.lines),
            font=_font(first) if len(opened.lines) <= _HEADING_ROWS and _is_all_bold(first) else "",
        )


# A heading has no more rows.
_HEADING_ROWS = 3


def _font(line: Line) -> str:
    """The font of most letters of a row."""
    fonts = Counter(item.glyph.font for item in line.row.items if item.glyph.text[:1].isalpha())
    return fonts.most_common(1)[0][0] if fonts else ""


def _changes_look(before: Line, line: Line) -> bool:
    """Whether a row is bold and the other is not, or two bold rows are set in fonts of their own: a heading and the one
    below it."""
    is_bold = _is_all_bold(line), _is_all_bold(before)
    changes_weight = _is_bold(line) != _is_bold(before) and any(is_bold)
    return changes_weight or (all(is_bold) and _font(before) != _font(line))


def _usual(sizes: Sequence[float]) -> float:
    return max(set(sizes), key=lambda size: (sizes.count(size), size))


def _is_centred(row: Row, column: Box) -> bool:
    left, right = row.box[0] - column[0], column[2] - row.box[2]
    return left > 1.5 * row.size and abs(left - right) < max(1.2 * row.size, 0.03 * width(column))


def _is_bold(line: Line) -> bool:
    first = next((item.glyph for item in line.row.items if item.glyph.text[:1].isalpha()), None)
    return first is not None and first.is_bold


def _is_all_bold(line: Line) -> bool:
    letters = [item.glyph for item in line.row.items if item.glyph.text[:1].isalpha() and not item.glyph.is_math_font]
    return bool(letters) and sum(glyph.is_bold for glyph in letters) > 0.9 * len(letters)


def _is_italic(line: Line) -> bool:
    letters = [item.glyph for item in line.row.items if item.glyph.text[:1].isalpha() and not item.glyph.is_math_font]
    return bool(letters) and sum(glyph.style == "italic" for glyph in letters) > 0.9 * len(letters)


def _code_text(row: Row) -> str:
    """The characters of a row of code with as many spaces as fit the white between them."""
    parts: list[str] = []
    end: float | None = None
    for item in row.items:
        glyph = item.glyph
        step = max(glyph.advance, 0.4 * glyph.size, 0.1)
        if end is not None:
            parts.append(" " * min(80, max(0, round((glyph.x - end) / step))))
        parts.append(glyph.text)
        end = glyph.x + glyph.advance
    return "".join(parts)


def _stripped(content: Content) -> Content:
    """Without white at both ends."""
    pieces: list[Inline] = list(content)
    if pieces and isinstance(pieces[0], Text):
        pieces[0] = Text(pieces[0].text.lstrip(), pieces[0].bold, pieces[0].italic)
    if pieces and isinstance(pieces[-1], Text):
        pieces[-1] = Text(pieces[-1].text.rstrip(), pieces[-1].bold, pieces[-1].italic)
    return tuple(piece for piece in pieces if not isinstance(piece, Text) or piece.text)


def words_of(lines: Sequence[str]) -> set[str]:
    """The words of rows, lower-case, those at row ends left out: they may be halves."""
    words: set[str] = set()
    for line in lines:
        words.update(word.lower() for word in re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", line)[:-1])
    return words


def text_of(draft: Draft) -> str:
    """The words of a draft, formulas as printed."""
    block = draft.block
    return plain_text(block.content) if isinstance(block, Paragraph | ListItem) else block.quote


# Markers at the start of rows: bullets, numbers and letters of lists. Joins no items.

_BULLETS = frozenset("•●○◦▪■□▫‣⁃►▶∙·–—-*−✓➢➤❖⋄◆◇∗★")
# Of these some are signs of formulas as well; those that no font for formulas has are dashes of the text.
_SIGNS = frozenset("–—-*−·∗⋄★")
_DASHES = frozenset("–—-")
# In sizes: the space of a narrow font; and more white than any program leaves behind a minus.
_SPACE_AFTER_DASH = 0.2
_WHITE_OF_MARK = 0.6
_NUMBERED = re.compile(r"(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\[\d{1,3}\]|\d{1,3}\.\d{1,2}[.)])")


@dataclass(frozen=True, slots=True)
class ListMarker:
    """A marker, what follows it in its row, where that begins, and of how many items the marker is."""

    text: str
    content: Content
    text_left: float
    items: int


def find_marker(line: Line, context: PageContext, *, left: float) -> ListMarker | None:
    """The marker a row begins with, if white sets it off from what follows."""
    items = line.row.items
    for index in range(1, min(len(items), 8)):
        gap = items[index].gap
        if gap < (_SPACE_AFTER_DASH if index == 1 and items[0].glyph.text in _DASHES else 0.25):
            continue
        marker = "".join(item.glyph.text for item in items[:index])
        is_bullet = marker in _BULLETS
        if not is_bullet and not _NUMBERED.fullmatch(marker):
            return None
        is_indented = items[0].glyph.x - left > 0.6 * line.row.size
        # A number at the edge followed by a plain space opens a sentence or heading as often as an item.
        if not is_bullet and gap < 0.38 and not is_indented:
            return None
        if is_bullet and marker in _SIGNS and not _is_dash_of_list(line, gap):
            return None
        content = _without(line, marker)
        if content is None and is_bullet:
            content = read_line(_row_from(line.row, index), context).content
        return ListMarker(marker, content, items[index].glyph.x, index) if content is not None else None
    return None


def _row_from(row: Row, index: int) -> Row:
    """The rest of a row from an item on."""
    rest = (replace(row.items[index], gap=0.0), *row.items[index + 1 :])
    left = min(item.glyph.box[0] for item in rest)
    return replace(row, items=rest, box=(left, *row.box[1:]))


def _is_dash_of_list(line: Line, gap: float) -> bool:
    """Whether a sign that may be an operator is the mark of a list: by the white behind it, which no minus has."""
    if gap > _WHITE_OF_MARK or (gap >= 0.3 and _has_words(line)):
        return True
    first = line.row.items[0].glyph
    return first.text in _DASHES and not first.is_math_font and gap >= _SPACE_AFTER_DASH


def _has_words(line: Line) -> bool:
    return line.prose >= 2


def _without(line: Line, marker: str) -> Content | None:
    """The content of a row without its marker."""
    pieces: list[Inline] = list(line.content)
    first = pieces[0] if pieces else None
    if isinstance(first, Text):
        text = first.text.lstrip()
        if not text.startswith(marker):
            return None
        rest = text[len(marker) :].lstrip()
        return (Text(rest, first.bold, first.italic), *pieces[1:]) if rest else tuple(pieces[1:])
    if isinstance(first, Math) and first.quote.strip() == marker:
        return tuple(pieces[1:])
    return None


# Which rows are formulas on a line of their own, and the reading of a run of such rows. Joins no paragraphs.

_NUMBER = re.compile(r"[(\[]\s*[A-Z]{0,2}\.?\s?\d{1,4}(?:[.\-–:]\d{1,4}){0,3}\s?[a-z]?['′*]?\s*[)\]]")
_CONNECTING = word_class("printed_pages.beside_displays")
_TORN = "cut at its edge: another formula stands against it"
_DISPLAY_GOES_ON = re.compile(r"\s*(?:[+\-]|\\(?:cdot|times|pm)\b)")
_RELATION = re.compile(r"[=<>≤≥≈≡∝→≠∼⇌]")


def equation_number(line: Line) -> str:
    """The label at the right end of a row, set off from the rest by white; "" where there is none."""
    items = line.row.items
    for index in range(len(items) - 1, max(0, len(items) - 14), -1):
        if items[index].gap > 1.4:
            text = "".join(item.glyph.text for item in items[index:])
            return text if _NUMBER.fullmatch(text) else ""
    return ""


def is_number(line: Line, *, right: float) -> bool:
    """Whether a row is but the number of a formula at the right edge, beside the middle of several rows."""
    text = line.quote.replace(" ", "")
    return _NUMBER.fullmatch(text) is not None and line.row.box[2] > right - 1.5 * line.row.size


def is_display(line: Line, *, left: float, right: float, follows_full_row: bool) -> bool:
    """Whether a row is a displayed formula of the column from `left` to `right`, or a part of one."""
    row = line.row
    if not any(segment.is_math for segment in line.segments) and not _is_equation_of_words(line):
        return False
    size = row.size
    indent = row.box[0] - left
    number = equation_number(line)
    words = _words_outside(line, number)
    is_set_off = indent > 0.9 * size or bool(number)
    is_tall = height(row.box) > 1.75 * size
    if not words:
        if is_set_off or is_tall:
            return not (follows_full_row and indent < 0.5 * size and not number)
        return not follows_full_row and _has_relation(line)
    if all(word in _CONNECTING for word in words):
        return (is_set_off or is_tall) and _has_relation(line) and _math_share(line) > 0.35
    is_centred = abs((row.box[0] - left) - (right - row.box[2])) < 1.5 * size and indent > 2 * size
    is_stacked = height(row.box) > 2.6 * size and indent > 1.8 * size
    if not (is_centred or number or is_stacked):
        return False
    letters = sum(len(word) for word in words)
    if _is_equation_of_words(line):
        return letters < 60
    return _has_relation(line) and _math_share(line) > (0.4 if is_tall or number else 0.55) and len(words) <= 6


def _is_equation_of_words(line: Line) -> bool:
    """`speed = distance / time` with a bar, or with a number: words stand for symbols."""
    row = line.row
    if not any(item.glyph.text == "=" and not item.is_part for item in row.items):
        return False
    has_bar = any(item.is_part for item in row.items) and bool(row.rules)
    return has_bar or bool(equation_number(line))


def _has_relation(line: Line) -> bool:
    return _RELATION.search(line.quote) is not None or height(line.row.box) > 1.75 * line.row.size


def _words_outside(line: Line, number: str) -> list[str]:
    text = " ".join(piece.text for piece in line.content if isinstance(piece, Text))
    if number:
        text = text.replace(number, " ").replace(" ".join(number), " ")
    return [word.lower() for word in re.findall(r"[^\W\d_]{2,}(?:\.[^\W\d_])?", text)]


def _math_share(line: Line) -> float:
    items = line.row.items
    maths = total = 0.0
    for segment in line.segments:
        box = union(item.glyph.box for item in items[segment.start : segment.end])
        total += width(box)
        maths += width(box) if segment.is_math else 0.0
    return maths / total if total else 0.0


def _with_torn_doubted(readings: Sequence[FormulaReading], *, body_size: float) -> list[FormulaReading]:
    """Readings side by side with less white between them than formulas have are pieces of one: no piece is sure."""
    torn: set[int] = set()
    for index, one in enumerate(readings):
        for position in range(index + 1, len(readings)):
            other = readings[position].box
            is_beside = overlap_y(one.box, other) > 0.5 * min(height(one.box), height(other))
            if is_beside and -overlap_x(one.box, other) < 0.8 * body_size:
                torn |= {index, position}
    return [doubted(reading, _TORN) if index in torn else reading for index, reading in enumerate(readings)]


def read_displays(rows: Sequence[Row], context: PageContext) -> list[Math]:
    """The formulas of consecutive rows."""
    glyphs = [glyph for row in rows for glyph in row.glyphs]
    rules = [rule for row in rows for rule in row.rules]
    drawings = [drawing for row in rows for drawing in row.drawings]
    readings = read_display(glyphs, rules, drawings, body_size=context.body_size)
    maths: list[Math] = []
    for reading in _with_torn_doubted(readings, body_size=context.body_size):
        inside = [glyph for glyph in glyphs if holds_middle(reading.box, glyph.box, slack=0.5)]
        math = as_math(reading, inside or glyphs, context=context, is_display=True)
        if maths and not maths[-1].number and _DISPLAY_GOES_ON.match(math.source) and not _RELATION.search(math.quote):
            # A formula too wide for its column, broken before an operator.
            maths[-1] = replace(join_maths(maths[-1], math), number=math.number)
        else:
            maths.append(math)
    return maths
