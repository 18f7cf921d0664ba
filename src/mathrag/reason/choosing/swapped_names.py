"""Values in places that their names speak against: the name of the unknown, or the other side of a pair of states."""

from __future__ import annotations

from collections.abc import Sequence

from mathrag.reason.choosing.assignment import Pairs
from mathrag.reason.choosing.names import best_match
from mathrag.reason.choosing.slots import Candidate, Slot
from mathrag.reason.choosing.target_evidence import Asked
from mathrag.reason.choosing.value_evidence import Seen, opposites_of, symbol_evidence

# How much a value of the other side counts against a slot, as a share of an opposite state.
STRAY = 0.7
_SAME_SYMBOL = 0.9
_NAMES = 0.5


def crossed(candidate: Candidate, target: int, pairs: Pairs, *, asked: Sequence[Asked], seen: Sequence[Seen]) -> float:
    """How many values bear the name of what is solved for, and how many filled slots bear the name of what is asked:
    then the unknown and a value stand in each other's places."""
    slots, unknown = candidate.slots, candidate.slots[target]
    dimension = unknown.dimension
    alike = [(slots[place], seen[value].phrase) for place, value in pairs if slots[place].dimension == dimension]
    if not alike:
        return 0.0
    words = {word for one in asked[:1] for word in one.stems}
    is_symbol_asked = any(symbol_evidence(one.parts, unknown) >= _SAME_SYMBOL for one in asked[:1])
    is_unknown_asked = is_symbol_asked or not unknown.distinct.isdisjoint(words)
    count = 0
    for slot, said in alike:
        count += not unknown.distinct.isdisjoint(said) and _is_better_name(said, unknown, slot)
        count += not is_unknown_asked and not slot.distinct.isdisjoint(words)
    return float(count)


def _is_better_name(said: Sequence[str], one: Slot, other: Slot) -> bool:
    """Whether a phrase names one slot, and names it better than the other."""
    fit = best_match(one.names, said)
    return fit >= _NAMES and fit > best_match(other.names, said)


def is_of_other_side(seen: Seen, slot: Slot, slots: Sequence[Slot]) -> bool:
    """Whether a value is said to belong to one side (the cold one) and the formula knows only the other (the hot one),
    by another letter than this slot's: heat given to the cold side is no work."""
    opposites = opposites_of(seen.roles)
    return bool(opposites) and any(
        other.states & opposites and other.dimension == slot.dimension and other.parts.letter != slot.parts.letter
        for other in slots
    )
