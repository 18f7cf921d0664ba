"""Turn a chain such as a = b = c into the equations it states. Knows members and relations, not notation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from mathrag.types.expression import Condition, Equation, Expression, Symbol

Relation = Literal["=", "≈", "≡"]


def equations_of_chain(
    members: Sequence[Expression], relations: Sequence[Relation], conditions: tuple[Condition, ...] = ()
) -> tuple[Equation, ...]:
    """The first member with each other one; a lone symbol further on with what follows it.

    When the chain does not begin with a symbol, neighbours are paired too, since then no member defines the others.
    """
    if len(relations) != len(members) - 1:
        raise ValueError(f"{len(members)} members need {len(members) - 1} relations, not {len(relations)}")
    found: dict[tuple[Expression, Expression], Equation] = {}
    for first, second in _pairs(members):
        left, right = members[first], members[second]
        if left == right or (left, right) in found or (right, left) in found:
            continue
        found[left, right] = Equation(left, right, _relation_between(relations, first, second), conditions)
    if not found and len(members) > 1:
        # A definition may come out as an identity once it is expanded (a determinant); it is still what was written.
        return (Equation(members[0], members[1], relations[0], conditions),)
    return tuple(found.values())


def _pairs(members: Sequence[Expression]) -> Iterator[tuple[int, int]]:
    count = len(members)
    yield from ((0, second) for second in range(1, count))
    lone = isinstance(members[0], Symbol)
    for first in range(1, count - 1):
        if isinstance(members[first], Symbol):
            yield from ((first, second) for second in range(first + 1, count))
        elif not lone:
            yield first, first + 1


def _relation_between(relations: Sequence[Relation], first: int, second: int) -> Relation:
    """One approximate link makes the pair approximate; a definition is one only between neighbours."""
    between = relations[first:second]
    if "≈" in between:
        return "≈"
    return "≡" if len(between) == 1 and between[0] == "≡" else "="
