"""A parsed dictionary to concepts: objects become LaTeX, formal properties are tried at points.

What a dictionary states is kept whether it holds or not; what was tried is said with it.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from mathrag.compute.openmath import check_by_sampling, latex_of, read_object
from mathrag.documents.openmath.dictionary import Definition, Dictionary, Example, Statement
from mathrag.errors import FormulaError
from mathrag.types.concept import Concept, ConceptExample, ConceptProperty, SampleCheck


@cache
def _dictionaries(group: str) -> frozenset[str]:
    source = resources.files("mathrag.sources.dictionaries").joinpath("data", "dictionaries.toml").read_text("utf-8")
    return frozenset(tomllib.loads(source)[group]["names"])


def is_mathematical(dictionary: str) -> bool:
    """Whether a dictionary defines mathematics, not the language that dictionaries are written in."""
    return dictionary not in _dictionaries("meta")


def is_about_software(dictionary: str) -> bool:
    """Whether a dictionary speaks of programs: its `limitation` is that of a program, not one of mathematics."""
    return dictionary in _dictionaries("software")


def concepts_of(dictionary: Dictionary) -> tuple[Concept, ...]:
    """The concepts of a dictionary, in its order. Their signatures stand in files of their own."""
    return tuple(_concept(dictionary.name, definition) for definition in dictionary.definitions)


def _concept(dictionary: str, definition: Definition) -> Concept:
    return Concept(
        name=f"{dictionary}:{definition.symbol}",
        dictionary=dictionary,
        symbol=definition.symbol,
        description=definition.description,
        role=definition.role,
        properties=tuple(_property(statement) for statement in definition.statements),
        examples=tuple(_example(example) for example in definition.examples),
        place=definition.place,
    )


def _property(statement: Statement) -> ConceptProperty:
    if statement.kind == "stated":
        return ConceptProperty("stated", text=statement.source, place=statement.place)
    try:
        tree = read_object(statement.source)
    except FormulaError as error:
        check = SampleCheck("undecided", reason=f"its object cannot be read: {error.reason}")
        return ConceptProperty("formal", source=statement.source, check=check, place=statement.place)
    return ConceptProperty(
        "formal",
        latex=latex_of(tree),
        source=statement.source,
        check=check_by_sampling(tree),
        place=statement.place,
    )


def _example(example: Example) -> ConceptExample:
    return ConceptExample(example.text, tuple(_readable(example.objects)), example.place)


def _readable(objects: tuple[str, ...]) -> list[str]:
    """The objects that can be read, as LaTeX."""
    made: list[str] = []
    for source in objects:
        try:
            made.append(latex_of(read_object(source)))
        except FormulaError:
            continue
    return made
