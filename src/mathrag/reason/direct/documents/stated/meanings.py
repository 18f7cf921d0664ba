"""What a document says that a term means: a sentence that defines it ("X refers to", "we define X as"), quoted as it
stands. A sentence that only speaks of the term defines nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.documents.asked import Asked
from mathrag.reason.direct.documents.facts import Desk
from mathrag.reason.direct.documents.plain_signs import readable
from mathrag.reason.direct.documents.quotes import quoted, sentences_of
from mathrag.reason.direct.documents.seams import Looked, Unclear
from mathrag.reason.direct.documents.stated.sentences import laid_passages
from mathrag.reason.direct.documents.words import Word, words_of
from mathrag.retrieve.document_parts import PassagePart

# How far a verb that defines may stand behind the last word of the term; how far the words of the term lie apart.
_REACH, _APART = 70, 3
_MOST_SHOWN = 2


@cache
def _asking() -> tuple[re.Pattern[str], ...]:
    return (
        re.compile(
            r"\bwhat (?:do|does|did)\b(?P<term>.+?)\b(?:mean|stand for|refer to|denote|represent|signify)\b", re.I
        ),
        re.compile(r"\bhow (?:do|does|did)\b.+?\bdefine\b(?P<term>.+)", re.I),
        re.compile(r"\bhow (?:is|are|was|were)\b(?P<term>.+?)\bdefined\b", re.I),
        re.compile(r"\b(?:is|are|was|were) meant by\b(?P<term>.+)", re.I),
        re.compile(r"\bmean by\b(?P<term>.+)", re.I),
        re.compile(r"\bdefinition of\b(?P<term>.+)", re.I),
    )


@cache
def _defining() -> tuple[re.Pattern[str], ...]:
    behind = re.compile(rf"[^.;]{{0,{_REACH}}}?\b(?:{any_of('documents.defining_behind')})\b", re.IGNORECASE)
    near = re.compile(rf"\s*(?:\([^()]{{1,20}}\)\s*)?(?:{any_of('documents.defining_next')})\b", re.IGNORECASE)
    before = re.compile(
        rf"\b(?:{any_of('documents.defining_before')})\b[\s“\"‘'(]*(?:the |an? )?[“\"‘'(]*\Z", re.IGNORECASE
    )
    return behind, near, before


def look_up_meaning(desk: Desk) -> Looked:
    """The sentence that defines the term which a question asks for; None where it asks for no meaning."""
    term = _term(desk.asked)
    if not term:
        return None
    found = list(_definitions(desk, term))
    said = desk.asked.said(term)
    if not found:
        return Unclear(f"no sentence of {desk.name} was found that says what “{said}” means in so many words")
    return quoted(desk, found[:_MOST_SHOWN])


def _term(asked: Asked) -> tuple[int, ...]:
    if asked.selectors or asked.is_counting:
        return ()
    for pattern in _asking():
        match = pattern.search(asked.text)
        if match is not None:
            start, end = match.span("term")
            inside = [place for place in asked.left() if start <= asked.words[place].start < end]
            return tuple(inside)
    return ()


def _definitions(desk: Desk, term: Sequence[int]) -> Iterator[tuple[str, PassagePart]]:
    keys = [desk.asked.words[place].key for place in term]
    said = desk.asked.said(term)
    is_short = said.isupper() and len(said) > 1
    seen: set[str] = set()
    for laid in laid_passages(desk.parts, desk.card.id):
        if not all(key[:2] in laid.lowered for key in keys):
            continue
        for quote in sentences_of(laid.passage.text):
            text = readable(quote)
            if quote not in seen and (_defines(text, keys) or (is_short and _spells(text, said))):
                seen.add(quote)
                yield quote, laid.passage


def _spells(text: str, term: str) -> bool:
    """Whether a term of capitals stands in brackets behind the words whose first letters it is made of."""
    before, found, _ = text.partition(f"({term})")
    words = [word for word in re.findall(r"[^\W\d_]+", before[-200:]) if word not in word_class("grammar.stop_words")]
    letters = "".join(word[0] for word in words[-len(term) :])
    return bool(found) and letters.casefold() == term.casefold()


def _defines(text: str, keys: Sequence[str]) -> bool:
    behind, near, before = _defining()
    words = words_of(text)
    return any(
        behind.match(text, words[last].end) is not None
        or near.match(text, words[last].end) is not None
        or before.search(text[: words[first].start]) is not None
        for first, last in _runs(words, keys)
    )


def _runs(words: Sequence[Word], keys: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where the words of a term stand in their order, with few others between them."""
    for start, word in enumerate(words):
        if word.key != keys[0]:
            continue
        last, spot = start, 1
        for place in range(start + 1, min(len(words), start + len(keys) * _APART)):
            if spot < len(keys) and words[place].key == keys[spot]:
                last, spot = place, spot + 1
        if spot == len(keys):
            yield start, last
