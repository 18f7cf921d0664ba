"""Propositions in other forms: written out, negated, in normal form, as short as possible. Every form comes from the
table of all cases, so it is true in the same ones."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TypeAlias

from mathrag.compute.logic import Constant, Joined, Letter, Not, Proposition, cases, letters_of, truth

_SIGNS = {"and": "∧", "or": "∨", "xor": "⊕", "implies": "→", "iff": "↔", "nand": "↑", "nor": "↓"}
_FLAT = frozenset(("and", "or", "xor", "iff"))
# A conjunction by its letters: true, false, or (None) not in it.
_Row: TypeAlias = tuple[bool | None, ...]


def written(proposition: Proposition) -> str:
    """A proposition in signs, with brackets wherever two different signs meet."""
    match proposition:
        case Letter(name):
            return name
        case Constant(value):
            return "⊤" if value else "⊥"
        case Not(operand):
            return f"¬{_bracketed(operand)}"
        case Joined(operation, left, right):
            first = written(left) if _goes_on(operation, left) else _bracketed(left)
            second = written(right) if _goes_on(operation, right) else _bracketed(right)
            return f"{first} {_SIGNS[operation]} {second}"


def _goes_on(operation: str, part: Proposition) -> bool:
    return isinstance(part, Joined) and part.operation == operation and operation in _FLAT


def _bracketed(part: Proposition) -> str:
    return f"({written(part)})" if isinstance(part, Joined) else written(part)


def negated(proposition: Proposition) -> Proposition:
    """The negation, with "not" before letters alone."""
    match proposition:
        case Letter():
            return Not(proposition)
        case Constant(value):
            return Constant(not value)
        case Not(operand):
            return _inwards(operand)
        case Joined("implies", left, right):
            return Joined("and", _inwards(left), negated(right))
        case Joined("and", left, right):
            return Joined("or", negated(left), negated(right))
        case Joined("or", left, right):
            return Joined("and", negated(left), negated(right))
        case Joined("nand", left, right):
            return Joined("and", _inwards(left), _inwards(right))
        case Joined("nor", left, right):
            return Joined("or", _inwards(left), _inwards(right))
        case Joined("xor", left, right):
            return Joined("iff", _inwards(left), _inwards(right))
        case Joined(_, left, right):
            return Joined("xor", _inwards(left), _inwards(right))


def _inwards(proposition: Proposition) -> Proposition:
    """The same, with "not" before letters alone."""
    match proposition:
        case Not(operand):
            return negated(operand)
        case Joined(operation, left, right):
            return Joined(operation, _inwards(left), _inwards(right))
        case _:
            return proposition


def full_form(proposition: Proposition, *, disjunctive: bool) -> Proposition:
    """The disjunction of the cases where it is true, or the conjunction that rules out those where it is false."""
    names = letters_of(proposition)
    rows = [tuple(case.values()) for case in cases(names) if truth(proposition, case) == disjunctive]
    return _of_rows(names, rows, disjunctive=disjunctive)


def short_form(proposition: Proposition, *, disjunctive: bool) -> Proposition:
    """A shortest such form: fewest parts, then fewest letters."""
    names = letters_of(proposition)
    rows = [tuple(case.values()) for case in cases(names) if truth(proposition, case) == disjunctive]
    return _of_rows(names, _fewest(rows), disjunctive=disjunctive)


def shortest(proposition: Proposition) -> Proposition:
    """The shortest of both forms and of one sign between two letters."""
    forms = [short_form(proposition, disjunctive=each) for each in (True, False)]
    names = letters_of(*forms)
    if len(names) == 2:
        first, second = map(Letter, names)
        for operation, (left, right) in itertools.product(
            ("implies", "iff", "xor"), ((first, second), (second, first))
        ):
            one = Joined(operation, left, right)
            if all(truth(one, case) == truth(forms[0], case) for case in cases(names)):
                forms.append(one)
    return min(forms, key=lambda each: (len(written(each).replace(" ", "")), written(each)))


def _of_rows(names: Sequence[str], rows: Sequence[_Row], *, disjunctive: bool) -> Proposition:
    inner, outer = ("and", "or") if disjunctive else ("or", "and")
    parts: list[Proposition] = []
    for row in rows:
        letters: list[Proposition] = [
            Letter(name) if value == disjunctive else Not(Letter(name))
            for name, value in zip(names, row, strict=True)
            if value is not None
        ]
        parts.append(_folded(inner, letters) if letters else Constant(disjunctive))
    return _folded(outer, parts) if parts else Constant(not disjunctive)


def _folded(operation: str, parts: Sequence[Proposition]) -> Proposition:
    made = parts[0]
    for part in parts[1:]:
        made = Joined(operation, made, part)
    return made


def _fewest(rows: Sequence[_Row]) -> list[_Row]:
    """The fewest rows with letters left out that cover the same cases."""
    primes = _primes(set(rows))
    covers = {prime: frozenset(row for row in rows if _covers(prime, row)) for prime in primes}
    ordered = sorted(primes, key=lambda prime: (sum(value is not None for value in prime), [str(v) for v in prime]))
    wanted = frozenset(rows)
    for count in range(min(len(ordered), 4) + 1):
        if len(ordered) > 24 and count > 2:
            break
        found = [
            some
            for some in itertools.combinations(ordered, count)
            if frozenset().union(*(covers[each] for each in some)) == wanted
        ]
        if found:
            return list(min(found, key=lambda some: sum(value is not None for each in some for value in each)))
    chosen: list[_Row] = []
    left = set(wanted)
    while left:
        best = max(ordered, key=lambda prime: len(covers[prime] & left))
        chosen.append(best)
        left -= covers[best]
    return chosen


def _covers(prime: _Row, row: _Row) -> bool:
    return all(value is None or value == other for value, other in zip(prime, row, strict=True))


def _primes(rows: set[_Row]) -> list[_Row]:
    found: list[_Row] = []
    while rows:
        merged: set[_Row] = set()
        used: set[_Row] = set()
        for row in rows:
            for place, value in enumerate(row):
                other = (*row[:place], not value, *row[place + 1 :])
                if value is not None and other in rows:
                    merged.add((*row[:place], None, *row[place + 1 :]))
                    used |= {row, other}
        found += [row for row in rows if row not in used]
        rows = merged
    return found
