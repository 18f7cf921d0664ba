"""Cues: words and short patterns that say one thing wherever they stand ("how wide", "is added to", "each").

They are data, in `data/patterns/cues.toml`. A cue has `words`, classes of words any of which says it, or a `pattern`, a
regular expression in which `<file.class>` stands for the words of a class. Upper and lower case are the same. What a
cue means for a plan or a formula is decided by whoever asks for it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from mathrag.errors import DataFileError
from mathrag.language.word_classes import any_of

_CLASS = re.compile(r"<([a-z_]+\.[a-z_]+)>")
_KEYS = {"about", "words", "pattern"}


@cache
def cue(name: str) -> re.Pattern[str]:
    """What finds a cue in a text."""
    return re.compile(_CLASS.sub(lambda found: any_of(found[1]), _written(name)), re.IGNORECASE)


def classes_of(name: str) -> tuple[str, ...]:
    """The classes of words that a cue is made of."""
    return tuple(_CLASS.findall(_written(name)))


def cue_names() -> tuple[str, ...]:
    """All cues, in the order of the file."""
    return tuple(_cues())


def _written(name: str) -> str:
    entry = _cues().get(name)
    if entry is None or entry.keys() - _KEYS or ("words" in entry) == ("pattern" in entry):
        raise DataFileError(f"there is no cue {name}, or it has neither or both of words and pattern")
    pattern: str = entry.get("pattern") or rf"\b(?:{'|'.join(f'<{each}>' for each in entry['words'])})\b"
    return pattern


@cache
def _cues() -> Mapping[str, Mapping[str, Any]]:
    text = resources.files("mathrag.language").joinpath("data", "patterns", "cues.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
