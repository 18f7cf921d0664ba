"""The picture of a library: always the same, nothing on top of each other, what is related near each other."""

from __future__ import annotations

import math
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.store.graph.layout import place_discs, place_nodes


def distance(first: tuple[float, float], second: tuple[float, float]) -> float:
    return math.dist(first, second)


def test_the_same_nodes_always_stand_at_the_same_places() -> None:
    groups, edges = [0, 0, 1, 1, 2] * 8, [(0, 1), (2, 3), (4, 9)]
    assert place_nodes(groups, edges) == place_nodes(groups, edges)


def test_no_node_covers_another() -> None:
    points = place_nodes([number % 7 for number in range(200)], [(number, (number * 3) % 200) for number in range(200)])
    crowded = sum(distance(one, other) < 0.3 for one, other in combinations(points, 2))
    assert crowded <= 5


def test_related_nodes_stand_nearer_than_others() -> None:
    groups = [number // 30 for number in range(120)]
    edges = [(number, 119 - number) for number in range(0, 60, 2)]
    points = place_nodes(groups, edges)
    related = [distance(points[one], points[other]) for one, other in edges]
    unrelated = [distance(points[one], points[118 - one]) for one in range(0, 60, 2)]
    assert sum(related) < 0.7 * sum(unrelated)


def test_groups_without_relations_stay_apart() -> None:
    points = place_nodes([number // 40 for number in range(80)], [])
    first, second = points[:40], points[40:]
    nearest = min(distance(one, other) for one in first for other in second)
    assert nearest > 0.3


def test_few_nodes_and_odd_edges() -> None:
    assert place_nodes([], []) == []
    (only,) = place_nodes([0], [(0, 0)])
    assert all(math.isfinite(number) for number in only)
    assert len(place_nodes([5, 5], [(0, 1), (0, 1)])) == 2


def test_discs_do_not_cover_each_other() -> None:
    radii = [5.0, 3.0, 3.0, *[1.0] * 40]
    points = place_discs(radii)
    for (one, near), (other, far) in combinations(zip(points, radii, strict=True), 2):
        assert distance(one, other) >= near + far - 1e-9


@given(
    st.lists(st.integers(0, 5), max_size=40),
    st.lists(st.tuples(st.integers(0, 1_000), st.integers(0, 1_000)), max_size=60),
)
@settings(max_examples=12, deadline=None)
def test_every_node_has_a_place_of_its_own(groups: list[int], ends: list[tuple[int, int]]) -> None:
    edges = [(one % len(groups), other % len(groups)) for one, other in ends] if groups else []
    points = place_nodes(groups, edges)
    assert len(points) == len(groups)
    assert all(math.isfinite(number) for point in points for number in point)
    assert len({(round(x, 3), round(y, 3)) for x, y in points}) == len(groups)
