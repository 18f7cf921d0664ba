"""The glossary that comes along: every entry is whole and says something of its own; its formula reads or is listed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from mathrag.compute.latex import read_latex
from mathrag.errors import DataFileError
from mathrag.knowledge import glossary
from mathrag.knowledge.data_files import compiled_digest, digest
from mathrag.knowledge.glossary import glossary_entries, parse_entries
from mathrag.language.stems import stems
from mathrag.retrieve.concept_names import name_key
from mathrag.retrieve.glossary import glossary_called, glossary_keys, telling_apart
from mathrag.types.concept import GlossaryEntry
from mathrag.types.expression import Declined

FOLDER = Path(glossary.__file__).parent / "data"
ENTRIES = glossary_entries()
LEAST_OWN_WORDS = 4


def named(name: str) -> str:
    return f'[[entry]]\nname = "{name}"\ndefinition = "A thing made up for a test."\n'


@pytest.mark.slow
def test_the_compiled_file_belongs_to_its_sources() -> None:
    texts = glossary.sources()
    assert compiled_digest(glossary.COMPILED) == digest(texts), "run `make data`"
    assert (FOLDER / glossary.COMPILED).read_text(encoding="utf-8") == glossary.compile_glossary(texts)


def test_no_name_stands_twice() -> None:
    counted = Counter(one.name.casefold() for one in ENTRIES)
    assert [name for name, count in counted.items() if count > 1] == []


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda one: one.name)
def test_a_definition_says_what_the_name_does_not(entry: GlossaryEntry) -> None:
    assert len(set(stems(entry.definition)) - set(stems(entry.name))) >= LEAST_OWN_WORDS
    assert name_key(entry.name), "a name without words is never found"
    assert entry.name not in entry.also
    assert entry.name not in dict(entry.unlike)


def test_every_name_and_synonym_finds_its_entry() -> None:
    assert [one.name for one in ENTRIES if one not in glossary_called(one.name)] == []
    assert [name for one in ENTRIES for name in one.also if not glossary_called(name)] == []
    assert glossary_called("the Prime-Numbers") == glossary_called("prime number") != ()
    assert name_key("PRIME numbers") in glossary_keys()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('[[entry]]\nname = "wug"\n', "definition must be"),
        ('[[entry]]\nname = " "\ndefinition = "A thing."\n', "name must be"),
        ('[[entry]]\nname = "wug"\ndefinition = "A thing"\n', "full stop"),
        (named("wug") + 'formula = ""\n', "formula must be"),
        (named("wug") + 'also = ["wog", ""]\n', "also must be"),
        (named("wug") + 'colour = "red"\n', "colour is not a key"),
        (named("wug") + '[entry.unlike]\nwog = ""\n', "unlike must pair"),
        (named("wug") + '[entry.unlike]\nwog = "A wog has wings"\n', "full stop"),
        ('[[word]]\nname = "wug"\n', "entries stand under"),
        ("[[entry", "not valid TOML"),
    ],
)
def test_an_entry_at_fault_is_named(text: str, problem: str) -> None:
    with pytest.raises(DataFileError, match=problem):
        list(parse_entries("inventions", text))


def test_an_entry_keeps_what_its_file_says() -> None:
    text = named("wug") + 'also = ["wugg"]\nformula = "w = 2"\n[entry.unlike]\nwog = "A wog has wings."\n'
    (entry,) = parse_entries("inventions", text)
    assert entry.also == ("wugg",)
    assert entry.source == "MathRAG glossary, inventions"
    assert telling_apart(entry, "a Wog") == "A wog has wings."
    assert not telling_apart(entry, "wag")


def test_formulas_read_or_are_listed() -> None:
    """What the reader declines is shown as it stands; the list tells what is new, and what has come to be read."""
    listed = set((Path(__file__).parent / "glossary_not_read.txt").read_text(encoding="utf-8").splitlines())
    declined = {one.name for one in ENTRIES if one.formula and isinstance(read_latex(one.formula), Declined)}
    assert declined == listed
