"""Texts in memory, found by words and by meaning, the two rankings joined. Knows no database and judges nothing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy

from mathrag.retrieve.fusion import Fused, fuse
from mathrag.store.embedders import Embedder
from mathrag.store.index.problem_likeness import LikenessIndex

# From each ranking; and of both together.
_OF_EACH, _MOST = 5, 10


class TextShelf:
    """Texts with what they are compared by; they go by their places."""

    def __init__(self, texts: Sequence[str], embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors = numpy.asarray(embedder.embed(list(texts)), dtype=numpy.float32)
        self._index = LikenessIndex(texts, self._vectors)

    def nearest(self, text: str) -> list[Fused]:
        """Those that fit a text best, best first, with the sums of their reciprocal ranks."""
        vector = numpy.asarray(self._embedder.embed([text]), dtype=numpy.float32)[0]
        by_words = self._index.likeness(text, numpy.zeros_like(vector))
        return fuse({"words": _first(by_words), "meaning": _first(self._vectors @ vector)})[:_MOST]


def _first(scores: numpy.ndarray[tuple[int], numpy.dtype[numpy.float32]]) -> list[str]:
    order = numpy.argsort(-numpy.round(scores, 6), kind="stable")[:_OF_EACH]
    return [str(place) for place in order.tolist() if scores[place] > 0]
