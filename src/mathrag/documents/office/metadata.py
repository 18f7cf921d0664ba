"""What office documents say about themselves: title, authors, year. From pandoc's tree and the files' properties."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from mathrag.documents.office.archive import Archive
from mathrag.documents.office.xml_parts import local_name, parse_part
from mathrag.documents.reader import ReadingLimits
from mathrag.errors import DocumentError

_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_LONGEST = 1_000
_MOST_AUTHORS = 100


@dataclass(frozen=True, slots=True)
class Properties:
    """Empty where the document is silent."""

    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    abstract: str = ""


def tree_properties(tree: dict[str, Any]) -> Properties:
    """What pandoc found in the text by its styles (`Title`, `Author`, `Date`, `Abstract`)."""
    meta = tree.get("meta", {})
    if not isinstance(meta, dict):
        return Properties()
    authors = meta.get("author", {})
    listed = authors.get("c", []) if isinstance(authors, dict) and authors.get("t") == "MetaList" else [authors]
    names = tuple(name for name in (_words(each) for each in listed[:_MOST_AUTHORS]) if name)
    return Properties(
        _words(meta.get("title")), names, _year(_words(meta.get("date"))), _words(meta.get("abstract"), longest=20_000)
    )


def _words(value: Any, *, longest: int = _LONGEST) -> str:
    """All text inside a value of pandoc's tree."""
    parts: list[str] = []
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, list):
            pending.extend(reversed(item))
        elif isinstance(item, dict):
            kind = item.get("t")
            if kind in ("Str", "MetaString"):
                parts.append(str(item.get("c", "")))
            elif kind in ("Space", "SoftBreak", "LineBreak"):
                parts.append(" ")
            else:
                pending.append(item.get("c"))
    return " ".join("".join(parts).split())[:longest]


def stated_properties(archive: Archive, part: str, limits: ReadingLimits) -> Properties:
    """Dublin Core of a part such as `docProps/core.xml` or `meta.xml`; nothing where the part is missing or broken."""
    if part not in archive:
        return Properties()
    try:
        root = parse_part(archive.read(part), name=part, limits=limits)
    except DocumentError as error:
        if error.code in ("too_large", "unsafe"):
            raise
        return Properties()
    values: dict[str, list[str]] = {}
    for element in root.iter():
        text = " ".join((element.text or "").split())[:_LONGEST]
        if text:
            values.setdefault(local_name(element), []).append(text)
    dates = [*values.get("created", ()), *values.get("creation-date", ()), *values.get("date", ())]
    authors = values.get("initial-creator") or values.get("creator") or []
    names = [name.strip() for each in authors[:_MOST_AUTHORS] for name in each.split(";")]
    return Properties(
        next(iter(values.get("title", ())), ""),
        tuple(dict.fromkeys(name for name in names if name)),
        next((year for year in map(_year, dates) if year), None),
    )


def _year(text: str) -> int | None:
    found = _YEAR.search(text[:100])
    return int(found.group(1)) if found else None


def combined(first: Properties, second: Properties) -> Properties:
    """The first's answers, the second's where it has none."""
    return Properties(
        first.title or second.title,
        first.authors or second.authors,
        first.year or second.year,
        first.abstract or second.abstract,
    )
