"""Lists of data: mean, median, mode, range; and the chance of drawing one of several sorts. No formulas."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from mathrag.language.stems import stems
from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.stories.reading import Story, Value, unit_named
from mathrag.reason.direct.stories.solved import Solved, number_text
from mathrag.types.quantity import NO_UNIT

_LIST = re.compile(r"\b[a-z]+[0-9]+(?: (?:[a-z]+ )?(?:, and|,|and) [a-z]+[0-9]+)+\b")
_KNOWN = frozenset().union(
    *(word_class(f"stories.{name}") for name in ("asking", "determiners", "lengths", "measured", "measure_nouns")),
    *(word_class(f"statistics.{name}") for name in ("list_names", "beside_lists")),
)
_MARKS = frozenset(",.:;?!()")
_ASKED = {
    "mean": "mean: sum of the values / their number",
    "average": "mean: sum of the values / their number",
    "median": "median: the value in the middle",
    "mode": "mode: the value that occurs most often",
    "range": "range: largest value - smallest value",
}


def solve_list(story: Story) -> Solved | None:
    """The mean, median, mode or range of the one list of values."""
    asked = [name for name in _ASKED if re.search(rf"\b{name}\b", story.asked)]
    if len(asked) != 1 or re.search(
        r"\b(?:average|mean) (?:speed|rate)\b|\bgeometric\b|\bharmonic\b|\bweighted\b|\bdeviation\b|\bvariance\b|"
        r"\bquartiles?\b",
        story.words,
    ):
        return None
    if not _is_plain(story, asked[0]):
        return None
    lists = [match[0] for match in _LIST.finditer(story.words)]
    values = [value for word in re.split(r"[ ,]+", max(lists, key=len, default="")) if (value := story.value(word))]
    if len(values) < 3 or len({value.sort for value in values}) != 1 or values[0].sort == "pct":
        return None
    rest = [value for value in story.values if value not in values]
    if any(value.value != len(values) or value.sort not in ("num", "time") for value in rest):
        return None
    unit = values[0].unit
    named = _unit_of_list(story) if not unit.text else None
    numbers = [value.in_unit(unit) for value in values]
    found = _statistic(asked[0], numbers)
    if found is None:
        return None
    shown = ", ".join(number_text(each) for each in sorted(numbers))
    return Solved(found, named or unit.text or None, _ASKED[asked[0]], (f"values: {shown}",), [*values, *rest])


def _is_plain(story: Story, figure: str) -> bool:
    """Whether every word of what is asked, and of what is said behind the list, changes nothing: another figure is
    asked for by "the trimmed mean", "half the range", "the mean of the squares", "without the largest"."""
    before, *behind = _LIST.split(story.told, maxsplit=1)
    if re.search(rf"\b(?:{any_of('cancelling.changed')}|{any_of('stories.negations')})\b", story.told):
        return False
    # A noun is known from what is told before it.
    said = set(stems(before.rsplit(".", 1)[-1]))
    known = _KNOWN | {figure}
    later = behind[0].split() if behind else []
    return all(
        word in known or story.value(word) is not None or word in _MARKS or not said.isdisjoint(stems(word))
        for word in (*story.asked.split(), *later)
    )


def _unit_of_list(story: Story) -> str | None:
    """The unit that the words give to bare numbers: `the number of minutes`, ages in months or, unsaid, years."""
    match = re.search(r"\b(?:number of|in) (?P<unit>[a-z]+)\b", story.asked) or re.search(
        r"\bnumber of (?P<unit>[a-z]+)\b|, in (?P<unit2>[a-z]+) ,", story.words
    )
    unit = unit_named(match["unit"] or match.groupdict().get("unit2") or "") if match is not None else None
    if unit is not None and unit.dimension != NO_UNIT.dimension:
        return unit.text
    return "year" if re.search(r"\bages?\b", story.asked) else None


def _statistic(name: str, numbers: Sequence[Fraction]) -> Fraction | None:
    ordered = sorted(numbers)
    if name in ("mean", "average"):
        return sum(ordered, Fraction(0)) / len(ordered)
    if name == "range":
        return ordered[-1] - ordered[0]
    if name == "median":
        half = len(ordered) // 2
        return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
    counts = Counter(ordered).most_common()
    return counts[0][0] if len(counts) == 1 or counts[0][1] > counts[1][1] else None


_KINDS = re.compile(r"\b(?P<value>num[0-9]+) (?P<kind>[a-z]+)")


def solve_chance(story: Story) -> Solved | None:
    """The probability of drawing one of the sorts that are counted: five red and seven blue marbles."""
    if not re.search(r"\bprobability\b|\bchance\b", story.asked) or not story.has("stories.drawing"):
        return None
    if any(value.sort != "num" for value in story.values):
        return None
    kinds: dict[str, Value] = {}
    # A number without a noun ("two are drawn") counts no sort.
    if any(match["kind"] in word_class("stories.ends_phrase") for match in _KINDS.finditer(story.told)):
        return None
    for match in _KINDS.finditer(story.told):
        value = story.value(match["value"])
        if value is not None and match["kind"] not in kinds:
            kinds[match["kind"]] = value
    if len(kinds) < 2 or len(kinds) != len(story.values):
        return None
    asked = [kind for kind in kinds if re.search(rf"\b{re.escape(kind)}\b", story.asked)]
    if len(asked) != 1 or re.search(rf"\b(?:{any_of('stories.negations')})\b", story.asked):
        return None
    whole = sum((value.value for value in kinds.values()), Fraction(0))
    part = kinds[asked[0]].value
    line = f"{part} / ({' + '.join(number_text(value.value) for value in kinds.values())})"
    return Solved(part / whole, None, "probability: favourable cases / all cases", (line,), list(kinds.values()))
