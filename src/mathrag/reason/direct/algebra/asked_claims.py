"""A statement on sets or of logic without the words around it that ask whether it is true. Judges nothing."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from mathrag.compute.signs_of_logic import plain_signs
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.question_text import tidy

_TIMES = 6


@cache
def _opening() -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of('logic.claim_openings')})(?![\w'])[ :,;.–—-]*(?!\Z)", re.IGNORECASE)


@cache
def _ending() -> re.Pattern[str]:
    marks = r"(?:[?!;:,.–—]|(?<![<>=])=(?=[ ?=]*$))+"
    return re.compile(rf"(?:[ ]*{marks}|[ ,;:.–—?(-]+(?:{any_of('logic.claim_endings')})\)?)$", re.IGNORECASE)


@lru_cache(maxsize=32)
def claim_of(text: str) -> str:
    """What a text states, or names, in signs of one spelling, without what asks for its truth."""
    return without_asking(tidy(plain_signs(text)))


@lru_cache(maxsize=64)
def without_asking(body: str) -> str:
    """A tidy text without its asking words at both ends."""
    for _ in range(_TIMES):
        opening = _opening().match(body)
        shorter = body[opening.end() :] if opening is not None else body
        shorter = without_closing(shorter)
        if shorter == body:
            break
        body = shorter
    return body


def without_closing(body: str) -> str:
    """A tidy text without the marks and words behind it that ask for its truth."""
    for _ in range(_TIMES):
        shorter = _ending().sub("", body).strip(' "“”„«»')
        if shorter == body:
            break
        body = shorter
    return body
