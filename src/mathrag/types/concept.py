"""Concepts of mathematics as dictionaries define them: what a symbol means, and the properties stated of it.

Nothing here computes. A property given as a formula may be checked at points; that it holds at all of them proves
nothing, and is said so wherever it is shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from mathrag.types.document import Place

# holds: true at every point tried; fails: false at one, which is given; undecided: could not be tried, and why.
SampleOutcome: TypeAlias = Literal["holds", "fails", "undecided"]
# stated: in words; formal: as a formula that may be checked.
PropertyKind: TypeAlias = Literal["stated", "formal"]


@dataclass(frozen=True, slots=True)
class SampleCheck:
    """What came of trying a statement at points. `points` counts those it applied to, `numbers` says of which kind they
    were; `counterexample` pairs the name of each variable with the value at which it is false."""

    outcome: SampleOutcome
    points: int = 0
    numbers: str = ""
    counterexample: tuple[tuple[str, str], ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ConceptProperty:
    """Something that a dictionary states of a concept, as words or as a formula; `source` is a formula as the
    dictionary writes it (an OpenMath object)."""

    kind: PropertyKind
    text: str = ""
    latex: str = ""
    mathml: str = ""
    source: str = ""
    check: SampleCheck | None = None
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class ConceptExample:
    """An example of a dictionary: its words, and its formulas as LaTeX."""

    text: str
    latex: tuple[str, ...] = ()
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Concept:
    """A symbol of a dictionary. `name` is `dictionary:symbol`; `signature` its type in plain notation."""

    name: str
    dictionary: str
    symbol: str
    description: str
    role: str = ""
    signature: str = ""
    properties: tuple[ConceptProperty, ...] = ()
    examples: tuple[ConceptExample, ...] = ()
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """What the glossary of the package says a thing is. `also` are true synonyms, `formula` is LaTeX, `unlike` pairs
    the name of what it is often confused with and a sentence that tells the two apart; `example` is one in plain words
    and signs, `counterexample` something near that is none."""

    name: str
    field: str
    definition: str
    also: tuple[str, ...] = ()
    formula: str = ""
    unlike: tuple[tuple[str, str], ...] = ()
    example: str = ""
    counterexample: str = ""

    @property
    def source(self) -> str:
        """How it is cited."""
        return f"MathRAG glossary, {self.field}"
