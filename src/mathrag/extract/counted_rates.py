"""Descriptions that say their own unit: "picks per minute" is a number of 1/min, "threads per cm" one of 1/cm.

What is counted has no unit, but what it is counted by has: beside a 60 or another size of the same unit the numbers
mean nothing without it. Only where nothing else states a unit or a kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from mathrag.errors import UnitError
from mathrag.knowledge.units import is_unit_text, read_unit
from mathrag.types.library import SymbolDefinition

# A plural noun, then one unit and nothing else but what is counted over.
_COUNTED = re.compile(
    r"(?:(?:the|average|mean|total|number of|no\. of)\s+)*(?P<noun>[^\W\d_]+s|people|teeth)\s+(?:per|a|an|each|/)\s*"
    r"(?P<unit>[^\W\d_]{1,10}\.?[²³]?)(?:\s+(?:of|in|for|at|on)\s.{1,60})?",
    re.IGNORECASE,
)


def with_counted_rates(definitions: Iterable[SymbolDefinition]) -> tuple[SymbolDefinition, ...]:
    """The definitions, each number that is counted per unit in that unit."""
    return tuple(map(_with_rate, definitions))


def _with_rate(definition: SymbolDefinition) -> SymbolDefinition:
    if definition.unit is not None or definition.dimension is not None or definition.kind is not None:
        return definition
    found = _COUNTED.fullmatch(definition.description.strip())
    if found is None or is_unit_text(found["noun"]) or not is_unit_text(found["unit"]):
        return definition
    try:
        unit = read_unit(f"1/{found['unit'].rstrip('.')}")
    except UnitError:
        return definition
    return replace(definition, unit=unit.text, dimension=unit.dimension)
