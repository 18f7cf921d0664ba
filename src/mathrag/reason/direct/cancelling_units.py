"""So much per so much, times so much: questions that the units of their values solve, as nurses and cooks do it.

A value stands above or below the line. Where only one way to place all of them leaves the unit that is asked for, and
one of them is a rate that the words state (`12 litres a minute`, `72 cm a step`, `40 mg/kg/day`), that is the answer.
What is counted (steps, drops, doses) is a unit too. Words that change an amount on its way, or that speak of something
that does not stay the same, leave the question to others.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product

from mathrag.errors import UnitError
from mathrag.knowledge.kinds import kind
from mathrag.knowledge.units import factors_of, product_of, read_canonical_unit
from mathrag.language.quantities import find_quantities
from mathrag.language.quantities.mention import Mention
from mathrag.language.quantities.unit_phrase import unit_after
from mathrag.language.stems import stem, stems
from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.reason.direct.result import DirectResult, as_number, exact_fraction, with_unit
from mathrag.reason.question.clock_times import clock_span
from mathrag.reason.question.reader import read_question
from mathrag.types.answer import Provenance
from mathrag.types.quantity import BASE_DIMENSIONS, Dimension, Quantity, Unit
from mathrag.types.question import Question

_LONGEST = 600
_MOST_VALUES = 6
_FIGURES = 6
# Of `L/100 km` the number belongs to the unit that is asked for.
_UNIT_WITH_NUMBER = re.compile(r"/\s?\d")
_CHANGED = re.compile(rf"\b(?:{any_of('cancelling.changed')})\b|n['’]t\b|%", re.IGNORECASE)
_NOUN = r"(?P<noun>[^\W\d_]{3,20})\b"
_THING = re.compile(_NOUN, re.IGNORECASE)
_COUNTED = re.compile(rf"\s?{_NOUN}", re.IGNORECASE)
_COUNTED_PER = re.compile(rf"[0-9.,]\s?{_NOUN}", re.IGNORECASE)
_PER = re.compile(r"\s?(?:/\s?|(?:per|an?|each|every|for each|for every|the)\s+)(?=[^\W\d_])", re.IGNORECASE)
_PER_SO_MANY = re.compile(r"\s(?:[^\W\d_]+ ){0,3}(?:per|for every|every|for each)\s", re.IGNORECASE)
_OF_EACH = re.compile(r"\s?of\s+(?=\$?\d)", re.IGNORECASE)
_TIMES_A = re.compile(rf"\b(?P<times>{any_of('cancelling.times')}) (?:a|per|each|every) ", re.IGNORECASE)
_ASKED_COUNT = re.compile(rf"\b(?:how many|number of)\s+{_NOUN}", re.IGNORECASE)
_ASKED_FOR_EACH = re.compile(rf"\b(?:per|each|every|in an?|in one|an?)\s+{_NOUN}\s*\??\s*\Z", re.IGNORECASE)
_EACH = re.compile(r"\b(?:each|apiece|every)\b", re.IGNORECASE)
_CONDITION = re.compile(rf"\b(?:{any_of('cancelling.conditions')})\b(?P<words>[^.?!;:,]*)", re.IGNORECASE)
_ALSO = word_pairs("cancelling.also")
_NO_NOUNS = (
    word_class("questions.stop_words") | word_class("grammar.prepositions") | word_class("grammar.conjunctions")
    | word_class("grammar.auxiliaries") | word_class("grammar.determiners") | word_class("grammar.subordinators")
)  # fmt: skip
_TIME = Dimension.of({"time": 1})
_LENGTH = Dimension.of({"length": 1})
# Nothing else is told by its unit alone: a force may act anywhere, an angle turn anything.
_TOLD_BY_UNITS = frozenset((
    *(Dimension.of({base: 1}) for base in ("length", "mass", "time", "currency", "amount")),
    *(Dimension.of({"length": power}) for power in (2, 3)),
    *(Dimension.of({"mass": 1, "length": 2, "time": -time}) for time in (2, 3)),
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Measure:
    """A value with what it is measured in: units with their exponents, and what is counted, as `#` with its stem.
    `of_each` is what the next value is for each of (`2 tablets of 250 mg`); `is_below` says that it stands below the
    one before (`6 L per 100 km`)."""

    text: str
    start: int
    end: int
    value: Fraction
    units: Mapping[str, Fraction]
    is_rate: bool
    of_each: str = ""
    is_below: bool = False


def answer_by_units(text: str) -> DirectResult | None:
    """The answer to a question that its units solve; None for every other."""
    if len(text) > _LONGEST or _CHANGED.search(text) or clock_span(text) is not None or _UNIT_WITH_NUMBER.search(text):
        return None
    measures = _measures(text)
    if measures is None or not 2 <= len(measures) <= _MOST_VALUES or _is_qualified(text, measures):
        return None
    question = read_question(text)
    found = [
        (signs, wanted, shown)
        for wanted, shown in _wanted(text, question, measures)
        if any(one.is_rate for one in measures) or (question.units and any(power < 0 for power in wanted.values()))
        for signs in _placed(measures, wanted)
    ]
    return _result(measures, *found[0]) if len(found) == 1 else None


def _is_qualified(text: str, measures: Sequence[_Measure]) -> bool:
    """Whether the words say of a value that it is one of several ("250 mL each"), or make a condition that no value
    tells of: "with the drain open", "if he does not read on Sunday"."""
    asked_for = _ASKED_FOR_EACH.search(text, max(one.end for one in measures))
    spans = [(one.start, one.end) for one in measures]
    for each in _EACH.finditer(text):
        is_below = any(start <= each.start() < end for start, end in spans)
        is_asked = asked_for is not None and asked_for.start() <= each.start()
        of_each = any(before.of_each and one.end == each.start() - 1 for before, one in pairwise(measures))
        if not (is_below or is_asked or of_each):
            return True
    for clause in _CONDITION.finditer(text):
        said = set(stems(text[: clause.start()])) | _NO_NOUNS
        has_value = any(clause.start() <= start < clause.end() for start, _ in spans)
        if not has_value and not said.issuperset(stems(clause["words"])):
            return True
    return False


def _placed(measures: Sequence[_Measure], wanted: Mapping[str, Fraction]) -> Iterator[tuple[int, ...]]:
    """Every way to place the values above (1) and below (-1) the line that leaves what is wanted."""
    apart = _kept_apart(measures)
    powers = [_powers(one.units, apart) for one in measures]
    target = _powers(wanted, apart)
    # Hours a day are a share of the time, and never the reverse.
    ways = [(1,) if _is_share_of_time(one) else (1, -1) for one in measures]
    for signs in product(*ways):
        is_parted = all(signs[place] != signs[place - 1] for place, one in enumerate(measures) if one.is_below)
        if is_parted and any(sign > 0 for sign in signs) and _sum(zip(signs, powers, strict=True)) == target:
            yield signs


# Reading.


def _measures(text: str) -> list[_Measure] | None:
    """The values with what they are measured in; None where one of them is a plain number or cannot be told so."""
    found: list[_Measure] = []
    for mention in find_quantities(text):
        before = found[-1] if found else None
        if mention.kind in ("ordinal", "date", "label") or (before is not None and mention.start < before.end):
            continue
        if mention.kind in ("declined", "range") or mention.symbol or mention.uncertainty or mention.value <= 0:
            return None
        measure = _measure(text, mention, before)
        if measure is None:
            return None
        found.append(measure)
    spoken = _TIMES_A.search(text)
    if spoken is not None:
        unit = _units_at(text, spoken.end())
        if unit is None:
            return None
        times = Fraction(word_pairs("cancelling.times")[spoken["times"].casefold()])
        units = {"#time": Fraction(1), unit[0].text: Fraction(-1)}
        found.append(_Measure(spoken[0].strip(), spoken.start(), unit[1], times, units, is_rate=True))
    return found


def _measure(text: str, mention: Mention, before: _Measure | None) -> _Measure | None:
    units: defaultdict[str, Fraction] = defaultdict(Fraction)
    end = mention.end
    if mention.units:
        units.update(factors_of(mention.units[0]))
        spoken = _COUNTED_PER.search(mention.text)
        if spoken is not None and mention.units[0].text.startswith("1/") and _is_thing(spoken["noun"]):
            # Of `30 drops per minute` the unit keeps the minutes alone.
            units[f"#{_thing(spoken['noun'])}"] += 1
        _divide_all(units, _things_below(mention.text))
    else:
        counted = _COUNTED.match(text, end)
        if counted is None or not _is_thing(counted["noun"]):
            return None
        units[f"#{_thing(counted['noun'])}"] += 1
        end = counted.end()
    while (per := _PER.match(text, end)) is not None and (below := _below(text, per.end())):
        name, end = below
        _divide(units, name)
    if before is not None and before.of_each:
        units[before.of_each] -= 1
    if not _are_told_by_units(units):
        return None
    is_below = before is not None and _PER_SO_MANY.fullmatch(text, before.end, mention.start) is not None
    is_rate = is_below or any(power < 0 for power in units.values())
    things = [name for name in units if name.startswith("#")]
    of_each = things[0] if things and not is_rate and _OF_EACH.match(text, end) else ""
    value = exact_fraction(float(mention.value))
    return _Measure(text[mention.start : end], mention.start, end, value, dict(units), is_rate, of_each, is_below)


def _is_thing(noun: str) -> bool:
    """Whether it is something that can be counted, and no unit."""
    return noun.lower() not in _NO_NOUNS and not _units_at(noun, 0)


def _thing(noun: str) -> str:
    name = noun.lower()
    return stem(_ALSO.get(name, name))


def _units_at(text: str, place: int) -> tuple[Unit, int] | None:
    """The unit that is written at a place, and where it ends."""
    try:
        found = unit_after(f" {text[place:]}", 0, 2)
    except UnitError:
        return None
    return None if found is None or not found.usual else (found.usual[0], place + found.end - 1)


def _below(text: str, place: int) -> tuple[str, int] | None:
    """What stands behind `per`: a unit, or a thing."""
    unit = _units_at(text, place)
    if unit is not None:
        (name, power), *others = factors_of(unit[0])
        # Of `a square metre` and `mL/h` no single one stands below.
        return None if others or (power != 1 and _dimension(name) != _LENGTH) else (unit[0].text, unit[1])
    noun = _THING.match(text, place)
    return None if noun is None or not _is_thing(noun["noun"]) else (f"#{_thing(noun['noun'])}", noun.end())


def _things_below(text: str) -> Iterator[str]:
    """What is counted below the line of a unit that keeps the other parts alone: the box of `$/box/day`."""
    for per in _PER.finditer(text):
        noun = _THING.match(text, per.end())
        if noun is not None and _is_thing(noun["noun"]):
            yield f"#{_thing(noun['noun'])}"


def _divide_all(units: defaultdict[str, Fraction], things: Iterable[str]) -> None:
    for thing in things:
        _divide(units, thing)


def _divide(units: defaultdict[str, Fraction], below: str) -> None:
    """Put a thing, or what a unit is made of, below the line."""
    is_thing = below.startswith("#")
    for name, power in ((below, Fraction(1)),) if is_thing else factors_of(read_canonical_unit(below)):
        units[name] -= power


def _are_told_by_units(units: Mapping[str, Fraction]) -> bool:
    try:
        named = [(read_canonical_unit(name), power) for name, power in units.items() if not name.startswith("#")]
    except UnitError:
        return False
    if any(unit.offset or unit.dimension not in _TOLD_BY_UNITS or power.denominator > 1 for unit, power in named):
        return False
    # A speed may be that of a moment: who reaches 30 m/s was slower before.
    above = [unit.dimension for unit, power in named if power > 0]
    return not (above == [_LENGTH] and any(power < 0 and unit.dimension == _TIME for unit, power in named))


def _wanted(
    text: str, question: Question, measures: Sequence[_Measure]
) -> Iterator[tuple[dict[str, Fraction], dict[str, Fraction]]]:
    """The units that what is asked for may have, with the thing or the time that it is asked for each of, and without:
    of "how many litres in a day" the answer is in litres."""
    counted = _ASKED_COUNT.search(text)
    if counted is not None and _is_thing(counted["noun"]):
        found = [defaultdict(Fraction, {f"#{_thing(counted['noun'])}": Fraction(1)})]
        things: tuple[str, ...] = ()
        per = _PER.match(text, counted.end())
        below = None if per is None else _below(text, per.end())
    else:
        kinds = [each for target in question.targets[:1] for each in target.kinds]
        units = question.units[:1] or [_unit_for(each, measures) for each in kinds]
        found = [defaultdict(Fraction, factors_of(unit)) for unit in dict.fromkeys(units) if unit.text]
        below, things = None, tuple(_things_below(question.unit_text))
    for_each = _ASKED_FOR_EACH.search(text, max(one.end for one in measures))
    each = None if below is not None or for_each is None else _below(text, for_each.start("noun"))
    for shown in found:
        if below is not None and not any(power < 0 for power in shown.values()):
            _divide(shown, below[0])
        wanted = shown.copy()
        _divide_all(wanted, things)
        if each is not None and (each[0].startswith("#") or not any(power < 0 for power in shown.values())):
            _divide(wanted, each[0])
        if _are_told_by_units(wanted):
            yield dict(wanted), dict(shown)


def _unit_for(kind_id: str, measures: Sequence[_Measure]) -> Unit:
    """The unit for a kind of quantity: one in which the question has something of it, else its usual one."""
    usual = read_canonical_unit(kind(kind_id).unit)
    if usual.text == "USD":
        return usual
    said = [read_canonical_unit(name) for one in measures for name in one.units if not name.startswith("#")]
    return next((unit for unit in said if unit.dimension == usual.dimension), usual)


# Cancelling.


def _kept_apart(measures: Sequence[_Measure]) -> frozenset[str]:
    """Units that are of another thing than others of their dimension: the kilograms of `mg/kg` are the patient's."""
    found = set()
    for one in measures:
        if _is_share_of_time(one):
            continue
        above = {_dimension(name) for name, power in one.units.items() if power > 0 and not name.startswith("#")}
        below = {name for name, power in one.units.items() if power < 0 and not name.startswith("#")}
        found |= {name for name in below if _dimension(name) in above}
    return frozenset(found)


def _is_share_of_time(one: _Measure) -> bool:
    return (
        len(one.units) == 2
        and sum(one.units.values()) == 0
        and all(not name.startswith("#") and _dimension(name) == _TIME for name in one.units)
    )


def _dimension(name: str) -> Dimension:
    return read_canonical_unit(name).dimension


def _powers(units: Mapping[str, Fraction], apart: frozenset[str]) -> dict[str, Fraction]:
    """Exponents of base dimensions, of things counted, and of units that are kept apart."""
    found: defaultdict[str, Fraction] = defaultdict(Fraction)
    for name, power in units.items():
        if name.startswith("#") or name in apart:
            found[name] += power
            continue
        for base, exponent in zip(BASE_DIMENSIONS, _dimension(name).exponents, strict=True):
            found[base] += exponent * power
    return {name: power for name, power in found.items() if power}


def _sum(parts: Iterator[tuple[int, Mapping[str, Fraction]]]) -> dict[str, Fraction]:
    total: defaultdict[str, Fraction] = defaultdict(Fraction)
    for sign, powers in parts:
        for name, power in powers.items():
            total[name] += sign * power
    return {name: power for name, power in total.items() if power}


def _scale(units: Mapping[str, Fraction]) -> Fraction:
    """One of a unit in coherent ones."""
    total = Fraction(1)
    for name, power in units.items():
        if not name.startswith("#"):
            total *= exact_fraction(read_canonical_unit(name).scale) ** power.numerator
    return total


def _result(
    measures: Sequence[_Measure], signs: Sequence[int], wanted: Mapping[str, Fraction], shown: Mapping[str, Fraction]
) -> DirectResult | None:
    value = Fraction(1)
    for one, sign in zip(measures, signs, strict=True):
        value *= (one.value * _scale(one.units)) ** sign
    value /= _scale(wanted)
    number = as_number(value)
    if number is None:
        return None
    unit = product_of({name: power for name, power in shown.items() if power and not name.startswith("#")})
    above = " · ".join(one.text for one, sign in zip(measures, signs, strict=True) if sign > 0)
    below = " · ".join(one.text for one, sign in zip(measures, signs, strict=True) if sign < 0)
    line = f"({above}) / ({below})" if below else above
    said = with_unit(number, unit, _FIGURES)
    return DirectResult(
        "story",
        Quantity(number, unit),
        _FIGURES,
        line,
        working=("the units cancel", line, f"= {said}"),
        provenance=tuple(Provenance("question", one.text) for one in measures),
        text=f"The result is {said} ({line}; the units cancel).",
    )
