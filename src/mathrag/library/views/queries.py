"""What people can query: the tables of the library with their columns, the terms of its graph, queries to begin with;
and what a query gave as CSV, with the place of a mistake. Runs no query."""

from __future__ import annotations

import csv
import io
import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from mathrag.library.opened import OpenLibrary

# What a table holds, most asked for first; those that are not named here are shown after these.
_TABLES = {
    "formulas": "one row a formula, as computed with",
    "formula_symbols": "the symbols of each formula: meaning, unit, kind of quantity",
    "formula_places": "where each formula stands",
    "formula_conditions": "when a formula holds",
    "formula_labels": "every name that a formula has",
    "instances": "worked examples in the documents, and whether they come out",
    "cases": "worked examples as problems, with the results that are printed",
    "case_results": "what the library made of each of them in its last self-test",
    "problems": "problems of imported solutions",
    "solutions": "solutions of these problems, right or wrong as their collection says",
    "solution_steps": "the steps of these solutions, with what is said of each",
    "problem_types": "the type of each problem: stated, said by a model (model:NAME) or given by its neighbours",
    "concepts": "what dictionaries define: a symbol of mathematics and what it is",
    "concept_properties": "what dictionaries state of concepts, and what came of trying formulas at points",
    "concept_examples": "examples of dictionaries",
    "concept_signatures": "the types of concepts, by name, in plain notation",
    "formula_concepts": "the concepts of the functions and operations in each formula, by name",
    "relations": "from a formula to another or to a constant",
    "constants": "values that documents state",
    "constant_places": "where each constant stands",
    "documents": "what was read",
    "failures": "files that could not be read, and why",
    "sections": "the headings of documents, each with its text up to the next heading",
    "chunks": "pieces of documents fit to be searched and quoted",
    "passages": "512 words and signs of a page, or of a section where there are no pages, without overlap",
    "equations": "formulas as written, understood or not",
    "tables": "tables of documents",
    "table_cells": "their cells",
    "images": "captions of pictures",
    "bibliography": "entries of lists of references",
    "pages": "pages of paged documents, with their text",
    "summaries": "what a language model said of a section, table or picture, marked as such",
    "cells": "every cell that can be searched: its table, column, row, document and page; cell_texts has their words",
    "definitions": "what a document says a symbol means",
    "findings": "formulas as each document gives them",
    "constant_findings": "constants as each document gives them",
    "formula_findings": "which findings became which formula",
    "text_relations": "what documents say of how their formulas belong together",
    "corrections": "what people corrected",
    "trust_marks": "documents marked as trusted or untrusted",
    "verdicts": "pairs of formulas that were said to be the same or not, and how that was shown",
    "model_readings": "which language model read which document, and what that cost",
    "proposals_rejected": "what a language model proposed and was not taken, and why",
    "worksheets": "pages of calculations",
    "formula_words": "full-text index of formulas (MATCH)",
    "constant_words": "full-text index of constants (MATCH)",
    "chunk_words": "full-text index of passages (MATCH)",
    "concept_words": "full-text index of concepts (MATCH)",
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


def sql_tables(library: OpenLibrary) -> tuple[Table, ...]:
    """The tables that SQL may read, the most useful first."""
    from mathrag.store.truth.schema import DERIVED, TRUTH, WORD_TABLES

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


# Queries to begin with, made for one library: they name what it really holds, so each gives rows. Runs none.

Language: TypeAlias = Literal["sparql", "sql"]
LANGUAGES: tuple[Language, ...] = ("sparql", "sql")


@dataclass(frozen=True, slots=True)
class Example:
    """A query with what it shows; `name` is for addresses."""

    name: str
    title: str
    query: str


@dataclass(frozen=True, slots=True)
class _Template:
    """An example with a gap `@fact@`; it is shown where the library has that fact."""

    name: str
    title: str
    query: str
    fact: str = ""


# The most frequent of each sort, so that the example shows something worth seeing; no row where there is none.
_FACTS = {
    "kind": "SELECT target_kind FROM formulas WHERE status = 'executable' AND target_kind <> '' "
    "GROUP BY target_kind ORDER BY count(*) DESC, target_kind LIMIT 1",
    "constant": "SELECT target FROM relations WHERE kind = 'uses_constant' AND target GLOB 'c-*' "
    "GROUP BY target ORDER BY count(*) DESC, target LIMIT 1",
    "chained": "SELECT source FROM relations WHERE kind = 'uses' AND source GLOB 'f-*' "
    "GROUP BY source ORDER BY count(*) DESC, source LIMIT 1",
    "quarantined": "SELECT id FROM formulas WHERE status = 'quarantined' LIMIT 1",
    "instance": "SELECT formula FROM instances LIMIT 1",
    "stated": "SELECT id FROM constants LIMIT 1",
    "typed": "SELECT 1 FROM problem_types LIMIT 1",
    "wrong": "SELECT 1 FROM solution_steps s JOIN solution_steps o ON o.id = s.alternative_to "
    "WHERE s.label = 'bad' AND o.label <> 'bad' LIMIT 1",
    "defined": "SELECT 1 FROM concepts LIMIT 1",
    "failing": "SELECT 1 FROM concept_properties WHERE outcome = 'fails' LIMIT 1",
    "table": "SELECT table_id FROM table_cells GROUP BY table_id ORDER BY count(*) DESC, table_id LIMIT 1",
    "headed": "SELECT 1 FROM sections WHERE title <> '' LIMIT 1",
    "reference": "SELECT 1 FROM bibliography LIMIT 1",
    "worked": "SELECT 1 FROM cases c, json_each(CASE WHEN json_valid(c.record) THEN c.record ELSE '{}' END, "
    "'$.formulas') used JOIN formulas f ON f.form = json_extract(used.value, '$.form') WHERE f.label <> '' LIMIT 1",
}
_LABELS = "SELECT label FROM formulas WHERE label <> '' ORDER BY id LIMIT 200"

_SQL = (
    _Template("formulas", "Formulas that can be computed", """
SELECT id, label, latex, target, target_unit
FROM formulas
WHERE status = 'executable'
ORDER BY label
LIMIT 50"""),
    _Template("documents", "What each document gave", """
SELECT d.id, coalesce(nullif(d.title, ''), d.name) AS document,
  count(DISTINCT p.formula) AS formulas,
  count(DISTINCT CASE WHEN f.status = 'executable' THEN f.id END) AS computable
FROM documents d
LEFT JOIN formula_places p ON p.document = d.id
LEFT JOIN formulas f ON f.id = p.formula
GROUP BY d.id
ORDER BY formulas DESC"""),
    _Template("symbols", "What the letters mean, and how often", """
SELECT name, description, unit, count(*) AS formulas
FROM formula_symbols
GROUP BY name, description, unit
ORDER BY formulas DESC, name
LIMIT 50"""),
    _Template("words", "Formulas by words: @word@", """
SELECT f.id, f.label, f.latex, round(bm25(formula_words), 2) AS rank
FROM formula_words
JOIN formulas f ON f.entry = formula_words.rowid
WHERE formula_words MATCH '@word@'
ORDER BY bm25(formula_words)
LIMIT 20""", "word"),
    _Template("constants", "Constants and who states them", """
SELECT c.id, c.name, c.symbol, c.value, c.unit, p.document, p.line, p.page
FROM constants c
JOIN constant_places p ON p.constant = c.id
ORDER BY c.name, p.document""", "stated"),
    _Template("leading", "Formulas that most others build on", """
SELECT f.id, f.label, count(*) AS used_by
FROM relations r
JOIN formulas f ON f.id = r.target
WHERE r.kind = 'uses'
GROUP BY f.id
ORDER BY used_by DESC, f.label
LIMIT 20""", "chained"),
    _Template("sections", "Headings of each document, in order", """
SELECT coalesce(nullif(d.title, ''), d.name) AS document, s.level, s.title, s.page, s.line
FROM sections s
JOIN documents d ON d.id = s.document
WHERE s.title <> ''
ORDER BY d.id, s.position
LIMIT 200""", "headed"),
    _Template("tables", "Tables of documents, and where they stand", """
SELECT t.id, coalesce(nullif(d.title, ''), d.name) AS document, t.caption, t.row_count, t.column_count, t.page
FROM tables t
JOIN documents d ON d.id = t.document
ORDER BY d.id, t.position
LIMIT 100""", "table"),
    _Template("cells", "The cells of one table", """
SELECT row_number, column_number, is_header, text
FROM table_cells
WHERE table_id = '@table@'
ORDER BY row_number, column_number
LIMIT 500""", "table"),
    _Template("references", "How many works each document refers to", """
SELECT coalesce(nullif(d.title, ''), d.name) AS document, count(*) AS works
FROM bibliography b
JOIN documents d ON d.id = b.document
GROUP BY d.id
ORDER BY works DESC""", "reference"),
    _Template("quarantined", "What was set aside, and why", """
SELECT reason_code, id, label, reason
FROM formulas
WHERE status = 'quarantined'
ORDER BY reason_code, label""", "quarantined"),
    _Template("examples", "Worked examples that were checked", """
SELECT i.verdict, f.id, f.label, i.text, i.document
FROM instances i
JOIN formulas f ON f.id = i.formula
ORDER BY i.verdict, f.label
LIMIT 50""", "instance"),
)  # fmt: skip
_SPARQL = (
    _Template("formulas", "Formulas with their arithmetic", """
SELECT ?formula ?label ?python WHERE {
  ?formula a mathrag:Formula ;
    rdfs:label ?label ;
    mathrag:pythonText ?python .
}
ORDER BY ?label
LIMIT 50"""),
    _Template("places", "Where formulas stand", """
SELECT ?label ?formula ?document ?line ?quote WHERE {
  ?formula a mathrag:Formula ;
    rdfs:label ?label ;
    mathrag:hasMention ?place .
  ?place mathrag:inDocument ?document ;
    mathrag:quote ?quote .
  OPTIONAL { ?place mathrag:line ?line }
}
ORDER BY ?label
LIMIT 50"""),
    _Template("kinds", "Kinds of quantity, and how often they occur", """
SELECT ?kind ?label (COUNT(DISTINCT ?formula) AS ?formulas) WHERE {
  ?formula mathrag:hasSymbol ?symbol .
  ?symbol mathrag:quantityKind ?kind .
  OPTIONAL { ?kind rdfs:label ?label }
}
GROUP BY ?kind ?label
ORDER BY DESC(?formulas)
LIMIT 50"""),
    _Template("by-kind", "Formulas about one kind of quantity", """
SELECT ?formula ?label ?symbol ?unit WHERE {
  ?formula a mathrag:Formula ;
    rdfs:label ?label ;
    mathrag:hasSymbol ?one .
  ?one mathrag:quantityKind kind:@kind@ ;
    mathrag:name ?symbol .
  OPTIONAL { ?one mathrag:unitText ?unit }
}
ORDER BY ?label""", "kind"),
    _Template("chains", "What one formula builds on, however far", """
SELECT DISTINCT ?other ?label ?latex WHERE {
  formula:@chained@ mathrag:uses+ ?other .
  ?other mathrag:latex ?latex .
  OPTIONAL { ?other rdfs:label ?label }
}
ORDER BY ?label""", "chained"),
    _Template("constants", "Constants with their values", """
SELECT ?constant ?name ?value ?unit ?document WHERE {
  ?constant a mathrag:Constant ;
    mathrag:valueText ?value ;
    mathrag:foundIn ?document .
  OPTIONAL { ?constant rdfs:label ?name }
  OPTIONAL { ?constant mathrag:unitText ?unit }
}
ORDER BY ?name""", "stated"),
    _Template("constant", "Formulas that use one constant", """
SELECT ?formula ?label WHERE {
  ?formula mathrag:usesConstant constant:@constant@ ;
    rdfs:label ?label .
}
ORDER BY ?label""", "constant"),
    _Template("problems", "Problems by their type, subfield and branch", """
SELECT ?type (COUNT(?problem) AS ?problems) WHERE {
  ?problem mathrag:problemType/skos:broader* ?one .
  ?one rdfs:label ?type .
}
GROUP BY ?type
ORDER BY DESC(?problems)""", "typed"),
    _Template("errors", "Wrong steps beside the right ones", """
SELECT ?pattern ?wrong ?right WHERE {
  ?step mathrag:wrongAlternativeTo ?other ;
    mathrag:showsError/rdfs:label ?pattern ;
    mathrag:text ?wrong .
  ?other mathrag:text ?right .
}
ORDER BY ?pattern
LIMIT 20""", "wrong"),
    _Template("knowledge", "Formulas with the problems that use them", """
SELECT ?label ?problem WHERE {
  { ?user mathrag:usesFormula ?formula ; mathrag:inSolution/mathrag:solves/mathrag:text ?problem }
  UNION
  { ?user a mathrag:Case ; mathrag:usesFormula ?formula ; mathrag:text ?problem }
  ?formula rdfs:label ?label .
}
ORDER BY ?label
LIMIT 50""", "worked"),
    _Template("concepts", "Formulas by the concepts they use", """
SELECT ?concept (COUNT(?formula) AS ?formulas) WHERE {
  ?formula mathrag:usesConcept/rdfs:label ?concept .
}
GROUP BY ?concept
ORDER BY DESC(?formulas)
LIMIT 50""", "defined"),
    _Template("counterexamples", "Properties of dictionaries that fail at a point", """
SELECT ?concept ?latex ?counterexample WHERE {
  ?property mathrag:checkOutcome "fails" ;
    mathrag:ofConcept/rdfs:label ?concept ;
    mathrag:latex ?latex ;
    mathrag:counterexample ?counterexample .
}
ORDER BY ?concept""", "failing"),
    _Template("ask", "Is anything set aside? (ASK)", """
ASK { ?formula a mathrag:Formula ; mathrag:status "quarantined" }""", "quarantined"),
)  # fmt: skip


def query_examples(library: OpenLibrary, language: Language) -> tuple[Example, ...]:
    """Queries that give something for this library; those about what it has not are left out."""
    with library.database.reading() as connection:
        facts = _facts(connection)
    templates = _SPARQL if language == "sparql" else _SQL
    return tuple(_filled(one, facts) for one in templates if not one.fact or facts[one.fact])


def _facts(connection: sqlite3.Connection) -> dict[str, str]:
    """What the library holds that examples can speak about; empty where there is nothing, or no name for it."""
    found = {}
    for name, question in _FACTS.items():
        row = connection.execute(question).fetchone()
        value = "" if row is None else str(row[0])
        found[name] = value if value.isascii() and value.replace("_", "").replace("-", "").isalnum() else ""
    return {**found, "word": _common_word([str(row[0]) for row in connection.execute(_LABELS)])}


def _common_word(labels: Sequence[str]) -> str:
    """A word of several labels, in plain letters, so that it can stand in a query as it is."""
    counts: dict[str, int] = {}
    for label in labels:
        for word in dict.fromkeys(label.lower().split()):
            if 4 <= len(word) <= 20 and word.isascii() and word.isalpha():
                counts[word] = counts.get(word, 0) + 1
    return min(counts, key=lambda word: (-counts[word], word), default="")


def _filled(template: _Template, facts: Mapping[str, str]) -> Example:
    gap, value = f"@{template.fact}@", facts.get(template.fact, "")
    title, query = template.title.replace(gap, value), template.query.replace(gap, value)
    return Example(template.name, title, query.strip("\n"))


# What a query gave, for files and for people: CSV that no spreadsheet runs, and the place of a mistake in SQL.

_UNKNOWN = re.compile(r'(?:near "(?P<near>.{1,200})": syntax error|no such (?P<what>column|table): (?P<name>.{1,200}))')
_WORD = re.compile(r"\w")


def csv_bytes(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """A table as CSV (RFC 4180, UTF-8), guarded against spreadsheet formulas as the export is."""
    from mathrag.store.export.csv_files import safe_cell

    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([safe_cell(str(column)) for column in columns])
    writer.writerows([safe_cell(value) for value in row] for row in rows)
    return text.getvalue().encode("utf-8", "replace")


def sql_mistake(message: str, query: str, *, known: Iterable[str] = ()) -> str:
    """SQLite's complaint with its place in the query, where that is certain, and with a name that may be meant.

    SQLite quotes what it stumbled over; where the query has that once, its line and column can be told.
    """
    from mathrag.errors import point_at

    found = _UNKNOWN.search(message)
    if found is None:
        return message
    told, name = message, found["near"] or found["name"]
    if found["what"]:
        bare = name.rpartition(".")[2]
        meant = get_close_matches(bare.lower(), sorted(set(known)), n=1, cutoff=0.7)
        told += f"; is {meant[0]} meant?" if meant else ""
    places = _places(name, query)
    if len(places) != 1:
        return told
    line = query.count("\n", 0, places[0]) + 1
    column = places[0] - query.rfind("\n", 0, places[0])
    drawn = point_at(query, places[0])
    return f"line {line}, column {column}: {told}" + (f"\n{drawn}" if drawn else "")


def _places(name: str, query: str) -> list[int]:
    """Where a name stands as a whole word; two places are as good as many."""
    found: list[int] = []
    at = query.find(name)
    while at >= 0 and len(found) < 2:
        before, after = query[at - 1 : at], query[at + len(name) : at + len(name) + 1]
        is_inside = (_WORD.match(before) and _WORD.match(name[:1])) or (_WORD.match(after) and _WORD.match(name[-1:]))
        if not is_inside:
            found.append(at)
        at = query.find(name, at + 1)
    return found
