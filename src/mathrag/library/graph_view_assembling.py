"""Make nodes and edges of entries that were chosen. Chooses nothing itself."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import cast

from mathrag.library.browsing import kind_fields
from mathrag.library.graph_view_nouns import EDGE_KINDS, MOST_ALIKE, EdgeKind, GraphEdge, GraphNode, GraphView, NodeKind

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
