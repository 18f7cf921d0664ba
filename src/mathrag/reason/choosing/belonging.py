"""Values stated together belong to one thing: the mass and the place of the first body, a constant at its temperature.

Slots that carry an index (`m_1`, `r_1`; `K_2`, `T_2`) should take values that stand together. Which values do is read
off the order in the text; what is asked for takes part with its own place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, product

from mathrag.language.stems import stems
from mathrag.reason.choosing.assignment import Pairs, Worths
from mathrag.reason.choosing.slots import Candidate
from mathrag.reason.choosing.target_evidence import Asked
from mathrag.reason.choosing.value_evidence import Seen

# The number that stands for what is asked among the numbers of the values.
ASKED = -1
_MOST_ORDERS = 150


@dataclass(frozen=True)
class Together:
    """Where the values and the thing asked for stand in the text."""

    seen: Sequence[Seen]
    asked_at: int

    @cached_property
    def _by_dimension(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for one in self.seen:
            # What a library knows of a substance is stated nowhere, so that it stands beside nothing.
            if not (one.given.implied and (one.roles or one.given.covers or one.given.kinds)):
                dimensions = set(one.dimensions)
                if not one.given.readings[0].value:
                    dimensions |= one.named_dimensions
                for dimension in dimensions:
                    found.setdefault(dimension, []).append(one.index)
        return found

    def place(self, value: int) -> int:
        """Where a value stands in the text."""
        return self.asked_at if value == ASKED else self.seen[value].given.start

    def companions(self, target_dimension: str | None) -> frozenset[tuple[int, int]]:
        """Pairs of values of different dimensions that are stated together; kept, because every plan asks for them."""
        if target_dimension not in self._known:
            self._known[target_dimension] = self._companions(target_dimension)
        return self._known[target_dimension]

    @cached_property
    def _known(self) -> dict[str | None, frozenset[tuple[int, int]]]:
        return {}

    def _companions(self, target_dimension: str | None) -> frozenset[tuple[int, int]]:
        groups = {dimension: list(values) for dimension, values in self._by_dimension.items()}
        if target_dimension is not None:
            groups.setdefault(target_dimension, []).append(ASKED)
        ordered = [
            sorted(values, key=lambda value: (self.place(value), value))
            for values in groups.values()
            if len(values) > 1
        ]
        pairs: set[tuple[int, int]] = set()
        for position, first in enumerate(ordered):
            for second in ordered[position + 1 :]:
                pairs.update(self._matched(first, second))
        return frozenset(pairs)

    def _matched(self, first: Sequence[int], second: Sequence[int]) -> list[tuple[int, int]]:
        """Those of one clause belong together; what remains is paired by order, or by nearness where one is short.
        Where as many values of the one are stated as of the other, what is asked for belongs to none of them."""
        if abs(len(first) - len(second)) == 1:
            shorter, longer = sorted((first, second), key=len)
            if ASKED in longer and ASKED not in shorter:
                first, second = shorter, [each for each in longer if each != ASKED]
        found = self._of_one_clause(first, second)
        ones = [one for one in first if one not in {pair[0] for pair in found}]
        others = [other for other in second if other not in {pair[1] for pair in found}]
        if len(ones) == len(others):
            is_asked = ASKED in ones or ASKED in others
            found += self._nearest(ones, others) if is_asked else list(zip(ones, others, strict=True))
        else:
            shorter, longer = sorted((ones, others), key=len)
            free = list(longer)
            for one in shorter:
                nearest = min(free, key=lambda other: abs(self.place(other) - self.place(one)))
                free.remove(nearest)
                found.append((one, nearest))
        return [(one, other) for one, other in found if one != other]

    def _nearest(self, ones: Sequence[int], others: Sequence[int]) -> list[tuple[int, int]]:
        """The nearest two first: what is asked for stands apart, and goes with what is left."""
        found: list[tuple[int, int]] = []
        pairs = sorted(product(ones, others), key=lambda pair: abs(self.place(pair[0]) - self.place(pair[1])))
        for one, other in pairs:
            if all(one != first and other != second for first, second in found):
                found.append((one, other))
        return found

    def _of_one_clause(self, first: Sequence[int], second: Sequence[int]) -> list[tuple[int, int]]:
        """Pairs that share a clause with no other value of their dimensions."""
        found = []
        for one in first:
            clause = self._clause(one)
            partners = [other for other in second if clause is not None and self._clause(other) == clause]
            rivals = [other for other in first if self._clause(other) == clause]
            if len(partners) == 1 and len(rivals) == 1:
                found.append((one, partners[0]))
        return found

    def _clause(self, value: int) -> int | None:
        return None if value == ASKED else self.seen[value].given.clause


def paired_evidence(
    candidate: Candidate, target: int, values: Mapping[int, int], companions: frozenset[tuple[int, int]]
) -> float:
    """How often values stated together share an index, less how often they do not."""
    if not companions:
        return 0.0
    index_of = {value: candidate.slots[slot].index for slot, value in values.items()}
    index_of[ASKED] = candidate.slots[target].index
    total = 0.0
    for one, other in companions:
        first, second = index_of.get(one), index_of.get(other)
        if first is not None and second is not None:
            total += 1.0 if first == second else -1.0
    return max(min(total, 3.0), -3.0)


def rearranged(
    candidate: Candidate,
    target: int,
    pairs: Pairs,
    worths: Worths,
    *,
    companions: frozenset[tuple[int, int]],
    weight: float,
) -> Pairs:
    """The same values in the slots of their dimension, exchanged so that those stated together share an index."""
    groups = _exchangeable(candidate, pairs) if companions else []
    if not groups:
        return pairs
    fixed = dict(pairs)
    best, best_worth = fixed, _worth(fixed, worths) + weight * paired_evidence(candidate, target, fixed, companions)
    orders = [list(permutations(values)) for _, values in groups]
    for count, choice in enumerate(product(*orders)):
        if count >= _MOST_ORDERS:
            break
        tried = dict(fixed)
        for (slots, _), values in zip(groups, choice, strict=True):
            tried.update(zip(slots, values, strict=True))
        if not all(pair in worths for pair in tried.items()):
            continue
        total = _worth(tried, worths) + weight * paired_evidence(candidate, target, tried, companions)
        if total > best_worth + 1e-9:
            best, best_worth = tried, total
    return tuple(sorted(best.items()))


def _exchangeable(candidate: Candidate, pairs: Pairs) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    groups: dict[str | None, list[tuple[int, int]]] = {}
    for slot, value in pairs:
        if not candidate.slots[slot].is_constant:
            groups.setdefault(candidate.slots[slot].dimension, []).append((slot, value))
    return [
        (tuple(slot for slot, _ in members), tuple(value for _, value in members))
        for members in groups.values()
        if 1 < len(members) <= 4 and any(candidate.slots[slot].index is not None for slot, _ in members)
    ]


def _worth(values: Mapping[int, int], worths: Worths) -> float:
    return sum(worths[pair] for pair in values.items())


# Whose a value is: of two masses the ball's counts where the kinetic energy of the ball is asked for.

_WORDS = r"[a-z-]{2,20}(?: (?!(?:in|on|at|for|from|to|with|by|after|before|when|if|that|and|as)\b)[a-z-]{2,20}){0,2}"
_OF_THE = re.compile(
    rf"\bof (?:the|this|that) (?P<later>{_WORDS})|(?:^|\b(?:the|this|that) )(?P<before>{_WORDS})['’]s\b", re.IGNORECASE
)
# How near the word for the thing must stand to one value, and how much nearer than to the next.
_NEAR = 0.4
_NEXT = 0.7
# Two things seldom make one result, unless their values are needed together.
_OTHERS = -2.0


def ownership(seen: Sequence[Seen], asked: Sequence[Asked]) -> Mapping[int, float]:
    """1 for the value of the thing that is asked about, less than 0 for those of the same dimension that are of others;
    empty where the words do not tell."""
    things = _things(asked[0].target.phrase) if asked else frozenset[str]()
    if not things:
        return {}
    found: dict[int, float] = {}
    for group in _alike(seen):
        # Of "the blue block" the colour tells two blocks apart.
        telling = frozenset(word for word in things if len({one.near.get(word, 0.0) for one in group}) > 1)
        ranked = sorted(group, key=lambda one: -_nearness(one, telling))
        best, second = (_nearness(one, telling) for one in ranked[:2])
        others = ranked[1:]
        if best >= _NEAR and second <= _NEXT * best and all(_has_another(one, ranked[0]) for one in others):
            found |= {ranked[0].index: 1.0, **dict.fromkeys((one.index for one in others), _OTHERS)}
    return found


def _things(phrase: str) -> frozenset[str]:
    """The thing that a phrase asks about, where it was spoken of before: "energy of the blue block"."""
    match = _OF_THE.search(phrase)
    return frozenset(stems(match["later"] or match["before"])) if match else frozenset()


def _nearness(one: Seen, things: frozenset[str]) -> float:
    return sum(one.near.get(word, 0.0) for word in sorted(things))


def _has_another(one: Seen, owned: Seen) -> bool:
    """Whether a value has a word of its own, the name of another thing; without, it may be a second value of the same
    one."""
    names = {*stems(one.given.phrase), *owned.phrase}
    return any(
        near >= _NEAR and owned.near.get(word, 0.0) <= _NEXT * near
        for word, near in one.near.items()
        if word not in names
    )


def _alike(seen: Sequence[Seen]) -> list[list[Seen]]:
    """Values stated once each, by dimension, where one has two or more. The values of a list are of one thing."""
    groups: dict[str, list[Seen]] = {}
    for one in seen:
        given = one.given
        if not (given.implied or given.covers or given.is_pinned or given.series is not None or given.count > 1):
            groups.setdefault(one.dimensions[0], []).append(one)
    return [group for group in groups.values() if len(group) > 1]
