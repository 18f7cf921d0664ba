"""Stories of a step or two: how much more, what is left after changes, so many of so much each, how counts compare."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from mathrag.language.stems import stems
from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.result import exact_fraction
from mathrag.reason.direct.stories.algebra import Expression, Polynomial, equal, number, solutions, unknown
from mathrag.reason.direct.stories.rates import asked_unit
from mathrag.reason.direct.stories.reading import Story, Value
from mathrag.reason.direct.stories.relations import Reader, Relation
from mathrag.reason.direct.stories.solved import Solved, shown

_MEASURES = ("len", "mass", "vol", "money", "time", "temp", "ang", "counted", "num")
_HOW_MUCH_MORE = re.compile(
    rf"\bhow (?:much|many|far)(?: [a-z]+)? ?(?:, in [a-z]+ , )?(?:{any_of('stories.more')}|{any_of('stories.less')})"
    r"\b.*\bthan\b"
)
_DIFFERENCE = re.compile(r"\bdifference (?:between|in|of)\b")


# How many times is no difference; nor is the difference of two lengths that of the areas or volumes they make.
_QUOTIENT = re.compile(r"\btimes\b|\bfactor\b|\bratio\b|\bpercent(?:age)?\b")
_OF_LENGTHS = re.compile(r"\b(?:areas?|surfaces?|volumes?|space|room|pizza)\b")


def solve_difference(story: Story) -> Solved | None:
    """How much more one is than the other: two measures of one kind."""
    if not _HOW_MUCH_MORE.search(story.asked) and not _DIFFERENCE.search(story.asked):
        return None
    if len(story.values) != 2 or story.values[0].sort not in _MEASURES or story.has("stories.depths"):
        return None
    first, second = story.values
    if _QUOTIENT.search(story.asked) or (first.sort == "len" and _OF_LENGTHS.search(story.asked)):
        return None
    if first.sort != second.sort or re.search(
        r"\b(?:more|less|fewer) than\b|\btwice\b|\btimes\b|\bnumbers?\b", story.told
    ):
        return None
    unit = min((first.unit, second.unit), key=lambda each: each.scale)
    size = abs(first.in_unit(unit) - second.in_unit(unit))
    larger, smaller = (first, second) if first.in_unit(unit) >= second.in_unit(unit) else (second, first)
    return Solved(
        size, unit.text or None, "difference of two values", (f"{larger.text} - ({smaller.text})",), [first, second]
    )


# A value that rises and falls.

_CHANGED = re.compile(
    rf"\b(?P<verb>{any_of('stories.rose')}|{any_of('stories.fell')})(?: by)?(?: an? (?:additional|"
    r"further))? (?P<value>(?:temp|ang|len|num|money)[0-9]+)\b"
)


def solve_changes(story: Story) -> Solved | None:
    """What a value becomes after it rose and fell by stated amounts."""
    changes: list[tuple[int, Value]] = []
    for match in _CHANGED.finditer(story.told):
        value = story.value(match["value"])
        if value is not None:
            changes.append((1 if match["verb"] in word_class("stories.rose") else -1, value))
    if not changes or len(story.values) != len(changes) + 1 or not story.asks("stories.becomes"):
        return None
    changed = [value for _, value in changes]
    start = next(value for value in story.values if value not in changed)
    if (
        start.index != 0
        or any(value.sort != start.sort for value in changed)
        or re.search(r"\bhow (?:much|many)\b|\bchange\b|\bby\b", story.asked)
    ):
        return None
    found = start.value + sum((sign * value.in_unit(start.unit) for sign, value in changes), Fraction(0))
    line = start.text + "".join(f" {'+' if sign > 0 else '-'} {value.text}" for sign, value in changes)
    return Solved(found, start.unit.text or None, "value before and its changes", (line,), list(story.values))


# So many of so much each.

_EACH_AFTER = re.compile(r"\b(?P<value>[a-z]+[0-9]+)(?: [a-z]+){0,3} (?:each|apiece|per [a-z]+)\b")
_ONE_HAS = re.compile(
    r"\b(?:one|each|every|a single) (?P<noun>[a-z]+)(?: [a-z]+){0,8} (?P<value>(?:mass|vol|len|money|counted)[0-9]+)\b"
)


def solve_each(story: Story) -> Solved | None:
    """The whole of several that are alike."""
    if len(story.values) != 2 or not re.search(r"\bhow (?:much|many)\b|\btotal\b|\bweight\b|\bcost\b", story.asked):
        return None
    counts = [value for value in story.values if value.sort == "num"]
    sizes = [value for value in story.values if value.sort in ("mass", "vol", "len", "money", "counted")]
    if len(counts) != 1 or len(sizes) != 1 or counts[0].value.denominator != 1:
        return None
    count, size = counts[0], sizes[0]
    one, each = _ONE_HAS.search(story.words), _EACH_AFTER.search(story.words)
    follows = re.search(rf"\b{count.word}((?: [a-z]+){{1,2}})", story.words)
    nouns = set(stems(follows[1])) if follows is not None else set()
    if each is not None and each["value"] == size.word and nouns:
        pass
    elif one is None or one["value"] != size.word or not set(stems(one["noun"])) & nouns:
        return None
    wanted = asked_unit(story)
    if wanted is None and not re.search(r"\b(?:total|much|cost|weight|all)\b", story.asked):
        return None
    if wanted is not None and wanted.dimension != size.unit.dimension:
        return None
    unit = wanted or size.unit
    found = count.value * size.value * (exact_fraction(size.unit.scale / unit.scale) if wanted is not None else 1)
    return Solved(found, unit.text, "total = number * amount of one", (f"{count.text} * {size.text}",), [count, size])


# Counts and weights that are compared in words.

_COUNTED = (
    re.compile(r"\bnumber of (?P<noun>[a-z]+(?: [a-z]+)?)"),
    re.compile(r"\bhow many (?P<noun>[a-z]+(?: [a-z]+)?)"),
    re.compile(r"\bnum[0-9]+ (?P<noun>[a-z]+(?: [a-z]+)?)"),
)
_GIVEN = re.compile(r"\b(?P<value>num[0-9]+) (?P<noun>[a-z]+(?: [a-z]+)?)")
_WEIGHING = re.compile(r"\b(?P<who>[a-z]+) (?:weigh|weighs|weighed)\b")


def solve_counts(story: Story) -> Solved | None:
    """How many there are of one sort, by how the counts compare and what one of them is."""
    if any(value.sort not in ("num", "pct") for value in story.values):
        return None
    match = re.search(r"\b(?:how many|number of) (?P<noun>[a-z]+(?: [a-z]+)?)", story.asked)
    if match is None or story.has("stories.numbers_themselves"):
        return None
    keys = _keys(story)

    def name(words: Sequence[str]) -> Expression | None:
        own = frozenset(stems(" ".join(word for word in words if word != "number" and word != "total")))
        fitting = [key for key in keys if key <= own and len(own - key) <= 1]
        return unknown(" ".join(sorted(fitting[0]))) if len(fitting) == 1 else None

    relations = [
        relation
        for relation in Reader(
            story, name, lambda value: value.value / 100 if value.sort == "pct" else value.value
        ).relations()
        if len(relation.equation.unknowns) == 2
    ]
    related = [value for relation in relations for value in relation.values]
    given: list[Polynomial] = []
    used = list(related)
    for found in _GIVEN.finditer(story.words):
        value = story.value(found["value"])
        key = name(found["noun"].split()) or name(found["noun"].split()[:1])
        if value is not None and value not in used and key is not None:
            given.append(equal(key, number(value.value)))
            used.append(value)
    asked = name(match["noun"].split()) or name(match["noun"].split()[:1])
    return _finished(relations, given, used, asked, unit=None)


def _keys(story: Story) -> list[frozenset[str]]:
    """The sorts of things that are counted, the shortest name of each."""
    found: list[frozenset[str]] = []
    for pattern in _COUNTED:
        for match in pattern.finditer(story.words):
            words = [word for word in match["noun"].split() if word not in word_class("grammar.function_words")]
            words = [word for word in words if word not in word_class("stories.count_verbs")]
            own = frozenset(stems(" ".join(words)))
            if own and own not in found:
                found.append(own)
    return [key for key in found if not any(other < key for other in found)]


def solve_weights(story: Story) -> Solved | None:
    """How heavy somebody is, by how the weights compare."""
    if any(value.sort not in ("mass", "num") for value in story.values) or not story.of_sort("mass"):
        return None
    asked = re.search(r"\bhow much (?:does|did|do) (?P<who>[a-z ]+?) weigh\b", story.asked)
    names = {match["who"] for match in _WEIGHING.finditer(story.words)} | (
        {asked["who"].split()[-1]} if asked else set()
    )
    if asked is None or len(names) < 2 or names & word_class("grammar.function_words"):
        return None
    unit = story.of_sort("mass")[0].unit

    def name(words: Sequence[str]) -> Expression | None:
        found = [word for word in words if word in names]
        return unknown(found[0]) if len(found) == 1 and len(words) <= 2 else None

    spoken = Story(re.sub(r"\b(?:weighs|weighed|weigh)\b", "is", story.words), story.values, story.asked, story.told)
    relations = Reader(
        spoken, name, lambda value: value.in_unit(unit) if value.sort == "mass" else value.value
    ).relations()
    used = [value for relation in relations for value in relation.values]
    return _finished(relations, [], used, name(asked["who"].split()[-1:]), unit=unit.text)


def _finished(
    relations: Sequence[Relation],
    given: Sequence[Polynomial],
    used: list[Value],
    asked: Expression | None,
    *,
    unit: str | None,
) -> Solved | None:
    if asked is None or asked.name is None or not relations or not (given or unit):
        return None
    equations = [*(relation.equation for relation in relations), *given]
    if any(each.unknowns == {asked.name} for each in given):
        return None
    found = {each[asked.name] for each in solutions(equations) if asked.name in each}
    if len(found) != 1:
        return None
    value = found.pop()
    if unit is None and value.denominator != 1:
        return None
    return Solved(value, unit, "amounts compared in words", tuple(map(shown, relations)), used)
