"""How strongly a claim in words is put: of all things of a kind, of some, of none, or not of all.

`not every rhombus is a square`, `a rhombus need not be a square`, `is there a rhombus that is no square` are one claim,
`can a rhombus be a square` another. Knows no mathematics. Where a word in the middle says it, `MARK` stands there, so
that the reader can tell whether it belongs to what is claimed or to its condition.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

Mode: TypeAlias = Literal["all", "not all", "some", "none", "not"]
MARK = "¬"

_NOT = r"(?:(?:is|are|do|does|has|have|will|must|need|was) not|isn't|aren't|don't|doesn't|hasn't|haven't|won't)"
_IN_GENERAL = r"(?:always|necessarily|automatically|generally|in general|by itself|by themselves|have to|need to)"
_IMPLY = r"(?:imply|mean|guarantee|force|ensure|entail|make)"
_MAY = r"(?:may|might|can|could)"
_SOME = re.compile(
    r"(?:(?:is|are|do|does|can|could|must) there(?: ever)?(?: exists?| be)?|there (?:is|are|exists?|can be|may be)"
    r"|can (?:you|we|one) (?:find|have)|some|(?:is|are|do|does) some)\b"
    r"(?: (?:an?|any|some|examples? of|an example of|at least one|such a thing as an?))*\s+"
)
_WHICH_NOT = re.compile(
    rf"\b(?:(?:that|which|who) )?(?:{_NOT}|cannot|can't|fails? to|(?:is|are) no|without being|but not|not)\b"
)
_LED: tuple[tuple[re.Pattern[str], Mode], ...] = (
    (re.compile(r"(?:is |are |do |does )?not (?:every|all)\b"), "not all"),
    (re.compile(r"(?:is it|it is) (?:false|wrong|untrue|incorrect|not true|not the case) (?:that )?"), "not all"),
    (re.compile(r"there (?:is|are) no\b|(?:is|are) there no\b|(?:is |are |do |does |can )?no(?= [a-z])"), "none"),
    (re.compile(r"(?:is it|it is) impossible (?:for|that)\b"), "none"),
    (re.compile(r"(?:is it|it is) (?:ever )?possible (?:for|that|to have)\b"), "some"),
)
_PATTERNS: tuple[tuple[str, Mode], ...] = (
    (
        (
            rf"\b(?:{_NOT}|not) {_IN_GENERAL}(?: (?:be|have|{_IMPLY}))?\b|\b(?:need not|needn't)\b"
            rf"|\b(?:may|might)(?: not| fail to)\b|\b(?:can|could) fail to\b|\b{_NOT} {_IMPLY}\b"
            rf"|\b{_NOT} (?:enough|sufficient)(?: for| to)?\b"
        ),
        "not all",
    ),
    (r"\b(?:never|cannot|can't|can not|can never|could never|couldn't)\b", "none"),
    (rf"\b{_MAY}(?: sometimes| also| even| ever)?(?= )|\b(?:sometimes|occasionally|ever)\b", "some"),
    (rf"\b{_NOT}\b|\bnot\b|\b(?:is|are|has|have) no\b|\bfails? to\b", "not"),
)
_INSIDE: tuple[tuple[re.Pattern[str], Mode], ...] = tuple((re.compile(each), mode) for each, mode in _PATTERNS)
_RHETORICAL = re.compile(r"(?:(is)n't|(are)n't|(does)n't|(do)n't|(can)'t|(must)n't) (?!necessarily|always)")


@dataclass(frozen=True, slots=True)
class PutClaim:
    """A claim as it would be put of all things, and how it was put; `MARK` stands where a word in it said so."""

    text: str
    mode: Mode


def put_claim(claim: str) -> PutClaim:
    """A bare claim in lower case without the words that say how strongly it is put."""
    said = claim.replace("’", "'").strip()
    rhetorical = _RHETORICAL.match(said)
    if rhetorical is not None:
        verb = next(filter(None, rhetorical.groups()))
        said = f"{verb} {said[rhetorical.end() :]}"
    exists = _SOME.match(said)
    if exists is not None:
        return _of_some(said[exists.end() :], is_none=said[exists.end() :].startswith("no "))
    for pattern, mode in _LED:
        led = pattern.match(said)
        if led is not None:
            return _without_second(said[led.end() :].strip(), mode)
    of_all = re.search(r"\b(?:every|all|each|always)\b", said) is not None
    if re.match(rf"{_MAY} ", said):
        rest = said.split(" ", 1)[1]
        if of_all:
            return _without_second(rest, "all")
        fails = re.search(r"\bfail to\b|\bnot\b", rest)
        if fails is not None:
            return PutClaim(f"{rest[: fails.start()]} {MARK} {rest[fails.end() :]}", "not all")
        return PutClaim(re.sub(r"\bever\b", " ", rest), "some")
    for pattern, mode in _INSIDE:
        inside = pattern.search(said)
        if inside is not None:
            rest = f"{said[: inside.start()]} {MARK} {said[inside.end() :]}"
            # "Every … can", "every … is never": all of them are meant, or it is not clear what is.
            return _without_second(rest, _of_every(mode) if of_all else mode)
    return PutClaim(said, "all")


def _of_every(mode: Mode) -> Mode:
    return "all" if mode == "some" else "not" if mode == "none" else mode


def _of_some(rest: str, *, is_none: bool) -> PutClaim:
    rest = rest.removeprefix("no ") if is_none else rest
    fails = _WHICH_NOT.search(rest)
    if fails is None:
        return PutClaim(rest, "none" if is_none else "some")
    marked = f"{rest[: fails.start()]} {MARK} {rest[fails.end() :]}"
    return PutClaim(marked, "all" if is_none else "not all")


def _without_second(rest: str, mode: Mode) -> PutClaim:
    """The claim, unless a second word denies something in it: then it is taken for none that is known."""
    if any(pattern.search(rest) for pattern, other in _INSIDE if other != "some"):
        return PutClaim("", mode)
    return PutClaim(rest, mode)
