"""The picture of a library, before it is drawn: which nodes and edges a part of it has, and where the nodes stand.

Reads rows, not whole records. Neighbourhoods and overviews have modules of their own.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from mathrag.errors import LibraryError
from mathrag.library.browsing import kind_fields
from mathrag.library.graph_view_around import neighbourhood, related_ids
from mathrag.library.graph_view_assembling import Chosen, assembled
from mathrag.library.graph_view_nouns import (
    MOST_AROUND,
    MOST_CONSTANTS,
    MOST_DOCUMENTS,
    MOST_FORMULAS,
    NO_FIELD,
    GraphFilter,
    GraphView,
)
from mathrag.library.graph_view_overview import document_clusters, field_clusters

if TYPE_CHECKING:
    from mathrag.library.facade import Library

Point = tuple[float, float]
_MOST_HITS = 30
# Where no entry has the words themselves, so many are shown that are nearest in meaning.
_NEAREST = 10


def graph_view(library: Library, wanted: GraphFilter, *, most_formulas: int = MOST_FORMULAS) -> GraphView:
    """Nodes and edges of a part of the library. Where that has more formulas than can be drawn, clusters instead:
    one for each document, or for each field where a document was asked for."""
    if wanted.around is None and wanted.words.strip():
        hits = _hits(library, wanted.words)
        with library.database.reading() as connection:
            return _found(connection, wanted, hits)
    with library.database.reading() as connection:
        if wanted.around is not None:
            found = neighbourhood(connection, wanted)
            if found is None:
                raise LibraryError(f"the library has no entry {wanted.around}; it may have another id since it changed")
            return found
        where, values = _where(wanted)
        total = int(connection.execute(f"SELECT count(*) FROM formulas f WHERE {where}", values).fetchone()[0])  # noqa: S608
        is_too_many = wanted.show == "entries" and total > most_formulas
        if wanted.show == "fields" or (is_too_many and wanted.document is not None):
            return field_clusters(connection, where, values, formulas=total, is_too_many=is_too_many)
        if wanted.show == "documents" or is_too_many:
            return document_clusters(connection, where, values, formulas=total, is_too_many=is_too_many)
        return _entries(connection, wanted, formulas=total)


def place_view(view: GraphView) -> list[Point]:
    """Where the nodes stand, about one unit apart; clusters by how large they are. May take a second or two for
    thousands of nodes."""
    from mathrag.store.graph_layout import place_discs, place_nodes

    if view.show != "entries":
        return place_discs([cluster_radius(node.count) + 0.6 for node in view.nodes])
    # What stands in a document is a group of its own; lines to the document would only draw it together.
    drawn = [edge for edge in view.edges if edge.kind != "found_in" or view.centre is not None]
    return place_nodes([node.group for node in view.nodes], [(edge.source, edge.target) for edge in drawn])


def cluster_radius(count: int) -> float:
    """How large a cluster is drawn, in the units of `place_view`: its area goes with its number of formulas."""
    return 0.5 + 0.14 * math.sqrt(count)


def _where(wanted: GraphFilter) -> tuple[str, list[object]]:
    """The condition on formulas; only our own names are put into the text."""
    parts: list[str] = ["1"]
    values: list[object] = []
    if wanted.field == NO_FIELD:
        parts.append("(f.target_kind IS NULL OR f.target_kind NOT IN (SELECT value FROM json_each(?)))")
        values.append(json.dumps([kind for kind, name in kind_fields().items() if name]))
    elif wanted.field is not None:
        parts.append("f.target_kind IN (SELECT value FROM json_each(?))")
        values.append(json.dumps([kind for kind, name in kind_fields().items() if name == wanted.field]))
    if wanted.document is not None:
        parts.append("f.id IN (SELECT formula FROM formula_findings WHERE document = ?)")
        values.append(wanted.document)
    return " AND ".join(parts), values


def _entries(connection: sqlite3.Connection, wanted: GraphFilter, *, formulas: int) -> GraphView:
    """Every entry that fits document and field."""
    where, values = _where(wanted)
    found = _column(connection, f"SELECT f.id FROM formulas f WHERE {where}", values)  # noqa: S608
    constants, left_out = _constants(connection, wanted, found)
    if wanted.document is not None:
        documents = _column(connection, "SELECT id FROM documents WHERE id = ?", [wanted.document])
    else:
        documents = _documents_of(connection, (*found, *constants))
        left_out += max(0, len(documents) - MOST_DOCUMENTS)
        documents = documents[:MOST_DOCUMENTS]
    return assembled(
        connection, Chosen(found, constants, documents), relation=wanted.relation, formulas=formulas, left_out=left_out
    )


def _constants(connection: sqlite3.Connection, wanted: GraphFilter, formulas: Collection[str]) -> tuple[list[str], int]:
    """The constants that go with formulas, those most used first where there are too many; and how many are left."""
    used = "SELECT target, count(*) AS uses FROM relations WHERE kind = 'uses_constant' GROUP BY target"
    question = f"SELECT c.id FROM constants c LEFT JOIN ({used}) u ON u.target = c.id"  # noqa: S608
    values: list[object] = []
    if wanted.document is not None or wanted.field is not None:
        question += (
            " WHERE c.id IN (SELECT target FROM relations WHERE kind = 'uses_constant' "
            "AND source IN (SELECT value FROM json_each(?)))"
        )
        values.append(json.dumps(list(formulas)))
        if wanted.document is not None and wanted.field is None:
            question += " OR c.id IN (SELECT constant FROM constant_places WHERE document = ?)"
            values.append(wanted.document)
    found = _column(connection, f"{question} ORDER BY coalesce(u.uses, 0) DESC, c.id", values)
    return found[:MOST_CONSTANTS], max(0, len(found) - MOST_CONSTANTS)


def _hits(library: Library, words: str) -> list[str]:
    """Formulas and constants that have the words, best first; where none has, the nearest in meaning."""
    found = library.search(words, kinds=("formula", "constant"), limit=_MOST_HITS)
    return [hit.id for hit in found if "words" in hit.found_by] or [hit.id for hit in found[:_NEAREST]]


def _found(connection: sqlite3.Connection, wanted: GraphFilter, hits: Sequence[str]) -> GraphView:
    """What words find in the part that is asked for, with what that is related to."""
    where, values = _where(wanted)
    question = f"SELECT f.id FROM formulas f WHERE {where} AND f.id IN (SELECT value FROM json_each(?))"  # noqa: S608
    formulas = _column(connection, question, [*values, json.dumps(list(hits))])
    constants = [identifier for identifier in hits if identifier.startswith("c-") and wanted.field is None]
    if wanted.document is not None:
        within = (
            "SELECT constant FROM constant_places WHERE document = ? AND constant IN (SELECT value FROM json_each(?))"
        )
        constants = _column(connection, within, [wanted.document, json.dumps(constants)])
    documents = [] if wanted.document or wanted.field else _titled(connection, wanted.words)
    matches = {*formulas, *constants, *documents}
    near = related_ids(connection, [*formulas, *constants])
    room = max(0, MOST_AROUND - len(matches))
    others = [identifier for identifier in near if identifier not in matches]
    shown = [*formulas, *(each for each in others[:room] if each.startswith("f-"))]
    chosen = Chosen(
        shown,
        [*constants, *(each for each in others[:room] if each.startswith("c-"))],
        list(dict.fromkeys([*documents, *_documents_of(connection, formulas)])),
        frozenset(matches),
    )
    left_out = max(0, len(others) - room)
    return assembled(connection, chosen, relation=wanted.relation, formulas=len(formulas), left_out=left_out)


def _titled(connection: sqlite3.Connection, words: str) -> list[str]:
    """Documents whose title or name has the words."""
    question = "SELECT id FROM documents WHERE instr(lower(title || ' ' || name), lower(?)) ORDER BY id LIMIT ?"
    return _column(connection, question, [words.strip(), _MOST_HITS])


def _documents_of(connection: sqlite3.Connection, entries: Iterable[str]) -> list[str]:
    """Where formulas and constants stand; those with the most of them first."""
    return _column(
        connection,
        "SELECT document FROM (SELECT formula AS entry, document FROM formula_findings "
        "UNION SELECT constant, document FROM constant_places) "
        "WHERE entry IN (SELECT value FROM json_each(?)) GROUP BY document ORDER BY count(*) DESC, document",
        [json.dumps(list(entries))],
    )


def _column(connection: sqlite3.Connection, question: str, values: Sequence[object]) -> list[str]:
    return [str(row[0]) for row in connection.execute(question, values)]
