"""Which concept a description in plain words means: its words are held against descriptions that people give.

A guess by words, and called so wherever it is shown. Nothing is returned where two concepts fit alike or too many words
are left over.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from functools import cache
from importlib import resources

from mathrag.language.stems import stem
from mathrag.language.word_classes import word_class, word_pairs

# Of the weight of the words in the question and in the description, so much must be shared.
_LEAST_SHARED = 0.78
# The next concept must stay so far behind.
_AHEAD = 0.08
_LONGEST = 300


@cache
def _descriptions() -> tuple[tuple[str, frozenset[str]], ...]:
    source = resources.files("mathrag.retrieve").joinpath("data", "concept_descriptions.toml").read_text("utf-8")
    given = tomllib.loads(source)["descriptions"]
    return tuple((symbol, _words(each)) for symbol, texts in given.items() for each in texts)


def _words(text: str) -> frozenset[str]:
    """The stems of the words, those of one meaning as one; small words such as "no" and "both" count here."""
    found = (_DIGITS.get(word, word) for word in _WORD.findall(text.lower()))
    grammar, alike = word_class("concepts.description_grammar"), _alike()
    return frozenset(alike.get(stem(word), stem(word)) for word in found if word not in grammar)


_WORD = re.compile(r"[a-z]{2,}|(?<![\w.])[01](?![\w.])")
_DIGITS = {"0": "zero", "1": "one"}


@cache
def _weights() -> Mapping[str, float]:
    """Words that many descriptions have tell less."""
    counted = Counter(word for _, words in _descriptions() for word in words)
    total = len(_descriptions())
    return {word: math.log(1 + total / count) for word, count in counted.items()}


def described_symbol(text: str) -> str | None:
    """The symbol that a description means; None where none is surely meant."""
    asked = _words(text[:_LONGEST])
    if not asked:
        return None
    best: dict[str, float] = {}
    for symbol, words in _descriptions():
        best[symbol] = max(best.get(symbol, 0.0), _shared(asked, words))
    ranked = sorted(best.items(), key=lambda each: -each[1])
    (symbol, score), (_, next_score) = ranked[0], ranked[1]
    return symbol if score >= _LEAST_SHARED and score - next_score >= _AHEAD else None


@cache
def _alike() -> Mapping[str, str]:
    return {stem(word): stem(meant) for word, meant in word_pairs("concepts.description_alike").items()}


def _shared(asked: frozenset[str], words: frozenset[str]) -> float:
    weights = _weights()
    heaviest = max(weights.values())

    def weight(some: frozenset[str]) -> float:
        return sum(weights.get(word, heaviest) for word in some)

    common = 2 * weight(asked & words)
    return common / (weight(asked) + weight(words))
