"""Bytes to text: the encodings that are read, those that are assumed with a note, and what is no text at all."""

from __future__ import annotations

import codecs

import pytest

from mathrag.documents.decoding import decode
from mathrag.documents.seams import ReadingLimits, Source
from mathrag.errors import DocumentError

TEXT = "E = ½mv²\nΔx → 0"


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (TEXT.encode(), "utf-8"),
        (codecs.BOM_UTF8 + TEXT.encode(), "utf-8"),
        (codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"), "utf-16-le"),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), "utf-16-be"),
        (codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"), "utf-32-le"),
    ],
)
def test_unicode_is_read(data: bytes, encoding: str) -> None:
    decoded = decode(Source("a.txt", data))
    assert (decoded.text, decoded.encoding, decoded.notes) == (TEXT, encoding, ())


CODE_PAGES = [("a\nE = ½mv² – “q”".encode("cp1252"), "cp1252"), (b"a\n\x81\xbd", "latin-1")]


@pytest.mark.parametrize(("data", "encoding"), CODE_PAGES)
def test_code_pages_are_assumed_with_a_note(data: bytes, encoding: str) -> None:
    decoded = decode(Source("a.txt", data))
    assert decoded.encoding == encoding
    assert "½" in decoded.text
    assert [(note.code, note.place.line) for note in decoded.notes] == [("encoding", 2)]


def test_line_ends_become_one_kind() -> None:
    assert decode(Source("a.txt", b"a\r\nb\rc\nd")).text == "a\nb\nc\nd"


@pytest.mark.parametrize(
    "data",
    [
        b"a\0b",
        TEXT.encode("utf-16-le"),
        bytes(range(1, 32)) * 10,
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        codecs.BOM_UTF16_LE + b"a",
        codecs.BOM_UTF8 + b"\xff\xfe",
    ],
)
def test_what_is_no_text_is_refused(data: bytes) -> None:
    with pytest.raises(DocumentError) as caught:
        decode(Source("a.txt", data))
    assert caught.value.code == "encoding"
    assert "a.txt" in str(caught.value)


def test_size_is_limited() -> None:
    with pytest.raises(DocumentError) as caught:
        decode(Source("a.txt", b"abc", limits=ReadingLimits(bytes=2)))
    assert caught.value.code == "too_large"


def test_nothing_is_a_text_too() -> None:
    assert decode(Source("a.txt", b"")).text == ""
