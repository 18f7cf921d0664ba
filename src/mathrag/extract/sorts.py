"""Sort what an equation is where it stands: a formula, values put into one, or a statement about one case.

Judges one equation by its own shape and by the titles above it. What formulas of a document are for, told from all of
them together, is decided in `purposes.py`.
"""

from __future__ import annotations

import re
from decimal import Decimal

from mathrag.compute.dimensions import check_dimensions
from mathrag.extract.occurrences import Occurrence
from mathrag.extract.parts import WORKED
from mathrag.extract.phrases import words_of
from mathrag.knowledge.kinds import kinds_for_symbol, kinds_for_words
from mathrag.knowledge.units import is_unit_text, unit_readings
from mathrag.types.document import ListItem, Paragraph
from mathrag.types.expression import (
    Add,
    Call,
    Equation,
    Expression,
    Measure,
    Multiply,
    Negate,
    Number,
    Piecewise,
    Power,
    Symbol,
    children,
    equation_symbols,
    symbols_of,
    walk,
)
from mathrag.types.symbol_names import WORD_LETTERS

_LARGEST_FACTOR = 12
_LONGEST_REMARK = 12
_LONGEST_SYMBOL = 3
_PREFIXES = frozenset(("m", "k", "M", "G"))
_EXAMPLE = re.compile(
    r"\b(?:examples?|worked|solutions?|strategy|discussion|sample|try it|given|applying|practice|check your)\b", re.I
)
# Questions hold wrong answers to choose from and values of one case: what stands there is no source of formulas. A
# title announces them ("Exercises", "5.3 Additional problems", "Problem 7: a crate"); one that only speaks of such a
# thing ("Exercise physiology", "The three-body problem", "Risk assessment") does not.
_ASKING = r"(?:exercises|problems|problem sets?|questions|quiz(?:zes)?|homework|assessments?)"
_KINDS_OF_ASKING = (
    r"(?:practice|additional|challenge|challenging|further|more|extra|general|review|chapter|end|of|section|conceptual"
    r"|concept|discussion|thought|numerical|integrated|cumulative|self|test|sample|assigned|suggested|advanced|selected"
    r"|unit|homework|study|the|your|these)"
)
_ABOUT_WHAT = r"\s*[:#(?&,/–—.-]|\s+(?:\d|[A-Z]\b|(?:and|for|on|from|in|to|with)\b)"
_EXERCISE = re.compile(
    r"^(?:[\dA-Z]{1,3}(?:\.\d+)*[.:)]?\s+)?(?:"
    rf"(?:{_KINDS_OF_ASKING}(?:\s+[\d.]+)?[ -]+)*{_ASKING}(?!\w)(?=$|{_ABOUT_WHAT})"
    r"|(?:exercise|problem|question)(?=$|\s*[:#(–—]|\s+[A-Z]?[.\d]|\s+[A-Z]$)"
    r")|\b(?:exercises|questions|quiz)$|\b(?:"
    r"check your understanding|test prep|multiple choice|short answer|extended response|critical thinking"
    r"|concept items|performance task|grasp check|homework|self.?check)\b",
    re.I,
)


def is_worked_context(occurrence: Occurrence) -> bool:
    """Whether the headings above say that values are put in here."""
    return occurrence.part in WORKED or any(_EXAMPLE.search(title) for title in occurrence.headings[-2:])


def is_exercise(occurrence: Occurrence) -> bool:
    """Whether the headings above say that this is a question to the reader, and no solution to it."""
    titles = occurrence.headings[-3:]
    if _is_an_option(occurrence):
        return True
    if occurrence.part in WORKED:
        return False
    return any(_EXERCISE.search(title) for title in titles) and not any(_EXAMPLE.search(title) for title in titles[-1:])


def _is_an_option(occurrence: Occurrence) -> bool:
    """Whether it is an item of a list under a question: one of several answers to choose from."""
    if occurrence.item is None or len(words_of((*occurrence.before, *occurrence.after))) > _LONGEST_REMARK:
        return False
    for block in occurrence.lead:
        words = words_of(block.content) if isinstance(block, ListItem | Paragraph) else ""
        if "?" in words:
            return True
    return False


def sort_of(
    equation: Equation,
    *,
    is_worked: bool,
    stands_alone: bool,
    explained: frozenset[str] = frozenset(),
    has_units: bool = True,
) -> str:
    """`formula`, `numeric` (values put in) or `statement` (x = 0, x = L: said of a case, no rule).

    `explained` are the symbols that the document explains beside it, which are no units, whatever their letters spell;
    `has_units` says whether letters stand behind a number, as a unit does.
    """
    left, right = symbols_of(equation.left), symbols_of(equation.right)
    measures = _count_measures(equation.left) + _count_measures(equation.right)
    if not left and not right:
        return "numeric"
    if any(isinstance(side, Piecewise) for side in (equation.left, equation.right)) and left and right:
        # A value or a unit is not written by cases.
        return "formula"
    may_be_units = explained.isdisjoint(right)
    may_be_value = may_be_units and has_units
    is_about_units = may_be_units and _is_about_units(equation, is_worked=is_worked, may_be_value=may_be_value)
    if is_about_units or _compares_units(equation):
        return "statement" if not has_value(equation.right) else "numeric"
    if may_be_value and (_is_about_numbers(equation) or _is_in_ohms(equation)):
        return "numeric"
    if not left or not right:
        return _sort_with_number(equation, is_worked=is_worked, stands_alone=stands_alone)
    right_side = equation.right.operand if isinstance(equation.right, Negate) else equation.right
    if isinstance(equation.left, Symbol) and isinstance(right_side, Symbol):
        return "formula" if stands_alone and not is_worked else "statement"
    if measures and (is_worked or measures >= len(set(right))):
        return "numeric" if measures > 1 or is_worked else "formula"
    return "formula" if len(equation_symbols(equation)) > 1 else "statement"


def _sort_with_number(equation: Equation, *, is_worked: bool, stands_alone: bool) -> str:
    """The sort where one side is a number: a rule only if the other side computes something (a sum that is zero)."""
    left, right = symbols_of(equation.left), symbols_of(equation.right)
    measures = _count_measures(equation.left) + _count_measures(equation.right)
    is_rule = stands_alone and len(set(left + right)) > 1
    is_law = is_rule and measures == 1 and not is_worked
    if isinstance(equation.left if left else equation.right, Symbol) or (measures and not is_law):
        return "numeric" if not _is_zero_like(equation) else "statement"
    return "formula" if is_rule else "statement"


def _is_about_units(equation: Equation, *, is_worked: bool, may_be_value: bool) -> bool:
    """Whether its letters are units: `W = J/s` says what a watt is, `x = 34.0 m` gives a value."""
    right = symbols_of(equation.right)
    if not right or not all(map(_may_be_unit, right)):
        return False
    is_value = isinstance(equation.left, Symbol) and has_value(equation.right) and not isinstance(equation.right, Add)
    if may_be_value and is_value and (is_worked or _gives(equation.left, equation.right)):
        return True
    names = equation_symbols(equation)
    if not all(map(_may_be_unit, names)) or (has_value(equation.right) and not may_be_value):
        return False
    known = {name: unit_readings(_spelling(name))[0].dimension for name in names}
    return check_dimensions(equation, known).status == "consistent"


def _may_be_unit(name: str) -> bool:
    """Whether the letters spell a unit; nobody writes one with a subscript."""
    return "_" not in name and is_unit_text(_spelling(name))


def _spelling(name: str) -> str:
    """A symbol as the unit that it may be is written: the capital omega is the ohm."""
    return "Ω" if name == "Omega" else name


def _compares_units(equation: Equation) -> bool:
    """Whether it says what one of a unit is: `1 H = 1 Ohm s`, `1.0 atm = 760 mmHg`. Nobody writes a factor 1 else."""
    is_counted = isinstance(equation.left, Symbol)
    return _is_one_of(equation.left) or (not is_counted and _is_one_of(equation.right))


def _is_one_of(side: Expression) -> bool:
    factors = side.factors if isinstance(side, Multiply) else (side,)
    if isinstance(side, Number):
        return False
    return any(
        (isinstance(factor, Number) and factor.value == 1)
        or (isinstance(factor, Measure) and isinstance(factor.number, Number) and factor.number.value == 1)
        for factor in factors
    )


def _is_about_numbers(equation: Equation) -> bool:
    """Whether it only counts: every letter is a unit or a word beside a measured number, `A_x = 9.0 blocks` or
    `1.0 J / 2.0 kg = 0.5 rad`. What stands alone on the left is what is counted."""
    is_counted = isinstance(equation.left, Symbol)
    sides = [equation.right] if is_counted else [equation.left, equation.right]
    names = [name for side in sides for name in symbols_of(side)]
    if not names or not any(has_value(side) for side in sides) or not all(_is_of_terms(side) for side in sides):
        return False
    if is_counted and any(_names_a_quantity(name) for name in names):
        # `Weight = 9.81 × mass` multiplies a quantity; nobody counts in masses.
        return False
    # A single letter is as often a symbol (`s = 0.75 d`), but hardly beside the same letter in a sum of numbers.
    right = equation.right
    is_one_letter = isinstance(right, Add) and len(set(names)) == 1 and len(names) == len(right.terms)
    may_be_short = not is_counted or is_one_letter
    return all(
        (len(name) > _LONGEST_SYMBOL and name.isalpha() and name not in WORD_LETTERS)
        or (_may_be_unit(name) and (len(name) > 1 or may_be_short))
        for name in names
    )


def _names_a_quantity(name: str) -> bool:
    return len(name) > _LONGEST_SYMBOL and not is_unit_text(name) and bool(kinds_for_words(name.casefold()))


def _is_in_ohms(equation: Equation) -> bool:
    """Whether its letters are an ohm and the prefix that was set apart from it: `R = 200 k Omega`."""
    names = symbols_of(equation.right)
    return has_value(equation.right) and len(names) == 2 and names[0] in _PREFIXES and names[1] == "Omega"


def _is_of_terms(side: Expression) -> bool:
    """Whether a side is a number with units, or a sum of such."""
    if isinstance(side, Negate):
        return _is_of_terms(side.operand)
    terms = side.terms if isinstance(side, Add) else (side,)
    return all(_has_number(term) and not any(isinstance(node, Add | Call) for node in walk(term)) for term in terms)


def _has_number(side: Expression) -> bool:
    return any(isinstance(node, Number | Measure) for node in walk(side))


def _gives(left: Expression, right: Expression) -> bool:
    """Whether the letters on the right, as units, give what the symbol on the left usually is."""
    if not isinstance(left, Symbol):
        return False
    known = {name: unit_readings(_spelling(name))[0].dimension for name in symbols_of(right)}
    report = check_dimensions(Equation(left, right), known)
    found = report.dimensions.get(left.name)
    return (
        report.status == "consistent"
        and found is not None
        and any(item.dimension == found for item in kinds_for_symbol(left.name))
    )


def has_value(side: Expression) -> bool:
    """Whether a measured number stands in it: one with decimals, or larger than those that formulas are made of.

    An exponent is part of the form of a law, whatever its digits.
    """
    pending = [side]
    while pending:
        node = pending.pop()
        if isinstance(node, Number) and (isinstance(node.value, Decimal) or abs(node.value) > _LARGEST_FACTOR):
            return True
        pending.extend((node.base,) if isinstance(node, Power) else children(node))
    return False


def _is_zero_like(equation: Equation) -> bool:
    numeric = equation.right if symbols_of(equation.left) else equation.left
    return not any(isinstance(node, Measure) for node in walk(numeric)) and not list(walk(numeric))[1:]


def _count_measures(side: Expression) -> int:
    return sum(isinstance(node, Measure) for node in walk(side))
