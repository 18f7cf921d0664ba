"""What readers of small languages of terms share: the tree they make, and sums of signed products. Each language has
its own signs, products and words for what it does not read."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

# A token: its kind ("sign", "letter", "number", …) and what is written.
Token: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Node:
    """A letter, a number, a constant, or an operation on others: `sum`, `minus`, `product`, … or a function by name."""

    kind: str
    parts: tuple[Node, ...] = ()
    name: str = ""


def tokens_of(text: str, pattern: re.Pattern[str]) -> tuple[list[Token], str]:
    """The tokens of a text, each of the kind of the group that matched, and what of the text is none."""
    found: list[Token] = []
    place, end = 0, len(text.rstrip())
    while place < end:
        match = pattern.match(text, place)
        if match is None:
            return found, text[place:].strip()
        place = match.end()
        kind = match.lastgroup or ""
        found.append((kind, match[kind].replace("−", "-")))
    return found, ""


def walk(node: Node) -> Iterator[Node]:
    """A term and all terms in it."""
    yield node
    for part in node.parts:
        yield from walk(part)


def names_of(sides: Sequence[Node], kind: str) -> set[str]:
    """The names of all terms of a kind."""
    return {node.name for side in sides for node in walk(side) if node.kind == kind}


class Sides(NamedTuple):
    """What stands on either side of a relation, and its sign."""

    left: list[Token]
    sign: str
    right: list[Token]


def two_sides(tokens: list[Token], relations: Collection[str] = ("=",)) -> Sides | None:
    """The sides of the only relation; None where there is not one."""
    places = [place for place, (kind, said) in enumerate(tokens) if kind == "sign" and said in relations]
    if len(places) != 1:
        return None
    return Sides(tokens[: places[0]], tokens[places[0]][1], tokens[places[0] + 1 :])


class TermReader(ABC):
    """Reads tokens from left to right; a language says what a product is."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.place = 0
        self.depth = 0
        self.is_within_bars = False

    @abstractmethod
    def product(self) -> Node:
        """The product that begins here."""

    def at(self, *signs: str) -> bool:
        """Whether one of the signs stands here."""
        return self.place < len(self.tokens) and self.tokens[self.place] in {("sign", sign) for sign in signs}

    def take(self, sign: str) -> bool:
        """Pass over a sign if it stands here."""
        is_there = self.at(sign)
        self.place += is_there
        return is_there

    def signed_products(self) -> Node:
        """Products that are added and subtracted."""
        is_negative = self.take("-")
        found = self.product()
        found = Node("minus", (found,)) if is_negative else found
        while self.at("+", "-"):
            is_negative = self.at("-")
            self.place += 1
            part = self.product()
            found = Node("sum", (found, Node("minus", (part,)) if is_negative else part))
        return found
