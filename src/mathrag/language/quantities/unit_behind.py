"""A unit that is said once, behind values that are named one by one: "LDL 120, HDL 40, TG 150 (mg/dL)", "consumption 7,
exports 2, imports 3 (billion $)", "width 3, height 4, all in cm".

Numbers without names are left alone: what stands in brackets behind "3 by 4 by 5" may be the unit that is asked for.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.quantities.mention import Mention
from mathrag.language.quantities.numbers import SCALES
from mathrag.language.quantities.unit_phrase import unit_after
from mathrag.types.quantity import Unit

_BEHIND = re.compile(
    r"(?:\s*\((?:all )?(?:values )?(?:in )?(?P<bracketed>[^()0-9]{1,24})\)"
    r"|,?\s+all (?:values )?in (?P<told>[^.?!;()0-9]{1,24}))(?=\s*(?:[.?!;]|$))"
)
_NAME = r"(?:the )?[^\W\d_][\w'’/-]*(?: [^\W\d_][\w'’/-]*){0,4}(?: ?[:=])? ?"
_NAMED_NEXT = re.compile(rf"(?:[,;] ?(?:and )?| and ){_NAME}")
_NAMED = re.compile(rf"(?:^|[\s,;:(.?!]){_NAME}$")
_SUM = re.compile(r"(?:(?P<scale>[a-z]+?)s? (?:of )?)?(?P<sign>\$|US\$|USD|(?:US )?dollars)(?: (?P<behind>[a-z]+?)s?)?")
_LEAST = 2


class _Said(NamedTuple):
    """The units that a text behind values may mean, and by what the numbers count in them."""

    units: tuple[Unit, ...]
    rare: tuple[Unit, ...]
    factor: int


def with_unit_behind(text: str, mentions: list[Mention]) -> list[Mention]:
    """The numbers with the unit that stands once behind them all."""
    found = list(mentions)
    for match in _BEHIND.finditer(text):
        said = _said((match["bracketed"] or match["told"]).strip())
        places = _named_numbers(text, found, match.start()) if said is not None else []
        if said is not None and len(places) >= _LEAST:
            for place in places:
                one = found[place]
                found[place] = replace(
                    one, value=one.value * said.factor, kind="quantity", units=said.units, rare_units=said.rare,
                    distributed=True,
                )  # fmt: skip
    return found


def _named_numbers(text: str, mentions: list[Mention], end: int) -> list[int]:
    """The places of the numbers up to `end` that are named one after the other, none of them with a unit."""
    places: list[int] = []
    for place in range(len(mentions) - 1, -1, -1):
        one = mentions[place]
        if one.start >= end:
            continue
        is_next = not text[one.end : end].strip() if not places else _NAMED_NEXT.fullmatch(text[one.end : end])
        if not is_next or one.units or one.symbol or one.kind not in ("number", "count"):
            break
        places.append(place)
        end = one.start
    if places and not _NAMED.search(text[max(0, end - 60) : end]):
        places.pop()
    return places


@lru_cache(maxsize=256)
def _said(words: str) -> _Said | None:
    money = _SUM.fullmatch(words)
    if money is not None:
        scale = money["scale"] or money["behind"]
        factor = 1 if scale is None else SCALES.get(scale)
        return None if factor is None else _Said((read_canonical_unit("USD"),), (), factor)
    unit = unit_after(f"1 {words}", 1, 2)
    if unit is None or unit.end != len(words) + 2 or not unit.usual:
        return None
    return _Said(unit.usual, unit.rare, 1)
