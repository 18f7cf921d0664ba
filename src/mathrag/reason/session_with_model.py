"""Ask with a language model at hand: it plans (`react`), or only where the rules are unsure (`auto`); or a small one
reads the question and chooses among the rules' plans where these are unsure (`small`).

Whatever becomes of the model, there is an outcome: where it fails, that of the rules, with a warning.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Literal, TypeAlias

from mathrag.llm.seams import ChatModel
from mathrag.reason.agent import RulesPlanner
from mathrag.reason.agent.react import ReactPlanner
from mathrag.reason.agent.react.chain_judge import ModelJudge
from mathrag.reason.agent.react.planner import SURE, CountingModel, reason_to_ask
from mathrag.reason.agent.two_calls import TwoCallPlanner
from mathrag.reason.concept_material import concept_material
from mathrag.reason.model_texts import Writer
from mathrag.reason.session import Options, SessionResult, ask
from mathrag.reason.sources import Sources
from mathrag.types.answer import Answer, Outcome, Refusal, Reply
from mathrag.types.episode import Event

Mode: TypeAlias = Literal["react", "auto", "small"]
Listener: TypeAlias = Callable[[Event], None] | None

_CHOSEN = "the user chose this planner"
_BY_RULES = "answered by rules alone: "
_RULES_ARE_SURE = "a language model that was asked gave no answer; the rules are sure of this one"
_NOT_CONFIRMED = "a language model that was asked did not come to an answer"


def ask_with_model(
    text: str,
    sources: Sources,
    *,
    model: ChatModel,
    mode: Mode,
    options: Options,
    judge: ChatModel | None = None,
    listener: Listener = None,
    orders: int = 2,
) -> SessionResult:
    """Answer a question from a library, or say why not; the outcome's `usage` says what the model had to do.

    `judge` is the model that looks a second time at what was planned; the same one, where there is no other. `orders`
    says in how many orders of the plans a small model must choose the same one.
    """
    counting = CountingModel(model)
    writer = Writer(counting)
    second_look = ModelJudge(counting if judge is None else counting.beside(judge))
    if mode == "react":
        asked, planner = _by_model(
            text, sources, counting, writer=writer, judge=second_look, options=options, listener=listener
        )
        if planner.was_given_up and isinstance(asked.result.outcome, Refusal):
            # The model may have left too few rounds, or half a plan; the rules begin anew.
            asked = ask(text, sources, planner=RulesPlanner(), options=options, listener=listener, writer=writer)
        elif _computed_nothing(asked):
            # Whoever computes nothing cannot say that there is nothing to compute: the rules may be sure of a number.
            sure = ask(text, sources, planner=RulesPlanner(), options=options, writer=writer)
            if isinstance(sure.result.outcome, Answer) and sure.result.outcome.confidence >= SURE:
                told = _with_warnings(_noted(sure, planner), (_RULES_ARE_SURE,))
                return _with_usage(told, counting, planner="rules", reason=_CHOSEN)
        return _with_usage(_noted(asked, planner), counting, planner="react", reason=_CHOSEN)
    is_small = mode == "small"
    by = partial(_by_small_model, orders=orders) if is_small else partial(_by_model, judge=second_look)
    return _where_unsure(text, sources, counting, by=by, writer=writer, options=options, listener=listener)


def _where_unsure(
    text: str,
    sources: Sources,
    model: CountingModel,
    *,
    by: Callable[..., tuple[SessionResult, ReactPlanner | TwoCallPlanner]],
    writer: Writer,
    options: Options,
    listener: Listener,
) -> SessionResult:
    """The rules' outcome, or where they are unsure the model's, if that is an answer or says more."""
    events: list[Event] = []
    first = ask(text, sources, planner=RulesPlanner(), options=options, listener=events.append, writer=writer)
    reason = reason_to_ask(first.result.outcome, first.question, choices=first.choices, candidates=first.candidates)
    if not reason:
        _tell(listener, events)
        return _with_usage(first, model, planner="rules", reason="the words were translated or explained")
    buffered: list[Event] = []
    second, planner = by(text, sources, model, writer=writer, options=options, listener=buffered.append)
    if planner.was_given_up or not _is_better(second.result.outcome, first.result.outcome):
        _tell(listener, events)
        note = f"{_BY_RULES}{planner.notes[-1]}" if planner.was_given_up and planner.notes else _NOT_CONFIRMED
        kept = _with_warnings(first, (note,)) if _is_worth_saying(first.result.outcome, planner) else first
        return _with_usage(kept, model, planner="rules", reason=reason)
    _tell(listener, buffered)
    kept = _beside(_noted(second, planner), first.result.outcome)
    return _with_usage(kept, model, planner="small" if isinstance(planner, TwoCallPlanner) else "react", reason=reason)


def _computed_nothing(asked: SessionResult) -> bool:
    """Whether a model refused without having computed anything."""
    has_result = any(event.observation.code == "tool_result" for event in asked.result.events)
    return isinstance(asked.result.outcome, Refusal) and not has_result


def _by_model(
    text: str,
    sources: Sources,
    model: CountingModel,
    *,
    writer: Writer,
    judge: ModelJudge,
    options: Options,
    listener: Listener,
) -> tuple[SessionResult, ReactPlanner]:
    planner = ReactPlanner(model, concepts=[one.text for one in concept_material(sources.concepts, text)])
    asked = ask(text, sources, planner=planner, options=options, listener=listener, writer=writer, judge=judge)
    return asked, planner


def _by_small_model(
    text: str,
    sources: Sources,
    model: CountingModel,
    *,
    writer: Writer,
    options: Options,
    listener: Listener,
    orders: int,
) -> tuple[SessionResult, TwoCallPlanner]:
    planner = TwoCallPlanner(model, orders=orders)
    asked = ask(text, sources, planner=planner, options=options, listener=listener, writer=writer, adviser=planner)
    return asked, planner


def _is_better(outcome: Outcome, first: Outcome) -> bool:
    """Whether the model's outcome replaces that of the rules: an answer always, another refusal where it says more."""
    if isinstance(outcome, Answer):
        return True
    if isinstance(first, Answer):
        return False
    if isinstance(outcome, Refusal) and isinstance(first, Refusal):
        return bool(outcome.proposal) and not first.proposal
    return isinstance(outcome, Reply)


def _beside(asked: SessionResult, first: Outcome) -> SessionResult:
    """The model's answer, with the number that the rules had where it is another."""
    outcome = asked.result.outcome
    if not isinstance(first, Answer) or not isinstance(outcome, Answer) or not first.steps:
        return asked
    if first.quantity == outcome.quantity:
        return asked
    rival = (first.steps[-1].formula.id, first.quantity)
    changed = replace(outcome, disagreeing=(*outcome.disagreeing, rival))
    return replace(asked, result=replace(asked.result, outcome=changed))


def _is_worth_saying(outcome: Outcome, planner: ReactPlanner | TwoCallPlanner) -> bool:
    return planner.failure is not None or isinstance(outcome, Answer)


def _noted(asked: SessionResult, planner: ReactPlanner | TwoCallPlanner) -> SessionResult:
    notes = tuple(f"{_BY_RULES}{note}" if planner.was_given_up else note for note in planner.notes)
    return _with_warnings(asked, notes)


def _with_warnings(asked: SessionResult, notes: tuple[str, ...]) -> SessionResult:
    outcome = asked.result.outcome
    warned = replace(outcome, warnings=(*outcome.warnings, *(note for note in notes if note not in outcome.warnings)))
    return replace(asked, result=replace(asked.result, outcome=warned))


def _with_usage(asked: SessionResult, model: CountingModel, *, planner: str, reason: str) -> SessionResult:
    if not model.was_asked:
        return asked
    outcome = replace(asked.result.outcome, usage=model.usage(planner=planner, reason=reason))
    return replace(asked, result=replace(asked.result, outcome=outcome))


def _tell(listener: Listener, events: list[Event]) -> None:
    if listener is not None:
        for event in events:
            listener(event)
