"""What an outcome shows to a person, part by part, before any format. The card of an answer has the value, the formula,
symbols with their origins, the working, the sources and what to be careful about; refusals and replies have theirs."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias, assert_never

from mathrag.answer.cards.naming import ARTICLE, asked_name, result_name, tidy_name
from mathrag.answer.clean_text import clean, is_safe_latex, shown_latex
from mathrag.answer.figures import (
    has_all_digits,
    quantity_latex,
    quantity_text,
    stated_quantity_latex,
    stated_quantity_text,
)
from mathrag.compute.printers.latex import latex_text, symbol_latex
from mathrag.compute.printers.money import money_text
from mathrag.compute.printers.plaintext import plain_formula
from mathrag.compute.printers.plaintext import plain_symbol as _plain_symbol
from mathrag.compute.printers.units import plain_unit
from mathrag.types.answer import (
    MODEL_ASSUMES,
    MODEL_WORDS,
    Answer,
    Bound,
    Citation,
    Missing,
    Nearest,
    Outcome,
    PlannedStep,
    Provenance,
    Refusal,
    Reply,
    Step,
    WorkingLine,
    is_of_model,
)
from mathrag.types.expression import MAXIMUM_DEPTH, Equation, Expression, depth_of, size_of
from mathrag.types.library import Formula, Span
from mathrag.types.quantity import Quantity


@dataclass(frozen=True, slots=True)
class Words:
    """Text, possibly a stranger's: each format must make it harmless."""

    text: str
    is_strong: bool = False


@dataclass(frozen=True, slots=True)
class Math:
    """A formula or a value in both writings. The LaTeX is made by us, or was checked."""

    plain: str
    latex: str


@dataclass(frozen=True, slots=True)
class Command:
    """Something to type or to copy: a command, an id."""

    text: str


Inline: TypeAlias = Words | Math | Command
Line: TypeAlias = tuple[Inline, ...]
# How the lines of a section stand: each by itself, as items, as formulas on lines of their own, or as columns.
Layout: TypeAlias = Literal["lines", "items", "formulas", "columns"]


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part. With the layout `columns`, each row holds one line for each column."""

    title: str
    lines: tuple[Line, ...] = ()
    layout: Layout = "lines"
    header: tuple[Line, ...] = ()
    rows: tuple[tuple[Line, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """A headline, the value where there is one, and the sections below."""

    headline: Line
    sections: tuple[Section, ...]
    kind: Literal["answered", "refused", "chat"]


# Equations and symbols as text for people, whatever their size and name.

# Solving can deepen a tree; beyond this nobody reads it and the stack is at risk.
_DEEPEST = MAXIMUM_DEPTH + 40
_LARGEST = 2_000


def plain_equation(equation: Equation) -> str:
    """Both sides and the sign between them: `v = √(3 R T / M)`."""
    return f"{plain_text(equation.left)} {equation.relation} {plain_text(equation.right)}"


def plain_text(expression: Expression) -> str:
    """An expression; one too deep or too long for a person is not written out."""
    if size_of(expression) > _LARGEST or depth_of(expression) > _DEEPEST:
        return "(too long to be shown)"
    return plain_formula(expression)


def plain_symbol(name: str) -> str:
    """A symbol by its name, such as `v₀` for v_0; what is no name of a symbol is shown as it is."""
    return _plain_symbol(name) if name.isascii() and name.isidentifier() else clean(name, longest=40)


# Where a number came from, in words: the question, a constant with its vintage, a place, an earlier step.


def _assumed_said(answer: Answer) -> str:
    """What a language model took to be known, beside the result that rests on it."""
    texts = [bound.provenance.text for step in answer.steps for bound in step.bindings if is_of_model(bound)]
    said = dict.fromkeys(clean(text.removeprefix(MODEL_ASSUMES).partition(": ")[0]) for text in texts)
    return f", assuming {' and '.join(said)}" if said else ""


def origin_text(provenance: Provenance, citations: tuple[Citation, ...] = ()) -> str:
    """A short phrase for a person: `question: "2 kg"`, `constant: molar gas constant (CODATA 2022)`."""
    said = provenance.words.strip()
    match provenance.origin:
        case "question":
            # A value that was kept from an earlier question of a conversation says so.
            return _quoted(provenance.source or "question", said)
        case "implied":
            return _quoted("implied by the question", said)
        case "pinned":
            return _quoted("set by you", said)
        case "constant":
            return _with_source(_named("constant", said), provenance, citations)
        case "document":
            return _with_source(_named("document", said), provenance, citations)
        case "derived":
            step = f"derived in step {provenance.step}" if provenance.step is not None else "derived"
            # Whoever planned the step may have said just that.
            return step if said == step else _named(step, said)
        case "assumed":
            return _named("assumed", said)
    assert_never(provenance.origin)


def _quoted(kind: str, said: str) -> str:
    return f'{kind}: "{said}"' if said else kind


def _named(kind: str, said: str) -> str:
    return f"{kind}: {said}" if said else kind


def _with_source(text: str, provenance: Provenance, citations: tuple[Citation, ...]) -> str:
    places = [provenance.source] if provenance.source else []
    if provenance.span is not None:
        places.append(span_text(provenance.span, citations))
    return f"{text} ({'; '.join(places)})" if places else text


def document_name(document: str, citations: tuple[Citation, ...]) -> str:
    """The name of a document as the citations give it; its id where none does."""
    return next((each.name for each in citations if each.document == document and each.name), document)


def span_place(span: Span) -> str:
    """The place within its document: page or line, else the last heading above it."""
    place = str(span.place)
    return place or (span.headings[-1] if span.headings else "")


def span_text(span: Span, citations: tuple[Citation, ...] = ()) -> str:
    """Document and place: `mechanics.md, line 12`."""
    place = span_place(span)
    return f"{document_name(span.document, citations)}{', ' + place if place else ''}"


# One sentence that says the outcome: what was asked, by name, and its value. Without a name, the symbol.

_LONGEST_EXPRESSION = 90
_LONGEST_EXPLANATION = 1_500
_MOST_ROWS_SAID = 4
# A whole number of more digits is written rounded in the sentence and in full below.
_SHOWN_DIGITS = 60
# Canonical text of degrees inside arithmetic.
_DEGREES = re.compile(r" deg(?:([CF])|)(?![A-Za-z_])")
# The source that `reason/direct` gives for the factor of a conversion.
_UNIT_DEFINITION = "definition of the units"


# How the answer to a story begins, which knows no name of what it computed.
_NAMELESS = "The result is "


def outcome_sentence(answer: Answer) -> str:
    """What is said first: the words that came with the answer, or ours where those are none or only `v = 3 m/s`."""
    said = clean(answer.words)
    is_bare = bool(answer.steps) and said.startswith(f"{answer.steps[-1].target} = ")
    if not said or is_bare:
        return answer_sentence(answer)
    if said.startswith(_NAMELESS) and (name := asked_name(answer)):
        return f"The {name} is {said.removeprefix(_NAMELESS)}"
    return said


def outcome_text(outcome: Outcome) -> str:
    """The words of an outcome, whichever it is: what stands on top of its card."""
    match outcome:
        case Answer():
            return outcome_sentence(outcome)
        case Refusal():
            return refusal_sentence(outcome)
        case Reply():
            return outcome.text
    assert_never(outcome)


def model_sentence(answer: Answer) -> str:
    """What a language model said to an answer, where that is more than `v = 3 m/s`."""
    said = clean(answer.words, longest=_LONGEST_EXPLANATION)
    is_bare = bool(answer.steps) and said.startswith(f"{answer.steps[-1].target} = ")
    return "" if is_bare else said


def answer_sentence(answer: Answer) -> str:
    """`The root mean square speed is 517 m/s.` Where several values were asked for, the first few of them."""
    if not answer.steps and answer.expression:
        return _computed_sentence(answer)
    if not answer.steps:
        return f"{_constant_name(answer) or 'The result'} is {result_text(answer)}."
    step = answer.steps[-1]
    name = result_name(step, answer.question)
    subject = f"The {name}" if name else plain_symbol(step.target)
    verb = "is" if name else "="
    if not answer.rows:
        return f"{subject} {verb} {result_text(answer)}{_other_solutions_said(step)}{_assumed_said(answer)}."
    shown = [
        f"{quantity_text(row.result, answer.significant_figures)} for {_row_values(row.values)}"
        for row in answer.rows[:_MOST_ROWS_SAID]
    ]
    more = len(answer.rows) - len(shown)
    return f"{subject} {verb} {', '.join(shown)}{f', and so on ({more} more)' if more > 0 else ''}."


# "mean of 3 cm and 5 cm": what was computed of a list, in words.
_PHRASE = re.compile(r"[a-z][a-z -]+ of [\d−].*(?:, | and | × )")


def _computed_sentence(answer: Answer) -> str:
    """`sqrt(pi) ≈ 1.772453851.`: what was computed, and what it comes to."""
    shown = expression_text(answer.expression.removesuffix(f" in {answer.quantity.unit.text}"))
    if not shown or len(shown) > _LONGEST_EXPRESSION:
        return f"The result is {result_text(answer)}."
    if _PHRASE.match(shown):
        return f"The {shown} is {'about ' * _is_rounded(answer)}{result_text(answer)}."
    return f"{shown} {'≈' if _is_rounded(answer) else '='} {result_text(answer)}."


def expression_text(expression: str) -> str:
    """Arithmetic as people write it: `12 × 7`, `25 °C`, `e^2`."""
    shown = clean(expression).replace(" * ", " × ").replace("exp(1)", "e")
    return _DEGREES.sub(lambda found: "°" if found[1] is None else f" °{found[1]}", shown)


def _is_rounded(answer: Answer) -> bool:
    """Whether the number as it is shown has fewer digits than the value."""
    value = answer.value
    if result_text(answer) == clean(answer.exact) or isinstance(value, int):
        return result_text(answer) != clean(answer.exact) and len(str(abs(value))) > _SHOWN_DIGITS
    if not answer.quantity.unit.text and not answer.exact:
        # A root or a logarithm: even where its digits look short, there are more.
        return True
    return float(f"{value:.{answer.significant_figures}g}") != value


def _constant_name(answer: Answer) -> str:
    """What an answer without steps is called: the constant it consists of, whatever unit that was converted to."""
    sources = [each for each in answer.provenance if each.source != _UNIT_DEFINITION]
    is_constant = len(sources) == 1 and sources[0].origin in ("constant", "document")
    name = tidy_name(sources[0].text) if is_constant else ""
    # One word is a proper name: "pi", not "the pi".
    return f"The {name}" if " " in name else name


def result_text(answer: Answer) -> str:
    """The value as it is shown: rounded with its unit, or in its exact digits where those are known and short."""
    exact = clean(answer.exact)
    if exact and not answer.quantity.unit.text and len(exact) <= _SHOWN_DIGITS:
        return exact
    return _result_math(answer).plain


def _result_math(answer: Answer) -> Math:
    """The value in both writings. What was converted exactly gets no zeros that nobody stated."""
    is_direct = not answer.steps and bool(answer.expression) and money_text(answer.quantity) is None
    if is_direct and has_all_digits(answer.quantity, answer.significant_figures):
        return Math(stated_quantity_text(answer.quantity), stated_quantity_latex(answer.quantity))
    return quantity_math(answer.quantity, answer.significant_figures)


def _other_solutions_said(step: Step) -> str:
    texts = [quantity_text(other, step.significant_figures) for other in open_solutions(step)[:3]]
    return f" (or {' or '.join(texts)})" if texts else ""


def open_solutions(step: Step) -> tuple[Quantity, ...]:
    """The further solutions that could be meant as well: neither less usual nor ruled out."""
    return tuple(other for place, other in enumerate(step.others) if place not in step.behind)


def _row_values(values: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(f"{plain_symbol(symbol)} = {clean(text)}" for symbol, text in values)


def missing_text(missing: Missing) -> str:
    """A missing value in words and symbol: `the temperature T (in K)`."""
    words = clean(missing.words)
    letter = plain_symbol(missing.symbol) if missing.symbol else ""
    name = f"{words} {letter}".strip() if words and letter and words != letter else words or letter
    article = "the " if words and not ARTICLE.match(words) and words != letter else ""
    unit = unit_of(missing)
    return f"{article}{name}{f' (in {unit})' if unit else ''}"


def unit_of(missing: Missing) -> str:
    """The unit a missing value would have, for people."""
    return plain_unit(clean(missing.unit, longest=40))


def refusal_sentence(refusal: Refusal) -> str:
    """The reason, with symbols as people write them; where it is not said, what is missing."""
    reason = clean(refusal.reason)
    if reason:
        for each in refusal.missing:
            reason = reason.replace(f"({each.symbol})", f"({plain_symbol(each.symbol)})") if each.symbol else reason
        return reason
    if refusal.missing:
        return f"Not answered: needs {', '.join(missing_text(each) for each in refusal.missing)}."
    return "Not answered."


_LONGEST_QUOTE = 160
_LONGEST_CELL = 80
# The first are those of the steps; a chain of ten formulas need not fill the screen.
_MOST_CITATIONS = 8
_MOST_ROWS = 200
_MOST_OTHERS = 5
_MOST_DIGITS = 2_000


def answer_card(answer: Answer) -> Card:
    """Everything an answer rests on, in the order people ask for it."""
    sections = [_table_section(answer) if answer.rows else _result_section(answer), _built_in_section(answer)]
    if answer.explanation:
        said = answer.explanation.removeprefix(MODEL_WORDS)
        sections.append(Section("In the model's words", ((Words(said),),)))
    for step in answer.steps:
        sections.extend(_step_sections(step, answer))
    sections.append(working_section(answer.working))
    if answer.provenance:
        origins = tuple((Words(origin_text(each, answer.citations)),) for each in answer.provenance)
        sections.append(Section("Where the numbers come from", origins, "items"))
    sections.append(citation_section(answer.citations))
    sections.append(Section("Assumptions", _words(_further_assumptions(answer)), "items"))
    sections.append(Section("Warnings", _words(_warnings(answer)), "items"))
    sections.append(_rival_section(answer))
    sections.append(_confidence_section(answer))
    sections.append(_further_section(answer))
    filled = tuple(section for section in sections if section.lines or section.rows)
    return Card((Words(outcome_sentence(answer), is_strong=True),), filled, "answered")


def built_in_words(outcome: Answer | Refusal) -> str:
    """`built-in knowledge: Ohm's law; your documents have no sure answer`; empty where the documents have one."""
    if outcome.origin != "handbook":
        return ""
    if isinstance(outcome, Refusal):
        return "built-in knowledge, since your documents have no formula for this"
    named = dict.fromkeys(clean(each.label) for each in outcome.citations if each.origin == "handbook" and each.label)
    return f"built-in knowledge: {', '.join(named) or 'a relation without a name'}; your documents have no sure answer"


def _built_in_section(outcome: Answer | Refusal) -> Section:
    said = built_in_words(outcome)
    return Section("Where this comes from", ((Words(said),),) if said else ())


def _further_section(answer: Answer) -> Section:
    """The other questions of the text, each with what came of it and what that rests on."""
    lines: list[Line] = []
    for each in answer.further:
        names = dict.fromkeys(citation.label or citation.name for citation in each.citations)
        source = f" ({clean('; '.join(filter(None, names)))})" if names else ""
        no = "No answer: " if isinstance(each, Refusal) else ""
        said = Words(f"{no}{clean(outcome_text(each))}", is_strong=not no)
        lines.append((Words(f"“{clean(each.question)}” "), said, Words(source)))
    return Section("Also asked", tuple(lines), "items")


def _result_section(answer: Answer) -> Section:
    value = _result_math(answer)
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


def working_section(lines: tuple[WorkingLine, ...]) -> Section:
    """Working that needed no formula of the library."""
    return Section("Working", tuple((_checked(each.text, each.latex),) for each in lines), "formulas")


def _checked(plain: str, latex: str) -> Inline:
    return Math(clean(plain), shown_latex(latex)) if is_safe_latex(latex) else Words(plain)


def _earlier(bound: Bound, answer: Answer) -> Quantity | None:
    """The value of a symbol; that of the step it was derived in, where it has none of its own."""
    if bound.quantity is not None:
        return bound.quantity
    return next((step.result for step in answer.steps if step.number == bound.provenance.step), None)


def formula_lines(formula: Formula, equation: Equation | None) -> tuple[Line, ...]:
    """The name with the id, and the formula as its source writes it. What was made for one question has no id."""
    name = clean(formula.label) or "formula without a name"
    lines: list[Line] = [(Words(name),) if formula.is_made else (Words(name), Words("  "), Command(formula.id))]
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
    kept = "built in: " if citation.origin == "handbook" else ""
    return (Words(f"{label}{kept}{name}{', ' + place if place else ''}{about}"), *said)


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


# The cards of a refusal and of a reply: the reason, what is missing, what is near, and how to ask again.

_LONGEST_QUESTION = 300
_MOST_NEAREST = 5
# Refused for these reasons, a question is not answered by any other way of asking it.
_NOT_ASKED_AGAIN = ("empty", "too_long", "language")


def refusal_card(refusal: Refusal, *, library: str = "", is_chat: bool = False) -> Card:
    """No number: why, and what to do. `library` is the folder as the user named it, for commands to copy.

    In a chat nobody types commands: there the missing value, or a yes, is all that has to be said.
    """
    sections = [_built_in_section(refusal)]
    sections.append(Section("Missing", tuple(_missing_line(each) for each in refusal.missing), "items"))
    sections.extend(_proposal_sections(refusal))
    sections.append(nearest_section(refusal.nearest))
    sections.append(citation_section(refusal.citations))
    warnings: tuple[Line, ...] = tuple((Words(each),) for each in refusal.warnings)
    sections.append(Section("Warnings", warnings, "items"))
    sections.append(
        _again_section(refusal, answers_again(refusal) if is_chat else commands_again(refusal, library=library))
    )
    headline: Line = (Words("No answer: ", is_strong=True), Words(refusal_sentence(refusal), is_strong=True))
    return Card(headline, _filled(sections), "refused")


def reply_card(reply: Reply) -> Card:
    """Words, and what the library holds near to them."""
    warnings: tuple[Line, ...] = tuple((Words(each),) for each in reply.warnings)
    sections = [working_section(reply.working), nearest_section(reply.nearest), citation_section(reply.citations)]
    sections.append(Section("Warnings", warnings, "items"))
    return Card((Words(reply.text),), _filled(sections), "chat")


def _filled(sections: list[Section]) -> tuple[Section, ...]:
    return tuple(section for section in sections if section.lines or section.rows)


def _missing_line(missing: Missing) -> Line:
    if not missing.symbol:
        return (Words(missing_text(missing)),)
    words = clean(missing.words)
    unit = unit_of(missing)
    about = ", ".join(each for each in (words, f"in {unit}" if unit else "") if each)
    return (symbol_math(missing.symbol), Words(f": {about}" if about else ""))


def _proposal_sections(refusal: Refusal) -> list[Section]:
    """What would be computed; the number is left out on purpose."""
    sections: list[Section] = []
    for position, step in enumerate(refusal.proposal, start=1):
        prefix = f"Step {position}: " if len(refusal.proposal) > 1 else ""
        lines: tuple[Line, ...] = (*formula_lines(step.formula, step.equation),)
        asked: Line = (Words("would be solved for "), symbol_math(step.target))
        sections.append(Section(f"{prefix}Is this the formula you mean?", (*lines, asked)))
        header: tuple[Line, ...] = ((Words("symbol"),), (Words("meaning"),), (Words("from"),))
        rows = planned_rows(step, refusal.citations)
        sections.append(Section(f"{prefix}With these values?", (), "columns", header, rows))
    if refusal.proposal:
        against = dict.fromkeys(clean(each.reason) for each in refusal.findings)
        sections.append(Section("What speaks against it", tuple((Words(each),) for each in against), "items"))
    if refusal.proposal and not refusal.findings:
        sections.append(Section("Confidence", ((Words(percent(refusal.confidence)),),)))
    return sections


def nearest_section(nearest: tuple[Nearest, ...]) -> Section:
    """Formulas of the library that come near, with what each needs."""
    return Section("Nearest in the library", tuple(_nearest_line(each) for each in nearest[:_MOST_NEAREST]), "items")


def _nearest_line(nearest: Nearest) -> Line:
    needs = f"; needs {', '.join(clean(each) for each in nearest.needs)}" if nearest.needs else ""
    document = f" ({clean(nearest.document)})" if nearest.document else ""
    label = clean(nearest.label) or "formula without a name"
    return (Words(f"{label}: "), _nearest_formula(nearest), Words(f"{needs}{document}  "), Command(nearest.formula))


def _nearest_formula(nearest: Nearest) -> Inline:
    """Read anew from its LaTeX, so that it can be shown as text; what cannot be read is shown as it is written."""
    from mathrag.compute.latex import read_latex
    from mathrag.errors import MathragError
    from mathrag.types.expression import Reading

    try:
        reading = read_latex(nearest.latex, ())
    except MathragError:
        return Words(nearest.latex)
    equation = reading.equations[0] if isinstance(reading, Reading) and len(reading.equations) == 1 else None
    return formula_math(nearest.latex, equation)


def _again_section(refusal: Refusal, ways: tuple[str, ...]) -> Section:
    lines: list[Line] = [(Words(each),) for each in refusal.suggestions]
    if refusal.code not in _NOT_ASKED_AGAIN:
        lines.extend((Command(each),) for each in ways)
    return Section("Ask again", tuple(lines), "items")


def answers_again(refusal: Refusal) -> tuple[str, ...]:
    """What to say next in a chat."""
    if refusal.proposal:
        return ("yes",)
    return tuple(f"{each.symbol} = NUMBER {clean(each.unit)}".strip() for each in refusal.missing if each.symbol)


def commands_again(refusal: Refusal, *, library: str = "") -> tuple[str, ...]:
    """Commands to copy: with the missing value set, with the proposed formula confirmed."""
    question = clean(refusal.question, longest=10_000)
    # A question that would fill the screen is stood for by its beginning.
    asked = shlex.quote(question if len(question) <= _LONGEST_QUESTION else f"{question[:60]}…")
    start = f"mathrag ask {asked}"
    end = f" --library {shlex.quote(clean(library))}" if library else ""
    if refusal.proposal and not refusal.proposal[-1].formula.is_made:
        return (f"{start} --formula {shlex.quote(clean(refusal.proposal[-1].formula.id))}{end}",)
    named = [each for each in refusal.missing if each.symbol]
    if not named:
        return ()
    settings = " ".join(f"--set {shlex.quote(f'{each.symbol}=NUMBER {each.unit}'.strip())}" for each in named)
    return (f"{start} {settings}{end}",)
