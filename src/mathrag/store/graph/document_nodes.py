"""Documents, their text and what each of them says, as nodes of the graph; each with the exact record of it.

The record is what an import reads; the other statements are for people and queries.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mathrag.store.graph.contents import TableName, Value
from mathrag.store.graph.formula_nodes import texts
from mathrag.store.graph.names import Naming, digest, iri
from mathrag.store.graph.terms import Node, Object, Statement, real, structure, text, truth, whole, year
from mathrag.store.graph.vocabulary import (
    CREATED,
    CREATOR,
    IDENTIFIER,
    ISSUED,
    LABEL,
    MATHRAG,
    MODIFIED,
    RECORD,
    SOURCE,
    TYPE,
    properties,
    term,
)
from mathrag.types.json_codec import to_json
from mathrag.types.json_value import Json
from mathrag.types.library import ConstantFinding, Extraction, Finding, SymbolDefinition, TextRelation

Row = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class TableTerms:
    """How the rows of one table look in the graph: their class, the columns that name them, property by column."""

    name: str
    key: tuple[str, ...]
    properties: tuple[tuple[str, str], ...]


_LINES = "position line end_line"
_PLACE = "position page line end_line path file"
TABLES: dict[TableName, TableTerms] = {
    "documents": TableTerms(
        "Document", ("id",), properties("id title name abstract media_type hash bytes ingested_at", name=SOURCE)
    ),
    "failures": TableTerms(
        "Failure", ("key",), properties("name code reason time", name=SOURCE, code=term("reason_code"))
    ),
    "worksheets": TableTerms(
        "Worksheet", ("name",), properties("name text created changed", name=LABEL, created=CREATED, changed=MODIFIED)
    ),
    "pages": TableTerms("Page", ("document", "number"), properties("number", number=term("position"))),
    "sections": TableTerms("Section", ("id",), properties(f"title level {_PLACE}")),
    "chunks": TableTerms("Chunk", ("id",), properties(f"text {_PLACE}")),
    "passages": TableTerms("Passage", ("id",), properties(f"text {_PLACE}")),
    "tables": TableTerms("Table", ("id",), properties(f"caption html {_PLACE}")),
    "images": TableTerms("Image", ("id",), properties(f"caption alternative source {_PLACE}")),
    "equations": TableTerms("Equation", ("id",), properties(f"latex number quote {_PLACE}")),
    "bibliography": TableTerms("Reference", ("id",), properties(f"key text {_PLACE}", key=IDENTIFIER)),
    "page_layouts": TableTerms("PageLayout", ("document", "number"), properties("number", number=term("position"))),
    "pictures": TableTerms("Picture", ("id",), properties(_PLACE)),
    "cases": TableTerms(
        "Case",
        ("id",),
        properties(
            f"title number problem value unit {_PLACE}",
            problem=term("text"),
            value=term("value_text"),
            unit=term("unit_text"),
        ),
    ),
    "problems": TableTerms(
        "Problem", ("id",), properties("content text level answer position line", content=term("content_id"))
    ),
    "solutions": TableTerms(
        "Solution", ("id",), properties("content answer position line", content=term("content_id"))
    ),
    "solution_steps": TableTerms(
        "SolutionStep",
        ("id",),
        properties("number text label position line", number=term("step_number"), label=term("step_label")),
    ),
    "concepts": TableTerms(
        "Concept",
        ("id",),
        properties(
            f"name dictionary symbol description role status {_LINES}",
            name=LABEL,
            symbol=term("symbol_name"),
            role=term("concept_role"),
            status=term("dictionary_status"),
        ),
    ),
    "concept_signatures": TableTerms("ConceptSignature", ("id",), properties(f"signature {_LINES}")),
    "concept_properties": TableTerms(
        "ConceptProperty", ("id",), properties(f"kind text latex {_LINES}", kind=term("property_kind"))
    ),
    "concept_examples": TableTerms("ConceptExample", ("id",), properties(f"text {_LINES}")),
    "model_readings": TableTerms("ModelReading", ("document",), properties("model time")),
    "proposals_rejected": TableTerms(
        "RejectedProposal",
        ("document", "position"),
        properties(f"code reason quote model {_PLACE}", code=term("reason_code")),
    ),
    "summaries": TableTerms("Summary", ("document", "position"), properties("text model position")),
}
# Only names that are new enough have a hyphen between their words; names of things are never changed.
_HYPHENED = ("SolutionStep", "ConceptSignature", "ConceptProperty", "ConceptExample")
_KIND = {
    terms.name: re.sub(r"(?<=[a-z])(?=[A-Z])", "-", terms.name).lower()
    if terms.name in _HYPHENED
    else terms.name.lower()
    for terms in TABLES.values()
}
_FINDING_TEXTS = properties("label latex form status reason_code reason notation number")
_CONSTANT_TEXTS = properties("name symbol", name=LABEL, symbol=term("name"))
_DEFINITION_TEXTS = properties("name letter description")


def row_iri(table: TableName, row: Row) -> str:
    """The name of a row, from the columns that are its key."""
    terms = TABLES[table]
    parts = [_key_part(row.get(column)) for column in terms.key]
    # A file that failed is named by its path, which may be long and is nobody's business twice.
    return iri("failure", digest(str(parts[0]))) if table == "failures" else iri(_KIND[terms.name], *parts)


def _key_part(value: Value) -> str | int:
    return value if isinstance(value, str | int) else str(value)


def row_node(
    table: TableName, row: Row, *, cells: Sequence[Row], with_records: bool, links: Sequence[Statement] = ()
) -> Node:
    """A document, a failed file, a worksheet or a piece of a document's text. `links` are what others say of it."""
    terms = TABLES[table]
    statements: list[Statement] = [(TYPE, MATHRAG + terms.name)]
    for column, predicate in terms.properties:
        shown = _shown(row.get(column))
        if shown is not None:
            statements.append((predicate, shown))
    if table == "documents":
        statements.extend(_about_document(row))
    document = row.get("document")
    if isinstance(document, str):
        statements.append((MATHRAG + "partOf", iri("document", document)))
    for column, predicate in (("section", "inSection"), ("parent", "parentSection")):
        section = row.get(column)
        if isinstance(section, str) and section:
            statements.append((MATHRAG + predicate, iri("section", section)))
    statements.extend(links)
    if with_records:
        statements.append((RECORD, structure(_record(table, row, cells))))
    return Node(row_iri(table, row), tuple(statements))


def _record(table: TableName, row: Row, cells: Sequence[Row]) -> Json:
    made: dict[str, Json] = {"$row": table, **row}
    if cells:
        made["$cells"] = [{column: value for column, value in cell.items() if column != "table_id"} for cell in cells]
    return made


def _shown(value: Value) -> Object | None:
    match value:
        case None | "":
            return None
        case bool():
            return truth(value)
        case int():
            return whole(value)
        case float():
            return real(value)
        case str():
            return text(value)


def _about_document(row: Row) -> Iterator[Statement]:
    published = row.get("year")
    if isinstance(published, int):
        yield ISSUED, year(published)
    yield from ((CREATOR, text(author)) for author in _authors(row.get("authors")))


def _authors(value: Value) -> list[str]:
    if not isinstance(value, str) or not value:
        return []
    try:
        found = json.loads(value)
    except ValueError:
        found = [part.strip() for part in value.split(";")]
    return [each for each in dict.fromkeys(found) if isinstance(each, str) and each] if isinstance(found, list) else []


def extraction_nodes(
    extraction: Extraction, formulas: Mapping[int, str], naming: Naming, *, with_records: bool
) -> Iterator[Node]:
    """What one document says. `formulas` gives, for the index of a finding, the formula it belongs to."""
    document = extraction.document
    for index, finding in enumerate(extraction.findings):
        statements = _finding(finding, formulas.get(index), naming)
        yield _said(("finding", document, finding.position), statements, finding, with_records=with_records)
    for constant in extraction.constants:
        statements = _constant_finding(constant, naming)
        yield _said(("constant-finding", document, constant.position), statements, constant, with_records=with_records)
    for index, definition in enumerate(extraction.definitions):
        statements = _definition(definition, naming)
        yield _said(("definition", document, index), statements, definition, with_records=with_records)
    for index, relation in enumerate(extraction.relations):
        statements = _text_relation(relation, naming)
        yield _said(("text-relation", document, index), statements, relation, with_records=with_records)


def _said(name: tuple[str, str, int], statements: list[Statement], noun: object, *, with_records: bool) -> Node:
    kind, document, position = name
    # The class comes first, as everywhere.
    statements[1:1] = [(MATHRAG + "inDocument", iri("document", document)), (MATHRAG + "position", whole(position))]
    if with_records:
        statements.append((RECORD, structure(to_json(noun))))
    return Node(iri(kind, document, position), tuple(statements))


def _finding(finding: Finding, formula: str | None, naming: Naming) -> list[Statement]:
    statements: list[Statement] = [
        (TYPE, MATHRAG + "Finding"),
        *texts(finding, _FINDING_TEXTS),
        (MATHRAG + "isDisplay", truth(finding.is_display)),
        (MATHRAG + "hasMention", naming.mention(finding.span)),
    ]
    if formula is not None:
        statements.append((MATHRAG + "supports", iri("formula", formula)))
    return statements


def _constant_finding(finding: ConstantFinding, naming: Naming) -> list[Statement]:
    statements: list[Statement] = [
        (TYPE, MATHRAG + "ConstantFinding"),
        *texts(finding, _CONSTANT_TEXTS),
        (MATHRAG + "valueText", text(str(finding.value))),
        (MATHRAG + "value", real(float(finding.value))),
        (MATHRAG + "unitText", text(finding.unit)),
        (MATHRAG + "unit", naming.unit(finding.unit)),
        (MATHRAG + "hasMention", naming.mention(finding.span)),
    ]
    if finding.standard is not None:
        statements.append((MATHRAG + "isStandard", naming.standard(finding.standard)))
    return statements


def _definition(definition: SymbolDefinition, naming: Naming) -> list[Statement]:
    statements: list[Statement] = [
        (TYPE, MATHRAG + "SymbolDefinition"),
        *texts(definition, _DEFINITION_TEXTS),
        (MATHRAG + "confidence", real(definition.confidence)),
        (MATHRAG + "hasMention", naming.mention(definition.span)),
    ]
    if definition.unit is not None:
        statements.append((MATHRAG + "unitText", text(definition.unit)))
        statements.append((MATHRAG + "unit", naming.unit(definition.unit)))
    if definition.kind is not None:
        statements.append((MATHRAG + "quantityKind", naming.kind(definition.kind)))
    return statements


def _text_relation(relation: TextRelation, naming: Naming) -> list[Statement]:
    statements: list[Statement] = [
        (TYPE, MATHRAG + "TextRelation"),
        (MATHRAG + "relationKind", text(relation.kind)),
        (MATHRAG + "relationSource", iri("finding", relation.document, relation.source)),
        (MATHRAG + "relationTarget", iri("finding", relation.document, relation.target)),
        (MATHRAG + "confidence", real(relation.confidence)),
    ]
    if relation.evidence:
        statements.append((MATHRAG + "evidence", text(relation.evidence)))
    if relation.span is not None:
        statements.append((MATHRAG + "evidencedBy", naming.mention(relation.span)))
    return statements
