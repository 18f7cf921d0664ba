"""Records of PRM800K: a problem, and for each step the ways to go on that people rated from -1 to 1.

The solution is what was chosen at each step. What was not chosen stays beside it, as alternatives with their ratings.
Where nothing was chosen, the step that was shown first is the one that was labelled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mathrag.sources.procedures.fields import (
    MOST_ALTERNATIVES,
    RecordError,
    checked_text,
    list_field,
    steps_of_text,
    text_field,
)
from mathrag.types.solution import Problem, Solution, SolutionStep, StepLabel

_LABELS: dict[int, StepLabel] = {-1: "bad", 0: "neutral", 1: "good"}


def is_like(record: Mapping[str, Any]) -> bool:
    """A question with its problem, and labels of steps."""
    question, label = record.get("question"), record.get("label")
    return isinstance(question, dict) and "problem" in question and isinstance(label, dict) and "steps" in label


def read(record: Mapping[str, Any]) -> Sequence[Solution]:
    """The labelled solution, and the reference solution where there is one."""
    if not is_like(record):
        raise RecordError("it has no question with a problem and no labelled steps")
    question, label = record["question"], record["label"]
    answer = text_field(question, "ground_truth_answer", default="")
    problem = Problem(text_field(question, "problem"), answer=answer)
    steps = tuple(_step(each) for each in list_field(label, "steps"))
    if not steps:
        raise RecordError("it has no labelled step")
    reason = label.get("finish_reason")
    is_right = {"solution": True, "found_error": False}.get(reason) if isinstance(reason, str) else None
    given = text_field(question, "pre_generated_answer", default="")
    labelled = Solution(steps, problem, answer=given or (answer if is_right else ""), is_right=is_right)
    reference = text_field(question, "ground_truth_solution", default="")
    if not reference:
        return (labelled,)
    written = tuple(SolutionStep(text, "good") for text in steps_of_text(reference))
    return (labelled, Solution(written, problem, answer=answer, is_right=True)) if written else (labelled,)


def _step(entry: object) -> SolutionStep:
    if not isinstance(entry, dict):
        raise RecordError("a labelled step is no object")
    completions = entry.get("completions")
    listed = completions if isinstance(completions, list) else []
    if len(listed) > MOST_ALTERNATIVES:
        raise RecordError(f"a step has more than {MOST_ALTERNATIVES} ways to go on")
    ways = [_way(each) for each in listed]
    by_hand = entry.get("human_completion")
    chosen = entry.get("chosen_completion")
    if by_hand is not None:
        text = by_hand.get("text") if isinstance(by_hand, dict) else by_hand
        return SolutionStep(checked_text(text, "step by hand"), "good", alternatives=tuple(ways))
    if not ways:
        raise RecordError("a labelled step has no text")
    place = chosen if isinstance(chosen, int) and not isinstance(chosen, bool) and 0 <= chosen < len(ways) else 0
    taken = ways.pop(place)
    return SolutionStep(taken.text, taken.label, alternatives=tuple(ways))


def _way(entry: object) -> SolutionStep:
    if not isinstance(entry, dict):
        raise RecordError("a way to go on is no object")
    rating = entry.get("rating")
    label: StepLabel = "unknown"
    if isinstance(rating, int) and not isinstance(rating, bool):
        label = _LABELS.get(rating, "unknown")
    return SolutionStep(checked_text(entry.get("text"), "step"), label)
