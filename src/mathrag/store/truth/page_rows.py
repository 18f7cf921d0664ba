"""What stands where on the pages of a document, and the pictures kept of it, as rows. Draws nothing, reads no page."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator, Sequence
from typing import assert_never

from mathrag.store.truth.codec import place_columns, place_of_columns, plain_json, storable
from mathrag.store.truth.database import Database
from mathrag.store.truth.view_rows import Row, Value
from mathrag.types.document import (
    Block,
    Code,
    Content,
    Display,
    Document,
    Heading,
    Image,
    ListItem,
    Math,
    Paragraph,
    Place,
    Reference,
    Table,
    contents_of,
    plain_text,
)
from mathrag.types.json_value import Json

# Cut-outs of formulas are small; what is larger is no formula.
LARGEST_PICTURE = 1024 * 1024
LARGEST_PICTURES = 64 * 1024 * 1024
_PNG = b"\x89PNG\r\n\x1a\n"
_PLACE_NAMES = ("page", "line", "end_line", "path", "file", "box")
_LONGEST_TEXT = 200


def page_layout_rows(document: str, content: Document) -> list[Row]:
    """A row for every page on which something has a box: blocks, cells of tables, formulas, in reading order."""
    parts: dict[int, list[dict[str, object]]] = {}
    for number, block in enumerate(content.blocks):
        for kind, place, text, math in _parts(block):
            if place.page is None or place.box is None:
                continue
            part: dict[str, object] = {"kind": kind, "box": list(place.box), "text": _short(text), "block": number}
            if math is not None:
                part |= {"confidence": math.confidence, "doubts": list(math.doubts)}
            parts.setdefault(place.page, []).append(part)
    return [{"document": document, "number": page, "parts": plain_json(parts[page])} for page in sorted(parts)]


def _parts(block: Block) -> Iterator[tuple[str, Place, str, Math | None]]:
    if isinstance(block, Display):
        yield "display", _better_place(block.math.place, block.place), block.math.source, block.math
        return
    yield _kind(block), block.place, block.quote, None
    if isinstance(block, Table):
        for row in (*block.header, *block.rows):
            for cell in row:
                yield "cell", cell.place, plain_text(cell.content), None
    for content in contents_of(block):
        yield from _formulas(content)


def _formulas(content: Content) -> Iterator[tuple[str, Place, str, Math | None]]:
    for piece in content:
        if isinstance(piece, Math):
            yield "display" if piece.is_display else "inline", piece.place, piece.source, piece


def _better_place(first: Place, second: Place) -> Place:
    return first if first.box is not None else second


def _kind(block: Block) -> str:
    match block:
        case Heading():
            return "heading"
        case Paragraph():
            return "paragraph"
        case ListItem():
            return "list item"
        case Table():
            return "table"
        case Display():
            return "display"
        case Image():
            return "image"
        case Code():
            return "code"
        case Reference():
            return "reference"
    assert_never(block)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_TEXT else f"{line[: _LONGEST_TEXT - 1]}…"


def picture_rows(document: str, content: Document) -> list[Row]:
    """A row for every picture that is one and not too large; what goes beyond the limits is left out."""
    rows: list[Row] = []
    total = 0
    for picture in content.pictures:
        total += len(picture.png)
        if total > LARGEST_PICTURES:
            break
        if len(picture.png) <= LARGEST_PICTURE and _is_png(picture.png):
            place: Sequence[Value] = place_columns(picture.place)
            rows.append(
                {
                    "id": f"{document}/picture/{len(rows)}",
                    "document": document,
                    "position": len(rows),
                    "png": picture.png,
                    **dict(zip(_PLACE_NAMES, place, strict=True)),
                }
            )
    return rows


def _is_png(text: str) -> bool:
    try:
        return base64.b64decode(text, validate=True).startswith(_PNG)
    except (binascii.Error, ValueError):
        return False


# Read what a library keeps of the pages of a document: sizes, layouts, pictures, what became of the formulas there.

_BEST_FIRST = ("executable", "quarantined", "declined")


def page_size(database: Database, document: str, number: int) -> tuple[float, float] | None:
    """Width and height of a page in points; None where the document has no such page."""
    with database.reading() as connection:
        row = connection.execute(
            "SELECT width, height FROM pages WHERE document = ? AND number = ?", (document, number)
        ).fetchone()
    return None if row is None else (float(row[0]), float(row[1]))


def page_layout(database: Database, document: str, number: int) -> list[dict[str, Json]]:
    """What stands on a page, in reading order, as it was stored."""
    with database.reading() as connection:
        row = connection.execute(
            "SELECT parts FROM page_layouts WHERE document = ? AND number = ?", (document, number)
        ).fetchone()
    try:
        parts = [] if row is None else json.loads(row[0])
    except (ValueError, RecursionError):
        return []
    return [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []


def statuses_on_page(database: Database, document: str, number: int) -> dict[str, tuple[str, str, str]]:
    """Status, formula and reason of the findings on a page, by their box; the best one where a box has several."""
    found: dict[str, tuple[str, str, str]] = {}
    with database.reading() as connection:
        rows = connection.execute(
            "SELECT n.box, n.status, coalesce(l.formula, ''), n.reason FROM findings n "
            "LEFT JOIN formula_findings l ON l.document = n.document AND l.position = n.position "
            "WHERE n.document = ? AND n.page = ? AND n.box IS NOT NULL ORDER BY n.position",
            (document, number),
        ).fetchall()
    for box, status, formula, reason in rows:
        known = found.get(box)
        if known is None or _BEST_FIRST.index(status) < _BEST_FIRST.index(known[0]):
            found[box] = (status, formula, reason)
    return found


def kept_pictures(database: Database, document: str) -> Iterator[tuple[Place, str]]:
    """The pictures kept of a document, each with its place, as PNG in base64."""
    with database.reading() as connection:
        rows = connection.execute(
            "SELECT page, line, end_line, path, file, box, png FROM pictures WHERE document = ? ORDER BY position",
            (storable(document),),
        ).fetchall()
    for page, line, end_line, path, file, box, png in rows:
        yield place_of_columns(page, line, end_line, path, file, box), png


def count_reasons(database: Database) -> dict[str, int]:
    """How many formulas cannot be computed with, by the code of the reason, most first."""
    with database.reading() as connection:
        rows = connection.execute(
            "SELECT reason_code, count(*) FROM formulas WHERE status <> 'executable' "
            "GROUP BY reason_code ORDER BY count(*) DESC, reason_code"
        ).fetchall()
    return {str(code): int(count) for code, count in rows}
