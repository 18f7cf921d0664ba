"""Classes of English words: stop words, verbs that ask, words that end a phrase. The words are data, once each.

A class is named `file.class`: the words of `[class]` in `data/file.toml`. Single words stand in `words`, separated by
blanks; what has blanks of its own in the list `phrases`; pairs in the table `pairs`. A class may `include` others. No
rule lives here or there: what a class means for reading is decided by whoever asks for it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any

from mathrag.errors import DataFileError

_KEYS = {"about", "words", "phrases", "pairs", "include"}


@cache
def word_class(name: str) -> frozenset[str]:
    """All words and phrases of a class, with those of the classes it includes."""
    entry = _entry(name)
    included = (word_class(other) for other in entry.get("include", ()))
    return frozenset(_listed(entry)).union(*included)


@cache
def word_list(name: str) -> tuple[str, ...]:
    """The words and phrases of a class in the order of the file, for where the first that fits is taken."""
    return tuple(_listed(_entry(name)))


@cache
def word_pairs(name: str) -> Mapping[str, str]:
    """The pairs of a class: a word and what it stands for."""
    return MappingProxyType(dict(_entry(name).get("pairs", {})))


@cache
def any_of(name: str) -> str:
    """The words of a class as the inside of a regular expression: any of them, longer ones first."""
    words = word_class(name) | word_pairs(name).keys()
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))


def _listed(entry: Mapping[str, Any]) -> list[str]:
    return [*entry.get("words", "").split(), *entry.get("phrases", ())]


def _entry(name: str) -> Mapping[str, Any]:
    file, _, part = name.partition(".")
    try:
        entry: Mapping[str, Any] = _file(file)[part]
    except KeyError as error:
        raise DataFileError(f"there is no class of words {name}") from error
    if unknown := entry.keys() - _KEYS:
        raise DataFileError(f"the class of words {name} has unknown keys: {', '.join(sorted(unknown))}")
    return entry


@cache
def _file(name: str) -> Mapping[str, Any]:
    text = resources.files("mathrag.language").joinpath("data", f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
