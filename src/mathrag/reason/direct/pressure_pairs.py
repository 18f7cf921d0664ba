"""Blood pressures as they are written, 128/76: the mean arterial pressure and the pulse pressure of such a pair."""

from __future__ import annotations

import re
from fractions import Fraction

from mathrag.knowledge.units import read_canonical_unit
from mathrag.reason.direct.open_reading import changes_nothing
from mathrag.reason.direct.result import DirectResult, as_number, with_unit
from mathrag.types.answer import Provenance
from mathrag.types.quantity import Quantity

_LONGEST = 200
_PAIR = re.compile(
    r"\b(?:bp|rr|blood pressure)\b(?P<between>[^\d/]{0,30}?)"
    r"(?P<pair>(?P<upper>\d{2,3})\s?(?:/|over)\s?(?P<lower>\d{2,3}))(?![\d/]|\.\d)",
    re.IGNORECASE,
)
_MEAN = re.compile(r"\b(?:map|mean arterial (?:blood )?pressure)\b", re.IGNORECASE)
_PULSE = re.compile(r"\bpulse pressure\b", re.IGNORECASE)
_UNIT = re.compile(r"\b(?:in )?mm\s?hg\b", re.IGNORECASE)
_LOWEST, _HIGHEST = 20, 300
_FIGURES = 3


def answer_pressure_pair(text: str) -> DirectResult | None:
    """The mean or the pulse pressure of the one pair that is stated; None for any other question."""
    if len(text) > _LONGEST:
        return None
    pairs, means, pulses = (list(each.finditer(text)) for each in (_PAIR, _MEAN, _PULSE))
    if len(pairs) != 1 or len(means) + len(pulses) != 1:
        return None
    pair, asked = pairs[0], (means or pulses)[0]
    upper, lower = int(pair["upper"]), int(pair["lower"])
    rest = text.replace(pair[0], f" {pair['between']} ").replace(asked[0], " ")
    if not changes_nothing(_UNIT.sub(" ", rest), known=frozenset("=→")) or not _LOWEST <= lower < upper <= _HIGHEST:
        return None
    if means:
        return _told("mean arterial pressure", pair["pair"], lower + Fraction(upper - lower, 3), _MEAN_RULE)
    return _told("pulse pressure", pair["pair"], Fraction(upper - lower), _PULSE_RULE)


_MEAN_RULE = "MAP = DBP + (SBP − DBP) / 3, as at rest"
_PULSE_RULE = "pulse pressure = SBP − DBP"


def _told(name: str, pair: str, value: Fraction, rule: str) -> DirectResult | None:
    unit, number = read_canonical_unit("mmHg"), as_number(value)
    if number is None:
        return None
    shown = with_unit(number, unit, _FIGURES)
    return DirectResult(
        "list",
        Quantity(number, unit),
        _FIGURES,
        name,
        text=f"The {name} is {shown}.",
        working=(f"{pair} mmHg: systolic and diastolic pressure", f"{rule}: {shown}"),
        provenance=(Provenance("question", pair), Provenance("constant", rule, "definition")),
    )
