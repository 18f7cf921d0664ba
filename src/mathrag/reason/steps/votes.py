"""Choose among several solutions of one problem by their answers and by the scores of their steps. Pure functions.

Answers are counted by what they say, not by how they are written: 1/2 and 0.5 are one answer. Ties go to the answer
that came first, and the result says so. An unknown score is never taken for zero: where scores are added up, it counts
as the mean of those that are known (leaving it out would be the same as adding zero); where the best one is looked for,
it cannot be the best. Where no score is known at all, the majority decides, and the result says that too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from mathrag.compute.answers import answer_key, same_answer

# Beyond so many different answers only those with one key are brought together.
_MOST_COMPARED = 64
# Sums of the same scores in another order differ by rounding.
_NEARLY = 1e-9


@dataclass(frozen=True, slots=True)
class Candidate:
    """One solution: its final answer (None where it has none), the scores of its steps, and a score of the whole.

    A score that is not known is None.
    """

    answer: str | None
    steps: tuple[float | None, ...] = ()
    score: float | None = None

    @property
    def whole(self) -> float | None:
        """The score of the whole solution; where none was given, that of its last step."""
        return self.score if self.score is not None else self.last

    @property
    def last(self) -> float | None:
        """The score of the last step; unknown where that one is, whatever is known of the steps before."""
        return self.steps[-1] if self.steps else None

    @property
    def least(self) -> float | None:
        """The smallest score of those steps whose score is known."""
        return min((score for score in self.steps if score is not None), default=None)


@dataclass(frozen=True, slots=True)
class Vote:
    """What a vote chose. `place` is the candidate that stands for it, the first with this answer (or the best one).

    `tied` are the other answers that had as much, in order; `unanswered` counts candidates without an answer, `unknown`
    those whose score is not known; `by_majority` says that no score was known and the majority decided.
    """

    answer: str | None
    place: int | None
    weight: float
    tied: tuple[str, ...] = ()
    unanswered: int = 0
    unknown: int = 0
    by_majority: bool = False


Weigh = Callable[[Candidate], float | None]


def groups(candidates: Sequence[Candidate]) -> list[list[int]]:
    """The places of candidates with one answer together, in order of appearance; those without one are left out."""
    found: dict[str, list[int]] = {}
    for place, candidate in enumerate(candidates):
        if not candidate.answer or not candidate.answer.strip():
            continue
        key = answer_key(candidate.answer)
        if key not in found and len(found) < _MOST_COMPARED:
            key = next((each for each, group in found.items() if _is_same(candidates, group[0], place)), key)
        found.setdefault(key, []).append(place)
    return list(found.values())


def _is_same(candidates: Sequence[Candidate], first: int, second: int) -> bool:
    one, other = candidates[first].answer, candidates[second].answer
    return bool(one and other and same_answer(one, other))


def first(candidates: Sequence[Candidate]) -> Vote:
    """The first solution that has an answer."""
    answered = _answered(candidates)
    unanswered = len(candidates) - len(answered)
    if not answered:
        return Vote(None, None, 0.0, unanswered=unanswered)
    return Vote(candidates[answered[0]].answer, answered[0], 1.0, unanswered=unanswered)


def majority(candidates: Sequence[Candidate]) -> Vote:
    """The answer that most solutions have."""
    return _most(candidates, lambda _: 1.0)


def sum_of_scores(candidates: Sequence[Candidate]) -> Vote:
    """The answer whose solutions have the largest sum of scores."""
    return _most(candidates, lambda candidate: candidate.whole)


def last_vote(candidates: Sequence[Candidate]) -> Vote:
    """The answer whose solutions have the largest sum of scores of their last steps."""
    return _most(candidates, lambda candidate: candidate.last)


def min_vote(candidates: Sequence[Candidate]) -> Vote:
    """The answer whose solutions have the largest sum of scores of their worst steps."""
    return _most(candidates, lambda candidate: candidate.least)


def best_score(candidates: Sequence[Candidate]) -> Vote:
    """The answer of the one solution with the best score."""
    return _best(candidates, lambda candidate: candidate.whole)


def last_max(candidates: Sequence[Candidate]) -> Vote:
    """The answer of the one solution whose last step has the best score."""
    return _best(candidates, lambda candidate: candidate.last)


def min_max(candidates: Sequence[Candidate]) -> Vote:
    """The answer of the one solution whose worst step has the best score."""
    return _best(candidates, lambda candidate: candidate.least)


METHODS: Mapping[str, Callable[[Sequence[Candidate]], Vote]] = MappingProxyType(
    {
        "first": first,
        "majority": majority,
        "best score": best_score,
        "sum of scores": sum_of_scores,
        "last vote": last_vote,
        "min vote": min_vote,
        "last max": last_max,
        "min max": min_max,
    }
)


def _answered(candidates: Sequence[Candidate]) -> list[int]:
    return [place for place, each in enumerate(candidates) if each.answer and each.answer.strip()]


def _most(candidates: Sequence[Candidate], weigh: Weigh) -> Vote:
    """The group with the largest sum of weights; an unknown one counts as the mean of those that are known."""
    weighed = {place: weigh(candidates[place]) for place in _answered(candidates)}
    known = [weight for weight in weighed.values() if weight is not None]
    if not known:
        return _by_majority(candidates)
    mean = math.fsum(known) / len(known)
    weights = {place: mean if weight is None else weight for place, weight in weighed.items()}
    sums = [(group[0], math.fsum(weights[place] for place in group)) for group in groups(candidates)]
    return _winner(candidates, sums, unknown=len(weighed) - len(known))


def _best(candidates: Sequence[Candidate], weigh: Weigh) -> Vote:
    """The one candidate with the largest known weight; equal weights of one answer are no tie."""
    weighed = [(place, weigh(candidates[place])) for place in _answered(candidates)]
    known = [(place, weight) for place, weight in weighed if weight is not None]
    if not known:
        return _by_majority(candidates)
    return _winner(candidates, known, unknown=len(weighed) - len(known))


def _winner(candidates: Sequence[Candidate], weights: Sequence[tuple[int, float]], *, unknown: int) -> Vote:
    """The first place among those with the largest weight."""
    largest = max(weight for _, weight in weights)
    least = largest - _NEARLY * max(abs(largest), 1.0)
    leading = sorted(place for place, weight in weights if weight >= least)
    winner = leading[0]
    together = groups([candidates[place] for place in leading])
    tied = tuple(candidates[leading[group[0]]].answer or "" for group in together if 0 not in group)
    unanswered = len(candidates) - len(_answered(candidates))
    return Vote(candidates[winner].answer, winner, largest, tied, unanswered, unknown)


def _by_majority(candidates: Sequence[Candidate]) -> Vote:
    """What the majority says where no score is known; nothing where there is no answer."""
    answered = _answered(candidates)
    if not answered:
        return Vote(None, None, 0.0, unanswered=len(candidates))
    return replace(majority(candidates), unknown=len(answered), by_majority=True)
