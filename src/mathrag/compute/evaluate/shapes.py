"""Closures for the common shapes of sums, products, quotients and powers. Plain arithmetic, nothing looked up twice."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

Closure: TypeAlias = Callable[[Any], Any]

_pow = math.pow


def _table(minus: bool) -> dict[tuple[str, str], Callable[[Any, Any], Closure]]:
    if minus:
        return {
            ("slot", "slot"): lambda i, j: lambda v: v[i] - v[j],
            ("slot", "number"): lambda i, k: lambda v: v[i] - k,
            ("slot", "closure"): lambda i, g: lambda v: v[i] - g(v),
            ("number", "slot"): lambda k, j: lambda v: k - v[j],
            ("number", "number"): lambda k, m: lambda v: k - m,  # noqa: ARG005
            ("number", "closure"): lambda k, g: lambda v: k - g(v),
            ("closure", "slot"): lambda f, j: lambda v: f(v) - v[j],
            ("closure", "number"): lambda f, k: lambda v: f(v) - k,
            ("closure", "closure"): lambda f, g: lambda v: f(v) - g(v),
        }
    return {
        ("slot", "slot"): lambda i, j: lambda v: v[i] + v[j],
        ("slot", "number"): lambda i, k: lambda v: v[i] + k,
        ("slot", "closure"): lambda i, g: lambda v: v[i] + g(v),
        ("number", "slot"): lambda k, j: lambda v: k + v[j],
        ("number", "number"): lambda k, m: lambda v: k + m,  # noqa: ARG005
        ("number", "closure"): lambda k, g: lambda v: k + g(v),
        ("closure", "slot"): lambda f, j: lambda v: f(v) + v[j],
        ("closure", "number"): lambda f, k: lambda v: f(v) + k,
        ("closure", "closure"): lambda f, g: lambda v: f(v) + g(v),
    }


SUMS = _table(minus=False)
DIFFERENCES = _table(minus=True)


def product(coefficient: float, slots: Sequence[int], closures: Sequence[Closure]) -> Closure:
    """A number times the values in some slots times other parts."""
    if not closures:
        return _slot_product(coefficient, slots)
    if not slots and coefficient == 1.0:
        return _closure_product(closures)
    rest = _closure_product(closures)
    if not slots:
        return lambda v: coefficient * rest(v)
    if len(slots) == 1:
        i = slots[0]
        return (lambda v: v[i] * rest(v)) if coefficient == 1.0 else (lambda v: coefficient * v[i] * rest(v))
    if len(slots) == 2:
        i, j = slots
        return (
            (lambda v: v[i] * v[j] * rest(v)) if coefficient == 1.0 else (lambda v: coefficient * v[i] * v[j] * rest(v))
        )
    head = _slot_product(coefficient, slots)
    return lambda v: head(v) * rest(v)


def _slot_product(c: float, slots: Sequence[int]) -> Closure:
    if len(slots) > 12:
        places = tuple(slots)
        return lambda v: math.prod([c, *[v[place] for place in places]])
    if len(slots) > 4:
        head, tail = _slot_product(c, slots[:4]), _slot_product(1.0, slots[4:])
        return lambda v: head(v) * tail(v)
    plain = c == 1.0
    match tuple(slots):
        case ():
            return lambda _: c
        case (i,):
            return (lambda v: v[i]) if plain else (lambda v: c * v[i])
        case (i, j):
            return (lambda v: v[i] * v[j]) if plain else (lambda v: c * v[i] * v[j])
        case (i, j, k):
            return (lambda v: v[i] * v[j] * v[k]) if plain else (lambda v: c * v[i] * v[j] * v[k])
        case (i, j, k, m):
            return (lambda v: v[i] * v[j] * v[k] * v[m]) if plain else (lambda v: c * v[i] * v[j] * v[k] * v[m])
    raise AssertionError(slots)


def _closure_product(closures: Sequence[Closure]) -> Closure:
    match tuple(closures):
        case (f,):
            return f
        case (f, g):
            return lambda v: f(v) * g(v)
        case (f, g, h):
            return lambda v: f(v) * g(v) * h(v)
        case parts:
            return lambda v: math.prod([part(v) for part in parts])


def quotient(above: Closure, below: Closure) -> Closure:
    """One part divided by another."""
    return lambda v: above(v) / below(v)


def quotient_by_slots(above: Closure, slots: Sequence[int]) -> Closure:
    """A part divided by the values in some slots."""
    match tuple(slots):
        case (i,):
            return lambda v: above(v) / v[i]
        case (i, j):
            return lambda v: above(v) / (v[i] * v[j])
    return quotient(above, _slot_product(1.0, slots))


def slot_quotient(c: float, above: Sequence[int], below: Sequence[int]) -> Closure:
    """A number times slots over slots, in one closure for the small cases."""
    match tuple(above), tuple(below):
        case (), (k,):
            return lambda v: c / v[k]
        case (i,), (k,):
            return (lambda v: v[i] / v[k]) if c == 1.0 else (lambda v: c * v[i] / v[k])
        case (i, j), (k,):
            return (lambda v: v[i] * v[j] / v[k]) if c == 1.0 else (lambda v: c * v[i] * v[j] / v[k])
        case (i, j, m), (k,):
            return (lambda v: v[i] * v[j] * v[m] / v[k]) if c == 1.0 else (lambda v: c * v[i] * v[j] * v[m] / v[k])
        case (i,), (k, n):
            return (lambda v: v[i] / (v[k] * v[n])) if c == 1.0 else (lambda v: c * v[i] / (v[k] * v[n]))
        case (i, j), (k, n):
            return lambda v: c * v[i] * v[j] / (v[k] * v[n])
        case (i, j, m), (k, n):
            return lambda v: c * v[i] * v[j] * v[m] / (v[k] * v[n])
    return quotient_by_slots(_slot_product(c, above), below)


def small_power(inner: Closure, exponent: int) -> Closure:
    """A whole power from 1 to 4 by multiplication."""

    def square(v: Any) -> Any:
        value = inner(v)
        return value * value

    def cube(v: Any) -> Any:
        value = inner(v)
        return value * value * value

    def fourth(v: Any) -> Any:
        value = inner(v)
        value *= value
        return value * value

    return (inner, square, cube, fourth)[exponent - 1]


def constant_power(inner: Closure, exponent: float) -> Closure:
    """A power with a fixed exponent. `math.pow` refuses what would be complex instead of returning it."""
    return lambda v: _pow(inner(v), exponent)


def power(base: Closure, exponent: Closure) -> Closure:
    """A power of two parts."""
    return lambda v: _pow(base(v), exponent(v))
