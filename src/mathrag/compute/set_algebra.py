"""Statements on sets, typed: read into propositions on whether one element lies in each, so that trying every case is a
proof. Reads `∪ ∩ ∖ △ ×`, complements, ∅, brackets and relations, with premises ("if … then …"); where signs differ,
brackets are needed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mathrag.compute.logic import Constant, Joined, Letter, Not, Proposition, UnreadLogicError

_LONGEST = 300
_DEEPEST = 40
_TOKEN = re.compile(r"\s*(?P<one>[A-Z](?![A-Za-z0-9_])|[()∪∩∖−\\△×∁∅'ᶜ=⊆⊇⊂⊃⊊⊋]|\^ ?c\b|\^\{ ?c ?\})")
_OPERATIONS = {"∪": "or", "∩": "and", "△": "xor"}
_BETWEEN = frozenset("∪∩∖△×")
# Each relation, turned so that the first set lies within the second.
_TURNED = {"⊇": "⊆", "⊃": "⊂", "⊋": "⊊"}
_RELATIONS = frozenset("=⊆⊂⊊") | _TURNED.keys()
# The letter of the universe, and the parts of a pair behind the letters of sets.
UNIVERSE = "U"
FIRST, SECOND = "₁", "₂"


@dataclass(frozen=True, slots=True)
class SetStatement:
    """Two sets and the sign between them: `=`, `⊆` (the first within the second), `⊊` (and smaller), `⊂` (either)."""

    left: Proposition
    right: Proposition
    sign: str


@dataclass(frozen=True, slots=True)
class SetClaim:
    """What is said to follow from premises, or from nothing; `both_ways`: and they from it."""

    premises: tuple[SetStatement, ...]
    conclusions: tuple[SetStatement, ...]
    both_ways: bool = False


class _Made(NamedTuple):
    """When an element lies in a set; `parts` is 2 for a set of pairs, 0 for one of either."""

    inside: Proposition
    parts: int


def read_set_statement(text: str) -> SetStatement:
    """The statement that a text is as a whole, with an operation in it; raises `UnreadLogicError`."""
    if not any(one in "∪∩∖△∁'" for one in _tokens(text)):
        raise UnreadLogicError("no operation on sets")
    statement = read_relation(text)
    if statement.sign in "⊂⊊":
        raise UnreadLogicError("people write this sign for two things")
    return statement


def read_relation(text: str, *, universe: bool = False) -> SetStatement:
    """Two sets with one relation between them; `universe`: U is everything, no set among others."""
    tokens = _tokens(text)
    places = [place for place, one in enumerate(tokens) if one in _RELATIONS]
    if len(places) != 1:
        raise UnreadLogicError("no statement on sets")
    sign = tokens[places[0]]
    sides = [_Reader(part, universe).whole() for part in (tokens[: places[0]], tokens[places[0] + 1 :])]
    if {side.parts for side in sides} == {1, 2}:
        raise UnreadLogicError("a set of pairs beside a set of elements")
    if sign in _TURNED:
        sides.reverse()
    return SetStatement(sides[0].inside, sides[1].inside, _TURNED.get(sign, sign))


def read_set(text: str, *, universe: bool = False) -> tuple[Proposition, bool]:
    """When an element lies in a set, and whether it is one of pairs."""
    made = _Reader(_tokens(text), universe).whole()
    return made.inside, made.parts == 2


def relation_places(text: str) -> list[int]:
    """Where the relations of a text stand."""
    return [place for place, one in enumerate(text) if one in _RELATIONS]


def states(statement: SetStatement) -> Proposition:
    """What a statement says of each element."""
    return Joined("iff" if statement.sign == "=" else "implies", statement.left, statement.right)


def joined(statements: Sequence[SetStatement]) -> Proposition:
    """What several statements say of each element."""
    made: Proposition = Constant(True)
    for one in statements:
        made = states(one) if made == Constant(True) else Joined("and", made, states(one))
    return made


def _tokens(text: str) -> list[str]:
    if len(text) > _LONGEST:
        raise UnreadLogicError("too long")
    found: list[str] = []
    place, end = 0, len(text.rstrip())
    while place < end:
        match = _TOKEN.match(text, place)
        if match is None:
            raise UnreadLogicError("no sign of sets")
        place = match.end()
        one = match["one"]
        found.append("'" if one[0] in "^ᶜ" else "∖" if one in "\\−" else one)
    return found


class _Reader:
    def __init__(self, tokens: list[str], universe: bool) -> None:
        self.tokens = tokens
        self.universe = universe
        self.place = 0
        self.depth = 0

    def whole(self) -> _Made:
        found = self.joined()
        if self.place != len(self.tokens):
            raise UnreadLogicError("something is left over")
        return found

    def joined(self) -> _Made:
        left = self.single()
        used: list[str] = []
        while self.place < len(self.tokens) and self.tokens[self.place] in _BETWEEN:
            used.append(self.tokens[self.place])
            self.place += 1
            left = _combined(used[-1], left, self.single())
        if len(set(used)) > 1 or used.count("∖") > 1:
            raise UnreadLogicError("brackets are missing")
        return left

    def single(self) -> _Made:
        self.depth += 1
        if self.depth > _DEEPEST or self.place >= len(self.tokens):
            raise UnreadLogicError("something is missing")
        one = self.tokens[self.place]
        self.place += 1
        made: _Made
        if one.isalpha():
            is_all = self.universe and one == UNIVERSE
            made = _Made(Constant(True) if is_all else Letter(one), 1)
        elif one == "∅":
            made = _Made(Constant(False), 0)
        elif one == "∁":
            made = _complement(self.single())
        elif one == "(":
            made = self.joined()
            if self.place >= len(self.tokens) or self.tokens[self.place] != ")":
                raise UnreadLogicError("a bracket is missing")
            self.place += 1
        else:
            raise UnreadLogicError("a set is missing")
        while self.place < len(self.tokens) and self.tokens[self.place] == "'":
            made = _complement(made)
            self.place += 1
        self.depth -= 1
        return made


def _complement(made: _Made) -> _Made:
    if made.parts == 2:
        raise UnreadLogicError("within which set of pairs, it does not say")
    return _Made(Not(made.inside), 1)


def _combined(sign: str, left: _Made, right: _Made) -> _Made:
    if sign == "×":
        if 2 in (left.parts, right.parts):
            raise UnreadLogicError("pairs of pairs")
        return _Made(Joined("and", of_part(left.inside, FIRST), of_part(right.inside, SECOND)), 2)
    if {left.parts, right.parts} == {1, 2}:
        raise UnreadLogicError("a set of pairs beside a set of elements")
    parts = max(left.parts, right.parts)
    if sign == "∖":
        return _Made(Joined("and", left.inside, Not(right.inside)), parts)
    return _Made(Joined(_OPERATIONS[sign], left.inside, right.inside), parts)


def of_part(proposition: Proposition, part: str) -> Proposition:
    """A statement on an element as one on a part of a pair."""
    match proposition:
        case Letter(name):
            return Letter(name + part)
        case Constant():
            return proposition
        case Not(operand):
            return Not(of_part(operand, part))
        case Joined(operation, left, right):
            return Joined(operation, of_part(left, part), of_part(right, part))
