"""What a symbol may be called: what its document says, and what its kind and its letter are usually called. Compares
these names with words; knows no slots and no questions.

The usual names are the same for every mass of a library, so they are made, and compared with words, once for all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from mathrag.knowledge.kinds import broader_kinds
from mathrag.knowledge.kinds import kind as kind_of
from mathrag.language.stems import stems
from mathrag.reason.choosing.weights import amounts

_TRUST = amounts("names")
LETTER, SAID_OTHERWISE = _TRUST["letter"], _TRUST["letter_said_otherwise"]


@dataclass(frozen=True, slots=True)
class SymbolName:
    """One way to call a symbol, as stems."""

    stems: tuple[str, ...]
    trust: float

    def match(self, words: Collection[str]) -> float:
        """The harmonic mean of the shares of the name and of the different words."""
        shared = sum([word in words for word in self.stems])
        return self.trust * 2.0 * shared / (len(self.stems) + len(words)) if shared else 0.0

    def near(self, near: Mapping[str, float]) -> float:
        """How near its words stand, on the average."""
        return self.trust * sum([near.get(word, 0.0) for word in self.stems]) / len(self.stems)


class UsualNames:
    """Names that many symbols share. Compared by identity, so that what was found out about them can be kept."""

    __slots__ = ("_places", "names", "telling")

    def __init__(self, names: Iterable[SymbolName]) -> None:
        self.names = tuple(names)
        self.telling = frozenset(word for name in self.names if name.trust >= LETTER for word in name.stems)
        self._places: dict[str, list[SymbolName]] = {}
        for name in self.names:
            for word in dict.fromkeys(name.stems):
                self._places.setdefault(word, []).append(name)

    def __contains__(self, word: str) -> bool:
        return word in self._places

    def having(self, words: Iterable[str]) -> list[SymbolName]:
        """The names with any of these words, perhaps one of them twice."""
        return [name for word in words for name in self._places.get(word, ())]


class SymbolNames:
    """The names of one symbol: its own, where the document gives one, before the usual ones."""

    __slots__ = ("own", "usual")

    def __init__(self, own: SymbolName | None, usual: UsualNames) -> None:
        self.own = own
        self.usual = usual

    def __iter__(self) -> Iterator[SymbolName]:
        if self.own is not None:
            yield self.own
        yield from self.usual.names

    @property
    def first(self) -> tuple[str, ...]:
        """The stems of the first name."""
        return next((name.stems for name in self), ())

    def has(self, word: str) -> bool:
        """Whether any of the names has this word."""
        return word in self.usual or (self.own is not None and word in self.own.stems)

    @property
    def telling(self) -> frozenset[str]:
        """The words of the names that can be trusted."""
        return self.usual.telling if self.own is None else self.usual.telling.union(self.own.stems)


def make_names(description: str, *, kind: str | None, letter_kinds: Sequence[str], letter_trust: float) -> SymbolNames:
    """The names of a symbol by its description, the id of its kind, and the ids of the kinds of its letter."""
    found = stems(description)
    own = SymbolName(found, _TRUST["description"]) if found else None
    return SymbolNames(own, _usual_names(kind, tuple(letter_kinds), letter_trust))


@lru_cache(maxsize=4_096)
def _usual_names(kind: str | None, letter_kinds: tuple[str, ...], letter_trust: float) -> UsualNames:
    found: dict[tuple[str, ...], float] = {}
    for text, trust in _said(kind, letter_kinds, letter_trust):
        found.setdefault(stems(text), trust)
    return UsualNames(SymbolName(words, trust) for words, trust in found.items() if words)


def _said(kind: str | None, letter_kinds: Sequence[str], letter_trust: float) -> Iterator[tuple[str, float]]:
    if kind is not None:
        own = kind_of(kind)
        yield own.name, _TRUST["kind"]
        for synonym in own.synonyms:
            yield synonym, _TRUST["synonym"]
        for broader in broader_kinds(own):
            for word in broader.words:
                yield word, _TRUST["broader"]
    for each in letter_kinds:
        for word in kind_of(each).words:
            yield word, letter_trust


def best_match(names: SymbolNames | Iterable[SymbolName], words: Sequence[str]) -> float:
    """How well one of the names is the phrase: the harmonic mean of the shares of the name and of the phrase."""
    if not words:
        return 0.0
    if not isinstance(names, SymbolNames):
        present = frozenset(words)
        return max((name.match(present) for name in names), default=0.0)
    usual = _usual_match(names.usual, tuple(words))
    return usual if names.own is None else max(usual, names.own.match(frozenset(words)))


@lru_cache(maxsize=16_384)
def _usual_match(names: UsualNames, words: tuple[str, ...]) -> float:
    present = frozenset(words)
    return max((name.match(present) for name in names.having(present)), default=0.0)
