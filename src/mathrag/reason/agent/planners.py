"""Planners that need no model: one by rules, deterministic and in microseconds, and one that follows a script. From the
state of an episode to its next action; nothing is carried out here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from mathrag.reason.agent.formula_tools import is_binding_of
from mathrag.reason.agent.seams import EpisodeView, Source, ToolCard
from mathrag.reason.computing.worked_lines import plain_quantity
from mathrag.types.answer import Bound, Choice, PlannedStep, Step
from mathrag.types.episode import Action, Event

_LONGEST_QUERY = 2_000


class RulesPlanner:
    """Carries out the best-ranked choice step by step, or says why not. Keeps nothing: all it knows is in the view."""

    def next_action(self, view: EpisodeView) -> Action:
        """The next action for this state."""
        question = view.question
        if view.computes_directly:
            return Action("ANSWER_DIRECTLY", thought="this needs no formula")
        if question.language == "other":
            if view.was_translation_tried:
                return Action("RESPOND", thought="the question could not be translated")
            return Action("TRANSLATE_INPUT", {"target_lang": "English"}, "the words are not English")
        if question.intent in ("chat", "explain"):
            return Action("ANSWER_DIRECTLY", thought="nothing is to be computed")
        if question.intent == "constant":
            return _look_up(view)
        if not view.flags.has_retrieved_knowledge:
            return _retrieve(view)
        return _follow(view)


def _look_up(view: EpisodeView) -> Action:
    if any(event.action.name == "RETRIEVE_CONSTANT" for event in view.events):
        return Action("RESPOND", thought="that is what the library knows of this constant")
    targets = [name for target in view.question.targets for name in (target.phrase, target.symbol) if name]
    names = list(dict.fromkeys(targets))[:20] or [view.question.text[:_LONGEST_QUERY]]
    return Action("RETRIEVE_CONSTANT", {"names": names}, "a constant is asked for by name")


def _retrieve(view: EpisodeView) -> Action:
    if any(event.action.name == "RETRIEVE_MATH_KNOWLEDGE" for event in view.events):
        if view.refusal is not None and view.refusal.code == "missing":
            return Action("ASK_FOR_CLARIFICATION", thought="a value is missing")
        return Action("RESPOND", thought="no formula was found")
    numbers = [given.readings[0].value for given in view.question.givens if not given.implied][:50]
    query = view.question.text[:_LONGEST_QUERY].strip() or "formula"
    inputs: dict[str, Any] = {"query": query}
    if numbers:
        inputs["literals"] = {"numeric": numbers}
    return Action("RETRIEVE_MATH_KNOWLEDGE", inputs, "formulas are needed to compute what is asked")


def _follow(view: EpisodeView) -> Action:
    """The next piece of the suggestion: its constants, then a tool and a call for each step, then the answer."""
    choice = view.suggestion
    if choice is not None and choice.missing:
        return Action("ASK_FOR_CLARIFICATION", thought="a value that the formula needs is missing")
    if view.refusal is not None or choice is None or not choice.steps:
        if view.refusal is not None and (view.refusal.code == "missing" or view.question.intent == "ambiguous"):
            return Action("ASK_FOR_CLARIFICATION", thought="the question leaves something open")
        return Action("RESPOND", thought="no formula fits well enough to compute with")
    if len(view.steps) == len(choice.steps):
        return _respond(view.steps[-1], view.events)
    if _has_failed(view.events):
        return Action("RESPOND", thought="the calculation cannot be done")
    constants = _constants_to_fetch(view, choice)
    if constants:
        return Action("RETRIEVE_CONSTANT", {"names": constants}, "the formulas use constants")
    step = choice.steps[len(view.steps)]
    tool = _tool_for(step, view)
    if tool is None:
        inputs = {"formula_id": step.formula.id, "target": step.target}
        name = step.formula.label or step.formula.id
        return Action("CREATE_DYNAMIC_TOOL", inputs, f"{step.target} follows from {name}")
    return _call(step, tool, view)


def _has_failed(events: tuple[Event, ...]) -> bool:
    return any(
        not event.observation.succeeded and event.action.name in ("CREATE_DYNAMIC_TOOL", "CALL_TOOL")
        for event in events
    )


def _constants_to_fetch(view: EpisodeView, choice: Choice) -> list[str]:
    """Names of all constants of the plan, in one go; none where they were asked for or are known already."""
    if any(event.action.name == "RETRIEVE_CONSTANT" for event in view.events):
        return []
    wanted = [
        bound.provenance.text or bound.symbol
        for step in choice.steps
        for bound in step.bindings
        if bound.provenance.origin in ("constant", "document")
        and not any(is_binding_of(bound, each) for each in view.sources)
    ]
    return list(dict.fromkeys(wanted))[:50]


def _tool_for(step: PlannedStep, view: EpisodeView) -> ToolCard | None:
    for tool in view.tools:
        if (tool.formula_id, tool.target) == (step.formula.id, step.target):
            return tool
    return None


def _call(step: PlannedStep, tool: ToolCard, view: EpisodeView) -> Action:
    properties = tool.schema.get("properties", {})
    bindings = {bound.symbol: bound for bound in step.bindings}
    parameters = {name: _value(bindings[name], view.sources) for name in properties if name in bindings}
    inputs = {"tool_name": tool.name, "parameters": parameters}
    return Action("CALL_TOOL", inputs, f"every value that {step.target} needs is known")


def _value(bound: Bound, sources: tuple[Source, ...]) -> dict[str, Any]:
    """A binding as a parameter: the number for people to read, and the name of its source to be exact."""
    if bound.quantity is None:
        return {"source": f"result_{bound.provenance.step}"}
    made: dict[str, Any] = {"value": bound.quantity.value, "unit": bound.quantity.unit.text}
    for source in sources:
        if is_binding_of(bound, source):
            made["source"] = source.id
            break
    return made


def _respond(step: Step, events: tuple[Event, ...]) -> Action:
    if events[-1].action.name == "RESPOND":
        # The gate reads text as a stranger would, and may not know the unit: the value goes out all the same.
        return Action("RESPOND", thought="the value asked for is computed")
    shown = plain_quantity(replace(step.result, uncertainty=None), max(2, step.significant_figures))
    return Action("RESPOND", {"answer": f"{step.target} = {shown}"}, "the value asked for is computed")


# A planner that does what it was told, legal or not. For tests, demonstrations and replays of other planners.

Scripted = Action | Callable[[EpisodeView], Action]


class ScriptedPlanner:
    """Plays a list of actions, one a round; a function in the list is asked with the view. `views` keeps what it saw.

    After the last one it goes on asking to respond, so that a script that is too short still ends.
    """

    def __init__(self, script: Iterable[Scripted]) -> None:
        self._script = iter(tuple(script))
        self.views: list[EpisodeView] = []

    def next_action(self, view: EpisodeView) -> Action:
        """The next line of the script."""
        self.views.append(view)
        line = next(self._script, Action("RESPOND", thought="the script is over"))
        return line(view) if callable(line) else line
