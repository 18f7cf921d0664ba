"""LaTeX read once: definitions, constants and formulas ask for the same pieces. Adds nothing to the reader."""

from __future__ import annotations

from functools import lru_cache

from mathrag.compute.latex import read_latex
from mathrag.types.expression import Declined, Reading


@lru_cache(maxsize=4096)
def latex_reading(source: str, symbols: tuple[str, ...] = (), terms: int | None = None) -> Reading | Declined:
    """What `read_latex` gives; it never changes, so it can be shared."""
    return read_latex(source, symbols, terms=terms)
