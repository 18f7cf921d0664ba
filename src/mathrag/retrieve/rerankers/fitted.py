"""A reranker that needs no model: a few features of question and card, weighed by numbers that were fitted.

The features are the words shared (BM25 among the texts), the nearness of meaning, whether a name of the card stands in
the question, and whether it is applied to as many arguments as the card applies it to. `tools/fit_reranker.py` fits the
weights; they stand in `data/reranker_weights.toml` with the data they come from.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources

import numpy

from mathrag.language.stems import stems
from mathrag.retrieve.bm25 import WordScores
from mathrag.retrieve.concept_names import name_key
from mathrag.store.embedders import Embedder
from mathrag.store.index.vectors import Matrix

FEATURES = ("words", "best_words", "meaning", "name", "name_words", "long_name", "arity")

_LONGEST = 20_000
_WORD = re.compile(r"[^\W\d_]+")
# A name with arguments in plain text or LaTeX: gcd(12, 18), \sin(x).
_APPLIED = re.compile(r"([^\W\d_]+)\s{0,2}\(([^()]{0,80})\)")


@cache
def fitted_weights() -> Mapping[str, float]:
    """The weight of each feature, and that of `bias`."""
    source = resources.files("mathrag.retrieve").joinpath("data", "reranker_weights.toml").read_text("utf-8")
    return {name: float(value) for name, value in tomllib.loads(source)["weights"].items()}


def features(query: str, texts: Sequence[str], embedder: Embedder) -> Matrix:
    """One row a text, in the order of `FEATURES`."""
    query = query[:_LONGEST]
    shown = [text[:_LONGEST] for text in texts]
    asked = stems(query)
    words = WordScores([stems(text) for text in shown]).scores(tuple(dict.fromkeys(asked)))
    highest = float(words.max(initial=0.0)) or 1.0
    vectors = embedder.embed([query, *shown])
    meaning = vectors[1:] @ vectors[0]
    run = tuple(part for word in _WORD.findall(query) for part in name_key(word))
    places: dict[str, list[int]] = {}
    for place, part in enumerate(run):
        places.setdefault(part, []).append(place)
    applied = _applications(query)
    rows = []
    for place, text in enumerate(shown):
        names = [key for key in map(name_key, text.partition("\n")[0].split(". ")) if key]
        said = [key for key in names if _stands_in(key, run, places)]
        own = names[0] if names else ()
        rows.append(
            (
                math.log1p(float(words[place])),
                float(words[place]) / highest,
                float(meaning[place]),
                float(bool(said)),
                sum(part in places for part in own) / len(own) if own else 0.0,
                float(any(len(key) > 1 for key in said)),
                _arity(names, applied, text),
            )
        )
    return numpy.asarray(rows, dtype=numpy.float32).reshape(len(shown), len(FEATURES))


def _stands_in(key: Sequence[str], run: Sequence[str], places: Mapping[str, Sequence[int]]) -> bool:
    """Whether the words of a name stand one after the other in a text."""
    size = len(key)
    return any(tuple(run[place : place + size]) == tuple(key) for place in places.get(key[0], ())[:50])


def _applications(text: str) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for match in _APPLIED.finditer(text):
        found.setdefault(match[1].lower(), set()).add(match[2].count(",") + 1)
    return found


def _arity(names: Sequence[Sequence[str]], applied: Mapping[str, set[int]], text: str) -> float:
    """1 where the question applies the name to as many arguments as the card, -1 to others; 0 where one does not."""
    said = {count for key in names if len(key) == 1 for count in applied.get(key[0], ())}
    if not said:
        return 0.0
    own = _applications(text)
    known = {count for key in names if len(key) == 1 for count in own.get(key[0], ())}
    return 0.0 if not known else 1.0 if said & known else -1.0


class FittedReranker:
    """Weighs the features of a text. Needs the embedder alone."""

    name = "fitted"

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def scores(self, query: str, texts: Sequence[str]) -> list[float | None]:
        """How relevant each text is, from 0 to 1; none is unknown."""
        if not texts:
            return []
        weights = fitted_weights()
        weighed = features(query, texts, self._embedder) @ numpy.asarray(
            [weights[name] for name in FEATURES], dtype=numpy.float32
        )
        return [1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, float(sum_ + weights["bias"]))))) for sum_ in weighed]
