"""The plans that a small model may choose among: those of the rules that can be carried out and differ in what comes of
it. Made twice where the model's reading says more than the question's own words; judges nothing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from mathrag.knowledge.kinds import kind as kind_of
from mathrag.reason.choosing.choose import Ranking
from mathrag.reason.choosing.plans import planned_steps
from mathrag.reason.computing import StepFailure, compute_steps
from mathrag.reason.decision import choice_of
from mathrag.reason.judge import Judge
from mathrag.reason.judge.impossible import trial_of
from mathrag.types.answer import Choice, Step
from mathrag.types.quantity import Quantity

MOST_OFFERED = 6
# Plans that are looked at, and plans of one formula for one unknown: the values may stand in several places.
_MOST_TRIED, _MOST_ALIKE = 24, 2
# Numbers this near to each other, relatively, are one for whoever writes them down.
_SAME = 1e-3


@dataclass(frozen=True, slots=True)
class Offer:
    """A plan that can be carried out. Its number is for telling plans apart and is shown to nobody."""

    choice: Choice
    value: Quantity


def offers(ranking: Ranking, judge: Judge) -> tuple[Offer, ...]:
    """The plans of a ranking that have a number and nothing against them, best first, each giving something else than
    those before it."""
    return tuple(_distinct(_computable(ranking, judge)))


def joined(first: Sequence[Offer], second: Sequence[Offer]) -> tuple[Offer, ...]:
    """The best of two rankings in turn."""
    pairs = zip_longest(first, second)
    return tuple(_distinct(each for pair in pairs for each in pair if each is not None))


def _computable(ranking: Ranking, judge: Judge) -> Iterator[Offer]:
    for plan in ranking.plans[:_MOST_TRIED]:
        if not plan.is_complete:
            continue
        computed = compute_steps(planned_steps(plan, ranking.scorer, judge.constants), is_shown=False)
        trial = trial_of(plan, computed, ranking.view)
        choice = choice_of(plan, ranking, judge.constants)
        if isinstance(computed, StepFailure) or _is_backwards(computed):
            continue
        if trial.value is None or trial.against or choice.missing:
            continue
        # Whoever chooses by two short replies weighs no objection: a plan that has one is not offered.
        if all(each.weight == "open" for each in judge.findings(plan, ranking, trial)):
            yield Offer(choice, trial.value)


def _is_backwards(steps: Sequence[Step]) -> bool:
    """Whether something comes out negative that never is, or goes on as such: then values stand in each other's
    places."""
    for step in steps:
        derived = [
            (bound.symbol, steps[bound.provenance.step - 1].result)
            for bound in step.bindings
            if bound.provenance.step is not None and 1 <= bound.provenance.step <= len(steps)
        ]
        kinds = {symbol.name: kind_of(symbol.kind) for symbol in step.formula.symbols if symbol.kind is not None}
        for symbol, value in ((step.target, step.result), *derived):
            if symbol in kinds and kinds[symbol].sign != "any" and value.si_value < 0:
                return True
    return False


def _distinct(found: Iterable[Offer]) -> Iterator[Offer]:
    kept: list[Offer] = []
    for offer in found:
        alike = [each for each in kept if _way(each.choice) == _way(offer.choice)]
        if len(alike) >= _MOST_ALIKE or any(_is_same(each, offer) for each in kept):
            continue
        kept.append(offer)
        yield offer
        if len(kept) == MOST_OFFERED:
            return


def _way(choice: Choice) -> tuple[tuple[str, str], ...]:
    return tuple((step.formula.id, step.target) for step in choice.steps)


def _is_same(one: Offer, other: Offer) -> bool:
    """Whether two plans give the same number for the same thing: a torque may be as large as a work."""
    is_near = math.isclose(one.value.si_value, other.value.si_value, rel_tol=_SAME)
    return is_near and one.value.dimension == other.value.dimension and _thing(one.choice) == _thing(other.choice)


def _thing(choice: Choice) -> str:
    """What a plan computes: the kind of quantity, else what its document calls it."""
    last = choice.steps[-1]
    meaning = next((symbol for symbol in last.formula.symbols if symbol.name == last.target), None)
    return last.target if meaning is None else meaning.kind or meaning.description.casefold() or last.target
