"""Currency signs before a number, and the short scales that follow it: `$1.2 million`, `US$ 5`, `$25k`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mathrag.compute.quantity_text.vocabulary import SCALES

_SCALE = re.compile(r"\s?(k|K|M|m|B|bn|million|billion|thousand|trillion)\b")
_FACTORS = {"k": 10**3, "K": 10**3, "M": 10**6, "m": 10**6, "B": 10**9, "bn": 10**9, **SCALES}


@dataclass(frozen=True, slots=True)
class Sign:
    """A currency sign: where it starts, and why it is declined if it is not the dollar."""

    start: int
    note: str = ""


def sign_before(text: str, start: int) -> Sign | None:
    """The currency sign before the number that starts here, with at most one blank between."""
    before = text[max(0, start - 4) : start]
    stripped = before.rstrip(" ")
    if len(before) - len(stripped) > 1 or not stripped:
        return None
    place = start - (len(before) - len(stripped)) - 1
    if place > 0 and text[place - 1].isalnum() and not stripped.endswith("US$"):
        return None  # 6$2: the sign belongs to what stands before it
    if stripped[-1] == "$":
        return Sign(place - 2 if stripped.endswith("US$") else place)
    if stripped[-1] in "€£¥₹":
        return Sign(place, "only US dollars are known; other currencies have no fixed factor")
    return None


def scaled(text: str, end: int, value: int | float) -> tuple[int | float, int]:
    """The amount with its scale (`$25k`, `$1.2 million`) and where that ends."""
    match = _SCALE.match(text, end)
    if match is None:
        return value, end
    amount = value * _FACTORS[match.group(1)]
    return (round(amount) if float(amount).is_integer() else amount), match.end()
