"""Whether words around a figure and its values change nothing, whatever they are: who says whose numbers these are,
where they come from or what for, may use any words.

A word matters if it may make another figure or another list of it (`open_words.changing`), if mathematics has a use for
it, or if it is a number, a sign or a single letter. Right before the name of a figure it must be known: an adjective
there makes another figure of it. Finds no figures and no values.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from mathrag.knowledge.spelling import normal_words
from mathrag.language.stems import stems
from mathrag.language.word_classes import word_class
from mathrag.reason.direct.stories_around import mathematical_words

# A letter or two could stand for anything; so could what is no word.
_FEWEST_LETTERS = 3
_LONGEST_PLAIN = 5
_DOING = ("ed", "ing")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_CLAUSE = re.compile(r" [.?!;:–—] ")
_OWNERS = re.compile(r"[^\W\d_]+(?=['’]s\b)")
_DENIALS = re.compile(r"n['’]t\b|\bcannot\b", re.IGNORECASE)


@cache
def _changing() -> frozenset[str]:
    stories = (f"stories.{name}" for name in ("negations", "rises", "falls"))
    return _normal("open_words.changing", *stories, "numbers.ones", "numbers.tens") - {"one"}


@cache
def _idle() -> frozenset[str]:
    small = ("determiners", "auxiliaries", "prepositions", "conjunctions", "pronouns", "fillers", "subordinators")
    known = ("open_words.idle", "lists.fillers", "figures.asking")
    return _normal(*known, *(f"grammar.{name}" for name in small))


@cache
def _mathematical() -> frozenset[str]:
    return frozenset(normal_words(word) for word in mathematical_words())


@cache
def _mathematical_stems() -> frozenset[str]:
    return frozenset(stem for word in mathematical_words() if len(word) > _LONGEST_PLAIN for stem in stems(word))


def _normal(*names: str) -> frozenset[str]:
    return frozenset(normal_words(word) for name in names for word in word_class(name))


@lru_cache(maxsize=4096)
def changes_nothing(word: str) -> bool:
    """Whether a word, in the spelling of comparison, may stand anywhere beside a figure and its values."""
    if word in _changing() or _WORD.fullmatch(word) is None:
        return False
    if word in _idle():
        return True
    is_superlative = word.endswith("est") and len(word) > _LONGEST_PLAIN
    # What is done to things may be called otherwise than its name: reflected, a reflection.
    is_doing = word.endswith(_DOING) and not _mathematical_stems().isdisjoint(stems(word))
    return len(word) >= _FEWEST_LETTERS and not (is_superlative or is_doing or word in _mathematical())


def names_something(word: str) -> bool:
    """Whether a word may be the name of one of several values: it changes nothing and has no use of its own beside
    them, as those have that speak of a list. The months are names whatever else they are."""
    return word in _months() or (changes_nothing(word) and word not in _idle())


@cache
def _months() -> frozenset[str]:
    return _normal("numbers.months")


def change_nothing(words: Iterable[str]) -> bool:
    """Whether all words change nothing."""
    return all(changes_nothing(word) for word in words)


def are_known(words: Iterable[str]) -> bool:
    """The same of words beside a name of several meanings ("the range of a cannon"), where none may be unheard of."""
    return all(word in _idle() and word not in _changing() for word in words)


def denies(text: str) -> bool:
    """Whether something is denied in a text: what follows may be what is not meant."""
    return _DENIALS.search(text) is not None


def are_listed_themselves(names: Iterable[str], text: str) -> bool:
    """Whether several figures of one name are told of, which then are the values: "the averages were 4 and 6"."""
    words = [re.escape(name) for name in names if " " not in name]
    return bool(words) and re.search(rf"\b(?:{'|'.join(words)})s\b", text, re.IGNORECASE) is not None


def is_told(name: re.Pattern[str], before: str) -> bool:
    """Whether the values behind these words are what a name stands for, and not what it is asked of: "the mean was"."""
    *_, last = ("", *before.split())
    found = [each.end() for each in name.finditer(before)]
    return bool(found) and before[found[-1] :].split() == [last] and last in word_class("grammar.equating_verbs")


def is_asked(name: re.Pattern[str], said: str) -> bool:
    """Whether what a name stands for is asked for: where there are questions it stands in one of them, and none that
    begins with its verb ("is the mean whole?") asks for a number."""
    clauses = [f" {each.strip()} " for each in _CLAUSE.split(said) if each.strip()]
    verbs = word_class("grammar.auxiliaries") - word_class("direct.may_you")
    if any(name.search(each) and each.split()[0] in verbs for each in clauses):
        return False
    sentences = re.findall(r"(?:[^.?!]|[.?!](?! ))*(?:[.?!](?= )|$)", said)
    questions = [each for each in sentences if each.endswith("?")]
    return not questions or any(name.search(each) for each in questions)


def known_before(name: re.Pattern[str], known: frozenset[str], gaps: Sequence[str], text: str) -> bool:
    """Whether the word right before each mention of a name leaves it what it is, as an adjective may not; somebody
    whose figure it is may be anybody."""
    before = [word for gap in gaps for found in name.finditer(gap) for word in gap[: found.start()].split()[-1:]]
    owners = {normal_words(each) for each in _OWNERS.findall(text)}
    return all(
        word in known
        or _WORD.fullmatch(word) is None
        or are_known((word,))
        or (word in owners and changes_nothing(word))
        for word in before
    )
