"""The card of an answer: value, formula, symbols with their origins, working, sources, and what to be careful about."""

from __future__ import annotations

from collections.abc import Iterable

from mathrag.answer.card import Card, Command, Inline, Line, Math, Section, Words
from mathrag.answer.clean_text import clean
from mathrag.answer.figures import (
    quantity_latex,
    quantity_text,
    stated_quantity_latex,
    stated_quantity_text,
)
from mathrag.answer.origins import document_name, origin_text, span_place
from mathrag.answer.plain_formula import plain_equation, plain_symbol
from mathrag.answer.safe_latex import is_safe_latex, shown_latex
from mathrag.answer.sentences import open_solutions, outcome_sentence, result_text
from mathrag.compute.printers.latex import latex_text, symbol_latex
from mathrag.types.answer import Answer, Bound, Citation, PlannedStep, Step
from mathrag.types.expression import Equation
from mathrag.types.library import Formula
from mathrag.types.quantity import Quantity

_LONGEST_QUOTE = 160
_LONGEST_CELL = 80
_MOST_CITATIONS = 8
_MOST_ROWS = 200
_MOST_OTHERS = 5
_MOST_DIGITS = 2_000


def answer_card(answer: Answer) -> Card:
    """Everything an answer rests on, in the order people ask for it."""
    sections = [_table_section(answer) if answer.rows else _result_section(answer)]
    if answer.explanation:
        sections.append(Section("In the model's words", ((Words(answer.explanation),),)))
    for step in answer.steps:
        sections.extend(_step_sections(step, answer))
    if answer.provenance:
        origins = tuple((Words(origin_text(each, answer.citations)),) for each in answer.provenance)
        sections.append(Section("Where the numbers come from", origins, "items"))
    sections.append(citation_section(answer.citations))
    sections.append(Section("Assumptions", _words(_further_assumptions(answer)), "items"))
    sections.append(Section("Warnings", _words(_warnings(answer)), "items"))
    sections.append(_rival_section(answer))
    sections.append(_confidence_section(answer))
    filled = tuple(section for section in sections if section.lines or section.rows)
    return Card((Words(outcome_sentence(answer), is_strong=True),), filled, "answered")


def _result_section(answer: Answer) -> Section:
    value = quantity_math(answer.value, answer.significant_figures)
    if result_text(answer) == clean(answer.exact):
        value = Math(result_text(answer), result_text(answer))
    if not answer.steps:
        lines: list[Line] = [(value,)]
    else:
        lines = [(assignment(answer.steps[-1].target, value),)]
        lines.extend(_other_solutions(answer.steps[-1]))
    if answer.exact and clean(answer.exact) not in result_text(answer).split():
        lines.append((Words(f"exactly: {clean(answer.exact, longest=_MOST_DIGITS)}"),))
    return Section("Result", tuple(lines))


def _table_section(answer: Answer) -> Section:
    symbols = tuple(dict.fromkeys(symbol for row in answer.rows for symbol, _ in row.values))
    result: Inline = symbol_math(answer.steps[-1].target) if answer.steps else Words("result")
    header: tuple[Line, ...] = (*((symbol_math(symbol),) for symbol in symbols), (result,))
    rows: list[tuple[Line, ...]] = []
    for row in answer.rows[:_MOST_ROWS]:
        given = dict(row.values)
        cells: list[Line] = [(Words(given.get(symbol, "")),) for symbol in symbols]
        rows.append((*cells, (quantity_math(row.result, answer.significant_figures),)))
    return Section("Table", (), "columns", header, tuple(rows))


def _step_sections(step: Step, answer: Answer) -> Iterable[Section]:
    prefix = f"Step {step.number}: " if len(answer.steps) > 1 else ""
    yield Section(f"{prefix}Formula", formula_lines(step.formula, step.equation))
    yield Section(
        f"{prefix}Values" if not answer.rows else f"{prefix}Values of the first row",
        (),
        "columns",
        ((Words("symbol"),), (Words("meaning"),), (Words("from"),)),
        tuple(bound_row(bound, _earlier(bound, answer), answer.citations) for bound in step.bindings),
    )
    others = _other_solutions(step) if step is not answer.steps[-1] else ()
    yield Section(f"{prefix}Working", (*_working(step), *others), "formulas")


def _other_solutions(step: Step) -> tuple[Line, ...]:
    return tuple(
        (Words("also a solution: "), assignment(step.target, quantity_math(other, step.significant_figures)))
        for other in open_solutions(step)[:_MOST_OTHERS]
    )


def _working(step: Step) -> tuple[Line, ...]:
    """The lines in both writings; where one is lacking, the other stands for it."""
    lines: list[Line] = []
    for index in range(max(len(step.working), len(step.working_text))):
        plain = step.working_text[index] if index < len(step.working_text) else step.working[index]
        latex = step.working[index] if index < len(step.working) else ""
        lines.append((_checked(plain, latex),))
    return tuple(lines)


def _checked(plain: str, latex: str) -> Inline:
    return Math(clean(plain), shown_latex(latex)) if is_safe_latex(latex) else Words(plain)


def _earlier(bound: Bound, answer: Answer) -> Quantity | None:
    """The value of a symbol; that of the step it was derived in, where it has none of its own."""
    if bound.quantity is not None:
        return bound.quantity
    return next((step.result for step in answer.steps if step.number == bound.provenance.step), None)


def formula_lines(formula: Formula, equation: Equation | None) -> tuple[Line, ...]:
    """The name with the id, and the formula as its source writes it."""
    name = clean(formula.label) or "formula without a name"
    lines: list[Line] = [(Words(name), Words("  "), Command(formula.id))]
    lines.append((formula_math(formula.latex, equation or formula.equation),))
    lines.extend((Words(f"holds: {clean(condition.text)}"),) for condition in formula.conditions if condition.text)
    return tuple(lines)


def formula_math(latex: str, equation: Equation | None) -> Inline:
    """The source's own LaTeX where it is harmless, else ours; in plain text, the tree written for reading."""
    if equation is None:
        return Words(latex)
    return Math(plain_equation(equation), shown_latex(latex) if is_safe_latex(latex) else latex_text(equation))


def bound_row(bound: Bound, quantity: Quantity | None, citations: tuple[Citation, ...]) -> tuple[Line, ...]:
    """A symbol with its value, what it means, where it came from."""
    symbol: Inline = symbol_math(bound.symbol)
    if quantity is not None:
        is_derived = bound.provenance.origin == "derived"
        symbol = assignment(
            bound.symbol, _stated_math(quantity, bound.significant_figures or (4 if is_derived else None))
        )
    meaning = clean(bound.description, longest=_LONGEST_CELL)
    return (
        (symbol,),
        (Words(meaning),),
        (Words(clean(origin_text(bound.provenance, citations), longest=_LONGEST_QUOTE)),),
    )


def planned_rows(step: PlannedStep, citations: tuple[Citation, ...]) -> tuple[tuple[Line, ...], ...]:
    """The values that would be put in."""
    return tuple(bound_row(bound, bound.quantity, citations) for bound in step.bindings)


def symbol_math(name: str) -> Math:
    """A symbol in both writings."""
    safe = name.isascii() and name.isidentifier()
    return Math(plain_symbol(name), symbol_latex(name) if safe else "?")


def assignment(name: str, value: Math) -> Math:
    """`v = 3 m/s`."""
    symbol = symbol_math(name)
    return Math(f"{symbol.plain} = {value.plain}", f"{symbol.latex} = {value.latex}")


def quantity_math(quantity: Quantity, figures: int) -> Math:
    """A result, rounded."""
    return Math(quantity_text(quantity, figures), quantity_latex(quantity, figures))


def _stated_math(quantity: Quantity, figures: int | None) -> Math:
    return Math(stated_quantity_text(quantity, figures), stated_quantity_latex(quantity, figures))


def citation_section(citations: tuple[Citation, ...]) -> Section:
    """Document, place and the words there."""
    lines = tuple(_citation_line(each, citations) for each in citations[:_MOST_CITATIONS])
    more = len(citations) - len(lines)
    if more > 0:
        lines = (*lines, (Words(f"and {more} more"),))
    return Section("Sources", lines, "items")


def _citation_line(citation: Citation, citations: tuple[Citation, ...]) -> Line:
    place = span_place(citation.span)
    name = citation.name or document_name(citation.document, citations)
    headings = " > ".join(citation.span.headings)
    about = f" ({headings})" if headings and headings != place else ""
    label = f"{clean(citation.label)}: " if citation.label else ""
    quote = clean(citation.span.quote, longest=_LONGEST_QUOTE)
    said: Line = (Words(": "), Command(quote)) if quote else ()
    return (Words(f"{label}{name}{', ' + place if place else ''}{about}"), *said)


def _rival_section(answer: Answer) -> Section:
    lines: list[Line] = []
    if answer.agreeing:
        lines.append((Words(f"the same number by {', '.join(clean(each) for each in answer.agreeing)}"),))
    lines.extend(
        (Words(f"another number by {clean(name)}: "), quantity_math(value, answer.significant_figures))
        for name, value in answer.disagreeing
    )
    return Section("Other formulas", tuple(lines), "items")


def _confidence_section(answer: Answer) -> Section:
    return Section("Confidence", ((Words(percent(answer.confidence)),),))


def percent(confidence: float) -> str:
    """A probability for a person; never more certain than one can be."""
    if confidence >= 0.995:
        return "over 99 %" if confidence < 1 else "100 %"
    return f"{max(0.0, confidence):.0%}".replace("%", " %")


def _warnings(answer: Answer) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*answer.warnings, *(each for step in answer.steps for each in step.warnings))))


def _further_assumptions(answer: Answer) -> tuple[str, ...]:
    """What is taken for granted beyond the conditions that already stand below a formula."""
    shown = [clean(condition.text).lower() for step in answer.steps for condition in step.formula.conditions]
    return tuple(
        each
        for each in answer.assumptions
        if not any(clean(each).removeprefix("holds for ").lower() in condition for condition in shown)
    )


def _words(texts: Iterable[str]) -> tuple[Line, ...]:
    return tuple((Words(text),) for text in texts if text.strip())
