"""Formulas of a library that are about the same quantities as another, and how far the documents of each are trusted.

Says who speaks of the same thing; whether they agree is for arithmetic to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock

from mathrag.extract.same_things import are_of_same_quantities, kinds_of, special_words, variables_of
from mathrag.retrieve.signature import SignatureRow, signature_rows
from mathrag.store.truth.database import Database
from mathrag.store.truth.reader import formulas_by_ids
from mathrag.store.truth.trust import trust_levels
from mathrag.types.library import Formula

# So many formulas of the same quantities are compared; those of any one sort are few.
_MOST_COMPARED = 40


@dataclass(frozen=True, slots=True)
class _State:
    """What is known of a library at one moment. `outranked` are formulas that never give a number: a document that is
    trusted more speaks of the same thing."""

    generation: int
    by_quantities: Mapping[tuple[str, ...], tuple[str, ...]]
    levels: Mapping[str, int]
    outranked: frozenset[str]


class Counterparts:
    """Looks in one library; follows it as it changes."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: _State | None = None
        self._lock = Lock()

    @property
    def outranked(self) -> frozenset[str]:
        """Ids of formulas that do not compete, because a document that is trusted more speaks of the same thing."""
        return self._state().outranked

    def level(self, formula: Formula) -> int:
        """How far a formula is trusted: as the best of its documents, 1, 0 or -1."""
        levels = self._state().levels
        return max((levels.get(span.document, 0) for span in formula.spans), default=0)

    @property
    def untrusted(self) -> frozenset[str]:
        """Ids of the documents that people marked as not to be trusted."""
        return frozenset(document for document, level in self._state().levels.items() if level < 0)

    def is_untrusted(self, document: str) -> bool:
        """Whether people marked a document as one not to trust."""
        return self._state().levels.get(document, 0) < 0

    def of(self, formula: Formula) -> list[Formula]:
        """The other formulas in which the same quantities vary."""
        varying = variables_of(formula)
        key = tuple(sorted(str(each.dimension) for each in varying))
        ids = [each for each in self._state().by_quantities.get(key, ()) if each != formula.id]
        found = formulas_by_ids(self._database, ids[: 4 * _MOST_COMPARED])
        return [each for each in found if are_of_same_quantities(formula, each)][:_MOST_COMPARED]

    def _state(self) -> _State:
        with self._lock:
            with self._database.reading():
                generation = self._database.generation
            if self._known is None or self._known.generation != generation:
                groups = by_quantities(signature_rows(self._database))
                levels = trust_levels(self._database)
                outranked = _outranked(self._database, groups.values(), levels) if levels else frozenset()
                self._known = _State(generation, groups, levels, outranked)
            return self._known


def by_quantities(rows: Iterable[SignatureRow]) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Ids of formulas by the dimensions of what varies in them, as they are read first."""
    varying: dict[str, list[str]] = {}
    unknown: set[str] = set()
    for row in rows:
        if row.reading or row.is_constant:
            continue
        if row.dimension is None:
            unknown.add(row.formula)
        varying.setdefault(row.formula, []).append(row.dimension or "")
    found: dict[tuple[str, ...], list[str]] = {}
    for formula, dimensions in varying.items():
        if formula not in unknown:
            found.setdefault(tuple(sorted(dimensions)), []).append(formula)
    return {key: tuple(ids) for key, ids in found.items()}


def _outranked(database: Database, groups: Iterable[Sequence[str]], levels: Mapping[str, int]) -> frozenset[str]:
    with database.reading() as connection:
        rows = connection.execute("SELECT DISTINCT formula, document FROM formula_places").fetchall()
    best: dict[str, int] = {}
    for formula, document in rows:
        level = levels.get(document, 0)
        best[formula] = max(level, best.get(formula, level))
    found: set[str] = set()
    for ids in groups:
        if len({best.get(each, 0) for each in ids}) == 1:
            continue
        members = formulas_by_ids(database, ids)
        found.update(
            one.id
            for one in members
            if any(
                best.get(other.id, 0) > best.get(one.id, 0) and _say_what_the_same_is(one, other) for other in members
            )
        )
    return frozenset(found)


def _say_what_the_same_is(one: Formula, other: Formula) -> bool:
    kinds = kinds_of((one, other))
    return are_of_same_quantities(one, other) and special_words(one, kinds) == special_words(other, kinds)
