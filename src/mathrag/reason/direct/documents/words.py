"""Words of questions and of the names in documents, cut and normalised alike, so that they can be compared.

"GPT-4", "gpt4" and "GPT 4" are the same words, so are "Acc." and "accuracy"; "Model" and "Model*" are not.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from mathrag.language.stems import stem
from mathrag.language.word_classes import word_class, word_pairs

_LONGEST = 2_000
# A Greek letter alone is a word of its own, whatever stands beside it: "δE".
_GREEK = r"(?<![\u0370-\u03ff])[\u0370-\u03ff](?![\u0370-\u03ff])"
_WORD = re.compile(
    rf"[wW]/[oO]?(?!\w)|{_GREEK}|(?:(?!{_GREEK})[^\W\d_])+|"
    r"\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|[&+*†‡]"
)
_POSSESSIVE = re.compile(r"['’]s\b")
_STYLE = re.compile(
    r"\\(?:text|math)(?:bf|it|rm|tt|sf|sc|cal|bb)?\b|\\(?:bf|operatorname|boldsymbol|bm|left|right|q?quad)\b|\*\*|__"
)
# "Au₇" and "Au7", "x²" and "x2" are the same words; every sign keeps its place.
_LEVEL_DIGITS = str.maketrans("₀₁₂₃₄₅₆₇₈₉⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789" * 2)
_ARTICLES = frozenset({"the", "a", "an"})
# So many letters must two forms of one word share.
LEAST_SHARED = 5


class Word(NamedTuple):
    """A word as written, with its place, and the key by which it is compared."""

    text: str
    key: str
    start: int
    end: int

    @property
    def lower(self) -> str:
        """The word without case."""
        return self.text.casefold()


def words_of(text: str) -> tuple[Word, ...]:
    """The words, numbers and telling signs of a text."""
    text = plain(text)
    return tuple(Word(match.group(), key_of(match.group()), match.start(), match.end()) for match in _cut(text))


def plain(text: str) -> str:
    """The text without marks of style and possessives; every character keeps its place."""

    def blank(match: re.Match[str]) -> str:
        return " " * len(match.group())

    return _POSSESSIVE.sub(blank, _STYLE.sub(blank, text[:_LONGEST])).translate(_LEVEL_DIGITS)


def _cut(text: str) -> Sequence[re.Match[str]]:
    return list(_WORD.finditer(text))


@lru_cache(maxsize=50_000)
def key_of(word: str) -> str:
    """What a word is compared by: its stem, of a shortened header that of the whole word, of a number its digits."""
    lower = word.casefold()
    if lower[0].isdigit():
        return lower.replace(",", "")
    if len(lower) == 1 and "GREEK" in unicodedata.name(lower, ""):
        return unicodedata.name(lower).split()[-1].lower()
    return stem(word_pairs("documents.short_names").get(lower, lower))


@lru_cache(maxsize=50_000)
def keys_of(text: str) -> tuple[str, ...]:
    """The keys of a name, without articles."""
    return tuple(word.key for word in words_of(text) if word.lower not in _ARTICLES)


@lru_cache(maxsize=50_000)
def term_keys(text: str) -> tuple[str, ...]:
    """The keys of a name of a table, without articles: "OR (95% CI)" has those of the odds ratio and of the confidence
    interval."""
    joined, _ = in_terms(words_of(text))
    return tuple(word.key for word in joined if word.lower not in _ARTICLES)


def in_terms(words: Sequence[Word]) -> tuple[tuple[Word, ...], tuple[int, ...]]:
    """The words with the name of a statistic as one word, so that an odds ratio asks for no quotient, and for each word
    its place among them."""
    printed, terms = word_pairs("documents.statistics"), _statistics()
    joined: list[Word] = []
    places: list[int] = []
    for word in words:
        before = joined[-1] if joined else word
        known = terms.get((before.lower, word.lower), "")
        if known:
            joined[-1] = Word(f"{before.text} {word.text}", known, before.start, word.end)
        elif word.text in printed:
            joined.append(word._replace(key=printed[word.text]))
        else:
            joined.append(word)
        places.append(len(joined) - 1)
    return tuple(joined), tuple(places)


@cache
def _statistics() -> dict[tuple[str, str], str]:
    """The names of statistics by their two words, in the singular and in the plural."""
    names = word_class("documents.statistics").union(word_pairs("documents.statistics").values())
    pairs = [(name.partition(" ")[0], name.partition(" ")[2], name) for name in names]
    return {(first, f"{second}{ending}"): name for first, second, name in pairs for ending in ("", "s")}


@lru_cache(maxsize=256)
def class_keys(name: str) -> frozenset[str]:
    """The keys of the words of a class."""
    return frozenset(key_of(word) for word in word_class(name) if word[0].isalnum())


def are_forms(one: str, other: str) -> bool:
    """Whether two words begin alike for nearly the whole of the shorter one."""
    shorter = min(len(one), len(other))
    common = next((place for place in range(shorter) if one[place] != other[place]), shorter)
    return common >= LEAST_SHARED and common >= shorter - 2
