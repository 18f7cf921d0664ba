"""Formulas that a page reader gave in pieces are whole again; what marks its formulas itself is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.documents.pdf.formulas.doubts import HOLE
from mathrag.extract.pipeline import extract
from mathrag.extract.rejoined import with_whole_formulas
from mathrag.types.document import Break, Cell, Content, Document, Math, Paragraph, Place, Table, Text

PAGE = Place(page=1, box=(0.0, 0.0, 10.0, 10.0))
OPEN = (HOLE,)


def formula(source: str, *, doubts: tuple[str, ...] = (), confidence: float = 1.0, place: Place = PAGE) -> Math:
    return Math(source, "latex", place, source, confidence=confidence, doubts=doubts)


def cells(*rows: tuple[Content, ...]) -> Document:
    table = Table(PAGE, "", (), tuple(tuple(Cell(content, PAGE) for content in row) for row in rows))
    return Document("a.pdf", "application/pdf", "0" * 64, (table,))


def joined(*content: Text | Math | Break) -> list[str]:
    table = with_whole_formulas(cells((content,))).blocks[0]
    assert isinstance(table, Table)
    return [
        piece.source if isinstance(piece, Math) else piece.text if isinstance(piece, Text) else "\n"
        for piece in table.rows[0][0].content
    ]


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ((Text("rate "), formula("=k"), Text("[A]², and")), [r"\mathrm{rate} =k [\mathrm{A}]^{2}", ", and"]),
        ((Text("Mach number "), formula(r"=\frac{v}{c}")), [r"\text{Mach number} =\frac{v}{c}"]),
        (
            (formula("E=E_{r}"), Text("(cathode) "), formula("-E_{r}"), Text("(anode)")),
            [r"E=E_{r} (\text{cathode}) -E_{r} (\text{anode})"],
        ),
        (
            (Text("ln [A]"), formula(r"{}_{t}=-kt+\ln"), Text(" [A]₀")),
            [r"\ln [\mathrm{A}]_{t}=-kt+\ln [\mathrm{A}]_{0}"],
        ),
        ((formula("f(v)="), Break(), formula("4v^{2}")), ["f(v)= 4v^{2}"]),
        ((formula("q=Cx"), Break(), formula("=Qy")), ["q=Cx =Qy"]),
        ((formula("E=F-", doubts=OPEN, confidence=0.8), Break(), formula("G")), ["E=F- G"]),
        # Nothing here lacks its other end.
        ((formula("a=b"), Text(", "), formula("c=d")), ["a=b", ", ", "c=d"]),
        ((formula("a=b"), Break(), formula("c=d")), ["a=b", "\n", "c=d"]),
        ((formula("a=b"), Text(" (see above)")), ["a=b", " (see above)"]),
        ((Text("the rate of the reaction, in short here, grows "), formula("a")), None),
    ],
)
def test_pieces_of_a_cell(pieces: Content, expected: list[str] | None) -> None:
    assert joined(*pieces) == (expected or [p.text if isinstance(p, Text) else "a" for p in pieces])


def test_a_settled_doubt_is_gone_and_any_other_keeps_pieces_apart() -> None:
    whole = with_whole_formulas(cells(((formula("E=F-", doubts=OPEN, confidence=0.8), Break(), formula("G")),))).blocks[
        0
    ]
    assert isinstance(whole, Table)
    made = whole.rows[0][0].content[0]
    assert isinstance(made, Math)
    assert made.is_certain
    assert made.doubts == ()
    guess = formula("E=F-", doubts=(*OPEN, "a sign without identity"), confidence=0.3)
    assert joined(guess, Break(), formula("G")) == ["E=F-", "\n", "G"]


def test_a_row_that_ends_the_one_above_belongs_to_it() -> None:
    document = cells(((Text("Energy"),), (formula("E=K="),)), ((formula("(p=0)"),), (formula("hf-W"),)))
    table = with_whole_formulas(document).blocks[0]
    assert isinstance(table, Table)
    assert len(table.rows) == 1
    assert [piece.source for piece in table.rows[0][1].content if isinstance(piece, Math)] == ["E=K= hf-W"]


def test_other_formats_are_left_alone() -> None:
    line = Place(line=3)
    table = Table(line, "", (), ((Cell((Text("rate "), formula("=k", place=line)), line),),))
    document = Document("a.md", "text/markdown", "0" * 64, (table,))
    assert with_whole_formulas(document) is document


def paragraphs(*contents: Content) -> Document:
    return Document(
        "a.pdf", "application/pdf", "0" * 64, tuple(Paragraph(PAGE, "", content) for content in contents), title="Tests"
    )


def test_a_unit_in_brackets_is_a_unit_and_letters_with_words_of_their_own_are_a_product() -> None:
    document = paragraphs(
        (Text("The time constant of an RC circuit is"),),
        (
            formula(r"\tau=RC"),
            Text(" where "),
            formula(r"\tau"),
            Text(" is the time constant (s), "),
            formula("R"),
            Text(" is the resistance "),
            formula(r"(\Omega)"),
            Text(" and "),
            formula("C"),
            Text(" is the capacitance (F)."),
        ),
    )
    extraction = extract(document, document_id="d")
    (finding,) = (one for one in extraction.findings if one.equation is not None)
    assert {one.name: one.unit for one in finding.symbols} == {"tau": "s", "R": "ohm", "C": "F"}


def test_brackets_around_a_species_are_a_symbol_in_a_sentence() -> None:
    document = paragraphs(
        (Text("Here [A] is the concentration of the reactant (mol/L) and "), formula("t"), Text(" is the time (s).")),
        (formula(r"[\mathrm{A}]=kt"),),
    )
    names = {one.name: one.unit for one in extract(document, document_id="d").definitions}
    assert names["conc_A"] == "mol/L"


def test_a_bold_title_within_a_paragraph_names_the_formula_below() -> None:
    display = Math(r"R=\frac{v^{2}}{g}", "latex", PAGE, "", is_display=True)
    document = paragraphs(
        (
            Text("It falls for 2 s. "),
            Text("Range of ", bold=True),
            formula(r"\mathbf{a}"),
            Text(" "),
            Text("projectile. ", bold=True),
            Text("Without air resistance."),
        ),
        (display, Text(" where "), formula("R"), Text(" is the range (m).")),
    )
    (finding,) = (one for one in extract(document, document_id="d").findings if one.equation is not None)
    assert finding.label == "Range of a projectile"


PIECES = st.one_of(
    st.builds(Text, st.text(alphabet="aA[]()₀², ;:ln=+-", max_size=12), st.booleans()),
    st.builds(formula, st.sampled_from(["=k", "a=b", "-x", "{}_{t}=", "x]", r"a+\ln", "(", "e^{-t}", ""])),
    st.just(Break()),
)


@given(st.lists(PIECES, max_size=12))
def test_no_words_are_lost(content: list[Text | Math | Break]) -> None:
    def letters(text: str) -> str:
        return "".join(sign for sign in text if sign.isalpha())

    before = "".join(piece.text if isinstance(piece, Text) else "" for piece in content)
    table = with_whole_formulas(cells((tuple(content),))).blocks[0]
    assert isinstance(table, Table)
    after = table.rows[0][0].content
    kept = "".join(piece.text if isinstance(piece, Text) else getattr(piece, "quote", "") for piece in after)
    assert len(letters(kept)) >= len(letters(before))
