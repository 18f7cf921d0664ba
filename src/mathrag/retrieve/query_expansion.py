"""Technical words for what a story tells in everyday ones: who bumps into somebody, collides. Searches nothing."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib import resources

from mathrag.language.stems import stem


@cache
def _technical() -> dict[str, tuple[str, ...]]:
    """The technical words by the stem of the everyday one."""
    source = resources.files("mathrag.retrieve").joinpath("data", "everyday.toml").read_text("utf-8")
    found: dict[str, dict[str, None]] = {}
    for technical, everyday in tomllib.loads(source)["words"].items():
        for word in everyday:
            found.setdefault(stem(word), {})[technical] = None
    return {word: tuple(names) for word, names in found.items()}


def technical_words(words: Iterable[str]) -> tuple[str, ...]:
    """What documents would call the things that these normalised words speak of, each once, without words said."""
    known = _technical()
    said = {stem(word) for word in words}
    found = dict.fromkeys(name for word in sorted(said) for name in known.get(word, ()))
    return tuple(name for name in found if stem(name) not in said)
