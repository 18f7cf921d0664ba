"""Names that a sentence gives to a thing of a sort: "the Adam optimizer", "the software Octave 6.1". A name is written
as none but names are: with capitals or digits, right beside the noun that says what it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mathrag.language.word_classes import word_class
from mathrag.reason.direct.documents.stated.sentences import Sentence
from mathrag.reason.direct.documents.stated.values import Piece, Value
from mathrag.reason.direct.documents.stated.wanted import Wanted

_VERSION = re.compile(r"\s*,?\s*\(?(?:version|ver\.?|v\.?|release)?\s?\d+(?:\.\d+)*[a-z]?\b", re.IGNORECASE)
_MOST_WORDS = 4


def stated_names(wanted: Wanted, sentence: Sentence) -> Iterator[tuple[Value, int, int]]:
    """The names beside the noun of the question, with the places of their first and last piece."""
    pieces = sentence.pieces
    for head, piece in enumerate(pieces):
        if piece.is_word and piece.key == wanted.head:
            start = head
            while start and pieces[start - 1].is_word and pieces[start - 1].key in wanted.all_keys:
                start -= 1
            for first, last in (_before(sentence, start), _behind(sentence, head)):
                if first <= last and not _is_one_of_several(pieces, first, last, head):
                    yield _named(sentence, first, last), min(first, head), max(last, head)


def _before(sentence: Sentence, head: int) -> tuple[int, int]:
    first = head
    while first and head - first < _MOST_WORDS and _is_name(sentence, first - 1):
        first -= 1
    # Without an article or a preposition before it, a first word may have its capital from the sentence.
    return (first, head - 1) if first < head and _is_sure(sentence, first, head - 1) else (1, 0)


def _behind(sentence: Sentence, head: int) -> tuple[int, int]:
    pieces = sentence.pieces
    first = head + 1
    while first < len(pieces) and pieces[first].lower in ("(", "called", "named", ","):
        first += 1
    last = first
    while last < len(pieces) and last - first < _MOST_WORDS and _is_name(sentence, last):
        last += 1
    is_apart = (
        first > head + 1 and pieces[first - 1].text == "," and not (last < len(pieces) and pieces[last].text in ",(")
    )
    return (1, 0) if is_apart else (first, last - 1)


def _is_name(sentence: Sentence, at: int) -> bool:
    piece = sentence.pieces[at]
    if not piece.is_word or not piece.text[0].isalpha() or piece.lower in word_class("stated.ourselves"):
        return False
    return piece.text[0].isupper() or any(map(str.isupper, piece.text))


def _is_sure(sentence: Sentence, first: int, last: int) -> bool:
    words = [sentence.pieces[at].text for at in range(first, last + 1)]
    return first > 0 or any(sum(map(str.isupper, word)) > 1 for word in words)


def _is_one_of_several(pieces: Sequence[Piece], first: int, last: int, head: int) -> bool:
    """Whether the name is one of a list, all of which would answer."""
    low, high = min(first, head), max(last, head)
    around = [pieces[at].lower for at in (low - 1, high + 1) if 0 <= at < len(pieces)]
    return any(each in ("and", "or", "&", "/") for each in around) or (low > 0 and pieces[low - 1].text == ",")


def _named(sentence: Sentence, first: int, last: int) -> Value:
    start, end = sentence.pieces[first].start, sentence.pieces[last].end
    version = _VERSION.match(sentence.text, end)
    if version is not None:
        end = version.end() + (sentence.text[version.end() : version.end() + 1] == ")" and "(" in version.group())
    return Value(sentence.text[start:end], start, end, (), "name")
