"""Formulas as they look: rows of names, numbers, signs, scripts and fences, before anyone decides what they mean.

Every reader of two-dimensional mathematics (LaTeX, presentation MathML) makes this tree; one grammar gives it meaning
(`mathrag.compute.grammar`). Each mark knows its character position in the source, so that errors can point.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mathrag.errors import ExpressionLimitError
from mathrag.types.expression import MAXIMUM_DEPTH

# More than any real formula has; what exceeds it is an attack or an accident.
MAXIMUM_MARKS = 5_000

Style = Literal["italic", "upright", "bold", "script", "operator"]


@dataclass(frozen=True, slots=True)
class Name:
    """A letter or a word. Italic runs come letter by letter; upright words (`\\mathrm{Re}`, `<mi>sin</mi>`) whole.

    Greek letters are spelled out (`theta`, `Delta`); `italic` with several letters means the source marked it as one
    identifier (a MathML `<mi>` with several letters).
    """

    text: str
    position: int
    style: Style = "italic"


@dataclass(frozen=True, slots=True)
class Digits:
    """An unsigned decimal literal, thousands separators already removed: `8.314`, `96485`, `.5`."""

    text: str
    position: int


@dataclass(frozen=True, slots=True)
class Sign:
    """An operator, relation, separator or other mark, as one Unicode character or ASCII digraph of the list below.

    + - * / = < > <= >= != ≈ ≡ ∝ ~ ≪ ≫ ± ∓ · × ÷ ! , ; : | ‖ % ° ′ ″ ‴ … → ← ⇌ ⇒ ∂ ∇ ∫ ∮ ∑ ∏ ∞
    ∈ ⊂ ∪ ∩ ∀ ∃ ∧ ∨ ∘ ⊗ ⊕ ⊙ ⊖ ⊤ † ‡ ⊥ ∥ ∠ △ & ? $ # @ "
    `·` is any centred dot, `×` any cross, `*` an asterisk. `⁢` (invisible times) and `⁡` (apply function) are kept.
    """

    text: str
    position: int


@dataclass(frozen=True, slots=True)
class Space:
    """White space that the author asked for; `wide` from about an em (`\\quad`), where conditions begin.

    `between_words` for the space that separates words (`\\ `, `~`), against the thin ones that separate units.
    """

    position: int
    wide: bool = False
    between_words: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """Running text inside a formula (`\\text{for laminar flow}`, `<mtext>`), blanks at its ends kept."""

    text: str
    position: int


@dataclass(frozen=True, slots=True)
class Row:
    """Marks side by side, belonging together (a brace group, an `<mrow>`)."""

    items: tuple[Mark, ...]
    position: int


@dataclass(frozen=True, slots=True)
class Fence:
    """A row between delimiters: ( ) [ ] { } | | ‖ ‖ ⌊ ⌋ ⌈ ⌉ ⟨ ⟩; an empty delimiter (`\\left.`) is an empty text."""

    opening: str
    closing: str
    body: Row
    position: int


@dataclass(frozen=True, slots=True)
class Script:
    """A base with something below and above right. `limits` for bounds set under and over (sums, `munderover`)."""

    base: Mark
    sub: Row | None
    sup: Row | None
    position: int
    limits: bool = False


@dataclass(frozen=True, slots=True)
class Accent:
    """A mark over (or under) a base: bar, hat, dot, ddot, vec, tilde, underline, breve, check, mathring."""

    mark: str
    body: Row
    position: int


@dataclass(frozen=True, slots=True)
class Stack:
    """A fraction; without a rule (`bar=False`) the inside of a binomial coefficient."""

    above: Row
    below: Row
    position: int
    bar: bool = True


@dataclass(frozen=True, slots=True)
class Root:
    """A radical; `degree` None for a square root."""

    body: Row
    degree: Row | None
    position: int


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells in lines: `kind` is "matrix" (fences around it are a `Fence`), "cases" or "lines" (aligned equations)."""

    kind: Literal["matrix", "cases", "lines"]
    lines: tuple[tuple[Row, ...], ...]
    position: int


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with a unit that the source marked as such (siunitx): both as text."""

    number: str
    unit: str
    position: int


@dataclass(frozen=True, slots=True)
class Species:
    """Chemical notation (`\\ce{...}`), its text unread."""

    text: str
    position: int


Mark: TypeAlias = (
    Name | Digits | Sign | Space | Words | Row | Fence | Script | Accent | Stack | Root | Grid | Amount | Species
)


def visible(marks: Iterable[Mark]) -> list[Mark]:
    """The marks without the white space between them."""
    return [mark for mark in marks if not isinstance(mark, Space)]


def walk_marks(mark: Mark) -> list[Mark]:
    """Every mark below, in reading order."""
    found: list[Mark] = []
    pending: list[Mark] = [mark]
    while pending:
        current = pending.pop()
        found.append(current)
        pending.extend(reversed(parts_of(current)))
    return found


def parts_of(mark: Mark) -> list[Mark]:
    """The marks directly below one, in reading order."""
    match mark:
        case Row(items, _):
            return list(items)
        case Fence(_, _, body, _) | Accent(_, body, _):
            return [body]
        case Script(base, sub, sup, _):
            return [part for part in (base, sub, sup) if part is not None]
        case Stack(above, below, _):
            return [above, below]
        case Root(body, degree, _):
            return [part for part in (degree, body) if part is not None]
        case Grid(_, lines, _):
            return [cell for line in lines for cell in line]
        case _:
            return []


def check_size(row: Row) -> None:
    """Refuse what is deeper or longer than any real formula. Iterative, so that depth costs no stack."""
    count = 0
    pending: list[tuple[Mark, int]] = [(row, 1)]
    while pending:
        mark, depth = pending.pop()
        count += 1
        if depth > MAXIMUM_DEPTH:
            raise ExpressionLimitError("the formula is nested too deeply", position=mark.position)
        if count > MAXIMUM_MARKS:
            raise ExpressionLimitError(f"more than {MAXIMUM_MARKS:,} marks is no formula", position=mark.position)
        pending.extend((part, depth + 1) for part in parts_of(mark))
