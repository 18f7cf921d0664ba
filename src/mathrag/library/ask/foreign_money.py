"""Questions in another currency than the US dollar: asked as if they were in dollars, and given back in the currency.

No rate is known, and none is needed while only one currency takes part: whatever is computed from money alone comes out
in the same. That this is so is not assumed but tried: with all stated money a thousand times as much, the result must
be so, too. A price, a limit or a constant of a document is in dollars; where one takes part there is no answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from mathrag.language.currencies import DOLLAR, Currency, Exchanged, codes_in_unit, named_in, only_currency
from mathrag.reason.computing import StepFailure, compute_steps
from mathrag.reason.follow_up import FollowUp
from mathrag.reason.follow_up import follow_up as read_follow_up
from mathrag.reason.session import SessionResult
from mathrag.types.answer import Answer, Bound, Citation, Nearest, PlannedStep, Provenance, Refusal, Reply, Step
from mathrag.types.concept import Concept
from mathrag.types.episode import Event
from mathrag.types.expression import Equation
from mathrag.types.finding import Finding
from mathrag.types.library import Formula, Span
from mathrag.types.quantity import BASE_DIMENSIONS, Quantity, Unit
from mathrag.types.question import LONGEST_QUESTION, Given, Question

_MONEY = BASE_DIMENSIONS.index("currency")
_MORE = 1000.0
_SAME = 1e-9
# What documents say stays as they say it.
_OF_DOCUMENTS = (Formula, Span, Citation, Equation, Nearest, Concept)


@dataclass(frozen=True, slots=True)
class ForeignMoney:
    """A question in another currency, with dollars in its place."""

    currency: Currency
    exchanged: Exchanged

    def in_dollars(self, text: str) -> str:
        """A further text of the same question, such as a value that was set apart from it."""
        return self.currency.exchanged(text).text

    def heard(self, listener: Callable[[Event], None] | None) -> Callable[[Event], None] | None:
        """A listener that hears of the currency."""
        return None if listener is None else lambda event: listener(self._given_back(event))

    def given_back(self, asked: SessionResult) -> SessionResult | None:
        """What was found, in the currency; None where words of documents are the answer, which are not about it."""
        outcome = asked.result.outcome
        if isinstance(outcome, Reply) or (isinstance(outcome, Answer) and outcome.citations and not outcome.steps):
            return None
        found: SessionResult = self._given_back(asked)
        told = replace(found.result.outcome, question=self.exchanged.original)
        if isinstance(outcome, Answer) and not _holds_for_any(outcome):
            name = outcome.steps[-1].formula.label or "the formula found"
            reason = f"“{name}” counts in {DOLLAR}, and no rate between {self.currency.code} and {DOLLAR} is known"
            told = Refusal(told.question, "unit", reason, citations=told.citations, origin=outcome.origin)
            found = replace(found, choices=())
        return replace(found, result=replace(found.result, outcome=told))

    def _given_back(self, value: Any) -> Any:
        """A value with every amount, unit and text in the currency."""
        return _rewritten(value, self.currency.given_back, self._where)

    def _where(self, value: Any) -> dict[str, Any]:
        """What depends on where it stands in the text: places, and quotes as they were typed."""
        exchanged = self.exchanged
        match value:
            case Provenance(place=(start, end)) if value.text == exchanged.text[start:end]:
                start, end = exchanged.place(start, end)
                return {"place": (start, end), "text": exchanged.original[start:end]}
            case Given() if value.end > value.start:
                start, end = exchanged.place(value.start, value.end)
                return {"start": start, "end": end, "text": exchanged.original[start:end]}
            case Finding():
                return {"spans": tuple(exchanged.place(*span) for span in value.spans)}
            case Question():
                return {"text": exchanged.original}
        return {}


def _rewritten(value: Any, text: Callable[[str], str], where: Callable[[Any], dict[str, Any]]) -> Any:
    """A value with every text and unit rewritten by `text`, but for what documents say; `where` gives what depends on
    places in the question."""
    match value:
        case str():
            return text(value)
        case tuple() | list() | frozenset():
            return type(value)(_rewritten(each, text, where) for each in value)
        case Mapping():
            return {name: _rewritten(each, text, where) for name, each in value.items()}
        case Unit():
            return replace(value, text=text(value.text))
    if isinstance(value, _OF_DOCUMENTS) or not is_dataclass(value) or isinstance(value, type):
        return value
    if isinstance(value, Provenance) and value.origin in ("constant", "document"):
        return value
    made = {each.name: _rewritten(getattr(value, each.name), text, where) for each in fields(value) if each.init}
    return replace(value, **made | where(value))


def follow_up(text: str, last: Answer | Refusal) -> FollowUp | None:
    """How a text leans on the outcome before it, also where both are in another currency than the dollar."""
    currency = only_currency(last.question)
    if currency is None:
        return read_follow_up(text, last)
    if not set(named_in(text)) <= {currency.code}:
        # Another currency is another question.
        return None
    in_dollars = _rewritten(last, lambda each: currency.exchanged(each).text, _without_place)
    found = read_follow_up(currency.exchanged(text).text, in_dollars)
    given_back: FollowUp | None = _rewritten(found, currency.given_back, lambda _: {})
    return given_back


def _without_place(value: Any) -> dict[str, Any]:
    return {"place": None} if isinstance(value, Provenance) else {}


def foreign_money(text: str, *others: str) -> ForeignMoney | None:
    """The one currency of a question, its values and its unit, where it is not the dollar."""
    if len(text) > LONGEST_QUESTION:
        return None
    currency = only_currency("\n".join((text, *others)))
    return None if currency is None else ForeignMoney(currency, currency.exchanged(text))


def is_foreign(unit: str) -> bool:
    """Whether a unit is of another currency than that in which formulas of a library count."""
    return bool(codes_in_unit(unit))


def with_unknown_rate(asked: SessionResult, text: str) -> SessionResult:
    """The outcome; a refusal of a question that speaks of several currencies says that no rate is known."""
    outcome = asked.result.outcome
    if not isinstance(outcome, Refusal) or outcome.code not in ("no_formula", "unsure", "unit"):
        return asked
    codes = named_in(text)
    if len(codes) < 2:
        return asked
    reason = f"amounts in {' and '.join(codes)} are not computed with together: no rate between them is known"
    return replace(
        asked, result=replace(asked.result, outcome=replace(outcome, reason=reason, code="unit", nearest=()))
    )


def _holds_for_any(answer: Answer) -> bool:
    """Whether the result is in the currency of the stated money: of a thousand times as much comes as much more."""
    steps = [_scaled(step) for step in answer.steps]
    if not steps:
        return True
    found = compute_steps(steps, is_shown=False)
    usual = answer.steps[-1].result
    if isinstance(found, StepFailure):
        return False
    wanted = usual.si_value * _MORE ** float(usual.dimension.exponents[_MONEY])
    results = [found[-1].result, *found[-1].others]
    return any(math.isclose(each.si_value, wanted, rel_tol=_SAME, abs_tol=1e-12) for each in results)


def _scaled(step: Step) -> PlannedStep:
    return PlannedStep(step.formula, step.equation, step.target, tuple(_more(each) for each in step.bindings))


def _more(bound: Bound) -> Bound:
    if bound.provenance.step is not None:
        return replace(bound, quantity=None)
    is_stated = bound.provenance.origin in ("question", "pinned", "implied")
    if bound.quantity is None or not is_stated:
        return bound
    return replace(bound, quantity=_times(bound.quantity, _MORE ** float(bound.quantity.dimension.exponents[_MONEY])))


def _times(quantity: Quantity, factor: float) -> Quantity:
    return quantity if factor == 1 else replace(quantity, value=quantity.value * factor, uncertainty=None)
