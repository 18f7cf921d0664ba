"""Whether two equations say the same: by canonical form first, then by points of one tried on the other.

A point that satisfies one equation must satisfy the other, both ways, at several random places. Where too few points
are found it is not known. What is tried is counted, not timed, so that every machine says the same.
"""

from __future__ import annotations

import itertools
import math
import random
import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from mathrag.compute.canonical import canonical_key, is_too_large
from mathrag.compute.evaluate.compiled import CompiledExpression, Work, compile_expression
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.solve.numeric import solve_numeric
from mathrag.compute.solve.rearrangement import isolate
from mathrag.types.expression import Add, Call, Equation, Expression, equation_symbols, rename_equation, walk

_POINTS, _FEWEST, _ANYWHERE = 6, 2, 3
_TRIES = 40
# Nodes evaluated in search of points: about a second.
_MOST_WORK = 12_000_000
_MAXIMUM_RENAMED = 8

__all__ = ["canonical_key", "same_equation", "sameness", "symbol_renaming"]


def same_equation(first: Equation, second: Equation, *, rename: bool = False) -> bool:
    """Whether it is known that both hold for the same values: up to order, rearrangement and constant factors.

    With `rename`, some renaming of the symbols may be needed. Whoever wants to say that they differ asks `sameness`.
    """
    return symbol_renaming(first, second) is not None if rename else sameness(first, second) is True


def sameness(first: Equation, second: Equation) -> bool | None:
    """Whether both hold for the same values; None where it is not known: they are too long, hold hardly anywhere, or
    hold everywhere, as laws of arithmetic do."""
    if (first.left, first.right) in ((second.left, second.right), (second.right, second.left)):
        return True
    if set(equation_symbols(first)) != set(equation_symbols(second)):
        return False
    if is_too_large(first) or is_too_large(second):
        return None
    return True if canonical_key(first) == canonical_key(second) else _same_points(first, second)


def symbol_renaming(first: Equation, second: Equation) -> dict[str, str] | None:
    """Names of the second equation for the symbols of the first that make them the same; None if there are none."""
    names, others = equation_symbols(first), equation_symbols(second)
    if len(names) != len(others) or is_too_large(first) or is_too_large(second):
        return None
    if set(names) == set(others) and same_equation(first, second):
        return {name: name for name in names}
    if len(names) > _MAXIMUM_RENAMED:
        return _renaming_by_shape(first, second)
    points = [] if _is_law(first) else list(_points_on(first))
    if len(points) < _FEWEST:
        return _renaming_by_shape(first, second)
    residual = _Residual(second, others)
    for order in itertools.permutations(names):
        if all(residual.vanishes([point[name] for name in order]) for point in points):
            mapping = dict(zip(order, others, strict=True))
            if same_equation(rename_equation(first, mapping), second):
                return mapping
    return None


def _renaming_by_shape(first: Equation, second: Equation) -> dict[str, str] | None:
    """Names in order of appearance, for equations of one shape that are too long to try every renaming."""
    names, others = equation_symbols(first), equation_symbols(second)
    mapping = dict(zip(names, others, strict=True))
    return mapping if same_equation(rename_equation(first, mapping), second) else None


class _Residual:
    """How far an equation is from holding, measured against the sizes of its parts."""

    def __init__(self, equation: Equation, order: Sequence[str]) -> None:
        self.sides = [compile_expression(side, order) for side in (equation.left, equation.right)]
        self.parts = [
            compile_expression(part, order) for side in (equation.left, equation.right) for part in _parts(side)
        ]

    def vanishes(self, values: Sequence[float]) -> bool:
        """Whether the equation holds at a point, as far as rounding lets one tell."""
        left, right = self.sides[0](*values), self.sides[1](*values)
        if isinstance(left, Failure) or isinstance(right, Failure):
            return False
        if math.isclose(left, right, rel_tol=1e-7):
            return True
        sizes = [abs(size) for part in self.parts if not isinstance(size := part(*values), Failure)]
        return abs(left - right) <= 1e-9 * max(sizes, default=0.0)


def _parts(side: Expression) -> tuple[Expression, ...]:
    """The terms of a sum: their sizes tell how much of a difference is rounding."""
    return side.terms if isinstance(side, Add) else (side,)


def _same_points(first: Equation, second: Equation) -> bool | None:
    laws = _is_law(first), _is_law(second)
    if any(laws):
        return None if all(laws) else False
    there = _implies(first, second)
    if there is False:
        return False
    back = _implies(second, first)
    return False if back is False else there and back


@lru_cache(maxsize=256)
def _is_law(equation: Equation) -> bool:
    """Whether it holds whatever the values are, as the laws of powers do. All of these hold for the same values and say
    different things; and to look for values at which one holds takes the longest of all."""
    names = equation_symbols(equation)
    residual = _Residual(equation, names)
    chance = random.Random("anywhere")  # noqa: S311 - not a secret; the same every time
    return all(residual.vanishes([_positive(chance) for _ in names]) for _ in range(_ANYWHERE))


def _positive(chance: random.Random) -> float:
    return math.exp(chance.uniform(-1.6, 1.15))


def _implies(first: Equation, second: Equation) -> bool | None:
    """Whether the second holds where the first does; None where too few such points are found."""
    order = equation_symbols(first)
    residual = _Residual(second, order)
    tried = 0
    for point in _points_on(first):
        if not residual.vanishes([point[name] for name in order]):
            return False
        tried += 1
    return True if tried >= _FEWEST else None


class _Points:
    """Points of an equation, each looked for when it is first wanted. Finding one may take a tenth of a second, and
    one equation is compared with many."""

    def __init__(self, equation: Equation) -> None:
        self._found: list[dict[str, float]] = []
        self._more = _found_points(equation)
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[dict[str, float]]:
        for place in itertools.count():
            with self._lock:
                if place == len(self._found):
                    point = next(self._more, None)
                    if point is None:
                        return
                    self._found.append(point)
            yield self._found[place]


@lru_cache(maxsize=256)
def _points_on(equation: Equation) -> _Points:
    """Random points with positive values at which the equation holds; the same every time."""
    return _Points(equation)


def _found_points(equation: Equation) -> Iterator[dict[str, float]]:
    """Points by solving for one symbol after another."""
    names = equation_symbols(equation)
    chance = random.Random("points on the curve")  # noqa: S311 - not a secret; the same every time
    work = Work()
    solvers = {name: _closed_forms(equation, name, work) for name in names}
    # A numeric search costs a thousand times more than a closed form.
    ordered = [name for name in names if solvers[name]] or list(names)
    signed = _tells_signs(equation)
    found = 0
    for attempt in range(_TRIES):
        if found >= _POINTS or not ordered or work.nodes > _MOST_WORK:
            return
        name = ordered[attempt % len(ordered)]
        point = {each: _positive(chance) for each in names}
        if signed and attempt % 2:
            point = {each: -value if chance.random() < 0.5 else value for each, value in point.items()}
        for value in _values_of(equation, name, point, solvers[name], work):
            found += 1
            yield {**point, name: value}


def _tells_signs(equation: Equation) -> bool:
    """Whether an absolute value occurs; only then do negative values show something that positive ones do not."""
    return any(
        isinstance(node, Call) and node.function == "abs"
        for side in (equation.left, equation.right)
        for node in walk(side)
    )


def _closed_forms(equation: Equation, name: str, work: Work) -> list[CompiledExpression]:
    others = [each for each in equation_symbols(equation) if each != name]
    candidates = isolate(equation.left, equation.right, name)
    telling = [candidate.expression for candidate in candidates if candidate.note != "trivial"]
    return [compile_expression(expression, others, work=work) for expression in telling]


def _values_of(
    equation: Equation, name: str, point: Mapping[str, float], solvers: Sequence[CompiledExpression], work: Work
) -> list[float]:
    order = equation_symbols(equation)
    own = _Residual(equation, order)
    others = [value for each, value in point.items() if each != name]
    if solvers:
        results = [value for solver in solvers if not isinstance(value := solver(*others), Failure)]
    else:
        roots = solve_numeric(equation, name, point, steps=_MOST_WORK, work=work)
        results = [] if isinstance(roots, Failure) else list(roots)
    admissible = results if _tells_signs(equation) else [value for value in results if value > 0] or results[:1]
    return [
        value for value in admissible[:2] if own.vanishes([value if each == name else point[each] for each in order])
    ]
