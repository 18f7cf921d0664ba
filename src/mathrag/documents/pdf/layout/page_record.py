"""What was read from one page without looking at any other, as values that a worker can send as plain JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from mathrag.documents.boxes import Box
from mathrag.types.document import Block, KeptPicture, ReaderNote
from mathrag.types.json_codec import from_json, to_json
from mathrag.types.json_value import Json

# `contents` is a line of a table of contents, `footnote` what stands small at the foot of a page, `scan` a finished
# block of a page that OCR read: sizes of letters are too rough there to be compared with those of other pages.
DraftKind: TypeAlias = Literal["text", "item", "display", "table", "image", "code", "contents", "footnote", "scan"]


@dataclass(frozen=True, slots=True)
class Draft:
    """A block as one page alone shows it, with what is needed to judge it beside the blocks of other pages.

    `size` is the usual size of its letters in points, `indent` how far its first row stands from the edge of its
    column and `hang` how far its other rows do, both in points. `gap` is the white above it in points, `column` numbers
    the columns of the page in reading order, `edges` are those of the column. `is_full`: the last row reaches the right
    edge (no border closes the table), so it may go on. `is_spread`: wide white parts its row. `is_ruled`: lines are
    drawn above and below it.
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


@dataclass(frozen=True, slots=True)
class PageReading:
    """One page: its drafts in reading order. `size` is the usual size of its prose, 0 where there is none.

    `letters` counts the letters by size (tenths of a point), so that the usual size of the whole document can be told.
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

    def to_json(self) -> Json:
        """Plain lists, objects, strings and numbers."""
        made = {name: getattr(self, name) for name in ("number", "width", "height", "size", "indents_paragraphs")}
        made["letters"] = [list(pair) for pair in self.letters]
        made["drafts"] = [_draft_json(draft) for draft in self.drafts]
        made["notes"] = to_json(self.notes)
        made["pictures"] = to_json(self.pictures)
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
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"this is no reading of a page: {type(error).__name__}") from error


_PLAIN_FIELDS = (
    "kind", "size", "rows", "column", "indent", "hang", "gap", "is_bold", "is_italic", "is_centred", "is_full",
    "is_mono", "is_spread", "is_ruled",
)  # fmt: skip


def _draft_json(draft: Draft) -> Json:
    made: dict[str, Json] = {name: getattr(draft, name) for name in _PLAIN_FIELDS}
    made["block"] = to_json(draft.block)
    made["box"] = list(draft.box)
    made["edges"] = list(draft.edges)
    return made


def _draft(data: Json) -> Draft:
    plain = {name: data[name] for name in _PLAIN_FIELDS}
    left, top, right, bottom = data["box"]
    start, end = data["edges"]
    box = (float(left), float(top), float(right), float(bottom))
    return Draft(block=from_json(data["block"]), box=box, edges=(float(start), float(end)), **plain)
