"""The exact assignment against trying everything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.reason.choosing.assignment import Pairs, Worths, best_pairs

numbers = st.integers(-40, 40).map(lambda number: number / 8)


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[int], list[int], Worths, Mapping[int, float], Sequence[float]]:
    slots = draw(st.lists(st.integers(0, 6), unique=True, max_size=5))
    values = draw(st.lists(st.integers(0, 6), unique=True, max_size=5))
    pairs = st.tuples(st.integers(0, 6), st.integers(0, 6))
    worths = draw(st.dictionaries(pairs, numbers, max_size=25))
    empty = {slot: draw(numbers) for slot in slots}
    return slots, values, worths, empty, [draw(numbers) for _ in range(7)]


def everything(slots: Sequence[int], values: Sequence[int], worths: Worths) -> Iterator[Pairs]:
    if not slots:
        yield ()
        return
    first, *rest = slots
    yield from everything(rest, values, worths)
    for value in values:
        if (first, value) in worths:
            for pairs in everything(rest, [other for other in values if other != value], worths):
                yield ((first, value), *pairs)


def total(pairs: Pairs, slots: Sequence[int], values: Sequence[int], worths: Worths,
          empty: Mapping[int, float], unused: Sequence[float]) -> float:  # fmt: skip
    filled, taken = {slot for slot, _ in pairs}, {value for _, value in pairs}
    return (
        sum(worths[pair] for pair in pairs)
        + sum(empty[slot] for slot in slots if slot not in filled)
        + sum(unused[value] for value in values if value not in taken)
    )


@settings(max_examples=300, deadline=None)
@given(problem=problems())
def test_no_assignment_is_better(
    problem: tuple[list[int], list[int], Worths, Mapping[int, float], Sequence[float]],
) -> None:
    slots, values, worths, empty, unused = problem
    pairs = best_pairs(slots, values, worths, empty=empty, unused=unused)
    assert len({slot for slot, _ in pairs}) == len(pairs) == len({value for _, value in pairs})
    assert all(pair in worths and pair[0] in slots and pair[1] in values for pair in pairs)
    found = total(pairs, slots, values, worths, empty, unused)
    best = max(total(each, slots, values, worths, empty, unused) for each in everything(slots, values, worths))
    assert found == pytest.approx(best)


def test_nothing_to_assign() -> None:
    assert best_pairs((), (), {}, empty={}, unused=()) == ()


def test_a_crowd_of_values_is_cut_short_not_waited_for() -> None:
    values = tuple(range(2_000))
    worths = {(slot, value): 1.0 for slot in range(4) for value in values}
    assert len(best_pairs((0, 1, 2, 3), values, worths, empty=[-3.0] * 4, unused=[-1.0] * 2_000)) == 4
