"""The formulas of the library that was asked, ready to be compared with those that the questions are about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from mathrag.evaluate.formula_matching import (
    bare_text,
    equations_of,
    is_equivalent,
    is_same,
    is_same_but_for_a_letter,
    plain_equation,
    symbol_name,
)
from mathrag.types.expression import Equation, equation_symbols
from mathrag.types.library import Formula

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
