"""Whole solutions of problems with known answers, plain and with texts put before them: what each arm gets right, what
the texts change, and in which ways attempts go wrong. All arms are measured on one fixed set of problems.

Best of n is honest: a vote among the answers chooses, and nobody looks at the right one. What an oracle that knows it
would reach stands apart and under that name. Asks nobody.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from mathrag.compute.answers import same_answer
from mathrag.evaluate.augmentation import THRESHOLDS, Offered, coverage, score_figures
from mathrag.evaluate.metrics import latency, mcnemar, quantile, rounded, share_of
from mathrag.evaluate.samples import over_runs
from mathrag.reason.steps.votes import Candidate, groups, majority
from mathrag.reason.steps.whole import WholeSolution
from mathrag.types.json_value import Json
from mathrag.types.solution import Problem

PLAIN = "plain"
_RESAMPLINGS = 1000
# How a wrong attempt goes wrong, the plainest reason first.
ERRORS = (
    "cut off without an answer",
    "no answer",
    "answer that cannot be compared",
    "false calculation",
    "calculations right, answer wrong",
    "nothing could be checked, answer wrong",
)
ORACLE_NOTE = (
    "An oracle looks at the right answer: what a perfect choice would reach, and how many attempts it would look at. "
    "Nobody who answers can do that."
)


@dataclass(frozen=True, slots=True)
class Tried:
    """One attempt. `milliseconds` is None where a kept reply was used."""

    solution: WholeSolution
    milliseconds: float | None = None


@dataclass(frozen=True, slots=True)
class Tries:
    """The attempts of one arm at one problem: the greedy one, and those that were drawn."""

    greedy: Tried
    drawn: tuple[Tried, ...] = ()


@dataclass(frozen=True, slots=True)
class MeasuredProblem:
    """A problem, the texts found for it, and the attempts of every arm; `run` is the sample it belongs to.

    An arm that is missing could not be finished.
    """

    problem: Problem
    run: int = 0
    offers: tuple[Offered, ...] = ()
    arms: Mapping[str, Tries] = field(default_factory=dict)
    covered: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Marks:
    """What came of one arm at one problem. `settled` is after how many attempts no further one could change the vote,
    `oracle_attempts` how many somebody looks at who stops at the first right one."""

    greedy: bool
    vote: bool
    any: bool
    settled: int
    oracle_attempts: int
    errors: tuple[str, ...]
    milliseconds: tuple[float, ...]
    chosen: str


def arm_name(threshold: float) -> str:
    """The arm with texts that reach a threshold."""
    return f"augmented from {threshold:g}"


def mark(tries: Tries, answer: str) -> Marks:
    """Compare the attempts of one arm with the right answer, and let the vote choose without it.

    Where only the greedy attempt was made, it stands for the vote as well.
    """
    drawn = tries.drawn or (tries.greedy,)
    right = [_is_right(one, answer) for one in drawn]
    vote = majority([Candidate(one.solution.answer or None) for one in drawn])
    wrong = [one for one in (tries.greedy, *tries.drawn) if not _is_right(one, answer)]
    times = [one.milliseconds for one in (tries.greedy, *tries.drawn) if one.milliseconds is not None]
    return Marks(
        greedy=_is_right(tries.greedy, answer),
        vote=vote.place is not None and right[vote.place],
        any=any(right),
        settled=settled_after([one.solution.answer for one in drawn]),
        oracle_attempts=next((place for place, is_right in enumerate(right, 1) if is_right), len(right)),
        errors=tuple(error_of(one.solution, answer) for one in wrong),
        milliseconds=tuple(times),
        chosen="" if vote.place is None else drawn[vote.place].solution.answer,
    )


def _is_right(tried: Tried, answer: str) -> bool:
    return bool(tried.solution.answer) and same_answer(tried.solution.answer, answer) is True


def settled_after(answers: Sequence[str]) -> int:
    """After how many attempts the vote cannot change any more, whatever the others say."""
    candidates = [Candidate(answer or None) for answer in answers]
    for count in range(1, len(candidates)):
        found = [len(group) for group in groups(candidates[:count])]
        if found and _cannot_change(found, left=len(candidates) - count):
            return count
    return len(candidates)


def _cannot_change(votes: Sequence[int], *, left: int) -> bool:
    """Whether the answer that leads does so for good; `votes` are those of each answer, the one that came first first.

    A tie goes to the answer that came first, so that a later one has to have more.
    """
    lead = max(votes)
    leader = votes.index(lead)
    others = [*votes, 0]
    return all(
        other + left < lead or (other + left == lead and place > leader)
        for place, other in enumerate(others)
        if place != leader
    )


def error_of(solution: WholeSolution, answer: str) -> str:
    """The class of a wrong attempt."""
    if not solution.answer:
        return ERRORS[0] if solution.is_cut else ERRORS[1]
    if same_answer(solution.answer, answer) is None:
        return ERRORS[2]
    if "refuted" in solution.outcomes:
        return ERRORS[3]
    return ERRORS[4] if "verified" in solution.outcomes else ERRORS[5]


# ---- figures


Marked = Mapping[str, Marks]


def arm_figures(measured: Sequence[MeasuredProblem], thresholds: Sequence[float]) -> Json:
    """All figures of a run as data. Only problems at which every arm was finished count, for every arm."""
    names = [PLAIN, *(arm_name(threshold) for threshold in thresholds)]
    done = [one for one in measured if all(name in one.arms for name in names)]
    marks = [{name: mark(one.arms[name], one.problem.answer) for name in names} for one in done]
    offers = [one.offers for one in measured]
    return {
        "problems": len(measured),
        "solved": len(done),
        "arms": {name: _arm([each[name] for each in marks]) for name in names},
        "oracle": {"note": ORACLE_NOTE, **{name: _oracle([each[name] for each in marks]) for name in names}},
        "effects": {
            arm_name(threshold): _effect(done, marks, arm_name(threshold), threshold) for threshold in thresholds
        },
        "coverage": coverage(offers, (*THRESHOLDS, *thresholds)),
        "scores": score_figures(offers),
        "levels": _by(done, marks, names, lambda one: _level(one.problem)),
        "types": _by(done, marks, names, lambda one: one.problem.type or "unknown"),
        "cells": _cells(done, marks, names),
        "runs": _runs(done, marks, names),
    }


def _arm(marks: Sequence[Marks]) -> Json:
    errors = Counter(error for one in marks for error in one.errors)
    return {
        "greedy": _share(marks, lambda one: one.greedy),
        "vote": _share(marks, lambda one: one.vote),
        "settled": _mean([one.settled for one in marks]),
        "errors": {name: errors[name] for name in ERRORS},
        "milliseconds": latency([each for one in marks for each in one.milliseconds]),
    }


def _oracle(marks: Sequence[Marks]) -> Json:
    return {
        "any": _share(marks, lambda one: one.any),
        "attempts": _mean([one.oracle_attempts for one in marks]),
    }


def _effect(done: Sequence[MeasuredProblem], marks: Sequence[Marked], name: str, threshold: float) -> Json:
    """What the texts change, problem by problem: over all problems, and over those that got any."""
    covered = [each for one, each in zip(done, marks, strict=True) if name in one.covered]
    return {"threshold": threshold, "all": _changes(marks, name), "with_texts": _changes(covered, name)}


def _changes(marks: Sequence[Marked], name: str) -> Json:
    def pairs(of: Callable[[Marks], float]) -> list[tuple[float, float]]:
        return [(of(each[PLAIN]), of(each[name])) for each in marks]

    return {
        "problems": len(marks),
        "greedy": paired(pairs(lambda one: one.greedy)),
        "vote": paired(pairs(lambda one: one.vote)),
        "attempts": compared(pairs(lambda one: one.settled)),
        "oracle_attempts": compared(pairs(lambda one: one.oracle_attempts)),
    }


def paired(pairs: Sequence[tuple[float, float]]) -> Json:
    """The difference of two shares over the same problems, with its interval and how likely chance alone gives it."""
    better = sum(after > before for before, after in pairs)
    worse = sum(after < before for before, after in pairs)
    changes = [after - before for before, after in pairs]
    low, high = _resampled(changes)
    return {
        "difference": _mean(changes),
        "low": low,
        "high": high,
        "better": better,
        "worse": worse,
        "p": rounded(mcnemar(better, worse)),
    }


def compared(pairs: Sequence[tuple[float, float]]) -> Json:
    """Two means over the same problems, their ratio and their difference with its interval."""
    before, after = _mean([pair[0] for pair in pairs]), _mean([pair[1] for pair in pairs])
    low, high = _resampled([second - first for first, second in pairs])
    return {
        PLAIN: before,
        "augmented": after,
        "ratio": rounded(after / before) if before and after is not None else None,
        "difference": rounded(after - before) if before is not None and after is not None else None,
        "low": low,
        "high": high,
    }


def _resampled(values: Sequence[float]) -> tuple[float | None, float | None]:
    """The 95 % interval of a mean, by drawing the problems anew."""
    if len(values) < 2:
        return None, None
    chance = random.Random("paired")  # noqa: S311 - resampling, not a secret
    means = [math.fsum(chance.choices(values, k=len(values))) / len(values) for _ in range(_RESAMPLINGS)]
    return rounded(quantile(means, 0.025)), rounded(quantile(means, 0.975))


def _by(
    done: Sequence[MeasuredProblem],
    marks: Sequence[Marked],
    names: Sequence[str],
    key: Callable[[MeasuredProblem], str],
) -> Json:
    keys = [key(one) for one in done]
    return {
        each: {
            name: {
                kind: _share([mark_[name] for own, mark_ in zip(keys, marks, strict=True) if own == each], of)
                for kind, of in _KINDS.items()
            }
            for name in names
        }
        for each in sorted(set(keys))
    }


def _cells(done: Sequence[MeasuredProblem], marks: Sequence[Marked], names: Sequence[str]) -> list[Json]:
    """Every level with every type that occurs: problems, and how many of them each arm's vote gets right."""
    found: dict[tuple[str, str], list[Marked]] = {}
    for one, each in zip(done, marks, strict=True):
        found.setdefault((_level(one.problem), one.problem.type or "unknown"), []).append(each)
    return [
        {
            "level": level,
            "type": kind,
            "of": len(inside),
            "right": {name: sum(each[name].vote for each in inside) for name in names},
        }
        for (level, kind), inside in sorted(found.items())
    ]


def _runs(done: Sequence[MeasuredProblem], marks: Sequence[Marked], names: Sequence[str]) -> Json:
    """Each figure over the runs, whose samples share no problem."""
    runs = sorted({one.run for one in done})
    inside = [[each for one, each in zip(done, marks, strict=True) if one.run == run] for run in runs]
    found: dict[str, Json] = {
        name: {kind: over_runs([_part(run, name, of) for run in inside]) for kind, of in _KINDS.items()}
        for name in names
    }
    for name in names[1:]:
        found[name]["difference"] = over_runs(
            [_part(run, name, _KINDS["vote"]) - _part(run, PLAIN, _KINDS["vote"]) for run in inside]
        )
    return {"problems": [len(run) for run in inside], "arms": found}


def _part(run: Sequence[Marked], name: str, of: Callable[[Marks], bool]) -> float:
    return sum(of(each[name]) for each in run) / len(run)


_KINDS: Mapping[str, Callable[[Marks], bool]] = {"greedy": lambda one: one.greedy, "vote": lambda one: one.vote}


def _level(problem: Problem) -> str:
    return "unknown" if problem.level is None else str(problem.level)


def _share(marks: Sequence[Marks], test: Callable[[Marks], bool]) -> Json:
    return share_of((str(place), test(one)) for place, one in enumerate(marks))


def _mean(values: Sequence[float]) -> float | None:
    return rounded(math.fsum(values) / len(values)) if values else None
