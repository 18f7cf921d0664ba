"""What is known before any document is read: quantity kinds, constants, roles of subscripts. Nothing here loads."""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

from mathrag.types.quantity import Dimension

Sign: TypeAlias = Literal["positive", "non-negative", "any"]

SIGNS: tuple[Sign, ...] = ("positive", "non-negative", "any")
FIELDS = (
    "mechanics",
    "fluids",
    "heat",
    "electricity",
    "magnetism",
    "waves",
    "optics",
    "modern physics",
    "astronomy",
    "chemistry",
    "engineering",
    "materials",
    "geometry",
    "finance",
    "statistics",
    "biology",
    "information",
    "everyday",
)
CONSTANT_FIELDS = (*FIELDS, "mathematics")
QUDT_KIND = "http://qudt.org/vocab/quantitykind/"
QUDT_CONSTANT = "http://qudt.org/vocab/constant/"

_KEYWORDS = frozenset(keyword.kwlist)
_SYMBOL = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_SYMBOLS = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?: [A-Za-z][A-Za-z0-9_]*)*")
_ID = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")


def is_symbol_name(text: str) -> bool:
    """Whether the text can name a symbol: an ASCII identifier that is no keyword."""
    return _SYMBOL.fullmatch(text) is not None and text not in _KEYWORDS


@dataclass(frozen=True, slots=True)
class QuantityKind:
    """What a symbol can stand for: kinetic energy, refractive index, interest rate.

    `unit` is coherent SI, so `minimum` and `maximum` compare with `Quantity.si_value`. A kind that `counts_cycles`
    counts turns where the unit reader sees angles: a value in rpm bound to it has its 2 pi divided out. A kind with
    `takes_any_unit` (a mean, a residual) has the unit of the data; its `unit` and `dimension` are only formal.
    """

    id: str
    name: str
    field: str
    unit: str
    dimension: Dimension
    sign: Sign
    minimum: float
    maximum: float
    symbols: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    broader: str | None = None
    is_difference: bool = False
    counts_cycles: bool = False
    takes_any_unit: bool = False
    qudt: str | None = None

    def __post_init__(self) -> None:
        # Written out, because thousands are made before the first answer.
        _check_id(self.id)
        if not self.name:
            raise KnowledgeError("name", "is empty")
        if self.field not in FIELDS:
            raise KnowledgeError("field", f"is {self.field!r}, which is no field")
        if self.sign not in SIGNS:
            raise KnowledgeError("sign", f"is {self.sign!r}, not one of {', '.join(SIGNS)}")
        if not self.minimum < self.maximum:
            raise KnowledgeError("range", f"runs from {self.minimum} to {self.maximum}")
        if self.minimum < 0 and self.sign != "any":
            raise KnowledgeError("range", f"has negative values, but the sign is {self.sign}")
        _check_symbols(self.symbols)

    def __hash__(self) -> int:
        # No two of a table share their id, and hashing every field takes long.
        return hash(self.id)

    @property
    def words(self) -> tuple[str, ...]:
        """Its name and its synonyms."""
        return (self.name, *self.synonyms)

    @property
    def iri(self) -> str | None:
        """Its identifier in QUDT, where it has one."""
        return None if self.qudt is None else QUDT_KIND + self.qudt

    def admits(self, si_value: float) -> bool:
        """Whether a value in the coherent SI unit is plausible: of the right sign and within the range."""
        if self.sign == "positive" and si_value <= 0:
            return False
        return self.minimum <= si_value <= self.maximum


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant with the digits it was published with. `uncertainty` is None where the source states none.

    `is_default` says that it may stand in for its symbol unasked; the others have to be asked for by name. A nominal
    value is conventional or typical (the density of water), so an answer that rests on one has to say so.
    """

    id: str
    names: tuple[str, ...]
    symbols: tuple[str, ...]
    value: Decimal
    unit: str
    dimension: Dimension
    source: str
    field: str
    uncertainty: Decimal | None = None
    is_exact: bool = False
    is_nominal: bool = False
    is_default: bool = True
    qudt: str | None = None

    def __post_init__(self) -> None:
        _check_id(self.id)
        _check(bool(self.names), "names", "is empty")
        _check_symbols(self.symbols)
        _check(self.value.is_finite(), "value", "is not a number")
        _check(bool(self.source), "source", "is empty")
        _check(self.field in CONSTANT_FIELDS, "field", f"is {self.field!r}, which is no field")
        if self.uncertainty is not None:
            _check(self.uncertainty.is_finite() and self.uncertainty >= 0, "uncertainty", "is no size")
        _check(self.is_exact == (self.uncertainty == 0), "uncertainty", "must be 0 if and only if the value is exact")
        stated = self.uncertainty is not None
        _check(self.is_nominal != stated, "nominal", "must be true if and only if no uncertainty is stated")

    @property
    def name(self) -> str:
        """The first of its names."""
        return self.names[0]

    @property
    def iri(self) -> str | None:
        """Its identifier in QUDT, where it has one."""
        return None if self.qudt is None else QUDT_CONSTANT + self.qudt


@dataclass(frozen=True, slots=True)
class Role:
    """What a subscript or a mark says about a symbol: initial, hot, average. `opposite` is the other end of a pair."""

    id: str
    name: str
    group: str
    subscripts: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    opposite: str | None = None
    note: str = ""

    def __post_init__(self) -> None:
        _check_id(self.id)
        _check(bool(self.name), "name", "is empty")
        _check(bool(self.group), "group", "is empty")
        _check(bool(self.words), "words", "is empty")
        for subscript in self.subscripts:
            _check(re.fullmatch(r"[0-9A-Za-z_]+", subscript) is not None, "subscripts", f"has {subscript!r}")
        _check(self.opposite != self.id, "opposite", "is the role itself")


class KnowledgeError(ValueError):
    """A value that cannot be: says which key is wrong, for the loader to say in which entry."""

    def __init__(self, key: str, problem: str) -> None:
        super().__init__(f"{key} {problem}")
        self.key = key
        self.problem = problem


def _check(is_right: bool, key: str, problem: str) -> None:
    if not is_right:
        raise KnowledgeError(key, problem)


def _check_id(text: str) -> None:
    if _ID.fullmatch(text) is None:
        raise KnowledgeError("id", f"is {text!r}, not lower-case words joined by underscores")


def _check_symbols(symbols: tuple[str, ...]) -> None:
    if not symbols:
        raise KnowledgeError("symbols", "is empty")
    if _SYMBOLS.fullmatch(" ".join(symbols)) and _KEYWORDS.isdisjoint(symbols):
        return
    for name in symbols:
        if not is_symbol_name(name):
            raise KnowledgeError("symbols", f"has {name!r}, which is no symbol name")


@dataclass(frozen=True, slots=True)
class KnownPlace:
    """One symbol of a known relation: what it means, its coherent unit, and the letters that people write for it."""

    name: str
    meaning: str
    unit: str
    dimension: Dimension
    letters: tuple[str, ...] = ()
    is_constant: bool = False

    def __hash__(self) -> int:
        # Looked up all the time; hardly any two of a name and a meaning differ in the rest.
        return hash((self.name, self.meaning))


@dataclass(frozen=True, slots=True)
class KnownRelation:
    """A relation that people of a field know, with a meaning for each of its symbols. `equation` is Python text.

    A numerical one holds for the numbers in the units of its places; its units need not agree. Those that people ask
    for by name, with values that they know, are in the handbook too (`is_asked`).
    """

    name: str
    also: tuple[str, ...]
    equation: str
    places: tuple[KnownPlace, ...]
    field: str
    holds: str = ""
    is_numerical: bool = False
    is_asked: bool = False

    def __hash__(self) -> int:
        # As above: the places are slow to hash.
        return hash((self.name, self.equation))
