"""Sums, means and differences of logarithmic values: decibels and pH. Not their numbers add, but what they stand for.

A sum or a mean is computed over the powers or concentrations behind the values, and the rule is said. What means one
thing in one trade and another in the next (a difference, a multiple) is refused with both readings.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.result import (
    DirectFailure,
    DirectOutcome,
    DirectResult,
    Stated,
    figures_for,
    stated,
    with_unit,
)
from mathrag.types.answer import Provenance
from mathrag.types.expression import Add, Expression, Measure, Negate, walk
from mathrag.types.quantity import NO_UNIT, Quantity, Unit

_LEVELS = frozenset(("dB",))
# Beyond this no level or pH lies, and powers of ten would leave the floats.
_LARGEST = 3000.0
_MOST_VALUES = 40

_NUMBER = r"[-−+]?[0-9]+(?:\.[0-9]+)?"
_DECIBELS = r"(?:dB(?:\(A\)|A)?|decibels?)"
# From the first digit on: a long number that is no level is not tried from each of its digits.
_LEVEL = rf"(?:(?:sound )?levels? of )?(?<![0-9])(?P<{{}}>{_NUMBER}) ?{_DECIBELS}"
_ACID = rf"(?:an? )?pH(?: values?)?(?: of)? ?(?P<{{}}>{_NUMBER})"
_JOINED = re.compile(r"\s*(?:,?\s*and\s+|,\s*|&\s*)", re.IGNORECASE)
_LEAD = re.compile(
    rf"(?:the )?(?:(?P<mean>{any_of('direct.mean')})|(?P<sum>{any_of('direct.sum')})|(?P<gap>{any_of('direct.gap')}))"
    r"(?: (?:sound )?level| value)?(?: of| between)(?: the)? (?P<rest>.{1,600})",
    re.IGNORECASE,
)
_SIGNED = re.compile(r"\s*(?P<sign>\+|-|−|plus|minus)\s*", re.IGNORECASE)
_ONE_LEVEL = re.compile(_LEVEL.format("value"), re.IGNORECASE)
_ONE_ACID = re.compile(_ACID.format("value"), re.IGNORECASE)
_BARE = re.compile(rf"(?P<value>{_NUMBER})")


@dataclass(frozen=True, slots=True)
class _Scale:
    """A logarithmic scale: the value is `factor` times the decimal logarithm of what is behind it."""

    factor: float
    unit: Unit
    behind: str
    rule: str


def _decibels() -> _Scale:
    rule = "10 log10 of the sum of 10^(L/10)"
    return _Scale(10.0, read_canonical_unit("dB"), "powers of sources that do not interfere", rule)


def _acidity() -> _Scale:
    rule = "-log10 of the concentrations 10^-pH"
    return _Scale(-1.0, NO_UNIT, "concentrations of hydrogen ions in equal volumes that do not react", rule)


def is_level(unit: Unit) -> bool:
    """Whether values in the unit are logarithms, which do not add as numbers."""
    return unit.text in _LEVELS


def answer_levels(core: str) -> DirectOutcome:
    """`the average of 60 dB and 70 dB`, `60 dB + 60 dB`, `the mean of pH 3 and pH 5`."""
    for pattern, scale in ((_ONE_LEVEL, _decibels), (_ONE_ACID, _acidity)):
        if pattern.search(core) is None:
            continue
        lead = _LEAD.fullmatch(core)
        if lead is not None:
            found = _listed(lead.group("rest"), pattern)
            kind = "mean" if lead.group("mean") else "gap" if lead.group("gap") else "sum"
            return None if found is None else _combined(found, kind, scale())
        signed = _signed(core, pattern)
        if signed is not None:
            numbers, is_difference = signed
            return _combined(numbers, "gap" if is_difference else "sum", scale())
    return None


def _listed(text: str, pattern: re.Pattern[str]) -> list[Stated] | None:
    """The values of `60, 65 and 70 dB`: all of them, or nothing. A bare number borrows the unit of the others."""
    found: list[Stated] = []
    place = 0
    while place < len(text) and len(found) < _MOST_VALUES:
        match = pattern.match(text, place) or _BARE.match(text, place)
        if match is None:
            return None
        found.append(stated(match.group(), match.group("value").replace("−", "-")))
        place = match.end()
        joint = _JOINED.match(text, place)
        if joint is None and place < len(text):
            return None
        place = joint.end() if joint is not None else place
    return found if len(found) >= 2 else None


def _signed(text: str, pattern: re.Pattern[str]) -> tuple[list[Stated], bool] | None:
    """The values of `60 dB + 65 dB`, and whether one of them is taken away."""
    found: list[Stated] = []
    place, is_difference = 0, False
    while len(found) < _MOST_VALUES:
        match = pattern.match(text, place)
        if match is None:
            return None
        found.append(stated(match.group(), match.group("value").replace("−", "-")))
        sign = _SIGNED.match(text, match.end())
        if sign is None:
            return (found, is_difference) if match.end() == len(text) and len(found) >= 2 else None
        is_difference |= sign.group("sign").lower() not in ("+", "plus")
        place = sign.end()
    return None


def _combined(numbers: Sequence[Stated], kind: str, scale: _Scale) -> DirectOutcome:
    values = [_value(each) for each in numbers]
    if any(abs(value) > _LARGEST for value in values):
        return DirectFailure("too_large", "no level or pH is that large")
    if kind == "gap":
        return _difference(values, scale)
    total = math.fsum(10 ** ((value - values[0]) / scale.factor) for value in values)
    share = total / len(values) if kind == "mean" else total
    if scale.unit == NO_UNIT and kind == "sum":
        # Concentrations add only where nothing dilutes, which is no mixture anyone makes.
        return DirectFailure(
            "ambiguous", "pH values do not add: they are logarithms of concentrations, and a mixture dilutes both parts"
        )
    value = values[0] + scale.factor * math.log10(share)
    figures = figures_for(numbers)
    shown = f"{kind} of {', '.join(each.text.strip() for each in numbers)}"
    plain = math.fsum(values) / (len(values) if kind == "mean" else 1)
    said = f"the {kind} is taken over the {scale.behind} ({scale.rule}); the numbers alone would give {plain:.6g}"
    return DirectResult(
        "arithmetic",
        Quantity(value, scale.unit),
        figures,
        shown,
        working=(shown, scale.rule, f"= {with_unit(value, scale.unit, figures)}"),
        provenance=tuple(Provenance("question", text) for text in dict.fromkeys(each.text.strip() for each in numbers)),
        notes=(said,),
    )


def _difference(values: Sequence[float], scale: _Scale) -> DirectFailure:
    gap = values[0] - math.fsum(values[1:])
    if scale.unit == NO_UNIT:
        said = f"{abs(gap):.6g} pH units are a ratio of concentrations of 10^{abs(gap):.6g}, not a pH"
        return DirectFailure("ambiguous", f"the difference of pH values is not clear: {said}")
    left = 1.0 - math.fsum(10 ** ((value - values[0]) / scale.factor) for value in values[1:])
    rest = f"{values[0] + scale.factor * math.log10(left):.4g} dB" if left > 0 else "nothing"
    return DirectFailure(
        "ambiguous",
        f"a difference of levels has two readings: the levels are {gap:.6g} dB apart (a ratio of powers of "
        f"10^{gap / 10:.6g}), or {rest} is left when one source is switched off; ask for one of them",
    )


def _value(number: Stated) -> float:
    found = _BARE.search(number.text)
    assert found is not None
    return float(found.group().replace("−", "-"))


def level_problem(tree: Expression, units: Sequence[Unit]) -> DirectFailure | None:
    """Why arithmetic with levels has no value: sums with other things, multiples. One level alone is fine."""
    if not any(is_level(unit) for unit in units) or isinstance(tree, Measure | Negate):
        return None
    levels = [node for node in walk(tree) if isinstance(node, Measure) and node.unit in _LEVELS]
    if not levels:
        return None
    what = "added to something else" if isinstance(tree, Add) else "multiplied or divided as numbers"
    return DirectFailure(
        "ambiguous",
        f"levels in dB are logarithms and cannot be {what}: write the sum of the levels, or the powers themselves",
    )
