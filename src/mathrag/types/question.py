"""A question as it was read: what is given, what is asked, in which unit, with which words. Nothing is chosen here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from mathrag.types.library import Span
from mathrag.types.quantity import Quantity, Unit

Intent: TypeAlias = Literal["compute", "constant", "explain", "chat", "ambiguous"]

# Far beyond any question; what is longer is a document, and those are ingested.
LONGEST_QUESTION = 20_000

INTENTS: tuple[Intent, ...] = ("compute", "constant", "explain", "chat", "ambiguous")


@dataclass(frozen=True, slots=True)
class Given:
    """A value that the question states or implies; `text` is exactly `question[start:end]`.

    `readings` holds one quantity for each reading of its unit, the most usual first (`25 C`: °C, then coulomb); a plain
    number has one. `symbol` is the name it is assigned to as an identifier (`m = 2 kg`, `x0`), `written` the same as
    typed. `phrase` is the noun phrase that names it ("molar mass", "length of the wire"); `words` are the normalised
    content words near it, nearest first. `roles` are ids of roles signalled for it (`initial`, `hot`). `clause` numbers
    the clause it stands in. `implied` marks a value that no number states ("from rest"): its text is those words.
    `count` is how many equal things have it ("two 1200 kg satellites"). `series` groups values of one list
    ("for 2, 4 and 8 m"): all of a group share a number. `preposition` is the word before it ("at", "to", "by", "for").
    `is_pinned` marks a value that the user set apart from the question. `covers` holds the beginnings of the values
    that this one is the difference of ("from 15 °C to 95 °C"). `is_slowing` marks the size of an acceleration by which
    something slows down. `kinds`, where there are any, are the only kinds of quantity it can be: a property of a
    substance that the library knows. `label` is what stands alone before it in its clause, as typed ("HR 75"). `only`,
    where there are any, are the places in which it can stand, by formula and symbol: what a document states for them,
    at `span`.
    """

    text: str
    start: int
    end: int
    readings: tuple[Quantity, ...]
    symbol: str = ""
    written: str = ""
    phrase: str = ""
    words: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    clause: int = 0
    preposition: str = ""
    significant_figures: int | None = None
    implied: bool = False
    assumption: str = ""
    is_change: bool = False
    is_percentage: bool = False
    count: int = 1
    series: int | None = None
    is_pinned: bool = False
    covers: tuple[int, ...] = ()
    is_slowing: bool = False
    kinds: tuple[str, ...] = ()
    label: str = ""
    only: tuple[tuple[str, str], ...] = ()
    span: Span | None = None

    def __post_init__(self) -> None:
        if not self.readings:
            raise ValueError("a given value has at least one reading")

    @property
    def is_known(self) -> bool:
        """Whether a library knows it, and the question states it nowhere."""
        return self.implied and bool(self.kinds or self.only)

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """Every number that the words stand for: the readings, and their opposites where something slows down."""
        if not self.is_slowing:
            return self.readings
        return (*self.readings, *(replace(reading, value=-reading.value) for reading in self.readings))


@dataclass(frozen=True, slots=True)
class Target:
    """What is asked for. `kinds` are ids of quantity kinds that the words name or ask for, likeliest first.

    `asked_by` is the asking phrase ("how fast", "what is"); `phrase` the noun phrase after it; `words` its normalised
    content words; `symbol` an identifier where the question asks for a symbol ("find v_rms").
    """

    phrase: str = ""
    words: tuple[str, ...] = ()
    symbol: str = ""
    kinds: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    asked_by: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A question read. `units` are the readings of the unit asked for ("in kPa"), empty where none is.

    `words` are all normalised content words, in order. `topics` are noun phrases that name a law or formula ("Bragg's
    law", "ideal gas equation"). `formula` is an equation that the question itself writes out. `language` is `en` or,
    where the words are plainly not English, `other`.
    """

    text: str
    intent: Intent
    givens: tuple[Given, ...] = ()
    targets: tuple[Target, ...] = ()
    units: tuple[Unit, ...] = ()
    unit_text: str = ""
    words: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    formula: str = ""
    language: Literal["en", "other"] = "en"
    notes: tuple[str, ...] = ()
