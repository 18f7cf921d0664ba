"""What a name stands for at one place of a worksheet, and how values flow from one definition to the next, in SI.

Every definition remembers those it was computed from, so a later line of the same name changes nothing before it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from mathrag.compute.evaluate import Failure
from mathrag.compute.evaluate.compiled import CompiledExpression, compile_expression
from mathrag.compute.evaluate.quantities import si_value_of
from mathrag.compute.solve.systems import in_si
from mathrag.types.expression import (
    MAXIMUM_DEPTH,
    Expression,
    Symbol,
    depth_of,
    number,
    size_of,
    substitute,
    symbols_of,
    walk,
)
from mathrag.types.quantity import Dimension, Quantity
from mathrag.worksheets.lines import Distribution

LARGEST_COMPOSED = 4_000
_NARROWING: Mapping[Distribution, float] = {
    "normal": 1.0,
    "uniform": 1.0 / math.sqrt(3.0),
    "triangular": 1.0 / math.sqrt(6.0),
}


@dataclass(frozen=True, slots=True)
class Measured:
    """How sure a measured value is: what was written behind the sign (in SI) and how values are spread within it."""

    limit: float
    distribution: Distribution = "normal"

    @property
    def standard(self) -> float:
        """The standard uncertainty."""
        return self.limit * _NARROWING[self.distribution]


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """A value with a name. `slopes` are its derivatives by the measured values behind it, by their ids.

    `tree` is None for a value that was given, or found by search; `untracked` names measured values whose uncertainty
    is lost on the way to this one.
    """

    id: str
    name: str
    line: int
    quantity: Quantity
    tree: Expression | None = None
    inputs: Mapping[str, Definition] = field(default_factory=dict)
    measured: Measured | None = None
    slopes: Mapping[str, float] = field(default_factory=dict)
    roots: Mapping[str, Definition] = field(default_factory=dict)
    untracked: tuple[str, ...] = ()

    @property
    def dimension(self) -> Dimension:
        """The dimension of its value."""
        return self.quantity.dimension

    @property
    def si_value(self) -> float:
        """The number that formulas compute with."""
        return float(si_value_of(self.name, self.quantity))

    @property
    def standard(self) -> float | None:
        """The standard uncertainty in SI by linear propagation; None where nothing behind it is uncertain."""
        if not self.roots:
            return None
        spreads = [
            self.slopes.get(key, 0.0) * root.measured.standard for key, root in self.roots.items() if root.measured
        ]
        return math.hypot(*spreads)

    @property
    def shown(self) -> Quantity:
        """The value with its standard uncertainty in its own unit."""
        standard = self.standard
        spread = None if standard is None else standard / abs(self.quantity.unit.scale)
        return Quantity(self.quantity.value, self.quantity.unit, spread)


def ancestors(target: Definition) -> list[Definition]:
    """The definitions behind one, itself last, each after all that it needs."""
    found: dict[str, Definition] = {}
    pending: list[tuple[Definition, bool]] = [(target, False)]
    while pending:
        one, is_ready = pending.pop()
        if one.id in found:
            continue
        if is_ready or one.tree is None:
            found[one.id] = one
            continue
        pending.append((one, True))
        pending.extend((each, False) for each in one.inputs.values())
    return list(found.values())


class Chain:
    """A result as a function of some definitions behind it: what depends on them is computed again, in order."""

    def __init__(self, target: Definition, free: Iterable[str]) -> None:
        self.target = target
        self.fixed: dict[str, float] = {}
        self.steps: list[tuple[str, CompiledExpression, tuple[str, ...]]] = []
        moving = set(free)
        for one in ancestors(target):
            depends = one.tree is not None and any(each.id in moving for each in one.inputs.values())
            if one.id in moving:
                continue
            if not depends or one.tree is None:
                self.fixed[one.id] = one.si_value
                continue
            moving.add(one.id)
            order = list(one.inputs)
            compiled = compile_expression(in_si(one.tree), order)
            self.steps.append((one.id, compiled, tuple(one.inputs[name].id for name in order)))

    def __call__(self, values: Mapping[str, float]) -> float | Failure:
        """The value in SI with these in place of the free definitions."""
        known = {**self.fixed, **values}
        for key, compiled, needed in self.steps:
            found = compiled(*[known[each] for each in needed])
            if isinstance(found, Failure):
                return found
            known[key] = found
        return known[self.target.id]


def composed(
    tree: Expression, inputs: Mapping[str, Definition], free: Definition | None, symbol: str
) -> Expression | None:
    """A tree over one free definition alone, as a symbol; all else are numbers in SI. None where it grows too large."""
    known: dict[str, Expression] = {}
    order: list[Definition] = []
    seen: set[str] = set()
    for one in (each for name in symbols_of(tree) if name in inputs for each in ancestors(inputs[name])):
        if one.id not in seen:
            seen.add(one.id)
            order.append(one)
    depends = {free.id} if free else set()
    for one in order:
        if free is not None and one.id == free.id:
            known[one.id] = Symbol(symbol)
        elif one.tree is not None and any(each.id in depends for each in one.inputs.values()):
            depends.add(one.id)
            inner = _put_in(one.tree, {name: known[each.id] for name, each in one.inputs.items()})
            if inner is None:
                return None
            known[one.id] = inner
        else:
            known[one.id] = _plain(one.si_value)
    return _put_in(tree, {name: known[each.id] for name, each in inputs.items() if each.id in known})


def _put_in(tree: Expression, known: Mapping[str, Expression]) -> Expression | None:
    """The tree with others for its symbols; None where that is larger or deeper than can be worked with."""
    sizes = {name: size_of(each) for name, each in known.items()}
    size = sum(sizes.get(node.name, 1) if isinstance(node, Symbol) else 1 for node in walk(tree))
    if size > LARGEST_COMPOSED or depth_of(tree) + max(map(depth_of, known.values()), default=0) > MAXIMUM_DEPTH:
        return None
    return substitute(in_si(tree), known)


def _plain(value: float) -> Expression:
    return number(Decimal(repr(float(value))))


def depends_on(target: Definition, other: Definition) -> bool:
    """Whether a result was computed from a definition, directly or over others."""
    return any(one.id == other.id for one in ancestors(target))


def measured_behind(inputs: Iterable[Definition]) -> Iterator[Definition]:
    """The measured values behind several definitions, each once."""
    found: dict[str, Definition] = {}
    for one in inputs:
        found.update(one.roots)
    yield from found.values()
