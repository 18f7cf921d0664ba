"""Random nouns of any class of the library, made from the types of their fields."""

from __future__ import annotations

import dataclasses
import types
import typing
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

from hypothesis import strategies as st

from mathrag.types import document, expression, library, quantity
from mathrag.types.expression import Measure, Number
from mathrag.types.quantity import BASE_DIMENSIONS, Dimension
from strategies import NAMES, expressions

MODULES = (document, expression, library, quantity)
NOUNS = tuple(
    value
    for module in MODULES
    for value in vars(module).values()
    if isinstance(value, type) and dataclasses.is_dataclass(value) and value.__module__ == module.__name__
)
NODES = typing.get_args(expression.Expression)

texts = st.text(max_size=8)
exponents = st.builds(Fraction, st.integers(-6, 6), st.sampled_from((1, 1, 1, 2, 3)))
dimensions = st.lists(exponents, min_size=len(BASE_DIMENSIONS), max_size=len(BASE_DIMENSIONS)).map(
    lambda listed: Dimension(tuple(listed))
)
# A negative zero is equal to its default and written as nothing.
floats = st.floats(allow_nan=False).map(lambda value: value + 0.0)
decimals = st.decimals(allow_nan=False, allow_infinity=False)
measures = st.builds(Measure, st.integers(0, 99).map(Number), st.sampled_from(("m", "mol/L", "J/(mol*K)")))
trees = st.one_of(expressions, measures)

_PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    str: texts,
    int: st.integers(-(10**12), 10**12),
    bool: st.booleans(),
    float: floats,
    Decimal: decimals,
    Fraction: exponents,
    Dimension: dimensions,
    type(None): st.none(),
}


def _of(hint: Any) -> st.SearchStrategy[Any]:
    if hint in _PLAIN:
        return _PLAIN[hint]
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin in (typing.Union, types.UnionType):
        if set(arguments) == set(NODES):
            return trees
        return st.one_of(*(_of(argument) for argument in arguments))
    if origin is tuple:
        if arguments[-1] is Ellipsis:
            return st.lists(_of(arguments[0]), max_size=2).map(tuple)
        return st.tuples(*(_of(argument) for argument in arguments))
    return nouns(hint)


def _later(hint: Any) -> st.SearchStrategy[Any]:
    return st.deferred(lambda: _of(hint))


def nouns(noun: type) -> st.SearchStrategy[Any]:
    """Values of one class; its required fields always, the others sometimes."""
    if noun in _PLAIN:
        return _PLAIN[noun]
    if noun in NODES:
        return trees.filter(lambda tree: isinstance(tree, noun)) if noun is not Measure else measures
    hints = typing.get_type_hints(noun)
    special = _SPECIAL.get(noun, {})
    required: dict[str, st.SearchStrategy[Any]] = {}
    optional: dict[str, st.SearchStrategy[Any]] = {}
    for field in dataclasses.fields(noun):
        hint = hints[field.name]
        strategy = special[field.name] if field.name in special else _later(hint)
        (required if field.default is dataclasses.MISSING else optional)[field.name] = strategy
    return st.fixed_dictionaries(required, optional=optional).map(lambda values: noun(**values))


_SPECIAL: dict[type, dict[str, st.SearchStrategy[Any]]] = {
    document.Document: {"hash": st.text("0123456789abcdef", min_size=64, max_size=64)},
    expression.Symbol: {"name": st.sampled_from(NAMES)},
    quantity.Quantity: {"uncertainty": st.one_of(st.none(), st.floats(0, 1e9).map(lambda value: value + 0.0))},
}
