"""Which quantities a phrase names: exactly, by its head, inside a run of words, or misspelt.

The one answer for documents and questions. It proposes every kind that fits and chooses none. Functions over runs of
words give ids of kinds, as questions carry them; functions over phrases give the kinds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

from mathrag.knowledge.constants import constants_for_words
from mathrag.knowledge.kinds import SPECIAL_FIELDS, all_kinds, asking_phrases, kind, kinds_for_words
from mathrag.knowledge.spelling import normal_words
from mathrag.language.word_classes import any_of, word_class
from mathrag.types.knowledge import QuantityKind
from mathrag.types.quantity import Dimension
from mathrag.types.symbol_names import split_name

_LONGEST_NAME = 9
_SILENT = word_class("phrases.silent_in_names")


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
    return " ".join([word for word in words if word not in _SILENT])


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
        if word not in known or word in _SILENT:
            continue
        for end in range(start + 1, min(len(words), start + _LONGEST_NAME) + 1):
            if words[end - 1] in _SILENT:
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
        if kinds and words[length - 1] not in _SILENT:
            return length, kinds
    return 0, ()


# What a phrase as a whole is about.

_PREPOSITIONS = word_class("phrases.qualifiers")
# "magnitude of the force" is a force; "rate of change of momentum" is not of the kind of anything in it.
_TRANSPARENT = word_class("phrases.transparent_heads")
_CHANGES = word_class("phrases.change_nouns")
_OPAQUE = word_class("phrases.opaque_heads")
_EMPTY_ALONE = _TRANSPARENT | {"rate"}
_HEAD_END = re.compile(rf"\s(?:{any_of('phrases.head_ends')})\s|[(,]")
_MOST_STARTS = 6


def kind_groups(description: str) -> Iterator[tuple[QuantityKind, ...]]:
    """The kinds that a phrase names, most literal first: the whole phrase, then its head without what qualifies it."""
    yield from _kind_groups(" ".join(description.split()[:16]))


@lru_cache(maxsize=4096)
def _kind_groups(description: str) -> tuple[tuple[QuantityKind, ...], ...]:
    words = description.split()
    found: list[tuple[QuantityKind, ...]] = []
    for variant in _variants(words):
        kinds = kinds_for_words(variant)
        if kinds and kinds not in found:
            found.append(kinds)
    return tuple(found)


def _variants(words: Sequence[str], depth: int = 0) -> Iterator[str]:
    lower = [word.casefold().strip(",.;:()") for word in words]
    breaks = [place for place in range(1, len(lower)) if _is_break(lower, place)]
    head_end = breaks[0] if breaks else len(lower)
    head = lower[head_end - 1] if head_end else ""
    yield from _literal_variants(lower, breaks, head_end)
    if breaks and head in _TRANSPARENT and depth < 3:
        rest = [word for word in lower[head_end + 1 :] if word not in _SILENT]
        if head in _CHANGES and rest:
            yield from (f"{' '.join(rest)} {noun}" for noun in ("change", "difference"))
        yield from _variants(rest, depth + 1)


def _literal_variants(words: Sequence[str], breaks: Sequence[int], head_end: int) -> Iterator[str]:
    """The phrase with less and less behind its head, each also without its first words."""
    head = words[head_end - 1] if head_end else ""
    shortest = _rate_end(words)
    for cut in (cut for cut in (len(words), *reversed(breaks)) if cut > shortest):
        is_bare_head = bool(breaks) and cut == head_end
        starts = 1 if is_bare_head and head in _OPAQUE else head_end
        for start in range(min(starts, _MOST_STARTS)):
            # A head such as "number" alone, without what it counts, names nothing.
            if not (is_bare_head and start == head_end - 1 and head in _EMPTY_ALONE):
                yield " ".join(words[start:cut])


def _rate_end(words: Sequence[str]) -> int:
    """Where "per unit area" and the like stand: without them a phrase names another quantity. Per period is a rate."""
    for place in range(len(words) - 1):
        below = words[place + 1]
        if words[place] == "per" and below != "period" and (below in ("unit", "mole") or kinds_for_words(below)):
            return place
    return 0


def _is_break(words: Sequence[str], place: int) -> bool:
    """A preposition, or a participle behind the noun: "time elapsed", "heat absorbed"."""
    if words[place] in _PREPOSITIONS or words[place] in ("the", "that", "which", "a", "an"):
        return True
    if not words[place].endswith("ed") or words[place] in ("speed", "feed"):
        return False
    return place == len(words) - 1 or words[place + 1] in _PREPOSITIONS


# How sure the head of a phrase is of what it names.

# A head of which fewer quantities than this have the dimension of the head alone names something else in a longer
# phrase: a feed-forward gain is no profit, a growth rate none of a reaction.
_LEAST_OF_HEAD = 0.1
# From this share on a head says its dimension, whatever stands before it: a voltage, a pressure, a length.
_SURE_OF_HEAD = 0.6


@cache
def _dimensions_of_heads() -> Mapping[str, Mapping[Dimension, float]]:
    """For every ending of a name ("rate", "flow rate") the dimensions of the quantities whose names end so, as shares;
    not of those "per" another."""
    counts: dict[str, dict[Dimension, float]] = {}
    for item in all_kinds():
        names = [normal_words(name).split() for name in (item.name, *item.synonyms)]
        heads = [normal_words(head_of(" ".join(words))).split() for words in names if "per" not in words]
        for ending in {" ".join(words[start:]) for words in heads for start in range(len(words))}:
            dimensions = counts.setdefault(ending, {})
            dimensions[item.dimension] = dimensions.get(item.dimension, 0.0) + 1.0
    return {
        ending: {dimension: count / sum(dimensions.values()) for dimension, count in dimensions.items()}
        for ending, dimensions in counts.items()
    }


def is_unlikely_head(phrase: str, item: QuantityKind) -> bool:
    """Whether a phrase has no more of a kind than its last noun, which with other words before it nearly always names
    quantities of other dimensions; of what every trade has a name for, most often."""
    words = normal_words(head_of(phrase)).split()
    if len(words) < 2 or item not in kinds_for_words(words[-1]) or item in kinds_for_words(" ".join(words)):
        return False
    shares = _dimensions_of_heads().get(words[-1], {})
    own = shares.get(item.dimension, 0.0)
    return own < _LEAST_OF_HEAD or (item.field in SPECIAL_FIELDS and own < max(shares.values()))


@lru_cache(maxsize=8192)
def said_dimension(phrase: str) -> Dimension | None:
    """The dimension that a phrase says by its words alone; None where they leave it open.

    The name of a kind says it, where all kinds of that name have one; of a longer phrase its ending does, where most
    quantities whose names end so have one. What everyday fields call so says nothing of a document's quantity, but for
    the names of several words that they give it.
    """
    for variant in _variants(phrase.split()[:16]):
        kinds = kinds_for_words(variant)
        if not kinds:
            continue
        dimension = kinds[0].dimension
        ending = normal_words(variant)
        if kinds[0].field in SPECIAL_FIELDS and (" " not in ending or ending != normal_words(kinds[0].name)):
            return None
        if any(each.takes_any_unit or each.dimension != dimension for each in kinds):
            return None
        is_sure = _is_sure_of(ending, dimension, is_whole=variant == phrase.casefold())
        return dimension if is_sure else None
    return None


def _is_sure_of(ending: str, dimension: Dimension, *, is_whole: bool) -> bool:
    """Whether most quantities whose names end so have a dimension; of a whole name, more than of any other."""
    shares = _dimensions_of_heads().get(ending, {})
    own = shares.get(dimension, 1.0)
    others = [share for other, share in shares.items() if other != dimension]
    return own >= _SURE_OF_HEAD or (is_whole and own > max(others, default=0.0))


def literal_kinds(phrase: str) -> tuple[QuantityKind, ...]:
    """The kinds of the most literal name in a phrase: of "length of the wire" those called length."""
    return next(kind_groups(phrase), ())


def names_quantity(phrase: str) -> bool:
    """Whether a phrase names a kind of quantity or a constant, as a whole or by its head."""
    return bool(_kind_groups(phrase)) or bool(constants_for_words(phrase))


def names_exactly(phrase: str) -> bool:
    """Whether the whole phrase is the name of a kind or of a constant."""
    return bool(kinds_for_words(phrase)) or bool(constants_for_words(phrase))


def lists_symbol(phrase: str, name: str) -> bool:
    """Whether what the phrase names is usually written with this symbol."""
    letter = split_name(name).letter
    constants = constants_for_words(phrase)
    if any(name in item.symbols or letter in item.symbols for item in constants):
        return True
    kinds = [kind for group in _kind_groups(phrase) for kind in group]
    return any(name in kind.symbols or letter in kind.symbols for kind in kinds)


@lru_cache(maxsize=8192)
def kinds_mentioned(text: str) -> tuple[tuple[QuantityKind, int], ...]:
    """The kinds whose name or synonym occurs in a text, the longest names first, none inside a longer one.

    Each with the number of its words. Literal, unlike `all_names`: what is counted here weighs the subjects of a
    document, and a name put together across an "of" would count what its parts count already.
    """
    words = normal_words(re.sub(r"[^\w\s'’\-]", " ", text)).split()
    taken = [False] * len(words)
    found: dict[str, tuple[QuantityKind, int]] = {}
    for length in range(min(6, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            if any(taken[start : start + length]):
                continue
            phrase = " ".join(words[start : start + length])
            if length == 1 and len(phrase) < 3:
                continue
            matches = kinds_for_words(phrase)
            if matches:
                taken[start : start + length] = [True] * length
                for match in matches:
                    found.setdefault(match.id, (match, length))
    return tuple(found.values())


def head_of(name: str) -> str:
    """A name without what is said about it: "viscosity function" of "viscosity function of a power law fluid"."""
    return _HEAD_END.split(name, maxsplit=1)[0]


def head_kinds(name: str) -> list[QuantityKind]:
    """The kinds that the name of a formula is about: those its head noun names, not those it only mentions.

    "Speed distribution of a gas" is about a distribution, "average speed of a gas" about a speed. Stricter than
    `kind_groups`: in the name of a formula no head passes on what stands behind it.
    """
    words = normal_words(head_of(name)).split()
    for start in range(max(0, len(words) - 5), len(words)):
        found = kinds_for_words(" ".join(words[start:]))
        if found:
            return list(found)
    return []


# Misspelt names ("accelaration", "enegry"): one likely word or nothing. No general speller.

# No slip is looked for in words that every question has.
_ORDINARY = word_class("questions.stop_words") | word_class("changes.changing")
_SHORTEST = 5
_LONGEST = 24
_TWO_MISTAKES_FROM = 9
_ENDINGS = ("s", "es", "ed", "d", "ing", "er", "ly", "r", "y", "al", "ion")


@cache
def _correct_words() -> frozenset[str]:
    """Ordinary words that are close to a name but no mistake."""
    source = resources.files("mathrag.language").joinpath("data", "ordinary_words.txt").read_text("utf-8")
    return frozenset(word for line in source.splitlines() if not line.startswith("#") for word in line.split())


@cache
def _often_meant() -> frozenset[str]:
    """Words that a slip is put down to: names of one word, and words that several names share."""
    seen: dict[str, set[str]] = {}
    for item in all_kinds():
        for word in normal_words(item.name).split():
            seen.setdefault(word, set()).add(item.id)
    single = {normal_words(item.name) for item in all_kinds()}
    return frozenset(word for word, ids in seen.items() if word in single or len(ids) >= 4)


@cache
def _by_deletion() -> Mapping[str, tuple[str, ...]]:
    """Each word under itself and under every spelling with one letter left out."""
    found: dict[str, list[str]] = {}
    for word in sorted(_often_meant()):
        if _SHORTEST <= len(word) <= _LONGEST and word.isalpha():
            for key in _deletions(word):
                found.setdefault(key, []).append(word)
    return {key: tuple(words) for key, words in found.items()}


def _deletions(word: str) -> set[str]:
    return {word, *(word[:place] + word[place + 1 :] for place in range(len(word)))}


@lru_cache(maxsize=4096)
def corrected(word: str) -> str | None:
    """The one name word that this is a misspelling of; nothing where it is a word itself or several come close."""
    if not _SHORTEST <= len(word) <= _LONGEST or _is_known(word):
        return None
    candidates = {found for key in _deletions(word) for found in _by_deletion().get(key, ())}
    ranked: dict[int, list[str]] = {}
    for candidate in candidates:
        if candidate[0] != word[0] or len(candidate) < _SHORTEST:
            continue
        distance = _distance(word, candidate)
        if distance == 1 or (distance == 2 and min(len(word), len(candidate)) >= _TWO_MISTAKES_FROM):
            ranked.setdefault(distance, []).append(candidate)
    if not ranked:
        return None
    nearest = ranked[min(ranked)]
    return nearest[0] if len(nearest) == 1 else None


def _is_known(word: str) -> bool:
    known = name_words()
    ordinary = _correct_words()
    if word in known or word in ordinary or word in _ORDINARY:
        return True
    for ending in _ENDINGS:
        if word.endswith(ending):
            stem = word[: -len(ending)]
            if len(stem) >= 3 and (stem in known or stem in ordinary or stem + "e" in known or stem + "e" in ordinary):
                return True
            if len(stem) >= 4 and stem[-1] == stem[-2] and (stem[:-1] in known or stem[:-1] in ordinary):
                return True
    return any(word + ending in known for ending in ("s", "es", "ing", "ed", "e"))


def _distance(one: str, two: str) -> int:
    """Edits between two words, a swap of neighbours counting once; more than two is three."""
    if abs(len(one) - len(two)) > 2:
        return 3
    earlier: list[int] = []
    previous = list(range(len(two) + 1))
    for row, left in enumerate(one, 1):
        current = [row]
        for column, right in enumerate(two, 1):
            cost = min(previous[column] + 1, current[column - 1] + 1, previous[column - 1] + (left != right))
            if row > 1 and column > 1 and left == two[column - 2] and one[row - 2] == right:
                cost = min(cost, earlier[column - 2] + 1)
            current.append(cost)
        earlier, previous = previous, current
    return min(previous[-1], 3)
