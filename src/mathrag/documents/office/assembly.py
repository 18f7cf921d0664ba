"""From a document taken apart to blocks: pandoc reads the words, marks give the formulas, the page reader the rest."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass, field
from typing import Any

from mathrag.documents.arrangement import arrange
from mathrag.documents.html.blocks import BlockReader
from mathrag.documents.html.delimiters import count_dollar_formulas
from mathrag.documents.html.nodes import Node
from mathrag.documents.office.marks import FormulaMarks
from mathrag.documents.office.metadata import Properties, combined, tree_properties
from mathrag.documents.office.pandoc import read_with_pandoc
from mathrag.documents.office.pandoc_tree import TreeBuilder
from mathrag.documents.office.places import Rewriting, without_lines
from mathrag.documents.reader import Source
from mathrag.errors import DocumentError
from mathrag.types.document import Block, Document, Heading, Paragraph, Place, ReaderNote, Table, plain_text

_ENOUGH_DOLLARS = 3


@dataclass(slots=True)
class Parts:
    """A document on its way to pandoc: cleaned parts by name, formulas behind marks, notes on what was found."""

    marks: FormulaMarks
    members: dict[str, bytes] = field(default_factory=dict)
    properties: Properties = field(default_factory=Properties)
    notes: list[ReaderNote] = field(default_factory=list)

    def note(self, code: str, message: str, place: Place | None = None) -> None:
        self.notes.append(ReaderNote(code, message, place or Place()))


def packed(members: dict[str, bytes]) -> bytes:
    """An archive of these members, the one called `mimetype` first and uncompressed, as the formats want it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        for name, data in sorted(members.items(), key=lambda member: member[0] != "mimetype"):
            kind = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            file.writestr(zipfile.ZipInfo(name), data, kind)
    return buffer.getvalue()


def assembled(source: Source, parts: Parts, *, form: str, media_type: str) -> Document:
    """The document: pandoc is run on the parts, the formulas go back to their places."""
    tree = read_with_pandoc(packed(parts.members), form=form, limits=source.limits)
    return document_of(source, parts, tree, media_type=media_type)


def document_of(source: Source, parts: Parts, tree: dict[str, Any], *, media_type: str) -> Document:
    """The document of a tree that pandoc gave."""
    try:
        body = TreeBuilder(parts.marks).build(tree["blocks"])
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise DocumentError("broken", "pandoc gave a tree of an unknown shape; update pandoc") from error
    blocks = _blocks(body, source)
    properties = combined(tree_properties(tree), parts.properties)
    if not blocks and not properties.title:
        raise DocumentError("empty", f"{source.name} holds no text; there is nothing to read")
    first = next((block.quote for block in blocks if isinstance(block, Heading) and block.level == 1), "")
    return Document(
        source=source.name,
        media_type=media_type,
        hash=source.hash,
        blocks=tuple(blocks),
        title=properties.title or first,
        authors=properties.authors,
        year=properties.year,
        abstract=properties.abstract,
        notes=tuple(parts.notes),
    )


def _blocks(body: Node, source: Source) -> list[Block]:
    text = body.text()
    with_dollars = "$" in text and count_dollar_formulas(text) >= _ENOUGH_DOLLARS
    found = BlockReader(source.limits, with_dollars=with_dollars).read(body)
    return Rewriting(without_lines).blocks(arrange(_without_copied_captions(found)))


def _without_copied_captions(blocks: list[Block]) -> list[Block]:
    """Some versions of pandoc give the caption of a table twice, the first time as a paragraph before it."""
    following: list[Block | None] = [*blocks[1:], None][: len(blocks)]
    return [
        block
        for block, after in zip(blocks, following, strict=True)
        if not (
            isinstance(block, Paragraph)
            and isinstance(after, Table)
            and after.caption
            and plain_text(after.caption) == block.quote
        )
    ]
