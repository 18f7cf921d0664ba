"""Read everything a library holds from its database, as one value. Reads one state, whatever others write meanwhile."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from typing import TypeVar

from mathrag.store.graph.contents import TABLE_NAMES, TEXT_TABLES, LibraryContents, ProblemTyping, TableRow
from mathrag.store.truth.codec import decode, select_rows
from mathrag.types.library import (
    Constant,
    ConstantFinding,
    Correction,
    Extraction,
    Finding,
    Formula,
    Relation,
    SymbolDefinition,
    TextRelation,
)

Noun = TypeVar("Noun")


def read_contents(connection: sqlite3.Connection, *, with_text: bool = True) -> LibraryContents:
    """Everything, in the order of the database. The caller holds a transaction if others may be writing."""
    tables = [table for table in TABLE_NAMES if with_text or table not in TEXT_TABLES]
    return LibraryContents(
        rows=tuple(
            TableRow(table, tuple(row.items()))
            for table in tables
            for row in select_rows(connection, table, "ORDER BY 1, 2, 3")
        ),
        extractions=_extractions(connection),
        corrections=tuple(Correction(**row) for row in select_rows(connection, "corrections", "ORDER BY id")),
        formulas=_records(connection, "formulas", Formula, order="id"),
        constants=_records(connection, "constants", Constant, order="id"),
        relations=_records(connection, "relations", Relation, order="source, kind, target"),
        problem_types=tuple(
            ProblemTyping(*row)
            for row in connection.execute(
                "SELECT problem, branch, subfield, type, origin FROM problem_types ORDER BY problem"
            )
        ),
    )


def _records(connection: sqlite3.Connection, table: str, kind: type[Noun], *, order: str) -> tuple[Noun, ...]:
    query = f"SELECT record FROM {table} ORDER BY {order}"  # noqa: S608 - names of ours
    return tuple(decode(row[0], kind) for row in connection.execute(query))


def _of_documents(connection: sqlite3.Connection, table: str, kind: type[Noun]) -> dict[str, tuple[Noun, ...]]:
    found: dict[str, list[Noun]] = defaultdict(list)
    query = f"SELECT document, record FROM {table} ORDER BY document, position"  # noqa: S608 - names of ours
    for document, record in connection.execute(query):
        found[document].append(decode(record, kind))
    return {document: tuple(nouns) for document, nouns in found.items()}


def _extractions(connection: sqlite3.Connection) -> tuple[Extraction, ...]:
    findings = _of_documents(connection, "findings", Finding)
    constants = _of_documents(connection, "constant_findings", ConstantFinding)
    definitions = _of_documents(connection, "definitions", SymbolDefinition)
    relations = _of_documents(connection, "text_relations", TextRelation)
    return tuple(
        Extraction(
            document,
            findings=findings.get(document, ()),
            constants=constants.get(document, ()),
            definitions=definitions.get(document, ()),
            relations=relations.get(document, ()),
        )
        for document in sorted({*findings, *constants, *definitions, *relations})
    )
