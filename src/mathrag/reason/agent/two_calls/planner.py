"""The planner of two calls: the model reads the question, the rules make plans, the model chooses one, and the rules
carry it out behind the gate. Never raises: where the model says nothing usable, nothing is chosen."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace

from mathrag.errors import ModelError
from mathrag.llm.accounts import usual_usage
from mathrag.llm.messages import ChatReply, ChatRequest
from mathrag.llm.seams import ChatModel
from mathrag.reason.agent.planners import RulesPlanner
from mathrag.reason.agent.seams import EpisodeView
from mathrag.reason.agent.two_calls.choosing import NONE, choice_request, fitting, letters, read_letter
from mathrag.reason.agent.two_calls.offers import MOST_OFFERED, Offer, joined
from mathrag.reason.agent.two_calls.reading import Reading, read_reading, reading_request, with_reading
from mathrag.types.answer import Choice
from mathrag.types.episode import Action, ModelUse
from mathrag.types.question import Question

MOST_CALLS = 3
_NONE_FITS = "the language model held none of the plans for fitting"
_UNREADABLE = "the language model's choice of a plan could not be read"
_UNSTEADY = "the language model chose another plan when they stood in another order"
_NO_PLAN = "there was no plan for the language model to choose"


class TwoCallPlanner:
    """Plans one question with at most three calls of a model; make a new one for the next.

    With two `orders` the model chooses again with the plans in another order and under other letters, and only a choice
    that stays the same counts: small models like the first letter. With one, a choice that cannot be read is asked for
    again. `notes` are sentences for the user on why the model was not followed.
    """

    def __init__(self, model: ChatModel, *, orders: int = 2) -> None:
        self._model = model
        self._orders = orders
        self._rules = RulesPlanner()
        self._reading: Reading | None = None
        self._was_asked = False
        self._is_thinking = False
        self._calls = 0
        self._use = ModelUse()
        self._offered: tuple[Choice, ...] = ()
        self.chosen: Choice | None = None
        self.failure: ModelError | None = None
        self.notes: list[str] = []

    @property
    def was_given_up(self) -> bool:
        """Whether the model chose nothing that could be carried out."""
        return self.chosen is None

    def next_action(self, view: EpisodeView) -> Action:
        """The next action for this state: the rules', with what the model read and for the plan that it chose."""
        if not view.flags.has_retrieved_knowledge:
            action = self._rules.next_action(view)
            if action.name == "RETRIEVE_MATH_KNOWLEDGE" and self._reading is None:
                return self._with_reading(action, view.question)
            return action
        if not self._was_asked:
            self._was_asked = True
            self.chosen = self._choice(view.question)
        if self.chosen is None:
            return self._with_use(Action("RESPOND", thought=self.notes[-1] if self.notes else _NO_PLAN))
        return self._with_use(self._rules.next_action(replace(view, suggestion=self.chosen, refusal=None)))

    def offers(self, question: Question, offered: Callable[[Question], Sequence[Offer]]) -> tuple[Choice, ...]:
        """The plans that the model shall choose among; `offered` gives those for a question."""
        plain = offered(question)
        named = question if self._reading is None else with_reading(question, self._reading)
        both = plain if named is question else joined(plain, offered(named))
        self._offered = tuple(each.choice for each in both[:MOST_OFFERED])
        return self._offered

    def _with_reading(self, action: Action, question: Question) -> Action:
        """The search, with words that the model has for what is asked."""
        self._reading = Reading()
        reply = self._asked(reading_request(question))
        if reply is not None:
            self._reading = read_reading(reply.text, question)
            self._is_thinking = reply.finish == "length" or reply.text.lstrip()[:1] == "<"
        terms = self._reading.terms
        inputs = {**action.inputs, "search_terms": list(terms)} if terms else action.inputs
        return self._with_use(replace(action, inputs=inputs))

    def _choice(self, question: Question) -> Choice | None:
        """The plan that the model names, where it names one."""
        offered = fitting(question, self._offered)
        if not offered or self.failure is not None:
            return None
        if self._orders < 2:
            # Another plan comes first for another question: the rules' best is not to win by where it stands.
            start = zlib.crc32(question.text.encode("utf-8", "replace")) % len(offered)
            return self._named(question, (*offered[start:], *offered[:start]))
        first = self._named(question, offered)
        if first is None:
            return None
        second = self._named(question, offered[::-1], is_second=True)
        if second is first:
            return first
        self.notes = [*self.notes, _UNSTEADY] if self.failure is None else self.notes
        return None

    def _named(self, question: Question, choices: Sequence[Choice], *, is_second: bool = False) -> Choice | None:
        allowed = letters(len(choices), is_second=is_second)
        for attempt in range(2 if self._orders < 2 else 1):
            request = choice_request(question, choices, is_second=is_second, is_thinking=self._is_thinking)
            reply = self._asked(replace(request, attempt=attempt))
            if reply is None:
                return None
            letter = read_letter(reply.text, allowed)
            if letter == NONE:
                self.notes.append(_NONE_FITS)
                return None
            if letter:
                return choices[allowed.index(letter)]
            self._is_thinking = self._is_thinking or reply.finish == "length"
        self.notes.append(_UNREADABLE)
        return None

    def _asked(self, request: ChatRequest) -> ChatReply | None:
        """The reply, within the number of calls; None where there is none."""
        if self._calls >= MOST_CALLS:
            return None
        self._calls += 1
        try:
            reply = self._model.chat(request)
        except ModelError as error:
            self.failure = error
            self.notes.append(f"the language model could not be asked ({error.reason})")
            return None
        used = self._use
        self._use = ModelUse(
            calls=used.calls + (not reply.from_cache),
            cached_calls=used.cached_calls + reply.from_cache,
            context_tokens=used.context_tokens + usual_usage(request).prompt_tokens,
            prompt_tokens=used.prompt_tokens + reply.usage.prompt_tokens,
            completion_tokens=used.completion_tokens + reply.usage.completion_tokens,
        )
        return reply

    def _with_use(self, action: Action) -> Action:
        """The action with what was asked for it."""
        use, self._use = self._use, ModelUse()
        return action if use == ModelUse() else replace(action, use=use)
