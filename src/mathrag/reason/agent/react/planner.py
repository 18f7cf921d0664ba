"""The planner that asks a language model what to do next. Whatever the model says is only a proposal to the gate.

Where the model cannot be asked, cannot be understood or runs in circles, the rules go on where they can; else the
episode ends with an honest no.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Literal, TypeAlias

from mathrag.errors import ModelError
from mathrag.llm.accounts import usual_usage
from mathrag.llm.messages import ChatReply, ChatRequest, Message, ReplyPiece
from mathrag.llm.seams import ChatModel
from mathrag.reason.agent.number_sources import quotes_source
from mathrag.reason.agent.planners import RulesPlanner
from mathrag.reason.agent.react.action_forms import action_tools
from mathrag.reason.agent.react.context import LARGEST_CONTEXT, context_text, refused_in_a_row, system_prompt
from mathrag.reason.agent.react.text_actions import ReadReply, read_further_calls, read_text_action, read_tool_call
from mathrag.reason.agent.result_judge import is_beginning, is_carried_out
from mathrag.reason.agent.seams import MOST_REFUSED, EpisodeView
from mathrag.reason.choosing.weights import thresholds
from mathrag.types.answer import Answer, Choice, ModelUsage, Outcome, Refusal, Reply
from mathrag.types.episode import ACTION_NAMES, Action, Event, ModelUse
from mathrag.types.question import Question

Style: TypeAlias = Literal["either", "text"]

_LONGEST_COMPLETION = 1_000
_SMALLEST_CONTEXT = 300
_MORE_ROOM = 6
_MOST_UNREADABLE = 2
_MOST_REPEATS = 2
_MOST_BAD_TEXTS = 2
_KEPT = 300
# What may be asked for several times in one reply: nothing that it finds out depends on what another of them does.
_LOOKING = ("RETRIEVE_MATH_KNOWLEDGE", "RETRIEVE_CONSTANT", "LOOK_UP", "DEFINE_VALUE")
_MOST_AT_ONCE = 4
# What the gate says of a text whose numbers are not those of the episode.
_BAD_TEXT = ("number_without_source", "result_not_stated", "unreadable_letters")


class ReactPlanner:
    """Plans one question with a model; make a new one for the next. Never raises: `failure` keeps what went wrong.

    With `style` "either" the actions are offered as native tools and text is read too; "text" offers none.
    `notes` are sentences for the user on why the model was not followed to the end; `concepts` what dictionaries say of
    what is asked.
    """

    def __init__(
        self,
        model: ChatModel,
        *,
        concepts: Sequence[str] = (),
        style: Style = "either",
        largest_context: int = LARGEST_CONTEXT,
        largest_completion: int = _LONGEST_COMPLETION,
    ) -> None:
        self._model = model
        self._concepts = tuple(concepts)
        self._style: Style = style
        self._largest_context = largest_context
        self._largest_completion = largest_completion
        self._rules = RulesPlanner()
        self._rules_from: int | None = None
        self._queued: list[Action] = []
        self.failure: ModelError | None = None
        self.notes: list[str] = []

    @property
    def was_given_up(self) -> bool:
        """Whether the rules had to take over."""
        return self._rules_from is not None

    def next_action(self, view: EpisodeView) -> Action:
        """The next action for this state."""
        settled = self._settled(view)
        if settled is not None:
            return settled
        if self.was_given_up:
            return self._by_rules(view)
        reason = _reason_to_stop(view.events)
        if reason:
            return self._give_up(view, reason)
        if self._queued:
            return self._queued.pop(0)
        try:
            request, reply = self._asked(view)
        except ModelError as error:
            self.failure = error
            return self._give_up(view, f"the language model could not be asked ({error.reason})")
        if "tools" in reply.lacking:
            self._style = "text"
        if reply.finish == "length" and _is_thinking(reply.text):
            # Models that think before they speak need room for it; others only fill it.
            self._largest_completion *= _MORE_ROOM
        further = list(islice(read_further_calls(reply, _LOOKING), _MOST_AT_ONCE))
        self._queued = [_action(each, view, said="") for each in further]
        action = _action(self._read(reply, view), view, said=reply.text)
        return replace(action, use=use_of(request, reply))

    def _settled(self, view: EpisodeView) -> Action | None:
        """What needs no model: a calculation without a formula, a constant, words of another language, an explanation
        from the documents, a computed value whose wording failed twice."""
        question = view.question
        if view.computes_directly or (question.intent == "explain" and question.language == "en"):
            if _was_tried(view.events, "ANSWER_DIRECTLY"):
                return None
            why = "this needs no formula" if view.computes_directly else "the passages of the library are to say it"
            return Action("ANSWER_DIRECTLY", thought=why)
        if question.intent == "constant":
            # What a constant is called and what it is worth is for the tables; there is nothing to plan.
            return self._rules.next_action(view)
        if question.language == "other" and not view.was_translation_tried:
            return Action("TRANSLATE_INPUT", {"target_lang": "English"}, "the words are not English")
        bad = [event for event in view.events if _is_bad_text(event)]
        if view.steps and len(bad) >= _MOST_BAD_TEXTS:
            if any(_says_result(event, view) for event in bad) or _is_first_choice(view):
                self._note("the model's words were left out: they did not keep to the numbers of the answer")
                return Action("RESPOND", thought="the value is computed; the model's words for it cannot be used")
            # Whoever never states the result does not hold it for the answer.
            return Action("RESPOND", {"no": True}, "the model does not give what was computed as the answer")
        return None

    def _asked(self, view: EpisodeView) -> tuple[ChatRequest, ChatReply]:
        """The model's reply; one whose context is too small for the message gets a shorter one, once."""
        request = self._request(view)
        try:
            return request, self._model.chat(request)
        except ModelError as error:
            if error.code != "too_long" or self._largest_context <= _SMALLEST_CONTEXT:
                raise
        self._largest_context = max(_SMALLEST_CONTEXT, self._largest_context // 3)
        self._style = "text"
        request = self._request(view)
        return request, self._model.chat(request)

    def _request(self, view: EpisodeView) -> ChatRequest:
        messages = (
            Message("system", system_prompt(view.permissions)),
            Message("user", context_text(view, concepts=self._concepts, largest=self._largest_context)),
        )
        return ChatRequest(
            messages,
            tools=action_tools(view.permissions) if self._style == "either" else (),
            maximal_tokens=self._largest_completion,
            stop=("\nObservation:",),
            is_worth_keeping=lambda reply: not self._read(reply, view).problem,
        )

    def _read(self, reply: ChatReply, view: EpisodeView) -> ReadReply:
        read = read_tool_call(reply)
        if read is None:
            read = read_text_action(reply.text)
            is_answer = any(each.isdigit() for each in read.prose) and reply.finish != "length"
            if read.problem and view.steps and is_answer:
                # Models that call tools natively give the last answer in plain words.
                return ReadReply("RESPOND", {"answer": read.prose[:3_900]}, read.thought)
        if read.name and read.name not in ACTION_NAMES:
            tool = next((each for each in view.tools if each.name.lower() == read.name.lower()), None)
            if tool is not None:
                return replace(read, name="CALL_TOOL", inputs={"tool_name": tool.name, "parameters": dict(read.inputs)})
        return read

    def _give_up(self, view: EpisodeView, reason: str) -> Action:
        self._rules_from = len(view.events)
        self._note(reason)
        return self._by_rules(view)

    def _note(self, sentence: str) -> None:
        if sentence not in self.notes:
            self.notes.append(sentence)

    def _by_rules(self, view: EpisodeView) -> Action:
        """The rules' next action, as if the model's failed rounds had not been; a question back where they cannot go on
        from here."""
        start = self._rules_from or 0
        if not is_beginning(view.steps, view.choices[:1]):
            return Action("ASK_FOR_CLARIFICATION", thought="what was computed so far is no step of the rules' plan")
        kept = [
            event
            for place, event in enumerate(view.events)
            if place >= start or (event.observation.succeeded and event.action.name in ACTION_NAMES)
        ]
        action = self._rules.next_action(replace(view, events=tuple(kept)))
        why = f"{self.notes[-1]}; by rules: " if self.notes and len(view.events) == start else "by rules: "
        return replace(action, thought=f"{why}{action.thought}")


def _action(read: ReadReply, view: EpisodeView, *, said: str) -> Action:
    if read.problem:
        return Action("", {"problem": read.problem, "given": said[:_KEPT]}, read.thought)
    thought = read.thought
    if read.name == "CREATE_DYNAMIC_TOOL":
        thought = _with_overruling(read.inputs, view, thought)
    return Action(read.name, read.inputs, thought)


def _with_overruling(inputs: Mapping[str, Any], view: EpisodeView, thought: str) -> str:
    """The thought, with a remark where the model leaves the rules' first suggestion."""
    suggestion = view.suggestion
    if suggestion is None or not suggestion.steps:
        return thought
    named = str(inputs.get("formula_id", ""))
    if any(named in (step.formula.id, step.formula.label) for step in suggestion.steps):
        return thought
    return f"{thought or 'no reason given'} [overrules the rules' first suggestion]"


def _is_thinking(text: str) -> bool:
    """Whether a reply was cut before it said anything."""
    return not text.strip() or text.lstrip()[:10].lower().startswith(("<think", "<reason"))


def use_of(request: ChatRequest, reply: ChatReply) -> ModelUse:
    """What one request took, for the trace of a round."""
    return ModelUse(
        calls=0 if reply.from_cache else 1,
        cached_calls=1 if reply.from_cache else 0,
        context_tokens=usual_usage(request).prompt_tokens,
        prompt_tokens=reply.usage.prompt_tokens,
        completion_tokens=reply.usage.completion_tokens,
    )


def _was_tried(events: tuple[Event, ...], name: str) -> bool:
    return any(event.action.name == name for event in events)


def _is_bad_text(event: Event) -> bool:
    return event.action.name in ("RESPOND", "ANSWER_DIRECTLY") and event.observation.code in _BAD_TEXT


def _is_first_choice(view: EpisodeView) -> bool:
    """Whether what was computed is what the rules are sure of, whatever the model says to it."""
    suggestion = view.suggestion
    return suggestion is not None and view.refusal is None and is_carried_out(suggestion.steps, view.steps)


def _says_result(event: Event, view: EpisodeView) -> bool:
    """Whether a text that was refused states the last result all the same."""
    text = event.action.inputs.get("answer")
    last = next((each for each in view.sources if each.id == f"result_{len(view.steps)}"), None)
    return isinstance(text, str) and last is not None and quotes_source(text, last, is_foreign=bool(view.asked))


def _reason_to_stop(events: tuple[Event, ...]) -> str:
    """Why asking the model again is of no use; empty while it is."""
    tail = events[-_MOST_UNREADABLE:]
    if len(tail) == _MOST_UNREADABLE and all(not event.action.name for event in tail):
        return "the language model's replies could not be read"
    if events and sum(_key(event) == _key(events[-1]) for event in events) > _MOST_REPEATS:
        return "the language model repeats itself"
    if refused_in_a_row(events) >= MOST_REFUSED:
        return "the language model does not keep to the rules of the episode"
    return ""


def _key(event: Event) -> str:
    try:
        return f"{event.action.name} {json.dumps(event.action.inputs, sort_keys=True)}"
    except (TypeError, ValueError, RecursionError):
        return f"{event.action.name} {event.action.inputs!r}"


# A model that counts what it is asked for one question: calls, tokens, sizes. Changes nothing that is said.


@dataclass(slots=True)
class _Counts:
    calls: int = 0
    cached: int = 0
    prompt: int = 0
    completion: int = 0
    contexts: list[int] = field(default_factory=list)


class CountingModel:
    """Stands before a model for as long as one question lasts."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self._counts = _Counts()

    def beside(self, model: ChatModel) -> CountingModel:
        """Another model that counts into the same account."""
        other = CountingModel(model)
        other._counts = self._counts
        return other

    @property
    def name(self) -> str:
        """The name of the model behind."""
        return self._model.name

    @property
    def was_asked(self) -> bool:
        """Whether anything was asked, with or without success."""
        return bool(self._counts.contexts)

    def chat(self, request: ChatRequest) -> ChatReply:
        """The reply of the model behind."""
        self._counts.contexts.append(usual_usage(request).prompt_tokens)
        return self._count(self._model.chat(request))

    def stream(self, request: ChatRequest) -> Iterator[ReplyPiece]:
        """The same, piece by piece."""
        self._counts.contexts.append(usual_usage(request).prompt_tokens)
        for piece in self._model.stream(request):
            if piece.reply is not None:
                self._count(piece.reply)
            yield piece

    def _count(self, reply: ChatReply) -> ChatReply:
        counts = self._counts
        counts.calls += not reply.from_cache
        counts.cached += reply.from_cache
        if not reply.from_cache:
            counts.prompt += reply.usage.prompt_tokens
            counts.completion += reply.usage.completion_tokens
        return reply

    def usage(self, *, planner: str, reason: str) -> ModelUsage:
        """What was used so far. The cost is for whoever knows the prices."""
        counts = self._counts
        return ModelUsage(
            model=self.name,
            calls=counts.calls,
            cached_calls=counts.cached,
            prompt_tokens=counts.prompt,
            completion_tokens=counts.completion,
            contexts=tuple(counts.contexts),
            planner=planner,
            reason=reason,
        )


# When the rules should ask a language model: where they are unsure, not where they are sure of a no. Decides only.

# Answers below this are right too seldom to be left alone; see docs/reports/choosing.md for the calibration.
SURE = thresholds("model")["enough"]
# Refusals in which the rules say that they do not know, rather than that there is no answer.
_UNSURE = ("unsure", "no_formula", "failed")


def reason_to_ask(
    outcome: Outcome, question: Question | None, *, choices: Sequence[Choice] = (), candidates: Sequence[str] = ()
) -> str:
    """Why a model should look at a question that the rules have dealt with; empty where it need not.

    `candidates` are the formulas that were considered: where there are none, there is nothing to choose from.
    """
    if question is None or question.intent == "chat" or isinstance(outcome, Reply):
        return ""
    if isinstance(outcome, Answer):
        if outcome.steps and outcome.confidence < SURE:
            return "the rules were not sure of their answer"
        return ""
    return _refusal_reason(outcome, question, choices) if candidates else ""


def _refusal_reason(refusal: Refusal, question: Question, choices: Sequence[Choice]) -> str:
    if refusal.code == "language":
        # Whoever could translate was asked for it by the rules already.
        return ""
    if question.intent == "ambiguous":
        return "the rules did not understand the question"
    if refusal.code in _UNSURE:
        return "the rules found no formula" if refusal.code == "no_formula" else "the rules were not sure of a formula"
    if refusal.code == "missing" and choices and choices[0].unused:
        return "a value seems to be missing while another is left over"
    return ""
