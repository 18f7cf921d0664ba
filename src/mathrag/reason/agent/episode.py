"""One question from beginning to end: think, act, observe, at most twenty times. Planner and bench are passed in."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from mathrag.errors import MathragError
from mathrag.reason.agent import endings
from mathrag.reason.agent.actions import carry_out
from mathrag.reason.agent.gate import check, legal_actions
from mathrag.reason.agent.seams import MAXIMAL_ROUNDS, NO_PERMISSIONS, EpisodeView, Permissions, Planner, Workbench
from mathrag.reason.agent.state import EpisodeState, initial_state
from mathrag.reason.agent.trace import json_value, trace_json
from mathrag.types.answer import Answer, Bound, Outcome, Refusal
from mathrag.types.episode import Action, Event, ModelUse
from mathrag.types.question import Question


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """How a question ended, and every round that led there."""

    outcome: Outcome
    events: tuple[Event, ...]

    def trace(self) -> list[dict[str, Any]]:
        """The rounds as JSON."""
        return trace_json(self.events)


class Episode:
    """Runs one question. The state lives in `run` alone and takes its tools with it when that returns."""

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
        began = self._clock()
        direct = self._direct(question)
        state = initial_state(question, pinned=pinned, direct=direct, permissions=self._permissions)
        while state.outcome is None and len(state.events) < self._rounds:
            try:
                self._round(state)
            except MathragError as error:
                state.outcome = endings.broken_off(state, self._bench, reason=str(error))
        outcome = state.outcome or endings.out_of_rounds(state, self._bench, rounds=self._rounds)
        for tool in state.tools.values():
            tool.dispose()
        state.tools.clear()
        spent = (self._clock() - began) * 1000
        return EpisodeResult(replace(outcome, milliseconds=spent), tuple(state.events))

    def _direct(self, question: Question) -> Answer | Refusal | None:
        try:
            return self._bench.direct(question)
        except MathragError:
            # Then the question is one for formulas, or for a refusal that says more.
            return None

    def _round(self, state: EpisodeState) -> None:
        began = self._clock()
        action = self._planner.next_action(view_of(state, rounds=self._rounds))
        observation = check(action, state) or carry_out(action, state, self._bench)
        spent = (self._clock() - began) * 1000
        event = Event(len(state.events) + 1, _recorded(action), observation, spent)
        state.events.append(event)
        if self._listener is not None:
            self._listener(event)


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
    )
