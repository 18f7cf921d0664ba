"""Places for the nodes of a picture: what belongs together stands together, what is related stands near.

Knows numbers only. The same input always gives the same picture: there is chance inside, but its seed is fixed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy

Pairs: TypeAlias = numpy.ndarray[tuple[int, int], numpy.dtype[numpy.int64]]
Points: TypeAlias = numpy.ndarray[tuple[int, int], numpy.dtype[numpy.float64]]

# Pictures are wider than high, as windows are.
_WIDE = 1.25
_GOLDEN_ANGLE = numpy.pi * (3 - numpy.sqrt(5))
_ROUNDS = 120
_SPRING, _PUSH, _HOME = 0.05, 0.05, 0.12
# Nodes push each other off over so many cells of this size.
_CELL, _REACH = 2.0, 2
_LONGEST_MOVE = 0.5
_MOST_TURNS = 200_000
_PARTING_ROUNDS, _LAGS = 80, 5
# How far nodes stand from each other at least, as far as can be done.
_APART = 0.8


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


def place_discs(radii: Sequence[float]) -> list[tuple[float, float]]:
    """A middle for every disc so that none covers another, the first ones in the middle of the picture."""
    discs = _Discs(len(radii))
    return [discs.put(radius) for radius in radii]


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
    members = numpy.split(numpy.argsort(group, kind="stable"), numpy.cumsum(sizes)[:-1])
    discs = _Discs(len(order))
    for number in order:
        middle = discs.put(1.1 * float(numpy.sqrt(sizes[number])) + 0.6)
        points[members[number]] = _spiral(len(members[number]), step=1.0) + numpy.array(middle)
    return points


class _Discs:
    """Discs in the plane, each put at the nearest place to the middle where it meets no other."""

    def __init__(self, most: int) -> None:
        self._taken = numpy.zeros((most, 3))
        self._count = 0
        # What was not free for a disc of some radius never will be: the next one of that radius looks further on.
        self._next: dict[float, int] = {}

    def put(self, radius: float) -> tuple[float, float]:
        """The middle of one more disc."""
        x, y = self._free(radius) if self._count else (0.0, 0.0)
        self._taken[self._count] = x, y, radius
        self._count += 1
        return x, y

    def _free(self, radius: float) -> tuple[float, float]:
        known = self._taken[: self._count]
        turn, several = self._next.get(radius, 1), 8
        while turn < _MOST_TURNS:
            turns = numpy.arange(turn, turn + several)
            distance = 0.5 * numpy.sqrt(turns) * min(radius, 6.0)
            x = distance * numpy.cos(turns * _GOLDEN_ANGLE) * _WIDE
            y = distance * numpy.sin(turns * _GOLDEN_ANGLE) / _WIDE
            apart = numpy.hypot(known[:, :1] - x, known[:, 1:2] - y) - known[:, 2:]
            free = numpy.flatnonzero(apart.min(axis=0) >= radius)
            if len(free):
                self._next[radius] = turn + int(free[0]) + 1
                return float(x[free[0]]), float(y[free[0]])
            turn, several = turn + several, min(256, 2 * several)
        self._next[radius] = turn
        return float(numpy.max(known[:, 0] + known[:, 2])) + radius, 0.0


def _settled(points: Points, home: Points, ends: Pairs) -> Points:
    """After springs along the edges, a push between neighbours and a pull homewards have come to rest."""
    count = len(points)
    degree = numpy.maximum(1.0, numpy.bincount(ends.ravel(), minlength=count))
    # What has many relations is not torn about by each of them.
    first, second = ends[:, 0], ends[:, 1]
    weight = _SPRING / degree
    for turn in range(_ROUNDS):
        force = _HOME * (home - points) + _pushed(points)
        if len(ends):
            pull = points[second] - points[first]
            for axis in (0, 1):
                force[:, axis] += numpy.bincount(first, pull[:, axis] * weight[first], minlength=count)
                force[:, axis] -= numpy.bincount(second, pull[:, axis] * weight[second], minlength=count)
        length = numpy.maximum(1e-9, numpy.linalg.norm(force, axis=1, keepdims=True))
        most = _LONGEST_MOVE * (1.0 - turn / _ROUNDS) + 0.02
        points = points + force * numpy.minimum(1.0, most / length)
    return points


def _pushed(points: Points) -> Points:
    """How each node is pushed off by those around it. Others are not taken one by one but by cells of the plane, each
    as if all of it stood in its middle: every pair would take minutes."""
    cells = numpy.floor((points - points.min(axis=0)) / _CELL).astype(numpy.int64) + _REACH
    width, height = (int(side) + 1 + _REACH for side in cells.max(axis=0))
    index = cells[:, 0] * height + cells[:, 1]
    number = numpy.bincount(index, minlength=width * height).astype(numpy.float64)
    filled = numpy.maximum(number, 1.0)
    middle = numpy.column_stack(
        [numpy.bincount(index, points[:, axis], minlength=width * height) / filled for axis in (0, 1)]
    )
    force = numpy.zeros_like(points)
    for across in range(-_REACH, _REACH + 1):
        for along in range(-_REACH, _REACH + 1):
            other = index + across * height + along
            away = points - middle[other]
            # Within its own cell a node is part of the middle; it does not push itself.
            several = number[other] - (across == 0 and along == 0)
            force += away * (several / (numpy.einsum("ij,ij->i", away, away) + 0.3))[:, None]
    return _PUSH * force


def _parted(points: Points) -> Points:
    """With nodes that stand on each other moved apart, by strips of the plane: upright ones, then lying ones."""
    for turn in range(_PARTING_ROUNDS):
        axis = turn % 2
        strips = numpy.floor(points[:, axis] / _APART + (turn % 4) / 4)
        order = numpy.lexsort((points[:, 1 - axis], strips))
        ordered = points[order]
        moved = numpy.zeros_like(ordered)
        # Within a strip, those that may touch are neighbours, or have few others between them.
        for lag in range(1, min(_LAGS + 1, len(ordered))):
            gap = ordered[lag:] - ordered[:-lag]
            distance = numpy.linalg.norm(gap, axis=1, keepdims=True)
            overlap = numpy.clip(_APART - distance, 0.0, None)
            push = numpy.where(distance > 1e-9, gap / numpy.maximum(distance, 1e-9), (0.6, 0.8)) * overlap * 0.3
            moved[lag:] += push
            moved[:-lag] -= push
        points[order] = ordered + moved
        if turn > 4 and not numpy.any(numpy.abs(moved) > 0.02):
            break
    return points
