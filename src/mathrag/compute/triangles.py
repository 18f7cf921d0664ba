"""Triangles solved from some of their parts: sides a, b, c and the angles A, B, C opposite them, in degrees.

Pure numbers. What fits two triangles comes back as two; what fits none, or is no triangle, says why; what does not
determine a triangle is none of these.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from mathrag.compute.evaluate.failure import Failure

SIDES, ANGLES = ("a", "b", "c"), ("A", "B", "C")
_STRAIGHT, _RIGHT = 180.0, 90.0
# Lengths and angles that agree to so many parts are those of one triangle; those given with few digits agree to fewer.
_SAME = 1e-9
_NEARLY = 1e-12

Numbers: TypeAlias = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Triangle:
    """All six parts, and the law that gave them."""

    parts: Numbers
    law: str

    @property
    def area(self) -> float:
        """Half the product of two sides and the sine of the angle between them."""
        return self.parts["a"] * self.parts["b"] * math.sin(math.radians(self.parts["C"])) / 2

    @property
    def perimeter(self) -> float:
        return sum(self.parts[each] for each in SIDES)


def third_angle(given: Numbers) -> float | Failure | None:
    """The angle that two others leave; None where not just two are given."""
    known = [given[each] for each in ANGLES if each in given]
    if len(known) != 2:
        return None
    left = _STRAIGHT - sum(known)
    return left if left > 0 else Failure("domain", "two angles of a triangle are together less than 180°")


def solve_triangle(given: Numbers) -> tuple[Triangle, ...] | Failure | None:
    """All triangles that have these parts; None where the parts leave infinitely many."""
    if any(value <= 0 for value in given.values()) or any(given.get(each, 0) >= _STRAIGHT for each in ANGLES):
        return Failure("domain", "sides are positive, and angles lie between 0° and 180°")
    known = dict(given)
    third = third_angle(known)
    if isinstance(third, Failure):
        return third
    if third is not None:
        known[next(each for each in ANGLES if each not in known)] = third
    sides = [each for each in SIDES if each in known]
    angles = [each for each in ANGLES if each in known]
    if len(angles) == len(ANGLES) and abs(sum(known[each] for each in ANGLES) - _STRAIGHT) > _SAME * _STRAIGHT:
        return Failure("domain", "the angles of a triangle add up to 180°")
    if not sides or len(sides) + len(angles) < len(SIDES):
        return None
    found = _found(known, sides, angles)
    if found is None or isinstance(found, Failure):
        return found
    fitting = tuple(each for each in found if _agrees(each.parts, given))
    return fitting or Failure("contradiction", "there is no triangle with these sides and angles")


def _found(known: dict[str, float], sides: list[str], angles: list[str]) -> tuple[Triangle, ...] | Failure | None:
    if len(sides) == len(SIDES):
        return _by_sides(known, "law of cosines: cos C = (a² + b² − c²)/(2 a b)")
    if len(angles) == len(ANGLES):
        return _by_angles(known, sides[0])
    if len(sides) < 2 or not angles:
        return None
    between = next(each for each in SIDES if each not in sides)
    if between.upper() in angles:
        one, other = (known[each] for each in sides)
        square = one**2 + other**2 - 2 * one * other * _cosine(known[between.upper()])
        return _by_sides({**known, between: math.sqrt(square)}, "law of cosines: c² = a² + b² − 2 a b cos C")
    return _by_one_opposite(known, sides, angles[0])


def _cosine(degrees: float) -> float:
    """The cosine, exactly 0 at a right angle and ±1/2 at its third parts."""
    return {60.0: 0.5, _RIGHT: 0.0, 120.0: -0.5}.get(degrees, math.cos(math.radians(degrees)))


def _sine(degrees: float) -> float:
    return {30.0: 0.5, _RIGHT: 1.0, 150.0: 0.5}.get(degrees, math.sin(math.radians(degrees)))


def _by_sides(known: Numbers, law: str) -> tuple[Triangle, ...] | Failure:
    lengths = sorted(known[each] for each in SIDES)
    if lengths[2] >= lengths[0] + lengths[1]:
        return Failure("domain", "one side is not shorter than the other two together: there is no such triangle")
    parts = {each: known[each] for each in SIDES}
    for own, angle in zip(SIDES, ANGLES, strict=True):
        one, other = (known[each] for each in SIDES if each != own)
        cosine = (one**2 + other**2 - known[own] ** 2) / (2 * one * other)
        parts[angle] = math.degrees(math.acos(max(-1.0, min(1.0, cosine))))
    return (Triangle(parts, law),)


def _by_angles(known: Numbers, side: str) -> tuple[Triangle, ...]:
    ratio = known[side] / _sine(known[side.upper()])
    parts = {each: known[each] for each in ANGLES} | {each: ratio * _sine(known[each.upper()]) for each in SIDES}
    return (Triangle({**parts, side: known[side]}, "law of sines: a/sin A = b/sin B = c/sin C"),)


def _by_one_opposite(known: Numbers, sides: list[str], angle: str) -> tuple[Triangle, ...] | Failure:
    """Two sides and the angle opposite one of them: one triangle, two, or none."""
    own = angle.lower()
    other = next(each for each in sides if each != own)
    sine = known[other] * _sine(known[angle]) / known[own]
    if sine > 1 + _NEARLY:
        return Failure("domain", "the side opposite the angle is too short: there is no such triangle")
    acute = math.degrees(math.asin(min(1.0, sine)))
    third = next(each for each in ANGLES if each not in (angle, other.upper()))
    found: list[Triangle] = []
    for turned in (acute, _STRAIGHT - acute):
        left = _STRAIGHT - known[angle] - turned
        is_again = bool(found) and abs(turned - acute) < _SAME * _STRAIGHT
        if left > _SAME * _STRAIGHT and not is_again:
            found += _by_angles({angle: known[angle], other.upper(): turned, third: left, own: known[own]}, own)
    if not found:
        return Failure("domain", "the side opposite the angle is too short: there is no such triangle")
    return tuple(Triangle({**each.parts, other: known[other]}, each.law) for each in found)


def _agrees(parts: Numbers, given: Numbers) -> bool:
    return all(abs(parts[each] - value) <= _SAME * abs(value) for each, value in given.items())
