"""A library as clusters: one for each document or field, with how many formulas it has and what joins it to others."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from mathrag.library.browsing import Facet, kind_fields
from mathrag.library.graph_view_assembling import plain_label
from mathrag.library.graph_view_nouns import MOST_CLUSTERS, GraphEdge, GraphNode, GraphShow, GraphView

if TYPE_CHECKING:
    from mathrag.library.facade import Library

_MOST_EDGES = 400


def graph_choices(library: Library) -> tuple[tuple[Facet, ...], tuple[Facet, ...]]:
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
