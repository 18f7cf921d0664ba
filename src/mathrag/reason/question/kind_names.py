"""Names of quantity kinds inside runs of words. Proposes every kind a phrase can name, chooses none."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from mathrag.knowledge.kinds import all_kinds, asking_phrases, kind, kinds_for_symbol
from mathrag.knowledge.spelling import normal_words
from mathrag.types.symbol_names import GREEK, GREEK_NAMES

LONGEST_NAME = 9
_ARTICLES = frozenset({"the", "a", "an", "its", "his", "her", "their", "my", "our", "your", "this", "that"})


@dataclass(frozen=True, slots=True)
class Named:
    """A run of words that names kinds: words `start` to `end` of the run that was searched."""

    start: int
    end: int
    kinds: tuple[str, ...]


@cache
def _names() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for item in all_kinds():
        found.setdefault(_key(normal_words(item.name).split()), {})[item.id] = None
    for item in all_kinds():
        for synonym in item.synonyms:
            found.setdefault(_key(normal_words(synonym).split()), {})[item.id] = None
    return {key: tuple(ids) for key, ids in found.items()}


@cache
def _asks() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for phrase, items in asking_phrases().items():
        ids = found.setdefault(_key(normal_words(phrase).split()), {})
        ids.update(dict.fromkeys(item.id for item in items))
    return {key: tuple(ids) for key, ids in found.items()}


@cache
def name_words() -> frozenset[str]:
    """Every word that occurs in a name, a synonym or an asking phrase."""
    return frozenset(word for key in (*_names(), *_asks()) for word in key.split())


@lru_cache(maxsize=2048)
def name_words_of(kind_id: str) -> frozenset[str]:
    """The words of a kind's name and synonyms."""
    item = kind(kind_id)
    names = (item.name, *item.synonyms)
    return frozenset(word for name in names for word in normal_words(name).split() if len(word) > 2)


def _key(words: Sequence[str]) -> str:
    return " ".join([word for word in words if word not in _ARTICLES])


@lru_cache(maxsize=4096)
def _kinds_of_key(key: str) -> tuple[str, ...]:
    names = _names()
    if key in names:
        return names[key]
    if " of " in key:
        head, _, owner = key.partition(" of ")
        return names.get(f"{owner} {head}", ())
    return ()


def kinds_named(words: Sequence[str]) -> tuple[str, ...]:
    """The kinds that exactly these normal words name; `radius of the circle` also as `circle radius`."""
    return _kinds_of_key(_key(words))


def kinds_in_phrase(text: str) -> tuple[str, ...]:
    """The kinds named inside a phrase: those of the longest names first, then those of shorter ones."""
    words = normal_words(text).split()[:40]
    found = sorted(all_names(words), key=lambda named: named.start - named.end)
    return tuple(dict.fromkeys(kind for named in found for kind in named.kinds))


def all_names(words: Sequence[str]) -> list[Named]:
    """Every run of words that names a kind, overlapping ones too."""
    known = name_words()
    found: list[Named] = []
    for start, word in enumerate(words):
        if word not in known or word in _ARTICLES:
            continue
        for end in range(start + 1, min(len(words), start + LONGEST_NAME) + 1):
            if words[end - 1] in _ARTICLES:
                continue
            if words[end - 1] not in known:
                break
            kinds = kinds_named(words[start:end])
            if kinds:
                found.append(Named(start, end, kinds))
    return found


def asking_kinds(words: Sequence[str]) -> tuple[int, tuple[str, ...]]:
    """The longest asking phrase that these words begin with: how many words it has, and the kinds it asks for."""
    asks = _asks()
    for length in range(min(len(words), 8), 0, -1):
        kinds = asks.get(_key(words[:length]))
        if kinds and words[length - 1] not in _ARTICLES:
            return length, kinds
    return 0, ()


# Whether a word is typed like a symbol (`v_rms`, `KE`, `ΔG`, `T2`). Knows shapes only, no formulas.

_SUBSCRIPTED = re.compile(
    r"[^\W\d_]{1,6}_\w{1,12}['’′]?|[^\W\d_]{1,3}(?:°\w{0,8}|['′])|[^\W\d_][0-9₀-₉]{1,2}|[Δ∆][^\W\d_]\w{0,4}°?|p[HK][a-z]?|pOH"
)
_LETTERS = re.compile(r"[^\W\d_]")
_CAPITALS = re.compile(r"[A-Z]{2,4}")
_ROMAN = frozenset({"I", "II", "III", "IV", "AC", "DC", "US", "UK", "USD", "SI", "TV", "CO", "OK"})


def looks_like_symbol(written: str, *, alone: bool) -> bool:
    """Whether it can only be a symbol; a bare letter or word counts only where nothing else is asked (`alone`)."""
    if _SUBSCRIPTED.fullmatch(written) or (written[:1] == "[" and "]" in written):
        return written not in _ROMAN
    if written in GREEK_NAMES or (len(written) == 1 and written in GREEK):
        return True
    if not alone:
        return False
    if _LETTERS.fullmatch(written):
        return written not in ("a", "I", "i", "s")
    if _CAPITALS.fullmatch(written) and written not in _ROMAN:
        return True
    return len(written) <= 3 and bool(kinds_for_symbol(written, exact=True))
