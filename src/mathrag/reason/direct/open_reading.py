"""Open reading: whether a word that nobody took up may change what is computed. What is asked and what is stated others
find."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from mathrag.knowledge.kinds import kinds_for_words
from mathrag.language.stems import stem
from mathrag.language.word_classes import any_of, word_class


@cache
def _changing() -> frozenset[str]:
    return frozenset(stem(each) for each in word_class("open_reading.changing") if " " not in each)


@cache
def _inert() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{any_of('open_reading.inert')})(?!\w)", re.IGNORECASE)


def without_inert(text: str) -> str:
    """The text without phrases that change nothing, though a word of them might."""
    return _inert().sub(" ", text)


@lru_cache(maxsize=20_000)
def may_change(word: str) -> bool:
    """Whether a word says that something becomes other than stated, names a quantity or a unit, or is no word."""
    if not word.isalpha():
        return True
    word = word.lower()
    return word in word_class("open_reading.changing") or stem(word) in _changing() or bool(kinds_for_words(word))


_WORD = re.compile(r"[^\W\d_]+|\d+|[^\s\w]|_")
_SIGNS = frozenset(",.?!;:'’\"“”„()-–—…")
_ASKS = re.compile(r"(?<!\w)(?:what|how|why|who)(?!\w)", re.IGNORECASE)


def asks_again(text: str) -> bool:
    """Whether what is left of a question still asks two things; of one the asking word may be left."""
    return len(_ASKS.findall(text)) > 1


def changes_nothing(rest: str, *, known: frozenset[str] = frozenset()) -> bool:
    """Whether no word of what is left may change what is computed, but for those that are known."""
    words = [each for each in _WORD.findall(without_inert(rest)) if each not in _SIGNS]
    return not asks_again(rest) and not any(each.lower() not in known and may_change(each) for each in words)
