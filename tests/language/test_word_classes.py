"""Every class of words is well formed, used somewhere, and written once."""

from __future__ import annotations

import re
import tomllib
from itertools import combinations
from pathlib import Path

import pytest

from mathrag.errors import DataFileError
from mathrag.language.cues import classes_of, cue_names
from mathrag.language.word_classes import word_class, word_list, word_pairs

PACKAGE = Path(__file__).parents[2] / "src" / "mathrag"
FILES = sorted((PACKAGE / "language" / "data").glob("*.toml"))
CLASSES = [
    f"{file.stem}.{name}" for file in FILES for name in tomllib.loads(file.read_text(encoding="utf-8"))
]  # fmt: skip


@pytest.mark.parametrize("name", CLASSES)
def test_every_class_says_what_it_is_and_holds_something(name: str) -> None:
    file, _, part = name.partition(".")
    entry = tomllib.loads((PACKAGE / "language" / "data" / f"{file}.toml").read_text(encoding="utf-8"))[part]
    assert entry.get("about"), "say in a sentence what the words have in common"
    assert word_class(name) or word_pairs(name)
    listed = word_list(name)
    assert len(listed) == len(set(listed)), sorted(word for word in listed if listed.count(word) > 1)


def test_every_class_is_used() -> None:
    used: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        code = path.read_text(encoding="utf-8")
        used.update(re.findall(r"['\"]<?([a-z_]+\.[a-z_]+)>?['\"]", code))
        # One of several classes of a file, by a name that stands in the same module.
        for file in re.findall(r"(?:word_(?:class|list|pairs)|any_of)\(f['\"]([a-z_]+)\.\{", code):
            used.update(f"{file}.{name}" for name in re.findall(r"['\"]([a-z_]+)['\"]", code))
    used.update(name for each in cue_names() for name in classes_of(each))
    for relations in (PACKAGE / "reason" / "direct" / "data").glob("*_relations.toml"):
        used.update(re.findall(r"<([a-z_]+\.[a-z_]+)>", relations.read_text(encoding="utf-8")))
    included = {
        other
        for file in FILES
        for entry in tomllib.loads(file.read_text(encoding="utf-8")).values()
        for other in entry.get("include", ())
    }
    assert set(CLASSES) <= used | included


def test_no_class_is_written_twice() -> None:
    own = {name: frozenset(word_list(name)) for name in CLASSES}
    same = [(a, b) for a, b in combinations(CLASSES, 2) if own[a] and own[a] == own[b]]
    assert same == []


def test_a_class_that_is_not_there_is_an_error() -> None:
    with pytest.raises(DataFileError, match=r"no class of words grammar\.nonsense"):
        word_class("grammar.nonsense")
