"""The constants a document states, with values and units: tables of constants, data of substances, values in text."""

from __future__ import annotations

from collections.abc import Iterator

from mathrag.extract.constants.inline import constants_in_prose
from mathrag.extract.constants.tables import constants_in_table
from mathrag.extract.constants.values import FoundConstant, findings_from
from mathrag.extract.definitions.outline import Outline, Section, flows_of, outline_of
from mathrag.extract.definitions.tables import name_phrase
from mathrag.extract.parts import WORKED, parts_of
from mathrag.types.document import Document, ListItem, Table, plain_text
from mathrag.types.library import ConstantFinding

__all__ = ["find_constants"]


def find_constants(document: Document, *, document_id: str) -> tuple[ConstantFinding, ...]:
    """Every constant with a value in a document, in reading order."""
    outline = outline_of(document.blocks)
    parts = parts_of(document)
    # A value given inside an example holds for that example only.
    found = (one for one in _found_in(document, outline) if parts[one.block] not in WORKED)
    return findings_from(found, outline, document_id=document_id)


def _found_in(document: Document, outline: Outline) -> Iterator[FoundConstant]:
    flows = {flow[0][0]: flow for flow in flows_of(document.blocks)}
    for index, block in enumerate(document.blocks):
        section = outline.section(index)
        if index in flows:
            yield from constants_in_prose(flows[index], section)
        elif isinstance(block, ListItem):
            yield from constants_in_prose([(index, (*block.term, *block.content), block.place)], section)
        elif isinstance(block, Table):
            yield from constants_in_table(index, block, titles=section.headings)
            yield from _in_cells(index, block, section)


def _in_cells(index: int, table: Table, section: Section) -> Iterator[FoundConstant]:
    for row in table.rows[:2_000]:
        label = name_phrase(row[0].content).words if row and len(plain_text(row[0].content)) < 200 else ""
        for cell in row:
            yield from constants_in_prose([(index, cell.content, cell.place)], section, label=label)
