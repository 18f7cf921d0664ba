"""Scans inside PDF files: told from pages with text, read page by page, and never more believed than they deserve."""

from __future__ import annotations

from pathlib import Path

import pytest
from scan_samples import FakeRecogniser, line

from hostile_files.pdf_bytes import document, stream, text_content
from mathrag.documents import Source, gather, input_files
from mathrag.documents.pdf import read_pdf
from mathrag.documents.pdf.layout.page_record import PageReading
from mathrag.documents.pdf.reader import assemble, read_pages
from mathrag.documents.scans import page as scanned_page
from mathrag.documents.scans import recogniser
from mathrag.errors import DocumentError
from mathrag.types.document import Heading, Image, Paragraph, formulas_of

_PICTURE = stream(
    b"\xf0\xff" * 32,
    extra=b"/Type/XObject/Subtype/Image/Width 8/Height 8/BitsPerComponent 8/ColorSpace/DeviceGray",
)
_SCAN = b"q 612 0 0 792 0 0 cm /I Do Q"
_TEXT = text_content(("The mass of the body is given in kilograms here.",))


def _pdf(*contents: bytes) -> Source:
    resources = b"/Font<</F1 3 0 R>>/XObject<</I 20 0 R>>"
    return Source("pages.pdf", document(*contents, resources=resources, objects={20: _PICTURE}).to_bytes())


@pytest.fixture
def without_ocr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recogniser, "find_spec", lambda _: None)


@pytest.fixture
def with_fake(monkeypatch: pytest.MonkeyPatch) -> FakeRecogniser:
    fake = FakeRecogniser(
        [
            line("Forces and bodies", 200, 200, height=60),
            line("The force on a body follows from its mass.", 200, 400, height=30),
            line("F = m a", 700, 600, height=30),
        ]
    )
    monkeypatch.setattr(scanned_page, "text_recogniser", lambda _: fake)
    return fake


def test_a_file_of_scans_fails_with_what_to_install(without_ocr: None) -> None:
    with pytest.raises(DocumentError, match=r"page 1 is a scan.*pip install 'mathrag\[ocr\]'") as caught:
        read_pdf(_pdf(_SCAN, _SCAN))
    assert caught.value.code == "no_ocr"


def test_scans_among_other_pages_are_noted_and_the_rest_is_read(without_ocr: None) -> None:
    found = read_pdf(_pdf(_SCAN, _TEXT))
    assert [block.place.page for block in found.blocks] == [2]
    (note,) = [note for note in found.notes if note.code == "scan"]
    assert "mathrag[ocr]" in note.message
    assert note.place.page == 1


def test_only_scans_go_through_ocr(with_fake: FakeRecogniser) -> None:
    found = read_pdf(_pdf(_TEXT, _SCAN))
    assert with_fake.calls == 1
    kinds = [(type(block), block.place.page) for block in found.blocks]
    assert kinds == [(Paragraph, 1), (Heading, 2), (Paragraph, 2), (Image, 2)]
    assert len(found.pictures) == 1
    assert found.pictures[0].place == found.blocks[-1].place
    assert "ocr" in [note.code for note in found.notes]


def test_pages_read_apart_make_the_same_document(with_fake: FakeRecogniser) -> None:
    source = _pdf(_TEXT, _SCAN)
    pages = [PageReading.from_json(page.to_json()) for number in (2, 1) for page in read_pages(source, [number])]
    assert assemble(source, pages) == read_pdf(source)


def test_formulas_of_a_recognised_layer_are_guesses() -> None:
    layer = text_content(("The force on a body of mass m is told by", "F = m a", "and by nothing else at all here."))
    found = read_pdf(_pdf(_SCAN + b" 3 Tr\n" + layer))
    assert "ocr_layer" in [note.code for note in found.notes]
    assert all(math.confidence <= 0.5 and math.doubts for block in found.blocks for math in formulas_of(block))


def test_a_file_whose_every_page_is_damaged_is_refused() -> None:
    data = document().to_bytes().replace(b"/Kids", b"/Kits")
    with pytest.raises(DocumentError) as caught:
        read_pdf(Source("pages.pdf", data))
    assert caught.value.code == "broken"


def test_pictures_in_a_folder_belong_to_its_documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(input_files, "readable_media_types", lambda: frozenset({"text/markdown", "image/png"}))
    for name in ("notes.md", "figure.png"):
        (tmp_path / name).write_bytes(b"x")
    assert [found.path.name for found in gather([str(tmp_path)]) if found.is_ready] == ["notes.md"]
    assert [found.path.name for found in gather([str(tmp_path / "figure.png")]) if found.is_ready] == ["figure.png"]
