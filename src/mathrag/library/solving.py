"""Solve a formula of a library, or one that is written out, for a symbol in closed form. Puts no values in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mathrag.calculator import Failure, latex_text, python_text, resolve_symbol, solve, understood
from mathrag.errors import SolveError, UsageError
from mathrag.library.worked_results import Solved, SolvedForm
from mathrag.settings import load_settings
from mathrag.types.expression import Equation, equation_symbols

if TYPE_CHECKING:
    from mathrag.library.facade import Library


def solve_formula(library: Library, formula: str, symbol: str) -> Solved:
    """A formula, by its id or label or as LaTeX or text, solved for a symbol."""
    equations = _equations(library, formula)
    names = {name for equation in equations for name in equation_symbols(equation)}
    wanted = resolve_symbol(symbol, sorted(names))
    settings = load_settings()
    failure = ""
    for equation in equations:
        if wanted not in equation_symbols(equation):
            continue
        found = solve(equation, wanted, seconds=settings.solve_seconds, megabytes=settings.solve_megabytes)
        if isinstance(found, Failure):
            failure = found.message
            continue
        return Solved(
            wanted,
            tuple(
                SolvedForm(wanted, python_text(one.expression), latex_text(one.expression), one.is_default, one.note)
                for one in found.solutions
            ),
        )
    raise SolveError(f"it was not solved for {wanted}: {failure or 'the symbol does not occur in it'}")


def _equations(library: Library, formula: str) -> tuple[Equation, ...]:
    if library.find_formulas(formula):
        known = library.formula(formula)
        if known.equation is None:
            raise UsageError(f"{known.label or known.id} cannot be computed with: {known.reason}")
        return (known.equation,)
    equations = understood(formula).equations
    if not equations:
        raise UsageError("there is no equation; give the id of a formula, or write one with an equals sign")
    return equations
