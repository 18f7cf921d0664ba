"""One question from beginning to end: think, act, observe, at most twenty times. Planner and kit are passed in."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from mathrag.errors import MathragError
from mathrag.reason.agent import endings
from mathrag.reason.agent.actions import carry_out
from mathrag.reason.agent.gate import check, legal_actions
from mathrag.reason.agent.kits import Kit, KitPlanner, State, ViewIn
from mathrag.reason.agent.seams import MAXIMAL_ROUNDS, NO_PERMISSIONS, EpisodeView, Permissions, Planner, Workbench
from mathrag.reason.agent.state import EpisodeState, initial_state
from mathrag.reason.agent.trace import json_value, trace_json
from mathrag.types.answer import Bound, Outcome
from mathrag.types.episode import Action, Event, ModelUse, Observation
from mathrag.types.question import Question


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """How a question ended, and every round that led there."""

    outcome: Outcome
    events: tuple[Event, ...]

    def trace(self) -> list[dict[str, Any]]:
        """The rounds as JSON."""
        return trace_json(self.events)


def run_episode(
    planner: KitPlanner[ViewIn],
    kit: Kit[State, ViewIn],
    question: Question,
    *,
    listener: Callable[[Event], None] | None = None,
    rounds: int = MAXIMAL_ROUNDS,
    clock: Callable[[], float] = time.perf_counter,
) -> EpisodeResult:
    """The outcome of a question with the actions of a kit; whatever the planner says, this returns."""
    began = clock()
    state = kit.start(question)
    while state.outcome is None and len(state.events) < rounds:
        try:
            event = _round(planner, kit, state, rounds=rounds, clock=clock)
            state.events.append(event)
            if listener is not None:
                listener(event)
        except MathragError as error:
            state.outcome = kit.broken_off(state, reason=str(error))
    outcome = state.outcome or kit.out_of_rounds(state, rounds=rounds)
    kit.end(state)
    spent = (clock() - began) * 1000
    return EpisodeResult(replace(outcome, milliseconds=spent), tuple(state.events))


def _round(
    planner: KitPlanner[ViewIn], kit: Kit[State, ViewIn], state: State, *, rounds: int, clock: Callable[[], float]
) -> Event:
    began = clock()
    action = planner.next_action(kit.view(state, rounds=rounds))
    observation = kit.check(action, state) or kit.carry_out(action, state)
    spent = (clock() - began) * 1000
    return Event(len(state.events) + 1, _recorded(action), observation, spent)


class FormulaKit:
    """The actions on formulas: retrieve, make tools of formulas, call them, answer. The tools live as long as the
    episode."""

    def __init__(
        self, bench: Workbench, *, pinned: tuple[Bound, ...] = (), permissions: Permissions = NO_PERMISSIONS
    ) -> None:
        self._bench = bench
        self._pinned = pinned
        self._permissions = permissions

    def start(self, question: Question) -> EpisodeState:
        """A fresh episode; a question that needs no formula has its outcome ready."""
        direct = self._direct(question)
        return initial_state(question, pinned=self._pinned, direct=direct, permissions=self._permissions)

    def _direct(self, question: Question) -> Outcome | None:
        try:
            return self._bench.direct(question)
        except MathragError:
            # Then the question is one for formulas, or for a refusal that says more.
            return None

    def legal_actions(self, state: EpisodeState) -> tuple[str, ...]:
        """What the flags allow now."""
        return legal_actions(state)

    def view(self, state: EpisodeState, *, rounds: int) -> EpisodeView:
        """What a planner may look at now."""
        return view_of(state, rounds=rounds)

    def check(self, action: object, state: EpisodeState) -> Observation | None:
        """What the gate says against an action."""
        return check(action, state)

    def carry_out(self, action: Action, state: EpisodeState) -> Observation:
        """Do a legal action."""
        return carry_out(action, state, self._bench)

    def broken_off(self, state: EpisodeState, *, reason: str) -> Outcome:
        """That whoever plans could not go on."""
        return endings.broken_off(state, self._bench, reason=reason)

    def out_of_rounds(self, state: EpisodeState, *, rounds: int) -> Outcome:
        """What was found, and that it led to no answer."""
        return endings.out_of_rounds(state, self._bench, rounds=rounds)

    def end(self, state: EpisodeState) -> None:
        """The tools go with the episode."""
        for tool in state.tools.values():
            tool.dispose()
        state.tools.clear()


class Episode:
    """Runs questions with the actions on formulas. The state of each lives in `run` alone."""

    def __init__(
        self,
        planner: Planner,
        bench: Workbench,
        *,
        listener: Callable[[Event], None] | None = None,
        maximal_rounds: int = MAXIMAL_ROUNDS,
        clock: Callable[[], float] = time.perf_counter,
        permissions: Permissions = NO_PERMISSIONS,
    ) -> None:
        self._planner = planner
        self._bench = bench
        self._listener = listener
        self._rounds = maximal_rounds
        self._clock = clock
        self._permissions = permissions

    def run(self, question: Question, *, pinned: tuple[Bound, ...] = ()) -> EpisodeResult:
        """The outcome of a question; whatever the planner says, this returns."""
        return run_episode(
            self._planner,
            FormulaKit(self._bench, pinned=pinned, permissions=self._permissions),
            question,
            listener=self._listener,
            rounds=self._rounds,
            clock=self._clock,
        )


def _recorded(action: object) -> Action:
    """An action as the trace keeps it: a copy that nobody can change later, whatever the planner gave."""
    if not isinstance(action, Action):
        return Action("", {"given": json_value(action)})
    inputs = json_value(action.inputs)
    name, thought = json_value(action.name), json_value(action.thought)
    return Action(
        name if isinstance(name, str) else "",
        inputs if isinstance(inputs, dict) else {"given": inputs},
        thought if isinstance(thought, str) else "",
        action.use if isinstance(action.use, ModelUse) else None,
    )


def view_of(state: EpisodeState, *, rounds: int = MAXIMAL_ROUNDS) -> EpisodeView:
    """What a planner may look at now."""
    return EpisodeView(
        question=state.question,
        flags=state.flags,
        legal_actions=legal_actions(state),
        rounds_left=rounds - len(state.events),
        computes_directly=state.direct is not None,
        events=tuple(state.events),
        formulas=state.shown_formulas(),
        suggestion=state.suggestion,
        refusal=state.refusal,
        tools=state.tool_cards(),
        sources=tuple(state.ledger),
        steps=tuple(state.steps),
        was_translation_tried=state.was_translation_tried,
        choices=() if state.retrieved is None else state.retrieved.choices,
        permissions=state.permissions,
        asked=(state.translated_from or state.question.text) if state.is_foreign else "",
    )
