"""A claim that is told in a story: `In class somebody said that every bounded sequence converges. Was that right?`

What stands before the claim and beside it may be left out only where it says nothing of mathematics: it has a verb of
telling or wondering and no word that any theorem knows. Judges nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.theorems import known_words

_LONGEST = 500
_MOST_CUTS = 12
_SENTENCE = re.compile(r"(?<=[^\W\d_][.?!])\s+|(?<=\)[.?!])\s+|\s*\n\s*")
_CUT = re.compile(r":\s+|,\s+|\s[–—-]+\s|\bthat\s+(?:if\s+)?|\b(?:whether|if|how)\s+|\bis\s+it\s+true\s+")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SIGN = re.compile(r"[0-9=<>≤≥≠≡∈⊂∪∩+*/^√∑∫$\\|]")


def told_claims(text: str) -> Iterator[str]:
    """The claims that a text may tell beside its story, the longest first; none where it tells nothing else."""
    if not 40 <= len(text) <= _LONGEST:
        return
    sentences = [one.strip() for one in _SENTENCE.split(text.strip()) if one.strip()]
    telling = [one for one in sentences if not _is_idle(one)]
    if len(telling) != 1:
        return
    if len(sentences) > 1:
        yield telling[0]
    for place, cut in enumerate(_CUT.finditer(telling[0])):
        if place >= _MOST_CUTS:
            return
        before = telling[0][: cut.start()]
        if _tells(before):
            # A condition belongs to what is claimed.
            kept = "if " if re.search(r"\bif\s+\Z", cut[0]) and "that" in cut[0] else ""
            yield f"{kept}{telling[0][cut.end() :]}"


def _is_idle(sentence: str) -> bool:
    """Whether a sentence beside the claim says nothing of mathematics; a question must ask for the truth of it."""
    if _SIGN.search(sentence):
        return False
    words = [word.lower().replace("’", "'") for word in _WORD.findall(sentence)]
    if sentence.endswith("?"):
        return word_class("story_frames.verdict_words").issuperset(words)
    return not _is_mathematical(words)


def _is_mathematical(words: list[str]) -> bool:
    harmless = word_class("story_frames.school")
    return any(word in known_words() or word.rstrip("s") in known_words() for word in words if word not in harmless)


def _tells(before: str) -> bool:
    """Whether what stands before a claim only tells who said it, or that somebody wonders."""
    if _SIGN.search(before):
        return False
    words = [word.lower().replace("’", "'") for word in _WORD.findall(before)]
    return _telling().search(before.lower()) is not None and not _is_mathematical(words)


def _telling() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{any_of('story_frames.telling')})\b")
