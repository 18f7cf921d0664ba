"""What was read from one page without looking at any other, as values that a worker can send as plain JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from mathrag.documents.boxes import Box
from mathrag.documents.pdf.layout.front_rows import FrontRow
from mathrag.types.document import Block, KeptPicture, ReaderNote
from mathrag.types.json_codec import from_json, to_json
from mathrag.types.json_value import Json

# `contents` is a line of a table of contents, `footnote` what stands small at the foot of a page, `scan` a finished
# block of a page that OCR read: sizes of letters are too rough there to be compared with those of other pages.
# `reference` is an entry of the list of literature, told when all pages are seen.
DraftKind: TypeAlias = Literal[
    "text", "item", "display", "table", "image", "code", "contents", "footnote", "scan", "reference"
]


@dataclass(frozen=True, slots=True)
class Draft:
    """A block as one page alone shows it, with what is needed to judge it beside the blocks of other pages.

    `size` is the usual size of its letters in points, `indent` how far its first row stands from the edge of its
    column and `hang` how far its other rows do, both in points. `gap` is the white above it in points, `column` numbers
    the columns of the page in reading order, `edges` are those of the column. `is_full`: the last row reaches the right
    edge (no border closes the table), so it may go on. `is_spread`: wide white parts its row. `is_ruled`: lines are
    drawn above and below it. `starts` are the left edges of its rows in points. `font` is that of bold rows: some
    journals tell the levels of headings by it alone.
    """

    kind: DraftKind
    block: Block
    box: Box
    size: float = 0.0
    rows: int = 1
    column: int = 0
    indent: float = 0.0
    hang: float = 0.0
    gap: float = 0.0
    is_bold: bool = False
    is_italic: bool = False
    is_centred: bool = False
    is_full: bool = False
    is_mono: bool = False
    is_spread: bool = False
    is_ruled: bool = False
    edges: tuple[float, float] = (0.0, 0.0)
    starts: tuple[float, ...] = ()
    font: str = ""


@dataclass(frozen=True, slots=True)
class PageReading:
    """One page: its drafts in reading order. `size` is the usual size of its prose, 0 where there is none.

    `letters` counts the letters by size (tenths of a point), so that the usual size of the whole document can be told.
    `front` are the rows of the first page as a title page wants them, of other pages none.
    """

    number: int
    width: float
    height: float
    drafts: tuple[Draft, ...] = ()
    size: float = 0.0
    letters: tuple[tuple[int, int], ...] = ()
    indents_paragraphs: bool = False
    notes: tuple[ReaderNote, ...] = ()
    pictures: tuple[KeptPicture, ...] = field(default=())
    front: tuple[FrontRow, ...] = ()

    def to_json(self) -> Json:
        """Plain lists, objects, strings and numbers."""
        made = {name: getattr(self, name) for name in ("number", "width", "height", "size", "indents_paragraphs")}
        made["letters"] = [list(pair) for pair in self.letters]
        made["drafts"] = [_draft_json(draft) for draft in self.drafts]
        made["notes"] = to_json(self.notes)
        made["pictures"] = to_json(self.pictures)
        made["front"] = [
            [list(map(list, row.parts)), row.top, row.bottom, row.size, row.is_bold, row.is_italic]
            for row in self.front
        ]
        return made

    @staticmethod
    def from_json(data: Json) -> PageReading:
        """The reading that `to_json` wrote. Raises `ValueError` for anything else."""
        try:
            return PageReading(
                number=int(data["number"]),
                width=float(data["width"]),
                height=float(data["height"]),
                drafts=tuple(_draft(item) for item in data["drafts"]),
                size=float(data["size"]),
                letters=tuple((int(size), int(count)) for size, count in data["letters"]),
                indents_paragraphs=bool(data["indents_paragraphs"]),
                notes=from_json(data["notes"]),
                pictures=from_json(data["pictures"]),
                front=tuple(_front_row(row) for row in data["front"]),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"this is no reading of a page: {type(error).__name__}") from error


_PLAIN_FIELDS = (
    "kind", "size", "rows", "column", "indent", "hang", "gap", "is_bold", "is_italic", "is_centred", "is_full",
    "is_mono", "is_spread", "is_ruled", "font",
)  # fmt: skip


def _draft_json(draft: Draft) -> Json:
    made: dict[str, Json] = {name: getattr(draft, name) for name in _PLAIN_FIELDS}
    made["block"] = to_json(draft.block)
    made["box"] = list(draft.box)
    made["edges"] = list(draft.edges)
    made["starts"] = list(draft.starts)
    return made


def _draft(data: Json) -> Draft:
    plain = {name: data[name] for name in _PLAIN_FIELDS}
    left, top, right, bottom = data["box"]
    start, end = data["edges"]
    box = (float(left), float(top), float(right), float(bottom))
    starts = tuple(float(start) for start in data["starts"])
    edges = (float(start), float(end))
    return Draft(block=from_json(data["block"]), box=box, edges=edges, starts=starts, **plain)


def _front_row(data: Json) -> FrontRow:
    parts, top, bottom, size, is_bold, is_italic = data
    made = tuple((float(left), float(right), str(text)) for left, right, text in parts)
    return FrontRow(made, float(top), float(bottom), float(size), bool(is_bold), bool(is_italic))
