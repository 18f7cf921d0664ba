"""Archives that mean harm or are broken: a clear reason within seconds, whatever reader meets them."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.documents import ReadingLimits, Source, detect_media_type
from mathrag.documents.office import pandoc, read_docx, read_epub, read_odt, read_rtf
from mathrag.errors import DocumentError
from mathrag.types.document import Document
from office_archives import (
    CONTENT_TYPES,
    PACKAGE_RELATIONS,
    book,
    formula,
    open_document,
    packed,
    paragraph,
    run,
    word_document,
    words,
)

SMALL = word_document(paragraph(words("Hello ") + formula(run("F=ma"))))
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 600
LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
    '<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">]><x y="&d;">&d;</x>'
)
EXTERNAL = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'


def _with(document: str | bytes) -> bytes:
    return packed(
        {"[Content_Types].xml": CONTENT_TYPES, "_rels/.rels": PACKAGE_RELATIONS, "word/document.xml": document}
    )


def _bomb() -> bytes:
    return _with(b"<x>" + b" " * (40 * 1024 * 1024) + b"</x>")


def _overlapping() -> bytes:
    """Two entries of the directory that point at the same bytes."""
    data = bytearray(SMALL)
    entries = [place for place in range(len(data)) if data[place : place + 4] == b"PK\x01\x02"]
    data[entries[1] + 42 : entries[1] + 46] = data[entries[2] + 42 : entries[2] + 46]
    return bytes(data)


def _lying_sizes() -> bytes:
    """A directory that says each member is four gigabytes large, as an archive of the 64-bit kind."""
    data = bytearray(SMALL)
    for place in range(len(data) - 4):
        if data[place : place + 4] == b"PK\x01\x02":
            data[place + 24 : place + 28] = struct.pack("<I", 0xFFFFFFFF)
    return bytes(data)


def _password_bit() -> bytes:
    data = bytearray(SMALL)
    for place in range(len(data) - 4):
        if data[place : place + 4] == b"PK\x01\x02":
            data[place + 8] |= 1
    return bytes(data)


def _many_members() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for number in range(20_002):
            file.writestr(f"word/{number}", b"")
    return buffer.getvalue()


def _deep(levels: int) -> bytes:
    return word_document("<w:sdt><w:sdtContent>" * levels + paragraph(words("x")) + "</w:sdtContent></w:sdt>" * levels)


WORD_CASES: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "nothing": (b"", ("broken",)),
    "empty archive": (packed({}), ("broken",)),
    "truncated": (SMALL[: len(SMALL) // 2], ("broken",)),
    "no text part": (packed({"[Content_Types].xml": CONTENT_TYPES}), ("broken",)),
    "zip bomb": (_bomb(), ("too_large",)),
    "overlapping members": (_overlapping(), ("too_large", "broken")),
    "lying sizes": (_lying_sizes(), ("too_large", "broken")),
    "too many members": (_many_members(), ("too_large",)),
    "billion laughs": (_with(LAUGHS), ("unsafe",)),
    "billion laughs in UTF-16": (_with(LAUGHS.replace("?>", ' encoding="utf-16"?>', 1).encode("utf-16")), ("unsafe",)),
    "hidden encoding": (_with('<?xml version="1.0" encoding="UTF-7"?><x/>'), ("syntax",)),
    "external entity": (_with(EXTERNAL), ("unsafe",)),
    "entities in the relations": (
        packed({"_rels/.rels": LAUGHS, "word/document.xml": "<x/>"}), ("unsafe",),
    ),
    "no XML": (_with(b"\x00\x01\x02 not xml"), ("syntax",)),
    "nested too deeply": (_deep(150), ("too_large",)),
    "password": (_OLE + "EncryptedPackage".encode("utf-16-le"), ("encrypted",)),
    "old Word": (_OLE, ("broken",)),
    "password of the archive": (_password_bit(), ("encrypted",)),
    "plain text": (b"# not an archive", ("broken",)),
}  # fmt: skip


def _refused(read: Callable[[Source], Document], data: bytes, limits: ReadingLimits | None = None) -> str:
    with pytest.raises(DocumentError) as caught:
        read(Source("hostile", data, limits=limits or ReadingLimits()))
    assert len(str(caught.value)) > 20
    return caught.value.code


@pytest.mark.parametrize(("data", "codes"), WORD_CASES.values(), ids=WORD_CASES)
def test_word_documents_that_are_none(data: bytes, codes: tuple[str, ...]) -> None:
    assert _refused(read_docx, data) in codes


@pytest.mark.parametrize("read", [read_odt, read_epub])
@pytest.mark.parametrize("name", ["nothing", "truncated", "zip bomb", "overlapping members", "password", "plain text"])
def test_the_other_archives_are_checked_alike(read: Callable[[Source], Document], name: str) -> None:
    assert _refused(read, WORD_CASES[name][0]) in (*WORD_CASES[name][1], "broken")


def test_names_that_lead_out_of_the_archive_do_not_exist() -> None:
    if not pandoc.pandoc_path():
        pytest.skip(f"pandoc is not here; {pandoc.INSTALL}")
    more: dict[str, bytes | str] = {"../../etc/evil.xml": "<x/>", "/word/footnotes.xml": "<x/>", "C:\\evil": "x"}
    document = read_docx(Source("a.docx", word_document(paragraph(words("Hello")), **more)))
    assert [block.quote for block in document.blocks] == ["Hello"]


def test_a_chapter_outside_the_book_is_not_read() -> None:
    data = book({"a.xhtml": "<p>inside</p>", "../../etc/passwd.xhtml": "<p>outside</p>"})
    assert [block.quote for block in read_epub(Source("a.epub", data)).blocks] == ["inside"]


def test_entities_in_a_book_are_refused_or_left_alone() -> None:
    listing = {"META-INF/container.xml": LAUGHS}
    assert _refused(read_epub, book({"a.xhtml": "<p>x</p>"}, **listing)) == "unsafe"
    chapter = packed(
        {
            "META-INF/container.xml": '<c><rootfile full-path="b.opf"/></c>',
            "b.opf": '<package><manifest><item id="a" href="a.xhtml"/></manifest></package>',
            "a.xhtml": LAUGHS.replace("<!DOCTYPE x", "<!DOCTYPE html").replace('<x y="&d;">&d;</x>', "<p>a &d; b</p>"),
        }
    )
    assert len(read_epub(Source("a.epub", chapter)).blocks[0].quote) < 100


def test_entities_in_an_embedded_formula_are_refused() -> None:
    body = '<text:p><draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p>'
    assert _refused(read_odt, open_document(body, **{"Object 1/content.xml": LAUGHS})) == "unsafe"


def test_many_chapters_are_too_many() -> None:
    chapters = {f"{number}.xhtml": "<p>x</p>" for number in range(30)}
    assert _refused(read_epub, book(chapters), replace(ReadingLimits(), files=20)) == "too_large"


def test_more_blocks_than_allowed_are_refused() -> None:
    chapters = {f"{number}.xhtml": "<p>x</p>" * 10 for number in range(5)}
    assert _refused(read_epub, book(chapters), replace(ReadingLimits(), blocks=30)) == "too_large"


def test_an_enormous_table_is_read_or_refused_in_time() -> None:
    if not pandoc.pandoc_path():
        pytest.skip(f"pandoc is not here; {pandoc.INSTALL}")
    cell = f"<w:tc>{paragraph(words('x'))}</w:tc>"
    row = f"<w:tr>{cell * 5}</w:tr>"
    document = read_docx(Source("a.docx", word_document(f"<w:tbl>{row * 1_000}</w:tbl>")))
    assert len(document.blocks) == 1


def test_rich_text_that_nests_without_end_is_refused() -> None:
    assert _refused(read_rtf, b"{\\rtf1 " + b"{" * 5_000 + b"x" + b"}" * 5_000 + b"}") == "too_large"
    assert _refused(read_rtf, b"no rich text") == "broken"


def test_a_wrong_extension_does_not_matter() -> None:
    assert detect_media_type(SMALL, "a.pdf").endswith("wordprocessingml.document")
    assert detect_media_type(WORD_CASES["password"][0], "a.docx").endswith("wordprocessingml.document")


def test_a_pandoc_that_hangs_is_stopped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "pandoc"
    program.write_text("#!/bin/sh\nexec sleep 60\n")
    program.chmod(0o755)
    monkeypatch.setattr(pandoc, "pandoc_path", lambda: str(program))
    assert _refused(read_docx, SMALL, replace(ReadingLimits(), seconds=2)) == "timeout"


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("echo nonsense", "broken"),
        ('echo \'{"blocks": [{"t": "Para"}]}\'', "broken"),
        ('echo \'{"blocks": [{"t": 3, "c": 1}, 7]}\'', "broken"),
        ("echo 'pandoc: Heap exhausted' >&2; exit 251", "too_large"),
        ("echo 'unrecognized option --sandbox' >&2; exit 2", "no_pandoc"),
        ("exit 3", "broken"),
    ],
)
def test_a_pandoc_that_fails_is_reported(
    script: str, code: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "pandoc"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setattr(pandoc, "pandoc_path", lambda: str(program))
    assert _refused(read_docx, SMALL) == code


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_damaged_books_are_read_or_refused(data: st.DataObject) -> None:
    whole = bytearray(book({"a.xhtml": "<h1>x</h1><p>y</p>"}))
    for _ in range(data.draw(st.integers(1, 6))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    with suppress(DocumentError):
        read_epub(Source("a.epub", bytes(whole)))
