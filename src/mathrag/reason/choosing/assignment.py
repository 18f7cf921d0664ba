"""Which value stands in which slot: the exact best assignment, for small numbers of values and slots.

Then values of one dimension may change places, so that those stated together share an index: in `m_1 v_1 + m_2 v_2` the
speed of the first body goes with its mass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations, product
from math import inf
from typing import TypeAlias

from mathrag.reason.choosing.question_view import ASKED
from mathrag.reason.choosing.slots import Candidate
from mathrag.reason.choosing.weights import amounts

# (slot, value) -> worth of that pair; pairs that cannot be are absent.
Worths: TypeAlias = Mapping[tuple[int, int], float]
Pairs: TypeAlias = tuple[tuple[int, int], ...]
# What it costs to leave a slot empty, by its number.
Costs: TypeAlias = Mapping[int, float] | Sequence[float]

# More values come from a pathological question; the later ones stay unused.
_MOST_VALUES = 40
# How little a later value costs more than an earlier one: too little to outweigh any evidence.
_IN_ORDER = 1e-7
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
    able = {value for slot, value in worths if slot in slots}
    return _solve(slots, [value for value in values if value in able][:_MOST_VALUES], worths, empty, unused)


def _simple(slots: Sequence[int], values: Sequence[int], worths: Worths) -> list[tuple[int, int]] | None:
    """The pairs where no slot and no value has a choice, which is most often so; else None."""
    found = [pair for pair in worths if pair[0] in slots and pair[1] in values]
    if len(found) < 2:
        return found
    alone = len({slot for slot, _ in found}) == len(found) == len({value for _, value in found})
    return found if alone else None


def _solve(slots: Sequence[int], values: Sequence[int], worths: Worths, empty: Costs, unused: Sequence[float]) -> Pairs:
    """The assignment problem by shortest augmenting paths: one slot after the other finds its place, and those that are
    in its way move on. Each slot may also stay empty: a column of its own behind those of the values."""
    wide = len(values)
    costs: list[list[float]] = []
    for row, slot in enumerate(slots):
        # Of equal worth: what is stated first stands first.
        behind = _IN_ORDER * (len(slots) - row)
        line = [
            unused[value] - worths[slot, value] + behind * place if (slot, value) in worths else inf
            for place, value in enumerate(values)
        ]
        costs.append([*line, *(-empty[slot] if other == slot else inf for other in slots)])
    owner = _cheapest(costs)
    return tuple((slots[row], values[place]) for place, row in enumerate(owner[:wide]) if row >= 0)


def _cheapest(costs: Sequence[Sequence[float]]) -> list[int]:
    """The row that each column is given to (-1: none), so that every row has one column and all together cost least."""
    columns = range(len(costs[0]))
    owner = [-1] * len(columns)
    row_prices, column_prices = [0.0] * len(costs), [0.0] * len(columns)
    for first in range(len(costs)):
        reached, before = [inf] * len(columns), [-1] * len(columns)
        passed: list[int] = []
        open_columns = list(columns)
        row, column = first, -1
        while row >= 0:
            line, price = costs[row], row_prices[row]
            best, following = inf, -1
            for each in open_columns:
                reach = line[each] - price - column_prices[each]
                if reach < reached[each]:
                    reached[each], before[each] = reach, column
                if reached[each] < best:
                    best, following = reached[each], each
            row_prices[first] += best
            for each in passed:
                row_prices[owner[each]] += best
                column_prices[each] -= best
            for each in open_columns:
                reached[each] -= best
            passed.append(following)
            open_columns.remove(following)
            column, row = following, owner[following]
        while column >= 0:
            owner[column] = first if before[column] < 0 else owner[before[column]]
            column = before[column]
    return owner


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
