"""A relation with its named values, computed by its equation or its way, with unit, figures and working. Reads no
question."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from mathrag.compute.evaluate import Failure, evaluate
from mathrag.errors import UnitError
from mathrag.knowledge.units import read_canonical_unit
from mathrag.reason.direct.labelled.reading import Labelled, ReadRelation
from mathrag.reason.direct.labelled.rows import BOUNDS, Role
from mathrag.reason.direct.labelled.ways import WAYS, Case, Computed
from mathrag.reason.direct.result import (
    PLAIN_FIGURES,
    WHOLE_FIGURES,
    AlgebraOutcome,
    DirectFailure,
    DirectStatement,
    as_number,
    exact_fraction,
    exact_text,
    result_by_steps,
    with_unit,
)
from mathrag.types.answer import Provenance, WorkingLine
from mathrag.types.quantity import NO_UNIT, Quantity, Unit

_LONGEST_EXACT = 12
_RATE = "percent/"
_MONEY, _MONEY_PLACES = "USD", 2
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


def computed(read: ReadRelation) -> AlgebraOutcome:
    """The result or why there is none; None where the values do not make this relation."""
    shared = _shared_unit(read)
    if shared is None:
        return None
    unit, notes = shared
    numbers = {
        role.part: tuple(_number(role, each, unit) for each in read.values[role.part]) for role in read.relation.roles
    }
    numbers |= {part: (value,) for part, value in read.relation.given.items()}
    problem = _problem(read, numbers)
    if problem is not None:
        return problem
    try:
        found = _found(read, numbers, unit)
    except (ZeroDivisionError, OverflowError, ValueError):
        return DirectFailure("domain", f"there is no {read.relation.name} for these values", "list")
    if found is None or isinstance(found, DirectFailure):
        return found
    if read.relation.note:
        notes = (*notes, read.relation.note)
    return _told(read, found, unit, (*notes, *found.notes))


def _found(
    read: ReadRelation, numbers: Mapping[str, tuple[Fraction, ...]], unit: Unit
) -> Computed | DirectFailure | None:
    relation = read.relation
    if relation.equation is None:
        said = {part: tuple(each.value for each in values) for part, values in read.values.items()}
        places = {part: tuple(each.place for each in values) for part, values in read.values.items()}
        return WAYS[relation.computed](Case(relation.name, numbers, said, places, read.flags, read.gaps, unit.text))
    value = evaluate(relation.equation, {part: values[0] for part, values in numbers.items() if values})
    if isinstance(value, Failure):
        return DirectFailure(value.code, value.message, "list")
    stated = ", ".join(f"{role.name} {read.values[role.part][0].value.text}" for role in relation.roles)
    return Computed(Fraction(value) if isinstance(value, int) else value, (stated,))


def _shared_unit(read: ReadRelation) -> tuple[Unit, tuple[str, ...]] | None:
    """The unit that all scaled values share; numbers without one beside others are taken to be in it, and that is
    said. None where their units do not belong together."""
    scaled = [each.value for role in read.relation.roles if role.is_scaled for each in read.values[role.part]]
    units = [each.unit for each in scaled if each.unit.text]
    if not units:
        return NO_UNIT, ()
    texts = {each.text for each in units}
    if len({each.dimension for each in units}) > 1 or (len(texts) > 1 and any(each.offset for each in units)):
        return None
    bare = [each.text for each in scaled if not each.unit.text]
    if bare and len(texts) > 1:
        return None
    return units[0], tuple(f"{text} is taken in {units[0].text}, like the other values" for text in bare)


def _number(role: Role, each: Labelled, shared: Unit) -> Fraction:
    """A value as the equation has it: scaled ones in the shared unit, others in the first unit of their role."""
    number, unit = each.value.number, each.value.unit
    if role.is_scaled:
        same = unit.text in ("", shared.text)
        return number if same else number * exact_fraction(unit.scale) / exact_fraction(shared.scale)
    rate = next((taken for taken in role.takes if taken.startswith(_RATE) and unit.text.startswith(_RATE)), None)
    if rate is not None:
        # So many percent in the time that the relation counts in.
        return number / 100 * exact_fraction(unit.scale) / exact_fraction(read_canonical_unit(rate).scale)
    wanted = role.takes[0]
    if not unit.text or wanted in ("number", "percent", "any"):
        return each.value.base
    return number * exact_fraction(unit.scale) / exact_fraction(read_canonical_unit(wanted).scale)


def _problem(read: ReadRelation, numbers: Mapping[str, tuple[Fraction, ...]]) -> DirectFailure | None:
    for role in read.relation.roles:
        for each, number in zip(read.values[role.part], numbers[role.part], strict=True):
            if not _is_within(number, role.bounds):
                said = f"{each.value.text} is no {role.name}: {BOUNDS[role.bounds]}"
                return DirectFailure("domain", said, "list")
    return None


def _is_within(number: Fraction, bounds: str) -> bool:
    within = {
        "positive": number > 0,
        "not_negative": number >= 0,
        "share": 0 <= number <= 1,
        "inner_share": 0 < number < 1,
        "level_share": Fraction(1, 2) <= number < 1,
        "whole": number.denominator == 1 and number >= 0,
        "counted": number.denominator == 1 and number >= 1,
        "turn": 0 < number <= 360,
        "converging": abs(number) < 1,
    }
    return within.get(bounds, True)


def _told(read: ReadRelation, found: Computed, shared: Unit, notes: Sequence[str]) -> AlgebraOutcome:
    name = found.name or read.relation.name
    lines = (read.relation.rule, *found.shown)
    if found.text:
        return DirectStatement(found.text, name, tuple(map(WorkingLine, lines)), tuple(notes), kind="list")
    shown = None if found.value is None else _in_unit(read, found.value, shared)
    if shown is None:
        return DirectFailure("overflow", f"the {name} has no number here", "list")
    value, unit = shown
    number = as_number(value)
    if number is None:
        return DirectFailure("overflow", f"the {name} is too large or too small for a number here", "list")
    if unit.text == _MONEY:
        number = round(number, _MONEY_PLACES)
    figures = PLAIN_FIGURES if isinstance(number, int) or unit.text == _MONEY else WHOLE_FIGURES
    exact = exact_text(value, decimals=True) if isinstance(value, Fraction) and not unit.text else ""
    said = with_unit(number, unit, figures)
    texts = dict.fromkeys(each.value.text for values in read.values.values() for each in values)
    return replace(
        result_by_steps("list", Quantity(number, unit), name=name, said=said, steps=lines, figures=figures),
        exact=exact if len(exact) <= _LONGEST_EXACT and "/" not in exact else "",
        provenance=tuple(Provenance("question", text) for text in texts),
        notes=tuple(notes),
    )


def _in_unit(read: ReadRelation, value: Fraction | float, shared: Unit) -> tuple[Fraction | float, Unit] | None:
    """The value in the unit asked for, where it has its dimension, or in that of the relation."""
    unit = _result_unit(read.relation.unit, read.relation.power, shared)
    if unit is None:
        return None
    wanted = next((each for each in read.wanted if each.dimension == unit.dimension and not each.offset), unit)
    if wanted == unit:
        return value, unit
    return value * exact_fraction(unit.scale) / exact_fraction(wanted.scale), wanted


def _result_unit(unit: str, power: int, shared: Unit) -> Unit | None:
    if unit != "same":
        return read_canonical_unit(unit) if unit else NO_UNIT
    if not shared.text or power == 1:
        return shared
    try:
        return read_canonical_unit(
            f"{shared.text}^{power}" if _NAME.fullmatch(shared.text) else f"({shared.text})^{power}"
        )
    except UnitError:
        return None
