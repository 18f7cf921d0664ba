"""Find the worked examples that a question resembles: by the rarer words of the story, by what is given and what is
asked. Never by numbers, and never from a case that is hidden.

A case stands for the formulas that solved it. Which of them answers the question is for `reason` to choose.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock

from mathrag.errors import MathragError
from mathrag.extract.phrases import content_words
from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.stems import stem
from mathrag.retrieve.signature import Signature
from mathrag.store.truth.cases import list_cases
from mathrag.store.truth.database import Database
from mathrag.types.library import Case

# Cases that are looked at closely, after their words; and how many of them count in the end.
_LOOKED_AT, _KEPT = 40, 8
# How much of the resemblance the words alone are worth; the rest is earned by what is asked and what is given.
_WORDS, _ASKED, _GIVEN = 0.4, 0.3, 0.3
# What a resemblance must reach to count at all.
_LEAST = 0.08
_MOST_FORMS = 400
_GENERAL = "status = 'executable' AND purpose IN ('general', 'definition')"


@dataclass(frozen=True, slots=True)
class CaseHit:
    """A case with how much a question resembles it, from 0 to 1, and the formulas of the library that solved it."""

    case: Case
    resemblance: float
    formulas: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Known:
    """The cases of one state of the library, prepared for comparing."""

    generation: int
    cases: Sequence[Case] = ()
    sizes: Sequence[float] = ()
    rarity: Mapping[str, float] = field(default_factory=dict)
    by_stem: Mapping[str, Sequence[int]] = field(default_factory=dict)
    formulas: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class CaseSearch:
    """Searches the cases of one library; what it keeps in memory follows the library as it changes."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known = _Known(-1)
        self._lock = Lock()

    def search(self, text: str, signature: Signature, *, hidden: Collection[str] = ()) -> list[CaseHit]:
        """The cases that a question resembles most, best first. `text` is the question without its values."""
        known = self._prepared()
        if not known.cases:
            return []
        words = _stems(text)
        # A word that no case has is as rare as can be.
        unknown = math.log(1 + len(known.cases))
        size = math.sqrt(sum(known.rarity.get(each, unknown) ** 2 for each in sorted(words)))
        shared: dict[int, float] = {}
        for each in sorted(words):
            for place in known.by_stem.get(each, ()):
                shared[place] = shared.get(place, 0.0) + known.rarity[each] ** 2
        visible = [place for place in shared if known.cases[place].id not in hidden]
        found = []
        for place in sorted(visible, key=lambda place: (-shared[place] / known.sizes[place], place))[:_LOOKED_AT]:
            case, amount = known.cases[place], shared[place]
            alike = amount / (size * known.sizes[place])
            worth = alike * (_WORDS + _ASKED * _same_asked(case, signature) + _GIVEN * _same_givens(case, signature))
            if worth >= _LEAST:
                found.append((-worth, place))
        return [
            CaseHit(known.cases[place], -worth, _formulas(known.cases[place], known.formulas))
            for worth, place in sorted(found)[:_KEPT]
        ]

    def _prepared(self) -> _Known:
        with self._lock:
            with self._database.reading():
                generation = self._database.generation
            if self._known.generation != generation:
                self._known = _prepare(self._database, generation)
            return self._known


def _prepare(database: Database, generation: int) -> _Known:
    cases = list_cases(database)
    stems = [_stems(case.problem) for case in cases]
    counts = Counter(each for words in stems for each in words)
    rarity = {each: math.log(1 + len(cases) / count) for each, count in counts.items()}
    by_stem: dict[str, list[int]] = {}
    for place, words in enumerate(stems):
        # A case whose formulas are not known stands for none; it only tells which words are rare.
        for each in words if cases[place].formulas else ():
            by_stem.setdefault(each, []).append(place)
    sizes = [math.sqrt(sum(rarity[each] ** 2 for each in sorted(words))) or 1.0 for words in stems]
    formulas = _formulas_by_form(database, {one.form for case in cases for one in case.formulas})
    return _Known(generation, cases, sizes, rarity, by_stem, formulas)


def _formulas_by_form(database: Database, forms: Collection[str]) -> dict[str, tuple[str, ...]]:
    """The formulas that may be computed with, by canonical form."""
    found: dict[str, list[str]] = {}
    with database.reading() as connection:
        rows = connection.execute(f"SELECT form, id FROM formulas WHERE {_GENERAL} ORDER BY id")  # noqa: S608
        for form, identifier in rows:
            if form in forms:
                found.setdefault(form, []).append(identifier)
    return {form: tuple(ids[:_MOST_FORMS]) for form, ids in found.items()}


def _formulas(case: Case, formulas: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each for one in case.formulas for each in formulas.get(one.form, ())))


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in content_words(text))


def _same_asked(case: Case, signature: Signature) -> float:
    """Whether both ask for the same dimension; half, where one of them does not say."""
    if case.value is None or not signature.asked:
        return 0.5
    try:
        return float(str(read_canonical_unit(case.unit).dimension) in signature.asked)
    except MathragError:
        return 0.5


def _same_givens(case: Case, signature: Signature) -> float:
    """The share of the values that have a fellow of the same dimension on the other side."""
    most = max(len(case.givens), len(signature.givens))
    if not most:
        return 1.0
    left = list(case.givens)
    matched = 0
    for dimensions in signature.givens:
        fellow = next((each for each in left if each in dimensions), None)
        if fellow is not None:
            left.remove(fellow)
            matched += 1
    return matched / most
