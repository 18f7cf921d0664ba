"""Concepts of the dictionaries of a library, read. Rows that were changed since they were stored are passed over.

What is stored is believed only as far as its types: a library may come from any file.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from mathrag.documents.media_type import DICTIONARY_TYPE, SIGNATURES_TYPE
from mathrag.store.truth.codec import listed, place_of_row
from mathrag.store.truth.seals import agreeing_rows
from mathrag.types.concept import (
    Concept,
    ConceptExample,
    ConceptProperty,
    PropertyKind,
    SampleCheck,
    SampleOutcome,
)

_KINDS: tuple[PropertyKind, ...] = get_args(PropertyKind)
_OUTCOMES: tuple[SampleOutcome, ...] = get_args(SampleOutcome)
_MOST_NAMES = 500


@dataclass(frozen=True, slots=True)
class StoredConcept:
    """A concept as one dictionary of the library defines it.

    Several may have one name, where several files are the same dictionary. `status` is what the dictionary says of
    itself, such as `official`; `is_mathematical` is false for dictionaries about OpenMath itself.
    """

    id: str
    document: str
    concept: Concept
    status: str = ""
    is_mathematical: bool = True


def all_concepts(connection: sqlite3.Connection) -> tuple[StoredConcept, ...]:
    """Every concept with its signature, properties and examples; official dictionaries first, then by name and id."""
    return _concepts(connection, agreeing_rows(connection, "concepts"), is_whole=True)


def concepts_named(connection: sqlite3.Connection, text: str) -> tuple[StoredConcept, ...]:
    """The concepts with this name (`arith1:gcd`), id or symbol (`gcd`); the best known first."""
    for column in ("name", "id", "symbol"):
        rows = agreeing_rows(connection, "concepts", f"WHERE {column} = ?", (text,))
        if rows:
            return _concepts(connection, rows)
    return ()


def concepts_by_ids(connection: sqlite3.Connection, ids: Sequence[str]) -> tuple[StoredConcept, ...]:
    """The concepts with these ids that are there."""
    rows = [
        row
        for start in range(0, len(ids), _MOST_NAMES)
        for part in (list(ids[start : start + _MOST_NAMES]),)
        for row in agreeing_rows(connection, "concepts", f"WHERE id IN ({', '.join('?' * len(part))})", part)
    ]
    return _concepts(connection, rows)


def concepts_of_formula(connection: sqlite3.Connection, formula: str) -> tuple[StoredConcept, ...]:
    """The concepts that a formula uses and the library has, the most telling first, each name once."""
    names = [
        name
        for (name,) in connection.execute(
            "SELECT concept FROM formula_concepts WHERE formula = ? ORDER BY position", (formula,)
        )
    ]
    marks = ", ".join("?" * len(names))
    rows = agreeing_rows(connection, "concepts", f"WHERE name IN ({marks})", names) if names else []
    found: dict[str, StoredConcept] = {}
    for one in _concepts(connection, rows):
        found.setdefault(one.concept.name, one)
    return tuple(found[name] for name in names if name in found)


def formulas_of_concept(connection: sqlite3.Connection, name: str, *, limit: int = 50) -> tuple[list[str], int]:
    """The ids of formulas that use a concept, by their labels, and how many there are in all."""
    (count,) = connection.execute("SELECT count(*) FROM formula_concepts WHERE concept = ?", (name,)).fetchone()
    rows = connection.execute(
        "SELECT f.id FROM formula_concepts c JOIN formulas f ON f.id = c.formula WHERE c.concept = ? "
        "ORDER BY f.label = '', f.label COLLATE NOCASE, f.id LIMIT ?",
        (name, limit),
    )
    return [identifier for (identifier,) in rows], int(count)


def count_concepts(connection: sqlite3.Connection) -> dict[str, int]:
    """How much the dictionaries of a library hold, and what came of checking the formal properties."""
    one = "SELECT count({}) FROM {} WHERE {}"
    questions = {
        "dictionary_files": ("*", "documents", f"media_type = '{DICTIONARY_TYPE}'"),
        "dictionaries": ("DISTINCT dictionary", "concepts", "1"),
        "definitions": ("*", "concepts", "1"),
        "concepts": ("DISTINCT name", "concepts", "1"),
        "mathematical_concepts": ("DISTINCT name", "concepts", "is_mathematical"),
        "formal_properties": ("*", "concept_properties", "kind = 'formal'"),
        "stated_properties": ("*", "concept_properties", "kind = 'stated'"),
        "examples": ("*", "concept_examples", "1"),
        "signature_files": ("*", "documents", f"media_type = '{SIGNATURES_TYPE}'"),
        "signatures": ("*", "concept_signatures", "1"),
        "holding": ("*", "concept_properties", "outcome = 'holds'"),
        "failing": ("*", "concept_properties", "outcome = 'fails'"),
        "undecided": ("*", "concept_properties", "kind = 'formal' AND coalesce(outcome, 'undecided') = 'undecided'"),
    }
    return {name: int(connection.execute(one.format(*parts)).fetchone()[0]) for name, parts in questions.items()}


def _concepts(
    connection: sqlite3.Connection, rows: Sequence[Mapping[str, Any]], *, is_whole: bool = False
) -> tuple[StoredConcept, ...]:
    """The concepts of some rows with all that belongs to them; `is_whole` where these are all the rows there are."""
    ordered = sorted(rows, key=lambda row: (row["status"] != "official", row["name"], row["id"]))
    ids, names = [row["id"] for row in ordered], [row["name"] for row in ordered]
    properties = _by_concept(connection, "concept_properties", None if is_whole else ids)
    examples = _by_concept(connection, "concept_examples", None if is_whole else ids)
    signatures = _by_concept(connection, "concept_signatures", None if is_whole else names)
    return tuple(
        StoredConcept(
            row["id"],
            row["document"],
            Concept(
                name=row["name"],
                dictionary=row["dictionary"],
                symbol=row["symbol"],
                description=row["description"],
                role=row["role"],
                signature=next((one["signature"] for one in signatures.get(row["name"], ())), ""),
                properties=tuple(_property(one) for one in properties.get(row["id"], ())),
                examples=tuple(_example(one) for one in examples.get(row["id"], ())),
                place=place_of_row(row),
            ),
            status=row["status"],
            is_mathematical=bool(row["is_mathematical"]),
        )
        for row in ordered
    )


def _by_concept(
    connection: sqlite3.Connection, table: str, concepts: Sequence[str] | None
) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    if concepts is None:
        rows = agreeing_rows(connection, table, "ORDER BY document, position")
    else:
        wanted = list(dict.fromkeys(concepts))
        rows = [
            row
            for start in range(0, len(wanted), _MOST_NAMES)
            for part in (wanted[start : start + _MOST_NAMES],)
            for row in agreeing_rows(
                connection, table, f"WHERE concept IN ({', '.join('?' * len(part))}) ORDER BY document, position", part
            )
        ]
    for row in rows:
        found[row["concept"]].append(row)
    return found


def _property(row: Mapping[str, Any]) -> ConceptProperty:
    outcome = next((one for one in _OUTCOMES if one == row["outcome"]), None)
    check = None
    if outcome is not None:
        check = SampleCheck(outcome, int(row["points"]), row["numbers"], _pairs(row["counterexample"]), row["reason"])
    return ConceptProperty(
        next((one for one in _KINDS if one == row["kind"]), "stated"),
        row["text"],
        row["latex"],
        source=row["source"],
        check=check,
        place=place_of_row(row),
    )


def _example(row: Mapping[str, Any]) -> ConceptExample:
    column_list = listed(row["latex"])
    return ConceptExample(row["text"], tuple(each for each in column_list if isinstance(each, str)), place_of_row(row))


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    """The values of a counterexample, by variable."""
    pairs = (each for each in listed(text) if isinstance(each, list) and len(each) == 2)
    return tuple((str(name), str(value)) for name, value in pairs)
