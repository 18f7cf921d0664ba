"""From what the rules found to definitions with scope, unit and kind; the same said twice becomes one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from mathrag.extract.definitions.meaning import Meaning, meaning_of
from mathrag.extract.definitions.outline import Found, Outline, formula_start
from mathrag.knowledge.spelling import normal_words
from mathrag.types.document import Block
from mathrag.types.library import Span, SymbolDefinition

_LONGEST_QUOTE = 400


@dataclass(frozen=True, slots=True)
class _Settled:
    found: Found
    meaning: Meaning
    first: int
    last: int
    section: int


def definitions_from(
    found: Iterable[Found], blocks: Sequence[Block], outline: Outline, *, document_id: str
) -> tuple[SymbolDefinition, ...]:
    """Definitions in reading order."""
    settled = _merged([_settle(one, blocks, outline) for one in found])
    return tuple(_definition(one, outline, document_id) for one in _bounded(settled))


def _settle(found: Found, blocks: Sequence[Block], outline: Outline) -> _Settled:
    section = outline.section(found.block)
    match found.reach:
        case "document":
            first, last = 0, len(blocks) - 1
        case "section":
            first, last = section.first, section.last
        case "formula":
            first, last = formula_start(blocks, found.block, section.first), section.last
        case "onwards":
            first, last = found.block, section.last
    meaning = meaning_of(found.description, unit_text=found.unit_text, name=found.symbol.name)
    return _Settled(found, meaning, first, last, outline.section_of[found.block])


def _merged(settled: Sequence[_Settled]) -> list[_Settled]:
    """One entry for what a section says several times; the surest words win and a unit found once is kept."""
    kept: dict[tuple[str, int, str], _Settled] = {}
    for one in settled:
        key = (one.found.symbol.name, one.section, normal_words(one.found.description))
        other = kept.get(key)
        if other is None:
            kept[key] = one
            continue
        best, rest = (one, other) if one.found.confidence > other.found.confidence else (other, one)
        meaning = best.meaning if best.meaning.unit is not None or rest.meaning.unit is None else rest.meaning
        kept[key] = replace(best, meaning=meaning, first=min(one.first, other.first), last=max(one.last, other.last))
    return sorted(kept.values(), key=lambda one: one.found.block)


def _bounded(settled: Sequence[_Settled]) -> list[_Settled]:
    """Where a section gives a symbol a second meaning, the first one ends there and the second begins."""
    result = list(settled)
    latest: dict[tuple[str, int], int] = {}
    for place, one in enumerate(result):
        if one.found.reach == "document" or one.found.source in ("unit_column", "row_label"):
            continue
        key = (one.found.symbol.name, one.section)
        before = latest.get(key)
        if before is not None and _differ(result[before], one) and one.found.block > result[before].found.block:
            earlier = result[before]
            border = max(earlier.found.block, one.first - 1) if one.first > earlier.found.block else one.found.block - 1
            result[before] = replace(earlier, last=min(earlier.last, max(border, earlier.first)))
            result[place] = replace(one, first=max(one.first, result[before].last + 1))
        if before is None or one.found.confidence >= 0.6:
            latest[key] = place
    return result


def _differ(one: _Settled, other: _Settled) -> bool:
    first, second = one.meaning.dimension, other.meaning.dimension
    return first is not None and second is not None and first != second


def _definition(one: _Settled, outline: Outline, document_id: str) -> SymbolDefinition:
    found, meaning = one.found, one.meaning
    quote = found.quote.strip()
    headings = outline.section(found.block).headings
    return SymbolDefinition(
        name=found.symbol.name,
        description=found.description,
        span=Span(document_id, found.place, quote[:_LONGEST_QUOTE], headings),
        first_block=one.first,
        last_block=max(one.first, one.last),
        source=found.source,
        unit=None if meaning.unit is None else meaning.unit.text,
        dimension=meaning.dimension,
        kind=None if meaning.kind is None else meaning.kind.id,
        letter=found.symbol.letter,
        confidence=found.confidence,
    )
