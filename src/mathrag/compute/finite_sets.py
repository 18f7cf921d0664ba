"""Sets written out, {1, 2, 3}: read, joined, listed. Elements are numbers, letters, words, pairs and sets; strict."""

from __future__ import annotations

import itertools
import re
from fractions import Fraction
from typing import TypeAlias

from mathrag.compute.logic import UnreadLogicError

_LONGEST = 400
_DEEPEST = 12
MOST_ELEMENTS = 4_096
_TOKEN = re.compile(r"\s*([{}(),]|∅|𝒫|[∪∩∖△×−\\]|-?\d{1,15}(?:\.\d{1,9}|/\d{1,9})?|[A-Za-z]\w{0,15})")
_SIGNS = frozenset("∪∩∖△×")

Element: TypeAlias = "str | tuple[Element, ...] | frozenset[Element]"
FiniteSet: TypeAlias = "frozenset[Element]"


def read_finite_set(text: str) -> FiniteSet:
    """The set that a text of written sets and operations comes to; raises `UnreadLogicError`."""
    if len(text) > _LONGEST:
        raise UnreadLogicError("too long")
    tokens: list[str] = []
    place, end = 0, len(text.rstrip())
    while place < end:
        match = _TOKEN.match(text, place)
        if match is None:
            raise UnreadLogicError("no set written out")
        tokens.append("∖" if match[1] in "−\\" else match[1])
        place = match.end()
    if any("." in one for one in tokens) and any("/" in one for one in tokens):
        raise UnreadLogicError("fractions beside decimals")
    reader = _Reader([_number(one) for one in tokens])
    found = reader.joined()
    if reader.place != len(tokens):
        raise UnreadLogicError("something is left over")
    return found


def read_element(text: str) -> Element:
    """An element as it would stand between braces."""
    made = read_finite_set("{" + text + "}")
    if len(made) != 1:
        raise UnreadLogicError("not one element")
    return next(iter(made))


def _number(token: str) -> str:
    """Numbers of one value in one spelling."""
    if not re.fullmatch(r"-?\d.*", token):
        return token
    over, _, under = token.partition("/")
    if under and not int(under):
        raise UnreadLogicError("a fraction over zero")
    value = Fraction(over) / int(under or 1)
    return str(value) if "." not in token or value.denominator == 1 else token.rstrip("0")


def power_set(members: FiniteSet) -> FiniteSet:
    """All subsets."""
    if 2 ** len(members) > MOST_ELEMENTS:
        raise UnreadLogicError("too many subsets")
    ordered = in_order(members)
    return frozenset(
        frozenset(some) for size in range(len(ordered) + 1) for some in itertools.combinations(ordered, size)
    )


def in_order(members: FiniteSet) -> list[Element]:
    """The elements in an order for people: numbers by size, then letters, then pairs, then sets by size."""
    return sorted(members, key=_rank)


def shown(element: Element) -> str:
    """An element or a set as it is written."""
    if isinstance(element, frozenset):
        return "∅" if not element else "{" + ", ".join(map(shown, in_order(element))) + "}"
    if isinstance(element, tuple):
        return "(" + ", ".join(map(shown, element)) + ")"
    return element


def _rank(element: Element) -> tuple[int, float, tuple[object, ...], str]:
    if isinstance(element, frozenset):
        return (3, len(element), tuple(map(shown, in_order(element))), "")
    if isinstance(element, tuple):
        return (2, 0.0, tuple(map(_rank, element)), "")
    number = re.fullmatch(r"(-?\d+(?:\.\d+)?)(?:/(\d+))?", element)
    if number is None:
        return (1, 0.0, (), element)
    return (0, float(number[1]) / float(number[2] or 1), (), element)


class _Reader:
    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.place = 0
        self.depth = 0

    def at(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self, sign: str) -> None:
        if self.at() != sign:
            raise UnreadLogicError(f"{sign} is missing")
        self.place += 1

    def joined(self) -> FiniteSet:
        left = self.single()
        used: list[str] = []
        while self.at() and self.at() in _SIGNS:
            used.append(self.at())
            self.place += 1
            left = _combined(used[-1], left, self.single())
        if len(set(used)) > 1 or used.count("∖") > 1 or used.count("×") > 1:
            raise UnreadLogicError("brackets are missing")
        return left

    def single(self) -> FiniteSet:
        self.depth += 1
        one = self.at()
        self.place += 1
        if self.depth > _DEEPEST:
            raise UnreadLogicError("too deep")
        made: FiniteSet
        if one == "∅":
            made = frozenset()
        elif one == "{":
            made = self.braces()
        elif one in ("𝒫", "P"):
            self.take("(")
            made = power_set(self.joined())
            self.take(")")
        elif one == "(":
            made = self.joined()
            self.take(")")
        else:
            raise UnreadLogicError("no set written out")
        self.depth -= 1
        return made

    def braces(self) -> FiniteSet:
        found: list[Element] = []
        while self.at() != "}":
            if found:
                self.take(",")
            found.append(self.element())
        self.place += 1
        return frozenset(found)

    def element(self) -> Element:
        one = self.at()
        if one in ("{", "∅", "𝒫"):
            return self.single()
        self.place += 1
        if one == "(":
            parts = [self.element()]
            while self.at() == ",":
                self.place += 1
                parts.append(self.element())
            self.take(")")
            return tuple(parts) if len(parts) > 1 else parts[0]
        if not one or not (one[0].isalnum() or one[0] == "-"):
            raise UnreadLogicError("an element is missing")
        return one


def _combined(sign: str, left: FiniteSet, right: FiniteSet) -> FiniteSet:
    if sign == "×":
        if len(left) * len(right) > MOST_ELEMENTS:
            raise UnreadLogicError("too many pairs")
        return frozenset((first, second) for first in left for second in right)
    return {"∪": left | right, "∩": left & right, "∖": left - right, "△": left ^ right}[sign]
