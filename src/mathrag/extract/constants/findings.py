"""What the rules for constants hand over, and how it becomes a finding of the library."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from mathrag.compute.printers.latex import symbol_latex
from mathrag.extract.constants.standard import standard_of
from mathrag.extract.constants.values import Value
from mathrag.extract.definitions.flows import Outline
from mathrag.extract.definitions.meaning import kind_groups
from mathrag.extract.definitions.symbol_reading import SymbolSeen
from mathrag.types.document import Place
from mathrag.types.library import ConstantFinding, Span
from mathrag.types.quantity import NO_UNIT

_LONGEST_QUOTE = 400
_SMALL_WORDS = frozenset("the of in at on for a an and or to by with from".split())


@dataclass(frozen=True, slots=True)
class FoundConstant:
    """A constant as a rule found it; `block` is the index of its block."""

    symbol: SymbolSeen | None
    name: str
    value: Value
    block: int
    place: Place
    quote: str


def findings_from(found: Iterable[FoundConstant], outline: Outline, *, document_id: str) -> tuple[ConstantFinding, ...]:
    """Findings in reading order; the same value of the same constant is kept once a section."""
    kept: dict[tuple[object, ...], ConstantFinding] = {}
    for one in found:
        if _is_of_another_dimension(one):
            continue
        finding = _finding(one, outline, document_id, len(kept))
        key = (
            outline.section_of[one.block],
            finding.symbol,
            finding.standard or finding.name.casefold(),
            finding.value,
            finding.unit,
        )
        kept.setdefault(key, finding)
    return tuple(kept.values())


def _is_of_another_dimension(one: FoundConstant) -> bool:
    """Whether the words name kinds of quantity, and the unit is that of none: "molar volume (273.15 K)" states a
    condition. A symbol that is set equal to a value may well be called by a loose name."""
    if one.symbol is not None or one.value.unit is None:
        return False
    named = [kind for group in kind_groups(one.name) for kind in group]
    return bool(named) and all(kind.dimension != one.value.unit.dimension for kind in named)


def _finding(one: FoundConstant, outline: Outline, document_id: str, position: int) -> ConstantFinding:
    name = one.symbol.name if one.symbol else ""
    standard = standard_of(one.value, name=name, words=one.name)
    unit = one.value.unit
    description = ""
    if unit is None and standard is not None and not standard.dimension.is_dimensionless:
        text, dimension = standard.unit, standard.dimension
        description = "no unit is stated; it has that of the standard constant"
    else:
        text, dimension = (unit or NO_UNIT).text, (unit or NO_UNIT).dimension
    title = one.name or (standard.name if standard else "")
    return ConstantFinding(
        document=document_id,
        position=position,
        symbol=name,
        name=title,
        value=one.value.number,
        unit=text,
        dimension=dimension,
        span=Span(document_id, one.place, one.quote.strip()[:_LONGEST_QUOTE], outline.section(one.block).headings),
        description=description,
        keywords=_keywords(title),
        uncertainty=one.value.uncertainty,
        standard=standard.id if standard else None,
        letter=(one.symbol.letter or symbol_latex(name)) if one.symbol else "",
    )


def _keywords(title: str) -> tuple[str, ...]:
    words = re.findall(r"[^\W\d_][\w'’-]*", title.casefold())
    return tuple(dict.fromkeys(word for word in words if word not in _SMALL_WORDS and len(word) > 1))
