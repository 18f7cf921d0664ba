"""What an episode is carried out with: a kit says how it starts, what may be done, what that does, and how it ends.

One loop runs every kit (`episode.py`). The actions on formulas are one, those on documents another; a planner sees an
episode as its kit shows it.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

from mathrag.types.answer import Outcome
from mathrag.types.episode import Action, Event, Observation
from mathrag.types.question import Question


class KitState(Protocol):
    """What every episode keeps, whatever else its kit knows: its rounds, and the outcome once there is one."""

    events: list[Event]
    outcome: Outcome | None


State = TypeVar("State", bound=KitState)
ViewOut = TypeVar("ViewOut", covariant=True)
ViewIn = TypeVar("ViewIn", contravariant=True)


class Kit(Protocol[State, ViewOut]):
    """The actions of one sort of episode. Problems are observations; a `MathragError` ends the episode."""

    def start(self, question: Question) -> State:
        """A fresh episode."""
        ...

    def legal_actions(self, state: State) -> tuple[str, ...]:
        """The names of the actions that may be carried out now."""
        ...

    def view(self, state: State, *, rounds: int) -> ViewOut:
        """What a planner may look at now; `rounds` are all that the episode may take."""
        ...

    def check(self, action: object, state: State) -> Observation | None:
        """The observation that refuses an action; None where it may be carried out."""
        ...

    def carry_out(self, action: Action, state: State) -> Observation:
        """Do an action that was let through, and say what came of it."""
        ...

    def broken_off(self, state: State, *, reason: str) -> Outcome:
        """The end where whoever plans, or the library, could not go on."""
        ...

    def out_of_rounds(self, state: State, *, rounds: int) -> Outcome:
        """The end after the last round."""
        ...

    def end(self, state: State) -> None:
        """Let go of what was made for the episode."""
        ...


class KitPlanner(Protocol[ViewIn]):
    """Who picks the next action of an episode from what its kit shows."""

    def next_action(self, view: ViewIn, /) -> Action:
        """The next action for this state."""
        ...
