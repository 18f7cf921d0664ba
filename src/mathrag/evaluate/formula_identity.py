"""Whether two formulas are the same: as equations first, then as text; and which formulas of a library are the ones
that questions are about. Grades nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Any, Literal, TypeAlias

from mathrag.compute.equality import same_equation
from mathrag.compute.latex import read_latex
from mathrag.types.expression import (
    ONE,
    Declined,
    Equation,
    Expression,
    Symbol,
    equation_symbols,
    map_symbols,
    rename_equation,
    rename_symbols,
    symbols_of,
)
from mathrag.types.library import Formula

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


# The formulas of the library that was asked, ready to be compared with those that the questions are about.

# `same`: the formula wanted, here or at another place of the documents. `member`: another link of the chain a = b = c
# that it stands in. `equivalent`: the same under other letters.
Likeness: TypeAlias = Literal["same", "member", "equivalent", "other"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A formula that a question is about: its equations, and the formulas of the library that are it.

    `alike` are those that are it but for one letter; they are looked for only where there is no other.
    """

    latex: str
    equations: tuple[Equation, ...]
    formulas: tuple[Formula, ...]
    alike: tuple[Formula, ...] = ()

    @property
    def is_executable(self) -> bool:
        """Whether the library can compute it."""
        return any(formula.status == "executable" for formula in (*self.formulas, *self.alike))

    @property
    def ids(self) -> frozenset[str]:
        """The ids in the library."""
        return frozenset(formula.id for formula in (*self.formulas, *self.alike))


class Catalogue:
    """Formulas by id, by their symbols and by their text."""

    def __init__(self, formulas: Iterable[Formula]) -> None:
        self.by_id: dict[str, Formula] = {}
        self._by_symbols: dict[frozenset[str], list[tuple[Equation, Formula]]] = {}
        self._by_text: dict[str, list[Formula]] = {}
        self._wanted: dict[str, Wanted] = {}
        self._likeness: dict[tuple[str, str, str, frozenset[str]], Likeness] = {}
        for formula in formulas:
            self._add(formula)

    def _add(self, formula: Formula) -> None:
        self.by_id[formula.id] = formula
        if formula.equation is not None:
            plain = plain_equation(formula.equation)
            self._by_symbols.setdefault(frozenset(equation_symbols(plain)), []).append((plain, formula))
        for text in dict.fromkeys((bare_text(formula.latex), *(bare_text(span.quote) for span in formula.spans))):
            self._by_text.setdefault(text, []).append(formula)

    def wanted(self, latex: str) -> Wanted:
        """What the library has of a formula."""
        if latex not in self._wanted:
            equations = equations_of(latex)
            found = {formula.id: formula for formula in self._by_text.get(bare_text(latex), ())}
            for equation in equations:
                for plain, formula in self._by_symbols.get(frozenset(equation_symbols(equation)), ()):
                    if formula.id not in found and is_same(equation, plain):
                        found[formula.id] = formula
            alike = () if found else self._alike(equations)
            self._wanted[latex] = Wanted(latex, equations, tuple(found.values()), alike)
        return self._wanted[latex]

    def _alike(self, equations: Iterable[Equation]) -> tuple[Formula, ...]:
        found: dict[str, Formula] = {}
        for equation in equations:
            names = frozenset(equation_symbols(equation))
            near = [entries for others, entries in self._by_symbols.items() if len(others ^ names) == 2]
            for plain, formula in (entry for entries in near for entry in entries):
                if formula.id not in found and is_same_but_for_a_letter(equation, plain):
                    found[formula.id] = formula
        return tuple(found.values())

    def likeness(self, used: Mapping[str, Any], latex: str, names: frozenset[str]) -> Likeness:
        """How a formula that an answer used compares with one that was wanted.

        `names` are the symbols given and asked for: where some links of a chain have them all, the others are not
        the formula wanted.
        """
        identifier, text = str(used.get("id") or ""), str(used.get("latex") or "")
        key = (identifier, text, latex, names)
        if key not in self._likeness:
            self._likeness[key] = self._compare(identifier, text, latex, names)
        return self._likeness[key]

    def _compare(self, identifier: str, text: str, latex: str, names: frozenset[str]) -> Likeness:
        wanted = self.wanted(latex)
        formula = self.by_id.get(identifier) or next(iter(self._by_text.get(bare_text(text), ())), None)
        if formula is not None and formula.equation is not None:
            equations: tuple[Equation, ...] = (plain_equation(formula.equation),)
        else:
            equations = equations_of(text)
        fitting = [one for one in wanted.equations if names <= frozenset(equation_symbols(one))] or wanted.equations
        if _any_same(equations, fitting):
            return "same"
        if _any_same(equations, wanted.equations):
            return "member"
        if formula is not None and formula in wanted.alike:
            return "equivalent"
        if identifier in wanted.ids or (text and bare_text(text) == bare_text(latex)):
            return "same"
        if formula is not None and any(is_equivalent(formula, one) for one in wanted.formulas):
            return "equivalent"
        return "other"


def _any_same(equations: Iterable[Equation], others: Iterable[Equation]) -> bool:
    return any(is_same(first, second) for first in equations for second in others)


def names_of(given: Iterable[str], target: str | None) -> frozenset[str]:
    """The symbols that a question gives and asks for, by name."""
    return frozenset(map(symbol_name, (*given, *([target] if target else ()))))
