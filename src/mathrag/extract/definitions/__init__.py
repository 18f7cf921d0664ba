"""What a document says its symbols mean, by rules: "where m is the mass (kg)", symbol tables, lists, appositions.

Finds and scopes definitions; which of them a formula uses is decided where formulas are understood.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mathrag.extract.definitions.legends import legend_definitions
from mathrag.extract.definitions.lists import (
    found_in_heading,
    found_in_item,
    found_in_line,
    found_in_note,
    is_note,
    lines_of,
    starts_with_symbol,
)
from mathrag.extract.definitions.outline import Found, Outline, flows_of, outline_of
from mathrag.extract.definitions.prose import may_define, prose_of
from mathrag.extract.definitions.prose_rules import found_in_prose, leads_to_list
from mathrag.extract.definitions.records import definitions_from
from mathrag.extract.definitions.tables import found_in_table
from mathrag.language.word_classes import word_class
from mathrag.types.document import (
    Block,
    Content,
    Display,
    Document,
    Heading,
    ListItem,
    Paragraph,
    Place,
    Table,
    plain_text,
)
from mathrag.types.library import SymbolDefinition

_NOMENCLATURE = word_class("headings.nomenclature")

__all__ = ["find_definitions", "with_legends"]


def find_definitions(document: Document, *, document_id: str) -> tuple[SymbolDefinition, ...]:
    """Every definition of a symbol in a document, in reading order, with the blocks over which it holds."""
    outline = outline_of(document.blocks)
    found = _found_in(document.blocks, outline)
    return definitions_from(found, document.blocks, outline, document_id=document_id)


def with_legends(
    document: Document,
    definitions: Sequence[SymbolDefinition],
    symbols_at: Mapping[int, frozenset[str]],
    *,
    document_id: str,
) -> tuple[SymbolDefinition, ...]:
    """The definitions, with those that only the symbols of the formulas beside them show (`symbols_at`, by block).

    Where a rule of sentences has found words for a symbol in the same place, they stand.
    """
    outline = outline_of(document.blocks)
    said = {(one.name, one.span.place, one.span.headings) for one in definitions if one.description}
    found = [
        one
        for one in legend_definitions(document.blocks, outline, symbols_at)
        if (one.symbol.name, one.place, outline.section(one.block).headings) not in said
    ]
    return (*definitions, *definitions_from(found, document.blocks, outline, document_id=document_id))


def _found_in(blocks: Sequence[Block], outline: Outline) -> Iterator[Found]:
    flows = {flow[0][0]: flow for flow in flows_of(blocks)}
    is_announced = False
    for index, block in enumerate(blocks):
        is_nomenclature = _is_nomenclature(outline.section(index).title)
        match block:
            case Paragraph() | Display():
                if index in flows:
                    flow = flows[index]
                    is_listed = is_nomenclature or is_announced
                    yield from _found_in_flow(flow, is_listed=is_listed, is_nomenclature=is_nomenclature)
                    ending = plain_text(flow[-1][1])[-60:].rstrip()
                    goes_on = is_announced and ending.endswith((",", ";", "and"))
                    is_announced = goes_on or leads_to_list(ending)
            case ListItem():
                yield from found_in_item(index, block, is_governed=is_announced, is_nomenclature=is_nomenclature)
                continue
            case Heading():
                yield from found_in_heading(index, block)
                is_announced = False
            case Table():
                yield from found_in_table(index, block, is_nomenclature=is_nomenclature)
                is_announced = False
            case _:
                is_announced = False


def _found_in_flow(
    flow: Sequence[tuple[int, Content, Place]], *, is_listed: bool, is_nomenclature: bool
) -> Iterator[Found]:
    if not any(may_define(content) for _, content, _ in flow):
        return
    if len(flow) == 1 and is_note(flow[0][1]):
        yield from found_in_note(*flow[0])
        return
    rest: list[tuple[int, Content, Place]] = []
    for block, content, place in flow:
        lines = lines_of(content)
        if is_listed and len(flow) == 1:
            items = lines
        else:
            items = [line for line in lines if _is_item(block, line, place)] if len(lines) > 1 else []
        if not items or (not is_listed and (len(items) < 2 or len(items) < 0.6 * (len(lines) - 1))):
            rest.append((block, content, place))
            continue
        for line in lines:
            is_governed = line in items
            yield from found_in_line(block, line, place, is_governed=is_governed, is_nomenclature=is_nomenclature)
    yield from found_in_prose(prose_of(rest))


def _is_item(block: int, line: Content, place: Place) -> bool:
    tokens = prose_of([(block, line, place)]).tokens
    if len(tokens) < 3 or not starts_with_symbol(tokens, is_governed=False):
        return False
    return tokens[1].text in (":", "=", "–", "—", "-") and tokens[2].kind == "word" and len(tokens[2].text) > 2


def _is_nomenclature(title: str) -> bool:
    cleaned = title.casefold().strip(" .:0123456789")
    return cleaned in _NOMENCLATURE or cleaned.startswith(("nomenclature", "list of symbols", "notation"))
