"""Reactions: read from text, and balanced by the exact null space of the elements and the charge. Several independent
ways to balance, or none, are problems in words; nothing is chosen among them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from mathrag.compute.algebra.matrices import null_space
from mathrag.compute.chemistry.formulas import (
    ChemicalFormula,
    ChemistryProblem,
    atom_counts,
    read_chemical_formula,
)
from mathrag.knowledge.elements import element_names

_LONGEST = 400
_MOST_SPECIES = 16
_LARGEST_COEFFICIENT = 10**6

_ARROW = re.compile(r"\s*(?:<?[-–—−=]{1,3}>|[→⟶⇌⇄⟷↔⇒]|\\(?:right|longright)arrow|(?<![<>=])=(?![=>]))\s*")
# A plus between species has blanks around it, unless nothing on that side is charged.
_SPACED_PLUS = re.compile(r"\s+\+\s*(?=[0-9A-Za-z(\[])")
_CLOSE_PLUS = re.compile(r"\+(?=[0-9A-Z(\[])")
_STATE = re.compile(r"\s*\((?:s|l|g|aq)\)$|[↑↓]$", re.IGNORECASE)
_COEFFICIENT = re.compile(r"(?P<above>\d{1,7})(?:/(?P<below>\d{1,3})|\.(?P<decimals>\d{1,4}))?\s*(?=[A-Za-z(\[])")

Resolve: TypeAlias = Callable[[str], ChemicalFormula | None]


@dataclass(frozen=True, slots=True)
class Term:
    """A species of a reaction with its coefficient; None where none is written."""

    formula: ChemicalFormula
    coefficient: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Reaction:
    """What becomes what; coefficients as they are written, or balanced."""

    left: tuple[Term, ...]
    right: tuple[Term, ...]

    @property
    def terms(self) -> tuple[Term, ...]:
        """Both sides, the reactants first."""
        return (*self.left, *self.right)

    def __str__(self) -> str:
        return f"{_side_text(self.left)} → {_side_text(self.right)}"

    def coefficient_of(self, formula: ChemicalFormula) -> Fraction:
        """The coefficient of a species; 0 where it takes no part."""
        return sum((each.coefficient or Fraction(1) for each in self.terms if each.formula == formula), Fraction(0))

    def is_reactant(self, formula: ChemicalFormula) -> bool:
        """Whether a species is used up."""
        return any(each.formula == formula for each in self.left)


def _side_text(terms: Sequence[Term]) -> str:
    return " + ".join(
        f"{'' if each.coefficient in (None, 1) else f'{each.coefficient} '}{each.formula}" for each in terms
    )


def read_reaction(text: str, *, resolve: Resolve | None = None) -> Reaction | ChemistryProblem | None:
    """The reaction that a text is, all of it; None where it is none. `resolve` reads names of substances."""
    if len(text) > _LONGEST:
        return None
    sides = _ARROW.split(text.strip())
    if len(sides) != 2:
        return None
    read: list[tuple[Term, ...]] = []
    for side in sides:
        terms = _terms(side, resolve)
        if not isinstance(terms, tuple):
            return terms
        read.append(terms)
    if sum(map(len, read)) > _MOST_SPECIES:
        return ChemistryProblem("too_large", f"at most {_MOST_SPECIES} species are balanced")
    return Reaction(read[0], read[1])


def _terms(side: str, resolve: Resolve | None) -> tuple[Term, ...] | ChemistryProblem | None:
    pieces = _SPACED_PLUS.split(side)
    if len(pieces) == 1:
        pieces = _CLOSE_PLUS.split(side)
    found = []
    for piece in pieces:
        term = _term(piece.strip(), resolve)
        if not isinstance(term, Term):
            return term
        found.append(term)
    return tuple(found)


def _term(text: str, resolve: Resolve | None) -> Term | ChemistryProblem | None:
    text = _STATE.sub("", text).strip()
    coefficient: Fraction | None = None
    written = _COEFFICIENT.match(text)
    if written is not None:
        coefficient = Fraction(written[0].strip()) if written["below"] != "0" else None
        if not coefficient:
            return None
        text = text[written.end() :]
    formula = read_chemical_formula(text)
    if formula is None and resolve is not None:
        formula = resolve(text)
    return formula if not isinstance(formula, ChemicalFormula) else Term(formula, coefficient)


def is_balanced(reaction: Reaction) -> bool:
    """Whether elements and charge are conserved with the coefficients as they stand."""
    return not any(
        sum((each.coefficient or 1) * _holds(each.formula, what) for each in reaction.left)
        != sum((each.coefficient or 1) * _holds(each.formula, what) for each in reaction.right)
        for what in _conserved(reaction)
    )


def balance(reaction: Reaction) -> Reaction | ChemistryProblem:
    """The reaction with the smallest whole coefficients, or why it has none."""
    formulas = [each.formula for each in reaction.terms]
    problem = _one_sided(reaction)
    if problem is not None:
        return problem
    if len(set(formulas)) < len(formulas):
        return ChemistryProblem("unsolved", "a species stands twice in the reaction: nothing decides its coefficients")
    signs = [1] * len(reaction.left) + [-1] * len(reaction.right)
    ways = null_space(
        tuple(
            tuple(Fraction(sign * _holds(each, what)) for sign, each in zip(signs, formulas, strict=True))
            for what in _conserved(reaction)
        )
    )
    if not ways:
        return ChemistryProblem("unsolved", f"no coefficients balance {_plainly(reaction)}: {_why_none(reaction)}")
    if len(ways) > 1:
        return ChemistryProblem(
            "ambiguous",
            f"{_plainly(reaction)} can be balanced in {len(ways)} independent ways: the elements alone do not decide "
            "which is meant",
        )
    whole = _whole(ways[0])
    if any(each <= 0 for each in whole):
        out = next(each for each, number in zip(formulas, whole, strict=True) if number <= 0)
        said = f"no positive coefficients balance {_plainly(reaction)}"
        return ChemistryProblem("unsolved", f"{said}: {out} would have none or stand on the other side")
    if max(whole) > _LARGEST_COEFFICIENT:
        return ChemistryProblem("too_large", "the coefficients are larger than those of any real reaction")
    terms = [Term(each, Fraction(number)) for each, number in zip(formulas, whole, strict=True)]
    return Reaction(tuple(terms[: len(reaction.left)]), tuple(terms[len(reaction.left) :]))


def reaction_among(formulas: Sequence[ChemicalFormula]) -> Reaction | None:
    """The one reaction that species can have with each other, all taking part; None where there is none, or several.
    Which side becomes the other is not told by the elements: the first species stands on the left."""
    if not 2 <= len(formulas) <= _MOST_SPECIES or len(set(formulas)) < len(formulas):
        return None
    conserved = _conserved(Reaction(tuple(map(Term, formulas)), ()))
    ways = null_space(tuple(tuple(Fraction(_holds(each, what)) for each in formulas) for what in conserved))
    if len(ways) != 1 or not all(ways[0]):
        return None
    whole = _whole(ways[0])
    sign = 1 if whole[0] > 0 else -1
    terms = [Term(each, Fraction(abs(number))) for each, number in zip(formulas, whole, strict=True)]
    left = tuple(term for term, number in zip(terms, whole, strict=True) if number * sign > 0)
    right = tuple(term for term, number in zip(terms, whole, strict=True) if number * sign < 0)
    return Reaction(left, right)


def turned(reaction: Reaction) -> Reaction:
    """The same reaction the other way round."""
    return Reaction(reaction.right, reaction.left)


def _plainly(reaction: Reaction) -> str:
    return str(
        Reaction(
            tuple(Term(each.formula) for each in reaction.left), tuple(Term(each.formula) for each in reaction.right)
        )
    )


def _conserved(reaction: Reaction) -> list[str]:
    """The elements, in the order in which they occur, and the charge (the empty text) where something has one."""
    symbols = dict.fromkeys(symbol for each in reaction.terms for symbol in atom_counts(each.formula))
    return [*symbols, *([""] if any(each.formula.charge for each in reaction.terms) else [])]


def _holds(formula: ChemicalFormula, what: str) -> int:
    return atom_counts(formula).get(what, 0) if what else formula.charge


def _one_sided(reaction: Reaction) -> ChemistryProblem | None:
    left = {symbol for each in reaction.left for symbol in atom_counts(each.formula)}
    right = {symbol for each in reaction.right for symbol in atom_counts(each.formula)}
    for symbol in sorted(left ^ right):
        side = "among the reactants" if symbol in left else "among the products"
        return ChemistryProblem(
            "unsolved",
            f"no coefficients balance {_plainly(reaction)}: {element_names()[symbol]} ({symbol}) stands only {side}",
        )
    return None


def _why_none(reaction: Reaction) -> str:
    charges = [each.formula.charge for each in reaction.terms]
    return "elements and charge cannot both be conserved" if any(charges) else "the elements cannot all be conserved"


def _whole(way: Sequence[Fraction]) -> list[int]:
    """The smallest whole numbers in the same ratio."""
    below = math.lcm(*(each.denominator for each in way))
    numbers = [int(each * below) for each in way]
    common = math.gcd(*numbers)
    return [each // common for each in numbers]


def balance_lines(reaction: Reaction) -> tuple[str, ...]:
    """How often each element, and which charge, stands on both sides of a balanced reaction."""
    lines = []
    for what in _conserved(reaction):
        left = [each for each in reaction.left if _holds(each.formula, what)]
        right = [each for each in reaction.right if _holds(each.formula, what)]
        total = sum((each.coefficient or Fraction(1)) * _holds(each.formula, what) for each in left)
        if what:
            lines.append(f"{what}: {_sum_text(left, what)} = {_sum_text(right, what)} = {total}")
        else:
            lines.append(f"charge: {'+' if total > 0 else ''}{total} on both sides".replace("-", "−"))
    return tuple(lines)


def _sum_text(terms: Sequence[Term], what: str) -> str:
    return " + ".join(f"{each.coefficient or 1} × {_holds(each.formula, what)}" for each in terms)
