"""OpenMath dictionaries and signatures as documents: a heading a symbol, its words below it, formulas as LaTeX."""

from __future__ import annotations

from collections.abc import Iterator

from mathrag.compute.openmath import latex_of, read_object
from mathrag.documents.media_type import DICTIONARY_TYPE, SIGNATURES_TYPE
from mathrag.documents.openmath.dictionary import (
    Definition,
    Dictionary,
    parse_dictionary,
    parse_signatures,
)
from mathrag.documents.openmath.signatures import plain_signature
from mathrag.documents.seams import Source
from mathrag.errors import FormulaError
from mathrag.types.document import Block, Display, Document, Heading, ListItem, Math, Paragraph, Place, Text


def read_dictionary(source: Source) -> Document:
    """Read a content dictionary. Raises `DocumentError` for what is broken, hostile or no dictionary."""
    found = parse_dictionary(source)
    return Document(
        source=source.name,
        media_type=DICTIONARY_TYPE,
        hash=source.hash,
        blocks=tuple(_dictionary_blocks(found)),
        title=f"{found.name}: an OpenMath dictionary",
        year=found.year,
        abstract=found.description,
        notes=found.notes,
    )


def read_signatures(source: Source) -> Document:
    """Read a file of signatures. Raises `DocumentError` for what is broken, hostile or no such file."""
    found = parse_signatures(source)
    place = Place(line=1, end_line=1)
    title = f"Signatures of {found.dictionary}"
    blocks: list[Block] = [Heading(place, title, 1, (Text(title),))]
    for one in found.signatures:
        text = f"{one.symbol}: {signature_text(one.source) or 'not given'}"
        blocks.append(ListItem(one.place, text, (Text(text),)))
    return Document(source.name, SIGNATURES_TYPE, source.hash, tuple(blocks), title=title, notes=found.notes)


def signature_text(source: str) -> str:
    """A signature in plain notation; empty where its object cannot be read."""
    try:
        return plain_signature(read_object(source)) if source else ""
    except FormulaError:
        return ""


def _dictionary_blocks(dictionary: Dictionary) -> Iterator[Block]:
    first = Place(line=1, end_line=1)
    yield Heading(first, dictionary.name, 1, (Text(dictionary.name),))
    yield from _prose(dictionary.description, first)
    for definition in dictionary.definitions:
        yield Heading(definition.place, definition.symbol, 2, (Text(definition.symbol),))
        yield from _definition_blocks(definition)


def _definition_blocks(definition: Definition) -> Iterator[Block]:
    yield from _prose(definition.description, definition.place)
    for statement in definition.statements:
        if statement.kind == "stated":
            yield from _prose(statement.source, statement.place)
        else:
            yield from _display(statement.source, statement.place)
    for example in definition.examples:
        yield from _prose(example.text, example.place)
        for each in example.objects:
            yield from _display(each, example.place)


def _prose(text: str, place: Place) -> Iterator[Block]:
    for paragraph in text.split("\n\n"):
        if paragraph:
            yield Paragraph(place, paragraph, (Text(paragraph),))


def _display(source: str, place: Place) -> Iterator[Block]:
    """A formula as LaTeX, which is what a person reads; nothing where its object cannot be read."""
    try:
        latex = latex_of(read_object(source)) if source else ""
    except FormulaError:
        return
    if latex:
        quote = f"$${latex}$$"
        yield Display(place, quote, Math(latex, "latex", place, quote, is_display=True))
