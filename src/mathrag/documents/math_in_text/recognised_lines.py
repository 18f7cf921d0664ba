"""Formulas among the lines that OCR has read: the manner of recognised text. A line is one as a whole, or prose.

OCR reads words well and formulas badly: `x²` comes as `x2`, a fraction as two lines. So what has the look of a formula
is only told from prose here, never believed, however sure the recogniser is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mathrag.documents.math_in_text.finder import Manner, find_formulas
from mathrag.documents.math_in_text.tokens import VOWELS, FoundFormula, Role, TextToken
from mathrag.language.word_classes import word_class

_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<letters>[^\W\d_]{2,}(?:['’-][^\W\d_]+)*)|(?P<relation>[=≈≡≠≤≥≪≫∝→⇒⇔≅≃∼])|(?P<other>.)",
    re.DOTALL,
)
_SIGNS = frozenset("∫∮∑∏√∂∇∆Δ±∓×÷⋅^_|{}∞∈⟨⟩+−*/<>")
_TWO_LETTERS = word_class("text_formulas.two_letters_by_ocr")
# No line of a page is longer.
_LONGEST = 2_000


def words_of(text: str) -> list[str]:
    """The words of a language in a line: not `nRT`, `Vf` or `Wenv2`, which OCR makes of symbols with indices."""
    return [token.text for token in _tokens_of(text) if _is_word(token)]


def has_relation(text: str) -> bool:
    """Whether a line states that things are equal or follow; `<` and `>` OCR also sees in brackets and dirt."""
    return any(token.kind == "relation" for token in _tokens_of(text))


def is_prose(text: str) -> bool:
    """Whether a line is a sentence or a part of one rather than a formula or a fragment of one."""
    tokens = _tokens_of(text)
    return bool(tokens) and not find_formulas(tokens, RECOGNISED)


def _tokens_of(text: str) -> list[TextToken]:
    tokens: list[TextToken] = []
    gap = 0.0
    for found in _TOKEN.finditer(text[:_LONGEST]):
        kind = found.lastgroup or "other"
        if kind != "space":
            tokens.append(TextToken(kind, found.group(), found.start(), found.end(), gap))
        gap = 1.0 if kind == "space" else 0.0
    return tokens


def _is_word(token: TextToken) -> bool:
    word = token.text
    if token.kind != "letters":
        return False
    if len(word) == 2:
        return word.lower() in _TWO_LETTERS
    if word.isascii() and VOWELS.isdisjoint(word):
        return False
    # Capitals inside a word are symbols; all capitals of some length are a heading or an abbreviation.
    return word[1:].islower() or (word.isupper() and len(word) >= 4) or any(mark in word for mark in "-’'")


def _roles(tokens: Sequence[TextToken]) -> list[Role]:
    """Words are words only where they carry the line: beside signs a few of them are names and remarks of a formula."""
    if _is_carried_by_words(tokens):
        return ["word"] * len(tokens)
    return [_role(token) for token in tokens]


def _role(token: TextToken) -> Role:
    if token.kind == "relation":
        return "relation"
    return "maybe" if _is_word(token) else "neutral"


def _is_carried_by_words(tokens: Sequence[TextToken]) -> bool:
    """Whether words make up enough of a line. The shares are of characters, and were set on scanned pages."""
    words = [token for token in tokens if _is_word(token)]
    share = sum(len(token.text) for token in words) / max(sum(len(token.text) for token in tokens), 1)
    if any(token.kind == "relation" for token in tokens):
        # "where F = ma is the force" is prose; "Weng = Qnet" and "F = m a (Newton)" are not.
        return len(words) >= 4 and share >= 0.6
    has_sign = any(not _SIGNS.isdisjoint(token.text) for token in tokens)
    least = 0.3 if len(words) >= 3 else 0.45
    return bool(words) and share >= (least if has_sign else 0.25)


def _whole_line(tokens: Sequence[TextToken], _roles: Sequence[Role], start: int, stop: int) -> Iterator[FoundFormula]:
    if stop - start == len(tokens):
        yield FoundFormula(start, stop)


RECOGNISED: Manner[TextToken] = Manner(roles=_roles, judge=_whole_line)
