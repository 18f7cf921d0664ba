"""Figures of one shape and different size: areas grow by the square of the scale factor, volumes by its cube.

The other area of similar figures, ratios of lengths, areas and volumes, what doubling a side does, discs by their
diameters, lengths on maps. Strict: each question is one of a few sentences, wholly understood.
"""

from __future__ import annotations

import re
from fractions import Fraction

from mathrag.compute.algebra.polynomials import square_root
from mathrag.compute.solve.tidy import literal
from mathrag.errors import UnitError
from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.quantities import Mention, find_quantities
from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.reason.direct.algebra.wording import plain
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import (
    WHOLE_FIGURES,
    AlgebraOutcome,
    DirectResult,
    DirectStatement,
    as_number,
    exact_fraction,
    result_by_steps,
    with_unit,
)
from mathrag.types.answer import WorkingLine
from mathrag.types.quantity import NO_UNIT, Quantity, Unit

_LONGEST = 300
_NUMBER = r"[0-9]+(?:\.[0-9]+)?"
_RATIO = rf"(?P<one>{_NUMBER}) ?(?::|to) ?(?P<other>{_NUMBER})"
_MEASURE = any_of("scaling.measures")
_SMALL, _LARGE = any_of("scaling.small"), any_of("scaling.large")
_SIZE = rf"(?P<{{}}>{_SMALL}|{_LARGE})"
_SEEK = rf"(?:(?:{any_of('direct.what_is')}|{any_of('direct.calculate')}|{any_of('direct.demands')}) )?(?:the )?"
_LINEAR = rf"(?:an? |the )?(?:{any_of('scaling.linear')})(?: (?:is|of|=|are))* ?"
_SIMILAR = rf"(?:(?:two|if two|the) )?(?:similar )?(?:{any_of('scaling.figures')})(?: (?:have|with|has))? ?"
_MARK = r"[ ,.;:]+(?:and |if )?"
_IS = r"(?: is| =|:)? "
_OTHER = re.compile(
    rf"(?:{_SIMILAR})?{_LINEAR}{_RATIO}{_MARK}(?:the )?(?P<measure>{_MEASURE}) of the {_SIZE.format('given')}{_IS}"
    rf"(?P<value>[0-9].*?){_MARK}{_SEEK}(?P<asked>{_MEASURE}) of the {_SIZE.format('wanted')}",
    re.IGNORECASE,
)
_RATIOS = re.compile(
    rf"(?:{_SEEK})(?:ratio|scale factor) of (?:the |their )?(?P<measure>{_MEASURE})(?: of)? ?(?:two |the )?"
    r"(?:similar )?"
    rf"(?:{any_of('scaling.figures')})? ?(?:is|=|are) {_RATIO}{_MARK}{_SEEK}"
    rf"ratio of (?:the |their )?(?P<asked>{_MEASURE})",
    re.IGNORECASE,
)
_THING = r"(?:an? |the )?(?P<thing>circle|square|cube|sphere|ball|regular hexagon|equilateral triangle)"
_CHANGE = (
    rf"(?:the )?(?P<measure>{_MEASURE}) of {_THING} (?:(?P<change>{any_of('scaling.changes')})"
    rf"|(?:is )?(?:multiplied by|increased by a factor of|increases by a factor of) (?P<factor>{_NUMBER}))"
)
_GROWS = (
    r"(?:how many times (?:larger|bigger|greater|as large|as big|more) (?:is|does|becomes|will) (?:its |the )"
    rf"(?P<asked>{_MEASURE})(?: be| become| get)?"
    rf"|by (?:what|which) factor (?:does|will|is) (?:its |the )(?P<again>{_MEASURE})"
    r"(?: increase| increased| grow| change| multiplied)?"
    rf"|what happens to (?:its |the )(?P<third>{_MEASURE}))"
)
_CHANGED = re.compile(rf"(?:if|when) {_CHANGE}, ?(?:then )?{_GROWS}", re.IGNORECASE)
_LENGTH = r"(?P<{}>⟦[0-9]⟧)"
_DISC = rf"(?:{any_of('scaling.discs')})"
_ONE, _OTHER_ONE = (rf"an? {_LENGTH.format(name)} (?:{_DISC}|one)" for name in ("one", "other"))
_DISCS = (
    re.compile(
        r"how many times (?:more|as much|greater|larger|bigger)(?: is)?(?: the)? ?(?:area|pizza)?(?: has| does| is)?"
        rf"(?: the area of)? {_ONE}(?: have| has)?(?: compared)? (?:than|as|to)(?: that of)? {_OTHER_ONE}",
        re.IGNORECASE,
    ),
    re.compile(rf"how many times (?:is )?the area of {_OTHER_ONE} is (?:the area of )?{_ONE}", re.IGNORECASE),
)


def answer_scaling(text: str) -> AlgebraOutcome:
    """What a scale factor comes to; None for any other question."""
    if len(text) > _LONGEST:
        return None
    asked = without_ending(tidy(text))
    for pattern, answer in ((_OTHER, _other_measure), (_RATIOS, _other_ratio), (_CHANGED, _factor)):
        found = pattern.fullmatch(asked)
        if found is not None:
            return answer(found)
    return _of_discs(asked)


def _power(name: str) -> int:
    return int(word_pairs("scaling.measures")[name.lower()])


def _is_large(name: str) -> bool:
    return name.lower() in word_class("scaling.large")


def _measured(text: str, power: int) -> Mention | None:
    """The one quantity of a text, where it is a bare number or a length to this power."""
    try:
        mentions = find_quantities(text)
    except UnitError:
        return None
    if len(mentions) != 1 or mentions[0].text != text.strip() or len(mentions[0].units) > 1 or mentions[0].value <= 0:
        return None
    (mention,) = mentions
    metre = read_canonical_unit("m" if power == 1 else f"m^{power}")
    return mention if not mention.units or mention.units[0].dimension == metre.dimension else None


def _other_measure(found: re.Match[str]) -> AlgebraOutcome:
    """The measure of the other of two similar figures."""
    one, other = Fraction(found["one"]), Fraction(found["other"])
    power = _power(found["measure"])
    from_large, to_large = _is_large(found["given"]), _is_large(found["wanted"])
    is_other = found["measure"].lower() == found["asked"].lower() and from_large != to_large
    mention = _measured(found["value"], power)
    if not is_other or mention is None or not one or not other or one == other:
        return None
    ratio = max(one, other) / min(one, other)
    factor = ratio**power if to_large else 1 / ratio**power
    unit = mention.units[0] if mention.units else NO_UNIT
    value = exact_fraction(float(mention.value)) * factor
    rule = f"{found['measure']} grows by the scale factor to the power {power}: × {plain(literal(factor))}"
    return _number(f"{found['asked']} of the {found['wanted']}", value, unit, (rule,))


def _number(name: str, value: Fraction, unit: Unit, steps: tuple[str, ...]) -> DirectResult | None:
    number = as_number(value)
    if number is None:
        return None
    said = with_unit(number, unit, WHOLE_FIGURES)
    return result_by_steps("algebra", Quantity(number, unit), name=name, said=said, steps=steps, figures=WHOLE_FIGURES)


def _other_ratio(found: re.Match[str]) -> AlgebraOutcome:
    one, other = Fraction(found["one"]), Fraction(found["other"])
    before, after = _power(found["measure"]), _power(found["asked"])
    if not one or not other or before == after:
        return None
    roots = [_rooted(each, before) for each in ((one / other).numerator, (one / other).denominator)]
    if None in roots:
        if (before, after) != (2, 1):
            return None
        shown = f"√({plain(literal(one))}) : √({plain(literal(other))}) = {plain(square_root(one / other))} : 1"
    else:
        shown = " : ".join(str((each or 0) ** after) for each in roots)
    text = (
        f"The ratio of the {found['asked']} is {shown} (areas grow by the square of the scale factor, volumes by its "
        "cube)."
    )
    return DirectStatement(text, "similar figures", (WorkingLine(shown),))


def _rooted(number: int, power: int) -> int | None:
    root = round(number ** (1 / power))
    return root if root**power == number else None


def _factor(found: re.Match[str]) -> AlgebraOutcome:
    """By how much another measure of the same figure grows."""
    asked = found["asked"] or found["again"] or found["third"]
    change = found["change"]
    scale = Fraction(word_pairs("scaling.changes")[change.lower()] if change else found["factor"])
    before, after = _power(found["measure"]), _power(asked)
    if before != 1 or not scale:
        return None
    factor = scale**after
    rule = f"{asked} grows by the factor of lengths to the power {after}: {plain(literal(scale))}^{after}"
    return _number(f"factor of the {asked}", factor, NO_UNIT, (rule,))


def _of_discs(asked: str) -> AlgebraOutcome:
    """How many times the area of one disc that of another is, by their diameters."""
    try:
        mentions = find_quantities(asked)
    except UnitError:
        return None
    lengths = read_canonical_unit("m").dimension
    if len(mentions) != 2 or any(not each.units or each.units[0].dimension != lengths for each in mentions):
        return None
    words = asked
    for place, each in reversed(list(enumerate(mentions))):
        words = f"{words[: each.start]}⟦{place}⟧{words[each.end :]}"
    found = next((match for pattern in _DISCS if (match := pattern.fullmatch(words))), None)
    if found is None or not re.search(rf"\b{_DISC}\b", words, re.IGNORECASE):
        return None
    one, other = (mentions[int(found[name].strip("⟦⟧"))] for name in ("one", "other"))
    sizes = [exact_fraction(float(each.value)) * exact_fraction(each.units[0].scale) for each in (one, other)]
    if not all(size > 0 for size in sizes):
        return None
    ratio = (sizes[0] / sizes[1]) ** 2
    rule = f"areas of circles are as the squares of their diameters: ({one.text}/{other.text})²"
    return _number("ratio of the areas", ratio, NO_UNIT, (rule,))
