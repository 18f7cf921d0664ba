"""Which entries of the package's glossary a name means: case, plurals, hyphens and articles tell nothing apart. Ranks
and guesses nothing.

The index is made when a name is first looked up, not before: most questions ask for no definition.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias

from mathrag.knowledge.glossary import glossary_entries
from mathrag.language.stems import STOP_WORDS
from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.retrieve.concept_names import NameKey, name_key, spelled_name
from mathrag.types.concept import GlossaryEntry

_WORD = re.compile(r"[^\W\d_]+")
# Of things with one name; who asks for a "limit" may mean that of a function or that of a sequence.
_MOST_OF_ONE_NAME = 3
# "Injective" alone means a function; an adjective shows by its ending, so that no noun loses what it belongs to.
_ADJECTIVE = re.compile(r"\w{3,}(?:ive|al|ous|ic|ar|ible|able|ed|ent|ant)\Z")
# "lcm" says which words are meant; two letters could be anything.
_LEAST_INITIALS = 3
# Shorter names run together could be other words.
_LEAST_LETTERS = 6


# A name as it is spelled, in words of small letters, in the singular and without articles.
_Spelled: TypeAlias = tuple[str, ...]
_Filed: TypeAlias = dict[_Spelled, tuple[GlossaryEntry, ...]]


@dataclass(frozen=True, slots=True)
class _Index:
    """`shortened` are names without what they are said of, and their initials: "limit" for "limit of a function",
    "injective" for "injective function"."""

    named: _Filed = field(default_factory=dict)
    synonyms: _Filed = field(default_factory=dict)
    shortened: _Filed = field(default_factory=dict)


@cache
def _index() -> _Index:
    index = _Index()
    of_what = re.compile(rf" (?:{any_of('concepts.generic_of')}|in an?)\b.*", re.IGNORECASE)
    for one in glossary_entries():
        _file(index.named, one.name, one)
        for name in one.also:
            _file(index.synonyms, name, one)
        for name in (one.name, *one.also):
            short = of_what.sub("", name)
            if short != name:
                _file(index.shortened, short, one)
        first, _, noun = one.name.partition(" ")
        if noun and " " not in noun and _ADJECTIVE.fullmatch(first):
            _file(index.shortened, first, one)
        for initials in filter(None, map(_initials, (one.name, *one.also))):
            _file(index.shortened, initials, one)
    return index


def _initials(name: str) -> str:
    """The initials of a name of several words, as "lcm"; empty where they could be read as a word, as "ear"."""
    words = name.lower().split()
    initials = "".join(word[0] for word in words)
    is_telling = len(words) >= _LEAST_INITIALS and initials.isalpha() and set("aeiouy").isdisjoint(initials)
    return initials if is_telling and STOP_WORDS.isdisjoint(words) else ""


def _file(under: _Filed, name: str, entry: GlossaryEntry) -> None:
    spelled = spelled_name(name)
    # A name of signs and digits alone has no words to be found by.
    if spelled and entry not in under.get(spelled, ()):
        under[spelled] = (*under.get(spelled, ()), entry)


@cache
def _by_key() -> Mapping[NameKey, tuple[_Spelled, ...]]:
    index = _index()
    found: dict[NameKey, tuple[_Spelled, ...]] = {}
    for spelled in dict.fromkeys((*index.named, *index.synonyms, *index.shortened)):
        key = name_key(" ".join(spelled))
        found[key] = (*found.get(key, ()), spelled)
    return found


def glossary_keys() -> Collection[NameKey]:
    """The names under which the glossary has something, as names of concepts are compared."""
    return _by_key().keys()


def glossary_names() -> Collection[tuple[str, ...]]:
    """The names and synonyms of the glossary, in whole words."""
    return {**_index().named, **_index().synonyms}.keys()


@cache
def confused_keys() -> frozenset[NameKey]:
    """The names that entries are told apart from; not all of them have an entry."""
    return frozenset(name_key(name) for one in glossary_entries() for name, _ in one.unlike) - {()}


def glossary_called(name: str) -> tuple[GlossaryEntry, ...]:
    """The entries of this very name; where none has it, those that have it as a synonym, then as the beginning of
    their name."""
    return _called(spelled_name(name))


def glossary_near(key: NameKey) -> tuple[GlossaryEntry, ...]:
    """The entries of a name of which only the stems are known; none where several names have them."""
    spelled = _by_key().get(key, ())
    return _called(spelled[0]) if len(spelled) == 1 else ()


def _called(spelled: _Spelled) -> tuple[GlossaryEntry, ...]:
    return _filed(spelled) or _filed(_parted_otherwise(spelled)) or _filed(_as_noun(spelled))


def _as_noun(spelled: _Spelled) -> _Spelled:
    """The noun of what is said of things: "absolutely convergent series" is about absolute convergence. A noun behind
    the adjective says of what it is said."""
    nouns = word_pairs("concepts.nouns_of_adjectives")
    if len(spelled) > 1 and spelled[-1] in word_class("concepts.mathematical_nouns") and spelled[-2] in nouns:
        spelled = spelled[:-1]
    if len(spelled) < 2 or spelled[-1] not in nouns:
        return ()
    wholes = ((*spelled[:-2], each, nouns[spelled[-1]]) for each in _of_adverb(spelled[-2]))
    return next((whole for whole in wholes if whole in _index().named or whole in _index().synonyms), ())


def _of_adverb(word: str) -> tuple[str, ...]:
    """The adjectives that an adverb may come from, and the word itself."""
    if not word.endswith("ly"):
        return (word,)
    bare = word.removesuffix("ly")
    return (word, bare, bare.removesuffix("al"), f"{bare}le", f"{bare.removesuffix('i')}y")


def _filed(spelled: _Spelled) -> tuple[GlossaryEntry, ...]:
    index = _index()
    for under in (index.named, index.synonyms, index.shortened):
        if spelled in under:
            return under[spelled][:_MOST_OF_ONE_NAME]
    return ()


def _parted_otherwise(spelled: _Spelled) -> _Spelled:
    """The one name with the same letters in other words: "powerset" for "power set", "eigen value" for "eigenvalue"."""
    letters = "".join(spelled)
    names = _by_letters().get(letters, ()) if len(letters) >= _LEAST_LETTERS else ()
    return names[0] if len(names) == 1 else ()


@cache
def _by_letters() -> Mapping[str, tuple[_Spelled, ...]]:
    index = _index()
    found: dict[str, tuple[_Spelled, ...]] = {}
    for spelled in dict.fromkeys((*index.named, *index.synonyms)):
        letters = "".join(spelled)
        found[letters] = (*found.get(letters, ()), spelled)
    return found


@cache
def words_of_names() -> frozenset[str]:
    """The words of all names and synonyms."""
    return frozenset(word for spelled in glossary_names() for word in spelled)


@cache
def _words() -> frozenset[str]:
    texts = (text for one in glossary_entries() for text in (one.name, *one.also, one.definition, *sum(one.unlike, ())))
    return frozenset(word for text in texts for word in spelled_name(text))


def is_word_of_glossary(name: str) -> bool:
    """Whether the glossary uses every word of a name somewhere, so that none is misspelt."""
    return _words().issuperset(spelled_name(name))


def has_one_meaning(name: str) -> bool:
    """Whether one entry alone has this very name, of several words or of many letters, and none has it as a beginning:
    a "conjugate" is that of one thing or of another."""
    spelled, index = spelled_name(name), _index()
    if spelled not in index.named and spelled not in index.synonyms:
        return False
    filed = [under.get(spelled, ()) for under in (index.named, index.synonyms, index.shortened)]
    is_telling = len(spelled) > 1 or len("".join(spelled)) >= _LEAST_LETTERS
    return is_telling and len({one.name for entries in filed for one in entries}) == 1


def is_its_name(name: str, entry: GlossaryEntry) -> bool:
    """Whether an entry has this very name or synonym, and not a longer one that begins so."""
    return any(spelled_name(each) == spelled_name(name) for each in (entry.name, *entry.also))


def telling_apart(one: GlossaryEntry, other: str) -> str:
    """The sentence with which an entry tells itself from something of this name; empty where it has none."""
    same = {spelled_name(other)}
    same |= {
        spelled_name(each) for entry in glossary_called(other) if entry != one for each in (entry.name, *entry.also)
    }
    return next((said for name, said in one.unlike if spelled_name(name) in same), "")
