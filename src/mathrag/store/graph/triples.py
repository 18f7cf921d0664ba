"""The whole library as nodes and triples, in an order that depends on its content alone. Writes no format."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from mathrag.store.graph.concept_nodes import ConceptLinks, concept_iris
from mathrag.store.graph.contents import TEXT_TABLES, LibraryContents, TableName, Value
from mathrag.store.graph.document_nodes import extraction_nodes, row_iri, row_node
from mathrag.store.graph.formula_nodes import constant_node, correction_node, formula_nodes, relation_node
from mathrag.store.graph.names import LIBRARY, ChunkFinder, Naming, correction_iri
from mathrag.store.graph.procedure_nodes import ProcedureLinks
from mathrag.store.graph.terms import Node, Statement, Triple, structure, triples_of_nodes, whole
from mathrag.store.graph.vocabulary import MATHRAG, RECORD, TYPE
from mathrag.types.json_codec import to_json
from mathrag.types.library import Relation, Span

# Grows when an older program could no longer read what a newer one writes.
FORMAT_VERSION = 1
_ROW_ORDER: tuple[TableName, ...] = (
    "documents", "failures", "worksheets", "pages", "sections", "chunks", "passages", "tables", "images", "equations",
    "bibliography", "pictures", "cases", "problems", "solutions", "solution_steps", "concepts", "concept_signatures",
    "concept_properties", "concept_examples", "page_layouts",
    "model_readings", "proposals_rejected", "summaries",
)  # fmt: skip

Row = Mapping[str, Value]


def triples_of(contents: LibraryContents, *, with_text: bool = True, with_records: bool = True) -> Iterator[Triple]:
    """Every statement about a library. See `nodes_of`."""
    return triples_of_nodes(nodes_of(contents, with_text=with_text, with_records=with_records))


def nodes_of(contents: LibraryContents, *, with_text: bool = True, with_records: bool = True) -> Iterator[Node]:
    """Every thing of a library with all that is said of it, each once.

    `with_text` includes the text of documents, not only what was understood of it. `with_records` includes the exact
    records from which `read_turtle` restores the library, and the worksheets, which belong to a copy of it alone:
    saving one changes nothing that is asked of the graph.
    """
    naming = Naming(
        formulas=[formula.id for formula in contents.formulas],
        constants=[constant.id for constant in contents.constants],
    )
    if with_text:
        naming.chunks = ChunkFinder(contents.of_table("chunks"))
        naming.concepts = concept_iris(contents.of_table("concepts"))
    yield Node(
        LIBRARY,
        ((TYPE, MATHRAG + "Library"), (MATHRAG + "formatVersion", whole(FORMAT_VERSION))),
    )
    yield from _formula_part(contents, naming, with_records=with_records)
    yield from _row_part(contents, with_text=with_text, with_records=with_records)
    formulas = _formulas_of_findings(contents)
    for extraction in sorted(contents.extractions, key=lambda each: each.document):
        found = formulas.get(extraction.document, {})
        for node in extraction_nodes(extraction, found, naming, with_records=with_records):
            yield node
            yield from naming.new_mentions()
    yield from naming.shared()


def _formula_part(contents: LibraryContents, naming: Naming, *, with_records: bool) -> Iterator[Node]:
    relations: dict[str, list[Relation]] = defaultdict(list)
    for relation in sorted(contents.relations, key=lambda each: (each.source, each.kind, each.target)):
        relations[relation.source].append(relation)
    corrections: dict[str, list[str]] = defaultdict(list)
    for position, correction in enumerate(contents.corrections, 1):
        corrections[correction.formula].append(correction_iri(correction, position))
    naming.corrections = {formula: tuple(names) for formula, names in corrections.items()}
    for formula in sorted(contents.formulas, key=lambda each: each.id):
        yield from formula_nodes(formula, relations.get(formula.id, ()), naming)
        yield from naming.new_mentions()
    for constant in sorted(contents.constants, key=lambda each: each.id):
        yield constant_node(constant, naming)
        yield from naming.new_mentions()
    for source in sorted(relations):
        for relation in relations[source]:
            yield relation_node(relation, naming)
            yield from naming.new_mentions()
    for position, correction in enumerate(contents.corrections, 1):
        record: tuple[Statement, ...] = ((RECORD, structure(to_json(correction))),) if with_records else ()
        yield correction_node(correction_iri(correction, position), correction, record=record)


def _row_part(contents: LibraryContents, *, with_text: bool, with_records: bool) -> Iterator[Node]:
    by_table: dict[TableName, list[Row]] = defaultdict(list)
    cells: dict[Value, list[Row]] = defaultdict(list)
    for row in contents.rows:
        values = row.as_mapping()
        if row.table == "table_cells":
            cells[values.get("table_id")].append(values)
        else:
            by_table[row.table].append(values)
    links = ProcedureLinks(contents, by_table)
    concepts = ConceptLinks(by_table)
    for table in _ROW_ORDER:
        if (table in TEXT_TABLES and not with_text) or (table == "worksheets" and not with_records):
            continue
        for _, values in sorted(((row_iri(table, each), each) for each in by_table[table]), key=_first):
            of_table = cells.get(values.get("id"), []) if table == "tables" else []
            found = (*links.of_row(table, values), *concepts.of_row(table, values))
            yield row_node(table, values, cells=of_table, with_records=with_records, links=found)
    if with_text:
        yield from links.shared()


def _first(pair: tuple[str, Row]) -> str:
    return pair[0]


def _formulas_of_findings(contents: LibraryContents) -> Mapping[str, Mapping[int, str]]:
    """Which formula each finding supports: the one of its form that was found at its place."""
    by_place: dict[tuple[str, Span], str] = {
        (formula.form, span): formula.id for formula in contents.formulas for span in formula.spans
    }
    found: dict[str, dict[int, str]] = {}
    for extraction in contents.extractions:
        for index, finding in enumerate(extraction.findings):
            formula = by_place.get((finding.form, finding.span))
            if formula is not None:
                found.setdefault(extraction.document, {})[index] = formula
    return found
