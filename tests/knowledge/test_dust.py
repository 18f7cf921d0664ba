"""Numbers without what binary fractions leave behind, and without losing a digit that means something."""

from __future__ import annotations

import math

import pytest

from mathrag.knowledge.units import convert, read_canonical_unit, without_dust
from mathrag.types.quantity import Quantity


@pytest.mark.parametrize(
    ("value", "clean"),
    [
        (0.25000000000000006, 0.25),
        (0.1 + 0.2, 0.3),
        (29.999999999999996, 30.0),
        (1 / 3, 1 / 3),
        (0.123456789012345, 0.123456789012345),
        (math.pi, math.pi),
        (0.0, 0.0),
        (math.inf, math.inf),
    ],
)
def test_dust_is_taken_off_and_digits_stay(value: float, clean: float) -> None:
    assert without_dust(Quantity(value)).value == clean


def test_a_conversion_leaves_no_dust() -> None:
    metres = Quantity(0.07, read_canonical_unit("m"))
    assert convert(metres, read_canonical_unit("cm")).value == 7.0
