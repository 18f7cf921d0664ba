"""Calculations that a planner writes itself: an expression over values of the episode, formulas put together, functions
of one variable. Each becomes one equation, made for this question alone, and is computed like any formula.

What a planner writes is read by our own grammar. Every name in it must be a value of the episode, every number be
structural or quoted from the question; units are checked as everywhere.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from mathrag.compute.calculus import definite_integral, derivative, is_maximum, is_minimum, stationary
from mathrag.compute.evaluate import Failure
from mathrag.compute.printers.latex import latex_text
from mathrag.compute.printers.plaintext import plain_formula
from mathrag.compute.pythontext import read_python_text
from mathrag.compute.solve.systems import Combined, combine, holds_at
from mathrag.errors import UnitError
from mathrag.knowledge.kinds import kind, kinds_for_words
from mathrag.knowledge.units import unit_readings
from mathrag.language.spoken_numbers import strange_words
from mathrag.language.word_classes import word_class
from mathrag.reason.agent.action_inputs import Calculus, Computation, System, is_plain_name
from mathrag.reason.agent.formula_tools import find_value
from mathrag.reason.agent.number_sources import has_numbers, is_same
from mathrag.reason.agent.quoted_values import cancels, constant_in_disguise, is_plain_arithmetic, unquoted_number
from mathrag.reason.agent.seams import Problem, Source, Workbench
from mathrag.reason.agent.state import EpisodeState
from mathrag.reason.computing import StepFailure, compute_step
from mathrag.reason.computing.worked_lines import plain_quantity
from mathrag.types.answer import Bound, PlannedStep, Step
from mathrag.types.expression import (
    Declined,
    Equation,
    Expression,
    Symbol,
    equation_symbols,
    rename_equation,
    rename_symbols,
    substitute,
    symbols_of,
)
from mathrag.types.library import MADE, Formula, SymbolMeaning, Validity
from mathrag.types.quantity import Quantity, Unit

OWN_ARITHMETIC = "calculation of this question"
_LONGEST_MEANING = 80
_MOST_READINGS = 12
_JOINTS = word_class("questions.stop_words")


@dataclass(frozen=True, slots=True)
class _Draft:
    """An equation over values of the episode, by the names under which they are shown. `claim` is what the planner says
    that it is: for a judge, and for nobody else."""

    equation: Equation
    target: str
    bindings: tuple[Bound, ...]
    label: str
    meaning: str = ""
    symbols: tuple[SymbolMeaning, ...] = ()
    parts: tuple[Formula, ...] = ()
    conditions: tuple[Validity, ...] = ()
    notes: tuple[str, ...] = ()
    claim: str = ""


def compute_expression(inputs: Computation, state: EpisodeState) -> Step | Problem:
    """The value of an expression."""
    read = _read(inputs, state)
    if isinstance(read, Problem):
        return read
    target = _target_name(state)
    return _computed(_draft(read, target, inputs, state), state, unit=inputs.unit)


def slope_of(inputs: Calculus, state: EpisodeState) -> Step | Problem:
    """The derivative of a function at a place."""
    read = _read_function(inputs, state, {"at": inputs.at})
    if isinstance(read, Problem):
        return read
    body, places = read
    found = derivative(body, inputs.variable)
    if isinstance(found, Failure):
        return Problem(found.code, found.message)
    return _of_function(_put(found, inputs.variable, places["at"]), inputs, state)


def integral_of(inputs: Calculus, state: EpisodeState) -> Step | Problem:
    """The integral of a function between two places."""
    read = _read_function(inputs, state, {"lower": inputs.lower, "upper": inputs.upper})
    if isinstance(read, Problem):
        return read
    body, places = read
    values = {source.id: source.quantities[0].si_value for source in state.ledger}
    found = definite_integral(body, inputs.variable, places["lower"], places["upper"], values=values)
    if isinstance(found, Failure):
        return Problem(found.code, found.message)
    return _of_function(found, inputs, state)


def extremum_of(inputs: Calculus, state: EpisodeState) -> Step | Problem:
    """Where a function is greatest or least."""
    read = _read_function(inputs, state, {})
    if isinstance(read, Problem):
        return read
    body, _ = read
    equation = stationary(body, inputs.variable)
    if isinstance(equation, Failure):
        return Problem(equation.code, equation.message)
    draft = _draft_of(equation, inputs.variable, inputs.function, state)
    step = _computed(draft, state, unit=inputs.function.unit)
    if isinstance(step, Problem):
        return step
    values = {bound.symbol: bound.quantity.si_value for bound in step.bindings if bound.quantity is not None}
    names = _shown_names(symbols_of(body), state, taken=(inputs.variable,))
    shown = rename_symbols(body, names)
    is_found = is_maximum if inputs.which == "maximum" else is_minimum
    if not is_found(shown, step.target, {**values, step.target: step.result.si_value}):
        return Problem("no_extremum", f"the function has no {inputs.which} where its slope is zero")
    return step


def solve_system(inputs: System, state: EpisodeState, bench: Workbench) -> Step | Problem:
    """One symbol of several formulas, which share symbols by name."""
    formulas = _each(_part(part.formula_id, part.names, state, bench) for part in inputs.formulas)
    if isinstance(formulas, Problem):
        return formulas
    own = {name for equation in _equations(formulas) for name in equation_symbols(equation)}
    relations = _each(_relation(text, own, inputs, state) for text in inputs.relations)
    if isinstance(relations, Problem):
        return relations
    equations = [*_equations(formulas), *relations]
    symbols = {name for equation in equations for name in equation_symbols(equation)}
    bound = _foreign_symbol(symbols, own, inputs, state) or _known(inputs, formulas, symbols, state, bench)
    if isinstance(bound, Problem):
        return bound
    signs = _signs(one for formula in formulas for one in formula.symbols)
    values = {name: each.quantity.si_value for name, each in bound.items() if each.quantity is not None}
    combined = combine(equations, inputs.target, set(bound), kinds=signs, values=values)
    if isinstance(combined, Failure):
        return Problem(combined.code, combined.message)
    draft = _system_draft(combined, formulas, inputs, state)
    return _branch_that_holds(combined, draft, bound, [equations[place] for place in combined.used], inputs, state)


def _foreign_symbol(symbols: set[str], own: set[str], inputs: System, state: EpisodeState) -> Problem | None:
    """A target that stands nowhere, or a symbol of relations alone that nobody gives a value: it could only help to
    make a number of nothing."""
    if inputs.target not in symbols:
        return Problem("target", f"{inputs.target[:40]} stands in none of these formulas; they have {_listed(symbols)}")
    loose = [name for name in symbols - own - {inputs.target, *inputs.known} if state.ledger.get(name) is None]
    if loose:
        return Problem("unknown_symbol", f"{min(loose)[:40]} stands in none of these formulas and has no value")
    return None


def _equations(formulas: Iterable[Formula]) -> Iterator[Equation]:
    for formula in formulas:
        if formula.equation is not None:
            yield formula.equation


def _system_draft(combined: Combined, formulas: Sequence[Formula], inputs: System, state: EpisodeState) -> _Draft:
    """What the formulas that were needed are together, without values yet."""
    used = [formulas[place] for place in combined.used if place < len(formulas)]
    stated = [inputs.relations[place - len(formulas)] for place in combined.used if place >= len(formulas)]
    return _Draft(
        combined.equation,
        inputs.target,
        (),
        " with ".join(dict.fromkeys(formula.label or formula.id for formula in used)) or OWN_ARITHMETIC,
        safe_meaning(inputs.meaning, state),
        tuple({one.name: one for formula in used for one in formula.symbols}.values()),
        tuple(state.originals.get(formula.id, formula) for formula in used),
        tuple(condition for formula in used for condition in formula.conditions),
        tuple(f"{name} cancels" for name in combined.cancelled),
        "; ".join((inputs.meaning, *stated)),
    )


_Made = TypeVar("_Made")


def _each(made: Iterable[_Made | Problem]) -> list[_Made] | Problem:
    """All that were made, or the first problem."""
    found: list[_Made] = []
    for each in made:
        if isinstance(each, Problem):
            return each
        found.append(each)
    return found


def _branch_that_holds(
    combined: Combined,
    draft: _Draft,
    bound: Mapping[str, Bound],
    equations: Sequence[Equation],
    inputs: System,
    state: EpisodeState,
) -> Step | Problem:
    """The first way to solve a system that its own equations confirm at the values of the question."""
    failure: Problem | None = None
    found: list[Step] = []
    for branch in combined.branches:
        needed = equation_symbols(branch.equation)
        bindings = tuple(each for name, each in bound.items() if name in needed)
        step = _computed(replace(draft, equation=branch.equation, bindings=bindings), state, unit=inputs.unit)
        if isinstance(step, Problem):
            failure = failure or step
            continue
        values = {name: each.quantity.si_value for name, each in bound.items() if each.quantity is not None}
        if holds_at(equations, branch, {**values, inputs.target: step.result.si_value}):
            found.append(step)
    if not found:
        return failure or Problem("no_solution", "the formulas cannot all hold with these values")
    first, *others = found
    different = [each for each in others if not is_same(each.result, first.result)]
    if not different:
        return first
    shown = ", ".join(plain_quantity(each.result, max(2, each.significant_figures)) for each in different)
    return replace(
        first,
        others=(*first.others, *(each.result for each in different)),
        warnings=(f"{first.target} has another solution: {shown}", *first.warnings),
    )


def _signs(meanings: Iterable[SymbolMeaning]) -> dict[str, str]:
    """Which symbols stand for something that is never below zero."""
    signs = {one.name: kind(one.kind).sign for one in meanings if one.kind is not None}
    return {name: sign for name, sign in signs.items() if sign != "any"}


def is_own_formula(step: Step) -> bool:
    """Whether a step says how quantities go together without a formula of the library behind it."""
    if not step.formula.is_made or step.parts or step.formula.is_proposed:
        return False
    dimensions = {bound.symbol: bound.quantity.dimension for bound in step.bindings if bound.quantity is not None}
    return not is_plain_arithmetic(step.equation.right, dimensions)


def _read(inputs: Computation, state: EpisodeState, *, variable: str = "") -> Expression | Problem:
    """An expression whose names are values of the episode and whose numbers have a reason."""
    expression = _parsed(inputs.expression, state, variable=variable)
    if isinstance(expression, Problem):
        return expression
    problem = unquoted_number(expression, dict(inputs.quotes), state.question.text) or _disguise(expression)
    return problem or expression


def _disguise(expression: Expression, *, zero: bool = False) -> Problem | None:
    part = constant_in_disguise(expression, zero=zero)
    if part is None:
        return None
    return Problem(
        "number_without_source", f"{plain_formula(part)[:80]} is the same whatever its values are: it says nothing"
    )


def _parsed(text: str, state: EpisodeState, *, variable: str = "") -> Expression | Problem:
    names = {source.id for source in state.ledger} | ({variable} if variable else set())
    reading = read_python_text(text, symbols=names)
    if isinstance(reading, Declined):
        return Problem("malformed_expression", f"{text[:80]!r} cannot be read: {reading.reason}")
    if reading.expression is None:
        return Problem("malformed_expression", "write one expression without an equals sign")
    unknown = [name for name in symbols_of(reading.expression) if name not in names]
    if unknown:
        known = ", ".join(sorted(names))
        return Problem("unknown_source", f"there is no value {unknown[0][:40]!r}; known: {known[:400]}")
    return reading.expression


def _read_function(
    inputs: Calculus, state: EpisodeState, places: Mapping[str, str]
) -> tuple[Expression, dict[str, Expression]] | Problem:
    if state.ledger.get(inputs.variable) is not None:
        return Problem("malformed_inputs", f"{inputs.variable} is a value already; give the variable another name")
    body = _read(inputs.function, state, variable=inputs.variable)
    if isinstance(body, Problem):
        return body
    if inputs.variable not in symbols_of(body):
        return Problem("malformed_inputs", f"the expression has no {inputs.variable}")
    found: dict[str, Expression] = {}
    for name, text in places.items():
        place = _read(replace(inputs.function, expression=text), state)
        if isinstance(place, Problem):
            return place
        found[name] = place
    return body, found


def _put(expression: Expression, variable: str, place: Expression) -> Expression:
    return substitute(expression, {variable: place})


def _of_function(expression: Expression, inputs: Calculus, state: EpisodeState) -> Step | Problem:
    target = _target_name(state)
    return _computed(_draft(expression, target, inputs.function, state), state, unit=inputs.function.unit)


def _draft(expression: Expression, target: str, inputs: Computation, state: EpisodeState) -> _Draft:
    return _draft_of(Equation(Symbol(target), expression), target, inputs, state)


def _draft_of(equation: Equation, target: str, inputs: Computation, state: EpisodeState) -> _Draft:
    used = [name for name in equation_symbols(equation) if name != target]
    names = _shown_names(used, state, taken=(target,))
    bindings = []
    for identifier, name in names.items():
        source = state.ledger.get(identifier)
        assert source is not None
        bindings.append(_bound(name, source))
    return _Draft(
        rename_equation(equation, names),
        target,
        tuple(bindings),
        OWN_ARITHMETIC,
        safe_meaning(inputs.meaning, state),
        symbols=tuple(SymbolMeaning(bound.symbol, bound.description) for bound in bindings),
        claim=inputs.meaning,
    )


def _bound(name: str, source: Source, quantity: Quantity | None = None) -> Bound:
    return Bound(
        name,
        source.provenance,
        quantity or source.quantities[0],
        description=source.provenance.text if source.provenance.origin != "derived" else "",
        significant_figures=source.significant_figures,
    )


def _shown_names(identifiers: Sequence[str], state: EpisodeState, *, taken: Sequence[str] = ()) -> dict[str, str]:
    """Under which name each value is shown: its own symbol where it has one that is free."""
    names: dict[str, str] = {}
    used = set(taken)
    for identifier in identifiers:
        source = state.ledger.get(identifier)
        if source is None:
            continue
        wanted = source.symbol if source.symbol.isidentifier() and source.symbol.isascii() else f"x_{len(names) + 1}"
        name, number = wanted, 1
        while name in used:
            number += 1
            name = f"{wanted}_{number}"
        names[identifier] = name
        used.add(name)
    return names


def _target_name(state: EpisodeState) -> str:
    return f"y_{len(state.steps) + 1}"


def safe_meaning(meaning: str, state: EpisodeState) -> str:
    """A planner's name for a result, where it consists of words that the question and the formulas use or is the name
    of a quantity; else nothing, for a name can say anything."""
    words = meaning.strip()[:_LONGEST_MEANING]
    if not words or not words.isprintable() or has_numbers(words) or strange_words(words, frozenset()):
        return ""
    if kinds_for_words(words):
        return words
    known = state.known_words()
    said = [word.strip(".,;:()'\"").casefold() for word in words.split()]
    return words if all(word in known or word in _JOINTS for word in said if word) else ""


def _computed(draft: _Draft, state: EpisodeState, *, unit: str) -> Step | Problem:
    """The draft carried out, in the unit wanted or asked for; other readings of a value are tried where one misfits."""
    wanted = _unit(unit)
    if isinstance(wanted, Problem):
        return wanted
    if not draft.bindings:
        return Problem("number_without_source", "this rests on no value: use those of the question and the documents")
    number = len(state.steps) + 1
    kinds = kinds_for_words(draft.meaning)[:1]
    own = next((one for one in draft.symbols if one.name == draft.target), None)
    target = own or SymbolMeaning(draft.target, draft.meaning, kind=kinds[0].id if kinds else None)
    others = tuple(one for one in draft.symbols if one.name != draft.target)
    formula = Formula(
        f"{MADE}{number}",
        "",
        draft.label,
        latex_text(draft.equation),
        "executable",
        (),
        draft.equation,
        intent=draft.claim,
        symbols=(target, *others),
        conditions=draft.conditions,
    )
    failure: Problem | None = None
    for bindings in _readings(draft.bindings, state):
        planned = PlannedStep(formula, draft.equation, draft.target, bindings)
        step = _in_unit(planned, number, wanted, state)
        if not isinstance(step, StepFailure):
            return replace(step, parts=draft.parts, warnings=(*draft.notes, *step.warnings))
        failure = failure or Problem(step.code, step.message)
        if step.code != "dimension":
            break
    assert failure is not None
    return failure


def _in_unit(planned: PlannedStep, number: int, wanted: Unit | None, state: EpisodeState) -> Step | StepFailure:
    """The step in the unit that the planner wants, else in one that the question asks for, else in a usual one."""
    if wanted is not None:
        return compute_step(planned, number, results={}, unit=wanted)
    step = compute_step(planned, number, results={})
    if isinstance(step, StepFailure):
        return step
    asked = next((each for each in state.question.units if each.dimension == step.result.dimension), None)
    return step if asked is None else compute_step(planned, number, results={}, unit=asked)


def _readings(bindings: tuple[Bound, ...], state: EpisodeState) -> list[tuple[Bound, ...]]:
    """The bindings, and with one of them in another reading of its unit (5 C is a charge or a temperature)."""
    found = [bindings]
    for place, bound in enumerate(bindings):
        source = next((each for each in state.ledger if each.provenance == bound.provenance), None)
        others = () if source is None else source.quantities[1:]
        found += [(*bindings[:place], replace(bound, quantity=one), *bindings[place + 1 :]) for one in others]
    return found[:_MOST_READINGS]


def _unit(text: str) -> Unit | Problem | None:
    if not text:
        return None
    try:
        return unit_readings(text)[0]
    except UnitError as error:
        return Problem("unknown_unit", str(error))


# Systems: formulas of the library under other names for their symbols.


def _part(formula_id: str, names: Mapping[str, str], state: EpisodeState, bench: Workbench) -> Formula | Problem:
    formula = state.formula_called(formula_id, bench)
    if isinstance(formula, Problem):
        return formula
    if formula.equation is None:
        return Problem("not_executable", f"this formula cannot be computed: {formula.reason}")
    symbols = equation_symbols(formula.equation)
    foreign = [name for name in names if name not in symbols]
    if foreign:
        return Problem(
            "unknown_symbol", f"{formula.label or formula.id} has no {foreign[0][:40]}; it has {_listed(symbols)}"
        )
    kept = {name: names.get(name, name) for name in symbols}
    dimensions = {one.name: one.dimension for one in formula.symbols}
    for name in symbols:
        others = [
            other for other in symbols if kept[other] == kept[name] and dimensions.get(other) != dimensions.get(name)
        ]
        if others:
            return Problem("dimension", f"{name} and {others[0]} cannot be one: their units differ")
    renamed = replace(
        formula,
        equation=rename_equation(formula.equation, kept),
        symbols=tuple(
            replace(one, name=kept[one.name], letter="" if kept[one.name] != one.name else one.letter)
            for one in formula.symbols
            if one.name in kept
        ),
        conditions=tuple(_renamed_condition(each, kept) for each in formula.conditions),
    )
    state.originals.setdefault(formula.id, formula)
    return renamed


def _renamed_condition(condition: Validity, names: Mapping[str, str]) -> Validity:
    changed = tuple(
        replace(each, left=rename_symbols(each.left, names), right=rename_symbols(each.right, names))
        for each in condition.comparisons
    )
    return replace(condition, comparisons=changed)


def _relation(text: str, own: Collection[str], inputs: System, state: EpisodeState) -> Equation | Problem:
    """A relation that the question states between the symbols of a system."""
    reading = read_python_text(text)
    if isinstance(reading, Declined):
        return Problem("malformed_expression", f"{text[:80]!r} cannot be read: {reading.reason}")
    if len(reading.equations) != 1:
        return Problem("malformed_expression", f"{text[:80]!r} is no equation such as v_2 = 2*v_1")
    equation = reading.equations[0]
    names = equation_symbols(equation)
    if any(name not in own and not is_plain_name(name) for name in names):
        return Problem("malformed_expression", f"{text[:80]!r} has a name that is none; write such as v_1")
    related = [name for name in names if not cancels(equation, name)]
    if not related:
        return Problem("malformed_expression", f"{text[:80]!r} relates nothing to anything")
    # What a symbol is set to must be said by somebody, be it nothing or one.
    is_set = len(related) == 1
    for side in (equation.left, equation.right):
        problem = unquoted_number(side, dict(inputs.quotes), state.question.text, all_numbers=is_set)
        problem = problem or _disguise(side, zero=True)
        if problem is not None:
            return problem
    return equation


def _known(
    inputs: System, formulas: Sequence[Formula], symbols: set[str], state: EpisodeState, bench: Workbench
) -> dict[str, Bound] | Problem:
    """A value for each symbol that has one: as the planner says, by name in the relations, and constants."""
    bound: dict[str, Bound] = {}
    meanings = {one.name: one for formula in formulas for one in formula.symbols}
    for name, raw in inputs.known.items():
        if name not in symbols:
            return Problem(
                "unknown_symbol", f"{name[:40]} stands in none of these formulas; they have {_listed(symbols)}"
            )
        if name == inputs.target:
            return Problem("target", f"{name[:40]} is what is solved for")
        meaning = meanings.get(name)
        found = find_value(name, raw, dimension=None if meaning is None else meaning.dimension, ledger=state.ledger)
        if isinstance(found, Problem):
            return found
        source, quantity = found
        described = _bound(name, source, quantity)
        bound[name] = (
            described if meaning is None else replace(described, letter=meaning.letter, description=meaning.description)
        )
    for name in symbols:
        named = state.ledger.get(name)
        if named is not None and name not in bound and name != inputs.target:
            bound[name] = _bound(name, named)
    for name, meaning in meanings.items():
        if name not in bound and name != inputs.target and meaning.constant is not None:
            constant = bench.constant_of(meaning)
            if constant is not None:
                bound[name] = constant
    return bound


def _listed(symbols: Sequence[str] | set[str]) -> str:
    return ", ".join(sorted(symbols))[:200]
