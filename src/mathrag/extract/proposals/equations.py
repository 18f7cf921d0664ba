"""Read the equation of a proposal: its LaTeX first, its Python text second, both the same where both are given."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache

from mathrag.compute.canonical import canonical_key
from mathrag.compute.equality import same_equation
from mathrag.compute.pythontext import read_python_text
from mathrag.extract.definitions.symbols import any_symbol
from mathrag.extract.formula_reader import latex_reading
from mathrag.extract.proposals.records import FormulaProposal, Problem
from mathrag.types.expression import (
    Declined,
    Equation,
    Expression,
    Measure,
    Number,
    Piecewise,
    Reading,
    Series,
    Symbol,
    equation_symbols,
    size_of,
    walk,
)
from mathrag.types.knowledge import is_symbol_name

_LARGEST = 200
_MOST_SYMBOLS = 16
_LARGEST_FACTOR = 12
_PLAIN_DECIMALS = frozenset(Decimal(text) for text in ("0.5", "0.25", "0.75", "1.5", "2.5"))
_DELIMITERS = re.compile(r"^\s*(?:\$\$?|\\\[|\\\(|\\begin\{equation\*?\})|(?:\$\$?|\\\]|\\\)|\\end\{equation\*?\})\s*$")


def proposed_equation(proposal: FormulaProposal) -> Equation | Problem:
    """The one equation that a proposal states, or why it states none."""
    hints = tuple(sorted({name for name in parameter_names(proposal) if len(name) > 1}))
    readings: list[Equation] = []
    for source, is_latex in ((proposal.latex, True), (proposal.python, False)):
        if not source:
            continue
        found = _one_equation(source, hints, is_latex=is_latex)
        if isinstance(found, Problem):
            # What is said twice must be readable twice: one of the two would go unchecked otherwise.
            return found
        readings.append(found)
    if not readings:
        return Problem("no_equation", "it has neither LaTeX nor Python text")
    if len(readings) == 2 and not says_the_same(readings[0], readings[1]):
        return Problem("latex_and_python_differ", "its LaTeX and its Python text are not the same equation")
    return readings[0]


@lru_cache(maxsize=4096)
def says_the_same(first: Equation, second: Equation) -> bool:
    """Whether two equations are the same, however they are solved.

    Those that no symbol stands alone in are compared by their canonical forms only: to find points on them takes long.
    """
    if set(equation_symbols(first)) != set(equation_symbols(second)):
        return False
    if first.target is None or second.target is None:
        return canonical_key(first) == canonical_key(second)
    return same_equation(first, second)


def parameter_names(proposal: FormulaProposal) -> tuple[str, ...]:
    """The names of ours for the symbols that the parameters speak of."""
    found = (symbol_name(parameter.symbol) for parameter in proposal.parameters)
    return tuple(name for name in found if name is not None)


def symbol_name(text: str) -> str | None:
    """The name of ours for a symbol as a model writes it: `\\rho`, `v_0`, `ρ`."""
    seen = any_symbol(text.strip().strip("$").strip())
    return None if seen is None or not is_symbol_name(seen.name) else seen.name


def _one_equation(source: str, hints: Sequence[str], *, is_latex: bool) -> Equation | Problem:
    called = "LaTeX" if is_latex else "Python text"
    reading: Reading | Declined
    if is_latex:
        reading = latex_reading(_DELIMITERS.sub("", source).strip(), tuple(hints))
    else:
        reading = read_python_text(source, tuple(hints))
    if isinstance(reading, Declined):
        return Problem("unreadable", f"its {called} does not read: {reading.reason}")
    if len(reading.equations) != 1:
        return Problem("not_one_equation", f"its {called} is not one equation")
    equation = replace(reading.equations[0], conditions=())
    return _formula_problem(equation) or equation


def _formula_problem(equation: Equation) -> Problem | None:
    """Why an equation is none that a library can use."""
    sides: tuple[Expression, ...] = (equation.left, equation.right)
    if sum(map(size_of, sides)) > _LARGEST or len(equation_symbols(equation)) > _MOST_SYMBOLS:
        return Problem("too_large", "it is larger than formulas are")
    if any(isinstance(node, Piecewise | Series) for side in sides for node in walk(side)):
        return Problem("too_complex", "sums over an index and cases are left to the document's own notation")
    if any(isinstance(node, Measure) for side in sides for node in walk(side)):
        return Problem("value_in_formula", "a number with a unit stands in it, as in a worked example")
    names = equation_symbols(equation)
    if len(names) < 2 or any(isinstance(side, Number) for side in sides):
        return Problem("not_a_formula", "it gives a symbol a value and relates it to nothing")
    if all(isinstance(side, Symbol) for side in sides):
        return Problem("not_a_formula", "it only gives a symbol another name")
    if not all(is_symbol_name(name) for name in names):
        return Problem("unreadable", "a symbol of it has a name that cannot be one")
    return None


def telling_number(equation: Equation) -> str | None:
    """A number that formulas are not made of (1000, 273.15, 3.6): it may convert units that nothing shows any more."""
    numbers = [
        node.value for side in (equation.left, equation.right) for node in walk(side) if isinstance(node, Number)
    ]
    for value in numbers:
        if value not in _PLAIN_DECIMALS and (isinstance(value, Decimal) or value > _LARGEST_FACTOR):
            return str(value)
    return None


def computed_side(equation: Equation) -> Expression:
    """The side that is not the target alone; the right one where no symbol stands alone."""
    target = equation.target
    is_turned = isinstance(equation.right, Symbol) and equation.right.name == target and equation.left != equation.right
    return equation.left if is_turned else equation.right
