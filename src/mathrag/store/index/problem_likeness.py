"""How alike problems are: by the meaning of their words, by the words themselves and by the signs of their formulas.

Also when two are the same or nearly so, and which type a problem has by its neighbours. Knows texts and vectors, no
database. The numbers stand in `data/likeness.toml`.
"""

from __future__ import annotations

import math
import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import TypeAlias

import numpy

from mathrag.language.stems import stem
from mathrag.store.index.vectors import Matrix

Scores: TypeAlias = numpy.ndarray[tuple[int], numpy.dtype[numpy.float32]]

_TOKEN = re.compile(r"\\[A-Za-z]+|[A-Za-z]+|[0-9]+|[^\sA-Za-z0-9]")
# What a problem is about is said in its first lines; and whoever writes a book into one must not make all others wait.
_MOST_TOKENS = 300
# Only how long a number is: problems of one sort come with other numbers.
_LONGEST_NUMBER = 4
_SPACING = re.compile(r"\\[,!;: ]|\\(?:left|right|displaystyle)(?![A-Za-z])|[$\s{}]+")
_LAST_SIGNS = ".?!"
_SHINGLE = 3


@cache
def likeness_numbers(group: str) -> Mapping[str, float]:
    """The numbers of one group of the data file."""
    source = resources.files("mathrag.store.index").joinpath("data", "likeness.toml").read_text("utf-8")
    return {name: float(value) for name, value in tomllib.loads(source)[group].items() if name != "about"}


# ---- the same problem


def normal_text(text: str) -> str:
    """A problem without what only sets it otherwise: blanks, braces, dollars, spacing and case. Equal ones are one."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _SPACING.sub("", folded).rstrip(_LAST_SIGNS)


def shingles(text: str) -> frozenset[tuple[str, ...]]:
    """All runs of three words, numbers and signs; one run of what there is in a shorter text."""
    tokens = [token.casefold() for token in _tokens(text)]
    runs = zip(*(tokens[start:] for start in range(_SHINGLE)), strict=False)
    return frozenset(runs) or frozenset((tuple(tokens),))


def are_near_duplicates(first: frozenset[tuple[str, ...]], second: frozenset[tuple[str, ...]]) -> bool:
    """Whether two problems, by their `shingles`, are one but for a few words."""
    return len(first & second) >= likeness_numbers("duplicates")["share"] * len(first | second)


# ---- likeness


def _tokens(text: str) -> Iterator[str]:
    for count, found in enumerate(_TOKEN.finditer(text)):
        if count >= _MOST_TOKENS:
            return
        yield found[0]


def likeness_words(text: str) -> Counter[str]:
    """What a text is compared by: stems, commands and signs, lengths of numbers; each alone and with the next."""
    words = [_word(token) for token in _tokens(text)]
    return Counter([*words, *(f"{one} {next_one}" for one, next_one in pairwise(words))])


def _word(token: str) -> str:
    if token[0].isdigit():
        return f"#{min(len(token), _LONGEST_NUMBER)}"
    return stem(token.lower()) if token[0].isalpha() else token


class LikenessIndex:
    """Texts to be compared with, each with its vector (zeros where there is none), in memory."""

    def __init__(self, texts: Sequence[str], vectors: Matrix) -> None:
        self.size = len(texts)
        self._vectors = vectors
        counted = [likeness_words(text) for text in texts]
        held = Counter(word for words in counted for word in words)
        self._rarity = {word: math.log((1 + self.size) / count) for word, count in held.items()}
        places: dict[str, list[int]] = {word: [] for word in held}
        amounts: dict[str, list[float]] = {word: [] for word in held}
        for place, words in enumerate(counted):
            weighed = self._weighed(words)
            for word, amount in weighed.items():
                places[word].append(place)
                amounts[word].append(amount)
        self._postings = {
            word: (numpy.asarray(places[word], dtype=numpy.int32), numpy.asarray(amounts[word], dtype=numpy.float32))
            for word in held
        }

    def _weighed(self, words: Counter[str]) -> dict[str, float]:
        """The weights of words, together of length one. A word that no text has is as rare as can be."""
        unknown = math.log(1 + self.size)
        weights = {word: (1 + math.log(count)) * self._rarity.get(word, unknown) for word, count in words.items()}
        length = math.sqrt(math.fsum(weight * weight for weight in weights.values())) or 1.0
        return {word: weight / length for word, weight in weights.items()}

    def likeness(self, text: str, vector: Scores, *, group: str = "likeness") -> Scores:
        """How alike each text is to this one, from about 0 to 1; `group` names the shares of meaning and words."""
        share = likeness_numbers(group)
        by_words = numpy.zeros(self.size, dtype=numpy.float32)
        for word, amount in self._weighed(likeness_words(text)).items():
            found = self._postings.get(word)
            if found is not None:
                by_words[found[0]] += found[1] * numpy.float32(amount)
        by_meaning = self._vectors @ vector if self.size else by_words
        both = share["meaning"] * by_meaning + share["words"] * by_words
        return numpy.asarray(both, dtype=numpy.float32)


# ---- types by neighbours


@dataclass(frozen=True, slots=True)
class TypePath:
    """Where a problem stands, from wide to narrow; what is not known is empty."""

    branch: str = ""
    subfield: str = ""
    type: str = ""


def type_shares(scores: Scores, types: Sequence[TypePath | None]) -> dict[TypePath, float]:
    """How likely each type is, by the likeness of problems whose type is known; most likely first, together one."""
    numbers = likeness_numbers("types")
    known = [place for place, one in enumerate(types) if one is not None and one.type and scores[place] > 0]
    nearest = sorted(known, key=lambda place: (-round(float(scores[place]), 5), place))[: int(numbers["neighbours"])]
    counts = Counter(one for one in types if one is not None and one.type)
    total = sum(counts.values())
    weights: dict[TypePath, float] = {}
    for place in nearest:
        one = types[place]
        if one is not None:
            weights[one] = weights.get(one, 0.0) + float(scores[place]) ** numbers["sharpness"]
    held_back = {one: weight / (counts[one] / total) ** numbers["evenness"] for one, weight in weights.items()}
    whole = math.fsum(held_back.values()) or 1.0
    ordered = sorted(held_back, key=lambda one: (-held_back[one], one.branch, one.subfield, one.type))
    return {one: held_back[one] / whole for one in ordered}


def settled_type(shares: Mapping[TypePath, float], nearest: float) -> tuple[TypePath, float] | None:
    """The type, or else the subfield or the branch, that is likely enough to be stated, with its share."""
    numbers = likeness_numbers("types")
    if nearest < numbers["least"]:
        return None
    levels = (
        {one: share for one, share in shares.items() if one.type},
        _summed((TypePath(one.branch, one.subfield), share) for one, share in shares.items() if one.subfield),
        _summed((TypePath(one.branch), share) for one, share in shares.items() if one.branch),
    )
    for level in levels:
        best = max(level, key=lambda one: level[one], default=None)
        if best is not None and level[best] >= numbers["sure"]:
            return best, level[best]
    return None


def _summed(shares: Iterator[tuple[TypePath, float]]) -> dict[TypePath, float]:
    found: dict[TypePath, float] = {}
    for one, share in shares:
        found[one] = found.get(one, 0.0) + share
    return found
