"""Words reduced to their stems, so that "accelerates" meets "acceleration". Knows English only, and no meanings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Protocol

from mathrag.knowledge.spelling import normal_words
from mathrag.language.word_classes import word_class

STOP_WORDS = word_class("grammar.stop_words")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 - the library's name


@cache
def _english() -> _Stemmer:
    # Imported when first needed: starting the program must stay quick.
    import snowballstemmer

    stemmer: _Stemmer = snowballstemmer.stemmer("english")
    return stemmer


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The stem of one normalised word."""
    return _english().stemWord(word)


@lru_cache(maxsize=20_000)
def stems(text: str) -> tuple[str, ...]:
    """The stems of a text's telling words, in order, repeated ones included."""
    return stems_of_words(normal_words(" ".join(_WORD.findall(text))).split())


def stems_of_words(words: Iterable[str]) -> tuple[str, ...]:
    """The stems of words that are normalised already, without those that tell nothing."""
    return tuple(stem(word) for word in words if word not in STOP_WORDS)
