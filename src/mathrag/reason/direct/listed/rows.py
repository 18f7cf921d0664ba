"""The relations over lists, as they stand in `data/list_relations.toml`, with their phrases in the spelling in which
words are compared. Reads no question."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any, Literal, TypeAlias, get_args

from mathrag.errors import DataFileError
from mathrag.knowledge.spelling import normal_words
from mathrag.language.word_classes import word_class
from mathrag.reason.direct.listed.ways import WAYS

Bounds: TypeAlias = Literal["", "positive", "not_negative", "not_zero", "share", "whole"]
Connection: TypeAlias = Literal["", "series", "parallel"]
Sums: TypeAlias = Literal["", "one", "one_if_percent"]

_NUMBER = re.compile(r"[0-9]|\b(?:half|one|two|three|four|five|six|seven|eight|nine|ten|twelve)\b", re.IGNORECASE)
_FEWEST_NUMBERS = 2
_SIGNS = re.compile(r"[^\w\s'’]")
_RELATION_KEYS = {
    "name",
    "rule",
    "computed",
    "needs",
    "words",
    "unit",
    "unit_of_numbers",
    "note",
    "role",
    "remainder",
    "connection",
    "is_open",
    "without",
    "of_all",
    "is_guarded",
    "complement",
    "alike",
    "sides",
    "at_start",
    "yearly",
    "known",
    "shown_in",
}
_ROLE_KEYS = {"part", "name", "takes", "heads", "negative", "letters", "bounds", "sums", "is_optional", "is_headed"}


@dataclass(frozen=True, slots=True)
class Role:
    """What a value may be to a relation: its part in the computing (`x` and `y` are lists, the others single values but
    for the times `t`), what it is called, which values it takes, the words before one that say so."""

    part: str
    name: str
    takes: str
    heads: tuple[str, ...] = ()
    negative: tuple[str, ...] = ()
    letters: str = ""
    bounds: Bounds = ""
    sums: Sums = ""
    is_optional: bool = False
    is_headed: bool = False

    @property
    def is_list(self) -> bool:
        """Whether there are several of it."""
        return self.part in ("x", "y", "t")


@dataclass(frozen=True, slots=True)
class ListRelation:
    """One relation: what it is called and computed by, the phrases of which each group must be said (`needs`), those
    that may be said at all (`covered`), those among them that speak of things (`words`), and those that say that all
    other cases come to nothing (`remainder`). The first group has the words for its `connection`; `is_open`: whatever
    changes nothing may be said as well. None of the phrases `without` may be said
    (where it `is_guarded`, nothing else is tried then), those `of_all` only where the total of counts is stated; those
    of `complement` say that the last element has what the others leave of a whole, those of `alike` that all have equal
    partners, of a thing with so many `sides`, those of `at_start` that the element before falls due at once, those of
    `yearly` that one comes again each year;
    `known` are partners by the name of their element."""

    name: str
    rule: str
    computed: str
    roles: tuple[Role, ...]
    needs: tuple[frozenset[str], ...]
    covered: frozenset[str]
    words: frozenset[str]
    remainder: frozenset[str] = frozenset()
    unit: str = ""
    unit_of_numbers: str = ""
    note: str = ""
    connection: Connection = ""
    is_open: bool = False
    without: frozenset[str] = frozenset()
    of_all: frozenset[str] = frozenset()
    is_guarded: bool = False
    complement: frozenset[str] = frozenset()
    alike: frozenset[str] = frozenset()
    at_start: frozenset[str] = frozenset()
    yearly: frozenset[str] = frozenset()
    known: Mapping[str, str] = field(default_factory=dict)
    shown_in: str = ""
    sides: Mapping[str, int] = field(default_factory=dict)

    @property
    def named(self) -> frozenset[str]:
        """The phrases that belong to this relation, without those that anything may have around it."""
        return self.words.union(
            self.heads, self.remainder, self.complement, self.alike, self.at_start, self.sides, *self.needs
        )

    @property
    def is_of_counts(self) -> bool:
        """Whether its elements are themselves how many of something there are."""
        return any(role.part == "x" and role.takes == "count" for role in self.roles)

    @property
    def heads(self) -> frozenset[str]:
        """The phrases that say what a value is."""
        return frozenset(head for role in self.roles for head in (*role.heads, *role.negative))

    @property
    def negative_heads(self) -> frozenset[str]:
        """Those that say that a value counts as negative."""
        return frozenset(head for role in self.roles for head in role.negative)


def normal_phrase(phrase: str) -> str:
    """A phrase word by word in the spelling of tokens: articles stay."""
    return " ".join(normal_words(word) for word in phrase.replace("-", " ").split())


@cache
def all_relations() -> tuple[ListRelation, ...]:
    """All of them, in the order of the file."""
    return tuple(map(_relation, _rows()))


@cache
def _rows() -> tuple[Mapping[str, Any], ...]:
    text = resources.files("mathrag.reason.direct").joinpath("data", "list_relations.toml").read_text(encoding="utf-8")
    return tuple(tomllib.loads(text)["relation"])


@cache
def _spoken() -> Mapping[str, tuple[str, ...]]:
    """The phrases of which every relation needs one, by the longest word of each; most questions have none of them."""
    found: dict[str, list[str]] = {}
    for phrase in {phrase for row in _rows() for phrase in _phrases(row["needs"][0])}:
        found.setdefault(max(phrase.split(), key=len), []).append(phrase)
    return {word: tuple(phrases) for word, phrases in found.items()}


def is_spoken_of(text: str) -> bool:
    """Whether a text may be about some relation: it has numbers, and words that one needs."""
    if len(_NUMBER.findall(text)) < _FEWEST_NUMBERS:
        return False
    words = normal_words(_SIGNS.sub(" ", text)).split()
    said = f" {' '.join(words)} "
    return any(f" {phrase} " in said for word in words for phrase in _spoken().get(word, ()))


def _phrases(listed: Iterable[str]) -> list[str]:
    """Phrases of the data; `<file.class>` stands for the words of a class."""
    found: list[str] = []
    for each in listed:
        found += sorted(word_class(each[1:-1])) if each.startswith("<") else [each]
    return [normal_phrase(each) for each in found]


@cache
def any_phrase(phrases: frozenset[str]) -> re.Pattern[str] | None:
    """What finds the longest of some phrases among words; None where there are none."""
    ordered = sorted(phrases, key=lambda each: (-len(each), each))
    return re.compile(rf"(?<= )(?:{'|'.join(map(re.escape, ordered))})(?= )") if ordered else None


def _relation(row: Mapping[str, Any]) -> ListRelation:
    roles = tuple(_role(row["name"], each) for each in row["role"])
    unknown = row.keys() - _RELATION_KEYS
    if unknown or row["computed"] not in WAYS or not any(role.part == "x" for role in roles):
        raise DataFileError(f"the relation {row['name']} has unknown keys, an unknown way of computing, or no list")
    needs = tuple(frozenset(_phrases(group)) for group in row["needs"])
    heads = frozenset(head for role in roles for head in (*role.heads, *role.negative))
    remainder = frozenset(_phrases(row.get("remainder", ())))
    words = frozenset(_phrases(row.get("words", ())))
    fillers = map(normal_phrase, word_class("lists.fillers"))
    return ListRelation(
        name=row["name"],
        rule=row["rule"],
        computed=row["computed"],
        roles=roles,
        needs=needs,
        covered=words.union(
            fillers, heads, remainder, _phrases(row.get("at_start", ())), _phrases(row.get("known", ())), *needs
        ),
        words=words.difference(heads),
        remainder=remainder,
        unit=row.get("unit", ""),
        unit_of_numbers=row.get("unit_of_numbers", ""),
        note=row.get("note", ""),
        connection=row.get("connection", ""),
        is_open=row.get("is_open", False),
        without=frozenset(_phrases(row.get("without", ()))),
        is_guarded=row.get("is_guarded", False),
        of_all=frozenset(_phrases(row.get("of_all", ()))),
        complement=frozenset(_phrases(row.get("complement", ()))),
        alike=frozenset(_phrases(row.get("alike", ()))),
        at_start=frozenset(_phrases(row.get("at_start", ()))),
        yearly=frozenset(_phrases(row.get("yearly", ()))),
        known={normal_phrase(name): partner for name, partner in row.get("known", {}).items()},
        shown_in=row.get("shown_in", ""),
        sides={normal_phrase(thing): many for thing, many in row.get("sides", {}).items()},
    )


def _role(relation: str, row: Mapping[str, Any]) -> Role:
    bounds, sums = row.get("bounds", ""), row.get("sums", "")
    if row.keys() - _ROLE_KEYS or bounds not in get_args(Bounds) or sums not in get_args(Sums):
        raise DataFileError(f"a role of the relation {relation} has unknown keys, bounds or sums")
    return Role(
        part=row["part"],
        name=row["name"],
        takes=row["takes"],
        heads=tuple(_phrases(row.get("heads", ()))),
        negative=tuple(_phrases(row.get("negative", ()))),
        letters=row.get("letters", ""),
        bounds=bounds,
        sums=sums,
        is_optional=row.get("is_optional", False),
        is_headed=row.get("is_headed", False),
    )
