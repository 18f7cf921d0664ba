"""Files that are cut off, wear the wrong extension, come in the wrong encoding or hold nothing."""

from __future__ import annotations

import gzip
import io
import json
import zipfile

from hostile_files.recipe import Recipe, file

_MARKDOWN = "# Energy\n\nThe kinetic energy is\n\n$$E_k = \\frac{1}{2} m v^2$$\n\nwhere $m$ is the mass (kg).\n\n"
_HTML = "<!DOCTYPE html><html><head><title>Energy</title></head><body><h1>Energy</h1><p>The kinetic energy grows.</p>"
_LATEX = (
    "\\documentclass{article}\n\\begin{document}\n\\section{Energy}\nThe kinetic energy is\n"
    "\\begin{equation}E_k = \\frac{1}{2} m v^2\\end{equation}\n"
)
_NOTEBOOK = json.dumps(
    {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {},
        "cells": [{"cell_type": "markdown", "metadata": {}, "source": ["# Energy\n", "The kinetic energy"]}],
    }
)
_PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89"
_PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n"
_GERMAN = "# Größen\n\nDie Größe $m$ heißt Masse.\n"


def _zip(names: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in names.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def _gzip_bomb() -> bytes:
    return gzip.compress(gzip.compress(b"<p>bang</p>" * 3_000_000, 9), 9)


_TRUNCATED = (
    Recipe(
        "markdown-cut-in-formula",
        "Markdown that ends inside a display formula",
        "read",
        file("cut.md", _MARKDOWN + "$$F = m"),
        keeps=("kinetic energy",),
    ),
    Recipe(
        "markdown-cut-in-table",
        "Markdown that ends inside a table row",
        "read",
        file("cut.md", _MARKDOWN + "| a | b |\n|---|---|\n| $x$ | 1 |\n| $y"),
        keeps=("kinetic energy",),
    ),
    Recipe(
        "markdown-cut-in-fence",
        "Markdown whose code fence is never closed",
        "read",
        file("cut.md", _MARKDOWN + "```python\nprint(1)\n"),
        keeps=("kinetic energy",),
    ),
    Recipe(
        "markdown-cut-in-front-matter",
        "Markdown whose front matter is never closed",
        "either",
        file("cut.md", "---\ntitle: Energy\n" + _MARKDOWN),
    ),
    Recipe(
        "html-cut-in-tag",
        "HTML that ends inside a tag",
        "read",
        file("cut.html", _HTML + "<table><tr><td>1</td><td cla"),
        keeps=("kinetic energy",),
    ),
    Recipe(
        "html-cut-in-comment",
        "HTML whose comment is never closed",
        "read",
        file("cut.html", _HTML + "<!-- the rest is lost <p>really"),
        keeps=("kinetic energy",),
    ),
    Recipe(
        "html-cut-in-mathml",
        "HTML that ends inside a MathML formula",
        "read",
        file("cut.html", _HTML + "<math><mfrac><mi>a</mi>"),
        keeps=("kinetic energy",),
    ),
    Recipe(
        "html-cut-in-script",
        "HTML whose script is never closed",
        "read",
        file("cut.html", _HTML + "<script>var a = '<p>"),
        keeps=("kinetic energy",),
    ),
    Recipe(
        "latex-cut-in-equation",
        "LaTeX that ends inside an equation",
        "read",
        file("cut.tex", _LATEX + "\\begin{align} F &= m"),
        keeps=("kinetic energy",),
    ),
    Recipe(
        "latex-cut-in-argument",
        "LaTeX that ends inside an argument",
        "read",
        file("cut.tex", _LATEX + "\\section{Momen"),
        keeps=("kinetic energy",),
    ),
    Recipe(
        "latex-cut-in-verbatim",
        "LaTeX whose verbatim is never closed",
        "read",
        file("cut.tex", _LATEX + "\\begin{verbatim}\nx = 1"),
        keeps=("kinetic energy",),
    ),
    Recipe(
        "latex-closing-too-often",
        "LaTeX with braces and environments that were never opened",
        "read",
        file("cut.tex", _LATEX + "}}}} \\end{table} \\end{document} } \\] \\)"),
        keeps=("kinetic energy",),
    ),
    Recipe(
        "notebook-cut", "a notebook cut off in the middle of its JSON", "reason", file("cut.ipynb", _NOTEBOOK[:-30])
    ),
    Recipe(
        "utf8-cut-in-character",
        "UTF-8 cut off in the middle of its last character",
        "read",
        file("cut.md", (_GERMAN * 20).encode() + "ß".encode()[:1]),
        keeps=("Größe",),
    ),
    Recipe("pdf-cut", "a PDF cut off after its first lines", "reason", file("cut.pdf", _PDF[:40])),
)

_MISNAMED = (
    Recipe("pdf-named-md", "a PDF called .md", "reason", file("paper.md", _PDF)),
    Recipe("png-named-html", "a PNG called .html", "reason", file("page.html", _PNG)),
    Recipe(
        "jpeg-named-tex", "a JPEG called .tex", "reason", file("notes.tex", b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" * 9)
    ),
    Recipe(
        "zip-named-tex", "a ZIP archive called .tex", "reason", file("notes.tex", lambda: _zip({"a.txt": "a" * 999}))
    ),
    Recipe(
        "docx-named-md",
        "a Word document called .md",
        "reason",
        file("notes.md", lambda: _zip({"[Content_Types].xml": "<x/>", "word/document.xml": "<x/>"})),
    ),
    Recipe("gzip-bomb-named-html", "a twice compressed bomb called .html", "reason", file("page.html", _gzip_bomb)),
    Recipe(
        "zip-bomb-named-epub",
        "a ZIP bomb called .epub",
        "reason",
        file("book.epub", lambda: _zip({"bomb": "0" * 30_000_000})),
    ),
    Recipe(
        "program-named-txt", "a program called .txt", "reason", file("notes.txt", b"\x7fELF\x02\x01\x01" + bytes(200))
    ),
    Recipe(
        "database-named-ipynb",
        "a database called .ipynb",
        "reason",
        file("notes.ipynb", b"SQLite format 3\x00" + bytes(500)),
    ),
    Recipe(
        "random-bytes-named-md",
        "random bytes called .md",
        "reason",
        file("notes.md", lambda: bytes((index * index * 7 + index // 3) % 256 for index in range(5_000))),
    ),
    Recipe(
        "html-named-txt",
        "HTML called .txt",
        "read",
        file("page.txt", _HTML + "</body></html>"),
        keeps=("kinetic energy",),
    ),
    Recipe(
        "latex-named-md",
        "LaTeX called .md",
        "read",
        file("notes.md", _LATEX + "\\end{document}"),
        keeps=("kinetic energy",),
    ),
    Recipe(
        "notebook-named-txt", "a notebook called .txt", "read", file("notes.txt", _NOTEBOOK), keeps=("kinetic energy",)
    ),
    Recipe("markdown-named-html", "Markdown called .html", "either", file("notes.html", _MARKDOWN)),
    Recipe("prose-named-ipynb", "prose called .ipynb", "either", file("notes.ipynb", "The kinetic energy of a car.")),
    Recipe(
        "pdf-after-junk-named-md",
        "a PDF after some bytes of junk, called .md",
        "either",
        file("paper.md", b"junk\n" + _PDF),
    ),
)

_ENCODED = (
    Recipe(
        "utf16-without-mark",
        "UTF-16 without a byte-order mark",
        "either",
        file("notes.md", _GERMAN.encode("utf-16-le")),
    ),
    Recipe(
        "utf16-with-mark",
        "UTF-16 with a byte-order mark",
        "read",
        file("notes.md", _GERMAN.encode("utf-16")),
        keeps=("Größe",),
    ),
    Recipe(
        "utf16-odd",
        "UTF-16 with half a character at the end",
        "either",
        file("notes.md", _GERMAN.encode("utf-16") + b"\x41"),
    ),
    Recipe(
        "utf32-with-mark",
        "UTF-32 with a byte-order mark",
        "read",
        file("notes.tex", _GERMAN.encode("utf-32")),
        keeps=("Größe",),
    ),
    Recipe(
        "latin1-markdown", "Latin-1 Markdown", "read", file("notes.md", _GERMAN.encode("latin-1")), keeps=("Größe",)
    ),
    Recipe("latin1-latex", "Latin-1 LaTeX", "read", file("notes.tex", _GERMAN.encode("latin-1")), keeps=("Größe",)),
    Recipe(
        "latin1-html-undeclared",
        "Latin-1 HTML that does not say so",
        "read",
        file("page.html", (_HTML + "<p>Größe</p>").encode("latin-1")),
        keeps=("Größe",),
    ),
    Recipe(
        "html-false-charset",
        "UTF-8 HTML that claims to be Shift JIS",
        "either",
        file("page.html", _HTML.replace("<head>", "<head><meta charset=shift_jis>") + "<p>Größe</p>"),
    ),
    Recipe(
        "html-utf7-charset",
        "HTML that claims to be UTF-7 and hides a script in it",
        "read",
        file("page.html", _HTML.replace("<head>", "<head><meta charset=utf-7>") + "+ADw-script+AD4-alert(1)"),
        keeps=("kinetic energy",),
    ),
    Recipe(
        "html-unknown-charset",
        "HTML that claims an encoding that does not exist",
        "read",
        file("page.html", _HTML.replace("<head>", "<head><meta charset=rot13>")),
        keeps=("kinetic energy",),
    ),
    Recipe(
        "utf8-invalid",
        "bytes that are no UTF-8, here and there",
        "read",
        file("notes.md", _MARKDOWN.encode().replace(b"mass", b"ma\xfess \xc0\x80")),
        keeps=("kinetic energy",),
    ),
    Recipe("nul-bytes", "zero bytes in the text", "either", file("notes.md", _MARKDOWN.replace("energy", "en\0ergy"))),
    Recipe("nul-bytes-latex", "zero bytes in LaTeX", "either", file("notes.tex", _LATEX + "\0" * 50 + "$a=b$")),
    Recipe(
        "control-characters",
        "control characters, escape sequences of a terminal",
        "either",
        file("notes.md", "# \x1b[2J\x1b]0;owned\x07 Energy\n\n\x01\x02\x03\x08\x7f $a = b$\n" + _MARKDOWN),
    ),
    Recipe(
        "lone-surrogates",
        "lone surrogates written as bytes",
        "either",
        file("notes.md", b"# Energy\n\nThe \xed\xa0\x80 kinetic \xed\xbf\xbf energy $a = b$\n"),
    ),
    Recipe(
        "mixed-line-ends",
        "every kind of line end, and separators of Unicode",
        "read",
        file("notes.md", _MARKDOWN + "a\rb\r\nc\x0bd\x0ce\u0085f\u2028g\u2029$$x = y$$\r"),
        keeps=("kinetic energy",),
    ),
)

_EMPTY = tuple(
    Recipe(f"{kind}-{suffix}", f"{what}, called .{suffix}", "reason", file(f"nothing.{suffix}", content), code="empty")
    for kind, what, content in (
        ("empty", "an empty file", b""),
        ("whitespace", "nothing but whitespace", b" \n\t\r\n  \n" * 500),
        ("mark", "nothing but a byte-order mark", b"\xef\xbb\xbf"),
    )
    for suffix in (("md", "tex", "html", "ipynb", "txt") if kind == "empty" else ("md", "html"))
)
_HOLLOW = (
    Recipe("utf16-mark-only", "nothing but the byte-order mark of UTF-16", "reason", file("nothing.md", b"\xff\xfe")),
    Recipe("comments-only", "LaTeX that is all comment", "either", file("nothing.tex", "% nothing\n" * 100)),
    Recipe("tags-only", "HTML without a word", "either", file("nothing.html", "<html><body><div></div></body></html>")),
    Recipe(
        "notebook-without-cells",
        "a notebook without cells",
        "either",
        file("nothing.ipynb", '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []}'),
    ),
)

RECIPES = (*_TRUNCATED, *_MISNAMED, *_ENCODED, *_EMPTY, *_HOLLOW)
