"""What states a limit ("F ≤ μ N"), taken where the limit is reached: the equation of its two sides. Only limits that
can be reached have one; "<" never is. Whether a question asks for that case is for whoever asks.
"""

from __future__ import annotations

import re
from typing import Literal

from mathrag.compute.latex import read_latex
from mathrag.compute.pythontext import read_python_text
from mathrag.types.expression import Declined, Equation, Reading

_SIGNS = {
    "latex": re.compile(r"\\(?:leq?|leqq|leqslant|geq?|geqq|geqslant)(?![A-Za-z])|[≤≦⩽≥≧⩾]|<=|>="),
    "python": re.compile(r"[≤≦⩽≥≧⩾]|<=|>="),
}


def has_limit(text: str, notation: Literal["latex", "python"]) -> bool:
    """Whether a formula has a sign of a limit in it."""
    return _SIGNS[notation].search(text) is not None


def equation_at_limit(text: str, notation: Literal["latex", "python"]) -> Equation | Declined:
    """The equation that holds where the one limit of a formula is reached."""
    pieces = _SIGNS[notation].split(text)
    if len(pieces) != 2:
        return Declined(text, "inequality", f"it has {len(pieces) - 1} signs of a limit; one is needed")
    joined = " = ".join(pieces)
    reading: Reading | Declined = read_latex(joined) if notation == "latex" else read_python_text(joined)
    if isinstance(reading, Declined):
        return reading
    if len(reading.equations) != 1:
        return Declined(text, "inequality", "at its limit it is not one equation")
    return reading.equations[0]
