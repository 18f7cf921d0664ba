"""Relations on small sets, all of them: what a statement on every relation says is tried on each.

A quality such as transitivity says something of a few elements at once. Where premises and conclusion are such, a
counterexample on any set keeps being one on the few elements that break the conclusion, so that trying all relations on
so many elements is a proof; `elements_needed` says how many those are.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from mathrag.compute.algebra.term_reader import Node, names_of, walk

LARGEST = 3
_MOST_CHOICES = 120_000


@dataclass(frozen=True, slots=True)
class Quality:
    """What may be said of a relation: of how many elements at once, and how many pairs must and must not be related for
    it to fail."""

    elements: int
    related: int
    unrelated: int
    holds: Callable[[int, int], bool]


def _has(relation: int, size: int, first: int, second: int) -> bool:
    return bool(relation >> (first * size + second) & 1)


def _pairs(size: int) -> Iterator[tuple[int, int]]:
    return ((first, second) for first in range(size) for second in range(size))


@lru_cache(maxsize=4_000)
def inverse(relation: int, size: int) -> int:
    """The relation the other way round."""
    return sum(1 << (b * size + a) for a, b in _pairs(size) if _has(relation, size, a, b))


@lru_cache(maxsize=400_000)
def composed(outer: int, inner: int, size: int) -> int:
    """First the inner relation, then the outer one."""
    full, made = (1 << size) - 1, 0
    for first in range(size):
        through, reached = inner >> (first * size) & full, 0
        for middle in range(size):
            if through >> middle & 1:
                reached |= outer >> (middle * size) & full
        made |= reached << (first * size)
    return made


QUALITIES: Mapping[str, Quality] = {
    "reflexive": Quality(1, 0, 1, lambda r, n: all(_has(r, n, a, a) for a in range(n))),
    "irreflexive": Quality(1, 1, 0, lambda r, n: not any(_has(r, n, a, a) for a in range(n))),
    "symmetric": Quality(2, 1, 1, lambda r, n: inverse(r, n) == r),
    "antisymmetric": Quality(
        2, 2, 0, lambda r, n: not any(a != b and _has(r, n, a, b) and _has(r, n, b, a) for a, b in _pairs(n))
    ),
    "asymmetric": Quality(2, 2, 0, lambda r, n: not r & inverse(r, n)),
    "transitive": Quality(3, 2, 1, lambda r, n: not composed(r, r, n) & ~r),
    "connected": Quality(
        2, 0, 2, lambda r, n: all(a == b or _has(r, n, a, b) or _has(r, n, b, a) for a, b in _pairs(n))
    ),
}


@lru_cache(maxsize=100_000)
def has_quality(name: str, relation: int, size: int) -> bool:
    """Whether a relation on so many elements has a quality."""
    return QUALITIES[name].holds(relation, size)


def pairs_of(relation: int, size: int) -> tuple[tuple[int, int], ...]:
    """The pairs that are related; elements count from 1."""
    return tuple((a + 1, b + 1) for a, b in _pairs(size) if _has(relation, size, a, b))


# Terms: a letter, `union`, `intersection`, `difference`, `complement`, `inverse`, `composition` (outer, inner).


def relation_of(term: Node, chosen: Mapping[str, int], size: int) -> int:
    """The relation that a term is, for relations chosen for its letters."""
    if term.kind == "letter":
        return chosen[term.name]
    parts = [relation_of(part, chosen, size) for part in term.parts]
    match term.kind:
        case "union":
            return parts[0] | parts[1]
        case "intersection":
            return parts[0] & parts[1]
        case "difference":
            return parts[0] & ~parts[1]
        case "complement":
            return ((1 << size * size) - 1) & ~parts[0]
        case "inverse":
            return inverse(parts[0], size)
    return composed(parts[0], parts[1], size)


def _more_elements(term: Node, *, is_related: bool) -> int | None:
    """How many further elements show that two are related by a term, or are not; None where no few of them do."""
    wanted: tuple[bool, ...] = (is_related,) * len(term.parts)
    if term.kind in ("difference", "complement"):
        wanted = (*wanted[1:], not is_related)
    parts = [_more_elements(part, is_related=one) for part, one in zip(term.parts, wanted, strict=True)]
    counted = [part for part in parts if part is not None]
    if len(counted) != len(parts):
        return None
    match term.kind:
        case "composition" if not is_related:
            return 0 if not any(counted) else None
        case "composition":
            return 1 + sum(counted)
        case "union" | "intersection" | "difference":
            is_one_enough = is_related == (term.kind == "union")
            return max(counted) if is_one_enough else sum(counted)
    return sum(counted)


@dataclass(frozen=True, slots=True)
class Said:
    """That a term has a quality, or has it not."""

    term: Node
    quality: str
    is_denied: bool = False

    def is_met(self, chosen: Mapping[str, int], size: int) -> bool:
        """Whether it is so for the relations that were chosen."""
        return has_quality(self.quality, relation_of(self.term, chosen, size), size) != self.is_denied


def elements_needed(premises: Sequence[Said], conclusions: Sequence[Said]) -> int | None:
    """How many elements a counterexample needs at most; None where that is not told."""
    if any(one.is_denied or _is_composed(one.term) for one in premises):
        return None
    found = 0
    for one in conclusions:
        if one.is_denied:
            return None
        quality = QUALITIES[one.quality]
        shown = _more_elements(one.term, is_related=True)
        unshown = _more_elements(one.term, is_related=False)
        if (quality.related and shown is None) or (quality.unrelated and unshown is None):
            return None
        found = max(found, quality.elements + quality.related * (shown or 0) + quality.unrelated * (unshown or 0))
    return found


def _is_composed(term: Node) -> bool:
    return any(node.kind == "composition" for node in walk(term))


@dataclass(frozen=True, slots=True)
class RelationTrial:
    """`largest`: on how many elements all were tried; `counterexample`: the relations and the number of elements."""

    largest: int
    counterexample: tuple[Mapping[str, int], int] | None = None


def try_relations(premises: Sequence[Said], conclusions: Sequence[Said]) -> RelationTrial:
    """Try a statement with all relations on one element, on two, on three, as far as that is not too many."""
    letters = tuple(sorted(names_of([one.term for one in (*premises, *conclusions)], "letter")))
    largest, plainest = 0, None
    for size in range(1, LARGEST + 1):
        choices = [_with_qualities(name, premises, size) for name in letters]
        if plainest is not None and size > 2:
            break
        if math.prod(map(len, choices)) > _MOST_CHOICES:
            break
        for values in itertools.product(*choices):
            chosen = dict(zip(letters, values, strict=True))
            if all(one.is_met(chosen, size) for one in premises) and not all(
                one.is_met(chosen, size) for one in conclusions
            ):
                # Relations without pairs convince nobody where others do the same.
                if all(values):
                    return RelationTrial(largest, (chosen, size))
                plainest = plainest or (chosen, size)
        largest = size
    return RelationTrial(largest, plainest)


def _with_qualities(name: str, premises: Sequence[Said], size: int) -> list[int]:
    """The relations that meet what is said of one letter alone; those of few pairs first."""
    alone = [one for one in premises if one.term == Node("letter", (), name)]
    found = [
        relation for relation in range(1 << size * size) if all(one.is_met({name: relation}, size) for one in alone)
    ]
    return sorted(found, key=int.bit_count)


# Equations between relations.


def words_of(term: Node) -> frozenset[tuple[tuple[str, bool], ...]] | None:
    """A term of unions, compositions and inverses as a union of compositions of letters, some the other way round; None
    for other terms. Terms with the same words are the same relation, whatever their letters are."""
    if term.kind == "letter":
        return frozenset({((term.name, False),)})
    parts = [words_of(part) for part in term.parts]
    known = [part for part in parts if part is not None]
    if len(known) != len(parts):
        return None
    match term.kind:
        case "union":
            return known[0] | known[1]
        case "inverse":
            return frozenset(tuple((name, not turned) for name, turned in reversed(word)) for word in known[0])
        case "composition" if len(known[0]) * len(known[1]) <= 200:
            return frozenset((*outer, *inner) for outer in known[0] for inner in known[1])
    return None


def elements_to_differ(left: Node, right: Node, *, both_ways: bool) -> int | None:
    """How many elements show that the left side is not within the right one, or nor the other way round."""
    found = 0
    for one, other in ((left, right), (right, left))[: 1 + both_ways]:
        parts = (_more_elements(one, is_related=True), _more_elements(other, is_related=False))
        if parts[0] is None or parts[1] is None:
            return None
        found = max(found, 2 + parts[0] + parts[1])
    return found


def try_equation(left: Node, right: Node, *, both_ways: bool, met: Sequence[Said] = ()) -> RelationTrial:
    """Whether the left side lies within the right one, and with `both_ways` is the same, for all small relations."""
    letters = tuple(sorted(names_of([left, right], "letter")))
    largest = 0
    for size in range(1, LARGEST + 1):
        choices = [_with_qualities(name, met, size) for name in letters]
        if math.prod(map(len, choices)) > _MOST_CHOICES:
            break
        for values in itertools.product(*choices):
            chosen = dict(zip(letters, values, strict=True))
            first, second = (relation_of(side, chosen, size) for side in (left, right))
            if first & ~second or (both_ways and first != second):
                return RelationTrial(largest, (chosen, size))
        largest = size
    return RelationTrial(largest)
