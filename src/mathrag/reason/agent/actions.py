"""What each action does to an episode, once the gate has let it through. The work itself is the workbench's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from mathrag.errors import MathragError, readable
from mathrag.language.spoken_numbers import strange_words
from mathrag.reason.agent import endings
from mathrag.reason.agent.formula_tools import bind_parameters
from mathrag.reason.agent.gate import legal_actions, refused
from mathrag.reason.agent.number_sources import (
    KnownNumbers,
    has_numbers,
    is_finite,
    quotes_source,
    unsourced_numbers,
    visible,
)
from mathrag.reason.agent.seams import CANDIDATES_RETRIEVED, BenchTool, Problem, Workbench
from mathrag.reason.agent.state import EpisodeState, tool_card
from mathrag.reason.agent.trace import choice_json, constant_json, formula_json, step_json
from mathrag.reason.agent.translation_check import translation_problem
from mathrag.types.answer import MODEL_WORDS, Refusal, Step
from mathrag.types.episode import Action, Observation

# The inputs of each action, read from JSON that may come from anyone. Says what is wrong; looks nothing up.

LONGEST_STRING = 4_000
_LONGEST_LIST = 50
_MOST_PARAMETERS = 100


@dataclass(frozen=True, slots=True)
class Search:
    """Words to look formulas up by."""

    query: str
    terms: tuple[str, ...] = ()
    literals: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ConstantSearch:
    """Names or symbols of constants."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """A formula to make a tool of, and what to solve it for."""

    formula_id: str
    target: str | None = None


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool with a value for each parameter, not looked at yet."""

    tool_name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A text for the user; empty where the episode is to say it itself."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class Translation:
    """The language to translate into; what is translated is always the question."""

    language: str = "English"


Inputs: TypeAlias = Search | ConstantSearch | ToolRequest | ToolCall | Sentence | Translation
_Raw: TypeAlias = Mapping[str, Any]


class _ShapeError(Exception):
    """A shape that does not fit; never leaves this module."""


def read_inputs(name: str, inputs: object) -> Inputs | Problem:
    """The inputs of a known action, checked for shape and size."""
    keys, read = _READERS[name]
    if not isinstance(inputs, Mapping):
        return Problem("malformed_inputs", f"{name} takes a JSON object, not {_kind(inputs)}")
    unknown = [str(key)[:40] for key in inputs if key not in keys]
    if unknown:
        allowed = ", ".join(keys)
        return Problem("malformed_inputs", f"{name} does not take {', '.join(unknown[:5])}; it takes {allowed}")
    try:
        return read(inputs)
    except _ShapeError as wrong:
        return Problem("malformed_inputs", f"{name}: {wrong}")


def _search(inputs: _Raw) -> Search:
    query, terms = _text(inputs, "query"), _texts(inputs, "search_terms")
    literals = inputs.get("literals", {})
    if not isinstance(literals, Mapping) or len(literals) > _LONGEST_LIST:
        raise _ShapeError("literals is an object with the lists numeric and categorical")
    for key, values in literals.items():
        if key not in ("numeric", "categorical") or not isinstance(values, list | tuple):
            raise _ShapeError("literals is an object with the lists numeric and categorical")
        if len(values) > _LONGEST_LIST or not all(_is_literal(value) for value in values):
            raise _ShapeError(f"literals.{key} is a short list of numbers or words")
    if not query and not terms:
        raise _ShapeError("give a query (a phrase) or search_terms (a list of words)")
    return Search(query, terms, {key: tuple(values) for key, values in literals.items()})


def _is_literal(value: object) -> bool:
    return isinstance(value, int | float) or (isinstance(value, str) and len(value) <= LONGEST_STRING)


def _constant(inputs: _Raw) -> ConstantSearch:
    query, names = _text(inputs, "query"), _texts(inputs, "names")
    words = tuple(dict.fromkeys((*((query,) if query else ()), *names)))
    if not words:
        raise _ShapeError("give a query (the name of a constant) or names (a list of them)")
    return ConstantSearch(words)


def _tool(inputs: _Raw) -> ToolRequest:
    formula_id = _text(inputs, "formula_id")
    if not formula_id:
        raise _ShapeError("formula_id is the id of a formula that was retrieved")
    return ToolRequest(formula_id, _text(inputs, "target") or None)


def _call(inputs: _Raw) -> ToolCall:
    name = _text(inputs, "tool_name")
    if not name:
        raise _ShapeError("tool_name is the name of a tool that was created")
    parameters = inputs.get("parameters", {})
    if not isinstance(parameters, Mapping) or not all(isinstance(key, str) for key in parameters):
        raise _ShapeError(f"parameters is an object from parameter names to values, not {_kind(parameters)}")
    if len(parameters) > _MOST_PARAMETERS:
        raise _ShapeError(f"no formula has {len(parameters)} parameters")
    return ToolCall(name, dict(parameters))


def _answer(inputs: _Raw) -> Sentence:
    return Sentence(visible(_text(inputs, "answer")).strip())


def _clarification(inputs: _Raw) -> Sentence:
    return Sentence(visible(_text(inputs, "question")).strip())


def _translation(inputs: _Raw) -> Translation:
    _text(inputs, "text")
    return Translation(_text(inputs, "target_lang") or "English")


def _text(inputs: _Raw, key: str) -> str:
    value = inputs.get(key, "")
    if not isinstance(value, str):
        raise _ShapeError(f"{key} is a text, not {_kind(value)}")
    if len(value) > LONGEST_STRING:
        raise _ShapeError(f"{key} has {len(value)} characters; at most {LONGEST_STRING} are read")
    return value.strip()


def _texts(inputs: _Raw, key: str) -> tuple[str, ...]:
    value = inputs.get(key, ())
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise _ShapeError(f"{key} is a list of texts")
    if len(value) > _LONGEST_LIST or any(len(item) > LONGEST_STRING for item in value):
        raise _ShapeError(f"{key} is too long")
    return tuple(item.strip() for item in value if item.strip())


def _kind(value: object) -> str:
    """What a JSON value is, in words."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "a truth value"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a text"
    return "a list" if isinstance(value, list | tuple) else "an object"


_READERS: dict[str, tuple[tuple[str, ...], Callable[[_Raw], Inputs]]] = {
    "RETRIEVE_MATH_KNOWLEDGE": (("query", "search_terms", "literals"), _search),
    "RETRIEVE_CONSTANT": (("query", "names"), _constant),
    "CREATE_DYNAMIC_TOOL": (("formula_id", "target"), _tool),
    "CALL_TOOL": (("tool_name", "parameters"), _call),
    "TRANSLATE_INPUT": (("text", "target_lang"), _translation),
    "ASK_FOR_CLARIFICATION": (("question",), _clarification),
    "ANSWER_DIRECTLY": (("answer",), _answer),
    "RESPOND": (("answer",), _answer),
}

_Done: TypeAlias = Observation | Problem
_OWN_WORDS = "a language model's own words; nothing in them comes from the library"


def carry_out(action: Action, state: EpisodeState, bench: Workbench) -> Observation:
    """Do a legal action and say what came of it. Problems of any kind come back as observations."""
    inputs = read_inputs(action.name, action.inputs)
    if isinstance(inputs, Problem):
        return refused(inputs, state)
    try:
        done = _ACTIONS[action.name](inputs, state, bench)
    except MathragError as error:
        done = Problem("failed", str(error))
    return refused(done, state) if isinstance(done, Problem) else done


def _succeeded(state: EpisodeState, code: str, message: str, **data: Any) -> Observation:
    next_actions = () if state.outcome is not None else legal_actions(state)
    return Observation(True, code, readable(message), data, next_actions)


def _retrieve(inputs: Inputs, state: EpisodeState, bench: Workbench) -> _Done:
    assert isinstance(inputs, Search)
    retrieved = bench.retrieve(inputs.query, search_terms=inputs.terms, literals=inputs.literals)
    state.retrieved = retrieved
    if not retrieved.candidates and not retrieved.formulas and not retrieved.choices:
        return Problem("nothing_found", "no formula of the library fits these words; try others, or say so")
    state.has_retrieved_knowledge = True
    for choice in retrieved.choices:
        state.ledger.add_choice(choice, question=state.question.text)
    constants = [constant_json(each, state.ledger.add_constant(each)) for each in retrieved.constants]
    cards = state.shown_formulas()
    suggestion, verdict = state.suggestion, retrieved.refusal
    return _succeeded(
        state,
        "retrieved",
        f"{len(retrieved.candidates[:CANDIDATES_RETRIEVED])} formulas found; best: {cards[0].label if cards else ''}",
        candidates=[
            {"formula_id": found.id, "label": found.label, "score": found.score}
            for found in retrieved.candidates[:CANDIDATES_RETRIEVED]
        ],
        formulas=[formula_json(card) for card in cards],
        suggestion=None if suggestion is None else choice_json(suggestion),
        choices=[
            {**choice_json(each), "score": each.score, "features": dict(each.features)} for each in retrieved.choices
        ],
        verdict=None if verdict is None else {"code": verdict.code, "reason": verdict.reason},
        constants=constants,
    )


def _retrieve_constant(inputs: Inputs, state: EpisodeState, bench: Workbench) -> _Done:
    assert isinstance(inputs, ConstantSearch)
    found = bench.retrieve_constants(inputs.words)
    if not found:
        return Problem("nothing_found", f"no constant is called {', '.join(inputs.words)[:80]!r}")
    state.constants += [each for each in found if each not in state.constants]
    shown = [constant_json(each, state.ledger.add_constant(each)) for each in found]
    return _succeeded(state, "constants", ", ".join(each.name for each in found), constants=shown)


def _create_tool(inputs: Inputs, state: EpisodeState, bench: Workbench) -> _Done:
    assert isinstance(inputs, ToolRequest)
    names = state.formula_names()
    ids = names.get(inputs.formula_id, set())
    if not ids:
        known = ", ".join(sorted({each for found in names.values() for each in found}))
        return Problem("unknown_formula", f"{inputs.formula_id[:60]!r} was not retrieved; retrieved: {known}")
    if len(ids) > 1:
        return Problem("ambiguous_formula", f"several formulas have this label; name the id: {', '.join(sorted(ids))}")
    (formula_id,) = ids
    tool = bench.make_tool(formula_id, target=inputs.target)
    if isinstance(tool, Problem):
        return tool
    name = _free_name(tool, state)
    state.tools[name] = tool
    state.has_created_tool = True
    card = tool_card(name, tool)
    return _succeeded(
        state,
        "tool_created",
        f"{card.name} computes {card.target}",
        tool_name=card.name,
        description=card.description,
        formula_id=card.formula_id,
        target=card.target,
        schema=card.schema,
    )


def _free_name(tool: BenchTool, state: EpisodeState) -> str:
    """The tool's own name, numbered where a tool of another formula has it."""
    name, number = tool.name, 1
    while name in state.tools and not _is_twin(state.tools[name], tool):
        number += 1
        name = f"{tool.name}_{number}"
    return name


def _is_twin(first: BenchTool, second: BenchTool) -> bool:
    return (first.formula.id, first.target) == (second.formula.id, second.target)


def _call_tool(inputs: Inputs, state: EpisodeState, _bench: Workbench) -> _Done:
    assert isinstance(inputs, ToolCall)
    tool = state.tools.get(inputs.tool_name)
    if tool is None:
        available = ", ".join(state.tools)
        return Problem("unknown_tool", f"there is no tool {inputs.tool_name[:60]!r}; available: {available}")
    bound = bind_parameters(tool, inputs.parameters, ledger=state.ledger)
    if isinstance(bound, Problem):
        return bound
    number = len(state.steps) + 1
    step = tool.invoke(bound, number=number)
    if isinstance(step, Problem):
        return step
    if step.number != number or not is_finite(step.result.value):
        return Problem("failed", f"{tool.name} gave no finite number")
    state.steps.append(step)
    state.ledger.add_step(step)
    state.has_called_tool = True
    shown = f"{step.target} = {step.result.value:.{max(2, min(step.significant_figures, 15))}g} {step.result.unit.text}"
    return _succeeded(state, "tool_result", shown.strip(), **step_json(step))


def _translate(inputs: Inputs, state: EpisodeState, bench: Workbench) -> _Done:
    assert isinstance(inputs, Translation)
    state.was_translation_tried = True
    question = bench.translate(state.question.text, language=inputs.language)
    if question is None:
        return Problem("no_model", "there is no language model to translate with; the question is read as it stands")
    if isinstance(question, Problem):
        return question
    problem = translation_problem(state.question.text, question.text)
    if problem is not None:
        return problem
    state.translated_from = state.question.text
    state.question = question
    state.direct = bench.direct(question)
    state.start_ledger()
    return _succeeded(state, "translated", question.text)


def _clarify(inputs: Inputs, state: EpisodeState, bench: Workbench) -> _Done:
    assert isinstance(inputs, Sentence)
    # A question back shows no number but the user's own: what was computed is no answer yet.
    asked = KnownNumbers(state.ledger.said_by_user(), words=state.known_words())
    problem = _unsourced(inputs.text, state, known=asked)
    if problem is not None:
        return problem
    state.outcome = endings.clarification(state, bench, text=inputs.text)
    return _succeeded(state, "asked", state.outcome.reason)


def _answer_directly(inputs: Inputs, state: EpisodeState, bench: Workbench) -> _Done:
    assert isinstance(inputs, Sentence)
    if state.direct is not None:
        # Computed from the question itself: what a planner would say to it does not count.
        state.outcome = state.direct
        return _succeeded(state, "computed_directly", "computed without a formula")
    if state.has_called_tool:
        return _respond(inputs, state, bench)
    problem = _unsourced(inputs.text, state)
    if problem is not None:
        return problem
    reply = bench.reply(state.question)
    if inputs.text and state.question.intent == "chat":
        # Small talk may be a planner's own; what explains something comes from the library.
        reply = replace(reply, text=f"{MODEL_WORDS}{inputs.text}", warnings=(*reply.warnings, _OWN_WORDS))
    state.outcome = reply
    return _succeeded(state, "replied", state.outcome.text)


def _respond(inputs: Inputs, state: EpisodeState, bench: Workbench) -> _Done:
    assert isinstance(inputs, Sentence)
    text = inputs.text
    if state.has_called_tool:
        problem = _unsourced(text, state) or _result_missing(text, state)
        if problem is not None:
            return problem
        ending = endings.computed_answer(state, bench, text=text)
        if isinstance(ending, Problem):
            return ending
        state.outcome = ending
        if isinstance(ending, Refusal):
            return _succeeded(state, "refused", ending.reason)
        return _succeeded(state, "answered", text or "answered")
    if state.question.intent == "constant" and state.constants:
        problem = _unsourced(text, state)
        if problem is not None:
            return problem
        state.outcome = endings.constant_answer(state, bench, constant=state.constants[0], text=text)
        return _succeeded(state, "answered", text or "answered")
    if text and has_numbers(text, words=state.known_words()):
        return Problem("call_tool_first", "no numeric answer before a call; without one, answer without any number")
    problem = _unreadable(text, state)
    if problem is not None:
        return problem
    state.outcome = endings.refusal(state, bench, text=text)
    return _succeeded(state, "refused", state.outcome.reason)


def _unsourced(text: str, state: EpisodeState, *, known: KnownNumbers | None = None) -> Problem | None:
    if not text:
        return None
    invented = unsourced_numbers(text, known or state.known_numbers())
    return _without_source(invented) if invented else _unreadable(text, state)


def _unreadable(text: str, state: EpisodeState) -> Problem | None:
    """Words in letters in which numbers would not be found are not shown to anyone."""
    strange = strange_words(text, state.known_words())
    if not strange:
        return None
    shown = ", ".join(strange)[:120]
    return Problem("unreadable_letters", f"write in Latin letters; these words cannot be checked: {shown}")


def _without_source(invented: tuple[str, ...]) -> Problem:
    shown = ", ".join(invented)[:120]
    return Problem("number_without_source", f"these numbers occur nowhere in this episode: {shown}")


def _result_missing(text: str, state: EpisodeState) -> Problem | None:
    """A text must quote the result: else it could pass off a given value as the answer, or deny it."""
    if not text:
        return None
    last: Step = state.steps[-1]
    source = state.ledger.get(f"result_{last.number}")
    if source is not None and quotes_source(text, source):
        return None
    return Problem("result_not_stated", f"the text does not state the result of step {last.number}")


_ACTIONS: dict[str, Callable[[Inputs, EpisodeState, Workbench], _Done]] = {
    "RETRIEVE_MATH_KNOWLEDGE": _retrieve,
    "RETRIEVE_CONSTANT": _retrieve_constant,
    "CREATE_DYNAMIC_TOOL": _create_tool,
    "CALL_TOOL": _call_tool,
    "TRANSLATE_INPUT": _translate,
    "ASK_FOR_CLARIFICATION": _clarify,
    "ANSWER_DIRECTLY": _answer_directly,
    "RESPOND": _respond,
}
