"""Percent in stories: shares of a whole, simple and compound interest. Prices and changes: `bargains.py`."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from mathrag.language.stems import stems
from mathrag.language.word_classes import word_class, word_pairs
from mathrag.reason.direct.result import exact_fraction
from mathrag.reason.direct.stories.algebra import equal, number, only_value, unknown
from mathrag.reason.direct.stories.reading import Story, Value
from mathrag.reason.direct.stories.solved import Solved

_AMOUNT = r"(?:money|num|len|mass|vol|time|area)[0-9]+"
_ASKS_PERCENT = re.compile(r"\b(?:percent|percentage|rate|pct)\b")
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
    return Solved(rate * amount.value, unit, "percent of a number: part = rate × base", (line,), [amount, rates[0]])


def _is_told(story: Story) -> bool:
    """Whether what is asked about was spoken of: `how many were empty` is no share of those that were filled."""
    if story.asks("stories.negations"):
        return False
    told = set(stems(story.told))
    return set(stems(re.sub(r"\bhow (?:many|much)\b|\bwhat\b|\bfind\b", " ", story.asked))) - told <= set(
        word_class("stories.plain_asks")
    )


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
    return value.dollars if value.sort == "money" else _years(value)


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
