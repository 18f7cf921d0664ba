"""Finite structures of algebra computed from their tables: magmas, semigroups, monoids, groups, maps between them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product as combinations

from mathrag.compute.openmath.equality import Computing
from mathrag.compute.openmath.values import (
    FiniteSet,
    Function,
    Structure,
    UndefinedError,
    Value,
    WrongKindError,
)

Operation = Callable[..., Value]
KINDS = ("magma", "semigroup", "monoid", "group")


def _structure(value: Value) -> Structure:
    if not isinstance(value, Structure):
        raise WrongKindError("a structure with an operation is expected")
    return value


def _multiplication(_evaluator: Computing, value: Value, *factors: Value) -> Value:
    """The operation; some dictionaries write its two arguments behind the structure at once."""
    operation = _structure(value).operation
    return operation.apply(*factors) if factors else operation


def _pairs(structure: Structure) -> list[tuple[Value, Value]]:
    return list(combinations(structure.carrier.items, repeat=2))


def _is_commutative(evaluator: Computing, value: Value) -> bool:
    structure = _structure(value)
    times = structure.operation.apply
    return all(evaluator.comparing.same(times(a, b), times(b, a)) for a, b in _pairs(structure))


def _is_associative(evaluator: Computing, value: Value) -> bool:
    structure = _structure(value)
    times = structure.operation.apply
    triples = combinations(structure.carrier.items, repeat=3)
    return all(evaluator.comparing.same(times(times(a, b), c), times(a, times(b, c))) for a, b, c in triples)


def _identity(evaluator: Computing, value: Value) -> Value:
    structure = _structure(value)
    times, same = structure.operation.apply, evaluator.comparing.same
    for each in structure.carrier.items:
        if all(same(times(each, a), a) and same(times(a, each), a) for a in structure.carrier.items):
            return each
    raise UndefinedError("there is no identity in it")


def _is_homomorphism(evaluator: Computing, source: Value, target: Value, function: Value) -> bool:
    first, second = _structure(source), _structure(target)
    if not isinstance(function, Function):
        raise WrongKindError("a function is expected")
    image = function.apply
    if not all(evaluator.comparing.contains(second.carrier, image(each)) for each in first.carrier.items):
        return False
    sides = ((image(first.operation.apply(a, b)), second.operation.apply(image(a), image(b))) for a, b in _pairs(first))
    return all(evaluator.comparing.same(left, right) for left, right in sides)


def _is_isomorphism(evaluator: Computing, source: Value, target: Value, function: Value) -> bool:
    if not _is_homomorphism(evaluator, source, target, function):
        return False
    images = tuple(function.apply(each) for each in source.carrier.items)
    covers = evaluator.comparing.within(target.carrier, FiniteSet(images))
    return covers and len(images) == len(target.carrier.items)


def _multiplied_by(*, is_left: bool) -> Operation:
    def operation(_evaluator: Computing, value: Value, factor: Value) -> Value:
        structure = _structure(value)
        times = structure.operation.apply
        return Function(
            lambda argument: times(factor, argument) if is_left else times(argument, factor), structure.carrier
        )

    return operation


def _is_invertible(evaluator: Computing, value: Value, element: Value) -> bool:
    structure, one = _structure(value), _identity(evaluator, value)
    times, same = structure.operation.apply, evaluator.comparing.same
    return any(same(times(element, a), one) and same(times(a, element), one) for a in structure.carrier.items)


def _commuting_with(evaluator: Computing, value: Value, others: tuple[Value, ...]) -> Value:
    structure = _structure(value)
    times, same = structure.operation.apply, evaluator.comparing.same
    kept = (each for each in structure.carrier.items if all(same(times(each, a), times(a, each)) for a in others))
    return FiniteSet(tuple(kept))


def _in_each(suffix: str, table: dict[str, Operation]) -> dict[str, Operation]:
    return {f"{kind}{suffix}:{name}": operation for kind in KINDS for name, operation in table.items()}


OPERATIONS: dict[str, Operation] = {
    **_in_each(
        "1",
        {
            "carrier": lambda _evaluator, value: _structure(value).carrier,
            "multiplication": _multiplication,
            "is_commutative": _is_commutative,
            "is_associative": _is_associative,
            "identity": _identity,
            "is_invertible": _is_invertible,
        },
    ),
    **_in_each(
        "2",
        {
            "is_homomorphism": _is_homomorphism,
            "is_isomorphism": _is_isomorphism,
            "is_endomorphism": lambda evaluator, value, function: _is_homomorphism(evaluator, value, value, function),
            "is_automorphism": lambda evaluator, value, function: _is_isomorphism(evaluator, value, value, function),
            "left_multiplication": _multiplied_by(is_left=True),
            "right_multiplication": _multiplied_by(is_left=False),
        },
    ),
    "group3:center": lambda evaluator, value: _commuting_with(evaluator, value, _structure(value).carrier.items),
    "group3:centralizer": lambda evaluator, value, element: _commuting_with(evaluator, value, (element,)),
}
