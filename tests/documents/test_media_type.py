"""What a file is: decided by its bytes, with the name as a hint."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.documents.media_type import (
    advice_for,
    canonical_media_type,
    described,
    detect_media_type,
    hinted_media_type,
)

WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
HTML = b"<!DOCTYPE html><html><body><p>Newton</p></body></html>"
LATEX = b"% a comment\n\\documentclass[11pt]{article}\n\\begin{document}$F=ma$\\end{document}\n"
NOTEBOOK = (
    b'{"cells": [{"cell_type": "markdown", "source": ["$x$"]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
)
MARKDOWN = b"# Motion\n\nThe law is $F = ma$.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"


def _zip(*members: tuple[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", compression) as archive:
        for number, (name, data) in enumerate(members):
            archive.writestr(name, data, zipfile.ZIP_STORED if number == 0 else compression)
    return held.getvalue()


def _tar() -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.md"), io.BytesIO())
    return held.getvalue()


CASES = [
    (b"", "a.md", "empty"),
    (b" \n\t\r\n", "a.md", "empty"),
    (b"\xef\xbb\xbf", "a.txt", "empty"),
    (MARKDOWN, "a.md", "text/markdown"),
    (b"Just words.", "a.MARKDOWN", "text/markdown"),
    (MARKDOWN, "README", "text/markdown"),
    (MARKDOWN, "notes.txt", "text/markdown"),
    (b"# a comment\nimport os\n# another\n", "a.py", "text/plain"),
    (b"Force is mass times acceleration.\nF = m a\n", "a.txt", "text/plain"),
    (b"Force is mass times acceleration.", "noextension", "text/plain"),
    ("Die Größe µ".encode("latin-1") * 20, "a.txt", "text/plain"),
    ("Сила равна массе".encode("utf-16"), "a.txt", "text/plain"),
    ("plain words without a mark".encode("utf-16-le"), "a.txt", "text/plain"),
    ("力は質量".encode("shift-jis") * 30, "a.txt", "text/plain"),
    # HTML by any name
    (HTML, "a.md", "text/html"),
    (HTML, "a.tex", "text/html"),
    (HTML, "a.ipynb", "text/html"),
    (b"\xef\xbb\xbf\n<!-- saved -->\n<HTML><p>x", "a.txt", "text/html"),
    (HTML.decode().encode("utf-16"), "a.txt", "text/html"),
    (b"<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC 'x'><html/>", "a.xml", "text/html"),
    (b"<p>One</p><p>Two</p><div>Three</div>", "a.txt", "text/html"),
    (b"<p>One</p>", "a.html", "text/html"),
    (b"Only words, no tag", "a.html", "text/html"),
    (b"<div align='center'><p>x</p><p>y</p><p>z</p></div>\n\n# Title\n", "README.md", "text/markdown"),
    (b"<!-- a comment -->\n# Title\n", "a.md", "text/markdown"),
    # LaTeX by any name
    (LATEX, "a.tex", "text/x-tex"),
    (LATEX, "a.txt", "text/x-tex"),
    (LATEX, "a.md", "text/x-tex"),
    (LATEX, "a.html", "text/x-tex"),
    (b"\\section{Motion}\n$v = s/t$\n", "a.txt", "text/x-tex"),
    (b"words only", "chapter.tex", "text/x-tex"),
    (b"# LaTeX\n\n```\n\\documentclass{article}\n```\n", "howto.md", "text/markdown"),
    # notebooks
    (NOTEBOOK, "a.ipynb", "application/x-ipynb+json"),
    (NOTEBOOK, "a.json", "application/x-ipynb+json"),
    (NOTEBOOK[:60], "a.ipynb", "application/x-ipynb+json"),
    (b'{"a": 1}', "a.json", "application/json"),
    (b"[1, 2]", "a.ipynb", "application/json"),
    # other markup
    (b"<?xml version='1.0'?><article><p/></article>", "a.html", "application/xml"),
    (b"<svg xmlns='x'></svg>", "a.html", "image/svg+xml"),
    (b"<CD>\n<Name>arith1</Name>\n</CD>\n", "arith1.ocd", "application/x-openmath-cd+xml"),
    (b"<CD>\n<Name>arith1</Name>\n</CD>\n", "arith1.xml", "application/xml"),
    (b"{\\rtf1 x}", "a.txt", "application/rtf"),
    (b".. math:: x\n", "a.rst", "text/x-rst"),
    # binary
    (b"%PDF-1.7\n\x00\x01", "a.html", "application/pdf"),
    (b"\x00rubbish\x00%PDF-1.4", "a.bin", "application/pdf"),
    (b"Text that mentions %PDF- as a word", "a.txt", "text/plain"),
    (b"\x89PNG\r\n\x1a\n\x00", "a.md", "image/png"),
    (b"\xff\xd8\xff\xe0", "a.jpg", "image/jpeg"),
    (b"RIFF\x00\x00\x00\x00WEBPVP8", "a", "image/webp"),
    (gzip.compress(b"x", mtime=0), "a.md.gz", "application/gzip"),
    (_tar(), "a.tar", "application/x-tar"),
    (b"7z\xbc\xaf\x27\x1c\x00", "a.7z", "application/x-7z-compressed"),
    (b"\x7fELF\x02\x01", "a.txt", "application/x-executable"),
    (b"MZ\x90\x00\x03\x00", "a.exe", "application/x-executable"),
    (b"MZ is a unit of nothing.", "a.txt", "text/plain"),
    (b"SQLite format 3\x00", "library.md", "application/vnd.sqlite3"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a.doc", "application/msword"),
    (bytes(range(256)) * 10, "a.md", "application/octet-stream"),
    (b"\x00" * 100, "a.tex", "application/octet-stream"),
    (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "a.html", "application/x-git-lfs-pointer"),
    # archives by their members
    (_zip(("[Content_Types].xml", b"<x/>"), ("word/document.xml", b"<x/>")), "a.zip", WORD),
    (_zip(("[Content_Types].xml", b"<x/>"), ("word/document.xml", b"<x/>"))[:90], "a.docx", WORD),
    (_zip(("mimetype", b"application/epub+zip"), ("META-INF/container.xml", b"")), "a.html", "application/epub+zip"),
    (_zip(("mimetype", b"application/vnd.oasis.opendocument.text")), "a", "application/vnd.oasis.opendocument.text"),
    (_zip(("mimetype", b"../../etc/passwd")), "a", "application/zip"),
    (_zip(("a.md", b"x")), "a.md", "application/zip"),
    (_zip(("bomb.txt", b"0" * 50_000_000)), "a.docx", "application/zip"),
    (b"PK\x05\x06" + bytes(18), "a.zip", "application/zip"),
]  # fmt: skip


# Named by place and file name: archives hold the time they were made, and every process must use the same names.
_NAMES = [f"{place}-{name}" for place, (_, name, _) in enumerate(CASES)]


@pytest.mark.parametrize(("data", "name", "expected"), CASES, ids=_NAMES)
def test_detects(data: bytes, name: str, expected: str) -> None:
    assert detect_media_type(data, name) == expected


def test_aliases_and_parameters() -> None:
    assert canonical_media_type("Text/HTML; charset=utf-8") == "text/html"
    assert canonical_media_type("application/xhtml+xml") == "text/html"
    assert canonical_media_type("text/x-markdown") == "text/markdown"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("A.PDF", "application/pdf"),
        ("a/b.d/noextension", ""),
        ("..", ""),
        ("x.md\n", ""),
        ("c:\\x\\y.TeX", "text/x-tex"),
    ],
)
def test_hints(name: str, expected: str) -> None:
    assert hinted_media_type(name) == expected


def test_every_type_has_a_name_and_advice() -> None:
    for _, _, media_type in CASES:
        assert described(media_type)
        assert advice_for(media_type)


@given(
    st.binary(max_size=300),
    st.text(max_size=20),
    st.sampled_from([b"", b"PK\x03\x04", b"<", b"<?", b"{", b"%PDF", b"<!--"]),
)
def test_any_bytes_have_a_type(data: bytes, name: str, start: bytes) -> None:
    media_type = detect_media_type(start + data, name)
    assert media_type == "empty" or "/" in media_type
    assert media_type == detect_media_type(start + data, name)


@given(st.integers(0, 400))
def test_any_cut_of_an_archive_has_a_type(length: int) -> None:
    data = _zip(("mimetype", b"application/epub+zip"), ("META-INF/container.xml", b"<x/>"), ("a", b"y"))
    assert detect_media_type(data[:length], "a.epub") in (
        "empty",
        "application/epub+zip",
        "application/zip",
        "text/plain",
        "application/octet-stream",
    )


@pytest.mark.parametrize(
    "unit",
    [b"<", b"<a ", b"<!--", b"$a", b"\\", b"{", b"PK\x03\x04", b"</a>  ", b"\n", b"|---", b"[](", b"**a", b"<?x"],
)
def test_large_and_repetitive_stays_quick(unit: bytes) -> None:
    assert detect_media_type(unit * (2_000_000 // len(unit)) + b"x", "a")
