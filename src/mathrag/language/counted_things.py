"""Things that are counted within a unit: the threads of "threads/cm", the machine of "kg per machine-hour"."""

from __future__ import annotations

import re
from functools import lru_cache

from mathrag.language.quantity_names import kinds_named
from mathrag.language.word_classes import word_class

_NOT_NOUNS = word_class("numbers.not_nouns") | word_class("numbers.never_counted")
_QUANTITIES = word_class("numbers.quantities_in_plural")
_IRREGULAR_PLURALS = word_class("numbers.irregular_plurals")
_NOUN = re.compile(r"[a-z]{3,20}")
_CAPITALS = re.compile(r"[A-Z][a-z]{3,20}")
# "ss", "us" and "is" end words of one thing.
_VOWELS = frozenset("aeiouy")
_NO_PLURAL = ("ss", "us", "is")


@lru_cache(maxsize=4_096)
def is_counted_thing(word: str, may_be_one: bool) -> bool:
    """Whether a word that is no unit names what is counted. Above the line that is several of a thing (`requests/s`),
    and no quantity (`costs per hour` is no count); below it and before a hyphen it may be one (`kWh/loaf`)."""
    lower = word.casefold()
    if not (_NOUN.fullmatch(word) or _CAPITALS.fullmatch(word)) or lower in _NOT_NOUNS:
        return False
    if may_be_one:
        return True
    return is_plural(lower) and lower not in _QUANTITIES and not _is_quantity(lower)


def is_plural(word: str) -> bool:
    """Whether a word in small letters names several things. What has no vowel is an abbreviation: klbs."""
    if word in _IRREGULAR_PLURALS:
        return True
    is_several = word.endswith("s") and not word.endswith(_NO_PLURAL)
    return is_several and word.isalpha() and len(word) > 3 and not _VOWELS.isdisjoint(word[:-1])


def _is_quantity(word: str) -> bool:
    singular = word.removesuffix("s")
    return any(named and set(named) - {"count"} for named in (kinds_named([word]), kinds_named([singular])))
