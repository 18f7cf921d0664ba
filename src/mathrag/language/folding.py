"""Text as it looks, for comparing: one width, one script, nothing invisible. The one place where characters are folded.

What comes out is for comparing alone and never shown or stored: two texts that a reader cannot tell apart fold to one,
and some that he can ("ν" and "v") fold to one, too.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache

from mathrag.language.word_classes import word_pairs

_SCRIPTS = ("cyrillic", "greek", "armenian_and_others", "other_latin")
# Drawn as nothing though they are letters or marks: fillers, joiners, selectors of variants.
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u2800\u3164\uffa0")
_VARIANTS = (range(0xFE00, 0xFE10), range(0xE0000, 0xE0FFF + 1))


@cache
def _lookalikes() -> dict[int, str]:
    return {ord(odd): plain for script in _SCRIPTS for odd, plain in word_pairs(f"confusables.{script}").items()}


def is_invisible(character: str) -> bool:
    """Whether nothing is drawn for a character, and it is no blank: format characters, fillers, selectors."""
    if character < "\xad":
        return False
    if unicodedata.category(character) == "Cf" or character in _INVISIBLE:
        return True
    return any(ord(character) in variants for variants in _VARIANTS)


def without_invisible(text: str) -> str:
    """The text without characters for which nothing is drawn."""
    return text if text.isascii() else "".join(each for each in text if not is_invisible(each))


@lru_cache(maxsize=20_000)
def folded(text: str) -> str:
    """The text as it looks: without invisible characters and accents, of one width, with Latin letters for those of
    other scripts that look so. Capitals stay, and so do letters that look like no Latin one."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKC", without_invisible(text)).translate(_lookalikes())
    # Once more apart: an accent on a letter of another script was one character with it before.
    apart = unicodedata.normalize("NFKD", text).translate(_lookalikes())
    return "".join(each for each in apart if unicodedata.category(each) not in ("Mn", "Me", "Cf"))
