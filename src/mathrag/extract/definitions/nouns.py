"""The noun phrase that ends right before a place in a sentence: "the coefficient of friction" before its symbol."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from mathrag.extract.definitions.meaning import names_exactly, names_quantity
from mathrag.extract.definitions.phrases import clean, readable_symbol
from mathrag.extract.definitions.tokens import Token
from mathrag.extract.definitions.vocabulary import BEFORE_STOPS, DETERMINERS

_MOST_WORDS = 9
_LINKS = frozenset(("of", "due", "to", "per"))
_ING_NOUNS = frozenset(
    "spring damping heating bearing loading ring spacing string wing cooling winding heading scattering".split()
)
_LY_NOUNS = frozenset("family monthly daily hourly weekly yearly quarterly early supply assembly anomaly".split())
_ED_NOUNS = frozenset("speed feed seed bed".split())
# Verbs that are nouns after an article: "the yield Y".
_ALSO_NOUNS = frozenset("yield measure set plot need change changes show restoring means applied".split())


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun phrase of a sentence, where it begins, and whether an article or the like makes it definite."""

    words: str
    start: int
    is_determined: bool


def noun_before(tokens: Sequence[Token], place: int) -> Noun | None:
    """The noun phrase that ends right before a place."""
    words: list[Token] = []
    index = place - 1
    is_determined = False
    while index >= 0 and len(words) < _MOST_WORDS:
        token = tokens[index]
        lower = token.lower
        if token.kind != "word" or token.block != tokens[place - 1].block:
            break
        if lower in DETERMINERS:
            is_determined = is_determined or not words or not any(word.lower == "of" for word in words)
            if index and tokens[index - 1].lower == "of":
                words.insert(0, token)
                index -= 1
                continue
            index -= 1
            break
        if lower not in _LINKS and _stops(token, bool(words)) and not _is_noun_here(tokens, index, bool(words)):
            break
        if lower in ("to", "per") and not (lower == "to" and index and tokens[index - 1].lower == "due"):
            break
        if len(token.text) == 1 and token.plain_symbol() is not None:
            break
        words.insert(0, token)
        index -= 1
    start = index + 1
    while words and words[0].lower in _LINKS:
        words.pop(0)
        start += 1
    return _chosen(words, start, is_determined)


def _is_noun_here(tokens: Sequence[Token], index: int, has_words: bool) -> bool:
    """A verb form that belongs to the noun phrase: "the restoring force", "the yield"."""
    before = tokens[index - 1].lower if index else ""
    if before not in DETERMINERS and before != "of":
        return False
    lower = tokens[index].lower
    return lower in _ALSO_NOUNS or (has_words and lower.endswith("ing"))


def _stops(token: Token, has_words: bool) -> bool:
    lower = token.lower
    if lower in BEFORE_STOPS:
        return True
    if lower.endswith("ing") and lower not in _ING_NOUNS:
        return True
    if lower.endswith("ly") and lower not in _LY_NOUNS:
        return True
    return lower.endswith("ed") and not has_words and lower not in _ED_NOUNS


def _chosen(words: Sequence[Token], start: int, is_determined: bool) -> Noun | None:
    """Of "speed of light", "body of mass" and "length of the rod": the whole, the last noun, the whole."""
    if not words:
        return None
    text = " ".join(word.text for word in words)
    links = [place for place, word in enumerate(words) if word.lower in ("of", "due")]
    if not links:
        return Noun(clean([word.text for word in words]), start, is_determined)
    for link in [-1, *links]:
        candidate = " ".join(word.text for word in words[link + 1 :])
        if words[link].lower == "due" and link >= 0:
            continue
        if names_exactly(clean(candidate.split())):
            return Noun(clean(candidate.split()), start + link + 1, is_determined)
    last = clean([word.text for word in words[links[-1] + 1 :]])
    if names_quantity(last) and words[links[-1]].lower != "due":
        return Noun(last, start + links[-1] + 1, is_determined)
    if names_quantity(clean(text.split())):
        return Noun(clean(text.split()), start, True)
    return Noun(last, start + links[-1] + 1, is_determined) if words[links[-1]].lower != "due" else None


def noun_before_clause(tokens: Sequence[Token], place: int) -> Noun | None:
    """The subject that ends before a place; prepositional parts after the head noun are passed over."""
    found = noun_before(tokens, place)
    if found is not None and not names_quantity(found.words):
        found = None
    # "The force on a charge is ...": walk back to the noun before the preposition.
    for index in range(place - 1, max(0, place - 10), -1):
        token = tokens[index]
        if token.kind != "word" or token.lower in (
            "and",
            "is",
            "are",
            "that",
            "which",
            "has",
            "have",
            "if",
            "when",
            "where",
        ):
            break
        if token.lower in (
            "on",
            "in",
            "between",
            "at",
            "for",
            "from",
            "by",
            "through",
            "across",
            "done",
            "stored",
            "acting",
        ):
            noun = noun_before(tokens, index)
            if noun is not None and names_quantity(noun.words):
                qualifiers = itertools.takewhile(lambda word: not word.lower.endswith("ing"), tokens[index:place])
                rest = " ".join(readable_symbol(word.text) for word in qualifiers)
                found = Noun(clean(f"{noun.words} {rest}".split()), noun.start, noun.is_determined)
    return found
