"""Values that are named as in a form (`Na 140`, `HR 75`): which slot such a label means, and in which unit a number
without one is meant there."""

from __future__ import annotations

import math

from mathrag.knowledge.constants import standard_of
from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.stems import stems
from mathrag.reason.choosing.names import best_match
from mathrag.reason.choosing.slots import Slot
from mathrag.reason.choosing.symbol_spelling import is_same_symbol
from mathrag.reason.choosing.weights import thresholds
from mathrag.types.quantity import Dimension, Quantity
from mathrag.types.question import Given
from mathrag.types.symbol_names import split_name

_NAMED = thresholds("label")["named"]
# Constants are rounded as far as 10 m/s² and 9e9 N·m²/C².
_ROUNDED = thresholds("constant")["rounded"]
# Times, how often, pressures, volumes of organs, and concentrations in moles.
_LEFT_OUT = frozenset(
    str(Dimension.of(each))
    for each in (
        {"time": 1},
        {"time": -1},
        {"length": 3},
        {"mass": 1, "length": -1, "time": -2},
        {"amount": 1, "length": -3},
    )
)


def is_label_of(label: str, slot: Slot) -> bool:
    """Whether a label is a slot's symbol, its subscript, a usual symbol of its kind, or nearly all of a name of it."""
    if not label:
        return False
    written = label.replace("_", "").replace(" ", "")
    own = [slot.symbol.replace("_", ""), *(slot.kind.symbols if slot.kind else ()), "".join(slot.parts.subscripts)]
    if any(_is_written(written, symbol) for symbol in own):
        return True
    return best_match(slot.names, stems(label)) >= _NAMED


def in_unsaid_unit(given: Given, slot: Slot) -> Quantity | None:
    """A number without a unit in the one that can only be meant: `g = 9.81`, where that is the constant, and `HR 70` a
    minute."""
    number = given.readings[0]
    if number.unit.text or given.implied:
        return None
    return _as_constant(given, slot) or _as_customary(given, slot) or _as_stated(given, slot)


def _as_constant(given: Given, slot: Slot) -> Quantity | None:
    """A constant by its symbol, where the number is its value in the unit in which tables give it."""
    number, usual = given.readings[0], standard_of(slot.meaning.constant)
    if usual is None or not given.symbol or given.symbol not in (slot.symbol, *usual.symbols):
        return None
    unit = read_canonical_unit(usual.unit)
    found = Quantity(number.value, unit, number.uncertainty)
    return found if math.isclose(number.value, float(usual.value), rel_tol=_ROUNDED) else None


def _as_customary(given: Given, slot: Slot) -> Quantity | None:
    """In the unit of the slot that it is labelled for. Only where the formula counts in units of its trade, in which
    its readers leave them out, and no other is as usual: who leaves out metres may mean centimetres, and of a gram in a
    litre the half of all laboratories says moles."""
    number, unit = given.readings[0], slot.customary
    if unit is None or str(unit.dimension) not in _LEFT_OUT:
        return None
    if not is_label_of(given.label, slot) or not given.text.replace(".", "").isdigit():
        return None
    found = Quantity(number.value, unit, number.uncertainty)
    return found if slot.kind is None or slot.kind.admits(found.si_value) else None


def _as_stated(given: Given, slot: Slot) -> Quantity | None:
    """In the unit that the document states for the symbol, or that follows from what it states for all the others:
    whoever writes `n_p = 200` writes it as the document does."""
    number, unit = given.readings[0], slot.unsaid
    if unit is None or not unit.text or not given.symbol or given.is_percentage:
        return None
    if not is_same_symbol(split_name(given.symbol), slot.parts):
        return None
    found = Quantity(number.value, unit, number.uncertainty)
    return found if slot.kind is None or slot.kind.admits(found.si_value) else None


def _is_written(label: str, symbol: str) -> bool:
    # One letter in capitals is another symbol than the small one; an abbreviation is the same.
    return label == symbol or (len(label) > 1 and label.casefold() == symbol.casefold())
