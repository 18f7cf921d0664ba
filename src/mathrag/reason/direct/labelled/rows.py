"""The relations between named values, as they stand in `data/labelled_relations.toml`, with their phrases in the
spelling in which words are compared. Reads no question."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any

from mathrag.compute.pythontext import read_python_text
from mathrag.errors import DataFileError
from mathrag.knowledge.spelling import normal_words
from mathrag.language.word_classes import word_class
from mathrag.reason.direct.labelled.ways import WAYS
from mathrag.reason.direct.listed.rows import normal_phrase
from mathrag.types.expression import Declined, Expression

_ROLE_KEYS = {"name", "takes", "before", "behind", "symbols", "bounds", "many", "is_open", "is_count", "is_scaled"}
_RELATION_KEYS = {
    "name", "rule", "equation", "computed", "needs", "without", "words", "roles", "role", "flags", "given", "unit",
    "power", "note", "is_open", "is_of_told_event", "is_guarded",
}  # fmt: skip
BOUNDS = {
    "": "",
    "positive": "it must be positive",
    "not_negative": "it cannot be negative",
    "share": "it lies between 0 and 1",
    "inner_share": "it lies between 0 and 1, both excluded",
    "level_share": "it lies between 1/2 and 1",
    "whole": "it is a whole number",
    "counted": "it is a whole number from 1 on",
    "turn": "it lies between 0° and 360°",
    "converging": "the sum has an end only where it lies between −1 and 1",
}


@dataclass(frozen=True, slots=True)
class Role:
    """What a value may be to a relation: what it is called, the units it takes, the phrases right before or right
    behind it that say so, the symbols that may stand for it, and how many there are of it.

    `is_open`: a value that no word names may be one; `is_count`: it counts things, whose noun may stand behind it;
    `is_scaled`: it is computed in the unit that all such values of a question share.
    """

    part: str
    name: str
    takes: tuple[str, ...]
    before: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    bounds: str = ""
    many: int = 1
    is_open: bool = False
    is_count: bool = False
    is_scaled: bool = False
    is_optional: bool = False


@dataclass(frozen=True, slots=True)
class Relation:
    """One relation: an equation for its result or a way to compute it, its roles, the phrases of which each group must
    be said (`needs`), those of which none may be (`without`), all that may be said beside the names of the values
    (`covered`, without what anything may have around it `named`), and the phrases that raise a flag. Where one of
    `opened_by` is said, so may be whatever changes nothing; `is_of_told_event`: then what is asked of has been told;
    `is_guarded`: with a phrase that must not be said nothing else is tried."""

    name: str
    rule: str
    equation: Expression | None
    computed: str
    roles: tuple[Role, ...]
    needs: tuple[frozenset[str], ...]
    without: frozenset[str]
    covered: frozenset[str]
    flags: Mapping[str, frozenset[str]]
    given: Mapping[str, Fraction]
    unit: str
    power: int
    note: str
    named: frozenset[str] = frozenset()
    opened_by: frozenset[str] = frozenset()
    is_of_told_event: bool = False
    is_guarded: bool = False


@cache
def all_relations() -> tuple[Relation, ...]:
    """All of them, in the order of the file."""
    text = resources.files("mathrag.reason.direct").joinpath("data", "labelled_relations.toml").read_text("utf-8")
    data = tomllib.loads(text)
    return tuple(_relation(row, data["role"]) for row in data["relation"])


def _phrases(listed: Iterable[str]) -> tuple[str, ...]:
    """Phrases of the data; `<file.class>` stands for the words of a class."""
    found: list[str] = []
    for each in listed:
        found += sorted(word_class(each[1:-1])) if each.startswith("<") else [each]
    return tuple(normal_phrase(each) for each in found)


def _relation(row: Mapping[str, Any], shared: Mapping[str, Mapping[str, Any]]) -> Relation:
    name, way = row["name"], row.get("computed", "")
    own = row.get("role", {})
    roles = tuple(
        _role(each, {**shared.get(each.rstrip("?"), {}), **own.get(each.rstrip("?"), {})}) for each in row["roles"]
    )
    if row.keys() - _RELATION_KEYS or (way and way not in WAYS) or bool(way) == ("equation" in row):
        raise DataFileError(f"the relation {name} has unknown keys, or not one way to compute")
    needs = tuple(frozenset(_phrases(group)) for group in row["needs"])
    flags = {flag: frozenset(_phrases(phrases)) for flag, phrases in row.get("flags", {}).items()}
    fillers = map(normal_words, word_class("lists.fillers"))
    words = _phrases((*row.get("words", ()), "<figures.asking>"))
    return Relation(
        name=name,
        rule=row["rule"],
        equation=_equation(name, row["equation"]) if "equation" in row else None,
        computed=way,
        roles=roles,
        needs=needs,
        without=frozenset(_phrases(row.get("without", ()))),
        covered=frozenset((*words, *fillers)).union(*needs, *flags.values()),
        flags=flags,
        given={part: Fraction(value) for part, value in row.get("given", {}).items()},
        unit=row.get("unit", ""),
        power=row.get("power", 1),
        note=row.get("note", ""),
        named=frozenset(_phrases(row.get("words", ()))).union(*needs, *flags.values()),
        opened_by=needs[0] if row.get("is_open") is True else frozenset(_phrases(row.get("is_open", ()))),
        is_guarded=row.get("is_guarded", False),
        is_of_told_event=row.get("is_of_told_event", False),
    )


def _equation(name: str, text: str) -> Expression:
    read = read_python_text(text)
    if isinstance(read, Declined) or read.expression is None:
        raise DataFileError(f"the equation of the relation {name} cannot be read")
    return read.expression


def _role(part: str, row: Mapping[str, Any]) -> Role:
    bounds = row.get("bounds", "")
    if not row or row.keys() - _ROLE_KEYS or bounds not in BOUNDS:
        raise DataFileError(f"the role {part} of a relation is not told or has unknown keys or bounds")
    return Role(
        part=part.rstrip("?"),
        name=row["name"],
        takes=tuple(row["takes"]),
        before=_phrases(row.get("before", ())),
        behind=_phrases(row.get("behind", ())),
        symbols=tuple(row.get("symbols", ())),
        bounds=bounds,
        many=row.get("many", 1),
        is_open=row.get("is_open", False),
        is_count=row.get("is_count", False),
        is_scaled=row.get("is_scaled", False),
        is_optional=part.endswith("?"),
    )


@cache
def ending_with(phrases: tuple[str, ...]) -> re.Pattern[str]:
    """What finds one of some phrases, or fillers behind it, at the end of the words before a value."""
    leads = "|".join(map(re.escape, sorted(word_class("figures.leads"), key=len, reverse=True)))
    return re.compile(rf"(?<= )(?P<head>{_any(phrases)})(?: (?:{leads}))* $")


@cache
def beginning_with(phrases: tuple[str, ...]) -> re.Pattern[str]:
    """What finds one of some phrases right behind a value."""
    return re.compile(rf" (?P<head>{_any(phrases)})(?= )")


def _any(phrases: Iterable[str]) -> str:
    ordered = sorted(set(phrases), key=lambda each: (-len(each), each))
    return "|".join(map(re.escape, ordered)) or r"(?!)"
