"""A sign of mathematics asked for by how it looks (`the upside-down A`, `what is the squiggly equals sign`), by its
place (`in A △ B, what does the triangle mean`) or with what its letters stand for (`if A and B are sets, what does B^A
mean`).

The looks of signs are data. Strict: every word of a description counts, apart from those that only say that a sign is
meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import TypeAlias

from mathrag.knowledge.notations import Notation, notations, notations_called
from mathrag.language.stems import stems
from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.reason.direct.glossary_answers import glossary_reply
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.retrieve.glossary import glossary_called
from mathrag.types.answer import Reply

_LONGEST, _MOST_WORDS = 160, 12
_WORD = re.compile(r"[^\W\d_]+|[0-9]")
_OVER_LETTER = re.compile(
    r"\b(?:over|on) (?:an? |the |some |its )?(?:(?:letter|variable|vector|number|symbol|name|function) )?(?!equals\b)"
    r"(?:[a-z]|letters?|variables?|vectors?|numbers?|symbols?|functions?|it|names?)(?![\w-])"
)

Looks: TypeAlias = frozenset[str]


def answer_described_sign(text: str) -> Reply | None:
    """How a sign that is described, or stands in its place, is read and what it means; None for any other question."""
    if len(text) > _LONGEST:
        return None
    asked = without_ending(tidy(text))
    return _in_place(text, asked) or _of_kind(text, asked) or _by_looks(text, asked)


# By how it looks.


@cache
def _looks_forms() -> tuple[re.Pattern[str], ...]:
    means = f"{any_of('notations.means')}|{any_of('concepts.mean_endings')}"
    opener = f"{any_of('signs.openers')}|{any_of('notations.openers')}"
    behind = f"{any_of('concepts.bare_behind')}|{any_of('concepts.asked_behind')}|{any_of('signs.behind')}"
    field = rf"(?:,? (?:{any_of('concepts.fields')}|{any_of('concepts.trailing')}))*"
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            rf"what do(?:es)? (?P<looks>.+?) (?:{means}){field}",
            rf"(?:{opener}) (?P<looks>.+?)(?:,? (?:{behind}))?{field}",
            rf"(?P<looks>.+?),? (?:{behind}){field}",
            rf"(?P<looks>.+?){field}",
        )
    )


def _by_looks(text: str, asked: str) -> Reply | None:
    if _cue().search(asked) is None:
        return None
    asked = re.sub(rf", (?:{any_of('concepts.illustrations')}) .{{1,20}}\Z", "", asked, flags=re.IGNORECASE)
    for pattern in _looks_forms():
        found = pattern.fullmatch(asked)
        notation = _looking_like(found["looks"], asked) if found is not None else None
        if notation is not None:
            return _read(text, notation, notation.sign or notation.written)
    return None


@cache
def _cue() -> re.Pattern[str]:
    """A description has a word for a form, a turn or a sign; most questions end here."""
    return re.compile(rf"\b(?:{any_of('signs.cues')})\b", re.IGNORECASE)


def _looking_like(described: str, asked: str) -> Notation | None:
    """The one notation that looks so: as its list has it, whatever the order of the words. Of one word alone the
    question must say that it is a sign: a cap is mostly worn."""
    shape = _shape(described)
    is_sign = re.search(rf"\b(?:{any_of('notations.nouns')}|{any_of('concepts.fields')})\b", asked, re.I) is not None
    is_told = len(shape) > 1 or (bool(shape) and is_sign)
    return _by_shape().get(shape) if is_told and len(shape) <= _MOST_WORDS else None


def _shape(described: str) -> Looks:
    """The words that say how something looks, those of one meaning as one. One-letter words count with their case: the
    letter itself is described."""
    flat = re.sub(r"[-‐-―]", " ", described.strip(" \"'“”‘’?.,"))
    alike = word_pairs("signs.alike")
    flat = re.sub(rf"\b(?:{any_of('signs.alike')})\b", lambda word: alike[word[0].lower()], flat, flags=re.IGNORECASE)
    flat = _OVER_LETTER.sub("over letter", flat)
    words = [word if len(word) == 1 else word.lower() for word in _WORD.findall(flat)]
    meant = [word_pairs("signs.words_alike").get(word, word) for word in words]
    letters = {word.upper() if len(word) == 1 and word not in "adfgox" else word for word in meant}
    return frozenset(letters - word_class("signs.fillers") - {""})


@cache
def _by_shape() -> Mapping[Looks, Notation]:
    found: dict[Looks, Notation] = {}
    for one in notations():
        for each in one.looks:
            found.setdefault(_shape(each), one)
    return found


# In its place.


@cache
def _place_forms() -> tuple[re.Pattern[str], ...]:
    means = f"{any_of('notations.means')}|{any_of('concepts.mean_endings')}"
    asks = r"(?:what(?:'s| do(?:es)?| is| are)|(?:what(?:'s| is) )?(?:the )?meaning of)"
    sort, ending = any_of("signs.sorts"), r"(?: (?:in|inside) a circle)?(?:[- ]looking)?(?: sign| symbol| thing)?"
    shape = rf"(?:the |that |this )?(?:\S{{1,12}}|(?:(?:{sort}) )*(?:{any_of('signs.shapes')}){ending})"
    written = rf"(?:the )?(?:(?:{any_of('notations.nouns')}|formula|equation) )?(?P<whole>\S.{{0,40}}?)"
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            rf"in {written},? {asks} (?P<sign>{shape})(?: (?:{means}|for|called|doing|there))?",
            rf"{asks} (?P<sign>{shape})(?: (?:{means}))? in {written}(?: (?:{means}|for|called))?",
        )
    )


def _in_place(text: str, asked: str) -> Reply | None:
    """What a notation means of which a sign is asked; a sign that is written must stand in it."""
    if " in " not in f" {asked.lower()}":
        return None
    setting = re.search(rf",? (?:{any_of('signs.given')}) (?P<kind>[^?]{{3,50}})\Z", asked, re.IGNORECASE)
    kinds = set(stems(setting["kind"])) if setting is not None else set()
    for pattern in _place_forms():
        found = pattern.fullmatch(asked if setting is None else asked[: setting.start()])
        if found is None:
            continue
        whole = found["whole"].strip(" \"'“”‘’`$,")
        sign = re.sub(r"\A(?:the|that|this) ", "", found["sign"], flags=re.IGNORECASE).strip(" \"'“”‘’`$,")
        is_shape = re.search(rf"\b(?:{any_of('signs.shapes')})\b", sign, re.IGNORECASE) is not None
        if not is_shape and sign not in whole:
            continue
        called = (next(_meant_of(whole, kinds), None),) if kinds else _without_kinds(whole)
        notation = next(filter(None, called), None)
        if notation is not None:
            return _read(text, notation, whole)
    return None


def _without_kinds(whole: str) -> Iterator[Notation | None]:
    # What has a value is no notation; a letter for its number makes it one.
    yield next(notations_called(re.sub("[0-9]+", "n", whole)), None)
    yield next(notations_called(whole), None)


# With what its letters stand for.


@cache
def _kind_forms() -> tuple[re.Pattern[str], ...]:
    means = f"{any_of('notations.means')}|{any_of('concepts.mean_endings')}"
    noun = rf"(?:the )?(?:(?:{any_of('notations.nouns')}) )?"
    given = rf"(?:{any_of('signs.given')}) (?P<kind>[^?]{{3,50}}?)"
    asks, ending = r"what(?:'s| do(?:es)?| is)", rf"(?:,? (?:{means}|called|read))?"
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            rf"{given}[,.;]? (?:then )?{asks} {noun}(?P<written>\S.{{0,30}}?){ending}",
            rf"{asks} {noun}(?P<written>\S.{{0,30}}?) (?:{means}),? {given}",
            rf"(?:{any_of('notations.openers')}) {noun}(?P<written>\S.{{0,30}}?),? {given}",
        )
    )


def _of_kind(text: str, asked: str) -> Reply | None:
    """What a notation means for letters of the kind that is given."""
    for pattern in _kind_forms():
        found = pattern.fullmatch(asked)
        if found is None:
            continue
        kinds = set(stems(found["kind"]))
        notation = next(_meant_of(found["written"].strip(" \"'“”‘’`"), kinds), None)
        if notation is not None:
            return _read(text, notation, found["written"].strip())
    return None


def _meant_of(written: str, kinds: set[str]) -> Iterator[Notation]:
    """The notations for things of these kinds: those that are only for them first, then those that speak of them."""
    called = list(notations_called(written))
    yield from (one for one in called if one.of and set(stems(one.of)) & kinds)
    if not any(one.of for one in called):
        yield from (one for one in called if kinds & {*stems(one.means), *stems(one.see)})


def _read(text: str, notation: Notation, written: str) -> Reply:
    lead = f"{written} is read “{notation.read}”. {notation.means}"
    entries = glossary_called(notation.see)[:1] if notation.see else ()
    if not entries:
        return Reply(text, lead)
    told = glossary_reply(text, entries)
    return replace(told, text=f"{lead}\n{told.text}")
