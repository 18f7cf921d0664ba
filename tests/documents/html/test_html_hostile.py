"""Pages that no person wrote in good faith: a clear refusal or a reading with notes, never a crash, never a fetch."""

from __future__ import annotations

import contextlib
import socket

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.documents.html import read_html
from mathrag.documents.seams import ReadingLimits, Source
from mathrag.errors import DocumentError
from mathrag.types.document import Document, Paragraph, Text, plain_text

REFUSED = {
    "deep nesting": (b"<div>" * 10_000 + b"x", "too_large"),
    "50 MB of div": (b"<div>" * 10_000_000, "too_large"),
    "5 MB of less-than": (b"<" * 5_000_000, "too_large"),
    "empty": (b"", "empty"),
    "nothing but space": (b" \n\t ", "empty"),
    "binary": (bytes(range(256)) * 64, "encoding"),
    "picture": (b"\x89PNG\r\n\x1a\n" + b"\0" * 100, "encoding"),
    "declarations without an end": (b"<!DOCTYPE html [<!ENTITY a 'b'>" * 3, "syntax"),
    "broken UTF-16": (b"<\0h\0t\0m\0l\0>\0\0\xd8" + b"x\0" * 30 + b"\0\xd8", "encoding"),
}
READ = {
    "entity bomb": b"<!DOCTYPE html [<!ENTITY a 'ha'><!ENTITY b '&a;&a;'>"
    + b"<!ENTITY c '&b;&b;'>" * 99
    + b"]><p>&c;ok",
    "external DTD": b"<?xml version='1.0'?><!DOCTYPE html SYSTEM 'http://nowhere.invalid/x.dtd'><html><p>ok</p></html>",
    "external entity": b"<!DOCTYPE h [<!ENTITY % p SYSTEM 'file:///etc/passwd'> %p;]><p>ok &p;</p>",
    "a million attributes": b"<p " + b" ".join(b"a%d" % number for number in range(300_000)) + b">ok</p>",
    "unclosed everything": b"<p>ok" + b"<p><font><b><i>x" * 3_000,
    "terms without end": b"<p>ok<dl>" + b"<dt>a" * 5_000,
    "nested tables": b"<p>ok</p>" + b"<table><tr><td>" * 300 + b"x",
    "nested headed tables": b"<p>ok</p>" + b"<table><tr><th>" * 300 + b"x",
    "nested lists": b"<p>ok</p>" + b"<ul><li>" * 900 + b"x",
    "nested scripts": b"<p>ok " + b"a<sub>" * 1_500,
    "nested MathML": b"<p>ok</p><math>" + b"<mrow>" * 1_500 + b"<mi>x</mi>",
    "brackets": b"<p>ok</p><p>" + b"<i>x</i>(" * 20_000,
    "dollars": b"<script src=mathjax.js></script><p>ok</p><p>" + b"$a=b " * 50_000,
    "delimiters": b"<p>ok</p><p>" + rb"\(a \[b \begin{align}" * 20_000,
    "comment without end": b"<p>ok</p><!--" + b"x" * 100_000,
    "script without end": b"<p>ok</p><script>" + b"<p>bad</p>" * 1_000,
    "ends inside a tag": b"<html><body><p>ok</p><p>Hello <i>x</i> = <ma",
    "huge spans": b"<p>ok</p><table><tr><th colspan=99999999999999999999 rowspan=-4>x<td>y</table>",
    "list numbers": b"<p>ok</p><ol start=99999999999999999999 reversed><li value=-7>x<li type=i>y</ol>",
    "odd references": b"<p>ok &#xD800; &#x110000; &#0; &#x80; &nosuch; &amp &lt</p>",
    "programs": b"<p>ok</p><svg onload=alert(1)><script>bad()</script></svg><img src='javascript:x' alt=p>",
}


def _read(data: bytes) -> Document:
    return read_html(Source("page.html", data))


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_a_reason(name: str) -> None:
    data, code = REFUSED[name]
    with pytest.raises(DocumentError) as caught:
        _read(data)
    assert caught.value.code == code
    assert len(str(caught.value)) > 15


@pytest.mark.parametrize("name", READ)
def test_read_all_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a reader must not connect to anything")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    document = _read(READ[name])
    words = "\n".join(block.quote for block in document.blocks)
    assert "ok" in words
    assert "bad" not in words
    assert "haha" not in words


def test_notes_say_what_was_mended() -> None:
    assert [note.code for note in _read(READ["entity bomb"]).notes] == ["declarations"]
    assert [note.code for note in _read(READ["ends inside a tag"]).notes] == ["truncated"]


def test_a_page_may_cost_only_so_much() -> None:
    limits = ReadingLimits(bytes=100)
    with pytest.raises(DocumentError, match="limit"):
        read_html(Source("page.html", b"<p>x</p>" * 20, limits=limits))
    with pytest.raises(DocumentError, match="blocks"):
        read_html(Source("page.html", b"<p>x</p>" * 20, limits=ReadingLimits(blocks=10)))
    with pytest.raises(DocumentError, match="nested"):
        read_html(Source("page.html", b"<b>" * 60, limits=ReadingLimits(depth=5)))


_TAGS = st.sampled_from(
    "p div i b em sub sup table tr td th ul ol li dl dt dd math mi mn mo mfrac msub semantics annotation figure img "
    "figcaption pre code script br h1 h2 span var blockquote cite nav template svg a q section".split()
)
_ATTRIBUTES = st.sampled_from(
    ["", " class='math inline'", " class=katex", " class='reference'", " hidden", " style='font-style:italic'",
     " class=MathJax", " class=texhtml", " type='math/tex'", " alt='$x$' class=tex", " colspan=2", " role=heading"]
)  # fmt: skip
_WORDS = st.sampled_from(
    [
        "x",
        " = ",
        "mc",
        "2",
        " and ",
        r"\(a\)",
        "$b$",
        "References",
        "sin ",
        "H",
        "(",
        ")",
        "+",
        "√",
        "5 m",
        "&lt;",
        "Δ",
        "′",
        ".",
    ]
)
_PIECES = st.one_of(
    st.tuples(_TAGS, _ATTRIBUTES).map(lambda pair: f"<{pair[0]}{pair[1]}>"), _TAGS.map(lambda tag: f"</{tag}>"), _WORDS
)


@given(st.lists(_PIECES, max_size=60))
@settings(max_examples=150, deadline=None)
def test_any_tag_soup_is_read(pieces: list[str]) -> None:
    text = "".join(pieces)
    if not text.strip():
        return
    document = _read(text.encode())
    assert document == _read(text.encode())
    for block in document.blocks:
        assert block.place.line == 1
        if isinstance(block, Paragraph):
            assert block.quote == plain_text(block.content)
            assert all(not isinstance(piece, Text) or piece.text for piece in block.content)


@given(st.binary(max_size=300))
@settings(max_examples=100, deadline=None)
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with contextlib.suppress(DocumentError):
        assert _read(data).media_type == "text/html"
