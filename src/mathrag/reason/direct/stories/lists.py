"""The chance of drawing one of several sorts that are counted. No formulas."""

from __future__ import annotations

import re
from fractions import Fraction

from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.stories.reading import Story, Value
from mathrag.reason.direct.stories.solved import Solved, number_text

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
