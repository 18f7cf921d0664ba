"""Find a quote in a text, exactly but for blanks and typography, and say where it stands. Never nearly.

Curly and straight quotation marks, kinds of dashes and of blanks are one; letters, digits and signs are not.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

_LONGEST_TEXT = 40_000
_SHORT = 2_000
_SAME = {
    **dict.fromkeys("‘’‚‛′`´", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―−﹣－", "-"),
    "…": "...",
    "ﬁ": "fi",
    "ﬂ": "fl",
    "ﬀ": "ff",
    "ﬃ": "ffi",
    "ﬄ": "ffl",
    "\N{MICRO SIGN}": "μ",
    "\N{OHM SIGN}": "Ω",
}


@dataclass(frozen=True, slots=True)
class Quoted:
    """Where a quote stands in a text, and the text's own characters there."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class _Plain:
    """A text in one typography; `origins[i]` is where its character i comes from."""

    text: str
    origins: tuple[int, ...]


def find_quote(quote: str, text: str) -> Quoted | None:
    """The first place of a quote; None where the text does not hold it."""
    wanted = plain_typography(quote)
    if not wanted:
        return None
    plain = _plain(text[:_LONGEST_TEXT])
    start = plain.text.find(wanted)
    if start < 0:
        return None
    first, last = plain.origins[start], plain.origins[start + len(wanted) - 1]
    return Quoted(first, last + 1, text[first : last + 1])


def holds(text: str, quote: str) -> bool:
    """Whether a text holds a quote."""
    return find_quote(quote, text) is not None


def plain_typography(text: str) -> str:
    """A text with single blanks and one kind of each mark, without blanks at its ends."""
    return _plain_words(text) if len(text) <= _SHORT else _plain(text[:_LONGEST_TEXT]).text.strip()


# Quotes of formulas are looked for in chunk after chunk.
@lru_cache(maxsize=16_384)
def _plain_words(text: str) -> str:
    return " ".join("".join(map(shown_character, text)).split())


def shown_character(character: str) -> str:
    """What a reader sees of a character: any blank is a blank; control and zero-width characters are nothing."""
    if character.isspace():
        return " "
    return _SAME.get(character, character) if character.isprintable() else ""


@lru_cache(maxsize=256)
def _plain(text: str) -> _Plain:
    characters: list[str] = []
    origins: list[int] = []
    for index, character in enumerate(text):
        same = shown_character(character)
        if same == " " and characters and characters[-1] == " ":
            continue
        for each in same:
            characters.append(each)
            origins.append(index)
    return _Plain("".join(characters), tuple(origins))
