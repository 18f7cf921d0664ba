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


# What would mend a refusal, where its sentence only says what is wrong.
_MENDS = {
    "dimension": "look at the units in VALUES and at those that the symbols of the formula have; a symbol that was "
    "read wrongly is mended by CORRECT_MEANING",
    "unit": "ask for a unit of that kind, or for none",
    "missing": "name a value for it, or find one by LOOK_UP, DEFINE_VALUE or another formula",
    "underdetermined": "add a formula, a relation or a known value, or solve for less",
    "no_solution": "check which value stands for which symbol, and rename symbols that are not one quantity",
    "unsolved": "take fewer formulas, or solve them one after the other by CALL_TOOL",
    "division_by_zero": "check which value stands for which symbol",
    "domain": "check which value stands for which symbol",
    "complex": "check which value stands for which symbol",
    "not_executable": "take another formula, or put together what it says by COMPUTE",
    "malformed_expression": "write it in Python, over names from VALUES and RESULTS",
    "no_extremum": "take the other of maximum and minimum, or look at the expression",
    "nothing_found": "use other words, such as the name of the law or of the quantity",
    "no_limit": "leave limit out, or copy words such as the minimum or at most",
    "too_many_values": "use those that are there",
    "unknown_unit": "write it as in VALUES",
}


def refused(problem: Problem, state: EpisodeState) -> Observation:
    """A problem as what came back, with what would mend it and what is legal instead."""
    mend = _MENDS.get(problem.code, "")
    # Apart from the sentence, which a person may come to read.
    data = {"mend": mend} if mend else {}
    return Observation(False, problem.code, problem.message, data, legal_actions(state))
