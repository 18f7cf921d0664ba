"""Conversions: a quantity, or arithmetic with units, in another unit. The factor is exact and shown."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from mathrag.knowledge.kinds import kinds_for_words
from mathrag.knowledge.units import difference_of
from mathrag.knowledge.units.families import cycles_factor, family_of, fits
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.arithmetic import Computed, compute, compute_read, origins_of
from mathrag.reason.direct.arithmetic_text import Arithmetic, UnitSlot, read_arithmetic, unit_fallback
from mathrag.reason.direct.result import (
    DirectFailure,
    DirectOutcome,
    DirectResult,
    as_number,
    cleaned,
    exact_fraction,
    exact_text,
    figures_for,
    stated,
    with_unit,
)
from mathrag.types.answer import Provenance
from mathrag.types.expression import Measure, Negate
from mathrag.types.quantity import Dimension, Quantity, Unit

# Quantities that a formula with a density, a molar mass or a count leads between: not conversions, but not absurd.
_MASS = Dimension.of({"mass": 1})
_VOLUME = Dimension.of({"length": 3})
_AMOUNT = Dimension.of({"amount": 1})
_STUFF = frozenset((_MASS, _VOLUME, _AMOUNT, Dimension()))


def is_about_stuff(source: Unit, target: Unit) -> bool:
    """Grams to litres or moles to molecules: a formula could lead there, so this is no mistaken conversion."""
    return source.dimension != target.dimension and {source.dimension, target.dimension} <= _STUFF


_VERB = re.compile(rf"(?:{any_of('direct.convert')})\s+", re.IGNORECASE)
_JOINT = re.compile(rf"\s+(?:{any_of('direct.unit_joints')})(?=\s)|\s?(?:->|→|=>)\s?|\s?=\s?\??\s?", re.IGNORECASE)
_HOW_MANY = re.compile(
    r"how (?:many|much) (?P<unit>[^,?]{1,60}?) (?:(?:is|are|do|does) )?(?:there |equal )?"
    r"(?:in|is|are|make|makes)(?: up)? "
    r"(?P<value>.+?)(?: equal| make| correspond to| have)?",
    re.IGNORECASE,
)
_HOW_LONG = re.compile(rf"how (?:{any_of('direct.sizes')}) (?:is|are) ", re.IGNORECASE)
_ARTICLE = re.compile(r"(?:an?|one|each|per)\s+(?=[A-Za-z])", re.IGNORECASE)
_NUMBER_FIRST = re.compile(
    r"(?P<sign>[-−+]?)(?P<digits>[0-9][0-9,]*(?:\.[0-9]*)?|\.[0-9]+)(?P<exponent>[eE][+\-−]?[0-9]{1,3})?\s?(?P<unit>[^0-9\s].*)"
)
_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})*(?:\.[0-9]*)?|[0-9]+(?:\.[0-9]*)?|\.[0-9]+")
_LONGEST_UNIT = 60
_TEMPERATURE = Dimension.of({"temperature": 1})
# `a rise of 10 °F`: the size of a step, which has no zero.
_CHANGE_OF = re.compile(
    rf"(?:an? |the )?(?:temperature )?(?:{any_of('phrases.change_nouns')})"
    r"(?: (?:in|of) (?:the )?temperature)? (?:of|by) ",
    re.IGNORECASE,
)
_KIND_OF = re.compile(r"(?:an? |the )(?P<kind>[a-z]+(?: [a-z]+){0,2}) of (?=[-+−.0-9])", re.IGNORECASE)
_SLOPE_OF = re.compile(rf"(?:an? |the )?(?:[a-z]+ )?(?:{any_of('direct.slopes')}) of ", re.IGNORECASE)


def answer_conversion(core: str, whole: str) -> DirectOutcome:
    """A quantity asked for in another unit. `whole` is the question with its asking words, for "how many"."""
    failure: DirectFailure | None = None
    for value, unit in _splits(core, whole):
        found = convert(value, unit)
        if isinstance(found, DirectResult):
            return found
        failure = failure or found
    return failure


def _splits(core: str, whole: str) -> Iterator[tuple[str, str]]:
    """Every way to part the text into a value and a unit."""
    asked = _HOW_MANY.fullmatch(whole)
    if asked is not None:
        yield asked.group("value"), asked.group("unit")
        # `how many feet are in 3 m`: the shortest unit came first; there may be a longer one, such as "miles per hour".
        for joint in re.finditer(r" (?:in|is|are) ", whole):
            yield whole[joint.end() :], re.sub(r"^how (?:many|much) ", "", whole[: joint.start()], flags=re.IGNORECASE)
        return
    core = _HOW_LONG.sub("", _VERB.sub("", core, count=1), count=1)
    for joint in reversed(list(_JOINT.finditer(core))[-6:]):
        yield core[: joint.start()], core[joint.end() :]


def convert(value_text: str, unit_text: str) -> DirectOutcome:
    """A value as written in a unit as written; None where one of them is none."""
    targets = read_target(unit_text)
    if not targets:
        return None
    value_text = re.sub(r"^(?:the|there in) ", "", value_text.strip(" ,"), flags=re.IGNORECASE)
    if (slope := _SLOPE_OF.match(value_text)) is not None:
        return _slope(value_text[slope.end() :], targets)
    change = _CHANGE_OF.match(value_text)
    if change is not None:
        targets = tuple(difference_of(unit) for unit in targets)
    failure: DirectFailure | None = None
    for source in _sources(value_text[change.end() :] if change else _without_kind(value_text)):
        found = _fitted(_as_differences(source) if change else source, targets, is_change=change is not None)
        if isinstance(found, DirectResult):
            return found
        failure = failure or found
    return failure


def _without_kind(text: str) -> str:
    """The value without what it measures: a length of 3 m is 3 m."""
    named = _KIND_OF.match(text)
    return text[named.end() :] if named is not None and kinds_for_words(named.group("kind")) else text


def read_target(text: str) -> tuple[Unit, ...]:
    """Every reading of the unit asked for; none where the text is no unit."""
    text = re.sub(r"^(?:the |units? of |unit )", "", text.strip(" ,?."), flags=re.IGNORECASE)
    if text[:1] + text[-1:] in ("()", "[]"):
        text = text[1:-1]
    if not text or len(text) > _LONGEST_UNIT or (text[0].isdecimal() and not text.startswith("1/")):
        return ()
    return tuple(unit for unit in unit_fallback(text) if unit.text)


def _sources(text: str) -> Iterator[Arithmetic]:
    """The value as arithmetic, as a number with all that follows as its unit, or as `a light year`."""
    source = read_arithmetic(text)
    if source is not None and source.slots:
        yield source
    article = _ARTICLE.match(text)
    if article is not None:
        units = unit_fallback(text[article.end() :])
        if units:
            yield Arithmetic([UnitSlot("1", units, len(units))], [stated(text, "1")])
    number = _NUMBER_FIRST.fullmatch(text)
    if number is not None and _GROUPED.fullmatch(number.group("digits")):
        units = unit_fallback(number.group("unit"))
        if units:
            digits = number.group("digits").replace(",", "").rstrip(".") + (number.group("exponent") or "").replace(
                "−", "-"
            )
            digits = f"0{digits}" if digits.startswith(".") else digits
            sign: list[str | UnitSlot] = ["-"] if number.group("sign") in ("-", "−") and number.group("sign") else []
            yield Arithmetic([*sign, UnitSlot(digits, units, len(units))], [stated(text, digits)])


def _as_differences(source: Arithmetic) -> Arithmetic:
    """The same value with degrees that count steps."""
    pieces: list[str | UnitSlot] = [
        replace(piece, units=tuple(map(difference_of, piece.units))) if isinstance(piece, UnitSlot) else piece
        for piece in source.pieces
    ]
    return replace(source, pieces=pieces)


def _slope(text: str, targets: tuple[Unit, ...]) -> DirectOutcome:
    """A slope in percent as an angle, and the reverse: the tangent leads between them."""
    found = compute(text)
    if found is None or isinstance(found, DirectFailure):
        return found
    is_angle = family_of(found.quantity.unit) == "angle"
    wanted = "ratio" if is_angle else "angle"
    target = next((unit for unit in targets if family_of(unit) == wanted), None)
    if target is None or not found.quantity.dimension.is_dimensionless or not (is_angle or found.source.has_percent):
        return None
    size = found.quantity.si_value
    if is_angle and abs(size) >= math.pi / 2:
        return DirectFailure("domain", "a slope is less steep than a quarter turn", "conversion")
    value = cleaned((math.tan(size) if is_angle else math.atan(size)) / target.scale)
    figures = figures_for(found.source.numbers)
    rule = "the slope is rise over run, the tangent of the angle"
    return DirectResult(
        "conversion",
        Quantity(value, target),
        figures,
        f"{found.shown} as a slope in {target.text}",
        working=(f"{found.shown} in {target.text}", rule, f"= {with_unit(value, target, figures)}"),
        provenance=(*origins_of(found), Provenance("constant", rule, "geometry")),
        notes=(f"{rule}: 100 % is 45 degrees",),
    )


def _plain_degrees(source: Arithmetic, targets: tuple[Unit, ...]) -> Arithmetic | DirectFailure:
    """`100 degrees` as a temperature: of the scale that is not asked for; where none of them is, nobody can know."""
    slots = source.slots
    scales = {unit.text: unit for unit in slots[0].units if unit.is_absolute_temperature} if len(slots) == 1 else {}
    target = next((unit for unit in targets if unit.dimension == _TEMPERATURE), None)
    if len(scales) < 2 or target is None:
        return source
    others = [unit for text, unit in scales.items() if text != target.text]
    if len(others) > 1:
        size = " or ".join(f"{slots[0].digits} {unit.text}" for unit in others)
        return DirectFailure("ambiguous", f"degrees of which scale? Write {size}", "conversion")
    pieces = [replace(piece, units=tuple(others)) if isinstance(piece, UnitSlot) else piece for piece in source.pieces]
    return replace(source, pieces=pieces)


def _fitted(source: Arithmetic, targets: tuple[Unit, ...], *, is_change: bool) -> DirectOutcome:
    degrees = _plain_degrees(source, targets)
    if isinstance(degrees, DirectFailure):
        return degrees
    found = compute_read(degrees, wanted=targets)
    if found is None:
        return None
    if isinstance(found, DirectFailure):
        slots = source.slots
        if found.code == "dimension" and len(slots) == 1 and is_about_stuff(slots[0].units[0], targets[0]):
            return None
        return DirectFailure(found.code, found.message, "conversion")
    own = found.quantity.unit
    target = next((unit for unit in targets if fits(own, unit)), None)
    if target is None:
        if not own.text or not targets[0].text:
            return None
        return DirectFailure("dimension", f"{own.text} and {targets[0].text} measure different things", "conversion")
    is_cold = own.dimension == _TEMPERATURE and not is_change and not own.text.startswith("delta_")
    if is_cold and found.quantity.si_value < 0:
        return DirectFailure("domain", f"{found.shown} is below absolute zero", "conversion")
    notes = (_STEPS,) if is_change and own.dimension == _TEMPERATURE else ()
    if isinstance(found.tree, Measure | Negate):
        return _one_quantity(found, target, notes=notes)
    return _finished(found, target, found.quantity.value if own == target else None, notes=notes)


_STEPS = "a difference of temperatures is converted: only the size of the degrees counts, not their zero"


def _one_quantity(found: Computed, target: Unit, *, notes: tuple[str, ...] = ()) -> DirectOutcome:
    """A lone quantity: the exact number times the exact factor, rounded once."""
    own, value = found.quantity.unit, found.exact
    cycles = cycles_factor(own, target)
    if cycles is None:
        return DirectFailure(
            "ambiguous", f"{own.text} counts angles and {target.text} may not; ask for Hz or rad/s", "conversion"
        )
    assert value is not None
    result = (
        value * exact_fraction(own.scale) + exact_fraction(own.offset) - exact_fraction(target.offset)
    ) / exact_fraction(target.scale)
    if cycles != 1.0:
        return _finished(found, target, cleaned(float(result) * cycles), cycles=cycles, notes=notes)
    number = as_number(result) if result else 0
    if number is None:
        return DirectFailure(
            "too_large", "the result is larger or smaller than any number that can be shown", "conversion"
        )
    return _finished(found, target, number, exact=result if result.denominator == 1 else None, notes=notes)


def _finished(
    found: Computed,
    target: Unit,
    value: int | float | None,
    *,
    exact: Fraction | None = None,
    cycles: float = 1.0,
    notes: tuple[str, ...] = (),
) -> DirectOutcome:
    own = found.quantity.unit
    if value is None:
        value = cleaned((found.quantity.si_value - target.offset) / target.scale)
    figures = figures_for(found.source.numbers)
    factor = cleaned(float(exact_fraction(own.scale) / exact_fraction(target.scale)) * cycles)
    rule = (
        f"1 {own.text} = {factor:.10g} {target.text}"
        if not (own.offset or target.offset)
        else _temperature_rule(own, target)
    )
    if isinstance(value, float) and math.isfinite(value) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    lines = [f"{found.shown} in {target.text}"]
    sources: tuple[Provenance, ...] = ()
    if own.text != target.text:
        lines.append(rule)
        sources = (Provenance("constant", rule, "definition of the units"),)
    lines.append(f"= {with_unit(value, target, figures)}")
    return DirectResult(
        "conversion",
        Quantity(value, target),
        figures,
        f"{found.shown} in {target.text}",
        exact=exact_text(exact, decimals=True) if exact is not None and _is_exact(own, target) else "",
        working=tuple(lines),
        provenance=(*origins_of(found), *sources),
        notes=notes,
    )


def _is_exact(own: Unit, target: Unit) -> bool:
    """Whether the factors are short numbers, which a table of definitions holds exactly."""
    return all(len(repr(unit.scale).replace(".", "").strip("0").split("e")[0]) <= 14 for unit in (own, target))


def _temperature_rule(own: Unit, target: Unit) -> str:
    ratio = exact_fraction(own.scale) / exact_fraction(target.scale)
    shift = (exact_fraction(own.offset) - exact_fraction(target.offset)) / exact_fraction(target.scale)
    sign = "+" if shift >= 0 else "-"
    times = "" if ratio == 1 else f" * {ratio}"
    return f"{target.text} = {own.text}{times} {sign} {float(abs(shift)):.10g}"
