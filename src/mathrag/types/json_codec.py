"""The nouns as JSON and back, exactly. Only classes of this package are ever made, so text from outside can do no harm.

A value of a class becomes an object with its name under `$`; fields that hold their default are left out.
"""

from __future__ import annotations

import dataclasses
import re
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

from mathrag.types import document, expression, library, quantity

Json: TypeAlias = Any
_FRACTION = re.compile(r"-?\d{1,400}(?:/\d{1,400})?")
_DECIMAL = re.compile(r"-?\d{1,5000}(?:\.\d{0,5000})?(?:[Ee][+-]?\d{1,6})?|-?\.\d{1,5000}(?:[Ee][+-]?\d{1,6})?")
_MODULES = (document, expression, library, quantity)


@cache
def _classes() -> dict[str, type]:
    found: dict[str, type] = {}
    for module in _MODULES:
        for name, value in vars(module).items():
            if isinstance(value, type) and dataclasses.is_dataclass(value) and value.__module__ == module.__name__:
                if name in found:
                    raise TypeError(f"two nouns are called {name}")
                found[name] = value
    return found


@cache
def _fields(name: str) -> tuple[tuple[str, Any], ...]:
    return tuple((field.name, field.default) for field in dataclasses.fields(_classes()[name]))


def to_json(value: object) -> Json:
    """Plain lists, objects, strings and numbers that stand for a value."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, tuple | list):
        return [to_json(item) for item in value]
    if isinstance(value, Decimal):
        return {"$decimal": str(value)}
    if isinstance(value, Fraction):
        return {"$fraction": str(value)}
    if isinstance(value, quantity.Dimension):
        return {"$dimension": " ".join(str(exponent) for exponent in value.exponents)}
    kind = type(value)
    if kind.__name__ not in _classes() or _classes()[kind.__name__] is not kind:
        raise TypeError(f"{kind.__name__} is no noun of the library")
    made: dict[str, Json] = {"$": kind.__name__}
    for name, default in _fields(kind.__name__):
        item = getattr(value, name)
        # `is` or an equal of the same type: 0 and False are equal, but not the same thing to write.
        if item is not default and not (type(item) is type(default) and item == default):
            made[name] = to_json(item)
    return made


def from_json(data: Json) -> Any:
    """The value that `to_json` was given. Raises `ValueError` for anything it did not write."""
    try:
        return _value(data)
    except (TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        raise ValueError(f"this stands for nothing: {type(error).__name__}") from error


def _value(data: Json) -> Any:
    if data is None or isinstance(data, bool | int | float | str):
        return data
    if isinstance(data, list):
        return tuple([_value(item) for item in data])
    if isinstance(data, dict) and "$" in data:
        kind = _classes().get(data["$"])
        if kind is None:
            raise ValueError(f"there is no noun {data['$']!r}")
        return kind(**{name: _value(item) for name, item in data.items() if name != "$"})
    return _special(data)


def _special(data: Json) -> Decimal | Fraction | quantity.Dimension:
    match data:
        case {"$decimal": str(text)} if _DECIMAL.fullmatch(text):
            return Decimal(text)
        case {"$fraction": str(text)}:
            return _fraction(text)
        case {"$dimension": str(text)}:
            return _dimension(text)
    raise ValueError("an object that stands for nothing")


def _fraction(text: str) -> Fraction:
    # Checked first: Python would write 1e2000000000 out.
    if not _FRACTION.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is no fraction")
    return Fraction(text)


@cache
def _dimension(text: str) -> quantity.Dimension:
    return quantity.Dimension(tuple(_fraction(part) for part in text.split()))
