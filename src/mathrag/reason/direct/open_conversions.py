"""Conversions within a sentence about something else: one value is stated, and one unit is asked for in a place where
units are asked for. Any word may stand around them but those that change a value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mathrag.language.quantities import find_quantities
from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.conversions import convert, read_target
from mathrag.reason.direct.open_reading import changes_nothing
from mathrag.reason.direct.result import DirectResult

_LONGEST = 200
_ASKS = re.compile(r"\b(?:what|how|which|why|who)\b", re.IGNORECASE)
_END = r"[\s?.!)]*\Z"
_UNIT = r"(?P<unit>[^\s,.;:?!][^,.;:?!]{0,28}?)"
_CLAUSE = r"(?P<around>[^,.;:?!]*?)[,.;:?!]?"
_ITS = r"(?:that|this|it|these|those)"
_SHOWS = rf"(?:only\s+)?(?:{any_of('open_reading.gauges')})\s+(?:only\s+)?(?:in\s+)?{_UNIT}"
# Behind the value: `250 ml of milk in cups`, `180 lb, what is that in kg`, `250 ml milk, how many cups`.
_BEHIND = tuple(
    re.compile(text, re.IGNORECASE)
    for text in (
        rf"(?P<around>(?:\s+(?:of\s+)?[^\W\d_]+){{0,2}}?)\s+(?:in|into|to|as)\s+{_UNIT}(?:\s+please)?{_END}",
        rf"{_CLAUSE}\s+(?:what(?:['’]?s| is)|how much is|which is)\s+{_ITS}\s+in\s+{_UNIT}{_END}",
        rf"{_CLAUSE}\s+how (?:many|much) {_UNIT}(?:\s+(?:is|are|would|do|does)\s+{_ITS})?{_END}",
        rf"(?P<around>.*?[,.;:?!].*?)\s+{_SHOWS}(?:\s+only)?{_END}",
    )
)
# Before it: `my oven shows Fahrenheit, the recipe says 180 °C`.
_BEFORE = re.compile(rf"(?P<around>.*?)\s{_SHOWS}(?:\s+only)?[,.;:](?P<rest>.*)\Z", re.IGNORECASE)
_OF_A = re.compile(r"\bof\s+(?:an?\s+|the\s+)?\Z", re.IGNORECASE)


def answer_open_conversion(text: str) -> DirectResult | None:
    """The one value that is stated in the one unit that is asked for; None for any other question."""
    mentions = find_quantities(text) if len(text) <= _LONGEST else ()
    if len(mentions) != 1 or mentions[0].kind not in ("quantity", "number"):
        return None
    start, end = mentions[0].start, mentions[0].end
    shown = mentions[0].text
    if not mentions[0].units:
        end = _unit_end(text, end)
        # A mixed fraction has no digits that a unit could follow.
        shown = f"{mentions[0].value:g}{text[mentions[0].end : end]}"
        if end == mentions[0].end:
            return None
    if _OF_A.search(text[:start]) is not None:
        return None
    found = [
        outcome
        for around, unit in _asked(text[:start], text[end:])
        if not _ASKS.search(around)
        and changes_nothing(around, known=word_class("open_reading.gauges"))
        and isinstance(outcome := convert(shown, unit), DirectResult)
    ]
    return found[0] if len({each.quantity.unit.text for each in found}) == 1 else None


_WORDS = re.compile(r"(?:\s+[^\W\d_]+){1,3}")


def _unit_end(text: str, end: int) -> int:
    """Where a unit of up to three words ends that begins behind a number."""
    found = _WORDS.match(text, end)
    words = [] if found is None else list(re.finditer(r"\s+([^\W\d_]+)", found[0]))
    stops = [end + each.end() for each in words if each[1].lower() not in word_class("grammar.function_words")]
    return next((stop for stop in reversed(stops) if read_target(text[end:stop].strip())), end)


def _asked(before: str, behind: str) -> Iterator[tuple[str, str]]:
    """The words around, and the unit, by every place where a unit may be asked for."""
    for pattern in _BEHIND:
        found = pattern.match(behind)
        if found is not None:
            yield f"{before} {found['around']}", found["unit"]
    found = _BEFORE.match(before)
    if found is not None:
        yield f"{found['around']} {found['rest']} {behind}", found["unit"]
