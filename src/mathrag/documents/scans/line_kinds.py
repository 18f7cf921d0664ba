"""Whether a recognised line is prose, a formula or a fragment of one, by its signs and words. Knows no places.

OCR reads words well and formulas badly: `x²` comes as `x2`, a fraction as two lines. So what has the look of a formula
is never believed, however sure the recogniser is.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from mathrag.documents.scans.nouns import ScanLine

LineKind: TypeAlias = Literal["prose", "formula", "fragment", "marker"]

_UNREADABLE = 0.5
_WORD = re.compile(r"[^\W\d_]{2,}(?:['’-][^\W\d_]+)*")
_RELATIONS = frozenset("=≈≡≠≤≥≪≫∝→⇒⇔≅≃∼")
_SIGNS = frozenset("∫∮∑∏√∂∇∆Δ±∓×÷⋅^_|{}∞∈⟨⟩+−*/<>")
_MARKER = re.compile(r"(?:[•·▪◦–*-]|\(?(?:\d{1,3}|[A-Za-z]|[ivx]{1,4})[.)])")
_NUMBER = re.compile(r"[(\[]\s?([A-Z]?\.?\d{1,3}(?:[.\-–]\d{1,3}){0,3}[a-z]?)\s?[)\]]")
_VOWELS = frozenset("aeiouy")
_SHORT_WORDS = frozenset(
    "of is in to it at on by as or an be we if so no do up us he me my go am and the for are der die das und ist von "
    "zu im le la de et un une est en du au los el y es con per il di".split()
)  # fmt: skip


def words_of(text: str) -> list[str]:
    """The words of a language in a line: not `nRT`, `Vf` or `Wenv2`, which OCR makes of symbols with indices."""
    return [word for word in _WORD.findall(text[:2_000]) if _is_word(word)]


def _is_word(word: str) -> bool:
    if len(word) == 2:
        return word.lower() in _SHORT_WORDS
    if word.isascii() and not _VOWELS & set(word.lower()):
        return False
    # Capitals inside a word are symbols; all capitals of some length are a heading or an abbreviation.
    return word[1:].islower() or (word.isupper() and len(word) >= 4) or "-" in word or "’" in word or "'" in word


def kind_of(line: ScanLine) -> LineKind:
    """What a line is by itself; its neighbours may still draw it into a formula."""
    text = line.text.strip()
    if _MARKER.fullmatch(text):
        return "marker"
    words = words_of(text)
    has_relation = any(sign in _RELATIONS for sign in text)
    if line.confidence < _UNREADABLE:
        return "formula" if has_relation else "fragment"
    solid = sum(1 for character in text if not character.isspace()) or 1
    share = sum(len(word) for word in words) / solid
    if has_relation:
        # "where F = ma is the force" is prose; "Weng = Qnet" and "F = m a (Newton)" are not.
        return "prose" if len(words) >= 4 and share >= 0.6 else "formula"
    has_sign = any(sign in _SIGNS for sign in text)
    if (words and share >= 0.45) or (words and share >= 0.25 and not has_sign) or (len(words) >= 3 and share >= 0.3):
        return "prose"
    return "fragment"


def equation_number(text: str) -> str:
    """The number in `(3.2)`, empty where the text is none."""
    match = _NUMBER.fullmatch(text.strip())
    return match.group(1) if match else ""


def is_page_number(text: str) -> bool:
    """Whether a lone piece at the edge of a page can be its number: `31`, `- 4 -`, `xii`."""
    bare = text.strip(" .·-–—|[]()")
    return 0 < len(bare) <= 5 and (bare.isdigit() or re.fullmatch(r"[ivxlc]{1,5}", bare.lower()) is not None)
