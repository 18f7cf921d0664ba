"""Books: chapters in the order of the spine, each block with its chapter, formulas as LaTeX; no pandoc."""

from __future__ import annotations

import pytest

from mathrag.documents import Source, detect_media_type
from mathrag.documents.office import read_epub
from mathrag.errors import DocumentError
from mathrag.types.document import Display, Document, Heading, formulas_of
from office_archives import book

FIRST = (
    '<h1>Motion</h1><p>Let <math xmlns="http://www.w3.org/1998/Math/MathML">'
    "<mi>F</mi><mo>=</mo><mi>m</mi><mi>a</mi></math>.</p>"
)
SECOND = (
    '<h1>Energy</h1><p><math display="block"><semantics><mrow><mi>E</mi></mrow>'
    r'<annotation encoding="application/x-tex">E = \frac{1}{2} m v^2</annotation></semantics></math></p>'
)


def _read(data: bytes) -> Document:
    return read_epub(Source("motion.epub", data))


def test_chapters_come_in_the_order_of_the_spine_and_name_their_file() -> None:
    document = _read(book({"b.xhtml": SECOND, "a.xhtml": FIRST}, order=["a.xhtml", "b.xhtml"]))
    headings = [block for block in document.blocks if isinstance(block, Heading)]
    assert [(block.quote, block.place.file) for block in headings] == [
        ("Motion", "OEBPS/a.xhtml"),
        ("Energy", "OEBPS/b.xhtml"),
    ]
    assert all(block.place.line for block in document.blocks)
    assert document.files == ("OEBPS/a.xhtml", "OEBPS/b.xhtml")


def test_what_the_book_says_about_itself() -> None:
    document = _read(book({"a.xhtml": FIRST}))
    assert (document.title, document.authors, document.year) == ("On Motion", ("Ada Beispiel",), 2019)
    assert document.media_type == "application/epub+zip"


def test_formulas_are_latex_with_and_without_annotation() -> None:
    document = _read(book({"a.xhtml": FIRST, "b.xhtml": SECOND}))
    formulas = [math for block in document.blocks for math in formulas_of(block)]
    assert [(math.notation, math.source) for math in formulas] == [
        ("latex", "F = ma"),
        ("latex", r"E = \frac{1}{2} m v^2"),
    ]
    assert isinstance(document.blocks[-1], Display)
    assert formulas[1].place.file == "OEBPS/b.xhtml"


def test_a_broken_chapter_does_not_spoil_the_book() -> None:
    data = book({"a.xhtml": FIRST, "b.xhtml": "<p>x</p>"})
    locked = book(
        {"a.xhtml": FIRST, "b.xhtml": SECOND},
        **{
            "META-INF/encryption.xml": '<encryption xmlns="urn:x"><EncryptedData><CipherData>'
            '<CipherReference URI="OEBPS/b.xhtml"/></CipherData></EncryptedData></encryption>'
        },
    )
    assert _read(data).blocks
    document = _read(locked)
    assert [note.code for note in document.notes] == ["encrypted"]
    assert {block.place.file for block in document.blocks} == {"OEBPS/a.xhtml"}


def test_a_book_that_is_locked_altogether_says_so() -> None:
    lock = '<encryption xmlns="urn:x"><CipherReference URI="OEBPS/a.xhtml"/></encryption>'
    with pytest.raises(DocumentError) as caught:
        _read(book({"a.xhtml": FIRST}, **{"META-INF/encryption.xml": lock}))
    assert caught.value.code == "encrypted"


def test_a_book_without_pages_is_empty() -> None:
    with pytest.raises(DocumentError) as caught:
        _read(book({"a.xhtml": ""}))
    assert caught.value.code == "empty"


def test_the_type_is_found_by_what_is_inside() -> None:
    assert detect_media_type(book({"a.xhtml": FIRST}), "a.bin") == "application/epub+zip"
