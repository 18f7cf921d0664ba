"""Check that a value has the types its class declares, all the way down. For values that came from outside."""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from collections.abc import Callable
from functools import cache
from typing import Any, Literal, TypeAlias, Union

Check: TypeAlias = Callable[[object], bool]
_PLAIN = (str, bool)


def is_well_typed(value: object) -> bool:
    """Whether a noun and everything inside it is what the annotations of its classes say."""
    return dataclasses.is_dataclass(value) and not isinstance(value, type) and _of_class(type(value))(value)


@cache
def _of_class(kind: type) -> Check:
    checks: list[tuple[str, Check]] = []

    def check(value: object) -> bool:
        return type(value) is kind and all(each(getattr(value, name)) for name, each in _filled())

    def _filled() -> list[tuple[str, Check]]:
        # Filled at first use, not when made: trees contain themselves.
        if not checks:
            hints = typing.get_type_hints(kind)
            checks.extend((field.name, _check(hints[field.name])) for field in dataclasses.fields(kind))
        return checks

    return check


def _check(annotation: Any) -> Check:
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Literal:
        return lambda value: isinstance(value, str) and value in arguments
    if origin in (Union, types.UnionType):
        checks = [_check(each) for each in arguments]
        return lambda value: any(each(value) for each in checks)
    if origin is tuple:
        return _tuple(arguments)
    if dataclasses.is_dataclass(annotation) and isinstance(annotation, type):
        return _of_class(annotation)
    if annotation is float:
        return lambda value: type(value) in (int, float) and math.isfinite(typing.cast("float", value))
    if annotation in _PLAIN:
        return lambda value: type(value) is annotation
    if isinstance(annotation, type):
        return lambda value: type(value) is annotation
    raise TypeError(f"no check for {annotation}")


def _tuple(arguments: tuple[Any, ...]) -> Check:
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        every = _check(arguments[0])
        return lambda value: isinstance(value, tuple) and all(every(item) for item in value)
    checks = [_check(each) for each in arguments]
    return lambda value: (
        isinstance(value, tuple)
        and len(value) == len(checks)
        and all(check(item) for check, item in zip(checks, value, strict=True))
    )
