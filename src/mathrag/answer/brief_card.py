"""An outcome in a few lines: the sentence, each formula with its place, the values. The whole card is elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from mathrag.answer.answer_card import answer_card
from mathrag.answer.clean_text import clean
from mathrag.answer.figures import stated_quantity_text
from mathrag.answer.origins import document_name, span_place
from mathrag.answer.plain_formula import plain_equation, plain_symbol
from mathrag.answer.sentences import outcome_sentence, refusal_sentence, target_name
from mathrag.answer.text_card import LineStyle, table_lines
from mathrag.types.answer import Answer, Bound, Outcome, Refusal, Reply, Step

_MOST_NEAREST = 1


def brief_lines(outcome: Outcome) -> tuple[tuple[LineStyle, str], ...]:
    """The lines for a terminal, each with what it is. Every line is harmless."""
    match outcome:
        case Answer():
            return (("headline", _headline(outcome)), *(("body", f"  {line}") for line in _answer_lines(outcome)))
        case Refusal():
            headline = f"No answer: {refusal_sentence(outcome)}."
            return (("headline", headline), *(("body", f"  {line}") for line in _refusal_lines(outcome)))
        case Reply():
            return (("headline", clean(outcome.text)),)
    assert_never(outcome)


def _headline(answer: Answer) -> str:
    """A table says it better than a sentence with all its values."""
    if not answer.rows:
        return outcome_sentence(answer)
    name = target_name(answer.steps[-1]) if answer.steps else ""
    return f"The {name or 'result'} for {len(answer.rows)} values:"


def _answer_lines(answer: Answer) -> Iterator[str]:
    if answer.rows:
        yield from table_lines(answer_card(answer).sections[0])
    for step in answer.steps:
        yield f"{plain_equation(step.equation)}    {_source(step, answer)}"
        values = [_value(bound) for bound in step.bindings]
        if values and not answer.rows:
            yield f"  with {', '.join(values)}"
        if step.rearranged or len(answer.steps) > 1:
            # The line before the result has the values put in; the one before that is the formula solved.
            yield f"  {clean(' → '.join(step.working_text[1:]))}"
    yield from (f"note: {clean(warning)}" for warning in answer.warnings)


def _source(step: Step, answer: Answer) -> str:
    cited = next((each.span for each in answer.citations if each.formula == step.formula.id), None)
    span = cited if cited is not None else step.formula.spans[0] if step.formula.spans else None
    place = (
        "" if span is None else f" ({clean(document_name(span.document, answer.citations))}, {clean(span_place(span))})"
    )
    return f"{clean(step.formula.label) or step.formula.id}{place}"


def _value(bound: Bound) -> str:
    symbol = plain_symbol(bound.symbol)
    if bound.quantity is None or bound.provenance.step is not None:
        return f"{symbol} from step {bound.provenance.step}"
    named = (
        f" ({clean(bound.provenance.text)})" if bound.provenance.origin in ("constant", "document", "assumed") else ""
    )
    return f"{symbol} = {stated_quantity_text(bound.quantity, bound.significant_figures)}{named}"


def _refusal_lines(refusal: Refusal) -> Iterator[str]:
    for near in refusal.nearest[:_MOST_NEAREST]:
        yield f"nearest    {clean(near.label)}{f' ({clean(near.document)})' if near.document else ''}"
    settings = [f"--set '{clean(each.symbol)}=NUMBER {clean(each.unit)}'" for each in refusal.missing if each.symbol]
    if settings:
        yield f"ask again  with {' '.join(settings)}"
