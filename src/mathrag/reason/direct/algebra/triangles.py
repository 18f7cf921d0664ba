"""Triangles with named or described parts: `in triangle ABC, a = 7, b = 9, C = 40°: find c`, `the area of a triangle
with sides 7, 8, 9`, `sides 8 and 11 with an included angle of 37°`.

Strict: every number is a part by its letter or by the words before it, one thing is asked, and all other words say
nothing. Two triangles that fit are both told, and neither number is the answer.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.triangles import ANGLES, SIDES, Triangle, solve_triangle, third_angle
from mathrag.errors import UnitError
from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.enumeration import listed
from mathrag.language.quantities import Mention, find_quantities
from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.algebra.outcomes import failure
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import (
    WHOLE_FIGURES,
    AlgebraOutcome,
    DirectFailure,
    DirectResult,
    DirectStatement,
    Stated,
    as_number,
    figures_for,
    number_text,
    stated,
    whole_if_so,
    with_unit,
)
from mathrag.types.answer import Provenance, WorkingLine
from mathrag.types.quantity import NO_UNIT, Quantity, Unit

_LONGEST, _MOST_VALUES = 300, 5
_DEGREES, _RADIANS = "deg", "rad"
_ROUNDED = 12
_TRIANGLE = re.compile(
    rf"\b(?P<right>(?:{any_of('triangles.right')}) )?(?:triangle|△|Δ)(?: (?P<name>(?-i:[A-Z]{{3}}))\b)?", re.IGNORECASE
)
_VALUE = r"⟦(?P<place>[0-9])⟧"
_LIST = r"⟦[0-9]⟧(?:(?: ?,(?: and)? ?| and | by |, )⟦[0-9]⟧)*"
_IS = r"(?: ?= ?| is | equals | of | measures | measuring | has length | )"


@dataclass(slots=True)
class _Read:
    """A text on its way to be understood: what is left of it, the values in it, and the parts found so far."""

    left: str
    values: tuple[Mention, ...]
    corners: str = ""
    is_right: bool = False
    given: dict[str, float] = field(default_factory=dict)
    texts: dict[str, Stated] = field(default_factory=dict)
    unit: Unit = NO_UNIT
    units: set[str] = field(default_factory=set)
    fails: bool = False
    # Of a right triangle it is not said which sides they are.
    are_sides_open: bool = False

    def take(self, part: str | None, place: str) -> str:
        """A value as a part; a blank stands for what has been read."""
        mention = self.values[int(place)]
        number = None if part is None else _number(part, mention)
        if part is None or number is None or part in self.given:
            self.fails = True
            return " "
        self.given[part] = number
        digits = re.match(r"[0-9.eE+-]*", mention.text)
        self.texts[part] = stated(mention.text, digits[0] if digits else mention.text)
        if part in SIDES:
            self.unit = mention.units[0] if mention.units else NO_UNIT
            self.units.add(self.unit.text)
        return " "

    def take_one(self, part: str, pattern: re.Pattern[str]) -> None:
        """The first value that a pattern names, as a part."""
        found = pattern.search(self.left)
        if found is not None:
            self.left = f"{self.left[: found.start()]}{self.take(part, found['place'])}{self.left[found.end() :]}"


def answer_triangles(text: str) -> AlgebraOutcome:
    """The part of a triangle that is asked for; None for any other question."""
    if len(text) > _LONGEST or "triangle" not in text.lower():
        return None
    read = _cut(without_ending(tidy(text)))
    if read is None:
        return None
    _read_named(read)
    _read_described(read)
    if read.fails or len(read.texts) != len(read.values) or len(read.units) > 1:
        return None
    asked = _asked(read)
    if asked is None or (read.are_sides_open and asked != "hypotenuse"):
        return None
    if read.is_right and not _with_right_angle(read):
        return None
    return _answered(read, asked)


def _cut(text: str) -> _Read | None:
    """The text with marks for its values; None where it names no triangle, or two."""
    try:
        # "Two sides", "three angles" count the parts and are none.
        mentions = tuple(each for each in find_quantities(text) if not _is_counting(each))
    except UnitError:
        return None
    named = list(_TRIANGLE.finditer(text))
    is_plain = all(each.kind in ("quantity", "number", "count") and each.uncertainty is None for each in mentions)
    if len(named) != 1 or not is_plain or not 1 <= len(mentions) <= _MOST_VALUES:
        return None
    words = text
    for place, mention in reversed(list(enumerate(mentions))):
        words = f"{words[: mention.start]}⟦{place}⟧{words[mention.end :]}"
    found = _TRIANGLE.search(words)
    if found is None:
        return None
    name = found["name"] or ""
    if name and len(set(name)) != len(ANGLES):
        return None
    left = f"{words[: found.start()]} {words[found.end() :]}"
    return _Read(" ".join(left.split()), mentions, name, found["right"] is not None)


def _is_counting(mention: Mention) -> bool:
    return mention.kind == "count" and mention.text.isalpha() and mention.value in (2, 3)


def _number(part: str, mention: Mention) -> float | None:
    """A length, or an angle in degrees; None where the value is neither."""
    units = [each.text for each in mention.units]
    if part in ANGLES:
        if _DEGREES in units:
            return float(mention.value)
        return math.degrees(mention.value) if units == [_RADIANS] else None
    is_length = not units or (len(units) == 1 and mention.units[0].dimension == read_canonical_unit("m").dimension)
    return float(mention.value) if is_length and mention.value > 0 else None


# Parts by their letters.


def _part_named(name: str, kind: str, corners: str) -> str | None:
    """`a`, `B`, `AB`, `ABC` as one of the six parts; None where it is none."""
    places = dict(zip(corners, ANGLES, strict=True))
    is_angle = kind in word_class("triangles.angle_names")
    is_side = kind in word_class("triangles.side_names")
    if len(name) == 1 and name.upper() in places:
        part = places[name.upper()]
        if name.islower():
            return None if is_angle else part.lower()
        return None if is_side else part
    if len(name) == 2 and set(name) <= set(corners) and len(set(name)) == 2 and not is_angle:
        (across,) = set(corners) - set(name)
        return places[across].lower()
    if len(name) == 3 and set(name) == set(corners) and not is_side:
        return places[name[1]]
    return None


_KIND = rf"(?:(?P<kind>{any_of('triangles.angle_names')}|{any_of('triangles.side_names')}) ?(?:of )?)?"
_NAMED = re.compile(
    rf"(?<![A-Za-z])(?:the )?{_KIND}(?P<name>[A-Za-z]|[A-Z]{{2,3}})(?: ?= ?| is | equals | measures | of ){_VALUE}"
)
_RIGHT_AT = re.compile(rf"(?:with )?(?:an? |the )?(?:{any_of('triangles.right_angle')}) (?:at|in) (?P<name>[A-Z])\b")
_LENGTH = re.compile(r"\b(?:of )?lengths?\b")


def _read_named(read: _Read) -> None:
    if not read.corners:
        # Letters without a name of the triangle are the usual ones.
        read.corners = (
            "ABC" if re.search(r"(?<![A-Za-z])(?:[abcABC] ?(?:=|is)|(?:angle|side) [abcABC]\b)", read.left) else ""
        )
    if not read.corners:
        return
    at = _RIGHT_AT.search(read.left)
    if at is not None and at["name"] in read.corners:
        read.given["ABC"[read.corners.index(at["name"])]] = 90.0
        read.left, read.is_right = _RIGHT_AT.sub(" ", read.left), False
    read.left = _NAMED.sub(
        lambda found: read.take(
            _part_named(found["name"], (found["kind"] or "").lower(), read.corners), found["place"]
        ),
        read.left,
    )


# Parts by what the words call them.

_SIDES = re.compile(
    r"(?:with |has |having |whose |where |of |and )*(?:the )?(?:(?:two|three|all) )?(?:of (?:its|the) )?"
    rf"(?P<noun>{any_of('triangles.sides')})"
    rf"(?: (?:of|an?|the|this|are|is|with|measure|measuring|lengths?|have|being))*:? (?P<list>{_LIST})(?: long)?",
    re.IGNORECASE,
)
_BETWEEN = any_of("triangles.included")
_ANGLE_BETWEEN = (
    re.compile(rf"(?:an? |the )?(?:{_BETWEEN}){_IS}{_VALUE}", re.IGNORECASE),
    re.compile(rf"(?:an? |the )?angle{_IS}{_VALUE} between (?:them|these sides|the two|those sides)", re.IGNORECASE),
    re.compile(rf"(?:an? )?{_VALUE} (?:{_BETWEEN})", re.IGNORECASE),
)
_OF_RIGHT = (
    ("c", re.compile(rf"(?:the |an? )?hypotenuse{_IS}{_VALUE}", re.IGNORECASE)),
    ("A", re.compile(rf"(?:an? |the |one )?(?:acute )?angle{_IS}{_VALUE}", re.IGNORECASE)),
    ("A", re.compile(rf"(?:an? |the |one )?{_VALUE} angle", re.IGNORECASE)),
    ("a", re.compile(rf"(?:an? |the )?opposite(?: side| leg)?{_IS}{_VALUE}", re.IGNORECASE)),
    ("b", re.compile(rf"(?:an? |the )?adjacent(?: side| leg)?{_IS}{_VALUE}", re.IGNORECASE)),
)


def _read_described(read: _Read) -> None:
    if read.corners:
        return
    sides = _SIDES.search(read.left)
    if sides is not None:
        places = re.findall(r"[0-9]", sides["list"])
        is_legs = sides["noun"].lower().startswith("leg")
        if len(places) > (2 if is_legs else len(SIDES)) or (is_legs and not read.is_right):
            read.fails = True
            return
        read.are_sides_open = read.is_right and not is_legs
        for part, place in zip(SIDES, places, strict=False):
            read.take(part, place)
        read.left = f"{read.left[: sides.start()]} {read.left[sides.end() :]}"
        for pattern in _ANGLE_BETWEEN:
            read.take_one("C", pattern)
    elif read.is_right:
        for part, pattern in _OF_RIGHT:
            if part not in read.given:
                read.take_one(part, pattern)


def _with_right_angle(read: _Read) -> bool:
    """A right angle between two sides of three; None of the others is told."""
    if read.corners or "C" in read.given or len(read.given) != 2:
        return False
    read.given["C"] = 90.0
    return True


# What is asked.

_SEEK = re.compile(
    rf"^(?:(?:and|then|so) )?(?:{any_of('direct.what_is')}|{any_of('direct.demands')}|{any_of('direct.calculate')}|"
    r"how (?:long|large|big) (?:is|are))\b ?",
    re.IGNORECASE,
)
_SIZE = r"(?:(?:the )?(?:length|size|measure|value) of )?(?:the )?"
_ASKED_NAMED = re.compile(rf"{_SIZE}{_KIND}(?P<name>[A-Za-z]|[A-Z]{{2,3}})(?P<rest>(?: .*)?)")
_FIGURES = (
    "asks_area", "asks_perimeter", "asks_semiperimeter", "asks_third_side", "asks_largest_angle",
    "asks_smallest_angle", "asks_circumradius", "asks_inradius", "asks_hypotenuse", "asks_opposite", "asks_adjacent",
)  # fmt: skip


def _asked(read: _Read) -> str | None:
    """The part or figure that is asked for; None where there is not just one, or other words are left."""
    asked: list[str] = []
    for clause in re.split(r"[.,;:?!()]+", read.left):
        words = " ".join(clause.split())
        if not _core(words) and not _SEEK.match(words):
            continue
        found = _named_part(read, words) or _figure(_core(_SEEK.sub("", words)))
        if found is None:
            return None
        asked.append(found)
    return asked[0] if len(asked) == 1 else None


def _core(words: str) -> str:
    """The words without those at both ends that say nothing."""
    idle = word_class("triangles.idle")
    kept = words.split()
    while kept and kept[0].lower() in idle:
        kept.pop(0)
    while kept and kept[-1].lower() in idle:
        kept.pop()
    return " ".join(kept)


def _named_part(read: _Read, words: str) -> str | None:
    sought = _SEEK.sub("", words)
    found = _ASKED_NAMED.fullmatch(sought) if read.corners else None
    if found is None or _core(found["rest"]) or (sought == words and not found["kind"]):
        return None
    return _part_named(found["name"], (found["kind"] or "").lower(), read.corners)


def _figure(core: str) -> str | None:
    plainly = re.sub(r"^(?:length|size|measure) of (?:the )?", "", core.lower())
    found = next((name for name in _FIGURES if re.fullmatch(any_of(f"triangles.{name}"), plainly)), None)
    return None if found is None else found.removeprefix("asks_")


# The answer.


def _answered(read: _Read, asked: str) -> AlgebraOutcome:
    wanted = {"third_side": "c", "hypotenuse": "c", "opposite": "a", "adjacent": "b"}.get(asked, asked)
    if wanted in read.given:
        return None
    if wanted in ANGLES and not any(each in read.given for each in SIDES):
        return _by_angles_alone(read, wanted)
    found = solve_triangle(read.given)
    if isinstance(found, Failure):
        return failure(found.code, found.message)
    if found is None or (not read.corners and read.unit.text and asked in ("area", "perimeter", "third_side")):
        # Lengths with units in these figures are for the formulas.
        return None
    values = [_value(each, wanted) for each in found]
    unit = _unit_of(read, wanted)
    if unit is None:
        return None
    figures = figures_for(list(read.texts.values()))
    name = _called(read, asked)
    if len(found) > 1 and abs(values[0] - values[1]) > 1e-9 * abs(values[0]):
        shown = [with_unit(_neat(value), unit, figures) for value in values]
        text = f"Two triangles have these parts: the {name} is {listed(shown, 'or')} ({found[0].law})."
        return DirectStatement(text, name, tuple(map(WorkingLine, (found[0].law, *shown))))
    return _told(read, name, values[0], unit, figures=figures, law=_law(found[0], wanted))


def _by_angles_alone(read: _Read, wanted: str) -> DirectResult | DirectFailure | None:
    left = third_angle(read.given)
    if isinstance(left, Failure):
        return failure(left.code, left.message)
    if left is None:
        return None
    figures = figures_for(list(read.texts.values()))
    rule = "the angles of a triangle add up to 180°"
    return _told(read, _called(read, wanted), left, read_canonical_unit(_DEGREES), figures=figures, law=rule)


def _value(triangle: Triangle, wanted: str) -> float:
    parts = triangle.parts
    around, area = triangle.perimeter, triangle.area
    figures: Mapping[str, float] = {
        "area": area,
        "perimeter": around,
        "semiperimeter": around / 2,
        "largest_angle": max(parts[each] for each in ANGLES),
        "smallest_angle": min(parts[each] for each in ANGLES),
        "circumradius": parts["a"] * parts["b"] * parts["c"] / (4 * area),
        "inradius": 2 * area / around,
    }
    return figures[wanted] if wanted in figures else parts[wanted]


def _law(triangle: Triangle, wanted: str) -> str:
    return {
        "area": "area = a b sin(C)/2, with C the angle between the sides a and b",
        "perimeter": "perimeter = a + b + c",
        "semiperimeter": "half of a + b + c",
        "circumradius": "R = a b c/(4 × area)",
        "inradius": "r = 2 × area/(a + b + c)",
    }.get(wanted, triangle.law)


def _unit_of(read: _Read, wanted: str) -> Unit | None:
    if wanted in ANGLES or wanted.endswith("_angle"):
        return read_canonical_unit(_DEGREES)
    if wanted != "area" or not read.unit.text:
        return read.unit
    try:
        return read_canonical_unit(f"{read.unit.text}^2")
    except UnitError:
        return None


def _called(read: _Read, asked: str) -> str:
    if asked in SIDES or asked in ANGLES:
        letters = dict(zip(ANGLES, read.corners or "ABC", strict=True))
        letter = letters[asked.upper()]
        return f"angle {letter}" if asked in ANGLES else f"side {letter.lower()}, opposite the corner {letter},"
    return f"{asked} side" if asked in ("opposite", "adjacent") else asked.replace("_", " ")


def _neat(value: float) -> int | float:
    """Without the noise that sines leave behind whole numbers."""
    rounded = float(f"{value:.{_ROUNDED}g}")
    number = as_number(whole_if_so(rounded))
    return rounded if number is None else number


def _told(read: _Read, name: str, value: float, unit: Unit, *, figures: int, law: str) -> DirectResult:
    number = _neat(value)
    said = with_unit(number, unit, max(figures, WHOLE_FIGURES) if isinstance(number, int) else figures)
    steps = (law, *_givens(read))
    return DirectResult(
        "algebra",
        Quantity(number, unit),
        max(figures, WHOLE_FIGURES) if isinstance(number, int) else figures,
        f"triangle: {name}".rstrip(","),
        text=f"The {name} is {said} ({'; '.join(steps)}).",
        working=(*steps, f"= {said}"),
        provenance=tuple(Provenance("question", each.text) for each in read.texts.values()),
        lines=tuple(map(WorkingLine, (*steps, f"= {said}"))),
    )


def _givens(read: _Read) -> Sequence[str]:
    shown = []
    for part, value in sorted(read.given.items(), key=lambda each: (each[0].isupper(), each[0])):
        shown.append(f"{part} = {number_text(_neat(value), WHOLE_FIGURES)}{'°' if part in ANGLES else ''}")
    return [", ".join(shown)]
