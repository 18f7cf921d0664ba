"""The sentences of a document in which something may be stated: with all words that are asked for, and not denied,
supposed or told of other people's work. Knows what a sentence says of itself, not what is asked.

Reading every word of a book takes seconds, so its letters are looked through first; they are laid out once a document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from mathrag.language.parts import title_kind
from mathrag.language.word_classes import word_class
from mathrag.reason.direct.documents.plain_signs import readable
from mathrag.reason.direct.documents.quotes import has_number, sentences_of
from mathrag.reason.direct.documents.seams import DocumentParts
from mathrag.reason.direct.documents.stated.values import Piece, pieces_of
from mathrag.reason.direct.documents.words import class_keys, keys_of
from mathrag.retrieve.document_parts import PassagePart

# A name with a year in brackets, or others as authors: somebody else is quoted.
_CITED = re.compile(
    r"\bet al\b|\([^()]{0,80}[A-Z][^\W\d_]+[^()]{0,40},? (?:19|20)\d\d[a-z]?\b[^()]{0,80}\)"
    r"|[A-Z][^\W\d_]+ (?:and [A-Z][^\W\d_]+ )?\((?:19|20)\d\d[a-z]?\)"
)
_NUMBERED_SUBJECT = re.compile(r"(?:^|\b(?:in|by|of|see|from) )\[\d{1,3}\]", re.IGNORECASE)
# Signs that lines of a table or a figure were read as one sentence.
_UNREAD = re.compile(r"\\q?quad\b|\\frac\b|\ufffd")
_ONE = re.compile(r"\bone\b", re.IGNORECASE)
_TEXTBOOK_PARTS = ("example", "exercise", "solution")


@dataclass(frozen=True, slots=True)
class LaidPassage:
    """A passage that is the document's own, and its letters without case."""

    passage: PassagePart
    lowered: str


@dataclass(frozen=True)
class Sentence:
    """A sentence as written and in plain signs, with its passage; `last` is the sentence before it."""

    quote: str
    passage: PassagePart
    text: str
    last: str = ""

    @cached_property
    def before(self) -> frozenset[str]:
        """The keys of the words of the sentence before it."""
        return frozenset(keys_of(self.last))

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """Its words, values and marks."""
        return pieces_of(self.text)

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys of its words."""
        return frozenset(keys_of(self.text))

    @cached_property
    def headings(self) -> frozenset[str]:
        """The keys of the heading above it; the title of a document is above all of it and tells nothing."""
        return frozenset(key for each in self.passage.headings[1:][-1:] for key in keys_of(each))

    @cached_property
    def is_foreign(self) -> bool:
        """Whether it tells of other people's work."""
        is_ours = any(piece.lower in word_class("stated.ourselves") for piece in self.pieces if piece.is_word)
        if is_ours:
            return False
        above = {key for each in self.passage.headings[-2:] for key in keys_of(each)}
        if not above.isdisjoint(class_keys("stated.before_us")) or _CITED.search(self.text) is not None:
            return True
        others = word_class("stated.others")
        told = any(piece.is_word and piece.lower in others for piece in self.pieces)
        return told or _NUMBERED_SUBJECT.search(self.text) is not None


def laid_passages(parts: DocumentParts, document: str) -> tuple[LaidPassage, ...]:
    """The passages of a document that are not its list of references; no exercises and worked examples."""
    return parts.kept(document, _laid_passages)


def _laid_passages(parts: DocumentParts, document: str) -> tuple[LaidPassage, ...]:
    return tuple(LaidPassage(each, each.text.casefold()) for each in parts.passages(document) if _is_own(each))


def _is_own(passage: PassagePart) -> bool:
    if any(title_kind(each) in _TEXTBOOK_PARTS for each in passage.headings):
        return False
    return not any(frozenset(keys_of(each)) & class_keys("documents.literature") for each in passage.headings[-1:])


def sentences_with(
    passages: Sequence[LaidPassage], needed: Sequence[frozenset[str]], *, with_number: bool
) -> Iterator[Sentence]:
    """The sentences of the passages that have one word of each of the sets of keys at least, and a number."""
    # A stem may differ from its word in its last letters.
    beginnings = [tuple({key[: max(3, len(key) - 2)] for key in keys}) for keys in needed]
    seen: set[str] = set()
    for laid in passages:
        if not _has_all(laid.lowered, beginnings):
            continue
        before = ""
        for quote in sentences_of(laid.passage.text):
            last, before = before, quote
            if quote in seen or quote in laid.passage.headings or not _has_all(quote.casefold(), beginnings):
                continue
            seen.add(quote)
            if _UNREAD.search(quote) or (with_number and not has_number(quote) and _ONE.search(quote) is None):
                continue
            sentence = Sentence(quote, laid.passage, readable(quote), last)
            if not any(each.isdisjoint(sentence.keys) for each in needed):
                yield sentence


def _has_all(lowered: str, beginnings: Sequence[Sequence[str]]) -> bool:
    return all(any(each in lowered for each in some) for some in beginnings)


# ---- clauses


def clause_of(pieces: Sequence[Piece], place: int) -> range:
    """The places of the clause around a piece: up to a semicolon, or to a word that opens another clause behind a
    comma."""
    start = next((at + 1 for at in range(place, -1, -1) if _parts_clauses(pieces, at)), 0)
    end = next((at for at in range(place + 1, len(pieces)) if _parts_clauses(pieces, at)), len(pieces))
    return range(start, end)


def _parts_clauses(pieces: Sequence[Piece], place: int) -> bool:
    return pieces[place].text == ";" or pieces[place].lower in word_class("stated.clause_ends")


def is_stated(pieces: Sequence[Piece], place: int, asked: frozenset[str]) -> bool:
    """Whether the clause around a piece says what it says: not denied and not supposed, but by words that are asked for
    themselves."""
    doubtful = word_class("stated.negations") | word_class("stated.supposed")
    if any(piece.is_word and piece.lower in word_class("stated.examples") for piece in pieces):
        return False
    # A month is no verb: "since May".
    said = [pieces[at] for at in clause_of(pieces, place) if pieces[at].text != "May" or not at]
    # What stands in brackets of its own says nothing of the rest.
    said = [piece for piece in said if piece.is_word and piece.depth <= pieces[place].depth]
    return not any(piece.lower in doubtful and piece.key not in asked for piece in said)


def has_value_between(pieces: Sequence[Piece], first: int, last: int) -> bool:
    """Whether another number, or a word that counts, stands between two places; what is in brackets of its own between
    them does not count."""
    low, high = min(first, last) + 1, max(first, last)
    depth = min(pieces[first].depth, pieces[last].depth)
    quantifiers = word_class("stated.quantifiers")
    return any(
        (pieces[at].value is not None or (pieces[at].is_word and pieces[at].lower in quantifiers))
        and (pieces[at].depth <= depth or pieces[last].depth > depth or pieces[first].depth > depth)
        for at in range(low, high)
    )
