"""Figures and tables with their captions: each caption gets what it is the caption of, and the box of both is known.

A figure whose ink was not told as one (words and signs among drawn lines) is what stands between its caption and the
text above it: those pieces are of the figure, no text and no formulas. Parts of one figure or table are joined. Decides
by boxes and kinds; looks at no glyph.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from mathrag.documents.boxes import Box, area, height, holds_middle, overlap_x, rounded, union, width
from mathrag.documents.pdf.layout.flow import text_of
from mathrag.documents.pdf.layout.page_record import Draft
from mathrag.documents.pdf.layout.pieces import join_contents
from mathrag.types.document import Cell, Content, Display, Image, ListItem, Math, Paragraph, Place, Table, Text

_LABEL = re.compile(
    r"(?:supplementary\s+|extended\s+data\s+)?(?P<kind>fig(?:ure|\.)?|table|tab\.)\s*"
    r"(?P<number>[A-Z]{0,2}\d{1,3}(?:[.\-–]\d{1,3})*[a-z]?|[IVXL]{1,6}|[A-Z](?:\.\d{1,2})?)\b"
    r"(?P<rest>\s*[:.|—–-]|\s*$|\s+(?=[A-Z(]))",
    re.IGNORECASE,
)
# In parts of the usual size of the prose: a caption without a sign after its number is this small or bold; prose is at
# least this large. In parts of its column's width: prose is this wide.
_SMALL, _PROSE_SIZE, _PROSE_WIDTH = 0.97, 0.9, 0.55
# In sizes: pieces this near to a picture are of it.
_NEAR = 1.5
_LONGEST_ALTERNATIVE = 1_000
# A formula that states something; labels of axes state nothing.
_RELATIONS = ("=", "<", ">", r"\le", r"\ge", r"\propto", r"\approx", r"\sim", r"\to", r"\in")

# Several captions whose first rows stand beside each other.
_LABEL_INSIDE = re.compile(r"(?P<kind>Fig(?:ure|\.)|Table|TABLE)\s(?P<number>\d{1,3})\s?[:.]\s")

Numbered = tuple[int, Draft]


def _part_of(draft: Draft, caption: Content, left: float, right: float) -> Draft | None:
    """What of a figure or table stands between two edges, with a caption of its own; None where nothing does."""
    block = draft.block
    box = (max(draft.box[0], left), draft.box[1], min(draft.box[2], right), draft.box[3])
    if box[2] - box[0] < 1:
        return None
    place = replace(block.place, box=rounded(box))
    if isinstance(block, Image):
        return replace(draft, block=replace(block, place=place, caption=caption), box=box)
    if not isinstance(block, Table):
        return None
    header, rows = (_cells_between(part, left, right) for part in (block.header, block.rows))
    if not header and not rows:
        return None
    return replace(draft, block=replace(block, place=place, header=header, rows=rows, caption=caption), box=box)


def _cells_between(rows: tuple[tuple[Cell, ...], ...], left: float, right: float) -> tuple[tuple[Cell, ...], ...]:
    parts = (tuple(cell for cell in row if _is_between(cell, left, right)) for row in rows)
    return tuple(row for row in parts if any(cell.content for cell in row))


def _is_between(cell: Cell, left: float, right: float) -> bool:
    box = cell.place.box
    return box is not None and left <= (box[0] + box[2]) / 2 < right


@dataclass(frozen=True, slots=True)
class _Caption:
    index: int
    kind: Literal["figure", "table"]
    content: Content
    draft: Draft
    label: str


def place_floats(drafts: Sequence[Numbered], headings: Collection[int], *, body_size: float) -> list[Numbered]:
    """The drafts of all pages with every captioned figure and table as one draft, where its caption stands.

    `headings` are the positions of drafts that are known as headings: no figure reaches over one.
    """
    pages: list[_Page] = []
    for page, group in groupby(enumerate(drafts), key=lambda item: item[1][0]):
        own = list(group)
        kept = {place for place, (index, _) in enumerate(own) if index in headings}
        pages.append(_Page(page, [draft for _, (_, draft) in own], kept, body_size))
    # A paper sets the captions of its tables all above or all below.
    labels = Counter(caption.label for each in pages for caption in each.captions)
    for each in pages:
        each.repeated = {label for label, count in labels.items() if count > 1}
    votes = [vote for each in pages for vote in each.tables_below()]
    is_below = 2 * sum(votes) >= len(votes)
    return [(each.number, draft) for each in pages for draft in each.placed(is_below=is_below)]


class _Page:
    """The drafts of one page, while its captions are given what they belong to."""

    def __init__(self, number: int, drafts: list[Draft], kept: set[int], body_size: float) -> None:
        self.number = number
        self.drafts = drafts
        self.kept = kept
        self.body = body_size
        # The lower end of the text above the band that was looked at last.
        self.limit = 0.0
        # Labels that several captions have: lists of figures repeat them, and so do sentences.
        self.repeated: set[str] = set()
        self.taken: set[int] = set()
        self.captions = self._captions()

    def tables_below(self) -> list[bool]:
        """For every caption of a table, whether the nearest table stands below it."""
        votes: list[bool] = []
        tables = [draft.box for draft in self.drafts if isinstance(draft.block, Table)]
        for caption in self.captions:
            top, bottom = caption.draft.box[1], caption.draft.box[3]
            beside = [box for box in tables if caption.kind == "table" and overlap_x(box, caption.draft.box) > 0]
            above = min((top - box[3] for box in beside if box[1] < top), default=None)
            below = min((box[1] - bottom for box in beside if box[1] >= top), default=None)
            if above is not None or below is not None:
                votes.append(above is None or (below is not None and below < above))
        return votes

    def placed(self, *, is_below: bool) -> list[Draft]:
        """The drafts, each caption with what it belongs to; tables stand below their captions, or above."""
        made: dict[int, list[Draft]] = {}
        labels = {caption.index for caption in self.captions} | self.taken
        found: Draft | None
        for caption in self.captions:
            if caption.kind == "figure":
                found = self._figure(caption, labels)
            else:
                found = self._table(caption, labels, is_below=is_below)
            if found is not None:
                made[caption.index] = self._side_by_side(caption, found)
        return [
            each
            for index, draft in enumerate(self.drafts)
            if index in made or index not in self.taken
            for each in made.get(index, [draft])
        ]

    def _side_by_side(self, caption: _Caption, found: Draft) -> list[Draft]:
        """What was found for a caption; where its first row is that of several, one for each, from left to right."""
        row = caption.draft.block.quote.split("\n")[0]
        labels = [label for label in _LABEL_INSIDE.finditer(row) if label["kind"][0] == row[0]]
        numbers = [int(label["number"]) for label in labels]
        if len(labels) < 2 or numbers != list(range(numbers[0], numbers[0] + len(numbers))) or labels[0].start():
            return [found]
        starts = [label.start() for label in labels]
        left, _, right, _ = caption.draft.box
        cuts = [left + (right - left) * start / len(row) for start in (*starts[1:], len(row))]
        result: list[Draft] = []
        before = min(found.box[0], left)
        for start, end, cut in zip(starts, [*starts[1:], len(row)], cuts, strict=True):
            words = (Text(row[start:end].strip()),)
            after = max(cut, found.box[2]) if end == len(row) else cut
            part = _part_of(found, words, before, after)
            if part is None:
                return [found]
            result.append(part)
            before = after
        return result

    def _captions(self) -> list[_Caption]:
        found: list[_Caption] = []
        for index, draft in enumerate(self.drafts):
            block = draft.block
            label = _LABEL.match(text_of(draft)) if isinstance(block, Paragraph) and draft.kind == "text" else None
            if label is None or not isinstance(block, Paragraph) or not self._is_label(label, draft):
                continue
            content = block.content
            is_bare = label.end() == len(text_of(draft).strip())
            for other in range(index + 1, min(index + 3, len(self.drafts))):
                following = self.drafts[other]
                is_rest = self._names(draft, following) if is_bare else self._goes_on(draft, following)
                if not is_rest or not isinstance(following.block, Paragraph):
                    break
                content = join_contents([(*content, Text(" ")), following.block.content])
                quote = f"{draft.block.quote}\n{following.block.quote}"
                joined = Paragraph(draft.block.place, quote, content)
                draft = replace(following, block=joined, box=union((draft.box, following.box)), size=draft.size)
                is_bare = False
                self.taken.add(other)
            kind: Literal["figure", "table"] = "figure" if label["kind"].lower().startswith("f") else "table"
            found.append(_Caption(index, kind, content, draft, f"{kind} {label['number']}"))
        return found

    def _is_label(self, label: re.Match[str], draft: Draft) -> bool:
        """Whether "Table 3" begins a caption, not a sentence about that table."""
        following = text_of(draft)[label.end() :].strip()
        if label["rest"].strip() or not following:
            goes_on = label["rest"].strip() == "." and following[:1].islower()
            return label["kind"][0].isupper() and not goes_on
        return label["kind"][0].isupper() and (draft.size < _SMALL * self.body or draft.is_bold)

    def _names(self, label: Draft, following: Draft) -> bool:
        """Whether the words of a caption stand below its number, which has a row of its own."""
        is_near = 0 <= following.box[1] - label.box[3] < 1.2 * self.body
        is_small = following.rows <= 4 and following.size <= 1.02 * label.size + 0.5
        return is_near and is_small and isinstance(following.block, Paragraph) and following.kind == "text"

    def _goes_on(self, label: Draft, following: Draft) -> bool:
        """Whether a caption goes on in the next draft: the same type, as near as rows are, no sentence ended before."""
        is_near = -1 < following.box[1] - label.box[3] < 0.5 * self.body
        is_alike = abs(following.size - label.size) < 0.3 and following.is_bold == label.is_bold
        is_open = not label.block.quote.rstrip().endswith((".", "!", "?"))
        return is_near and is_alike and is_open and following.kind == "text" and following.rows <= 3

    # ---- what stands above or below a caption

    def _band(self, caption: _Caption, labels: set[int], *, is_above: bool, column: Box) -> list[int]:
        """The drafts between a caption and the next text or caption in its column, the nearest first."""
        top, bottom = caption.draft.box[1], caption.draft.box[3]
        beside = []
        for index, draft in enumerate(self.drafts):
            if index == caption.index or (index in self.taken and index not in labels):
                continue
            if overlap_x(draft.box, column) <= 0.2 * min(width(draft.box), width(column)):
                continue
            distance = top - draft.box[3] if is_above else draft.box[1] - bottom
            if distance > -0.6 * min(self.body, height(draft.box)):
                beside.append((distance, index))
        band: list[int] = []
        self.limit = 0.0
        for _, index in sorted(beside):
            if index in labels or index in self.kept or self._is_text(self.drafts[index], column):
                self.limit = self.drafts[index].box[3]
                break
            band.append(index)
        return band

    def _is_text(self, draft: Draft, column: Box) -> bool:
        """Whether a draft is of the running text: prose, a heading, a formula that was read."""
        block = draft.block
        if isinstance(block, Display):
            is_relation = block.math.is_certain and any(sign in block.math.source for sign in _RELATIONS)
            return is_relation or bool(block.math.number)
        if not isinstance(block, Paragraph | ListItem):
            return False
        if draft.size >= 1.15 * self.body or (draft.is_bold and draft.size >= self.body and draft.gap > self.body):
            return True
        if any(isinstance(piece, Math) and piece.is_display for piece in block.content) and draft.rows < 3:
            return False
        is_wide = width(draft.box) >= _PROSE_WIDTH * width(column)
        words = len(text_of(draft).split())
        return draft.size >= _PROSE_SIZE * self.body and is_wide and words >= 7 * min(draft.rows, 3)

    def _column(self, draft: Draft) -> Box:
        left, right = draft.edges if draft.edges[1] > draft.edges[0] else (draft.box[0], draft.box[2])
        return (min(left, draft.box[0]), draft.box[1], max(right, draft.box[2]), draft.box[3])

    def _figure(self, caption: _Caption, labels: set[int]) -> Draft | None:
        column = self._column(caption.draft)
        below = self._band(caption, labels, is_above=False, column=column)
        above = self._band(caption, labels, is_above=True, column=column)
        for band in (above, below):
            pictures = [index for index in band if isinstance(self.drafts[index].block, Image)]
            if pictures:
                box = union([self.drafts[index].box for index in pictures])
                around = (
                    box[0] - _NEAR * self.body,
                    box[1] - self.body,
                    box[2] + _NEAR * self.body,
                    box[3] + self.body,
                )
                members = [i for i in band if i in pictures or holds_middle(around, self.drafts[i].box)]
                return self._made_figure(caption, members)
        if caption.label in self.repeated:
            return None
        members = [index for index in above if not isinstance(self.drafts[index].block, Table)] or above
        # Ink that was not told as a picture fills the room from the text above to the caption.
        top = self.limit or min((self.drafts[index].box[1] for index in members), default=caption.draft.box[1])
        return self._made_figure(caption, members, room=(column[0], top, column[2], caption.draft.box[1]))

    def _made_figure(self, caption: _Caption, members: Sequence[int], *, room: Box | None = None) -> Draft:
        self.taken.update(members)
        parts = [self.drafts[index] for index in sorted(members)]
        boxes = [part.box for part in parts]
        if room is not None and room[3] > room[1]:
            boxes.append(room)
        box = rounded(union(boxes)) if boxes else caption.draft.box
        words = " ".join(
            part.block.alternative if isinstance(part.block, Image) else " ".join(part.block.quote.split())
            for part in parts
        )
        quote = caption.draft.block.quote
        place = Place(page=self.number, box=box)
        block = Image(place, quote, caption.content, alternative=words.strip()[:_LONGEST_ALTERNATIVE])
        return Draft("image", block, box, column=caption.draft.column)

    def _table(self, caption: _Caption, labels: set[int], *, is_below: bool) -> Draft | None:
        column = self._column(caption.draft)
        below = self._band(caption, labels, is_above=False, column=column)
        above = self._band(caption, labels, is_above=True, column=column)
        bands = (below, above) if is_below else (above, below)
        for band in bands:
            tables = [index for index in band if isinstance(self.drafts[index].block, Table)]
            if tables:
                return self._made_table(caption, tables)
        if caption.label in self.repeated:
            return None
        for band in bands:
            pictures = [index for index in band[:2] if isinstance(self.drafts[index].block, Image)]
            if pictures:
                return self._made_rows(caption, pictures)
        return self._made_rows(caption, bands[0] or bands[1])

    def _made_table(self, caption: _Caption, tables: Sequence[int]) -> Draft:
        """The table of a caption; parts below each other are one table."""
        self.taken.update(tables)
        parts = sorted((self.drafts[index] for index in tables), key=lambda part: part.box[1])
        blocks = [part.block for part in parts if isinstance(part.block, Table)]
        rows = (*blocks[0].rows, *(row for block in blocks[1:] for row in (*block.header, *block.rows)))
        box = rounded(union([part.box for part in parts]))
        quote = "\n".join(block.quote for block in blocks)
        place = Place(page=self.number, box=box)
        table = Table(place, quote, blocks[0].header, rows, blocks[0].caption or caption.content)
        return replace(parts[-1], block=table, box=box, rows=sum(part.rows for part in parts))

    def _made_rows(self, caption: _Caption, members: Sequence[int]) -> Draft | None:
        """A table whose cells could not be told: its rows, each in one cell."""
        parts = [self.drafts[index] for index in sorted(members)]
        if not parts or area(union([part.box for part in parts])) <= 0:
            return None
        self.taken.update(members)
        box = rounded(union([part.box for part in parts]))
        place = Place(page=self.number, box=box)
        lines = [line for part in parts for line in part.block.quote.split("\n") if line.strip()]
        rows = tuple((Cell((Text(line),), place),) for line in lines)
        block = Table(place, "\n".join(lines), (), rows, caption.content)
        return Draft("table", block, box, column=caption.draft.column)
