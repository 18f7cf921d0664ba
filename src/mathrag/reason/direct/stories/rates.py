"""Rates in stories: unit prices, proportions, similar shadows, and work done together."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mathrag.language.stems import stems
from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.result import exact_fraction
from mathrag.reason.direct.stories.reading import Story, Value, unit_named
from mathrag.reason.direct.stories.solved import Solved
from mathrag.types.quantity import Unit

_HOW_MANY = re.compile(r"\bhow many (?P<noun>(?:square |cubic |fluid )?[a-z]+)\b")
_IN_UNIT = re.compile(r"\b(?:in|to) (?P<noun>[a-z]+)$")


def asked_unit(story: Story) -> Unit | None:
    """The unit that the question names for its answer."""
    for pattern in (_HOW_MANY, _IN_UNIT):
        match = pattern.search(story.asked)
        if match is not None and (unit := unit_named(match["noun"])) is not None:
            return unit
    return None


# Unit prices and rates.

_PER = re.compile(
    r"\bper (?P<noun>[a-z]+)\b|\b(?P<each>each)\b|\bunit (?:price|cost)\b|\bprice of one\b|\bone [a-z]+ cost\b"
)


_GIVEN_RATE = re.compile(r"[0-9][0-9.,]*(?: [a-z]+){1,2} ?$")


def solve_unit_rate(story: Story) -> Solved | None:
    """So much for so many: how much for one."""
    if len(story.values) != 2 or "pct" in {value.sort for value in story.values}:
        return None
    match = _PER.search(story.asked)
    # "what came of 3 rows per bed": a rate that is given, not one that is asked for.
    if match is not None and _GIVEN_RATE.search(story.asked[: match.start()]):
        return None
    if match is None or re.search(r"\bper\b", story.told) or story.has("stories.not_converted"):
        return None
    first, second = story.values
    if first.sort == second.sort:
        return None
    below = _counted_by(story, match["noun"] or "", (first, second))
    if below is None or not below.value:
        return None
    above = second if below is first else first
    if above.sort not in ("money", "len", "num", "mass", "vol") or (above.sort == "num" and below.sort != "time"):
        return None
    unit = _per_unit(above, below, match["noun"] or "")
    rate = above.value / below.value
    return Solved(rate, unit, "rate for one: amount / number", (f"{above.text} / {below.text}",), [above, below])


def _counted_by(story: Story, noun: str, values: tuple[Value, Value]) -> Value | None:
    """The value that the question divides by: of the unit or noun after `per`; for money, what is not money."""
    if noun:
        unit = unit_named(noun)
        for value in values:
            if unit is not None and value.unit.text == unit.text:
                return value
        for value in values:
            if value.sort == "num" and _noun_after(story, value) & set(stems(noun)):
                return value
        return None
    money = [value for value in values if value.sort == "money"]
    others = [value for value in values if value.sort != "money"]
    return others[0] if len(money) == 1 and others else None


def _per_unit(above: Value, below: Value, noun: str) -> str | None:
    top = "USD" if above.sort == "money" else above.unit.text
    if below.unit.text and noun:
        return f"{top or '1'}/{below.unit.text}"
    return top or None


def _noun_after(story: Story, value: Value) -> set[str]:
    """The stems of the few words that say what is counted: up to a verb or a preposition."""
    words = story.words[story.words.find(value.word) :].split()[1:4]
    end = next((place for place, word in enumerate(words) if word in word_class("stories.ends_phrase")), len(words))
    return set(stems(" ".join(words[:end])))


# Proportions: the first two belong together, the third belongs to one of them.


@dataclass(frozen=True, slots=True)
class _Side:
    unit: str
    nouns: frozenset[str]


def solve_proportion(story: Story) -> Solved | None:
    """So much goes with so much: how much goes with another amount at the same rate."""
    values = story.telling
    if len(values) != 3 or any(value.sort in ("pct", "ang", "speed", "temp", "other") for value in values):
        return None
    if not story.has("stories.same_rate") or story.has("stories.not_proportional"):
        return None
    pairs = [(a, b) for a in range(3) for b in range(a + 1, 3) if _is_alike(story, values[a], values[b])]
    if len(pairs) != 1:
        return None
    (first, again), *_ = pairs
    other = next(place for place in range(3) if place not in (first, again))
    known, new, partner = values[first], values[again], values[other]
    beside = [value for value in (known, new) if _share_sentence(story, value, partner)]
    if len(beside) == 1:
        known, new = beside[0], new if beside[0] is known else known
    elif again == 1:
        # The pair that belongs together is told before the new amount.
        return None
    if not known.value or (partner.sort == "time" and _does_the_work(story, known)):
        return None
    if not _asks_for(story, partner, known):
        return None
    ratio = new.in_unit(known.unit) / known.value
    line = f"{partner.text} * {new.text} / {known.text}"
    unit = partner.unit.text or None
    found = partner.value * ratio
    wanted = asked_unit(story)
    if wanted is not None and partner.unit.text and wanted.dimension == partner.unit.dimension:
        found, unit = found * exact_fraction(partner.unit.scale / wanted.scale), wanted.text
    return Solved(found, unit, "proportion: a / b = c / d", (line,), values)


def _does_the_work(story: Story, count: Value) -> bool:
    """Whether a number of things begins its clause: more of them share a time, and do not take so much longer."""
    before = story.words[: story.words.find(count.word)].split()
    return count.sort == "num" and (not before or before[-1] in ("if", ".", ",", "when"))


def _is_alike(story: Story, one: Value, two: Value) -> bool:
    if one.sort != two.sort:
        return False
    if one.sort == "num":
        return bool(_noun_after(story, one) & _noun_after(story, two))
    # A map has centimetres on paper and kilometres outside: one unit each.
    return one.unit.text == two.unit.text or one.sort in ("time", "money")


def _asks_for(story: Story, partner: Value, known: Value) -> bool:
    """Whether the question asks for the other side: by its unit, its noun, or the way it is asked for."""
    if partner.sort == "money":
        return (
            re.search(r"\bhow much\b.*\bcost\b|\bcost\b|\bprice\b|\bpay\b|\bcharge\b|\bearn\b", story.asked) is not None
        )
    if partner.sort == "time":
        return (
            re.search(r"\bhow long\b|\bhow many (?:hours|minutes|days|seconds|weeks)\b|\btime\b", story.asked)
            is not None
        )
    if partner.unit.text:
        wanted = asked_unit(story)
        if wanted is not None:
            return wanted.dimension == partner.unit.dimension and wanted.text != known.unit.text
        return partner.sort == "len" and re.search(r"\bhow far\b|\bdistance\b", story.asked) is not None
    match = re.search(r"\bhow many (?P<noun>[a-z ]+)", story.asked)
    return match is not None and bool(_noun_after(story, partner) & set(stems(match["noun"])))


_SHADOW = re.compile(
    r"\bshadow(?: (?!and\b)[a-z']+){0,6} (?P<value>len[0-9]+)\b(?! tall)|\b(?P<value2>len[0-9]+)(?: long)? shadow\b"
)


def solve_shadow(story: Story) -> Solved | None:
    """Heights are as their shadows."""
    if "shadow" not in story.words.split() or len(story.values) != 3 or len(story.of_sort("len")) != 3:
        return None
    words = {match["value"] or match["value2"] for match in _SHADOW.finditer(story.words)}
    shadows = [value for value in story.values if value.word in words]
    heights = [value for value in story.values if value.word not in words]
    unit = story.values[0].unit
    if len(shadows) == 2 and re.search(r"\bhow (?:tall|high)\b|\bheight\b", story.asked):
        beside = _beside(story, heights[0], shadows)
        other = shadows[1] if beside is shadows[0] else shadows[0]
        found = heights[0].in_unit(unit) * other.in_unit(unit) / beside.in_unit(unit)
    elif len(heights) == 2 and re.search(r"\bshadow\b", story.asked):
        beside = _beside(story, shadows[0], heights)
        other = heights[1] if beside is heights[0] else heights[0]
        found = shadows[0].in_unit(unit) * other.in_unit(unit) / beside.in_unit(unit)
    else:
        return None
    return Solved(found, unit.text, "similar triangles: heights are as their shadows", (), list(story.values))


def _share_sentence(story: Story, one: Value, two: Value) -> bool:
    return any(one.word in words and two.word in words for words in map(str.split, story.sentences))


def _beside(story: Story, value: Value, others: list[Value]) -> Value:
    """Of two values the one that stands in the same sentence, or nearer."""
    together = [other for other in others if _share_sentence(story, value, other)]
    if len(together) == 1:
        return together[0]
    place = story.words.find(value.word)
    return min(others, key=lambda other: abs(story.words.find(other.word) - place))


# Work.


def solve_work(story: Story) -> Solved | None:
    """Two who do one job together, or one of them alone: rates add up."""
    times = story.of_sort("time")
    is_emptied = story.has("stories.fills") and story.has("stories.empties")
    if (
        len(times) != 2
        or len(story.values) != 2
        or not (story.has("stories.alone") or "together" in story.words.split() or is_emptied)
    ):
        return None
    if is_emptied:
        return _filled_and_emptied(story, times)
    if re.search(r"\b(?:later|after|apart|mph|drive|drives|left|leaves)\b", story.words) or not re.search(
        r"\bhow (?:long|many)\b", story.asked
    ):
        return None
    if not story.has("stories.jobs"):
        return None
    unit = times[0].unit
    one, two = (value.in_unit(unit) for value in times)
    if not one or not two:
        return None
    both = [value for value in times if _is_together(story, value)]
    if not both and re.search(r"\btogether\b|\bboth\b", story.asked):
        found = 1 / (1 / one + 1 / two)
        line = f"1 / (1/{times[0].text} + 1/{times[1].text})"
    elif len(both) == 1 and (story.asks("stories.alone") or "together" not in story.asked.split()):
        whole = both[0].in_unit(unit)
        part = two if both[0] is times[0] else one
        if part <= whole:
            return None
        found = 1 / (1 / whole - 1 / part)
        line = f"1 / (1/{both[0].text} - 1/{(times[1] if both[0] is times[0] else times[0]).text})"
    else:
        return None
    return Solved(found, unit.text, "work done together: rates add up, 1/a + 1/b = 1/t", (line,), times)


def _filled_and_emptied(story: Story, times: list[Value]) -> Solved | None:
    """How long it takes to fill what is emptied at the same time."""
    emptying = [value for value in times if _clause_says(story, value, "stories.empties")]
    filling = [value for value in times if _clause_says(story, value, "stories.fills")]
    if len(filling) != 1 or len(emptying) != 1 or filling == emptying or not story.asks("stories.fills"):
        return None
    if not (story.asks("stories.both_at_work") or story.asks("stories.empties")):
        return None
    fast, slow = filling[0].value, emptying[0].in_unit(filling[0].unit)
    if not 0 < fast < slow:
        return None
    line = f"1 / (1/{filling[0].text} - 1/{emptying[0].text})"
    return Solved(
        1 / (1 / fast - 1 / slow), filling[0].unit.text, "filling less emptying: 1/t = 1/a - 1/b", (line,), times
    )


def _clause_says(story: Story, value: Value, name: str) -> bool:
    clauses = re.split(r" [.?!;,] | if | while | but | and ", f"{story.told} ")
    return any(
        value.word in clause.split() and re.search(rf"\b(?:{any_of(name)})\b", clause) is not None for clause in clauses
    )


def _is_together(story: Story, value: Value) -> bool:
    """Whether the clause of this time speaks of both working together."""
    for clause in re.split(r" [.?!;,] | if | while | but ", f"{story.told} "):
        if value.word in clause.split():
            return re.search(r"\btogether\b|\bboth\b", clause) is not None
    return False
