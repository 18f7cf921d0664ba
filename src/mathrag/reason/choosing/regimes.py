"""Where a formula stops being valid: classical mechanics near the speed of light, the wrong sign for a motion, the
Earth's constants on another planet."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from mathrag.language.stems import stem
from mathrag.language.word_classes import word_class
from mathrag.reason.choosing.slots import Candidate, Slot
from mathrag.reason.choosing.weights import thresholds
from mathrag.types.expression import Add, Negate, symbols_of, walk
from mathrag.types.quantity import Quantity

SPEED_OF_LIGHT = 299_792_458.0
SPEED = "m/s"
_FREQUENCY = "1/s"
_SPEEDS = thresholds("regime")
# A longer formula is none that people add an acceleration to a speed in.
_MOST_NODES = 400
# The frequencies and speeds of source and observer, of which the shortest forms leave some out.
_DOPPLER_SLOTS = 4


def _stems_of(name: str) -> frozenset[str]:
    return frozenset(map(stem, word_class(f"choosing.{name}")))


# By the first word of the names of their constants.
_BODIES = {"earth": _stems_of("earth"), "solar": _stems_of("sun"), "moon": _stems_of("moon")}
_HEAVENLY = _stems_of("heavenly_bodies")
_SLOWER = _stems_of("slowing")
_NEARER = _stems_of("approaching")
_FARTHER = _stems_of("receding")
_HEARD = _stems_of("hearing")


def regime_evidence(candidate: Candidate, bound: Sequence[tuple[Slot, Quantity]]) -> float:
    """1 where the speeds among the values are outside the regime of the formula."""
    speeds = [
        abs(quantity.si_value) / SPEED_OF_LIGHT
        for slot, quantity in bound
        if slot.dimension == SPEED and not slot.is_constant and quantity.value
    ]
    if not speeds:
        return 0.0
    relativistic = any(slot.meaning.constant == "speed_of_light" for slot in candidate.slots)
    if relativistic:
        return 1.0 if max(speeds) < _SPEEDS["slow"] else 0.0
    return 1.0 if any(_SPEEDS["fast"] < speed < _SPEEDS["light"] for speed in speeds) else 0.0


def is_known_constant(slot: Slot, words: frozenset[str]) -> bool:
    """Whether a slot needs no value: a constant, unless it belongs to one body and the question is about another: the
    mass of the Earth where "a planet" is spoken of."""
    if not slot.is_constant:
        return False
    own = _BODIES.get((slot.meaning.constant or "").partition("_")[0])
    return own is None or not own.isdisjoint(words) or _HEAVENLY.isdisjoint(words)


def is_against_speed(candidate: Candidate, slot: Slot) -> bool:
    """Whether an acceleration is added to a speed, so that one which slows down counts negative: `v_0 + a t`, but not
    `v^2 / (2 a)` or `v_0 - a t`, which hold its size."""
    if not _SLOWER.isdisjoint(slot.names.first):
        return False
    speeds = {other.symbol for other in candidate.slots if other.dimension == SPEED or other.is_angular}
    for side in (candidate.equation.left, candidate.equation.right):
        for node in islice(walk(side), _MOST_NODES):
            if isinstance(node, Add) and _is_added(node, slot.symbol, speeds - {slot.symbol}):
                return True
    return False


def _is_added(total: Add, symbol: str, speeds: set[str]) -> bool:
    holders = [term for term in total.terms if symbol in symbols_of(term)]
    others = [term for term in total.terms if not isinstance(term, Negate) and speeds & set(symbols_of(term))]
    return any(not isinstance(term, Negate) for term in holders) and any(term not in holders for term in others)


_STEADY = frozenset(("m", "s", SPEED))


def is_too_steady(candidate: Candidate, *, is_changing: bool) -> bool:
    """Whether a formula for a steady speed is put to what falls or brakes: `d = v t` and nothing else."""
    dimensions = [slot.dimension for slot in candidate.slots if not slot.is_constant]
    return is_changing and len(dimensions) == len(_STEADY) and set(dimensions) == _STEADY


def contradicts_motion(candidate: Candidate, words: frozenset[str], values: Sequence[tuple[Slot, float]]) -> bool:
    """Whether a source that comes nearer would be heard lower, or one that goes away higher: then another of the signs
    that the formula leaves open was meant."""
    nearer, farther = bool(words & _NEARER), bool(words & _FARTHER)
    if nearer == farther:
        return False
    rates = [(slot, value) for slot, value in values if slot.dimension == _FREQUENCY]
    heard = [_is_heard(slot) for slot, _ in rates]
    if len(rates) != 2 or sum(heard) != 1 or len(candidate.slots) < _DOPPLER_SLOTS:
        return False
    (_, first), (_, second) = rates
    observed, sent = (first, second) if heard[0] else (second, first)
    return observed < sent if nearer else observed > sent


def _is_heard(slot: Slot) -> bool:
    """Whether a frequency is the one that arrives: by its subscript, or by its name where that says no other thing."""
    if "observer" in slot.states or "source" in slot.states:
        return "observer" in slot.states
    return not slot.distinct.isdisjoint(_HEARD)
