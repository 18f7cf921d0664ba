"""From what the rules found to definitions with scope, unit and kind; the same said twice becomes one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from mathrag.extract.definitions.outline import Found, Outline, formula_start
from mathrag.knowledge.constants import constants_for_words
from mathrag.knowledge.kinds import kind
from mathrag.knowledge.spelling import normal_words
from mathrag.language.quantity_names import is_unlikely_head, kind_groups
from mathrag.language.unit_text import fits, rate_in_words, unit_of_text
from mathrag.language.word_classes import word_class
from mathrag.types.document import Block
from mathrag.types.knowledge import Constant, QuantityKind
from mathrag.types.library import Span, SymbolDefinition
from mathrag.types.quantity import Dimension, Unit
from mathrag.types.symbol_names import split_name

_LONGEST_QUOTE = 400
_NUMBER_NOUNS = word_class("definitions.number_nouns")
_SIZES = word_class("definitions.size_adjectives")


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a definition's words come to."""

    unit: Unit | None
    kind: QuantityKind | None
    constant: Constant | None = None

    @property
    def dimension(self) -> Dimension | None:
        """Of the unit, or else of the kind where that has one."""
        if self.unit is not None:
            return self.unit.dimension
        if self.constant is not None:
            return self.constant.dimension
        if self.kind is None or self.kind.takes_any_unit:
            return None
        return self.kind.dimension


# What these rules find has its symbol before the words, so that a letter in brackets behind them is no symbol.
_SYMBOL_FIRST = frozenset(("where", "is", "let", "list", "nomenclature", "definition_list", "legend", "apposition"))


def meaning_of(
    description: str, *, unit_text: str | None, name: str, quote: str = "", is_named: bool = False
) -> Meaning:
    """The unit and the kind of a description; the unit decides between kinds, the kinds between readings of a unit.
    `quote` is the sentence that says so; `is_named` says that the symbol stands before the words."""
    groups = list(kind_groups(description))
    candidates = [item for group in groups for item in group]
    if unit_text is None:
        unit = rate_in_words(description)
    else:
        unit = unit_of_text(unit_text, kinds=candidates) if is_named else _unit(unit_text, candidates, quote)
    constant = next(
        (item for item in constants_for_words(description) if unit is None or item.dimension == unit.dimension), None
    )
    for group in groups:
        fitting = [item for item in group if _may_be(item, unit, description)]
        if constant is not None:
            fitting = [item for item in fitting if item.dimension == constant.dimension]
        if fitting:
            return Meaning(unit, _likeliest(fitting, name), constant)
    if unit is None and constant is None and _counts(description):
        return Meaning(None, kind("count"), None)
    return Meaning(unit, None, constant)


def _may_be(item: QuantityKind, unit: Unit | None, description: str) -> bool:
    """Whether words can mean a kind: one of their unit; without a unit none that their last noun hardly ever names."""
    return not is_unlikely_head(description, item) if unit is None else fits(item, unit)


def _ending_in_unit(description: str) -> tuple[str, str | None]:
    """ "Electric charge in C" without the letter behind "in", where that is a unit of what the words name."""
    words, _, letter = description.rpartition(" in ")
    if not words or not letter.isalpha() or len(letter) > 2:
        return description, None
    candidates = [item for group in kind_groups(words) for item in group]
    unit = unit_of_text(letter, kinds=candidates)
    return (words, letter) if unit is not None and any(fits(item, unit) for item in candidates) else (description, None)


def _counts(description: str) -> bool:
    """Whether words say how many there are of something: "total number of parallel paths"."""
    words = description.casefold().split()
    place = words.index("number") if "number" in words[:3] else -1
    return place >= 0 and words[place + 1 : place + 2] == ["of"] and "per" not in words


def with_unit(definitions: Sequence[SymbolDefinition]) -> SymbolDefinition:
    """The first definition, with the unit that another of the same words states where it states none."""
    first = definitions[0]
    if first.unit is not None:
        return first
    words = normal_words(first.description)
    for other in definitions[1:]:
        if other.unit is not None and normal_words(other.description) == words:
            return replace(first, unit=other.unit, dimension=other.dimension)
    return first


def is_plain_number(description: str) -> bool:
    """Whether words without a unit speak of a number in a formula: a coefficient, a factor, an exponent."""
    words = description.casefold().split(" of ")[0].split()
    return bool(words) and words[-1] in _NUMBER_NOUNS


def _unit(unit_text: str, candidates: Sequence[QuantityKind], quote: str) -> Unit | None:
    unit = unit_of_text(unit_text, kinds=candidates)
    letters = unit_text.strip(" ()[]$.,")
    if unit is None or not candidates or len(letters) > 1 or not letters.isalpha():
        return unit
    # "mass (m)" names the symbol, not the metre; "mass in m" does not, even where it is a misprint.
    is_said = re.search(rf"\bin\s+[$\\({{a-z ]{{0,12}}{letters}\b", quote) is not None
    return unit if is_said or any(fits(item, unit) for item in candidates) else None


def _likeliest(kinds: Sequence[QuantityKind], name: str) -> QuantityKind | None:
    if not kinds:
        return None
    parts = split_name(name)
    letter = parts.letter
    for wanted in (name, f"Delta_{letter}" if parts.prefix == "Delta" else letter):
        for item in kinds:
            if wanted in item.symbols:
                return item
    return kinds[0]


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
    settled = _merged(_with_counted_units(_with_units([_settle(one, blocks, outline) for one in found])))
    return tuple(_definition(one, outline, document_id) for one in _bounded(settled))


def _settle(found: Found, blocks: Sequence[Block], outline: Outline) -> _Settled:
    if found.unit_text is None:
        description, unit_text = _ending_in_unit(found.description)
        found = replace(found, description=description, unit_text=unit_text)
    found = replace(found, description=_without_size(found.description))
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
    meaning = meaning_of(
        found.description,
        unit_text=found.unit_text,
        name=found.symbol.name,
        quote=found.quote,
        is_named=found.source in _SYMBOL_FIRST,
    )
    return _Settled(found, meaning, first, last, outline.section_of[found.block])


def _without_size(description: str) -> str:
    """What a symbol means, without how much of it the one case has that the words speak of."""
    first, _, rest = description.partition(" ")
    return rest if rest and first.casefold() in _SIZES else description


def _with_units(settled: Sequence[_Settled]) -> list[_Settled]:
    """What was said of a unit alone ("with T in °C") goes to the words of the same symbol; what no words go with stays.

    The words may stand before or behind, within the section; the nearest of them gets the unit.
    """
    result = list(settled)
    for one in settled:
        if one.found.description:
            continue
        places = [
            place
            for place, other in enumerate(result)
            if other.found.symbol.name == one.found.symbol.name
            and other.section == one.section
            and other.found.description
        ]
        if not places:
            continue
        nearest = min(places, key=lambda place: abs(result[place].found.block - one.found.block))
        named = result[nearest]
        result.remove(one)
        if named.meaning.unit is None and one.meaning.unit is not None:
            place = result.index(named)
            found = replace(named.found, unit_text=one.found.unit_text)
            meaning = meaning_of(
                found.description, unit_text=found.unit_text, name=found.symbol.name, quote=one.found.quote
            )
            result[place] = replace(named, found=found, meaning=meaning)
    return result


_NUMBER_OF = re.compile(r"(?:the |total )?number of ([a-z]{3,12})$", re.IGNORECASE)


def _with_counted_units(settled: Sequence[_Settled]) -> list[_Settled]:
    """The number of days is a time in days where another symbol of the section is so many by the day."""
    result = list(settled)
    for place, one in enumerate(settled):
        said = _NUMBER_OF.match(one.found.description)
        unit = unit_of_text(said[1]) if said is not None and one.meaning.unit is None else None
        if unit is None or unit.dimension.is_dimensionless:
            continue
        rates = (rate_in_words(other.found.description) for other in settled if other.section == one.section)
        if any(rate is not None and rate.text.endswith(f"/{unit.text}") for rate in rates):
            result[place] = replace(one, meaning=Meaning(unit, None))
    return result


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
