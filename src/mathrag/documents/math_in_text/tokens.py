"""What every format gives to the finder of formulas: the words and signs of its text with style, white and scripts.

Here stand also the signs and names that all formats share. Whether tokens are a formula is for `finder.py` to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias, TypeVar

from mathrag.types.document import Notation

# What a token may be in a formula.
# symbol: certainly mathematics. maybe: letters that may be a symbol, a unit or a short word: the neighbours tell.
# greek: a Greek letter alone, which prose has as well. neutral: digits, brackets and points among glyphs.
# mark: what hangs on a value (a prime, a percent sign). unit: letters after a value. word: prose.
Role: TypeAlias = Literal[
    "symbol", "maybe", "greek", "number", "operator", "relation", "open", "close", "comma", "mark", "function", "root",
    "neutral", "unit", "word",
]  # fmt: skip

FUNCTIONS = frozenset(
    "sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan ln log exp max min".split()
)  # fmt: skip
# Signs of a number or a term: they may stand where a value is awaited.
LEADING_SIGNS = frozenset("+-−–±∓")
VOWELS = frozenset("aeiouyAEIOUY")
SUPERSCRIPTS = str.maketrans(
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵃᵇᶜᵈᵉᶠᵍʰʲᵏˡᵐᵒᵖʳˢᵗᵘᵛʷˣʸᶻᵀᴺᴴᴷ", "0123456789+-=()niabcdefghjklmoprstuvwxyzTNHK"
)
SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥᵦᵧᵨᵩᵪ", "0123456789+-=()aeoxhklmnpstijruvβγρφχ")


@dataclass(slots=True)
class TextToken:
    """A word or a sign of running text, from `start` up to `end`; a glyph, where a page only draws glyphs.

    `kind` is what the characters show by themselves. `gap` is the white before it in parts of the size of its
    letters; in typed text it is one or nothing. `is_script` tells a glyph that hangs on the one before it; where a
    format shows what belongs together, scripts stand in the token they hang on.
    """

    kind: str
    text: str
    start: int
    end: int
    gap: float = 0.0
    italic: bool = False
    bold: bool = False
    is_script: bool = False


AnyToken = TypeVar("AnyToken", bound=TextToken)


@dataclass(frozen=True, slots=True)
class FoundFormula:
    """A formula from token `start` up to token `stop`; with its source, where the manner writes it as well."""

    start: int
    stop: int
    source: str = ""
    notation: Notation = "latex"


def closing_bracket(tokens: Sequence[TextToken], opening: int) -> int | None:
    """The place of the bracket that closes the one at `opening`."""
    depth = 0
    for place in range(opening, len(tokens)):
        depth += {"open": 1, "close": -1}.get(tokens[place].kind, 0)
        if depth == 0:
            return place
    return None


def is_unit_name(text: str) -> bool:
    """Whether a word can be a unit."""
    return len(text) <= 20 and text.isascii() and is_unit(text)


@lru_cache(maxsize=4096)
def is_unit(text: str) -> bool:
    """Whether a text is a unit, also one made of several."""
    # Imported here: the unit tables take a while to load and most documents need them late or never.
    from mathrag.knowledge.units import is_unit_text

    return is_unit_text(text)
