"""Which value stands in which slot: the exact best assignment, for small numbers of values and slots.

Slots and values that cannot meet fall apart into groups, mostly of one or two; each group is solved by going through
its slots and remembering which values are taken. Then values of one dimension may change places, so that those stated
together share an index: in `m_1 v_1 + m_2 v_2` the speed of the first body goes with its mass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations, product
from typing import TypeAlias

from mathrag.reason.choosing.question_view import ASKED
from mathrag.reason.choosing.slots import Candidate
from mathrag.reason.choosing.weights import amounts

# (slot, value) -> worth of that pair; pairs that cannot be are absent.
Worths: TypeAlias = Mapping[tuple[int, int], float]
Pairs: TypeAlias = tuple[tuple[int, int], ...]
# What it costs to leave a slot empty, by its number.
Costs: TypeAlias = Mapping[int, float] | Sequence[float]

# A group larger than this comes from a pathological question; its later values stay unused.
_LARGEST_GROUP = 10
# Orders of values that are tried for those stated together; more than any question has.
_MOST_ORDERS = 150
# What rounding may make of two equal worths.
_NOISE = 1e-9
_LARGEST_EXCHANGED = 4
MOST_TOGETHER = amounts("together")["most"]


def best_pairs(
    slots: Sequence[int], values: Sequence[int], worths: Worths, *, empty: Costs, unused: Sequence[float]
) -> Pairs:
    """The pairs with the highest total worth, given what each empty slot and each unused value costs (negative)."""
    simple = _simple(slots, values, worths)
    if simple is not None:
        return tuple([pair for pair in simple if worths[pair] > empty[pair[0]] + unused[pair[1]]])
    pairs: list[tuple[int, int]] = []
    for group_slots, group_values in _groups(slots, values, worths):
        pairs.extend(_solve(group_slots, group_values[:_LARGEST_GROUP], worths, empty, unused))
    return tuple(pairs)


def _simple(slots: Sequence[int], values: Sequence[int], worths: Worths) -> list[tuple[int, int]] | None:
    """The pairs where no slot and no value has a choice, which is most often so; else None."""
    found = [pair for pair in worths if pair[0] in slots and pair[1] in values]
    if len(found) < 2:
        return found
    alone = len({slot for slot, _ in found}) == len(found) == len({value for _, value in found})
    return found if alone else None


def _groups(
    slots: Sequence[int], values: Sequence[int], worths: Worths
) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    parents: dict[tuple[str, int], tuple[str, int]] = {}

    def root(node: tuple[str, int]) -> tuple[str, int]:
        while parents.setdefault(node, node) != node:
            node = parents[node]
        return node

    wanted_slots, wanted_values = set(slots), set(values)
    for slot, value in worths:
        if slot in wanted_slots and value in wanted_values:
            parents[root(("slot", slot))] = root(("value", value))
    groups: dict[tuple[str, int], tuple[list[int], list[int]]] = {}
    # What meets nothing stays alone, and empty or unused.
    for slot in slots:
        if ("slot", slot) in parents:
            groups.setdefault(root(("slot", slot)), ([], []))[0].append(slot)
    for value in values:
        if ("value", value) in parents:
            groups.setdefault(root(("value", value)), ([], []))[1].append(value)
    return [(tuple(some), tuple(others)) for some, others in groups.values()]


def _solve(slots: Sequence[int], values: Sequence[int], worths: Worths, empty: Costs, unused: Sequence[float]) -> Pairs:
    # What is taken so far -> the best worth and pairs that lead there.
    states: dict[int, tuple[float, Pairs]] = {0: (sum(unused[value] for value in values), ())}
    for slot in slots:
        following: dict[int, tuple[float, Pairs]] = {}
        for taken, (worth, pairs) in states.items():
            _keep(following, taken, worth + empty[slot], pairs)
            for place, value in enumerate(values):
                if not taken >> place & 1 and (slot, value) in worths:
                    better = worth + worths[slot, value] - unused[value]
                    _keep(following, taken | 1 << place, better, (*pairs, (slot, value)))
        states = following
    return max(states.values(), key=lambda state: state[0])[1]


def _keep(states: dict[int, tuple[float, Pairs]], taken: int, worth: float, pairs: Pairs) -> None:
    if taken not in states or worth > states[taken][0]:
        states[taken] = (worth, pairs)


def companion_evidence(
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
    return max(min(total, MOST_TOGETHER), -MOST_TOGETHER)


def aligned_by_index(
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
    best, best_worth = fixed, _worth(fixed, worths) + weight * companion_evidence(candidate, target, fixed, companions)
    orders = [list(permutations(values)) for _, values in groups]
    for count, choice in enumerate(product(*orders)):
        if count >= _MOST_ORDERS:
            break
        tried = dict(fixed)
        for (slots, _), values in zip(groups, choice, strict=True):
            tried.update(zip(slots, values, strict=True))
        if not all(pair in worths for pair in tried.items()):
            continue
        total = _worth(tried, worths) + weight * companion_evidence(candidate, target, tried, companions)
        if total > best_worth + _NOISE:
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
        if 1 < len(members) <= _LARGEST_EXCHANGED
        and any(candidate.slots[slot].index is not None for slot, _ in members)
    ]


def _worth(values: Mapping[int, int], worths: Worths) -> float:
    return sum(worths[pair] for pair in values.items())
