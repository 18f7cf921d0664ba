"""A written solution against calculation: a verdict for each step, numbers from nowhere, the answer it ends with.

Needs no model and no library. What calculation cannot tell stays unchecked: nothing here ever says "correct".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from mathrag.compute.answers import final_answer, same_answer
from mathrag.compute.claims import judge_steps
from mathrag.reason.steps.loose_numbers import RELATION, KnownNumbers, loose_numbers, numbers_in
from mathrag.sources.procedures.solution_files import UNREAD, SolutionText
from mathrag.types.solution import (
    CheckOutcome,
    ClaimVerdict,
    SimilarSolution,
    Solution,
    SolutionCheck,
    StepVerdict,
)

# From the text of a problem to solved ones that resemble it, the most similar first; where they come from is not known
# here.
FindSimilar: TypeAlias = Callable[[str], tuple[SimilarSolution, ...]]
MOST_SIMILAR = 3
_LONGEST_ANSWER = 500


def check_solution(
    solution: Solution, *, similar: FindSimilar | None = None, is_complete: bool = True, notes: Sequence[str] = ()
) -> SolutionCheck:
    """All that calculation finds in a solution. Without `is_complete` some of its text could not be read, and then
    nothing is said of where its numbers come from."""
    steps = [step.text for step in solution.steps]
    problem = solution.problem.text if solution.problem is not None else ""
    verdicts = judge_steps(steps, problem)
    solution = replace(solution, answer=stated_answer(solution))
    final, reason = _final(solution, verdicts, problem)
    return SolutionCheck(
        solution,
        verdicts,
        loose_numbers(steps, problem, verdicts) if problem and is_complete else (),
        final,
        reason,
        similar(problem)[:MOST_SIMILAR] if similar is not None and problem else (),
        tuple(notes),
    )


def check_read_solution(read: SolutionText, *, similar: FindSimilar | None = None) -> SolutionCheck:
    """Check a solution as it was read from a text or a file, with what could not be read of it."""
    is_complete = not read.notes and not any(UNREAD in step.text for step in read.solution.steps)
    return check_solution(read.solution, similar=similar, is_complete=is_complete, notes=read.notes)


def stated_answer(solution: Solution) -> str:
    """What a solution gives as its answer: under a title of its own, in a box, or in a sentence; empty where nothing
    says so."""
    if solution.answer:
        return (final_answer(solution.answer) or solution.answer).strip()[:_LONGEST_ANSWER]
    found = final_answer("\n\n".join(step.text for step in solution.steps))
    return (found or "").strip()[:_LONGEST_ANSWER]


def _final(solution: Solution, verdicts: Sequence[StepVerdict], problem: str) -> tuple[CheckOutcome, str]:
    """The stated answer against the last value that a calculation gives.

    An answer that differs is refuted only where nothing in the solution leads to it: the last calculation may be a
    check, or one of several values.
    """
    answer = solution.answer
    if not answer:
        return "unchecked", "the solution states no final answer that could be found"
    last = _last_claim(verdicts)
    if last is None:
        return "unchecked", f"the answer {_short(answer)} is stated, but no calculation could be read that leads to it"
    place, verdict = last
    if verdict.outcome == "refuted":
        return "unchecked", f"the last calculation, in step {place + 1}, is false, so nothing is left to compare with"
    derived = _right_side(solution.steps[place].text, verdict)
    is_same = same_answer(answer, derived)
    if is_same:
        false = next((verdict.step for verdict in verdicts if verdict.outcome == "refuted"), None)
        doubt = "" if false is None else f"; but step {false + 1} before it is false"
        return (
            "verified",
            f"the answer {_short(answer)} is the last value that is calculated, in step {place + 1}{doubt}",
        )
    differs = f"the answer is {_short(answer)}, and the last value that is calculated is {_short(derived)}"
    if is_same is None or _may_come_from(answer, solution, problem):
        return "unchecked", f"{differs}, in step {place + 1}; whether one leads to the other cannot be told"
    return "refuted", f"{differs}, in step {place + 1}; no step leads to {_short(answer)}"


def _last_claim(verdicts: Sequence[StepVerdict]) -> tuple[int, ClaimVerdict] | None:
    for verdict in reversed(verdicts):
        for claim in reversed(verdict.claims):
            if claim.claim.kind in ("value", "consequence") and claim.outcome != "unchecked":
                return verdict.step, claim
    return None


def _right_side(text: str, verdict: ClaimVerdict) -> str:
    claim = verdict.claim
    stated = text[claim.start : claim.end] or claim.text
    relations = list(RELATION.finditer(stated))
    return stated[relations[-1].end() :].strip(" \n.,;:$") if relations else stated.strip()


def _may_come_from(answer: str, solution: Solution, problem: str) -> bool:
    """Whether the answer is no plain number, or one that the text gives somewhere or that lies one operation away."""
    numbers = list(numbers_in(answer))
    if len(numbers) != 1:
        return True
    known = KnownNumbers(problem)
    text = "\n".join(step.text for step in solution.steps)
    stated = text.rfind(answer)
    if stated >= 0:
        # Where it is stated as the answer, it does not lead to itself.
        text = text[:stated] + text[stated + len(answer) :]
    known.take(text)
    return known.explains(numbers[0])


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:59]}…"
