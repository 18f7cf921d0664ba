"""When a formula holds: comparisons beside it, and phrases such as "for laminar flow" or "at constant T"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from mathrag.extract.formula_reader import read_condition
from mathrag.extract.occurrences import Occurrence
from mathrag.extract.phrases import plain_latex, tidy, words_of
from mathrag.language.unit_text import unit_of_text
from mathrag.language.word_classes import any_of
from mathrag.types.document import Content, Math, Paragraph, Text
from mathrag.types.expression import (
    Comparison,
    Condition,
    Equation,
    Expression,
    Measure,
    Negate,
    Number,
    Symbol,
    symbols_of,
)
from mathrag.types.library import Span, Validity
from mathrag.types.quantity import Unit

_PHRASE = re.compile(
    r"\b(?:"
    r"(?:only\s+)?(?:valid|holds?|applies|applicable|true|works?)\s+(?:only\s+)?"
    r"(?:for|when|if|at|in|within|while|near|far\s+from)\s+(?!(?:any|all|every)\b)[^.,;()]{3,60}"
    r"|(?:as|so)\s+long\s+as\s+[^.,;()]{3,80}|provided\s+(?:that\s+)?[^.,;()]{3,80}"
    r"|when\s+(?:only|nothing|no|all\s+of)\s+[^.,;()]{3,80}"
    r"|(?:when|if|while)\s+(?:[\w\-]+\s+){1,8}?(?:is|are|stays?|remains?|hardly)\s+(?:constant|ideal|small|the\s+same|depends?\s+on)"
    r"\b[^.,;()]{0,60}"
    r"|(?:at|for)\s+(?:an?\s+)?[a-z]+\s+(?:much|well|far)\s+(?:\w+er\s+than|below|above|beyond)\s+[^.,;()]{3,60}"
    r"|(?:near|far\s+from|away\s+from)\s+(?:the|its|their|condensing|boiling|saturation)\b[^.,;()]{0,60}"
    r"|(?:(?<=[;,:.]\s)|^)(?:[\w\-]+\s+){1,7}?(?:(?:is|are)\s+)?neglected"
    r"|in\s+(?:an?\s+)?(?:dilute\s+solutions?|pure\s+water|vacuum(?:\s+(?:or|and)\s+air)?|free\s+space|uniform\s+field)\b"
    r"|in\s+(?:pure\s+)?water\s+at\s+[\d.]+\s*°C"
    r"|(?:at|under|with|for)\s+(?:a\s+)?constant\s+[A-Za-z][\w\s]{0,40}?(?=[,.;()]|\s+(?:is|are|the|where|and|then)\b|$)"
    r"|(?:at|in)\s+(?:steady state|equilibrium|thermal equilibrium|standard conditions|STP|room temperature|"
    r"the stoichiometric point|infinite dilution|low pressures?|high temperatures?)"
    r"|for\s+(?:an?\s+|any\s+|small\s+|large\s+|low\s+|high\s+|the\s+case\s+of\s+)?(?:[a-z\-]+\s+){0,3}?"
    r"(?:flow|gas|gases|fluid|angles?|speeds?|particles?|solutions?|process|objects?|bod(?:y|ies)|lens(?:es)?|"
    r"mirrors?|springs?|collisions?|acids?|bases?|reactions?|systems?|conductors?|surfaces?|plates?|spheres?|cylinder|"
    r"materials?|radiation|samples?|rays|tubes?|strings?|metals?|orbits?|point\s+masses|point\s+charges|nuclei|wires?|"
    r"coils?|solenoids?|voltages?|currents?|divider|mixtures?|liquids?|pipes?)\b"
    r"(?:\s+(?:that|which|whose\s+\w+)\s+(?:is|are)\b|\s+(?!(?:where|is|are|this|we|then|it)\b)[\w\-]+){0,10}"
    r"|(?:no|without|neglecting|ignoring|negligible)\s+(?:air resistance|friction|external forces?|drag|viscosity|"
    r"heat loss|damping|losses|absorption|slipping|change\s+of\s+(?:phase|state)|(?:an\s+)?iron core)"
    r"|(?:for|in|during|under|of|at)\s+(?:an?\s+|any\s+)?(?:isothermal|adiabatic|isobaric|isochoric|isentropic|laminar|"
    r"turbulent|incompressible|inviscid|non-?relativistic|reversible|perfectly elastic|monoatomic|diatomic|ideal|"
    r"closed|isolated)\b[\w\s]{0,30}?(?=[,.;()]|\s+(?:is|are|the|where|and|then|at|from|to)\b|$)"
    r"|(?<=\()(?:isothermal|adiabatic|isobaric|isochoric|laminar|turbulent|closed system|isolated system|ideal gas|"
    r"incompressible|steady state|nonrelativistic)[^()]{0,40}(?=\))"
    r")",
    re.I,
)

# What joins a formula in a sentence to the comparison under which it holds, and that to the next.
_CONDITION = rf"(?:{any_of('formula_words.condition')})"
_OPENS = re.compile(rf"\s*,?\s*\(?\s*(?:(?:valid|only|holds|but|and)\s+)*{_CONDITION}(?:\s+that)?\s*", re.I)
_LAST_OPENS = re.compile(rf"\b{_CONDITION}\s*$", re.I)
_JOINS = re.compile(r"(?:\s*[^\W\d_]\S{0,11})?\s*,?\s*(?:and|but)\s*", re.I)
_LEADS_ON = re.compile(r"\s*[,:]?\s*(?:then|we have|we use|use|it is)?\s*", re.I)
_MOST_COMPARISONS = 3
_UNIT_FIRST = re.compile(r"\s*([^\W\d_][^\s,.;:()]{0,11}|[°%€$]\S{0,3})(?=[\s,.;:)]|$)")

_RESTRICTS = re.compile(rf"(?:{any_of('sentences.not_a_remark')})\b", re.I)


def find_conditions(
    equation: Equation,
    reading_conditions: Iterable[Condition],
    occurrence: Occurrence,
    *,
    words: str,
    span: Span,
    units: Mapping[str, Unit] = MappingProxyType({}),
) -> tuple[Validity, ...]:
    """Conditions written in the formula first, then those of the words that name and describe it.

    `units` are those in which the document counts the symbols: `s > 1000`, with s in dollars, is 1000 dollars.
    """
    found: dict[str, Validity] = {}
    for condition in (*equation.conditions, *reading_conditions):
        text = tidy(_unfenced(condition.text))
        if condition.comparisons or _PHRASE.search(text):
            found.setdefault(text.casefold(), Validity(text, condition.comparisons, span))
    for text, comparisons in (*_in_row(occurrence), *compared_in_sentence(occurrence)):
        found.setdefault(text.casefold(), Validity(text, comparisons, span))
    for source in (words, _after(occurrence)):
        for match in _PHRASE.finditer(source):
            text = tidy(match.group())
            if not any(text.casefold() in known for known in found):
                found[text.casefold()] = Validity(text, (), span)
    return tuple(_with_units(one, units) for one in found.values())


def _with_units(validity: Validity, units: Mapping[str, Unit]) -> Validity:
    compared = _in_units(validity.comparisons, units)
    return validity if compared == validity.comparisons else replace(validity, comparisons=compared)


def _in_units(comparisons: Iterable[Comparison], units: Mapping[str, Unit]) -> tuple[Comparison, ...]:
    return tuple(
        replace(one, left=_measured(one.left, one.right, units), right=_measured(one.right, one.left, units))
        for one in comparisons
    )


def _measured(side: Expression, other: Expression, units: Mapping[str, Unit]) -> Expression:
    """A bare number that a symbol is compared with, in the unit of that symbol."""
    unit = units.get(other.name) if isinstance(other, Symbol) else None
    if unit is None or unit.dimension.is_dimensionless:
        return side
    match side:
        case Number(value) if value:
            return Measure(side, unit.text)
        case Negate(Number() as operand):
            return Negate(Measure(operand, unit.text))
        case _:
            return side


def _unfenced(text: str) -> str:
    """Without the parentheses around it; one that closes what was opened inside belongs to it."""
    bare = text.strip()
    return bare[1:-1].strip() if bare.startswith("(") and bare.endswith(")") else bare


def _in_row(occurrence: Occurrence) -> Iterator[tuple[str, tuple[Comparison, ...]]]:
    """Comparisons in the other cells of the row, with the words beside them: "Inside sphere, r < R"."""
    if occurrence.row is None:
        return
    column = 0
    for cell in occurrence.row.cells:
        if column != occurrence.row.column:
            for piece in cell.content:
                comparisons = read_condition(piece) if isinstance(piece, Math) else ()
                if comparisons:
                    yield words_of(cell.content), comparisons
        column += cell.columns


def compared_in_sentence(occurrence: Occurrence) -> Iterator[tuple[str, tuple[Comparison, ...]]]:
    """Comparisons that the sentence puts beside the formula: "$b = 0.05 s$ if $s < 10$", "For $s > 10$: $b = …$"."""
    if occurrence.row is not None:
        return
    after = occurrence.after
    if not after and occurrence.follow and isinstance(occurrence.follow[0], Paragraph):
        after = occurrence.follow[0].content
    yield from _compared(after, _OPENS)
    before = occurrence.before
    if before and isinstance(before[-1], Text) and _LEADS_ON.fullmatch(before[-1].text):
        # From the last word that opens a condition up to the formula.
        for place in range(len(before) - 2, max(-1, len(before) - 2 * _MOST_COMPARISONS - 1), -1):
            piece = before[place]
            if isinstance(piece, Text):
                opening = _LAST_OPENS.search(piece.text)
                if opening is not None:
                    yield from _compared((Text(opening.group()), *before[place + 1 : -1]), _OPENS)
                if not _JOINS.fullmatch(piece.text):
                    break


def _compared(pieces: Content, opens: re.Pattern[str]) -> Iterator[tuple[str, tuple[Comparison, ...]]]:
    """The comparisons with which pieces of a sentence go on, joined by "and"."""
    joint = opens
    for place in range(0, min(len(pieces) - 1, 2 * _MOST_COMPARISONS), 2):
        first, second = pieces[place], pieces[place + 1]
        if not isinstance(first, Text) or not isinstance(second, Math) or not joint.fullmatch(first.text):
            return
        comparisons = read_condition(second)
        if not comparisons:
            return
        behind = pieces[place + 2] if place + 2 < len(pieces) else None
        unit = _unit_at(behind.text) if isinstance(behind, Text) else None
        text = f"if {plain_latex(second.source)}"
        if unit is not None:
            units = {name: unit for one in comparisons for name in (*symbols_of(one.left), *symbols_of(one.right))}
            comparisons = _in_units(comparisons, units)
            text = f"{text} {unit.text}"
        yield text, comparisons
        joint = _JOINS


def _unit_at(text: str) -> Unit | None:
    """The unit with which a text goes on behind a number: "< 50" and " kW."."""
    found = _UNIT_FIRST.match(text)
    return unit_of_text(found[1]) if found is not None else None


def _after(occurrence: Occurrence) -> str:
    """The rest of the sentence after the formula."""
    if occurrence.row is not None:
        return ""
    return re.split(r"\.\s", words_of(occurrence.after), maxsplit=1)[0][:300]


def remark_of(conditions: Iterable[Condition]) -> str:
    """Words beside a formula that name it rather than restrict it: "(Ohm's law)"."""
    for condition in conditions:
        text = tidy(_unfenced(condition.text))
        is_name = not condition.comparisons and len(text) > 2 and not _RESTRICTS.match(text)
        if is_name and not _PHRASE.fullmatch(text):
            return text
    return ""
