"""Equations between gradient, divergence, curl and Laplacian of fields in space: shown with components that stand for
any functions, or refuted with simple ones.

A component is a letter with an index, its partial derivatives are letters, too: which derivatives were taken is all
that counts, not their order (they are continuous). Sums and products of them are polynomials, and compared as such.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from mathrag.compute.algebra.polynomials import Terms, added, difference_of, expression_of, letter_terms, product_of
from mathrag.compute.algebra.term_reader import Node, TermReader, Token, names_of, tokens_of, two_sides, walk
from mathrag.compute.printers.plaintext import plain_formula

_LONGEST, _DEEPEST, _MOST_FIELDS = 160, 12, 2
_AXES = "xyz"
_TOKEN = re.compile(
    r"\s*(?:(?P<function>div|curl|rot|grad|laplacian|lap|∇²|∇\^2|Δ|∇ ?[·.•]|∇ ?[×x]|∇)|(?P<vector>[A-HU-W])(?![a-z])"
    r"|(?P<scalar>[fghuvφψ])(?=[fghuvφψ]|[^a-z]|$)|(?P<number>[0-9]{1,3}|\b[ck]\b)|(?P<sign>[-−+*()=×·]))"
)
_NAMES = {"curl": "curl", "rot": "curl", "div": "div", "grad": "grad", "∇": "grad", "lap": "lap", "laplacian": "lap"}
Field: TypeAlias = Terms | tuple[Terms, Terms, Terms]
_Derived: TypeAlias = Callable[[Terms, int], Terms]


class UnreadFieldsError(ValueError):
    """A text that is no equation between fields, or does not fit together."""


@dataclass(frozen=True, slots=True)
class FieldStatement:
    """Two sides that are said to be equal, with the letters for fields in them."""

    left: Node
    right: Node
    vectors: tuple[str, ...]
    scalars: tuple[str, ...]


def read_fields(text: str) -> FieldStatement:
    """The equation that a text is as a whole; raises `UnreadFieldsError`."""
    if len(text) > _LONGEST:
        raise UnreadFieldsError
    sides = two_sides(_tokens(text))
    if sides is None:
        raise UnreadFieldsError
    left, right = (_Reader(side).whole() for side in (sides.left, sides.right))
    vectors, scalars = (tuple(sorted(names_of((left, right), kind))) for kind in ("vector", "scalar"))
    letters = [{node.name for node in walk(side) if node.kind in ("vector", "scalar")} for side in (left, right)]
    operators = sum(node.kind in ("div", "curl", "grad", "lap") for side in (left, right) for node in walk(side))
    # What names a field on one side only, or asks one derivative to vanish, is a law or a property, no identity.
    if not (letters[0] == letters[1] or not letters[1]) or operators < 2:
        raise UnreadFieldsError
    if not 1 <= len(vectors) + len(scalars) <= _MOST_FIELDS + 1:
        raise UnreadFieldsError
    return FieldStatement(left, right, vectors, scalars)


def _tokens(text: str) -> list[Token]:
    found, unread = tokens_of(text, _TOKEN)
    if unread:
        raise UnreadFieldsError
    return found


class _Reader(TermReader):
    def whole(self) -> Node:
        found = self.sum()
        if self.place != len(self.tokens):
            raise UnreadFieldsError
        return found

    def sum(self) -> Node:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise UnreadFieldsError
        found = self.signed_products()
        self.depth -= 1
        return found

    def product(self) -> Node:
        found = self.single()
        while self.place < len(self.tokens) and not self.at("+", "-", ")", "="):
            kind = "cross" if self.at("×") else "product"
            self.place += self.at("×", "·", "*")
            found = Node(kind, (found, self.single()))
        return found

    def single(self) -> Node:
        if self.place >= len(self.tokens):
            raise UnreadFieldsError
        kind, said = self.tokens[self.place]
        self.place += 1
        if kind in ("vector", "scalar"):
            return Node(kind, (), said)
        if kind == "number":
            return Node("number", (), said)
        if kind == "function":
            return Node(_operator(said), (self.single(),))
        if said != "(":
            raise UnreadFieldsError
        inner = self.sum()
        if not self.take(")"):
            raise UnreadFieldsError
        return inner


def _operator(said: str) -> str:
    if said in ("∇²", "∇^2", "Δ"):
        return "lap"
    if said.startswith("∇") and len(said) > 1:
        return "curl" if said[-1] in "×x" else "div"
    return _NAMES[said]


# With any components.


def holds_for_all(statement: FieldStatement) -> bool:
    """Whether both sides are the same for all fields whose derivatives are continuous."""
    known: dict[str, Field] = {name: letter_terms(f"{name}|") for name in statement.scalars}
    for name in statement.vectors:
        known[name] = (letter_terms(f"{name}0|"), letter_terms(f"{name}1|"), letter_terms(f"{name}2|"))
    return _are_equal(statement, known, _derived_letters)


def _derived_letters(terms: Terms, axis: int) -> Terms:
    return _by_product_rule(terms, lambda name: letter_terms("|".join(_further(name, axis))) if "|" in name else {})


def _further(name: str, axis: int) -> tuple[str, str]:
    head, _, taken = name.partition("|")
    return head, "".join(sorted(taken + _AXES[axis]))


def _by_product_rule(terms: Terms, derived: Callable[[str], Terms]) -> Terms:
    total: Terms = {}
    for monomial, value in terms.items():
        for place, (name, count) in enumerate(monomial):
            rest = (*monomial[:place], *(((name, count - 1),) if count > 1 else ()), *monomial[place + 1 :])
            total = added(total, product_of({rest: value * count}, derived(name)))
    return total


def _are_equal(statement: FieldStatement, known: Mapping[str, Field], derived: _Derived) -> bool:
    left, right = (_value(side, known, derived) for side in (statement.left, statement.right))
    if isinstance(left, tuple) != isinstance(right, tuple):
        zero, other = (right, left) if isinstance(left, tuple) else (left, right)
        # Nought may stand for the field that is nought everywhere.
        if zero or not isinstance(other, tuple):
            raise UnreadFieldsError
        return not any(other)
    return left == right


def _value(node: Node, known: Mapping[str, Field], derived: _Derived) -> Field:
    match node.kind:
        case "vector" | "scalar":
            return known[node.name]
        case "number":
            value = Fraction(node.name) if node.name.isdigit() else None
            return letter_terms(node.name) if value is None else {(): value} if value else {}
    parts = [_value(part, known, derived) for part in node.parts]
    match node.kind:
        case "minus":
            return _times({(): Fraction(-1)}, parts[0])
        case "sum":
            return _plus(parts[0], parts[1])
        case "product":
            return _times(parts[0], parts[1])
        case "cross":
            return _cross(parts[0], parts[1])
    return _operated(node.kind, parts[0], derived)


def _operated(kind: str, field: Field, derived: _Derived) -> Field:
    if kind == "lap":
        if isinstance(field, tuple):
            one, two, three = (_operated("lap", each, derived) for each in field)
            assert not isinstance(one, tuple)
            assert not isinstance(two, tuple)
            assert not isinstance(three, tuple)
            return one, two, three
        return _operated("div", _operated("grad", field, derived), derived)
    if kind == "grad":
        if isinstance(field, tuple):
            raise UnreadFieldsError
        return derived(field, 0), derived(field, 1), derived(field, 2)
    if not isinstance(field, tuple):
        raise UnreadFieldsError
    if kind == "div":
        return added(added(derived(field[0], 0), derived(field[1], 1)), derived(field[2], 2))
    return (
        difference_of(derived(field[2], 1), derived(field[1], 2)),
        difference_of(derived(field[0], 2), derived(field[2], 0)),
        difference_of(derived(field[1], 0), derived(field[0], 1)),
    )


def _plus(first: Field, second: Field) -> Field:
    if isinstance(first, tuple) and isinstance(second, tuple):
        return added(first[0], second[0]), added(first[1], second[1]), added(first[2], second[2])
    if isinstance(first, tuple) or isinstance(second, tuple):
        raise UnreadFieldsError
    return added(first, second)


def _times(first: Field, second: Field) -> Field:
    if isinstance(first, tuple) and isinstance(second, tuple):
        products = [product_of(one, other) for one, other in zip(first, second, strict=True)]
        return added(added(products[0], products[1]), products[2])
    if isinstance(first, tuple):
        first, second = second, first
    assert not isinstance(first, tuple)
    if isinstance(second, tuple):
        return product_of(first, second[0]), product_of(first, second[1]), product_of(first, second[2])
    return product_of(first, second)


def _cross(first: Field, second: Field) -> Field:
    if not isinstance(first, tuple) or not isinstance(second, tuple):
        raise UnreadFieldsError
    one, two, three = (
        difference_of(
            product_of(first[(n + 1) % 3], second[(n + 2) % 3]), product_of(first[(n + 2) % 3], second[(n + 1) % 3])
        )
        for n in range(3)
    )
    return one, two, three


# With simple components.


def _power(name: str, count: int = 1) -> Terms:
    return {((name, count),): Fraction(1)}


_X, _Y, _Z = (_power(name) for name in _AXES)
_MINUS_Y: Terms = {(("y", 1),): Fraction(-1)}
_VECTORS: tuple[Field, ...] = (
    (_X, {}, {}), (_MINUS_Y, _X, {}), (_power("x", 2), {}, {}), (_power("y", 2), {}, {}), (_X, _Y, _Z),
    (product_of(_X, _Y), product_of(_Y, _Z), product_of(_Z, _X)),
)  # fmt: skip
_SCALARS: tuple[Field, ...] = (_power("x", 2), product_of(_X, _Y), _Y, _power("z", 3))


def counterexample(statement: FieldStatement) -> tuple[str, str, str] | None:
    """Simple fields for which the sides differ: in words, with both sides."""
    names = (*statement.vectors, *statement.scalars)
    choices = [*(_VECTORS for _ in statement.vectors), *(_SCALARS for _ in statement.scalars)]
    for chosen in itertools.product(*choices):
        known = dict(zip(names, chosen, strict=True))
        if not _are_equal(statement, known, _derived_plainly):
            fields = " and ".join(f"{name} = {_shown(field)}" for name, field in known.items())
            left, right = (_shown(_value(side, known, _derived_plainly)) for side in (statement.left, statement.right))
            return fields, left, right
    return None


def _derived_plainly(terms: Terms, axis: int) -> Terms:
    return _by_product_rule(terms, lambda name: {(): Fraction(1)} if name == _AXES[axis] else {})


def _shown(field: Field) -> str:
    if isinstance(field, tuple):
        return f"({', '.join(map(_shown, field))})"
    return plain_formula(expression_of(field)) if field else "0"
