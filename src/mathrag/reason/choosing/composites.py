"""Formulas whose symbols people state together: `P_1 - P_2` as a pressure drop, `-r` as a rate of consumption.

Gives further readings of an equation in which such a piece is one symbol. The equation stays the document's; only what
counts as given changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice

from mathrag.compute.kinds import kinds_for_words
from mathrag.compute.symbol_names import split_name
from mathrag.types.expression import (
    Add,
    Call,
    Divide,
    Equation,
    Expression,
    Multiply,
    Negate,
    Number,
    Power,
    Symbol,
    add,
    divide,
    multiply,
    negate,
    power,
    walk,
)
from mathrag.types.library import SymbolMeaning
from mathrag.types.substitute import substitute

_MOST_NODES = 400


def readings_as_one(
    equation: Equation, meanings: Mapping[str, SymbolMeaning]
) -> Iterator[tuple[Equation, dict[str, SymbolMeaning]]]:
    """Equations with one composite replaced by a symbol, each with the meaning of that symbol."""
    nodes = [node for side in (equation.left, equation.right) for node in islice(walk(side), _MOST_NODES)]
    counts = Counter(node.name for node in nodes if isinstance(node, Symbol))
    # What is subtracted is no quantity of its own; only a factor or a whole side is.
    subtracted = {id(term) for node in nodes if isinstance(node, Add) for term in node.terms}
    for node in nodes:
        found = None
        if isinstance(node, Add) and len(node.terms) == 2:
            found = _difference(node, meanings, counts)
        elif isinstance(node, Negate) and isinstance(node.operand, Symbol) and id(node) not in subtracted:
            found = _opposite(node.operand.name, meanings, counts)
        if found is not None:
            changes, meaning = found
            left, right = (_tidied(substitute(side, changes)) for side in (equation.left, equation.right))
            yield replace(equation, left=left, right=right), {meaning.name: meaning}


def _difference(
    piece: Add, meanings: Mapping[str, SymbolMeaning], counts: Mapping[str, int]
) -> tuple[dict[str, Expression], SymbolMeaning] | None:
    """`P_1 - P_2`, where both stand nowhere else and differ by a subscript only."""
    plus = [term for term in piece.terms if isinstance(term, Symbol)]
    minus = [term.operand for term in piece.terms if isinstance(term, Negate) and isinstance(term.operand, Symbol)]
    if len(plus) != 1 or len(minus) != 1:
        return None
    first, second = plus[0].name, minus[0].name
    letter = split_name(first).letter
    one, other = meanings.get(first), meanings.get(second)
    if letter != split_name(second).letter or counts[first] > 1 or counts[second] > 1 or one is None or other is None:
        return None
    name = f"Delta_{letter}"
    if name in meanings or one.dimension is None or one.dimension != other.dimension or one.constant or other.constant:
        return None
    quantity = one.kind.replace("_", " ") if one.kind else one.description
    kinds = [
        kind.id
        for words in (f"{quantity} difference", f"{quantity} change", f"{quantity} drop")
        for kind in kinds_for_words(words)
        if kind.dimension == one.dimension
    ]
    description = f"{quantity} difference".strip()
    meaning = SymbolMeaning(
        name,
        description,
        one.unit,
        one.dimension,
        kinds[0] if kinds else one.kind,
        origin="inferred",
        letter=rf"\Delta {letter}",
    )
    # Each stands only here, so that one may carry the difference and the other nothing.
    return {first: Symbol(name), second: Number(0)}, meaning


def _opposite(
    name: str, meanings: Mapping[str, SymbolMeaning], counts: Mapping[str, int]
) -> tuple[dict[str, Expression], SymbolMeaning] | None:
    """`-r`, where the symbol stands nowhere else: people state its size."""
    meaning = meanings.get(name)
    if meaning is None or counts[name] > 1 or meaning.constant is not None or meaning.dimension is None:
        return None
    opposite = f"{name}_consumed"
    described = f"{meaning.description or name} consumed"
    changed = replace(meaning, name=opposite, description=described, letter=f"(-{meaning.letter or name})")
    return {name: Negate(Symbol(opposite))}, changed


def _tidied(expression: Expression) -> Expression:
    """Without added zeros and double signs, so that people read the formula they know."""
    match expression:
        case Negate(Negate(inner)):
            return _tidied(inner)
        case Negate(operand):
            return negate(_tidied(operand))
        case Add(terms):
            kept = [_tidied(term) for term in terms if term not in (Number(0), Negate(Number(0)))]
            return add(*kept) if kept else Number(0)
        case Multiply(factors):
            return multiply(*(_tidied(factor) for factor in factors))
        case Divide(numerator, denominator):
            return divide(_tidied(numerator), _tidied(denominator))
        case Power(base, exponent):
            return power(_tidied(base), _tidied(exponent))
        case Call(function, arguments):
            return Call(function, tuple(_tidied(argument) for argument in arguments))
        case _:
            return expression
