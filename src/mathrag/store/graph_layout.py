"""Places for the nodes of a picture: what belongs together stands together, what is related stands near.

Knows numbers only. The same input always gives the same picture: there is chance inside, but its seed is fixed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy

Points: TypeAlias = numpy.ndarray[tuple[int, int], numpy.dtype[numpy.float64]]

_GOLDEN_ANGLE = numpy.pi * (3 - numpy.sqrt(5))
_ROUNDS = 160
# Each node is pushed off by so many others in a round, drawn anew each time: all others would take minutes.
_OTHERS = 48
_SPRING, _PUSH, _HOME = 0.08, 0.9, 0.03
_LONGEST_MOVE = 0.5
_PARTING_ROUNDS = 40


def place_nodes(groups: Sequence[int], edges: Sequence[tuple[int, int]]) -> list[tuple[float, float]]:
    """A point for every node, about one unit from its neighbours. `groups` numbers the group of each node from 0;
    `edges` are pairs of nodes."""
    count = len(groups)
    if count == 0:
        return []
    group = numpy.asarray(groups, dtype=numpy.int64)
    home = _start(group)
    points = home + numpy.random.default_rng(7).normal(scale=0.01, size=home.shape)
    ends = numpy.asarray([pair for pair in edges if pair[0] != pair[1]], dtype=numpy.int64).reshape(-1, 2)
    points = _settled(points, home, ends)
    return [(float(x), float(y)) for x, y in _parted(points)]


def _spiral(count: int, *, step: float) -> Points:
    """Points that fill a disc evenly, from the middle outwards."""
    index = numpy.arange(count, dtype=numpy.float64)
    radius, angle = step * numpy.sqrt(index), index * _GOLDEN_ANGLE
    return numpy.column_stack((radius * numpy.cos(angle), radius * numpy.sin(angle)))


def _start(group: numpy.ndarray[tuple[int], numpy.dtype[numpy.int64]]) -> Points:
    """Every group a disc, the discs around the largest one so that none covers another."""
    points = numpy.zeros((len(group), 2))
    sizes = numpy.bincount(group)
    order = [int(number) for number in numpy.argsort(-sizes, kind="stable") if sizes[number]]
    radii = {number: numpy.sqrt(sizes[number]) + 1.0 for number in order}
    centres: list[tuple[float, float, float]] = []
    for number in order:
        x, y = _free_place(radii[number], centres)
        centres.append((x, y, radii[number]))
        members = numpy.flatnonzero(group == number)
        points[members] = _spiral(len(members), step=0.9) + numpy.array((x, y))
    return points


def _free_place(radius: float, taken: Sequence[tuple[float, float, float]]) -> tuple[float, float]:
    """The nearest place to the middle where a disc of this radius meets no other."""
    if not taken:
        return 0.0, 0.0
    known = numpy.asarray(taken)
    for turn in range(1, 20_000):
        distance = 0.5 * numpy.sqrt(turn) * min(radius, 6.0)
        x, y = distance * numpy.cos(turn * _GOLDEN_ANGLE), distance * numpy.sin(turn * _GOLDEN_ANGLE)
        apart = numpy.hypot(known[:, 0] - x, known[:, 1] - y)
        if bool(numpy.all(apart >= known[:, 2] + radius)):
            return float(x), float(y)
    edge = float(numpy.max(numpy.hypot(known[:, 0], known[:, 1]) + known[:, 2]))
    return edge + radius, 0.0


def _settled(points: Points, home: Points, ends: numpy.ndarray[tuple[int, int], numpy.dtype[numpy.int64]]) -> Points:
    """After springs along the edges, a push between others and a pull homewards have come to rest."""
    chance = numpy.random.default_rng(11)
    count = len(points)
    degree = numpy.maximum(1.0, numpy.bincount(ends.ravel(), minlength=count))
    for turn in range(_ROUNDS):
        force = _HOME * (home - points)
        if len(ends):
            pull = _SPRING * (points[ends[:, 1]] - points[ends[:, 0]])
            # What has many relations is not torn about by each of them.
            numpy.add.at(force, ends[:, 0], pull / numpy.sqrt(degree[ends[:, 0]])[:, None])
            numpy.add.at(force, ends[:, 1], -pull / numpy.sqrt(degree[ends[:, 1]])[:, None])
        others = chance.integers(0, count, size=(count, min(_OTHERS, count)))
        away = points[:, None, :] - points[others]
        distance = numpy.einsum("ijk,ijk->ij", away, away) + 0.05
        near = numpy.where(distance < 36.0, 1.0 / distance, 0.0)
        force += _PUSH * numpy.einsum("ijk,ij->ik", away, near) / max(1.0, others.shape[1] ** 0.5)
        length = numpy.maximum(1e-9, numpy.linalg.norm(force, axis=1, keepdims=True))
        most = _LONGEST_MOVE * (1.0 - turn / _ROUNDS) + 0.02
        points = points + force * numpy.minimum(1.0, most / length)
    return points


def _parted(points: Points) -> Points:
    """With nodes that stand on each other moved apart, by cells of the plane."""
    for _ in range(_PARTING_ROUNDS):
        cells = numpy.floor(points / 0.8).astype(numpy.int64)
        order = numpy.lexsort((cells[:, 1], cells[:, 0]))
        ordered = points[order]
        moved = ordered.copy()
        is_crowded = False
        # In the order of cells, those that may touch stand within a few places of each other.
        for lag in (1, 2, 3, 4):
            if lag >= len(ordered):
                break
            gap = ordered[lag:] - ordered[:-lag]
            distance = numpy.linalg.norm(gap, axis=1, keepdims=True)
            overlap = numpy.clip(0.7 - distance, 0.0, None)
            is_crowded = is_crowded or bool(numpy.any(overlap > 0.01))
            push = numpy.where(distance > 1e-9, gap / numpy.maximum(distance, 1e-9), (1.0, 0.0)) * overlap / 3
            moved[lag:] += push
            moved[:-lag] -= push
        points = numpy.empty_like(points)
        points[order] = moved
        if not is_crowded:
            break
    return points
