"""Whose a value is: of two masses the ball's counts where the kinetic energy of the ball is asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from mathrag.compute.stemming import stems
from mathrag.reason.choosing.asked import Asked
from mathrag.reason.choosing.evidence import Seen

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
