"""How well the words of texts fit those of a question (BM25), over texts in memory. Knows words, no database."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

import numpy

Scores: TypeAlias = numpy.ndarray[tuple[int], numpy.dtype[numpy.float64]]

# The usual numbers: how soon repeating a word stops to count, and how much long texts are held back.
_SATURATION = 1.5
_LENGTH = 0.75


class WordScores:
    """Scores texts, each given as its words, by the words of a question."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        self.size = len(texts)
        counted = [Counter(words) for words in texts]
        lengths = [sum(words.values()) for words in counted]
        mean = sum(lengths) / self.size if self.size and sum(lengths) else 1.0
        places: dict[str, list[int]] = {}
        counts: dict[str, list[int]] = {}
        for place, words in enumerate(counted):
            for word, count in words.items():
                places.setdefault(word, []).append(place)
                counts.setdefault(word, []).append(count)
        dampening = numpy.asarray(
            [_SATURATION * (1 - _LENGTH + _LENGTH * length / mean) for length in lengths], dtype=numpy.float64
        )
        self._postings: dict[str, tuple[numpy.ndarray[tuple[int], numpy.dtype[numpy.int64]], Scores]] = {}
        for word, held in places.items():
            at = numpy.asarray(held, dtype=numpy.int64)
            often = numpy.asarray(counts[word], dtype=numpy.float64)
            rarity = math.log(1 + (self.size - len(held) + 0.5) / (len(held) + 0.5))
            self._postings[word] = (at, rarity * often * (_SATURATION + 1) / (often + dampening[at]))

    def scores(self, words: Sequence[str]) -> Scores:
        """A score for each text; 0 where it shares no word. A word that is said twice counts twice."""
        total = numpy.zeros(self.size, dtype=numpy.float64)
        for word, count in Counter(words).items():
            found = self._postings.get(word)
            if found is not None:
                total[found[0]] += count * found[1]
        return total
