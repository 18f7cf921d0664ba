"""The equations that stand in a step, as canonical forms: by these it meets the formulas of the library.

An equation of numbers, or with one symbol alone, is a calculation of this problem and no knowledge; it is left out.
"""

from __future__ import annotations

import re
from functools import lru_cache

from mathrag.compute.canonical import canonical_key
from mathrag.compute.latex import read_latex
from mathrag.types.expression import Declined, Equation, Symbol, walk

# What stands between marks of a formula; the length is bounded, and nothing is tried twice.
_FORMULA = re.compile(
    r"\$\$([^$]{3,300})\$\$|\$([^$]{3,300})\$|\\\(((?:[^\\\n]|\\[^)]){3,300})\\\)|\\\[((?:[^\\]|\\[^\]]){3,300})\\\]"
)
_MOST_FORMULAS = 40
_LEAST_SYMBOLS = 2


def forms_in(text: str) -> tuple[str, ...]:
    """The canonical forms of the equations of a step, each once, in their order."""
    found: dict[str, None] = {}
    for count, match in enumerate(_FORMULA.finditer(text)):
        if count >= _MOST_FORMULAS:
            break
        source = next(group for group in match.groups() if group is not None)
        if "=" in source:
            found.update(dict.fromkeys(_forms(source)))
    return tuple(found)


@lru_cache(maxsize=20_000)
def _forms(source: str) -> tuple[str, ...]:
    reading = read_latex(source)
    if isinstance(reading, Declined):
        return ()
    return tuple(canonical_key(one) for one in reading.equations if len(_symbols(one)) >= _LEAST_SYMBOLS)


def _symbols(equation: Equation) -> set[str]:
    sides = (equation.left, equation.right)
    return {node.name for side in sides for node in walk(side) if isinstance(node, Symbol)}
