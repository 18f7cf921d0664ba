"""The XML of OpenMath dictionaries and signatures to plain values: what each symbol is said to be, and where.

Words are kept as words and objects as the XML they are written in; what an object means is read elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from mathrag.documents.office.archive import Element, attribute, local_name, parse_part
from mathrag.documents.seams import Source
from mathrag.errors import DocumentError
from mathrag.types.concept import PropertyKind
from mathrag.types.document import Place, ReaderNote

# Names are single words; what is longer is no name.
_LONGEST_NAME = 200
_BLANKS = re.compile(r"\s+")
_PARAGRAPHS = re.compile(r"\n[ \t\r]*\n")
_WRITER = "editor of dictionaries"


@dataclass(frozen=True, slots=True)
class Statement:
    """A property as it is written: words, or an object as XML."""

    kind: PropertyKind
    source: str
    place: Place


@dataclass(frozen=True, slots=True)
class Example:
    """An example: its words, and its objects as XML."""

    text: str
    objects: tuple[str, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Definition:
    """One symbol of a dictionary."""

    symbol: str
    role: str
    description: str
    statements: tuple[Statement, ...]
    examples: tuple[Example, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Dictionary:
    """A dictionary with its symbols in their order. `status` is what it says of itself, such as `official`."""

    name: str
    status: str
    description: str
    year: int | None
    definitions: tuple[Definition, ...]
    notes: tuple[ReaderNote, ...]


@dataclass(frozen=True, slots=True)
class Signature:
    """The type of one symbol, as the XML of an object; empty where the file gives none."""

    symbol: str
    source: str
    place: Place


@dataclass(frozen=True, slots=True)
class Signatures:
    """The types of the symbols of one dictionary."""

    dictionary: str
    signatures: tuple[Signature, ...]
    notes: tuple[ReaderNote, ...]


def parse_dictionary(source: Source) -> Dictionary:
    """A content dictionary. Raises `DocumentError` for broken or hostile XML and for anything that is none."""
    root = _root(source, "CD", "dictionary")
    name = _name(_child_text(root, "CDName"))
    if not name:
        raise DocumentError("syntax", f"{source.name} is no dictionary: it has no CDName that is one word; add one")
    notes: list[ReaderNote] = []
    definitions: list[Definition] = []
    for element in _children(root, "CDDefinition"):
        symbol = _name(_child_text(element, "Name"))
        if symbol:
            definitions.append(_definition(element, symbol))
        else:
            notes.append(ReaderNote("nameless", "a definition without a Name was left out", _place(element)))
    return Dictionary(
        name,
        _BLANKS.sub(" ", _child_text(root, "CDStatus")).strip()[:_LONGEST_NAME],
        _paragraphs(_child_text(root, "Description")),
        _year(_child_text(root, "CDDate")),
        tuple(definitions),
        tuple(notes),
    )


def parse_signatures(source: Source) -> Signatures:
    """A file of signatures. Raises `DocumentError` for broken or hostile XML and for anything that is none."""
    root = _root(source, "CDSignatures", "file of signatures")
    name = _name(attribute(root, "cd"))
    if not name:
        raise DocumentError("syntax", f"{source.name} does not say which dictionary its signatures are for; add cd=…")
    notes: list[ReaderNote] = []
    signatures: list[Signature] = []
    for element in _children(root, "Signature"):
        symbol = _name(attribute(element, "name"))
        if symbol:
            signatures.append(Signature(symbol, next(_objects(element), ""), _place(element)))
        else:
            notes.append(ReaderNote("nameless", "a signature without a name was left out", _place(element)))
    return Signatures(name, tuple(signatures), tuple(notes))


def _root(source: Source, tag: str, what: str) -> Element:
    root = parse_part(source.data, name=source.name, limits=source.limits, writer=_WRITER)
    if local_name(root) != tag:
        raise DocumentError("syntax", f"{source.name} is no {what}: its outermost element is {local_name(root)[:40]!r}")
    return root


def _definition(element: Element, symbol: str) -> Definition:
    statements: list[Statement] = []
    examples: list[Example] = []
    for child in element:
        place = _place(child)
        match local_name(child):
            case "CMP":
                statements.append(Statement("stated", _line(child), place))
            case "FMP":
                # One that holds no object at all is kept, so that it is counted and shown as what could not be read.
                statements.append(Statement("formal", next(_objects(child), ""), place))
            case "Example":
                examples.append(Example(_paragraphs(_words(child)), tuple(_objects(child)), place))
            case _:
                pass
    return Definition(
        symbol,
        _BLANKS.sub(" ", _child_text(element, "Role")).strip()[:_LONGEST_NAME],
        _paragraphs(_child_text(element, "Description")),
        tuple(statements),
        tuple(examples),
        _place(element),
    )


def _children(element: Element, name: str) -> Iterator[Element]:
    return (child for child in element if local_name(child) == name)


def _child_text(element: Element, name: str) -> str:
    child = next(_children(element, name), None)
    return "" if child is None else _words(child)


def _words(element: Element) -> str:
    """The text of an element without that of the objects in it."""
    parts = [element.text or ""]
    for child in element:
        if local_name(child) != "OMOBJ":
            parts.append("".join(child.itertext()))
        parts.append(child.tail or "")
    return "".join(parts)


def _objects(element: Element) -> Iterator[str]:
    for child in _children(element, "OMOBJ"):
        yield etree.tostring(child, encoding="unicode", with_tail=False)


def _line(element: Element) -> str:
    return _BLANKS.sub(" ", _words(element)).strip()


def _paragraphs(text: str) -> str:
    """Text as its author divided it into paragraphs, each on one line."""
    lines = (_BLANKS.sub(" ", part).strip() for part in _PARAGRAPHS.split(text))
    return "\n\n".join(line for line in lines if line)


def _name(text: str) -> str:
    """A name as one word; empty where it is none."""
    name = text.strip()
    return name if name and len(name) <= _LONGEST_NAME and name.isprintable() and not _BLANKS.search(name) else ""


def _year(date: str) -> int | None:
    found = re.match(r"\s*(\d{4})\b", date)
    return int(found.group(1)) if found else None


def _place(element: Element) -> Place:
    line = element.sourceline
    text = etree.tostring(element, encoding="unicode", with_tail=False)
    return Place(line=line, end_line=None if line is None else line + text.count("\n"))
