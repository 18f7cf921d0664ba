"""Fractions drawn with a row of dashes over several lines of typed text, as the one line that says the same.

What stands above and below each bar, in its columns, becomes `(above) / (below)`: `yield = (kept - lost) / kept * 100`.
Only where every sign above and below belongs to one bar; a drawing of more storeys is none of ours. Reads no formula.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_BAR = re.compile(r"-{3,}|[─—―–]{2,}")
_RUN = re.compile(r"\S+(?: \S+)*")
_RELATION = re.compile(r"[=≈]")
_VALUE_BEFORE = re.compile(r"[\w)\]]\s*$")
# An x before a number is a sign.
_VALUE_BEHIND = re.compile(r"\s*(?![xX]\s*\d)[\w(\[]")
_WORDS = re.compile(r"[^\W\d_]{3,}(?: [^\W\d_]{2,})*")
# What stands a column beside its bar still belongs to it: people centre by eye.
_BESIDE = 1
_LONGEST = 200
_MOST_BARS = 6


@dataclass(frozen=True, slots=True)
class Drawn:
    """A drawn formula on one line; empty where it is one but cannot be put together."""

    text: str

    @property
    def lines(self) -> int:
        """The lines it takes: above, the bars, below."""
        return 3


def drawn_formula(lines: Sequence[str]) -> Drawn | None:
    """The formula that the first three lines draw; None where they draw none. `lines` may go on."""
    if len(lines) < 3 or any(len(line) > _LONGEST for line in lines[:3]):
        return None
    above, middle, below = (line.expandtabs(8) for line in lines[:3])
    bars = [found.span() for found in _BAR.finditer(middle)]
    rest = _BAR.sub("", middle)
    if not bars or len(bars) > _MOST_BARS or not _RELATION.search(rest) or _RELATION.search(above + below):
        return None
    numerators, denominators = _over(above, bars), _over(below, bars)
    if not any(numerators or ()) or not any(denominators or ()):
        return None if numerators is not None and denominators is not None else Drawn("")
    is_taller = len(lines) > 3 and _overlaps(lines[3].expandtabs(8), bars) and not _RELATION.search(lines[3])
    if numerators is None or denominators is None or not all((*numerators, *denominators)) or is_taller:
        return Drawn("")
    return Drawn(_joined(middle, bars, numerators, denominators))


def _over(line: str, bars: Sequence[tuple[int, int]]) -> list[str] | None:
    """What stands above or below each bar; None where something stands between two of them or beside all."""
    found = [""] * len(bars)
    for run in _RUN.finditer(line):
        start, end = run.span()
        at = [place for place, (first, last) in enumerate(bars) if start >= first - _BESIDE and end <= last + _BESIDE]
        if len(at) != 1:
            return None
        found[at[0]] = f"{found[at[0]]} {run.group()}".strip()
    return found


def _overlaps(line: str, bars: Sequence[tuple[int, int]]) -> bool:
    return any(line[first:last].strip() for first, last in bars) and not line[: bars[0][0]].strip()


def _joined(middle: str, bars: Sequence[tuple[int, int]], above: Sequence[str], below: Sequence[str]) -> str:
    text, done = "", 0
    for (first, last), numerator, denominator in zip(bars, above, below, strict=True):
        before = middle[done:first]
        text += before
        if ((before.strip() or not done) and _VALUE_BEFORE.search(text)) or (done and not before.strip()):
            text = f"{text.rstrip()} * "
        fraction = f"{_grouped(numerator)} / {_grouped(denominator)}"
        behind = middle[last:]
        is_tight = text.rstrip().endswith(("/", "÷", "^")) or behind.lstrip().startswith(("^", "**"))
        text += f"({fraction})" if is_tight else fraction
        if _VALUE_BEHIND.match(behind):
            text += " * "
        done = last
    return f"{text}{middle[done:]}".strip()


def _grouped(part: str) -> str:
    """In parentheses, unless it is one value."""
    is_one = " " not in part and not re.search(r"[-+*/·×÷−–]", part)
    is_whole = part.startswith("(") and part.endswith(")") and ")" not in part[:-1]
    return part if is_one or is_whole or _WORDS.fullmatch(part) else f"({part})"
