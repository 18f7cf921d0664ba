"""Statements of the logic of propositions, typed or in words: read into a tree and compared case by case.

There are finitely many cases, so here trying all of them is a proof. Reads no other words.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

MOST_LETTERS = 8
_LONGEST = 300
_DEEPEST = 40
_TOKEN = re.compile(
    r"\s*(?:(?P<mark>[()])|(?P<sign>¬|~|∧|∨|⊕|↑|↓|⊤|⊥|→|⇒|↔|⇔|=>|<=>|<->|->|&&|\|\||&|\||!)"
    r"|(?P<word>if and only if|and|or|not|xor|nand|nor|implies|iff|true|false)\b|(?P<letter>[A-Za-z])(?![A-Za-z0-9_]))",
    re.IGNORECASE,
)
_NAMES = {
    **dict.fromkeys(("¬", "~", "!"), "not"),
    **dict.fromkeys(("∧", "&&", "&"), "and"),
    **dict.fromkeys(("∨", "||", "|"), "or"),
    **dict.fromkeys(("→", "⇒", "=>", "->"), "implies"),
    **dict.fromkeys(("↔", "⇔", "<=>", "<->", "if and only if"), "iff"),
    "⊕": "xor",
    "↑": "nand",
    "↓": "nor",
    "⊤": "true",
    "⊥": "false",
}
_OPERATIONS: dict[str, Callable[[bool, bool], bool]] = {
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "xor": lambda a, b: a != b,
    "nand": lambda a, b: not (a and b),
    "nor": lambda a, b: not (a or b),
    "implies": lambda a, b: not a or b,
    "iff": lambda a, b: a == b,
}
# The weakest binds last. What stands on one line without brackets must be of one kind there.
_LEVELS = (("iff",), ("implies",), ("or", "xor", "nor"), ("and", "nand"))
_ASSOCIATIVE = frozenset(("and", "or", "xor", "iff"))


@dataclass(frozen=True, slots=True)
class Letter:
    """A proposition by its letter."""

    name: str


@dataclass(frozen=True, slots=True)
class Constant:
    """What is always true, or never."""

    value: bool


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite."""

    operand: Proposition


@dataclass(frozen=True, slots=True)
class Joined:
    """Two propositions joined by an operation."""

    operation: str
    left: Proposition
    right: Proposition


Proposition: TypeAlias = Letter | Constant | Not | Joined


class UnreadLogicError(ValueError):
    """A text that is no proposition, or one of two readings."""


def read_proposition(text: str) -> Proposition:
    """The proposition that a text is as a whole."""
    reader = _Reader(_tokens(text))
    found = reader.level(0)
    if reader.place != len(reader.tokens):
        raise UnreadLogicError("something is left over")
    return found


def letters_of(*propositions: Proposition) -> tuple[str, ...]:
    """The letters in propositions, sorted."""
    return tuple(sorted({name for each in propositions for name in _letters(each)}))


def cases(names: Sequence[str]) -> Iterator[dict[str, bool]]:
    """Every way to make letters true or false, all true first."""
    for values in itertools.product((True, False), repeat=len(names)):
        yield dict(zip(names, values, strict=True))


def truth(proposition: Proposition, case: Mapping[str, bool]) -> bool:
    """Whether a proposition is true in a case."""
    match proposition:
        case Letter(name):
            return case[name]
        case Constant(value):
            return value
        case Not(operand):
            return not truth(operand, case)
        case Joined(operation, left, right):
            return _OPERATIONS[operation](truth(left, case), truth(right, case))


def _letters(proposition: Proposition) -> Iterator[str]:
    match proposition:
        case Letter(name):
            yield name
        case Not(operand):
            yield from _letters(operand)
        case Joined(_, left, right):
            yield from _letters(left)
            yield from _letters(right)


def _tokens(text: str) -> list[tuple[str, str]]:
    if len(text) > _LONGEST:
        raise UnreadLogicError("too long")
    found: list[tuple[str, str]] = []
    place, end = 0, len(text.rstrip())
    while place < end:
        match = _TOKEN.match(text, place)
        if match is None:
            raise UnreadLogicError("no sign of logic")
        place = match.end()
        kind = match.lastgroup or ""
        said = match.group(kind)
        if kind in ("sign", "word"):
            name = _NAMES.get(said.lower(), said.lower())
            found.append(("constant" if name in ("true", "false") else "operation", name))
        else:
            found.append((kind, said))
    return found


class _Reader:
    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self.tokens = tokens
        self.place = 0
        self.depth = 0

    def level(self, number: int) -> Proposition:
        if number == len(_LEVELS):
            return self.single()
        left = self.level(number + 1)
        used: list[str] = []
        while self.at("operation") and self.tokens[self.place][1] in _LEVELS[number]:
            used.append(self.tokens[self.place][1])
            self.place += 1
            left = Joined(used[-1], left, self.level(number + 1))
        if len(used) > 1 and (len(set(used)) > 1 or used[0] not in _ASSOCIATIVE):
            raise UnreadLogicError("brackets are missing")
        return left

    def at(self, kind: str, text: str = "") -> bool:
        if self.place >= len(self.tokens):
            return False
        found, said = self.tokens[self.place]
        return found == kind and (not text or said == text)

    def single(self) -> Proposition:
        self.depth += 1
        if self.depth > _DEEPEST or self.place >= len(self.tokens):
            raise UnreadLogicError("something is missing")
        kind, said = self.tokens[self.place]
        self.place += 1
        made: Proposition
        if kind == "letter":
            made = Letter(said)
        elif kind == "constant":
            made = Constant(said == "true")
        elif (kind, said) == ("operation", "not"):
            made = Not(self.single())
        elif (kind, said) == ("mark", "("):
            made = self.level(0)
            if not self.at("mark", ")"):
                raise UnreadLogicError("a bracket is missing")
            self.place += 1
        else:
            raise UnreadLogicError("an operand is missing")
        self.depth -= 1
        return made


def are_same(left: Proposition, right: Proposition) -> bool:
    """Whether two propositions are true in the same cases."""
    return all(truth(left, case) == truth(right, case) for case in cases(letters_of(left, right)))
