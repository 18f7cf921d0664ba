"""What an evaluation with a language model would take, before anything is asked: calls, tokens, cost.

Figures for a question are those that were measured with a strong model (docs/reports/model.md), with the size of the
prompts as they are now; where the rules answer alone, a model is asked less.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from mathrag.evaluate.questions import Half, load_questions, select
from mathrag.library.ask.models import price_of
from mathrag.llm.accounts import Estimate, dollars, usual_tokens
from mathrag.llm.messages import Usage
from mathrag.reason.agent.react.action_forms import action_tools
from mathrag.reason.agent.react.context import LARGEST_CONTEXT, system_prompt
from mathrag.reason.agent.seams import MAXIMAL_ROUNDS
from mathrag.settings import Settings

# Calls for a question as they usually come out, and what a reply has in tokens.
_USUAL_CALLS = {"react": 5, "auto": 5, "small": 3, "rules": 0}
# A second look may be taken twice, beside the rounds.
_MOST_CALLS = {"react": MAXIMAL_ROUNDS + 2, "auto": MAXIMAL_ROUNDS + 2, "small": 3, "rules": 0}
_REPLY_TOKENS = 150
_SMALL_PROMPT = 1_200
# Prompts grow to their largest size; over a question they have about this share of it.
_USUAL_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class AskingEstimate:
    """What asking a set would usually take, and how often a model could be asked at most."""

    questions: int
    usual: Estimate
    most_calls: int


def estimate_asking(
    folder: Path, *, planner: str, settings: Settings, limit: int | None = None, half: Half | None = None
) -> AskingEstimate:
    """The estimate for a question set. Reads its questions; asks nobody."""
    questions = len(select(load_questions(folder / "questions.jsonl"), limit=limit, half=half))
    calls = questions * _USUAL_CALLS[planner]
    sent = calls * (_SMALL_PROMPT if planner == "small" else _prompt_tokens())
    written = calls * _REPLY_TOKENS
    price = price_of(settings)
    cost = None if price is None else dollars(price.picodollars(Usage(sent, written)))
    return AskingEstimate(questions, Estimate(calls, 0, sent, written, cost), questions * _MOST_CALLS[planner])


def _prompt_tokens() -> int:
    tools = json.dumps([{"name": tool.name, "parameters": dict(tool.parameters)} for tool in action_tools()])
    return usual_tokens(system_prompt()) + usual_tokens(tools) + round(LARGEST_CONTEXT * _USUAL_SHARE)
