"""The picture of a library, before it is drawn: which nodes and edges a part of it has, and where the nodes stand.

A part is what was asked for by words or facets, the neighbourhood of one entry, or an overview in clusters where there
is too much for one picture. Reads rows, not whole records; draws nothing.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Literal, TypeAlias, cast

from mathrag.errors import LibraryError
from mathrag.library.opened import OpenLibrary
from mathrag.library.views.lists import Facet, kind_fields

# What the picture of a library is made of: nodes, edges, and which part of the library is wanted. Does nothing.

NodeKind: TypeAlias = Literal["formula", "constant", "document", "field"]
# `specializes` is drawn as `generalizes` the other way round. `found_in` leads to documents. Formulas that give the
# same quantity are joined by `same_quantity` where there are few of them.
EdgeKind: TypeAlias = Literal["uses", "derived_from", "generalizes", "uses_constant", "same_quantity", "found_in"]
EDGE_KINDS: tuple[EdgeKind, ...] = (
    "uses", "derived_from", "generalizes", "uses_constant", "same_quantity", "found_in",
)  # fmt: skip
GraphShow: TypeAlias = Literal["entries", "documents", "fields"]
GRAPH_SHOWS: tuple[GraphShow, ...] = ("entries", "documents", "fields")
# Beyond so many formulas nobody sees anything in a picture of all of them.
MOST_FORMULAS = 5_000
MOST_CONSTANTS = 1_500
MOST_DOCUMENTS = 1_000
# The field of formulas whose quantity belongs to none that is known.
NO_FIELD = "unknown"
# A neighbourhood with more nodes shows nothing near to anything.
MOST_AROUND = 400
MOST_CLUSTERS = 300
# So many formulas that give the same quantity are joined; more would hide everything else behind their lines.
MOST_ALIKE = 6


@dataclass(frozen=True, slots=True)
class GraphFilter:
    """Which part: entries found by words (with what they are related to), of a document (by id), of a field such as
    `mechanics`, or within some steps of an entry (by id); which edges; the entries themselves, or how many there are of
    each document or field."""

    words: str = ""
    document: str | None = None
    field: str | None = None
    relation: EdgeKind | None = None
    around: str | None = None
    depth: int = 1
    show: GraphShow = "entries"


@dataclass(frozen=True, slots=True)
class GraphNode:
    """One thing in the picture. `group` says what stands together; `steps` how far it is from the entry in the middle;
    `count` how many formulas it stands for."""

    id: str
    kind: NodeKind
    label: str
    latex: str = ""
    status: str = ""
    field: str = ""
    group: int = 0
    degree: int = 0
    count: int = 1
    steps: int | None = None
    is_match: bool = False


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """A line between two nodes, by their places in the list; `count` says how many relations it stands for."""

    source: int
    target: int
    kind: EdgeKind
    count: int = 1


@dataclass(frozen=True, slots=True)
class GraphView:
    """What is to be drawn. `formulas` says how many fit what was asked; `left_out` how many nodes are not drawn;
    `is_too_many` that there are clusters instead of the formulas that were asked for."""

    show: GraphShow
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    formulas: int = 0
    left_out: int = 0
    is_too_many: bool = False
    centre: str | None = None


# Make nodes and edges of entries that were chosen. Chooses nothing itself.

# What fits into the title of a node.
_LONGEST_LABEL = 160
_AMONG = "(SELECT value FROM json_each(?))"
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The ids of the entries to draw; which of them fit the words that were asked; how far each is from the middle."""

    formulas: Collection[str]
    constants: Collection[str]
    documents: Collection[str]
    matches: frozenset[str] = frozenset()
    steps: Mapping[str, int] = field(default_factory=dict)
    centre: str | None = None


def assembled(
    connection: sqlite3.Connection,
    chosen: Chosen,
    *,
    relation: EdgeKind | None = None,
    formulas: int = 0,
    left_out: int = 0,
) -> GraphView:
    """The nodes of these entries with every edge between them, or with those of one kind and the nodes they join."""
    found_in = _found_in(connection, chosen)
    nodes = _nodes(connection, chosen, _homes(found_in, chosen))
    number = {node.id: place for place, node in enumerate(nodes)}
    pairs: dict[EdgeKind, list[Pair]] = {kind: [] for kind in EDGE_KINDS}
    for kind, source, target in _relations(connection, chosen):
        if source in number and target in number and source != target:
            pairs[kind].append((source, target))
    related = {frozenset(pair) for each in pairs.values() for pair in each}
    pairs["same_quantity"] = list(_alike(connection, chosen, related))
    pairs["found_in"] = [pair for pair in found_in if pair[0] in number and pair[1] in number]
    edges = [
        GraphEdge(number[source], number[target], kind)
        for kind in EDGE_KINDS
        if relation is None or kind == relation
        for source, target in dict.fromkeys(pairs[kind])
    ]
    if relation is not None:
        nodes, edges = _joined(nodes, edges, {chosen.centre, *chosen.matches})
    return GraphView("entries", _weighed(nodes, edges), tuple(edges), formulas, left_out, centre=chosen.centre)


def _nodes(connection: sqlite3.Connection, chosen: Chosen, homes: Mapping[str, str]) -> list[GraphNode]:
    """Documents first, then formulas as their documents have them, then constants. A document is the group of what
    stands in it; around an entry all are one group, the nearest first."""
    numbers: dict[str, int] = {}
    nodes: list[GraphNode] = []
    for kind, identifier, label, latex, status, field_name in _rows(connection, chosen):
        home = identifier if kind == "document" else homes.get(identifier, "")
        nodes.append(
            GraphNode(
                identifier, kind, plain_label(label) or identifier, latex, status, field_name,
                group=0 if chosen.centre is not None else numbers.setdefault(home, len(numbers)),
                steps=chosen.steps.get(identifier), is_match=identifier in chosen.matches,
            )
        )  # fmt: skip
    return nodes if chosen.centre is None else sorted(nodes, key=lambda node: node.steps or 0)


def _rows(connection: sqlite3.Connection, chosen: Chosen) -> Iterator[tuple[NodeKind, str, str, str, str, str]]:
    """Kind, id, label, LaTeX, status and field of every entry."""
    question = f"SELECT id, coalesce(nullif(title, ''), name) FROM documents WHERE id IN {_AMONG} ORDER BY key"  # noqa: S608
    for identifier, label in connection.execute(question, (_listed(chosen.documents),)):
        yield "document", identifier, label, "", "", ""
    question = (
        "SELECT f.id, f.label, f.latex, f.status, f.target_kind FROM formulas f "  # noqa: S608
        "LEFT JOIN (SELECT formula, min(document) AS document, min(position) AS position FROM formula_findings "
        f"GROUP BY formula) l ON l.formula = f.id WHERE f.id IN {_AMONG} ORDER BY l.document, l.position, f.id"
    )
    fields = kind_fields()
    for identifier, label, latex, status, kind in connection.execute(question, (_listed(chosen.formulas),)):
        yield "formula", identifier, label or latex, latex, status, fields.get(kind, "")
    question = (
        "SELECT id, coalesce(nullif(name, ''), symbol), coalesce(nullif(letter, ''), symbol) FROM constants "  # noqa: S608
        f"WHERE id IN {_AMONG} ORDER BY id"
    )
    for identifier, label, letter in connection.execute(question, (_listed(chosen.constants),)):
        yield "constant", identifier, label, letter, "", ""


def _homes(found_in: Sequence[Pair], chosen: Chosen) -> dict[str, str]:
    """The document that each entry is drawn with: one of those drawn, where it stands in any of them."""
    shown = set(chosen.documents)
    homes: dict[str, str] = {}
    for entry, document in sorted(found_in, key=lambda pair: pair[1] not in shown):
        homes.setdefault(entry, document)
    return homes


def plain_label(text: object) -> str:
    """One line of signs that can be seen: pictures are XML, which has no room for others."""
    shown = " ".join(str(text)[: 4 * _LONGEST_LABEL].split())
    if not shown.isprintable():
        shown = "".join(sign for sign in shown if sign.isprintable())
    return shown if len(shown) <= _LONGEST_LABEL else f"{shown[:_LONGEST_LABEL]}…"


def _found_in(connection: sqlite3.Connection, chosen: Chosen) -> list[Pair]:
    """Which entry stands in which document; of all documents, because what stands together is drawn together."""
    questions = (
        (f"SELECT formula, document FROM formula_findings WHERE formula IN {_AMONG}", chosen.formulas),  # noqa: S608
        (f"SELECT constant, document FROM constant_places WHERE constant IN {_AMONG}", chosen.constants),  # noqa: S608
    )
    return [
        (str(entry), str(document))
        for question, ids in questions
        for entry, document in connection.execute(f"{question} GROUP BY 1, 2 ORDER BY 1, 2", (_listed(ids),))
    ]


def _relations(connection: sqlite3.Connection, chosen: Chosen) -> Iterator[tuple[EdgeKind, str, str]]:
    question = f"SELECT kind, source, target FROM relations WHERE source IN {_AMONG} ORDER BY source, kind, target"  # noqa: S608
    for kind, source, target in connection.execute(question, (_listed(chosen.formulas),)):
        if kind == "specializes":
            yield "generalizes", str(target), str(source)
        elif kind in EDGE_KINDS:
            yield cast("EdgeKind", kind), str(source), str(target)


def _alike(connection: sqlite3.Connection, chosen: Chosen, related: Collection[frozenset[str]]) -> Iterator[Pair]:
    """Formulas that give the same quantity and are not related otherwise; only where few do."""
    question = (
        f"SELECT target_kind, id FROM formulas WHERE id IN {_AMONG} "  # noqa: S608
        "AND coalesce(target_kind, '') <> '' ORDER BY target_kind, id"
    )
    giving: defaultdict[str, list[str]] = defaultdict(list)
    for kind, identifier in connection.execute(question, (_listed(chosen.formulas),)):
        giving[kind].append(identifier)
    for same in giving.values():
        if len(same) <= MOST_ALIKE:
            yield from (pair for pair in combinations(same, 2) if frozenset(pair) not in related)


def _joined(
    nodes: Sequence[GraphNode], edges: Sequence[GraphEdge], kept: Collection[str | None]
) -> tuple[list[GraphNode], list[GraphEdge]]:
    """Only the nodes that an edge joins, and those to keep anyway."""
    ends = {place for edge in edges for place in (edge.source, edge.target)}
    left = [place for place, node in enumerate(nodes) if place in ends or node.id in kept]
    new = {place: at for at, place in enumerate(left)}
    moved = [replace(edge, source=new[edge.source], target=new[edge.target]) for edge in edges]
    return [nodes[place] for place in left], moved


def _weighed(nodes: Sequence[GraphNode], edges: Sequence[GraphEdge]) -> tuple[GraphNode, ...]:
    """Each node with how many edges it has."""
    degree = [0] * len(nodes)
    for edge in edges:
        degree[edge.source] += 1
        degree[edge.target] += 1
    return tuple(replace(node, degree=count) for node, count in zip(nodes, degree, strict=True))


def _listed(ids: Collection[str]) -> str:
    return json.dumps(list(ids))


# The neighbourhood of one entry: what it is related to, and what that is related to. Draws nothing.

# Three steps away lies nearly everything.
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


# A library as clusters: one for each document or field, with how many formulas it has and what joins it to others.

# The strongest; all of them would be one grey patch.
_MOST_EDGES = 400


def graph_choices(library: OpenLibrary) -> tuple[tuple[Facet, ...], tuple[Facet, ...]]:
    """The documents and the fields that a picture can be narrowed down to, with how many formulas each has."""
    with library.database.reading() as connection:
        rows = connection.execute(
            "SELECT d.id, coalesce(nullif(d.title, ''), d.name), count(DISTINCT l.formula) FROM documents d "
            "JOIN formula_findings l ON l.document = d.id GROUP BY d.id ORDER BY 3 DESC, 2 LIMIT ?",
            (MOST_CLUSTERS,),
        ).fetchall()
        counts = connection.execute("SELECT target_kind, count(*) FROM formulas GROUP BY 1").fetchall()
    documents = [Facet(str(identifier), plain_label(label), int(count)) for identifier, label, count in rows]
    fields: Counter[str] = Counter()
    for kind, count in counts:
        if kind in kind_fields():
            fields[kind_fields()[kind]] += int(count)
    return (
        tuple(sorted(documents, key=lambda each: (each.label.lower(), each.value))),
        tuple(Facet(name, name, count) for name, count in sorted(fields.items())),
    )


def document_clusters(
    connection: sqlite3.Connection, where: str, values: Sequence[object], *, formulas: int, is_too_many: bool
) -> GraphView:
    """A cluster for each document, by how many of the formulas it has. `where` is a condition on `formulas f`."""
    rows = connection.execute(
        "SELECT d.id, coalesce(nullif(d.title, ''), d.name), count(DISTINCT l.formula) FROM formulas f "  # noqa: S608
        f"JOIN formula_findings l ON l.formula = f.id JOIN documents d ON d.id = l.document WHERE {where} "
        "GROUP BY d.id ORDER BY 3 DESC, 2, 1",
        values,
    ).fetchall()
    nodes = [
        GraphNode(str(identifier), "document", plain_label(label) or str(identifier), count=int(count))
        for identifier, label, count in rows
    ]
    among = f"(SELECT f.id FROM formulas f WHERE {where})"  # noqa: S608
    joined: Iterable[tuple[str, str, int]] = connection.execute(
        "SELECT a.document, b.document, count(*) FROM relations r JOIN formula_findings a ON a.formula = r.source "  # noqa: S608
        f"JOIN formula_findings b ON b.formula = r.target WHERE r.source IN {among} AND r.target IN {among} "
        "AND a.document <> b.document GROUP BY 1, 2",
        (*values, *values),
    )
    return _clustered("documents", nodes, joined, formulas=formulas, is_too_many=is_too_many)


def field_clusters(
    connection: sqlite3.Connection, where: str, values: Sequence[object], *, formulas: int, is_too_many: bool
) -> GraphView:
    """A cluster for each field that the formulas give a quantity of."""
    fields = kind_fields()
    counts: Counter[str] = Counter()
    question = f"SELECT f.target_kind, count(*) FROM formulas f WHERE {where} GROUP BY 1"  # noqa: S608
    for kind, count in connection.execute(question, values):
        counts[fields.get(kind, "")] += int(count)
    ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    nodes = [GraphNode(name, "field", name or "no field known", field=name, count=count) for name, count in ordered]
    joined = [
        (fields.get(source, ""), fields.get(target, ""), int(count))
        for source, target, count in connection.execute(
            "SELECT a.target_kind, b.target_kind, count(*) FROM relations r JOIN formulas a ON a.id = r.source "  # noqa: S608
            f"JOIN formulas b ON b.id = r.target WHERE r.source IN (SELECT f.id FROM formulas f WHERE {where}) "
            f"AND r.target IN (SELECT f.id FROM formulas f WHERE {where}) GROUP BY 1, 2",
            (*values, *values),
        )
    ]
    return _clustered("fields", nodes, joined, formulas=formulas, is_too_many=is_too_many)


def _clustered(
    show: GraphShow,
    found: Sequence[GraphNode],
    joined: Iterable[tuple[str, str, int]],
    *,
    formulas: int,
    is_too_many: bool,
) -> GraphView:
    nodes = tuple(found[:MOST_CLUSTERS])
    number = {node.id: place for place, node in enumerate(nodes)}
    strength: Counter[tuple[int, int]] = Counter()
    for source, target, count in joined:
        if source in number and target in number and source != target:
            first, second = sorted((number[source], number[target]))
            strength[first, second] += int(count)
    strongest = sorted(strength.items(), key=lambda each: (-each[1], each[0]))[:_MOST_EDGES]
    edges = tuple(GraphEdge(first, second, "uses", count) for (first, second), count in strongest)
    return GraphView(show, nodes, edges, formulas, len(found) - len(nodes), is_too_many)


Point = tuple[float, float]
_MOST_HITS = 30
# Where no entry has the words themselves, so many are shown that are nearest in meaning.
_NEAREST = 10


def graph_view(library: OpenLibrary, wanted: GraphFilter, *, most_formulas: int = MOST_FORMULAS) -> GraphView:
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
    from mathrag.store.graph.layout import place_discs, place_nodes

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


def _hits(library: OpenLibrary, words: str) -> list[str]:
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
