"""Word documents as people make them: formulas in place, text boxes, changes, old formulas, structure by pandoc."""

from __future__ import annotations

import pytest

from mathrag.documents import Source
from mathrag.documents.office import pandoc, read_docx
from mathrag.documents.office.docx import MEDIA_TYPE
from mathrag.errors import DocumentError
from mathrag.types.document import Display, Document, Math, Paragraph, Table, formulas_of
from office_archives import formula, paragraph, run, word_document, words


def _read(body: str, **more: bytes | str) -> Document:
    return read_docx(Source("motion.docx", word_document(body, **more)))


def _sources(document: Document) -> list[str]:
    return [math.source for block in document.blocks for math in formulas_of(block)]


def test_a_formula_stands_between_its_words() -> None:
    document = _read(paragraph(words("The force is ") + formula(run("F=ma")) + words(", where a is given.")))
    block = document.blocks[0]
    assert isinstance(block, Paragraph)
    kinds = [type(piece).__name__ for piece in block.content]
    assert kinds == ["Text", "Math", "Text"]
    math = block.content[1]
    assert isinstance(math, Math)
    assert (math.source, math.notation, math.place.path) == ("F = ma", "latex", "/body/p[1]/tex-math[1]")
    assert block.place.line is None
    assert document.media_type == MEDIA_TYPE


def test_a_formula_on_its_own_line_is_displayed_with_its_number() -> None:
    by_tab = paragraph(f"<m:oMathPara>{formula(run('F=ma'))}</m:oMathPara>") + paragraph(
        formula(run("E=mc")) + words("\u2003(3.2)")
    )
    lines = f"<m:eqArr><m:e>{run('p=mv#(7)')}</m:e></m:eqArr>"
    by_sign = paragraph(f"<m:oMathPara>{formula(lines)}</m:oMathPara>")
    blocks = _read(by_tab + by_sign).blocks
    assert all(isinstance(block, Display) for block in blocks)
    assert [(block.math.source, block.math.number) for block in blocks if isinstance(block, Display)] == [
        ("F = ma", ""),
        ("E = mc", "3.2"),
        ("p = mv", "7"),
    ]


def test_scripts_typed_as_text_are_formulas_as_on_a_page() -> None:
    italic = "<w:rPr><w:i/></w:rPr>"
    low = '<w:rPr><w:vertAlign w:val="subscript"/></w:rPr>'
    body = paragraph(
        words("Then ")
        + f"<w:r>{italic}<w:t>v</w:t></w:r>"
        + f"<w:r>{low}<w:t>0</w:t></w:r>"
        + f'<w:r><w:t xml:space="preserve"> = </w:t></w:r><w:r>{italic}<w:t>a t</w:t></w:r>'
        + words(" holds.")
    )
    assert _sources(_read(body)) == ["v_{0} = a t"]


def test_changes_are_accepted() -> None:
    gone = f'<w:del w:id="1" w:author="x"><w:r><w:delText>old </w:delText></w:r>{formula(run("x=1"))}</w:del>'
    added = f'<w:ins w:id="2" w:author="x">{words("new ")}{formula(run("y=2"))}</w:ins>'
    document = _read(paragraph(words("A ") + gone + added + words(" end")))
    assert document.blocks[0].quote == "A new y = 2 end"


def test_text_boxes_are_read_once_after_their_paragraph() -> None:
    inside = paragraph(words("In the box ") + formula(run("p=mv")))
    box = (
        '<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx><w:txbxContent>'
        f"{inside}</w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>"
        f"{inside}</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    document = _read(paragraph(words("Before.") + box) + paragraph(words("After.")))
    assert [block.quote for block in document.blocks] == ["Before.", "In the box p = mv", "After."]
    assert "text_box" in [note.code for note in document.notes]


def test_formulas_of_old_editors_are_counted_not_forgotten() -> None:
    old = '<w:r><w:object><o:OLEObject Type="Embed" ProgID="Equation.DSMT4"/></w:object></w:r>'
    document = _read(paragraph(words("x ") + old) + paragraph(words("y ") + old))
    note = next(note for note in document.notes if note.code == "legacy_equation")
    assert "2 formulas" in note.message
    assert note.place.path == "body/p[1]"


def test_numbered_equations_in_a_table_are_displays() -> None:
    cells = f"<w:tc>{paragraph(formula(run('F=ma')))}</w:tc><w:tc>{paragraph(words('(4)'))}</w:tc>"
    document = _read(f"<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid><w:tr>{cells}</w:tr></w:tbl>")
    block = document.blocks[0]
    assert isinstance(block, Display)
    assert block.math.number == "4"


def test_tables_keep_spans_and_formulas() -> None:
    wide = f'<w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>{paragraph(words("both"))}</w:tc>'
    row = f"<w:tc>{paragraph(formula(run('E')))}</w:tc><w:tc>{paragraph(words('energy in J'))}</w:tc>"
    grid = "<w:tblPr/><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid>"
    document = _read(f"<w:tbl>{grid}<w:tr>{wide}</w:tr><w:tr>{row}</w:tr></w:tbl>")
    table = document.blocks[0]
    assert isinstance(table, Table)
    rows = (*table.header, *table.rows)
    assert rows[0][0].columns == 2
    assert isinstance(rows[1][0].content[0], Math)


def test_the_files_own_properties_give_title_and_authors() -> None:
    core = (
        '<cp:coreProperties xmlns:cp="urn:c" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:t="urn:t">'
        "<dc:title>On Motion</dc:title><dc:creator>Ada Beispiel; Bo Muster</dc:creator>"
        "<t:created>2018-01-02</t:created>"
        "</cp:coreProperties>"
    )
    document = _read(paragraph(words("Text.")), **{"docProps/core.xml": core})
    assert (document.title, document.authors, document.year) == ("On Motion", ("Ada Beispiel", "Bo Muster"), 2018)


def test_a_mark_in_the_text_of_a_document_is_only_text() -> None:
    document = _read(paragraph(words("x0123456789abcdef0123n0x and ") + formula(run("F=ma"))))
    assert document.blocks[0].quote == "x0123456789abcdef0123n0x and F = ma"


def test_a_formula_too_deep_is_noted_and_the_rest_is_read() -> None:
    deep = run("x")
    for _ in range(70):
        deep = f"<m:box><m:e>{deep}</m:e></m:box>"
    document = _read(paragraph(words("a ") + formula(deep) + words(" b")))
    assert [note.code for note in document.notes] == ["formula_too_deep"]
    assert document.blocks[0].quote == "a b"


def test_without_pandoc_both_ways_to_get_it_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pandoc, "pandoc_path", lambda: "")
    with pytest.raises(DocumentError) as caught:
        _read(paragraph(words("x")))
    assert caught.value.code == "no_pandoc"
    assert "pip install 'mathrag[office]'" in str(caught.value)
    assert "apt install pandoc" in str(caught.value)


def test_headings_of_the_same_words_keep_them() -> None:
    style = (
        '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" '
        'w:styleId="H"><w:name w:val="heading 1"/></w:style></w:styles>'
    )
    heading = paragraph(f'<w:pPr><w:pStyle w:val="H"/></w:pPr>{words("Levers")}')
    blocks = _read(heading * 3, **{"word/styles.xml": style}).blocks
    assert [(type(block).__name__, block.quote) for block in blocks] == [("Heading", "Levers")] * 3


def test_fields_that_never_end_leave_their_words() -> None:
    field = '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>REF a</w:instrText></w:r>'
    blocks = _read(paragraph(field + words("a lever")) * 3).blocks
    assert [block.quote for block in blocks] == ["a lever"] * 3


def test_a_cell_that_spans_more_columns_than_there_are_spans_those() -> None:
    wide = f'<w:tc><w:tcPr><w:gridSpan w:val="400"/></w:tcPr>{paragraph(words("all"))}</w:tc>'
    small = f"<w:tc>{paragraph(words('one'))}</w:tc>"
    (table,) = _read(f"<w:tbl><w:tr>{wide}</w:tr><w:tr>{small * 2}</w:tr></w:tbl>").blocks
    assert isinstance(table, Table)
    assert max(sum(cell.columns for cell in row) for row in (*table.header, *table.rows)) == 3
