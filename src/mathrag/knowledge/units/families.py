"""Whether two units of one dimension measure the same kind of thing: bits are no angles, and hertz counts turns."""

from __future__ import annotations

import math
import re
from typing import Literal

from mathrag.types.quantity import Dimension, Unit

Family = Literal["angle", "solid angle", "data", "ratio", "level", "plain"]

_ANGLES = re.compile(r"(?:^|[*/(])[a-zµ]?(?:rad|deg|arcmin|arcsec|turn|gon|grad|rpm|revolution)(?![a-z])")
_SOLID = re.compile(r"^[µm]?sr$|^(?:[mµn]?rad|deg|arcmin|arcsec)\^2$")
_DATA = re.compile(r"(?:bit|byte)s?$")
_RATIOS = frozenset(("percent", "ppm", "ppb", "ppt", "permille"))
_LEVELS = re.compile(r"^(?:d?B|dB.*|Np)$")
_FREQUENCY = re.compile(r"^[a-zA-Zµ]?Hz$|^[a-zA-Zµ]?hertz$")
_SPECIAL = re.compile(r"(?:^|[*/(])[a-zA-Zµ]{0,2}(Sv|Gy|Bq|Hz|lm|cd|sr)(?![a-zA-Z])")
_APART = frozenset(
    (("Sv", "Gy"), ("Gy", "Sv"), ("Bq", "Hz"), ("Hz", "Bq"), ("lm", "cd"), ("cd", "lm"), ("sr", ""), ("", "sr"))
)
_RATE = Dimension.of({"time": -1})


def family_of(unit: Unit) -> Family:
    """What a unit without a dimension counts."""
    if _DATA.search(unit.text):
        return "data"
    if _SOLID.match(unit.text):
        return "solid angle"
    if _ANGLES.search(unit.text):
        return "angle"
    if unit.text in _RATIOS:
        return "ratio"
    return "level" if _LEVELS.match(unit.text) else "plain"


def is_angular(unit: Unit) -> bool:
    """Whether an angle is part of the unit (rad/s, rpm)."""
    return _ANGLES.search(unit.text) is not None


def cycles_factor(source: Unit, target: Unit) -> float | None:
    """What to multiply by besides the scales: 1/(2 pi) from rpm to Hz, 1 usually, None where it is unclear."""
    if source.dimension != _RATE or is_angular(source) == is_angular(target):
        return 1.0
    plain = target if is_angular(source) else source
    if not _FREQUENCY.match(plain.text):
        return None
    return 1 / (2 * math.pi) if is_angular(source) else 2 * math.pi


def _special(unit: Unit) -> str:
    """The name in the unit that tells it from others of its dimension."""
    found = _SPECIAL.search(unit.text)
    return found.group(1) if found else ""


def fits(source: Unit, target: Unit) -> bool:
    """Whether a value in one unit can be given in the other."""
    if source.dimension != target.dimension:
        return False
    if not source.dimension.is_dimensionless:
        return (_special(source), _special(target)) not in _APART
    first, second = family_of(source), family_of(target)
    return first == second or {first, second} == {"ratio", "plain"}
