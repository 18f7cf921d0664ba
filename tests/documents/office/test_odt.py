"""OpenDocument texts: embedded formulas at their place, tables with headers and spans, deleted passages left out."""

from __future__ import annotations

import pytest

from mathrag.documents import Source
from mathrag.documents.office import read_odt
from mathrag.errors import DocumentError
from mathrag.types.document import Document, Math, Paragraph, Table, formulas_of
from office_archives import formula_object, open_document

MATHML = '<math xmlns="http://www.w3.org/1998/Math/MathML">{}</math>'
FORCE = MATHML.format(
    "<semantics><mrow><mi>F</mi><mo>=</mo><mi>m</mi><mi>a</mi></mrow>"
    '<annotation encoding="StarMath 5.0">F = m a</annotation></semantics>'
)


def _read(body: str, **more: bytes | str) -> Document:
    return read_odt(Source("motion.odt", open_document(body, **more)))


def _latex(mathml: str) -> str:
    document = _read(f"<text:p>{formula_object('Object 1')}</text:p>", **{"Object 1/content.xml": mathml})
    return next(math.source for block in document.blocks for math in formulas_of(block))


def test_an_embedded_formula_stands_between_its_words() -> None:
    body = f"<text:p>The force {formula_object('Object 1')} moves it.</text:p>"
    block = _read(body, **{"Object 1/content.xml": FORCE}).blocks[0]
    assert isinstance(block, Paragraph)
    assert [type(piece).__name__ for piece in block.content] == ["Text", "Math", "Text"]
    assert block.quote == "The force F = ma moves it."
    math = block.content[1]
    assert isinstance(math, Math)
    assert (math.source, math.notation) == ("F = ma", "latex")


def test_a_formula_inside_the_text_part_is_read_too() -> None:
    frame = f"<draw:frame><draw:object>{FORCE}</draw:object></draw:frame>"
    assert _read(f"<text:p>See {frame}.</text:p>").blocks[0].quote == "See F = ma."


@pytest.mark.parametrize(
    ("inside", "latex"),
    [
        ("<mfrac><mi>a</mi><mi>b</mi></mfrac><mo>=</mo><mi>c</mi>", r"\frac{a}{b} = c"),
        ('<mi>x</mi><mo>=</mo><mo form="prefix">|</mo><mi>q</mi><mo form="prefix">|</mo>', "x = |q|"),
        ("<mi>y</mi><mo>=</mo><mrow><mi>sin</mi><mo>\u2061</mo></mrow><mi>θ</mi>", r"y = \sin\theta"),
        ('<mstyle mathvariant="normal"><mi>P</mi></mstyle><mo>=</mo><mi>x</mi>', r"\mathrm{P} = x"),
        ("<mover><mi>v</mi><mo>→</mo></mover><mo>=</mo><mi>x</mi>", r"\vec{v} = x"),
        ("<msqrt><mn>2</mn><mi>g</mi><mi>h</mi></msqrt><mo>=</mo><mi>v</mi>", r"\sqrt{2gh} = v"),
    ],
)
def test_mathml_becomes_latex(inside: str, latex: str) -> None:
    assert _latex(MATHML.format(inside)) == latex


def test_mathml_that_latex_would_say_differently_stays_mathml() -> None:
    table = "<mi>f</mi><mo>=</mo><mtable><mtr><mtd><mn>1</mn></mtd></mtr></mtable>"
    document = _read(
        f"<text:p>x {formula_object('Object 1')}</text:p>", **{"Object 1/content.xml": MATHML.format(table)}
    )
    assert [math.notation for block in document.blocks for math in formulas_of(block)] == ["mathml"]


def test_objects_that_are_no_formulas_are_noted() -> None:
    body = f"<text:p>A chart {formula_object('Object 9')} here.</text:p>"
    document = _read(body, **{"Object 9/content.xml": "<chart/>"})
    assert [note.code for note in document.notes] == ["embedded_object"]


def test_tables_keep_their_headers_and_spans() -> None:
    def cell(text: str, more: str = "") -> str:
        return f"<table:table-cell{more}><text:p>{text}</text:p></table:table-cell>"

    wide = cell("Both", ' table:number-columns-spanned="2"') + "<table:covered-table-cell/>"
    body = (
        '<table:table><table:table-column table:number-columns-repeated="2"/><table:table-header-rows>'
        f"<table:table-row>{wide}</table:table-row></table:table-header-rows>"
        f"<table:table-row>{cell('E')}{cell('J')}</table:table-row></table:table>"
    )
    table = _read(f"<text:p>x</text:p>{body}").blocks[1]
    assert isinstance(table, Table)
    assert [[(cell.columns, cell.is_header) for cell in row] for row in table.header] == [[(2, True)]]
    assert len(table.rows[0]) == 2


def test_deleted_passages_and_comments_are_left_out() -> None:
    changes = "<text:tracked-changes><text:changed-region><text:deletion><text:p>GONE</text:p></text:deletion></text:changed-region></text:tracked-changes>"  # noqa: E501
    body = f"{changes}<text:p>Kept <office:annotation><text:p>NOTE</text:p></office:annotation>text.</text:p>"
    assert [block.quote for block in _read(body).blocks] == ["Kept text."]


def test_a_protected_text_says_so() -> None:
    manifest = '<m:manifest xmlns:m="urn:m"><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>'
    with pytest.raises(DocumentError) as caught:
        _read("<text:p>x</text:p>", **{"META-INF/manifest.xml": manifest})
    assert caught.value.code == "encrypted"
