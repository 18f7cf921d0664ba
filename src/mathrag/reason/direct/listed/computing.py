"""A relation with its values, computed: exact where it can be, with unit, figures and working. Reads no question."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.enumeration import listed
from mathrag.reason.direct.listed.reading import ReadRelation, Value
from mathrag.reason.direct.listed.rows import Role
from mathrag.reason.direct.listed.ways import WAYS, Columns, Result
from mathrag.reason.direct.result import (
    WHOLE_FIGURES,
    Stated,
    as_number,
    exact_fraction,
    exact_text,
    figures_for,
    with_unit,
)
from mathrag.types.quantity import NO_UNIT, Quantity, Unit

# Shares that were rounded add up to nearly one.
_ROUNDED = Fraction(2, 1000)
_HANDY = 1000
_LONGEST_EXACT = 12
_MONEY, _MONEY_PLACES, _MOST_MONEY_FIGURES = "USD", 2, 15
_MOST_TERMS = 12
# With another unit than the first's these are still what they are; a sum or a root of degrees Celsius is not.
_OF_TEMPERATURES = frozenset(("mean", "median", "weighted_mean"))


@dataclass(frozen=True, slots=True)
class Computed:
    """The result of a relation with what shows how it came about."""

    name: str
    quantity: Quantity
    figures: int
    exact: str
    expression: str
    working: tuple[str, ...]
    texts: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a relation that was understood has no value: a code of `DirectFailure` and a sentence."""

    code: str
    message: str


def computed(read: ReadRelation, *, wanted: Sequence[Unit] = ()) -> Computed | Problem | None:
    """The result, in the unit `wanted` where it has its dimension; None where it has none of them."""
    relation, way = read.relation, WAYS[read.relation.computed]
    problem = _problem(read) or _of_directions(read)
    if problem is not None:
        return problem
    elements = read.values["x"]
    unit = _unit(read)
    if unit is None:
        return None
    columns, notes = _columns(read, unit)
    try:
        value = way.compute(columns)
    except ZeroDivisionError:
        return Problem("division_by_zero", f"the {relation.name} would divide by zero")
    except OverflowError:
        return Problem("overflow", f"the {relation.name} is larger than any number here")
    shown = _with_unit(read, value, unit, wanted)
    if shown is None:
        return None
    value, result_unit = shown
    number = as_number(value)
    if number is None:
        return Problem("overflow", f"the {relation.name} is too large or too small for a number here")
    figures = _figures([each for values in read.values.values() for each in values], number, result_unit)
    exact = exact_text(value, decimals=True) if isinstance(value, Fraction) and not result_unit.text else ""
    texts = tuple(each.text for values in read.values.values() for each in values)
    working = (relation.rule, _shown(read, columns), f"= {with_unit(number, result_unit, figures)}")
    return Computed(
        name=relation.name,
        quantity=Quantity(number, result_unit),
        figures=figures,
        exact=exact if len(exact) <= _LONGEST_EXACT and "/" not in exact else "",
        expression=f"{relation.name} of {listed(_texts([*read.values.get('start', ()), *elements]))}",
        working=working,
        texts=texts,
        notes=(*((relation.note,) if relation.note else ()), *notes),
    )


def _with_unit(read: ReadRelation, value: Result, unit: Unit, wanted: Sequence[Unit]) -> tuple[Result, Unit] | None:
    """A value that was computed with elements in a unit, in the unit in which it is told; None where it has none."""
    relation, way = read.relation, WAYS[read.relation.computed]
    result_unit = _result_unit(read, unit)
    if result_unit is None:
        return None
    if way.is_number:
        return None if wanted else (value, NO_UNIT)
    if way.is_rate:
        value *= exact_fraction(read.values["y"][0].unit.scale)
    if relation.shown_in and (not wanted or wanted[0].text in relation.shown_in):
        # The calories of food are kilocalories.
        wanted = (read_canonical_unit(relation.shown_in),)
    return _in_handy_unit(value, result_unit, read.values["x"], wanted)


# What must hold of the values.


def _problem(read: ReadRelation) -> Problem | None:
    for role in read.relation.roles:
        values = read.values[role.part]
        for value in values:
            if not _is_within(value, role):
                return Problem("domain", f"{value.text} is none of the {role.name}: {_BOUNDS[role.bounds]}")
        whole = sum((value.base * value.times for value in values), Fraction(0))
        must_be_one = role.sums == "one" or (role.sums and all(each.unit.text == "percent" for each in values))
        is_one = abs(whole - 1) <= _ROUNDED or ((read.has_remainder or read.is_completed) and whole < 1)
        if values and must_be_one and not is_one:
            scale, sign = (100, " %") if values[0].unit.text == "percent" else (1, "")
            said = f"the {role.name} sum to {float(whole * scale):.6g}{sign}, not to {scale}{sign}"
            return Problem("domain", f"{said}; there is no {read.relation.name} of an incomplete list")
    return None


def _of_directions(read: ReadRelation) -> Problem | None:
    """Of angles more than half a turn apart it is not told whether they are directions, which meet behind 360°."""
    values = read.values["x"]
    if values[0].unit.dimension.is_dimensionless and values[0].unit.text in _ANGLES and read.relation.name in _MIDDLES:
        bases = [each.base for each in values]
        if max(bases) - min(bases) > exact_fraction(math.pi):
            said = "the angles lie more than half a turn apart: as directions they have another mean than as numbers"
            return Problem("ambiguous", said)
    return None


_ANGLES, _MIDDLES = frozenset(("deg", "rad")), frozenset(("mean", "median"))
_BOUNDS = {
    "": "",
    "positive": "each must be positive",
    "not_negative": "none is negative",
    "not_zero": "none is zero",
    "share": "each lies between 0 and 1",
    "whole": "each is a whole number",
}


def _is_within(value: Value, role: Role) -> bool:
    number = value.base
    within: Mapping[str, bool] = {
        "positive": number > 0,
        "not_negative": number >= 0,
        "not_zero": number != 0,
        "share": 0 <= number <= 1,
        "whole": number.denominator == 1 and number >= 0,
    }
    return within.get(role.bounds, True)


# Units.


def _unit(read: ReadRelation) -> Unit | None:
    """The unit in which the elements are computed with: the one they share, or the smallest of theirs."""
    elements = read.values["x"]
    if read.relation.unit:
        return NO_UNIT
    if not WAYS[read.relation.computed].power:
        return NO_UNIT if elements[0].unit.dimension.is_dimensionless else None
    others = (*read.values.get("start", ()), *read.values.get("fee", ()))
    units = {value.unit.text: value.unit for value in (*elements, *others)}
    if len({each.dimension for each in units.values()}) > 1:
        return None
    if any(unit.is_absolute_temperature for unit in units.values()):
        return elements[0].unit if read.relation.computed in _OF_TEMPERATURES else None
    return min(units.values(), key=lambda unit: unit.scale)


def _columns(read: ReadRelation, unit: Unit) -> tuple[Columns, tuple[str, ...]]:
    """The numbers by part; elements in `unit` (coherent ones where the relation has a unit of its own)."""
    notes: list[str] = []
    scale = exact_fraction(unit.scale)
    in_coherent = bool(read.relation.unit)
    columns: dict[str, list[Fraction]] = {}
    for part, values in read.values.items():
        columns[part] = []
        for value in values:
            is_element = part in ("x", "start", "fee")
            is_plain = part == "t" or (is_element and not in_coherent and value.unit.text == unit.text)
            base = value.number if is_plain else value.base / (scale if is_element else 1)
            columns[part] += [base] * value.times
    if read.has_remainder:
        columns["x"].append(Fraction(0))
        if sum(columns["y"]) < 1:
            notes.append("all other cases are taken to bring nothing")
    if read.has_remainder or read.is_completed:
        columns["y"].append(1 - sum(columns["y"], Fraction(0)))
    if read.are_alike:
        columns["y"] = [sum(columns["x"], Fraction(0)) / len(columns["x"])] * len(columns["x"])
    if "rate" in columns:
        start = columns.pop("start", [])
        columns["x"] = [*start, *columns["x"]]
        if columns["t"]:
            columns["t"] = [Fraction(0)] * (len(start) + read.at_once) + columns["t"]
        else:
            begins_now = columns["x"][0] < 0
            columns["t"] = [Fraction(place + (not begins_now)) for place in range(len(columns["x"]))]
            when = "now" if begins_now else "after one year"
            notes.append(f"the first amount is taken to fall due {when}, each other one a year later")
    return columns, tuple(notes)


def _result_unit(read: ReadRelation, unit: Unit) -> Unit | None:
    """The unit that the number computed in `unit` has."""
    relation, power = read.relation, WAYS[read.relation.computed].power
    if relation.unit:
        return read_canonical_unit(relation.unit)
    if WAYS[relation.computed].is_rate:
        return read_canonical_unit(f"({unit.text})/({read.values['y'][0].unit.text})")
    if not unit.text:
        return read_canonical_unit(relation.unit_of_numbers) if relation.unit_of_numbers else NO_UNIT
    return unit if power == 1 else read_canonical_unit(f"({unit.text})^{power}")


def _in_handy_unit(
    value: Result, unit: Unit, elements: Sequence[Value], wanted: Sequence[Unit]
) -> tuple[Result, Unit] | None:
    """The value in the unit asked for; else in the first one stated in which the number is handy."""
    if wanted and not any(each.unit.text for each in elements) and not unit.text:
        # Of bare numbers the unit that is asked for is the one that they are in.
        return value, wanted[0]
    if wanted:
        asked = next((each for each in wanted if each.dimension == unit.dimension), None)
        return None if asked is None else (_converted(value, unit, asked), asked)
    stated = [each.unit for each in elements if each.unit.dimension == unit.dimension]
    if unit.dimension.is_dimensionless and unit.text:
        return value, unit
    if not unit.text and stated:
        # Shares that were stated in percent give one in percent.
        return _converted(value, unit, stated[0]), stated[0]
    for other in stated:
        converted = _converted(value, unit, other)
        if 1 <= abs(float(converted)) < _HANDY:
            return converted, other
    return value, unit


def _converted(value: Result, unit: Unit, other: Unit) -> Result:
    if unit.offset != other.offset:
        return (float(value) * unit.scale + unit.offset - other.offset) / other.scale
    ratio = exact_fraction(unit.scale) / exact_fraction(other.scale)
    return value * ratio if isinstance(value, Fraction) else value * float(ratio)


# How it is shown.


def _figures(values: Sequence[Value], number: int | float, unit: Unit) -> int:
    if unit.text == _MONEY:
        return min(_MOST_MONEY_FIGURES, len(str(int(abs(number)))) + _MONEY_PLACES)
    return figures_for([Stated(each.text, each.figures or WHOLE_FIGURES, each.is_whole) for each in values])


def _texts(values: Sequence[Value]) -> list[str]:
    return [value.text if value.times == 1 else f"{value.times} × {value.text}" for value in values]


def _shown(read: ReadRelation, columns: Columns) -> str:
    """The computing written out with the values as the question has them."""
    way = WAYS[read.relation.computed]
    values = read.values
    elements = [*values.get("start", ()), *values["x"]]
    if "t" in columns:
        elements = [replace(value, times=1) for value in elements for _ in range(value.times)]
    partners = [value.text for value in values.get("y", ())]
    if read.is_completed or read.are_alike:
        partners += [f"{float(each):.6g}" for each in columns["y"][len(partners) :]]
    partners = partners or [""] * len(elements)
    terms: list[str] = []
    for place, value in enumerate(elements):
        at = {
            "x": value.text,
            "y": partners[min(place, len(partners) - 1)],
            "t": f"{float(columns['t'][place]):g}" if "t" in columns else "",
            "rate": values["rate"][0].text if "rate" in values else "",
        }
        term = way.term.format(**at)
        terms += (
            [term] * value.times if way.joint != " + " else [term if value.times == 1 else f"{value.times} × {term}"]
        )
    if len(terms) > _MOST_TERMS:
        terms = [*terms[: _MOST_TERMS - 1], "…", terms[-1]]
    fee = values["fee"][0].text if "fee" in values else ""
    whole = {"terms": way.joint.join(terms), "fee": fee, "ys": " + ".join(partners), "count": len(columns["x"])}
    return way.whole.format(**whole)
