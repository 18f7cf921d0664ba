"""PDF files with a broken or endless structure: cut off, cyclic, lying about themselves, locked, full of bombs."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable

from hostile_files.pdf_bytes import HEADER, Pdf, document, encrypted, many_pages, packed, rc4, stream, text_content
from hostile_files.recipe import CANARY, Expectation, Recipe, file

_WORD = ("kinetic energy",)


def _pdf(
    name: str,
    what: str,
    expectation: Expectation,
    content: bytes | Callable[[], bytes],
    *,
    keeps: tuple[str, ...] = (),
    forbids: tuple[str, ...] = (),
    code: str = "",
    is_slow: bool = False,
) -> Recipe:
    return Recipe(
        f"pdf-{name}", what, expectation, file(f"{name}.pdf", content), keeps, forbids, code=code, is_slow=is_slow
    )


def _good() -> bytes:
    return document(*(packed(content) for content in many_pages(5))).to_bytes()


def _cut(share: float) -> Callable[[], bytes]:
    return lambda: _good()[: int(len(_good()) * share)]


def _xref_loop() -> bytes:
    data = document().to_bytes()
    table = data.rindex(b"xref\n0")
    return data.replace(b"/Root 1 0 R", b"/Root 1 0 R/Prev %d" % table)


def _tree_cycle() -> bytes:
    pdf = document()
    pdf.objects[2] = b"<</Type/Pages/Count 3/Kids[2 0 R 5 0 R 2 0 R]>>"
    return pdf.to_bytes()


def _deep_tree(depth: int) -> bytes:
    pdf = document()
    page = max(pdf.objects)
    first = page + 1
    for level in range(depth):
        child = first + level + 1 if level + 1 < depth else page
        pdf.add(b"<</Type/Pages/Count 1/Kids[%d 0 R]>>" % child)
    pdf.objects[2] = b"<</Type/Pages/Count 1/Kids[%d 0 R]>>" % first
    return pdf.to_bytes()


def _count(told: bytes) -> bytes:
    pdf = document()
    pdf.objects[2] = b"<</Type/Pages/Count %s/Kids[5 0 R]>>" % told
    return pdf.to_bytes()


def _page_bomb() -> bytes:
    pdf = document()
    pdf.objects[2] = b"<</Type/Pages/Count 1000000/Kids[%s]>>" % (b"5 0 R " * 1_000_000)
    return pdf.to_bytes()


def _many_objects(count: int) -> bytes:
    pdf = document()
    for index in range(count):
        pdf.add(b"<</N %d/Next %d 0 R>>" % (index, index + 7))
    return pdf.to_bytes()


def _updates(count: int) -> bytes:
    """Every update replaces the page's content and points back at the table before."""
    data = document().to_bytes()
    table = data.rindex(b"xref\n0")
    parts, size = [data], len(data)
    for _ in range(count):
        body = b"4 0 obj\n%s\nendobj\n" % stream(text_content())
        update = b"xref\n4 1\n%010d 00000 n \ntrailer\n<</Size 6/Root 1 0 R/Prev %d>>\nstartxref\n%d\n%%%%EOF\n" % (
            size,
            table,
            size + len(body),
        )
        table = size + len(body)
        parts.append(body + update)
        size += len(body) + len(update)
    return b"".join(parts)


def _cross_reference_stream(extra: bytes, rows: bytes, members: bytes = b"") -> bytes:
    """A file whose table is a stream, with an object stream before it."""
    body = HEADER + b"4 0 obj\n" + members + b"\nendobj\n"
    place = len(body)
    return body + b"9 0 obj\n%s\nendobj\nstartxref\n%d\n%%%%EOF\n" % (
        stream(zlib.compress(rows), extra=b"/Type/XRef/Root 1 0 R/Filter/FlateDecode" + extra),
        place,
    )


def _object_stream(first: int, count: int, text: bytes) -> bytes:
    rows = b"".join(bytes((2, 0, 4, index)) for index in range(3)) + bytes((1, 0, len(HEADER), 0))
    members = stream(text, extra=b"/Type/ObjStm/N %d/First %d/Extends 4 0 R" % (count, first))
    return _cross_reference_stream(b"/Size 10/W[1 2 1]/Index[1 4]", rows, members)


def _indirect_length() -> bytes:
    pdf = document()
    pdf.objects[4] = b"<</Length 4 0 R>>stream\n" + text_content() + b"\nendstream"
    return pdf.to_bytes()


def _nested(opening: bytes, closing: bytes, depth: int) -> bytes:
    return document(objects={20: opening * depth + b"1" + closing * depth}, page=b"/X 20 0 R").to_bytes()


def _locked_with_aes() -> bytes:
    """A document of one line under AES-256 with the user password `secret`."""
    return base64.b64decode(_AES)


def _bomb(layers: int) -> bytes:
    """Zeros, compressed again and again: kilobytes that unfold to a gigabyte."""
    packer = zlib.compressobj(9)
    block = bytes(1 << 20)
    data = b"".join([*(packer.compress(block) for _ in range(1_024)), packer.flush()])
    for _ in range(layers - 1):
        data = zlib.compress(data, 9)
    filters = b"/Filter[%s]" % (b"/FlateDecode " * layers)
    return document(stream(data, extra=filters), text_content()).to_bytes()


def _many_filters() -> bytes:
    return document(stream(text_content(), extra=b"/Filter[%s]" % (b"/ASCIIHexDecode " * 20_000))).to_bytes()


_BROKEN = (
    _pdf("empty-header", "the first line of a PDF and nothing else", "reason", HEADER, code="broken"),
    _pdf("nothing-inside", "a catalog without pages", "either", document().to_bytes().replace(b"/Kids", b"/Kits")),
    _pdf("cut-100-bytes", "a PDF cut after 100 bytes", "reason", lambda: _good()[:100], code="broken"),
    _pdf("cut-third", "a PDF cut after a third", "either", _cut(0.33)),
    _pdf("cut-half", "a PDF cut in the middle", "either", _cut(0.5)),
    _pdf("cut-before-table", "a PDF cut before its table of objects", "either", _cut(0.75)),
    _pdf("cut-last-bytes", "a PDF without its last line", "read", lambda: _good()[:-8], keeps=_WORD),
    _pdf("table-loop", "a table of objects that points at itself", "either", _xref_loop),
    _pdf(
        "table-shifted",
        "a table of objects in which each place is wrong",
        "either",
        lambda: document().to_bytes(shift=7),
    ),
    _pdf("no-trailer", "no trailer", "either", lambda: document().to_bytes().replace(b"trailer", b"trainer")),
    _pdf("root-null", "a root that is no dictionary", "reason", lambda: Pdf({1: b"null"}).to_bytes()),
    _pdf(
        "length-lies",
        "streams that say they are longer than the file",
        "either",
        lambda: document(stream(text_content(), length=10**9)).to_bytes(),
    ),
    _pdf("length-is-itself", "a stream whose length is the stream", "either", _indirect_length),
    _pdf(
        "object-stream-broken",
        "an object stream full of nonsense",
        "reason",
        lambda: _object_stream(10**6, 10**6, b"1 0 2 99999999 3 -5 garbage"),
    ),
    _pdf(
        "object-stream-in-itself",
        "an object stream that extends itself and holds itself",
        "reason",
        lambda: _object_stream(12, 3, b"4 0 4 0 4 0 <</Type/Catalog/Pages 4 0 R>>"),
    ),
    _pdf(
        "table-stream-huge",
        "a table that announces four billion objects",
        "reason",
        lambda: _cross_reference_stream(b"/Size 4294967295/W[1 4 2]/Index[0 4294967295]", bytes(700)),
    ),
    _pdf(
        "table-stream-wide",
        "a table whose columns are two billion bytes wide",
        "reason",
        lambda: _cross_reference_stream(b"/Size 10/W[2147483647 2147483647 2147483647]", bytes(700)),
    ),
    _pdf(
        "noise",
        "noise after the first line of a PDF",
        "reason",
        lambda: HEADER + rc4(b"noise", bytes(200_000)),
        code="broken",
    ),
)

_TREES = (
    _pdf("tree-cycle", "a page tree that contains itself", "either", _tree_cycle),
    _pdf("tree-deep", "10,000 nodes of the page tree inside each other", "either", lambda: _deep_tree(10_000)),
    _pdf("count-billion", "one page that says it is a billion", "either", lambda: _count(b"1000000000")),
    _pdf("count-negative", "fewer pages than none", "either", lambda: _count(b"-3")),
    _pdf("count-text", "a number of pages that is a word", "either", lambda: _count(b"(many)")),
    _pdf("page-bomb", "a page that is in the document a million times", "reason", _page_bomb, code="too_large"),
    _pdf("objects-100000", "100,000 objects", "read", lambda: _many_objects(100_000), keeps=_WORD),
    _pdf("updates-500", "500 updates one on the other", "either", lambda: _updates(500)),
    _pdf("deep-arrays", "100,000 arrays inside each other", "either", lambda: _nested(b"[", b"]", 100_000)),
    _pdf(
        "deep-dictionaries", "50,000 dictionaries inside each other", "either", lambda: _nested(b"<</A ", b">>", 50_000)
    ),
    _pdf(
        "outline-cycle",
        "a table of contents that goes round",
        "read",
        lambda: document(
            catalog=b"/Outlines 20 0 R",
            objects={20: b"<</First 21 0 R/Last 21 0 R>>", 21: b"<</Title(a)/Next 21 0 R/First 21 0 R/Parent 21 0 R>>"},
        ).to_bytes(),
        keeps=_WORD,
    ),
)

_LOCKED = (
    _pdf(
        "locked-rc4",
        "locked with a password by the old cipher",
        "reason",
        lambda: encrypted(text_content(), user=b"secret", owner=b"boss"),
        code="encrypted",
        forbids=_WORD,
    ),
    _pdf("locked-aes", "locked with a password by AES-256", "reason", _locked_with_aes, code="encrypted"),
    _pdf(
        "locked-for-editing",
        "locked against editing only",
        "read",
        lambda: encrypted(text_content(), user=b"", owner=b"boss"),
        keeps=_WORD,
    ),
    _pdf(
        "locked-by-nobody",
        "locked by a method that does not exist",
        "reason",
        lambda: document().to_bytes().replace(b"/Root 1 0 R", b"/Root 1 0 R/Encrypt<</Filter/Nobody/V 99>>"),
    ),
)

_BOMBS = (
    _pdf("bomb-one-layer", "a page of a megabyte that unfolds to a gigabyte", "either", lambda: _bomb(1), is_slow=True),
    _pdf(
        "bomb-three-layers", "a page of some bytes that unfolds to a gigabyte", "either", lambda: _bomb(3), is_slow=True
    ),
    _pdf("filters-20000", "a page packed 20,000 times", "either", _many_filters),
)

_SCRIPT = b"<</S/JavaScript/JS(app.alert\\('%s'\\); this.exportDataObject\\({cName:'x'}\\);)>>" % CANARY.encode()
_ACTIVE = (
    _pdf(
        "javascript",
        "a script that runs when the file is opened",
        "read",
        lambda: document(catalog=b"/OpenAction" + _SCRIPT).to_bytes(),
        keeps=_WORD,
        forbids=(CANARY,),
    ),
    _pdf(
        "javascript-names",
        "scripts by name and on every page",
        "read",
        lambda: document(
            catalog=b"/Names<</JavaScript<</Names[(a)%s]>>>>" % _SCRIPT,
            page=b"/MediaBox[0 0 612 792]/AA<</O%s>>" % _SCRIPT,
        ).to_bytes(),
        keeps=_WORD,
        forbids=(CANARY,),
    ),
    _pdf(
        "launch",
        "a program that is started when the file is opened",
        "read",
        lambda: document(catalog=b"/OpenAction<</S/Launch/F(/bin/touch)/Win<</F(calc.exe)/P(owned)>>>>").to_bytes(),
        keeps=_WORD,
    ),
    _pdf(
        "calls-home",
        "addresses that are opened with the file",
        "read",
        lambda: document(
            catalog=b"/OpenAction<</S/URI/URI(http://127.0.0.1:9/owned)>>",
            page=b"/MediaBox[0 0 612 792]/AA<</O<</S/SubmitForm/F(http://127.0.0.1:9/owned)>>>>",
        ).to_bytes(),
        keeps=_WORD,
    ),
    _pdf(
        "embedded-file",
        "a file inside the file",
        "read",
        lambda: document(
            catalog=b"/Names<</EmbeddedFiles<</Names[(a.exe)<</Type/Filespec/F(a.exe)/EF<</F 20 0 R>>>>]>>>>",
            objects={20: stream(CANARY.encode(), extra=b"/Type/EmbeddedFile")},
        ).to_bytes(),
        keeps=_WORD,
        forbids=(CANARY,),
    ),
    _pdf(
        "outer-stream",
        "a page whose content stands in another file",
        "either",
        lambda: document(stream(b"", extra=b"/F(/etc/passwd)/FFilter null"), text_content()).to_bytes(),
        forbids=("root:",),
    ),
    _pdf(
        "xfa-form",
        "a form written in XML",
        "read",
        lambda: document(
            catalog=b"/AcroForm<</Fields[]/XFA 20 0 R>>",
            objects={
                20: stream(
                    b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><xdp><script>%s &b;</script></xdp>'
                    % CANARY.encode()
                )
            },
        ).to_bytes(),
        keeps=_WORD,
        forbids=(CANARY, "root:"),
    ),
)

_MASKED = (
    _pdf(
        "rubbish-first",
        "1,000 bytes of rubbish before the PDF",
        "either",
        lambda: b"\x00\x01rubbish\n" * 90 + document().to_bytes(),
    ),
    _pdf(
        "zip-behind",
        "a ZIP archive behind the PDF",
        "either",
        lambda: document().to_bytes() + b"PK\x03\x04" + bytes(500) + b"PK\x05\x06" + bytes(18),
    ),
    Recipe(
        "pdf-called-html",
        "a PDF that begins as a page of HTML and is called so",
        "either",
        file("page.html", lambda: b"<html><body>hello</body></html>\n" + document().to_bytes()),
    ),
    Recipe(
        "pdf-called-markdown",
        "a PDF that is called Markdown",
        "read",
        file("notes.md", lambda: document().to_bytes()),
        keeps=_WORD,
    ),
    _pdf("html-inside", "a page of HTML called PDF", "either", b"<!DOCTYPE html><html><p>hello there</p></html>"),
)
# Made once from our own page: ciphers as strong as this one are too long to write here.
_AES = (
    "JVBERi0xLjcKJb/3ov4KMSAwIG9iago8PCAvRXh0ZW5zaW9ucyA8PCAvQURCRSA8PCAvQmFzZVZlcnNpb24gLzEuNyAvRXh0ZW5zaW9uTGV2ZWwg"
    "OCA+PiA+PiAvUGFnZXMgMyAwIFIgL1R5cGUgL0NhdGFsb2cgPj4KZW5kb2JqCjIgMCBvYmoKPDwgL1R5cGUgL09ialN0bSAvTGVuZ3RoIDE5MiAv"
    "RmlsdGVyIC9GbGF0ZURlY29kZSAvTiAzIC9GaXJzdCAxNCA+PgpzdHJlYW0KgWgabyMcSwFZ2UfZtzhlDA86Bywthbqzi8GXDe7Pi0nMtMWDaW1Y"
    "oXUst4y6yjhBpVfE8L+SH4z20lkhLfj84CB3qxdZ9QSkVbaGBY2jofceaThazze8CM9TmIg0bRu1WTXBDs6V9RPIzu2fIw6GPagRtKL88xlef4Tu"
    "aL4RGlz6JCjuD1Ybsz0xGFPl0I33hr4FBh3HhkccSOVPRqeqIotsUXFNzaODz1gwtwQpiUwy6q+ohhTOnARjcB3x8SDwCmVuZHN0cmVhbQplbmRv"
    "YmoKNiAwIG9iago8PCAvTGVuZ3RoIDE0NCAvRmlsdGVyIC9GbGF0ZURlY29kZSA+PgpzdHJlYW0KJAwQiy9KgCZ97RmV2LRobmLVdVFEmeJm5vC0"
    "qLZfy7OGYKL0Irr1BrYat5TLPnkcV3MoLsJXci9iKXbOtpp7JpZN/yvj4s5W8719ppjUWGPwnrj7rPPtK6pZuYU0J34iiX2MKr5hWZJoaQVIWohl"
    "hNmVIV6ZtBJKF4P9YqeviaM5XDLvIdzUh0Sizn9BH4EfCmVuZHN0cmVhbQplbmRvYmoKNyAwIG9iago8PCAvQ0YgPDwgL1N0ZENGIDw8IC9BdXRo"
    "RXZlbnQgL0RvY09wZW4gL0NGTSAvQUVTVjMgL0xlbmd0aCAzMiA+PiA+PiAvRmlsdGVyIC9TdGFuZGFyZCAvTGVuZ3RoIDI1NiAvTyA8MTU5N2Mz"
    "NjY5MjEyNTllYjM4YmJjYWQ2MTNkN2Q5NTAzNmMzNGJjODk5OTIwNzliYmU5NGExODAyN2E4ODNkOGQ0YTY4YzQ3YjI4ZTljNWQwMGI1YmI2NWQ3"
    "NWRiMDA2PiAvT0UgPGJmMGIxZjc1Mzg4M2QzYjlmNWQ5OTEwMzE3MzhhZWIxMjkyNjAyYjVmMDhlMDM4MDNlZGNmZjBiNzk2OTIxMWQ+IC9QIC0x"
    "MDI4IC9QZXJtcyA8NDgzZmRiMThlZWUxZjQ2NjlhZWU2NDFkOTU3Y2NkMjA+IC9SIDYgL1N0bUYgL1N0ZENGIC9TdHJGIC9TdGRDRiAvVSA8YWM2"
    "OTJiN2NhYjMzNDAxYzcxNGMwMWJiMzA3OWE3OTVmMGFmZjQwYjllZjEyMTYzYTAzMmU4NDNmOWNlMTQ4OTYwNzE5NmEwZDViYzFjM2U4N2RlNTRh"
    "MmM5YjA0YTk5PiAvVUUgPDk1YzkyMzRiZjM5MGFjNTg4ZjUwZTM5YmZlYzk3MjdjNWUwYjdiYmU2ZDE4NTNiYzMxMTc5MzUxMTRiNmJmYTY+IC9W"
    "IDUgPj4KZW5kb2JqCjggMCBvYmoKPDwgL1R5cGUgL1hSZWYgL0xlbmd0aCA0MiAvRmlsdGVyIC9GbGF0ZURlY29kZSAvRGVjb2RlUGFybXMgPDwg"
    "L0NvbHVtbnMgNCAvUHJlZGljdG9yIDEyID4+IC9XIFsgMSAyIDEgXSAvUm9vdCAxIDAgUiAvU2l6ZSA5IC9JRCBbPDE1YmJmOGE2MDc4ZTlkZWRm"
    "MmEyMDNjMjU1NzBiOTI3PjwxNWJiZjhhNjA3OGU5ZGVkZjJhMjAzYzI1NTcwYjkyNz5dIC9FbmNyeXB0IDcgMCBSID4+CnN0cmVhbQp4nGNiAAIm"
    "RgZ+BiYGhmIQqwHEYmCEEP8Zl/5jYmC8ARRjUmMAAEdKBL0KZW5kc3RyZWFtCmVuZG9iagpzdGFydHhyZWYKMTE4OQolJUVPRgo="
)
RECIPES = (*_BROKEN, *_TREES, *_LOCKED, *_BOMBS, *_ACTIVE, *_MASKED)
