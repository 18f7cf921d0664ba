"""Whether a number with a unit is the right one: conversion first, then one per cent. Knows no question."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal, TypeAlias

from mathrag.compute.units import read_canonical_unit, unit_readings
from mathrag.errors import MathragError
from mathrag.types.quantity import Dimension, Quantity, Unit

TOLERANCE = 0.01
# `ratio`: the number is right but for a power of ten, a unit left out or the zero of a temperature scale.
Closeness: TypeAlias = Literal["right", "dimension", "ratio", "off", "unreadable"]
_KELVIN_OFFSET = 273.15


@lru_cache(maxsize=4096)
def unit_of(text: str, prefer: Dimension | None = None) -> Unit | None:
    """A unit by its canonical text; a person's spelling too where it has one reading, or one that fits."""
    try:
        return read_canonical_unit(text)
    except MathragError:
        pass
    try:
        readings = unit_readings(text)
    except MathragError:
        return None
    fitting = [unit for unit in readings if prefer is None or unit.dimension == prefer]
    return (fitting or list(readings))[0] if readings else None


def number_of(value: object) -> float | None:
    """A finite float from JSON: a number, or a text of digits."""
    if value is None or isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, str) and len(value) > 400:
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def quantity_of(value: object, unit: object, *, prefer: Dimension | None = None) -> Quantity | None:
    """A quantity from two fields of an answer; None where one of them makes no sense."""
    number = number_of(value)
    text = "" if unit is None else unit
    if number is None or not isinstance(text, str):
        return None
    found = unit_of(text, prefer)
    return None if found is None else Quantity(number, found)


def quantity_of_text(text: str) -> Quantity | None:
    """A given value such as `2.2e2 K` or `0.30`."""
    value, _, unit = text.strip().partition(" ")
    return quantity_of(value, unit.strip())


def in_unit(quantity: Quantity, unit: Unit) -> float:
    """The number of a quantity in another unit of its dimension."""
    return (quantity.si_value - unit.offset) / unit.scale


def compare(found: Quantity | None, answer: float, unit_text: str) -> Closeness:
    """How near a found quantity is to the right answer."""
    unit = unit_of(unit_text)
    if found is None or unit is None:
        return "unreadable"
    if found.dimension != unit.dimension:
        return "dimension"
    value = in_unit(found, unit)
    if is_near(value, answer):
        return "right"
    return "ratio" if _is_off_by_a_unit(found, value, answer) else "off"


def is_near(value: float, answer: float, *, tolerance: float = TOLERANCE) -> bool:
    """Within one per cent of the answer; an answer of zero must be hit."""
    if not answer:
        return abs(value) <= 1e-9
    return abs(value - answer) <= tolerance * abs(answer)


def _is_off_by_a_unit(found: Quantity, value: float, answer: float) -> bool:
    if is_near(float(found.value), answer) or is_near(found.si_value, answer):
        return True
    if any(is_near(value + shift, answer, tolerance=0.002) for shift in (_KELVIN_OFFSET, -_KELVIN_OFFSET)):
        return True
    if not value or not answer or value * answer < 0:
        return False
    power = math.log10(value / answer)
    return round(power) != 0 and abs(power - round(power)) < 0.004
