"""When the rules should ask a language model: where they are unsure, not where they are sure of a no. Decides only."""

from __future__ import annotations

from collections.abc import Sequence

from mathrag.types.answer import Answer, Choice, Outcome, Refusal, Reply
from mathrag.types.question import Question

# Answers below this are right too seldom to be left alone; see docs/reports/choosing.md for the calibration.
SURE = 0.65
# Refusals in which the rules say that they do not know, rather than that there is no answer.
_UNSURE = ("unsure", "no_formula", "failed")


def reason_to_ask(
    outcome: Outcome, question: Question | None, *, choices: Sequence[Choice] = (), candidates: Sequence[str] = ()
) -> str:
    """Why a model should look at a question that the rules have dealt with; empty where it need not.

    `candidates` are the formulas that were considered: where there are none, there is nothing to choose from.
    """
    if question is None or question.intent == "chat" or isinstance(outcome, Reply):
        return ""
    if isinstance(outcome, Answer):
        if outcome.steps and outcome.confidence < SURE:
            return "the rules were not sure of their answer"
        return ""
    return _refusal_reason(outcome, question, choices) if candidates else ""


def _refusal_reason(refusal: Refusal, question: Question, choices: Sequence[Choice]) -> str:
    if refusal.code == "language":
        # Whoever could translate was asked for it by the rules already.
        return ""
    if question.intent == "ambiguous":
        return "the rules did not understand the question"
    if refusal.code in _UNSURE:
        return "the rules found no formula" if refusal.code == "no_formula" else "the rules were not sure of a formula"
    if refusal.code == "missing" and choices and choices[0].unused:
        return "a value seems to be missing while another is left over"
    return ""
