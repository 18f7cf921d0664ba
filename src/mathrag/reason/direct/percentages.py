"""Percentages: shares, changes, discounts, what percent one value is of another. Stories are left to others."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from mathrag.compute.evaluate import Failure, evaluate_quantity, evaluate_surely
from mathrag.knowledge.units import convert, read_canonical_unit
from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.arithmetic import Computed, compute, origins_of
from mathrag.reason.direct.levels import is_level
from mathrag.reason.direct.result import (
    PLAIN_FIGURES,
    DirectFailure,
    DirectOutcome,
    DirectResult,
    as_number,
    exact_text,
    figures_for,
    with_unit,
)
from mathrag.types.expression import Expression, Measure, add, divide, multiply, number, subtract, walk
from mathrag.types.quantity import Quantity, Unit

_PERCENT = f"(?:{any_of('direct.percent')})"
_WORD = rf"(?:what|which|how many) ?(?:{_PERCENT}|percentage)"
_HUNDRED = number(100)


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text.replace("PERCENT", _PERCENT), re.IGNORECASE)


_SHARE_OF = _pattern(rf"(?:as )?{_WORD} of (?P<b>.+) (?:is|are) (?P<a>.+)")
_IS_SHARE = _pattern(rf"(?P<a>.+) (?:is|are|as|makes) {_WORD} of (?P<b>.+)")
_WHAT_IS_OF = _pattern(rf"{_WORD} (?:is|are) (?P<a>.+) (?:out of|of) (?P<b>.+)")
_AS_SHARE = _pattern(r"(?P<a>.+?) (?:as|in|expressed as)(?: an?)? (?:PERCENT|percentage) of (?P<b>.+)")
_OUT_OF = _pattern(r"(?P<a>.+) out of (?P<b>.+?),? (?:as|in|is)(?: an?)?(?: what)? (?:PERCENT|percentage)")
_OF_WHAT = _pattern(r"(?P<a>.+) (?:is|are) (?P<p>[^%]+?) ?PERCENT of (?:what|which)(?: number| value| amount)?")
_CHANGED = _pattern(rf"(?P<verb>{any_of('direct.raise')}|{any_of('direct.lower')}) (?P<a>.+) by (?P<p>[^%]+?) ?PERCENT")
_CHANGED_BY = _pattern(
    rf"(?P<a>.+) (?P<verb>{any_of('direct.raised')}|{any_of('direct.lowered')}) by (?P<p>[^%]+?) ?PERCENT"
)
_MORE_THAN = _pattern(
    rf"(?P<p>[^%]+?) ?PERCENT (?P<verb>{any_of('direct.more')}|{any_of('direct.less')}|off|discount)"
    r"(?:(?<=off)(?: of)?|(?<=discount) (?:on|off)|(?<!off)(?<!discount) than) (?P<a>.+)"
)
_PLUS = _pattern(r"(?P<a>.+?) ?(?P<verb>\+|plus|-|−|minus) ?(?P<p>[0-9.]+) ?PERCENT")
_ADD_TO = _pattern(r"(?P<verb>add|subtract|take) (?P<p>[^%]+?) ?PERCENT (?:to|from|off) (?P<a>.+)")
_CHANGE = _pattern(
    rf"(?:PERCENT|percentage)(?: of)? (?P<verb>{any_of('direct.rise')}|{any_of('direct.fall')})"
    r" (?:from|between) (?P<a>.+) (?:to|and) (?P<b>.+)"
)
_POINTS = _pattern(
    r"(?:raise |lower |increase |decrease )?(?P<a>[0-9.]+) ?PERCENT "
    r"(?P<verb>\+|plus|-|−|minus|by|(?:up|down|increased|raised|decreased|reduced|lowered)(?: by)?) "
    r"(?P<p>[0-9.]+) (?:percentage|percent|%)[ -]points?"
)
_POINTS_BETWEEN = _pattern(
    r"(?:how many )?(?:(?P<noun>difference|change|rise|increase|drop|fall|decrease) in )?percentage points?"
    r"(?: (?:lie|are)(?: there)?)? (?:from|between) (?P<a>[0-9.]+) ?PERCENT (?:to|and) (?P<b>[0-9.]+) ?PERCENT"
)
_AGAIN = _pattern(
    rf"half (?:again as (?:{any_of('direct.amounts')})|as (?:{any_of('direct.amounts')}) again) as (?P<a>.+)"
)
_TIMES_MORE = _pattern(rf"(?P<p>[^ ]{{1,20}}) times (?:{any_of('direct.more')}) than (?P<a>[0-9].*)")
_TO_PERCENT = _pattern(r"(?:convert |express |write )?(?P<a>.+?) (?:as|to|into|in)(?: an?)? (?:PERCENT|percentage)")
_FROM_PERCENT = _pattern(
    r"(?:convert |express |write )?(?P<p>[^%]+?) ?PERCENT (?:as|to|into)(?: an?)?"
    r" (?P<form>decimal|fraction|number)(?: number)?"
)
_DOWN = frozenset(("off", "-", "−", "minus", "subtract", "take")).union(
    *(word_class(f"direct.{name}") for name in ("lower", "lowered", "less"))
)
_FALLS = word_class("direct.fall")
_SIGNS = frozenset(("+", "-", "−", "plus", "minus"))


def answer_percentage(core: str) -> DirectOutcome:
    """The first kind of question about percentages that the text is; plain shares are arithmetic."""
    for pattern, answer in _RULES:
        match = pattern.fullmatch(core)
        if match is not None:
            found = answer(match)
            if found is not None:
                return found
    return None


def _values(*texts: str, percent_too: bool = False) -> list[Computed] | DirectFailure | None:
    """What the texts compute to, all of them or nothing; those with percentages in them only on request."""
    found: list[Computed] = []
    for text in texts:
        value = compute(text.strip(" ,"))
        if value is None:
            return None
        if isinstance(value, DirectFailure):
            return DirectFailure(value.code, value.message, "percentage")
        problem = _unshared(value)
        if problem is not None:
            return problem
        if value.source.has_percent and not percent_too:
            return None
        found.append(value)
    return found


def _unshared(value: Computed) -> DirectFailure | None:
    """Why nothing is a share of this value: its zero is arbitrary, or it is a logarithm."""
    if is_level(value.quantity.unit):
        return DirectFailure(
            "ambiguous", "a level in dB is a logarithm, which has no percentage; write the powers", "percentage"
        )
    if value.quantity.unit.is_absolute_temperature:
        return DirectFailure(
            "temperature",
            "a temperature in °C or °F has an arbitrary zero, so it has no percentage; write it in kelvin",
            "percentage",
        )
    return None


def _percent(match: re.Match[str]) -> DirectOutcome:
    """What percentage a is of b."""
    parts = _values(match.group("a"), match.group("b"))
    if not isinstance(parts, list):
        return parts
    part, whole = parts
    tree = multiply(divide(part.tree, whole.tree), _HUNDRED)
    return _finished(tree, parts, (f"{part.shown} / {whole.shown} * 100 %",), unit=_percent_unit())


def _change(match: re.Match[str]) -> DirectOutcome:
    """The change from a to b in percent of a; a decrease is positive only where a decrease is asked for."""
    parts = _values(match.group("a"), match.group("b"), percent_too=True)
    if not isinstance(parts, list):
        return parts
    before, after = parts
    notes: tuple[str, ...] = ()
    if all(part.source.has_percent for part in parts):
        points = (after.quantity.si_value - before.quantity.si_value) * 100
        notes = (f"the change is relative to the first value; the difference is {points:.6g} percentage points",)
    elif any(part.source.has_percent for part in parts):
        return None
    more, less = (before, after) if match.group("verb").lower() in _FALLS else (after, before)
    tree = multiply(divide(subtract(more.tree, less.tree), before.tree), _HUNDRED)
    shown = (f"({more.shown} - {less.shown}) / {before.shown} * 100 %",)
    return _finished(tree, parts, shown, unit=_percent_unit(), notes=notes)


def _changed(match: re.Match[str]) -> DirectOutcome:
    """A value with a share of itself added or taken off."""
    verb = match.group("verb").lower()
    parts = _values(match.group("a"), match.group("p"), percent_too=verb in _SIGNS)
    if not isinstance(parts, list) or not parts[1].is_plain:
        return None if isinstance(parts, list) else parts
    value, share = parts
    if value.source.has_percent and not value.source.operations:
        return None
    join, sign = (subtract, "-") if verb in _DOWN else (add, "+")
    tree = multiply(value.tree, join(number(1), divide(share.tree, _HUNDRED)))
    notes = (f"{share.shown} % is taken of the value before the sign",) if verb in _SIGNS else ()
    return _finished(tree, parts, (f"{value.shown} * (1 {sign} {share.shown}/100)",), notes=notes)


def _points(match: re.Match[str]) -> DirectOutcome:
    """A percentage with percentage points added or taken off."""
    parts = _values(match.group("a"), match.group("p"))
    if not isinstance(parts, list):
        return parts
    value, points = parts
    down = match.group("verb").lower().split()[0] in _DOWN or match.group(0).lower().startswith(("lower", "decrease"))
    join, sign = (subtract, "-") if down else (add, "+")
    notes = ("percentage points are added to the percentage itself, not taken of it",)
    shown = (f"({value.shown} {sign} {points.shown}) %",)
    return _finished(join(value.tree, points.tree), parts, shown, unit=_percent_unit(), notes=notes)


def _points_between(match: re.Match[str]) -> DirectOutcome:
    parts = _values(match.group("a"), match.group("b"))
    if not isinstance(parts, list):
        return parts
    before, after = parts
    more, less = (before, after) if (match.group("noun") or "").lower() in _FALLS else (after, before)
    notes = ("the number is one of percentage points: the plain difference of the two percentages",)
    shown = (f"({more.shown} - {less.shown}) %",)
    return _finished(subtract(more.tree, less.tree), parts, shown, unit=_percent_unit(), notes=notes)


def _half_again(match: re.Match[str]) -> DirectOutcome:
    parts = _values(match.group("a"))
    if not isinstance(parts, list):
        return parts
    notes = ("half again as much is taken as one and a half times",)
    return _finished(
        multiply(parts[0].tree, divide(number(3), number(2))), parts, (f"{parts[0].shown} * 3/2",), notes=notes
    )


def _times_more(match: re.Match[str]) -> DirectOutcome:
    """Three times more than 40 is 120 for most and 160 for some: nobody can know."""
    parts = _values(match.group("p"), match.group("a"))
    if not isinstance(parts, list) or not all(part.is_plain for part in parts):
        return None if isinstance(parts, list) else parts
    times, value = (float(part.quantity.value) for part in parts)
    return DirectFailure(
        "ambiguous",
        f"“times more than” is read as {times * value:.6g} by most and as {(times + 1) * value:.6g} by some; "
        "write times as much",
        "percentage",
    )


def _whole_from_share(match: re.Match[str]) -> DirectOutcome:
    """The value of which a is p percent."""
    parts = _values(match.group("a"), match.group("p"))
    if not isinstance(parts, list) or not parts[1].is_plain:
        return None if isinstance(parts, list) else parts
    value, share = parts
    tree = divide(multiply(value.tree, _HUNDRED), share.tree)
    return _finished(tree, parts, (f"{value.shown} / ({share.shown}/100)",))


def _as_percent(match: re.Match[str]) -> DirectOutcome:
    parts = _values(match.group("a"))
    if not isinstance(parts, list) or not parts[0].is_plain:
        return None if isinstance(parts, list) else parts
    shown = (f"{parts[0].shown} * 100 %",)
    return _finished(multiply(parts[0].tree, _HUNDRED), parts, shown, unit=_percent_unit())


def _from_percent(match: re.Match[str]) -> DirectOutcome:
    parts = _values(match.group("p"))
    if not isinstance(parts, list) or not parts[0].is_plain:
        return None if isinstance(parts, list) else parts
    shown = (f"{parts[0].shown} / 100",)
    as_fraction = match.group("form").lower() == "fraction"
    return _finished(divide(parts[0].tree, _HUNDRED), parts, shown, decimals=not as_fraction)


def _percent_unit() -> Unit:
    return read_canonical_unit("percent")


def _finished(
    tree: Expression,
    parts: Sequence[Computed],
    shown: Sequence[str],
    *,
    unit: Unit | None = None,
    notes: Sequence[str] = (),
    decimals: bool = True,
) -> DirectResult | DirectFailure:
    """Evaluate, exactly where no unit takes part, and put the result together."""
    exact: Fraction | int | None = None
    target = unit
    if any(isinstance(node, Measure) for node in walk(tree)):
        found = evaluate_quantity(tree, {})
        if isinstance(found, Failure):
            return DirectFailure(found.code, found.message, "percentage")
        if unit is not None and not found.dimension.is_dimensionless:
            first, second = parts[0].quantity.dimension, parts[1].quantity.dimension
            return DirectFailure(
                "dimension", f"a percentage needs two values of one kind, not {first} and {second}", "percentage"
            )
        if target is None:
            target = parts[0].quantity.unit
            value: int | float | None = as_number(float(convert(found, target).value))
        else:
            value = as_number(float(found.value))
    else:
        computed = evaluate_surely(tree, {})
        if isinstance(computed, Failure):
            return DirectFailure(computed.code, computed.message, "percentage")
        exact = None if isinstance(computed, float) else computed
        value = as_number(computed)
    if value is None:
        return DirectFailure(
            "too_large", "the result is larger or smaller than any number that can be shown", "percentage"
        )
    quantity = Quantity(
        int(value) if float(value).is_integer() and abs(value) < 1e15 else value, target or Quantity(0).unit
    )
    numbers = [each for part in parts for each in part.source.numbers]
    figures = PLAIN_FIGURES if exact is not None else figures_for(numbers)
    digits = "" if exact is None else exact_text(exact, decimals=decimals)
    lines = (*shown, f"= {with_unit(quantity.value, quantity.unit, figures)}")
    if digits and "/" in digits:
        lines = (*shown, f"= {digits}", f"≈ {with_unit(quantity.value, quantity.unit, figures)}")
    return DirectResult(
        "percentage",
        quantity,
        figures,
        shown[0],
        exact=digits,
        working=lines,
        provenance=origins_of(*parts),
        notes=tuple(notes),
    )


_RULES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], DirectOutcome]], ...] = (
    (_POINTS, _points),
    (_POINTS_BETWEEN, _points_between),
    (_AGAIN, _half_again),
    (_TIMES_MORE, _times_more),
    (_SHARE_OF, _percent),
    (_IS_SHARE, _percent),
    (_WHAT_IS_OF, _percent),
    (_OF_WHAT, _whole_from_share),
    (_OUT_OF, _percent),
    (_CHANGED, _changed),
    (_CHANGED_BY, _changed),
    (_MORE_THAN, _changed),
    (_ADD_TO, _changed),
    (_CHANGE, _change),
    (_FROM_PERCENT, _from_percent),
    (_AS_SHARE, _percent),
    (_TO_PERCENT, _as_percent),
    (_PLUS, _changed),
)
