"""Numbers in words that the reader of quantities does not know: halves and doubles, other languages, Roman numerals.

Only for texts that strangers write for the user; it is strict, since a text it refuses costs no more than its wording.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from mathrag.language.word_classes import word_class, word_list

_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_SPACED = re.compile(r"\b(?:[A-Za-z][ .\-]){2,11}[A-Za-z]\b")
_ROMAN = re.compile(r"\bM{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})\b")
# Two letters that are units, currents, discs and companies far more often than numbers.
_NOT_ROMAN = frozenset("CC CD CI CL CM CV DC DI DL DV LI MC MD MI ML MM MV MX".split())
_HAN = re.compile(r"[二两三四五六七八九十百千万亿零〇壱弐参億兆]")
_PICTURES = re.compile("[🔟💯🎱]")
_TENS = word_list("numbers.spoken_tens")
_ENGLISH = word_class("numbers.spoken")
# The commonest of the languages that questions come in; words that are ordinary English are left out.
_OTHERS = word_class("numbers.spoken_other_languages")
_GERMAN_TENS = word_list("numbers.spoken_tens_german")


def spoken_numbers(text: str, known_words: Collection[str]) -> tuple[str, ...]:
    """The words of a text that say a number and are not among the known ones (lower case), as written."""
    found = [match.group() for match in _PICTURES.finditer(text)]
    found += [match.group() for match in _HAN.finditer(text) if match.group() not in known_words]
    for match in _ROMAN.finditer(text):
        numeral = match.group()
        if len(numeral) > 1 and numeral not in _NOT_ROMAN and numeral.lower() not in known_words:
            found.append(numeral)
    for match in _SPACED.finditer(text):
        joined = re.sub(r"[ .\-]", "", match.group()).lower()
        if _says_number(joined) and joined not in known_words:
            found.append(match.group())
    for match in _WORD.finditer(text):
        word = match.group()
        if word.lower() in known_words:
            continue
        if any(_says_number(part) and part not in known_words for part in (word.lower(), *_parts(word))):
            found.append(word)
    return tuple(dict.fromkeys(found))


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
    return word in _ENGLISH or word in _OTHERS or word.startswith(_TENS) or word.endswith(_GERMAN_TENS)
