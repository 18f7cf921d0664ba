"""Small libraries for the tests of the store: documents of a few formulas, and a merger simple enough to predict."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from decimal import Decimal

from mathrag.compute.canonical import canonical_key
from mathrag.compute.latex import read_latex
from mathrag.documents.views.records import (
    ChunkView,
    EquationView,
    ImageView,
    PageView,
    ReferenceView,
    SectionView,
    TableView,
    Views,
)
from mathrag.store.truth.database import Database
from mathrag.store.truth.document_rows import rows_of_views
from mathrag.store.truth.records import DocumentInfo, DocumentRecord, document_id
from mathrag.store.truth.schema import DERIVED, TRUTH
from mathrag.types.document import Place
from mathrag.types.expression import Reading, equation_symbols
from mathrag.types.library import (
    Constant,
    ConstantFinding,
    Correction,
    Extraction,
    Finding,
    Formula,
    Relation,
    Span,
    SymbolDefinition,
    SymbolMeaning,
    TextRelation,
    Validity,
    content_id,
)
from mathrag.types.quantity import DIMENSIONLESS, Dimension

LENGTH = Dimension.of({"length": 1})
KNOWN = {"F": "force", "m": "mass", "a": "acceleration", "v_0": "initial speed", "lambda_": "wavelength", "t": "time"}


class PlainMerger:
    """One formula a form, one constant a value; a formula uses those written for its symbols."""

    def merge_findings(self, findings: Sequence[Finding], corrections: Sequence[Correction]) -> tuple[Formula, ...]:
        first = findings[0]
        labels = tuple(dict.fromkeys(finding.label for finding in findings if finding.label))
        label = labels[0] if labels else ""
        for correction in corrections:
            if correction.field == "label":
                label = correction.value
        return (
            Formula(
                id=content_id("f", first.form),
                form=first.form,
                label=label,
                latex=first.latex,
                status=first.status,
                spans=tuple(dict.fromkeys(finding.span for finding in findings)),
                equation=first.equation,
                labels=labels,
                description=first.description,
                keywords=tuple(sorted({word for finding in findings for word in finding.keywords})),
                symbols=first.symbols,
                conditions=first.conditions,
                corrections=tuple(corrections),
            ),
        )

    def merge_constants(self, findings: Sequence[ConstantFinding]) -> tuple[Constant, ...]:
        by_value: dict[Decimal, list[ConstantFinding]] = {}
        for finding in findings:
            by_value.setdefault(finding.value, []).append(finding)
        return tuple(
            Constant(
                id=content_id("c", same[0].symbol, str(value)),
                symbol=same[0].symbol,
                name=same[0].name,
                value=value,
                unit=same[0].unit,
                dimension=same[0].dimension,
                spans=tuple(finding.span for finding in same),
            )
            for value, same in sorted(by_value.items())
        )

    def relate(
        self,
        formula: Formula,
        neighbours: Sequence[Formula],
        constants: Sequence[Constant],
        stated: Sequence[Relation],
    ) -> tuple[Relation, ...]:
        names = {symbol.name for symbol in formula.symbols}
        found = [relation for relation in stated if relation.source == formula.id]
        found += [
            Relation("uses", formula.id, other.id, 0.5, f"{other.target} is made there")
            for other in neighbours
            if other.target in names and other.target != formula.target
        ]
        found += [
            Relation("uses_constant", formula.id, constant.id, 0.9, constant.name)
            for constant in constants
            if constant.symbol in names
        ]
        return tuple(found)


MERGER = PlainMerger()


def make_finding(document: str, position: int, latex: str, *, label: str = "", quote: str = "") -> Finding:
    """A finding as the rules would make it, symbols described where `KNOWN` says so."""
    reading = read_latex(latex)
    equation = reading.equations[0] if isinstance(reading, Reading) and reading.equations else None
    span = Span(document, Place(line=position + 1, page=1), quote or f"${latex}$", ("Mechanics",))
    return Finding(
        document=document,
        position=position,
        form=content_id("source", latex) if equation is None else canonical_key(equation),
        latex=latex,
        source=latex,
        notation="latex",
        status="declined" if equation is None else "executable",
        span=span,
        equation=equation,
        label=label,
        description=f"about {label}" if label else "",
        keywords=tuple(label.lower().split()),
        symbols=()
        if equation is None
        else tuple(
            SymbolMeaning(name, KNOWN.get(name, ""), unit="m", dimension=LENGTH, letter=name)
            for name in equation_symbols(equation)
        ),
        conditions=(Validity("for low speeds"),) if label else (),
    )


def make_record(
    key: str,
    formulas: Sequence[tuple[str, str]] = (),
    *,
    constants: Sequence[tuple[str, str]] = (),
    relations: Sequence[tuple[int, int]] = (),
    text: str = "",
    software: str = "1",
) -> DocumentRecord:
    """A document whose formulas are pairs of label and LaTeX, and constants pairs of symbol and value."""
    identifier = document_id(key)
    place = Place(line=1, page=1, box=(1.0, 2.0, 3.0, 4.0))
    content = repr((formulas, constants, relations, text))
    span = Span(identifier, place, "quoted")
    extraction = Extraction(
        identifier,
        findings=tuple(
            make_finding(identifier, position, latex, label=label) for position, (label, latex) in enumerate(formulas)
        ),
        constants=tuple(
            ConstantFinding(identifier, position, symbol, f"constant {symbol}", Decimal(value), "", DIMENSIONLESS, span)
            for position, (symbol, value) in enumerate(constants)
        ),
        definitions=(SymbolDefinition("m", "mass", span, 0, 9, "where", unit="kg"),),
        relations=tuple(
            TextRelation(identifier, "derived_from", source, target, 0.7, "it follows", span)
            for source, target in relations
        ),
    )
    return DocumentRecord(
        DocumentInfo(
            id=identifier,
            key=key,
            name=key,
            media_type="text/markdown",
            hash=hashlib.sha256(content.encode()).hexdigest(),
            bytes=len(content),
            title=f"About {key}",
            authors=("Ada", "Émilie"),
            year=1749,
            ingested_at="2026-01-01T00:00:00+00:00",
            software=software,
            lexicon="1",
        ),
        extraction,
        rows_of_views(identifier, make_views(text or f"Some words about {key} and its λ.")),
    )


def make_views(text: str) -> Views:
    """One of each view."""
    place = Place(line=1, page=1, box=(1.0, 2.0, 3.0, 4.0))
    return Views(
        sections=(SectionView(0, 1, "Laws of motion", ("Laws of motion",), 0, 5, place, text=text, page_numbers=(1,)),),
        chunks=(ChunkView(0, text, ("Laws of motion",), 0, 2, place, section=0),),
        tables=(
            TableView(
                0, "Densities", 2, 2, 1, (("Substance", "Density"), ("water", "998")), "<table></table>", place, 3, 0
            ),
        ),
        images=(ImageView(0, "A falling body", "apple", "apple.png", place, 4, 0),),
        equations=(EquationView(0, "F=ma", "latex", "F=ma", "$F=ma$", True, "1", place, 1, 0),),
        references=(ReferenceView(0, "newton", "Newton, Principia, 1687", place, 5, 0),),
        pages=(PageView(1, 595.0, 842.0, 0, 5),),
    )


MECHANICS = make_record(
    "mechanics.md",
    [("Newton's second law", "F = m a"), ("Momentum", "p = m v_0"), ("Impulse", "J = F t"), ("", r"\frac{dx}{dt} = v")],
    constants=[("g", "9.81"), ("t", "3")],
    relations=[(2, 0)],
)
WAVES = make_record(
    "waves.md",
    [("Wave speed", r"v = \lambda f"), ("Second law", "F = m a"), ("Frequency", r"f = \frac{1}{T}")],
    constants=[("g", "9.80665"), ("T", "2")],
)


def dump(database: Database) -> dict[str, list[tuple[object, ...]]]:
    """Everything in the library that does not depend on when things came, for comparing two libraries."""
    with database.reading() as connection:
        return {table: _rows(connection, table) for table in (*TRUTH, *DERIVED)}


def _rows(connection: sqlite3.Connection, table: str) -> list[tuple[object, ...]]:
    if table == "vectors":
        # By what they are of: cells have other numbers in another library.
        question = (
            "SELECT c.source_table, c.source_column, c.source_key, v.embedder, v.text_hash, v.vector "
            "FROM vectors v LEFT JOIN cells c ON c.id = v.cell"
        )
        return sorted(connection.execute(question), key=repr)
    hidden = {"entry", "ingested_at", "time"} | ({"id"} if table in ("cells", "corrections") else set())
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})") if row[1] not in hidden]
    return sorted(connection.execute(f"SELECT {', '.join(columns)} FROM {table}"), key=repr)
