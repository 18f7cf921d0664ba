"""Formulas for the eye: LaTeX of documents as MathML that browsers show. Computes nothing."""

from __future__ import annotations

from functools import lru_cache

from mathrag.answer.cards.content import percent
from mathrag.calculator import formula_mathml
from mathrag.compute.printers.latex import symbol_latex
from mathrag.compute.printers.mathml import mathml_text
from mathrag.compute.printers.plaintext import plain_symbol
from mathrag.errors import MathragError
from mathrag.types.expression import Equation
from mathrag.types.library import Formula

__all__ = ["mathml_of", "mathml_of_equation", "mathml_of_latex", "mathml_of_symbol", "percent", "plain_symbol"]

# Longer LaTeX is a whole page, not a formula.
_LONGEST = 4_000


def mathml_of_equation(equation: Equation) -> str | None:
    """An equation as one `<math>` element; None where it is too deep to print."""
    try:
        return mathml_text(equation)
    except MathragError:
        return None


def mathml_of(formula: Formula) -> str | None:
    """A formula as its document writes it, else as it was understood; None where only its source can be shown."""
    written = mathml_of_latex(formula.latex)
    if written is not None or formula.equation is None:
        return written
    return mathml_of_equation(formula.equation)


@lru_cache(maxsize=4_096)
def mathml_of_latex(latex: str) -> str | None:
    """LaTeX as MathML, as it was written; None where it cannot be laid out."""
    if not latex or len(latex) > _LONGEST:
        return None
    return formula_mathml(latex)


def mathml_of_symbol(name: str) -> str | None:
    """The name of a symbol, such as `omega_1`, as it is written in formulas."""
    if not (name.isascii() and name.isidentifier()):
        return None
    return mathml_of_latex(symbol_latex(name))
