"""Check that the truth is what was stored, that everything derived says the same, and that the file is sound.

Reports; changes nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType

from mathrag.errors import LibraryError
from mathrag.store.embedders import Embedder
from mathrag.store.index.vectors import (
    are_alike,
    embed_texts,
)
from mathrag.store.index.words import (
    INDEX_OF,
    WORDS_VERSION,
    Searchable,
    chunk_words,
    concept_words,
    constant_words,
    formula_words,
    word_columns,
)
from mathrag.store.truth.cell_columns import CELL_COLUMNS
from mathrag.store.truth.cell_vectors import library_encodables
from mathrag.store.truth.cells import cell_faults, text_hash
from mathrag.store.truth.codec import Value, decode, encode, row_of
from mathrag.store.truth.database import Database
from mathrag.store.truth.merge import (
    Merger,
    constant_rows,
    finding_links,
    formula_rows,
    merged_constants,
    merged_formulas,
)
from mathrag.store.truth.problem_types import changed_types
from mathrag.store.truth.relations import Shelf, relations_of
from mathrag.store.truth.schema import CELL_WORDS, WORD_TABLES, table_columns
from mathrag.store.truth.seals import agreeing_rows, disagreements
from mathrag.types.library import Constant, Formula

# One broken thing often breaks thousands of others; a person needs the first few.
_MOST_PROBLEMS = 200
# So many texts are embedded at a time.
_BATCH = 1_000
_ORPHANS = {
    "a relation starts from an entry that is gone": "SELECT source || ' ' || kind || ' ' || target FROM relations "
    "WHERE source NOT IN (SELECT id FROM formulas)",
    "a relation leads to an entry that is gone": "SELECT source || ' ' || kind || ' ' || target FROM relations "
    "WHERE target NOT IN (SELECT id FROM formulas UNION ALL SELECT id FROM constants)",
    "a formula has other places than it should": "SELECT id FROM formulas WHERE place_count <> "
    "(SELECT count(*) FROM formula_places WHERE formula = formulas.id)",
    "a formula has other symbols than it should": "SELECT id FROM formulas WHERE json_valid(record) "
    "AND coalesce(json_array_length(record, '$.symbols'), 0) <> "
    "(SELECT count(*) FROM formula_symbols WHERE formula = formulas.id)",
    "a constant has other places than it should": "SELECT id FROM constants WHERE place_count <> "
    "(SELECT count(*) FROM constant_places WHERE constant = constants.id)",
    "a place is in a document that is gone": "SELECT formula FROM formula_places "
    "WHERE document NOT IN (SELECT id FROM documents) "
    "UNION SELECT constant FROM constant_places WHERE document NOT IN (SELECT id FROM documents) "
    "UNION SELECT formula FROM instances WHERE document NOT IN (SELECT id FROM documents)",
    "a model's word is about a formula that is gone": "SELECT first || ' ' || second FROM verdicts "
    "WHERE first NOT IN (SELECT id FROM formulas) OR second NOT IN (SELECT id FROM formulas)",
    "a document read with a model has lost what the rules found": "SELECT document FROM rule_extractions "
    "WHERE NOT json_valid(record) OR document NOT IN (SELECT document FROM model_readings)",
    "a solution is of a problem that is gone": "SELECT id FROM solutions "
    "WHERE problem NOT IN (SELECT id FROM problems)",
    "a step is of a solution that is gone": "SELECT id FROM solution_steps "
    "WHERE solution NOT IN (SELECT id FROM solutions)",
    "a property is of a concept that is gone": "SELECT id FROM concept_properties "
    "WHERE concept NOT IN (SELECT id FROM concepts)",
    "an example is of a concept that is gone": "SELECT id FROM concept_examples "
    "WHERE concept NOT IN (SELECT id FROM concepts)",
    "a model's label is of a problem or a step that is gone": "SELECT source FROM summaries "
    "WHERE (kind = 'problem_type' AND source NOT IN (SELECT id FROM problems)) "
    "OR (kind = 'step_error' AND source NOT IN (SELECT id FROM solution_steps))",
    "a table has rows but no cells": "SELECT id FROM tables WHERE row_count > 0 AND column_count > 0 "
    "AND id NOT IN (SELECT table_id FROM table_cells)",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in the library that is not as it should be. `code` is stable; a rebuild mends what `is_derived`.

    `document` is the one whose rows are `altered`: reading it again mends that.
    """

    code: str
    message: str
    is_derived: bool = True
    document: str = ""


def check_consistency(database: Database, *, merger: Merger, embedder: Embedder | None = None) -> list[Problem]:
    """All problems found, the most serious first, up to a few hundred; none for a sound library."""
    problems: list[Problem] = []
    checks: tuple[Callable[[sqlite3.Connection], Iterable[Problem]], ...] = (
        _check_file,
        _check_seals,
        _check_orphans,
        lambda connection: _check_formulas(connection, merger),
        lambda connection: _check_constants(connection, merger),
        lambda connection: _check_relations(connection, merger),
        _check_words,
        _check_cells,
        lambda connection: () if embedder is None else _check_vectors(connection, embedder),
        _check_types,
    )
    with database.reading() as connection:
        for check in checks:
            problems = list(dict.fromkeys((*problems, *_guarded(check, connection))))
            if len(problems) >= _MOST_PROBLEMS or any(problem.code == "file" for problem in problems):
                return problems[:_MOST_PROBLEMS]
    if not database.is_read_only:
        problems.extend(_check_word_trees(database))
    return problems[:_MOST_PROBLEMS]


def _guarded(
    check: Callable[[sqlite3.Connection], Iterable[Problem]], connection: sqlite3.Connection
) -> Iterator[Problem]:
    try:
        yield from check(connection)
    except (LibraryError, sqlite3.Error) as error:
        yield Problem("record", str(error), is_derived=False)


def _check_file(connection: sqlite3.Connection) -> Iterator[Problem]:
    for (message,) in connection.execute("PRAGMA integrity_check(20)"):
        if message != "ok":
            yield Problem("file", f"the file is damaged: {message}", is_derived=False)
    for table, _, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        yield Problem("orphan", f"a row of {table} belongs to no row of {parent}", is_derived=False)


def _check_seals(connection: sqlite3.Connection) -> Iterator[Problem]:
    for each in disagreements(connection):
        yield Problem("altered", str(each), is_derived=False, document=each.document)


def _check_orphans(connection: sqlite3.Connection) -> Iterator[Problem]:
    for sentence, question in _ORPHANS.items():
        for (what,) in connection.execute(question):
            yield Problem("orphan", f"{sentence}: {what}")


def _check_formulas(connection: sqlite3.Connection, merger: Merger) -> Iterator[Problem]:
    forms = connection.execute("SELECT form FROM findings UNION SELECT form FROM formulas ORDER BY form").fetchall()
    for (form,) in forms:
        findings, formulas = merged_formulas(connection, form, merger)
        stored = dict(connection.execute("SELECT id, record FROM formulas WHERE form = ?", (form,)))
        expected = {formula.id: encode(formula) for formula in formulas}
        yield from _compare("formula", expected, stored, names={formula.id: formula.label for formula in formulas})
        for formula in formulas:
            if stored.get(formula.id) == expected[formula.id]:
                rows = formula_rows(formula, expected[formula.id])
                yield from _compare_rows(connection, "formula", formula.id, formula.label, rows)
        links = set(finding_links(findings, formulas))
        if len(links) != len(findings):
            yield Problem("merged", f"a finding of the form {form!r} is part of no formula")
        kept = connection.execute(
            "SELECT l.formula, l.document, l.position FROM formula_findings l "
            "JOIN formulas f ON f.id = l.formula WHERE f.form = ?",
            (form,),
        )
        if set(kept) != links:
            yield Problem("merged", f"the findings of the form {form!r} are linked to other formulas than they should")


def _check_constants(connection: sqlite3.Connection, merger: Merger) -> Iterator[Problem]:
    question = "SELECT symbol FROM constant_findings UNION SELECT symbol FROM constants ORDER BY symbol"
    for (symbol,) in connection.execute(question).fetchall():
        constants = merged_constants(connection, symbol, merger)
        expected = {each.id: encode(each) for each in constants}
        stored = dict(connection.execute("SELECT id, record FROM constants WHERE symbol = ?", (symbol,)))
        yield from _compare("constant", expected, stored, names={each.id: each.name for each in constants})
        for constant in constants:
            if stored.get(constant.id) == expected[constant.id]:
                rows = constant_rows(constant, expected[constant.id])
                yield from _compare_rows(connection, "constant", constant.id, constant.name, rows)


def _check_relations(connection: sqlite3.Connection, merger: Merger) -> Iterator[Problem]:
    shelf = Shelf(connection)
    for (identifier,) in connection.execute("SELECT id FROM formulas ORDER BY id").fetchall():
        relations = relations_of(connection, shelf.formula(identifier), merger, shelf=shelf)
        expected = {f"{identifier} {each.kind} {each.target}": encode(each) for each in relations}
        stored = dict(
            connection.execute(
                "SELECT source || ' ' || kind || ' ' || target, record FROM relations WHERE source = ?", (identifier,)
            )
        )
        yield from _compare("relation", expected, stored)
        columns = ", ".join(table_columns()["relations"])
        rows = connection.execute(f"SELECT {columns} FROM relations WHERE source = ?", (identifier,))  # noqa: S608
        known = {row_of("relations", each) for each in relations}
        for row in rows:
            if row not in known and row[-1] in expected.values():
                yield Problem("merged", f"the columns of the relation {' '.join(row[1:3])} differ from its record")


def _compare(
    what: str, expected: dict[str, str], stored: dict[str, str], *, names: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Problem]:
    for identifier in sorted(expected.keys() | stored.keys()):
        name = names.get(identifier, "")
        shown = f"{identifier} {name!r}" if name else identifier
        if identifier not in stored:
            yield Problem("merged", f"the {what} {shown} is missing")
        elif identifier not in expected:
            yield Problem("merged", f"the {what} {shown} has nothing to rest on")
        elif expected[identifier] != stored[identifier]:
            yield Problem("merged", f"the {what} {shown} differs from what its documents say")


def _compare_rows(
    connection: sqlite3.Connection, what: str, identifier: str, name: str, rows: Mapping[str, Sequence[Sequence[Value]]]
) -> Iterator[Problem]:
    """Whether the columns that people query and searches use say what the record says."""
    for table, expected in rows.items():
        columns = ", ".join(table_columns()[table])
        key, order = ("id", "id") if table == f"{what}s" else (what, "position")
        stored = connection.execute(
            f"SELECT {columns} FROM {table} WHERE {key} = ? ORDER BY {order}",  # noqa: S608 - our own names
            (identifier,),
        ).fetchall()
        if [tuple(row) for row in expected] != stored:
            yield Problem("merged", f"the rows of the {what} {identifier} {name!r} in {table} differ from its record")


def _check_words(connection: sqlite3.Connection) -> Iterator[Problem]:
    version = connection.execute("SELECT value FROM meta WHERE name = 'words_version'").fetchone()
    if version is not None and version[0] != WORDS_VERSION:
        yield Problem("words", "the word index was made by another version of MathRAG")
        return
    words: tuple[tuple[Searchable, str, Callable[..., tuple[str, ...]]], ...] = (
        ("formulas", "record", lambda record: formula_words(decode(record, Formula))),
        ("constants", "record", lambda record: constant_words(decode(record, Constant))),
        ("chunks", "headings, text", chunk_words),
        ("concepts", "symbol, description", concept_words),
    )
    for table, columns, make in words:
        index = INDEX_OF[table]
        yield from (
            Problem("words", f"the word index has an entry {entry} that is not in {table}")
            for (entry,) in connection.execute(
                f"SELECT rowid FROM {index} WHERE rowid NOT IN (SELECT entry FROM {table})"  # noqa: S608 - our names
            )
        )
        changed = _changed_rows(connection, table) if table in ("chunks", "concepts") else frozenset()
        indexed = f"SELECT {', '.join(word_columns(table))} FROM {index} WHERE rowid = ?"  # noqa: S608 - our own names
        for entry, identifier, *values in connection.execute(f"SELECT entry, id, {columns} FROM {table}"):  # noqa: S608
            row = connection.execute(indexed, (entry,)).fetchone()
            if identifier in changed:
                # Told already; what it was indexed by cannot be known any more.
                continue
            if row is None:
                yield Problem("words", f"{identifier} is missing from the word index")
            elif row != make(*values):
                yield Problem("words", f"{identifier} is indexed by other words than it has")


def _changed_rows(connection: sqlite3.Connection, table: Searchable) -> frozenset[str]:
    agreeing = {row["id"] for row in agreeing_rows(connection, table)}
    rows = connection.execute(f"SELECT id FROM {table}")  # noqa: S608 - our own names
    return frozenset(each for (each,) in rows if each not in agreeing)


def _check_cells(connection: sqlite3.Connection) -> Iterator[Problem]:
    yield from (Problem("cells", fault) for fault in cell_faults(connection))


def _check_vectors(connection: sqlite3.Connection, embedder: Embedder) -> Iterator[Problem]:
    names = [name for (name,) in connection.execute("SELECT DISTINCT embedder FROM vectors ORDER BY embedder")]
    if names and embedder.name not in names:
        yield Problem("vectors", f"the library has vectors of the embedder {names[0]}, not of {embedder.name}")
        return
    stored = _stored_vectors(connection, embedder.name)
    entries = library_encodables(connection)
    texts: dict[int, str] = {}
    while batch := list(islice(entries, _BATCH)):
        fresh = embed_texts(embedder, (entry.text for entry in batch))
        for entry in batch:
            cell, digest, vector = stored.pop((entry.collection, entry.column, entry.key), (None, None, b""))
            if cell is not None:
                texts[cell] = text_hash(entry.text)
            if entry.text and digest is None and cell is not None:
                yield Problem("vectors", f"{entry.key} has no vector")
            elif digest is not None and digest != text_hash(entry.text):
                yield Problem("vectors", f"the vector of {entry.key} belongs to another text")
            elif digest is not None and not are_alike(vector, fresh[entry.text], dimensions=embedder.dimensions):
                yield Problem("vectors", f"the vector of {entry.key} is not the one that its text gives")
    for (_, _, key), (_, digest, _) in stored.items():
        if digest is not None:
            yield Problem("vectors", f"there is a vector of {key}, which is gone or was changed")
    yield from _check_other_vectors(connection, embedder.name, texts)


def _stored_vectors(
    connection: sqlite3.Connection, embedder: str
) -> dict[tuple[str, str, str], tuple[int | None, str | None, bytes]]:
    """The cells that the embedder of the library encodes, by table, column and key, each with its vector if it has one.

    Also vectors of this embedder that other columns were given, where they are not of the text of their cell.
    """
    encoded = {(each.table, each.column) for each in CELL_COLUMNS if each.has_vectors}
    rows = connection.execute(
        "SELECT c.source_table, c.source_column, c.source_key, c.id, v.text_hash, v.vector, c.text_hash FROM cells c "
        "LEFT JOIN vectors v ON v.cell = c.id AND v.embedder = ?",
        (embedder,),
    )
    return {
        (table, column, key): (cell, digest, vector or b"")
        for table, column, key, cell, digest, vector, of_cell in rows
        if (table, column) in encoded or digest not in (None, of_cell)
    }


def _check_other_vectors(connection: sqlite3.Connection, embedder: str, texts: Mapping[int, str]) -> Iterator[Problem]:
    """Whether the vectors of other embedders, which are not at hand, are of the `texts` there are, by their hashes."""
    rows = connection.execute(
        "SELECT v.embedder, c.source_key, v.cell, v.text_hash, c.text_hash FROM vectors v "
        "JOIN cells c ON c.id = v.cell WHERE v.embedder <> ?",
        (embedder,),
    )
    for name, key, cell, digest, of_cell in rows:
        if digest != texts.get(cell, of_cell):
            yield Problem("vectors", f"the vector of {key} by the embedder {name} belongs to another text")
    for (name,) in connection.execute(
        "SELECT embedder FROM vectors GROUP BY embedder HAVING min(length(vector)) <> max(length(vector))"
    ).fetchall():
        yield Problem("vectors", f"the vectors of the embedder {name} are not of one length")


def _check_types(connection: sqlite3.Connection) -> Iterator[Problem]:
    for problem in changed_types(connection):
        yield Problem(
            "types", f"the problem {problem} has another type than its record, a model or its neighbours give it"
        )


def _check_word_trees(database: Database) -> Iterator[Problem]:
    # FTS5 checks its own files by a special insert, which changes nothing.
    with database.writing() as connection:
        # With a rank of 1 an index that keeps no text is compared with the texts it was made from.
        for table, rank in (*((table, 0) for table in WORD_TABLES), (CELL_WORDS, 1)):
            try:
                connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', ?)", (rank,))  # noqa: S608
            except sqlite3.DatabaseError:
                yield Problem("words", f"the index {table} is damaged")
