"""A planner that does what it was told, legal or not. For tests, demonstrations and replays of other planners."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from mathrag.reason.agent.seams import EpisodeView
from mathrag.types.episode import Action

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
