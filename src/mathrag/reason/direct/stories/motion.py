"""Distance, rate and time: one mover, two movers, with and against wind or current. Constant speeds only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from mathrag.language.stems import stems
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.result import exact_fraction
from mathrag.reason.direct.stories.algebra import Expression, Polynomial, equal, number, only_value, unknown
from mathrag.reason.direct.stories.rates import asked_unit
from mathrag.reason.direct.stories.reading import Story, Value, unit_named
from mathrag.reason.direct.stories.solved import Solved
from mathrag.types.quantity import Unit

_RULE = "distance = rate * time"
_HOW_FAR = re.compile(r"\bhow far\b|\bdistance\b|\bhow many (?:miles|kilometers|meters|feet|yards)\b(?! per)")
_HOW_LONG = re.compile(
    r"\bhow long\b|\bhow many (?:hours|minutes|seconds|days)\b|\bhow much time\b|\bwhat "
    r"time\b|\bwhen\b|\bfind the time\b|\bhow soon\b"
)
_HOW_FAST = re.compile(r"\bhow fast\b|\bspeeds?\b|\brates?\b|\bhow many miles per hour\b")
_COMPARED = re.compile(
    rf"\b(?P<value>speed[0-9]+|num[0-9]+) (?P<sign>{any_of('stories.more')}|{any_of('stories.less')})"
    r" than(?P<object>(?: (?!and\b|if\b)[a-z']+)*)"
)


@dataclass(frozen=True, slots=True)
class Units:
    """The units in which a story is computed."""

    length: Unit
    time: Unit

    def size(self, value: Value) -> Fraction:
        """The number of a value in these units."""
        if value.sort == "speed":
            return value.value * exact_fraction(value.unit.scale * self.time.scale / self.length.scale)
        return value.in_unit(self.length if value.sort == "len" else self.time)

    @property
    def speed(self) -> str:
        """The unit of speed."""
        return f"{self.length.text}/{self.time.text}"


def units_of(story: Story) -> Units | None:
    """Of the first speed; else of the first distance and the first time."""
    for value in story.of_sort("speed"):
        above, _, below = value.unit.text.partition("/")
        length, time = unit_named(above), unit_named(below)
        return None if length is None or time is None else Units(length, time)
    lengths, times = story.of_sort("len"), story.of_sort("time")
    asked = re.search(r"\b(?P<length>[a-z]+) per (?P<time>[a-z]+)\b", story.asked)
    if asked is not None:
        length, time = unit_named(asked["length"]), unit_named(asked["time"])
        if length is not None and time is not None:
            return Units(length, time)
    return (
        Units(lengths[0].unit, max((value.unit for value in times), key=lambda unit: unit.scale))
        if lengths and times
        else None
    )


def asked_of_motion(story: Story) -> str | None:
    if _HOW_FAST.search(story.asked):
        return "speed"
    if _HOW_LONG.search(story.asked):
        return "time"
    return "distance" if _HOW_FAR.search(story.asked) else None


def _only_motion(story: Story) -> bool:
    return all(value.sort in ("speed", "time", "len", "num") for value in story.values) and story.has("stories.moves")


def solve_travel(story: Story) -> Solved | None:
    """One mover at one speed: two of distance, rate and time give the third."""
    if len(story.values) != 2 or not _only_motion(story) or story.has("stories.not_travel"):
        return None
    asked, units = asked_of_motion(story), units_of(story)
    if asked is None or units is None or story.has("stories.two_movers") or story.has("stories.streams"):
        return None
    names = {"len": "distance", "time": "time", "speed": "speed"}
    known = {names[value.sort]: units.size(value) for value in story.values if value.sort in names}
    if len(known) != 2 or asked in known:
        return None
    equations = [equal(unknown(name), number(size)) for name, size in known.items()]
    equations.append(equal(unknown("distance"), unknown("speed") * unknown("time")))
    return _finished(story, only_value(equations, asked), asked, units, list(story.values))


def _finished(story: Story, value: Fraction | None, asked: str, units: Units, used: Sequence[Value]) -> Solved | None:
    """A found distance, time or speed in the unit that the question asks for."""
    if value is None:
        return None
    text = {"speed": units.speed, "time": units.time.text, "distance": units.length.text}[asked]
    named, unit = asked_unit(story), unit_named(text)
    if named is not None and unit is not None and named.dimension == unit.dimension:
        value, text = value * exact_fraction(unit.scale / named.scale), named.text
    return Solved(value, text, _RULE, _lines(used), used)


def _lines(values: Sequence[Value]) -> tuple[str, ...]:
    return tuple(value.text for value in values)


def solve_two_movers(story: Story) -> Solved | None:
    """Two who move towards or away from each other, or one after the other."""
    if not _only_motion(story) or not story.has("stories.two_movers") or story.has("stories.streams"):
        return None
    asked, units = asked_of_motion(story), units_of(story)
    speeds = _speeds(story, units) if units is not None else None
    if asked is None or units is None or speeds is None:
        return None
    equations, used, names = speeds
    way = _way(story, units, asked)
    if way is None:
        return None
    equations += way
    used = [*used, *story.of_sort("time"), *story.of_sort("len")]
    target = _which(story, names) if asked == "speed" else asked
    if target in ("faster", "slower"):
        both = only_value(equations, "first"), only_value(equations, "second")
        if both[0] is None or both[1] is None:
            return None
        found: Fraction | None = max(both[0], both[1]) if target == "faster" else min(both[0], both[1])
    else:
        found = only_value(equations, target)
    return _finished(story, found, asked, units, used)


def _way(story: Story, units: Units, asked: str) -> list[Polynomial] | None:
    """How way and time belong together: the speeds add up, or the later one makes up for the start of the first."""
    times, lengths = story.of_sort("time"), story.of_sort("len")
    opposite, chase = story.has("stories.opposite") or _is_compass(story), story.has("stories.chase")
    if len(times) > 1 or len(lengths) > 1 or opposite == chase:
        return None
    first, second, time, distance = (unknown(name) for name in ("first", "second", "time", "distance"))
    if opposite:
        found = [equal(distance, (first + second) * time)]
        found += [equal(time, number(units.size(value))) for value in times]
        return found + [equal(distance, number(units.size(value))) for value in lengths]
    if len(times) != 1 or not story.has("stories.later") or asked != "time" or lengths:
        return None
    return [equal(first * (time + number(units.size(times[0]))), second * time)]


def _is_compass(story: Story) -> bool:
    """Whether one goes north and the other south, or one east and the other west."""
    words = set(story.words.split())
    return {"north", "south"} <= words or {"east", "west"} <= words


def _speeds(story: Story, units: Units) -> tuple[list[Polynomial], list[Value], dict[str, frozenset[str]]] | None:
    """What is said of both speeds: two values, one value, or how they compare; and the words for each mover."""
    compared = _COMPARED.search(story.words)
    relative = story.value(compared["value"]) if compared is not None else None
    absolute = [value for value in story.of_sort("speed") if value is not relative]
    first, second = unknown("first"), unknown("second")
    if relative is not None and compared is not None:
        sign = 1 if compared["sign"] in any_of("stories.more").split("|") else -1
        gap = units.size(relative) if relative.sort == "speed" else relative.value
        before = re.split(r" [.?!;,] ", story.words[: compared.start()])[-1]
        names = {"first": frozenset(stems(before)), "second": frozenset(stems(compared["object"]))}
        equations = [equal(first, second + number(sign * gap))]
        if absolute:
            return None
        return equations, [relative], names
    if len(absolute) == 2:
        return (
            [equal(first, number(units.size(absolute[0]))), equal(second, number(units.size(absolute[1])))],
            absolute,
            {},
        )
    if len(absolute) == 1:
        return [equal(first, number(units.size(absolute[0])))], absolute, {}
    return None


def _which(story: Story, names: dict[str, frozenset[str]]) -> str:
    """Whose speed is asked for."""
    words = set(story.asked.split())
    for name in ("faster", "slower"):
        if name in words:
            return name
    if not names:
        return "second"
    asked = set(stems(story.asked))
    own = {name: asked & (each - names["second" if name == "first" else "first"]) for name, each in names.items()}
    fitting = [name for name, each in own.items() if each]
    return fitting[0] if len(fitting) == 1 else ""


# Wind and current.

_WITH = re.compile(rf"\b(?:{any_of('stories.with_stream')})\b")
_AGAINST = re.compile(rf"\b(?:{any_of('stories.against_stream')})\b")


def solve_stream(story: Story) -> Solved | None:
    """With and against wind or current: the speeds add and subtract."""
    if not story.has("stories.streams") or not all(value.sort in ("speed", "time", "len") for value in story.values):
        return None
    units = units_of(story)
    asked = _asked_of_stream(story)
    if units is None or asked is None:
        return None
    legs = _legs(story)
    if legs is None:
        return None
    own, stream = unknown("own"), unknown("stream")
    equations: list[Polynomial] = []
    used: list[Value] = []
    for values, speed in zip(legs, (own + stream, own - stream), strict=True):
        equations.append(_leg(values, speed, units))
        used += [value for value in values if value not in used]
    found = only_value(equations, asked)
    if found is None:
        return None
    return Solved(found, units.speed, "with and against a stream: (own + stream) * time = distance", _lines(used), used)


def _leg(values: Sequence[Value], speed: Expression, units: Units) -> Polynomial:
    distance = next(value for value in values if value.sort == "len")
    time = next(value for value in values if value.sort == "time")
    return equal(speed * number(units.size(time)), number(units.size(distance)))


def _legs(story: Story) -> tuple[list[Value], list[Value]] | None:
    """Distance and time with the stream, and against it; one distance may serve both ways."""
    times, lengths = story.of_sort("time"), story.of_sort("len")
    if len(times) != 2 or len(lengths) not in (1, 2) or len(story.values) != len(times) + len(lengths):
        return None
    ways = sorted(
        [(m.start(), "with") for m in _WITH.finditer(story.told)]
        + [(m.start(), "against") for m in _AGAINST.finditer(story.told)]
    )
    kinds = [kind for _, kind in ways]
    if set(kinds) == {"with"} or set(kinds) == {"against"}:
        kinds = (
            [kinds[0], "against" if kinds[0] == "with" else "with"]
            if re.search(r"\b(?:return|returning|back)\b", story.told)
            else []
        )
    kinds = list(dict.fromkeys(kinds))
    if len(kinds) != 2:
        return None
    both = [[lengths[0], times[0]], [lengths[-1], times[1]]]
    return (both[0], both[1]) if kinds[0] == "with" else (both[1], both[0])


def _asked_of_stream(story: Story) -> str | None:
    if not _HOW_FAST.search(story.asked):
        return None
    if re.search(r"\b(?:current|wind|stream|river)\b", story.asked) and not re.search(
        r"\b(?:still|no wind)\b", story.asked
    ):
        return "stream"
    return "own" if re.search(rf"\bstill\b|\bno wind\b|\b(?:{any_of('stories.vessels')})\b", story.asked) else None
