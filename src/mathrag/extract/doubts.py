"""Why a formula that was understood is set aside all the same: a number that does not stand in the text, units nobody
states, dimensions that cannot agree or that a letter never has."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mathrag.compute.dimensions import check_dimensions
from mathrag.extract.candidates import Candidate, said_units
from mathrag.extract.definitions.lookup import said_of
from mathrag.extract.formula_reader import MOST_TERMS
from mathrag.extract.known_relations import recognition
from mathrag.extract.meanings import CONSTANTS, has_usual_meanings
from mathrag.extract.number_check import foreign_number
from mathrag.extract.number_equations import is_undecided, unstated_units
from mathrag.extract.surroundings import Context, in_scope
from mathrag.extract.weights import weights
from mathrag.extract.word_operands import units_beside
from mathrag.knowledge.kinds import kinds_for_symbol
from mathrag.types.library import SymbolDefinition, SymbolMeaning
from mathrag.types.quantity import Dimension
from mathrag.types.symbol_names import split_name

_SURE = weights("pipeline")["sure"]
# Letters that people write for factors of proportionality, whose dimension is whatever the rest demands.
_COEFFICIENTS = frozenset("abckABCK")


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a formula is set aside, as a code and a sentence; both empty where nothing speaks against it.

    `stated` are symbols as the document has them, where that is what cannot be: whoever corrects the formula must see
    those, not the units that would fit.
    """

    code: str = ""
    reason: str = ""
    stated: Mapping[str, SymbolMeaning] = field(default_factory=dict)


def doubt_of(candidate: Candidate, symbols: Sequence[SymbolMeaning], context: Context) -> Doubt:
    """What speaks against a formula with the meanings that were chosen."""
    if reason := _made_up(candidate):
        return Doubt("number_not_in_source", reason)
    if reason := _units_not_stated(candidate, symbols, context):
        return Doubt("units_not_stated", reason)
    if reason := _disagreement(candidate, symbols, context):
        stated = _stated_otherwise(candidate, symbols, context)
        return Doubt("dimensions", f"{reason}{_fitting(candidate, symbols, stated)}", stated)
    unsaid = [one for one in symbols if one.name not in candidate.told]
    if not context.is_abstract and (reason := _unusual(unsaid, _stated_units(candidate, symbols, context))):
        return Doubt("unusual_dimension", reason)
    return Doubt()


def _made_up(candidate: Candidate) -> str:
    """That a number of the formula does not stand where it was read; empty if all do."""
    reading, math = candidate.read.reading, candidate.read.occurrence.math
    # Macros of the author may hold a number that the quote does not show; other sources say no more than the quote.
    text = f"{math.quote} {math.source}" if math.notation == "latex" else math.quote
    is_written_out = any(flag.code == "written_out" for flag in reading.flags)
    number = foreign_number(candidate.written, text, terms=MOST_TERMS if is_written_out else 0)
    return "" if number is None else f"the number {number} does not stand in the text that the formula was read from"


def _units_not_stated(candidate: Candidate, symbols: Sequence[SymbolMeaning], context: Context) -> str:
    """That a formula holds for numbers of units which the text does not state; empty where it does not need to."""
    if candidate.equation is not candidate.written or recognition(candidate.equation) >= _SURE:
        # A known relation between quantities holds in any units, whatever its numbers are.
        return ""
    units, said, _ = said_units(candidate.equation, candidate.read.occurrence, context)
    beside = units_beside(candidate.read)
    if is_undecided(candidate.equation, units, beside):
        return "its number may hold for the numbers in the units that stand beside it, or for quantities in any units"
    # What only follows from the formula itself is known of nobody.
    chosen = {
        symbol.name: symbol.dimension
        for symbol in symbols
        if symbol.dimension is not None and symbol.origin != "inferred"
    }
    missing = unstated_units(candidate.equation, units, chosen, said, beside=beside)
    if not missing:
        return ""
    return f"it holds for the numbers in certain units, which the text does not state for {', '.join(missing)}"


def _disagreement(candidate: Candidate, symbols: Sequence[SymbolMeaning], context: Context) -> str:
    """Why the dimensions cannot agree, by what the document itself says near the formula; empty if they can."""
    chosen = {symbol.name: symbol.dimension for symbol in symbols if symbol.dimension is not None}
    known = {
        symbol.name: symbol.dimension
        for symbol in symbols
        if symbol.dimension is not None and (symbol.origin == "document" or symbol.role == "constant")
    }
    for name, definition in _stated_units(candidate, symbols, context).items():
        assert definition.dimension is not None
        known[name] = definition.dimension
    if not candidate.rows.is_impossible and all(chosen.get(name) == dimension for name, dimension in known.items()):
        # The choice satisfies the formula and says all that the document says.
        return ""
    report = check_dimensions(candidate.equation, known)
    if report.status != "inconsistent":
        return ""
    return "; ".join(disagreement.message for disagreement in report.disagreements) or "the dimensions do not agree"


def _stated_units(
    candidate: Candidate, symbols: Sequence[SymbolMeaning], context: Context
) -> dict[str, SymbolDefinition]:
    """What the document says near the formula of symbols whose unit it states."""
    chosen = {symbol.name: symbol.dimension for symbol in symbols if symbol.dimension is not None}
    stated = {}
    for symbol in symbols:
        near = in_scope(said_of(context.definitions, symbol.name, chosen), candidate.read.occurrence)
        # A unit alone, without a word of what it is the unit of, may belong to another symbol of the sentence; a table
        # of constants speaks of what it lists, not of every other quantity that has the letter.
        is_said = bool(near) and bool(near[0].description) and near[0].confidence >= _SURE
        is_said = is_said and near[0].source != CONSTANTS
        if is_said and near[0].dimension is not None and near[0].unit is not None:
            stated[symbol.name] = near[0]
    return stated


def _stated_otherwise(
    candidate: Candidate, symbols: Sequence[SymbolMeaning], context: Context
) -> dict[str, SymbolMeaning]:
    """The symbols that were given another dimension than the document says, as the document has them."""
    stated = _stated_units(candidate, symbols, context)
    return {
        symbol.name: replace(
            symbol,
            description=said.description,
            unit=said.unit,
            dimension=said.dimension,
            kind=said.kind,
            origin="document",
            evidence=said.span,
        )
        for symbol in symbols
        if (said := stated.get(symbol.name)) is not None and said.dimension != symbol.dimension
    }


def _fitting(candidate: Candidate, symbols: Sequence[SymbolMeaning], disputed: Mapping[str, SymbolMeaning]) -> str:
    """Which units would fit in place of those stated; empty where none do."""
    chosen = {symbol.name: symbol.dimension for symbol in symbols if symbol.dimension is not None}
    if candidate.rows.is_impossible or check_dimensions(candidate.equation, chosen).status == "inconsistent":
        return ""
    units = [f"{one.name} in {one.unit}" for one in symbols if one.name in disputed and one.unit]
    return f"; it would fit with {', '.join(units)}" if units else ""


def _unusual(symbols: Sequence[SymbolMeaning], stated: Collection[str]) -> str:
    """Why a formula is set aside for review: a well-known symbol would need a dimension that it never has.

    A misprint, a wrong answer offered in a quiz or a unit taken for a symbol shows in this way. Where the others are
    not sure either, the letter rather means something that no table lists.
    """
    for symbol in symbols:
        if symbol.origin == "inferred" and symbol.dimension is not None and _never_has(symbol.name, symbol.dimension):
            others = [other for other in symbols if other is not symbol]
            if all(_is_firm(other, other.name in stated) for other in others):
                return f"no usual meaning of {symbol.name} fits: it would have the dimension {symbol.dimension}"
    return ""


def _never_has(name: str, dimension: Dimension) -> bool:
    """Whether a symbol has usual meanings, and none of this dimension."""
    is_coefficient = split_name(name).letter in _COEFFICIENTS
    usual = kinds_for_symbol(name)
    return not is_coefficient and has_usual_meanings(name) and all(item.dimension != dimension for item in usual)


def _is_firm(symbol: SymbolMeaning, has_unit: bool) -> bool:
    """Whether the dimension of a symbol is beyond doubt: its unit is stated, or it is a constant. Words alone ("service
    rate") leave it open, and so does a letter."""
    return has_unit or symbol.origin == "edited" or symbol.role == "constant"
