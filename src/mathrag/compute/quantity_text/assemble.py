"""Join mentions that belong together: `2 min 30 s`, ranges, and lists that share the unit of their last member."""

from __future__ import annotations

import re
from dataclasses import replace

from mathrag.compute.quantity_text.mention import Mention

# Units that people write in steps, largest first; the last of a chain gives the unit.
_STEPS = (
    ("year", "month", "week", "day", "h", "min", "s", "ms"),
    ("mi", "yd", "ft", "inch"),
    ("stone", "lb", "oz"),
    ("deg", "arcmin", "arcsec"),
    ("km", "m", "cm", "mm"),
    ("kg", "g"),
    ("USD", "US_cent"),
)
_STEP_GAP = re.compile(r"^(?:[ \u00a0]{0,2}|,? and |, )$")
_METRIC_GAP = re.compile(r"^[ \u00a0]{0,2}$")
_LIST_GAP = re.compile(r"^(?:,? ?(?:and|or|to|by|x|X|×|through|plus) ?|\s?[-–—−]\s?)$")
_COMMA_GAP = re.compile(r"^, ?$")
_RANGE_GAP = re.compile(r"^\s?[-–—−]\s?$")


def assemble(text: str, mentions: list[Mention]) -> tuple[Mention, ...]:
    """Steps first, then units handed down from the end of a list."""
    return tuple(_distributed(text, _stepped(text, mentions)))


def _stepped(text: str, mentions: list[Mention]) -> list[Mention]:
    joined: list[Mention] = []
    for mention in mentions:
        if joined and (whole := _step(text, joined[-1], mention)) is not None:
            joined[-1] = whole
        else:
            joined.append(mention)
    return joined


def _step(text: str, larger: Mention, smaller: Mention) -> Mention | None:
    """The two as one quantity, when the second continues the first in a smaller unit."""
    if larger.kind != "quantity" or smaller.kind != "quantity" or smaller.symbol or smaller.value < 0:
        return None
    if larger.uncertainty is not None or smaller.uncertainty is not None or not isinstance(larger.value, int):
        return None
    gap = text[larger.end : smaller.start]
    for steps in _STEPS:
        first = next((unit for unit in larger.units[:1] if unit.text in steps), None)
        pool = (*smaller.units, *smaller.rare_units)
        second = next((unit for unit in pool if unit.text in steps), None)
        if first is None or second is None or steps.index(second.text) <= steps.index(first.text):
            continue
        pattern = _METRIC_GAP if steps[0] in ("km", "kg") else _STEP_GAP
        ratio = first.scale / second.scale
        if not pattern.match(gap) or smaller.value >= ratio:
            continue
        value = larger.value * ratio + smaller.value
        if abs(value - round(value)) < 1e-9 * abs(value):
            value = round(value)
        return replace(
            larger,
            end=smaller.end,
            text=text[larger.start : smaller.end],
            value=value,
            units=(second,),
            rare_units=(),
            significant_figures=None,
        )
    return None


def _is_comma_list(text: str, mentions: list[Mention], index: int) -> bool:
    """A comma alone joins only in a list of three or more: `2, 4, 8 m`, `2, 4 and 8 m`."""
    if not _COMMA_GAP.match(text[mentions[index].end : mentions[index + 1].start]):
        return False
    if mentions[index + 1].distributed:
        return True
    earlier = mentions[index - 1] if index else None
    return (
        earlier is not None
        and earlier.kind == "number"
        and not earlier.symbol
        and bool(_COMMA_GAP.match(text[earlier.end : mentions[index].start]))
    )


def _distributed(text: str, mentions: list[Mention]) -> list[Mention]:
    """Walk backwards: a bare number before a list separator takes the unit of the one behind it."""
    result = list(mentions)
    for index in range(len(result) - 2, -1, -1):
        mention, following = result[index], result[index + 1]
        gap = text[mention.end : following.start]
        is_range = bool(_RANGE_GAP.match(gap)) and following.kind in ("quantity", "range", "number")
        if is_range and mention.kind in ("quantity", "number", "count") and not following.symbol:
            result[index + 1] = following = replace(following, kind="range")
        elif following.symbol or not (_LIST_GAP.match(gap) or _is_comma_list(text, result, index)):
            continue
        if mention.units or mention.kind not in ("number", "count") or not following.units:
            if is_range and mention.kind in ("quantity", "number"):
                result[index] = replace(mention, kind="range")
            continue
        if mention.kind == "count" or (mention.symbol and not is_range):
            continue
        result[index] = replace(
            mention,
            kind="range" if is_range else "quantity",
            units=following.units,
            rare_units=following.rare_units,
            distributed=True,
        )
    return result
