"""A question about documents taken apart: its words, which parts it selects ("Table 3", "the last section"), which of
its words are still to be accounted for. Knows no document."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache

from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.reason.direct.documents.words import Word, class_keys, in_terms, plain, words_of

LONGEST = 600
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50}
_NUMBER = r"(?:[A-Z]?\.?\d{1,4}(?:\.\d{1,3}){0,3}|(?-i:[IVXL]{1,6})|(?-i:[A-H]))"
_AUTHORS_OWN = re.compile(r"\b(?:the )?authors?['’]s? (?:own )?", re.IGNORECASE)
_COUNTING = re.compile(r"\b(?:how many|(?:the )?(?:total )?number of|(?:the )?count of|how much)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Selector:
    """A part that the question names by its number. `number` is as `number_key` gives it; negative counts from the
    end. `is_ordinal` where it is the place in the order of the document that is named, not a printed number."""

    kind: str
    number: str
    written: str
    is_ordinal: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """The words of a question; `used` are the places of those that something accounts for."""

    text: str
    words: tuple[Word, ...]
    used: frozenset[int] = frozenset()
    selectors: tuple[Selector, ...] = ()

    def selected(self, *kinds: str) -> tuple[Selector, ...]:
        """The parts of these kinds that are named."""
        return tuple(each for each in self.selectors if each.kind in kinds)

    def has(self, name: str) -> bool:
        """Whether a word of a class stands in the question and is not accounted for yet."""
        listed = word_class(name)
        return any(word.lower in listed for place, word in enumerate(self.words) if place not in self.used)

    def left(self, *names: str) -> tuple[int, ...]:
        """The places of the words that neither ask nor belong to one of the classes nor are accounted for."""
        return tuple(place for place in self.open_places() if not self._is_of(place, ("documents.asking", *names)))

    def open_places(self) -> tuple[int, ...]:
        """The places of all words that are not accounted for."""
        return tuple(place for place in range(len(self.words)) if place not in self.used)

    def _is_of(self, place: int, names: Iterable[str]) -> bool:
        word = self.words[place]
        # A capital letter alone is a name, not an article.
        if len(word.text) == 1 and word.text.isupper() and place:
            return False
        return any(word.lower in word_class(name) or word.lower in word_pairs(name) for name in names)

    def using(self, places: Iterable[int]) -> Asked:
        """The question with more words accounted for."""
        return replace(self, used=self.used | frozenset(places))

    def in_terms(self) -> Asked:
        """The question with the name of a statistic as one word."""
        words, places = in_terms(self.words)
        return replace(self, words=words, used=frozenset(places[each] for each in self.used))

    def said(self, places: Iterable[int]) -> str:
        """The words at some places, as written."""
        return " ".join(self.words[place].text for place in places)

    @property
    def is_counting(self) -> bool:
        """Whether it asks how many."""
        return _COUNTING.search(self.text) is not None

    def counts_before(self, place: int) -> bool:
        """Whether it asks how many before a place of its text: "say about the number of" counts nothing."""
        match = _COUNTING.search(self.text)
        return match is not None and match.start() < place

    def counted(self) -> str:
        """The kind of part whose number is asked for; empty where none is."""
        match = _COUNTING.search(self.text)
        if match is None or match.group().lower() == "how much":
            return ""
        parts = word_pairs("documents.parts")
        for word in self.words:
            if word.start >= match.end() and word.lower not in class_words("documents.counted_before"):
                return parts.get(word.lower, "")
        return ""


@cache
def class_words(name: str) -> frozenset[str]:
    """The words of a class."""
    return word_class(name)


def asked_of(text: str) -> Asked | None:
    """A question taken apart; None for a text too long to be one."""
    if len(text) > LONGEST:
        return None
    # What is the authors' own is "ours" in their tables.
    flat = plain(_AUTHORS_OWN.sub("our ", " ".join(text.split())))
    asked = Asked(flat, words_of(flat))
    selectors, spans = _selectors(flat)
    places = [
        place
        for place, word in enumerate(asked.words)
        if any(start <= word.start < end for start, end in spans)
    ]  # fmt: skip
    return replace(asked.using(places), selectors=tuple(selectors))


@cache
def _selector_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    parts = any_of("documents.parts")
    more = rf"(?:\s*(?:and|&|,|or|to)\s*(?:{parts}\b\.?\s*)?{_NUMBER}\b)?"
    numbered = re.compile(
        rf"\b(?P<part>{parts})\b\.?\s*(?:number|no\.|nr\.|#)?\s*[(\[]?(?P<number>{_NUMBER}\b{more})[)\]]?",
        re.IGNORECASE,
    )
    ordinal = re.compile(rf"\b(?P<first>{any_of('documents.first')})\s+(?P<part>{parts})\b", re.IGNORECASE)
    return numbered, ordinal


def _selectors(text: str) -> tuple[list[Selector], list[tuple[int, int]]]:
    numbered, ordinal = _selector_patterns()
    parts = word_pairs("documents.parts")
    found, spans = [], []
    for match in numbered.finditer(text):
        kind = parts[match["part"].lower()]
        numbers = re.findall(rf"{_NUMBER}(?![\w])", match["number"])
        found += [Selector(kind, number_key(each), each) for each in numbers if each.lower() not in parts]
        spans.append(match.span())
    for match in ordinal.finditer(text):
        kind = parts[match["part"].lower()]
        if kind != "author":
            place = word_pairs("documents.first")[match["first"].lower()]
            found.append(Selector(kind, place, match.group(), is_ordinal=True))
            spans.append(match.span())
    return found, spans


def number_key(written: str) -> str:
    """A printed number as it is compared: "II" and "2" are the same, "A.1" and "a1" too."""
    text = written.strip(" .:()[]").lower().replace(" ", "")
    if text and all(letter in _ROMAN for letter in text):
        values = [_ROMAN[letter] for letter in text]
        return str(sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True)))
    return re.sub(r"^([a-z])\.", r"\1", text)


def is_of_class(word: Word, name: str) -> bool:
    """Whether a word is of a class, in any of its forms."""
    return word.key in class_keys(name)
