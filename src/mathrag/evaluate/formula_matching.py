"""Whether two formulas are the same: as equations first, then as text. Knows no question and no answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import permutations

from mathrag.compute.equality import same_equation
from mathrag.compute.latex import read_latex
from mathrag.compute.renaming import rename_equation, rename_symbols
from mathrag.types.expression import ONE, Declined, Equation, Expression, Symbol, equation_symbols, symbols_of
from mathrag.types.library import Formula
from mathrag.types.substitute import map_symbols

# How many terms an open sum is written out with, to compare it with one that was.
_TERMS = (2, 3, 4)
# Every order of so many symbols is tried.
_MOST_RENAMED = 6
# An arrow says that it is a vector, a subscript dB in which unit it comes: neither makes it another symbol.
_REMARK = re.compile(r"_(?:vec|dB)(?=_|$)")
_LAYOUT = re.compile(
    r"\\(?:left|right|bigl|bigr|Bigl|Bigr|displaystyle|textstyle|limits|nolimits|quad|qquad|[,;:! ])(?![A-Za-z])"
)
_STYLED = re.compile(r"\\(?:mathrm|text|textrm|mathit|operatorname)\{([A-Za-z0-9]{1,40})\}")
_LONGEST = 4_000


@lru_cache(maxsize=4096)
def equations_of(latex: str) -> tuple[Equation, ...]:
    """Every equation a formula states, in plain form; none where it cannot be read."""
    source = latex[:_LONGEST].replace("\\_", "_")
    found: list[Equation] = []
    reading = read_latex(source)
    if not isinstance(reading, Declined):
        found.extend(reading.equations)
    else:
        for terms in _TERMS:
            written = read_latex(source, terms=terms)
            if not isinstance(written, Declined):
                found.extend(written.equations)
    return tuple(dict.fromkeys(plain_equation(equation) for equation in found))


def plain_equation(equation: Equation) -> Equation:
    """Sizes instead of vectors: an arrow is dropped, a unit vector has size 1. Conditions are dropped too."""
    return Equation(_plain(equation.left), _plain(equation.right))


def _plain(side: Expression) -> Expression:
    return map_symbols(side, _plain_symbol)


def _plain_symbol(name: str) -> Expression:
    return ONE if name.endswith("_hat") else Symbol(plain_name(name))


def plain_name(name: str) -> str:
    """A symbol's name without an arrow and without a remark on its unit."""
    return _REMARK.sub("", name) or name


@lru_cache(maxsize=4096)
def symbol_name(text: str) -> str:
    """The name of a symbol that a question set or an answer writes as LaTeX or as a name already."""
    if text.isidentifier() and text.isascii():
        return plain_name(text)
    reading = read_latex(text[:200].replace("\\_", "_"))
    if not isinstance(reading, Declined) and reading.expression is not None:
        names = symbols_of(reading.expression)
        if len(names) == 1:
            return plain_name(names[0])
    return text


@lru_cache(maxsize=8192)
def bare_text(latex: str) -> str:
    """A formula's text without what only lays it out, for formulas that cannot be read."""
    text = latex[:_LONGEST].strip().strip("$").replace("\\_", "_")
    text = text.replace("\\dfrac", "\\frac").replace("\\tfrac", "\\frac")
    text = _STYLED.sub(r"\1", _LAYOUT.sub("", text))
    return re.sub(r"[\s{}&]|\\\[|\\\]", "", text).rstrip(".,;")


def is_same(first: Equation, second: Equation) -> bool:
    """Whether two plain equations in the same symbols hold for the same values."""
    return set(equation_symbols(first)) == set(equation_symbols(second)) and same_equation(first, second)


def is_same_but_for_a_letter(first: Equation, second: Equation) -> bool:
    """Whether two plain equations are the same once one symbol gets another name, two or more keeping theirs."""
    names, others = set(equation_symbols(first)), set(equation_symbols(second))
    if len(names - others) != 1 or len(others - names) != 1 or len(names & others) < 2:
        return False
    renamed = {(others - names).pop(): (names - others).pop()}
    return same_equation(first, rename_equation(second, renamed))


def is_equivalent(first: Formula, second: Formula) -> bool:
    """Whether two formulas of a library are one under other letters: same form, same dimensions, same kind of result.

    The dimensions of every symbol must be known, or else every product of two would be like every other.
    """
    if first.equation is None or second.equation is None:
        return False
    sizes = {len(equation_symbols(formula.equation)) for formula in (first, second) if formula.equation is not None}
    if len(sizes) != 1 or max(sizes) > _MOST_RENAMED:
        return False
    known, others = ({symbol.name: symbol for symbol in formula.symbols} for formula in (first, second))
    for renamed in _renamings(first, second):
        if any(known[name].dimension != others[other].dimension for name, other in renamed.items()):
            continue
        equation = first.equation
        if same_equation(
            Equation(rename_symbols(equation.left, renamed), rename_symbols(equation.right, renamed)), second.equation
        ):
            kinds = (known[first.target].kind, others[renamed[first.target]].kind) if first.target else (None, None)
            return None in kinds or kinds[0] == kinds[1]
    return False


def _renamings(first: Formula, second: Formula) -> Iterator[dict[str, str]]:
    """Every way to give the symbols of one formula the names of the other's; none where a dimension is unknown."""
    assert first.equation is not None
    assert second.equation is not None
    described = [
        {symbol.name for symbol in formula.symbols if symbol.dimension is not None} for formula in (first, second)
    ]
    names, others = equation_symbols(first.equation), equation_symbols(second.equation)
    if set(names) <= described[0] and set(others) <= described[1]:
        yield from (dict(zip(names, order, strict=True)) for order in permutations(others))
