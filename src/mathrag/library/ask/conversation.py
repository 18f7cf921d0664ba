"""Questions one after the other: a short one may lean on the answer before it. Computes nothing itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from mathrag.library.ask.outcomes import checked_question, follow_up, with_origins
from mathrag.types.answer import Outcome, Refusal, Reply

if TYPE_CHECKING:
    from mathrag.library.ask.models import Models
    from mathrag.types.episode import Event

# Earlier turns that a conversation keeps for whoever looks back; only the last one is leaned on.
_MOST_KEPT = 200


class Conversation:
    """A thread of questions to one library.

    `turns` are what was said and what came of it, `last` is the outcome that the next one may lean on.

    "and for 5 kg?", "what if the radius doubles?", "in kPa?" take the other values of the last answer. After a
    refusal, the missing value is enough. A question of its own begins anew.
    """

    def __init__(
        self, answer: Callable[..., Outcome], *, planner: str | None = None, models: Models | None = None
    ) -> None:
        """`answer` answers one question: `Library.ask`. `Library.conversation` makes one of these."""
        self._answer = answer
        self.planner = planner
        self.models = models
        self.last: Outcome | None = None
        self.turns: list[tuple[str, Outcome]] = []
        self._pinned: dict[str, str] = {}
        self._formula: str | None = None

    def ask(
        self,
        text: str,
        *,
        pinned: Mapping[str, str] | None = None,
        formula: str | None = None,
        unit: str | None = None,
        listener: Callable[[Event], None] | None = None,
    ) -> Outcome:
        """The outcome of a question, read as a follow-up where it can be one; the rest is as in `Library.ask`.

        >>> conversation = library.conversation()
        >>> print(conversation.ask("What is the kinetic energy of 2 kg at 3 m/s?").text)
        The kinetic energy is 9.00 J.
        >>> print(conversation.ask("what about 2000 kg?").text)
        The kinetic energy is 9000 J.
        """
        question = checked_question(text)
        given = dict(pinned or {})
        last = self.last
        follow = None if last is None or isinstance(last, Reply) else follow_up(question, last)
        if follow is None:
            outcome = self._asked(question, given, formula, unit, listener)
        elif follow.problem:
            # What was said before still stands: the next line may lean on it.
            return self._turned(text, Reply(question, follow.problem))
        else:
            # A refusal carries no values; what was pinned for it is still meant.
            kept = self._pinned if isinstance(last, Refusal) else {}
            chosen = formula or follow.formula or (self._formula if isinstance(last, Refusal) else None)
            outcome = self._asked(
                follow.question, {**kept, **dict(follow.pinned), **given}, chosen, unit or follow.unit, listener
            )
            outcome = with_origins(outcome, follow)
        self.last = outcome
        return self._turned(text, outcome)

    def _asked(
        self,
        question: str,
        pinned: dict[str, str],
        formula: str | None,
        unit: str | None,
        listener: Callable[[Event], None] | None,
    ) -> Outcome:
        outcome = self._answer(
            question, planner=self.planner, pinned=pinned, formula=formula, unit=unit, listener=listener,
            models=self.models,
        )  # fmt: skip
        self._pinned, self._formula = pinned, formula
        return outcome

    def _turned(self, text: str, outcome: Outcome) -> Outcome:
        self.turns.append((text, outcome))
        del self.turns[:-_MOST_KEPT]
        return outcome
