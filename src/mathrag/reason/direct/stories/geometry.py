"""Figures with stated dimensions: perimeter, area, volume, one side from the others, right triangles. No angles."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from mathrag.language.cues import cue
from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.reason.direct.result import exact_fraction
from mathrag.reason.direct.stories.algebra import Expression, Polynomial, equal, number, solutions, total, unknown
from mathrag.reason.direct.stories.reading import Story, Value, unit_named
from mathrag.reason.direct.stories.relations import Reader
from mathrag.reason.direct.stories.solved import Solved, number_text, shown
from mathrag.types.quantity import NO_UNIT, Unit

_PI = Fraction(math.pi).limit_denominator(10**9)
_DIMENSIONS = word_pairs("stories.dimensions")
_ADJECTIVES = word_pairs("stories.dimension_adjectives")
_SIZES = {
    "area": 2, "surface": 2, "volume": 3,
}  # fmt: skip
_VALUE = r"(?:len|area|vol|num)[0-9]+"
_COMPARED = rf"(?! (?:{any_of('stories.more')}|{any_of('stories.less')}|times)\b)"
_INLINE = re.compile(
    rf"\b(?P<name>{any_of('stories.dimensions')})(?: (?:of|is|was|=|:|measures|are|that is|equal to))*"
    rf"(?: (?:the|a|an|about|approximately))? (?P<value>{_VALUE})\b{_COMPARED}"
)
_AFTER = re.compile(
    rf"\b(?P<value>{_VALUE}) (?:in )?(?P<name>{any_of('stories.dimension_adjectives')}|"
    r"length|width|height|diameter|radius)\b"
)
_BY = re.compile(rf"\b(?P<a>{_VALUE}) (?:long )?(?:by|x|×) (?P<b>{_VALUE})(?: (?:by|x|×) (?P<c>{_VALUE}))?\b")
_LIST = re.compile(rf"\b(?P<name>sides|legs|bases)\b[^.?]*? (?P<list>{_VALUE}(?: (?:, and|,|and) {_VALUE})+)")
_HOW_ADJECTIVE = re.compile(rf"\bhow (?P<name>{any_of('stories.dimension_adjectives')})\b")
_HOW_NAMED = re.compile(
    r"\bhow [a-z]+ (?:is|are|was|must|should) (?:the |its |each |a |one |be |third |other "
    rf"|missing |of |equal |longer |shorter )*(?P<name>{any_of('stories.dimensions')})\b"
)
_HOW_MANY = re.compile(r"\bhow (?:many|much) (?P<rest>.+)")
_POWER = re.compile(r"^(?P<power>square|cubic) (?P<unit>[a-z]+)")


def solve_figure(story: Story) -> Solved | None:
    """A dimension of a named figure whose other dimensions are stated or related in words."""
    if any(value.sort not in ("len", "area", "vol", "num") for value in story.values):
        return None
    figure = _figure(story)
    asked = _asked(story)
    if figure is None or asked is None or cue("qualifier").search(story.words) is not None:
        return None
    target, wanted = asked
    unit = _unit(story)
    target = _synonym(target, figure)
    equations, used, lines = _said(story, figure, unit)
    if any(target in each.unknowns and len(each.unknowns) == 1 for each in equations):
        return None
    rules = _FIGURES[figure]()
    if target not in {name for rule in rules for name in rule.unknowns}:
        return None
    found = _distinct(solutions([*equations, *rules]), target)
    if found is None or found <= 0 or not _all_needed(equations, rules, target):
        return None
    power = _SIZES.get(target, 1)
    text = _power_text(unit, power)
    if wanted is not None and unit.text:
        if wanted.dimension != unit.dimension and power == 1:
            return None
        found *= exact_fraction(unit.scale**power / wanted.scale)
        text = wanted.text
    return Solved(found, text or None, _RULE_TEXTS[figure], (*lines, f"{target} is asked"), used)


def _all_needed(equations: Sequence[Polynomial], rules: Sequence[Polynomial], target: str) -> bool:
    """Whether nothing stated is idle: a dimension that the rule has no use for belongs to another figure."""
    return not any(
        _distinct(solutions([*equations[:place], *equations[place + 1 :], *rules]), target) is not None
        for place in range(len(equations))
    )


def _distinct(found: Sequence[dict[str, Fraction]], target: str) -> Fraction | None:
    """The one value that all solutions with sensible sides agree on."""
    values = {each[target] for each in found if target in each}
    if len(values) > 1:
        values = {value for value in values if value > 0}
    return values.pop() if len(values) == 1 else None


def _unit(story: Story) -> Unit:
    """The unit of length that all dimensions are brought to."""
    for value in story.of_sort("len"):
        return value.unit
    for value in story.of_sort("area", "vol"):
        base = unit_named(re.split(r"[\^]", value.unit.text)[0])
        if base is not None and "^" in value.unit.text:
            return base
    return NO_UNIT


def _power_text(unit: Unit, power: int) -> str:
    return unit.text if power == 1 or not unit.text else f"{unit.text}^{power}"


def _scale(unit: Unit) -> Callable[[Value], Fraction | None]:
    powers = {"len": 1, "area": 2, "vol": 3}

    def scaled(value: Value) -> Fraction | None:
        if value.sort not in powers:
            return value.value
        if not unit.text:
            return None
        return value.value * exact_fraction(value.unit.scale / unit.scale ** powers[value.sort])

    return scaled


def _figure(story: Story) -> str | None:
    """The one figure the story names; a thing with a length and a width is a rectangle."""
    words = re.sub(
        r"\bsquare (?:feet|foot|meters?|yards?|inch(?:es)?|miles?|centimeters?|units?|root)\b", "area", story.words
    )
    names = word_pairs("stories.figures")
    found = {names[match] for match in re.findall(rf"\b(?:{any_of('stories.figures')})\b", words)}
    if ("triangle" in found and "hypotenuse" in words.split()) or "right triangle" in words:
        found = found - {"triangle"} | {"right triangle"}
    if re.search(r"\bisosceles\b", words):
        found = found - {"triangle"} | {"isosceles"}
    if re.search(r"\bequilateral\b", words):
        found = found - {"triangle"} | {"equilateral"}
    if "box" in found or (re.search(r"\bvolume\b", words) and found == {"rectangle"}):
        found = found - {"rectangle", "box"} | {"box"}
    if not found and re.search(r"\b(?:long|length)\b", words) and re.search(r"\b(?:wide|width)\b", words):
        found = {"box"} if re.search(r"\b(?:volume|deep|depth|high|height|thick)\b", words) else {"rectangle"}
    if len(found) == 1:
        (figure,) = found
        return figure
    return None


def _asked(story: Story) -> tuple[str, Unit | None] | None:
    """The dimension that is asked for, and the unit it is asked in where one is named."""
    how = _HOW_ADJECTIVE.search(story.asked)
    if how is not None:
        named = _HOW_NAMED.search(story.asked)
        if named is not None:
            return _DIMENSIONS[named["name"]], None
        return _ADJECTIVES[how["name"]], None
    many = _HOW_MANY.search(story.asked)
    if many is not None:
        power = _POWER.match(many["rest"])
        if power is not None:
            base = unit_named(f"{power['power']} {power['unit']}")
            return ("area" if power["power"] == "square" else "volume"), base
    names = list(re.findall(rf"\b(?:{any_of('stories.dimensions')})\b", story.asked))
    kept = list(dict.fromkeys(_DIMENSIONS[name] for name in names))
    around = ("perimeter", None) if story.asks("stories.around") else None
    if not kept:
        return around
    # `the length of its diagonal` asks for the diagonal.
    of = re.search(
        r"\b(?:length|width|measure)s? of (?:the |its |each |one |a |of |third |equal |other "
        rf"|two |missing )*(?P<name>{any_of('stories.dimensions')})\b",
        story.asked,
    )
    if of is not None:
        return _DIMENSIONS[of["name"]], None
    first = re.search(
        r"\b(?:what|find|determine|calculate|compute)\b(?: (?:is|was|are|will|the|its|their|"
        r"be|of|a|an|must|total|should|each|measure|missing|new|other|longer|shorter))* "
        rf"(?P<name>{any_of('stories.dimensions')})\b",
        story.asked,
    )
    return (_DIMENSIONS[first["name"]], None) if first is not None else around


def _synonym(name: str, figure: str) -> str:
    """What a figure calls a dimension: a square has sides, a box a height, a right triangle legs."""
    return _CALLED.get(figure, {}).get(name, name)


def _said(story: Story, figure: str, unit: Unit) -> tuple[list[Polynomial], list[Value], list[str]]:
    """The equations that the words state, the values they use and lines of working."""
    scale = _scale(unit)
    equations: list[Polynomial] = []
    used: list[Value] = []
    lines: list[str] = []
    for name, word in _stated(story.words, figure):
        value = story.value(word)
        size = None if value is None else scale(value)
        if value is None or size is None or value in used or not _fits(name, value):
            continue
        used.append(value)
        equations.append(equal(unknown(_synonym(name, figure)), number(size)))
        lines.append(f"{_synonym(name, figure)} = {value.text}")
    for relation in Reader(story, lambda words: _named(words, figure), scale).relations():
        if not any(value in used for value in relation.values) or len(relation.equation.unknowns) > 1:
            equations.append(relation.equation)
            used += [value for value in relation.values if value not in used]
            lines.append(shown(relation))
    return equations, used, lines


def _fits(name: str, value: Value) -> bool:
    """Whether a value is of the sort of a dimension; a bare number may be any."""
    return value.sort == "num" or _SIZES.get(name, 1) == {"area": 2, "vol": 3}.get(value.sort, 1)


def _stated(words: str, figure: str) -> Iterator[tuple[str, str]]:
    """Dimensions with the words for their values: lists of sides, `4 by 3`, `4 feet long`, `a width of 3 feet`."""
    for listed in _LIST.finditer(words):
        values = re.findall(_VALUE, listed["list"])
        names = _LISTED.get((figure, listed["name"]), ())
        if len(values) <= len(names):
            yield from zip(names, values, strict=False)
    for match in _BY.finditer(words):
        sides = zip(("length", "width", "height"), (match["a"], match["b"], match["c"]), strict=True)
        yield from ((name, value) for name, value in sides if value is not None)
    for pattern, table in ((_AFTER, {**_ADJECTIVES, **_DIMENSIONS}), (_INLINE, _DIMENSIONS)):
        yield from ((table[match["name"]], match["value"]) for match in pattern.finditer(words))


def _named(words: Sequence[str], figure: str) -> Expression | None:
    """The dimension that a noun phrase names: `its width`, `the length of the rectangle`."""
    telling = [word for word in words if word not in word_class("stories.determiners") and word != "'s"]
    if "of" in words and (place := list(words).index("of")) < len(words) - 1:
        # `The area of the roof`: what follows is the thing that has the figure.
        telling = [word for word in words[:place] if word not in word_class("stories.determiners")]
    if not telling:
        return None
    names = [word for word in telling if word in _DIMENSIONS]
    rest = [word for word in telling if word not in _DIMENSIONS and word not in word_class("stories.figure_things")]
    if len(names) != 1 or rest:
        return None
    return unknown(_synonym(_DIMENSIONS[names[0]], figure))


def _square(value: Expression) -> Expression:
    return value * value


def _rectangle() -> list[Polynomial]:
    length, width = unknown("length"), unknown("width")
    return [
        equal(unknown("perimeter"), number(2) * (length + width)),
        equal(unknown("area"), length * width),
        equal(_square(unknown("diagonal")), _square(length) + _square(width)),
    ]


def _square_figure() -> list[Polynomial]:
    side = unknown("side")
    return [
        equal(unknown("perimeter"), number(4) * side),
        equal(unknown("area"), side * side),
        equal(_square(unknown("diagonal")), number(2) * side * side),
    ]


def _triangle() -> list[Polynomial]:
    sides = [unknown(f"side {place}") for place in (1, 2, 3)]
    return [
        equal(unknown("area"), number(Fraction(1, 2)) * unknown("base") * unknown("height")),
        equal(unknown("perimeter"), total(sides)),
    ]


def _right_triangle() -> list[Polynomial]:
    legs = unknown("side 1"), unknown("side 2")
    return [equal(_square(unknown("hypotenuse")), _square(legs[0]) + _square(legs[1]))]


def _equilateral() -> list[Polynomial]:
    return [equal(unknown("perimeter"), number(3) * unknown("side"))]


def _isosceles() -> list[Polynomial]:
    return [equal(unknown("perimeter"), number(2) * unknown("side") + unknown("base"))]


def _circle() -> list[Polynomial]:
    radius = unknown("radius")
    return [
        equal(unknown("diameter"), number(2) * radius),
        equal(unknown("circumference"), number(2 * _PI) * radius),
        equal(unknown("area"), number(_PI) * radius * radius),
    ]


def _box() -> list[Polynomial]:
    length, width, height = unknown("length"), unknown("width"), unknown("height")
    sides = length * width + length * height + width * height
    return [equal(unknown("volume"), length * width * height), equal(unknown("surface"), number(2) * sides)]


def _cube() -> list[Polynomial]:
    side = unknown("side")
    return [equal(unknown("volume"), side * side * side), equal(unknown("surface"), number(6) * side * side)]


def _sphere() -> list[Polynomial]:
    radius = unknown("radius")
    return [
        equal(unknown("diameter"), number(2) * radius),
        equal(unknown("volume"), number(_PI * Fraction(4, 3)) * radius * radius * radius),
        equal(unknown("surface"), number(4 * _PI) * radius * radius),
    ]


def _cylinder() -> list[Polynomial]:
    radius, height = unknown("radius"), unknown("height")
    return [
        equal(unknown("diameter"), number(2) * radius),
        equal(unknown("volume"), number(_PI) * radius * radius * height),
        equal(unknown("surface"), number(2 * _PI) * radius * (radius + height)),
    ]


def _cone() -> list[Polynomial]:
    radius, height = unknown("radius"), unknown("height")
    return [
        equal(unknown("diameter"), number(2) * radius),
        equal(unknown("volume"), number(_PI / 3) * radius * radius * height),
    ]


def _trapezoid() -> list[Polynomial]:
    bases = unknown("base 1") + unknown("base 2")
    return [equal(unknown("area"), number(Fraction(1, 2)) * unknown("height") * bases)]


def _parallelogram() -> list[Polynomial]:
    return [equal(unknown("area"), unknown("base") * unknown("height"))]


_FIGURES: dict[str, Callable[[], list[Polynomial]]] = {
    "rectangle": _rectangle,
    "square": _square_figure,
    "triangle": _triangle,
    "right triangle": _right_triangle,
    "equilateral": _equilateral,
    "isosceles": _isosceles,
    "circle": _circle,
    "box": _box,
    "cube": _cube,
    "sphere": _sphere,
    "cylinder": _cylinder,
    "cone": _cone,
    "trapezoid": _trapezoid,
    "parallelogram": _parallelogram,
}
_CALLED = {
    "square": {"length": "side", "width": "side"},
    "circle": {"perimeter": "circumference", "width": "diameter"},
    "box": {"depth": "height"},
    "rectangle": {"height": "length", "depth": "length"},
    "cube": {"length": "side", "edge": "side"},
    "cylinder": {"length": "height", "depth": "height", "width": "diameter"},
    "cone": {"length": "height", "depth": "height", "width": "diameter"},
    "triangle": {"side": "side 3"},
    "equilateral": {"length": "side"},
    "right triangle": {"leg": "side 1", "length": "side 1"},
}
_LISTED = {
    ("triangle", "sides"): ("side 1", "side 2", "side 3"),
    ("right triangle", "legs"): ("side 1", "side 2"),
    ("right triangle", "sides"): ("side 1", "side 2"),
    ("trapezoid", "bases"): ("base 1", "base 2"),
}
_RULE_TEXTS = {
    "rectangle": "rectangle: perimeter = 2 length + 2 width, area = length * width",
    "square": "square: perimeter = 4 sides, area = side^2",
    "triangle": "triangle: area = base * height / 2, perimeter = sum of the sides",
    "right triangle": "right triangle: hypotenuse^2 = leg^2 + leg^2",
    "equilateral": "equilateral triangle: perimeter = 3 sides",
    "isosceles": "isosceles triangle: perimeter = 2 sides + base",
    "circle": "circle: circumference = 2 pi radius, area = pi radius^2",
    "box": "box: volume = length * width * height",
    "cube": "cube: volume = side^3, surface = 6 side^2",
    "sphere": "sphere: volume = 4/3 pi radius^3, surface = 4 pi radius^2",
    "cylinder": "cylinder: volume = pi radius^2 height",
    "cone": "cone: volume = pi radius^2 height / 3",
    "trapezoid": "trapezoid: area = height * (base + base) / 2",
    "parallelogram": "parallelogram: area = base * height",
}


# A slanted thing against an upright one.

_SLANT = re.compile(
    rf"\b(?P<value>len[0-9]+)(?: (?:long|tall|extension|guy|support))* (?:{any_of('stories.slants')})\b"
)
_SLANT_AFTER = re.compile(rf"\b(?:{any_of('stories.slants')})\b[^.?]*?\b(?P<value>len[0-9]+) (?:long|in length)\b")
_ACROSS = re.compile(
    r"\b(?P<value>len[0-9]+) (?:away )?(?:from|along the ground) ?(?:the )?(?:[a-z]+ (?:of "
    rf")?(?:the )?)?(?:{any_of('stories.uprights')}|base|ground|bottom)?\b"
)
_UPRIGHT = re.compile(
    r"\b(?P<value>len[0-9]+)(?: (?:tall|high|above|up|off|vertical|flag))+\b|\b(?P<value2>len[0-9]+)"
    rf" (?:{any_of('stories.uprights')})\b"
)


def solve_slant(story: Story) -> Solved | None:
    """A ladder against a wall, a wire to a pole: two lengths of a right triangle give the third."""
    lengths = story.of_sort("len")
    if not story.has("stories.slants") or len(lengths) != 2 or len(story.values) != 2:
        return None
    roles: dict[str, Value] = {}
    for role, pattern in (("slant", _SLANT), ("slant", _SLANT_AFTER), ("across", _ACROSS), ("upright", _UPRIGHT)):
        match = pattern.search(story.words)
        if match is None or role in roles:
            continue
        value = story.value(match["value"] or match.groupdict().get("value2") or "")
        if value is not None and value not in roles.values():
            roles[role] = value
    asked = _asked_of_slant(story)
    if len(roles) == 1 and asked is not None and next(iter(roles)) != asked:
        (left,) = (value for value in lengths if value not in roles.values())
        (open_role,) = {"slant", "across", "upright"} - set(roles) - {asked}
        roles[open_role] = left
    if len(roles) != 2 or asked is None or asked in roles:
        return None
    unit = lengths[0].unit
    sizes = {role: value.in_unit(unit) for role, value in roles.items()}
    known = [equal(unknown(role), number(size)) for role, size in sizes.items()]
    rule = equal(_square(unknown("slant")), _square(unknown("across")) + _square(unknown("upright")))
    found = _distinct(solutions([*known, rule]), asked)
    if found is None or found <= 0:
        return None
    lines = tuple(f"{role} = {number_text(size)} {unit.text}" for role, size in sizes.items())
    return Solved(found, unit.text, "right triangle: slant^2 = across^2 + upright^2", lines, list(roles.values()))


def _asked_of_slant(story: Story) -> str | None:
    if re.search(r"\bangles?\b|\bsteep\b|\bslope\b", story.asked):
        return None
    if re.search(r"\bhow (?:high|tall|far up)\b|\bheight\b|\bhow far (?:up|above)\b", story.asked):
        return "upright"
    if re.search(r"\bhow far\b.*\b(?:from|away)\b|\bhow far (?:from|away)\b|\bdistance from\b", story.asked):
        return "across"
    if re.search(rf"\bhow long\b|\blength\b|\b(?:{any_of('stories.slants')})\b", story.asked):
        return "slant"
    return None
