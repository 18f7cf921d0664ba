"""Equations between expected values, variances and covariances, `Var(aX + b) = a² Var X`: shown by the linearity of the
expected value, or refuted with a few equally likely values.

Capital letters are random variables with finite second moments, small ones are constants. Each side becomes a
polynomial in the constants and in the moments E(X), E(XY), …; equal sides have the same one.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from mathrag.compute.algebra.polynomials import Monomial, Terms, added, product_of
from mathrag.compute.algebra.term_reader import Node, TermReader, Token, names_of, tokens_of, two_sides

Relation: TypeAlias = Literal["any", "uncorrelated", "independent"]

_LONGEST, _DEEPEST, _MOST_TERMS, _HIGHEST_POWER = 200, 20, 60, 4
_MOST_LETTERS = 3
_TOKEN = re.compile(
    r"\s*(?:(?P<function>E|Var|var|VAR|Cov|cov|V)(?=\s*[\[({])|(?P<bare>E|Var|Cov)(?=\s+[A-Z](?![A-Za-z(\[]))"
    r"|(?P<random>[A-Z])(?![a-z])|(?P<constant>[a-z])(?![a-z]{2})|(?P<number>[0-9]{1,6})"
    r"|(?P<raised>\^ ?\{? ?[2-4]\}?|[²³])|(?P<sign>[-−+*·/()\[\]{}=,]))"
)
_OPENERS = {"(": ")", "[": "]", "{": "}"}
_FUNCTIONS = {"e": "expected", "var": "variance", "v": "variance", "cov": "covariance"}


class UnreadExpectationError(ValueError):
    """A text that is no equation between expected values."""


class _NoMomentsError(ValueError):
    """What is no polynomial in moments."""


@dataclass(frozen=True, slots=True)
class ExpectationStatement:
    """Two sides that are said to be equal, with the random variables and the constants in them."""

    left: Node
    right: Node
    randoms: tuple[str, ...]
    constants: tuple[str, ...]


def read_expectations(text: str) -> ExpectationStatement:
    """The equation that a text is as a whole; raises `UnreadExpectationError`."""
    if len(text) > _LONGEST:
        raise UnreadExpectationError
    sides = two_sides(_tokens(text))
    if sides is None:
        raise UnreadExpectationError
    left, right = (_Reader(side).whole() for side in (sides.left, sides.right))
    both = (left, right)
    kinds = {node for kind in _FUNCTIONS.values() for node in names_of(both, kind)}
    if any(map(_is_random, both)):
        # A random variable itself on a side: such letters may be quantities.
        raise UnreadExpectationError
    if not kinds or len(names_of(both, "random")) > _MOST_LETTERS:
        raise UnreadExpectationError
    return ExpectationStatement(
        left, right, tuple(sorted(names_of(both, "random"))), tuple(sorted(names_of(both, "constant")))
    )


def _is_random(node: Node) -> bool:
    """Whether a random variable stands outside of all expected values."""
    if node.kind in _FUNCTIONS.values():
        return False
    return node.kind == "random" or any(map(_is_random, node.parts))


def _tokens(text: str) -> list[Token]:
    found, unread = tokens_of(text, _TOKEN)
    if unread:
        raise UnreadExpectationError
    return found


class _Reader(TermReader):
    def whole(self) -> Node:
        found = self.sum()
        if self.place != len(self.tokens):
            raise UnreadExpectationError
        return found

    def sum(self) -> Node:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise UnreadExpectationError
        found = self.signed_products()
        self.depth -= 1
        return found

    def product(self) -> Node:
        found = self.raised()
        while self.place < len(self.tokens) and not self.at("+", "-", ")", "]", "}", ",", "="):
            if self.take("/"):
                found = Node("quotient", (found, self.raised()))
                continue
            self.place += self.at("*", "·")
            found = Node("product", (found, self.raised()))
        return found

    def raised(self) -> Node:
        found = self.single()
        while self.place < len(self.tokens) and self.tokens[self.place][0] == "raised":
            said = self.tokens[self.place][1]
            count = {"²": 2, "³": 3}.get(said) or int(said.strip("^ {}"))
            self.place += 1
            made = found
            for _ in range(count - 1):
                made = Node("product", (made, found))
            found = made
        return found

    def single(self) -> Node:
        if self.place >= len(self.tokens):
            raise UnreadExpectationError
        kind, said = self.tokens[self.place]
        self.place += 1
        if kind in ("random", "constant", "number"):
            return Node(kind, (), said)
        if kind == "bare":
            name = _FUNCTIONS[said.lower()]
            return Node(name, (self.raised(),), name)
        if kind == "function":
            name = _FUNCTIONS[said.lower()]
            arguments = self.bracketed()
            if len(arguments) != (2 if name == "covariance" else 1):
                raise UnreadExpectationError
            return Node(name, arguments, name)
        self.place -= 1
        inner = self.bracketed()
        if len(inner) != 1:
            raise UnreadExpectationError
        return inner[0]

    def bracketed(self) -> tuple[Node, ...]:
        opening = next((each for each in _OPENERS if self.at(each)), None)
        if opening is None:
            raise UnreadExpectationError
        self.place += 1
        found = [self.sum()]
        while self.take(","):
            found.append(self.sum())
        if not self.take(_OPENERS[opening]):
            raise UnreadExpectationError
        return tuple(found)


# In moments.


def holds_for(statement: ExpectationStatement, relation: Relation) -> bool:
    """Whether both sides are the same for all random variables that are related so."""
    try:
        left, right = (_terms(side, relation) for side in (statement.left, statement.right))
    except _NoMomentsError:
        return False
    return left == right


def _terms(node: Node, relation: Relation) -> Terms:
    """A term as a polynomial in constants, random variables and moments; these have the names `E(…)`."""
    match node.kind:
        case "number":
            value = Fraction(node.name)
            return {(): value} if value else {}
        case "random" | "constant":
            return {((node.name, 1),): Fraction(1)}
    parts = [_terms(part, relation) for part in node.parts]
    match node.kind:
        case "sum":
            return added(parts[0], parts[1])
        case "minus":
            return _times({(): Fraction(-1)}, parts[0])
        case "product":
            return _times(parts[0], parts[1])
        case "expected":
            return _expected(parts[0], relation)
        case "variance":
            return _covariance(parts[0], parts[0], relation)
        case "quotient":
            raise _NoMomentsError
    return _covariance(parts[0], parts[1], relation)


def _times(first: Terms, second: Terms) -> Terms:
    if len(first) * len(second) > _MOST_TERMS * 4:
        raise UnreadExpectationError
    return product_of(first, second)


def _covariance(first: Terms, second: Terms, relation: Relation) -> Terms:
    product = _expected(_times(first, second), relation)
    means = _times(_expected(first, relation), _expected(second, relation))
    return added(product, _times({(): Fraction(-1)}, means))


def _expected(terms: Terms, relation: Relation) -> Terms:
    total: Terms = {}
    for monomial, value in terms.items():
        randoms = tuple(each for each in monomial if each[0].isupper() and len(each[0]) == 1)
        others = tuple(each for each in monomial if each not in randoms)
        total = added(total, _times({others: value}, _moment(randoms, relation)))
    return total


def _moment(randoms: Monomial, relation: Relation) -> Terms:
    if not randoms:
        return {(): Fraction(1)}
    if sum(count for _, count in randoms) > _HIGHEST_POWER:
        raise UnreadExpectationError
    is_apart = relation == "independent" or (
        relation == "uncorrelated" and len(randoms) == 2 and all(count == 1 for _, count in randoms)
    )
    if not is_apart:
        return {((f"E({randoms})", 1),): Fraction(1)}
    found: Terms = {(): Fraction(1)}
    for each in randoms:
        found = _times(found, {((f"E({(each,)})", 1),): Fraction(1)})
    return found


# With values.

_CASES: tuple[tuple[tuple[int, int, int], ...], ...] = (
    ((1, 1, 1), (-1, -1, -1)),
    ((0, 0, 0), (1, 1, 1)),
    ((0, 2, 1), (2, 0, 3)),
    ((1, 2, 0), (3, 1, 5), (2, 6, 1)),
    ((2, 2, 2), (2, 2, 2)),
)
_CONSTANTS = (2, 3, 5, -1)


# All pairs of a value of the one and a value of the other: independent.
_INDEPENDENT = (
    tuple(itertools.product((1, -1), (1, -1), (1,))),
    tuple(itertools.product((0, 2), (1, 5), (1, 2))),
)


def counterexample(
    statement: ExpectationStatement, *, is_independent: bool = False
) -> tuple[str, Fraction, Fraction] | None:
    """Equally likely values for which the sides differ: in words, with both sides."""
    for rows in _INDEPENDENT if is_independent else _CASES:
        chosen = {name: [Fraction(row[place]) for row in rows] for place, name in enumerate(statement.randoms)}
        constants = {name: Fraction(_CONSTANTS[place % 4]) for place, name in enumerate(statement.constants)}
        known: dict[str, Sequence[Fraction]] = {**chosen, **{name: [at] * len(rows) for name, at in constants.items()}}
        try:
            left, right = (_values(side, known, len(rows)) for side in (statement.left, statement.right))
        except ZeroDivisionError:
            continue
        if left != right and len(set(left)) == len(set(right)) == 1:
            return _in_words(chosen, constants), left[0], right[0]
    return None


def _in_words(chosen: Mapping[str, Sequence[Fraction]], constants: Mapping[str, Fraction]) -> str:
    names = ", ".join(chosen)
    rows = list(dict.fromkeys(", ".join(map(str, row)) for row in zip(*chosen.values(), strict=True)))
    points = " or ".join(f"({row})" if len(chosen) > 1 else row for row in rows).replace("-", "−")
    pair = f"({names})" if len(chosen) > 1 else names
    given = "".join(f", {name} = {value}" for name, value in constants.items()).replace("-", "−")
    return f"{pair} equally likely {points}{given}"


def _values(node: Node, known: Mapping[str, Sequence[Fraction]], count: int) -> list[Fraction]:
    """The value of a term in each of the equally likely cases."""
    match node.kind:
        case "number":
            return [Fraction(node.name)] * count
        case "random" | "constant":
            return list(known[node.name])
    parts = [_values(part, known, count) for part in node.parts]
    match node.kind:
        case "sum":
            return [one + other for one, other in zip(*parts, strict=True)]
        case "minus":
            return [-each for each in parts[0]]
        case "product":
            return [one * other for one, other in zip(*parts, strict=True)]
        case "quotient":
            return [one / other for one, other in zip(*parts, strict=True)]
        case "expected":
            return [_mean(parts[0])] * count
    second = parts[0] if node.kind == "variance" else parts[1]
    product = [one * other for one, other in zip(parts[0], second, strict=True)]
    return [_mean(product) - _mean(parts[0]) * _mean(second)] * count


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)
