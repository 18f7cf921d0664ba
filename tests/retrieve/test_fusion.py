"""Joining rankings: every entry once, agreement pays, ties are settled by id and by nothing else."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.retrieve.fusion import Fused, fuse

ids = st.sampled_from([f"f-{number}" for number in range(8)])
rankings = st.dictionaries(st.sampled_from(["words", "meaning", "signature", "graph"]), st.lists(ids, max_size=8))


def test_agreement_of_two_searches_beats_one_first_place() -> None:
    fused = fuse({"words": ["a", "b", "c"], "meaning": ["b", "c", "d"]})
    assert [one.id for one in fused] == ["b", "c", "a", "d"]
    assert fused[0] == Fused("b", pytest.approx(1 / 62 + 1 / 61), ("words", "meaning"))


def test_nothing_found_is_nothing() -> None:
    assert fuse({}) == []
    assert fuse({"words": [], "meaning": []}) == []


@given(rankings)
def test_every_entry_comes_once_best_first(listed: dict[str, list[str]]) -> None:
    fused = fuse(listed)
    assert {one.id for one in fused} == {entry for ranking in listed.values() for entry in ranking}
    assert len({one.id for one in fused}) == len(fused)
    assert [one.score for one in fused] == sorted((one.score for one in fused), reverse=True)
    for one in fused:
        assert set(one.found_by) == {name for name, ranking in listed.items() if one.id in ranking}


@given(st.lists(ids, unique=True))
def test_one_ranking_stays_as_it_is(ranking: list[str]) -> None:
    assert [one.id for one in fuse({"words": ranking})] == ranking


@given(rankings)
def test_a_repeated_entry_counts_where_it_stands_first(listed: dict[str, list[str]]) -> None:
    assert fuse({name: ranking + ranking for name, ranking in listed.items()}) == fuse(listed)


@given(rankings, ids)
def test_being_found_once_more_never_hurts(listed: dict[str, list[str]], entry: str) -> None:
    before = {one.id: place for place, one in enumerate(fuse(listed))}
    after = {one.id: place for place, one in enumerate(fuse({**listed, "further": [entry]}))}
    if entry in before:
        assert after[entry] <= before[entry]


@given(rankings)
def test_equal_ranks_are_a_tie_however_they_are_added(listed: dict[str, list[str]]) -> None:
    exact: dict[str, Fraction] = {}
    for ranking in listed.values():
        for rank, entry in enumerate(dict.fromkeys(ranking), start=1):
            exact[entry] = exact.get(entry, Fraction(0)) + Fraction(1, 60 + rank)
    assert [one.id for one in fuse(listed)] == sorted(exact, key=lambda entry: (-exact[entry], entry))


def test_a_tie_of_three_rankings_is_settled_by_id() -> None:
    """1/61 + 1/63 + 1/66 and its permutations differ in the last bit when they are added in another order."""
    fillers = [f"x{number}" for number in range(9)]

    def ranking(places: dict[int, str]) -> list[str]:
        return [places.get(place, f"{fillers[place]}{sorted(places.items())}") for place in range(9)]

    for first, second, third in ((0, 2, 5), (0, 1, 2), (1, 3, 8), (0, 4, 7), (2, 5, 6)):
        listed = {
            "words": ranking({first: "a", second: "b", third: "c"}),
            "meaning": ranking({second: "a", third: "b", first: "c"}),
            "signature": ranking({third: "a", first: "b", second: "c"}),
        }
        assert [one.id for one in fuse(listed) if len(one.id) == 1] == ["a", "b", "c"]
