"""Which actions are legal now. Goes by the flags and the intent alone; a violation is an observation, no exception."""

from __future__ import annotations

from mathrag.reason.agent.seams import Problem
from mathrag.reason.agent.state import EpisodeState
from mathrag.types.episode import ACTION_NAMES, Action, Observation

# Questions that ask for no number may be answered in words at once.
_WORDS_ALONE = ("chat", "explain")


def violation(name: str, state: EpisodeState) -> Problem | None:
    """Why an action is not legal now; None where it is."""
    match name:
        case "ASSUME" if not state.permissions.may_assume:
            return Problem(
                "not_allowed", "values of your own are not allowed here: only those of the question and the documents"
            )
        case "PROPOSE_FORMULA" if not state.permissions.may_propose:
            return Problem("not_allowed", "formulas of your own are not allowed here: only those of the documents")
        case "CREATE_DYNAMIC_TOOL" | "SOLVE" | "CORRECT_MEANING" if not state.has_retrieved_knowledge:
            return Problem("retrieve_first", f"no {name} before retrieval: use RETRIEVE_MATH_KNOWLEDGE first")
        case "CALL_TOOL" if not state.has_retrieved_knowledge and not state.has_created_tool:
            return Problem("create_tool_first", "no call before a formula: use RETRIEVE_MATH_KNOWLEDGE first")
        case "SAME_AS" if len(state.steps) not in state.doubted:
            return Problem("nothing_doubted", "SAME_AS answers an objection to the last result; there is none")
        case "TRANSLATE_INPUT" if state.was_translation_tried:
            return Problem("already_translated", "a translation was asked for already")
        case "ANSWER_DIRECTLY" if not _may_answer_directly(state):
            return Problem(
                "call_tool_first",
                "no numeric answer before a call: retrieve a formula, make a tool and call it, or say what is missing",
            )
    return None


def _may_answer_directly(state: EpisodeState) -> bool:
    return state.direct is not None or state.has_called_tool or state.question.intent in _WORDS_ALONE


def legal_actions(state: EpisodeState) -> tuple[str, ...]:
    """The actions that are legal now, in the usual order."""
    return tuple(name for name in ACTION_NAMES if violation(name, state) is None)


def check(action: object, state: EpisodeState) -> Observation | None:
    """The observation that refuses an action; None where it may be carried out."""
    if not isinstance(action, Action) or not isinstance(action.name, str):
        return refused(Problem("malformed_action", "an action has a name and inputs"), state)
    if not action.name:
        return refused(Problem("unknown_action", "no action could be read; write its name and its inputs"), state)
    if action.name not in ACTION_NAMES:
        return refused(Problem("unknown_action", f"there is no action {action.name[:60]!r}"), state)
    problem = violation(action.name, state)
    return None if problem is None else refused(problem, state)


def refused(problem: Problem, state: EpisodeState) -> Observation:
    """A problem as what came back, with what is legal instead."""
    return Observation(False, problem.code, problem.message, next_actions=legal_actions(state))
