"""Where a formula stops being valid: classical mechanics near the speed of light. Judged by values, not by words."""

from __future__ import annotations

from collections.abc import Sequence

from mathrag.reason.choosing.slots import Candidate, Slot
from mathrag.types.quantity import Quantity

SPEED_OF_LIGHT = 299_792_458.0
SPEED = "m/s"
# Above a tenth of the speed of light the classical formulas are wrong by half a percent; what travels at that speed
# itself is light, for which they were made.
_FAST, _LIGHT, _SLOW = 0.1, 0.995, 1e-3


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
        return 1.0 if max(speeds) < _SLOW else 0.0
    return 1.0 if any(_FAST < speed < _LIGHT for speed in speeds) else 0.0
