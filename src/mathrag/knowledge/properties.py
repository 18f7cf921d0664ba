"""Properties of kinds of mathematical things: what follows from what, and things that have some and lack others.

`data/properties.toml` is the source. Which question asks for them: see `mathrag.reason.direct.properties`. A literal is
the name of a property, with `!` before it where it fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from mathrag.errors import DataFileError
from mathrag.knowledge.data_files import compiled

_KEYS = frozenset({"name", "about", "nouns", "implications", "examples", "words", "opposites"})


@dataclass(frozen=True, slots=True)
class Implication:
    """All of `given` together give `then`, because of `why`."""

    given: frozenset[str]
    then: str
    why: str


@dataclass(frozen=True, slots=True)
class Example:
    """A thing with the literals that hold of it, those that follow included."""

    name: str
    literals: frozenset[str]


@dataclass(frozen=True, slots=True)
class PropertyKind:
    """A kind of thing: how it is called, the words for its properties, what follows, and examples. `called` is what a
    thing is called that has a property, where that is no adjective: "a field"; or that lacks it: "singular"."""

    name: str
    about: str
    nouns: tuple[str, ...]
    words: Mapping[str, str]
    called: Mapping[str, str]
    implications: tuple[Implication, ...]
    examples: tuple[Example, ...]


def denied(literal: str) -> str:
    """The opposite of a literal."""
    return literal[1:] if literal.startswith("!") else f"!{literal}"


@cache
def property_nouns() -> frozenset[str]:
    """How things of every kind are called; known without working out what follows for all examples."""
    return frozenset(noun for row in compiled("properties.json")["kind"] for noun in row["nouns"])


@cache
def property_kinds() -> tuple[PropertyKind, ...]:
    """All kinds, in the order of the file."""
    return tuple(map(_kind, compiled("properties.json")["kind"]))


def _kind(row: Mapping[str, Any]) -> PropertyKind:
    if row.keys() - _KEYS:
        raise DataFileError(f"properties of {row.get('name')!r}: an unknown key")
    names = frozenset(row["words"])
    stated = tuple(_implication(line, names) for line in row["implications"].strip().splitlines())
    turned = (_turned(one) for one in stated if len(one.given) == 1)
    implications = (*stated, *turned)
    words = {word: name for name, said in row["words"].items() for word in said}
    words |= {word: denied(name) for name, said in row.get("opposites", {}).items() for word in said}
    examples = tuple(_example(line, names, implications) for line in row["examples"].strip().splitlines())
    nouns = tuple(row["nouns"])
    called = {name: phrase for name, said in row["words"].items() if (phrase := _noun_phrase(name, said, nouns))}
    called |= {denied(name): said[0] for name, said in row.get("opposites", {}).items()}
    return PropertyKind(row["name"], row["about"], nouns, words, called, implications, examples)


def _noun_phrase(name: str, said: Iterable[str], nouns: Iterable[str]) -> str:
    """The words for a property that are a noun with its article: "a field", "an equivalence relation"."""
    small = name.lower()
    for word in said:
        article, _, rest = word.partition(" ")
        if article in ("a", "an") and rest.removeprefix(small).strip() in ("", *nouns) and rest.startswith(small):
            return f"{article} {name}{rest[len(small) :]}"
    return ""


def _implication(line: str, names: frozenset[str]) -> Implication:
    claim, _, why = line.partition(" :: ")
    before, _, then = claim.partition(" => ")
    given = frozenset(_checked(part, names) for part in before.split(" & "))
    if not why:
        raise DataFileError(f"properties: {line!r} gives no reason")
    return Implication(given, _checked(then, names), why)


def _turned(one: Implication) -> Implication:
    """What lacks the consequence lacks the condition."""
    (before,) = one.given
    return Implication(frozenset((denied(one.then),)), denied(before), one.why)


def _checked(literal: str, names: frozenset[str]) -> str:
    literal = literal.strip()
    if literal.removeprefix("!") not in names:
        raise DataFileError(f"properties: {literal!r} is not one that has words")
    return literal


def _example(line: str, names: frozenset[str], implications: Iterable[Implication]) -> Example:
    name, _, said = line.partition(" :: ")
    has, _, lacks = said.partition(";")
    stated = [_checked(part, names) for part in has.split(",") if part.strip()]
    stated += [denied(_checked(part, names)) for part in lacks.split(",") if part.strip()]
    return Example(name, frozenset(follow(stated, implications)))


def follow(stated: Iterable[str], implications: Iterable[Implication]) -> dict[str, Implication | None]:
    """All literals that follow, each with the implication that gave it first; None for those that were stated."""
    found: dict[str, Implication | None] = dict.fromkeys(stated)
    rules = tuple(implications)
    while True:
        new = next((one for one in rules if one.then not in found and one.given <= found.keys()), None)
        if new is None:
            return found
        found[new.then] = new


def steps_to(literal: str, found: Mapping[str, Implication | None]) -> Iterator[Implication]:
    """The implications that lead to a literal, in the order in which they are used."""
    used: dict[Implication, None] = {}
    pending = [literal]
    while pending:
        rule = found[pending.pop()]
        if rule is not None:
            # One that is needed twice comes where it is needed first.
            used.pop(rule, None)
            used[rule] = None
            pending.extend(sorted(rule.given))
    yield from reversed(used)
