"""Statements with "for all" and "there is": read, negated, tried in finite interpretations, proved where that is short.

One-place predicates are decided: an interpretation is told by which kinds of elements it has. Others are refuted by a
small domain, or proved by instances of the negation that contradict each other (Herbrand), or left open.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from mathrag.compute.logic import UnreadLogicError

_LONGEST = 300
_DEEPEST = 30
_SIGNS = {"⇔": "iff", "↔": "iff", "≡": "iff", "→": "implies", "⇒": "implies", "∨": "or", "∧": "and", "⊕": "xor"}
_WRITTEN = {"iff": "↔", "implies": "→", "or": "∨", "and": "∧", "xor": "⊕"}
_LEVELS = (("iff",), ("implies",), ("or", "xor"), ("and",))
_QUANTIFIER = re.compile(
    r"([∀∃]) ?((?:[a-zα-ω]|[A-Z](?!\())(?:_?\d)?(?: ?, ?[a-zα-ω](?:_?\d)?)*)(?: ?([<>≤≥≠∈]) ?([\w∞+*.⁺]{1,12}))?[ ]?"
)
_ATOM = re.compile(
    r"([A-Z][A-Za-z]{0,11}) ?\( ?([a-z](?: ?, ?[a-z]){0,2}) ?\)|([A-Z])([a-z]{1,2})|([A-Z])|([a-z]) ?= ?([a-z])"
)
_FLIPPED = {"<": "≥", ">": "≤", "≤": ">", "≥": "<", "=": "≠", "≠": "=", "∈": "∉", "∉": "∈"}


@dataclass(frozen=True, slots=True)
class Atom:
    """A statement without logic in it, as it is written."""

    text: str


@dataclass(frozen=True, slots=True)
class Denied:
    """Not so."""

    operand: Formula


@dataclass(frozen=True, slots=True)
class Both:
    """Two formulas joined by an operation."""

    operation: str
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Quantified:
    """`∀` or `∃`, its variable, a bound on it ("∈ A", "> 0") or nothing, and what is said."""

    sign: str
    variable: str
    bound: str
    body: Formula


@dataclass(frozen=True, slots=True)
class Holds:
    """A predicate of some variables or terms; `=` is equality."""

    name: str
    terms: tuple[object, ...]


Formula: TypeAlias = Atom | Denied | Both | Quantified | Holds


def read_quantified(text: str) -> Formula:
    """The formula that a text is as a whole; raises `UnreadLogicError`."""
    if len(text) > _LONGEST:
        raise UnreadLogicError("too long")
    reader = _Reader(text.strip())
    found = reader.level(0)
    if reader.place != len(reader.text):
        raise UnreadLogicError("something is left over")
    return found


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.depth = 0

    def skip(self) -> str:
        while self.place < len(self.text) and self.text[self.place] == " ":
            self.place += 1
        return self.text[self.place] if self.place < len(self.text) else ""

    def level(self, number: int) -> Formula:
        if number == len(_LEVELS):
            return self.single()
        left = self.level(number + 1)
        used: list[str] = []
        while _SIGNS.get(self.skip()) in _LEVELS[number]:
            used.append(_SIGNS[self.text[self.place]])
            self.place += 1
            left = Both(used[-1], left, self.level(number + 1))
        if len(used) > 1 and (len(set(used)) > 1 or used[0] == "implies"):
            raise UnreadLogicError("brackets are missing")
        return left

    def single(self) -> Formula:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise UnreadLogicError("too deep")
        sign = self.skip()
        made: Formula
        if sign in ("¬", "~"):
            self.place += 1
            made = Denied(self.single())
        elif sign and sign in "∀∃":
            made = self.quantified()
        elif sign and sign in "([" and self.is_logic():
            self.place += 1
            made = self.level(0)
            if self.skip() not in (")", "]"):
                raise UnreadLogicError("a bracket is missing")
            self.place += 1
        else:
            made = self.atom()
        self.depth -= 1
        return made

    def quantified(self) -> Formula:
        found = _QUANTIFIER.match(self.text, self.place)
        if found is None:
            raise UnreadLogicError("a variable is missing")
        self.place = found.end()
        bound = f"{found[3]} {found[4]}" if found[3] else ""
        if self.skip() in (":", ",", ".", "|"):
            self.place += 1
            body = self.level(0)
        else:
            body = self.single()
        for variable in reversed([each.strip() for each in found[2].split(",")]):
            body = Quantified(found[1], variable, bound, body)
        return body

    def is_logic(self) -> bool:
        """Whether a bracket holds logic, or is part of a formula of numbers."""
        close = self.closing(self.place)
        inside, after = self.text[self.place + 1 : close], self.text[close + 1 :].lstrip()[:1]
        return any(each in "∀∃¬" or each in _SIGNS for each in inside) or not after or after in _SIGNS or after in ")]"

    def closing(self, start: int) -> int:
        depth = 0
        for place in range(start, len(self.text)):
            depth += (self.text[place] in "([{") - (self.text[place] in ")]}")
            if not depth:
                return place
        raise UnreadLogicError("a bracket is missing")

    def atom(self) -> Formula:
        start, depth = self.place, 0
        while self.place < len(self.text):
            sign = self.text[self.place]
            if not depth and (sign in _SIGNS or sign in ")]" or sign in "∀∃"):
                break
            depth += (sign in "([{") - (sign in ")]}")
            self.place += 1
        text = " ".join(self.text[start : self.place].split())
        if not text or text[-1] in ",:;." or re.search(r"[a-z]{4}|[\"“]", text):
            raise UnreadLogicError("a statement is missing")
        return Atom(text)


def written(formula: Formula) -> str:
    """A formula in signs."""
    match formula:
        case Atom(text):
            return text
        case Holds(name, terms):
            return f"{name}({', '.join(map(str, terms))})" if terms else name
        case Denied(operand):
            is_relation = isinstance(operand, Atom) and any(each in _FLIPPED for each in operand.text)
            return f"¬({written(operand)})" if is_relation else f"¬{_bracketed(operand)}"
        case Quantified(sign, variable, bound, body):
            limit = f" {bound}" if bound.startswith("∈") else bound.replace(" ", "")
            return f"{sign}{variable}{limit} {_bracketed(body)}"
        case Both(operation, left, right):
            return f"{_bracketed(left)} {_WRITTEN[operation]} {_bracketed(right)}"


def _bracketed(formula: Formula) -> str:
    return f"({written(formula)})" if isinstance(formula, Both) else written(formula)


def negated(formula: Formula) -> Formula:
    """The negation, pushed inwards as far as it goes."""
    match formula:
        case Atom(text):
            return _opposite(text)
        case Holds():
            return Denied(formula)
        case Denied(operand):
            return inwards(operand)
        case Quantified(sign, variable, bound, body):
            return Quantified("∃" if sign == "∀" else "∀", variable, bound, negated(body))
        case Both("and", left, right):
            return Both("or", negated(left), negated(right))
        case Both("or", left, right):
            return Both("and", negated(left), negated(right))
        case Both("implies", left, right):
            return Both("and", inwards(left), negated(right))
        case Both("iff", left, right):
            return Both("or", Both("and", inwards(left), negated(right)), Both("and", negated(left), inwards(right)))
        case Both(_, left, right):
            return Both("or", Both("and", inwards(left), inwards(right)), Both("and", negated(left), negated(right)))


def inwards(formula: Formula) -> Formula:
    """The same, with "not" before atoms alone and neither → nor ↔ above quantifiers to be negated."""
    match formula:
        case Denied(operand):
            return negated(operand)
        case Quantified(sign, variable, bound, body):
            return Quantified(sign, variable, bound, inwards(body))
        case Both(operation, left, right):
            return Both(operation, inwards(left), inwards(right))
        case _:
            return formula


def _opposite(text: str) -> Formula:
    """An atom with one relation between numbers is turned; any other gets a "not"."""
    signs = [each for each in text if each in _FLIPPED]
    if len(signs) != 1:
        return Denied(Atom(text))
    return Atom(text.replace(signs[0], _FLIPPED[signs[0]]))


# Predicates and interpretations.


def as_predicates(formula: Formula, bound: frozenset[str] = frozenset()) -> Formula:
    """Every atom as a predicate of bound variables, every bound as a predicate; raises `UnreadLogicError`."""
    match formula:
        case Atom(text):
            return _predicate(text, bound)
        case Denied(operand):
            return Denied(as_predicates(operand, bound))
        case Both(operation, left, right):
            return Both(operation, as_predicates(left, bound), as_predicates(right, bound))
        case Quantified(sign, variable, limit, body):
            inner = as_predicates(body, bound | {variable})
            if limit:
                guard: Formula = Holds(limit, (variable,))
                inner = Both("implies" if sign == "∀" else "and", guard, inner)
            return Quantified(sign, variable, "", inner)
        case Holds():
            return formula


def _predicate(text: str, bound: frozenset[str]) -> Holds:
    found = _ATOM.fullmatch(text)
    if found is None:
        raise UnreadLogicError("no predicate")
    if found[6]:
        made = Holds("=", (found[6], found[7]))
    elif found[5]:
        made = Holds(found[5], ())
    elif found[3]:
        made = Holds(found[3], tuple(found[4]))
    else:
        made = Holds(found[1], tuple(each.strip() for each in found[2].split(",")))
    if not set(made.terms) <= bound:
        raise UnreadLogicError("a variable that nothing binds")
    return made


def predicates_of(formula: Formula) -> dict[str, int]:
    """The predicates with their numbers of places; raises `UnreadLogicError` where one has two."""
    found: dict[str, int] = {}
    for one in _holds(formula):
        if found.setdefault(one.name, len(one.terms)) != len(one.terms):
            raise UnreadLogicError("one name for two predicates")
    return found


def _holds(formula: Formula) -> Iterator[Holds]:
    match formula:
        case Holds():
            yield formula
        case Denied(operand):
            yield from _holds(operand)
        case Both(_, left, right):
            yield from _holds(left)
            yield from _holds(right)
        case Quantified(_, _, _, body):
            yield from _holds(body)


@dataclass(frozen=True, slots=True)
class Interpretation:
    """Elements 1 to `size`, and of which of them each predicate is true."""

    size: int
    true: Mapping[str, frozenset[tuple[object, ...]]]


def holds_in(formula: Formula, interpretation: Interpretation, at: Mapping[str, int] | None = None) -> bool:
    """Whether a formula of predicates is true in an interpretation."""
    values = at or {}
    match formula:
        case Holds(name, terms):
            places = tuple(values[str(term)] for term in terms)
            return places[0] == places[1] if name == "=" else places in interpretation.true[name]
        case Denied(operand):
            return not holds_in(operand, interpretation, values)
        case Quantified(sign, variable, _, body):
            each = (
                holds_in(body, interpretation, {**values, variable: one}) for one in range(1, interpretation.size + 1)
            )
            return all(each) if sign == "∀" else any(each)
        case Both(operation, left, right):
            first = holds_in(left, interpretation, values)
            if operation == "and":
                return first and holds_in(right, interpretation, values)
            if operation == "or":
                return first or holds_in(right, interpretation, values)
            if operation == "implies":
                return not first or holds_in(right, interpretation, values)
            return (first == holds_in(right, interpretation, values)) == (operation == "iff")
    raise UnreadLogicError("no formula of predicates")


def interpretations(places: Mapping[str, int], size: int) -> Iterator[Interpretation]:
    """Every interpretation of predicates on so many elements."""
    names = [name for name in places if name != "="]
    cells = [(name, cell) for name in names for cell in itertools.product(range(1, size + 1), repeat=places[name])]
    for values in itertools.product((False, True), repeat=len(cells)):
        true: dict[str, set[tuple[object, ...]]] = {name: set() for name in names}
        for (name, cell), value in zip(cells, values, strict=True):
            if value:
                true[name].add(cell)
        yield Interpretation(size, {name: frozenset(each) for name, each in true.items()})


def cells_of(places: Mapping[str, int], size: int) -> int:
    """How many truth values an interpretation of so many elements has."""
    return sum(size**count for name, count in places.items() if name != "=")


def kinds_of_elements(places: Mapping[str, int]) -> Iterator[Interpretation]:
    """For predicates of one place at most: every interpretation that they can tell from others, one element of each
    kind that is there."""
    single = [name for name, count in places.items() if count == 1]
    none = [name for name, count in places.items() if count == 0]
    kinds = list(itertools.product((True, False), repeat=len(single)))
    for count in range(1, len(kinds) + 1):
        for some in itertools.combinations(kinds, count):
            for values in itertools.product((True, False), repeat=len(none)):
                true: dict[str, frozenset[tuple[object, ...]]] = {
                    name: frozenset((place,) for place, kind in enumerate(some, 1) if kind[number])
                    for number, name in enumerate(single)
                }
                true |= {name: frozenset({()} if value else set()) for name, value in zip(none, values, strict=True)}
                yield Interpretation(count, true)
