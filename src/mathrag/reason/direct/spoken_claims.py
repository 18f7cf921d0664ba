"""One claim in words, or several: `is every prime ideal maximal? is every maximal ideal prime?`, `…, true? and is the
converse true too`. Every one of them is understood, or none is answered."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from mathrag.knowledge.theorems import theorems
from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.algebra import answer_algebra
from mathrag.reason.direct.claim_frame import bare_claim, bare_claims, opened_claim
from mathrag.reason.direct.closure_claims import answer_closure
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.reason.direct.story_frames import told_claims
from mathrag.reason.direct.theorems import answer_theorem, converse_words, find_theorem, told

_LONGEST = 500


def _theorem(claim: str, text: str) -> DirectStatement | None:
    return answer_theorem(text, claim) or answer_theorem(text, opened_claim(text))


_CLAIM_READERS: tuple[Callable[[str, str], DirectStatement | None], ...] = (
    _theorem,
    lambda claim, _: answer_closure(claim),
)


def answer_spoken_claims(text: str) -> AlgebraOutcome:
    """What is to be said of the claims that a text puts in words; None for any other text."""
    if len(text) > _LONGEST or not any(map(str.isalpha, text)):
        return None
    whole = _judged(bare_claim(text), text)
    if whole is not None:
        return whole
    claims = bare_claims(text)
    if len(claims) == 1:
        return _judged(claims[0], text) or _told_beside(text)
    return _together_judged(claims) or _told_beside(text)


def _told_beside(text: str) -> DirectStatement | None:
    """What is to be said of the one claim in a story."""
    for claim in told_claims(text):
        found = _judged(bare_claim(claim), f"is it true that {claim}")
        if found is not None:
            return found
    return None


def _together_judged(claims: Sequence[str]) -> DirectStatement | None:
    found: list[DirectStatement] = []
    for place, claim in enumerate(claims):
        before = claims[place - 1] if place else ""
        judged = _judged(claim, claim) or (_after(before, claim) if before else None)
        if judged is None:
            return None
        found.append(judged)
    return _together(found) if found else None


def _judged(claim: str, text: str) -> DirectStatement | None:
    for reader in _CLAIM_READERS:
        found = reader(claim, text)
        if found is not None:
            return found
    return None


def _after(before: str, claim: str) -> DirectStatement | None:
    """A question that leans on the claim before it: for its converse, or for another operation."""
    if converse_words().fullmatch(claim):
        first = find_theorem(before)
        other = next((one for one in theorems() if first is not None and one.name == first[0].converse), None)
        return None if other is None else told(other, is_put=True, asks=False)
    bare = re.fullmatch(
        rf"(?:what about |how about |and )?(?:the |their )?({any_of('theorems.operations')})", claim, re.I
    )
    if bare is None:
        return None
    words = [word for word in word_class("theorems.operations") if re.search(rf"\b{word}\b", before)]
    other_claim = before.replace(words[0], bare[1].lower()) if len(words) == 1 else ""
    return _judged(other_claim, other_claim) if other_claim else None


def _together(found: list[DirectStatement]) -> DirectStatement:
    text = "\n".join(f"{place}. {one.text}" for place, one in enumerate(found, 1))
    lines = tuple(line for one in found for line in one.lines)
    return DirectStatement(text, "; ".join(one.expression for one in found), lines, kind=found[0].kind)


_VERDICT = ("True", "False", "Yes", "No")


def answer_framed_claim(text: str) -> AlgebraOutcome:
    """What algebra says of a claim once the words around it are gone; only a verdict counts."""
    if len(text) > _LONGEST:
        return None
    claim = bare_claim(text)
    if not claim or claim == text.strip(" ?.!"):
        return None
    for asked in (claim, f"is it true that {claim}"):
        found = answer_algebra(asked)
        if isinstance(found, DirectStatement) and found.text.startswith(_VERDICT):
            return found
    return None
