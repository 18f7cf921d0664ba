"""Entries of BibTeX files as one line each. Reads the usual shape only; strings and cross-references are left alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

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
