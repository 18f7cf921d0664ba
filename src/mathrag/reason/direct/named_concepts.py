"""Which entries of the glossary a phrase names, where more stands there than the name: of what in general (`antichain
in a partially ordered set`), under which condition (`quotient set A/~ when ~ is …`), another name or a remark in
brackets (`range (image)`), letters of the things meant (`a relation R`).

Strict: what is left over besides the name must speak of things of the glossary in general, never of a certain thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache

from mathrag.language.stems import stems
from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.concept_wordings import misspelt_among
from mathrag.retrieve.concept_names import spelled_name
from mathrag.retrieve.glossary import (
    glossary_called,
    glossary_names,
    has_one_meaning,
    is_its_name,
    is_word_of_glossary,
    words_of_names,
)
from mathrag.types.concept import GlossaryEntry

_LONGEST, _MOST_WORDS, _MOST_CUTS = 120, 14, 6
_BRACKET = re.compile(r" ?\((?P<inside>[^()]{1,60})\)")
_MARKS = re.compile(r"[\"“”„«»`$]|(?<!\w)['‘’]|['‘’](?!\w)|\\[(){}\[\]]")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
# "gH", "AB", "{\\sim}": letters of things, and commands.
_SIGNED = re.compile(r"\\|\A[A-Za-z]?[A-Z]\Z")
# How far into a definition the wider kind of thing is named.
_OPENING_WORDS = 7


@dataclass(frozen=True, slots=True)
class Named:
    """The entries that a phrase names, under which name, and what stood behind it."""

    name: str
    entries: tuple[GlossaryEntry, ...]
    tail: str = ""


@cache
def _tail() -> re.Pattern[str]:
    return re.compile(rf" (?:{any_of('concepts.tail_openings')}) ", re.IGNORECASE)


@cache
def _condition() -> re.Pattern[str]:
    return re.compile(rf",? (?:{any_of('concepts.tail_conditions')}) .*\Z", re.IGNORECASE)


@cache
def _remark() -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of('concepts.remarks')})\b.*", re.IGNORECASE)


def named_concept(phrase: str, *, may_be_misspelt: bool = False) -> Named | None:
    """What a phrase names; None where nothing of the glossary is named by it, or something is left over."""
    if len(phrase) > _LONGEST:
        return None
    found = [named for each in _candidates(phrase) if (named := _named(each)) is not None]
    # In "range (image)" the other name tells which of several things is meant.
    exact = [one for one in found if any(is_its_name(one.name, entry) for entry in one.entries)]
    best = (exact or found[-1:] if "(" in phrase else exact or found)[:1]
    if best or not may_be_misspelt:
        return best[0] if best else None
    return _misspelt(phrase)


def _named(candidate: str) -> Named | None:
    for name, tail in _cuts(candidate):
        found = _entries(name, tail)
        if found:
            return Named(name, found, tail)
    return None


def _misspelt(phrase: str) -> Named | None:
    bare = _plain(_BRACKET.sub("", phrase))
    for name, tail in _cuts(bare):
        if is_word_of_glossary(name):
            continue
        meant = misspelt_among(spelled_name(name), glossary_names())
        found = _entries(" ".join(meant), tail) if meant is not None else ()
        if found:
            return Named(" ".join(meant or ()), found, tail)
    return None


def _plain(phrase: str) -> str:
    bare = " ".join(_MARKS.sub(" ", phrase).split()).strip(" ,;:?.!-–—")
    return re.sub(r"\A(?:an?|the|some|any|so-called|its) (?=\S)", "", bare, flags=re.IGNORECASE)


def _candidates(phrase: str) -> Iterator[str]:
    """The phrase as it stands, without conditions, without letters and signs, and with what stands in its brackets."""
    bare = _plain(_BRACKET.sub("", phrase))
    wholes = [bare, _plain(_condition().sub("", bare))]
    wholes += [_without_letters(each) for each in wholes]
    for bracket in _BRACKET.finditer(phrase):
        inside, before = _plain(bracket["inside"]), _plain(phrase[: bracket.start()])
        if inside and before and _remark().fullmatch(inside) is None:
            # "secant (line)", "(simple) graph", "range (image) of a function"
            wholes += [f"{before} {inside}", f"{inside} {_plain(phrase[bracket.end() :])}", inside]
    yield from dict.fromkeys(each for each in wholes if each and len(each.split()) <= _MOST_WORDS)


def _without_letters(phrase: str) -> str:
    """A phrase without the letters and signs that things are called by; a letter with a hyphen is part of a name."""
    words = [word for word in phrase.split() if (_LETTERS.search(word) and not _SIGNED.search(word)) or word == "a"]
    return _plain(" ".join(words))


def _cuts(phrase: str) -> Iterator[tuple[str, str]]:
    """The whole as a name, then each longer beginning before each shorter one."""
    yield phrase, ""
    for cut in sorted((each.start() for each in _tail().finditer(phrase)), reverse=True)[:_MOST_CUTS]:
        if is_general(phrase[cut:]):
            yield phrase[:cut], phrase[cut:].strip()


def is_general(tail: str) -> bool:
    """Whether a tail speaks of things of mathematics, and of no certain one."""
    words = [word for word in re.findall(r"[^\W\d_]+", tail.lower()) if len(word) > 1]
    known = words_of_names() | word_class("concepts.tail_words") | word_class("concepts.tail_qualities")
    known |= word_class("concepts.mathematical_nouns")
    # Letters alone are certain things: "the derivative of f".
    if not word_class("concepts.specific").isdisjoint(words) or word_class("concepts.tail_words").issuperset(words):
        return False
    return all(word in known or not known.isdisjoint(spelled_name(word)) for word in words)


def _entries(name: str, tail: str) -> tuple[GlossaryEntry, ...]:
    found = glossary_called(name)
    if not tail or not found or has_one_meaning(name):
        return found
    return next((kept for about in _about(tail) if (kept := _of_that(found, about))), ())


def _of_that(found: Sequence[GlossaryEntry], about: Set[str]) -> tuple[GlossaryEntry, ...]:
    return tuple(one for one in found if about & {*stems(one.name), *stems(one.definition), *stems(one.field)})


def _about(tail: str) -> Iterator[Set[str]]:
    """The stems of the thing that a tail is about, then of the wider kinds that its own definition opens with: a linear
    map is a function."""
    phrases = [_plain(each) for each in _tail().split(f" {tail}") if each.strip()]
    first = phrases[0] if phrases else ""
    nouns = first.split()[-1:]
    yield {stem for each in nouns for stem in stems(each)}
    wider = [one.definition for one in glossary_called(first) or glossary_called(" ".join(nouns))][:2]
    yield {stem for each in wider for stem in stems(" ".join(each.split()[:_OPENING_WORDS]))}
