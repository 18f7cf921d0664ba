"""Values that are named as in a form (`Na 140`, `HR 75`): which slot such a label means, and in which unit a number
without one is meant there."""

from __future__ import annotations

from mathrag.language.stems import stems
from mathrag.reason.choosing.names import best_match
from mathrag.reason.choosing.slots import Slot
from mathrag.reason.choosing.weights import thresholds
from mathrag.types.quantity import Quantity
from mathrag.types.question import Given

_NAMED = thresholds("label")["named"]


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
    """A number without a unit in that of the slot it is labelled for: `SV 70` in millilitres. Only where the formula
    counts in units of its trade, in which its readers leave them out; who leaves out metres may mean centimetres."""
    number, unit = given.readings[0], slot.customary
    if unit is None or number.unit.text or given.implied or not is_label_of(given.label, slot):
        return None
    found = Quantity(number.value, unit, number.uncertainty)
    return found if slot.kind is None or slot.kind.admits(found.si_value) else None


def _is_written(label: str, symbol: str) -> bool:
    # One letter in capitals is another symbol than the small one; an abbreviation is the same.
    return label == symbol or (len(label) > 1 and label.casefold() == symbol.casefold())
