"""Units as people print them, in plain text (m/s², °C) and in LaTeX, from canonical text. Converts nothing."""

from __future__ import annotations

import re
from functools import lru_cache

from mathrag.types.quantity import Unit

_RAISED_DIGITS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_NAMES = {
    "degC": "°C",
    "degF": "°F",
    "delta_degC": "°C",
    "delta_degF": "°F",
    "deg": "°",
    "percent": "%",
    "ohm": "Ω",
    "angstrom": "Å",
    "arcmin": "′",
    "arcsec": "″",
    "inch": "in",
    "g_0": "g₀",
}
_LATEX_NAMES = {
    "degC": "{}^{\\circ}C",
    "degF": "{}^{\\circ}F",
    "delta_degC": "{}^{\\circ}C",
    "delta_degF": "{}^{\\circ}F",
    "deg": "{}^{\\circ}",
    "percent": "\\%",
    "ohm": "\\Omega",
    "angstrom": "\\mathring{A}",
    "arcmin": "{}^{\\prime}",
    "arcsec": "{}^{\\prime\\prime}",
    "inch": "in",
    "g_0": "g_{0}",
}
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_UNIT_POWER = re.compile(r"\^(-?\d{1,4})(?!\d)")
_FRACTION = re.compile(r"\^\((-?\d{1,4}/\d{1,4})\)")


# Units that are words, and so have a plural behind a number.
_WORDS = frozenset("year month week day".split())


@lru_cache(maxsize=1024)
def plain_unit(text: str) -> str:
    """`kg*m^2/s^2` as kg·m²/s²."""
    named = _NAME.sub(lambda found: _plain_name(found.group()), text)
    raised = _UNIT_POWER.sub(lambda found: found.group(1).translate(_RAISED_DIGITS), named)
    return raised.replace("*", "·")


def _plain_name(name: str) -> str:
    if name in _NAMES:
        return _NAMES[name]
    if name.endswith("ohm") and len(name) <= 5:
        return _micro(name[:-3]) + "Ω"
    return _micro(name) if len(name) > 1 and name[0] == "u" and name[1:] in _MICRO else name


# Units that are met with the prefix micro; other names that begin with u are left alone.
_MICRO = frozenset("m g s A V W J N F H T C L Pa mol eV Hz K S Sv Gy Bq M bar l Wb ohm rad".split())


def _micro(text: str) -> str:
    return f"µ{text[1:]}" if text.startswith("u") else text


@lru_cache(maxsize=1024)
def latex_unit(text: str) -> str:
    """The unit upright, with a thin space before it; empty for a plain number."""
    if not text:
        return ""
    named = _NAME.sub(lambda found: _latex_name(found.group()), text)
    raised = _FRACTION.sub(r"^{\1}", _UNIT_POWER.sub(r"^{\1}", named))
    space = "" if text in ("deg", "arcmin", "arcsec") else "\\,"
    upright = raised.replace("*", "\\,")
    return f"{space}\\mathrm{{{upright}}}"


def _latex_name(name: str) -> str:
    if name in _LATEX_NAMES:
        return _LATEX_NAMES[name]
    if name.endswith("ohm") and len(name) <= 5:
        return ("\\mu " if name[0] == "u" else name[:-3]) + "\\Omega"
    if len(name) > 1 and name[0] == "u" and name[1:] in _MICRO:
        return f"\\mu {name[1:]}"
    return name.replace("_", "\\_")


def joined(number: str, unit: Unit) -> str:
    """A number and its unit in plain text: a blank between them, none before a degree sign."""
    text = plain_unit(unit.text)
    if not text:
        return number
    if text in _WORDS and number != "1":
        text += "s"
    return f"{number}{text}" if text in "°′″" else f"{number} {text}"
