"""Read what a library keeps of the pages of a document: sizes, layouts, pictures, what became of the formulas there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TypeAlias

from mathrag.store.codec import storable
from mathrag.store.database import Database
from mathrag.store.places import place_of_columns
from mathrag.types.document import Place

Json: TypeAlias = Any
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
