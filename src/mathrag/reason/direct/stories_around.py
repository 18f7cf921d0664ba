"""Whether a sentence or clause is nothing but a courtesy or a story: about people, with no mathematics in it, no number
and no condition. Decides nothing about the rest of the text."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from mathrag.language.word_classes import any_of, word_class
from mathrag.retrieve.concept_names import spelled_name
from mathrag.retrieve.glossary import glossary_names

_MOST_WORDS = 40
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
# Digits, and signs of mathematics or of quotation.
_SIGN = re.compile(r"[^\w\s.,;:!'’()–—-]|[0-9_]")
_LETTERS = frozenset("ai")
_FEW_WORDS = 8
# What a question is about is said by the question itself.
_TOPIC = re.compile(r"\b(questions?) (?:about|on|regarding|concerning) [^\W\d_]+(?: [^\W\d_]+)?\s*\Z", re.IGNORECASE)


@cache
def _idioms() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{any_of('frames.idioms')})\b", re.IGNORECASE)


@cache
def _numbers() -> frozenset[str]:
    return (word_class("numbers.ones") | word_class("numbers.tens")) - {"one"}


@cache
def mathematical_words() -> frozenset[str]:
    """The words that names of concepts are made of."""
    return frozenset(word for name in glossary_names() for word in name) - word_class("frames.everyday")


@lru_cache(maxsize=128)
def is_courtesy(text: str) -> bool:
    """Whether a text is a request with nothing asked in it, thanks or a greeting."""
    bare = text.strip(" .,;:!?…–—-()").lower()
    words = _WORD.findall(bare)
    if re.fullmatch(any_of("frames.requests"), bare):
        return True
    return bool(words) and not _SIGN.search(bare) and word_class("frames.courtesies").issuperset(words)


@cache
def _signs() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'’])(?:{any_of('frames.story_signs')}|questions?)(?![\w])", re.IGNORECASE)


def is_story(text: str) -> bool:
    """Whether a text only tells of people what they know, say, need or feel: nothing in it could matter to a question
    of mathematics. What they do with things (they roll dice, they put a ball back) might."""
    return _signs().search(text) is not None and is_about_people(text)


def is_remark(text: str) -> bool:
    """Whether a few words say what a question is for (`for the exam tomorrow`), with nothing else in them."""
    bare = _TOPIC.sub(r"\1", text)
    is_short = len(_WORD.findall(bare)) <= _FEW_WORDS
    return is_short and _signs().search(bare) is not None and is_about_people(f"{bare} for me")


@lru_cache(maxsize=128)
def is_about_people(text: str) -> bool:
    """Whether a text is about people and holds no mathematics, no number and no condition."""
    if text.rstrip().endswith("?") or _SIGN.search(text):
        return False
    words = [word.lower() for word in _WORD.findall(text)]
    if not words or len(words) > _MOST_WORDS or word_class("frames.persons").isdisjoint(words):
        return False
    telling = [word.lower() for word in _WORD.findall(_idioms().sub(" ", text))]
    if not (word_class("frames.no_story") | word_class("frames.asking_words") | _numbers()).isdisjoint(telling):
        return False
    if any(len(word) == 1 and word not in _LETTERS for word in telling):
        return False
    known, persons = mathematical_words(), word_class("frames.persons")
    return not any(part in known for word in telling if word not in persons for part in spelled_name(word))
