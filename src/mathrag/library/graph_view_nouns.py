"""What the picture of a library is made of: nodes, edges, and which part of the library is wanted. Does nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

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
