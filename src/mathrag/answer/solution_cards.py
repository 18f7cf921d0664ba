"""What was found in a written solution, for people and programs: a statement in words, lines of text, an object.

The statement always says that no false calculation found is not the same as correct.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from mathrag.answer.clean_text import clean
from mathrag.answer.quality_cards import quality_object, quality_words
from mathrag.documents.math_in_text.delimiters import DelimiterReader
from mathrag.language.enumeration import listed
from mathrag.types.solution import CheckOutcome, ClaimVerdict, SimilarSolution, SolutionCheck, StepVerdict

MARKS: dict[CheckOutcome, str] = {"verified": "✓", "refuted": "✗", "unchecked": "·"}
# Never "right": a step whose calculations are right may still be the wrong step.
WORDS: dict[CheckOutcome, str] = {"verified": "adds up", "refuted": "false", "unchecked": "unchecked"}
FINAL_WORDS: dict[CheckOutcome, str] = {
    "verified": "as calculated",
    "refuted": "not as calculated",
    "unchecked": "unchecked",
}
LEGEND = "✓ its calculations are right   ✗ a calculation is false   · nothing was checked"
NOT_KNOWN = (
    "No false calculation found is not the same as correct: whether the steps fit the problem, and whether each "
    "follows from the one before, is not checked."
)
REST_NOT_KNOWN = (
    "The other steps are not shown to be correct: whether they fit the problem, and whether each follows from the one "
    "before, is not checked."
)
_ALIGNMENT = re.compile(r"(?<!\\)&")
_RELATION = re.compile(r"[=≈≡≤≥<>]|\\(?:approx|equiv|leq?|geq?|neq?)\b")
_LONGEST_STEP = 400
_LONGEST_CLAIM = 160
_WIDTH = 80


def statement(check: SolutionCheck) -> str:
    """What is known and what is not, in sentences."""
    return " ".join((*_found(check), NOT_KNOWN if check.first_error is None else REST_NOT_KNOWN))


def _found(check: SolutionCheck) -> Iterator[str]:
    refuted = [verdict for verdict in check.steps if verdict.outcome == "refuted"]
    right = sum(verdict.outcome == "verified" for verdict in check.steps)
    total = len(check.steps)
    if refuted:
        first = refuted[0]
        yield f"Step {first.step + 1} holds a false calculation: {claim_sentence(first.refuted[0])}."
        if len(refuted) > 1:
            others = ", ".join(str(verdict.step + 1) for verdict in refuted[1:9])
            yield f"So do later steps ({others}{', …' if len(refuted) > 9 else ''}); they may follow from the first."
    elif right:
        held = "holds" if right == 1 else "hold"
        yield f"No false calculation found in {_steps(total)}; {right} of them {held} calculations that are right."
    else:
        yield f"Nothing could be checked by calculation in {_steps(total)}."
    if check.final == "refuted":
        yield f"The answer is not what is calculated: {check.final_reason}."


def _steps(count: int) -> str:
    return "1 step" if count == 1 else f"{count} steps"


def claim_sentence(verdict: ClaimVerdict) -> str:
    """A false claim with the right value, or the reason why it is false."""
    said = clean(claim_text(verdict.claim.text), longest=_LONGEST_CLAIM)
    if verdict.right:
        return f"{said}, and the right value is {clean(verdict.right, longest=_LONGEST_CLAIM)}"
    return f"{said}: {clean(verdict.reason, longest=_LONGEST_CLAIM)}" if verdict.reason else said


def claim_text(text: str) -> str:
    """A claim for the eye: without marks of alignment, and as one side of an equation where it is no more."""
    said = _ALIGNMENT.sub("", text).strip()
    return said if _RELATION.search(said) else f"= {said}"


# ---- for a terminal


def check_lines(check: SolutionCheck, *, width: int = _WIDTH) -> list[str]:
    """The card for a terminal, no line wider than `width`."""
    lines = [*_wrapped(statement(check), width), ""]
    margin = len(str(len(check.steps)))
    for step, verdict in zip(check.solution.steps, check.steps, strict=True):
        head = f"{verdict.step + 1:>{margin}} {MARKS[verdict.outcome]} {WORDS[verdict.outcome]:<9} "
        lines += _wrapped(clean(step.text, longest=_LONGEST_STEP), width, head)
        for sentence in _remarks(check, verdict):
            lines += _wrapped(sentence, width, " " * len(head) + "> ")
    lines += ["", LEGEND]
    for title, sentences in _sections(check):
        lines += ["", f"{title}:"]
        for sentence in sentences:
            lines += _wrapped(clean(sentence), width, "  ")
    return lines


def _remarks(check: SolutionCheck, verdict: StepVerdict) -> Iterator[str]:
    for claim in verdict.refuted:
        yield f"false: {claim_sentence(claim)}"
    if verdict.outcome == "unchecked":
        reason = next((claim.reason for claim in verdict.claims if claim.reason), "")
        if reason:
            yield clean(reason)
    loose = [clean(number.text) for number in check.loose_numbers if number.step == verdict.step]
    if loose:
        yield f"where {listed(loose)} {'comes' if len(loose) == 1 else 'come'} from is not said before"


def _sections(check: SolutionCheck) -> Iterator[tuple[str, list[str]]]:
    yield f"Final answer ({FINAL_WORDS[check.final]})", [f"{check.final_reason}."]
    if check.similar:
        yield (
            "Similar solved problems",
            [line for one in check.similar for line in _similar_lines(one)],
        )
    if check.notes:
        yield "Left out", [f"{note}." for note in check.notes]


def _similar_lines(one: SimilarSolution) -> Iterator[str]:
    yield f"{one.similarity:.0%}  {clean(one.problem, longest=200)} ({clean(one.source)})"
    if one.quality is not None:
        yield f"its solution: {quality_words(one.quality)}"


def _wrapped(text: str, width: int, head: str = "") -> list[str]:
    made = textwrap.wrap(text, width, initial_indent=head, subsequent_indent=" " * len(head), break_long_words=True)
    return made or [head.rstrip()]


# ---- for programs


def check_object(check: SolutionCheck) -> dict[str, Any]:
    """The check as data; steps are counted from 1."""
    first = check.first_error
    return {
        "statement": statement(check),
        "first_error": None if first is None else first + 1,
        "problem": check.solution.problem.text if check.solution.problem is not None else "",
        "steps": [
            {
                "number": verdict.step + 1,
                "line": step.line,
                "text": step.text,
                "outcome": verdict.outcome,
                "claims": [_claim_object(one) for one in verdict.claims],
            }
            for step, verdict in zip(check.solution.steps, check.steps, strict=True)
        ],
        "loose_numbers": [
            {"text": one.text, "step": one.step + 1, "start": one.start, "end": one.end} for one in check.loose_numbers
        ],
        "final": {"outcome": check.final, "answer": check.solution.answer, "reason": check.final_reason},
        "similar": [
            {
                "id": one.id,
                "problem": one.problem,
                "similarity": round(one.similarity, 4),
                "source": one.source,
                **({} if one.quality is None else {"quality": quality_object(one.quality)}),
            }
            for one in check.similar
        ],
        "notes": list(check.notes),
    }


def _claim_object(verdict: ClaimVerdict) -> dict[str, Any]:
    claim = verdict.claim
    return {
        "text": claim.text,
        "kind": claim.kind,
        "start": claim.start,
        "end": claim.end,
        "outcome": verdict.outcome,
        "right": verdict.right,
        "reason": verdict.reason,
    }


# ---- for pages


def shown_pieces(text: str, spans: Sequence[tuple[int, int]] = ()) -> list[dict[str, Any]]:
    """A step as words and formulas in their order; `is_marked` where one of the spans lies in it."""
    pieces: list[dict[str, Any]] = []
    start = 0
    for begin, end, latex, is_display in _formulas(text):
        pieces += _words(text, start, begin, spans)
        marked = any(first < end and begin < last for first, last in spans)
        pieces.append({"latex": latex, "is_display": is_display, "is_marked": marked})
        start = end
    return pieces + _words(text, start, len(text), spans)


def claim_pieces(step: str, claim: str, start: int) -> list[dict[str, Any]]:
    """A claim for the eye, set as a formula where it stands within one."""
    said = claim_text(claim)
    if any(begin <= start < end for begin, end, _, _ in _formulas(step)):
        return [{"latex": said, "is_display": False, "is_marked": False}]
    return shown_pieces(said)


def _formulas(text: str) -> Iterator[tuple[int, int, str, bool]]:
    reader = DelimiterReader(text)
    place = 0
    while place < len(text):
        dollar, slash = text.find("$", place), text.find("\\", place)
        if dollar < 0 and slash < 0:
            return
        place = min(at for at in (dollar, slash) if at >= 0)
        if text.startswith("\\$", place):
            place += 2
            continue
        found = reader.at_dollar(place) if text[place] == "$" else reader.at_backslash(place)
        if found is None:
            place += 1
            continue
        yield found.start, found.end, text[found.inner_start : found.inner_end].strip(), found.is_display
        place = found.end


def _words(text: str, start: int, end: int, spans: Sequence[tuple[int, int]]) -> list[dict[str, Any]]:
    """The text between two places, cut where a marked part begins or ends."""
    edges = sorted({start, end, *(min(max(edge, start), end) for span in spans for edge in span)})
    return [
        {"text": text[first:last], "is_marked": any(begin <= first and last <= stop for begin, stop in spans)}
        for first, last in pairwise(edges)
        if last > first
    ]
