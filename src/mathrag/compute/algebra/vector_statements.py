"""Equations between vectors of three parts in letters, `a × (b × c) = b (a·c) − c (a·b)`: written out in components,
both sides are polynomials. Where these are the same it is shown; else vectors of small whole numbers refute it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from mathrag.compute.algebra.polynomials import Terms, added, difference_of, letter_terms, product_of
from mathrag.compute.algebra.term_reader import Node, TermReader, Token, names_of, tokens_of, two_sides

# A number, or the three parts of a vector, as polynomials in the parts of the letters.
_Value: TypeAlias = Terms | tuple[Terms, Terms, Terms]

MOST_LETTERS, _LONGEST, _DEEPEST, _MOST_TERMS = 4, 200, 20, 400
_TOKEN = re.compile(
    r"\s*(?:(?P<raised>\^ ?\{? ?2 ?\}?|²)|(?P<letter>[A-Za-z])(?![A-Za-z])|(?P<number>[0-9]{1,4})"
    r"|(?P<sign>[-−+()|=×·⋅]|\\times\b|\\cdot\b|‖))"
)
_SIGNS = {"⋅": "·", "\\times": "×", "\\cdot": "·", "‖": "|"}


class UnreadVectorsError(ValueError):
    """A text that is no equation between vectors, or does not fit together."""


@dataclass(frozen=True, slots=True)
class VectorStatement:
    """Two sides that are said to be equal. `vectors` are the letters that a product of vectors needs to be such;
    `scalars` are the others."""

    left: Node
    right: Node
    vectors: tuple[str, ...]
    scalars: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VectorVerdict:
    """Whether it is shown, or the first choice of numbers for which it fails, with both sides."""

    is_shown: bool
    point: Mapping[str, tuple[int, ...]] | None = None
    left: tuple[Fraction, ...] = ()
    right: tuple[Fraction, ...] = ()


def read_vector_statement(text: str) -> VectorStatement:
    """The equation that a text is as a whole, with a product of vectors in it; raises `UnreadVectorsError`."""
    sides = two_sides(_tokens(text))
    if sides is None:
        raise UnreadVectorsError("no equation")
    left, right = (_Reader(side).whole() for side in (sides.left, sides.right))
    letters = names_of((left, right), "letter")
    vectors = _vectors_of((left, right))
    if not vectors or len(letters) > MOST_LETTERS:
        raise UnreadVectorsError("no letter stands for a vector, or there are too many letters")
    return VectorStatement(left, right, tuple(sorted(vectors)), tuple(sorted(letters - vectors)))


def judge_vectors(statement: VectorStatement) -> VectorVerdict | None:
    """Whether both sides are the same for all vectors, or where they differ; None where they are of two sorts, or too
    long."""
    try:
        left, right = (_value(side, frozenset(statement.vectors)) for side in (statement.left, statement.right))
    except UnreadVectorsError:
        return None
    # 0 may be the number or the vector.
    left, right = (
        _as_vector(one) if isinstance(other, tuple) else one for one, other in ((left, right), (right, left))
    )
    sides = [_parts(left), _parts(right)]
    if len(sides[0]) != len(sides[1]):
        return None
    if sides[0] == sides[1]:
        return VectorVerdict(is_shown=True)
    for point in _points(statement):
        values = [tuple(_at(part, point) for part in side) for side in sides]
        if values[0] != values[1]:
            return VectorVerdict(False, point, *values)
    return None


# Reading.


def _tokens(text: str) -> list[Token]:
    if len(text) > _LONGEST:
        raise UnreadVectorsError("too long")
    found, unread = tokens_of(text, _TOKEN)
    if unread:
        raise UnreadVectorsError("signs that are not read here")
    return [(kind, _SIGNS.get(said, said)) for kind, said in found]


class _Reader(TermReader):
    """Sums of products: what stands side by side first, then × and ·, from left to right."""

    def whole(self) -> Node:
        found = self.signed_products()
        if self.place != len(self.tokens):
            raise UnreadVectorsError("something is left over")
        return found

    def product(self) -> Node:
        found = self._beside()
        while self.at("×", "·"):
            kind = "cross" if self.take("×") else "dot"
            if kind == "dot":
                self.place += 1
            found = Node(kind, (found, self._beside()))
        return found

    def _beside(self) -> Node:
        found = self._raised()
        while self.place < len(self.tokens) and (
            self.tokens[self.place][0] in ("letter", "number")
            or self.at("(")
            or (self.at("|") and not self.is_within_bars)
        ):
            found = Node("times", (found, self._raised()))
        return found

    def _raised(self) -> Node:
        found = self._atom()
        if self.place < len(self.tokens) and self.tokens[self.place][0] == "raised":
            self.place += 1
            return Node("square", (found,))
        if found.kind == "length":
            raise UnreadVectorsError("a length is read as its square alone")
        return found

    def _atom(self) -> Node:
        self.depth += 1
        if self.depth > _DEEPEST or self.place >= len(self.tokens):
            raise UnreadVectorsError("too deep, or nothing where a term should be")
        kind, said = self.tokens[self.place]
        self.place += 1
        found = Node(kind, (), said)
        if (kind, said) == ("sign", "("):
            found = self.signed_products()
            self._closed(")")
        elif (kind, said) == ("sign", "|") and not self.is_within_bars:
            self.is_within_bars = True
            found = Node("length", (self.signed_products(),))
            self.is_within_bars = False
            self._closed("|")
        elif kind not in ("letter", "number"):
            raise UnreadVectorsError("a sign where a term should be")
        self.depth -= 1
        return found

    def _closed(self, sign: str) -> None:
        if not self.take(sign):
            raise UnreadVectorsError("a bracket is not closed")


def _vectors_of(sides: tuple[Node, Node]) -> set[str]:
    """The letters that must be vectors: those in products of vectors, and what is added or set equal to one."""
    found: set[str] = set()
    while True:
        before = len(found)
        for side in sides:
            _mark(side, found, is_vector=any(_is_vector(each, found) for each in sides))
        if len(found) == before:
            return found


def _mark(node: Node, found: set[str], *, is_vector: bool) -> None:
    match node.kind:
        case "letter":
            found |= {node.name} if is_vector else set()
        case "cross" | "dot" | "length":
            for part in node.parts:
                _mark(part, found, is_vector=True)
        case "sum" | "minus":
            is_one = is_vector or any(_is_vector(part, found) for part in node.parts)
            for part in node.parts:
                _mark(part, found, is_vector=is_one)
        case "times":
            for part, other in (node.parts, node.parts[::-1]):
                # Of a vector written beside something, that is a number.
                _mark(part, found, is_vector=is_vector and _is_number(other))
        case "square":
            _mark(node.parts[0], found, is_vector=False)


def _is_vector(node: Node, known: set[str]) -> bool:
    match node.kind:
        case "letter":
            return node.name in known
        case "cross":
            return True
        case "sum" | "minus" | "times":
            return any(_is_vector(part, known) for part in node.parts)
    return False


def _is_number(node: Node) -> bool:
    return node.kind in ("number", "dot", "square") or (
        node.kind in ("sum", "minus") and all(map(_is_number, node.parts))
    )


# Components.


def _value(node: Node, vectors: frozenset[str]) -> _Value:
    parts = tuple(_value(part, vectors) for part in node.parts)
    match node.kind, parts:
        case _, ():
            return _leaf(node, vectors)
        case "minus", (inner,):
            return _scaled(inner, {(): Fraction(-1)})
        case "sum", (one, other):
            return _sum(one, other)
        case "cross", (tuple() as one, tuple() as other):
            return _cross(one, other)
        case "dot", (tuple() as one, tuple() as other):
            return _dot(one, other)
        case "times", (dict() as one, other):
            return _scaled(other, one)
        case "times", (tuple() as one, dict() as other):
            return _scaled(one, other)
        case "length", (tuple() as inner,):
            return _dot(inner, inner)
        case "square", (dict() as inner,):
            # Of a length the square is what is kept.
            return inner if node.parts[0].kind == "length" else _times(inner, inner)
    raise UnreadVectorsError("numbers and vectors do not fit together")


def _leaf(node: Node, vectors: frozenset[str]) -> _Value:
    if node.kind == "number":
        return {(): Fraction(node.name)} if int(node.name) else {}
    if node.name not in vectors:
        return letter_terms(node.name)
    first, second, third = (letter_terms(f"{node.name}{place}") for place in "123")
    return first, second, third


def _times(one: Terms, other: Terms) -> Terms:
    if len(one) * len(other) > _MOST_TERMS:
        raise UnreadVectorsError("too long")
    return product_of(one, other)


def _scaled(value: _Value, factor: Terms) -> _Value:
    if isinstance(value, tuple):
        first, second, third = (_times(part, factor) for part in value)
        return first, second, third
    return _times(value, factor)


def _sum(one: _Value, other: _Value) -> _Value:
    if isinstance(one, tuple) and isinstance(other, tuple):
        first, second, third = (added(part, more) for part, more in zip(one, other, strict=True))
        return first, second, third
    if isinstance(one, dict) and isinstance(other, dict):
        return added(one, other)
    raise UnreadVectorsError("a number is added to a vector")


def _cross(one: tuple[Terms, Terms, Terms], other: tuple[Terms, Terms, Terms]) -> tuple[Terms, Terms, Terms]:
    (a, b, c), (d, e, f) = one, other
    return (
        difference_of(_times(b, f), _times(c, e)),
        difference_of(_times(c, d), _times(a, f)),
        difference_of(_times(a, e), _times(b, d)),
    )


def _dot(one: tuple[Terms, Terms, Terms], other: tuple[Terms, Terms, Terms]) -> Terms:
    total: Terms = {}
    for part, more in zip(one, other, strict=True):
        total = added(total, _times(part, more))
    return total


def _as_vector(value: _Value) -> _Value:
    return ({}, {}, {}) if value == {} else value


def _parts(value: _Value) -> tuple[Terms, ...]:
    return value if isinstance(value, tuple) else (value,)


# Counterexamples.

_CHOICES = ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (2, -1, 3))


def _points(statement: VectorStatement) -> Iterator[dict[str, tuple[int, ...]]]:
    numbers = [((2,), (3,), (-1,))] * len(statement.scalars)
    for chosen in itertools.product(*[_CHOICES] * len(statement.vectors), *numbers):
        yield dict(zip((*statement.vectors, *statement.scalars), chosen, strict=True))


def _at(terms: Terms, point: Mapping[str, tuple[int, ...]]) -> Fraction:
    total = Fraction(0)
    for monomial, value in terms.items():
        for name, power in monomial:
            parts = point[name[0]]
            value *= Fraction(parts[0] if len(name) == 1 else parts[int(name[1]) - 1]) ** power
        total += value
    return total
