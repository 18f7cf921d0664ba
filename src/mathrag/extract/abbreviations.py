"""Capitals that stand in formulas, with the words that the document spells them out by.

`Peak Flow (PF)` and `PF (peak flow)` say so anywhere; a title says it for the formulas below it, where its words have
these initials. Finds words only; what quantity they name is decided as of any other words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from mathrag.extract.definitions.records import meaning_of
from mathrag.extract.formula_reader import ReadFormula
from mathrag.language.abbreviations import abbreviates
from mathrag.language.noun_phrases import title_in_lower_case
from mathrag.language.word_classes import word_class
from mathrag.types.document import Document, contents_of, plain_text
from mathrag.types.expression import Declined, equation_symbols
from mathrag.types.library import Span, SymbolDefinition

ABBREVIATION = "abbreviation"
_CAPITALS = re.compile(r"[A-Z]{2,6}")
_BEFORE = re.compile(r"((?:[\w'’&/-]{1,30} ){1,9})\(([A-Z]{2,6})\)")
_BEHIND = re.compile(r"(?<![\w-])([A-Z]{2,6}) \(([A-Za-z][\w'’&/ -]{3,80})\)")
_WORD = re.compile(r"[A-Za-z]+")
_SMALL_WORDS = word_class("formula_sets.small_words")
_LONGEST_TITLE = 60
_MOST_NAMES = 200


def abbreviation_definitions(
    document: Document, reads: Sequence[ReadFormula], definitions: Sequence[SymbolDefinition], *, document_id: str
) -> tuple[SymbolDefinition, ...]:
    """A definition for every name in capitals that nothing else defines and the document spells out."""
    wanted = _wanted(reads, {one.name for one in definitions})
    if not wanted:
        return ()
    found = dict(_of_titles(wanted))
    found.update(_of_text(document, wanted))
    last = len(document.blocks) - 1
    result = []
    for name, (words, block, headings) in found.items():
        meaning = meaning_of(words, unit_text=None, name=name)
        result.append(
            SymbolDefinition(
                name=name,
                description=words,
                span=Span(document_id, document.blocks[block].place, words, headings),
                first_block=0,
                last_block=last,
                source=ABBREVIATION,
                dimension=meaning.dimension,
                kind=meaning.kind.id if meaning.kind is not None else None,
            )
        )
    return tuple(result)


def spelled_out(text: str, words: Mapping[str, str]) -> str:
    """A name with its abbreviations spelled out: the PF of `PF index` as peak flow index."""
    return _CAPITALS.sub(lambda found: words.get(found.group(), found.group()), text)


def _wanted(reads: Sequence[ReadFormula], defined: set[str]) -> dict[str, list[ReadFormula]]:
    """The names in capitals, alone or in names of several words, each with the formulas in which it stands."""
    wanted: dict[str, list[ReadFormula]] = {}
    for read in reads:
        if isinstance(read.reading, Declined):
            continue
        names = {name for equation in read.equations for name in equation_symbols(equation)}
        names.update(word for phrase in read.reading.phrases for word in phrase.text.split())
        for name in sorted(names - defined):
            if _CAPITALS.fullmatch(name) and (name in wanted or len(wanted) < _MOST_NAMES):
                wanted.setdefault(name, []).append(read)
    return wanted


def _of_text(
    document: Document, wanted: Mapping[str, Sequence[ReadFormula]]
) -> Iterator[tuple[str, tuple[str, int, tuple[str, ...]]]]:
    """What is said in brackets, the first time."""
    seen: set[str] = set()
    for index, block in enumerate(document.blocks):
        for content in contents_of(block):
            text = plain_text(content)
            if "(" not in text:
                continue
            pairs = [(found[2], _ending(found[1].split(), found[2])) for found in _BEFORE.finditer(text)]
            pairs.extend((found[1], _whole(found[2], found[1])) for found in _BEHIND.finditer(text))
            for name, words in pairs:
                if name in wanted and name not in seen and words:
                    seen.add(name)
                    yield name, (title_in_lower_case(words), index, ())


def _of_titles(wanted: Mapping[str, Sequence[ReadFormula]]) -> Iterator[tuple[str, tuple[str, int, tuple[str, ...]]]]:
    """Titles above a formula whose words have the initials of a name in it, the nearest first."""
    for name, reads in wanted.items():
        for read in reads:
            titles = [title for title in reversed(read.occurrence.headings) if len(title) <= _LONGEST_TITLE]
            title = next((title for title in titles if name in _initials(title.split())), None)
            if title is not None:
                yield name, (title_in_lower_case(title), read.occurrence.block, read.occurrence.headings)
                break


def _ending(words: Sequence[str], name: str) -> str:
    """The last of some words for which the capitals stand: those with these initials, or the fewest they abbreviate."""
    starts = [start for start in range(len(words) - 1, -1, -1) if words[start].casefold() not in _SMALL_WORDS]
    for start in starts:
        if name in _initials(words[start:]):
            return " ".join(words[start:])
    for start in starts:
        if len(words) - start <= len(name) and abbreviates(name, " ".join(words[start:])):
            return " ".join(words[start:])
    return ""


def _whole(words: str, name: str) -> str:
    return words if name in _initials(words.split()) or abbreviates(name, words) else ""


def _initials(words: Sequence[str]) -> tuple[str, str]:
    """The first letters of the words, and those without the small words that abbreviations leave out."""
    parts = [part for word in words for part in _WORD.findall(word)]
    telling = [part for part in parts if part.casefold() not in _SMALL_WORDS]
    return "".join(part[0].upper() for part in parts), "".join(part[0].upper() for part in telling)
