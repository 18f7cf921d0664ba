"""The sentence that comes nearest to a question for a number, quoted: it names what is asked and has a number for it;
all other telling words stand in it, or above it in its paragraph or heading. Where two sentences come as near and
differ, neither is shown. Nothing is concluded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import log

from mathrag.language.word_classes import word_class
from mathrag.reason.direct.documents.asked import Asked
from mathrag.reason.direct.documents.facts import Desk
from mathrag.reason.direct.documents.plain_signs import readable
from mathrag.reason.direct.documents.quotes import look_up_answer, quoted, sentences_of
from mathrag.reason.direct.documents.seams import DocumentParts, Found, Looked, Source
from mathrag.reason.direct.documents.stated.attached import is_labelled, numbers_beside
from mathrag.reason.direct.documents.stated.sentences import Sentence, laid_passages
from mathrag.reason.direct.documents.stated.times import times_of
from mathrag.reason.direct.documents.stated.values import pieces_of
from mathrag.reason.direct.documents.stated.wanted import Wanted, wanted_of
from mathrag.reason.direct.documents.words import LEAST_SHARED, are_forms, keys_of

# In shares of the weight of all telling words: so much must be found at all, so much in the sentence itself.
_FOUND, _INSIDE, _MARGIN = 0.92, 0.2, 0.06
# In a longer book the same words are said of many things.
_MOST_PASSAGES, _MOST_SENTENCES = 400, 6_000
_FEWEST_TELLING = 2
_CAPITALS = re.compile(r"\b[A-Z][A-Z0-9]{1,6}s?\b")
# A number glued to the word before it is one all the same: "of0.15".
_GLUED = re.compile(r"(?<=[a-z])\d+\.\d+|(?<![\w.])\d+\.\d+")
_PLAIN_MEASURES = frozenset({"long", "far"})


@dataclass(frozen=True)
class _Said:
    """A sentence with the keys of what stands above it in its paragraph and heading."""

    sentence: Sentence
    above: frozenset[str]

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words without case, of which other forms may be asked for."""
        return frozenset(
            piece.lower for piece in self.sentence.pieces if piece.is_word and len(piece.text) >= LEAST_SHARED
        )

    @cached_property
    def short(self) -> frozenset[str]:
        """The words in capitals in it and above it: they may stand for several words."""
        return frozenset(each.rstrip("s") for each in _CAPITALS.findall(self.sentence.text))


@dataclass(frozen=True)
class _Telling:
    """The telling words of a question by their keys: what each weighs, how it is written, and what several of them are
    called in short."""

    weights: Mapping[str, float]
    written: Mapping[str, str]
    shorts: Mapping[str, frozenset[str]]

    def present(self, keys: frozenset[str], words: frozenset[str]) -> frozenset[str]:
        """Those that are among some words, in any form."""
        here = {key for key in self.weights if key in keys}
        forms = {
            key for key in self.weights if key not in here and any(are_forms(self.written[key], each) for each in words)
        }
        return frozenset(here | forms)


@dataclass(frozen=True)
class _Paper:
    """The sentences of a document, and in how many of them each word stands."""

    said: tuple[_Said, ...]
    counts: Mapping[str, int]


def look_up_near(desk: Desk) -> Looked:
    """The sentence nearest to a question for a number; None where none is near enough, or several are."""
    wanted = wanted_of(desk.asked)
    if wanted is None or wanted.sort == "name":
        return None
    if len(laid_passages(desk.parts, desk.card.id)) > _MOST_PASSAGES:
        return None
    paper = desk.parts.kept(desk.card.id, _paper)
    telling = _telling(desk.asked) - (
        frozenset(wanted.name[:1]) if wanted.shown.casefold().startswith("how ") else frozenset()
    )
    if len(telling) < _FEWEST_TELLING or not paper.said:
        return None
    weights = {key: log(1 + len(paper.said) / (1 + paper.counts.get(key, 0))) for key in telling}
    written = {word.key: word.lower for word in desk.asked.words}
    shorts = _shorts(desk.asked)
    ranked = sorted(_ranked(wanted, paper, _Telling(weights, written, shorts)), key=lambda each: -each[0])
    if not ranked:
        return None
    best = ranked[0][0]
    near = [said for rank, said in ranked if rank >= best - _MARGIN]
    if len(near) > 1 and len({_core(wanted, each.sentence) for each in near}) > 1:
        return None
    return quoted(desk, [(near[0].sentence.quote, near[0].sentence.passage)])


def _core(wanted: Wanted, sentence: Sentence) -> str:
    if wanted.sort == "count":
        return " ".join(sorted({value.core for value in numbers_beside(wanted, sentence)}))
    return sentence.quote


def _telling(asked: Asked) -> frozenset[str]:
    idle = word_class("stated.settings") | word_class("stated.empty_verbs") | word_class("stated.taking_part")
    idle |= word_class("numbers.spoken")
    return frozenset(
        asked.words[place].key for place in asked.left("documents.published") if asked.words[place].lower not in idle
    )


def _shorts(asked: Asked) -> dict[str, frozenset[str]]:
    """What runs of words of the question are called by their first letters, with the keys of those words."""
    made: dict[str, frozenset[str]] = {}
    words = [word for word in asked.words if word.text[0].isalpha()]
    for start in range(len(words)):
        for length in range(2, 6):
            run = words[start : start + length]
            if len(run) == length:
                made["".join(word.text[0] for word in run).upper()] = frozenset(word.key for word in run)
    return made


def _ranked(wanted: Wanted, paper: _Paper, telling: _Telling) -> Iterator[tuple[float, _Said]]:
    weights = telling.weights
    whole = sum(weights.values())
    for said in paper.said:
        inside = telling.present(said.sentence.keys, said.words)
        own = sum(weights[key] for key in inside) / whole
        if own < _INSIDE or (wanted.predicate and wanted.predicate in weights and wanted.predicate not in inside):
            continue
        short = {key for name in said.short for key in telling.shorts.get(name, ())}
        found = inside | telling.present(said.above, frozenset()) | (short & weights.keys())
        share = sum(weights[key] for key in found) / whole
        if share < _FOUND or said.sentence.is_foreign or not _has_value(wanted, said.sentence):
            continue
        yield share + own, said


def _has_value(wanted: Wanted, sentence: Sentence) -> bool:
    """Whether a sentence names what is asked and has a number that can be its: beside the noun that is counted, behind
    the name of a quantity, or in the unit that "how far" asks for."""
    if any(piece.is_word and piece.lower in word_class("stated.examples") for piece in sentence.pieces):
        return False
    heads = [at for at, piece in enumerate(sentence.pieces) if piece.is_word and piece.key == wanted.head]
    if wanted.sort == "time":
        return len(times_of(sentence)) == 1
    if wanted.sort in ("count", "share"):
        # "How much memory": the amount stands before it with its unit.
        has_amount = any(at and sentence.pieces[at - 1].value is not None for at in heads)
        return has_amount or any(True for _ in numbers_beside(wanted, sentence))
    has_unit = any(
        piece.value is not None and piece.value.dimension is not None and piece.value.dimension in wanted.dimensions
        for piece in sentence.pieces
    )
    is_how = wanted.shown.casefold().startswith("how ")
    if is_how and wanted.head not in sentence.keys | _PLAIN_MEASURES:
        # "How old" is no time but an age: the sentence must say so.
        return False
    is_named = wanted.head in sentence.keys and not is_how
    return any(_follows(sentence, head) for head in heads) if is_named else has_unit


def _follows(sentence: Sentence, head: int) -> bool:
    pieces = sentence.pieces
    for at in range(head + 1, min(len(pieces), head + 12)):
        value = pieces[at].value
        is_cited = at and pieces[at - 1].text == "["
        if value is not None and not is_cited and value.kind not in ("label", "date", "ordinal"):
            return not is_labelled(pieces, at)
    return _GLUED.match(sentence.text, pieces[head].end + 4) is not None or (
        _GLUED.search(sentence.text[pieces[head].end : pieces[head].end + 12]) is not None
    )


def _paper(parts: DocumentParts, document: str) -> _Paper:
    said: list[_Said] = []
    counts: dict[str, int] = {}
    for laid in laid_passages(parts, document):
        passage = laid.passage
        heading = frozenset(key for each in passage.headings[1:] for key in keys_of(each))
        for paragraph in passage.text.split("\n\n"):
            above = heading
            for quote in sentences_of(paragraph):
                if len(said) >= _MOST_SENTENCES:
                    break
                sentence = Sentence(quote, passage, readable(quote))
                said.append(_Said(sentence, above))
                for key in sentence.keys:
                    counts[key] = counts.get(key, 0) + 1
                above = above | sentence.keys
    return _Paper(tuple(said), counts)


def look_up_all_words(desk: Desk) -> Looked:
    """The sentences that have every telling word; where it is asked how many, only those with a number that is no label
    of something ("Study 3")."""
    found = look_up_answer(desk)
    if not isinstance(found, Found) or not desk.asked.is_counting:
        return found
    return found if any(_is_counting(source) for source in found.sources) else None


def _is_counting(source: Source) -> bool:
    pieces = pieces_of(readable(source.quote))
    return any(piece.value is not None and not is_labelled(pieces, at) for at, piece in enumerate(pieces))
