"""Which nodes and edges a part of a library has: filters, neighbourhoods, clusters, and labels that can be drawn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mathrag.errors import LibraryError
from mathrag.library import Library
from mathrag.library.views.graph import (
    EDGE_KINDS,
    EdgeKind,
    GraphFilter,
    GraphView,
    graph_view,
    place_view,
    plain_label,
)

MOTION = r"""# Notes on motion

## Kinetic energy

$$E_k = \frac{1}{2} m v^2$$

where $E_k$ is the kinetic energy in J, $m$ is the mass of the cart in kg and $v$ is the speed of the cart in m/s.

## Speed

$$v = \frac{s}{t}$$

where $v$ is the speed of the cart in m/s, $s$ is the distance in m and $t$ is the time in s.

## Speed of a wave

$$v = f \lambda$$

where $v$ is the speed in m/s, $f$ is the frequency in Hz and $\lambda$ is the wavelength in m.
"""
WEIGHT = r"""# Notes on weight

## Weight

$$W = m g$$

where $W$ is the weight in N, $m$ is the mass in kg and $g$ is the acceleration of free fall.

The acceleration of free fall is $g = 9.81$ m/s^2.

## Electric charge

$$Q = I t$$

where $Q$ is the electric charge in C, $I$ is the electric current in A and $t$ is the time in s.
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("graph_view")
    for name, text in (("motion.md", MOTION), ("weight.md", WEIGHT)):
        (folder / name).write_text(text, encoding="utf-8")
    with Library(folder / "library") as made:
        assert not made.ingest([folder / "motion.md", folder / "weight.md"], workers=1).failed
        yield made


def _labels(view: GraphView, kind: str = "formula") -> set[str]:
    return {node.label for node in view.nodes if node.kind == kind}


def _edges(view: GraphView) -> set[tuple[str, str, EdgeKind]]:
    return {(view.nodes[edge.source].label, view.nodes[edge.target].label, edge.kind) for edge in view.edges}


def test_everything_with_its_relations(library: Library) -> None:
    view = graph_view(library, GraphFilter())
    assert _labels(view) == {"Kinetic energy", "Speed of the cart", "Speed of a wave", "Weight", "Electric charge"}
    assert _labels(view, "document") == {"Notes on motion", "Notes on weight"}
    assert len(_labels(view, "constant")) == 1
    edges = _edges(view)
    assert ("Kinetic energy", "Speed of the cart", "uses") in edges
    assert ("Weight", "Notes on weight", "found_in") in edges
    assert any(kind == "uses_constant" and source == "Weight" for source, _, kind in edges)
    assert view.formulas == 5
    assert view.left_out == 0
    for place, node in enumerate(view.nodes):
        assert node.degree == sum(place in (edge.source, edge.target) for edge in view.edges)


def test_entries_of_a_document_stand_in_its_group_after_it(library: Library) -> None:
    view = graph_view(library, GraphFilter())
    first: dict[int, str] = {}
    for node in view.nodes:
        first.setdefault(node.group, node.kind)
    assert set(first.values()) == {"document"}
    motion = next(node.group for node in view.nodes if node.label == "Notes on motion")
    assert {node.label for node in view.nodes if node.group == motion and node.kind == "formula"} == {
        "Kinetic energy", "Speed of the cart", "Speed of a wave",
    }  # fmt: skip


def test_one_document(library: Library) -> None:
    view = graph_view(library, GraphFilter(document=library.document("weight.md").id))
    assert _labels(view) == {"Weight", "Electric charge"}
    assert _labels(view, "document") == {"Notes on weight"}
    assert len(_labels(view, "constant")) == 1
    assert graph_view(library, GraphFilter(document="d-0")).nodes == ()


def test_one_field(library: Library) -> None:
    view = graph_view(library, GraphFilter(field="electricity"))
    assert _labels(view) == {"Electric charge"}
    assert _labels(view, "document") == {"Notes on weight"}
    assert graph_view(library, GraphFilter(field="' OR 1=1 --")).nodes == ()


@pytest.mark.parametrize("kind", EDGE_KINDS)
def test_one_kind_of_relation_has_only_the_nodes_it_joins(library: Library, kind: EdgeKind) -> None:
    view = graph_view(library, GraphFilter(relation=kind))
    assert {edge.kind for edge in view.edges} <= {kind}
    joined = {place for edge in view.edges for place in (edge.source, edge.target)}
    assert joined == set(range(len(view.nodes)))


def test_words_find_entries_with_what_they_are_related_to(library: Library) -> None:
    view = graph_view(library, GraphFilter(words="kinetic energy"))
    assert "Kinetic energy" in {node.label for node in view.nodes if node.is_match}
    assert "Speed of the cart" in _labels(view)
    titled = graph_view(library, GraphFilter(words="notes on weight"))
    assert ("Notes on weight", True) in {(node.label, node.is_match) for node in titled.nodes}


def test_the_neighbourhood_of_an_entry(library: Library) -> None:
    start = library.formula("Kinetic energy").id
    near = graph_view(library, GraphFilter(around=start))
    assert near.centre == start
    assert near.nodes[0].id == start
    assert near.nodes[0].steps == 0
    assert _labels(near) == {"Kinetic energy", "Speed of the cart"}
    assert "Electric charge" not in _labels(near)
    assert _labels(near, "document") == {"Notes on motion"}
    assert {node.steps for node in near.nodes[1:]} == {1}
    far = graph_view(library, GraphFilter(around=start, depth=2))
    assert {node.id for node in far.nodes} >= {node.id for node in near.nodes}


def test_around_constants_and_documents(library: Library) -> None:
    (constant,) = library.constants()
    assert "Weight" in _labels(graph_view(library, GraphFilter(around=constant.id)))
    document = library.document("motion.md").id
    found = graph_view(library, GraphFilter(around=document))
    assert _labels(found) == {"Kinetic energy", "Speed of the cart", "Speed of a wave"}


@pytest.mark.parametrize("unknown", ["f-000000000000", "c-0", "d-0", "x", "", "formulas", "f-%", "'"])
def test_what_is_not_there_has_no_neighbourhood(library: Library, unknown: str) -> None:
    with pytest.raises(LibraryError, match="no entry"):
        graph_view(library, GraphFilter(around=unknown))


def test_too_many_formulas_become_clusters(library: Library) -> None:
    view = graph_view(library, GraphFilter(), most_formulas=4)
    assert view.is_too_many
    assert view.show == "documents"
    assert [(node.label, node.count) for node in view.nodes] == [("Notes on motion", 3), ("Notes on weight", 2)]
    assert view.formulas == 5
    within = graph_view(library, GraphFilter(document=library.document("motion.md").id), most_formulas=2)
    assert within.is_too_many
    assert within.show == "fields"
    assert sum(node.count for node in within.nodes) == 3
    assert not graph_view(library, GraphFilter(words="speed"), most_formulas=1).is_too_many
    assert graph_view(library, GraphFilter(around=library.formula("Weight").id), most_formulas=1).show == "entries"


def test_clusters_by_field_that_were_asked_for(library: Library) -> None:
    view = graph_view(library, GraphFilter(show="fields"))
    assert not view.is_too_many
    assert {node.kind for node in view.nodes} == {"field"}
    assert ("electricity", 1) in {(node.label, node.count) for node in view.nodes}
    assert sum(node.count for node in view.nodes) == 5


def test_every_node_has_a_place(library: Library) -> None:
    for wanted in (GraphFilter(), GraphFilter(show="documents"), GraphFilter(document="d-0")):
        view = graph_view(library, wanted)
        assert len(place_view(view)) == len(view.nodes)
    assert place_view(graph_view(library, GraphFilter())) == place_view(graph_view(library, GraphFilter()))


def test_an_empty_library(tmp_path: Path) -> None:
    with Library(tmp_path / "library") as empty:
        for wanted in (GraphFilter(), GraphFilter(words="energy"), GraphFilter(show="fields")):
            assert graph_view(empty, wanted).nodes == ()


def test_labels_have_only_signs_that_can_be_seen() -> None:
    assert plain_label("a\x00b\x1b[1m\n\n c\u202e d\ud800") == "ab[1m c d"
    assert len(plain_label("x" * 100_000)) < 200
