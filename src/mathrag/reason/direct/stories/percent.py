"""Percent in stories: shares, changes, discounts, tax, tips, commissions; simple and compound interest."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from mathrag.language.stems import stems
from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.reason.direct.result import exact_fraction
from mathrag.reason.direct.stories.algebra import equal, number, only_value, unknown
from mathrag.reason.direct.stories.reading import Story, Value
from mathrag.reason.direct.stories.solved import Solved

_AMOUNT = r"(?:money|num|len|mass|vol|time|area)[0-9]+"
_ASKS_PERCENT = re.compile(r"\b(?:percent|percentage|rate|pct)\b")
_FROM_TO = re.compile(rf"\bfrom (?P<old>{_AMOUNT})\b(?: [a-z]+| ,)*? to (?:about )?(?P<new>{_AMOUNT})\b")
_TO_FROM = re.compile(rf"\b(?P<new>{_AMOUNT})\b[^.?]*?\b(?:up|down|rose|fell) from (?P<old>{_AMOUNT})\b")


def solve_percent_change(story: Story) -> Solved | None:
    """By what percent something rose or fell between two values."""
    if not _ASKS_PERCENT.search(story.asked) or not (
        story.asks("stories.rises") or story.asks("stories.falls") or story.asks("stories.changes")
    ):
        return None
    values = [value for value in story.values if value.sort != "pct"]
    if len(values) != 2 or len(story.values) != 2 or values[0].unit.dimension != values[1].unit.dimension:
        return None
    old, new = values
    match = _FROM_TO.search(story.words)
    other = _TO_FROM.search(story.words)
    if match is not None:
        old, new = _both(story, match["old"], match["new"]) or (old, new)
    elif other is not None:
        old, new = _both(story, other["old"], other["new"]) or (old, new)
    elif not _in_order(story, old, new):
        return None
    before, after = old.value, new.in_unit(old.unit)
    rises, falls = story.asks("stories.rises"), story.asks("stories.falls")
    if before == 0 or (rises and not falls and after < before) or (falls and not rises and after > before):
        return None
    size = (after - before) / before * 100
    if rises or falls:
        size = abs(size)
    more, less = (new, old) if (size >= 0 and after >= before) or not (rises or falls) else (old, new)
    line = f"({more.text} - {less.text}) / {old.text} * 100 %"
    return Solved(size, "percent", "percent change = change / value before", (line,), [old, new])


def _both(story: Story, old: str, new: str) -> tuple[Value, Value] | None:
    first, second = story.value(old), story.value(new)
    return None if first is None or second is None else (first, second)


def _in_order(story: Story, old: Value, new: Value) -> bool:
    """Whether the first value is the earlier one: no word says the reverse."""
    between = story.words[story.words.find(old.word) : story.words.find(new.word)]
    reverse = re.search(rf"\b(?:{any_of('stories.earlier')})\b", between)
    earlier = re.search(rf"\b(?:{any_of('stories.earlier')})\b", story.words[: story.words.find(old.word)])
    return reverse is None or earlier is not None


# Part, base and rate.

_OUT_OF = re.compile(
    rf"\b(?:out of|of)(?: the| his| her| its| their| a| all| these| about| total of)* (?P<base>{_AMOUNT})\b"
)
_PART_OUT_OF = re.compile(
    rf"\b(?P<part>{_AMOUNT})(?: [a-z]+){{0,3}} (?:out )?of (?:the |his |her |its |their )?(?P<base>{_AMOUNT})\b"
)


def solve_what_percent(story: Story) -> Solved | None:
    """What percent a part is of the whole, where words say which is the whole."""
    if not re.search(r"\b(?:percent|percentage)\b", story.asked) or len(story.values) != 2:
        return None
    if any(story.asks(f"stories.{name}") for name in ("rises", "falls", "changes", "negations")):
        return None
    first, second = story.values
    if "pct" in (first.sort, second.sort) or first.unit.dimension != second.unit.dimension:
        return None
    base = _whole(story)
    if base is None or not _is_shared(story):
        return None
    part = first if base is second else second
    share = part.in_unit(base.unit) / base.value * 100 if base.value else Fraction(101)
    if share > 100 or part.value < 0:
        return None
    return Solved(
        share, "percent", "percent: part / base * 100 %", (f"{part.text} / {base.text} * 100 %",), [part, base]
    )


def _is_shared(story: Story) -> bool:
    """Whether the values are a whole and its part: not two parts side by side, and what is asked about was told."""
    if re.search(r"\bnum[0-9]+ [a-z]+ (?:[a-z]+ )?and num[0-9]+\b", story.words):
        return False
    tail = re.search(r"\b(?:is|are|was|were|did|does|goes to|go to) (?P<said>[a-z ]+)$", story.asked)
    told = set(stems(story.told)) | set(word_class("stories.plain_asks"))
    return tail is None or set(stems(tail["said"])) <= told


def _whole(story: Story) -> Value | None:
    """The value that is the whole: after `out of`, or counted by the noun that the question takes a share of."""
    found = [value for match in _OUT_OF.finditer(story.words) if (value := story.value(match["base"]))]
    if len(set(found)) == 1:
        return found[0]
    asked = re.search(
        r"\b(?:percent|percentage) of (?:the |his |her |its |their |these |those |all )?(?P<noun>[a-z "
        r"]+?)(?: (?:is|are|was|were|did|does|do|has|have|had)\b|$)",
        story.asked,
    )
    if asked is None:
        return None
    nouns = set(stems(asked["noun"]))
    named = []
    for value in story.values:
        around = re.search(rf"\b{value.word}((?: [a-z]+){{1,4}})", story.words)
        before = re.search(rf"((?:[a-z]+ ){{1,4}}){value.word}\b", story.words)
        after_words = set(stems(around[1])) if around else set()
        before_words = set(stems(before[1])) if before else set()
        if nouns and nouns <= (after_words | before_words):
            named.append(value)
    larger, smaller = sorted(story.values, key=lambda value: -value.value)
    if nouns & set(stems("total whole all")):
        return larger
    goes = re.search(
        r"\b(?:goes to|go to|is for|spent on|was|is|are|were) (?:the |her |his |their )?(?P<part>[a-z ]+)$", story.asked
    )
    if goes is not None and re.search(rf"\b{smaller.word}(?: [a-z]+){{0,3}} {re.escape(goes['part'])}\b", story.words):
        return larger
    if len(named) == 1 and named[0] is larger:
        return named[0]
    return None


_SHARE_OF = re.compile(
    r"\b(?P<rate>pct[0-9]+) of (?:the |his |her |its |their |all |those |these |about "
    rf"|a )*(?:[a-z]+ )?(?:of )?(?P<base>{_AMOUNT})\b"
)
_OF_BASE = re.compile(
    r"\b(?:of|out of|among) (?:the |his |her |its |their |all |those |these |about |a "
    rf")*(?P<base>{_AMOUNT})\b[^.?]*?\b(?P<rate>pct[0-9]+)\b"
)
_IS_SHARE = re.compile(
    rf"\b(?P<part>{_AMOUNT})\b(?: [a-z,]+){{0,6}}? (?:is|are|was|were|represents|represent|"
    r"equals) (?:only |about |just )?(?P<rate>pct[0-9]+) of\b"
)


def solve_share(story: Story) -> Solved | None:
    """A share of a counted whole, or the whole of which a part is known."""
    rates, amounts = story.of_sort("pct"), [value for value in story.values if value.sort != "pct"]
    if len(rates) != 1 or len(amounts) != 1 or not re.search(r"\bhow (?:many|much)\b|\bwhat\b|\bfind\b", story.asked):
        return None
    if (
        story.has("stories.on_top")
        or story.has("stories.taken_off")
        or story.has("stories.interest")
        or _ASKS_PERCENT.search(story.asked)
    ):
        return None
    rate, amount = rates[0].value / 100, amounts[0]
    unit = amount.unit.text or None
    part_known = _IS_SHARE.search(story.words)
    if part_known is not None and rate:
        following = story.words[part_known.end() :].split()
        if story.asks("stories.wholes") and not (following and story.value(following[0])):
            line = f"{amount.text} / {rates[0].text}"
            return Solved(
                amount.value / rate, unit, "percent of a number: base = part / rate", (line,), [amount, rates[0]]
            )
        return None
    match = _SHARE_OF.search(story.words) or _OF_BASE.search(story.words)
    if match is None or match["base"] != amount.word or not _is_told(story) or story.asks("stories.wholes"):
        return None
    line = f"{rates[0].text} * {amount.text}"
    return Solved(rate * amount.value, unit, "percent of a number: part = rate * base", (line,), [amount, rates[0]])


def _is_told(story: Story) -> bool:
    """Whether what is asked about was spoken of: `how many were empty` is no share of those that were filled."""
    if story.asks("stories.negations"):
        return False
    told = set(stems(story.told))
    return set(stems(re.sub(r"\bhow (?:many|much)\b|\bwhat\b|\bfind\b", " ", story.asked))) - told <= set(
        word_class("stories.plain_asks")
    )


# A price and what is put on it or taken off it.

_BEFORE = re.compile(rf"\b(?:{any_of('stories.prices_before')})\b[^.?,]*? (?P<value>money[0-9]+|num[0-9]+)\b")
_AFTERWARDS = re.compile(rf"\b(?:{any_of('stories.prices_after')})\b[^.?,]*? (?P<value>money[0-9]+|num[0-9]+)\b")
# "The price with 20% tax is $60", "$60 after a 25% discount", "$60 including a 20% tip"; and "$60 before tax".
_COMES_TO = re.compile(
    rf"\b(?:{any_of('stories.contains')}|with|plus|after)(?: [a-z]+)? pct[0-9]+(?: [a-z]+){{1,3}}"
    r" (?:is|was|are|were|costs?|comes to|came to|totals|totaled) (?P<value>money[0-9]+)\b"
)
_RESULTS = re.compile(
    rf"\b(?P<value>money[0-9]+)(?: [a-z]+| ,){{0,3}}? (?:{any_of('stories.contains')}|after)\b"
    r"(?! (?:he|she|they|i|we)\b)"
)
_ASKS_PART = re.compile(rf"(?:what|how much)(?: (?:is|was) the)?(?: sales)? (?:{any_of('stories.price_parts')})\b")
# "The price with tax", "how much is it with the 7 % tax": the whole price and no part of it.
_WITH_OR_WITHOUT = re.compile(
    rf"\b(?P<with>{any_of('stories.contains')}|with|plus|after|without|excluding)"
    rf"(?: (?:an?|the|its|of|sales|pct[0-9]+))* (?:{any_of('stories.price_parts')})\b"
)
_CONTAINS = re.compile(rf"\b(?:{any_of('stories.contains')})\b")
_NOT = re.compile(rf"\b(?:{any_of('stories.negations')})\b")
_STARTS = re.compile(r"\b(?P<value>money[0-9]+)(?: [a-z]+| ,){0,2}? (?:before|without|excluding|plus)\b")
_PART = re.compile(
    rf"\b(?:{any_of('stories.price_parts')})(?: (?:of|was|is|came to|for|amount|amounted "
    r"to|totaled))* (?P<value>money[0-9]+)\b"
    rf"|\b(?P<value2>money[0-9]+) (?:(?:in|of|as) )?(?:an? |the )?(?:sales )?(?:{any_of('stories.price_parts')})\b"
)


def solve_bargain(story: Story) -> Solved | None:
    """Discounts, markups, tax, tips, commissions and raises: base, rate, part, and what results."""
    sign = _sign_of_bargain(story)
    rates, money = story.of_sort("pct"), story.of_sort("money")
    if sign is None or len(rates) + len(money) != 2 or not money:
        return None
    asked = _asked_of_bargain(story, has_rate=bool(rates))
    # What is asked for with everything in it says nothing of the price that is told.
    words = story.told if asked == "after" else story.words
    roles = dict(_roles(words, money))
    is_said = asked == "base" and _STARTS.search(words) is not None
    if len(roles) != len(money) or asked is None or (asked in roles and not is_said) or (not sign and asked == "after"):
        return None
    base, rate, part = unknown("base"), unknown("rate"), unknown("part")
    equations = [equal(part, rate * base), equal(unknown("after"), base + number(sign) * part)]
    equations += [equal(unknown(role), number(_dollars(value))) for role, value in roles.items()]
    equations += [equal(rate, number(value.value / 100)) for value in rates]
    found = only_value(equations, asked)
    if found is None:
        return None
    lines = (*(f"{role} = {value.text}" for role, value in roles.items()), *(f"rate = {value.text}" for value in rates))
    rule = f"part = rate * base, total = base {'-' if sign < 0 else '+'} part" if sign else "part = rate * base"
    if asked == "rate":
        return Solved(found * 100, "percent", rule, lines, [*money, *rates])
    return Solved(found, "USD", rule, lines, [*money, *rates])


def _dollars(value: Value) -> Fraction:
    return value.value / 100 if value.unit.text == "US_cent" else value.value


def _sign_of_bargain(story: Story) -> int | None:
    """Whether something is put on the price, taken off it, or only earned by it; None where that is not plain."""
    if story.has("stories.interest"):
        return None
    if re.search(r"\bcommissions?\b", story.words):
        return 0
    down, up = story.has("stories.taken_off"), story.has("stories.on_top")
    return None if down == up else -1 if down else 1


def _roles(words: str, money: list[Value]) -> list[tuple[str, Value]]:
    """What each amount of money is: the price before, the part, what results; a lone one is the price before, unless
    something is said to be in a price already."""
    if _CONTAINS.search(words) is not None and _NOT.search(words) is not None:
        return []
    found: list[tuple[str, Value]] = []
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
        if roles or _CONTAINS.search(words) is None:
            found.append((roles[0] if roles else "base", value))
    return found


def _asked_of_bargain(story: Story, *, has_rate: bool) -> str | None:
    if re.search(r"\b(?:percent|percentage|rate)\b", story.asked):
        return None if has_rate else "rate"
    if _ASKS_PART.match(story.asked):
        return "part"
    if (said := _WITH_OR_WITHOUT.search(story.asked)) is not None:
        # What it is without would be told already, or is in what is told.
        return None if said["with"] in ("without", "excluding") else "after"
    if story.asks("stories.prices_before") and not re.search(r"\btotal cost\b", story.asked):
        return "base"
    if story.asks("stories.prices_after"):
        return "after"
    if story.asks("stories.price_parts"):
        return "part"
    return None


# Interest.

_PERIODS = {word: Fraction(times) for word, times in word_pairs("stories.compounding").items()}
_INTEREST_MONEY = re.compile(
    r"\b(?P<value>money[0-9]+) (?:(?:in|of|as) )?(?:simple )?interest\b"
    r"|\binterest (?:of|was|is|earned was|paid was|earned is|totaled|came to|charged was) (?P<value2>money[0-9]+)\b"
)


def solve_interest(story: Story) -> Solved | None:
    """Simple interest, I = P r t, and compound interest, A = P (1 + r/n)^(n t)."""
    asked = _asked_of_interest(story)
    if asked is None or not re.search(r"\binterest\b", story.words):
        return None
    rates, money, times = story.of_sort("pct"), story.of_sort("money"), story.of_sort("time")
    if len(rates) + len(money) + len(times) != len(story.values) or max(len(rates), len(times)) > 1:
        return None
    if re.search(r"\bcompounded\b|\bcompound\b|\bcompounds\b", story.words):
        return _compound(story, asked)
    # Of what is paid off the principal becomes less on the way.
    return None if story.has("stories.paid_off") else _simple(story, asked)


def _simple(story: Story, asked: str) -> Solved | None:
    rates, money, times = story.of_sort("pct"), story.of_sort("money"), story.of_sort("time")
    stated = {match["value"] or match["value2"] for match in _INTEREST_MONEY.finditer(story.words)}
    groups = {
        "principal": [value for value in money if value.word not in stated],
        "interest": [value for value in money if value.word in stated],
        "rate": rates,
        "time": times,
    }
    if any(len(group) > 1 for group in groups.values()) or groups.get(asked) or not money:
        return None
    principal, interest = unknown("principal"), unknown("interest")
    equations = [
        equal(interest, principal * unknown("rate") * unknown("time")),
        equal(unknown("amount"), principal + interest),
    ]
    equations += [equal(unknown(name), number(_plain(value))) for name, group in groups.items() for value in group]
    found = only_value(equations, asked)
    if found is None:
        return None
    unit = {"rate": "percent", "time": "year"}.get(asked, "USD")
    lines = tuple(f"{name} = {value.text}" for name, group in groups.items() for value in group)
    size = found * 100 if asked == "rate" else found
    return Solved(size, unit, "simple interest: I = P r t", lines, list(story.values))


def _plain(value: Value) -> Fraction:
    """Rates as fractions, times in years, money in dollars."""
    if value.sort == "pct":
        return value.value / 100
    return _dollars(value) if value.sort == "money" else _years(value)


def _years(value: Value) -> Fraction:
    whole = {"month": 12, "week": 52, "d": 365, "day": 365}.get(value.unit.text)
    if whole is not None:
        return value.value / whole
    return value.value if value.unit.text == "year" else value.value * exact_fraction(value.unit.scale / (365 * 86400))


def _compound(story: Story, asked: str) -> Solved | None:
    rates, money, times = story.of_sort("pct"), story.of_sort("money"), story.of_sort("time")
    periods = [times_ for word, times_ in _PERIODS.items() if re.search(rf"\b{re.escape(word)}\b", story.words)]
    years = _years(times[0]) if times else None
    if (
        len(rates) != 1
        or len(money) != 1
        or years is None
        or len(set(periods)) != 1
        or asked not in ("amount", "interest")
    ):
        return None
    rate, base, count = float(rates[0].value) / 100, float(money[0].value), float(periods[0])
    if rate * float(years) > 50:
        return None
    grown = base * math.exp(rate * float(years)) if not count else base * (1 + rate / count) ** (count * float(years))
    value = Fraction(grown if asked == "amount" else grown - base).limit_denominator(10**8)
    lines = (
        f"P = {money[0].text}",
        f"r = {rates[0].text}",
        f"t = {times[0].text}",
        f"n = {periods[0] or 'continuous'}",
    )
    rule = "compound interest: A = P (1 + r/n)^(n t)" if count else "continuous interest: A = P e^(r t)"
    return Solved(value, "USD", rule, lines, list(story.values))


def _asked_of_interest(story: Story) -> str | None:
    if re.search(r"\b(?:rate|percent|percentage)\b", story.asked):
        return "rate"
    if re.search(r"\bhow (?:long|many years|many months)\b", story.asked):
        return "time"
    if story.asks("stories.principals"):
        return "principal"
    if story.asks("stories.balances"):
        return "amount"
    if re.search(
        r"\bhow much (?:simple |total )?interest\b|\b(?:what|find|calculate)\b.*\binterest\b|"
        r"\bhow much\b.*\binterest\b",
        story.asked,
    ):
        return "interest"
    return None
