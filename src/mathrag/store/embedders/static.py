"""The default embedder: wordllama, a static model whose weights come inside its package. Loads on first use."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Any

import numpy

_DIMENSIONS = 256
# It reads a fixed number of tokens anyway; longer text only costs time.
_LONGEST_TEXT = 8_000
# The tokeniser behind the model is not made for several threads at once.
_ONE_AT_A_TIME = Lock()


class StaticEmbedder:
    """Average of token vectors: thousands of texts a second, no network, nothing to install."""

    dimensions = _DIMENSIONS

    def __init__(self) -> None:
        self.name = f"wordllama-{version('wordllama')}-{_DIMENSIONS}"

    def embed(self, texts: Sequence[str]) -> numpy.ndarray[tuple[int, int], numpy.dtype[numpy.float32]]:
        """Vectors of length one; a text without known words gets zeros."""
        if not texts:
            return numpy.zeros((0, _DIMENSIONS), dtype=numpy.float32)
        # The model fills a batch up to its longest text: texts of a length together cost least.
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        with _ONE_AT_A_TIME:
            vectors = _model().embed([texts[index][:_LONGEST_TEXT] or " " for index in order], norm=False)
        matrix = numpy.empty((len(texts), _DIMENSIONS), dtype=numpy.float32)
        matrix[order] = numpy.asarray(vectors, dtype=numpy.float32).reshape(len(texts), _DIMENSIONS)
        matrix = numpy.nan_to_num(matrix)
        lengths = numpy.linalg.norm(matrix, axis=1, keepdims=True)
        return numpy.asarray(matrix / numpy.where(lengths == 0, 1, lengths), dtype=numpy.float32)


@cache
def _model() -> Any:
    """The weights, once for all libraries of a process."""
    # Importing it sets up logging for the whole program; that is not its business.
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    import wordllama

    root.handlers[:] = handlers
    root.setLevel(level)
    folder = Path(wordllama.__file__).parent
    return wordllama.WordLlama.load(cache_dir=folder, dim=_DIMENSIONS, disable_download=True)


def make_embedder() -> StaticEmbedder:
    """The entry point."""
    return StaticEmbedder()
