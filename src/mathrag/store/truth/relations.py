"""Bring the relations in line with changed formulas and constants, looking only at pairs that a change touched.

Two formulas are looked at together when a text relates them; when the symbol that one is written for occurs in the
other (by name, and of a dimension that does not contradict); or, where one is written for no symbol, when they share
two symbols.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from mathrag.store.truth.codec import decode, decode_again, encode, insert_rows, row_of
from mathrag.store.truth.merge import Changes, Merger
from mathrag.store.truth.seals import agreeing_rows
from mathrag.types.library import Constant, Formula, Relation, TextRelation

Noun = TypeVar("Noun", Formula, Constant)
_LARGEST_SHELF = 5_000
_AGREE = "(g.dimension = f.dimension OR g.dimension IS NULL OR f.dimension IS NULL)"
_NEIGHBOURS = f"""
    SELECT g.formula FROM formula_symbols f JOIN formula_symbols g
        ON g.name = f.name AND g.formula <> f.formula AND {_AGREE}
        WHERE f.formula = :formula AND f.is_target
    UNION
    SELECT g.formula FROM formula_symbols f JOIN formula_symbols g
        ON g.name = f.name AND g.is_target = 1 AND g.formula <> f.formula AND {_AGREE}
        WHERE f.formula = :formula
    UNION
    SELECT b.formula FROM formula_findings a JOIN text_relations t ON t.document = a.document AND t.source = a.position
        JOIN formula_findings b ON b.document = t.document AND b.position = t.target WHERE a.formula = :formula
    UNION
    SELECT a.formula FROM formula_findings b JOIN text_relations t ON t.document = b.document AND t.target = b.position
        JOIN formula_findings a ON a.document = t.document AND a.position = t.source WHERE b.formula = :formula
"""  # noqa: S608 - no text from outside
_SHARING_TWO = f"""
    SELECT g.formula FROM formula_symbols f JOIN formula_symbols g
        ON g.name = f.name AND g.formula <> f.formula AND {_AGREE}
        JOIN formulas o ON o.id = g.formula
        WHERE f.formula = :formula AND (:is_open OR o.target IS NULL)
        GROUP BY g.formula HAVING count(*) >= 2
"""  # noqa: S608 - no text from outside
_STATED = """
    SELECT a.formula, b.formula, t.record, t.document, t.position FROM formula_findings a
        JOIN text_relations t ON t.document = a.document AND t.source = a.position
        JOIN formula_findings b ON b.document = t.document AND b.position = t.target
        WHERE a.formula = :formula AND b.formula <> a.formula
    UNION
    SELECT a.formula, b.formula, t.record, t.document, t.position FROM formula_findings b
        JOIN text_relations t ON t.document = b.document AND t.target = b.position
        JOIN formula_findings a ON a.document = t.document AND a.position = t.source
        WHERE b.formula = :formula AND b.formula <> a.formula
    ORDER BY 1, 2, 3
"""
_CONSTANTS_OF_FORMULA = """
    SELECT c.id FROM formula_symbols s JOIN constants c ON c.symbol = s.name WHERE s.formula = :formula
    UNION
    SELECT c.id FROM formula_symbols s JOIN constants c ON c.standard = s.constant WHERE s.formula = :formula
    UNION
    SELECT c.id FROM formula_symbols s JOIN constants c ON c.id = s.constant WHERE s.formula = :formula
"""
_FORMULAS_OF_CONSTANT = """
    SELECT s.formula FROM constants c JOIN formula_symbols s ON s.name = c.symbol WHERE c.id = :constant
    UNION
    SELECT s.formula FROM constants c JOIN formula_symbols s ON s.constant = c.standard WHERE c.id = :constant
    UNION
    SELECT s.formula FROM formula_symbols s WHERE s.constant = :constant
"""


class Shelf:
    """Formulas and constants read in one transaction, decoded once while there is room for them."""

    def __init__(self, connection: sqlite3.Connection, changes: Changes | None = None) -> None:
        self.connection = connection
        self._formulas = {} if changes is None else dict(changes.formulas)
        self._constants = {} if changes is None else dict(changes.constants)

    def formula(self, identifier: str) -> Formula:
        """A formula that is there."""
        return self._take(self._formulas, identifier, "formulas", Formula)

    def constant(self, identifier: str) -> Constant:
        """A constant that is there."""
        return self._take(self._constants, identifier, "constants", Constant)

    def _take(self, shelf: dict[str, Noun], identifier: str, table: str, kind: type[Noun]) -> Noun:
        found = shelf.get(identifier)
        if found is None:
            question = f"SELECT record FROM {table} WHERE id = ?"  # noqa: S608 - our own names
            (record,) = self.connection.execute(question, (identifier,)).fetchone()
            found = decode_again(record, kind)
            if len(shelf) >= _LARGEST_SHELF:
                del shelf[next(iter(shelf))]
            shelf[identifier] = found
        return found


def neighbour_ids(connection: sqlite3.Connection, formula: Formula) -> set[str]:
    """Formulas that may have a relation with this one; symmetric, and a matter of the two alone."""
    question = {"formula": formula.id, "is_open": formula.target is None}
    found = {identifier for (identifier,) in connection.execute(_NEIGHBOURS, question)}
    if formula.symbols:
        found.update(identifier for (identifier,) in connection.execute(_SHARING_TWO, question))
    found.discard(formula.id)
    return found


def stated_relations(connection: sqlite3.Connection, identifier: str) -> list[Relation]:
    """What texts say about a formula and others, between formulas instead of findings."""
    found: list[Relation] = []
    for source, target, record, *place in connection.execute(_STATED, {"formula": identifier}).fetchall():
        if not agreeing_rows(connection, "text_relations", "WHERE document = ? AND position = ?", place):
            continue
        said = decode(record, TextRelation)
        found.append(Relation(said.kind, source, target, said.confidence, said.evidence, said.span))
    return found


def text_relation_ends(connection: sqlite3.Connection, document: str) -> set[str]:
    """The formulas that a document's text relates."""
    rows = connection.execute(
        "SELECT f.formula FROM text_relations t JOIN formula_findings f ON f.document = t.document "
        "AND f.position IN (t.source, t.target) WHERE t.document = ?",
        (document,),
    )
    return {identifier for (identifier,) in rows}


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """What a formula may have relations with, by id, and what texts say about it."""

    neighbours: list[str]
    constants: list[str]
    stated: list[Relation]


def _surroundings(connection: sqlite3.Connection, formula: Formula) -> _Surroundings:
    constants = connection.execute(_CONSTANTS_OF_FORMULA, {"formula": formula.id})
    return _Surroundings(
        sorted(neighbour_ids(connection, formula)),
        sorted(row[0] for row in constants),
        stated_relations(connection, formula.id),
    )


def relations_of(connection: sqlite3.Connection, formula: Formula, merger: Merger, *, shelf: Shelf) -> list[Relation]:
    """All relations from one formula, computed afresh."""
    return _relations_within(_surroundings(connection, formula), formula, merger, shelf=shelf)


def _relations_within(near: _Surroundings, formula: Formula, merger: Merger, *, shelf: Shelf) -> list[Relation]:
    neighbours = [shelf.formula(each) for each in near.neighbours]
    return _related(merger, formula, neighbours, [shelf.constant(each) for each in near.constants], near.stated)


def rerelate(connection: sqlite3.Connection, merger: Merger, changes: Changes, *, also: Collection[str] = ()) -> None:
    """Recompute every relation that touches a changed entry, or starts from one of the formulas in `also`."""
    _forget(connection, changes)
    shelf = Shelf(connection, changes)
    whole = sorted({*changes.formulas, *_existing(connection, also)})
    touched: dict[str, list[str]] = {}
    said: dict[str, list[Relation]] = {}
    for identifier in whole:
        formula = shelf.formula(identifier)
        near = _surroundings(connection, formula)
        connection.execute("DELETE FROM relations WHERE source = ?", (identifier,))
        write_relations(connection, _relations_within(near, formula, merger, shelf=shelf))
        if identifier in changes.formulas:
            for neighbour in near.neighbours:
                touched.setdefault(neighbour, []).append(identifier)
            for relation in near.stated:
                other = relation.target if relation.source == identifier else relation.source
                said.setdefault(other, []).append(relation)
    for identifier in sorted(touched.keys() - set(whole)):
        partners = [shelf.formula(each) for each in sorted(touched[identifier])]
        stated = said.get(identifier, [])
        write_relations(connection, _related(merger, shelf.formula(identifier), partners, [], stated))
    _relate_constants(connection, merger, changes, shelf=shelf, done=set(whole))


def _relate_constants(
    connection: sqlite3.Connection, merger: Merger, changes: Changes, *, shelf: Shelf, done: set[str]
) -> None:
    users: dict[str, list[str]] = {}
    for constant in sorted(changes.constants):
        for (identifier,) in connection.execute(_FORMULAS_OF_CONSTANT, {"constant": constant}):
            if identifier not in done:
                users.setdefault(identifier, []).append(constant)
    for identifier, constants in sorted(users.items()):
        known = [shelf.constant(each) for each in constants]
        write_relations(connection, _related(merger, shelf.formula(identifier), [], known, []))


def _forget(connection: sqlite3.Connection, changes: Changes) -> None:
    gone = (*changes.formulas, *changes.removed_formulas, *changes.constants, *changes.removed_constants)
    connection.executemany("DELETE FROM relations WHERE source = ?", ((each,) for each in gone))
    connection.executemany("DELETE FROM relations WHERE target = ?", ((each,) for each in gone))


def _existing(connection: sqlite3.Connection, identifiers: Iterable[str]) -> list[str]:
    return [
        identifier
        for identifier in identifiers
        if connection.execute("SELECT 1 FROM formulas WHERE id = ?", (identifier,)).fetchone()
    ]


def _related(
    merger: Merger,
    formula: Formula,
    neighbours: Sequence[Formula],
    constants: Sequence[Constant],
    stated: Sequence[Relation],
) -> list[Relation]:
    """What the merger says, kept to relations from this formula to what it was shown, each once."""
    shown = {neighbour.id for neighbour in neighbours} | {constant.id for constant in constants}
    best: dict[tuple[str, str], Relation] = {}
    for relation in merger.relate(formula, neighbours, constants, stated):
        if relation.source != formula.id or relation.target not in shown:
            continue
        key = (relation.kind, relation.target)
        if key not in best or _trust(relation) > _trust(best[key]):
            best[key] = relation
    return [best[key] for key in sorted(best)]


def _trust(relation: Relation) -> tuple[float, str]:
    return relation.confidence, encode(replace(relation, confidence=0.0))


def write_relations(connection: sqlite3.Connection, relations: Iterable[Relation]) -> None:
    """Insert relations that are not there yet."""
    insert_rows(connection, "relations", (row_of("relations", each) for each in relations))
