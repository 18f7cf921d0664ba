"""What each action does to an episode, once the gate has let it through. The work itself is the workbench's."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from mathrag.compute.dimensions import check_dimensions
from mathrag.compute.printers.latex import latex_text
from mathrag.compute.pythontext import read_python_text
from mathrag.errors import MathragError, readable
from mathrag.language.spoken_numbers import strange_words
from mathrag.reason.agent import calculations, endings
from mathrag.reason.agent.action_inputs import (
    Assumption,
    Calculus,
    Computation,
    ConstantSearch,
    FormulaProposal,
    Identity,
    Inputs,
    MeaningCorrection,
    PropertySearch,
    QuotedValue,
    Search,
    Sentence,
    System,
    ToolCall,
    ToolRequest,
    Translation,
    read_inputs,
)
from mathrag.reason.agent.formula_tools import bind_parameters
from mathrag.reason.agent.gate import legal_actions, refused
from mathrag.reason.agent.number_sources import (
    KnownNumbers,
    has_numbers,
    is_finite,
    quotes_source,
    unsourced_numbers,
)
from mathrag.reason.agent.other_languages import ambiguous_numerals
from mathrag.reason.agent.quoted_values import (
    constant_in_disguise,
    is_lack_of_something_else,
    numbers_said,
    passage_of,
    quantity_meant,
    quoted_unit,
    unit_called,
    value_said,
)
from mathrag.reason.agent.result_judge import identity_problem
from mathrag.reason.agent.said_values import sentences_with_values
from mathrag.reason.agent.seams import CANDIDATES_RETRIEVED, BenchTool, FoundConstant, Problem, Retrieved, Workbench
from mathrag.reason.agent.state import EpisodeState, tool_card
from mathrag.reason.agent.trace import (
    choice_json,
    constant_json,
    formula_json,
    quantity_json,
    ranked_json,
    step_json,
)
from mathrag.reason.agent.translation_check import translation_problem
from mathrag.reason.computing.worked_lines import plain_quantity
from mathrag.types.answer import MODEL_ASSUMES, MODEL_SOURCE, MODEL_WORDS, Provenance, Refusal, Step
from mathrag.types.episode import Action, Observation
from mathrag.types.expression import Declined, Equation, equation_symbols
from mathrag.types.library import PROPOSED_ID, Formula, Span, SymbolMeaning
from mathrag.types.quantity import Quantity

# Formulas that the trace keeps of a search; a planner sees more of them in its view.
_FORMULAS_TOLD = 3
_LONGEST_NAME = 80
_LONGEST_QUERY = 300
# What no plain word has, and markup begins with.
_MARKS = "<>\\{}[]`|#*_^~$&"
_RESULT_NAME = re.compile(r"\bresult_(\d{1,2})\b")

_Done: TypeAlias = Observation | Problem
_OWN_WORDS = "a language model's own words; nothing in them comes from the library"


def carry_out(action: Action, state: EpisodeState, bench: Workbench) -> Observation:
    """Do a legal action and say what came of it. Problems of any kind come back as observations."""
    inputs = read_inputs(action.name, action.inputs)
    if isinstance(inputs, Problem):
        return refused(inputs, state)
    try:
        done = _ACTIONS[action.name](inputs, state, bench)
    except MathragError as error:
        done = Problem("failed", str(error))
    return refused(done, state) if isinstance(done, Problem) else done


def _succeeded(state: EpisodeState, code: str, message: str, **data: Any) -> Observation:
    next_actions = () if state.outcome is not None else legal_actions(state)
    return Observation(True, code, readable(message), data, next_actions)


def _retrieve(inputs: Inputs, state: EpisodeState, bench: Workbench) -> _Done:
    assert isinstance(inputs, Search)
    retrieved = bench.retrieve(inputs.query, search_terms=inputs.terms, literals=inputs.literals)
    state.keep(retrieved)
    if not retrieved.candidates and not retrieved.formulas and not retrieved.choices:
        return Problem("nothing_found", "no formula of the library fits these words; try others, or say so")
    state.has_retrieved_knowledge = True
    for choice in retrieved.choices:
        state.ledger.add_choice(choice, question=state.question.text)
    constants = [constant_json(each, state.ledger.add_constant(each)) for each in retrieved.constants]
    cards = state.shown_formulas()
    suggestion, verdict = state.suggestion, retrieved.refusal
    return _succeeded(
        state,
        "retrieved",
        f"{len(retrieved.candidates[:CANDIDATES_RETRIEVED])} formulas found; best: {_best(retrieved)}",
        candidates=[
            {"formula_id": found.id, "label": found.label, "score": found.score}
            for found in retrieved.candidates[:CANDIDATES_RETRIEVED]
        ],
        formulas=[formula_json(card) for card in cards[:_FORMULAS_TOLD]],
        suggestion=None if suggestion is None else choice_json(suggestion),
        choices=[ranked_json(each) for each in retrieved.choices],
        verdict=None if verdict is None else {"code": verdict.code, "reason": verdict.reason},
        constants=constants,
    )


def _best(retrieved: Retrieved) -> str:
    labels = [*(each.label for each in retrieved.candidates), *(each.label for each in retrieved.formulas)]
    return labels[0] if labels else ""


def _retrieve_constant(inputs: Inputs, state: EpisodeState, bench: Workbench) -> _Done:
    assert isinstance(inputs, ConstantSearch)
    found = bench.retrieve_constants(inputs.words)
    if not found:
        return Problem("nothing_found", f"no constant is called {', '.join(inputs.words)[:80]!r}")
    return _found_constants(found, state)


def _look_up(inputs: Inputs, state: EpisodeState, bench: Workbench) -> _Done:
    assert isinstance(inputs, PropertySearch)
    named = (*bench.look_up(inputs.words), *bench.retrieve_constants((inputs.words,)))
    found = tuple({each.id: each for each in named}.values())
    said = sentences_with_values(inputs.words, bench.passages(inputs.words[:_LONGEST_QUERY]))
    if not found and not said:
        return Problem("nothing_found", f"the documents state no value for {inputs.words[:80]!r}")
    state.said |= {span.quote: span for span in said}
    passages = [{"quote": span.quote, "document": bench.document_name(span.document)} for span in said]
    return _found_constants(found, state, passages=passages)


def _found_constants(
    found: Sequence[FoundConstant], state: EpisodeState, *, passages: Sequence[Mapping[str, str]] = ()
) -> Observation:
    state.constants += [each for each in found if each not in state.constants]
    shown = [constant_json(each, state.ledger.add_constant(each)) for each in found]
    named = zip(shown, found, strict=True)
    told = [f"{each['source']} = {plain_quantity(one.quantity, 6)} ({one.name})" for each, one in named]
    told += [f"{len(passages)} sentences that state values"] if passages else []
    return _succeeded(state, "constants", "; ".join(told), constants=shown, passages=list(passages))


def _define_value(inputs: Inputs, state: EpisodeState, _bench: Workbench) -> _Done:
    """A value that the question says in words, or inside something that was not read as a value."""
    assert isinstance(inputs, QuotedValue)
    text = state.question.text
    quote = passage_of(inputs.quote, text)
    said = None if quote else next((each for each in state.said.values() if passage_of(inputs.quote, each.quote)), None)
    if said is not None:
        return _stated_value(inputs, said, state)
    meant = quantity_meant(inputs.quote, text)
    if meant is not None:
        return _new_value("value", meant, Provenance("question", quote), state)
    value = value_said(inputs.quote, inputs.value, text)
    if isinstance(value, Problem):
        return value
    # Nothing of something is nothing in any unit.
    unit = unit_called(inputs.unit) if value == 0 else quoted_unit(inputs.unit, inputs.quote, text)
    if isinstance(unit, Problem):
        return unit
    if value == 0 and is_lack_of_something_else(inputs.quote, unit.dimension):
        return Problem("number_not_quoted", f"{inputs.quote[:80]!r} says that there is none of something else")
    return _new_value("value", Quantity(value, unit), Provenance("question", quote), state)


def _stated_value(inputs: QuotedValue, said: Span, state: EpisodeState) -> _Done:
    """A value that a sentence of a document states, which was looked up: cited, with the sentence."""
    value = value_said(inputs.quote, inputs.value, said.quote)
    if isinstance(value, Problem):
        return value
    unit = quoted_unit(inputs.unit, inputs.quote, said.quote)
    if isinstance(unit, Problem):
        return unit
    return _new_value("value", Quantity(value, unit), Provenance("document", said.quote, span=said), state)


def _same_as(inputs: Inputs, state: EpisodeState, bench: Workbench) -> _Done:
    """That the last result is what is asked, by words that define it so."""
    assert isinstance(inputs, Identity)
    number = len(state.steps)
    if inputs.result not in ("", f"result_{number}", state.steps[-1].target):
        return Problem("unknown_source", f"only the last result is answered with: result_{number}")
    said = _said_where(inputs.quote, state, bench)
    if said is None:
        return Problem(
            "quote_not_found",
            f"neither the question nor a document says {inputs.quote[:80]!r}; copy its words, or search",
        )
    quote, place = said
    problem = identity_problem(quote, endings.steps_of_result(state.steps), state.question)
    if problem is not None:
        return problem
    words = readable(f"by “{quote}” ({place}) {state.steps[-1].target} is what is asked")
    state.identified[number] = words
    return _succeeded(state, "identified", words)


def _said_where(quote: str, state: EpisodeState, bench: Workbench) -> tuple[str, str] | None:
    """The words of a quote as the question or a document has them, with where that is."""
    found = passage_of(quote, state.question.text)
    if found:
        return found, "the question"
    spans = [span for formula in state.formulas() for span in formula.spans]
    for span in (*spans, *bench.passages(quote[:_LONGEST_QUERY])):
        found = passage_of(quote, span.quote)
        if found:
            return found, bench.document_name(span.document)
    for formula in state.formulas():
        if not formula.is_proposed and passage_of(quote, formula.description):
            return passage_of(quote, formula.description), formula.label or formula.id
    return None


def _assume(inputs: Inputs, state: EpisodeState, _bench: Workbench) -> _Done:
    """A value of the planner's own, where the user allows that; the answer says so."""
    assert isinstance(inputs, Assumption)
    unit = unit_called(inputs.unit)
    if isinstance(unit, Problem):
        return unit
    words = f"{inputs.meaning} ({inputs.reason})"
    if not _is_plain(words, state):
        return Problem(
            "number_without_source", "say in plain words what is assumed and why; the value itself stands beside them"
        )
    shown = f"{inputs.value:g} {unit.text}".strip()
    text = readable(f"{MODEL_ASSUMES}{shown} for {inputs.meaning.replace(': ', ' ')}: {inputs.reason}")
    return _new_value("assumed", Quantity(inputs.value, unit), Provenance("assumed", text, source=MODEL_SOURCE), state)


def _new_value(prefix: str, quantity: Quantity, provenance: Provenance, state: EpisodeState) -> _Done:
    source = state.ledger.add(prefix, (quantity,), provenance=provenance)
    if source is None:
        return Problem("too_many_values", "no more values can be taken in")
    shown = f"{source.id} = {quantity.value:.10g} {quantity.unit.text}".strip()
    return _succeeded(state, "value_defined", shown, source=source.id, **quantity_json(quantity))


def _create_tool(inputs: Inputs, state: EpisodeState, bench: Workbench) -> _Done:
    assert isinstance(inputs, ToolRequest)
    made = _made_tool(inputs.formula_id, inputs.target, state, bench)
    if isinstance(made, Problem):
        return made
    card = tool_card(*made)
    return _succeeded(
        state,
        "tool_created",
        f"{card.name} computes {card.target}",
        tool_name=card.name,
        description=card.description,
        formula_id=card.formula_id,
        target=card.target,
        schema=card.schema,
    )


def _made_tool(
    called: str, target: str | None, state: EpisodeState, bench: Workbench, *, passed: Sequence[str] = ()
) -> tuple[str, BenchTool] | Problem:
    formula_id = state.formula_id_called(called)
    if isinstance(formula_id, Problem):
        return formula_id
    instead = state.corrected.get(formula_id) or state.proposed.get(formula_id)
    tool = bench.make_tool(formula_id, target=target, instead=instead, passed=passed)
    if isinstance(tool, Problem):
        return tool
    name = _free_name(tool, state)
    state.tools[name] = tool
    state.has_created_tool = True
    return name, tool


def _free_name(tool: BenchTool, state: EpisodeState) -> str:
    """The tool's own name, numbered where a tool of another formula has it."""
    name, number = tool.name, 1
    while name in state.tools and not _is_twin(state.tools[name], tool):
        number += 1
        name = f"{tool.name}_{number}"
    return name


def _is_twin(first: BenchTool, second: BenchTool) -> bool:
    return (first.formula.id, first.target) == (second.formula.id, second.target)


def _call_tool(inputs: Inputs, state: EpisodeState, bench: Workbench) -> _Done:
    assert isinstance(inputs, ToolCall)
    if inputs.tool_name:
        tool = state.tools.get(inputs.tool_name)
        if tool is None:
            available = ", ".join(state.tools)
            return Problem("unknown_tool", f"there is no tool {inputs.tool_name[:60]!r}; available: {available}")
    else:
        made = _made_tool(inputs.formula_id, inputs.target, state, bench, passed=tuple(inputs.parameters))
        if isinstance(made, Problem):
            return made
        _, tool = made
    bound = bind_parameters(tool, inputs.parameters, ledger=state.ledger)
    if isinstance(bound, Problem):
        if bound.code == "missing_parameter":
            return Problem(bound.code, f"{bound.message}: pass it, or fetch it by RETRIEVE_CONSTANT or LOOK_UP first")
        return bound
    return _taken_up(tool.invoke(bound, number=len(state.steps) + 1), state)


def _taken_up(step: Step | Problem, state: EpisodeState) -> _Done:
    """A computed step as a result of the episode."""
    if isinstance(step, Problem):
        return step
    if step.number != len(state.steps) + 1 or not is_finite(step.result.value):
        return Problem("failed", f"{step.target} has no finite value")
    state.steps.append(step)
    state.ledger.add_step(step)
    state.has_called_tool = True
    shown = f"{step.target} = {step.result.value:.{max(2, min(step.significant_figures, 15))}g} {step.result.unit.text}"
    return _succeeded(state, "tool_result", shown.strip(), **step_json(step))


def _compute(inputs: Inputs, state: EpisodeState, _bench: Workbench) -> _Done:
    assert isinstance(inputs, Computation)
    return _taken_up(calculations.compute_expression(inputs, state), state)


def _solve(inputs: Inputs, state: EpisodeState, bench: Workbench) -> _Done:
    assert isinstance(inputs, System)
    return _taken_up(calculations.solve_system(inputs, state, bench), state)


def _differentiate(inputs: Inputs, state: EpisodeState, _bench: Workbench) -> _Done:
    assert isinstance(inputs, Calculus)
    return _taken_up(calculations.slope_of(inputs, state), state)


def _integrate(inputs: Inputs, state: EpisodeState, _bench: Workbench) -> _Done:
    assert isinstance(inputs, Calculus)
    return _taken_up(calculations.integral_of(inputs, state), state)


def _find_extremum(inputs: Inputs, state: EpisodeState, _bench: Workbench) -> _Done:
    assert isinstance(inputs, Calculus)
    return _taken_up(calculations.extremum_of(inputs, state), state)


def _correct_meaning(inputs: Inputs, state: EpisodeState, bench: Workbench) -> _Done:
    """A symbol taken for something else than was read, for this question: where the dimensions then agree."""
    assert isinstance(inputs, MeaningCorrection)
    formula = state.formula_called(inputs.formula_id, bench)
    if isinstance(formula, Problem):
        return formula
    assert formula.equation is not None
    if inputs.symbol not in equation_symbols(formula.equation):
        return Problem("unknown_symbol", f"{formula.label or formula.id} has no {inputs.symbol[:40]}")
    unit = unit_called(inputs.unit)
    if isinstance(unit, Problem):
        return unit
    words = calculations.safe_meaning(inputs.meaning, state)
    meaning = SymbolMeaning(inputs.symbol, words, unit.text, unit.dimension, origin="inferred")
    symbols = (meaning, *(one for one in formula.symbols if one.name != inputs.symbol))
    told = _disagreement(formula.equation, symbols)
    if told:
        return Problem("dimension", f"with this meaning the formula does not hold: {told}")
    state.corrected[formula.id] = replace(formula, symbols=symbols, status="executable", alternatives=())
    note = f"{inputs.symbol} in “{formula.label or formula.id}” is taken as a value in {unit.text or 'plain numbers'}"
    state.notes.append(readable(f"{note}, as a language model says for this question"))
    return _succeeded(state, "meaning_corrected", note)


def _disagreement(equation: Equation, symbols: Sequence[SymbolMeaning]) -> str:
    """Why an equation cannot hold between quantities of these dimensions; empty where it may."""
    known = {one.name: one.dimension for one in symbols if one.dimension is not None}
    report = check_dimensions(equation, known)
    if report.status != "inconsistent":
        return ""
    return report.disagreements[0].message if report.disagreements else "the dimensions do not agree"


def _propose_formula(inputs: Inputs, state: EpisodeState, _bench: Workbench) -> _Done:
    """A formula of the planner's own, where the user allows that: checked for dimensions, marked, never stored."""
    assert isinstance(inputs, FormulaProposal)
    name = inputs.name[:_LONGEST_NAME]
    meanings = [meaning for meaning, _ in inputs.symbols.values()]
    if not all(_is_plain(text, state) for text in (name, *meanings)):
        return Problem("malformed_inputs", "names and meanings are a few plain words without numbers")
    reading = read_python_text(inputs.equation, symbols=tuple(inputs.symbols))
    if isinstance(reading, Declined) or len(reading.equations) != 1:
        why = reading.reason if isinstance(reading, Declined) else "it is not one equation"
        return Problem("malformed_expression", f"the equation cannot be read: {why}")
    equation = reading.equations[0]
    if len(equation_symbols(equation)) < 2 or any(map(constant_in_disguise, (equation.left, equation.right))):
        return Problem("malformed_expression", "a formula says how several quantities hang together")
    symbols = _meanings(inputs, equation)
    if isinstance(symbols, Problem):
        return symbols
    told = _disagreement(equation, symbols)
    if told:
        return Problem("dimension", f"the proposed formula is wrong: {told}")
    identifier = f"{PROPOSED_ID}{len(state.proposed) + 1}"
    label = f"{name} (from the model, not from your documents)"
    state.proposed[identifier] = Formula(
        identifier, "", label, latex_text(equation), "executable", (), equation, symbols=symbols
    )
    state.has_retrieved_knowledge = True
    return _succeeded(state, "formula_proposed", f"{identifier}: {label}", formula_id=identifier)


def _is_plain(words: str, state: EpisodeState) -> bool:
    """Whether words of a planner may stand in an answer: no numbers, no letters that hide some, no markup."""
    known = state.known_words()
    is_text = words.isprintable() and not any(mark in words for mark in _MARKS)
    return is_text and not has_numbers(words, words=known) and not strange_words(words, known)


def _meanings(inputs: FormulaProposal, equation: Equation) -> tuple[SymbolMeaning, ...] | Problem:
    symbols = []
    for name in equation_symbols(equation):
        if name not in inputs.symbols:
            return Problem("malformed_inputs", f"say what {name} means and its unit")
        meaning, text = inputs.symbols[name]
        unit = unit_called(text)
        if isinstance(unit, Problem):
            return unit
        symbols.append(SymbolMeaning(name, meaning[:_LONGEST_NAME], unit.text, unit.dimension, origin="inferred"))
    return tuple(symbols)


def _translate(inputs: Inputs, state: EpisodeState, bench: Workbench) -> _Done:
    assert isinstance(inputs, Translation)
    state.was_translation_tried = True
    question = bench.translate(state.question.text, language=inputs.language)
    if question is None:
        return Problem("no_model", "there is no language model to translate with; the question is read as it stands")
    if isinstance(question, Problem):
        return question
    problem = translation_problem(state.question.text, question.text)
    if problem is not None:
        return problem
    state.translated_from = state.question.text
    state.question = question
    state.direct = bench.direct(question)
    state.start_ledger()
    return _succeeded(state, "translated", question.text)


def _clarify(inputs: Inputs, state: EpisodeState, bench: Workbench) -> _Done:
    assert isinstance(inputs, Sentence)
    # A question back shows no number but the user's own: what was computed is no answer yet.
    user = state.ledger.said_by_user()
    asked = KnownNumbers(user, words=state.known_words(), is_foreign=state.is_foreign)
    problem = _unsourced(inputs.text, state, known=asked)
    if problem is not None:
        return problem
    state.outcome = endings.clarification(state, bench, text=inputs.text)
    return _succeeded(state, "asked", state.outcome.reason)


def _answer_directly(inputs: Inputs, state: EpisodeState, bench: Workbench) -> _Done:
    assert isinstance(inputs, Sentence)
    if state.direct is not None:
        # Computed from the question itself: what a planner would say to it does not count.
        state.outcome = state.direct
        return _succeeded(state, "computed_directly", "computed without a formula")
    if state.has_called_tool:
        return _respond(inputs, state, bench)
    problem = _unsourced(inputs.text, state)
    if problem is not None:
        return problem
    reply = bench.reply(state.question)
    if inputs.text and state.question.intent == "chat":
        # Small talk may be a planner's own; what explains something comes from the library.
        reply = replace(reply, text=f"{MODEL_WORDS}{inputs.text}", warnings=(*reply.warnings, _OWN_WORDS))
    state.outcome = reply
    return _succeeded(state, "replied", state.outcome.text)


def _respond(inputs: Inputs, state: EpisodeState, bench: Workbench) -> _Done:
    assert isinstance(inputs, Sentence)
    text = _with_results(inputs.text, state)
    if inputs.is_no:
        return _say_no(text, state, bench)
    if state.has_called_tool:
        problem = _ambiguous(inputs.text, state) or _unsourced(text, state) or _result_missing(text, state)
        if problem is not None:
            return problem
        ending = endings.computed_answer(state, bench, text=text, because=inputs.because)
        if isinstance(ending, Problem):
            return ending
        state.outcome = ending
        if isinstance(ending, Refusal):
            return _succeeded(state, "refused", ending.reason)
        return _succeeded(state, "answered", text or "answered")
    if state.question.intent == "constant" and state.constants:
        problem = _unsourced(text, state)
        if problem is not None:
            return problem
        state.outcome = endings.constant_answer(state, bench, constant=state.constants[0], text=text)
        return _succeeded(state, "answered", text or "answered")
    if text and has_numbers(text, words=state.known_words()):
        return Problem("call_tool_first", "no numeric answer before a call; without one, answer without any number")
    problem = _unreadable(text, state)
    if problem is not None:
        return problem
    state.outcome = endings.refusal(state, bench, text=text)
    return _succeeded(state, "refused", state.outcome.reason)


def _say_no(text: str, state: EpisodeState, bench: Workbench) -> _Done:
    """An honest no, at any time, whatever was computed: with its reason first, and no number but the user's own."""
    numbers = numbers_said(state.question.text)
    names = frozenset(one.name for formula in state.formulas() for one in formula.symbols)
    user = state.ledger.said_by_user()
    words, is_foreign = state.known_words(), state.is_foreign
    asked = KnownNumbers(user, numbers, names, words=words, may_count=True, is_foreign=is_foreign)
    invented = unsourced_numbers(text, asked)
    if invented:
        return Problem(
            "number_without_source", f"a no has no numbers but those of the question: {', '.join(invented)[:120]}"
        )
    problem = _unreadable(text, state)
    if problem is not None:
        return problem
    state.outcome = endings.said_no(state, bench, text=text)
    return _succeeded(state, "refused", state.outcome.reason)


def _unsourced(text: str, state: EpisodeState, *, known: KnownNumbers | None = None) -> Problem | None:
    if not text:
        return None
    invented = unsourced_numbers(text, known or state.known_numbers())
    return _without_source(invented) if invented else _unreadable(text, state)


def _ambiguous(text: str, state: EpisodeState) -> Problem | None:
    """Numerals of a planner that the user may read as another number than is meant."""
    found = ambiguous_numerals(text) if state.is_foreign else ()
    if not found:
        return None
    return Problem(
        "number_without_source", f"{found[0]} is read in two ways; write result_1 where the result shall stand"
    )


def _with_results(text: str, state: EpisodeState) -> str:
    """A text with the results of calls in the places of their names: "the force is result_2"."""

    def shown(name: re.Match[str]) -> str:
        number = int(name[1])
        if not 1 <= number <= len(state.steps):
            return name[0]
        step = state.steps[number - 1]
        return plain_quantity(replace(step.result, uncertainty=None), max(2, step.significant_figures))

    return _RESULT_NAME.sub(shown, text)


def _unreadable(text: str, state: EpisodeState) -> Problem | None:
    """Words in letters in which numbers would not be found are not shown to anyone."""
    strange = strange_words(text, state.known_words())
    if not strange:
        return None
    shown = ", ".join(strange)[:120]
    return Problem("unreadable_letters", f"write in Latin letters; these words cannot be checked: {shown}")


def _without_source(invented: tuple[str, ...]) -> Problem:
    shown = ", ".join(invented)[:120]
    return Problem("number_without_source", f"these numbers occur nowhere in this episode: {shown}")


def _result_missing(text: str, state: EpisodeState) -> Problem | None:
    """A text must quote the result: else it could pass off a given value as the answer, or deny it."""
    if not text:
        return None
    last: Step = state.steps[-1]
    source = state.ledger.get(f"result_{last.number}")
    if source is not None and quotes_source(text, source, is_foreign=state.is_foreign):
        return None
    return Problem(
        "result_not_stated",
        f"the text does not state the result of step {last.number}; where that is no answer, say so with no instead",
    )


_ACTIONS: dict[str, Callable[[Inputs, EpisodeState, Workbench], _Done]] = {
    "RETRIEVE_MATH_KNOWLEDGE": _retrieve,
    "RETRIEVE_CONSTANT": _retrieve_constant,
    "LOOK_UP": _look_up,
    "DEFINE_VALUE": _define_value,
    "CREATE_DYNAMIC_TOOL": _create_tool,
    "CALL_TOOL": _call_tool,
    "COMPUTE": _compute,
    "SOLVE": _solve,
    "DIFFERENTIATE": _differentiate,
    "INTEGRATE": _integrate,
    "FIND_EXTREMUM": _find_extremum,
    "CORRECT_MEANING": _correct_meaning,
    "SAME_AS": _same_as,
    "ASSUME": _assume,
    "PROPOSE_FORMULA": _propose_formula,
    "TRANSLATE_INPUT": _translate,
    "ASK_FOR_CLARIFICATION": _clarify,
    "ANSWER_DIRECTLY": _answer_directly,
    "RESPOND": _respond,
}
