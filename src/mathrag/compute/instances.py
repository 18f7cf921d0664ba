"""A proof by instances: the negation of a statement with its "there is" named by terms, and enough instances of it that
cannot all be true (Herbrand's theorem). Finding none proves nothing."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from mathrag.compute.quantified import Both, Denied, Formula, Holds, Quantified, predicates_of

_MOST_INSTANCES = 400
_MOST_CLAUSES = 3_000
_MOST_STEPS = 20_000
_Literal: TypeAlias = tuple[bool, Holds]
_Clause: TypeAlias = frozenset[_Literal]


class _TooLongError(Exception):
    pass


def is_proved(formula: Formula) -> bool:
    """Whether instances of the negation contradict each other, which proves the formula."""
    if "=" in predicates_of(formula):
        return False
    if isinstance(formula, Both) and formula.operation == "iff":
        ways = ((formula.left, formula.right), (formula.right, formula.left))
        return all(is_proved(Both("implies", *each)) for each in ways)
    try:
        skolem = _Skolem()
        matrix = skolem.of(formula, False, {}, ())
        for depth in (0, 1):
            terms = skolem.terms(depth)
            if len(terms) ** len(skolem.variables) > _MOST_INSTANCES:
                return False
            clauses: set[_Clause] = set()
            for values in itertools.product(terms, repeat=len(skolem.variables)):
                at = dict(zip(skolem.variables, values, strict=True))
                clauses |= set(_clauses(matrix, at))
                if len(clauses) > _MOST_CLAUSES:
                    return False
            if _contradict(list(clauses), [_MOST_STEPS]):
                return True
    except _TooLongError:
        return False
    return False


class _Skolem:
    """The negation in a form of "and" and "or" over literals, its variables free, its "there is" named by terms."""

    def __init__(self) -> None:
        self.variables: list[str] = []
        self.functions: list[tuple[str, int]] = []

    def of(self, formula: object, wanted: bool, at: Mapping[str, object], free: tuple[str, ...]) -> object:
        match formula:
            case Holds(name, terms):
                return (wanted, Holds(name, tuple(at[str(term)] for term in terms)))
            case Denied(operand):
                return self.of(operand, not wanted, at, free)
            case Quantified(sign, variable, _, body):
                if (sign == "∀") == wanted:
                    name = f"v{len(self.variables)}"
                    self.variables.append(name)
                    return self.of(body, wanted, {**at, variable: name}, (*free, name))
                function = f"f{len(self.functions)}"
                self.functions.append((function, len(free)))
                return self.of(body, wanted, {**at, variable: (function, *free)}, free)
            case Both(operation, left, right):
                return self.both(operation, left, right, wanted, at, free)
        raise _TooLongError

    def both(
        self, operation: str, left: object, right: object, wanted: bool, at: Mapping[str, object], free: tuple[str, ...]
    ) -> object:
        def part(one: object, value: bool) -> object:
            return self.of(one, value, at, free)

        if operation == "implies":
            return ("or" if wanted else "and", part(left, not wanted), part(right, wanted))
        if operation in ("and", "or"):
            return (
                operation if wanted else {"and": "or", "or": "and"}[operation],
                part(left, wanted),
                part(right, wanted),
            )
        same = (operation == "iff") == wanted
        return (
            "or",
            ("and", part(left, True), part(right, same)),
            ("and", part(left, False), part(right, not same)),
        )

    def terms(self, depth: int) -> list[object]:
        found: list[object] = [(name,) for name, count in self.functions if not count] or [("c",)]
        for _ in range(depth):
            more = [
                (name, *some)
                for name, count in self.functions
                if count
                for some in itertools.product(found, repeat=count)
            ]
            found = list(dict.fromkeys((*found, *more)))
            if len(found) > _MOST_INSTANCES:
                raise _TooLongError
        return found


def _clauses(matrix: object, at: Mapping[str, object]) -> list[_Clause]:
    """An instance as a conjunction of disjunctions."""
    if isinstance(matrix, tuple) and isinstance(matrix[0], bool):
        held = matrix[1]
        return [frozenset({(matrix[0], Holds(held.name, tuple(_placed(term, at) for term in held.terms)))})]
    assert isinstance(matrix, tuple)
    parts = [_clauses(each, at) for each in matrix[1:]]
    if matrix[0] == "and":
        return [*parts[0], *parts[1]]
    if len(parts[0]) * len(parts[1]) > _MOST_CLAUSES:
        raise _TooLongError
    return [first | second for first in parts[0] for second in parts[1]]


def _placed(term: object, at: Mapping[str, object]) -> object:
    if isinstance(term, tuple):
        return (term[0], *(_placed(each, at) for each in term[1:]))
    return at[str(term)]


def _contradict(clauses: list[_Clause], steps: list[int]) -> bool:
    """Whether clauses cannot all be true: one literal after the other is tried."""
    steps[0] -= 1
    if steps[0] < 0:
        raise _TooLongError
    if any(not clause for clause in clauses):
        return True
    if not clauses:
        return False
    shortest: _Clause = min(clauses, key=lambda clause: len(clause))
    value, held = next(iter(shortest))
    return all(_contradict(list(_left(clauses, (tried, held))), steps) for tried in (value, not value))


def _left(clauses: list[_Clause], true: _Literal) -> Iterator[_Clause]:
    false = (not true[0], true[1])
    for clause in clauses:
        if true not in clause:
            yield clause - {false}
