"""Numbers of sections, equations and floats, and what labels stand for. Counts as LaTeX does by default, no further."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mathrag.types.document import (
    Block,
    Cell,
    Code,
    Content,
    Display,
    Heading,
    Image,
    ListItem,
    Paragraph,
    Reference,
    Table,
    Text,
)

_MARK = re.compile("\ue000([^\ue000\ue001]*)\ue001")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Numbering:
    """The counters of one document."""

    def __init__(self) -> None:
        self.labels: dict[str, str] = {}
        self.current = ""
        self.is_used = False
        self.within = 0
        self._sections = [0] * 8
        self._highest = 3
        self._in_appendix = False
        self._counts: dict[str, int] = {}
        self._prefix = ""
        self._part_of: str | None = None
        self._parts = 0

    def chapters(self) -> None:
        """The class has chapters: equations and floats are counted within them."""
        self._highest = 2
        self.within = 2

    def begin_appendix(self) -> None:
        """Count with letters from here on."""
        self._in_appendix = True
        self._sections = [0] * 8

    def section(self, rank: int) -> None:
        """A numbered section begins."""
        if rank > 5:
            return
        self._sections[rank] += 1
        for lower in range(rank + 1, 8):
            self._sections[lower] = 0
        if rank <= self.within:
            self._counts.clear()
        self.current = self._number(rank)

    def _number(self, rank: int) -> str:
        parts = [str(self._sections[level]) for level in range(min(self._highest, rank), rank + 1)]
        if self._in_appendix and 0 < self._sections[min(self._highest, rank)] <= 26:
            parts[0] = _LETTERS[self._sections[min(self._highest, rank)] - 1].upper()
        return ".".join(parts)

    def count(self, kind: str) -> str:
        """The next number of an equation, a figure or a table."""
        if kind == "equation" and self._part_of is not None:
            self._parts += 1
            return self._part_of + (_LETTERS[self._parts - 1] if self._parts <= 26 else str(self._parts))
        self._counts[kind] = self._counts.get(kind, 0) + 1
        number = str(self._counts[kind])
        return f"{self._number(self.within)}.{number}" if self.within and self._sections[self.within] else number

    def begin_parts(self) -> None:
        """`subequations`: one number with letters."""
        self._part_of, self._parts = self.count("equation"), 0
        self.current = self._part_of

    def end_parts(self) -> None:
        """The end of `subequations`."""
        self._part_of = None

    def label(self, key: str, number: str | None = None) -> None:
        """Remember what a label stands for."""
        if len(self.labels) < 100_000:
            self.labels[key] = number if number is not None else self.current

    def mark(self, key: str) -> str:
        """Text that stands for a reference until all labels are known."""
        self.is_used = True
        return f"\ue000{key}\ue001"

    def resolved(self, text: str) -> str:
        """Text with the numbers in place of the references; an unknown label shows the telling part of its key."""
        if "\ue000" not in text:
            return text
        return _MARK.sub(lambda match: self.labels.get(match.group(1)) or match.group(1).rpartition(":")[2], text)


def with_references(block: Block, numbering: Numbering) -> Block:
    """A block with the references in its words resolved."""

    def fill(content: Content) -> Content:
        return tuple(
            dataclasses.replace(piece, text=numbering.resolved(piece.text))
            if isinstance(piece, Text) and "\ue000" in piece.text
            else piece
            for piece in content
        )

    match block:
        case Heading() | Paragraph():
            return dataclasses.replace(block, content=fill(block.content))
        case ListItem():
            return dataclasses.replace(block, content=fill(block.content), term=fill(block.term))
        case Image():
            return dataclasses.replace(block, caption=fill(block.caption))
        case Table():
            return dataclasses.replace(
                block, caption=fill(block.caption), header=_rows(block.header, fill), rows=_rows(block.rows, fill)
            )
        case Reference():
            return dataclasses.replace(block, text=numbering.resolved(block.text))
        case Display() | Code():
            return block


def _rows(rows: tuple[tuple[Cell, ...], ...], fill: Callable[[Content], Content]) -> tuple[tuple[Cell, ...], ...]:
    return tuple(tuple(dataclasses.replace(cell, content=fill(cell.content)) for cell in row) for row in rows)


# Entries of BibTeX files as one line each. Reads the usual shape only; strings and cross-references are left alone.

_ENTRY = re.compile(r"@\s*([A-Za-z]{1,40})\s*[{(]\s*([^\s,{}()]{1,200})\s*,")
_FIELD = re.compile(r"\s*+,?\s*+([A-Za-z][\w-]{0,60})\s*+=\s*+")
_CLOSING = re.compile(r"\s*+,?\s*+[})]")
_BARE = re.compile(r"[^\s,}]{0,200}")
_LATEX = re.compile(r"\\[A-Za-z]+\s?|\\.|[{}$]")
_MOST_ENTRIES = 20_000
_SKIPPED = frozenset(("comment", "string", "preamble"))


@dataclass(frozen=True, slots=True)
class Entry:
    """One work: its key, what it says in a line, and where it stands in the file."""

    key: str
    text: str
    start: int
    stop: int


def read_bibliography(text: str) -> Iterator[Entry]:
    """The entries of a `.bib` file, in order."""
    place = 0
    for _ in range(_MOST_ENTRIES):
        match = _ENTRY.search(text, place)
        if match is None:
            return
        place = match.end()
        if match.group(1).lower() in _SKIPPED:
            continue
        fields, place = _fields(text, place)
        shown = _line(fields)
        if shown:
            yield Entry(match.group(2), shown, match.start(), place)


def _fields(text: str, place: int) -> tuple[dict[str, str], int]:
    fields: dict[str, str] = {}
    while (match := _FIELD.match(text, place)) is not None and len(fields) < 60:
        value, place = _value(text, match.end())
        fields.setdefault(match.group(1).lower(), value)
    closing = _CLOSING.match(text, place)
    return fields, closing.end() if closing else place


def _value(text: str, place: int) -> tuple[str, int]:
    """A value in braces, in quotes, or bare."""
    if place >= len(text) or text[place] not in '{"':
        match = _BARE.match(text, place)
        return (match.group(), match.end()) if match else ("", place)
    is_quoted = text[place] == '"'
    depth, start = 0 if is_quoted else 1, place + 1
    for index in range(start, min(len(text), start + 20_000)):
        character = text[index]
        if character == "\\":
            continue
        if character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
            if not is_quoted and not depth:
                return text[start:index], index + 1
        elif character == '"' and is_quoted and depth <= 0:
            return text[start:index], index + 1
    return text[start : start + 500], min(len(text), start + 20_000)


def _clean(value: str) -> str:
    return " ".join(_LATEX.sub("", value).replace("~", " ").replace("--", "–").split())[:500]


def _line(fields: dict[str, str]) -> str:
    authors = " and ".join(
        part.strip() for part in _clean(fields.get("author", fields.get("editor", ""))).split(" and ")
    )
    year = _clean(fields.get("year", fields.get("date", "")))[:4]
    title = _clean(fields.get("title", ""))
    where = _clean(
        fields.get("journal", fields.get("journaltitle", fields.get("booktitle", fields.get("publisher", ""))))
    )
    head = f"{authors} ({year})" if authors and year else authors or (f"({year})" if year else "")
    return ". ".join(part for part in (head, title, where) if part)
