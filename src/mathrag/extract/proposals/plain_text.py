"""Check that a label, a description or a keyword is plain words: no markup, link, instruction or number of its own."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from mathrag.extract.number_check import written_numbers
from mathrag.extract.proposals.records import Problem
from mathrag.language.spoken_numbers import spoken_numbers, words_of

LONGEST_LABEL = 100
LONGEST_DESCRIPTION = 400
LONGEST_INTENT = 200
LONGEST_KEYWORD = 50
LONGEST_SYMBOL_DESCRIPTION = 120
_MARKUP = re.compile(r"[<>{}\\`$\[\]|^]|&#?\w{1,10};|\*\*|__|~~")
_LINK = re.compile(
    r"https?:|ftp:|www\.|mailto:|javascript:|\b[\w-]{2,}\.(?:com|org|net|io|ru|cn|info|biz)\b|@\w+\.", re.I
)
_INSTRUCTION = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|above|earlier|prior|instructions?|rules|prompt)\b"
    r"|\b(?:system|developer)\s+(?:prompt|message)\b|\bas an? (?:ai|language model|assistant)\b|\b(?:you|assistant) "
    r"(?:must|should|are now|will now)\b|\bi (?:cannot|can't|am unable)\b|\bdo not (?:tell|mention|reveal)\b",
    re.I,
)
_DIGITS = re.compile(r"\d[\d.,]{0,40}")
_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC")

_COMMAND = re.compile(r"\\([a-z]+)")
_WORD = re.compile(r"[^\W\d_]+")


def text_problem(text: str, context: str, *, longest: int) -> Problem | None:
    """Why a text cannot be taken over; `context` is the chunk, whose numbers it may repeat."""
    if len(text) > longest:
        return Problem("text_too_long", f"it has {len(text)} characters, more than {longest}")
    if not any(character.isalpha() for character in text):
        return Problem("text_without_words", "there is no word in it")
    if any(not character.isprintable() for character in text):
        return Problem("text_unprintable", "it holds characters that cannot be seen")
    if _LINK.search(text):
        return Problem("text_with_link", "it holds an address")
    if _MARKUP.search(text):
        return Problem("text_with_markup", "it holds markup, where plain words were asked for")
    if _INSTRUCTION.search(text):
        return Problem("text_with_instruction", "it speaks to whoever reads it, instead of naming a formula")
    if unicodedata.normalize("NFKC", text) != unicodedata.normalize("NFC", text):
        return Problem("text_of_odd_letters", "it is written in letters that only look like plain ones")
    if _mixes_scripts(text):
        return Problem("text_of_mixed_scripts", "a word of it mixes letters of several scripts")
    number = _foreign_digits(text, context)
    if number:
        return Problem("number_not_in_text", f"the number {number} does not stand in the passage")
    spoken = spoken_numbers(text, words_of((context[:20_000],)))
    if spoken:
        return Problem("number_not_in_text", f"the number {spoken[0][:30]!r} does not stand in the passage")
    return None


def fragment_problem(label: str, context: str) -> Problem | None:
    """Why a label is no name: a piece of a word of the passage ("rift" of "drift"), or a command of its formulas."""
    passage = context[:20_000].casefold()
    commands = set(_COMMAND.findall(passage))
    words = set(_WORD.findall(_COMMAND.sub(" ", passage)))
    for word in _WORD.findall(label.casefold()):
        if word in words:
            continue
        if word in commands or any(word != whole and _is_torn_from(word, whole) for whole in words):
            return Problem("label_of_fragments", f"{word!r} is no word of the passage, only a piece of it")
    return None


def _is_torn_from(word: str, whole: str) -> bool:
    """Whether a word is the end or the middle of another; a beginning may be its stem."""
    return len(word) >= 3 and word in whole[1:] and len(whole) - len(word) <= 3


def _foreign_digits(text: str, context: str) -> str:
    plain = unicodedata.normalize("NFKC", text)
    known = written_numbers(context[:20_000])
    for match in _DIGITS.finditer(plain):
        own = written_numbers(match.group()).values
        if not any(known.hold(value) and value in known.values for value in own):
            return match.group()[:30]
    return ""


@lru_cache(maxsize=2048)
def _mixes_scripts(text: str) -> bool:
    for word in re.findall(r"[^\W\d_]{4,}", text):
        scripts = {
            script for letter in word for script in _SCRIPTS if unicodedata.name(letter, "").startswith(f"{script} ")
        }
        if len(scripts) > 1:
            return True
    return False
