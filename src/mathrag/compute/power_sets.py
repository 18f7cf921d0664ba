"""Statements on power sets: `𝒫(A ∩ B) = 𝒫(A) ∩ 𝒫(B)`, decided exactly.

Whether a set X is in 𝒫(T) is told by the kinds of its elements (in which of the sets each lies): it is where all lie
in T. So X may be taken as a set of kinds, there are finitely many of those, and trying all of them is a proof.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass

from mathrag.compute.algebra.term_reader import Node, walk
from mathrag.compute.logic import Proposition, UnreadLogicError, cases, letters_of, truth
from mathrag.compute.set_algebra import read_set

_MOST_LETTERS = 3
_DEEPEST = 20
_SIGNS = {"∪": "union", "∩": "intersection", "∖": "difference", "\\": "difference"}


@dataclass(frozen=True, slots=True)
class PowerStatement:
    """Two terms of power sets and `=` or `⊆` between them; `sets` are the sets in them, by the names of their nodes."""

    left: Node
    right: Node
    sign: str
    sets: Mapping[str, Proposition]

    @property
    def names(self) -> tuple[str, ...]:
        """The letters of the sets."""
        return letters_of(*self.sets.values())


def read_power_statement(text: str) -> PowerStatement:
    """The statement that a text is as a whole; raises `UnreadLogicError`."""
    relations = re.findall("[=⊆⊇⊂⊃]", text)
    if len(relations) != 1 or len(text) > 200:
        raise UnreadLogicError("no statement on power sets")
    sets: dict[str, Proposition] = {}
    left, right = (_Reader(side.strip(), sets).whole() for side in re.split("[=⊆⊇⊂⊃]", text))
    if relations[0] in "⊇⊃":
        left, right = right, left
    made = PowerStatement(left, right, "=" if relations[0] == "=" else "⊆", sets)
    if not sets or len(made.names) > _MOST_LETTERS:
        raise UnreadLogicError("no power set, or too many letters")
    return made


class _Reader:
    def __init__(self, text: str, sets: dict[str, Proposition]) -> None:
        self.text = text
        self.sets = sets
        self.place = 0
        self.depth = 0

    def whole(self) -> Node:
        found = self.joined()
        if self.text[self.place :].strip():
            raise UnreadLogicError("something is left over")
        return found

    def at(self) -> str:
        while self.place < len(self.text) and self.text[self.place] == " ":
            self.place += 1
        return self.text[self.place] if self.place < len(self.text) else ""

    def joined(self) -> Node:
        left, used = self.single(), ""
        while self.at() in _SIGNS:
            sign = _SIGNS[self.at()]
            if used and (sign != used or sign == "difference"):
                raise UnreadLogicError("brackets are missing")
            used = sign
            self.place += 1
            left = Node(sign, (left, self.single()))
        return left

    def single(self) -> Node:
        self.depth += 1
        one = self.at()
        if self.depth > _DEEPEST or one not in ("𝒫", "("):
            raise UnreadLogicError("no power set")
        if one == "(":
            self.place += 1
            made = self.joined()
            if self.at() != ")":
                raise UnreadLogicError("a bracket is missing")
            self.place += 1
        else:
            self.place += 1
            made = self.power_set()
        self.depth -= 1
        return made

    def power_set(self) -> Node:
        if self.at() != "(":
            raise UnreadLogicError("a bracket is missing")
        depth, start = 0, self.place
        for place in range(start, len(self.text)):
            depth += (self.text[place] == "(") - (self.text[place] == ")")
            if not depth:
                inside = self.text[start + 1 : place]
                made, is_of_pairs = read_set(inside)
                if is_of_pairs:
                    raise UnreadLogicError("a set of pairs")
                self.sets[inside] = made
                self.place = place + 1
                return Node("power", (), inside)
        raise UnreadLogicError("a bracket is missing")


def _is_in(term: Node, kinds: tuple[Mapping[str, bool], ...], sets: Mapping[str, Proposition]) -> bool:
    if term.kind == "power":
        return all(truth(sets[term.name], kind) for kind in kinds)
    first, second = (_is_in(part, kinds, sets) for part in term.parts)
    match term.kind:
        case "union":
            return first or second
        case "intersection":
            return first and second
    return first and not second


@dataclass(frozen=True, slots=True)
class PowerTrial:
    """How many sets of kinds were tried, and the first that is on one side only, with whether that is the left one."""

    tried: int
    counterexample: tuple[tuple[Mapping[str, bool], ...], bool] | None = None


def try_power_sets(statement: PowerStatement, given: Proposition | None = None) -> PowerTrial:
    """Try all sets of kinds of elements; `given` is what is true of every element."""
    kinds = [case for case in cases(statement.names) if given is None or truth(given, case)]
    tried = 0
    for count in range(len(kinds) + 1):
        for chosen in itertools.combinations(kinds, count):
            tried += 1
            left, right = (_is_in(side, chosen, statement.sets) for side in (statement.left, statement.right))
            if left != right and (statement.sign == "=" or left):
                return PowerTrial(tried, (chosen, left))
    return PowerTrial(tried)


def plain_sides(statement: PowerStatement) -> tuple[Proposition, Proposition] | None:
    """The two sets, where a statement is on the power set of each: it says of them what it says of their power sets."""
    if any(node.kind != "power" for side in (statement.left, statement.right) for node in walk(side)):
        return None
    return statement.sets[statement.left.name], statement.sets[statement.right.name]
