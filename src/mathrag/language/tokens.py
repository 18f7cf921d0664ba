"""Text cut into tokens: words, numbers, marks and formulas in order, each with its place and its sentence.

The one tokeniser, for documents and for questions. Formulas and values are opaque: whoever found them hands them in as
whole tokens. What a word means, and what phrases words form, is decided elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from mathrag.language.word_classes import word_class
from mathrag.types.document import Math

TokenKind: TypeAlias = Literal["word", "number", "mark", "math", "break", "value", "symbol"]
# How words are cut. `plain`: letters and digits only, as the reader of numbers in words needs them ("twenty-five" is
# three tokens). `printed`: hyphened words whole, since descriptions are shown as they are written. `typed`: hyphens
# apart, since names are compared word by word, but symbols as people type them whole (`K°`, `[A]0`).
Grain: TypeAlias = Literal["plain", "printed", "typed"]

# Thousands are grouped by commas, or by the narrow and unbreakable blanks that typesetters use.
_NUMBER = (
    r"(?P<number>[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])(?:\.[0-9]+)?"
    r"|[0-9]{1,3}(?:[\u00a0\u2009\u202f][0-9]{3})+(?![0-9])(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?|\.[0-9]+)"
)
# A half-life is written as a fraction of a time and is none.
HALF_LIFE = re.compile(r"(?<![^\W_])[tTτ]_?(?:\{1/2\}|1/2|½)(?!\w)")
_SHORTENED = r"(?:e\.g|i\.e)\b\.?"
_PATTERNS: dict[Grain, re.Pattern[str]] = {
    # The masculine ordinal is typed as a degree sign: `2º30'`.
    "plain": re.compile(_NUMBER + r"|(?P<word>[^\W\d_º]\w*)|(?P<mark>\S)"),
    "printed": re.compile(
        # A numeral glued to letters belongs to a name ("3D"), and its digits are marks.
        _NUMBER
        + rf"(?!\w)|(?P<word>{_SHORTENED}"
        + r"|[^\W\d_](?:[\w'’′]|[-‐‑](?=[^\W\d_]{2})|_\{[^{}\s]{1,12}\})*)|(?P<mark>\S)"
    ),
    "typed": re.compile(
        _NUMBER
        + rf"|(?P<word>{_SHORTENED}|{HALF_LIFE.pattern}|[^\W\d_]\w*(?:['’′][^\W\d_]*)*(?:°\w{{0,8}}|[⁺⁻*](?!\w))?"
        + r"|\[[A-Z][^\[\]\s=]{0,15}\](?:_?\w{1,6})?)|(?P<mark>\S|\n)"
    ),
}
_ABBREVIATIONS = word_class("grammar.abbreviations")
_STOPS = frozenset(".?!;\n")
# Where a typed sentence ends, for whoever needs its place in the text and no tokens. An abbreviation ends one, too.
SENTENCE_BREAK = re.compile(r"(?<=[.?!;])\s")
DASHES = frozenset(("–", "—", "-", "−", "--", "→", "⇒", "‒", "―", "…"))
OPENING = {"(": ")", "[": "]", "{": "}"}
_LONGEST_BRACKET = 30
_APOSTROPHES = str.maketrans(dict.fromkeys("'’"))
# A letter with nothing or with an index behind it is a symbol: it may open a sentence in small print.
_LETTER_SYMBOL = re.compile(r"[^\W\d_](?:$|[\W\d_])")


class SymbolSeen(NamedTuple):
    """A symbol as met in a text: the name of ours, and how to write it in LaTeX."""

    name: str
    letter: str


class Token(NamedTuple):
    """One piece of a text, from `start` to `end`. A tuple, because a book has half a million of them.

    `lower` is the text without case; of typed words also without apostrophes, which many leave out. `normal` is the
    word as names are compared, where the reader needs it. Of documents: the index of the `block`, the style, the
    formula and the `symbols` that it is. Of questions: a `value` token is a whole quantity, with the index of its
    mention; a `symbol` token is a letter or name that stands for a quantity in an assignment or an equation.
    """

    kind: TokenKind
    text: str
    lower: str
    start: int
    end: int
    is_spaced: bool = False
    is_italic: bool = False
    is_bold: bool = False
    block: int = -1
    sentence: int = 0
    math: Math | None = None
    symbols: tuple[SymbolSeen, ...] = ()
    normal: str = ""
    value: int = -1

    @property
    def is_stop(self) -> bool:
        """Whether it is a mark that can end a sentence."""
        return self.kind == "mark" and self.text in _STOPS


def tokens_of(text: str, start: int = 0, end: int | None = None, *, grain: Grain) -> Iterator[Token]:
    """The words, numbers and marks of a text between two places."""
    last = -1
    for match in _PATTERNS[grain].finditer(text, start, len(text) if end is None else end):
        piece = match.group()
        kind: TokenKind = match.lastgroup  # type: ignore[assignment]
        lower = piece
        if kind == "word":
            lower = piece.lower().translate(_APOSTROPHES) if grain == "typed" else piece.casefold()
        yield Token(kind, piece, lower, match.start(), match.end(), match.start() != last)
        last = match.end()


def joined(tokens: Sequence[Token]) -> str:
    """The tokens as text again, with single blanks where they had any; formulas as their source."""
    parts: list[str] = []
    for token in tokens:
        if parts and token.is_spaced:
            parts.append(" ")
        parts.append(token.text)
    return "".join(parts).strip()


def closing_place(tokens: Sequence[Token], place: int) -> int | None:
    """Where the bracket that opens at a place closes; nothing where it does not within a phrase's length."""
    opening = tokens[place].text
    closing = OPENING[opening]
    level = 0
    for index in range(place, min(len(tokens), place + _LONGEST_BRACKET)):
        if tokens[index].kind == "mark":
            level += (tokens[index].text == opening) - (tokens[index].text == closing)
            if level == 0:
                return index
    return None


def sentences(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Where printed sentences begin and end (end excluded). A displayed formula or a line break does not end one."""
    start = 0
    for place, token in enumerate(tokens):
        if token.kind == "mark" and token.text in (".", "?", "!") and _ends_sentence(tokens, place, is_typed=False):
            yield start, place + 1
            start = place + 1
    if start < len(tokens):
        yield start, len(tokens)


def with_sentences(tokens: Sequence[Token]) -> list[Token]:
    """Typed tokens with the number of their sentence; here a line break and a semicolon end one, too."""
    numbered: list[Token] = []
    sentence = 0
    for place, token in enumerate(tokens):
        numbered.append(token._replace(sentence=sentence))
        sentence += token.is_stop and (token.text in "?!;\n" or _ends_sentence(tokens, place, is_typed=True))
    return numbered


def _ends_sentence(tokens: Sequence[Token], place: int, *, is_typed: bool) -> bool:
    """Whether the mark here is the end: nothing glued behind it, no abbreviation before it.

    In print a small letter behind a full stop goes on with the sentence; who types a question often uses no capitals.
    """
    if place + 1 >= len(tokens):
        return True
    before, following = tokens[place - 1] if place else None, tokens[place + 1]
    is_next_line = following.kind == "break" or following.text == "\n" or following.block != tokens[place].block
    if not following.is_spaced and not is_next_line:
        return following.kind == "mark" and following.text in (".)\"'" if is_typed else ')"”’')
    if before is None or before.kind != "word" or tokens[place].text != ".":
        return True
    if before.lower.rstrip(".") in _ABBREVIATIONS:
        return False
    return is_typed or not (following.kind == "word" and _goes_on(following.text))


def _goes_on(word: str) -> bool:
    return word[:1].islower() and _LETTER_SYMBOL.match(word) is None
