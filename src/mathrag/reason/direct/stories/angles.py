"""Angles in words: of a triangle, complementary, supplementary. Lengths are elsewhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from mathrag.language.word_classes import word_class
from mathrag.reason.direct.stories.algebra import Expression, Polynomial, equal, number, solutions, total, unknown
from mathrag.reason.direct.stories.reading import Story
from mathrag.reason.direct.stories.relations import Reader, Relation
from mathrag.reason.direct.stories.solved import Solved, shown

_FIRST, _SECOND = word_class("stories.first_of_two"), word_class("stories.second_of_two")
_GREATEST, _LEAST = word_class("stories.greatest"), word_class("stories.least")
_PLAIN = frozenset(("acute", "two", "three", "measure", "measures", "size", "triangle", "right", "angle", "angles"))
_LISTED = re.compile(r"\bangles?\b[^.?]*? (?P<first>ang[0-9]+)(?: degrees)? and (?P<second>ang[0-9]+)")
_ONE = re.compile(r"\bangles?\b[^.?]*? (?P<value>ang[0-9]+)\b|\b(?P<value2>ang[0-9]+) angle\b")
_PARTNER = re.compile(
    r"\b(?P<name>complement|supplement) of (?:an? |the )?(?:angle )?(?:that |which |whose "
    r")?(?:measure |measures |measuring |is |with a measure of |of )*(?P<value>ang[0-9]+)"
    r"\b"
)
_SUMS = {"complement": 90, "supplement": 180}


def solve_angles(story: Story) -> Solved | None:
    """An angle that the others and the sum of all leave."""
    if any(value.sort not in ("ang", "num") for value in story.values) or not story.of_sort("ang"):
        return None
    if not re.search(r"\bangles?\b|\bcomplement\b|\bsupplement\b", story.words):
        return None
    pair = _pair(story)
    if pair is not None:
        return _partner(story, pair)
    if not re.search(r"\btriangle\b", story.words):
        return None
    return _of_triangle(story)


def _pair(story: Story) -> str | None:
    """Whether two angles add up to a right or a straight one."""
    found = [name for name in ("complement", "supplement") if re.search(rf"\b{name}(?:ary|s)?\b", story.words)]
    return found[0] if len(found) == 1 else None


def _partner(story: Story, pair: str) -> Solved | None:
    whole = _SUMS[pair]
    rule = f"{pair}ary angles: their sum is {whole} deg"
    angles = story.of_sort("ang")
    direct = _PARTNER.search(story.words)
    if len(angles) == 1 and len(story.values) - sum(v.text.lower() == "two" for v in story.values) == 1:
        said = re.search(r"\b(?:more|less|larger|smaller|greater|times|difference)\b", story.words)
        if said is None and (
            direct is not None or re.search(r"\bother\b|\bits\b|\bcomplement\b|\bsupplement\b|\bsecond\b", story.asked)
        ):
            left = whole - angles[0].value
            return Solved(left, "deg", rule, (f"{whole} - {angles[0].text}",), angles) if left > 0 else None
    relations = _relations(story)
    names = _names(relations)
    if not names:
        return None
    members = sorted(names - {"sum", "difference"})
    if pair in members and len(members) == 2:
        pass
    elif set(members) <= {"first", "second"} or set(members) <= {"greatest", "least"}:
        members = ["first", "second"] if set(members) <= {"first", "second"} else ["greatest", "least"]
    if len(members) != 2:
        return None
    extra = [equal(total(map(unknown, members)), number(whole))]
    if "difference" in names:
        extra.append(equal(unknown("difference"), unknown(members[0]) - unknown(members[1])))
    return _finish(story, relations, extra, members, rule)


def _of_triangle(story: Story) -> Solved | None:
    is_right = re.search(r"\bright (?:triangle|angle)\b", story.words) is not None
    rule = "triangle: its angles add up to 180 deg"
    angles = story.of_sort("ang")
    listed = _LISTED.search(story.words)
    compared = (
        re.search(r"\b(?:more|less|larger|smaller|greater|times|twice|half)\b", story.told + " " + story.asked)
        is not None
    )
    asks_third = re.search(r"\b(?:third|other|remaining|last|missing|another)\b", story.asked) is not None
    if len(angles) == 2 and listed is not None and asks_third and not compared and not is_right:
        left = 180 - angles[0].value - angles[1].value
        return (
            Solved(left, "deg", rule, (f"180 deg - {angles[0].text} - {angles[1].text}",), angles) if left > 0 else None
        )
    if len(angles) == 1 and is_right and not compared and asks_third and _ONE.search(story.words):
        left = 90 - angles[0].value
        return Solved(left, "deg", rule, (f"180 deg - 90 deg - {angles[0].text}",), angles) if left > 0 else None
    relations = _relations(story)
    names = _names(relations)
    extra: list[Polynomial] = []
    members = sorted(names)
    if is_right and len(members) == 2:
        extra.append(equal(unknown("right"), number(90)))
        members.append("right")
    if len(members) != 3 or not relations:
        return None
    extra.append(equal(total(map(unknown, members)), number(180)))
    return _finish(story, relations, extra, members, rule)


def _relations(story: Story) -> list[Relation]:
    return Reader(story, _named, lambda value: value.value).relations()


def _names(relations: Sequence[Relation]) -> set[str]:
    return {name for relation in relations for name in relation.equation.unknowns}


def _finish(
    story: Story, relations: Sequence[Relation], extra: Sequence[Polynomial], members: Sequence[str], rule: str
) -> Solved | None:
    asked = _asked(story)
    if asked is None:
        return None
    found: set[Fraction] = set()
    for each in solutions([*(relation.equation for relation in relations), *extra]):
        if not all(name in each and each[name] > 0 for name in members):
            continue
        ordered = sorted(each[name] for name in members)
        value = each.get(asked, {"least": ordered[0], "greatest": ordered[-1]}.get(asked))
        if value is not None:
            found.add(value)
    if len(found) != 1:
        return None
    used = [value for relation in relations for value in relation.values]
    return Solved(found.pop(), "deg", rule, tuple(map(shown, relations)), used)


def _named(words: Sequence[str]) -> Expression | None:
    telling = [
        word
        for word in words
        if word not in word_class("stories.determiners") and not word[-1].isdigit() and word != "'s"
    ]
    if not telling:
        return None
    for name in ("complement", "supplement", "difference", "sum"):
        if name in telling:
            return unknown(name)
    rest = [word for word in telling if word not in _PLAIN]
    if "angle" not in telling and not (
        len(telling) == 1
        and telling[0] in ("other", "smallest", "largest", "third", "second", "first", "smaller", "larger", "another")
    ):
        return None
    if not rest:
        return unknown("angle")
    if len(rest) != 1:
        return None
    for name, group in (("first", _FIRST), ("second", _SECOND), ("greatest", _GREATEST), ("least", _LEAST)):
        if rest[0] in group:
            return unknown(name)
    return unknown(rest[0]) if rest[0] in ("third", "vertex") else None


def _asked(story: Story) -> str | None:
    words = [word for word in story.asked.split() if word not in word_class("stories.determiners")]
    words = [
        word
        for word in words
        if word
        not in (
            "what",
            "is",
            "find",
            "how",
            "large",
            "big",
            "many",
            "degrees",
            "are",
            "does",
            "measure",
            "measures",
            "size",
        )
    ]
    found = _named(words)
    return None if found is None else found.name
