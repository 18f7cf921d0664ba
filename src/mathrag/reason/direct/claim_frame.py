"""A claim without the words around it that only ask for a judgement: `true or false: …`, `…, right?`; and the claims of
a text that puts several. Judges nothing."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from mathrag.language.word_classes import any_of
from mathrag.reason.direct.question_text import tidy

_LONGEST = 300
_MOST_CLAIMS = 4
_MOST_TURNS = 8


@cache
def _opener() -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of('theorems.openers')})(?:[ :,.?!–—-]+|\Z)", re.IGNORECASE)


@cache
def _ending() -> re.Pattern[str]:
    return re.compile(rf"(?:(?<=[\s,.;:?!–—(-])|\A)(?:{any_of('theorems.endings')})[ )?!.]*\Z", re.IGNORECASE)


@cache
def _aside() -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of('theorems.asides')})", re.IGNORECASE)


_QUOTES = re.compile("[\"“”„«»$]|(?<!\\w)['‘’]|['‘’](?!\\w)")
_DOUBLE_QUOTES = re.compile('["“”„«»$]')
_OPENING_QUOTE = re.compile(r"(?:^|[\s(:,;])['‘]")
_SENTENCES = re.compile(r"(?<=[?!;])\s+|(?<=[^\d\s.]{2}\.)\s+(?=\w)|;")
_JOINED = re.compile(r",?\s+and\s+(?=(?:is|are|does|do|must|can|conversely|vice versa|the converse)\b)", re.IGNORECASE)


_TWO_PRIMES = re.compile(r"\b([A-Za-z])['’]['’](?=\s?[(=<>])")
_PRIME = re.compile(r"\b([A-Za-z])['’](?=\s?[(=<>])")


def _primed(text: str) -> str:
    """Marks of derivatives told from quotation marks: f″(c), f′(c)."""
    return _PRIME.sub(r"\1′", _TWO_PRIMES.sub(r"\1″", text)) if "'" in text or "’" in text else text


def _unquoted(text: str) -> str:
    """Without quotation marks. Where none opens, single ones are none: f' is a derivative, A' a complement."""
    marked = _primed(text)
    return (_QUOTES if _OPENING_QUOTE.search(marked) else _DOUBLE_QUOTES).sub("", marked)


@lru_cache(maxsize=32)
def bare_claim(text: str) -> str:
    """One claim without what stands around it; case and signs as they were."""
    asked = tidy(_unquoted(text))
    for _ in range(_MOST_TURNS):
        shorter = asked.strip(" ,:;.?!–—-")
        opened = _opener().match(shorter)
        if opened is not None and opened.end() < len(shorter):
            shorter = shorter[opened.end() :]
        ended = _ending().search(shorter)
        if ended is not None and ended.start() > 0:
            shorter = shorter[: ended.start()]
        shorter = shorter.strip(" ,:;.?!–—-").rstrip(" (")
        if shorter == asked:
            break
        asked = shorter
    return asked if asked.count("(") == asked.count(")") else f"{asked})"


def opened_claim(text: str) -> str:
    """A claim without what stands before it; behind it "true" may belong to what is asked."""
    asked = tidy(_unquoted(text)).strip(" ,:;.?!–—-")
    for _ in range(_MOST_TURNS):
        opened = _opener().match(asked)
        if opened is None or opened.end() == len(asked):
            break
        asked = asked[opened.end() :].strip(" ,:;.?!–—-")
    return asked


def bare_claims(text: str) -> tuple[str, ...]:
    """The claims of a text, one a sentence or a question; sentences that only ask for the reason are left out."""
    if len(text) > _LONGEST:
        return ()
    parts = [part for sentence in _SENTENCES.split(_unquoted(text)) for part in _JOINED.split(sentence)]
    found = [claim for part in parts if (claim := _no_aside(part))]
    return tuple(found) if len(found) <= _MOST_CLAIMS else ()


def _no_aside(part: str) -> str:
    claim = bare_claim(part)
    said = re.sub(r"\b(?:me|please|us)\b ?", "", claim, flags=re.IGNORECASE)
    only_frame = _opener().fullmatch(claim) or _ending().fullmatch(claim) or _aside().fullmatch(said)
    return "" if only_frame else claim
