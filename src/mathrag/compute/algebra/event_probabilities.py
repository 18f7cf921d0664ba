"""Equations and inequalities between probabilities of events, decided: `P(A ∪ B) = P(A) + P(B) − P(A ∩ B)`.

Every way in which a point may lie in the events or not is an atom with a probability of its own: each P(…) is a sum of
atoms and a conditional one a quotient. Such an equation is an identity of quotients of polynomials, or fails at small
probabilities, which are tried. Knows no words.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

Relation: TypeAlias = Literal["any", "disjoint", "independent"]
# A set expression as the atoms that lie in it, and a term of probabilities.
Atoms: TypeAlias = frozenset[int]
Node: TypeAlias = tuple[str, "tuple[Node, ...] | Fraction | tuple[Atoms, Atoms | None]"]
Monomial: TypeAlias = tuple[int, ...]
Polynomial: TypeAlias = dict[Monomial, Fraction]

_LONGEST = 160
_MOST_EVENTS = 3
_MOST_MONOMIALS = 4_000
_TOKEN = re.compile(r"\s*(?:([0-9]+(?:/[0-9]+)?)|(P)\s*(?=[(\[{])|([A-Z])(?![A-Za-z])|([()\[\]{}|∪∩∖'ᶜ¬+*·/−-]|\\))")
_OPEN, _CLOSE = "([{", ")]}"


class UnreadEventsError(ValueError):
    """A text that is no term of probabilities."""


@dataclass(frozen=True, slots=True)
class EventStatement:
    """Two terms of probabilities with the sign between them: `=`, `<=`, `>=`, `<`, `>`."""

    left: Node
    sign: str
    right: Node
    events: tuple[str, ...]


def read_events(left: str, sign: str, right: str) -> EventStatement:
    """The statement that two texts with a sign between them make; raises `UnreadEventsError`."""
    tokens = _tokens(left), _tokens(right)
    events = tuple(sorted({one for side in tokens for one in side if _is_event(one)}))
    if not 1 <= len(events) <= _MOST_EVENTS or not any("P" in side for side in tokens):
        raise UnreadEventsError("no events, or too many")
    return EventStatement(_Reader(tokens[0], events).whole(), sign, _Reader(tokens[1], events).whole(), events)


def _is_event(sign: str) -> bool:
    return len(sign) == 1 and sign.isascii() and sign.isupper() and sign != "P"


def _tokens(text: str) -> list[str]:
    if len(text) > _LONGEST:
        raise UnreadEventsError("too long")
    found, place = [], 0
    text = text.rstrip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise UnreadEventsError("an unknown sign")
        found.append(next(filter(None, match.groups())))
        place = match.end()
    return found


class _Reader:
    def __init__(self, tokens: list[str], events: Sequence[str]) -> None:
        self.tokens, self.place, self.events = tokens, 0, events
        self.every = frozenset(range(2 ** len(events)))

    def peek(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self, *wanted: str) -> str:
        token = self.peek()
        if not token or (wanted and token not in wanted):
            raise UnreadEventsError("something else was expected")
        self.place += 1
        return token

    def whole(self) -> Node:
        node = self.sum()
        if self.peek():
            raise UnreadEventsError("something is left over")
        return node

    def sum(self) -> Node:
        node = self.product()
        while self.peek() in ("+", "-", "−"):
            sign = self.take()
            node = ("+" if sign == "+" else "-", (node, self.product()))
        return node

    def product(self) -> Node:
        node = self.single()
        while self.peek() in ("*", "·", "/", "P", "(", "["):
            sign = self.take() if self.peek() in "*·/" else "*"
            node = ("/" if sign == "/" else "*", (node, self.single()))
        return node

    def single(self) -> Node:
        sign = self.take()
        if sign[0].isdigit():
            return ("number", Fraction(sign))
        if sign == "P":
            return self.probability()
        if sign in ("(", "["):
            node = self.sum()
            self.take(")", "]")
            return node
        raise UnreadEventsError("no term of probabilities")

    def probability(self) -> Node:
        self.take(*_OPEN)
        event = self.union()
        given = None
        if self.peek() == "|":
            self.take()
            given = self.union()
        self.take(*_CLOSE)
        return ("P", (event, given))

    def union(self) -> Atoms:
        # One sign only without brackets: which comes first is written differently.
        atoms, used = self.event(), ""
        while self.peek() and self.peek() in "∪∩∖\\":
            sign = self.take()
            if used and sign != used:
                raise UnreadEventsError("brackets are missing")
            used, other = sign, self.event()
            atoms = atoms | other if sign == "∪" else atoms & other if sign == "∩" else atoms - other
        return atoms

    def event(self) -> Atoms:
        sign = self.take()
        if sign == "¬":
            return self.every - self.event()
        if sign in _OPEN:
            atoms = self.union()
            self.take(*_CLOSE)
        elif sign in self.events:
            bit = self.events.index(sign)
            atoms = frozenset(atom for atom in self.every if atom >> bit & 1)
        else:
            raise UnreadEventsError("no event")
        while self.peek() and self.peek() in "'ᶜ":
            self.take()
            atoms = self.every - atoms
        return atoms


# Deciding.


def is_identity(statement: EventStatement, relation: Relation = "any") -> bool:
    """Whether both sides are equal wherever they exist, as quotients of polynomials."""
    atoms = _symbolic(len(statement.events), relation)
    try:
        left, right = _quotient(statement.left, atoms), _quotient(statement.right, atoms)
        if not left[1] or not right[1]:
            return False
        return _times(left[0], right[1]) == _times(right[0], left[1])
    except OverflowError:
        return False


def is_monotone(statement: EventStatement) -> bool:
    """Whether one side exceeds the other by a sum of atoms, so that the inequality holds always."""
    if statement.sign not in ("<=", ">="):
        return False
    count = 2 ** len(statement.events)
    weights = []
    for atom in range(count):
        at = {each: Fraction(each == atom) for each in range(count)}
        left, right = _value(statement.left, at), _value(statement.right, at)
        if left is None or right is None or not _is_linear(statement.left) or not _is_linear(statement.right):
            return False
        weights.append(right - left if statement.sign == "<=" else left - right)
    return all(weight >= 0 for weight in weights)


def counterexample(
    statement: EventStatement, relation: Relation = "any"
) -> tuple[dict[int, Fraction], Fraction, Fraction] | None:
    """Probabilities of the atoms at which it fails, with the values of both sides."""
    for at in _tried(len(statement.events), relation):
        left, right = _value(statement.left, at), _value(statement.right, at)
        if left is not None and right is not None and not _holds(left, statement.sign, right):
            return dict(at), left, right
    return None


def _holds(left: Fraction, sign: str, right: Fraction) -> bool:
    return {"=": left == right, "<=": left <= right, ">=": left >= right, "<": left < right, ">": left > right}[sign]


def _tried(count: int, relation: Relation) -> Iterator[Mapping[int, Fraction]]:
    """Small probabilities: eighths for two events, of the events themselves where they are independent."""
    size = 2**count
    if relation == "independent":
        for chances in itertools.product((Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)), repeat=count):
            yield {atom: _product_chance(atom, chances) for atom in range(size)}
        return
    parts = 6 if count <= 2 else 4
    for shares in itertools.product(range(parts + 1), repeat=size - 1):
        if sum(shares) > parts:
            continue
        # The atom outside all events gets what is left.
        at = dict(enumerate(Fraction(share, parts) for share in (parts - sum(shares), *shares)))
        if relation == "disjoint" and any(at[atom] for atom in at if atom.bit_count() > 1):
            continue
        yield at


def _product_chance(atom: int, chances: Sequence[Fraction]) -> Fraction:
    result = Fraction(1)
    for bit, chance in enumerate(chances):
        result *= chance if atom >> bit & 1 else 1 - chance
    return result


def _value(node: Node, at: Mapping[int, Fraction]) -> Fraction | None:
    kind, body = node
    if kind == "number":
        assert isinstance(body, Fraction)
        return body
    if kind == "P":
        event, given = body  # type: ignore[misc]
        return _chance(event, given, at)  # type: ignore[arg-type]
    left, right = (_value(each, at) for each in body)  # type: ignore[union-attr, arg-type]
    if left is None or right is None or (kind == "/" and right == 0):
        return None
    return {"+": left + right, "-": left - right, "*": left * right}[kind] if kind != "/" else left / right


def _chance(event: Atoms, given: Atoms | None, at: Mapping[int, Fraction]) -> Fraction | None:
    if given is None:
        return sum((at[atom] for atom in event), Fraction(0))
    under = sum((at[atom] for atom in given), Fraction(0))
    return sum((at[atom] for atom in event & given), Fraction(0)) / under if under else None


def _is_linear(node: Node) -> bool:
    kind, body = node
    if kind in ("P", "number"):
        # A number is so many times the sum of all atoms.
        return kind == "number" or body[1] is None  # type: ignore[index]
    return kind in ("+", "-") and all(_is_linear(each) for each in body)  # type: ignore[union-attr, arg-type]


# Polynomials in the free probabilities.


def _symbolic(count: int, relation: Relation) -> list[Polynomial]:
    """Each atom as a polynomial: in probabilities of its own, or of the events where these are independent."""
    size = 2**count
    if relation == "independent":
        found = []
        for atom in range(size):
            made: Polynomial = {(): Fraction(1)}
            for bit in range(count):
                chance: Polynomial = {(bit,): Fraction(1)}
                made = _times(made, chance if atom >> bit & 1 else _plus({(): Fraction(1)}, chance, -1))
            found.append(made)
        return found
    free = [atom for atom in range(1, size) if relation != "disjoint" or atom.bit_count() == 1]
    single: dict[int, Polynomial] = {atom: {(atom,): Fraction(1)} for atom in free}
    outside: Polynomial = {(): Fraction(1)} | {(atom,): Fraction(-1) for atom in free}
    return [outside, *(single.get(atom, {}) for atom in range(1, size))]


def _quotient(node: Node, atoms: Sequence[Polynomial]) -> tuple[Polynomial, Polynomial]:
    kind, body = node
    one: Polynomial = {(): Fraction(1)}
    if kind == "number":
        return ({(): body} if body else {}), one  # type: ignore[dict-item]
    if kind == "P":
        event, given = body  # type: ignore[misc]
        if given is None:
            return _total(event, atoms), one  # type: ignore[arg-type]
        return _total(event & given, atoms), _total(given, atoms)  # type: ignore[operator, arg-type]
    (left, under_left), (right, under_right) = (_quotient(each, atoms) for each in body)  # type: ignore[union-attr, arg-type]
    if kind == "*":
        return _times(left, right), _times(under_left, under_right)
    if kind == "/":
        return _times(left, under_right), _times(under_left, right)
    sign = 1 if kind == "+" else -1
    return _plus(_times(left, under_right), _times(right, under_left), sign), _times(under_left, under_right)


def _total(event: Atoms, atoms: Sequence[Polynomial]) -> Polynomial:
    found: Polynomial = {}
    for atom in event:
        found = _plus(found, atoms[atom], 1)
    return found


def _plus(first: Polynomial, second: Polynomial, sign: int) -> Polynomial:
    found = dict(first)
    for monomial, factor in second.items():
        found[monomial] = found.get(monomial, Fraction(0)) + sign * factor
    return {monomial: factor for monomial, factor in found.items() if factor}


def _times(first: Polynomial, second: Polynomial) -> Polynomial:
    if len(first) * len(second) > _MOST_MONOMIALS:
        raise OverflowError
    found: Polynomial = {}
    for (one, factor), (other, by) in itertools.product(first.items(), second.items()):
        monomial = tuple(sorted(one + other))
        found[monomial] = found.get(monomial, Fraction(0)) + factor * by
    return {monomial: factor for monomial, factor in found.items() if factor}
