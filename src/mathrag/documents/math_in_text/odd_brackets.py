"""Equations in words with one bracket too many: `Pour time = ((full - rest)) * area) / flow`.

Whoever leaves one out in thought reads the rest. Where all ways of leaving one out come to the same equation, that is
what was meant; where they do not, the line stays an equation with a bracket too many, which is declined as such.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate

from mathrag.compute.canonical import canonical_key
from mathrag.compute.latex import read_latex
from mathrag.types.expression import Reading

_MOST_BRACKETS = 12


def without_odd_bracket(text: str, read: Callable[[str], str | None]) -> str | None:
    """LaTeX of a line with one round bracket too many on its right side; None for any other line.

    `read` gives the LaTeX of an equation in words whose brackets close.
    """
    left, relation, right = text.partition("=")
    surplus = right.count(")") - right.count("(")
    if not relation or abs(surplus) != 1 or left.count("(") != left.count(")") or right.count("(") > _MOST_BRACKETS:
        return None
    odd = ")" if surplus > 0 else "("
    tried = (f"{right[:place]}{right[place + 1 :]}" for place, sign in enumerate(right) if sign == odd)
    found = [source for one in dict.fromkeys(tried) if _closes(one) and (source := read(f"{left}={one}")) is not None]
    if not found:
        return None
    if len({_key(source) for source in found}) == 1:
        return found[0]
    start, equals, rest = found[0].partition("=")
    return f"{found[0]} )" if surplus > 0 else f"{start}{equals} ( {rest}"


def _closes(text: str) -> bool:
    depths = list(accumulate((character == "(") - (character == ")") for character in text))
    return not depths or (min(depths) >= 0 and depths[-1] == 0)


def _key(source: str) -> str:
    reading = read_latex(source)
    return " ".join(map(canonical_key, reading.equations)) if isinstance(reading, Reading) else source
