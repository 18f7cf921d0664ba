"""The nouns as JSON and back, exactly. Only classes of this package are ever made, so text from outside can do no harm.

A value of a class becomes an object with its name under `$`; fields that hold their default are left out.
"""

from __future__ import annotations

import dataclasses
import re
from decimal import Decimal
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

from mathrag.types import document, expression, library, quantity
from mathrag.types.json_value import Json

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


# Looked up before anything else: nearly everything that is written is one of these.
_PLAIN = frozenset((str, int, float, bool, type(None)))


@cache
def _fields_of(kind: Any) -> tuple[tuple[str, Any], ...]:
    name: str = kind.__name__
    if _classes().get(name) is not kind:
        raise TypeError(f"{name} is no noun of the library")
    return _fields(name)


def to_json(value: object) -> Json:
    """Plain lists, objects, strings and numbers that stand for a value."""
    kind: Any = type(value)
    if kind in _PLAIN:
        return value
    if kind is tuple or kind is list:
        return [to_json(item) for item in value]  # type: ignore[attr-defined]
    if isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, tuple | list):
        return [to_json(item) for item in value]
    if isinstance(value, Decimal):
        return {"$decimal": str(value)}
    if isinstance(value, Fraction):
        return {"$fraction": str(value)}
    if isinstance(value, quantity.Dimension):
        return {"$dimension": _dimension_text(value)}
    made: dict[str, Json] = {"$": kind.__name__}
    for name, default in _fields_of(kind):
        item = getattr(value, name)
        # `is` or an equal of the same type: 0 and False are equal, but not the same thing to write.
        if item is not default and not (type(item) is type(default) and item == default):
            made[name] = item if type(item) in _PLAIN else to_json(item)
    return made


@lru_cache(maxsize=4096)
def _dimension_text(dimension: quantity.Dimension) -> str:
    return " ".join(str(exponent) for exponent in dimension.exponents)


def from_json(data: Json) -> Any:
    """The value that `to_json` was given. Raises `ValueError` for anything it did not write."""
    try:
        return _value(data)
    except (TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        raise ValueError(f"this stands for nothing: {type(error).__name__}") from error


def _value(data: Json) -> Any:
    if type(data) in _PLAIN:
        return data
    if isinstance(data, list):
        return tuple([_value(item) for item in data])
    if isinstance(data, dict) and "$" in data:
        kind = _classes().get(data["$"])
        if kind is None:
            raise ValueError(f"there is no noun {data['$']!r}")
        return kind(
            **{name: item if type(item) in _PLAIN else _value(item) for name, item in data.items() if name != "$"}
        )
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
