"""Statements on the numbers of elements of finite sets: |A ∪ B| = |A| + |B| − |A ∩ B|.

Sets cut each other into regions whose sizes are free; so a statement is one between polynomials in those sizes (and
powers of two), equal only where their terms are.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mathrag.compute.logic import Proposition, cases, truth
from mathrag.compute.set_algebra import FIRST, SECOND

_MOST_TRIED = 20_000
# The regions multiplied, and the exponent of two as regions with how often each counts.
_Term: TypeAlias = tuple[tuple[int, ...], tuple[tuple[int, int], ...]]
Size: TypeAlias = Counter[_Term]
_ONE: _Term = ((), ())


@dataclass(frozen=True, slots=True)
class Regions:
    """The cases of an element of some sets, without those that a premise rules out."""

    names: tuple[str, ...]
    kept: tuple[dict[str, bool], ...]


def regions_of(names: Sequence[str], given: Proposition, *, universe: bool) -> Regions:
    """The regions that sets cut; the one outside all of them counts only within a universe."""
    kept = [case for case in cases(names) if truth(given, case) and (universe or any(case.values()))]
    return Regions(tuple(names), tuple(kept))


def number(value: int) -> Size:
    """A plain number."""
    return Counter({_ONE: value}) if value else Counter()


def size_of_set(inside: Proposition, of_pairs: bool, regions: Regions) -> Size:
    """How many elements a set has."""
    found: Size = Counter()
    if not of_pairs:
        for place, case in enumerate(regions.kept):
            if truth(inside, case):
                found[((place,), ())] += 1
        return found
    for first, second in itertools.product(range(len(regions.kept)), repeat=2):
        case = {name + FIRST: value for name, value in regions.kept[first].items()}
        case |= {name + SECOND: value for name, value in regions.kept[second].items()}
        if truth(inside, case):
            found[(tuple(sorted((first, second))), ())] += 1
    return found


def two_to(size: Size) -> Size | None:
    """Two to the power of a size that is a sum of regions and a whole number not below 0."""
    exponent: Counter[int] = Counter()
    factor = 1
    for (multiplied, powers), count in size.items():
        if powers or len(multiplied) > 1 or count < 0 or (not multiplied and count > 60):
            return None
        if multiplied:
            exponent[multiplied[0]] += count
        else:
            factor = 2**count
    return Counter({((), tuple(sorted(exponent.items()))): factor})


def plus(left: Size, right: Size, sign: int = 1) -> Size:
    """A sum or difference."""
    found = Counter(left)
    for term, count in right.items():
        found[term] += sign * count
    return Counter({term: count for term, count in found.items() if count})


def times(left: Size, right: Size) -> Size:
    """A product."""
    found: Size = Counter()
    for (regions, powers), count in left.items():
        for (others, more), factor in right.items():
            joined = Counter(dict(powers))
            joined.update(dict(more))
            found[(tuple(sorted((*regions, *others))), tuple(sorted(joined.items())))] += count * factor
    return Counter({term: count for term, count in found.items() if count})


def value_at(size: Size, sizes: Sequence[int]) -> int:
    """The number for given sizes of the regions."""
    total = 0
    for (multiplied, powers), count in size.items():
        product = count
        for place in multiplied:
            product *= sizes[place]
        total += product * 2 ** sum(sizes[place] * often for place, often in powers)
    return total


def tried_sizes(regions: Regions) -> Iterator[tuple[int, ...]]:
    """Small sizes of the regions, the smallest first, not too many."""
    count = len(regions.kept)
    most = 2 if 3**count <= _MOST_TRIED else 1
    if 2**count > _MOST_TRIED:
        return
    yield from sorted(itertools.product(range(most + 1), repeat=count), key=sum)


def example_sets(regions: Regions, sizes: Sequence[int]) -> Mapping[str, list[int]]:
    """Sets of whole numbers with regions of these sizes."""
    found: dict[str, list[int]] = {name: [] for name in regions.names}
    element = 0
    for case, size in zip(regions.kept, sizes, strict=True):
        for _ in range(size):
            element += 1
            for name, is_in in case.items():
                if is_in:
                    found[name].append(element)
    return found
