"""What people can query: the tables of the library with their columns, and the terms of its graph. Runs no query."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mathrag.library.facade import Library

# What a table holds, most asked for first; those that are not named here are shown after these.
_TABLES = {
    "formulas": "one row a formula, as computed with",
    "formula_symbols": "the symbols of each formula: meaning, unit, kind of quantity",
    "formula_places": "where each formula stands",
    "formula_conditions": "when a formula holds",
    "formula_labels": "every name that a formula has",
    "instances": "worked examples in the documents, and whether they come out",
    "relations": "from a formula to another or to a constant",
    "constants": "values that documents state",
    "constant_places": "where each constant stands",
    "documents": "what was read",
    "failures": "files that could not be read, and why",
    "sections": "the headings of documents",
    "chunks": "passages of documents",
    "equations": "formulas as written, understood or not",
    "tables": "tables of documents",
    "table_cells": "their cells",
    "images": "captions of pictures",
    "bibliography": "entries of lists of references",
    "pages": "pages of paged documents",
    "definitions": "what a document says a symbol means",
    "findings": "formulas as each document gives them",
    "constant_findings": "constants as each document gives them",
    "corrections": "what people corrected",
    "formula_words": "full-text index of formulas (MATCH)",
    "constant_words": "full-text index of constants (MATCH)",
    "chunk_words": "full-text index of passages (MATCH)",
}
# Vectors and pictures are for the program: nothing a person could read in a cell.
_UNSEEN = frozenset(("vectors", "page_layouts", "pictures", "rule_extractions", "meta"))


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; `type` is empty where it has none."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table that can be queried, with how many rows it has."""

    name: str
    about: str
    rows: int
    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True)
class GraphTerm:
    """A class or property as it is written in a query; `domain` and `range` are what a property leads from and to."""

    name: str
    about: str
    domain: str = ""
    range: str = ""


@dataclass(frozen=True, slots=True)
class GraphTerms:
    """What a SPARQL query can name. `prefixes` need no declaration."""

    prefixes: dict[str, str]
    classes: tuple[GraphTerm, ...]
    properties: tuple[GraphTerm, ...]


def sql_tables(library: Library) -> tuple[Table, ...]:
    """The tables that SQL may read, the most useful first."""
    from mathrag.store.schema import DERIVED, TRUTH, WORD_TABLES

    readable = {*TRUTH, *DERIVED, *WORD_TABLES} - _UNSEEN
    order = [*(name for name in _TABLES if name in readable), *sorted(readable - set(_TABLES))]
    with library.database.reading() as connection:
        found = []
        for name in order:
            columns = [
                Column(str(row[1]), str(row[2]).lower()) for row in connection.execute(f"PRAGMA table_info({name})")
            ]
            rows = connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0]  # noqa: S608 - our own names
            found.append(Table(name, _TABLES.get(name, ""), int(rows), tuple(columns)))
    return tuple(found)


@lru_cache(maxsize=1)
def graph_terms() -> GraphTerms:
    """The prefixes, classes and properties of the graph; the same for every library."""
    from mathrag.store.graph.ontology_page import ontology_terms
    from mathrag.store.graph.vocabulary import PREFIXES

    terms = ontology_terms()
    borrowed = (
        GraphTerm("rdfs:label", "What it is called.", "Formula, Constant, QuantityKind, …", "string"),
        GraphTerm("skos:altLabel", "Another name of it.", "Formula, QuantityKind", "string"),
        GraphTerm("dcterms:title", "The title.", "Document, Section", "string"),
        GraphTerm("dcterms:description", "What it is, in words.", "Formula, Symbol, …", "string"),
        GraphTerm("dcterms:identifier", "The id.", "Formula, Constant, Document, …", "string"),
        GraphTerm("skos:exactMatch", "The same thing in QUDT.", "QuantityKind, StandardConstant", ""),
    )
    return GraphTerms(
        dict(PREFIXES),
        tuple(GraphTerm(f"mathrag:{term.name}", term.comment) for term in terms if term.is_class),
        (
            *borrowed,
            *(
                GraphTerm(f"mathrag:{term.name}", term.comment, term.domain, term.range)
                for term in terms
                if not term.is_class
            ),
        ),
    )
