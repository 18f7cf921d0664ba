"""What a plan leaves out and must not: a value that contradicts what it computes (the question gives what it asks for
as another number, or a formula links the value with those that are used and gives another), and words that multiply.

A question may tell more than is needed. It may not tell what cannot be.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from mathrag.compute.distributions import normal_quantile
from mathrag.knowledge.constants import constant_quantity, standard_of
from mathrag.knowledge.roles import opposite_of, role
from mathrag.language.stems import stem, stems
from mathrag.language.word_classes import word_class, word_pairs
from mathrag.reason.choosing.choose import Ranking
from mathrag.reason.choosing.plans import ConstantSource, Plan, planned_steps, single_step_plan
from mathrag.reason.choosing.question_view import PreparedValue, QuestionView
from mathrag.reason.choosing.scores import ScoredStep
from mathrag.reason.choosing.slots import Candidate, Slot, candidates_of
from mathrag.reason.choosing.weights import thresholds
from mathrag.reason.computing import StepFailure, compute_steps
from mathrag.reason.computing.worked_lines import plain_quantity
from mathrag.reason.judge.spots import ANYWHERE, Spot, of_value, of_words, placed
from mathrag.types.quantity import Quantity
from mathrag.types.question import Given

_LIMITS = thresholds("left_over")
_MOST_FORMULAS = int(_LIMITS["formulas"])
_SHOWN_FIGURES = 3
# How a bar or an accent over a symbol is noted among its states: it says nothing that words would say.
_MARK = "mark_"
_TIME = "s"
# Dimensions of quantities that go by many names.
OF_ANYTHING = frozenset(("1", "m", "s", "kg", "K"))


def contradictions_of_left_over(
    best: Plan, result: Quantity | None, ranking: Ranking, constants: ConstantSource
) -> Iterator[Spot]:
    """Values that the plan does not use and that contradict it."""
    taken = best.taken()
    unused = [
        one
        for one in ranking.view.values
        if one.index not in taken
        and not one.given.implied
        and not one.is_copy
        and one.given.series is None
        and one.given.readings[0].unit.text
    ]
    for one in unused:
        told = _asked_itself(one, best, result) or _linked(one, best, ranking, constants)
        if told:
            yield of_value(one, reason=told)


def _asked_itself(one: PreparedValue, best: Plan, result: Quantity | None) -> str:
    """The question gives what it asks for, as another number than the one that its other values have."""
    slot = best.step.slot
    if result is None or slot.kind is None or not _is_of(one, slot):
        return ""
    readings = [reading for reading in one.given.readings if reading.dimension == result.dimension]
    if not readings or any(_agree(reading, result) for reading in readings):
        return ""
    shown = plain_quantity(result, _SHOWN_FIGURES)
    name = _shown_name(best.step.candidate)
    return (
        f"the question gives the {slot.kind.name} as {one.given.text}, but by “{name}” its other values make it {shown}"
    )


def _is_of(one: PreparedValue, slot: Slot, *, is_alone: bool = False) -> bool:
    """Whether a value is plainly of what a slot stands for: by its own name, and in the same state, if any; or because
    nothing else in the question has its dimension (`is_alone`)."""
    states = {state for state in slot.states if not state.startswith(_MARK)}
    if not one.roles <= states:
        return False
    # A charge is that of a capacitor; a length is rather not that of a wave.
    kinds = slot.lineage if slot.dimension not in OF_ANYTHING else frozenset((slot.kind.id,) if slot.kind else ())
    is_named = not kinds.isdisjoint(one.named)
    return is_named or ((bool(one.roles) or is_alone) and slot.dimension in one.dimensions)


def _linked(one: PreparedValue, best: Plan, ranking: Ranking, constants: ConstantSource) -> str:
    for step in _links(one, best, ranking):
        plan = single_step_plan(step)
        steps = compute_steps(planned_steps(plan, ranking.scorer, constants), is_shown=False)
        if isinstance(steps, StepFailure):
            continue
        found = steps[-1].result
        readings = [reading for reading in one.given.readings if reading.dimension == found.dimension]
        if readings and not any(_agree(reading, found) for reading in readings):
            name = _shown_name(step.candidate)
            shown = plain_quantity(replace(found, uncertainty=None), _SHOWN_FIGURES)
            return f"{one.given.text} does not fit the other values: by “{name}” they make it {shown}"
    return ""


def _shown_name(candidate: Candidate) -> str:
    return candidate.formula.label or candidate.formula.latex


def _links(one: PreparedValue, best: Plan, ranking: Ranking) -> Iterator[ScoredStep]:
    """Formulas that give the value from values that the plan uses, each for what it stands for in the plan."""
    used = _kinds_of_used(best)
    scorer = ranking.scorer
    if any(one.dimensions[0] == ranking.view.values[value].dimensions[0] for value in best.taken()):
        # One length beside another may be of anything.
        return
    dimensions = Counter(each.dimensions[0] for each in ranking.view.values if not each.given.implied)
    # A bare number or a length may be of anything; a voltage beside a current and a resistance may not.
    is_single = not one.named and dimensions[one.dimensions[0]] == 1
    for found in ranking.found[:_MOST_FORMULAS]:
        for candidate in candidates_of(found.formula)[:1]:
            is_its_own = not candidate.label_stems.isdisjoint(one.phrase)
            is_alone = is_single and (is_its_own or one.dimensions[0] not in OF_ANYTHING)
            for place, slot in enumerate(candidate.slots):
                if slot.is_constant or not _is_of(one, slot, is_alone=is_alone):
                    continue
                step = scorer.plan(candidate, place, {}, values=sorted(used))
                if not step.missing and step.pairs and _is_as_used(step, candidate, used, ranking.view):
                    yield step


def _kinds_of_used(best: Plan) -> dict[int, frozenset[str]]:
    """What each value stands for in the plan: its kind and those that it is one of."""
    found = {}
    for part in best.steps():
        slots = part.step.candidate.slots
        for slot, value in part.step.pairs:
            if not slots[slot].states:
                found[value] = slots[slot].lineage
    return found


def _is_as_used(step: ScoredStep, candidate: Candidate, used: Mapping[int, frozenset[str]], view: QuestionView) -> bool:
    """Whether each value stands for the same as in the plan, or for the only thing of its dimension that the question
    speaks of; a state (initial, hot) would be a guess."""
    dimensions = Counter(one.dimensions[0] for one in view.values if not one.given.implied)
    slots = candidate.slots
    return all(
        not slots[slot].states
        and (slots[slot].lineage & used[value] or dimensions[view.values[value].dimensions[0]] == 1)
        for slot, value in step.pairs
    )


def _agree(one: Quantity, other: Quantity) -> bool:
    # Which way a quantity counts is a convention that questions and formulas need not share.
    return math.isclose(abs(one.si_value), abs(other.si_value), rel_tol=_LIMITS["agreement"])


_PROBABILITY = stem("probability")
_FALLING = "m/s^2"
_PLACES = frozenset(map(stem, word_class("choosing.other_worlds")))
_TIMES_A_YEAR = word_pairs("stories.compounding")
_REMAINING = frozenset(map(stem, word_class("choosing.remaining")))


def multiples_left_out(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """The question multiplies or divides something and no part of the plan does: "twice the weight of", "a quarter of
    it has gone", "a dozen of 60 g each"."""
    yield from map(of_words, _not_taken_up("multiple", best, view))
    if view.wording.says("each"):
        left = (one for one in view.values if one.index not in best.taken())
        yield from (of_value(one) for one in left if _is_bare_count(one))


def which_left_out(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """The question asks for one of many, "the fourth fringe", and no part of the plan says which."""
    for found in _not_taken_up("which_of_many", best, view):
        if any(found[0] in each for each in view.wording.asks_in):
            yield of_words(found)


def counts_left_out(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """The question asks for the chance of "at least 4" or of "3 in a row", and no part of the plan says so."""
    if _PROBABILITY in best.step.candidate.own_words:
        yield from map(of_words, _not_taken_up("range_of_counts", best, view))


def qualifiers_left_out(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """The question says of what shape, where or of which kind something is, and nothing in the plan does: a cantilever
    is no beam on two supports, and a man weighs less on the Moon."""
    # A place matters where something falls or weighs, and the question does not give how fast it does there.
    given = {slot.symbol for _, slot, one in placed(best, view) if not one.given.implied}
    slots = [slot for part in best.steps() for slot in part.step.candidate.slots]
    is_of_earth = any(slot.is_constant and slot.dimension == _FALLING and slot.symbol not in given for slot in slots)
    yield from map(of_words, _not_taken_up("solid_shape", best, view))
    for found in _not_taken_up("qualifier", best, view):
        if is_of_earth or stem(found[0].casefold()) not in _PLACES:
            yield of_words(found)


def like_things_left_out(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """Several things are alike ("two 5 kg bags", "10 photons of 500 nm"), it is not asked for each of them, and the
    plan is about one."""
    taken = best.taken()
    if view.wording.asked("each"):
        return
    known = frozenset().union(*(part.step.candidate.own_words for part in best.steps()))
    used = [view.values[value].given for value in taken]
    for value in view.left_over(view.usable, taken):
        one = view.values[value]
        # A charge of so many electrons is stated by their number.
        is_used = any(given.start <= one.given.start < given.end for given in used)
        is_of_formula = not known.isdisjoint(stems(" ".join(one.given.words[:2])))
        if not is_used and is_of_formula and _is_number_of_things(one):
            yield of_value(one)
    for value in taken:
        one = view.values[value]
        copies = [other.index for other in view.values if other.given.start == one.given.start]
        if one.given.count > 1 and any(other not in taken for other in copies):
            yield of_value(one)


def values_left_out(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """Every stated value that the plan does not use, but for members of lists, further copies of one, and what only
    says again what the plan takes."""
    if not best.is_complete:
        return
    taken = best.taken()
    for value in view.left_over(view.usable, taken):
        one = view.values[value]
        if not (
            one.given.implied or one.given.covers or one.is_copy or one.is_covered or _is_said_again(one, best, view)
        ):
            yield of_value(one)


def _is_said_again(one: PreparedValue, best: Plan, view: QuestionView) -> bool:
    """Whether a value changes nothing: a factor of one ("one photon", "F = 1"), a number in the name of the formula
    ("three phase"), a constant that the formula has anyway, a value once more in brackets ("30 cents ($0.30)"), and of
    a level of confidence and its standard score the other one."""
    given, number = one.given, one.given.readings[0]
    is_bare = not number.unit.text
    if is_bare and number.value == 1:
        return True
    parts = [part.step.candidate for part in best.steps()]
    if any(set(stems(given.text)) <= part.own_words for part in parts if given.text.isalpha()):
        return True
    slots = [slot for part in parts for slot in part.slots]
    standards = (standard_of(slot.meaning.constant) for slot in slots if slot.is_constant)
    if any(each is not None and _agree(number, constant_quantity(each)) for each in standards):
        return True
    used = [view.values[value].given for value in best.taken()]
    for other in used:
        is_bracketed = given.start > other.end and view.wording.between(other.end, given.start).strip() == "("
        if is_bracketed and any(_agree(reading, other.readings[0]) for reading in given.readings):
            return True
    return any(_are_confidence_and_score(given, other) for other in used)


def _are_confidence_and_score(one: Given, other: Given) -> bool:
    level, score = (one, other) if one.is_percentage else (other, one)
    share, number = level.readings[0].si_value, score.readings[0]
    if not level.is_percentage or number.unit.text or not _LIMITS["least_confidence"] <= share < 1:
        return False
    return math.isclose(normal_quantile((1 + share) / 2), number.value, rel_tol=_LIMITS["rounded_score"])


def _is_number_of_things(one: PreparedValue) -> bool:
    given, value = one.given, one.given.readings[0].value
    is_bare = not (given.readings[0].unit.text or given.symbol or given.label or given.implied or given.phrase)
    return is_bare and given.series is None and value >= 2 and float(value).is_integer()


def _not_taken_up(name: str, best: Plan, view: QuestionView) -> Iterator[re.Match[str]]:
    """The words that are in no value of the plan and not in the names of its formulas."""
    used = [view.values[value].given for value in best.taken()]
    known = frozenset().union(*(part.step.candidate.own_words for part in best.steps()))
    for found in view.wording.all(name):
        is_used = any(given.start <= found.start() < given.end or found[0] in given.assumption for given in used)
        if not is_used and not known.issuperset(stems(found[0])) and not _is_number_said(found, used):
            yield found


def _is_number_said(found: re.Match[str], used: Sequence[Given]) -> bool:
    """Whether the words stand for a number that a used value has: "compounded daily (365)"."""
    said = found[0].casefold().split()
    numbers = {float(number) for word, number in _TIMES_A_YEAR.items() if word in said}
    return any(not each.readings[0].unit.text and each.readings[0].value in numbers for each in used)


def states_left_out(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """The question tells how something is before and after and the plan takes one of the two for how it is: the kinetic
    energy at 3 m/s is not by how much it grows from 3 m/s to 4 m/s."""
    taken = best.taken()
    stateless = {
        value
        for part in best.steps()
        for slot, value in part.step.pairs
        if not part.step.candidate.slots[slot].states and view.values[value].roles
    }
    left = [one for one in view.values if one.index not in taken and one.roles and not one.given.implied]
    for one in left:
        for other in (view.values[value] for value in sorted(stateless)):
            if one.dimensions[0] == other.dimensions[0] and _are_opposite(one.roles, other.roles):
                yield of_value(one, other)


def times_of_day_left_out(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """The question tells two times of day, and the plan does not take the time between them, or leaves out another time
    that is stated beside it: then one of the two is not so, or is of something else."""
    span = view.wording.clock_span
    if span is None:
        return
    times = [one for one in view.values if one.dimensions[0] == _TIME]
    stated = [one for one in times if not one.given.implied]
    if any(span.agrees(one.given.readings[0].si_value) for one in stated):
        return
    taken = best.taken()
    is_taken = any(one.given.implied and one.given.start == span.start for one in times if one.index in taken)
    is_of_time = _TIME in re.split(r"[^a-zA-Z]+", best.step.slot.dimension or "")
    if (is_of_time and not is_taken) or (stated and any(one.index not in taken for one in times)):
        yield of_value(*(one for one in times if one.index not in taken))


def _are_opposite(ones: Collection[str], others: Collection[str]) -> bool:
    return any((opposite := opposite_of(role(one))) is not None and opposite.id in others for one in ones)


def rest_asked_for(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """The question asks for what is not stored, lost or used, which no formula for what is gives."""
    if not view.wording.asked("not_done"):
        return
    known = frozenset().union(*(part.step.candidate.own_words for part in best.steps()))
    if known.isdisjoint(_REMAINING):
        yield ANYWHERE


def _is_bare_count(one: PreparedValue) -> bool:
    given = one.given
    return not given.readings[0].unit.text and not given.symbol and not given.implied and given.readings[0].value > 1
