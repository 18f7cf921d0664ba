"""Times in the calendar that a sentence gives to what was done: "collected between May 2014 and June 2016". A time
belongs to the verb next to it; years of other people's work in brackets belong to nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.documents.stated.sentences import Sentence, clause_of
from mathrag.reason.direct.documents.stated.values import Value
from mathrag.reason.direct.documents.stated.wanted import Wanted

_YEAR = r"(?:1[6-9]|20)\d\d"


@cache
def _times() -> re.Pattern[str]:
    months = "|".join(each.capitalize() for each in sorted(word_class("numbers.months"), key=len, reverse=True))
    nth = r"(?:st|nd|rd|th)?"
    day = rf"(?:\d{{1,2}}{nth}\s+(?:of\s+)?)?(?-i:{months})\.?(?:\s+\d{{1,2}}{nth}(?!\d))?(?:,?\s+{_YEAR})?"
    date = rf"(?:(?:{any_of('stated.parts_of_years')})\s+(?:of\s+)?)*(?:{day}|{_YEAR})\b"
    joint = r"\s?(?:[–—-]|\bto\b|\band\b|\buntil\b|\btill\b|\bthrough\b)\s?"
    span = rf"(?:from|between)\s+{date}{joint}{date}|{date}\s?(?:[–—-]|\bto\b|\bthrough\b|\buntil\b)\s?{date}"
    single = rf"\b(?:in|during|on|since|until|before|after|throughout|by)\s+(?:the\s+)?{date}"
    return re.compile(rf"\b(?:{span})|{single}", re.IGNORECASE)


def times_of(sentence: Sentence) -> list[Value]:
    """The times of a sentence as they are written, outside brackets."""
    found = []
    for match in _times().finditer(sentence.text):
        first = next((each for each in sentence.pieces if each.end > match.start()), None)
        if first is not None and not first.depth:
            numbers = tuple((float(year), "") for year in re.findall(_YEAR, match.group()))
            found.append(Value(match.group(), match.start(), match.end(), numbers, "date"))
    return found


def stated_times(wanted: Wanted, sentence: Sentence) -> Iterator[tuple[Value, int, int]]:
    """The times of a sentence whose verb is one of the question, with the places of their first and last piece. A
    sentence with several times says which belongs to what in more ways than are read here."""
    found = times_of(sentence)
    if len(found) != 1 or not found[0].numbers:
        return
    time = found[0]
    pieces = sentence.pieces
    own = [at for at, piece in enumerate(pieces) if piece.start < time.end and time.start < piece.end]
    clause = clause_of(pieces, own[0])
    verbs = [at for at in clause if pieces[at].is_word and _is_participle(pieces[at].lower) and at not in own]
    before = [at for at in verbs if at < own[0]]
    behind = [at for at in verbs if at > own[-1]]
    nearest = before[-1] if before else behind[0] if behind else None
    if nearest is not None and pieces[nearest].key == wanted.predicate:
        yield time, own[0], own[-1]


def _is_participle(lower: str) -> bool:
    is_regular = lower.endswith("ed") and len(lower) > 3 and lower not in word_class("phrases.ed_nouns")
    return is_regular or lower in word_class("stated.set_to") | word_class("stated.past_forms")
