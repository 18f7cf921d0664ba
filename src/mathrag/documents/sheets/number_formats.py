"""What a number format says beside its number: that it is a date, a percentage, or which unit stands behind it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import lru_cache

from mathrag.language.unit_text import unit_of_text

# Excel's own formats that no file spells out.
_DATES = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))
_PERCENTAGES = frozenset((9, 10))
_LITERAL = re.compile(r"\"([^\"]*)\"|\\(.)|_.|\*.|\[[^\]]*\]")
_NUMBER = re.compile(r"[#0?][#0?.,/]*(?:[eE][+-][#0?]+)?")
_DATE_LETTERS = re.compile(r"[dmyhs]", re.IGNORECASE)
_LONGEST = 200
_FIRST_DAY, _FIRST_DAY_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)
_LAST_DAY = 2_958_465


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """How numbers of a cell are shown; `unit` is what stands behind them."""

    is_date: bool = False
    is_percentage: bool = False
    unit: str = ""


PLAIN = NumberFormat()


@lru_cache(maxsize=4096)
def read_format(code: str, number: int = 0) -> NumberFormat:
    """What a format code means; `number` is that of a format which Excel knows without its code."""
    if not code:
        return NumberFormat(is_date=number in _DATES, is_percentage=number in _PERCENTAGES)
    first = code[:_LONGEST].split(";")[0]
    shape = _LITERAL.sub(" ", first)
    placeholder = _NUMBER.search(shape)
    if "%" in shape:
        return NumberFormat(is_percentage=True)
    if placeholder is None:
        is_general = "general" in shape.lower()
        return NumberFormat(is_date=bool(_DATE_LETTERS.search(shape)) and not is_general)
    if re.search(r"[dyhs]", shape, re.IGNORECASE):
        return NumberFormat(is_date=True)
    number_at = _NUMBER.search(first)
    behind = first[number_at.end() :] if number_at else ""
    words = "".join(found[0] or found[1] for found in _LITERAL.findall(behind)).strip()
    is_scaled = bool(re.match(r"\s*,", behind))
    known = unit_of_text(words) if words and not is_scaled else None
    return NumberFormat(unit=words if known is not None and known.text else "")


def date_text(number: Decimal, *, from_1904: bool = False) -> str:
    """The day (and time) of a serial number, `2024-03-05`; empty where it is none."""
    if not 0 <= number <= _LAST_DAY:
        return ""
    moment = (_FIRST_DAY_1904 if from_1904 else _FIRST_DAY) + timedelta(days=float(number))
    moment = (moment + timedelta(milliseconds=500)).replace(microsecond=0)
    if number < 1:
        return f"{moment:%H:%M:%S}"
    return f"{moment:%Y-%m-%d}" if number == number.to_integral_value() else f"{moment:%Y-%m-%d %H:%M:%S}"


def number_text(number: Decimal) -> str:
    """A number as a sheet shows it, with 15 digits at most."""
    value = float(number)
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.15g}"


def percentage_text(number: Decimal) -> str:
    """A share as a percentage."""
    return f"{number_text(Decimal(repr(round(float(number) * 100, 12))))}%"
