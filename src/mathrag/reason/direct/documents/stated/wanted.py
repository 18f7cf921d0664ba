"""What a question wants to know of a document: how many of some things, the value of a quantity, a time. Read from the
grammar of the question alone: its head noun, what it says of it, and the words that narrow it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from mathrag.knowledge.kinds import kind, kinds_for_words
from mathrag.language.quantity_names import asking_kinds, head_kinds
from mathrag.language.word_classes import word_class
from mathrag.reason.direct.documents.asked import Asked
from mathrag.reason.direct.documents.words import Word, class_keys
from mathrag.types.knowledge import QuantityKind
from mathrag.types.quantity import Dimension

Sort = Literal["count", "share", "quantity", "time", "name"]

_ASKING = re.compile(r"\b(?:what|which|how|where|who|whom|why)\b|^when\b", re.IGNORECASE)
_COUNT = re.compile(
    r"\bhow (?:many|much)(?: of (?:the|its|these|all))?\b"
    r"|\b(?:(?:what|which)(?: (?:is|was|were|are))?(?: the)?|the)(?: total| overall)? number of\b",
    re.IGNORECASE,
)
_WHEN = re.compile(r"(?:^|, )when\b", re.IGNORECASE)
_WHAT = re.compile(r"\b(?:what|which)(?:['’]s)?\b", re.IGNORECASE)
_HOW = re.compile(r"\bhow\b", re.IGNORECASE)
_MOST_NAME = 5
_IRREGULAR = word_class("stated.irregular_plurals")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for. `name` are the keys of the thing or quantity, its head last; `shown` as the question writes
    it. `predicate` is what the question says of counted things, empty where it only asks how many there are;
    `verb` is the same where it says no more than that. `narrowing` are the keys of all other words that tell.
    `dimensions` are those the quantity can have, none where unknown."""

    sort: Sort
    name: tuple[str, ...]
    shown: str
    narrowing: frozenset[str]
    predicate: str = ""
    is_passive: bool = False
    dimensions: frozenset[Dimension] = frozenset()
    verb: str = ""

    @property
    def head(self) -> str:
        """The key of the noun that is asked for."""
        return self.name[-1]

    @property
    def all_keys(self) -> frozenset[str]:
        """Every key that the question has."""
        return self.narrowing | frozenset(self.name) | ({self.predicate} if self.predicate else frozenset())


def wanted_of(asked: Asked) -> Wanted | None:
    """What the question wants; None where it is no question for one stated fact."""
    if asked.selectors or len(_ASKING.findall(asked.text)) > 1:
        return None
    words = asked.words
    if words and words[0].lower in word_class("documents.yes_or_no"):
        return None
    if any(word.lower in word_class("stated.negations") for word in words):
        return None
    if (match := _COUNT.search(asked.text)) is not None:
        return _counted(asked, _first_after(asked, match.end()))
    if (match := _WHEN.search(asked.text)) is not None:
        return _timed(asked, (), "when")
    if (match := _WHAT.search(asked.text)) is not None:
        return _named(asked, _first_after(asked, match.end()))
    if (match := _HOW.search(asked.text)) is not None:
        return _measured(asked, _first_after(asked, match.start()))
    return None


def is_plural(word: str) -> bool:
    """Whether a word looks like the plural of a noun."""
    lower = word.casefold()
    if word.endswith("s") and word[:-1].isupper():
        return len(word) > 2
    if lower in _IRREGULAR:
        return True
    return len(lower) > 2 and lower.endswith("s") and not lower.endswith(("ss", "us", "is"))


def _first_after(asked: Asked, end: int) -> int:
    return next((place for place, word in enumerate(asked.words) if word.start >= end), len(asked.words))


@cache
def _breaks() -> frozenset[str]:
    """What no name of a thing goes on over."""
    classes = ("prepositions", "auxiliaries", "subordinators", "conjunctions", "pronouns", "determiners")
    return frozenset().union(*(word_class(f"grammar.{each}") for each in classes))


def _phrase(asked: Asked, start: int) -> range:
    """The places of the noun phrase that begins at a place."""
    end = start
    while end < len(asked.words) and end - start < _MOST_NAME:
        word = asked.words[end]
        if end in asked.used or word.lower in _breaks() or not word.text[0].isalpha():
            break
        if end > start and (_is_parted(asked, end) or _is_participle(word.lower)):
            break
        if word.lower in ("used", "reported", "given", "stated", "found", "obtained", "take", "took"):
            break
        end += 1
    return range(start, end)


def _is_parted(asked: Asked, place: int) -> bool:
    return re.search(r"[,;:?!()]", asked.text[asked.words[place - 1].end : asked.words[place].start]) is not None


def _is_participle(lower: str) -> bool:
    return lower.endswith("ed") and lower not in word_class("phrases.ed_nouns") and len(lower) > 4


def _skip(asked: Asked, place: int, *classes: str) -> int:
    while place < len(asked.words) and any(asked.words[place].lower in word_class(each) for each in classes):
        place += 1
    return place


# ---- how many


def _counted(asked: Asked, start: int) -> Wanted | None:
    start = _skip(asked, start, "grammar.articles", "grammar.possessives")
    if start < len(asked.words) and asked.words[start].lower in word_class("stated.not_counted"):
        return None
    run = _phrase(asked, start)
    plural = next((place for place in run if is_plural(asked.words[place].text)), None)
    if plural is None and " much" not in asked.text.lower():
        return None
    head = run[-1] if plural is None and run else plural
    if head is None:
        return None
    while head + 1 in run and is_plural(asked.words[head + 1].text):
        head += 1
    name = range(start, head + 1)
    predicate, is_passive = _predicate(asked, head + 1)
    return _wanted(asked, "count", name, predicate=predicate, is_passive=is_passive)


def _predicate(asked: Asked, place: int) -> tuple[int | None, bool]:
    """The place of the verb that says something of what is counted, and whether it is in the passive; None where the
    question only asks how many there are."""
    auxiliaries, prepositions = word_class("grammar.auxiliaries"), word_class("grammar.prepositions")
    words = asked.words
    behind = words[place + 1].lower if place + 1 < len(words) else ""
    is_inverted = behind in word_class("grammar.determiners") and words[place].lower in auxiliaries
    if place < len(words) and (words[place].lower in ("do", "does", "did") or is_inverted):
        # "Did each child solve at home": the verb is the last word before a preposition.
        end = next((at for at in range(place + 1, len(words)) if words[at].lower in prepositions), len(words))
        verbs = [at for at in range(place + 1, end) if at not in asked.used]
        is_plain = not verbs or words[verbs[-1]].lower in auxiliaries
        return (None if is_plain else verbs[-1]), False
    is_passive = False
    while place < len(words):
        word = words[place]
        if word.lower in auxiliaries:
            is_passive = is_passive or word.lower in ("are", "were", "was", "is", "been", "be")
        elif place not in asked.used and word.lower not in word_class("grammar.determiners"):
            break
        place += 1
    if place >= len(words) or words[place].lower in prepositions | {"there"}:
        return None, False
    return place, is_passive


# ---- what, when, how


def _named(asked: Asked, start: int) -> Wanted | None:
    if start < len(asked.words) and asked.words[start].lower in ("is", "was", "are", "were"):
        start += 1
    start = _skip(asked, start, "grammar.articles", "grammar.possessives")
    name = _phrase(asked, start)
    if not name:
        return None
    after = name[-1] + 1
    is_of = after < len(asked.words) and asked.words[after].lower == "of"
    last = asked.words[name[-1]].lower
    if is_of and len(name) == 1 and last in word_class("stated.shares"):
        return _share(asked, after + 1)
    if is_of and last in word_class("stated.empty_names"):
        name = _phrase(asked, _skip(asked, after + 1, "grammar.articles", "grammar.possessives"))
        if not name:
            return None
    is_time = asked.words[name[-1]].lower in word_class("stated.periods")
    if is_time and (len(name) == 1 or not kinds_for_words(asked.said(name))):
        return _timed(asked, (name[-1],), asked.said(name))
    return _wanted(asked, "quantity", name)


def _share(asked: Asked, start: int) -> Wanted | None:
    found = _counted(asked.using([start - 2]), start)
    return None if found is None else replace(found, sort="share")


def _timed(asked: Asked, name: Sequence[int], shown: str) -> Wanted | None:
    """The time of what was done: the last verb form in the past says what."""
    past = word_class("stated.set_to") | word_class("stated.past_forms")
    done = [at for at in asked.open_places() if _is_participle(word := asked.words[at].lower) or word in past]
    narrowing = _narrowing(asked, (*name, *done[-1:]))
    if not done or not narrowing:
        return None
    return Wanted("time", ("time",), shown, narrowing, asked.words[done[-1]].key)


def _measured(asked: Asked, start: int) -> Wanted | None:
    """ "How long", "how deep": the phrase asks for kinds of quantities; its adjective is their name."""
    length, kinds = asking_kinds([word.lower for word in asked.words[start : start + 4]])
    if not kinds or length < 2:
        return None
    dimensions = frozenset(kind(each).dimension for each in kinds)
    places = tuple(range(start, start + length))
    narrowing = _narrowing(asked, places)
    name = tuple(asked.words[place].key for place in places[1:])
    return (
        Wanted("quantity", name, asked.said(places), narrowing, dimensions=dimensions) if narrowing - {"last"} else None
    )


def _wanted(
    asked: Asked, sort: Sort, name: range, *, predicate: int | None = None, is_passive: bool = False
) -> Wanted | None:
    words = [asked.words[place] for place in name]
    if not words or not _is_telling(words[-1]):
        return None
    shown = asked.said(name)
    taken = (*name, predicate) if predicate is not None else tuple(name)
    said = verb = asked.words[predicate].key if predicate is not None else ""
    if said in class_keys("stated.taking_part") | class_keys("stated.taking"):
        said = ""
    narrowing = _narrowing(asked, taken)
    # A paper has many lengths and accuracies: one word must be narrowed.
    if sort == "quantity" and len(words) == 1 and not narrowing:
        return None
    kinds = _kinds(shown) if sort == "quantity" else ()
    return Wanted(
        sort,
        tuple(word.key for word in words),
        shown,
        narrowing,
        said,
        is_passive,
        frozenset(each.dimension for each in kinds),
        verb,
    )


def _kinds(shown: str) -> Sequence[QuantityKind]:
    """What the name of a quantity says of its unit: a rate, a size or a level may be of anything."""
    vague = word_class("phrases.opaque_heads") | word_class("phrases.transparent_heads")
    exact = kinds_for_words(shown)
    return exact if exact or shown.split()[-1].casefold() in vague else head_kinds(shown)


def _is_telling(word: Word) -> bool:
    return len(word.text) > 2 and word.lower not in word_class("documents.asking")


def _narrowing(asked: Asked, taken: Sequence[int]) -> frozenset[str]:
    """The keys of the words that narrow what is asked: all that tell and are not accounted for."""
    idle = word_class("stated.settings") | word_class("stated.empty_verbs")
    left = [place for place in asked.left("documents.published") if place not in taken]
    return frozenset(asked.words[place].key for place in left if asked.words[place].lower not in idle)


@cache
def people_keys() -> frozenset[str]:
    """The keys of the nouns for those whom a study is about."""
    return class_keys("stated.people")
