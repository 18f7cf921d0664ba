"""Quotients that people state and ask for as one number: `p_t/p_s`, and the share `N/N_0` that is left of something.

Gives further readings of an equation that holds for every value of its two symbols as long as their quotient is the
same, each with that quotient as one symbol. Scores nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from mathrag.language.typed_symbols import quotient_name
from mathrag.types.expression import (
    ONE,
    Add,
    Call,
    Divide,
    Equation,
    Expression,
    Multiply,
    Negate,
    Power,
    Symbol,
    add,
    divide,
    multiply,
    negate,
    power,
    substitute,
    walk,
)
from mathrag.types.library import SymbolMeaning
from mathrag.types.quantity import Dimension
from mathrag.types.symbol_names import split_name

_MOST_NODES = 400
_MOST_QUOTIENTS = 4
_FIRST = frozenset(("0", "i", "o", "initial", "start"))
_SAYS_FIRST = ("initial", "original", "starting")


@dataclass(frozen=True, slots=True)
class Quotient:
    """An equation with a quotient as one symbol. `is_share` says that it is what is left of something."""

    equation: Equation
    meaning: SymbolMeaning
    is_share: bool


def quotients(equation: Equation, meanings: Mapping[str, SymbolMeaning]) -> Iterator[Quotient]:
    """The readings of an equation with a quotient of two of its symbols as one."""
    nodes = [node for side in (equation.left, equation.right) for node in islice(walk(side), _MOST_NODES)]
    counts = Counter(node.name for node in nodes if isinstance(node, Symbol))
    pairs = dict.fromkeys(pair for pair in _pairs(equation, nodes) if counts[pair[0]] == counts[pair[1]] == 1)
    for above, below in islice(pairs, _MOST_QUOTIENTS):
        one, other = meanings.get(above), meanings.get(below)
        if one is None or other is None or not _are_alike(one, other):
            continue
        name = quotient_name(above, below)
        is_share = _is_first(other) and not _is_first(one) and _letter(above) == _letter(below)
        changes: dict[str, Expression] = {above: Symbol(name), below: ONE}
        left, right = (_without_ones(substitute(side, changes)) for side in (equation.left, equation.right))
        if name in meanings or (isinstance(left, Symbol) and isinstance(right, Symbol)):
            continue
        yield Quotient(Equation(left, right), _meaning(name, one, other, is_share=is_share), is_share)


def _pairs(equation: Equation, nodes: Sequence[Expression]) -> Iterator[tuple[str, str]]:
    """Symbols of which only the quotient counts: the one divided by the other, or each a factor of its own side."""
    for node in nodes:
        if isinstance(node, Divide):
            if isinstance(node.numerator, Symbol) and isinstance(node.denominator, Symbol):
                yield node.numerator.name, node.denominator.name
            yield from _of_one_letter(_factors(node.numerator), _factors(node.denominator))
    for one, other in ((equation.left, equation.right), (equation.right, equation.left)):
        if isinstance(one, Symbol):
            yield from _of_one_letter([one.name], _factors(other.numerator if isinstance(other, Divide) else other))


def _of_one_letter(above: Sequence[str], below: Sequence[str]) -> Iterator[tuple[str, str]]:
    for one in above:
        for other in below:
            if one != other and _letter(one) == _letter(other):
                yield one, other


def _factors(expression: Expression) -> list[str]:
    parts = expression.factors if isinstance(expression, Multiply) else (expression,)
    return [part.name for part in parts if isinstance(part, Symbol)]


def _letter(name: str) -> str:
    return split_name(name).letter


def _is_first(meaning: SymbolMeaning) -> bool:
    """Whether it is what something was in the beginning."""
    words = meaning.description.casefold().split()
    return any(each in words for each in _SAYS_FIRST) or bool(_FIRST.intersection(split_name(meaning.name).subscripts))


def _are_alike(one: SymbolMeaning, other: SymbolMeaning) -> bool:
    return one.dimension == other.dimension and not (one.constant or other.constant)


def _meaning(name: str, one: SymbolMeaning, other: SymbolMeaning, *, is_share: bool) -> SymbolMeaning:
    first, second = (each.description or each.name for each in (one, other))
    description = f"ratio of {first} to {second}"
    if is_share:
        description += f", share of {second}, fraction of {second}, percentage of {second}"
    letter = rf"\frac{{{one.letter or one.name}}}{{{other.letter or other.name}}}"
    return SymbolMeaning(name, description, "", Dimension.of({}), "ratio", origin="document", letter=letter)


def _without_ones(expression: Expression) -> Expression:
    """Without the factors and divisors of one that are left of a symbol."""
    match expression:
        case Add(terms):
            return add(*map(_without_ones, terms))
        case Negate(operand):
            return negate(_without_ones(operand))
        case Multiply(factors):
            return multiply(*(kept for each in factors if (kept := _without_ones(each)) != ONE))
        case Divide(numerator, denominator):
            below = _without_ones(denominator)
            return _without_ones(numerator) if below == ONE else divide(_without_ones(numerator), below)
        case Power(base, exponent):
            return power(_without_ones(base), _without_ones(exponent))
        case Call(function, arguments):
            return Call(function, tuple(map(_without_ones, arguments)))
        case _:
            return expression
