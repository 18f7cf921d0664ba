"""Quantities named in words inside a formula (`\\text{final volume (mL)}`): the phrase, its unit, its symbol.

One reading for operands and for bases of scripts. Whether words are an operand at all is for the other parts to say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mathrag.compute.grammar.context import Context
from mathrag.compute.grammar.lexicon import OPERATOR_WORDS, SENTENCE_WORDS
from mathrag.knowledge.units import is_unit_text
from mathrag.language.abbreviations import abbreviates
from mathrag.types.expression import Phrase
from mathrag.types.symbol_names import GREEK_NAMES, safe_identifier

_BRACKET = re.compile(r"(?<=\w) ?[(\[]([^()\[\]]{1,40})[)\]]$")
_LONGEST_UNIT = 16
_TEXT = re.compile(r"[A-Za-z0-9 ,.'’\-()]+")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")
# `\\text{hit_rate}`, as programmers name what they count.
_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z][A-Za-z0-9]*)+")
_SPELLED = re.compile(r"[A-Z]?[a-z]+")
_VOWEL = re.compile(r"[aeiouy]", re.IGNORECASE)
# Shorter words spell units, functions and products of letters as often.
_SHORTEST_WORD = 4
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
# Between two nouns these join them: "interest and tax".
_JOINING = frozenset(("and", "or", "the"))
_LONGEST = 60
_MOST_WORDS = 9


@dataclass(frozen=True, slots=True)
class WordName:
    """A quantity named in words: the symbol it becomes, the phrase, and what stood in brackets behind it."""

    name: str
    phrase: str
    unit: str
    bracket: str

    @property
    def has_several_words(self) -> bool:
        return " " in self.phrase


def word_name(text: str) -> WordName | None:
    """The quantity that running text names; None for a sentence and for what is no name."""
    plain = " ".join(text.replace("#", " number of ").replace("%)", "percent)").replace("%", " percent ").split())
    plain = re.sub(r"\bnumber of of\b", "number of", plain)
    found = _BRACKET.search(plain)
    bracket = found[1].strip() if found else ""
    phrase = plain[: found.start()] if found else plain
    if found and abbreviates(bracket, phrase):
        # "earned value (EV)": the capitals are the symbol, the words say what it is.
        phrase, bracket, symbol = phrase, "", bracket
    elif found and abbreviates(phrase, bracket):
        phrase, bracket, symbol = bracket, "", phrase
    else:
        symbol = ""
    unit = "%" if bracket == "percent" else bracket if len(bracket) <= _LONGEST_UNIT and is_unit_text(bracket) else ""
    if unit and unit != "%" and is_unit_text(phrase):
        # "J (joules)" names a unit, no quantity.
        return None
    if bracket and not unit and re.fullmatch(r"[A-Za-z -]+", bracket):
        # "charge (left plate)" beside "charge (right plate)": what is no unit tells one quantity from another.
        phrase, bracket = f"{phrase} {bracket}", ""
    if _IDENTIFIER.fullmatch(phrase):
        phrase = phrase.replace("_", " ")
    words = _WORD.findall(phrase)
    if not words or len(words) > _MOST_WORDS or len(phrase) > _LONGEST or not _TEXT.fullmatch(phrase):
        return None
    if phrase.startswith("-") or _is_sentence(words):
        return None
    return WordName(safe_identifier(symbol or "_".join(words)), phrase, unit, bracket)


def is_spelled_word(letters: str) -> bool:
    """Whether letters side by side spell a word that no product of letters looks like."""
    return (
        len(letters) >= _SHORTEST_WORD
        and _SPELLED.fullmatch(letters) is not None
        and _VOWEL.search(letters) is not None
        and letters.lower() not in _ALPHABET
        and letters not in GREEK_NAMES
        and letters not in OPERATOR_WORDS
    )


def note_phrase(named: WordName, context: Context, position: int) -> None:
    """Keep what the words say, for whoever asks what the symbol means."""
    if named.bracket:
        context.flag("unit_annotation", f"the unit after {named.phrase!r} is left out", position)
    phrase = Phrase(named.name, named.phrase, named.unit)
    if phrase not in context.phrases:
        context.phrases.append(phrase)


def _is_sentence(words: list[str]) -> bool:
    """Whether the words say something; a lone capitalised one (We, Is) is a name all the same."""
    if len(words) == 1 and words[0][0].isupper():
        return False
    inside = words[1:-1] if len(words) > 2 else []
    joined = sum(word.lower() in _JOINING for word in inside)
    return sum(word.lower() in SENTENCE_WORDS for word in words) > joined
