"""Which dimensions of a formula's symbols are only guessed, and which of these guesses are none that people would make.

What a symbol is called and what it is measured in are told apart: a document may say the one and not the other. A
dimension is known where the document states a unit or the words leave no other, where it belongs to a constant, and
where what is known of the other symbols demands it. Everything else is a guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from mathrag.compute.dimensions import check_dimensions
from mathrag.knowledge.kinds import kinds_for_dimension, known_kind
from mathrag.knowledge.units import coherent_unit
from mathrag.language.quantity_names import is_unlikely_head, kind_groups, said_dimension
from mathrag.types.expression import Equation
from mathrag.types.library import SymbolMeaning
from mathrag.types.quantity import Dimension

_MONEY = Dimension.of({"currency": 1})


@dataclass(frozen=True, slots=True)
class Guesses:
    """The symbols whose dimension is a guess, and the dimensions that what is known demands of them instead."""

    names: frozenset[str] = frozenset()
    demanded: dict[str, Dimension] = field(default_factory=dict)


def guesses_of(symbols: Sequence[SymbolMeaning], equation: Equation) -> Guesses:
    """What is guessed of the symbols of a formula, and what is not a guess though nobody stated it."""
    guessed = frozenset(one.name for one in symbols if _is_guessed(one))
    if not guessed:
        return Guesses()
    known = {one.name: dimension for one in symbols if one.name not in guessed and (dimension := known_dimension(one))}
    report = check_dimensions(equation, known)
    demanded = {} if report.status == "inconsistent" else {name: report.dimensions[name] for name in report.dimensions}
    held = {one.name for one in symbols if one.dimension is not None and demanded.get(one.name) == one.dimension}
    names = guessed - held
    return Guesses(names, {name: dimension for name, dimension in demanded.items() if name in names})


def known_dimension(meaning: SymbolMeaning) -> Dimension | None:
    """The dimension of a symbol, or where nobody could give it one, that which its document's words leave alone."""
    if meaning.dimension is not None or meaning.origin != "document":
        return meaning.dimension
    return said_dimension(meaning.description)


def _is_guessed(meaning: SymbolMeaning) -> bool:
    """Whether nobody stated the dimension of a symbol: it has no constant's, no unit but the usual one, no name that
    stands for one dimension only."""
    if meaning.constant is not None or meaning.role == "constant" or meaning.dimension is None:
        return False
    if meaning.origin == "edited" or meaning.is_unit_stated:
        return False
    if meaning.origin != "document":
        return True
    kind = known_kind(meaning.kind)
    if meaning.unit not in (None, "", coherent_unit(meaning.dimension).text, None if kind is None else kind.unit):
        return False
    words = meaning.description or ("" if kind is None else kind.name)
    return said_dimension(words) != meaning.dimension


def without_made_up_units(symbols: Sequence[SymbolMeaning], equation: Equation) -> tuple[SymbolMeaning, ...]:
    """The symbols without guessed dimensions that no quantity has or that their own words deny, and without money of
    which nobody speaks: nothing is known of these but what they are called."""
    guesses = guesses_of(symbols, equation)
    is_of_money = any(one.name not in guesses.names and _has_money(one.dimension) for one in symbols)
    return tuple(
        replace(
            one,
            unit=None,
            dimension=None,
            kind=None,
            origin="unknown" if one.origin == "inferred" else one.origin,
        )
        if one.name in guesses.names and _is_made_up(one, is_of_money=is_of_money)
        else one
        for one in symbols
    )


def _is_made_up(meaning: SymbolMeaning, *, is_of_money: bool) -> bool:
    dimension = meaning.dimension
    if dimension is None or dimension.is_dimensionless:
        return False
    said = said_dimension(meaning.description)
    if not kinds_for_dimension(dimension) or said not in (None, dimension):
        return True
    return _has_money(dimension) and not is_of_money and not _speaks_of_money(meaning.description)


def _speaks_of_money(words: str) -> bool:
    return any(
        _has_money(item.dimension) and not is_unlikely_head(words, item)
        for group in kind_groups(words)
        for item in group
    )


def _has_money(dimension: Dimension | None) -> bool:
    return dimension is not None and any(
        own and money for own, money in zip(dimension.exponents, _MONEY.exponents, strict=True)
    )
