"""OCR itself: what happens without it, that it downloads nothing, and that it reads a printed page."""

from __future__ import annotations

import io
import socket
from pathlib import Path
from typing import Any

import pytest

from hostile_files.pdf_bytes import document, text_content
from mathrag.documents import Source, read_document
from mathrag.documents.pdf.raw import open_pdf
from mathrag.documents.scans import ocr_is_installed, read_scanned_page, recogniser, text_recogniser
from mathrag.documents.scans.image import read_image
from mathrag.errors import DocumentError
from mathrag.types.document import Document, Image, Paragraph

needs_ocr = pytest.mark.skipif(not ocr_is_installed(), reason="needs OCR: pip install 'mathrag[ocr]'")
LINES = (
    "The kinetic energy of a body depends on its mass and its speed.",
    "It is measured in joules, whatever the body is made of.",
)


def _printed(turn: int = 0) -> tuple[bytes, float, float]:
    content = text_content(LINES) + b"BT /F1 14 Tf 200 600 Td (E = m v + 7) Tj ET\n"
    return document(content, page=b"/MediaBox[0 0 612 792]/Rotate %d" % turn).to_bytes(), 612.0, 792.0


@pytest.fixture
def without_ocr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recogniser, "find_spec", lambda _: None)


def test_without_ocr_the_install_command_is_named(without_ocr: None) -> None:
    with pytest.raises(DocumentError, match=r"page 4 is a scan.*pip install 'mathrag\[ocr\]'") as caught:
        text_recogniser(4)
    assert caught.value.code == "no_ocr"
    with pytest.raises(DocumentError, match="page 7"):
        read_scanned_page(lambda _: (1, 1, b"   "), number=7, width=612, height=792)


def test_without_ocr_a_picture_says_so(without_ocr: None) -> None:
    with pytest.raises(DocumentError, match=r"mathrag\[ocr\]") as caught:
        read_image(Source("page.png", b"\x89PNG\r\n\x1a\n" + bytes(100)))
    assert caught.value.code == "no_ocr"


@needs_ocr
def test_the_models_are_inside_the_package_and_nothing_is_downloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    from mathrag.documents.scans.recogniser import RapidRecogniser

    def refuse(*_: object, **__: object) -> Any:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    import rapidocr

    folder = Path(rapidocr.__file__).parent / "models"
    before = sorted(path.name for path in folder.iterdir())
    lines = RapidRecogniser()(b"\xff" * (3 * 200 * 100), width=200, height=100)
    assert lines == ()
    assert sorted(path.name for path in folder.iterdir()) == before
    from rapidocr.utils.download_file import DownloadFile

    with pytest.raises(DocumentError):
        DownloadFile.run(None)


@needs_ocr
def test_a_recogniser_that_fails_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    from mathrag.documents.scans.recogniser import RapidRecogniser

    def fail(_: object) -> Any:
        raise RuntimeError("Traceback (most recent call last): bad_alloc")

    recognise = RapidRecogniser()
    monkeypatch.setattr(recognise, "_engine", fail)
    with pytest.raises(DocumentError, match="OCR failed on this picture") as caught:
        recognise(b"\xff" * 300, width=10, height=10)
    assert caught.value.code == "ocr_failed"


@pytest.mark.soak
@needs_ocr
def test_a_printed_page_is_read() -> None:
    data, width, height = _printed()
    with open_pdf(data) as pdf:
        page = read_scanned_page(lambda scale: pdf.render(1, scale=scale), number=1, width=width, height=height)
    prose = [block for block in page.blocks if isinstance(block, Paragraph)]
    assert "".join(prose[0].quote.split()) == "".join(" ".join(LINES).split())
    left, top, right, bottom = prose[0].place.box or (0, 0, 0, 0)
    assert 62 <= left <= 75
    assert 75 <= top <= 92
    assert 380 <= right <= 440
    assert 102 <= bottom <= 120
    formulas = [block for block in page.blocks if isinstance(block, Image)]
    assert len(formulas) == len(page.pictures) == 1


def _png(data: bytes, scale: float, *, mode: str = "RGB", kind: str = "PNG") -> bytes:
    from PIL import Image as Pictures

    with open_pdf(data) as pdf:
        width, height, rgb = pdf.render(1, scale=scale)
    out = io.BytesIO()
    Pictures.frombytes("RGB", (width, height), rgb).convert(mode).save(out, kind, dpi=(72 * scale, 72 * scale))
    return out.getvalue()


@pytest.mark.slow
@needs_ocr
@pytest.mark.parametrize(
    ("kind", "mode", "name"),
    [
        ("PNG", "RGBA", "page.png"),
        pytest.param("JPEG", "L", "page.jpg", marks=pytest.mark.soak),
        ("TIFF", "1", "page.tif"),
    ],
)
def test_pictures_are_documents(kind: str, mode: str, name: str) -> None:
    data = _png(_printed()[0], 2.0, mode=mode, kind=kind)
    found: Document = read_image(Source(name, data))
    assert "kineticenergy" in "".join("".join(block.quote.split()) for block in found.blocks)
    assert found.media_type == {"PNG": "image/png", "JPEG": "image/jpeg", "TIFF": "image/tiff"}[kind]
    assert found.pages[0].number == 1
    assert found.pages[0].width == pytest.approx(612, abs=2)
    assert found.blocks[0].place.box is not None
    assert found.blocks[0].place.box[0] == pytest.approx(69, abs=8)


@pytest.mark.soak
@needs_ocr
def test_a_page_on_its_head_is_read() -> None:
    data, width, height = _printed(180)
    with open_pdf(data) as pdf:
        page = read_scanned_page(lambda scale: pdf.render(1, scale=scale), number=1, width=width, height=height)
    words = "".join("".join(block.quote.split()) for block in page.blocks)
    assert "kineticenergyofabody" in words
    assert (page.blocks[0].place.box or (0, 0, 0, 0))[1] > 650


@needs_ocr
def test_a_damaged_picture_is_told(tmp_path: Path) -> None:
    data = _png(_printed()[0], 1.0)
    with pytest.raises(DocumentError) as caught:
        read_document(Source("page.png", data[: len(data) // 2]), media_type="image/png")
    assert caught.value.code == "broken"
