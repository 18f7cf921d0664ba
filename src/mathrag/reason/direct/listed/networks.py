"""Parts of which some are in series and some in parallel: "4 Ω and 6 Ω in parallel, in series with 2 Ω".

Two groups, one of them connected in itself; which is which is told by "in series with" or "in parallel with", said
once. Any other mixture is refused: whoever reads only half of it computes something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from mathrag.knowledge.spelling import normal_words
from mathrag.language.enumeration import listed
from mathrag.language.word_classes import word_class
from mathrag.reason.direct.listed.computing import Computed, Problem, computed
from mathrag.reason.direct.listed.reading import ReadRelation, Value, Worded, is_covered, values_of
from mathrag.reason.direct.listed.rows import ListRelation, all_relations, any_phrase
from mathrag.reason.direct.result import exact_fraction, with_unit

# Two groups have at least as many parts.
_FEWEST_PARTS = 3
_OPEN = "some parts are in series and some in parallel; say it as “4 Ω and 6 Ω in parallel, in series with 2 Ω”"


@dataclass(frozen=True, slots=True)
class _Said:
    """One mention of a connection: in which gap, where, and whether it is one with another group."""

    relation: ListRelation
    gap: int
    start: int
    end: int
    is_outer: bool


def answer_networks(asked: Worded) -> Iterator[Computed | Problem]:
    """What a network of two groups comes to, or that it stays open which part is where."""
    for series, parallel in _both_connections():
        if len(asked.mentions) < _FEWEST_PARTS or not _is_asked(series, parallel, asked):
            continue
        said = [*_connections(series, asked), *_connections(parallel, asked)]
        if {each.relation.connection for each in said} != {"series", "parallel"}:
            continue
        yield _network(said, asked) or Problem("ambiguous", _OPEN)


@cache
def _both_connections() -> tuple[tuple[ListRelation, ListRelation], ...]:
    found: dict[str, dict[str, ListRelation]] = {}
    for relation in all_relations():
        if relation.connection:
            found.setdefault(relation.name, {})[relation.connection] = relation
    return tuple((each["series"], each["parallel"]) for each in found.values() if len(each) > 1)


def _is_asked(series: ListRelation, parallel: ListRelation, asked: Worded) -> bool:
    words = frozenset(map(normal_words, word_class("lists.network")))
    if not is_covered(series.covered | parallel.covered | words, asked.gaps):
        return False
    patterns = [any_phrase(each) for each in series.needs[1:]]
    return all(pattern is not None and any(pattern.search(gap) for gap in asked.gaps) for pattern in patterns)


def _connections(relation: ListRelation, asked: Worded) -> Iterator[_Said]:
    pattern = any_phrase(relation.needs[0])
    assert pattern is not None
    for place, gap in enumerate(asked.gaps):
        for found in pattern.finditer(gap):
            outer = re.compile(r" with(?! each other| one another)(?= )").match(gap, found.end())
            end = found.end() if outer is None else outer.end()
            yield _Said(relation, place, found.start(), end, outer is not None)


def _network(said: Sequence[_Said], asked: Worded) -> Computed | Problem | None:
    """The network, where one connection is one with another group, and the other stands in one of the two groups."""
    if len(said) != 2 or said[0].is_outer == said[1].is_outer:
        return None
    outer, inner = sorted(said, key=lambda each: not each.is_outer)
    # "… in series with them" stands behind both groups; the group connected in itself then comes first.
    is_behind = outer.gap == len(asked.mentions) and inner.gap < outer.gap
    parted = replace(inner, start=inner.end) if is_behind else outer
    is_second = not is_behind and (inner.gap, inner.start) > (outer.gap, outer.start)
    read = [values_of(inner.relation, side) for side in _sides(asked, parted)]
    group, alone = read[is_second], read[not is_second]
    if group is None or alone is None or len(alone) != 1 or sum(each.times for each in group) < 2:
        return None
    within = computed(ReadRelation(inner.relation, _columns(inner.relation, group)))
    if not isinstance(within, Computed):
        return within
    one = Value(
        with_unit(within.quantity.value, within.quantity.unit, within.figures),
        exact_fraction(float(within.quantity.value)),
        within.quantity.unit,
        None,
        True,
    )
    elements = (*alone, one) if is_second else (one, *alone)
    whole = computed(ReadRelation(outer.relation, _columns(outer.relation, elements)), wanted=asked.wanted)
    return _told(within, whole, alone) if isinstance(whole, Computed) else whole


def _sides(asked: Worded, said: _Said) -> tuple[Worded, Worded]:
    """What stands before some words and what stands behind them."""
    cut, gap = said.gap, asked.gaps[said.gap]
    before = (*asked.gaps[:cut], f"{gap[: said.start]} ")
    behind = (gap[said.end :], *asked.gaps[cut + 1 :])
    return (
        replace(asked, mentions=asked.mentions[:cut], gaps=before, signs=asked.signs[:cut]),
        replace(asked, mentions=asked.mentions[cut:], gaps=behind, signs=asked.signs[cut:]),
    )


def _columns(relation: ListRelation, values: Sequence[Value]) -> Mapping[str, tuple[Value, ...]]:
    return {relation.roles[0].part: tuple(values)}


def _told(within: Computed, whole: Computed, alone: Sequence[Value]) -> Computed:
    """The result of the whole with the working of both."""
    texts = (*within.texts, *(each.text for each in alone))
    rule, written, value = within.working
    return replace(
        whole,
        figures=min(within.figures, whole.figures),
        expression=f"{whole.name} of {listed(texts)}",
        texts=texts,
        working=(rule, f"{written} {value}", *whole.working),
    )
