"""What a worksheet needs from a library: formulas and constants by name, and answers to questions. One seam."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from mathrag.errors import LibraryError
from mathrag.types.expression import Comparison, Equation
from mathrag.types.quantity import Quantity


@dataclass(frozen=True, slots=True)
class Link:
    """Where a number comes from: the words for it, the id of the formula, and its document."""

    label: str
    formula: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class CitedFormula:
    """A formula that a line cites. `conditions` are those that can be checked, `warnings` what a reader must know."""

    link: Link
    equations: tuple[Equation, ...]
    conditions: tuple[Comparison, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CitedConstant:
    """A constant that a line cites, with its standard uncertainty where it has one."""

    link: Link
    quantity: Quantity


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of a question: a quantity, or words alone; `refusal` says why there is no answer."""

    text: str
    quantity: Quantity | None = None
    refusal: str = ""
    links: tuple[Link, ...] = ()


class Sources(Protocol):
    """A library as a worksheet sees it. `version` changes whenever anything in it may answer differently."""

    @property
    def version(self) -> str:
        """What tells one state of the library from another."""
        ...

    def cited(self, text: str) -> CitedFormula | CitedConstant:
        """The formula or constant with this name or id; raises `LibraryError` where none, or several, have it."""
        ...

    def ask(self, question: str) -> Asked:
        """The outcome of a question."""
        ...


def known_constant(text: str) -> CitedConstant | None:
    """A constant of physics by its name, which needs no library."""
    from mathrag.knowledge.constants import constant_quantity, constants_for_words

    found = constants_for_words(text)
    if not found:
        return None
    if len(found) > 1:
        names = ", ".join(each.name for each in found)
        raise LibraryError(f"{text!r} names several constants: {names}")
    return CitedConstant(Link(found[0].name, source=found[0].source), constant_quantity(found[0]))


class NoLibrary:
    """No library: constants of physics are known, formulas and answers are not."""

    version = ""

    def cited(self, text: str) -> CitedFormula | CitedConstant:
        """The constant with this name."""
        found = known_constant(text)
        if found is None:
            raise LibraryError(f"no constant is called {text!r}, and formulas need a library: give one with --library")
        return found

    def ask(self, question: str) -> Asked:
        """Questions need a library."""
        raise LibraryError(f"{question!r} needs a library: give one with --library")
