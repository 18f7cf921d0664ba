"""Whether two sources are one formula to a person of the field: printed alike, or read to one canonical form."""

from __future__ import annotations

import re
from functools import lru_cache

from mathrag.compute.canonical import canonical_key, is_too_large
from mathrag.compute.latex import read_latex
from mathrag.types.expression import Declined, Equation, Reading, Symbol, equation_symbols
from pdf_truth.normal_form import normal_form

_ALIGNED = re.compile(r"\\(?:begin|end)\{(?:aligned|align|split|gathered|gather|multline|eqnarray)\*?\}")
_GRID = re.compile(r"\\begin\{(?:[pbvBV]?matrix|smallmatrix|cases|array)\}")
_GOES_ON = re.compile(r"[=+\-<>]|\\(?:approx|equiv|leq?|geq?|sim|propto|cdot|times|quad|qquad|pm)\b")
_WIDE_SPACE = re.compile(r"[,;]?\s*\\(?:q?quad|newline)\b(?:\s*\\q?quad\b)*|;\s|,\s*\\[ ;:]")


def same_formula(first: str, second: str) -> bool:
    """Strict: nothing but spacing, sizes, synonyms and what the formula reader knows to be the same may differ."""
    if normal_form(first) == normal_form(second):
        return True
    keys = keys_of(first)
    if keys is not None and keys == keys_of(second):
        return True
    # A comma before a wide space separates statements like the space alone.
    parts, others = parts_of(first), parts_of(second)
    return 1 < len(parts) == len(others) and all(same_formula(*pair) for pair in zip(parts, others, strict=True))


@lru_cache(maxsize=50_000)
def reading_of(source: str) -> Reading | Declined:
    """What the formula reader makes of it; lines that were only aligned are joined first."""
    if not _GRID.search(source):
        source = _ALIGNED.sub(" ", source).replace("&", " ").replace(r"\\", " ")
    return read_latex(source.rstrip(" .,;"))


@lru_cache(maxsize=50_000)
def keys_of(source: str) -> tuple[str, ...] | None:
    """The canonical forms of what is read, in order; None where it is declined or too large to tell."""
    reading = reading_of(source)
    if isinstance(reading, Declined):
        return None
    equations = reading.equations
    if not equations and reading.expression is not None:
        equations = (Equation(Symbol("value_of_the_expression"), reading.expression),)
    if not equations or any(is_too_large(each) for each in equations):
        return None
    return tuple(
        f"{each.relation} {canonical_key(each)} {' '.join(sorted(equation_symbols(each)))}" for each in equations
    )


def parts_of(source: str) -> tuple[str, ...]:
    """The statements that wide spaces hold apart on one line; one part where there is no wide space."""
    if _GRID.search(source):
        return (source,)
    if _ALIGNED.search(source):
        return _lines_of(source)
    parts = [part.strip() for part in _WIDE_SPACE.split(source)]
    return tuple(part for part in parts if part)


def _lines_of(source: str) -> tuple[str, ...]:
    """The statements of aligned lines; a line that goes on belongs to the one before."""
    found: list[str] = []
    for line in re.split(r"\\\\|\\cr\b", _ALIGNED.sub(" ", source)):
        bare = line.replace("&", " ").strip()
        if found and (not bare or _GOES_ON.match(bare)):
            found[-1] += " " + bare
        else:
            found.append(bare)
    return tuple(found)


def is_side_remark(part: str) -> bool:
    """Whether a part is words or a condition, which a reader may keep apart from the formula."""
    bare = part.strip()
    if bare.startswith((r"\text", r"\mathrm{", r"\mbox", "(")) or re.search(r"\\(?:ldots|dots|cdots)", bare):
        return True
    reading = reading_of(bare)
    return isinstance(reading, Declined) or not reading.equations
