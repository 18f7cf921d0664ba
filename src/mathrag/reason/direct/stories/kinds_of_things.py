"""Things of several sorts counted and valued together: coins, tickets, mixtures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from mathrag.language.stems import stems
from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.reason.direct.stories.algebra import Expression, equal, number, only_value, solutions, total, unknown
from mathrag.reason.direct.stories.reading import Story, Value
from mathrag.reason.direct.stories.relations import Namer, Reader
from mathrag.reason.direct.stories.solved import Solved, shown

_COINS = {word: Fraction(value) for word, value in word_pairs("stories.coins").items()}
_PRICED = (
    re.compile(
        r"\b(?P<kind>[a-z]+(?: [a-z]+)?) (?:cost|costs|sell for|sells for|sold for|were sold "
        r"for|are sold for|at|are|were|for) (?P<price>money[0-9]+)\b"
    ),
    re.compile(
        r"\b(?P<price>money[0-9]+)(?: (?:each|apiece))? (?:for|per) (?:each |an? |the |every "
        r")?(?P<kind>[a-z]+(?: tickets?)?)\b"
    ),
    re.compile(r"\b(?P<price>money[0-9]+) (?P<kind>bills?|stamps?)\b"),
)


def solve_collection(story: Story) -> Solved | None:
    """How many there are of one sort, when the number and the worth of all are known."""
    sorts = _sorts(story)
    if sorts is None:
        return None
    prices, used = sorts
    namer = _sort_namer(list(prices))
    worth = [value for value in story.of_sort("money") if value not in used]
    asked = namer(re.sub(r"\bhow many\b|\bfind\b", " ", story.asked).split()[:3])
    if len(worth) != 1 or asked is None or asked.name is None:
        return None
    read = Reader(story, namer, lambda value: value.value if value.sort == "num" else None).relations()
    relations = [relation for relation in read if len(relation.equation.unknowns) == 2]
    related = [value for relation in relations for value in relation.values]
    counts = [value for value in story.of_sort("num") if value not in related and _is_count_of_all(story, value)]
    equations = [relation.equation for relation in relations]
    equations += [equal(total(map(unknown, prices)), number(value.value)) for value in counts]
    values = total(number(price) * unknown(kind) for kind, price in prices.items())
    found = only_value([*equations, equal(values, number(_dollars(worth[0])))], asked.name)
    if found is None or found.denominator != 1:
        return None
    lines = [f"{kind}: {float(price):g} each" for kind, price in prices.items()] + [shown(each) for each in relations]
    rule = "worth of all = sum of number * worth of one"
    return Solved(found, None, rule, tuple(lines), [*used, *worth, *related, *counts])


def _sorts(story: Story) -> tuple[dict[str, Fraction], list[Value]] | None:
    """The sorts of things with what one of them is worth, where the question asks for a number of them."""
    if any(value.sort not in ("num", "money") for value in story.values):
        return None
    is_asked = re.search(r"\bhow many\b|\bnumber of\b", story.asked)
    return (_coin_sorts(story) or _priced_sorts(story)) if is_asked else None


def _sort_namer(names: Sequence[str]) -> Namer:
    def name(words: Sequence[str]) -> Expression | None:
        found = [kind for kind in names if set(stems(kind)) & set(stems(" ".join(words)))]
        telling = [word for word in words if word not in word_class("stories.determiners")]
        return unknown(found[0]) if len(found) == 1 and telling and len(telling) <= 4 else None

    return name


def _dollars(value: Value) -> Fraction:
    return value.value / 100 if value.unit.text == "US_cent" else value.value


def _coin_sorts(story: Story) -> tuple[dict[str, Fraction], list[Value]] | None:
    found = {_singular(word): _COINS[word] for word in story.words.split() if word in _COINS}
    return (found, []) if len(found) == 2 else None


def _singular(word: str) -> str:
    return {"pennies": "penny"}.get(word, word.rstrip("s") if word.endswith("s") else word)


def _priced_sorts(story: Story) -> tuple[dict[str, Fraction], list[Value]] | None:
    for pattern in _PRICED:
        found: dict[str, Value] = {}
        for match in pattern.finditer(story.told):
            value = story.value(match["price"])
            words = [
                w
                for w in match["kind"].split()
                if w not in word_class("stories.determiners") and w not in word_class("stories.sold_things")
            ]
            kind = " ".join(words[:1])
            if value is not None and kind and kind not in word_class("stories.not_sorts"):
                found[kind] = value
        if len(found) == 2:
            return {kind: _dollars(value) for kind, value in found.items()}, list(found.values())
    return None


def _is_count_of_all(story: Story, value: Value) -> bool:
    after = re.search(
        rf"\b{value.word} (?:[a-z]+ )?(?:{any_of('stories.sold_things')}|coins|people|in all|altogether)\b", story.words
    )
    before = re.search(rf"\b(?:total of|number of (?:coins|tickets)[a-z ]* (?:is|was)) {value.word}\b", story.words)
    return after is not None or before is not None


# Mixtures.

_STRENGTH = re.compile(
    r"\b(?P<amount>(?:vol|mass|num)[0-9]+|how many [a-z]+|some|x)?(?: [a-z]+)? ?(?:of "
    r")?(?:an? |the |her |his |some )*(?:solution (?:that is |of )?)?(?P<rate>pct[0-9]+)"
    r"\b"
)


def solve_mixture(story: Story) -> Solved | None:
    """Two strengths mixed to a third: amount times strength adds up."""
    rates = story.of_sort("pct")
    amounts = story.of_sort("vol", "mass")
    if len(rates) != 3 or len(amounts) != 1 or len(story.values) != 4 or not story.has("stories.mixing"):
        return None
    match = re.search(
        r"\bhow (?:many (?P<unit>[a-z]+)|much)(?: (?:of )?(?:an? |the |her |his )?)?(?:[a-z]+ )*?(?P<rate>pct[0-9]+)\b",
        story.asked,
    )
    asked = story.value(match["rate"]) if match is not None else None
    result = [
        value
        for value in rates
        if re.search(
            rf"\b(?:{any_of('stories.resulting')})\b(?: [a-z0-9]+){{0,5}} {value.word}\b",
            story.words,
        )
    ]
    if asked is None or len(result) != 1 or result[0] is asked:
        return None
    (final,) = result
    (other,) = (value for value in rates if value not in (asked, final))
    amount = amounts[0]
    place = story.words.find(amount.word)
    nearest = min(
        (final, other, asked),
        key=lambda value: (story.words.find(value.word) < place, abs(story.words.find(value.word) - place)),
    )
    first, second = unknown("asked"), unknown("other")
    known = {final: first + second, other: second}.get(nearest)
    if known is None:
        return None
    equations = [
        equal(known, number(amount.value)),
        equal(first * number(asked.value) + second * number(other.value), (first + second) * number(final.value)),
    ]
    found = {each["asked"] for each in solutions(equations) if "asked" in each and each["asked"] > 0}
    if len(found) != 1:
        return None
    lines = (f"x * {asked.text} + {'y' if nearest is final else amount.text} * {other.text} = all * {final.text}",)
    return Solved(found.pop(), amount.unit.text, "mixture: amount * strength adds up", lines, list(story.values))
