"""Units: unit text to `Unit`, conversion, the coherent unit of a dimension. The home of pint, imported on first use."""

from __future__ import annotations

from mathrag.knowledge.units.conversion import coherent_unit, convert, without_dust
from mathrag.knowledge.units.everyday import names_left_open, reading_notes, readings_in_words, unit_in_context
from mathrag.knowledge.units.reader import (
    counted_readings,
    difference_of,
    factors_of,
    is_unit_text,
    product_of,
    read_canonical_unit,
    read_unit,
    unit_readings,
)

__all__ = [
    "coherent_unit",
    "convert",
    "counted_readings",
    "difference_of",
    "factors_of",
    "is_unit_text",
    "names_left_open",
    "product_of",
    "read_canonical_unit",
    "read_unit",
    "reading_notes",
    "readings_in_words",
    "unit_in_context",
    "unit_readings",
    "without_dust",
]
