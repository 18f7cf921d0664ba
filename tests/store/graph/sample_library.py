"""A small library with everything a library can hold, and a large one of any size, to test graph and exports with."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

from mathrag.compute.latex import read_latex
from mathrag.knowledge.units import read_canonical_unit
from mathrag.store.graph.contents import LibraryContents, ProblemTyping, TableRow
from mathrag.store.truth.records import document_id
from mathrag.store.truth.schema import table_columns
from mathrag.types.document import Place
from mathrag.types.expression import Comparison, Equation, Flag, Number, Reading, Symbol
from mathrag.types.library import (
    Alternative,
    Constant,
    ConstantFinding,
    Correction,
    Extraction,
    Finding,
    Formula,
    Instance,
    Relation,
    Span,
    SymbolDefinition,
    SymbolMeaning,
    TextRelation,
    Validity,
    content_id,
)
from mathrag.types.quantity import Dimension

DOCUMENT = document_id("/notes/mechanics.md")
OTHER = document_id("/notes/energy.md")


def dimension(unit: str) -> Dimension:
    return read_canonical_unit(unit).dimension


def equation(latex: str) -> Equation:
    reading = read_latex(latex)
    assert isinstance(reading, Reading), reading
    return reading.equations[0]


def span(quote: str, line: int, *, document: str = DOCUMENT, headings: tuple[str, ...] = ("Mechanics",)) -> Span:
    return Span(document, Place(line=line, end_line=line), quote, headings)


def symbol(name: str, description: str, unit: str | None, **more: object) -> SymbolMeaning:
    known = None if unit is None else dimension(unit)
    return SymbolMeaning(name, description, unit, known, **{"origin": "document", **more})  # type: ignore[arg-type]


KINETIC = Finding(
    document=DOCUMENT,
    position=0,
    form="E - m*v^2/2",
    latex=r"E_k = \frac{1}{2} m v^2",
    source=r"E_k = \frac{1}{2} m v^2",
    notation="latex",
    status="executable",
    span=span(r"$$E_k = \frac{1}{2} m v^2$$", 5),
    equation=equation(r"E_k = \frac{1}{2} m v^2"),
    label="kinetic energy",
    label_origin="heading",
    description='The "energy" of a moving body; 50 % of m v², \\ and <b>not</b> & more',
    intent="find the kinetic energy of a body",
    keywords=("kinetic", "energy", "motion"),
    symbols=(
        symbol("E_k", "kinetic energy", "J", kind="kinetic_energy", letter="E_k"),
        symbol("m", "mass", "kg", kind="mass", evidence=span("where $m$ is the mass (kg)", 7)),
        symbol("v", "speed", "m/s", kind="speed", state="initial"),
    ),
    alternatives=(Alternative(0.25, (symbol("v", "volume flow", None, origin="assumed"),)),),
    prior=0.75,
    conditions=(
        Validity(
            "for speeds far below that of light",
            (Comparison("<", Symbol("v"), Number(Decimal("3E+7"))),),
            span("for speeds far below that of light", 8),
        ),
        Validity("at low speed"),
    ),
    flags=(Flag("implicit_product", "m v is a product", 12),),
    instances=(
        Instance(
            "E = 1/2 · 2 kg · (3 m/s)^2 = 9 J",
            (("m", "2 kg"), ("v", "3 m/s"), ("E_k", "9 J")),
            "agrees",
            span("Example: E = 9 J", 11),
        ),
    ),
    number="2.1",
    is_display=True,
)
DECLINED = Finding(
    document=DOCUMENT,
    position=1,
    form=r"declined: \nabla \times \mathbf{E}",
    latex=r"\nabla \times \mathbf{E} = 0",
    source=r"\nabla \times \mathbf{E} = 0",
    notation="latex",
    status="declined",
    span=Span(DOCUMENT, Place(page=3, box=(10.5, 20.0, 30.25, 40.0), path="html/body/p[2]", file="a.tex"), "∇×E = 0"),
    reason_code="vector_product",
    reason="products of vectors are not computed",
)
ENERGY = Finding(
    document=OTHER,
    position=0,
    form="E - m*c^2",
    latex="E = mc^2",
    source="E = mc^2",
    notation="latex",
    status="executable",
    span=span("$E = mc^2$", 1, document=OTHER, headings=("Rest | energy", "=SUM(A1)")),
    equation=equation("E = m c^2"),
    label="=rest energy | of a body",
    symbols=(
        symbol("E", "energy", "J", kind="energy"),
        symbol("m", "mass", "kg", kind="mass"),
        symbol("c", "speed of light", "m/s", role="constant", constant="speed_of_light", origin="assumed"),
    ),
)
LIGHT = ConstantFinding(
    document=OTHER,
    position=0,
    symbol="c",
    name="speed of light",
    value=Decimal("2.99792458E+8"),
    unit="m/s",
    dimension=dimension("m/s"),
    span=span("c = 2.99792458e8 m/s", 3, document=OTHER),
    keywords=("light",),
    uncertainty=Decimal("0"),
    standard="speed_of_light",
    letter="c",
)
DEFINITION = SymbolDefinition(
    "m", "mass", span("where $m$ is the mass (kg)", 7), 2, 9, "where", "kg", dimension("kg"), "mass", "m", 0.9
)
TEXT_RELATION = TextRelation(DOCUMENT, "derived_from", 0, 1, 0.8, "it follows that", span("it follows that", 4))


def formula_of(finding: Finding, **more: object) -> Formula:
    """The formula of one finding alone."""
    fields = (
        "form latex status equation reason_code reason label label_origin description intent keywords symbols "
        "alternatives prior conditions flags instances number"
    ).split()
    values = {name: getattr(finding, name) for name in fields}
    return Formula(id=content_id("formula", finding.form), spans=(finding.span,), **{**values, **more})


def row(table: str, **values: object) -> TableRow:
    """A row of a table; columns that are not given are filled with something plausible."""
    plausible = {"TEXT": "", "INTEGER": 0, "REAL": 0.0}
    made = {
        name: values.get(name, plausible[kind] if has_to_be else None)
        for name, (kind, has_to_be) in table_columns()[table].items()
    }
    assert not values.keys() - made.keys()
    return TableRow(table, tuple(made.items()))  # type: ignore[arg-type]


def sample_rows() -> tuple[TableRow, ...]:
    return (
        row("documents", id=DOCUMENT, key="/notes/mechanics.md", name="mechanics.md", title="Mechanics & more",
            year=2021, authors=json.dumps(["A. Ampère", "B. Bell"]), abstract="Notes.", media_type="text/markdown",
            hash="ab" * 32, bytes=1234, ingested_at="2026-01-02T03:04:05Z", files="[]", notes="[]",
            extraction_notes="[]"),
        row("documents", id=OTHER, key="/notes/energy.md", name="energy.md", media_type="text/markdown", hash="cd" * 32,
            authors="[]", files="[]", notes="[]",
            extraction_notes="[]"),
        row("failures", key="/notes/bad.pdf", name="bad.pdf", code="truncated", reason="it ends too early", attempts=2),
        row("pages", document=DOCUMENT, number=1, width=595.5, height=842.0),
        row("sections", id="section-1", document=DOCUMENT, position=0, level=1, title="Mechanics", line=1),
        row("sections", id="section-2", document=DOCUMENT, position=1, level=2, title="Energy", line=3,
            parent="section-1"),
        row("chunks", id="chunk-1", document=DOCUMENT, position=0, section="section-2", headings="Mechanics > Energy",
            text='Energy is "conserved".\n\n$$E_k = \\frac{1}{2} m v^2$$\twhere …', line=3, end_line=9),
        row("passages", id="passage-1", document=DOCUMENT, position=0, section="section-2", text="Energy is conserved.",
            tokens=4, line=3, end_line=9),
        row("tables", id="table-1", document=DOCUMENT, position=0, caption="Values", row_count=1, column_count=2,
            html="<table><tr><td>a</td><td>b</td></tr></table>"),
        row("table_cells", table_id="table-1", row_number=0, column_number=0, text="a"),
        row("table_cells", table_id="table-1", row_number=0, column_number=1, text="b"),
        row("images", id="image-1", document=DOCUMENT, position=0, caption="A cart", source="cart.png"),
        row("equations", id="equation-1", document=DOCUMENT, position=0, latex="E_k = ...", notation="latex",
            is_display=1, number="2.1", quote="$$E_k$$", line=5),
        row("bibliography", id="reference-1", document=DOCUMENT, position=0, key="newton", text="Newton, Principia"),
        row("page_layouts", document=DOCUMENT, number=1, parts='[{"kind":"display","box":[72.0,80.0,300.0,95.5]}]'),
        row("pictures", id=f"{DOCUMENT}/picture/0", document=DOCUMENT, position=0, page=1, line=1, end_line=1,
            path="p", file="f", box="[72.0,80.0,300.0,95.5]", png="iVBORw0KGgo="),
        row("cases", id=f"{DOCUMENT}/case/0", document=DOCUMENT, position=0, title="A cart", number="2.1", part="a",
            problem="How fast is the cart?", symbol="v", value="3.0", unit="m/s", page=1, line=3, end_line=9, path="p",
            file="f", record=json.dumps({"formulas": [{"form": KINETIC.form}]})),
        row("problems", id=f"{DOCUMENT}/problem/p-1", document=DOCUMENT, position=0, content="p-1", level=2,
            text="How much energy has the cart?", type="Energy", answer="9 J", line=1),
        row("problems", id=f"{DOCUMENT}/problem/p-2", document=DOCUMENT, position=1, content="p-1",
            text="How much energy has the  cart?", line=2),
        row("solutions", id=f"{DOCUMENT}/solution/s-1", document=DOCUMENT, position=0, content="s-1", answer="9 J",
            problem=f"{DOCUMENT}/problem/p-1", is_right=1, step_count=2, line=1),
        row("solution_steps", id=f"{DOCUMENT}/solution/s-1/1", document=DOCUMENT, position=0, number=1, label="good",
            solution=f"{DOCUMENT}/solution/s-1", text="Energy goes with the square.", line=1,
            forms=json.dumps([KINETIC.form])),
        row("solution_steps", id=f"{DOCUMENT}/solution/s-1/1.1", document=DOCUMENT, position=1, number=1, label="bad",
            solution=f"{DOCUMENT}/solution/s-1", text="Energy goes with the speed.", line=1, forms="[]",
            is_alternative=1, alternative_to=f"{DOCUMENT}/solution/s-1/1"),
        row("solution_steps", id=f"{DOCUMENT}/solution/s-1/1.2", document=DOCUMENT, position=2, number=1,
            label="neutral", solution=f"{DOCUMENT}/solution/s-1", text="Look at the cart.", line=1, forms="[]",
            is_alternative=1, alternative_to=f"{DOCUMENT}/solution/s-1/1"),
        row("solution_steps", id=f"{DOCUMENT}/solution/s-1/2", document=DOCUMENT, position=3, number=2, label="good",
            solution=f"{DOCUMENT}/solution/s-1", text="So it is 9 J.", line=1, forms="[]"),
        row("concepts", id=f"{DOCUMENT}/concept/0", document=DOCUMENT, position=0, name="arith1:power",
            dictionary="arith1", symbol="power", description="Raises to a power.", role="application",
            status="official", is_mathematical=1, line=3, end_line=9),
        row("concepts", id=f"{DOCUMENT}/concept/1", document=DOCUMENT, position=1, name="arith1:power",
            dictionary="arith1", symbol="power", status="private", is_mathematical=1, line=10, end_line=12),
        row("concepts", id=f"{DOCUMENT}/concept/2", document=DOCUMENT, position=2, name="arith1:times",
            dictionary="arith1", symbol="times", status="private", is_mathematical=1, line=10, end_line=12),
        row("concept_signatures", id=f"{DOCUMENT}/signature/0", document=DOCUMENT, position=0, concept="arith1:power",
            signature="R × R → R", line=1, end_line=2),
        row("concept_properties", id=f"{DOCUMENT}/property/0", document=DOCUMENT, position=0,
            concept=f"{DOCUMENT}/concept/0", kind="formal", latex="a^{1}=a",
            source='<OMOBJ><OMS cd="arith1" name="times"/></OMOBJ>', outcome="holds",
            points=12, numbers="reals", counterexample="[]", line=4, end_line=5),
        row("concept_properties", id=f"{DOCUMENT}/property/1", document=DOCUMENT, position=1,
            concept=f"{DOCUMENT}/concept/0", kind="formal", latex="a^{2}=a", source="<OMOBJ/>", outcome="fails",
            points=1, counterexample='[["a","2"]]', reason="at the first point", line=6, end_line=7),
        row("concept_properties", id=f"{DOCUMENT}/property/2", document=DOCUMENT, position=2,
            concept=f"{DOCUMENT}/concept/0", kind="stated", text="A power of one is one.", counterexample="[]",
            line=8, end_line=8),
        row("concept_examples", id=f"{DOCUMENT}/example/0", document=DOCUMENT, position=0,
            concept=f"{DOCUMENT}/concept/0", text="Two to the third is eight.", latex='["2^{3}=8"]', line=9,
            end_line=9),
        row("model_readings", document=DOCUMENT, model="small-model", prompt="1", time="2026-01-02T03:04:06Z", chunks=1,
            chunks_done=1, rejected=1, failures="[]", extras='["summaries"]'),
        row("proposals_rejected", document=DOCUMENT, position=0, source="chunk-1", kind="formula", code="quote_missing",
            reason="its quote does not stand in the text", quote="E = 2 m", record='{"kind": "formula"}',
            model="small-model", page=1, line=3, end_line=9, path="p", file="f"),
        row("worksheets", name="Beam & span: 50 % “long”", text='# Beam\n" <b>=SUM(A1)</b> \\ \u200b\nL = 2 m\n',
            created="2026-01-02T03:04:05+00:00", changed="2026-01-03T03:04:05+00:00"),
        row("summaries", document=DOCUMENT, position=0, kind="section", source="section-2", text="About energy.",
            model="small-model"),
        row("summaries", document=DOCUMENT, position=1, kind="problem_type", source=f"{DOCUMENT}/problem/p-1",
            text='{"branch":"Physics","subfield":"Mechanics","type":"Energy","prompt":"1"}', model="small-model"),
        row("summaries", document=DOCUMENT, position=2, kind="step_error", source=f"{DOCUMENT}/solution/s-1/1.1",
            text='{"pattern":"counterfactual","prompt":"1"}', model="small-model"),
    )  # fmt: skip


def sample_library() -> LibraryContents:
    kinetic, declined = formula_of(KINETIC), formula_of(DECLINED)
    corrections = (
        Correction(kinetic.id, kinetic.form, "label", "energy of motion", "Ada", "2026-02-03T04:05:06Z", "clearer"),
        Correction(kinetic.id, kinetic.form, "symbol.m.unit", "", "Ada", "2026-02-03T04:06:00Z"),
    )
    kinetic = replace(kinetic, corrections=corrections, label="energy of motion", labels=("kinetic energy",))
    rest = formula_of(ENERGY)
    light = Constant(
        content_id("constant", "c"), "c", "speed of light", LIGHT.value, "m/s", LIGHT.dimension, (LIGHT.span,),
        keywords=("light",), uncertainty=Decimal("0"), standard="speed_of_light", letter="c",
    )  # fmt: skip
    return LibraryContents(
        rows=sample_rows(),
        extractions=(
            Extraction(OTHER, (ENERGY,), (LIGHT,)),
            Extraction(DOCUMENT, (KINETIC, DECLINED), (), (DEFINITION,), (TEXT_RELATION,)),
        ),
        corrections=corrections,
        problem_types=(
            ProblemTyping(f"{DOCUMENT}/problem/p-1", "Physics", "Mechanics", "Energy", "model:small-model"),
        ),
        formulas=(kinetic, declined, rest),
        constants=(light,),
        relations=(
            Relation("uses_constant", rest.id, light.id, 1.0, "c is a constant of the library", LIGHT.span),
            Relation("derived_from", kinetic.id, declined.id, 0.8, "it follows that", TEXT_RELATION.span),
            Relation("uses_constant", rest.id, "speed_of_light", 0.9, "c is the speed of light"),
            Relation("specializes", kinetic.id, rest.id, 0.5, "at low speed"),
            Relation("generalizes", rest.id, kinetic.id, 0.5, "at low speed"),
            Relation("uses", rest.id, kinetic.id, 0.5, "E_k is an input"),
        ),
    )


def large_library(count: int) -> LibraryContents:
    """A library of `count` formulas like those of the small one, each different."""
    findings = tuple(
        replace(
            KINETIC,
            position=number,
            form=f"form {number}",
            label=f"kinetic energy {number}",
            span=span(f"q{number}", number + 1),
        )
        for number in range(count)
    )
    formulas = tuple(formula_of(finding) for finding in findings)
    relations = tuple(Relation("uses", first.id, second.id, 0.9, "E_k") for first, second in pairwise(formulas))
    return LibraryContents(
        rows=sample_rows(),
        extractions=(Extraction(DOCUMENT, findings),),
        formulas=formulas,
        relations=relations,
    )
