"""Documents whose every name, title, label and meaning tries to become markup, and what of that a page would show."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from evaluation_makers import ANSWER, make_grades, write_run
from serve_makers import make_library

from hand_written_pdf import pdf_bytes
from mathrag.library import Library
from turtle_files import without_digests

# Any of these that gets through makes an element, an attribute or an address that no page of ours has.
MARK = "xmark"
NAUGHTY = f"""<{MARK}>"'><{MARK} on{MARK}=1></script><script>{MARK}()</script>"""
_ESCAPED = NAUGHTY.replace("<", r"\<").replace(">", r"\>")
# What a file system allows in a name and a page must not believe.
FILE_NAME = f"a' on{MARK}='1' &lt;{MARK}&gt; {{{{7*7}}}}.md"
NOTES = rf"""---
title: '{NAUGHTY.replace("'", "''")}'
---

# Notes {_ESCAPED}

## Torque {_ESCAPED}

$$M_x = F_x r_x$$

where $M_x$ is the torque {_ESCAPED} in N m, $F_x$ is the force {_ESCAPED} in N and $r_x$ is the lever arm in m.

## Contradiction {_ESCAPED}

$$K_x = J_x L_x$$

where $K_x$ is the thing {_ESCAPED} in J, $J_x$ is the other {_ESCAPED} in kg and $L_x$ is the width {_ESCAPED} in m.

## Said in words

$$Z_x = \text{{{NAUGHTY}}} Y_x$$

| Constant | Symbol | Value |
|---|---|---|
| Quaraday {_ESCAPED} constant | $F_q$ | $96485$ C/mol |
"""
# Says other things under the same names.
OTHER = NOTES.replace("96485", "12345").replace("F_x r_x$$", "F_x r_x / 2$$").replace("title: ", "title: Other ")
PAGE = f"""<!doctype html><html><head><title>{NAUGHTY.replace("<", "&lt;")}</title></head><body on{MARK}="1">
<h1>Waves &lt;{MARK}&gt;</h1><script>{MARK}()</script><{MARK}>Text</{MARK}>
<h2>Wave speed &lt;{MARK} on{MARK}=1&gt;</h2>
<p><math display="block"><mi href="javascript:{MARK}">u</mi><mo>=</mo><mi>f</mi><mi>l</mi></math></p>
<p>where <i>u</i> is the wave speed &lt;{MARK}&gt; in m/s, <i>f</i> is the frequency in Hz and
<i>l</i> is the wavelength in m.</p><a href="javascript:{MARK}">more</a><img src=x on{MARK}=1>
<svg on{MARK}=1><{MARK}/></svg></body></html>
"""
BROKEN = "%PDF-1.4\nnothing\n"
QUESTION = f"What is the torque for a force of 3 N and a lever arm of 2 m? {NAUGHTY}"


def hostile_files() -> dict[str, bytes]:
    """The files by their names."""
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": [f"# Book {NAUGHTY}\n", "\n", "$$P_y = E_y / t_y$$\n"]}
    ]
    book = {"cells": cells, "metadata": {"title": NAUGHTY}, "nbformat": 4, "nbformat_minor": 5}
    lines = (
        (f"Notes {NAUGHTY}", 72.0, 72.0),
        ("D_z = G_z H_z", 250.0, 160.0),
        (f"where D_z is the dose {NAUGHTY} in J, G_z is the force in N, H_z is the height in m.", 72.0, 200.0),
    )
    return {
        FILE_NAME: NOTES.encode(),
        "other.md": OTHER.encode(),
        f"page {MARK}.html": PAGE.encode(),
        "book.ipynb": json.dumps(book).encode(),
        f"paper' on{MARK}='1.pdf": pdf_bytes(lines),
        f"broken' on{MARK}='1 &lt;{MARK}&gt;.pdf": BROKEN.encode(),
    }


def make_hostile_library(folder: Path) -> Path:
    """The sample library and all of these files; some of them cannot be read."""
    library = make_library(folder)
    paths = []
    for name, content in hostile_files().items():
        paths.append(folder / "documents" / name)
        paths[-1].write_bytes(content)
    with Library(library) as opened:
        opened.ingest(paths, workers=1)
        # Readers keep to words in the names of constants. A library that somebody else wrote need not.
        turtle = b"".join(opened.exported("turtle")).decode()
    # Whoever changes a file on purpose leaves out the digests that would tell.
    turtle = without_digests(turtle).replace("Quaraday", f"<{MARK} on{MARK}='1'>")
    (folder / "library.ttl").write_text(turtle, encoding="utf-8")
    with Library(folder / "imported") as imported:
        imported.import_turtle(folder / "library.ttl")
        imported.ingest([paths[-1]], workers=1)
    _write_hostile_run(folder / "imported" / "evaluation" / f"run' on{MARK}='1")
    return folder / "imported"


def _write_hostile_run(folder: Path) -> None:
    """The results of an evaluation in which every text is naughty."""
    run = write_run(folder, make_grades(8, wrong=[2, 3, 6]), answer=_spoiled(ANSWER))
    report = json.loads((run / "report.json").read_text(encoding="utf-8"))
    report["set"], report["compared"] = NAUGHTY, NAUGHTY
    for question in report["questions"]:
        for name in ("question", "expected", "found", "detail", "tier"):
            question[name] = f"{question[name]} {NAUGHTY}"
    (run / "report.json").write_text(json.dumps(report), encoding="utf-8")


def _spoiled(value: Any) -> Any:
    """Data whose every text goes on with the naughty one."""
    if isinstance(value, dict):
        return {name: _spoiled(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_spoiled(each) for each in value]
    return f"{value} {NAUGHTY}" if isinstance(value, str) and value not in ("answered",) else value


class Markup(HTMLParser):
    """What is wrong with a page, and which addresses of ours it leads to."""

    def __init__(self) -> None:
        super().__init__()
        self.problems: list[str] = []
        self.links: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at an element."""
        given = dict(attrs)
        if MARK in tag or (tag == "script" and not (given.get("src") or "").startswith("/static/")):
            self.problems.append(self.get_starttag_text() or tag)
        if tag in ("iframe", "object", "embed", "base", "style"):
            self.problems.append(f"<{tag}>")
        for name, value in attrs:
            address = re.sub(r"[\x00-\x20]", "", (value or "")).lower()
            if name.startswith("on") or name == "style" or MARK in name:
                self.problems.append(f"{tag} {name}")
            elif name in ("href", "src", "action", "formaction", "xlink:href", "data-href"):
                if not address.startswith(("/", "#", "?", "data:image/svg+xml,%3csvg")) or address.startswith("//"):
                    self.problems.append(f"{tag} {name}={value}")
                elif tag in ("a", "img", "link") and value:
                    self.links.append(value)

    def handle_data(self, data: str) -> None:
        """Words between elements."""
        self.text.append(data)


def looked_at(html: str) -> Markup:
    """A page as a browser would take it apart."""
    made = Markup()
    made.feed(html)
    made.close()
    return made


def pattern_of(address: str) -> str:
    """An address without ids and values, so that pages of one kind have one."""
    path, _, query = address.partition("#")[0].partition("?")
    plain = re.sub(r"/(?:[a-z]+-[0-9a-f]{6,}|\d+)(?=/|$|\.)", "/{}", path)
    names = sorted({part.partition("=")[0].partition(".")[0] for part in query.split("&")} - {""})
    return plain + (f"?{'&'.join(names)}" if names else "")
