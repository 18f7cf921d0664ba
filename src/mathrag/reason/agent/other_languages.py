"""What a text in another language than English says otherwise: decimals behind a comma, "ein Newton", units in words.

For texts that a model writes for the user. What cannot be read for certain counts as a number that nobody computed; a
text that is refused costs no more than its wording.
"""

from __future__ import annotations

import itertools
import re

from mathrag.language.folding import folded
from mathrag.language.spoken_numbers import digits_as_seen
from mathrag.language.word_classes import word_class
from mathrag.reason.agent.translation_check import unit_in_words
from mathrag.types.quantity import Unit

_COMMA = re.compile(r"(?<![\d.,])(\d{1,15}),(\d{1,15})(?![\d,]|\.\d)")
_THOUSANDS = re.compile(r"(?<![\d.,])[1-9]\d{0,2}[.,]\d{3}(?![\d.,]?\d)")
_WORD = re.compile(r"[^\W\d_]+")
_BEHIND = re.compile(r"[ \u00a0]?([^\W\d_]{3,40})(?![^\W\d_])")


def ambiguous_numerals(text: str) -> tuple[str, ...]:
    """Numerals that are one number in English and another elsewhere: 7.500 and 7,500 are seven and a half here and
    thousands there."""
    return tuple(dict.fromkeys(_THOUSANDS.findall(digits_as_seen(text))))


def with_decimal_points(text: str) -> str:
    """A text with points for the commas that part decimals; every other comma between digits stays."""
    return _COMMA.sub(r"\1.\2", text)


def words_for_numbers(text: str) -> tuple[str, ...]:
    """Words that say a number in other languages alone: those that are ordinary words in English ("null", "cuarto"),
    and an article before a unit, which is a one there ("une seconde")."""
    words = list(_WORD.finditer(text))
    found = [each.group() for each in words if folded(each.group()).lower() in word_class("numbers.spoken_elsewhere")]
    for one, other in itertools.pairwise(words):
        is_next = text[one.end() : other.start()] in (" ", "\u00a0", "'", "’")
        is_article = one.group().lower() in word_class("numbers.articles_elsewhere")
        if is_next and is_article and _names_unit(other.group()):
            found.append(text[one.start() : other.end()])
    return tuple(dict.fromkeys(found))


def _names_unit(word: str) -> bool:
    return unit_in_words(word) is not None or _has_prefix(word)


def _has_prefix(word: str) -> bool:
    """Whether a word begins as a multiple of a unit does: what it multiplies decides how much it is."""
    small = folded(word).lower()
    return any(small.startswith(each) and len(small) > len(each) + 2 for each in word_class("numbers.unit_prefixes"))


def unit_behind(text: str, place: int) -> Unit | str | None:
    """The unit that the word at a place names; the word itself where it may be a unit that is not known."""
    match = _BEHIND.match(text, place)
    if match is None:
        return None
    word = match.group(1)
    unit = unit_in_words(word)
    if unit is not None:
        return unit
    return word if _has_prefix(word) else None
