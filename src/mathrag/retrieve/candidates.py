"""Find the formulas that may answer a question: by words, by meaning and by signature, joined into one pool.

Gives candidates and how each search ranked them; which one is right is for `reason` to choose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

from mathrag.knowledge.kinds import kind
from mathrag.retrieve.case_search import CaseHit, CaseSearch
from mathrag.retrieve.counterparts import Counterparts
from mathrag.retrieve.fusion import Fused, fuse
from mathrag.retrieve.query_expansion import technical_words
from mathrag.retrieve.rarity import Rarity, rarity_of
from mathrag.retrieve.signature import Signature, SignatureIndex, signature_rows
from mathrag.retrieve.vector_search import VectorSearch
from mathrag.retrieve.word_search import WordSearch
from mathrag.store.truth.database import Database
from mathrag.store.truth.reader import formulas_by_ids
from mathrag.types.library import Formula
from mathrag.types.question import Question

# How many each search gives, and how many go on together.
WORDS, MEANING, SIGNATURE, POOL = 60, 120, 60, 90
# Formulas that worked examples add to them.
CASES = 16
_MOST_SPECIAL = 600
_SPECIAL = "SELECT id FROM formulas WHERE purpose NOT IN ('general', 'definition')"
# The same ninety formulas are found by many questions.
_MOST_KEPT = 8_192


@dataclass(frozen=True, slots=True)
class FoundFormula:
    """A formula with what each search said: `words` relative to the best hit, `meaning` as cosine; 0 if not found."""

    formula: Formula
    words: float
    meaning: float
    rank: int
    found_by: tuple[str, ...]


class Finder:
    """Searches one library. What it keeps in memory follows the library as it changes.

    `hidden` are ids of cases that must not be found: those whose own question is asked.
    """

    def __init__(self, database: Database, vectors: VectorSearch | None) -> None:
        self.database = database
        self.vectors = vectors
        self.hidden: frozenset[str] = frozenset()
        # Whether what its formulas mean may have been guessed: not where every meaning was written down and checked.
        self.may_be_guessed = True
        self.counterparts = Counterparts(database)
        self._words = WordSearch(database)
        self._cases = CaseSearch(database)
        self._kept: tuple[int, dict[str, Formula]] = (-1, {})
        self._signatures: tuple[int, SignatureIndex] | None = None
        self._special: tuple[int, frozenset[str]] = (-1, frozenset())
        self._rarity: tuple[int, Rarity] | None = None
        self._lock = Lock()

    @property
    def signatures(self) -> SignatureIndex:
        """The signatures of the library as it is now."""
        with self._lock:
            with self.database.reading():
                generation = self.database.generation
            if self._signatures is None or self._signatures[0] != generation:
                outranked = self.counterparts.outranked
                rows = [row for row in signature_rows(self.database) if row.formula not in outranked]
                self._signatures = (generation, SignatureIndex(rows))
            return self._signatures[1]

    @property
    def rarity(self) -> Rarity:
        """How rare words are in the library as it is now."""
        with self._lock:
            with self.database.reading():
                generation = self.database.generation
            if self._rarity is None or self._rarity[0] != generation:
                self._rarity = (generation, rarity_of(self.database))
            return self._rarity[1]

    @property
    def special(self) -> frozenset[str]:
        """Ids of what never competes: the steps, what was said of one case, and what a document that is trusted more
        says otherwise."""
        with self._lock, self.database.reading() as connection:
            generation = self.database.generation
            if self._special[0] != generation:
                special = frozenset(row[0] for row in connection.execute(_SPECIAL))
                self._special = (generation, special | self.counterparts.outranked)
            return self._special[1]

    def find(self, question: Question, *, limit: int = POOL, cases: Sequence[CaseHit] = ()) -> list[FoundFormula]:
        """The formulas most likely to be of use, by fused rank; behind them some that solved `cases` like it."""
        rankings = self.rankings(question)
        fused = fuse({name: [one for one, _ in ranking] for name, ranking in rankings.items()})[:limit]
        known = {each.id for each in fused}
        outranked = self.counterparts.outranked
        used = dict.fromkeys(one for hit in cases for one in hit.formulas if one not in known and one not in outranked)
        fused += [Fused(one, 0.0, ("cases",)) for one in list(used)[:CASES]]
        formulas = self._formulas([each.id for each in fused])
        words = _relative(rankings["words"])
        meaning = dict(rankings["meaning"])
        return [
            FoundFormula(
                formulas[one.id], words.get(one.id, 0.0), max(meaning.get(one.id, 0.0), 0.0), rank, one.found_by
            )
            for rank, one in enumerate(fused, start=1)
            if one.id in formulas
        ]

    def resembling(self, question: Question) -> list[CaseHit]:
        """The worked examples that a question resembles, best first."""
        return self._cases.search(searched_text(question), signature_of(question), hidden=self.hidden)

    def formulas(self, identifiers: Sequence[str]) -> list[Formula]:
        """The formulas of these ids, in their order; those that are gone are left out. As they were when the signatures
        were read that found them, so that a question is not answered from two states of a library."""
        with self._lock:
            generation, kept = self._kept
            is_current = self._signatures is not None and self._signatures[0] == generation
            if is_current and all(each in kept for each in identifiers):
                return [kept[each] for each in identifiers]
        return list(self._formulas(identifiers).values())

    def _formulas(self, identifiers: Sequence[str]) -> dict[str, Formula]:
        """Those of the formulas that there are, by id; kept while the library stays as it is."""
        with self._lock, self.database.reading():
            generation = self.database.generation
            if self._kept[0] != generation or len(self._kept[1]) > _MOST_KEPT:
                self._kept = (generation, {})
            kept = self._kept[1]
            missing = [each for each in identifiers if each not in kept]
            kept.update((one.id, one) for one in formulas_by_ids(self.database, missing))
            return {each: kept[each] for each in identifiers if each in kept}

    def rankings(self, question: Question) -> dict[str, list[tuple[str, float]]]:
        """What each search finds, best first, with its own scores."""
        text = searched_text(question)
        special = self.special
        # As many more as may have to be left out again.
        more = min(len(special), _MOST_SPECIAL)
        hits = self._words.search(text, limit=WORDS + more)
        words = [(hit.id, hit.score) for hit in hits if hit.id not in special][:WORDS]
        near = (
            self.vectors.search(text, collection="formulas", limit=MEANING + more) if self.vectors is not None else []
        )
        meaning = [(hit.key, hit.score) for hit in near if hit.key not in special][:MEANING]
        fitting = self.signatures.search(signature_of(question), limit=SIGNATURE)
        return {"words": words, "meaning": meaning, "signature": [(one, 0.0) for one in fitting]}


def searched_text(question: Question) -> str:
    """The question without its values, which match nothing; what is asked for counts twice, and what a story tells in
    everyday words stands there in technical ones too."""
    pieces = []
    end = 0
    for given in sorted(question.givens, key=lambda one: one.start):
        if not given.implied and given.start >= end:
            pieces.append(question.text[end : given.start])
            end = given.end
    pieces.append(question.text[end:])
    asked = (target.phrase for target in question.targets[:1])
    return " ".join((*pieces, *asked, *question.topics, *technical_words(question.words)))


def signature_of(question: Question) -> Signature:
    """The dimensions and symbols of a question."""
    givens = tuple(
        frozenset(str(quantity.dimension) for quantity in given.readings)
        for given in question.givens
        if not given.implied
        for _ in range(min(given.count, 4))
    )
    asked = frozenset(str(unit.dimension) for unit in question.units) or frozenset(_asked(question))
    symbols = frozenset(
        name
        for name in (*(given.symbol for given in question.givens), *(target.symbol for target in question.targets))
        if name
    )
    return Signature(givens, asked, symbols)


def _asked(question: Question) -> Sequence[str]:
    return [str(kind(each).dimension) for target in question.targets[:1] for each in target.kinds[:3]]


def _relative(ranking: Sequence[tuple[str, float]]) -> dict[str, float]:
    best = max((score for _, score in ranking), default=0.0)
    return {one: score / best for one, score in ranking} if best > 0 else {}
