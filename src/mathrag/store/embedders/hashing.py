"""A small embedder for tests and for trying things out: words hashed into a vector. Knows words, not meaning."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy

from mathrag.store.index.words import query_words


class HashingEmbedder:
    """Texts that share words are near each other; nothing is loaded."""

    def __init__(self, *, dimensions: int = 64, name: str = "hashing") -> None:
        self.dimensions = dimensions
        self.name = f"{name}-{dimensions}"
        self.texts_embedded = 0

    def embed(self, texts: Sequence[str]) -> numpy.ndarray[tuple[int, int], numpy.dtype[numpy.float32]]:
        """One unit vector a text; zeros for a text without words."""
        matrix = numpy.zeros((len(texts), self.dimensions), dtype=numpy.float32)
        for row, text in enumerate(texts):
            for word in query_words(text):
                digest = hashlib.sha256(word.encode("utf-8", "replace")).digest()
                place = int.from_bytes(digest[:4], "big") % self.dimensions
                matrix[row, place] += 1.0 if digest[4] % 2 else -1.0
        self.texts_embedded += len(texts)
        lengths = numpy.linalg.norm(matrix, axis=1, keepdims=True)
        return numpy.asarray(matrix / numpy.where(lengths == 0, 1, lengths), dtype=numpy.float32)
