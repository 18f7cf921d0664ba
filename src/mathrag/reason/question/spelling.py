"""Correct misspelt names of quantities ("accelaration", "enegry"): one likely word or nothing. No general speller."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from importlib import resources

from mathrag.knowledge.kinds import all_kinds
from mathrag.knowledge.spelling import normal_words
from mathrag.reason.question import words as english
from mathrag.reason.question.kind_names import name_words
from mathrag.reason.question.tokens import Token

_SHORTEST = 5
_LONGEST = 24
_TWO_MISTAKES_FROM = 9
_ENDINGS = ("s", "es", "ed", "d", "ing", "er", "ly", "r", "y", "al", "ion")


@cache
def _correct_words() -> frozenset[str]:
    """Ordinary words that are close to a name but no mistake."""
    source = resources.files("mathrag.reason.question").joinpath("data", "ordinary_words.txt").read_text("utf-8")
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


def correct(tokens: Sequence[Token]) -> tuple[list[Token], tuple[str, ...]]:
    """The tokens with misspelt words put right, and a note for each."""
    notes: dict[str, None] = {}
    result = list(tokens)
    for index, token in enumerate(tokens):
        if token.kind != "word" or not _SHORTEST <= len(token.normal) <= _LONGEST or not token.text.isalpha():
            continue
        if token.text[0].isupper() and token.text[1:].islower() and index and not tokens[index - 1].is_stop:
            continue
        better = corrected(token.normal)
        if better is not None:
            notes[f"read “{token.text}” as “{better}”"] = None
            result[index] = replace(token, normal=better)
    return result, tuple(notes)


@lru_cache(maxsize=4096)
def corrected(word: str) -> str | None:
    """The one name word that this is a misspelling of; nothing where it is a word itself or several come close."""
    if _is_known(word):
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
    if word in known or word in ordinary or word in english.STOP_WORDS or word in english.CHANGING:
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
