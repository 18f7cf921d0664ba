"""The neighbourhood of one entry: what it is related to, and what that is related to. Draws nothing."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Sequence

from mathrag.library.graph_view_assembling import Chosen, assembled
from mathrag.library.graph_view_nouns import MOST_ALIKE, MOST_AROUND, GraphFilter, GraphView

DEEPEST = 2
_TABLES = {"f-": "formulas", "c-": "constants", "d-": "documents"}
_RELATED = """
    SELECT entry FROM (
        SELECT target AS entry, confidence FROM relations WHERE source IN (SELECT value FROM json_each(:ids))
        UNION ALL
        SELECT source, confidence FROM relations WHERE target IN (SELECT value FROM json_each(:ids)))
    GROUP BY entry ORDER BY max(confidence) DESC, count(*) DESC, entry
"""
_ALIKE = """
    SELECT g.id FROM formulas f JOIN formulas g ON g.target_kind = f.target_kind AND g.id <> f.id
    WHERE f.id = ? AND f.target_kind <> '' ORDER BY g.id LIMIT ?
"""
_DOCUMENTS = """
    SELECT document FROM formula_findings WHERE formula = :id
    UNION SELECT document FROM constant_places WHERE constant = :id ORDER BY 1
"""
_CONTENTS = """
    SELECT formula FROM (SELECT formula, min(position) AS position FROM formula_findings WHERE document = :id
        GROUP BY formula ORDER BY position)
    UNION ALL SELECT constant FROM constant_places WHERE document = :id
"""


def related_ids(connection: sqlite3.Connection, ids: Collection[str]) -> list[str]:
    """Formulas and constants with a relation from or to any of these, the surest first."""
    return [row[0] for row in connection.execute(_RELATED, {"ids": json.dumps(list(ids))})]


def neighbourhood(connection: sqlite3.Connection, wanted: GraphFilter) -> GraphView | None:
    """What is within so many steps of an entry; None where there is no such entry. Nobody is a neighbour merely by
    standing in the same document."""
    start = wanted.around or ""
    table = _TABLES.get(start[:2])
    if table is None or connection.execute(f"SELECT 1 FROM {table} WHERE id = ?", (start,)).fetchone() is None:  # noqa: S608
        return None
    steps = {start: 0}
    frontier: Sequence[str] = [start]
    left_out = 0
    for step in range(1, min(max(wanted.depth, 1), DEEPEST) + 1):
        found = [each for each in dict.fromkeys(_next(connection, start, frontier)) if each not in steps]
        room = max(0, MOST_AROUND - len(steps))
        left_out += max(0, len(found) - room)
        steps |= dict.fromkeys(found[:room], step)
        frontier = [each for each in found[:room] if not each.startswith("d-")]
    formulas, constants, documents = ([each for each in steps if each.startswith(prefix)] for prefix in _TABLES)
    chosen = Chosen(formulas, constants, documents, steps=steps, centre=start)
    return assembled(connection, chosen, relation=wanted.relation, formulas=len(formulas), left_out=left_out)


def _next(connection: sqlite3.Connection, start: str, frontier: Sequence[str]) -> list[str]:
    """One step further. From the entry in the middle also to its documents and to formulas that give the same."""
    if start.startswith("d-") and list(frontier) == [start]:
        return [row[0] for row in connection.execute(_CONTENTS, {"id": start})]
    found = related_ids(connection, frontier)
    if list(frontier) == [start]:
        alike = [row[0] for row in connection.execute(_ALIKE, (start, MOST_ALIKE))]
        documents = [row[0] for row in connection.execute(_DOCUMENTS, {"id": start})]
        found = [*documents, *found, *(alike if len(alike) < MOST_ALIKE else ())]
    return found
