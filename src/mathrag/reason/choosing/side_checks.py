"""Which values and unknowns the words of a question keep out of which slots: those of the other side of a pair.

Hard, not evidence: where the words say which of two values is the final one, no plan takes it for the initial one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from mathrag.language.word_classes import any_of
from mathrag.reason.choosing.question_view import ASKED, PreparedValue, QuestionView
from mathrag.reason.choosing.slots import Candidate, Slot
from mathrag.reason.question.sides import (
    NOWHERE,
    Contrast,
    Sides,
    contrasts,
    sides_of_name,
)

# What a body has by itself is not of a time: of two masses with numbers neither is the final one.
_LASTING = frozenset(("kg", "s*A"))
_OF_TIME = frozenset(("time", "event"))
# Where a meaning comes from that people wrote themselves.
_STATED = frozenset(("document", "edited"))
_NUMBERS = frozenset(("1", "2"))
_LEVELS = frozenset(("low", "high"))
_NAME_END = re.compile(rf"\s(?:{any_of('choosing.head_ends')})\s|[(\d]")


class SideChecks:
    """The sides of the values and of the unknown of one question, held against the slots of formulas."""

    def __init__(self, view: QuestionView) -> None:
        wording = view.wording
        asked = view.asked[0].target if view.asked else None
        # "The critical angle for light from air into glass": the name is what stands before the rest.
        name = "" if asked is None else _NAME_END.split(asked.phrase, maxsplit=1)[0]
        by_place = wording.sides(name)
        self.values: tuple[Sides, ...] = tuple(
            wording.sides_of_substance(one.given)
            if one.given.implied and one.given.kinds
            else NOWHERE
            if one.given.implied or one.given.covers or one.given.is_pinned
            else by_place.get((one.given.start, one.given.end), NOWHERE)
            for one in view.values
        )
        self.asked: Sides = NOWHERE if asked is None else wording.sides_of_target(asked)
        self._wanted = frozenset(name for each in (*self.values, self.asked) for name in each)
        self._known: dict[int, tuple[Candidate, tuple[Sides, ...]]] = {}
        self._view = view

    def is_barred(self, candidate: Candidate, place: int, value: int) -> bool:
        """Whether a value is said to be of another side than a slot."""
        sides = self.values[value]
        if sides and _is_assigned(self._view.values[value], candidate):
            sides = NOWHERE
        if self._is_half_of_change(candidate, place, value):
            return True
        return bool(sides) and self._is_other(candidate, place, sides)

    def _is_half_of_change(self, candidate: Candidate, place: int, value: int) -> bool:
        """Whether a value is one end of a change and the formula has no place for the other: of "from 2 m to 6 m"
        neither is the way. Where the one end is asked about, it may stand alone."""
        given = self._view.values[value].given
        if "time" in self.asked or given.start not in self._view.wording.spans or given.implied or given.covers:
            return False
        dimension = candidate.slots[place].dimension
        return sum(slot.dimension == dimension and not slot.is_constant for slot in candidate.slots) == 1

    def is_unasked(self, candidate: Candidate, place: int) -> bool:
        """Whether the unknown is said to be of another side than a slot."""
        return bool(self.asked) and self._is_other(candidate, place, self.asked)

    def _is_other(self, candidate: Candidate, place: int, sides: Sides) -> bool:
        slot = candidate.slots[place]
        for name, side in sides.items():
            if not contrasts()[name].concerns(slot.dimension):
                continue
            known = self.sides_of(candidate)
            own = known[place].get(name)
            if own is not None:
                if own != side:
                    return True
            elif not contrasts()[name].only_opposes and any(
                other != place and known[other].get(name) == side and _are_alike(slot, rival)
                for other, rival in enumerate(candidate.slots)
            ):
                return True
        return False

    def links(self, dimension: str | None) -> frozenset[tuple[int, int]]:
        """The values that belong together beyond doubt, where something of this dimension is asked for: neighbours with
        no border between them, those of two lists of one length, and those in the sentence that asks."""
        values, asked_at, wording = self._view.values, self._view.together.asked_at, self._view.wording
        sizes = Counter(one.dimensions[0] for one in values if not one.given.implied)

        def is_sure(one: int, other: int) -> bool:
            if ASKED in (one, other):
                start = values[max(one, other)].given.start
                return wording.is_one_sentence(min(start, asked_at), max(start, asked_at))
            first, second = values[one], values[other]
            count = sizes[first.dimensions[0]]
            are_listed = count > 1 and count == sizes[second.dimensions[0]]
            return are_listed or tuple(sorted((first.given.start, second.given.start))) in wording.neighbours

        return frozenset(pair for pair in self._view.together.companions(dimension) if is_sure(*pair))

    def sides_of(self, candidate: Candidate) -> tuple[Sides, ...]:
        """The side of each slot, in the contrasts that the question speaks of."""
        found = self._known.get(id(candidate))
        if found is None:
            sides = _slot_sides(candidate, [each for name, each in contrasts().items() if name in self._wanted])
            found = self._known[id(candidate)] = candidate, sides
        return found[1]


def _is_assigned(one: PreparedValue, candidate: Candidate) -> bool:
    """Whether a value has a symbol of its own, which says more than words; a plain n says nothing of n₁ and n₂."""
    if one.parts is None or one.is_symbol_shared:
        return False
    numbered = [slot for slot in candidate.slots if slot.parts.letter == one.parts.letter and slot.parts.subscripts]
    return bool(one.parts.subscripts) or len(numbered) < 2


def _are_alike(one: Slot, other: Slot) -> bool:
    """Whether two slots are the same quantity of different sides."""
    if one.dimension != other.dimension or one.is_constant or other.is_constant:
        return False
    return one.parts.letter == other.parts.letter or (one.kind is not None and one.kind == other.kind)


def _slot_sides(candidate: Candidate, wanted: Sequence[Contrast]) -> tuple[Sides, ...]:
    slots = candidate.slots
    named = [sides_of_name(slot.meaning.description, slot.parts.subscripts) for slot in slots]
    found: list[dict[str, int]] = [{} for _ in slots]
    has_time = any("prime" in slot.parts.marks for slot in slots) or any(_OF_TIME & each.keys() for each in named)
    for contrast in wanted:
        by_roles = _sides_by_roles(slots, contrast)
        for place, slot in enumerate(slots):
            side = named[place].get(contrast.name)
            if side is None and by_roles[place] is not None:
                is_number = not _NUMBERS.isdisjoint(slot.parts.subscripts)
                is_thing = contrast.name in _OF_TIME and is_number and (has_time or slot.dimension in _LASTING)
                is_paired = any(
                    by_roles[other] not in (None, by_roles[place]) and rival.parts.letter == slot.parts.letter
                    for other, rival in enumerate(slots)
                )
                side = by_roles[place] if is_paired and not is_thing else None
            elif by_roles[place] not in (None, side) and slot.meaning.origin not in _STATED:
                # A guessed description ("final volume" of V₁) says less than the number.
                side = by_roles[place]
            if side is not None:
                found[place][contrast.name] = side
    return tuple(_with_shared(slots, place, found) for place in range(len(slots)))


def _with_shared(slots: Sequence[Slot], place: int, sides: Sequence[Sides]) -> Sides:
    """The sides of a slot, with those of other slots of its subscript: `V_a` is of the acid where `c_a` is."""
    own, found = slots[place], dict(sides[place])
    for other, slot in enumerate(slots):
        is_like = slot.parts.subscripts == own.parts.subscripts and slot.parts.letter != own.parts.letter
        if is_like and own.parts.subscripts and slot.parts.marks == own.parts.marks:
            shared = {name: side for name, side in sides[other].items() if not _is_lasting(own, name)}
            found = {**shared, **found}
    return found


def _is_lasting(slot: Slot, contrast: str) -> bool:
    return contrast in _OF_TIME and slot.dimension in _LASTING


def _sides_by_roles(slots: Sequence[Slot], contrast: Contrast) -> list[int | None]:
    """The side that each subscript says. Which of two is higher says nothing of which comes first: a level is left for
    a lower one, or for a higher one."""
    levels = {slot.parts.letter for slot in slots if not _LEVELS.isdisjoint(slot.states)}
    return [None if slot.parts.letter in levels else _side_by_roles(slot, contrast) for slot in slots]


def _side_by_roles(slot: Slot, contrast: Contrast) -> int | None:
    sides = [side for side, roles in enumerate(contrast.roles) if not roles.isdisjoint(slot.states)]
    numbers = _NUMBERS.intersection(slot.parts.subscripts)
    if len(sides) == 2 and len(numbers) == 1:
        # A description of both ("of the first and the second medium") leaves it to the number.
        return int(min(numbers)) - 1
    return sides[0] if len(sides) == 1 else None
