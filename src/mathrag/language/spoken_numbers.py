"""Numbers in words that the reader of quantities does not know: halves and doubles, other languages, Roman numerals,
pictures; and letters in which no number would be found.

Only for texts that strangers write for the user; it is strict, since a text it refuses costs no more than its wording.
Words are looked at as written and as they look (`folding`): of one width and one script.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from functools import cache, lru_cache

from mathrag.language.folding import folded, without_invisible
from mathrag.language.word_classes import word_class, word_list

_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_SPACED = re.compile(r"\b(?:[A-Za-z][ .\-]){2,11}[A-Za-z]\b")
_ROMAN = re.compile(r"\bM{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})\b")
# Two letters that are units, currents, discs and companies far more often than numbers.
_NOT_ROMAN = frozenset("CC CD CI CL CM CV DC DI DL DV LI MC MD MI ML MM MV MX".split())
_HAN = re.compile(r"[二两三四五六七八九十百千万亿零〇壱弐参億兆]")
_PICTURES = word_class("numbers.pictured")
_TENS = word_list("numbers.spoken_tens")
_ENGLISH = word_class("numbers.spoken")
# The commonest of the languages that questions come in; words that are ordinary English are left out.
_OTHERS = word_class("numbers.spoken_other_languages")
_GERMAN_TENS = word_list("numbers.spoken_tens_german")


# Letters that stand for digits among digits: 4O, O.5, 1l7. Behind a letter they are chemistry, as in H2O.
_LETTER_DIGITS = re.compile(r"(?<![A-Za-z])(?:\d[\d.,]{0,20}[oO](?![A-Za-z])|[oO][.,]\d|\d[lI|]\d)")
# A number in small Roman letters is told from a product of symbols by its length.
_SHORTEST_SMALL_ROMAN = 3
# Longer runs of Greek letters are words, not symbols.
_LONGEST_GREEK_SYMBOL = 2
_GREEK = re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]+")
# Latin letters that stay what they are when accents are taken off.
_PLAIN_LATIN = frozenset("ßẞæÆœŒøØłŁđĐþÞðÐıŋŊ")
_PARTS = word_class("numbers.spoken_parts")
_JOINTS = word_class("numbers.spoken_joints")
_NOT_NUMBERS = word_class("numbers.not_numbers")
_LONGEST_PART = max(map(len, _PARTS))
_LONGEST_WORD = 60


def spoken_numbers(text: str, known_words: Collection[str]) -> tuple[str, ...]:
    """The words of a text that say a number and are not among the known ones (lower case), as written."""
    text = without_invisible(text)
    found = [each for each in text if not each.isascii() and _is_picture(each)]
    found += [match.group() for match in _HAN.finditer(text) if match.group() not in known_words]
    looks = text if text.isascii() else folded(text)
    found += [match.group() for match in _LETTER_DIGITS.finditer(looks)]
    for shown in dict.fromkeys((text, looks)):
        found += _roman(shown, known_words)
        for match in _SPACED.finditer(shown):
            joined = re.sub(r"[ .\-]", "", match.group()).lower()
            if _says_number(joined) and joined not in known_words:
                found.append(match.group())
        for match in _WORD.finditer(shown):
            word = match.group()
            if word.lower() in known_words:
                continue
            if any(_says_number(part) and part not in known_words for part in (word.lower(), *_parts(word))):
                found.append(word)
    return tuple(dict.fromkeys(found))


def _roman(text: str, known_words: Collection[str]) -> list[str]:
    found = []
    for match in _ROMAN.finditer(text):
        numeral = match.group()
        if len(numeral) > 1 and numeral not in _NOT_ROMAN and numeral.lower() not in known_words:
            found.append(numeral)
    for match in _WORD.finditer(text):
        word = match.group()
        small = word.lower()
        if len(word) < _SHORTEST_SMALL_ROMAN or not set(small) <= set("ivxlcdm") or word.isupper():
            continue
        if _ROMAN.fullmatch(small.upper()) and small not in known_words and small not in _NOT_NUMBERS:
            found.append(word)
    return found


@lru_cache(maxsize=4096)
def _is_picture(character: str) -> bool:
    """Whether a character that is no letter and no digit shows a number: a die, a clock, a tile."""
    if unicodedata.category(character) not in ("So", "Sk"):
        return False
    words = re.split(r"[^a-z]+", unicodedata.name(character, "").lower())
    return any(word in _PICTURES or word in _ENGLISH for word in words)


def strange_words(text: str, known_words: Collection[str]) -> tuple[str, ...]:
    """The words of a text with letters in which no number would be found, as written; but for known words.

    Latin letters are read, and Greek ones that are symbols; accents and odd widths do not count.
    """
    if text.isascii():
        return ()
    found = []
    for match in _WORD.finditer(without_invisible(text)):
        # The sign of a millionth is the Greek letter, written with a code of its own.
        word = match.group().replace("µ", "μ")
        if word.isascii() or word.lower() in known_words:
            continue
        if any(len(run) > _LONGEST_GREEK_SYMBOL for run in _GREEK.findall(word)):
            found.append(word)
            continue
        rest = unicodedata.normalize("NFKC", _GREEK.sub("", word))
        is_latin = all(unicodedata.name(each, "").startswith("LATIN") for each in rest if each.isalpha())
        # Small capitals and turned letters are Latin too, and read by nobody.
        if not is_latin or any(
            each.isalpha() and not each.isascii() and each not in _PLAIN_LATIN for each in folded(rest)
        ):
            found.append(word)
    return tuple(dict.fromkeys(found))


def digits_as_seen(text: str) -> str:
    """The text with plain digits for those of every script and width, bold ones too. Circled, raised and other signs
    for numbers stay: nobody writes a result so. Each character keeps its place."""
    if text.isascii():
        return text
    return "".join(str(unicodedata.decimal(each)) if each.isdecimal() else each for each in text)


def words_of(texts: Collection[str]) -> frozenset[str]:
    """The words of texts as `spoken_numbers` compares them."""
    found: set[str] = set()
    for text in texts:
        for match in _WORD.finditer(text):
            found |= {match.group().lower(), *_parts(match.group())}
        found |= set(_HAN.findall(text))
    return frozenset(found)


def _parts(word: str) -> list[str]:
    return re.split(r"[-'’]", word.lower()) if not word.isalpha() else []


def _says_number(word: str) -> bool:
    if word in _ENGLISH or word.startswith(_TENS) or word.endswith(_GERMAN_TENS):
        return True
    if word in _OTHERS:
        return True
    return (word in _folded_others() or _is_composed(word)) and word not in _NOT_NUMBERS


@cache
def _folded_others() -> frozenset[str]:
    """The numbers of other languages without their accents, which people leave out."""
    return frozenset(folded(each) for each in _OTHERS if not each.isascii())


@lru_cache(maxsize=20_000)
def _is_composed(word: str) -> bool:
    """Whether a word consists of nothing but two or more pieces of numbers, and joints between them."""
    if not 5 < len(word) <= _LONGEST_WORD:
        return False
    # The most pieces with which the word up to each place can be made; a joint never ends it.
    most: list[tuple[int, bool] | None] = [(0, False), *([None] * len(word))]
    for end in range(1, len(word) + 1):
        for start in range(max(0, end - _LONGEST_PART), end):
            before = most[start]
            if before is None:
                continue
            piece = word[start:end]
            if piece in _PARTS:
                most[end] = max(most[end] or (0, False), (before[0] + 1, True))
            elif piece in _JOINTS and before[1]:
                most[end] = most[end] or (before[0], False)
    last = most[len(word)]
    return last is not None and last[0] > 1 and last[1]
