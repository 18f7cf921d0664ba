"""What words say of a value that its place in a plan does not have: that it counts the other way (a diverging lens, a
virtual image, bodies that move against each other, a gas that is compressed), or that it is what another symbol of the
formula stands for (so many kilograms of fuel are no final mass), or something else altogether (work is no heat, the
whole swing of a voltage no peak of it); and that what is asked for is nothing so particular as what comes out (the
length of an instrument is no wavelength, an acceleration not that of free fall)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations

from mathrag.knowledge.kinds import broader_kinds
from mathrag.knowledge.kinds import kind as kind_of
from mathrag.knowledge.roles import all_roles
from mathrag.language.cues import cue
from mathrag.language.stems import stem, stems
from mathrag.language.word_classes import word_pairs
from mathrag.reason.choosing.names import best_match
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.question_view import PreparedValue, QuestionView
from mathrag.reason.choosing.slots import Slot
from mathrag.reason.choosing.value_evidence import are_siblings, is_called_another_kind
from mathrag.reason.choosing.weights import thresholds
from mathrag.reason.judge.left_over import OF_ANYTHING
from mathrag.reason.judge.spots import Spot, of_result, of_value, placed
from mathrag.reason.question.wording import Wording
from mathrag.types.question import Given

# What is said of something, and the name of what is negative then.
_NEGATIVE = (("diverging", "focal"), ("virtual", "image"))
_ARRANGED = ("in_series", "in_parallel")
_SHORTEST_PART = 4
_RESEMBLING = thresholds("said_otherwise")["resembling"]
# Measures of one changing quantity, which have different numbers: its peak, its mean, its whole swing.
_MEASURES = frozenset(role.id for role in all_roles() if role.group == "extremum")
_LENGTH, _SPEED, _MASS, _ENERGY = "m", "m/s", "kg", "m^2*kg/s^2"


def arranged_otherwise(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """The formulas are for parts in series where the question has them in parallel, or for one where it has both."""
    said = {name: view.wording.all(name) for name in _ARRANGED if view.wording.says(name)}
    labels = " / ".join(part.step.candidate.formula.label for part in best.steps())
    named = {name for name in _ARRANGED if cue(name).search(labels)}
    if said and named and named != said.keys():
        yield of_result(best, *(found[0] for found in said.values()))


def signs_left_out(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """Words say that a quantity of the plan is negative, and the plan takes or gives its size."""
    wording = view.wording
    signed = [name for said, name in _NEGATIVE if wording.says(said)]
    is_against = _move_against_each_other(wording)
    is_compressed = wording.says("compressing") and not wording.says("expanding")
    for part in best.steps():
        yield from _sizes_of_negatives(part, signed, view)
        # What has a symbol has its sign, too.
        slots = part.step.candidate.slots
        stated = [(slots[place], view.values[value].given) for place, value in part.step.pairs]
        bound = [(slot, given.readings[0].si_value) for slot, given in stated if not given.symbol]
        if is_against and any(slot.dimension == _MASS for slot in slots) and _have_one_sign(bound):
            yield Spot(symbols=tuple(slot.symbol for slot, _ in bound if slot.dimension == _SPEED))
        if is_compressed:
            yield from (Spot(symbols=(slot.symbol,)) for slot, size in bound if _is_done_by(slot) and size > 0)


def _sizes_of_negatives(part: Plan, signed: Sequence[str], view: QuestionView) -> Iterator[Spot]:
    slots = part.step.candidate.slots
    negative = {place for place, slot in enumerate(slots) if any(_is_called(slot, name) for name in signed)}
    sizes = [view.values[value].given.readings[0].value for place, value in part.step.pairs if place in negative]
    # What is not stated would have to come out as it is said to be, and nothing else may give its size.
    if negative and (not sizes or any(size > 0 for size in sizes)):
        yield Spot(symbols=tuple(slots[place].symbol for place in sorted(negative)))


def _is_called(slot: Slot, name: str) -> bool:
    return slot.dimension == _LENGTH and cue(name).search(slot.meaning.description) is not None


def _move_against_each_other(wording: Wording) -> bool:
    words = wording.spelled
    return any(one in words and other in words for one, other in word_pairs("choosing.against_each_other").items())


def _have_one_sign(bound: list[tuple[Slot, float]]) -> bool:
    """Whether two speeds of like symbols both count the same way."""
    speeds = [(slot.parts.letter, slot.parts.marks, size) for slot, size in bound if slot.dimension == _SPEED and size]
    return any(one[:2] == other[:2] and (one[2] > 0) == (other[2] > 0) for one, other in combinations(speeds, 2))


def _is_done_by(slot: Slot) -> bool:
    return slot.dimension == _ENERGY and cue("done_by").search(slot.meaning.description) is not None


def names_of_other_places(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """A value is called by what tells another symbol of the formula apart from the one it stands for."""
    for part, slot, one in placed(best, view):
        if one.given.implied or one.given.symbol or slot.kind is None:
            continue
        if any(view.values[other].phrase == one.phrase for _, other in part.step.pairs if other != one.index):
            # Two of one name are told apart by other words.
            continue
        rivals = [
            other
            for other in part.step.candidate.slots
            if other is not slot and other.dimension == slot.dimension and not other.is_constant
        ]
        own = _stuff(one.given, view.wording)
        is_called = any(own in other.distinct & other.names.telling for other in rivals)
        is_named = any(one.named & other.lineage for other in rivals) and one.named.isdisjoint(slot.lineage)
        if is_named or (is_called and own not in slot.names.telling):
            yield of_value(one, slot=slot)


def names_of_other_kinds(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """A value is called by the name of another kind of quantity than what it stands for, or is another measure of it:
    work is no heat, a melting point no change of temperature, a voltage from peak to peak no peak voltage."""
    for _, slot, one in placed(best, view):
        if one.given.implied or one.given.symbol or slot.kind is None:
            continue
        measures, own = one.roles & _MEASURES, slot.states & _MEASURES
        is_measure = bool(measures) and bool(own) and measures.isdisjoint(own)
        # A general word, such as velocity or distance, is used for much that has a name of its own.
        is_exact = bool(one.named) and all(broader_kinds(kind_of(each)) for each in one.named)
        is_other = is_exact and is_called_another_kind(one, slot)
        # A thickness may well be the length of a path, and a velocity a speed: both go by many names.
        is_vague = slot.dimension == _SPEED or (slot.dimension in OF_ANYTHING and are_siblings(one.named, slot))
        is_other = is_other and not is_vague and best_match(slot.names, one.phrase) < _RESEMBLING
        if is_measure or is_other or _is_half_or_twice(one, slot):
            yield of_value(one, slot=slot)


def _is_half_or_twice(one: PreparedValue, slot: Slot) -> bool:
    """Whether a radius stands for a diameter, or the reverse."""
    if slot.kind is None or one.given.covers:
        return False
    is_radius = [any(each.endswith("radius") for each in ids) for ids in (one.named, (slot.kind.id,))]
    is_across = [any(each.endswith("diameter") for each in ids) for ids in (one.named, (slot.kind.id,))]
    return (is_radius[0] and not is_across[0] and is_across[1]) or (is_across[0] and not is_radius[0] and is_radius[1])


def constant_instead(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """What comes out is a constant that no word of the question asks for: the acceleration of something that brakes is
    not that of free fall."""
    slot = best.step.slot
    if not slot.is_constant or slot.kind is None or not view.asked:
        return
    asked = view.asked[0]
    if asked.parts is not None or slot.kind in asked.kinds[:1]:
        return
    general = _stems_of(name for each in broader_kinds(slot.kind) for name in each.words)
    own = _stems_of((*slot.kind.words, slot.meaning.description)) - general
    if not _is_spoken_of(view.stems, own):
        yield of_result(best)


def particular_instead(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """The length of something is asked for, and the result is a particular length of another field that no word speaks
    of: the length of a table is no focal length. Things have many lengths; of most other quantities only one."""
    slot = best.step.slot
    kind = slot.kind
    if kind is None or slot.dimension != _LENGTH or not view.asked or view.asked[0].parts is not None:
        return
    taken = [view.values[value] for value in best.taken()]
    if any(_LENGTH in value.dimensions for value in taken):
        # Another length is spoken of, and the two are of one sort.
        return
    asked = view.asked[0].kinds
    general = [each for each in broader_kinds(kind) if each in asked[:1] and each.field != kind.field]
    if not general or kind in asked:
        return
    plain = _stems_of(name for each in general for name in each.words)
    # What the formula is called speaks for it, but not by the name of a value.
    label = best.step.candidate.label_stems - {word for value in taken for word in value.phrase}
    own = _stems_of((*kind.words, *kind.asks, slot.meaning.description)) | label
    if not _is_spoken_of(view.stems - plain, own):
        yield of_result(best)


def _stems_of(names: Iterable[str]) -> frozenset[str]:
    return frozenset(word for name in names for word in stems(name))


def _is_spoken_of(said: Collection[str], names: Collection[str]) -> bool:
    """Whether a name has one of the words, also joined to another: a wave, and its wavelength."""
    parts = [word for word in said if len(word) >= _SHORTEST_PART]
    return any(word in names for word in said) or any(name.startswith(tuple(parts)) for name in names)


def _stuff(given: Given, wording: Wording) -> str:
    """The stem of what a value is of: "1000 kg of fuel"."""
    found = wording.behind(given, "of_stuff")
    return stem(found[1].casefold()) if found is not None else ""
