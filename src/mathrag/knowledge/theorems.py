"""Theorems, false beliefs and open problems that people ask for in words, each with its reason or its counterexample.

`data/theorems.toml` and the files of `data/theorems`, one a field, are the source; `make data` writes `theorems.json`,
which loads fast. A wording is a row of content words: `word|other` are alternatives, `[word]` may be missing. Parts
that `>` sets apart are a condition and what is claimed under it; such a wording may be put of all, of some, of none.
Inside a part the order of the words is free, unless nouns in it belong to each other. Which question has such words:
see `mathrag.reason.direct.theorems`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeAlias

from mathrag.errors import DataFileError
from mathrag.knowledge.data_files import compiled, small_tables, source_texts

Truth: TypeAlias = Literal["true", "false", "open", "convention", "independent"]

_KEYS = frozenset({"name", "says", "why", "truth", "how", "wordings", "denied", "converse", "some", "never"})
_TRUTHS = ("true", "false", "open", "convention", "independent")
_HOWS = ("shown", "told", "counterexample", "convention", "open")
COMPILED = "theorems.json"
_SLOT = re.compile(r"\[[^\[\]\s]+\]|[^\[\]\s]+")


@dataclass(frozen=True, slots=True)
class Slot:
    """One place of a wording: the words that may stand there, and whether there may be none."""

    words: tuple[str, ...]
    is_optional: bool = False


@dataclass(frozen=True, slots=True)
class Wording:
    """A row of places in their order; or, with two parts, a condition and what is claimed under it."""

    slots: tuple[Slot, ...]
    claimed: tuple[Slot, ...] = ()


@dataclass(frozen=True, slots=True)
class Theorem:
    """What is known of a claim. `says` is what is true in a sentence; `wordings` put the claim, `denied` its opposite.
    `how`: whether the reason shows it, an example refutes it, or it is told only. `converse` names another; `some` is a
    sentence on things for which a false claim is true after all; with `never` there are none."""

    name: str
    says: str
    why: str
    truth: Truth
    how: str
    wordings: tuple[Wording, ...]
    denied: tuple[Wording, ...] = ()
    converse: str = ""
    some: str = ""
    never: bool = False


def sources() -> dict[str, str]:
    """The text of the files of fields, by their names."""
    return source_texts("theorems")


def compile_theorems() -> str:
    """The JSON twin: all rows of all files, one line a row."""
    import tomllib

    tables = small_tables("theorems")
    rows = [*tables["theorem"], *(row for text in sources().values() for row in tomllib.loads(text)["theorem"])]
    lines = {"theorem": rows, "law": tables["law"]}
    said = (f'"{name}": [\n' + ",\n".join(_line(row) for row in each) + "\n]" for name, each in lines.items())
    return "{" + ",\n".join(said) + "}\n"


def _line(row: Mapping[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False)


@cache
def theorems() -> tuple[Theorem, ...]:
    """All theorems, in the order of the file."""
    found = tuple(map(_theorem, compiled(COMPILED)["theorem"]))
    names = {one.name for one in found}
    if len(names) != len(found):
        raise DataFileError("theorems: a name stands twice")
    if missing := {one.converse for one in found if one.converse} - names:
        raise DataFileError(f"theorems: no entry for the converse {', '.join(sorted(missing))}")
    return found


def _theorem(row: Mapping[str, Any]) -> Theorem:
    name = row.get("name", "")
    if row.keys() - _KEYS or not all(row.get(key) for key in ("name", "says", "why", "truth", "how", "wordings")):
        raise DataFileError(f"theorem {name!r}: a key is unknown or missing")
    if row["truth"] not in _TRUTHS or row["how"] not in _HOWS:
        raise DataFileError(f"theorem {name!r}: unknown truth or way")
    return Theorem(
        name,
        row["says"],
        row["why"],
        row["truth"],
        row["how"],
        _wordings(row["wordings"]),
        _wordings(row.get("denied", "")),
        row.get("converse", ""),
        row.get("some", ""),
        row.get("never", False),
    )


def _wordings(text: str) -> tuple[Wording, ...]:
    return tuple(map(_wording, text.strip().splitlines()))


def _wording(line: str) -> Wording:
    condition, _, claimed = line.partition(" > ")
    return Wording(tuple(map(_slot, _SLOT.findall(condition))), tuple(map(_slot, _SLOT.findall(claimed))))


@cache
def _slot(text: str) -> Slot:
    is_optional = text.startswith("[")
    return Slot(tuple(text.strip("[]").split("|")), is_optional)


# Laws in letters.


@dataclass(frozen=True, slots=True)
class Law:
    """A law of number theory: the ways in which it is written, and its conditions, each a row of words."""

    name: str
    formulas: tuple[str, ...]
    given: tuple[str, ...]
    why: str


@cache
def laws() -> tuple[Law, ...]:
    """All laws in letters, in the order of the file."""
    rows = compiled(COMPILED)["law"]
    return tuple(Law(row["name"], tuple(row["formulas"]), tuple(row["given"]), row["why"]) for row in rows)
