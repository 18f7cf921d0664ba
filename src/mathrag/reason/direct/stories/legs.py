"""Journeys of two legs, or one way gone twice: distances, a difference of speeds, and times that are equal, add up or
differ. Also quantities that vary with each other."""

from __future__ import annotations

import re
from fractions import Fraction

from mathrag.language.stems import stems
from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.stories.algebra import Expression, Polynomial, equal, number, only_value, unknown
from mathrag.reason.direct.stories.motion import Units, asked_of_motion, units_of
from mathrag.reason.direct.stories.reading import Story, Value
from mathrag.reason.direct.stories.solved import Solved
from mathrag.types.quantity import NO_UNIT

_RULE = "time = distance / rate on each leg"
_FASTER = re.compile(
    rf"\b(?P<value>speed[0-9]+|num[0-9]+) (?P<sign>{any_of('stories.more')}|{any_of('stories.less')}) than"
    r"(?P<object>(?: (?!and\b|if\b)[a-z']+)*)"
)
_WITH = re.compile(rf"\b(?:{any_of('stories.with_stream')})\b")
_WITH_PLAIN = re.compile(r"\bwith (?:a |an |the )?(?:[a-z0-9]+ )?(?:wind|current)\b")
_AGAINST = re.compile(rf"\b(?:{any_of('stories.against_stream')}|into)\b")
_TIME_GAP = re.compile(rf"\b(?P<value>time[0-9]+) (?:{any_of('stories.more')}|{any_of('stories.less')})\b")
_SAME_TIME = re.compile(r"\bsame (?:amount of )?time\b")


def solve_same_time_in_stream(story: Story) -> Solved | None:
    """So far with the stream in the time of so far against it; the stream or the own speed is known."""
    lengths, speeds = story.of_sort("len"), _distinct(story.of_sort("speed"))
    if not story.has("stories.streams") or len(lengths) != 2 or len(speeds) != 1 or not _SAME_TIME.search(story.words):
        return None
    if story.of_sort("time") or story.of_sort("num"):
        return None
    units = units_of(story)
    ways = [_way_of(story, value) for value in lengths]
    if units is None or set(ways) != {"with", "against"} or asked_of_motion(story) != "speed":
        return None
    asks_stream = re.search(r"\b(?:current|wind)\b", story.asked) and not story.asks("stories.vessels")
    is_stream = _is_speed_of_stream(story, speeds[0])
    if "still" not in story.asked.split() and bool(asks_stream) == is_stream and not story.asks("stories.without"):
        return None
    own, stream = unknown("own"), unknown("stream")
    along, against = (units.size(lengths[ways.index(way)]) for way in ("with", "against"))
    equations = [
        equal(number(along) / (own + stream), number(against) / (own - stream)),
        equal(stream if is_stream else own, number(units.size(speeds[0]))),
    ]
    found = only_value(equations, "own" if is_stream else "stream")
    return None if found is None else Solved(found, units.speed, _RULE, _texts(story), list(story.values))


def _distinct(values: list[Value]) -> list[Value]:
    """Values that differ: one that is told twice counts once."""
    found: dict[tuple[Fraction, str], Value] = {}
    for value in values:
        found.setdefault((value.value, value.unit.text), value)
    return list(found.values())


def _texts(story: Story) -> tuple[str, ...]:
    return tuple(value.text for value in story.values)


def _way_of(story: Story, distance: Value) -> str:
    """Whether a distance is gone with or against the stream: the nearest word after it that says so."""
    after = story.words[story.words.find(distance.word) :]
    found = [
        (match.start(), way)
        for way, pattern in (("with", _WITH), ("against", _AGAINST))
        if (match := pattern.search(after))
    ]
    plain = re.search(r"\bwith (?:a |an |the )?(?:[a-z0-9]+ )?(?:wind|current)\b", after)
    if plain is not None:
        found.append((plain.start(), "with"))
    return min(found)[1] if found else ""


def _is_speed_of_stream(story: Story, speed: Value) -> bool:
    near = re.search(rf"\b{speed.word} (?:[a-z]+ )?(?:wind|current|headwind|tailwind)\b", story.words)
    named = re.search(rf"\b(?:wind|current)(?: 's)?(?: speed)? (?:is|of|speed of|was) {speed.word}\b", story.words)
    of = re.search(rf"\bspeed of the (?:wind|current) (?:is|was) {speed.word}\b", story.words)
    return near is not None or named is not None or of is not None


def solve_two_legs(story: Story) -> Solved | None:
    """Two legs at speeds that differ by a known amount, in a time that adds up or differs by a known amount."""
    compared = _FASTER.search(story.words)
    gap = story.value(compared["value"]) if compared is not None else None
    lengths, times = story.of_sort("len"), story.of_sort("time")
    units = units_of(story)
    if compared is None or gap is None or units is None or not 1 <= len(lengths) <= 2 or len(times) != 1:
        return None
    if len(story.values) != len(lengths) + 2 or asked_of_motion(story) != "speed" or _is_stream(story):
        return None
    names = _sides(story, compared)
    if len(lengths) == 2 and not _is_in_order(story, lengths, names):
        lengths = lengths[::-1]
    first, second = unknown("first"), unknown("second")
    sign = 1 if compared["sign"] in word_class("stories.more") else -1
    size = units.size(gap) if gap.sort == "speed" else gap.value
    equations = [equal(first, second + number(sign * size))]
    time = _times(story, lengths, units, sign)
    target = _asked_side(story, names)
    if time is None or target is None:
        return None
    found = only_value([*equations, time], target)
    return None if found is None else Solved(found, units.speed, _RULE, _texts(story), list(story.values))


def _is_stream(story: Story) -> bool:
    return re.search(r"\b(?:current|wind|headwind|tailwind)\b", story.words) is not None


def _times(story: Story, lengths: list[Value], units: Units, sign: int) -> Polynomial | None:
    """The equation of the times: the slower leg takes so much longer, or both add up to the whole."""
    first: Expression = number(units.size(lengths[0])) / unknown("first")
    second: Expression = number(units.size(lengths[-1])) / unknown("second")
    (time,) = story.of_sort("time")
    size = number(units.size(time))
    if _TIME_GAP.search(story.words):
        if len(lengths) != 1:
            return None
        longer, shorter = (second, first) if sign > 0 else (first, second)
        return equal(longer, shorter + size)
    if len(lengths) == 2 or re.search(r"\b(?:total|altogether|in all|round)\b", story.words):
        return equal(first + second, size)
    return None


def _sides(story: Story, compared: re.Match[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The words for the faster or slower side and for the one it is compared with, without those of both."""
    before = re.split(r" (?:[.?!;,]|and) ", story.words[: compared.start()])[-1]
    first, second = set(stems(before)), set(stems(compared["object"]))
    return frozenset(first - second), frozenset(second - first)


def _is_in_order(story: Story, lengths: list[Value], names: tuple[frozenset[str], frozenset[str]]) -> bool:
    """Whether the first distance told belongs to the side that is compared."""
    scores = []
    for value in lengths:
        around = re.search(rf"((?:[a-z]+ ){{0,4}}){value.word}((?: [a-z]+){{0,5}})", story.words)
        words = set(stems(f"{around[1]} {around[2]}")) if around is not None else set()
        scores.append(len(words & names[0]) - len(words & names[1]))
    return scores[0] >= scores[1]


def _asked_side(story: Story, names: tuple[frozenset[str], frozenset[str]]) -> str | None:
    asked = set(stems(story.asked))
    own = [bool(asked & each) for each in names]
    if own[0] == own[1]:
        return None
    return "first" if own[0] else "second"


# Direct and inverse variation.

_VARIES = re.compile(
    r"\b(?:varies|vary|is) (?P<kind>directly|inversely)(?: proportional)? (?:as|with|to)"
    r"(?P<power> the (?:square root|square|cube) of)?"
)
_POWERS = {"": 1, "square": 2, "cube": 3}
_SYMBOLS = re.compile(
    r"\b(?P<y>[a-z]) varies (?P<kind>directly|inversely) (?:as|with|to)(?P<power> the "
    r"(?:square|cube) of)? (?P<x>[a-z])\b"
)
_ASSIGNED = re.compile(r"\b(?P<name>[a-z]) ?= ?(?P<value>-?[0-9]+(?:\.[0-9]+)?)(?![\w/^])")


def solve_symbols_that_vary(text: str) -> Solved | None:
    """`If y varies directly as x, and y = 6 when x = 2, find y when x = 5.`"""
    plain = text.lower().replace("−", "-")
    varies = _SYMBOLS.search(plain)
    asked = re.search(r"\bfind (?:the value of )?(?P<name>[a-z])\b", plain)
    if varies is None or asked is None:
        return None
    y, x = varies["y"], varies["x"]
    assigned = [(match["name"], Fraction(match["value"])) for match in _ASSIGNED.finditer(plain)]
    if len(assigned) != 3 or asked["name"] not in (x, y) or len(re.findall(r"[0-9]+(?:\.[0-9]+)?", plain)) != 3:
        return None
    known = dict(assigned[:2])
    name, value = assigned[2]
    if set(known) != {x, y} or name not in (x, y) or name == asked["name"]:
        return None
    exponent = _exponent(varies)
    if asked["name"] == y:
        found = _varied(known[x], known[y], value, exponent=exponent)
    else:
        found = _varied(known[y], known[x], value, exponent=exponent) if abs(exponent) == 1 else None
    if found is None:
        return None
    used = [
        Value(place, "num", size, NO_UNIT, f"{letter} = {size}", False) for place, (letter, size) in enumerate(assigned)
    ]
    rule = f"{varies['kind']} variation: y = k {'/ x' if varies['kind'] == 'inversely' else 'x'}"
    return Solved(found, None, rule, (f"{y} = {known[y]} at {x} = {known[x]}",), used)


def _exponent(varies: re.Match[str]) -> int:
    power = _POWERS[varies["power"].split()[1] if varies["power"] else ""]
    return -power if varies["kind"] == "inversely" else power


def _varied(before: Fraction, partner: Fraction, after: Fraction, *, exponent: int) -> Fraction | None:
    """The partner of a value, where the partner of another one is known."""
    if not before or not after:
        return None
    return partner * (after / before) ** exponent


def solve_variation(story: Story) -> Solved | None:
    """Measures that vary with each other: the first named with the second, a pair of them, and one more."""
    varies = _VARIES.search(story.words)
    if varies is None or len(story.values) != 3 or (varies["power"] and "root" in varies["power"]):
        return None
    values = list(story.values)
    pairs = [(a, b) for a in range(3) for b in range(a + 1, 3) if values[a].unit.dimension == values[b].unit.dimension]
    if len(pairs) != 1 or pairs[0] == (0, 1):
        return None
    first, again = pairs[0]
    (other,) = {0, 1, 2} - {first, again}
    known, new, partner = values[first], values[again], values[other]
    exponent = _exponent(varies)
    if abs(exponent) != 1 and not _is_named_after(story, varies, known):
        return None
    found = _varied(known.value, partner.value, new.in_unit(known.unit), exponent=exponent)
    if found is None:
        return None
    rule = f"{varies['kind']} variation: y = k x^{exponent}"
    line = f"{partner.text} at {known.text}"
    return Solved(found, partner.unit.text or None, rule, (line,), values)


def _is_named_after(story: Story, varies: re.Match[str], value: Value) -> bool:
    """Whether a value is of the thing named after the power: the square of the time, the square of its speed."""
    following = story.words[varies.end() :].split()[:3]
    return any(value.sort == _SORT_OF.get(word) for word in following)


_SORT_OF = {
    "time": "time", "speed": "speed", "length": "len", "distance": "len", "radius": "len", "side": "len",
}  # fmt: skip
