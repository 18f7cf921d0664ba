"""Find concepts of mathematics by their cards: by words, by meaning, and by both rankings joined.

A card is what a dictionary says of a symbol: what it is called, its description, its properties and its examples. What
is found is ranked only; whether it is good enough is for a reranker to say (`rerankers`), which `ConceptSearch` has.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import Literal, TypeAlias

import numpy

from mathrag.language.stems import stems
from mathrag.retrieve.bm25 import Scores, WordScores
from mathrag.retrieve.concept_names import NameKey, concept_names, keys_of, name_key, spoken_names, symbol_words
from mathrag.retrieve.fusion import fuse
from mathrag.retrieve.rerankers import Reranker, Scored, rerank, select, thresholds_of
from mathrag.retrieve.rerankers.fitted import FittedReranker
from mathrag.sources.dictionaries.concepts import is_about_software
from mathrag.store.embedders import Embedder
from mathrag.store.index.vectors import Matrix
from mathrag.store.truth.concepts import StoredConcept, all_concepts
from mathrag.store.truth.database import Database
from mathrag.types.concept import Concept

SearchedBy: TypeAlias = Literal["words", "meaning", "fused"]

RANK_CONSTANT = 60
WEIGHTS: Mapping[str, float] = {"words": 0.5, "meaning": 0.5}
MOST_FOUND = 50
_LONGEST_QUERY = 20_000
# The embedder reads the beginning; a dictionary may hold pages of examples.
_LONGEST_CARD = 6_000


@dataclass(frozen=True, slots=True)
class ConceptHit:
    """A concept with the sum of its reciprocal ranks, what each search gave it, and the searches that found it."""

    concept: Concept
    score: float
    words: float = 0.0
    meaning: float = 0.0
    found_by: tuple[str, ...] = ()


def card_text(concept: Concept) -> str:
    """What a concept is searched by. Its name comes twice, for it says more than any other words."""
    names = spoken_names(concept.symbol)
    lines = [
        ". ".join((names[0], *names)),
        concept.description,
        *(each.text or each.latex for each in concept.properties),
        *(" ".join((each.text, *each.latex)) for each in concept.examples),
    ]
    return "\n".join(line for line in lines if line.strip())[:_LONGEST_CARD]


def card_vectors(concepts: Sequence[Concept], embedder: Embedder) -> Matrix:
    """The vectors of the cards of concepts, one a row."""
    return embedder.embed([card_text(one) for one in concepts])


class ConceptShelf:
    """Concepts in memory with what they are compared by. Knows no database."""

    def __init__(self, concepts: Sequence[Concept], embedder: Embedder, *, vectors: Matrix | None = None) -> None:
        self.concepts = tuple(concepts)
        self.embedder = embedder
        self._by_name = {one.name: one for one in self.concepts}
        self._places = {one.name: place for place, one in enumerate(self.concepts)}
        self._given = vectors
        self._called: dict[NameKey, list[Concept]] = {}
        for one in self.concepts:
            for key in keys_of(one):
                self._called.setdefault(key, []).append(one)

    # Whoever only asks for a name waits for neither of these.

    @cached_property
    def _words(self) -> WordScores:
        return WordScores([stems(card_text(one)) for one in self.concepts])

    @cached_property
    def _vectors(self) -> Matrix:
        return card_vectors(self.concepts, self.embedder) if self._given is None else self._given

    @property
    def keys(self) -> Collection[NameKey]:
        """The names of all concepts."""
        return self._called.keys()

    def called(self, key: NameKey) -> tuple[Concept, ...]:
        """The concepts of this name; those whose own symbol it is first."""
        found = self._called.get(key, [])
        return tuple(sorted(found, key=lambda one: (not _is_own(one, key), self._places[one.name])))

    def search(self, query: str, *, by: SearchedBy = "fused", limit: int = MOST_FOUND) -> tuple[ConceptHit, ...]:
        """The concepts that a text is about, best first; none where no search finds any."""
        shown = query[:_LONGEST_QUERY]
        words = self._words.scores(stems(shown))
        meaning = self._meaning(shown)
        rankings: dict[str, list[str]] = {}
        if by != "meaning":
            rankings["words"] = self._ranked(words)
        if by != "words":
            rankings["meaning"] = self._ranked(meaning)
        weights = WEIGHTS if by == "fused" else None
        return tuple(
            ConceptHit(
                self._by_name[one.id],
                one.score,
                float(words[self._places[one.id]]),
                float(meaning[self._places[one.id]]),
                one.found_by,
            )
            for one in fuse(rankings, k=RANK_CONSTANT, weights=weights)[: max(0, limit)]
        )

    def _meaning(self, text: str) -> Scores:
        if not self.concepts:
            return numpy.zeros(0, dtype=numpy.float64)
        vector = numpy.asarray(self.embedder.embed([text]), dtype=numpy.float32)[0]
        # Equal cards must stay equal wherever they stand.
        return numpy.asarray(numpy.round(self._vectors @ vector, 6), dtype=numpy.float64)

    def _ranked(self, scores: Scores) -> list[str]:
        order = numpy.argsort(-scores, kind="stable")[:MOST_FOUND]
        return [self.concepts[place].name for place in order.tolist() if scores[place] > 0]


def _is_own(concept: Concept, key: NameKey) -> bool:
    return name_key(symbol_words(concept.symbol)) == key


@dataclass(frozen=True, slots=True)
class _Kept:
    generation: int
    shelf: ConceptShelf
    stored: Mapping[str, StoredConcept] = field(default_factory=dict)


def reranker_query(text: str, names: Sequence[str]) -> str:
    """What a reranker is asked with: the problem, and what it was found to be about."""
    return f"{text}\n{', '.join(names)}" if names else text


def scored_concepts(
    text: str, shelf: ConceptShelf, reranker: Reranker | None, *, names: Sequence[str] | None = None, limit: int
) -> tuple[Scored[ConceptHit], ...]:
    """What a text is about, best first, with the reranker's scores; unknown ones where there is no reranker.

    `names` are those of the concepts where somebody else has found them; else rules find them.
    """
    said = concept_names(text) if names is None else names
    hits = shelf.search(", ".join(said) or text, limit=limit)
    if reranker is None:
        return tuple(Scored(one, None, place) for place, one in enumerate(hits))
    return rerank(reranker_query(text, said), hits, [card_text(one.concept) for one in hits], reranker)


class ConceptSearch:
    """The concepts of one library, of mathematics alone; what is kept in memory follows the library as it changes."""

    def __init__(
        self,
        database: Database,
        embedder: Embedder,
        *,
        open_reranker: Callable[[Embedder], Reranker | None] = FittedReranker,
    ) -> None:
        self.database = database
        self.embedder = embedder
        self._open_reranker = open_reranker
        # The newest state, shared with those that have another reranker; empty until it is first asked for.
        self._kept: list[_Kept] = []
        self._lock = Lock()

    @cached_property
    def reranker(self) -> Reranker | None:
        """Who says how relevant a concept is; opened when first needed."""
        return self._open_reranker(self.embedder)

    def reranked(self, open_reranker: Callable[[Embedder], Reranker | None]) -> ConceptSearch:
        """The same concepts, and another who says how relevant they are."""
        other = ConceptSearch(self.database, self.embedder, open_reranker=open_reranker)
        other._kept, other._lock = self._kept, self._lock
        return other

    def relevant(self, text: str, *, most: int) -> tuple[Scored[ConceptHit], ...]:
        """The concepts that the reranker selects for a text; of whom nobody knows that they are relevant, none."""
        if not self.has_concepts() or self.reranker is None:
            return ()
        scored = scored_concepts(text, self.shelf(), self.reranker, limit=MOST_FOUND)
        chosen = select(scored, thresholds_of(self.reranker.name))
        return tuple(one for one in chosen if one.score is not None)[:most]

    def has_concepts(self) -> bool:
        """Whether the library has any, found out without reading them."""
        with self.database.reading() as connection:
            found = connection.execute("SELECT 1 FROM concepts WHERE is_mathematical LIMIT 1").fetchone()
        return found is not None

    def shelf(self) -> ConceptShelf:
        """The concepts of the library as it now is; of several files that define one, the official one."""
        return self._now().shelf

    def stored(self, name: str) -> StoredConcept | None:
        """A concept of the shelf with its row and document."""
        return self._now().stored.get(name)

    def _now(self) -> _Kept:
        with self._lock, self.database.reading() as connection:
            generation = self.database.generation
            if not self._kept or self._kept[0].generation != generation:
                stored: dict[str, StoredConcept] = {}
                for one in all_concepts(connection):
                    if one.is_mathematical and not is_about_software(one.concept.dictionary):
                        stored.setdefault(one.concept.name, one)
                shelf = ConceptShelf([one.concept for one in stored.values()], self.embedder)
                self._kept[:] = [_Kept(generation, shelf, stored)]
            return self._kept[0]
