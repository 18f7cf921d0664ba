"""What speaks for a value standing in a slot. Dimension decides what is possible at all; words, symbols, states and
plausibility say how likely it is. Every piece of evidence is a named number; `weights.py` has how much each counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mathrag.knowledge.constants import constant_quantity, standard_of
from mathrag.knowledge.kinds import lineage
from mathrag.knowledge.roles import all_roles
from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.stems import stem
from mathrag.reason.choosing.labels import in_unsaid_unit, is_label_of
from mathrag.reason.choosing.names import best_match
from mathrag.reason.choosing.question_view import PreparedValue
from mathrag.reason.choosing.slots import Slot
from mathrag.reason.choosing.symbol_spelling import extras, is_same_symbol
from mathrag.reason.choosing.weights import amounts, thresholds
from mathrag.types.knowledge import QuantityKind
from mathrag.types.quantity import DIMENSIONLESS, Quantity
from mathrag.types.question import Given
from mathrag.types.symbol_names import SymbolParts

_NEAR_CONSTANT = thresholds("constant")["near"]
_NAMED_ZERO = thresholds("zero")["named"]
_NAMED_OPEN = thresholds("reading")["named_open"]
_STATED = amounts("stated")["by_document"]
_ANGLE_UNITS = frozenset(("deg", "rad", "mrad", "arcmin", "arcsec", "grad", "gon"))
_NO_ANGLES = frozenset(("percent", "%", "dB", "dBm", "dBW", "ppm", "ppb"))
_PER_CYCLE = frozenset(("Hz", "kHz", "MHz", "GHz", "THz", "mHz"))
_PERCENT = read_canonical_unit("percent")
_PLAIN = str(DIMENSIONLESS)
_OPPOSITES = {role.id: role.opposite for role in all_roles()}
_SYMBOL, _CHANGE = amounts("symbol"), amounts("change")
_SIBLING = amounts("kind")["sibling_conflict"]
_SUBSCRIPT = amounts("near")["subscript"]


def fitting_reading(seen: PreparedValue, slot: Slot, *, is_only: bool = False) -> tuple[int, Quantity] | None:
    """The first reading of a value whose dimension is the slot's, with its rank; None where the value cannot stand
    there. A bare zero fits anywhere; cycles a second are no radians a second. Where no dimension says anything, a value
    must bear the name of the slot, unless it is the `is_only` one left for the only place."""
    given = seen.given
    is_difference = slot.parts.prefix == "Delta" or (slot.kind is not None and slot.kind.is_difference)
    if given.covers and not (given.kinds or given.only):
        # Where the formula has both ends, they are stated, and with them the sign.
        fits = is_difference and slot.meaning.origin != "inferred" and seen.dimensions[0] == slot.dimension
        return (0, given.readings[0]) if fits else None
    if seen.is_covered and is_difference:
        # One end of a change is not the change.
        return None
    if given.kinds and not _related(frozenset(given.kinds), slot):
        return None
    if given.kinds and given.implied and is_difference and not given.covers:
        # A property of a thing is no change of one.
        return None
    if given.implied and seen.roles and not seen.roles & slot.states:
        # "From rest" says something about the start, and about nothing else.
        return None
    if slot.is_open and not is_only and not _bears_its_name(seen, slot):
        return None
    return _reading_of_dimension(seen, slot)


def _bears_its_name(seen: PreparedValue, slot: Slot) -> bool:
    """Whether a value has the symbol of a slot, or nearly a name of it: enough where no dimension says anything."""
    if _symbol_of(seen, slot) >= _SYMBOL["same_undivided"]:
        return True
    return max(best_match(slot.names, seen.phrase), best_near(slot, seen)) >= _NAMED_OPEN


def _reading_of_dimension(seen: PreparedValue, slot: Slot) -> tuple[int, Quantity] | None:
    for rank, (dimension, quantity) in enumerate(zip(seen.dimensions, seen.given.readings, strict=True)):
        if slot.dimension is None or dimension == slot.dimension:
            if slot.is_angular and quantity.unit.text in _PER_CYCLE:
                continue
            if _is_foreign_unit(slot, quantity.unit.text) or (seen.given.is_percentage and not slot.takes_shares):
                continue
            if slot.counts_percent and not quantity.unit.text and quantity.value:
                # Half or 0.5 % is meant by 0.5: nobody can know.
                return (rank, replace(quantity, unit=_PERCENT)) if abs(quantity.value) > 1 else None
            return rank, quantity
        if quantity.value == 0 and _is_any_zero(seen, quantity, slot):
            return rank, quantity
    meant = in_unsaid_unit(seen.given, slot)
    return None if meant is None else (0, meant)


def _is_foreign_unit(slot: Slot, unit: str) -> bool:
    """Whether a unit belongs to another kind of plain number: degrees are no decibels, radians no turns, and neither a
    share nor a level is an angle."""
    kind = slot.kind
    if kind is None:
        return unit in _ANGLE_UNITS and slot.dimension in ("1", None) and not slot.has_angle_letter
    if kind.counts_cycles and "rad" in unit:
        return True
    if kind.unit == "rad":
        return unit in _NO_ANGLES
    return unit in _ANGLE_UNITS and kind.dimension.is_dimensionless


def _is_any_zero(seen: PreparedValue, quantity: Quantity, slot: Slot) -> bool:
    """Whether a zero of another unit will do: a bare one that is named does, and what is at rest neither moves nor
    turns."""
    if quantity.unit.text:
        return seen.given.implied and slot.is_angular and quantity.unit.text == "m/s"
    return seen.parts is not None or best_near(slot, seen) >= _NAMED_ZERO


def pair_evidence(seen: PreparedValue, slot: Slot, *, rank: int, quantity: Quantity) -> dict[str, float]:
    """Named evidence that this value stands in this slot; of what there is none may be left out."""
    if seen.given.only:
        # The formula's own document says that it is this.
        return {"symbol": 0.0, "phrase": _STATED, "state": 0.0, "order": 0.0}
    if seen.given.implied and not seen.roles:
        # That something rests is only worth knowing where a value would be missing.
        return {"symbol": 0.0, "phrase": 0.0, "state": 0.0, "order": 0.0}
    phrase = best_match(slot.names, seen.phrase)
    near = best_near(slot, seen)
    state = state_evidence(seen.roles, slot.states) if seen.roles else 0.0
    evidence = {"symbol": _symbol_of(seen, slot), "phrase": phrase}
    if near > phrase:
        evidence["near"] = near - phrase
    evidence["state"] = state
    if shared := slot.distinct.intersection(seen.near):
        evidence["distinct"] = max([seen.near[word] for word in shared])
    if rank:
        evidence["reading"] = -float(rank)
    if seen.owner:
        evidence["owner"] = seen.owner
    evidence["order"] = 0.0
    if slot.kind is not None:
        _add_of_kind(evidence, seen, slot, kind=slot.kind, quantity=quantity)
        if _is_bare_number(seen, quantity):
            if max(phrase, near, state) <= 0 and not slot.kind.id.startswith("number_of_"):
                evidence["nameless"] = 1.0
            if slot.kind.unit == "rad":
                evidence["bare"] = 1.0
    if slot.dimension is None:
        evidence["unknown"] = 1.0
    return evidence


def _is_bare_number(seen: PreparedValue, quantity: Quantity) -> bool:
    """Whether a value is a number other than zero that has no unit and no symbol."""
    return not quantity.unit.text and bool(quantity.value) and seen.parts is None


def _add_of_kind(
    evidence: dict[str, float], seen: PreparedValue, slot: Slot, *, kind: QuantityKind, quantity: Quantity
) -> None:
    """What the kind of a slot says of a value: the name of another kind, the unit, the size, a change or not."""
    if is_called_another_kind(seen, slot):
        evidence["conflict"] = (1.0 - evidence["phrase"]) * (_SIBLING if are_siblings(seen.named, slot) else 1.0)
    unit = quantity.unit.text
    if unit and (unit in kind.units or unit == kind.unit):
        evidence["unit"] = 1.0
    if not kind.admits(quantity.si_value):
        evidence["range"] = 1.0
    if slot.dimension == "K":
        evidence["change"] = _change_evidence(seen.given, kind, quantity)


def _change_evidence(given: Given, kind: QuantityKind, quantity: Quantity) -> float:
    """Temperatures and their differences have one dimension; the wording and the unit tell them apart."""
    if kind.is_difference:
        said = "said" if given.is_change else "absolute" if quantity.unit.is_absolute_temperature else "unsaid"
        return _CHANGE[said]
    return _CHANGE["change_as_temperature"] if given.is_change else 0.0


def _related(named: frozenset[str], slot: Slot) -> bool:
    """Whether one of the kinds named is the slot's kind, broader or narrower."""
    if named & slot.lineage:
        return True
    return slot.kind is not None and any(slot.kind.id in lineage(each) for each in named)


def is_called_another_kind(seen: PreparedValue, slot: Slot) -> bool:
    """Whether a value has the name of a kind of the slot's dimension, and of another kind than the slot's."""
    return bool(seen.named) and slot.dimension in seen.named_dimensions and not _related(seen.named, slot)


def are_siblings(named: frozenset[str], slot: Slot) -> bool:
    """Whether a kind named and the slot's have a broader kind in common: a thickness and a path are both lengths."""
    return any(not slot.lineage.isdisjoint(lineage(each) - {each}) for each in named)


def is_near_constant(quantity: Quantity, slot: Slot) -> bool:
    """Whether a value is the slot's constant, measured or rounded."""
    standard = standard_of(slot.meaning.constant)
    if standard is None or quantity.unit.text == slot.symbol:
        return False
    constant = constant_quantity(standard)
    return abs(quantity.si_value - constant.si_value) <= _NEAR_CONSTANT * abs(constant.si_value)


def _symbol_of(seen: PreparedValue, slot: Slot) -> float:
    if seen.parts is None and slot.is_abbreviation:
        # Written right beside the value: "HR 72 per minute".
        return _SYMBOL["beside"] if seen.near.get(stem(slot.symbol.casefold()), 0.0) >= 1.0 else 0.0
    found = symbol_evidence(seen.parts, slot)
    if found < _SYMBOL["beside"] and is_label_of(seen.given.label, slot):
        return _SYMBOL["beside"]
    return max(found, 0.0) if seen.is_symbol_shared else found


def symbol_evidence(parts: SymbolParts | None, slot: Slot) -> float:
    """1 for the same symbol, less for one that only resembles it, negative for another letter."""
    if parts is None:
        return 0.0
    own = slot.parts
    if parts == own:
        return _SYMBOL["same"]
    if is_same_symbol(parts, own):
        return _SYMBOL["same_undivided"]
    if (parts.letter, parts.prefix) == (own.letter, own.prefix):
        return _SYMBOL["same_letter" if not extras(parts) or not extras(own) else "other_subscript"]
    if parts.letter.casefold() == own.letter.casefold() and parts.prefix == own.prefix:
        return _SYMBOL["other_case" if extras(parts) == extras(own) else "other_case_and_subscript"]
    letters = () if slot.kind is None else slot.kind.symbols
    return _SYMBOL["usual_letter" if parts.letter in letters else "other_letter"]


def is_called_otherwise(seen: PreparedValue, slot: Slot) -> bool:
    """Whether a plain number is given under a letter of its own, and a slot of plain numbers has another letter and
    other names: no unit could tell the two apart, so only the letter does."""
    given = seen.given
    if seen.parts is None or seen.is_symbol_shared or seen.is_copy or given.implied or given.is_pinned:
        return False
    if slot.dimension != _PLAIN or given.readings[0].unit.text:
        return False
    return symbol_evidence(seen.parts, slot) == _SYMBOL["other_letter"] and best_near(slot, seen) < _NAMED_ZERO


def state_evidence(roles: frozenset[str], states: frozenset[str]) -> float:
    """1 where a role fits the slot's state, -1 where it is the other of the pair."""
    if not roles or not states:
        return 0.0
    if roles & states:
        return 1.0
    return -1.0 if any(_OPPOSITES.get(role) in states for role in roles) else 0.0


def opposites_of(roles: frozenset[str]) -> frozenset[str]:
    """The other of each pair: cold for hot."""
    return frozenset(found for role in roles if (found := _OPPOSITES.get(role)) is not None)


def best_near(slot: Slot, seen: PreparedValue) -> float:
    """How near the words of one of the slot's names stand to the value."""
    usual, near = slot.names.usual, seen.near
    best = seen.near_usual.get(usual)
    if best is None:
        best = max((name.near(near) for name in usual.having(near)), default=0.0)
        seen.near_usual[usual] = best
    if slot.names.own is not None:
        best = max(best, slot.names.own.near(near))
    for word in slot.subscript_stems:
        best = max(best, _SUBSCRIPT * near.get(word, 0.0))
    return max(best, near.get(slot.spelled, 0.0))


def is_of_other_side(seen: PreparedValue, slot: Slot, slots: Sequence[Slot]) -> bool:
    """Whether a value is said to belong to one side (the cold one) and the formula knows only the other (the hot one),
    by another letter than this slot's: heat given to the cold side is no work."""
    opposites = opposites_of(seen.roles)
    return bool(opposites) and any(
        other.states & opposites and other.dimension == slot.dimension and other.parts.letter != slot.parts.letter
        for other in slots
    )
