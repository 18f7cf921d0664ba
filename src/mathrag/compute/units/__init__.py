"""Units: unit text to `Unit`, conversion, the coherent unit of a dimension. The home of pint, imported on first use."""

from __future__ import annotations

from mathrag.compute.units.conversion import coherent_unit, convert
from mathrag.compute.units.reader import is_unit_text, read_canonical_unit, read_unit, unit_readings
from mathrag.compute.units.readings import difference_of

__all__ = [
    "coherent_unit",
    "convert",
    "difference_of",
    "is_unit_text",
    "read_canonical_unit",
    "read_unit",
    "unit_readings",
]
