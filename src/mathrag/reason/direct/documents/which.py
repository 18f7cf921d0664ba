"""Which document a question means: one that it names by title, short name, author and year or file; "the paper" where
there is one; else any of them, and it is for the answers to agree. Decides nothing about parts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.documents.asked import Asked
from mathrag.reason.direct.documents.words import Word, key_of, keys_of, words_of
from mathrag.retrieve.document_parts import DocumentCard

# A run of so many telling words of a title is no accident; so few only beside a word such as "paper".
_TELLING_ALONE, _TELLING_BESIDE = 4, 1
_SHARE = 0.6
# A topic has so many telling words or more, and the next document has a third of them less.
_LEAST_TOPIC, _CLEARLY = 2, 0.3
_LEAST_INITIALS = 3
_FILE = re.compile(r"[\w\-.+]+\.(?:pdf|docx?|md|html?|tex|txt|epub|odt|ipynb|rst|xml|xlsx|xlsm|ods)\b", re.IGNORECASE)
_YEAR = re.compile(r"(?:1[89]|20)\d\d")


# Places with the keys of the words there.
Phrase: TypeAlias = tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Meant:
    """The documents that may be meant, and the question without the words that name one.

    `is_named` where they were named, `is_spoken_of` where the question speaks of a document at all. `other` is another
    way to take it: the same words may name a row of a table.
    """

    documents: tuple[DocumentCard, ...]
    asked: Asked
    is_named: bool = False
    is_spoken_of: bool = False
    other: Meant | None = None


def documents_meant(asked: Asked, cards: Sequence[DocumentCard]) -> Meant:
    """The documents that a question may mean."""
    named = list(_named(asked, cards))
    plainly = without_kinds(asked)
    spoken = plainly.used - asked.used
    everything = Meant(tuple(cards), plainly, is_spoken_of=bool(spoken))
    if not named:
        return everything
    # The name that accounts for the most words; others beside it are names of other things.
    best = max(len(places) for _, places, _ in named)
    first = [each for each in named if len(each[1]) == best]
    chosen = tuple({card.id: card for card, _, _ in first}.values())
    places = frozenset(place for _, found, _ in first for place in found)
    if len(chosen) == 1:
        places |= _places_beside(asked, chosen[0])
    is_strong = any(strong for _, _, strong in first)
    meant = Meant(chosen, plainly.using(places), is_named=True, is_spoken_of=True)
    return meant if is_strong else Meant(chosen, meant.asked, True, bool(spoken), other=everything)


def without_kinds(asked: Asked) -> Asked:
    """The question without its words for a document; "Study 2" is a part of one."""
    kinds = word_class("documents.kinds")
    numbered = {place for place, word in enumerate(asked.words[1:]) if word.text.isdigit()}
    return asked.using(
        place for place in asked.open_places() if asked.words[place].lower in kinds and place not in numbered
    )


def _places_beside(asked: Asked, card: DocumentCard) -> frozenset[int]:
    """Further words that name a document: "the soil paper by Ola" says what it is about and who wrote it."""
    bag = _bag(card)
    about = [phrase for phrase in _phrases(asked) if all(key in bag for _, key in phrase)]
    people = {place for found, _ in _by_people(asked, card) for place in found}
    return frozenset({place for phrase in about for place, _ in phrase} | people)


def _named(asked: Asked, cards: Sequence[DocumentCard]) -> Iterator[tuple[DocumentCard, frozenset[int], bool]]:
    """Documents with the places of the words that name them, and whether these can mean nothing else."""
    spoken = frozenset(word.key for word in asked.words)
    phrases = [*_phrases(asked), *_phrases_behind(asked)]
    topics = _topics(phrases, cards)
    files = {match.group().lower() for match in _FILE.finditer(asked.text)}
    for card in cards:
        if card.name.lower() in files:
            yield card, _file_places(asked, card), True
            continue
        if by_stem := _stem_places(asked, card):
            yield card, by_stem, True
            continue
        found = [each for name in _names(card) if not spoken.isdisjoint(name) for each in _runs(asked, name)]
        found += [*_by_people(asked, card), *_by_phrases(phrases, card)]
        if card.id in topics:
            found.append((topics[card.id], True))
        if found:
            most = max(len(places) for places, _ in found)
            longest = [each for each in found if len(each[0]) == most]
            yield card, longest[0][0], any(strong for _, strong in longest)


def _file_places(asked: Asked, card: DocumentCard) -> frozenset[int]:
    start = asked.text.lower().find(card.name.lower())
    end = start + len(card.name)
    return frozenset(place for place, word in enumerate(asked.words) if start <= word.start < end)


def _stem_places(asked: Asked, card: DocumentCard) -> frozenset[int]:
    """Where a file is named without its ending, as nothing but a file is written: `field_notes`."""
    stem = card.name.rpartition(".")[0]
    if "_" not in stem.strip("_"):
        return frozenset()
    found = re.search(rf"(?<![\w.\-]){re.escape(stem)}(?![\w\-])", asked.text, re.IGNORECASE)
    if found is None:
        return frozenset()
    return frozenset(place for place, word in enumerate(asked.words) if found.start() <= word.start < found.end())


def _names(card: DocumentCard) -> Iterator[tuple[str, ...]]:
    """What a document may be called: its title, what stands before the colon in it, its file without the ending."""
    yield keys_of(card.title)
    for sign in (":", " – ", " — ", " - "):
        before, found, _ = card.title.partition(sign)
        if found:
            yield keys_of(before)
    yield keys_of(card.name.rpartition(".")[0] or card.name)


def _runs(asked: Asked, name: tuple[str, ...]) -> Iterator[tuple[frozenset[int], bool]]:
    """The longest run of words that the question shares with a name, where it is enough to mean it."""
    words = asked.words
    best: range = range(0)
    spots: dict[str, list[int]] = {}
    for spot, key in enumerate(name):
        spots.setdefault(key, []).append(spot)
    for start in range(len(words)):
        for spot in spots.get(words[start].key, ()):
            end = _end_of_run(words, start, name[spot:])
            if end - start > len(best):
                best = range(start, end)
    telling = [place for place in best if _is_telling(words[place].lower) and place not in asked.used]
    if not telling:
        return
    whole = sum(_is_telling(key) for key in name)
    is_whole = len(best) >= len(name) or len(telling) >= max(2, whole)
    beside = _is_beside_kind(asked, best)
    quoted = asked.text[words[best[0]].start - 1 : words[best[0]].start] in ("“", '"', "‘", "'", "«")
    is_enough = (
        is_whole
        or len(telling) >= _TELLING_ALONE
        or (beside and len(telling) >= _TELLING_BESIDE)
        or (quoted and len(telling) >= _SHARE * whole)
    )
    if is_enough:
        is_strong = len(telling) > 2 or beside or quoted
        yield frozenset(best), is_strong


def _end_of_run(words: Sequence[Word], start: int, name: Sequence[str]) -> int:
    """Where the words from a place on are no longer those of a name; names are compared without articles."""
    place, spot, end = start, 0, start
    while place < len(words) and spot < len(name):
        if words[place].key == name[spot]:
            spot += 1
            end = place + 1
        elif words[place].lower not in ("the", "a", "an"):
            break
        place += 1
    return end


def _is_telling(word: str) -> bool:
    return word not in word_class("documents.asking") and word not in word_class("grammar.stop_words")


def _is_beside_kind(asked: Asked, run: range) -> bool:
    """Whether a word such as "paper" stands right behind the run or before it: "the Foo paper", "the paper Foo"."""
    kinds = word_class("documents.kinds")
    after, before = run[-1] + 1, run[0] - 1
    near = [asked.words[place].lower for place in (after, before) if 0 <= place < len(asked.words)]
    return any(word in kinds for word in near)


def _phrases(asked: Asked) -> list[Phrase]:
    """What stands between an article and a word such as "paper": "the [sandy soils field] study"."""
    kinds, openers = word_class("documents.kinds"), word_class("grammar.function_words")
    found = []
    for end, word in enumerate(asked.words):
        if word.lower in kinds:
            start = end
            while start > 0 and asked.words[start - 1].lower not in openers and start - 1 not in asked.used:
                start -= 1
            run = tuple(place for place in range(start, end) if _is_telling(asked.words[place].lower))
            if run:
                found.append(run)
    return [tuple((place, asked.words[place].key) for place in run) for run in found]


def _by_phrases(phrases: Sequence[Phrase], card: DocumentCard) -> Iterator[tuple[frozenset[int], bool]]:
    """The phrases before "paper" whose words all stand in the title, whatever their order."""
    own = {key for name in _names(card) for key in name}
    for phrase in phrases:
        if all(key in own for _, key in phrase):
            yield frozenset(place for place, _ in phrase), True


def _phrases_behind(asked: Asked) -> list[Phrase]:
    """What stands behind "the paper on", "the study about", up to the next sign or verb: its topic."""
    kinds, openers = word_class("documents.kinds"), word_class("documents.topic_openers")
    found = []
    for place, word in enumerate(asked.words[:-2]):
        if word.lower not in kinds or asked.words[place + 1].lower not in openers:
            continue
        run: list[tuple[int, str]] = []
        for later in range(place + 2, len(asked.words)):
            between = asked.text[asked.words[later - 1].end : asked.words[later].start]
            if later in asked.used or any(sign in between for sign in ",;:?!"):
                break
            run.append((later, asked.words[later].key))
        if sum(_is_telling(asked.words[spot].lower) for spot, _ in run) >= _LEAST_TOPIC:
            found.append(((place + 1, asked.words[place + 1].key), *run))
    return found


def _bag(card: DocumentCard) -> frozenset[str]:
    """The words that a document is known by: of title, abstract, authors, file, venue and year, and its initials."""
    said = (card.title, card.abstract, card.name.rpartition(".")[0], card.venue, str(card.year or ""), *card.authors)
    capitals = [word.text[0] for word in words_of(card.title) if word.text[0].isupper()]
    initials = {
        key_of("".join(capitals[start : start + length]).lower())
        for start in range(len(capitals))
        for length in range(_LEAST_INITIALS, len(capitals) - start + 1)
    }
    return frozenset(key for text in said for key in keys_of(text)) | initials


def _topics(phrases: Sequence[Phrase], cards: Sequence[DocumentCard]) -> dict[str, frozenset[int]]:
    """The documents that phrases mean by their topic, with the places of the words."""
    if not phrases:
        return {}
    bags = {card.id: _bag(card) for card in cards}
    return {card: places for phrase in phrases for card, places in _by_topic(phrase, bags)}


def _by_topic(phrase: Phrase, bags: Mapping[str, frozenset[str]]) -> Iterator[tuple[str, frozenset[int]]]:
    """The one document that has most of the words of a phrase, clearly more of them than any other."""
    telling = {key for _, key in phrase if _is_telling(key)}
    if not telling or not bags:
        return
    shares = sorted(((len(telling & bag) / len(telling), card) for card, bag in bags.items()), reverse=True)
    best, card = shares[0]
    next_best = shares[1][0] if len(shares) > 1 else 0.0
    if best >= _SHARE and best - next_best >= _CLEARLY:
        yield card, frozenset(place for place, _ in phrase)


def _by_people(asked: Asked, card: DocumentCard) -> Iterator[tuple[frozenset[int], bool]]:
    """The words that name a document by an author: with the year, or beside a word such as "paper"."""
    surnames = {key_of(each.split()[-1]) for each in card.authors if each.split()}
    if not surnames:
        return
    places = [place for place, word in enumerate(asked.words) if word.key in surnames and word.text[0].isupper()]
    if not places:
        return
    # "Al Farouk": what stands before a surname and belongs to that author's name.
    whole = {key for each in card.authors for key in keys_of(each)}
    while places[0] > 0 and asked.words[places[0] - 1].key in whole and asked.words[places[0] - 1].text[0].isupper():
        places.insert(0, places[0] - 1)
    years = [
        place
        for place, word in enumerate(asked.words)
        if _YEAR.fullmatch(word.text) and card.year is not None and word.text == str(card.year)
    ]
    others = [place for place, word in enumerate(asked.words) if word.lower in ("et", "al") and place > places[0]]
    reach = range(places[0], places[-1] + 1)
    by = places[0] > 0 and asked.words[places[0] - 1].lower in ("by", "of", "in", "from")
    is_paper = any(word.lower in word_class("documents.kinds") for word in asked.words)
    if years and years[0] - places[-1] <= 4:
        yield frozenset((*places, *others[:2], *years)), True
    elif others and others[0] == places[-1] + 1:
        yield frozenset((*places, *others[:2])), True
    elif is_paper and (by or _is_beside_kind(asked, reach)):
        yield frozenset(places), True


def kinds_pattern() -> re.Pattern[str]:
    """A word for a document behind "which" or "what": the question is for the document itself."""
    return re.compile(
        rf"\b(?:which|what)(?: one)?(?: of (?:my|the|these|our|all))?(?: my| the)? (?:{any_of('documents.kinds')})\b",
        re.IGNORECASE,
    )


def shown_name(card: DocumentCard) -> str:
    """What a document is called for people."""
    return f"“{card.title}”" if card.title and words_of(card.title) else card.name
