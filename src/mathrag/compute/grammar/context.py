"""What the parts of the grammar share while one formula is read: source, known names, flags and choices."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NoReturn

from mathrag.errors import ExpressionLimitError, FormulaError
from mathrag.types.expression import MAXIMUM_DEPTH, Flag

_SPACING = ("\\quad", "\\,", "\\;", "\\:", "~", "\\")


@dataclass(slots=True)
class Context:
    """One reading in progress. `branch` is the sign that a plus-minus takes in this pass."""

    source: str
    known: frozenset[str] = frozenset()
    branch: str = "+"
    saw_plus_minus: bool = False
    flags: list[Flag] = field(default_factory=list)
    depth: int = 0
    groups: frozenset[str] = frozenset()
    plain_letters: frozenset[str] = frozenset()
    has_greek_phases: bool = False
    equals_one: bool = False
    pi_is_symbol: bool = False
    has_factorial: bool = False
    applications: dict[str, set[str]] = field(default_factory=dict)
    clashing: frozenset[str] = frozenset()
    arguments: set[str] = field(default_factory=set)
    function: str = ""
    is_left_side: bool = False
    # How many terms an open sum is written out with; None where it stays open. `counted` then are that number,
    # `index` is what those sums run over.
    terms: int | None = None
    counted: set[str] = field(default_factory=set)
    index: str = ""

    def knows(self, name: str) -> bool:
        """Whether the caller named this symbol."""
        return name in self.known

    def spacing_before(self, position: int) -> str:
        """The spacing command right before a place in the source, or nothing; a lone backslash is the word space."""
        before = self.source[max(0, position - 64) : position].rstrip()
        return next((command for command in _SPACING if before.endswith(command)), "")

    def flag(self, code: str, message: str, position: int | None) -> None:
        """Note a choice, once."""
        entry = Flag(code, message, position)
        if entry not in self.flags:
            self.flags.append(entry)

    def decline(self, code: str, reason: str, position: int | None) -> NoReturn:
        """Give the formula up at a place."""
        raise FormulaError(code, reason, source=self.source, position=position)

    def enter(self, position: int | None) -> None:
        """Go one level deeper, within the cap."""
        self.depth += 1
        if self.depth > MAXIMUM_DEPTH:
            raise ExpressionLimitError("the formula is nested too deeply", source=self.source, position=position)

    def leave(self) -> None:
        """Come back from a level."""
        self.depth -= 1


def known_names(symbols: Collection[str]) -> frozenset[str]:
    """The caller's hints as names: plain identifiers as they are, LaTeX such as `v_{avg}` reduced to one.

    The letters of a hint count as a name only when there are several (`Re_D` makes Re known, `m_1` says nothing about
    m). Functions and pi stay what they are, whatever the caller lists.
    """
    # A document gives the same hints with each of its thousands of formulas.
    return _known_names(tuple(symbols)) if symbols else frozenset()


@lru_cache(maxsize=64)
def _known_names(symbols: tuple[str, ...]) -> frozenset[str]:
    from mathrag.compute.grammar.lexicon import MATHEMATICAL_FUNCTIONS
    from mathrag.types.symbol_names import WORD_LETTERS, safe_identifier, split_name

    found: set[str] = set()
    for symbol in symbols:
        plain = symbol.strip().replace("\\mathrm", "").replace("\\text", "")
        plain = plain.replace("\\", "").replace("{", "").replace("}", "")
        if not plain:
            continue
        name = safe_identifier(plain.replace(" ", "_").replace(",", "_"))
        letter = split_name(name).letter
        found.add(name)
        if len(letter) > 1 and letter not in WORD_LETTERS:
            found.add(letter)
    return frozenset(found - MATHEMATICAL_FUNCTIONS - {"pi", "pi_"})
