"""Ways in which SymPy rewrites an expression, inside its process: simplified, factored, integrated, at a limit.

Fed only trees that we built; what comes back is not verified here. Importing this module loads SymPy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy

from mathrag.compute.printers.sympy_tree import NotConvertibleError, from_sympy, sympy_symbol, to_sympy
from mathrag.types.expression import Expression, Negate, Symbol

# How infinity travels: it is no number of our trees.
INFINITY = Symbol("infinity")


def rewritten(body: Expression, way: str, symbol: str, place: Expression | None) -> list[Expression]:
    """The results of one way; those that our trees cannot hold are left out, except that limits come in pairs."""
    if way == "limit":
        return _limits(body, symbol, place)
    function = to_sympy(body)
    trees: list[Expression] = []
    for made in _WAYS[way](function, sympy_symbol(symbol or "x")):
        try:
            trees.append(from_sympy(made))
        except NotConvertibleError:
            continue
    return trees


def _simplified(function: Any, _: Any) -> list[Any]:
    return [
        sympy.simplify(function),
        sympy.factor(sympy.cancel(function)),
        sympy.cancel(function),
        sympy.radsimp(function),
    ]


_WAYS: dict[str, Callable[[Any, Any], list[Any]]] = {
    "simplify": _simplified,
    "expand": lambda function, _: [sympy.expand(function)],
    "factor": lambda function, _: [sympy.factor(function)],
    "partial_fractions": lambda function, symbol: [sympy.apart(function, symbol)],
    "integrate": lambda function, symbol: [sympy.integrate(function, symbol)],
}


def _limits(body: Expression, symbol: str, place: Expression | None) -> list[Expression]:
    """The limit from below and from above; at infinity there is one side alone."""
    variable, function = sympy_symbol(symbol), to_sympy(body)
    if place in (INFINITY, Negate(INFINITY)):
        end = sympy.oo if place == INFINITY else -sympy.oo
        return [_end(sympy.limit(function, variable, end))]
    assert place is not None
    target = to_sympy(place)
    return [_end(sympy.limit(function, variable, target, side)) for side in ("-", "+")]


def _end(found: Any) -> Expression:
    if found is sympy.oo:
        return INFINITY
    if found is -sympy.oo:
        return Negate(INFINITY)
    return from_sympy(found)
