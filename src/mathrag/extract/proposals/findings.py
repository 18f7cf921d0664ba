"""Findings made of proposals that passed their checks: what they say, how far it is trusted, and who proposed it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mathrag.compute.canonical import canonical_key
from mathrag.compute.printers.latex import latex_text
from mathrag.documents.views.records import ChunkView
from mathrag.extract.conditions import find_conditions
from mathrag.extract.labels import find_keywords, intent_of
from mathrag.extract.proposals.constant_checks import ConstantCase
from mathrag.extract.proposals.formula_checks import FormulaCase
from mathrag.extract.proposals.meanings import Understood
from mathrag.extract.proposals.plain_text import LONGEST_DESCRIPTION, LONGEST_KEYWORD, text_problem
from mathrag.extract.proposals.quotes import Passage
from mathrag.types.expression import Equation, Flag
from mathrag.types.library import PROPOSED, ConstantFinding, Finding, Span, SymbolMeaning, Validity

PROPOSED_BY = "proposed_by_model"


def span_of(document: str, passage: Passage, chunk: ChunkView) -> Span:
    """The place of a quote, with the document's own words there."""
    return Span(document, passage.place, passage.quote, chunk.heading_path)


def new_finding(document: str, case: FormulaCase, model: str) -> Finding:
    """A formula that only the model saw; its position is still to be given."""
    span = replace(span_of(document, case.known_passage, case.setting.chunk), quote=case.quoted)
    source = case.proposal.latex or case.proposal.python
    return understood_finding(Finding(document, 0, "", "", source, PROPOSED, "quarantined", span), case, model)


def understood_finding(finding: Finding, case: FormulaCase, model: str) -> Finding:
    """A finding with the equation that was checked; computable where nothing about it is in doubt."""
    assert isinstance(case.understood, Understood)
    equation, symbols, doubt = case.stated, case.understood.symbols, case.doubt
    label = finding.label or _target_name(equation, symbols)
    message = f"proposed by {model} from the quoted words; its quote, symbols, numbers and dimensions were checked"
    if doubt is None and case.confirmed_by:
        message = f"{message}; {case.confirmed_by}"
    return replace(
        finding,
        form=canonical_key(equation),
        latex=latex_text(equation),
        status="executable" if doubt is None else "quarantined",
        equation=equation,
        reason_code="" if doubt is None else doubt.code,
        reason="" if doubt is None else doubt.reason,
        label=label,
        label_origin=finding.label_origin if finding.label else "symbol",
        intent=intent_of(equation, symbols),
        keywords=find_keywords(label, finding.span.headings, symbols),
        symbols=symbols,
        conditions=_conditions(equation, case, finding.span),
        flags=(Flag(PROPOSED_BY, message),),
    )


def _conditions(equation: Equation, case: FormulaCase, span: Span) -> tuple[Validity, ...]:
    """When it holds, by the words around it: those the rules know, and the clause that the sentence opens with."""
    passage = case.known_passage
    found = find_conditions(equation, (), passage.here, words=passage.whole, span=span)
    opening = passage.opening
    if opening and all(opening.casefold() not in one.text.casefold() for one in found):
        return (Validity(opening, (), span), *found)
    return found


def _target_name(equation: Equation, symbols: Sequence[SymbolMeaning]) -> str:
    named = next((one.description for one in symbols if one.name == equation.target), "")
    return named[:1].upper() + named[1:]


def new_constant(document: str, case: ConstantCase, model: str) -> ConstantFinding:
    """A constant that only the model saw; its position is still to be given."""
    proposal, chunk = case.proposal, case.setting.chunk
    assert case.value is not None
    assert case.symbol is not None
    assert case.unit is not None
    words = dict.fromkeys(one.casefold() for one in proposal.keywords)
    intent = proposal.intent
    is_plain = bool(intent) and text_problem(intent, chunk.text, longest=LONGEST_DESCRIPTION) is None
    return ConstantFinding(
        document=document,
        position=0,
        symbol=case.symbol,
        name=proposal.description,
        value=case.value.number,
        unit=case.unit.text,
        dimension=case.unit.dimension,
        span=span_of(document, case.known_passage, chunk),
        description=intent if is_plain else proposal.description,
        keywords=tuple(word for word in words if text_problem(word, chunk.text, longest=LONGEST_KEYWORD) is None),
        standard=None if case.standard is None else case.standard.id,
        letter=proposal.symbol.strip().strip("$"),
        proposed_by=model,
    )
