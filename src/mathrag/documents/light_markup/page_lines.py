"""The lines of a text in a light mark-up, and the lines of the page they become: the same number, each in its place.

Such texts (reStructuredText, Org, AsciiDoc, wiki pages) mean a page. They are written out as one, line by line, and
the reader of pages makes the blocks; so its every way to find a formula is theirs. Knows none of the formats.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from html import escape
from pathlib import PurePath
from typing import Any

from mathrag.documents.arrangement import find_abstract
from mathrag.documents.decoding import DecodedText
from mathrag.documents.html.blocks import BlockReader
from mathrag.documents.html.tree import parse_page
from mathrag.documents.math_in_text.explicit_lines import formulas_in_line
from mathrag.documents.seams import Source
from mathrag.types.document import Document, Heading, Place, ReaderNote, plain_text

_TEX_ROWS = re.compile(r"(?<!\\)&|\\\\")
_INNER = re.compile(r"\\begin\{(\w{1,20}\*?)\}.*?\\end\{\1\}", re.DOTALL)
_TEX = re.compile(r"\\[A-Za-z]|[_^]\{|\\\\")


@dataclass(slots=True)
class PageLines:
    """The lines of a text, what each becomes, and what is told about it."""

    lines: list[str]
    out: list[str] = field(default_factory=list)
    notes: list[ReaderNote] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.out = [""] * len(self.lines)

    def put(self, first: int, page: str) -> None:
        """Write a stretch of the page from a line on; its own line breaks are those of the text."""
        for number, part in enumerate(page.split("\n")):
            at = min(first + number, len(self.out) - 1)
            self.out[at] += part

    def note(self, code: str, message: str, line: int) -> None:
        """Tell what was not read, and where; the same once."""
        if not any(known.message == message for known in self.notes):
            self.notes.append(ReaderNote(code, message, Place(line=line + 1)))

    def indent_of(self, line: int) -> int:
        """How far a line is indented; a blank one as far as can be."""
        text = self.lines[line]
        bare = text.lstrip()
        return len(text) - len(bare) if bare else 1_000_000

    def is_blank(self, line: int) -> bool:
        """Whether nothing stands on a line."""
        return not self.lines[line].strip()

    def end_of_block(self, first: int, after: int, indent: int) -> int:
        """The line after those that are indented at least so far; blank lines at the end do not count."""
        end = line = first
        while line < after and self.indent_of(line) >= indent:
            line += 1
            if not self.is_blank(line - 1):
                end = line
        return end

    def displays(self, first: int, after: int) -> None:
        """Displayed formulas, one a paragraph of the lines."""
        line = first
        while line < after:
            if self.is_blank(line):
                line += 1
                continue
            start = line
            while line < after and not self.is_blank(line):
                line += 1
            self.put(start, display("\n".join(self.lines[start:line])))

    def code(self, first: int, after: int, language: str = "") -> None:
        """A listing."""
        margin = min((self.indent_of(line) for line in range(first, after) if not self.is_blank(line)), default=0)
        body = "\n".join(escape(self.lines[line][margin:]) for line in range(first, after))
        kind = f' class="language-{escape(language)}"' if language else ""
        self.put(first, f"<pre{kind}>{body}</pre>")


def display(tex: str) -> str:
    """A displayed formula given as TeX, as an element of a page."""
    source = tex.strip()
    if _TEX_ROWS.search(_INNER.sub("", source)) and not source.startswith("\\begin"):
        lead, tail = tex[: len(tex) - len(tex.lstrip())], tex[len(tex.rstrip()) :]
        tex = rf"{lead}\begin{{aligned}}{source}\end{{aligned}}{tail}"
    return f'<div><tex-math block="">{escape(tex)}</tex-math></div>'


def inline_formula(tex: str) -> str:
    """A formula in a line, given as TeX."""
    return f"<tex-math>{escape(tex)}</tex-math>"


def loose_formula(text: str, *, is_display: bool = False) -> str:
    """A formula whose notation the document does not tell: TeX where it can only be that, else typed mathematics."""
    bare = text.strip()
    if _TEX.search(bare) or not formulas_in_line(bare):
        return display(text) if is_display else inline_formula(text)
    return f"<p>{escape(text)}</p>" if is_display else escape(text)


Rule = Callable[[re.Match[str], Callable[[str], str]], str]


def inline_writer(rules: Sequence[tuple[str, Rule]]) -> Callable[[str], str]:
    """What writes running text as elements of a page: the first rule that matches somewhere has that stretch."""
    pattern = re.compile("|".join(f"(?P<r{number}>{rule})" for number, (rule, _) in enumerate(rules)), re.DOTALL)

    def write(text: str, depth: int = 0) -> str:
        if depth > 5:
            return escape(text)
        parts: list[str] = []
        place = 0
        for found in pattern.finditer(text):
            parts.append(escape(text[place : found.start()]))
            number = int((found.lastgroup or "r0")[1:])
            parts.append(rules[number][1](found, lambda inner: write(inner, depth + 1)))
            place = found.end()
        parts.append(escape(text[place:]))
        return "".join(parts)

    return write


def read_page_lines(
    source: Source,
    decoded: DecodedText,
    page: PageLines,
    *,
    media_type: str,
    with_dollars: bool,
    values: Mapping[str, str] | None = None,
) -> Document:
    """The document of a page that was written out line by line; `values` are its title, author and date."""
    values = values or {}
    root, _ = parse_page("\n".join(page.out), limits=source.limits)
    reader = BlockReader(source.limits, with_dollars=with_dollars)
    blocks = [_without_path(block) for block in reader.read(root)]
    headings = [block for block in blocks if isinstance(block, Heading)]
    title = values.get("title", "") or (plain_text(headings[0].content).strip() if headings else "")
    author, year = values.get("author", ""), re.search(r"(?<!\d)(1[5-9]|20)\d\d(?!\d)", values.get("date", ""))
    return Document(
        source=source.name,
        media_type=media_type,
        hash=source.hash,
        blocks=tuple(blocks),
        title=title or PurePath(source.name).stem,
        authors=(author,) if author else (),
        year=int(year.group()) if year else None,
        abstract=find_abstract(blocks),
        notes=(*decoded.notes, *page.notes),
    )


def _without_path(value: Any) -> Any:
    """A block with lines as its places: the elements of the page stand nowhere in the text."""
    if isinstance(value, Place):
        return replace(value, path="")
    if isinstance(value, tuple):
        return tuple(_without_path(item) for item in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    changes = {
        each.name: _without_path(getattr(value, each.name))
        for each in fields(value)
        if isinstance(getattr(value, each.name), tuple | Place) or is_dataclass(getattr(value, each.name))
    }
    return replace(value, **changes)
