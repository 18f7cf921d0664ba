"""A claim without the words around it: what asks for its truth, and what limits its letters.

Strict: what stands in a limiting clause and is not understood leaves the question to others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from mathrag.compute.algebra.sum_claims import Limit
from mathrag.compute.solve.tidy import constant_of, tidied
from mathrag.compute.typed_mathematics import UnreadMathematicsError, read_mathematics
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.question_text import tidy
from mathrag.types.expression import Call, Symbol

_MOST_CLAUSES = 6
_MARKS = re.compile(r"\$+|\\[()\[\]]|\\displaystyle\b|`|\\(?:quad|qquad|text\w*|mathrm) ?|\\[,;!]")
_OPENING = re.compile(
    rf"\A(?:(?:{any_of('direct.greetings')}|(?:{any_of('direct.may_you')}) you|{any_of('direct.demands')}"
    rf"|{any_of('stated_sums.claim_openings')}|{any_of('algebra.whether_true')})(?![A-Za-z_(=])[ ,:;.!?–—-]*)+",
    re.IGNORECASE,
)
_ENDING = re.compile(
    rf"(?:[ ,;:.?–—(-]+(?:{any_of('stated_sums.claim_endings')}|{any_of('direct.endings')})\)?|[ ,;:?.]+)\Z",
    re.IGNORECASE,
)
_LIMITED = re.compile(
    rf"(?:[ ,;]+|[ ,]*\()(?:{any_of('stated_sums.limit_openings')}) (?P<limits>[^?]{{1,80}}?)\)?\Z", re.IGNORECASE
)
_LIMITED_BARELY = re.compile(
    r"(?:, ?|; ?| ?\( ?)(?P<limits>\|?[A-Za-z]\|?,? ?(?:[<>≠≥≤∈]|!=|\\(?:geq?|leq?|neq?|in)\b)[^?=]{1,20}?)\)?\Z"
)
_LIMITED_BEFORE = re.compile(
    rf"\A(?:{any_of('stated_sums.limit_openings')}) (?P<limits>[^=?:]{{1,80}}?)(?:, ?|: ?| then )(?=\S)", re.IGNORECASE
)
_NOT = re.compile(r" (?:is not(?: equal to)?|isn't|does not equal|not equal to) ", re.IGNORECASE)
_IN_SET = re.compile(
    r"\s*(?:∈|\\in\b)\s*(?P<set>\\mathbb ?\{?[NZR]\}?|[ℕℤℝNZR])\s*(?P<mark>(?:[_^] ?)?[+*]|_0|₀|⁺)?\s*\Z"
)


@dataclass(frozen=True, slots=True)
class FramedClaim:
    """What is claimed, and what limits its letters. `least` has the numbers from which on letters count."""

    body: str
    limits: tuple[Limit, ...] = ()
    least: tuple[tuple[str, int], ...] = ()


def framed_claim(text: str) -> FramedClaim | None:
    """The claim of a question; None where words around it are not understood."""
    body = " ".join(_MARKS.sub(" ", tidy(text)).split())
    limits: list[Limit] = []
    least: dict[str, int] = {}
    for _ in range(_MOST_CLAUSES):
        before = body
        body = _ENDING.sub("", _OPENING.sub("", body).strip())
        for pattern in (_LIMITED_BEFORE, _LIMITED, _LIMITED_BARELY):
            found = pattern.search(body)
            read = _read_limits(found["limits"]) if found is not None else None
            if found is None or read is None:
                continue
            limits += read[0]
            least.update(read[1])
            body = body[found.end() :] if pattern is _LIMITED_BEFORE else body[: found.start()]
        if body == before:
            break
    return FramedClaim(body, tuple(limits), tuple(least.items())) if body else None


def _read_limits(said: str) -> tuple[list[Limit], dict[str, int]] | None:
    """What a clause says of letters; None where it says something else."""
    limits: list[Limit] = []
    least: dict[str, int] = {}
    for part in re.split(r",? and |, (?![^a-zA-Z|])|; ?", said.strip(" ,")):
        read = _counting(part) or _compared(part)
        if read is None:
            return None
        limits += read[0]
        least.update(read[1])
    return limits, least


_COUNTING = re.compile(
    rf"(?:(?:all|any|every|each|the|some|a|an|arbitrary) )*(?:(?P<kind>{any_of('stated_sums.whole_letters')})\b ?)*"
    r"(?P<letter>[A-Za-z]?)(?P<rest>\W.*)?",
    re.IGNORECASE,
)
_IS_A = re.compile(
    rf"(?P<letter>[A-Za-z]) (?:is|being|=) (?:an? |any )?(?P<kind>{any_of('stated_sums.whole_letters')})", re.IGNORECASE
)


def _counting(part: str) -> tuple[list[Limit], dict[str, int]] | None:
    is_a = _IS_A.fullmatch(part)
    if is_a is not None:
        return [], _from(is_a["letter"], is_a["kind"])
    found = _COUNTING.fullmatch(part)
    if found is None or not (found["kind"] or found["letter"]):
        return None
    letter = found["letter"] or ("n" if (found["kind"] or "").lower() == "n" else "")
    least = _from(letter, found["kind"] or "")
    rest = (found["rest"] or "").strip()
    if not rest:
        return [], least
    inside = _IN_SET.fullmatch(rest)
    if inside is not None and letter:
        mark = inside["mark"] or ""
        return [], {**least, **({letter: 0} if mark in ("_0", "₀") else {letter: 1} if mark else {})}
    compared = _compared(f"{letter or 'n'} {rest}")
    return None if compared is None else (compared[0], {**least, **compared[1]})


def _from(letter: str, kind: str) -> dict[str, int]:
    first = word_pairs("stated_sums.whole_letters").get(kind.lower(), "")
    return {letter or "n": int(first)} if first else {}


def _compared(part: str) -> tuple[list[Limit], dict[str, int]] | None:
    try:
        statement = read_mathematics(_NOT.sub(" != ", part))
    except UnreadMathematicsError:
        return None
    sides, signs = list(statement.sides), list(statement.signs)
    if len(signs) != 1:
        return None
    if constant_of(tidied(sides[0])) is not None:
        turned = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
        sides, signs = sides[::-1], [turned.get(signs[0], signs[0])]
    left, value = sides[0], constant_of(tidied(sides[1]))
    is_size = isinstance(left, Call) and left.function == "abs"
    inner = left.arguments[0] if isinstance(left, Call) and is_size else left
    if not isinstance(inner, Symbol) or value is None:
        return None
    least: dict[str, int] = {}
    if signs[0] in (">=", ">") and not is_size and value.denominator == 1:
        least[inner.name] = int(value) + (signs[0] == ">")
    return [Limit(inner.name, signs[0], Fraction(value), is_size)], least
