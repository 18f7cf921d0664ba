"""Numbers said in words: one unknown number, two numbers, consecutive integers, ages. No figures and no money."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from mathrag.language.word_classes import word_class
from mathrag.reason.direct.stories.algebra import (
    Expression,
    Polynomial,
    equal,
    number,
    only_value,
    solutions,
    total,
    unknown,
)
from mathrag.reason.direct.stories.reading import Story, Value
from mathrag.reason.direct.stories.relations import Namer, Reader
from mathrag.reason.direct.stories.solved import Solved, shown

_FIRST, _SECOND = word_class("stories.first_of_two"), word_class("stories.second_of_two")
_GREATEST, _LEAST = word_class("stories.greatest"), word_class("stories.least")
_NUMBER_NOUNS = frozenset(("number", "integer", "numbers", "integers", "numeral"))
_CONSECUTIVE = re.compile(r"\b(?P<count>num[0-9]+) consecutive (?P<kind>even |odd )?(?:integers|numbers|whole numbers)")
_ASKED_NOUN = re.compile(r"\b(?:what|find|which|determine|calculate) (?:(?:is|was|are|were) )?(?P<noun>.+)")
_HOW_OLD = re.compile(r"\bhow old (?:is|are) (?P<noun>.+)")


class _Numbers:
    """The unknown numbers of a story, named as they occur: `first`, `second`, `greatest`, `least` or just `number`."""

    def name(self, words: Sequence[str]) -> Expression | None:
        """What a noun phrase stands for, if it is a number or a group of them."""
        telling = [word for word in words if word not in word_class("stories.determiners") and not word[-1].isdigit()]
        operation = next((word for word in telling if word in ("sum", "difference", "product", "total")), None)
        if operation is not None:
            return self._of_all(operation, [word for word in telling if word != operation], words)
        if not telling:
            return None
        if telling[-1] not in _NUMBER_NOUNS:
            return self._one_of(telling[0]) if len(telling) == 1 and telling[0] not in ("first", "second") else None
        if telling[-1] in ("numbers", "integers"):
            # `The larger of two numbers` is one of them.
            return self._one_of(telling[0]) if "of" in words and len(telling) == 2 else None
        if len(telling) == 1:
            return unknown("number")
        return self._one_of(telling[0]) if len(telling) == 2 else None

    def _of_all(self, operation: str, rest: Sequence[str], words: Sequence[str]) -> Expression | None:
        """Their sum, the product of the two numbers."""
        is_group = "of" not in words or any(word in ("numbers", "integers", "them", "their") for word in words)
        if not is_group or any(word not in _NUMBER_NOUNS and word != "them" for word in rest):
            return None
        return unknown("sum" if operation == "total" else operation)

    def _one_of(self, word: str) -> Expression | None:
        for name, words in (("first", _FIRST), ("second", _SECOND), ("greatest", _GREATEST), ("least", _LEAST)):
            if word in words:
                return unknown(name)
        return unknown("third") if word == "third" else None


def solve_numbers(story: Story) -> Solved | None:
    """The number that a story of pure numbers asks for."""
    if any(value.sort not in ("num", "pct") for value in story.values):
        return None
    if _CONSECUTIVE.search(story.words):
        return _consecutive(story)
    asked = _asked_number(story)
    if asked is None:
        return None
    reader = Reader(story, _Numbers().name, _plain)
    relations = [relation for relation in reader.relations() if relation.values]
    members, extra = _members({name for relation in relations for name in relation.equation.unknowns})
    equations = [relation.equation for relation in relations] + extra
    values = _fitting(solutions(equations, positive=False), members)
    found = {value for each in values if (value := _answer(each, asked, members)) is not None}
    if re.search(r"\bpositive\b", story.words):
        found = {value for value in found if value > 0}
    if len(found) != 1:
        return None
    used = [value for relation in relations for value in relation.values]
    return Solved(found.pop(), None, "an equation said in words", tuple(map(shown, relations)), used)


def _plain(value: Value) -> Fraction:
    return value.value / 100 if value.sort == "pct" else value.value


def _members(seen: set[str]) -> tuple[tuple[str, ...], list[Polynomial]]:
    """The unknown numbers themselves, and what their sum, difference and product are."""
    pairs = [("greatest", "least"), ("first", "second")]
    members: tuple[str, ...]
    if "third" in seen:
        members = ("first", "second", "third")
    elif seen & {"first", "second"} or not seen & {"greatest", "least", "sum", "difference", "product"}:
        members = pairs[1] if seen & {"second"} else ("number",)
    else:
        members = pairs[0]
    extra: list[Polynomial] = []
    if "number" in seen and "second" in seen:
        # `One number … a number` speaks of the first.
        extra.append(equal(unknown("number"), unknown("first")))
    if "number" in seen and "first" in seen and "second" not in seen:
        extra.append(equal(unknown("number"), unknown("first")))
    parts = [unknown(name) for name in members]
    if len(parts) > 1:
        if "sum" in seen:
            extra.append(equal(unknown("sum"), total(parts)))
        if "difference" in seen and len(parts) == 2:
            extra.append(equal(unknown("difference"), parts[0] - parts[1]))
        if "product" in seen:
            product = number(1)
            for part in parts:
                product = product * part
            extra.append(equal(unknown("product"), product))
    return members, extra


def _fitting(found: Sequence[dict[str, Fraction]], members: Sequence[str]) -> list[dict[str, Fraction]]:
    """The solutions in which all numbers are known, the greatest being the greater."""
    complete = [each for each in found if all(name in each for name in members)]
    return [each for each in complete if "greatest" not in members or each["greatest"] >= each["least"]]


def _answer(values: dict[str, Fraction], asked: str, members: Sequence[str]) -> Fraction | None:
    if asked in values:
        return values[asked]
    if asked == "number" and len(members) == 1:
        return values.get(members[0])
    if len(members) < 2:
        return None
    ordered = sorted(values[name] for name in members)
    return {"greatest": ordered[-1], "least": ordered[0], "sum": sum(ordered, Fraction(0))}.get(asked)


def _asked_number(story: Story) -> str | None:
    match = _ASKED_NOUN.search(story.asked)
    if match is None:
        return None
    words = [word for word in match["noun"].split() if word not in word_class("stories.determiners")]
    if not words or len(words) > 2 or not re.search(r"\bnumbers?\b|\bintegers?\b", story.words):
        return None
    for name, each in (("first", _FIRST), ("second", _SECOND), ("greatest", _GREATEST), ("least", _LEAST)):
        if words[0] in each:
            return name
    return "number" if words[-1] in ("number", "integer") else None


def _consecutive(story: Story) -> Solved | None:
    """The sum or product of integers that follow each other."""
    match = _CONSECUTIVE.search(story.words)
    if match is None:
        return None
    count = story.value(match["count"])
    step = 2 if match["kind"] else 1
    if count is None or not 2 <= count.value <= 10:
        return None
    of = re.search(
        rf"\b(?P<what>sum|product|total) of (?:the )?{match['count']} consecutive .*?(?:is|are|equals) (?P<is>\S+)",
        story.words,
    )
    result = story.value(of["is"]) if of is not None else None
    if of is None or result is None:
        return None
    parts = [unknown("least") + number(step * place) for place in range(int(count.value))]
    left = total(parts)
    if of["what"] == "product":
        left = number(1)
        for part in parts:
            left = left * part
    equation = equal(left, number(result.value))
    place = _which(story, int(count.value))
    parity = {"even ": 0, "odd ": 1}.get(match["kind"] or "")
    found = {each["least"] for each in solutions([equation], positive=False)}
    found = {value for value in found if value.denominator == 1 and (parity is None or value.numerator % 2 == parity)}
    if "negative" not in story.words.split() and len(found) > 1:
        found = {value for value in found if value > 0}
    if len(found) != 1 or place is None:
        return None
    working = f"{of['what']} of n, n + {step}, … ({count.value}) = {result.text}"
    return Solved(
        found.pop() + step * place, None, "consecutive integers: n, n + 1, n + 2, …", (working,), [count, result]
    )


def _which(story: Story, count: int) -> int | None:
    """Which of the integers is asked for, from zero."""
    asked = set(story.asked.split())
    if asked & (_GREATEST | {"last"}):
        return count - 1
    if asked & (_LEAST | {"first"}):
        return 0
    if "second" in asked or ("middle" in asked and count == 3):
        return 1
    return 2 if "third" in asked and count >= 3 else None


_AGE_WORDS = frozenset(("age", "ages", "old"))


def solve_ages(story: Story) -> Solved | None:
    """How old somebody is, by how the ages compare today."""
    if not set(story.words.split()) & (_AGE_WORDS | {"older", "younger"}) or story.has("stories.other_times"):
        return None
    if any(value.sort != "num" and value.unit.text != "year" for value in story.values):
        return None
    people: dict[str, None] = {}
    namer = _age_namer(people)
    relations = Reader(story, namer, lambda value: value.value).relations()
    match = _HOW_OLD.search(story.asked) or _ASKED_NOUN.search(story.asked)
    asked = namer(match["noun"].split()) if match is not None else None
    if asked is None or asked.name is None:
        return None
    equations = [relation.equation for relation in relations]
    if any("sum" in each.unknowns for each in equations):
        equations.append(equal(unknown("sum"), total(map(unknown, people))))
    found = only_value(equations, asked.name)
    if found is None:
        return None
    used: list[Value] = [value for relation in relations for value in relation.values]
    return Solved(found, "year", "ages compared in words", tuple(map(shown, relations)), used)


def _age_namer(people: dict[str, None]) -> Namer:
    """Names the age of a person by the last word for him, and keeps who was named."""

    def name(words: Sequence[str]) -> Expression | None:
        telling = [word for word in words if word not in word_class("stories.determiners") and word.isalpha()]
        telling = [word for word in telling if word not in ("years", "old")]
        if {"sum", "total"} & set(telling):
            rest = set(telling) - {"sum", "total", "ages", "combined"}
            return unknown("sum") if not rest and "ages" in telling else None
        telling = [word for word in telling if word not in _AGE_WORDS and word not in ("current", "present", "now")]
        if not telling or telling[-1] in word_class("grammar.function_words") or "difference" in telling:
            return None
        people[telling[-1]] = None
        return unknown(telling[-1])

    return name
