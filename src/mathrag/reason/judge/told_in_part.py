"""What a question says of a value in words that its place in a plan needs and does not find, or finds and does not
take up: which way something moves, what is counted, of what a share is meant, whether parts or wholes are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mathrag.language.cues import cue
from mathrag.language.stems import stem, stems
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.question_view import PreparedValue, QuestionView
from mathrag.reason.choosing.slots import Candidate
from mathrag.reason.judge.spots import Spot, of_result, of_value, of_words, placed

# So many words behind "third" the thing is named that is counted: "third bright interference fringe".
_NAMED_WITHIN = 3
_SPEED, _ACCELERATION, _TIME = "m/s", "m/s^2", "s"
# So many characters before an implied standstill or behind it, the thing is named that stands.
_BESIDE = 25


def ways_left_open(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """The formula counts a speed toward something, or away from it, and the question says neither."""
    if view.wording.says("either_way"):
        return
    for _, slot, one in placed(best, view):
        is_directed = slot.dimension == _SPEED and cue("toward").search(slot.meaning.description) is not None
        if is_directed and not one.given.symbol and one.given.readings[0].si_value:
            yield of_value(one, slot=slot)


def other_things_counted(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """ "The third …" counts other things than those of which the formula takes the number: an overtone is no
    harmonic."""
    for part, slot, one in placed(best, view):
        if cue("ordinal").fullmatch(one.given.text) is None:
            continue
        named = view.wording.words_behind(one.given, _NAMED_WITHIN)
        counted = {word for found in named for word in stems(found)}
        if counted and counted.isdisjoint(part.step.candidate.own_words):
            yield of_value(one, slot=slot)


def shares_left_out(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """The question states a percentage of something that no part of the plan takes up, and that is more than how exact
    a value is."""
    taken = best.taken()
    left = [one for one in view.values if one.given.is_percentage and one.index not in taken and not one.given.implied]
    if not view.wording.says("tolerance"):
        yield from map(of_value, left)


def atoms_asked_for(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """Atoms are asked for of a substance whose particles have several, and the formula counts particles."""
    asked = view.wording.first("atoms_asked")
    known = frozenset().union(*(part.step.candidate.label_stems for part in best.steps()))
    if asked is None or not known.isdisjoint(stems("atoms")):
        return
    if view.wording.atoms > 1:
        yield of_result(best, asked)


def said_not_to_be(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """The question says "not the …" of the very thing that the formula is called after."""
    known = frozenset().union(*(part.step.candidate.label_stems for part in best.steps()))
    known |= frozenset(stems(best.step.slot.meaning.description)) | frozenset(
        map(str.casefold, best.step.slot.parts.subscripts)
    )
    for found in view.wording.all("said_not"):
        if not known.isdisjoint((*stems(found[1]), found[1].casefold())):
            yield of_words(found)


def speeds_of_something_else(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """A speed is that of sound or light and the formula speaks of neither; or of one thing, where another one is asked
    about and said to stand still."""
    for part in best.steps():
        taken = [view.values[value] for _, value in part.step.pairs]
        speeds = [one for one in taken if one.dimensions[0] == _SPEED and not one.given.implied]
        carriers = [stem(each.casefold()) for each in _carriers(view, part.step.candidate)] if speeds else []
        is_still = any(one.owner <= 0 for one in speeds) and _stands_still(taken, best, view)
        for one in speeds:
            if any(one.near.get(carrier) == 1.0 for carrier in carriers) or (is_still and one.owner <= 0):
                yield of_value(one)


def _stands_still(taken: Sequence[PreparedValue], best: Plan, view: QuestionView) -> bool:
    """Whether the thing asked about is said to stand, right beside one of its values, and the plan does not take it."""
    own = [one.given.start for one in taken if one.owner > 0 and not one.given.implied]
    still = [one.given.start for one in view.values if _is_standstill(one) and one.index not in best.taken()]
    return any(abs(one - other) <= _BESIDE for one in own for other in still)


def _is_standstill(one: PreparedValue) -> bool:
    given = one.given
    return given.implied and given.end > given.start and one.dimensions[0] == _SPEED and not one.roles


def _carriers(view: QuestionView, candidate: Candidate) -> list[str]:
    """Sound or light, where the question has it and the formula does not."""
    own = candidate.own_words | candidate.section_stems
    if not own.isdisjoint(stems("wave")):
        return []
    return [found[1] for found in view.wording.all("carrier") if own.isdisjoint(stems(found[1]))]


def braking_past_standing(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """Something that brakes would have stopped before the time is over: from there on it stands."""
    for part in best.steps():
        taken = [view.values[value] for _, value in part.step.pairs]
        firsts = [(one, one.given.readings[0]) for one in taken if not one.given.implied]
        sizes = {str(reading.dimension): abs(reading.si_value) for _, reading in firsts}
        is_braking = any(one.given.is_slowing for one in taken)
        if not is_braking or not {_SPEED, _ACCELERATION, _TIME} <= sizes.keys():
            continue
        if sizes[_SPEED] < sizes[_ACCELERATION] * sizes[_TIME]:
            yield of_value(*(one for one, _ in firsts))
