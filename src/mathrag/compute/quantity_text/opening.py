"""Whether a unit can begin with a word, by the words around it: `3 in` against `3 in the`, `5 A` against `5 a day`."""

from __future__ import annotations

import re

from mathrag.compute.quantity_text import vocabulary
from mathrag.compute.units import lexicon
from mathrag.compute.units.tokens import Token

_NEXT_WORD = re.compile(r"\s{0,3}([^\W\d_]+)")
_LENGTH_FOLLOWS = re.compile(r"\s*(?:long|wide|apart|thick|radius|diameter|\.?\s*$)")
_BRACKET_FOLLOWS = re.compile(r"\s*[\[({0-9$\\]")
_PRIMES = frozenset("'\"’”′″")
_INCH_TAILS = frozenset("^²³-/*·23")


def can_open(text: str, token: Token, place: int, value: float) -> bool:
    """Whether the token behind a number that ends at `place` can be the first name of its unit."""
    if token.kind != "name":
        return False
    name, glued = token.text, token.start == place
    after = _NEXT_WORD.match(text, token.end)
    word = after.group(1) if after else ""
    if name.lower() == "in":
        return name == "in" and _is_inch(text, token, place, word)
    if name in _PRIMES:
        return glued and _is_prime(text, token)
    if name != "A" and (name.lower() in vocabulary.NEVER_UNITS or name in ("E", "x", "X")):
        return False
    if name in vocabulary.ELEMENTS and not lexicon.is_exact(name):
        return False
    if word in vocabulary.PARTICLES and len(name) <= 2:
        return False
    return not _is_other(text, token, value, word=word, glued=glued)


def _is_other(text: str, token: Token, value: float, *, word: str, glued: bool) -> bool:
    """Letters that mean something else here: an hour of the day, `3D`, `the 1990s`, a molar mass, Euler's number."""
    name = token.text
    if name.lower() == "pm" and isinstance(value, int) and 1 <= value <= 12:
        return not _LENGTH_FOLLOWS.match(text, token.end, token.end + 12)
    if name in ("D", "d"):
        return value in (1, 2, 3) and (name == "D" or glued or text[token.start - 1] == "-")
    if name == "s" and glued:
        return isinstance(value, int) and 1500 <= value <= 2100
    if name.lower() == "molar":
        return word.lower() in vocabulary.MOLAR_NOUNS
    return name == "e" and not glued and word != ""


def _is_inch(text: str, token: Token, place: int, word: str) -> bool:
    """Inches or the preposition: an article before the number, a full stop or the words after decide."""
    rest = text[token.end : token.end + 2]
    if rest == ". ":
        following = _NEXT_WORD.match(text, token.end + 1)
        return following is not None and following.group(1)[:1].islower()
    if rest[:1] in _INCH_TAILS or not token.spaced:
        return True
    if word == "":
        return not _BRACKET_FOLLOWS.match(text, token.end, token.end + 3)
    if word.lower() in vocabulary.INCH_FOLLOWERS or word in ("lb", "lbs", "Hg"):
        return True
    before = text[max(0, place - 24) : place].rstrip("0123456789./ ½¼¾-")
    return before.lower().endswith((" a", " an", " the")) and word.lower() not in ("the", "a", "an", "this", "that")


def _is_prime(text: str, token: Token) -> bool:
    """Feet and inches as marks; a closing quotation mark is not one."""
    opened = text.count(token.text, max(0, token.start - 400), token.start) % 2
    if token.text in ('"', "”") and opened:
        return False
    return not text[token.end : token.end + 1].isalpha()
