"""The parameters of a tool, their JSON schema, and values for them from JSON. What comes in is distrusted."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mathrag.compute.quantity_text import find_quantities
from mathrag.compute.units import coherent_unit, unit_readings
from mathrag.errors import UnitError
from mathrag.reason.computing.symbol_facts import PERCENT, SymbolFacts, usual_unit
from mathrag.reason.tools.results import ToolError
from mathrag.types.quantity import NO_UNIT, Dimension, Quantity, Unit

LONGEST_VALUE = 120
_LARGEST_BITS = 1_000
_VALUE_KINDS = frozenset(("quantity", "number", "count"))


@dataclass(frozen=True, slots=True)
class Parameter:
    """One input: its symbol, what it is, the unit of a bare number, and what is plausible in that unit.

    `dimension` is None where the formula leaves it open; then any unit goes, and a bare number is a plain number.
    """

    name: str
    description: str
    unit: Unit
    dimension: Dimension | None
    minimum: float | None = None
    maximum: float | None = None


@dataclass(frozen=True, slots=True)
class ParameterValue:
    """A value read for a parameter, with the figures it was stated with where it came as text."""

    quantity: Quantity
    text: str
    significant_figures: int | None = None


def parameter_for(facts: SymbolFacts, dimension: Dimension | None) -> Parameter:
    """The parameter of a symbol that is known to have a dimension."""
    kind = facts.kind
    meaning = facts.meaning
    words = _words(meaning.description if meaning is not None else "") or ("" if kind is None else kind.name)
    if dimension is None:
        return Parameter(facts.name, words or facts.name, NO_UNIT, None)
    unit = PERCENT if facts.counts_percent else usual_unit(dimension, facts)
    minimum = maximum = None
    if kind is not None and kind.dimension == dimension and not kind.takes_any_unit:
        minimum, maximum = kind.minimum / unit.scale, kind.maximum / unit.scale
    return Parameter(facts.name, words or facts.name, unit, dimension, minimum, maximum)


def _words(text: str) -> str:
    line = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(line.split())[:200]


def schema_of(parameters: tuple[Parameter, ...]) -> dict[str, Any]:
    """The JSON schema of a call. Ranges say what is plausible; a value outside is computed with a warning."""
    return {
        "type": "object",
        "properties": {parameter.name: _property(parameter) for parameter in parameters},
        "required": [parameter.name for parameter in parameters],
        "additionalProperties": False,
    }


def _property(parameter: Parameter) -> dict[str, Any]:
    unit = parameter.unit.text
    number: dict[str, Any] = {"type": "number"}
    if parameter.minimum is not None:
        number["minimum"] = parameter.minimum
    if parameter.maximum is not None:
        number["maximum"] = parameter.maximum
    stated = f"{parameter.description}; a number is in {unit}" if unit else parameter.description
    return {
        "description": stated,
        "unit": unit,
        "anyOf": [
            number,
            {"type": "string", "maxLength": LONGEST_VALUE, "description": f"a value with its unit, as in '2.5 {unit}'"},
            {
                "type": "object",
                "properties": {
                    "value": {"type": "number"},
                    "unit": {"type": "string", "maxLength": LONGEST_VALUE},
                },
                "required": ["value", "unit"],
                "additionalProperties": False,
            },
        ],
    }


def read_parameter(parameter: Parameter, given: object) -> ParameterValue | ToolError:
    """A value for a parameter: a number, text such as "2 kg", or an object with value and unit."""
    # bool is an int to Python, but nobody means 1 by true.
    if isinstance(given, bool) or given is None:
        return ToolError("type", f"{parameter.name} needs a number or text with a unit", parameter.name)
    if isinstance(given, int | float):
        return _number(parameter, given, parameter.unit)
    if isinstance(given, str):
        return _text(parameter, given)
    if isinstance(given, Mapping):
        return _object(parameter, given)
    return ToolError("type", f"{parameter.name} needs a number or text with a unit", parameter.name)


def _number(parameter: Parameter, value: float, unit: Unit) -> ParameterValue | ToolError:
    if isinstance(value, int):
        if value.bit_length() > _LARGEST_BITS:
            return ToolError("too_long", f"the value of {parameter.name} is too large", parameter.name)
    elif not math.isfinite(value):
        return ToolError("not_finite", f"{parameter.name} is not a finite number", parameter.name)
    return ParameterValue(Quantity(value, unit), f"{value} {unit.text}".strip())


def _object(parameter: Parameter, given: Mapping[Any, Any]) -> ParameterValue | ToolError:
    if set(given) != {"value", "unit"}:
        return ToolError("type", f"{parameter.name} as an object has just 'value' and 'unit'", parameter.name)
    value, text = given["value"], given["unit"]
    if isinstance(value, bool) or not isinstance(value, int | float) or not isinstance(text, str):
        return ToolError("type", f"{parameter.name} needs a number as value and text as unit", parameter.name)
    if len(text) > LONGEST_VALUE:
        return ToolError("too_long", f"the unit of {parameter.name} is too long", parameter.name)
    if not text.strip():
        unit: Unit | ToolError = NO_UNIT if _admits_plain(parameter) else _wrong_unit(parameter, "no unit")
    else:
        try:
            unit = _fitting(parameter, unit_readings(text), text)
        except UnitError as error:
            return ToolError("unit", f"the unit of {parameter.name} cannot be read: {error}", parameter.name)
    return unit if isinstance(unit, ToolError) else _number(parameter, value, unit)


def _text(parameter: Parameter, given: str) -> ParameterValue | ToolError:
    if len(given) > LONGEST_VALUE:
        return ToolError("too_long", f"the value of {parameter.name} is too long to be a quantity", parameter.name)
    stripped = given.strip()
    mentions = find_quantities(stripped)
    if len(mentions) != 1 or (mentions[0].start, mentions[0].end) != (0, len(stripped)):
        return ToolError("value", f"{parameter.name} is {stripped!r}, which is not one quantity", parameter.name)
    mention = mentions[0]
    if mention.kind not in _VALUE_KINDS:
        return ToolError("value", f"{parameter.name} is {stripped!r}, which is not one quantity", parameter.name)
    if not mention.units:
        found = _number(parameter, mention.value, parameter.unit)
        if isinstance(found, ToolError):
            return found
        return ParameterValue(found.quantity, stripped, mention.significant_figures)
    unit = _fitting(parameter, (*mention.units, *mention.rare_units), stripped)
    if isinstance(unit, ToolError):
        return unit
    found = _number(parameter, mention.value, unit)
    if isinstance(found, ToolError):
        return found
    quantity = Quantity(mention.value, unit, mention.uncertainty)
    return ParameterValue(quantity, stripped, mention.significant_figures)


def _fitting(parameter: Parameter, readings: tuple[Unit, ...], text: str) -> Unit | ToolError:
    """The first reading of the dimension that the parameter has."""
    if parameter.dimension is None:
        return readings[0]
    fitting = [unit for unit in readings if unit.dimension == parameter.dimension]
    return fitting[0] if fitting else _wrong_unit(parameter, text)


def _admits_plain(parameter: Parameter) -> bool:
    return parameter.dimension is None or parameter.dimension.is_dimensionless


def _wrong_unit(parameter: Parameter, text: str) -> ToolError:
    wanted = parameter.unit.text or (coherent_unit(parameter.dimension).text if parameter.dimension else "")
    return ToolError(
        "unit", f"{parameter.name} is measured in {wanted or 'plain numbers'}; {text!r} does not fit", parameter.name
    )
