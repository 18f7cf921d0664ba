"""Prices and what is put on them or taken off them: discounts, taxes, tips, raises, profits; changes in percent.

A bargain is a base, a rate of it for each part, and what results. Fragments of it are understood too: "boots $60 with
25% off" asks for what results, "20% tip on $45" for the part.
"""

from __future__ import annotations

import re
from fractions import Fraction

from mathrag.language.word_classes import any_of
from mathrag.reason.direct.stories.reading import Story, Value
from mathrag.reason.direct.stories.solved import Solved

_AMOUNT = r"(?:money|num|len|mass|vol|time|area)[0-9]+"
_UP, _DOWN = (rf"(?:{any_of(f'stories.{name}')})" for name in ("on_top", "taken_off"))
_PARTS = rf"(?:{any_of('stories.price_parts')}|{any_of('stories.on_top')}|{any_of('stories.taken_off')})"

# Changes.

_PERCENT = re.compile(r"\b(?:percent|percentage|pct)\b")
_SHARE = re.compile(r"\b(?:percent|percentage) of\b")
_FROM_TO = re.compile(rf"\bfrom (?P<old>{_AMOUNT})\b(?: [a-z]+| ,)*? to (?:about )?(?P<new>{_AMOUNT})\b")
_TO_FROM = re.compile(rf"\b(?P<new>{_AMOUNT})\b[^.?]*?\b(?:up|down|rose|fell) from (?P<old>{_AMOUNT})\b")
_BY_SO_MUCH = re.compile(rf"\bby {_AMOUNT}\b")
_TRADED = tuple(
    re.compile(rf"\b(?:{any_of(f'stories.{name}')})\b(?: [a-z]+){{0,4}}? (?P<value>{_AMOUNT})\b")
    for name in ("bought", "sold")
)


def solve_percent_change(story: Story) -> Solved | None:
    """By what percent something rose or fell between two values."""
    is_asked = any(story.asks(f"stories.{name}") for name in ("rises", "falls", "changes", "taken_off"))
    is_told = any(story.has(f"stories.{name}") for name in ("rises", "falls", "changes"))
    if not (_PERCENT.search(story.asked) and (is_asked or is_told)) or _SHARE.search(story.asked):
        return None
    values = [value for value in story.values if value.sort != "pct"]
    if (
        _BY_SO_MUCH.search(story.words)
        or len(values) != 2
        or len(story.values) != 2
        or values[0].unit.dimension != values[1].unit.dimension
    ):
        return None
    ends = _traded(story) or _ends(story, *values)
    if ends is None:
        return None
    old, new = ends
    before, after = old.value, new.in_unit(old.unit)
    rises = story.asks("stories.rises")
    falls = story.asks("stories.falls") or story.asks("stories.taken_off")
    if not is_asked:
        rises, falls = after > before and story.has("stories.rises"), after < before and story.has("stories.falls")
    if before == 0 or (rises and not falls and after < before) or (falls and not rises and after > before):
        return None
    size = (after - before) / before * 100
    more, less = (old, new) if (rises or falls) and after < before else (new, old)
    line = f"({more.text} - {less.text}) / {old.text} * 100 %"
    size = abs(size) if rises or falls else size
    return Solved(size, "percent", "percent change = change / value before", (line,), [old, new])


def _traded(story: Story) -> tuple[Value, Value] | None:
    """What something was bought and sold for."""
    found = [match for pattern in _TRADED if (match := pattern.search(story.words)) is not None]
    values = [story.value(match["value"]) for match in found]
    if len(values) != len(_TRADED) or values[0] is None or values[1] is None or values[0] is values[1]:
        return None
    return values[0], values[1]


def _ends(story: Story, first: Value, second: Value) -> tuple[Value, Value] | None:
    """The value before and the value after, as words say or as they are told."""
    match = _FROM_TO.search(story.words) or _TO_FROM.search(story.words)
    if match is not None:
        old, new = story.value(match["old"]), story.value(match["new"])
        return (first, second) if old is None or new is None else (old, new)
    return (first, second) if _in_order(story, first, second) else None


def _in_order(story: Story, old: Value, new: Value) -> bool:
    """Whether the first value is the earlier one: no word says the reverse."""
    earlier = re.compile(rf"\b(?:{any_of('stories.earlier')})\b")
    start, end = story.words.find(old.word), story.words.find(new.word)
    return earlier.search(story.words[start:end]) is None or earlier.search(story.words[:start]) is not None


# Bargains.

_BEFORE = re.compile(rf"\b(?:{any_of('stories.prices_before')})\b[^.?,]*? (?P<value>money[0-9]+)\b")
_AFTERWARDS = re.compile(rf"\b(?:{any_of('stories.prices_after')})\b[^.?,]*? (?P<value>money[0-9]+)\b")
# "The price with 20% tax is $60", "$60 after a 25% discount", "$60 including a 20% tip"; and "$60 before tax".
_COMES_TO = re.compile(
    rf"\b(?:{any_of('stories.contains')}|with|plus|after)(?:(?: [a-z]+)? pct[0-9]+)?(?: [a-z]+){{1,3}}"
    r" (?:is|was|are|were|costs?|comes to|came to|totals|totaled) (?P<value>money[0-9]+)\b"
    rf"|\b(?:{_PARTS}|{any_of('stories.rises')}|{any_of('stories.falls')})(?: by)? pct[0-9]+"
    r" to (?P<value2>money[0-9]+)\b"
)
_RESULTS = re.compile(
    rf"\b(?P<value>money[0-9]+)(?: [a-z]+| ,){{0,3}}? (?:{any_of('stories.contains')}|after)\b"
    r"(?! (?:he|she|they|i|we)\b)"
)
_STARTS = re.compile(r"\b(?P<value>money[0-9]+)(?: [a-z]+| ,){0,2}? (?:before|without|excluding|plus)\b")
_PRICE_PART = rf"(?:{any_of('stories.price_parts')})"
_PART = re.compile(
    r"(?<!after )(?<!with )(?<!plus )(?<!before )(?<!without )(?<!including )(?<!excluding )"
    rf"\b{_PRICE_PART}(?: (?:of|was|is|came to|for|amount|amounted to|totaled))* (?P<value>money[0-9]+)\b"
    rf"|\b(?P<value2>money[0-9]+) (?:(?:in|of|as) )?(?:an? |the )?(?:sales )?{_PRICE_PART}\b"
)
_ASKS_PART = re.compile(
    rf"(?:(?:what|how much)(?: (?:is|was|'s) the)?|the)?(?: sales)? ?(?:{any_of('stories.price_parts')})\b"
)
# "The price with tax", "how much is it with the 7 % tax": the whole price and no part of it.
_WITH_OR_WITHOUT = re.compile(
    rf"\b(?P<with>{any_of('stories.contains')}|with|plus|after|without|excluding|before)"
    rf"(?: (?:an?|the|its|of|sales|pct[0-9]+))* {_PARTS}\b"
)
_CONTAINS = re.compile(rf"\b(?:{any_of('stories.contains')})\b")
_NOT = re.compile(rf"\b(?:{any_of('stories.negations')})\b")
_NEAR = 4
_SPLIT = re.compile(r"\b(?:split|splits?|shared?|divided?)\b(?: [a-z]+){0,3}? (?P<value>num[0-9]+)\b")
_EACH = re.compile(r"\b(?:each|per person|every one|one of (?:us|them))\b")
_FRAGMENT_OF_PART = re.compile(
    rf"^(?:an? |the )?pct[0-9]+ {_PRICE_PART} (?:on|of|for) (?:an? )?(?:[a-z]+ ){{0,2}}money[0-9]+"
)
_MARGIN = re.compile(r"\bmargin\b")


def solve_bargain(story: Story) -> Solved | None:
    """Base, rate, part and what results, by those of them that are told."""
    rates, money = story.of_sort("pct"), story.of_sort("money")
    signs, asked = _signs(story, rates), _asked(story, has_rate=bool(rates))
    if signs is None or asked is None or not money or not _holds_once(story, rates, asked):
        return None
    # What is asked for with everything in it says nothing of the price that is told.
    roles = _roles(story.told if asked in ("after", "base") else story.words, money)
    if len(roles) != len(money) or len(set(roles.values())) != len(roles) or (0 in signs and asked == "after"):
        return None
    known = {role: value.dollars for value, role in roles.items()}
    is_said = asked == "base" and _STARTS.search(story.told) is not None
    found = _found(asked, known, [_rate(story, sign, rate) for sign, rate in zip(signs, rates, strict=True)])
    share = _share(story, story.of_sort("num"))
    if found is None or share is None or (asked in known and not is_said):
        return None
    people, used = share
    lines = (*(f"{role} = {value.text}" for value, role in roles.items()), *(f"rate = {each.text}" for each in rates))
    rule = _rule(signs) + (f", shared by {used[0].text}" if used else "")
    unit = "percent" if asked == "rate" else "USD"
    return Solved(found / people, unit, rule, lines, [*money, *rates, *used])


def _holds_once(story: Story, rates: list[Value], asked: str) -> bool:
    """Whether every rate is of the whole price once, one upon the other where there are several."""
    is_plain = not rates[1:] or (asked in ("after", "base") and story.has("stories.further_bargains"))
    return is_plain and not story.has("stories.limits_of_bargains")


def _rule(signs: list[int]) -> str:
    if not signs or signs[0] == 0:
        return "part = rate × base"
    if len(signs) > 1:
        return "one rate after the other, each of what is there then"
    return f"part = rate × base, total = base {'-' if signs[0] < 0 else '+'} part"


def _found(asked: str, known: dict[str, Fraction], rates: list[Fraction | None]) -> Fraction | None:
    """What is asked, where what is known gives it."""
    factor = Fraction(1)
    for rate in rates:
        if rate is None:
            return None
        factor *= 1 + rate
    base, part = known.get("base"), known.get("part")
    if asked == "rate":
        part = _difference(known) if part is None else part
        base = _difference(known) if base is None else base
        return abs(part / base * 100) if base and part is not None else None
    if not rates or rates[0] is None:
        return None
    if base is None and "after" in known and factor > 0:
        base = known["after"] / factor
    elif base is None and part is not None and rates[0]:
        base = part / abs(rates[0])
    if base is None or len(known) != 1:
        return None
    return {"base": base, "after": base * factor, "part": base * abs(rates[0])}[asked]


def _difference(known: dict[str, Fraction]) -> Fraction | None:
    """The part between a price before and after; or the price before, of one after and the part."""
    if len(known) != len(("one", "other")) or "after" not in known:
        return None
    other = known.get("base", known.get("part"))
    return None if other is None else known["after"] - other


def _rate(story: Story, sign: int, rate: Value) -> Fraction | None:
    """What a rate adds to the price before, as a share of that: a margin is a share of the price after."""
    share = rate.value / 100
    if _MARGIN.search(story.words) is None:
        # What is earned by it changes no price.
        return sign * share if sign else share
    return share / (1 - share) if share < 1 else None


def _signs(story: Story, rates: list[Value]) -> list[int] | None:
    """Whether each rate is put on the price (1), taken off it (-1), or only earned by it (0); None where that is not
    plain."""
    if story.has("stories.interest"):
        return None
    if re.search(r"\bcommissions?\b", story.words):
        return [0] * len(rates) if len(rates) < 2 else None
    if _MARGIN.search(story.words):
        return [1] if len(rates) == 1 else None
    down, up = story.has("stories.taken_off"), story.has("stories.on_top")
    if down != up:
        return [-1 if down else 1] * max(len(rates), 0)
    signs = [_sign(story, rate) for rate in rates] if down else []
    return None if not signs or None in signs else [each for each in signs if each is not None]


def _sign(story: Story, rate: Value) -> int | None:
    """Which of the two the words beside a rate say."""
    near = rf"(?:\b(?P<before>[a-z ]+) )?\b{rate.word}\b(?: (?P<behind>[a-z]+(?: [a-z]+){{0,2}}))?"
    match = re.search(near, story.words)
    if match is None:
        return None
    behind, before = match["behind"] or "", " ".join((match["before"] or "").split()[-_NEAR:])
    for said in (behind, before):
        down, up = (re.search(rf"\b{each}\b", said) is not None for each in (_DOWN, _UP))
        if down != up:
            return -1 if down else 1
    return None


def _roles(words: str, money: list[Value]) -> dict[Value, str]:
    """What each amount of money is: the price before, the part, what results; a lone one is the price before, unless
    something is said to be in a price already."""
    contains = _CONTAINS.search(words) is not None
    if contains and _NOT.search(words) is not None:
        return {}
    found: dict[Value, str] = {}
    for value in money:
        roles = []
        for role, pattern in (
            ("after", _COMES_TO), ("part", _PART), ("base", _STARTS), ("after", _RESULTS), ("after", _AFTERWARDS),
            ("base", _BEFORE),
        ):  # fmt: skip
            for match in pattern.finditer(words):
                if value.word in (match["value"], match.groupdict().get("value2")):
                    roles.append(role)
                    break
        if roles or not contains:
            found[value] = roles[0] if roles else "base"
    return found


def _asked(story: Story, *, has_rate: bool) -> str | None:
    if not story.asked:
        return "part" if _FRAGMENT_OF_PART.match(story.words) else "after" if has_rate else None
    if re.search(r"\b(?:percent|percentage|rate)\b", story.asked):
        return None if has_rate else "rate"
    if _ASKS_PART.match(story.asked):
        return "part"
    if (said := _WITH_OR_WITHOUT.search(story.asked)) is not None:
        return "base" if said["with"] in ("without", "excluding", "before") else "after"
    if story.asks("stories.prices_before") and not re.search(r"\btotal cost\b", story.asked):
        return "base"
    if re.search(r"\bcosts?\b", story.asked) and story.has("stories.of_traders"):
        # Their cost is what they pay themselves.
        return "base"
    is_shared = _SPLIT.search(story.words) is not None and _EACH.search(story.asked) is not None
    if story.asks("stories.prices_after") or story.asks("stories.asks_price") or is_shared:
        return "after"
    return "part" if story.asks("stories.price_parts") else None


def _share(story: Story, counts: list[Value]) -> tuple[Fraction, list[Value]] | None:
    """Among how many the price is shared, and the value that says so; None where that is unclear."""
    match = _SPLIT.search(story.words)
    is_each = _EACH.search(story.words) is not None
    if match is None:
        return None if is_each and counts else (Fraction(1), [])
    people = story.value(match["value"])
    if people is None or people.value < 1 or people.value.denominator != 1:
        return None
    return people.value, [people]
