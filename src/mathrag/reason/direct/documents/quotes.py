"""What a document says about something: its sentences, word for word, with places; and which document is about it.

A sentence counts only where it has every telling word of what is asked. Nothing is concluded from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.documents.asked import Asked
from mathrag.reason.direct.documents.facts import Desk
from mathrag.reason.direct.documents.seams import DocumentParts, Found, Looked, Source, Unclear, exact_place
from mathrag.reason.direct.documents.which import kinds_pattern, shown_name
from mathrag.reason.direct.documents.words import class_keys, keys_of
from mathrag.retrieve.document_parts import DocumentCard, PassagePart

_MOST_QUOTED, _MOST_MATCHING, _LONGEST_SENTENCE, _SHORTEST = 3, 3, 700, 12
_FEWEST_TELLING = 3
_SENTENCE_END = re.compile(r"(?<=[.?!])[\"”’)\]]?\s+(?=[A-Z“\"(\[0-9])")
_ABBREVIATED = re.compile(rf"(?:\b(?:{any_of('grammar.abbreviations')})|\b[A-Z])\.$", re.IGNORECASE)
_NUMBER, _BLANK = re.compile(r"\d"), re.compile(r"[\s-]+")
# A document is the one that is meant where it has so much more of what is asked than the next.
_SHARE, _MARGIN = 0.75, 0.3


def look_up_passages(desk: Desk) -> Looked:
    """The sentences that speak of what is asked, where it is asked what a document says."""
    topic = _topic(desk.asked)
    if not topic:
        return None
    found = list(_sentences_with(desk, frozenset(desk.asked.words[place].key for place in topic)))
    if not found:
        found = list(_beginning_of_section(desk, frozenset(desk.asked.words[place].key for place in topic)))
    if not found:
        return Unclear(f"no passage of {desk.name} speaks of “{desk.asked.said(topic)}”")
    return quoted(desk, found)


def look_up_answer(desk: Desk) -> Looked:
    """The one or two sentences that have every telling word of a free question; None where there are none or many."""
    topic = desk.asked.left("documents.published")
    keys = frozenset(desk.asked.words[place].key for place in topic)
    if len(keys) < _FEWEST_TELLING - 1 or desk.asked.selectors:
        return None
    found = list(_sentences_with(desk, keys))
    if _wants_number(desk.asked):
        found = [each for each in found if has_number(each[0])]
    # Two words are enough only where they lead to one sentence.
    most = _MOST_MATCHING if len(keys) >= _FEWEST_TELLING else 1
    return quoted(desk, found) if 0 < len(found) <= most else None


def look_up_stated(desk: Desk) -> Looked:
    """The same where no document is spoken of: only for a number that is asked for by several telling words, of which
    every sentence shown has all."""
    keys = {desk.asked.words[place].key for place in desk.asked.left("documents.published")}
    if len(keys) < _FEWEST_TELLING or not _wants_number(desk.asked):
        return None
    return look_up_answer(desk)


def has_number(sentence: str) -> bool:
    """Whether a sentence has a number, in digits or in words."""
    spoken = word_class("numbers.spoken") | word_class("numbers.tens")
    return _NUMBER.search(sentence) is not None or not spoken.isdisjoint(_BLANK.split(sentence.casefold()))


def _wants_number(asked: Asked) -> bool:
    return asked.is_counting or any(word.lower in ("when", "year", "percentage") for word in asked.words)


def _topic(asked: Asked) -> tuple[int, ...]:
    """The places of the words behind "say about"."""
    match = re.search(rf"\b(?:{any_of('documents.says')})\b", asked.text, re.IGNORECASE)
    if match is None or asked.selectors or asked.counts_before(match.start()):
        return ()
    before = [place for place in asked.left() if asked.words[place].start < match.start()]
    return () if before else tuple(place for place in asked.left() if asked.words[place].start >= match.end())


def _sentences_with(desk: Desk, keys: frozenset[str]) -> Iterator[tuple[str, PassagePart]]:
    seen: set[str] = set()
    # A stem may differ from its word after a few letters ("during").
    beginnings = [key[:3] for key in keys]
    for passage in desk.parts.passages(desk.card.id):
        if any(frozenset(keys_of(each)) & class_keys("documents.literature") for each in passage.headings[-1:]):
            continue
        lowered = passage.text.casefold()
        # Reading every word of a book is slow; its letters are looked through first.
        if not all(each in lowered for each in beginnings):
            continue
        for sentence in sentences_of(passage.text):
            if sentence not in seen and sentence not in passage.headings and keys <= frozenset(keys_of(sentence)):
                seen.add(sentence)
                yield sentence, passage


def _beginning_of_section(desk: Desk, keys: frozenset[str]) -> Iterator[tuple[str, PassagePart]]:
    """The first sentences of the section whose title is what is asked about."""
    for passage in desk.parts.passages(desk.card.id):
        if passage.headings and keys <= frozenset(keys_of(passage.headings[-1])):
            said = [each for each in sentences_of(passage.text) if each not in passage.headings]
            yield from ((sentence, passage) for sentence in said[:2])
            return


def sentences_of(text: str) -> Iterator[str]:
    """The sentences of a passage as they are written; tables and headings are none."""
    for paragraph in text.split("\n\n"):
        if "|" in paragraph or paragraph.lstrip().startswith("#"):
            continue
        start = 0
        for match in _SENTENCE_END.finditer(paragraph):
            if _ABBREVIATED.search(paragraph[max(0, match.start() - 12) : match.start()]):
                continue
            yield from _usable(paragraph[start : match.end()])
            start = match.end()
        yield from _usable(paragraph[start:])


def _usable(sentence: str) -> Iterator[str]:
    sentence = sentence.strip()
    if _SHORTEST <= len(sentence) <= _LONGEST_SENTENCE:
        yield sentence


def quoted(desk: Desk, found: Sequence[tuple[str, PassagePart]]) -> Found:
    """Sentences of a document as its answer, with their places."""
    # The shortest say it most plainly; they are shown in the order of the document.
    shortest = sorted(found, key=lambda each: len(each[0]))[:_MOST_QUOTED]
    chosen = [
        (sentence, _on_its_page(desk, sentence, passage))
        for sentence, passage in found
        if (sentence, passage) in shortest
    ]
    lines = [f"“{' '.join(sentence.split())}”{_where(passage)}" for sentence, passage in chosen]
    more = f" ({len(found) - len(chosen)} more sentences speak of it.)" if len(found) > len(chosen) else ""
    sources = tuple(Source(passage.place, sentence, "", passage.headings) for sentence, passage in chosen)
    text = f"{desk.name} says: {' '.join(lines)}{more}"
    return Found(text, "\n".join(sentence for sentence, _ in chosen), sources)


def _on_its_page(desk: Desk, sentence: str, passage: PassagePart) -> PassagePart:
    return replace(passage, place=exact_place(desk.parts, desk.card.id, sentence, passage.place))


def _where(passage: PassagePart) -> str:
    parts = [f"“{passage.headings[-1]}”" if passage.headings else "", str(passage.place)]
    where = ", ".join(part for part in parts if part)
    return f" ({where})" if where else ""


# ---- which document


@dataclass(frozen=True, slots=True)
class _Match:
    card: DocumentCard
    share: float


def look_up_document(
    asked: Asked, cards: Sequence[DocumentCard], _parts: DocumentParts
) -> tuple[DocumentCard, ...] | Unclear | None:
    """The documents that "which paper …" asks for, by title, abstract, year and people; None for other questions."""
    match = kinds_pattern().search(asked.text)
    if match is None or asked.selectors or asked.is_counting:
        return None
    kinds = word_class("documents.kinds")
    rest = [
        place
        for place in asked.left("documents.which_document", "documents.published", "documents.authors")
        if asked.words[place].lower not in kinds
    ]
    keys = frozenset(asked.words[place].key for place in rest)
    if not keys:
        return None
    matches = sorted((_Match(card, _share(card, keys)) for card in cards), key=lambda each: -each.share)
    whole = [each.card for each in matches if each.share == 1.0]
    is_plural = match.group().rstrip().lower().endswith("s")
    said = asked.said(rest)
    if whole:
        if len(whole) == 1 or is_plural:
            return tuple(whole)
        listed = "; ".join(shown_name(card) for card in whole[:6])
        return Unclear(f"several documents have to do with “{said}”: {listed}", ("name more of what it is about",))
    second = matches[1].share if len(matches) > 1 else 0.0
    if matches and matches[0].share >= _SHARE and matches[0].share - second >= _MARGIN and len(keys) > _FEWEST_TELLING:
        return (matches[0].card,)
    return Unclear(f"no document of the library is plainly about “{said}”, by its title and abstract")


def _share(card: DocumentCard, keys: frozenset[str]) -> float:
    own = frozenset(keys_of(card.title)) | frozenset(keys_of(card.abstract)) | frozenset(keys_of(card.venue))
    own |= frozenset(key for each in card.authors for key in keys_of(each))
    own |= frozenset((str(card.year),))
    return len(keys & own) / len(keys)
