"""What the parts of the grammar share while one formula is read: what is known, where reading stands, the way down.

A grammar calls itself: a sum holds products, a product operands, an operand whole rows in parentheses. Here is the one
seam of that recursion. A `Cursor` stands in a row; `Descent` names the few readers that every part may call; the parts
know both and not each other, and `mathrag.compute.grammar` wires them once. No rule of notation lives here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NoReturn, TypeAlias

from mathrag.compute.choices import NO_CHOICES, Choices
from mathrag.compute.grammar.lexicon import DECLINED_SIGNS, MATHEMATICAL_FUNCTIONS
from mathrag.compute.notation import Mark, Script, Sign, Space, Words
from mathrag.errors import ExpressionLimitError, FormulaError
from mathrag.types.expression import MAXIMUM_DEPTH, Ambiguity, Expression, Flag, Phrase
from mathrag.types.symbol_names import WORD_LETTERS, safe_identifier, split_name

_SPACING = ("\\quad", "\\,", "\\;", "\\:", "~", "\\")
# Function application and a zero-width blank: converters add them, and they say nothing here.
# Choices that are noted for one formula; each is compared with those before, and nobody reads hundreds.
_MOST_FLAGS = 200
_INVISIBLE = frozenset(("\u2061", "\u200b"))


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows of expressions, all of the same length. Lives only while a formula is read; the tree has no such node."""

    rows: tuple[tuple[Expression, ...], ...]

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""
        return len(self.rows), len(self.rows[0])


Value: TypeAlias = Expression | Matrix


@dataclass(frozen=True, slots=True)
class Descent:
    """The readers through which the parts of the grammar call each other. Each begins where its cursor stands."""

    sum: Callable[[Cursor], Value]
    product: Callable[[Cursor], Value]
    factor: Callable[[Cursor], Value]
    divisor: Callable[[Cursor, Value, Mark], Value]


@dataclass(slots=True)
class Context:
    """One reading in progress. `branch` is the sign that a plus-minus takes in this pass."""

    source: str
    descent: Descent
    known: frozenset[str] = frozenset()
    branch: str = "+"
    saw_plus_minus: bool = False
    flags: list[Flag] = field(default_factory=list)
    depth: int = 0
    groups: frozenset[str] = frozenset()
    plain_letters: frozenset[str] = frozenset()
    lone_letters: frozenset[str] = frozenset()
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
    # What `vectors.py` found: whether vectors are marked, which hats are directions, whether bold is mere print.
    has_vectors: bool = False
    directions: frozenset[str] = frozenset()
    bold_is_plain: bool = False
    # Symbols that words of the formula name, with those words and their units.
    phrases: list[Phrase] = field(default_factory=list)
    # The unit that stands in brackets behind the whole formula, which is that of what it gives.
    result_unit: str = ""
    # Whether names of several words stand in it, so that letters side by side are rather a name than factors.
    in_words: bool = False
    # What the caller chose where two readings are possible, and the places where that was asked.
    choices: Choices = NO_CHOICES
    ambiguities: dict[Ambiguity, None] = field(default_factory=dict)

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
        if len(self.flags) < _MOST_FLAGS and entry not in self.flags:
            self.flags.append(entry)

    def note(self, ambiguity: Ambiguity) -> None:
        """Remember a place that can be read in two ways."""
        self.ambiguities[ambiguity] = None

    def forget_letters(self, texts: Iterable[str]) -> None:
        """Drop what was noted of letters that turned out to be something else."""
        found = set(texts)
        for ambiguity in [one for one in self.ambiguities if one.kind == "letters" and one.text in found]:
            del self.ambiguities[ambiguity]

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


class Cursor:
    """A place in a row that is being read from left to right."""

    __slots__ = ("context", "end", "in_argument", "in_divisor", "index", "is_fenced", "marks")

    def __init__(self, prepared: Iterable[Mark], context: Context, end: int) -> None:
        self.marks = [
            mark
            for mark in prepared
            if not (isinstance(mark, Space) or (isinstance(mark, Sign) and mark.text in _INVISIBLE))
        ]
        self.context = context
        self.index = 0
        self.end = end
        self.in_divisor = False
        self.in_argument = False
        # Whether the row is all that a pair of brackets holds.
        self.is_fenced = False

    def peek(self, offset: int = 0) -> Mark | None:
        """The mark `offset` places ahead, unread."""
        index = self.index + offset
        return self.marks[index] if 0 <= index < len(self.marks) else None

    def peek_sign(self, offset: int = 0) -> str:
        """The sign ahead, or an empty text when there is none."""
        mark = self.peek(offset)
        return mark.text if isinstance(mark, Sign) else ""

    def position(self) -> int:
        """Where the next mark stands in the source."""
        mark = self.peek()
        return mark.position if mark is not None else self.end

    def sum(self) -> Value:
        """Terms with signs between them."""
        return self.context.descent.sum(self)

    def product(self) -> Value:
        """Factors side by side or with a product or division sign between them."""
        return self.context.descent.product(self)

    def factor(self) -> Value:
        """One operand with its postfix signs."""
        return self.context.descent.factor(self)

    def divisor(self, numerator: Value, slash: Mark) -> Value:
        """What the slash just passed divides by."""
        return self.context.descent.divisor(self, numerator, slash)

    def scalar(self, value: Value, position: int) -> Expression:
        """A value that must be a number, not a matrix."""
        if isinstance(value, Matrix):
            self.context.decline("matrix", "a matrix or vector stands where a number is needed", position)
        return value

    def starts_factor(self, mark: Mark) -> bool:
        """Whether a mark can continue a product without a sign."""
        if isinstance(mark, Sign):
            return mark.text in ("∑", "∏", "∫", "√")
        if isinstance(mark, Script) and isinstance(mark.base, Sign):
            return mark.base.text in ("∑", "∏", "∫")
        return not isinstance(mark, Space)

    def refuse(self, mark: Mark) -> NoReturn:
        """Say why reading cannot go on at this mark."""
        if isinstance(mark, Script) and isinstance(mark.base, Sign):
            mark = mark.base
        if isinstance(mark, Sign):
            code, reason = DECLINED_SIGNS.get(mark.text, ("syntax", f"{mark.text} does not belong here"))
            self.context.decline(code, reason, mark.position)
        if isinstance(mark, Words):
            self.context.decline(
                "free_text", f"running text inside the formula: {mark.text.strip()[:40]!r}", mark.position
            )
        self.context.decline("syntax", "this does not fit what stands before it", mark.position)


def known_names(symbols: Collection[str]) -> frozenset[str]:
    """The caller's hints as names: plain identifiers as they are, LaTeX such as `v_{avg}` reduced to one.

    The letters of a hint count as a name only when there are several (`Re_D` makes Re known, `m_1` says nothing about
    m). Functions and pi stay what they are, whatever the caller lists.
    """
    # A document gives the same hints with each of its thousands of formulas.
    return _known_names(tuple(symbols)) if symbols else frozenset()


@lru_cache(maxsize=64)
def _known_names(symbols: tuple[str, ...]) -> frozenset[str]:
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
