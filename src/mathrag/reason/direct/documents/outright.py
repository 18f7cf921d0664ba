"""A document that a question names outright: by its title in quotation marks, whole or cut short, by its whole title
without them, or by its file. "This paper" then stands in the question where the name stood, so that no word of the name
is taken for one that is asked about, and the library is that one document."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from mathrag.language.word_classes import word_class
from mathrag.reason.direct.documents.seams import DocumentParts, Made
from mathrag.reason.direct.documents.words import keys_of, words_of
from mathrag.retrieve.document_parts import (
    DocumentCard,
    EquationPart,
    FigurePart,
    PassagePart,
    ReferencePart,
    SectionPart,
    TablePart,
)
from mathrag.types.question import Given

THIS_PAPER = "this paper"
_QUOTED = re.compile(r"\"([^\"]{3,300})\"|“([^”]{3,300})”|«([^»]{3,300})»|‘([^’]{8,300})’|(?<!\w)'([^']{8,300})'(?!\w)")
_FILE = re.compile(r"[\w\-.+]+\.(?:pdf|docx?|md|html?|tex|txt|epub|odt|ipynb|rst|xml)\b", re.IGNORECASE)
_DIGITS = re.compile(r"\d+(?:\.\d+)?")
# So many telling words without quotation marks are no accident; in them two will do where the title begins with them.
_TELLING_ALONE, _TELLING_QUOTED, _TELLING_INSIDE = 4, 2, 3
# Of a title that was read or written with a slip, so many words must be there in their order.
_NEARLY, _FEWEST_NEARLY = 0.85, 5
_MOST_OPENED, _FIRST_PAGE = 60, 2_000


@dataclass(frozen=True, slots=True)
class Outright:
    """The question with "this paper" for the name, the values in it without those of the name, and the document."""

    text: str
    givens: tuple[Given, ...]
    card: DocumentCard


@dataclass(frozen=True, slots=True)
class OneDocument:
    """A library in which one document is all there is."""

    parts: DocumentParts
    card: DocumentCard

    def documents(self) -> Sequence[DocumentCard]:
        """The one document."""
        return (self.card,)

    def sections(self, document: str) -> Sequence[SectionPart]:
        """Its headings."""
        return self.parts.sections(document)

    def tables(self, document: str) -> Sequence[TablePart]:
        """Its tables."""
        return self.parts.tables(document)

    def figures(self, document: str) -> Sequence[FigurePart]:
        """Its pictures."""
        return self.parts.figures(document)

    def equations(self, document: str) -> Sequence[EquationPart]:
        """Its formulas on lines of their own."""
        return self.parts.equations(document)

    def references(self, document: str) -> Sequence[ReferencePart]:
        """What it cites."""
        return self.parts.references(document)

    def passages(self, document: str) -> Sequence[PassagePart]:
        """Its text."""
        return self.parts.passages(document)

    def page_texts(self, document: str) -> Sequence[tuple[int, str]]:
        """Its pages."""
        return self.parts.page_texts(document)

    def kept(self, document: str, make: Callable[[DocumentParts, str], Made]) -> Made:
        """What was made of it once."""
        return self.parts.kept(document, make)


def are_papers(cards: Sequence[DocumentCard], parts: DocumentParts) -> bool:
    """Whether each of some documents is a paper: it has an abstract, or cites others."""
    return all(card.abstract or parts.references(card.id) for card in cards)


def named_outright(text: str, givens: Sequence[Given], parts: DocumentParts) -> Outright | None:
    """The one document that a question names outright; None where it names none so, or several."""
    if not _may_name(text):
        return None
    cards = parts.documents()
    found = [*_by_file(text, cards), *_by_quotes(text, cards, parts)]
    if not found:
        found = list(_by_whole_title(text, cards))
    if not found or len({card.id for _, _, card in found}) != 1:
        return None
    made = text
    for start, end, _ in sorted(found, key=lambda each: each[0], reverse=True):
        made = f"{made[:start]}{THIS_PAPER}{made[end:]}"
    left = set(_DIGITS.findall(made))
    kept = tuple(given for given in givens if given.implied or left.issuperset(_DIGITS.findall(given.text)))
    return Outright(made, kept, found[0][2])


def _may_name(text: str) -> bool:
    """Whether a title or a file may stand in a text at all: what costs nothing to find out comes first."""
    if _QUOTED.search(text) is not None or _FILE.search(text) is not None:
        return True
    return sum(word[0].isupper() for word in text.split()) >= _TELLING_ALONE - 1


_Spot = tuple[int, int, DocumentCard]


def _by_file(text: str, cards: Sequence[DocumentCard]) -> Iterator[_Spot]:
    for match in _FILE.finditer(text):
        for card in cards:
            if card.name.casefold() == match.group().casefold():
                yield match.start(), match.end(), card


def _by_quotes(text: str, cards: Sequence[DocumentCard], parts: DocumentParts) -> Iterator[_Spot]:
    for match in _QUOTED.finditer(text):
        keys = keys_of(next(each for each in match.groups() if each is not None))
        if not keys:
            continue
        likeness = [(_likeness(keys, card), card) for card in cards]
        best = max((each for each, _ in likeness), default=0.0)
        chosen = [card for each, card in likeness if each == best > 0] or _by_first_page(keys, cards, parts)
        if len(chosen) == 1:
            yield match.start(), match.end(), chosen[0]


def _likeness(keys: Sequence[str], card: DocumentCard) -> float:
    """How surely words are the title of a document; 0 where they are not."""
    title = keys_of(card.title)
    before = keys_of(re.split(r":| [–—-] ", card.title)[0])
    stem = keys_of(card.name.rpartition(".")[0])
    if keys in (title, before, stem):
        return 1.0
    telling = _telling(keys)
    if title[: len(keys)] == tuple(keys) and telling >= _TELLING_QUOTED:
        return 0.95
    if telling >= _TELLING_INSIDE and _has_run(title, keys):
        return 0.9
    shared = len(frozenset(keys).intersection(title))
    if len(keys) >= _FEWEST_NEARLY and shared >= _NEARLY * len(frozenset(keys)):
        blocks = SequenceMatcher(None, keys, title, autojunk=False).get_matching_blocks()
        alike = sum(block.size for block in blocks) / len(keys)
        return 0.8 * alike if alike >= _NEARLY else 0.0
    return 0.0


def _telling(keys: Sequence[str]) -> int:
    idle = word_class("grammar.stop_words")
    return sum(key not in idle for key in keys)


def _has_run(keys: Sequence[str], run: Sequence[str]) -> bool:
    length = len(run)
    return any(tuple(keys[at : at + length]) == tuple(run) for at in range(len(keys) - length + 1))


def _by_first_page(keys: Sequence[str], cards: Sequence[DocumentCard], parts: DocumentParts) -> Sequence[DocumentCard]:
    """The documents on whose first page the words stand one after the other: a title need not have been recognised."""
    if _telling(keys) < _TELLING_ALONE or len(cards) > _MOST_OPENED:
        return ()
    return [card for card in cards if _has_run(parts.kept(card.id, _first_page), keys)]


def _first_page(parts: DocumentParts, document: str) -> tuple[str, ...]:
    pages = parts.page_texts(document)
    return keys_of(pages[0][1][:_FIRST_PAGE]) if pages else ()


def _by_whole_title(text: str, cards: Sequence[DocumentCard]) -> Iterator[_Spot]:
    """A title that stands in the question from its first word to its last, or up to its colon."""
    words = [word for word in words_of(text) if word.lower not in ("the", "a", "an")]
    keys = tuple(word.key for word in words)
    spots: dict[str, list[int]] = {}
    for place, key in enumerate(keys):
        spots.setdefault(key, []).append(place)
    found: list[tuple[int, int, int, DocumentCard]] = []
    for card in cards:
        title = keys_of(card.title)
        for name in dict.fromkeys((title, keys_of(re.split(r":| [–—-] ", card.title)[0]))):
            if not name or _telling(name) < _TELLING_ALONE:
                continue
            found += [
                (len(name), words[start].start, words[start + len(name) - 1].end, card)
                for start in spots.get(name[0], ())
                if keys[start : start + len(name)] == name
            ]
    longest = max((each[0] for each in found), default=0)
    for length, start, end, card in found:
        if length == longest:
            article = re.search(r"\b(?:the|an?)\s+$", text[:start], re.IGNORECASE)
            yield article.start() if article else start, end, card
