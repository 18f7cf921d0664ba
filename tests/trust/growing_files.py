"""Files that grow: packages, printed pages and notebooks with more and more of one nasty thing in them.

A family makes a whole file of its format with so many parts: paragraphs, runs, cells, notes, styles, formulas, glyphs,
lines. Deep nesting stays below what readers refuse, so that the work is done and not declined.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from html import escape

from hand_written_pdf import drawn_pdf, drawn_text
from mathrag.documents.sheets.reader import ODS_TYPE, XLSX_TYPE
from mathrag.documents.sheets.workbook import column_letters
from office_archives import (
    WORD,
    WORD_RELATIONS,
    book,
    formula,
    formula_object,
    open_document,
    paragraph,
    run,
    word_document,
    words,
)
from sheet_archives import SPREADSHEET, CellValue, open_sheet, sheet_xml, workbook, xlsx_cell

Make = Callable[[int], bytes]


@dataclass(frozen=True, slots=True)
class FileFamily:
    """Files of one format that hold the same again and again; `is_understood` where what follows reading is tried."""

    name: str
    media_type: str
    make: Make
    first: int = 250
    largest: int = 4_000
    is_understood: bool = False


def file_families() -> Iterator[FileFamily]:
    """Every family of files."""
    for name, (media_type, families) in _FORMATS.items():
        for what, make in families.items():
            first, largest = _SIZES.get((name, what), _SIZES.get((name, ""), (250, 4_000)))
            yield FileFamily(f"{name}, {what}", media_type, make, first, largest, (name, what) in _UNDERSTOOD)


def _nested(opening: str, inside: str, closing: str, depth: int) -> str:
    return opening * depth + inside + closing * depth


def _numbered(piece: str, count: int) -> str:
    """The piece again and again, `#` in it counting from 1."""
    return "".join(piece.replace("#", str(number)) for number in range(1, count + 1))


# Pieces of text that have hurt readers of text, here as one paragraph of a file.
_TEXTS = ("$a_{", "$a$ ", "a = b ", "word ", "x^2 = ", "1,")

# ---- Word

_FRACTION = f"<m:f><m:num>{run('a')}</m:num><m:den>{run('b')}</m:den></m:f>"
_MATRIX_ROW = f"<m:mr><m:e>{run('a')}</m:e></m:mr>"
_BOLD = "<w:r><w:rPr><w:b/></w:rPr><w:t>b</w:t></w:r>"
_RAISED = '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>2</w:t></w:r>'
_CELL = f"<w:tc>{paragraph(words('a'))}</w:tc>"
_WIDE_CELL = f'<w:tc><w:tcPr><w:gridSpan w:val="500"/></w:tcPr>{paragraph(words("a"))}</w:tc>'
_FIELD = (
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>HYPERLINK "http://a"</w:instrText></w:r>'
    f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{words("a")}'
)
_FIELD_END = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
_BOX = (
    f"<w:r><w:pict><v:shape><v:textbox><w:txbxContent>{paragraph(words('a'))}</w:txbxContent></v:textbox></v:shape>"
    "</w:pict></w:r>"
)
_RELATION_KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def _word(body: Callable[[int], str], **more: Callable[[int], str]) -> Make:
    """Documents with this body and further parts beside it, each named by the relations of the text."""

    def make(count: int) -> bytes:
        relations = WORD_RELATIONS.replace("/>", ">")
        members: dict[str, bytes | str] = {}
        for name, part in more.items():
            if name == "relations":
                relations += part(count)
                continue
            members[f"word/{name}.xml"] = f'<w:{name} xmlns:w="{WORD}">{part(count)}</w:{name}>'
            relations += f'<Relationship Id="p{name}" Type="{_RELATION_KINDS}/{name}" Target="{name}.xml"/>'
        members["word/_rels/document.xml.rels"] = f"{relations}</Relationships>"
        return word_document(body(count), **members)

    return make


def _styled(style: str) -> str:
    return paragraph(f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>{words("a")}')


def _listed(number: str) -> str:
    return paragraph(f'<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="{number}"/></w:numPr></w:pPr>{words("a")}')


def _list_definitions(count: int) -> str:
    level = '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
    made = _numbered(f'<w:abstractNum w:abstractNumId="#">{level}</w:abstractNum>', count)
    return made + _numbered('<w:num w:numId="#"><w:abstractNumId w:val="#"/></w:num>', count)


def _chained_styles(count: int) -> str:
    """Styles that are each based on the one before."""
    return "".join(
        f'<w:style w:type="paragraph" w:styleId="S{number}"><w:name w:val="s {number}"/>'
        f'<w:basedOn w:val="S{number - 1}"/></w:style>'
        for number in range(1, count + 1)
    )


_NOTE = '<w:r><w:footnoteReference w:id="#"/></w:r>'
_NOTE_TEXT = f'<w:footnote w:id="#">{paragraph(words("a"))}</w:footnote>'
_LINK = (
    f'<w:hyperlink xmlns:r="{_RELATION_KINDS}" r:id="l#">{words("a")}</w:hyperlink>'
    '<w:bookmarkStart w:id="#" w:name="b#"/><w:bookmarkEnd w:id="#"/>'
    f'<w:hyperlink w:anchor="b#">{words("b")}</w:hyperlink>'
)
_LINK_TARGET = f'<Relationship Id="l#" Type="{_RELATION_KINDS}/hyperlink" Target="http://a/#" TargetMode="External"/>'
_HEADING = '<w:style w:type="paragraph" w:styleId="H"><w:name w:val="heading 1"/></w:style>'
_ATTRIBUTE = 'w:a#="1" '
_EMPTY_BOXES = "<w:r><mc:AlternateContent><mc:Choice/>{}</mc:AlternateContent></w:r>"

WORD_FAMILIES: Mapping[str, Make] = {
    **{
        f"one paragraph of {piece!r}": _word(lambda n, piece=piece: paragraph(words(escape(piece) * n)))  # type: ignore[misc]
        for piece in _TEXTS
    },
    "paragraphs": _word(lambda n: paragraph(words("a = b")) * n),
    "empty paragraphs": _word(lambda n: "<w:p/>" * n + paragraph(words("a"))),
    "runs": _word(lambda n: paragraph((words("a") + _BOLD) * n)),
    "raised runs": _word(lambda n: paragraph((words("x") + _RAISED) * n)),
    "runs in tags in tags": _word(lambda n: paragraph(_nested("<w:smartTag>", words("a"), "</w:smartTag>", 90) * n)),
    "controls in controls": _word(
        lambda n: paragraph(_nested("<w:sdt><w:sdtContent>", words("a"), "</w:sdtContent></w:sdt>", 40) * n)
    ),
    "changes": _word(lambda n: paragraph(f"<w:ins>{words('a')}</w:ins><w:del>{words('b')}</w:del>" * n)),
    "line breaks": _word(lambda n: paragraph(f"<w:r>{'<w:br/>' * n}</w:r>{words('a')}")),
    "formulas in one paragraph": _word(lambda n: paragraph((words("is ") + formula(run("a=b"))) * n)),
    "displays in one paragraph": _word(lambda n: paragraph(f"<m:oMathPara>{formula(run('a=b'))}</m:oMathPara>" * n)),
    "displays of one group": _word(lambda n: paragraph(f"<m:oMathPara>{formula(run('a=b')) * n}</m:oMathPara>")),
    "formulas": _word(lambda n: paragraph(formula(run("a=b"))) * n),
    "fractions in one formula": _word(lambda n: paragraph(formula(_FRACTION * n))),
    "fractions in fractions": _word(
        lambda n: paragraph(formula(_nested("<m:f><m:num>", run("a"), "</m:num><m:den/></m:f>", 25))) * n
    ),
    "formulas nested too deep": _word(
        lambda n: paragraph(formula(_nested("<m:f><m:num>", run("a"), "</m:num><m:den/></m:f>", 62))) * n
    ),
    "brackets in one formula": _word(lambda n: paragraph(formula(f"<m:d><m:e>{run('a')}</m:e></m:d>" * n))),
    "rows of one matrix": _word(
        lambda n: paragraph(formula(f"<m:m>{_MATRIX_ROW * n}</m:m>"))
    ),
    "rows": _word(lambda n: f"<w:tbl>{f'<w:tr>{_CELL * 2}</w:tr>' * n}</w:tbl>"),
    "columns": _word(lambda n: f"<w:tbl><w:tr>{_CELL * n}</w:tr></w:tbl>"),
    "tables": _word(lambda n: f"<w:tbl><w:tr>{_CELL}</w:tr></w:tbl>" * n),
    "tables in tables": _word(
        lambda n: _nested("<w:tbl><w:tr><w:tc>", paragraph(words("a")), "<w:p/></w:tc></w:tr></w:tbl>", 12) * n
    ),
    "spans": _word(lambda n: f"<w:tbl><w:tr>{_WIDE_CELL}</w:tr></w:tbl>" * n),
    "a wide row and short ones": _word(
        lambda n: f"<w:tbl><w:tr>{_CELL * (n // 2)}</w:tr>{f'<w:tr>{_CELL}</w:tr>' * (n // 2)}</w:tbl>"
    ),
    "a wide cell and small ones": _word(
        lambda n: f"<w:tbl><w:tr>{_WIDE_CELL}</w:tr>{f'<w:tr>{_CELL}</w:tr>' * n}</w:tbl>"
    ),
    "notes": _word(lambda n: paragraph(_numbered(words("a") + _NOTE, n)), footnotes=lambda n: _numbered(_NOTE_TEXT, n)),
    "one long note again and again": _word(
        lambda n: paragraph((words("a") + _NOTE.replace("#", "1")) * n),
        footnotes=lambda n: f'<w:footnote w:id="1">{paragraph(words("word " * n))}</w:footnote>',
    ),
    "links": _word(lambda n: _numbered(paragraph(_LINK), n), relations=lambda n: _numbered(_LINK_TARGET, n)),
    "fields": _word(lambda n: paragraph((_FIELD + _FIELD_END) * n)),
    "fields that never end": _word(lambda n: paragraph(_FIELD) * n),
    "headings": _word(lambda n: _styled("H") * n, styles=lambda _: _HEADING),
    "styles": _word(lambda n: _numbered(_styled("S#"), n), styles=_chained_styles),
    "items of one list": _word(lambda n: _listed("1") * n, numbering=lambda _: _list_definitions(1)),
    "lists": _word(lambda n: _numbered(_listed("#"), n), numbering=_list_definitions),
    "text boxes": _word(lambda n: paragraph(_BOX * n)),
    "copies for old programs": _word(
        lambda n: paragraph(words("a") + _EMPTY_BOXES.format("<mc:Fallback/>" * n))
    ),
    "old formulas": _word(
        lambda n: paragraph('<w:r><w:object><o:OLEObject ProgID="Equation.3"/></w:object></w:r>') * n
        + paragraph(words("a"))
    ),
    "attributes": _word(lambda n: f"<w:p {_numbered(_ATTRIBUTE, n)}>{words('a')}</w:p>"),
}  # fmt: skip

# ---- OpenDocument

_MATHML = "http://www.w3.org/1998/Math/MathML"
_ODT_CELL = "<table:table-cell><text:p>a</text:p></table:table-cell>"
_ODT_ROW = "<table:table-row>{}</table:table-row>"
_ODT_NOTE = (
    'a<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>'
    "<text:p>b</text:p></text:note-body></text:note>"
)
_ODT_STYLE = (
    '<style:style xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" style:name="S#" style:family="text">'
    '<style:text-properties xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" '
    'fo:font-weight="bold"/></style:style>'
)


def _odt(body: Callable[[int], str], **more: Callable[[int], str]) -> Make:
    return lambda count: open_document(body(count), **{name: part(count) for name, part in more.items()})


def _embedded(mathml: str) -> str:
    return f'<draw:frame><draw:object><math xmlns="{_MATHML}">{mathml}</math></draw:object></draw:frame>'


def _odt_table(rows: str) -> str:
    return f"<table:table>{rows}</table:table>"


def _odt_styles(count: int) -> str:
    office = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
    return (
        f'<office:document-styles xmlns:office="{office}"><office:styles>{_numbered(_ODT_STYLE, count)}</office:styles>'
        "</office:document-styles>"
    )


ODT_FAMILIES: Mapping[str, Make] = {
    **{
        f"one paragraph of {piece!r}": _odt(lambda n, piece=piece: f"<text:p>{escape(piece) * n}</text:p>")  # type: ignore[misc]
        for piece in _TEXTS[:3]
    },
    "paragraphs": _odt(lambda n: "<text:p>a = b</text:p>" * n),
    "spans": _odt(lambda n: f"<text:p>{'<text:span>a</text:span>b' * n}</text:p>"),
    "spans in spans": _odt(lambda n: f"<text:p>{_nested('<text:span>', 'a', '</text:span>', 100) * n}</text:p>"),
    "headings": _odt(lambda n: '<text:h text:outline-level="1">a</text:h>' * n),
    "formulas in one paragraph": _odt(lambda n: f"<text:p>{(_embedded('<mi>a</mi>') + ' is ') * n}</text:p>"),
    "formulas": _odt(lambda n: f"<text:p>{_embedded('<mi>a</mi><mo>=</mo><mi>b</mi>')}</text:p>" * n),
    "one long formula": _odt(lambda n: f"<text:p>{_embedded('<mi>a</mi><mo>+</mo>' * n)}</text:p>"),
    "one long formula again and again": _odt(
        lambda n: f"<text:p>{formula_object('O') * n}</text:p>",
        **{"O/content.xml": lambda n: f'<math xmlns="{_MATHML}">{"<mi>a</mi><mo>+</mo>" * n}</math>'},
    ),
    "comments": _odt(lambda n: f"<text:p>{'a<office:annotation/>' * n}</text:p>"),
    "rows": _odt(lambda n: _odt_table(_ODT_ROW.format(_ODT_CELL * 2) * n)),
    "columns": _odt(lambda n: _odt_table(_ODT_ROW.format(_ODT_CELL * n))),
    "header rows": _odt(
        lambda n: _odt_table(
            f"<table:table-header-rows>{_ODT_ROW.format(_ODT_CELL * 2) * n}</table:table-header-rows>"
        )
    ),
    "tables": _odt(lambda n: _odt_table(_ODT_ROW.format(_ODT_CELL)) * n),
    "a wide row and short ones": _odt(
        lambda n: _odt_table(_ODT_ROW.format(_ODT_CELL * (n // 2)) + _ODT_ROW.format(_ODT_CELL) * (n // 2))
    ),
    "spaces by number": _odt(lambda n: f'<text:p>a<text:s text:c="{n * 1_000}"/>b</text:p>'),
    "notes": _odt(lambda n: f"<text:p>{_ODT_NOTE * n}</text:p>"),
    "items of one list": _odt(
        lambda n: f"<text:list>{'<text:list-item><text:p>a</text:p></text:list-item>' * n}</text:list>"
    ),
    "lists in lists": _odt(
        lambda n: _nested("<text:list><text:list-item>", "<text:p>a</text:p>", "</text:list-item></text:list>", 10) * n
    ),
    "bookmarks": _odt(
        lambda n: _numbered(
            '<text:p><text:bookmark text:name="b#"/>a<text:bookmark-ref text:ref-name="b#" '
            'text:reference-format="text">x</text:bookmark-ref></text:p>', n,
        )
    ),
    "styles": _odt(
        lambda n: _numbered('<text:p><text:span text:style-name="S#">a</text:span></text:p>', n),
        **{"styles.xml": _odt_styles},
    ),
}  # fmt: skip

# ---- books

_STYLE = '<mstyle mathvariant="bold">'
EPUB_FAMILIES: Mapping[str, Make] = {
    what: (lambda n, piece=piece: book({"a.xhtml": piece * n}))  # type: ignore[misc]
    for what, piece in {
        "paragraphs": "<p>a = b</p>",
        "raised signs": "<p>x<sup>2</sup> = y</p>",
        "spans": "<span>a</span>",
        "formulas": f'<p><math xmlns="{_MATHML}"><mi>a</mi></math></p>',
        "cells": "<td>a</td>",
        "notes": "<aside id='a'>b</aside>",
        "text": "$a_{",
    }.items()
} | {
    "chapters": lambda n: book({f"c{number}.xhtml": "<p>a = b</p>" for number in range(n // 8)}),
    "one long formula": lambda n: book({"a.xhtml": f"<p><math>{'<mi>a</mi><mo>+</mo>' * n}</math></p>"}),
    "styles in styles": lambda n: book(
        {"a.xhtml": f"<p><math>{_nested(_STYLE, '<mi>a</mi>' * n, '</mstyle>', 90)}</math></p>"}
    ),
}  # fmt: skip

# ---- Rich Text

RTF_FAMILIES: Mapping[str, Make] = {
    what: (lambda n, piece=piece: f"{{\\rtf1\\ansi {piece * n}}}".encode())  # type: ignore[misc]
    for what, piece in {
        "paragraphs": r"a = b\par ",
        "groups": r"{\b a}b",
        "groups that never end": r"{\b a",
        "groups in groups": _nested(r"{\b ", "a", "}", 60),
        "ends without groups": "} a",
        "rows": r"\trowd\cellx1000\cellx2000 a\cell b\cell\row ",
        "cells": r"\intbl a\cell ",
        "notes": r"a{\footnote b}",
        "fields": r'{\field{\*\fldinst HYPERLINK "http://a"}{\fldrslt a}}',
        "characters by number": r"\u8364?\'41",
        "fonts": r"{\fonttbl{\f0 a;}}\f0 a",
    }.items()
}

# ---- notebooks


def _notebook(cells: list[dict[str, object]]) -> bytes:
    return json.dumps({"cells": cells, "nbformat": 4, "nbformat_minor": 5, "metadata": {}}).encode()


_SHOWN: dict[str, object] = {"data": {"text/latex": "$a=b$", "text/markdown": "$a=b$", "text/html": "$$a=b$$"}}
NOTEBOOK_FAMILIES: Mapping[str, Make] = {
    "cells": lambda n: _notebook([{"cell_type": "markdown", "source": "a = b"}] * n),
    "lines of one cell": lambda n: _notebook([{"cell_type": "markdown", "source": ["a = b\n"] * n}]),
    "lines of code": lambda n: _notebook([{"cell_type": "code", "source": "a = b\n" * n, "outputs": []}]),
    "outputs": lambda n: _notebook([{"cell_type": "code", "source": "a", "outputs": [_SHOWN] * n}]),
    "kinds of cells": lambda n: _notebook([{"cell_type": f"k{number}", "source": "a"} for number in range(n)]),
}

# ---- printed pages


def _on_page(draw: Callable[[int, float, float], str], *, columns: int = 60) -> Make:
    """A page with so many things in rows; `draw` gets the number and the place of each."""

    def make(count: int) -> bytes:
        rows = count // columns + 1
        places = ((50 + 500 * (i % columns) / columns, 740 - 690 * (i // columns) / rows) for i in range(count))
        return drawn_pdf("\n".join(draw(i, round(x, 2), round(y, 2)) for i, (x, y) in enumerate(places)))

    return make


def _scattered(draw: Callable[[random.Random, float, float], str]) -> Make:
    """A page with so many things anywhere, the same for each run, below a line of words."""

    def make(count: int) -> bytes:
        chance = random.Random(count)
        drawn = (
            draw(chance, round(chance.uniform(50, 540), 1), round(chance.uniform(50, 720), 1)) for _ in range(count)
        )
        return drawn_pdf("\n".join([drawn_text("some words of a text that stand above it all", 72, 760), *drawn]))

    return make


def _line(x: float, y: float, right: float, up: float) -> str:
    return f"{x:.2f} {y:.2f} m {x + right:.2f} {y + up:.2f} l S"


def _grid(count: int) -> bytes:
    """A table with lines around each of its cells."""
    side = max(2, round(count**0.5))
    wide, high = 500 / side, 690 / side
    lines = [_line(50, 50 + high * i, 500, 0) for i in range(side + 1)]
    lines += [_line(50 + wide * i, 50, 0, 690) for i in range(side + 1)]
    lines += [
        drawn_text("a", round(50 + wide * (i % side + 0.3), 2), round(50 + high * (i // side + 0.3), 2), wide / 2)
        for i in range(side * side)
    ]
    return drawn_pdf("\n".join(lines))


def _fraction(_: int, x: float, y: float) -> str:
    return "\n".join((drawn_text("a", x, y + 1, 4), drawn_text("b", x, y - 4, 4), _line(x - 1, y, 5, 0)))


PDF_FAMILIES: Mapping[str, Make] = {
    # Of one size however long it is: where signs are too small for words, another part of the reader has the work.
    "one long line": lambda n: drawn_pdf(drawn_text("a b " * n, 72, 700, 0.02)),
    "one line of equations": lambda n: drawn_pdf(drawn_text("a = b + c " * (n // 4), 20, 700, 5)),
    "tiny lines": lambda n: drawn_pdf(
        "\n".join(drawn_text("word = b", 72, round(740 - 690 * i / n, 3), round(600 / n, 3)) for i in range(n))
    ),
    "signs in rows": _on_page(lambda _, x, y: drawn_text("a", x, y, 2)),
    "signs anywhere": _scattered(lambda _, x, y: drawn_text("a", x, y, 2)),
    "words anywhere": _scattered(lambda _, x, y: drawn_text("a b", x, y, 9)),
    "sizes anywhere": _scattered(lambda chance, x, y: drawn_text("a", x, y, chance.choice((1, 3, 5, 8, 12, 40)))),
    "raised signs": _on_page(lambda i, x, y: drawn_text("x2"[i % 2], x, y + 3 * (i % 2), 6 - 2 * (i % 2))),
    "brackets": _on_page(lambda _, x, y: drawn_text("(", x, y, 6)),
    "upright strokes": _on_page(lambda _, x, y: drawn_text("|", x, y, 6)),
    "equals signs": _on_page(lambda _, x, y: drawn_text("-=", x, y, 6)),
    "fractions": _on_page(_fraction, columns=40),
    "flat lines": _scattered(lambda _, x, y: _line(x, y, 40, 0)),
    "flat and upright lines": _scattered(lambda chance, x, y: _line(x, y, *chance.choice(((40, 0), (0, 40))))),
    "a table": _grid,
    "curves": _scattered(lambda _, x, y: f"{x} {y} m {x + 5} {y + 9} {x + 9} {y - 5} {x + 10} {y} c S"),
    "one long path": lambda n: drawn_pdf(
        f"{drawn_text('some words of a text that stand above it all', 72, 760)}\n50 50 m\n"
        + "\n".join(f"{50 + i * 7 % 500} {50 + i * 13 % 690} l" for i in range(n)) + " S"
    ),
    "white signs on black": _on_page(
        lambda _, x, y: f"0 g {x} {y} 8 8 re f 1 g {drawn_text('a', x, y, 4)}"
    ),
    "black boxes": _scattered(lambda _, x, y: f"{x} {y} 10 10 re f"),
    "pictures": _scattered(
        lambda _, x, y: f"q 9 0 0 9 {x} {y} cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q"
    ),
    "turned signs": _scattered(lambda _, x, y: f"BT /F1 6 Tf 0 1 -1 0 {x} {y} Tm (ab) Tj ET"),
    "pages": lambda n: drawn_pdf(*[drawn_text("a = b", 72, 700)] * (n // 10)),
}  # fmt: skip

# ---- spreadsheets


def _sheet(piece: Callable[[int], dict[str, CellValue]], **more: Callable[[int], str]) -> Make:
    """A workbook with one sheet: the cells that a piece gives for each number from 1."""

    def make(count: int) -> bytes:
        cells: dict[str, CellValue] = {"A1": "Body", "B1": "Mass (kg)", "C1": "Speed (m/s)", "D1": "Energy (J)"}
        for number in range(1, count + 1):
            cells |= piece(number)
        parts = {name: made(count) for name, made in more.items()}
        return workbook({"Data": sheet_xml(cells, **parts)})

    return make


def _one_row(cells: Callable[[int], list[CellValue]]) -> Make:
    """A workbook with everything side by side."""

    def make(count: int) -> bytes:
        texts = "".join(
            xlsx_cell(f"{column_letters(at)}1", value) for at, value in enumerate(cells(min(count, 16_000)), 1)
        )
        return workbook({"Data": sheet_xml({}, raw=f'<row r="1">{texts}</row>')})

    return make


def _names(count: int) -> bytes:
    cells: dict[str, CellValue] = {"A1": "Length (m)", "B1": 2, "A2": "Area (m²)", "B2": ("=name_1^2", 4)}
    return workbook({"Data": cells}, names={f"name_{at}": "Data!$B$1" for at in range(1, count + 1)})


def _tables(count: int) -> bytes:
    """Named tables side by side, each with a formula that takes a column of its row."""
    cells: dict[str, CellValue] = {}
    more: dict[str, str] = {}
    relations = []
    for at in range(1, count + 1):
        row = 4 * at
        cells |= {
            f"A{row}": "Mass (kg)",
            f"B{row}": "Double (kg)",
            f"A{row + 1}": 2,
            f"B{row + 1}": ("=[@[Mass (kg)]]*2", 4),
        }
        more[f"xl/tables/table{at}.xml"] = (
            f'<table xmlns="{SPREADSHEET}" displayName="T_{at}" ref="A{row}:B{row + 1}"><tableColumns>'
            '<tableColumn name="Mass (kg)"/><tableColumn name="Double (kg)"/></tableColumns></table>'
        )
        relations.append(f'<Relationship Id="t{at}" Type="a/table" Target="../tables/table{at}.xml"/>')
    listed = "".join(f'<tablePart id="t{at}"/>' for at in range(1, count + 1))
    more["xl/worksheets/_rels/sheet1.xml.rels"] = f"<Relationships>{''.join(relations)}</Relationships>"
    return workbook({"Data": sheet_xml(cells, after=f"<tableParts>{listed}</tableParts>")}, **more)


def _energy(at: int) -> dict[str, CellValue]:
    row = at + 1
    return {f"A{row}": f"Body {at}", f"B{row}": 2, f"C{row}": 3, f"D{row}": (f"=B{row}*C{row}^2/2", 9)}


SHEET_FAMILIES: Mapping[str, Make] = {
    "rows filled down": _sheet(_energy),
    "labels with values": _sheet(lambda at: {f"A{at + 1}": f"Setting {at}", f"B{at + 1}": at, f"C{at + 1}": "mm"}),
    "areas": _sheet(lambda at: {f"A{3 * at}": "Length (m)", f"B{3 * at}": 2, f"C{3 * at}": (f"=B{3 * at}*2", 4)}),
    "formulas that differ": _sheet(lambda at: {f"A{at + 1}": f"Sum {at}", f"B{at + 1}": (f"=B1+{at}", float(at))}),
    "far from a header": _sheet(lambda at: {f"B{at + 1}": at}),
    "cells on a slope": _sheet(lambda at: {f"{column_letters(2 * at)}{at + 2}": at}),
    "a long row over a long column": _sheet(lambda at: {f"{column_letters(at)}2": f"a{at}", f"A{at + 2}": at}),
    "texts": _sheet(lambda at: {f"A{at + 1}": "a word ", f"B{at + 1}": "(a"}),
    "merged cells": _sheet(
        lambda at: {f"A{at + 1}": "Span"},
        after=lambda count: (
            "<mergeCells>"
            + "".join(f'<mergeCell ref="A{at + 1}:Z{at + 20}"/>' for at in range(1, count + 1))
            + "</mergeCells>"
        ),
    ),
    "columns": _one_row(lambda count: [f"Mass {at} (kg)" for at in range(1, count + 1)]),
    "numbers in a row": _one_row(lambda count: list(range(1, count + 1))),
    "defined names": _names,
    "named tables": _tables,
    "brackets in a formula": lambda count: workbook({"Data": {"A1": "Mass (kg)", "B1": ("=" + "[" * count, 1)}}),
    "a long formula": lambda count: workbook({"Data": {"A1": "Mass (kg)", "B1": ("=" + "A1+" * count + "1", 1)}}),
}
OPEN_SHEET_FAMILIES: Mapping[str, Make] = {
    "rows": lambda count: open_sheet(
        [["Mass (kg)", "Double (kg)"], *([2, (f"=[.A{at}]*2", 4)] for at in range(2, count + 2))]
    ),
    "columns": lambda count: open_sheet([[f"Mass {at} (kg)" for at in range(1, count + 1)]]),
}


_FORMATS: Mapping[str, tuple[str, Mapping[str, Make]]] = {
    "Word": ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", WORD_FAMILIES),
    "OpenDocument": ("application/vnd.oasis.opendocument.text", ODT_FAMILIES),
    "EPUB": ("application/epub+zip", EPUB_FAMILIES),
    "Rich Text": ("application/rtf", RTF_FAMILIES),
    "notebook file": ("application/x-ipynb+json", NOTEBOOK_FAMILIES),
    "PDF": ("application/pdf", PDF_FAMILIES),
    "Excel": (XLSX_TYPE, SHEET_FAMILIES),
    "OpenDocument sheet": (ODS_TYPE, OPEN_SHEET_FAMILIES),
}
# How many parts at first and at most, where each takes longer than usual.
_SIZES: Mapping[tuple[str, str], tuple[int, int]] = {
    ("Word", "runs in tags in tags"): (50, 800),
    ("Word", "controls in controls"): (50, 800),
    ("Word", "fractions in fractions"): (50, 800),
    ("Word", "formulas nested too deep"): (100, 1_600),
    ("Word", "tables in tables"): (25, 400),
    ("OpenDocument", "spans in spans"): (25, 400),
    ("OpenDocument", "lists in lists"): (50, 800),
    ("Rich Text", "groups in groups"): (50, 800),
}
_UNDERSTOOD = frozenset(
    (
        ("Word", "formulas in one paragraph"),
        ("Word", "formulas"),
        ("Word", "rows"),
        ("OpenDocument", "paragraphs"),
        ("EPUB", "raised signs"),
        ("PDF", "words anywhere"),
        ("PDF", "fractions"),
        ("notebook file", "outputs"),
        ("Excel", "rows filled down"),
        ("Excel", "labels with values"),
    )
)
