"""A solution that a model wrote in steps, as lines for people and as data. Says everywhere whose words they are.

Marks of what was checked stand on lines of their own that no step can write: each text of a model is one line behind
the words that say so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mathrag.answer.clean_text import clean
from mathrag.types.answer import MODEL_WORDS
from mathrag.types.solution import ClaimVerdict
from mathrag.types.solving import Attempt, SteppedSolution, TakenStep

_LONGEST_STEP = 1_600
_LONGEST_CLAIM = 200
_ARITHMETIC_ALONE = "Checked is the arithmetic alone: whether the steps fit the problem is the model's word."
_MARKS = {"verified": "right", "refuted": "false", "unchecked": "not checked"}


def stepped_lines(solution: SteppedSolution) -> Iterator[str]:
    """The answer with how far it is checked, then the steps of the chosen attempt in plain words."""
    yield from answer_lines(solution)
    best = solution.best
    if best is None and solution.attempts:
        best = solution.attempts[0]
    if best is not None and best.steps:
        yield ""
        yield from _attempt_lines(best, solution)
    if solution.material:
        yield ""
        yield "similar solutions of the library that the model was shown:"
        for one in solution.material:
            yield f"  {clean(one.source) or 'unknown source'}: {clean(one.text, longest=120)}"
    for warning in solution.warnings:
        yield f"note: {clean(warning)}"


def answer_lines(solution: SteppedSolution) -> Iterator[str]:
    """The answer alone: as ours only where a checked calculation gives it, else as the model's word."""
    best = solution.best
    if best is None or best.standing == "none":
        yield "no answer was reached"
    elif best.standing == "checked":
        yield f"answer of these steps, arithmetic checked: {clean(best.value)}"
        yield f"  {best.standing_reason}. {_ARITHMETIC_ALONE}"
    else:
        yield f"answer unverified. {MODEL_WORDS}{clean(best.answer)}"
        yield f"  It is not checked: {best.standing_reason}."
    if solution.vote_note:
        yield f"  {clean(solution.vote_note)}"


def _attempt_lines(attempt: Attempt, solution: SteppedSolution) -> Iterator[str]:
    count = len(solution.attempts)
    which = f" of attempt {solution.attempts.index(attempt) + 1} of {count}" if count > 1 else ""
    yield f"steps{which}:"
    for number, step in enumerate(attempt.steps, 1):
        yield from step_lines(step, number)
    if attempt.note:
        yield f"stopped: {clean(attempt.note)}"


def step_lines(step: TakenStep, number: int) -> Iterator[str]:
    """One step with what calculation, and the teacher, say of it."""
    if step.advice:
        yield f"   teacher: {MODEL_WORDS}{clean(step.advice, longest=_LONGEST_STEP)}"
    if step.replaced:
        yield f"   first written, with a false calculation: {MODEL_WORDS}{clean(step.replaced, longest=_LONGEST_STEP)}"
    yield f"{number}. {MODEL_WORDS}{clean(step.text, longest=_LONGEST_STEP)}"
    for verdict in step.verdict.claims:
        yield f"   {_claim_line(verdict)}"
    if not step.verdict.claims:
        yield "   nothing in it could be checked"
    if step.diagnosis:
        yield f"   teacher: {MODEL_WORDS}{clean(step.diagnosis, longest=_LONGEST_STEP)}"
    if step.score is not None:
        yield f"   score: {step.score:.2f}"


def _claim_line(verdict: ClaimVerdict) -> str:
    claim = clean(verdict.claim.text, longest=_LONGEST_CLAIM)
    right = f"; right is {clean(verdict.right, longest=_LONGEST_CLAIM)}" if verdict.right else ""
    reason = f" ({clean(verdict.reason, longest=_LONGEST_CLAIM)})" if verdict.reason else ""
    return f"{_MARKS[verdict.outcome]}: {claim}{reason}{right}"


def stepped_object(solution: SteppedSolution) -> dict[str, Any]:
    """The same as data. `answer` is null unless it is checked; what a model says stands under `model_words` fields."""
    best = solution.best
    is_checked = best is not None and best.standing == "checked"
    options = solution.options
    return {
        "problem": solution.problem,
        "standing": solution.standing,
        "answer": clean(best.value) if best is not None and is_checked else None,
        "unverified_answer": (
            f"{MODEL_WORDS}{clean(best.answer)}" if best is not None and best.standing == "unverified" else None
        ),
        "reason": "no answer was reached" if best is None else best.standing_reason,
        "note": _ARITHMETIC_ALONE,
        "chosen": solution.chosen,
        "vote": {"rule": options.vote, "note": solution.vote_note},
        "options": {
            "role": options.teacher,
            "n": options.attempts,
            "depth": options.depth,
            "padding": options.padding,
            "material": options.material,
        },
        "attempts": [attempt_object(attempt) for attempt in solution.attempts],
        "material": [
            {"text": one.text, "source": one.source, "similarity": round(one.similarity, 4)}
            for one in solution.material
        ],
        "warnings": list(solution.warnings),
        "usage": _usage(solution),
    }


def attempt_object(attempt: Attempt) -> dict[str, Any]:
    """One attempt as data."""
    return {
        "seed": attempt.seed,
        "ending": attempt.ending,
        "model_words_answer": attempt.answer,
        "standing": attempt.standing,
        "reason": attempt.standing_reason,
        "end_chance": _rounded(attempt.end_chance),
        "steps": [step_object(step) for step in attempt.steps],
        "note": attempt.note,
    }


def step_object(step: TakenStep) -> dict[str, Any]:
    """One step as data."""
    return {
        "model_words": step.text,
        "outcome": step.verdict.outcome,
        "claims": [
            {
                "text": one.claim.text,
                "kind": one.claim.kind,
                "outcome": one.outcome,
                "reason": one.reason,
                "right": one.right,
            }
            for one in step.verdict.claims
        ],
        "score": _rounded(step.score),
        "model_words_replaced": step.replaced,
        "model_words_advice": step.advice,
        "model_words_diagnosis": step.diagnosis,
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def _usage(solution: SteppedSolution) -> dict[str, Any] | None:
    used = solution.usage
    if used is None:
        return None
    return {
        "model": used.model,
        "calls": used.calls,
        "cached_calls": used.cached_calls,
        "prompt_tokens": used.prompt_tokens,
        "completion_tokens": used.completion_tokens,
        "cost": used.cost,
    }
