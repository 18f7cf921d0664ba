"""Pages of documents as a library knows them: what stands where, the pictures kept, and the page drawn with its boxes.

The library holds no document itself, so a page can be drawn only while the file is there as it was read.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeAlias

from mathrag.documents.input_files import gather
from mathrag.documents.isolated import DRAW, file_payload
from mathrag.documents.media_type import described
from mathrag.documents.registry import paged_reader_for
from mathrag.errors import LibraryError, UsageError
from mathrag.isolation.pool import WorkerPool
from mathrag.isolation.tasks import Failed, Task
from mathrag.library.ingest.reader_choice import reading_settings
from mathrag.store.truth.database import Database
from mathrag.store.truth.reader import kept_pictures, page_layout, page_size, statuses_on_page
from mathrag.store.truth.records import DocumentInfo
from mathrag.types.document import CERTAIN, Place
from mathrag.types.document_actions import PageCut
from mathrag.types.json_value import Json
from mathrag.types.library import Formula, Span

Box: TypeAlias = tuple[float, float, float, float]
# Colour by kind, and for formulas by what became of them. What is listed later is drawn over what is listed earlier.
COLOURS: dict[str, tuple[int, int, int]] = {
    "paragraph": (190, 190, 190),
    "list item": (190, 190, 190),
    "code": (190, 190, 190),
    "reference": (190, 190, 190),
    "table": (120, 90, 40),
    "cell": (215, 190, 140),
    "image": (200, 60, 200),
    "heading": (30, 90, 220),
    "formula": (0, 150, 160),
    "executable": (0, 150, 60),
    "declined": (240, 130, 0),
    "quarantined": (215, 20, 20),
}
# Pixels a point: 144 an inch, sharp enough for indices.
SCALE = 2.0
_LEAST_SCALE = 0.25
# Of a picture to look at; a page of a book has half of it at the usual scale.
_MOST_PIXELS = 4_000_000
_SMALLEST_SIDE = 1.0
_FORMULAS = ("display", "inline")


@dataclass(frozen=True, slots=True)
class PagePart:
    """Something that stands on a page. `status` and `formula` say what became of a formula, empty where nothing did."""

    kind: str
    box: Box
    text: str
    status: str = ""
    formula: str = ""
    reason: str = ""
    confidence: float = 1.0
    doubts: tuple[str, ...] = ()

    @property
    def is_guess(self) -> bool:
        """Whether the text is a guess at what is printed."""
        return self.confidence < CERTAIN

    @property
    def colour(self) -> tuple[int, int, int]:
        """How it is drawn."""
        return COLOURS[self.status or "formula" if self.kind in _FORMULAS else self.kind]


@dataclass(frozen=True, slots=True)
class PageContents:
    """One page of a document: its size in points and everything found on it, in reading order."""

    document: str
    number: int
    width: float
    height: float
    parts: tuple[PagePart, ...] = ()


def page_contents(database: Database, info: DocumentInfo, number: int) -> PageContents:
    """What the library knows of a page; `LibraryError` where the document has no such page."""
    size = page_size(database, info.id, number)
    if size is None:
        raise LibraryError(_no_page(info, number))
    statuses = statuses_on_page(database, info.id, number)
    parts = tuple(_parts(page_layout(database, info.id, number)))
    found = [replace(part, **_status(part, statuses)) for part in parts]
    return PageContents(info.id, number, *size, tuple(found))


def _no_page(info: DocumentInfo, number: int) -> str:
    failed = next((note for note in info.notes if note.code == "page_failed" and note.place.page == number), None)
    if failed is not None:
        return failed.message
    if paged_reader_for(info.media_type) is None:
        return f"{info.name} is {described(info.media_type)}, which has no pages; `mathrag show {info.name!r}` lists it"
    return f"{info.name} has no page {number}; see `mathrag show {info.name!r}` for what it has"


def _parts(rows: Iterable[Mapping[str, Json]]) -> Iterator[PagePart]:
    """The parts that are ones: a library may have been imported from somebody's file."""
    for row in rows:
        with contextlib.suppress(KeyError, TypeError, ValueError):
            left, top, right, bottom = (float(side) for side in row["box"])
            part = PagePart(
                str(row["kind"]),
                (left, top, right, bottom),
                str(row.get("text", "")),
                confidence=float(row.get("confidence", 1.0)),
                doubts=tuple(str(doubt) for doubt in row.get("doubts", ())),
            )
            if (part.kind in COLOURS or part.kind in _FORMULAS) and all(map(math.isfinite, part.box)):
                yield part


def _status(part: PagePart, statuses: Mapping[str, tuple[str, str, str]]) -> dict[str, Any]:
    if part.kind not in _FORMULAS:
        return {}
    found = statuses.get(json.dumps(list(part.box), separators=(",", ":")))
    return {} if found is None else {"status": found[0], "formula": found[1], "reason": found[2]}


def page_png(
    database: Database, info: DocumentInfo, *, number: int, password: str | None = None, scale: float = SCALE
) -> bytes:
    """The page as a PNG with a box around everything found, drawn in a process of its own."""
    page = page_contents(database, info, number)
    order = list(COLOURS.values())
    boxes = [[*part.box, *part.colour] for part in sorted(page.parts, key=lambda part: order.index(part.colour))]
    return drawn_page(database, info, number=number, boxes=boxes, password=password, scale=scale)


def drawn_page(
    database: Database,
    info: DocumentInfo,
    *,
    number: int,
    boxes: Sequence[Sequence[float]] = (),
    cut: Box | None = None,
    password: str | None = None,
    scale: float = SCALE,
) -> bytes:
    """The page as a PNG with boxes: each left, top, right, bottom in points, then its colour. With `cut`, only what
    lies within that box, without boxes."""
    page = page_contents(database, info, number)
    limits, known_password = reading_settings()
    file = next(iter(gather([info.key])), None)
    if file is None or not file.is_ready:
        raise LibraryError(f"{info.key} is not there any more, so its pages cannot be drawn; put it back")
    if not _LEAST_SCALE <= scale <= 8:
        raise UsageError("a page is drawn with 0.25 to 8 pixels a point")
    payload = file_payload(file, limits, password=known_password if password is None else password)
    payload |= {"hash": info.hash, "number": page.number, "scale": scale, "boxes": [list(box) for box in boxes]}
    payload["cut"] = None if cut is None else list(cut)
    with WorkerPool([DRAW], workers=1, limits=limits.worker_limits(), keeps_spares=True) as pool:
        outcome = pool.run_one(Task(info.key, DRAW, payload, seconds=limits.page_seconds * 2))
    if isinstance(outcome, Failed):
        if outcome.code == "changed":
            raise LibraryError(f"{info.key} was changed since it was read; ingest it again, then draw its pages")
        raise LibraryError(f"page {page.number} of {info.name} cannot be drawn: {outcome.reason}")
    return base64.b64decode(outcome.result)


def page_cut(
    database: Database,
    info: DocumentInfo,
    *,
    number: int,
    box: Sequence[float] | None = None,
    password: str | None = None,
    scale: float = SCALE,
) -> PageCut:
    """A page as it is printed, or what lies within a box of it; `LibraryError` where there is nothing to see.

    The box is clipped to the page; large pages are drawn with fewer pixels a point.
    """
    page = page_contents(database, info, number)
    cut = None if box is None else _on_page(page, info, box)
    left, top, right, bottom = cut or (0.0, 0.0, page.width, page.height)
    area = max(1.0, (right - left) * (bottom - top))
    fitting = min(scale, math.sqrt(_MOST_PIXELS / area))
    png = drawn_page(database, info, number=number, cut=cut, password=password, scale=max(_LEAST_SCALE, fitting))
    return PageCut(info.id, number, png, cut)


def _on_page(page: PageContents, info: DocumentInfo, box: Sequence[float]) -> Box:
    """The part of a box that lies on the page."""
    sides = tuple(map(float, box)) if len(box) == 4 else ()
    if not sides or not all(map(math.isfinite, sides)) or sides[2] <= sides[0] or sides[3] <= sides[1]:
        raise LibraryError("a box is left, top, right, bottom in points, with the right and the bottom side further on")
    left, top = max(0.0, sides[0]), max(0.0, sides[1])
    right, bottom = min(page.width, sides[2]), min(page.height, sides[3])
    if right - left < _SMALLEST_SIDE or bottom - top < _SMALLEST_SIDE:
        size = f"{page.width:g} by {page.height:g} points"
        raise LibraryError(f"this box shows nothing of page {page.number} of {info.name}, which is {size} large")
    return left, top, right, bottom


def picture_of(database: Database, formula: Formula) -> bytes | None:
    """The cut-out of a page that was kept of an uncertain formula; None where none was."""
    for span in formula.spans:
        found = _nearest(span, kept_pictures(database, span.document))
        if found is not None:
            try:
                return base64.b64decode(found, validate=True)
            except (binascii.Error, ValueError):
                continue
    return None


def _nearest(span: Span, pictures: Iterable[tuple[Place, str]]) -> str | None:
    """The picture of this very place, else the one on its page that covers most of its box."""
    best, share = None, 0.5
    for place, png in pictures:
        if place == span.place:
            return png
        if place.page == span.place.page and place.box is not None and span.place.box is not None:
            covered = _covered(span.place.box, place.box)
            if covered > share:
                best, share = png, covered
    return best


def _covered(box: Box, other: Box) -> float:
    width = max(0.0, min(box[2], other[2]) - max(box[0], other[0]))
    height = max(0.0, min(box[3], other[3]) - max(box[1], other[1]))
    area = (box[2] - box[0]) * (box[3] - box[1])
    return width * height / area if area > 0 else 0.0


def part_object(part: PagePart) -> dict[str, Any]:
    """A part of a page as data."""
    return {**asdict(part), "box": list(part.box), "doubts": list(part.doubts), "is_guess": part.is_guess}
